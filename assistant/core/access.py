"""Roles of accounts, by the statements of a login or a trusted proxy about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from assistant.core.errors import AccessDenied, SettingsError

EVERY_ACCOUNT = "*"  # everybody who has logged in
GROUP_PREFIX = "group:"


class Role(IntEnum):
    """The rights of an account; each role includes the roles before it."""

    READER = 1  # reads and exports
    REVIEWER = 2  # checks transcripts and decides on matches
    EDITOR = 3  # imports, follows live events, fetches from the web, changes settings, deletes

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Account:
    """A person who has logged in.

    ``role`` is None without one; ``until``: the end of the login, seconds since 1970.
    """

    name: str
    role: Role | None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Access:
    """The table ``[access]`` of ``lectern.toml``: roles, and trusted facts of a request.

    ``reader``, ``reviewer`` and ``editor`` list accounts, groups (``group:NAME``) or ``*``.
    ``account`` and ``groups`` name the claims of a login; ``header`` and ``groups_header`` name the
    headers of a proxy instead. ``proxies`` are addresses or networks whose headers count, ``hosts``
    the names under which Lectern is reached.
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
        """Return the networks of the named proxies. Raises: ValueError for an invalid address."""
        return [ip_network(proxy, strict=False) for proxy in self.proxies]

    def role(self, account: str, groups: Iterable[str]) -> Role | None:
        """Return the highest role of an account, None if neither it nor a group of it is listed."""
        account_names = {EVERY_ACCOUNT}
        account_names.update(f"{GROUP_PREFIX}{group}".casefold() for group in groups)
        if not account.casefold().startswith(GROUP_PREFIX):
            account_names.add(account.casefold())
        entries_by_role = (
            (Role.EDITOR, self.editor),
            (Role.REVIEWER, self.reviewer),
            (Role.READER, self.reader),
        )
        for role, entries in entries_by_role:
            if any(entry.casefold() in account_names for entry in entries):
                return role
        return None

    def of_claims(self, claims: Mapping[str, Any]) -> Account | None:
        """Return the account of an OIDC login, None if its claims name none that is proven."""
        name = _one_line(claims.get(self.account))
        is_unproven = self.account == "email" and claims.get("email_verified") is False
        if not name or is_unproven:
            return None
        groups = claims.get(self.groups) or ()
        if isinstance(groups, str):
            groups = [groups]
        role = self.role(name, [str(group) for group in groups])
        # OIDC requires the time of expiry: without it, the login has ended.
        expires_at = claims.get("exp")
        until = float(expires_at) if isinstance(expires_at, int | float) else 0.0
        return Account(name, role, until)

    def of_headers(self, headers: Mapping[str, str]) -> Account | None:
        """Return the account that a proxy names, None if it names none.

        Only for requests of a named proxy.
        """
        name = _one_line(headers.get(self.header))
        if not name:
            return None
        groups = []
        if self.groups_header:
            groups = (headers.get(self.groups_header) or "").split(",")
        return Account(name, self.role(name, [group.strip() for group in groups]))


def require(account: Account | None, role: Role) -> None:
    """Raise AccessDenied unless an account has a role."""
    if account is None:
        raise AccessDenied("your login has ended; nothing was changed.", remedy="Log in again.")
    if account.role is None or account.role < role:
        raise AccessDenied(
            f"this needs the role {role}; nothing was changed.",
            remedy="Ask your administrator for it.",
        )


def read_access(table: Mapping[str, Any], *, where: str) -> Access:
    """Return the table ``[access]`` with its values checked. Raises: SettingsError."""
    defaults = {field.name: field.default for field in fields(Access)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in defaults:
            remedy = f"Known: {', '.join(sorted(defaults))}."
            raise SettingsError(f"unknown setting access.{key}.", where=where, remedy=remedy)
        is_list = isinstance(defaults[key], tuple)
        if not _has_type(value, is_list):
            expected = "a list of texts" if is_list else "a text"
            raise SettingsError(f"access.{key} is {value!r}, not {expected}.", where=where)
        values[key] = tuple(value) if is_list else value
    access = Access(**values)
    try:
        access.networks  # noqa: B018
    except ValueError as error:
        remedy = "Write 127.0.0.1 or 10.0.0.0/8."
        raise SettingsError(f"access.proxies: {error}.", where=where, remedy=remedy) from error
    if access.header and not access.proxies:
        message = "access.header counts only from a named proxy, and none is named."
        remedy = "Name the addresses of the proxy: proxies = [...]."
        raise SettingsError(message, where=where, remedy=remedy)
    return access


def _has_type(value: Any, is_list: bool) -> bool:
    """Return whether a value is a list of texts, or a text."""
    if not is_list:
        return isinstance(value, str)
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _one_line(value: Any) -> str:
    return " ".join(str(value or "").split())
