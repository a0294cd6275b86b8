"""Classifies publishers' ratings by the table ratings.toml; an unknown rating is OTHER.

A rating that is only a number is OTHER, too, because the meaning of a high ``ratingValue`` differs
between publishers (schemaorg issue 780).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assistant.core.domain import RatingClass
from assistant.core.publisher_sites import host_of, publisher_key, publisher_of_site

__all__ = ["host_of", "publisher_key"]  # names that importers and merging use beside ratings

TABLE_PATH = Path(__file__).with_name("ratings.toml")
_PREAMBLE_PATTERN = re.compile(
    r"^(?:our )?(?:rating|verdict|conclusion|determination|ruling|factscan score|claim rating) ?: ?"
)
_WE_RATE_PATTERN = re.compile(r"^we rate (?:this claim|the claim|this|it) ?(?:as )?:? ?")
_FIRST_SEGMENT_PATTERN = re.compile(
    r"^(?P<label>.{2,40}?)(?:[.:;!]+|,| [-–—]) (?P<explanation>.+)$", re.S
)
_CONTRADICTION_PATTERN = re.compile(
    r"\b(?:but|however|although|though|partly|partially|yet|except|not (?:entirely|wholly|quite))\b"
)


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The table in memory.

    ``any`` and ``publishers`` map a folded label to its class, for all publishers and for one.
    ``sentences`` are publishers whose ratings are sentences. ``codes`` map a publisher's codes to
    its words, and ``prefixes`` the start of an id to a publisher.
    """

    any: Mapping[str, RatingClass]
    publishers: Mapping[str, Mapping[str, RatingClass]]
    sentences: frozenset[str]
    codes: Mapping[str, Mapping[str, str]]
    prefixes: Mapping[str, str]


@cache
def rating_table() -> RatingTable:
    """Return the table of ratings.toml."""
    table_values = tomllib.loads(TABLE_PATH.read_text("utf-8"))
    publishers = {}
    for name, classes in table_values["publisher"].items():
        publishers[publisher_key(name)] = _classes_by_label(classes)
    return RatingTable(
        any=_classes_by_label(table_values["any"]),
        publishers=publishers,
        sentences=frozenset(
            publisher_key(name) for name in table_values["sentences"]["publishers"]
        ),
        codes={publisher_key(name): codes for name, codes in table_values["codes"].items()},
        prefixes=table_values["prefixes"],
    )


def classify(rating: str, publisher: str = "") -> RatingClass:
    """Return the class of a rating; OTHER if the table does not have it."""
    return known_class(rating, publisher) or RatingClass.OTHER


def known_class(rating: str, publisher: str = "") -> RatingClass | None:
    """Return the class of a rating, or None if the table does not have it.

    Looked up in turn: the publisher's labels, the labels of all publishers, and the label before
    the first full stop, colon or dash of a longer text, which counts only if its class is FALSE
    and no *but* follows.
    """
    table = rating_table()
    publisher_name = publisher_key(publisher)
    if publisher_name in table.sentences:
        return RatingClass.OTHER
    publisher_labels = table.publishers.get(publisher_name, {})

    def class_of(text: str) -> RatingClass | None:
        label = folded_label(text)
        return publisher_labels.get(label) or table.any.get(label)

    rating_class = class_of(rating)
    if rating_class:
        return rating_class
    # A label may come before its explanation: "False. The law says otherwise."
    label_match = _FIRST_SEGMENT_PATTERN.match(rating.strip())
    if not label_match:
        return None
    is_label_contradicted = _CONTRADICTION_PATTERN.search(label_match["explanation"].casefold())
    if class_of(label_match["label"]) is RatingClass.FALSE and not is_label_contradicted:
        return RatingClass.FALSE
    return None


def folded_label(rating: str) -> str:
    """Fold a label as in the table.

    Lower case, without outer punctuation, symbols or words like *Verdict:*.
    """
    label = rating.replace("’", "'").replace("_", " ").casefold()
    label = re.sub(r"[^\w\s':-]+", " ", label)
    label = re.sub(r"\s+", " ", label).strip(" :-'")
    label = _WE_RATE_PATTERN.sub("", _PREAMBLE_PATTERN.sub("", label))
    return re.sub(r"(?<=\w)-(?=\w)", " ", label).strip(" :-'")


def rating_words(rating: str, publisher: str) -> str:
    """Return the publisher's words for a code such as ``barely-true``; others are unchanged."""
    words_by_code = rating_table().codes.get(publisher_key(publisher), {})
    return words_by_code.get(rating.strip(), rating)


def publisher_of(url: str, claim_id: str = "") -> str:
    """Return the publisher of an address or a CheckThat! id, by the table or the host."""
    for prefix, name in rating_table().prefixes.items():
        if claim_id.startswith(prefix):
            return name
    return publisher_of_site(url)


def _classes_by_label(labels_by_class: Mapping[str, list[str]]) -> dict[str, RatingClass]:
    """Return the class of each folded label."""
    classes = {}
    for class_name, labels in labels_by_class.items():
        for label in labels:
            classes[folded_label(label)] = RatingClass(class_name)
    return classes
