"""Classifies publishers' ratings by the table ratings.toml; a rating that is not in it is OTHER.

A rating that is only a number is OTHER, too: what a high ``ratingValue`` means differs between
publishers (schemaorg issue 780).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from assistant.core.domain import RatingClass

TABLE = Path(__file__).with_name("ratings.toml")
_PREAMBLE = re.compile(
    r"^(?:our )?(?:rating|verdict|conclusion|determination|ruling|factscan score|claim rating) ?: ?"
)
_WE_RATE = re.compile(r"^we rate (?:this claim|the claim|this|it) ?(?:as )?:? ?")
_FIRST_SEGMENT = re.compile(r"^(.{2,40}?)(?:[.:;!]+|,| [-–—]) (.+)$", re.S)
_TURN = re.compile(
    r"\b(?:but|however|although|though|partly|partially|yet|except|not (?:entirely|wholly|quite))\b"
)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The table in memory. ``any`` and ``publishers`` map a folded label to its class."""

    any: Mapping[str, RatingClass]
    publishers: Mapping[str, Mapping[str, RatingClass]]
    sentences: frozenset[str]
    codes: Mapping[str, Mapping[str, str]]
    sites: Mapping[str, str]
    prefixes: Mapping[str, str]


@cache
def table() -> Ratings:
    """Return the table of ratings.toml."""
    raw = tomllib.loads(TABLE.read_text("utf-8"))
    return Ratings(
        any=_labels(raw["any"]),
        publishers={
            publisher_key(name): _labels(classes) for name, classes in raw["publisher"].items()
        },
        sentences=frozenset(publisher_key(name) for name in raw["sentences"]["publishers"]),
        codes={publisher_key(name): codes for name, codes in raw["codes"].items()},
        sites=raw["sites"],
        prefixes=raw["prefixes"],
    )


def classify(rating: str, publisher: str = "") -> RatingClass:
    """Return the class of a rating; OTHER for one that the table does not know."""
    return lookup(rating, publisher) or RatingClass.OTHER


def lookup(rating: str, publisher: str = "") -> RatingClass | None:
    """Return the class of a rating, or None if the table does not know it.

    Looked up in turn: the publisher's labels, the labels of all publishers, and the label before
    the first full stop, colon or dash of a longer text, which counts only if its class is FALSE
    and no *but* follows.
    """
    known = table()
    label = fold(rating)
    name = publisher_key(publisher)
    if name in known.sentences:
        return RatingClass.OTHER
    own = known.publishers.get(name, {})
    whole = own.get(label) or known.any.get(label)
    if whole or not (segment := _FIRST_SEGMENT.match(rating.strip())):
        return whole
    first = fold(segment[1])
    leading = own.get(first) or known.any.get(first)
    return (
        leading
        if leading is RatingClass.FALSE and not _TURN.search(segment[2].casefold())
        else None
    )


def fold(rating: str) -> str:
    """Return a label as the table has it.

    Lower case, without outer punctuation, symbols or words like *Verdict:*.
    """
    label = rating.replace("’", "'").replace("_", " ").casefold()
    label = re.sub(r"[^\w\s':-]+", " ", label)
    label = re.sub(r"\s+", " ", label).strip(" :-'")
    label = _WE_RATE.sub("", _PREAMBLE.sub("", label))
    return re.sub(r"(?<=\w)-(?=\w)", " ", label).strip(" :-'")


def words(rating: str, publisher: str) -> str:
    """Return the publisher's words for a code such as ``barely-true``.

    Any other rating unchanged.
    """
    return table().codes.get(publisher_key(publisher), {}).get(rating.strip(), rating)


def publisher_of(url: str, claim_id: str = "") -> str:
    """Return the publisher of an address or a CheckThat! id.

    A name in the table, else the host, else ''.
    """
    for prefix, name in table().prefixes.items():
        if claim_id.startswith(prefix):
            return name
    host = host_of(url)
    parts = host.split(".")
    for i in range(len(parts) - 1):
        if publisher := table().sites.get(".".join(parts[i:])):
            return publisher
    return host


def host_of(url: str) -> str:
    """Return the host of an address without ``www.``, or '' where there is none."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def _labels(classes: Mapping[str, list[str]]) -> dict[str, RatingClass]:
    return {fold(label): RatingClass(name) for name, labels in classes.items() for label in labels}


def publisher_key(publisher: str) -> str:
    """Return the part of a publisher's name that all of its spellings share.

    *The Snopes.com* is *snopes*.
    """
    name = re.sub(r"\.com$", "", publisher.strip().casefold()).removeprefix("the ")
    return re.sub(r"['’]?s? fact[ -]?check(?:er|ers|ing|s)?$", "", name)
