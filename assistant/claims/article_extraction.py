"""The article of a web page: its text without menus, notices and comments, or why there is none to be read.

Knows HTML and encodings; knows no network and no claim.
"""

from __future__ import annotations

import re

from assistant.claims.fields import paragraphs
from assistant.transcripts.bytes import RawSource

LEAST = 300  # characters: what is shorter is a teaser, a notice or an error that pretends to be a page
WALLED = 2_000  # an article that asks for a subscription and is shorter is its beginning only
MOST = 400_000  # characters: no fact-check is as long

# What publishers write where a text breaks off. Read in the whole page: a wall often stands beside the article.
_WALL = re.compile(
    r'"isAccessibleForFree"\s*:\s*"?false'
    r"|subscribe (?:now )?to (?:continue|read|keep|unlock|get)|already (?:a|an) (?:subscriber|member)"
    r"|(?:sign|log) in to (?:continue|read|keep)|to (?:continue|keep) reading|(?:register|sign up) to (?:continue|read)"
    r"|(?:only for|for|exclusive to|reserved for) (?:our )?(?:paying |paid )?(?:subscribers|members)"
    r"|create (?:a|your) (?:free )?account to|start your (?:free )?(?:trial|subscription)"
    r"|nur für abonnenten|jetzt (?:abonnieren|weiterlesen)|réservée? (?:à nos|aux) abonnés|pour lire la suite"
    r"|(?:solo|exclusiv\w+) para (?:suscriptores|socios|assinantes)|suscríbete para|assine para"
    r"|riservato agli abbonati",
    re.I,
)
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.I)
_BULLET = re.compile(r"^[-•*]\s+", re.M)


def is_html(kind: str, data: bytes) -> bool:
    """Return whether bytes are a web page: by the type that the server gives, or else by their beginning."""
    named = kind.partition(";")[0].strip().lower()
    if named:
        return named in ("text/html", "application/xhtml+xml")
    return bool(re.match(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|!--)", data[:400], re.I))


def decoded(data: bytes, kind: str = "") -> str:
    """Return the text of a page. Bytes that are UTF-8 are read as such, whatever they are said to be.

    Then the encoding that the server or the page names is tried, then the likeliest. ``kind``: the Content-Type.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        sent = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", kind, re.I)
        inside = _DECLARED.search(data[:4096])
        for name in (sent[1] if sent else "", inside[1].decode("ascii") if inside else ""):
            found = _as_named(data, name)
            if found:
                return found
    return RawSource("page", data).text


def article(page: str) -> str:
    """Return the article of a page, one paragraph a line, "" where there is none."""
    import trafilatura
    from lxml.etree import LxmlError

    try:
        found = trafilatura.extract(page, include_comments=False, include_tables=False, output_format="txt")
    except (LxmlError, ValueError, RecursionError):  # markup that no parser bears
        return ""
    return paragraphs(_BULLET.sub("", found or ""))[:MOST]


def missing(page: str, text: str) -> str:
    """Return in words why the text of a page is not its article, "" where it is."""
    if len(text) < WALLED and _WALL.search(page):
        return f"a paywall: {len(text):,} characters can be read"
    if len(text) < LEAST:
        return f"{len(text):,} characters of text" if text else "no text"
    return ""


def _as_named(data: bytes, name: str) -> str:
    """Return the text in an encoding, "" if there is no such encoding or the bytes are not in it."""
    name = name.lower()
    if name in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        name = "cp1252"  # as browsers do: what is called Latin-1 is Windows' own
    try:
        return RawSource("page", data.decode(name).encode()).text if name and name not in ("utf-8", "utf8") else ""
    except (LookupError, UnicodeError):
        return ""
