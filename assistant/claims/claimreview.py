"""Reads ClaimReview, schema.org's markup of fact-checks, from JSON-LD.

It may be in a page, a list, a graph or a data feed.

The reader accepts the forms that publishers really write: arrays or single values, names as text,
tags in the claim, the rating's words in ``name``. It ignores ``ratingValue``, because the meaning
of a high number differs between publishers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.claims import claim_fields, ratings
from assistant.claims.records import Attributed, Refused
from assistant.core.errors import MalformedClaim
from assistant.transcripts import language

MAX_DEPTH = 12  # deeper nesting is not the markup of a page
_SCHEMA_KEYS = (
    "@type",
    "@graph",
    "@context",
    "claimReviewed",
    "dataFeedElement",
    "itemReviewed",
)
_MAX_SCHEMA_DEPTH = 3
_SCHEMA_ITEMS = 3  # items of a list that are looked at
_NO_REVIEW_INSIDE = ("itemReviewed", "reviewRating", "author")
_WEB_SCHEMES = ("http://", "https://")
Node = Mapping[str, Any]  # a JSON object


def is_schema(node: Any, depth: int = 0) -> bool:
    """Return whether a JSON value is schema.org markup, rather than a row with other fields."""
    if isinstance(node, list):
        if depth >= _MAX_SCHEMA_DEPTH:
            return False
        return any(is_schema(item, depth + 1) for item in node[:_SCHEMA_ITEMS])
    return isinstance(node, Mapping) and any(key in node for key in _SCHEMA_KEYS)


def claims_in_json(
    node: Any, *, where: str, prefix: str = "claim", page_language: str = ""
) -> Iterator[Attributed | Refused]:
    """Yield the verified claim of every ClaimReview in a JSON-LD value, or a Refused.

    ``where`` is the place that refusals name. ``page_language`` is used for a review that does not
    state its language.
    """
    markup = _Markup(dict(_nodes_with_id(node, 0)), prefix, page_language)
    reviews = list(_reviews_in(node, 0))
    for number, review in enumerate(reviews, start=1):
        place = where if len(reviews) == 1 else f"{where}, review {number}"
        for statement in _statements(review):
            try:
                yield markup.claim(review, statement)
            except MalformedClaim as error:
                yield Refused(place, error.what)


def claims_in_text(text: str, where: str) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in JSON-LD, with or without the ``<script>`` around it."""
    if text.lstrip().startswith("<"):
        yield from claims_in_page(text.encode("utf-8", "replace"), where)
        return
    try:
        yield from claims_in_json(json.loads(text, strict=False), where=where)
    except (ValueError, RecursionError) as error:
        yield Refused(where, f"not JSON ({error}).")


def claims_in_page(source: bytes, where: str) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in the JSON-LD scripts of a web page."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source, "lxml")
    page_language = claim_fields.language_code(soup.html.get("lang")) if soup.html else ""
    scripts = soup.find_all("script", type=lambda kind: bool(kind) and "ld+json" in kind)
    for number, script in enumerate(scripts, start=1):
        place = f"{where}, script {number}"
        try:
            # Not strict: publishers leave line breaks inside strings.
            node = json.loads(script.get_text(), strict=False)
        except (ValueError, RecursionError) as error:
            yield Refused(place, f"not JSON ({error}).")
            continue
        yield from claims_in_json(node, where=place, page_language=page_language)


def _statements(review: Node) -> list[str]:
    """Return the statements that a review checks; one empty statement if it names none."""
    texts = [_text(item) for item in _as_list(review.get("claimReviewed"))]
    return [text for text in texts if text] or [""]


@dataclass(frozen=True, slots=True)
class _Markup:
    """JSON-LD around some reviews.

    ``nodes_by_id`` has the nodes that others refer to, ``prefix`` begins the ids of the claims.
    """

    nodes_by_id: Mapping[str, Node]
    prefix: str
    page_language: str

    def claim(self, review: Node, statement: str) -> Attributed:
        """Make the verified claim of a review.

        The claim may be a Claim (2019 on) or a CreativeWork (before).

        Raises: MalformedClaim.
        """
        reviewed = self._node(review.get("itemReviewed"))
        rating = self._node(review.get("reviewRating"))
        values = {
            "statement": statement or _text(reviewed.get("claimReviewed")),
            "title": _first_of(review, "headline", "name"),
            "body": _first_of(review, "articleBody", "reviewBody"),
            "claimant": self._name_of(reviewed, "author", "creator"),
            "claim_date": _first_of(reviewed, "datePublished", "dateCreated"),
            "rating": _rating_words(rating),
            "review_date": _first_of(review, "datePublished", "dateCreated"),
            "publisher": self._publisher(review),
            "url": _address_of(review, "url", "mainEntityOfPage", "@id"),
            "language": self._language(review, statement),
        }
        return Attributed(
            claim_fields.parse_claim(values, prefix=self.prefix),
            attribution=self._name(review.get("sdPublisher")),
            licence=_address(review.get("sdLicense")),
        )

    def _publisher(self, review: Node) -> str:
        """Return the name of a review's publisher, or the host of its site."""
        name = self._name_of(review, "author", "publisher")
        if name:
            return name
        author = self._node(review.get("author"))
        site_url = _address(author.get("url")) or _address(review.get("url"))
        return ratings.publisher_of(site_url)

    def _language(self, review: Node, statement: str) -> str:
        """Return the language that a review states, else the page's, else the statement's."""
        stated = review.get("inLanguage")
        name = _first_of(self._node(stated), "alternateName", "name") or _first(stated)
        code = claim_fields.language_code(name)
        return code or self.page_language or language.detect(statement)

    def _node(self, value: Any) -> Node:
        """Return the first object of a value, or the node that it refers to by ``@id``.

        {} if there is none.
        """
        for item in _as_list(value):
            if not isinstance(item, Mapping):
                continue
            if set(item) == {"@id"} and isinstance(item["@id"], str):
                return self.nodes_by_id.get(item["@id"], item)
            return item
        return {}

    def _name(self, value: Any) -> str:
        """Return the name of a person or organisation, given as text, object or list.

        Several names are joined by commas.
        """
        names = []
        for item in _as_list(value):
            name = _first(self._node(item).get("name")) if isinstance(item, Mapping) else item
            if isinstance(name, str) and not name.startswith(_WEB_SCHEMES):
                names.append(claim_fields.clean_line(name))
        return ", ".join(dict.fromkeys(name for name in names if name))

    def _name_of(self, node: Node, *keys: str) -> str:
        """Return the name under the first of these keys that has one."""
        for key in keys:
            name = self._name(node.get(key))
            if name:
                return name
        return ""


def _reviews_in(node: Any, depth: int) -> Iterator[Node]:
    """Yield every ClaimReview inside a value, anywhere in a page, graph or feed."""
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _reviews_in(item, depth + 1)
    elif isinstance(node, Mapping):
        if _is_review(node):
            yield node
        for key, value in node.items():
            if isinstance(value, (list, dict)) and key not in _NO_REVIEW_INSIDE:
                yield from _reviews_in(value, depth + 1)


def _is_review(node: Node) -> bool:
    """Return whether an object is a ClaimReview, by its type or, without one, by its claim."""
    types = set()
    for type_name in _as_list(node.get("@type")):
        types.add(str(type_name).rsplit("/", 1)[-1].rsplit(":", 1)[-1])
    if not types:
        return "claimReviewed" in node
    return "ClaimReview" in types


def _nodes_with_id(node: Any, depth: int) -> Iterator[tuple[str, Node]]:
    """Yield the nodes that others may refer to, by ``@id``."""
    if depth > MAX_DEPTH or not isinstance(node, (list, Mapping)):
        return
    children: Iterable[Any] = node
    if isinstance(node, Mapping):
        children = node.values()
        if isinstance(node.get("@id"), str) and len(node) > 1:
            yield node["@id"], node
    for child in children:
        yield from _nodes_with_id(child, depth + 1)


def _as_list(value: Any) -> list[Any]:
    """Return a list as it is, None as an empty list, and another value as a list of one."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _first(value: Any) -> Any:
    """Return the first value that is not empty; a JSON-LD ``@value`` is unwrapped."""
    for item in _as_list(value):
        plain = item.get("@value") if isinstance(item, Mapping) else item
        if plain not in (None, ""):
            return plain
    return ""


def _first_of(node: Node, *keys: str) -> Any:
    """Return the value under the first of these keys that has one."""
    value: Any = ""
    for key in keys:
        value = _first(node.get(key))
        if value:
            break
    return value


def _text(value: Any) -> str:
    """Return the first value that is not empty as clean text."""
    return claim_fields.clean_line(_first(value))


def _rating_words(rating: Node) -> str:
    """Return the publisher's words: ``alternateName``, or ``name`` as in older markup.

    Never the number.
    """
    return _text(rating.get("alternateName")) or _text(rating.get("name"))


def _address(value: Any) -> str:
    """Return the first web address of a value: text, or an object with ``url`` or ``@id``."""
    for item in _as_list(value):
        inner = (item.get("url") or item.get("@id")) if isinstance(item, Mapping) else item
        address = _text(inner)
        if address.startswith(_WEB_SCHEMES):
            return address
    return ""


def _address_of(node: Node, *keys: str) -> str:
    """Return the web address under the first of these keys that has one."""
    for key in keys:
        address = _address(node.get(key))
        if address:
            return address
    return ""
