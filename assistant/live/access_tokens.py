"""The tokens of programs: for one live event each, or with scopes for the HTTP API.

They are given, listed and revoked here. A token may expire.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.errors import SettingsError
from assistant.live.event import EVENT_NAME
from assistant.live.tables import tokens

TOKEN_BYTES = 32
TOKEN_CHARACTERS = 43  # the length of ``TOKEN_BYTES`` in base 64
REQUESTS_PER_MINUTE = 120  # unless a token of the API has limits of its own
REQUESTS_PER_DAY = 20_000
NO_EVENT = ""  # the event of a token of the API


class AccessRight(IntEnum):
    """What a token allows at an event; writing includes reading."""

    NONE = 0
    READ = 1
    WRITE = 2


class Scope(StrEnum):
    """A group of operations of the API that a token may allow."""

    MATCH = "match"
    FACT_CHECKS = "fact-checks"
    READ_CHECKS = "checks:read"
    WRITE_CHECKS = "checks:write"
    ALL_CHECKS = "checks:all"
    READ_DECISIONS = "decisions:read"
    WRITE_DECISIONS = "decisions:write"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as it is listed: its holder, its rights, and its times (seconds since 1970).

    ``event`` is "" and ``scopes`` are not empty for a token of the API.
    """

    event: str
    name: str
    right: AccessRight
    made: float
    revoked: float | None
    scopes: frozenset[Scope] = frozenset()
    expires: float | None = None

    def is_valid(self, now: float) -> bool:
        """Return whether the token is neither revoked nor expired at a time."""
        return self.revoked is None and (self.expires is None or self.expires > now)


@dataclass(frozen=True, slots=True)
class ApiGrant:
    """The rights of a valid token of the API: its holder, its scopes and its limits."""

    digest: str
    name: str
    scopes: frozenset[Scope]
    per_minute: int = REQUESTS_PER_MINUTE
    per_day: int = REQUESTS_PER_DAY


@dataclass(frozen=True, slots=True)
class TokenLimits:
    """The limits of a new token: its expiry (seconds since 1970) and its numbers of requests.

    None for no expiry, or for the usual number.
    """

    expires: float | None = None
    per_minute: int | None = None
    per_day: int | None = None


NO_LIMITS = TokenLimits()


class TokenStore(Database):
    """The tokens of one database.

    A server asks it with every request, so that a revoked token ends at once.
    """

    clock: Callable[[], float] = staticmethod(time.time)

    def give(
        self, event: str, name: str, right: AccessRight, limits: TokenLimits = NO_LIMITS
    ) -> str:
        """Return a new token for an event, which is shown only now.

        Raises: SettingsError if the name has one for this event.
        """
        _require_names(event, name)
        return self._store_new(
            {
                "event": event,
                "name": name,
                "writes": right is AccessRight.WRITE,
                "expires": limits.expires,
            }
        )

    def give_scopes(
        self, name: str, scopes: Iterable[Scope], limits: TokenLimits = NO_LIMITS
    ) -> str:
        """Return a new token of the API, which is shown only now.

        Raises: SettingsError if the name has one, or the scopes are empty.
        """
        _require_names(name)
        scope_names = sorted({str(scope) for scope in scopes})
        if not scope_names:
            remedy = f"Use one or more of {', '.join(Scope)}."
            raise SettingsError("a token for the API needs at least one scope.", remedy=remedy)
        return self._store_new(
            {
                "event": NO_EVENT,
                "name": name,
                "writes": False,
                "scopes": " ".join(scope_names),
                "expires": limits.expires,
                "per_minute": limits.per_minute,
                "per_day": limits.per_day,
            }
        )

    def revoke(self, event: str, name: str) -> None:
        """End a token. Raises: SettingsError if there is none that is valid."""
        with self._writing() as connection:
            update_result = connection.execute(
                tokens.update().where(_unrevoked_token_of(event, name)).values(revoked=self.clock())
            )
        if not update_result.rowcount:
            remedy = "See `python -m assistant tokens list`."
            raise SettingsError(f"{name} has no token for {event or 'the API'}.", remedy=remedy)

    def all(self) -> list[AccessToken]:
        """Return every token, by event and time, the revoked ones included."""
        query = sa.select(tokens).order_by(tokens.c.event, tokens.c.made)
        access_tokens = []
        with self._reading() as connection:
            for record in connection.execute(query):
                access_tokens.append(
                    AccessToken(
                        record.event,
                        record.name,
                        AccessRight.WRITE if record.writes else AccessRight.READ,
                        record.made,
                        record.revoked,
                        _scopes(record.scopes),
                        record.expires,
                    )
                )
        return access_tokens

    def right(self, token: str, event: str) -> AccessRight:
        """Return the right that a token gives at an event."""
        if event == NO_EVENT:
            return AccessRight.NONE
        with self._reading() as connection:
            query = sa.select(tokens.c.writes).where(self._is_valid(token, event))
            record = connection.execute(query).first()
        if record is None:
            return AccessRight.NONE
        return AccessRight.WRITE if record.writes else AccessRight.READ

    def api_grant(self, token: str) -> ApiGrant | None:
        """Return the rights of a token at the API, None if it isn't valid there."""
        if len(token) != TOKEN_CHARACTERS:
            return None
        query = sa.select(tokens).where(self._is_valid(token, NO_EVENT))
        with self._reading() as connection:
            record = connection.execute(query).first()
        if record is None:
            return None
        return ApiGrant(
            record.digest,
            record.name,
            _scopes(record.scopes),
            record.per_minute or REQUESTS_PER_MINUTE,
            record.per_day or REQUESTS_PER_DAY,
        )

    def holder(self, token: str, event: str) -> str:
        """Return to whom a token was given, "" if it is none of these."""
        is_this_token = sa.and_(tokens.c.digest == _digest(token), tokens.c.event == event)
        with self._reading() as connection:
            return connection.execute(sa.select(tokens.c.name).where(is_this_token)).scalar() or ""

    def _store_new(self, values: dict[str, Any]) -> str:
        """Store and return a new token.

        An expired token of the same name is replaced. Raises: SettingsError if it is still valid.
        """
        event = values["event"]
        name = values["name"]
        now = self.clock()
        has_expired = tokens.c.expires.is_not(None) & (tokens.c.expires <= now)
        has_name = _unrevoked_token_of(event, name)
        revocation = tokens.update().where(has_name, has_expired).values(revoked=now)
        name_query = sa.select(tokens.c.name).where(has_name)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._writing() as connection:
            connection.execute(revocation)
            has_valid_token = connection.execute(name_query).first() is not None
            if has_valid_token:
                raise SettingsError(
                    f"{name} already has a token for {event or 'the API'}.",
                    remedy="Revoke the old token, or choose another name.",
                )
            # Only a digest is stored, from which the token cannot be read.
            insertion = tokens.insert().values(digest=_digest(token), made=now, **values)
            connection.execute(insertion)
        return token

    def _is_valid(self, token: str, event: str) -> sa.ColumnElement[bool]:
        """Return the condition of the row of a token that is neither revoked nor expired."""
        return sa.and_(
            tokens.c.digest == _digest(token),
            tokens.c.event == event,
            tokens.c.revoked.is_(None),
            tokens.c.expires.is_(None) | (tokens.c.expires > self.clock()),
        )


def _require_names(*names: str) -> None:
    """Raise SettingsError unless all texts can be names."""
    if not all(EVENT_NAME.fullmatch(name) for name in names):
        quoted_names = " or ".join(repr(name[:80]) for name in names)
        remedy = "Use at most 80 letters, digits, spaces and dashes."
        raise SettingsError(f"{quoted_names} isn't a valid name.", remedy=remedy)


def _scopes(stored: str) -> frozenset[Scope]:
    """Return the scopes in a stored text; scopes of a newer Lectern allow nothing here."""
    known_names = set(Scope)
    return frozenset(Scope(name) for name in stored.split() if name in known_names)


def _unrevoked_token_of(event: str, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(tokens.c.event == event, tokens.c.name == name, tokens.c.revoked.is_(None))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
