"""Parses the fields of a row, whatever their names, into a VerifiedClaim.

Clean text, dates, ids and keys.

A row without a statement is refused; nothing else is guessed.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from assistant.claims import ratings
from assistant.core.clean_text import fewer_marks
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim
from features.language.figures import calendar
from features.language.figures.calendar import MONTHS

# Names of the fields of a VerifiedClaim in files, best first; compared without case, spaces,
# dashes and underscores.
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "vclaim_id", "claim_id"),
    "statement": ("statement", "vclaim", "claim", "claim_text", "claim_reviewed", "verified_claim"),
    "title": ("title", "headline", "review_title"),
    "body": ("body", "article", "text", "article_text", "content"),
    "claimant": ("claimant", "speaker", "claim_author", "claim_author_name", "claim_speaker"),
    "claim_date": ("claim_date", "date_said", "date_claimed"),
    "rating": (
        "rating",
        "truth_label",
        "label",
        "verdict",
        "review_rating",
        "textual_rating",
        "rating_name",
    ),
    "rating_class": ("rating_class",),
    "review_date": (
        "review_date",
        "date_checked",
        "date",
        "date_published",
        "publish_date",
        "published",
    ),
    "publisher": ("publisher", "reviewer_name", "review_publisher", "organisation", "organization"),
    "url": ("url", "link", "review_url", "claim_review_url", "page_url"),
    "language": ("language", "lang", "in_language"),
}
LONGEST_BODY = 400_000  # characters: the longest article of 19,250 by PolitiFact has 27,277
LONGEST_FIELD = 50_000  # characters of a field other than the article
LONGEST_TAG = 40  # characters of a language tag
EARLIEST = 1900
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"^(\d{4})(\d{2})(\d{2})$")
_DAY_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\b")
_MONTH_DAY = re.compile(r"\b([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")
_NUMERIC = re.compile(r"\b(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b")
_IN_URL = re.compile(r"/(\d{4})/([a-z]{3}|\d{1,2})/(\d{1,2})(?=/|$)")
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h\d)\b[^<>]*>", re.I)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u200b\ud800-\udfff]"
)  # databases refuse NUL and lone surrogates
_WORD = re.compile(r"[^\W_]+")
_CACHE = (
    ".cdn.ampproject.org"  # serves copies of AMP pages under host names made from the publisher's
)
_MOBILE = ("amp.", "m.")
_STATED_ON = re.compile(r"^\s*stated on\b", re.I)


def claim(
    row: Mapping[str, Any], *, columns: Mapping[str, str] | None = None, prefix: str = "claim"
) -> VerifiedClaim:
    """Return the verified claim of a row.

    ``columns`` maps a field of VerifiedClaim to the row's name for it.

    A row without an id gets one made from its address and statement, the same at every import.

    Raises: MalformedClaim if there is no statement, a field is too long, or the rating class is
    none of the five.
    """
    values = _pick(row, columns or {})
    for name, value in values.items():
        if name != "body" and isinstance(value, str) and len(value) > LONGEST_FIELD:
            raise MalformedClaim(f"the {name.replace('_', ' ')} has {len(value):,} characters.")
    statement = text(values.get("statement"))
    if not statement:
        raise MalformedClaim("no statement.")
    claim_id = text(values.get("id"))
    url = text(values.get("url"))
    publisher = text(values.get("publisher")) or ratings.publisher_of(url, claim_id)
    url = (
        f"https://www.politifact.com{url}"
        if publisher == "PolitiFact" and url.startswith("/")
        else url
    )
    rating = ratings.words(text(values.get("rating")), publisher)
    claim_date, review_date = _dates(values, url)
    return VerifiedClaim(
        id=claim_id or make_id(url, statement, publisher, prefix=prefix),
        statement=statement,
        title=text(values.get("title")),
        body=paragraphs(values.get("body")),
        claimant=text(values.get("claimant")),
        claim_date=claim_date,
        rating=rating,
        rating_class=_rating_class(text(values.get("rating_class")), rating, publisher),
        review_date=review_date,
        publisher=publisher,
        url=url,
        language=language(values.get("language")) or "en",
    )


def shortened(vclaim: VerifiedClaim) -> VerifiedClaim:
    """Cut the body of a claim to its first ``LONGEST_BODY`` characters."""
    return replace(vclaim, body=vclaim.body[:LONGEST_BODY])


def knows(names: Iterable[str], field: str) -> bool:
    """Return whether one of a file's names is a known name of a field."""
    return bool({_bare(name) for name in names} & {_bare(name) for name in NAMES[field]})


def text(value: Any) -> str:
    """Return a value as one line of clean text.

    No tags, entities, control characters or lone surrogates.
    """
    return " ".join(_clean(value).split())


def paragraphs(value: Any) -> str:
    """Return a value as clean text, one paragraph a line."""
    lines = (" ".join(line.split()) for line in _clean(value).splitlines())
    return "\n".join(line for line in lines if line)


def day(value: Any) -> date | None:
    """Return the date in a value, or None if it has none, an ambiguous one (3/4/2020), or an impossible one.

    Known: 2019-10-30 with or without a time, 20191030, *October 30th, 2019*, *26 May 2015*,
    30.10.2019.
    """
    if isinstance(value, date):
        return value.date() if isinstance(value, datetime) else value
    words = str(value or "").strip()
    if parts := _ISO.search(words) or _COMPACT.search(words):
        return _plausible(calendar.day(int(parts[1]), int(parts[2]), int(parts[3])))
    if parts := _DAY_MONTH.search(words):
        return _plausible(
            calendar.day(int(parts[3]), MONTHS.get(parts[2].lower(), 0), int(parts[1]))
        )
    if parts := _MONTH_DAY.search(words):
        return _plausible(
            calendar.day(int(parts[3]), MONTHS.get(parts[1].lower(), 0), int(parts[2]))
        )
    numbers = _NUMERIC.search(words)
    return _plausible(calendar.day_of_figures(*map(int, numbers.groups()))) if numbers else None


def day_in_url(url: str) -> date | None:
    """Return the date in an address such as ``/2019/oct/30/``, or None."""
    parts = _IN_URL.search(url)
    if not parts:
        return None
    month = int(parts[2]) if parts[2].isdecimal() else MONTHS.get(parts[2], 0)
    return _plausible(calendar.day(int(parts[1]), month, int(parts[3])))


def language(value: Any) -> str:
    """Return a language tag's first part in lower case: ``en`` for *en-US*.

    '' where there is none.
    """
    tag = re.match(r"\s*([A-Za-z]{2,3})(?:[-_].*)?\s*$", str(value or "")[:LONGEST_TAG])
    return tag[1].lower() if tag else ""


def make_id(url: str, statement: str, publisher: str, *, prefix: str) -> str:
    """Return an id that depends only on the address (or publisher) and the statement."""
    return f"{prefix}-{digest(url_key(url, publisher), statement_key(statement))[:16]}"


def url_key(url: str, publisher: str) -> str:
    """Return what all addresses of one page share.

    No scheme, www, tracking, fragment or final slash.

    Without an address it is the publisher, so that equal statements of one publisher are one
    claim.
    """
    if not url:
        return "publisher:" + publisher.casefold()
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = [
        p for p in parts.query.split("&") if p and not re.match(r"(?:utm_\w+|fbclid|gclid)=", p)
    ]
    host = parts.netloc.lower().removeprefix("www.").removeprefix("m.")
    return f"{host}{parts.path.rstrip('/')}" + ("?" + "&".join(query) if query else "")


def site(url: str) -> str:
    """Return the host of an address without ``www.``.

    An AMP or mobile host gives the site that it belongs to.

    An address without a host, or with a user name or a backslash in front of it, gives ''.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""
    if "@" in parts.netloc or "\\" in parts.netloc:
        return ""
    if not host.isascii():
        host = _ascii_host(host)
    if host.endswith(_CACHE):
        label = host.removesuffix(_CACHE)
        host = label.replace("--", "\0").replace("-", ".").replace("\0", "-")
    host = host.removeprefix("www.")
    for prefix in _MOBILE:
        shorter = host.removeprefix(prefix)
        if "." in shorter:
            host = shorter
    return host


def statement_key(statement: str) -> str:
    """Return what all spellings of one statement share.

    Its words without case, accents and punctuation.
    """
    plain = statement.casefold()
    if not plain.isascii():
        plain = "".join(
            c
            for c in unicodedata.normalize("NFKD", fewer_marks(plain))
            if not unicodedata.combining(c)
        )
    return " ".join(_WORD.findall(plain))


def digest(*parts: str) -> str:
    """Return 32 hexadecimal digits of a hash of these texts in this order."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:32]


def _pick(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return the row by field of VerifiedClaim: the column map first, then the known names."""
    plain = {_bare(str(key)): value for key, value in row.items() if key is not None}
    named = {
        name: next((plain[_bare(k)] for k in known if plain.get(_bare(k)) not in (None, "")), None)
        for name, known in NAMES.items()
    }
    return named | {name: row.get(columns[name]) for name in NAMES if name in columns}


@lru_cache(maxsize=1024)
def _bare(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.lstrip("\ufeff")).casefold()


def _ascii_host(host: str) -> str:
    """Return an international host name as the network knows it (punycode), or '' if it is invalid."""
    import httpx

    try:
        return httpx.URL(scheme="https", host=host).raw_host.decode("ascii")
    except httpx.InvalidURL:
        return ""


def _dates(values: Mapping[str, Any], url: str) -> tuple[date | None, date | None]:
    """Return claim date and review date.

    CheckThat! gives the first as *stated on*, the second in the address.
    """
    claim_date = day(values.get("claim_date"))
    review_date = values.get("review_date")
    if isinstance(review_date, str) and _STATED_ON.match(review_date):
        return claim_date or day(review_date), day_in_url(url)
    return claim_date, day(review_date) or day_in_url(url)


def _rating_class(given: str, rating: str, publisher: str) -> RatingClass:
    if not given:
        return ratings.classify(rating, publisher)
    try:
        return RatingClass(given.upper().replace("_", "-"))
    except ValueError as error:
        known = ", ".join(RatingClass)
        raise MalformedClaim(f"rating_class is {given!r}, not one of {known}.") from error


def _clean(value: Any) -> str:
    if value is None or isinstance(value, (Mapping, list)):
        return ""
    words = value if isinstance(value, str) else str(value)
    if "<" in words or "&" in words:
        words = _untagged(html.unescape(_untagged(html.unescape(words))))
    return _CONTROL.sub("", words.replace("\u00a0", " "))


def _untagged(words: str) -> str:
    return _TAG.sub(" ", _BREAK.sub("\n", _SCRIPT.sub(" ", words)))


def _plausible(made: date | None) -> date | None:
    """Return the date, or None if it is before ``EARLIEST`` or in the future.

    An error of the source.
    """
    latest = datetime.now(UTC).date() + timedelta(days=2)
    return made if made and made.year >= EARLIEST and made <= latest else None
