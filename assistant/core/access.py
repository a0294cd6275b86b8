"""Who may do what: the roles of accounts, from what a login or a trusted proxy says about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from assistant.core.errors import AccessDenied, SettingsError

EVERYBODY = "*"  # in a list of accounts: whoever has logged in
GROUP = "group:"  # begins an entry that names a group


class Role(IntEnum):
    """What an account may do; each role includes those before it."""

    READER = 1  # reads and exports
    REVIEWER = 2  # checks transcripts and decides on matches
    EDITOR = 3  # imports, follows live events, fetches from the web, changes settings, deletes

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Account:
    """A person who has logged in; ``role`` is None without one.

    ``until``: when the login ends, seconds since 1970.
    """

    name: str
    role: Role | None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Access:
    """The table ``[access]`` of ``lectern.toml``.

    Who has which role, and what is trusted about a request.

    ``reader``, ``reviewer`` and ``editor`` list accounts, groups (``group:NAME``) or ``*``. ``account`` and ``groups``
    name the claims of a login; ``header`` and ``groups_header`` name the headers in which a proxy gives them instead.
    ``proxies`` are addresses or networks whose headers count, ``hosts`` the names under which Lectern is reached.
    """

    reader: tuple[str, ...] = ()
    reviewer: tuple[str, ...] = ()
    editor: tuple[str, ...] = ()
    account: str = "email"
    groups: str = "groups"
    header: str = ""
    groups_header: str = ""
    proxies: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    @property
    def lists_roles(self) -> bool:
        """Return whether anybody has a role here, which only makes sense with a login."""
        return bool(self.reader or self.reviewer or self.editor)

    @property
    def networks(self) -> list[IPv4Network | IPv6Network]:
        """Return the addresses of the named proxies. Raises: ValueError for what is none."""
        return [ip_network(proxy, strict=False) for proxy in self.proxies]

    def role(self, account: str, groups: Iterable[str]) -> Role | None:
        """Return the highest role of an account, None if neither it nor a group of it is listed."""
        names = {EVERYBODY, *(f"{GROUP}{group}".casefold() for group in groups)}
        if not account.casefold().startswith(GROUP):
            names.add(account.casefold())
        listed = {Role.READER: self.reader, Role.REVIEWER: self.reviewer, Role.EDITOR: self.editor}
        return max(
            (role for role, entries in listed.items() if names & {e.casefold() for e in entries}),
            default=None,
        )

    def of_claims(self, claims: Mapping[str, Any]) -> Account | None:
        """Return the account that the claims of an OIDC login name, None if they name none that is proven."""
        name = _one_line(claims.get(self.account))
        unproven = self.account == "email" and claims.get("email_verified") is False
        if not name or unproven:
            return None
        groups = claims.get(self.groups) or ()
        until = claims.get("exp")
        ends = (
            float(until) if isinstance(until, int | float) else 0.0
        )  # OIDC demands it: without it, it is over
        return Account(
            name, self.role(name, [groups] if isinstance(groups, str) else map(str, groups)), ends
        )

    def of_headers(self, headers: Mapping[str, str]) -> Account | None:
        """Return the account that a proxy names, None if it names none.

        Only for requests of a named proxy.
        """
        name = _one_line(headers.get(self.header))
        groups = (headers.get(self.groups_header) or "").split(",") if self.groups_header else ()
        return Account(name, self.role(name, [group.strip() for group in groups])) if name else None


def require(account: Account | None, role: Role) -> None:
    """Raise AccessDenied unless an account has a role."""
    if account is None:
        raise AccessDenied("your login has ended; nothing was changed.", remedy="Log in again.")
    if account.role is None or account.role < role:
        raise AccessDenied(
            f"this needs the role {role}; nothing was changed.",
            remedy="Ask your administrator for it.",
        )


def read(table: Mapping[str, Any], *, where: str) -> Access:
    """Return the table ``[access]``, its values checked. Raises: SettingsError."""
    known = {field.name: isinstance(field.default, tuple) for field in fields(Access)}
    for key, value in table.items():
        if key not in known:
            remedy = f"Known: {', '.join(sorted(known))}."
            raise SettingsError(f"unknown setting access.{key}.", where=where, remedy=remedy)
        texts = value if known[key] and isinstance(value, list) else [value]
        if isinstance(value, list) != known[key] or not all(
            isinstance(text, str) for text in texts
        ):
            kind = "a list of texts" if known[key] else "a text"
            raise SettingsError(f"access.{key} is {value!r}, not {kind}.", where=where)
    values: dict[str, Any] = {
        key: tuple(value) if known[key] else value for key, value in table.items()
    }
    access = Access(**values)
    try:
        access.networks  # noqa: B018
    except ValueError as error:
        raise SettingsError(
            f"access.proxies: {error}.", where=where, remedy="Write 127.0.0.1 or 10.0.0.0/8."
        ) from error
    if access.header and not access.proxies:
        remedy = "Name the addresses of the proxy: proxies = [...]."
        raise SettingsError(
            "access.header counts only from a named proxy, and none is named.",
            where=where,
            remedy=remedy,
        )
    return access


def _one_line(value: Any) -> str:
    return " ".join(str(value or "").split())
