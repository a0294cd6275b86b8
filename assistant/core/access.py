"""Roles of accounts, by the statements of a login or a trusted proxy about a person."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from assistant.core.errors import AccessDenied, SettingsError

EVERY_ACCOUNT = "*"  # everybody who has logged in
GROUP_PREFIX = "group:"
PROVIDER_SEPARATOR = "/"  # between the login provider and the account, if there are several
EMAIL_CLAIM = "email"
VERIFIED_CLAIM = "email_verified"
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


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
    the names under which Lectern is reached. ``verified_by`` says, per login provider, what proves
    an e-mail address if the provider never sends ``email_verified``: the name of another claim, or
    True if the provider itself gives out the addresses.

    Accounts, groups and entries are compared character by character; only A to Z equal a to z.
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
    verified_by: tuple[tuple[str, str | bool], ...] = ()

    @property
    def lists_roles(self) -> bool:
        """Return whether anybody has a role here, which only makes sense with a login."""
        return bool(self.reader or self.reviewer or self.editor)

    @property
    def networks(self) -> list[IPv4Network | IPv6Network]:
        """Return the networks of the named proxies. Raises: ValueError for an invalid address."""
        return [ip_network(proxy, strict=False) for proxy in self.proxies]

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries of all roles."""
        return (*self.reader, *self.reviewer, *self.editor)

    def role(self, account: str, group_names: Iterable[str], provider: str = "") -> Role | None:
        """Return the highest role of an account, None if neither it nor a group of it is listed.

        ``provider`` is part of each name, unless it is "".
        """
        prefix = f"{provider}{PROVIDER_SEPARATOR}" if provider else ""
        # The entries of a list that stand for this account.
        entries_for_account = {EVERY_ACCOUNT, f"{prefix}{EVERY_ACCOUNT}"}
        entries_for_account.update(
            f"{GROUP_PREFIX}{prefix}{group_name}" for group_name in group_names
        )
        # An account must not pass for a group by its name.
        looks_like_group = ascii_lower(account).startswith(GROUP_PREFIX)
        if prefix or not looks_like_group:
            entries_for_account.add(f"{prefix}{account}")
        lower_case_entries = {ascii_lower(entry) for entry in entries_for_account}
        entries_by_role = (
            (Role.EDITOR, self.editor),
            (Role.REVIEWER, self.reviewer),
            (Role.READER, self.reader),
        )
        for entry_role, role_entries in entries_by_role:
            if any(ascii_lower(entry) in lower_case_entries for entry in role_entries):
                return entry_role
        return None

    def account_of_login(
        self, claims: Mapping[str, Any], *, has_several_providers: bool = False
    ) -> Account | None:
        """Return the account of an OIDC login, None if its claims name none that is proven.

        With several providers the account is the provider and the name: ``entra/ada@example.org``.
        """
        # The claims of a login are what its provider says about the person. The settings
        # ``account`` and ``groups`` name the claims with the account and with its groups.
        account_name = _name_in_claim(claims.get(self.account))
        provider = _name_in_claim(claims.get("provider")) if has_several_providers else ""
        lacks_provider = has_several_providers and not provider
        if not account_name or lacks_provider or not self.has_proven_account(claims):
            return None
        group_names = _group_names(claims.get(self.groups))
        role = self.role(account_name, group_names, provider)
        name_with_provider = (
            f"{provider}{PROVIDER_SEPARATOR}{account_name}" if provider else account_name
        )
        login_ends_at_s = _login_end_s(claims.get("exp"))
        return Account(name_with_provider, role, login_ends_at_s)

    def has_proven_account(self, claims: Mapping[str, Any]) -> bool:
        """Return whether the claims of a login prove that its account belongs to the person.

        An e-mail address must be verified. Other claims are the provider's own.
        """
        if self.account != EMAIL_CLAIM:
            return True
        if VERIFIED_CLAIM in claims:
            return claims[VERIFIED_CLAIM] is True
        # The name of another claim that proves the address, or True if the provider itself does.
        proof_by_provider = dict(self.verified_by)
        claim_name_or_switch = proof_by_provider.get(str(claims.get("provider")), False)
        if isinstance(claim_name_or_switch, str):
            return claims.get(claim_name_or_switch) is True
        return claim_name_or_switch

    def account_of_proxy(self, headers: Mapping[str, str]) -> Account | None:
        """Return the account that a proxy names, None if it names none.

        Only for requests of a named proxy.
        """
        account_name = _name_in_claim(headers.get(self.header))
        if not account_name:
            return None
        group_names = []
        if self.groups_header:
            joined_groups = headers.get(self.groups_header) or ""
            group_names = [group.strip() for group in joined_groups.split(",")]
        return Account(account_name, self.role(account_name, group_names))


def require(account: Account | None, role: Role) -> None:
    """Raise AccessDenied unless an account has a role."""
    if account is None:
        raise AccessDenied("your login has ended. Nothing was changed.", remedy="Log in again.")
    if account.role is None or account.role < role:
        raise AccessDenied(
            f"this action needs the {role} role. Nothing was changed.",
            remedy="Ask your administrator for this role.",
        )


def read_access(access_table: Mapping[str, Any], *, where: str) -> Access:
    """Return the table ``[access]`` with its values checked. Raises: SettingsError."""
    defaults = {field.name: field.default for field in fields(Access)}
    value_by_setting: dict[str, Any] = {}
    for setting_name, value in access_table.items():
        if setting_name not in defaults:
            remedy = f"Known settings: {', '.join(sorted(defaults))}."
            raise SettingsError(
                f"unknown setting access.{setting_name}.", where=where, remedy=remedy
            )
        if setting_name == "verified_by":
            value_by_setting[setting_name] = _read_verified_by(value, where)
            continue
        is_list = isinstance(defaults[setting_name], tuple)
        if not _has_type(value, is_list):
            expected_words = "a list of strings" if is_list else "a string"
            raise SettingsError(
                f"the setting access.{setting_name} is {value!r}, but must be {expected_words}.",
                where=where,
            )
        value_by_setting[setting_name] = tuple(value) if is_list else value
    access = Access(**value_by_setting)
    try:
        access.networks  # noqa: B018
    except ValueError as error:
        remedy = "Write addresses or networks, such as 127.0.0.1 or 10.0.0.0/8."
        raise SettingsError(
            f"access.proxies contains an invalid address ({error}).", where=where, remedy=remedy
        ) from error
    if access.header and not access.proxies:
        message = "access.header needs access.proxies, which lists no proxy."
        remedy = "List the addresses of the proxy: proxies = [...]."
        raise SettingsError(message, where=where, remedy=remedy)
    return access


def _has_type(value: Any, is_list: bool) -> bool:
    """Return whether a value is a list of texts, or a text."""
    if not is_list:
        return isinstance(value, str)
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _read_verified_by(value: Any, where: str) -> tuple[tuple[str, str | bool], ...]:
    """Return the table ``access.verified_by`` as pairs. Raises: SettingsError."""
    message = f"access.verified_by is {value!r}, not a table of login providers."
    remedy = 'Write: verified_by = { entra = "xms_edov" }, or true in place of the claim.'
    if not isinstance(value, Mapping):
        raise SettingsError(message, where=where, remedy=remedy)
    for claim_or_switch in value.values():
        is_claim = isinstance(claim_or_switch, str) and bool(claim_or_switch)
        if not is_claim and not isinstance(claim_or_switch, bool):
            raise SettingsError(message, where=where, remedy=remedy)
    return tuple(value.items())


def check_providers(access: Access, providers: Iterable[str]) -> None:
    """Check that the entries fit the login providers.

    Two providers may know different people under one name, so that with several of them an entry
    must name its provider. Raises: SettingsError.
    """
    known_providers = sorted({ascii_lower(provider) for provider in providers})
    for entry_name, _ in access.verified_by:
        if ascii_lower(entry_name) not in known_providers:
            message = (
                f"access.verified_by names {entry_name!r}, but there is no such login provider."
            )
            remedy = f"Known providers: {', '.join(known_providers)}."
            raise SettingsError(message, where="lectern.toml", remedy=remedy)
    if len(known_providers) > 1:
        _require_provider_names(access, known_providers)


def _require_provider_names(access: Access, known_providers: Sequence[str]) -> None:
    """Require that each entry names one of several providers: "google/ada@example.org"."""
    for provider in known_providers:
        if PROVIDER_SEPARATOR in provider:
            message = f"the login provider {provider!r} has a {PROVIDER_SEPARATOR} in its name."
            raise SettingsError(
                message, where="secrets.toml", remedy="Rename the section of this provider."
            )
    for access_entry in access.entries:
        entry_name = ascii_lower(access_entry).removeprefix(GROUP_PREFIX)
        provider, separator, _ = entry_name.partition(PROVIDER_SEPARATOR)
        entry_names_provider = separator != "" and provider in known_providers
        if access_entry != EVERY_ACCOUNT and not entry_names_provider:
            message = (
                f"several login providers are set up, but the entry {access_entry!r} names none."
            )
            example = known_providers[0]
            remedy = f"Write, for example, {example}/ada@example.org or group:{example}/desk."
            raise SettingsError(message, where="lectern.toml", remedy=remedy)


def ascii_lower(text: str) -> str:
    """Lower-case A to Z alone.

    Unicode folds further letters, so that another account would pass for a listed one: the Kelvin
    sign becomes k, and the German sharp s becomes ss.
    """
    return text.translate(_ASCII_LOWER)


def _name_in_claim(value: Any) -> str:
    """Return the name of an account, "" if it is not a printable text of one line.

    Invisible characters would let two accounts look alike in decisions and in the log.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.isprintable() or value != value.strip():
        return ""
    return value


def _group_names(value: Any) -> list[str]:
    """Return the texts of a claim of groups: one text, or a list."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        return []
    return [group for group in value if isinstance(group, str)]


def _login_end_s(value: Any) -> float:
    """Return when a login ends, seconds since 1970; 0 unless it is a finite number.

    OIDC requires the time: without it the login has ended.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        seconds = float(value)
    except OverflowError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0
