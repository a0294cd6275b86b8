"""Addresses of channels: which ones can be used, and how they are shown without their secrets."""

from __future__ import annotations

import re
from contextlib import suppress
from email.headerregistry import Address
from urllib.parse import quote, unquote, urlsplit

from assistant.core.errors import SettingsError

MAX_ADDRESS_CHARACTERS = 2_000
MAIL = "mail"
MATRIX = "matrix"
WEB_REMEDY = "Write an address that begins with https://."
MATRIX_REMEDY = "Write the address as https://matrix.example.org/!room:example.org."
_ROOM_ID = re.compile(r"![^\s/:]+(?::[^\s/]+)?")
# Host names and one @, without anything that a mail server could take for a second recipient.
_MAIL_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,255}")


def checked_address(channel_form: str, address: str) -> str:
    """Return the address of a channel. Raises: SettingsError, which shows no secret in it."""
    address = address.strip()
    if channel_form == MAIL:
        return _checked_mail_address(address)
    try:
        url_parts = urlsplit(address)
        host = url_parts.hostname or ""
        has_user = url_parts.username is not None or url_parts.password is not None
        url_parts.port  # noqa: B018
    except ValueError as error:
        raise SettingsError(
            "the channel's address isn't a valid web address.", remedy=WEB_REMEDY
        ) from error
    has_plain_characters = address.isascii() and address.isprintable() and " " not in address
    is_web_address = url_parts.scheme in ("https", "http") and bool(host) and has_plain_characters
    if not is_web_address:
        raise SettingsError("the channel's address isn't a valid web address.", remedy=WEB_REMEDY)
    if has_user:
        message = "the address contains a user name or a password."
        raise SettingsError(message, remedy="Enter the address without a user name or a password.")
    if len(address) > MAX_ADDRESS_CHARACTERS:
        message = f"the address has more than {MAX_ADDRESS_CHARACTERS:,} characters."
        raise SettingsError(message, remedy="Use a shorter address.")
    if channel_form == MATRIX:
        matrix_room(address)
    return address


def matrix_room(address: str) -> tuple[str, str]:
    """Return the server and the room of a Matrix address. Raises: SettingsError."""
    parts = urlsplit(address)
    room = unquote(parts.path.lstrip("/"))
    if not _ROOM_ID.fullmatch(room):
        raise SettingsError("the address doesn't contain a Matrix room.", remedy=MATRIX_REMEDY)
    return f"{parts.scheme}://{parts.netloc}", quote(room, safe="")


def shown_address(channel_form: str, address: str) -> str:
    """Return the part of an address that doesn't give access: its host, or the mail address."""
    if channel_form == MAIL:
        return address
    if channel_form == MATRIX:
        server, room = matrix_room(address)
        return f"{server}/{unquote(room)}"
    url_parts = urlsplit(address)
    return f"{url_parts.scheme}://{url_parts.hostname}/…"


def _checked_mail_address(address: str) -> str:
    if _MAIL_ADDRESS.fullmatch(address):
        with suppress(ValueError, IndexError):
            Address(addr_spec=address)
            return address
    # A web address, given by mistake, may hold a secret.
    shown = "the address" if "/" in address else repr(address[:80])
    remedy = "Write one address, such as ada@example.org."
    raise SettingsError(f"{shown} isn't a valid mail address.", remedy=remedy)
