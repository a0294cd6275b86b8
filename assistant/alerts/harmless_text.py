"""Texts of strangers, such that a chat or a mail program can only show them as text.

A transcript or a fact-check can hold ``@channel``, ``[link](https://...)`` or ``*bold*``. An
invisible word joiner after the signs that begin a mention, a link or a format keeps programs from
acting on them, and the text looks the same.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

WORD_JOINER = "\u2060"
MAX_FIELD_CHARACTERS = 300
MAX_LINK_CHARACTERS = 2_000
ELLIPSIS = "…"
# Joiners between letters that some scripts need; other invisible characters are left out.
_NEEDED_INVISIBLE = "\u200c\u200d"
_ACTIVE_SIGN = re.compile(
    r"[@＠#!*_~`|\[\]<>{}&\\]"  # mentions, rooms, formats, entities, templates
    r"|(?<=[^\W\d]):(?=\S)"  # the colon of a scheme
    r"|(?<=\w)[.。．｡](?=\w)"  # a dot in a host name, in any of its forms
    r"|//"
)
_LINK_SAFE = ":/?#[]@!$&'()*+,;=%-._~"


def plain_line(text: str, limit: int = MAX_FIELD_CHARACTERS) -> str:
    """Return a text on one line, without control and invisible characters, cut at a limit."""
    visible_characters = []
    for character in text:
        category = unicodedata.category(character)
        if category == "Cc":  # control characters, such as the end of a line
            visible_characters.append(" ")
            continue
        # Format characters, surrogates, private ones and unassigned ones
        is_invisible = category in ("Cf", "Cs", "Co", "Cn")
        if not is_invisible or character in _NEEDED_INVISIBLE:
            visible_characters.append(character)
    line = " ".join("".join(visible_characters).split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rstrip() + ELLIPSIS


def harmless(text: str, limit: int = MAX_FIELD_CHARACTERS) -> str:
    """Return a text on one line that no program takes for a mention, a link or a format."""
    return _ACTIVE_SIGN.sub(lambda sign: sign[0] + WORD_JOINER, plain_line(text, limit))


def web_link(address: str) -> str:
    """Return a web address in ASCII that can stand alone on a line, "" if it isn't one."""
    address = quote(address.strip(), safe=_LINK_SAFE)
    try:
        url_parts = urlsplit(address)
        is_web_address = url_parts.scheme in ("http", "https") and bool(url_parts.hostname)
    except ValueError:
        return ""
    return address if is_web_address and len(address) <= MAX_LINK_CHARACTERS else ""


def link_host(address: str) -> str:
    """Return the host of a web address, by which a link is shown."""
    return urlsplit(address).hostname or ""
