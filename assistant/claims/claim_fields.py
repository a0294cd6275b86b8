"""Parses the fields of a row, under any of their usual names, into a VerifiedClaim.

Also cleans text, parses dates, and makes the ids and keys of claims. A row without a statement is
refused; nothing else is guessed.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from assistant.claims import addresses, column_names, page_addresses, ratings, retractions
from assistant.core.cell_texts import is_nothing
from assistant.core.clean_text import fewer_marks
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim
from assistant.core.look_alikes import without_invisible
from assistant.core.written_dates import parse_day

# The longest article of 19,250 by PolitiFact has 27,277 characters.
MAX_BODY_CHARACTERS = 400_000
MAX_FIELD_CHARACTERS = 50_000  # the article may be longer
MAX_TAG_CHARACTERS = 40
_POLITIFACT = "PolitiFact"
_POLITIFACT_SITE = "https://www.politifact.com"
_DATE_IN_URL_PATTERN = re.compile(r"/(\d{4})/([a-z]{3}|\d{1,2})/(\d{1,2})(?=/|$)")
_LANGUAGE_TAG_PATTERN = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_].*)?\s*$")
_SCRIPT_PATTERN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_BREAK_PATTERN = re.compile(r"<(?:br|/p|/div|/li|/h\d)\b[^<>]*>", re.I)
_TAG_PATTERN = re.compile(r"<[a-zA-Z/!][^<>]*>")
# Databases refuse NUL and lone surrogates.
_CONTROL_PATTERN = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\ud800-\udfff]")
_KEY_WORD_PATTERN = re.compile(r"[^\W_]+")
# A cache of AMP pages.
_AMP_CACHE = ".cdn.ampproject.org"
_MOBILE_PREFIXES = ("amp.", "m.", "mobile.")
_STATED_ON_PATTERN = re.compile(r"^\s*stated on\b", re.I)


def parse_claim(
    row: Mapping[str, Any], *, columns: Mapping[str, str] | None = None, prefix: str = "claim"
) -> VerifiedClaim:
    """Parse the verified claim of a row.

    ``columns`` maps a field of VerifiedClaim to the row's name for it. A row without an id gets
    one that is made from its address and statement, the same at every import.

    Raises: MalformedClaim if the statement is missing, a field is too long, or the rating class is
    not one of the five.
    """
    # ``prefix`` begins the id of a claim whose row has none.
    value_by_field = _values_by_field(row, columns or {})
    _check_lengths(value_by_field)
    statement = clean_line(value_by_field.get("statement"))
    if not statement:
        raise MalformedClaim("the statement is empty.")
    claim_id = clean_line(value_by_field.get("id"))
    url = addresses.read_address(value_by_field.get("url")).url
    publisher = clean_line(without_invisible(clean_line(value_by_field.get("publisher"))))
    publisher = _listed_publisher(publisher, url, claim_id)
    if not url and publisher == _POLITIFACT:
        url = addresses.read_address(value_by_field.get("url"), _POLITIFACT_SITE).url
    rating = ratings.rating_words(clean_line(value_by_field.get("rating")), publisher)
    if retractions.reason_in_row(row):
        rating = retractions.RETRACTED
    rating_class = _rating_class(clean_line(value_by_field.get("rating_class")), rating, publisher)
    claim_date, review_date = _claim_and_review_date(value_by_field, url)
    return VerifiedClaim(
        id=claim_id or make_id(url, statement, publisher, prefix=prefix),
        statement=statement,
        title=clean_line(value_by_field.get("title")),
        body=clean_paragraphs(value_by_field.get("body")),
        claimant=clean_line(value_by_field.get("claimant")),
        claim_date=claim_date,
        rating=rating,
        rating_class=rating_class,
        review_date=review_date,
        publisher=publisher,
        url=url,
        language=language_code(value_by_field.get("language")) or "en",
    )


def _listed_publisher(publisher: str, url: str, claim_id: str) -> str:
    """Return the publisher of a row, as the table of ratings spells it if it is on its site.

    Without a name, the address or the id decides.
    """
    listed = ratings.publisher_of(url, claim_id)
    if not publisher or ratings.publisher_key(publisher) == ratings.publisher_key(listed):
        return listed
    return publisher


def _check_lengths(value_by_field: Mapping[str, Any]) -> None:
    """Raise MalformedClaim if a field other than the article is too long."""
    for field, value in value_by_field.items():
        if field != "body" and isinstance(value, str) and len(value) > MAX_FIELD_CHARACTERS:
            field_name = field.replace("_", " ")
            raise MalformedClaim(
                f"the {field_name} has {len(value):,} characters, "
                f"but may have at most {MAX_FIELD_CHARACTERS:,}."
            )


def shortened(claim: VerifiedClaim) -> VerifiedClaim:
    """Cut the body of a claim to its first ``MAX_BODY_CHARACTERS`` characters."""
    return replace(claim, body=claim.body[:MAX_BODY_CHARACTERS])


def has_field(names: Iterable[str], field: str) -> bool:
    """Return whether one of a file's names is a usual name of a field."""
    return any(column_names.is_name_of_field(name, field) for name in names)


def clean_line(value: Any) -> str:
    """Return a value as one line of clean text.

    Without tags, entities, control characters and lone surrogates.
    """
    return " ".join(_without_markup(value).split())


def clean_paragraphs(value: Any) -> str:
    """Return a value as clean text, one paragraph per line."""
    lines = [" ".join(line.split()) for line in _without_markup(value).splitlines()]
    return "\n".join(line for line in lines if line)


def is_stated_on(value: str) -> bool:
    """Return whether a date is CheckThat!'s *stated on …*: the day of the claim."""
    return _STATED_ON_PATTERN.match(value) is not None


def day_in_url(url: str) -> date | None:
    """Return the date in an address such as ``/2019/oct/30/``, or None."""
    date_parts = _DATE_IN_URL_PATTERN.search(url)
    if not date_parts:
        return None
    year, month, day = date_parts.groups()
    return parse_day(f"{year}-{month}-{day}")


def language_code(value: Any) -> str:
    """Return the first part of a language tag in lower case, "" if there is none.

    ``en`` for *en-US*.
    """
    tag = _LANGUAGE_TAG_PATTERN.match(str(value or "")[:MAX_TAG_CHARACTERS])
    return tag[1].lower() if tag else ""


def make_id(url: str, statement: str, publisher: str, *, prefix: str) -> str:
    """Return an id that depends only on the address (or publisher) and the statement."""
    return f"{prefix}-{digest(url_key(url, publisher), statement_key(statement))[:16]}"


def is_made_id(claim: VerifiedClaim) -> bool:
    """Return whether the id of a claim was made by ``make_id``, not given by its source."""
    made_id = make_id(claim.url, claim.statement, claim.publisher, prefix="")
    return claim.id.endswith(made_id)


def url_key(url: str, publisher: str) -> str:
    """Return the part that all addresses of one page share.

    Without scheme, www, AMP, tracking parameters, fragment and final slash. If there is no address,
    the key is the publisher, so that equal statements of one publisher are one claim.
    """
    if not url:
        return "publisher:" + publisher.casefold()
    return page_addresses.page_key(url)


def site_host(url: str) -> str:
    """Return the host of an address without ``www.``, "" if there is none.

    An AMP or mobile host gives the site that it belongs to, and a page in the cache of AMP pages
    the host in its path. A page there whose path has another host than its host name belongs to
    nobody, so it gives "", like an address with a user name or a backslash before the host.
    """
    try:
        address = urlsplit(page_addresses.publishers_address(url).strip())
        host = (address.hostname or "").rstrip(".")
    except ValueError:
        return ""
    # Such an address may lead to another host than the one that a reader sees.
    is_deceptive = "@" in address.netloc or "\\" in address.netloc
    if is_deceptive:
        return ""
    if not host.isascii():
        host = _ascii_host(host)
    if host.endswith(_AMP_CACHE):
        return ""
    host = host.removeprefix("www.")
    for prefix in _MOBILE_PREFIXES:
        # "m.example.org" is the mobile host of example.org, "m.org" a site of its own.
        host_without_prefix = host.removeprefix(prefix)
        if "." in host_without_prefix:
            host = host_without_prefix
    return host


def statement_key(statement: str) -> str:
    """Return the words of a statement without case, accents and punctuation.

    All spellings of one statement share them.
    """
    plain = statement.casefold()
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", fewer_marks(plain))
        plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(_KEY_WORD_PATTERN.findall(plain))


def digest(*parts: str) -> str:
    """Return 32 hexadecimal digits of a hash of these texts in this order."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:32]


def _values_by_field(row: Mapping[str, Any], chosen_columns: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a row by field of VerifiedClaim.

    ``chosen_columns`` decides on a field's name first, then the usual names. A value such as *NaN*
    or *null* counts as missing.
    """
    given_columns = [str(column_name) for column_name in row if column_name is not None]
    columns_by_field = column_names.map_columns(given_columns, chosen_columns).columns
    value_by_field = {}
    for field_name, candidate_columns in columns_by_field.items():
        for column in candidate_columns:
            cell = row.get(column)
            is_filled = cell is not None and not is_nothing(str(cell))
            if is_filled:
                value_by_field[field_name] = cell
                break
    return value_by_field


def _ascii_host(host: str) -> str:
    """Return an international host name in punycode, "" if it is invalid."""
    import httpx

    try:
        return httpx.URL(scheme="https", host=host).raw_host.decode("ascii")
    except httpx.InvalidURL:
        return ""


def _claim_and_review_date(values: Mapping[str, Any], url: str) -> tuple[date | None, date | None]:
    """Return claim date and review date.

    CheckThat! gives the claim date as *stated on* in the review date, and the review date in the
    address.
    """
    claim_date = parse_day(values.get("claim_date"))
    review_date = values.get("review_date")
    if isinstance(review_date, str) and is_stated_on(review_date):
        return claim_date or parse_day(review_date), day_in_url(url)
    return claim_date, parse_day(review_date) or day_in_url(url)


def _rating_class(stated_class: str, rating: str, publisher: str) -> RatingClass:
    """Return the class that a row states, else the class of its rating."""
    if not stated_class:
        return ratings.classify(rating, publisher)
    try:
        return RatingClass(stated_class.upper().replace("_", "-"))
    except ValueError as error:
        known_classes = ", ".join(RatingClass)
        message = f"rating_class is {stated_class!r}, not one of {known_classes}."
        raise MalformedClaim(message) from error


def _without_markup(field_value: Any) -> str:
    """Return a value as text without markup and control characters."""
    if field_value is None or isinstance(field_value, (Mapping, list)):
        return ""
    text = field_value if isinstance(field_value, str) else str(field_value)
    if "<" in text or "&" in text:
        # Twice: publishers also escape tags and entities.
        for _ in range(2):
            text = _without_tags(html.unescape(text))
    return _CONTROL_PATTERN.sub("", text.replace("\u00a0", " "))


def _without_tags(text: str) -> str:
    """Remove scripts and tags; a tag that ends a paragraph becomes a line break."""
    without_scripts = _SCRIPT_PATTERN.sub(" ", text)
    with_line_breaks = _BREAK_PATTERN.sub("\n", without_scripts)
    return _TAG_PATTERN.sub(" ", with_line_breaks)
