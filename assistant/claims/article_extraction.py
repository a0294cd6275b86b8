"""Extracts the article of a web page, or says why there is none, and doubts an article that is not about its claim."""

from __future__ import annotations

import re

from assistant.claims.claim_fields import LONGEST_BODY, paragraphs
from assistant.transcripts.text_decoding import RawSource
from features.similarity.bm25 import tokenize
from features.similarity.coverage import load_word_weights

LEAST = 300  # characters: a shorter text is a teaser, a notice or an error page
WALLED = (
    2_000  # characters: a shorter article that asks for a subscription is only the beginning of one
)

# The least share of the weight of a claim's words that its article must have: a link may lead to
# another article, to a list or to a notice, which have only common words of the claim. Chosen on
# 490 PolitiFact claims and tried once on 500 others, each with its own article and with that of
# another claim (docs/claims.md).
LEAST_SHARE = 0.4
SHOWN_WORDS = 3

# What publishers write where a text breaks off. Searched in the whole page: it is often outside
# the article.
_WALL = re.compile(
    r'"isAccessibleForFree"\s*:\s*"?false'
    r"|subscribe (?:now )?to (?:continue|read|keep|unlock|get)|already (?:a|an) (?:subscriber|member)"
    r"|(?:sign|log) in to (?:continue|read|keep)|to (?:continue|keep) reading|(?:register|sign up) to (?:continue|read)"
    r"|(?:only for|for|exclusive to|reserved for) (?:our )?(?:paying |paid )?(?:subscribers|members)"
    r"|create (?:a|your) (?:free )?account to|start your (?:free )?(?:trial|subscription)"
    r"|nur für abonnenten|jetzt (?:abonnieren|weiterlesen)|réservée? (?:à nos|aux) abonnés|pour lire la suite"
    r"|(?:solo|exclusiv\w{1,12}) para (?:suscriptores|socios|assinantes)|suscríbete para|assine para"
    r"|riservato agli abbonati",
    re.I,
)
_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*(?:[\"']\s*)?([A-Za-z0-9_.:-]{2,40})", re.I
)
_BULLET = re.compile(r"^[-•*]\s+", re.M)


def is_html(kind: str, data: bytes) -> bool:
    """Return whether bytes are a web page.

    By the server's Content-Type, or without one by their beginning.
    """
    mime = kind.partition(";")[0].strip().lower()
    if mime:
        return mime in ("text/html", "application/xhtml+xml")
    return bool(
        re.match(rb"\s*(?:\xef\xbb\xbf\s*)?<(?:!doctype html|html|head|body|!--)", data[:400], re.I)
    )


def decoded(data: bytes, kind: str = "") -> str:
    """Return the text of a page.

    Bytes that are UTF-8 are read as such, whatever encoding is declared.

    Otherwise the encoding that the server or the page declares is tried, then the likeliest.
    ``kind``: Content-Type.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        sent = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", kind, re.I)
        inside = _DECLARED.search(data[:4096])
        for name in (sent[1] if sent else "", inside[1].decode("ascii") if inside else ""):
            if text := _decoded_as(data, name):
                return text
    return RawSource("page", data).text


def article(page: str) -> str:
    """Return the article of a page, one paragraph a line, "" where there is none."""
    import trafilatura
    from lxml.etree import LxmlError

    try:
        text = trafilatura.extract(
            page, include_comments=False, include_tables=False, output_format="txt"
        )
    except (LxmlError, ValueError, RecursionError):  # markup that breaks the parser
        return ""
    return paragraphs(_BULLET.sub("", text or ""))[:LONGEST_BODY]


def missing(page: str, text: str) -> str:
    """Return in words why the text of a page is not its article, "" where it is."""
    if len(text) < WALLED and _WALL.search(page):
        return f"a paywall: {len(text):,} characters can be read"
    if len(text) < LEAST:
        return f"{len(text):,} characters of text" if text else "no text"
    return ""


def share(statement: str, body: str) -> float:
    """Return how much of the weight of a statement's words a page has, 0 to 1.

    1 for a statement without words.
    """
    weights = _weights(statement)
    words = set(tokenize(body))
    total = sum(weights.values())
    return (
        sum(weight for word, weight in weights.items() if word in words) / total if total else 1.0
    )


def doubt(statement: str, body: str) -> str:
    """Return in a sentence or two that a page does not seem to be about a statement, "" where it does."""
    if share(statement, body) >= LEAST_SHARE:
        return ""
    weights = _weights(statement)
    words = set(tokenize(body))
    shared = sorted((word for word in weights if word in words), key=lambda word: -weights[word])[
        :SHOWN_WORDS
    ]
    why = (
        f"its words share only {_listed(shared)} with it" if shared else "it has none of its words"
    )
    return f"This page does not seem to be about the claim: {why}. Read it before you rely on it."


def _weights(statement: str) -> dict[str, float]:
    known = load_word_weights()
    return {word: known.weights.get(word, known.unseen) for word in tokenize(statement)}


def _listed(words: list[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _decoded_as(data: bytes, name: str) -> str:
    """Return the text in an encoding, "" if there is no such encoding or the bytes are not valid in it."""
    name = name.lower()
    if name in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        name = "cp1252"  # as in browsers: what is declared as Latin-1 is Windows-1252
    try:
        return (
            RawSource("page", data.decode(name).encode()).text
            if name and name not in ("utf-8", "utf8")
            else ""
        )
    except (LookupError, UnicodeError):
        return ""
