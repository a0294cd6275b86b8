"""The tokens of those who send lines to a live event or read its health.

Given, listed and revoked, one event each.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from enum import IntEnum

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.errors import SettingsError
from assistant.live.event import EVENT_NAME
from assistant.live.tables import tokens

TOKEN_BYTES = 32


class AccessRight(IntEnum):
    """What a token allows; writing includes reading."""

    NONE = 0
    READ = 1
    WRITE = 2


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as it is listed: whom it was given to, and when it was made and revoked (seconds since 1970)."""

    event: str
    name: str
    right: AccessRight
    made: float
    revoked: float | None


class TokenStore(Database):
    """The tokens of one database.

    A server asks it with every request, so that a revoked token ends at once.
    """

    def give(self, event: str, name: str, right: AccessRight) -> str:
        """Return a new token, which is shown only now.

        Raises: SettingsError if the name has one for this event.
        """
        if not EVENT_NAME.fullmatch(event) or not EVENT_NAME.fullmatch(name):
            remedy = "Use letters, digits, spaces and dashes, 80 at most."
            raise SettingsError(f"{event[:80]!r} or {name[:80]!r} is no name.", remedy=remedy)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        values = {
            "digest": _digest(token),
            "event": event,
            "name": name,
            "writes": right is AccessRight.WRITE,
        }
        with self._writing() as connection:
            if connection.execute(
                sa.select(tokens.c.name).where(_valid_token_of(event, name))
            ).first():
                raise SettingsError(
                    f"{name} has a token for {event} already.",
                    remedy="Revoke it, or give another name.",
                )
            connection.execute(tokens.insert().values(made=time.time(), **values))
        return token

    def revoke(self, event: str, name: str) -> None:
        """End a token. Raises: SettingsError if there is none that is valid."""
        with self._writing() as connection:
            done = connection.execute(
                tokens.update().where(_valid_token_of(event, name)).values(revoked=time.time())
            )
        if not done.rowcount:
            remedy = "See `python -m assistant tokens list`."
            raise SettingsError(f"{name} has no token for {event}.", remedy=remedy)

    def all(self) -> list[AccessToken]:
        """Return every token, by event and time, the revoked ones included."""
        query = sa.select(tokens).order_by(tokens.c.event, tokens.c.made)
        listed = []
        with self._reading() as connection:
            for record in connection.execute(query):
                right = AccessRight.WRITE if record.writes else AccessRight.READ
                listed.append(
                    AccessToken(record.event, record.name, right, record.made, record.revoked)
                )
        return listed

    def right(self, token: str, event: str) -> AccessRight:
        """Return the right that a token gives at an event."""
        has_digest = tokens.c.digest == _digest(token)
        is_valid = sa.and_(has_digest, tokens.c.event == event, tokens.c.revoked.is_(None))
        with self._reading() as connection:
            record = connection.execute(sa.select(tokens.c.writes).where(is_valid)).first()
        if record is None:
            return AccessRight.NONE
        return AccessRight.WRITE if record.writes else AccessRight.READ

    def holder(self, token: str, event: str) -> str:
        """Return to whom a token was given, "" if it is none of these."""
        is_this_token = sa.and_(tokens.c.digest == _digest(token), tokens.c.event == event)
        with self._reading() as connection:
            return connection.execute(sa.select(tokens.c.name).where(is_this_token)).scalar() or ""


def _valid_token_of(event: str, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(tokens.c.event == event, tokens.c.name == name, tokens.c.revoked.is_(None))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
