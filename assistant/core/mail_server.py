"""The mail server of the settings, table ``[mail]`` of ``lectern.toml``. Mail goes by TLS only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from assistant.core.errors import SettingsError

MAIL_PASSWORD_VARIABLE = "LECTERN_MAIL_PASSWORD"
MAX_MAIL_PORT = 65_535


class MailSecurity(StrEnum):
    """The way to TLS: from the first byte, or by STARTTLS before the login."""

    TLS = "tls"
    STARTTLS = "starttls"


MAIL_PORTS = {MailSecurity.TLS: 465, MailSecurity.STARTTLS: 587}


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that takes mail; without a ``host`` no mail is sent.

    ``sender``: the address that mail comes from. ``ca_file``: authorities that prove the server,
    "" for the usual ones of the system. ``port``: 0 is the usual one.
    """

    host: str = ""
    port: int = 0
    security: MailSecurity = MailSecurity.STARTTLS
    sender: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""

    @property
    def usual_port(self) -> int:
        """Return the port to connect to."""
        return self.port or MAIL_PORTS[self.security]


def read_mail_server(table: Mapping[str, Any], password: str, *, where: str) -> MailServer:
    """Return the table ``[mail]`` with its values checked. Raises: SettingsError."""
    known = [server_field.name for server_field in fields(MailServer)]
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            remedy = f"Known settings: {', '.join(known)}."
            raise SettingsError(f"unknown setting mail.{name}.", where=where, remedy=remedy)
        expected_type = int if name == "port" else str
        # Python takes a bool for an int.
        if not isinstance(value, expected_type) or isinstance(value, bool):
            kind = "a number" if name == "port" else "a string"
            raise SettingsError(f"the setting mail.{name} must be {kind}.", where=where)
        values[name] = value
    if password:
        values["password"] = password
    security = values.get("security", str(MailSecurity.STARTTLS))
    if security not in set(MailSecurity):
        remedy = f"Use {' or '.join(MailSecurity)}."
        raise SettingsError(
            f"mail.security has the unknown value {security!r}.", where=where, remedy=remedy
        )
    values["security"] = MailSecurity(security)
    if not 0 <= values.get("port", 0) <= MAX_MAIL_PORT:
        raise SettingsError(
            f"mail.port is {values['port']}, but must be a number from 0 to {MAX_MAIL_PORT}.",
            where=where,
        )
    server = MailServer(**values)
    if server.host and not server.sender:
        remedy = 'Write sender = "lectern@example.org".'
        raise SettingsError("mail.host is set, but mail.sender isn't.", where=where, remedy=remedy)
    return server
