"""Reads ClaimReview, schema.org's markup of fact-checks, from JSON-LD.

A page, a list, a graph or a data feed.

It reads the shapes that publishers really write: arrays or single values, names as text, tags in
the claim, the rating's words in ``name``. It ignores ``ratingValue``: what a high number means
differs between publishers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.claims import claim_fields, ratings
from assistant.claims.records import Attributed, Refused
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import MalformedClaim
from assistant.transcripts import language

DEPTH = 12  # deeper nesting is not the markup of a page


def is_schema(node: Any, depth: int = 0) -> bool:
    """Return whether a JSON value is schema.org markup, rather than a row with other fields."""
    if isinstance(node, list):
        return depth < 3 and any(is_schema(part, depth + 1) for part in node[:3])
    keys = ("@type", "@graph", "@context", "claimReviewed", "dataFeedElement", "itemReviewed")
    return isinstance(node, Mapping) and any(key in node for key in keys)


def claims(
    node: Any, *, where: str, prefix: str = "claim", page_language: str = ""
) -> Iterator[Attributed | Refused]:
    """Yield the verified claims of every ClaimReview in a JSON-LD value, and a Refused for each that is none.

    ``where`` is the place that refusals name; ``page_language`` is used where a review does not state its language.
    """
    named = {node_id: part for node_id, part in _with_id(node, 0)}
    reviews = list(_reviews(node, 0))
    for number, review in enumerate(reviews, start=1):
        place = where if len(reviews) == 1 else f"{where}, review {number}"
        statements = [claim_fields.text(_first(one)) for one in _each(review.get("claimReviewed"))]
        for statement in [one for one in statements if one] or [""]:
            try:
                yield _claim(review, statement, named, prefix=prefix, page_language=page_language)
            except MalformedClaim as error:
                yield Refused(place, error.what)


def written(text: str, where: str) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in JSON-LD, with or without the ``<script>`` around it."""
    if text.lstrip().startswith("<"):
        yield from page(text.encode("utf-8", "replace"), where)
        return
    try:
        yield from claims(json.loads(text, strict=False), where=where)
    except (ValueError, RecursionError) as error:
        yield Refused(where, f"not JSON ({error}).")


def page(source: bytes, where: str) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in the JSON-LD scripts of a web page."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source, "lxml")
    page_language = claim_fields.language(soup.html.get("lang")) if soup.html else ""
    scripts = soup.find_all("script", type=lambda kind: bool(kind) and "ld+json" in kind)
    for number, script in enumerate(scripts, start=1):
        place = f"{where}, script {number}"
        try:
            node = json.loads(
                script.get_text(), strict=False
            )  # publishers leave line breaks inside strings
        except (ValueError, RecursionError) as error:
            yield Refused(place, f"not JSON ({error}).")
            continue
        yield from claims(node, where=place, page_language=page_language)


def _claim(
    review: Mapping[str, Any],
    statement: str,
    named: Mapping[str, Any],
    *,
    prefix: str,
    page_language: str,
) -> Attributed:
    """Return the verified claim of one review.

    Its claim may be a Claim (2019 on) or a CreativeWork (before).
    """
    reviewed = _node(review.get("itemReviewed"), named)
    rating = _node(review.get("reviewRating"), named)
    url = (
        _address(review.get("url"))
        or _address(review.get("mainEntityOfPage"))
        or _address(review.get("@id"))
    )
    publisher = _name(review.get("author"), named) or _name(review.get("publisher"), named)
    publisher = publisher or ratings.publisher_of(_author_url(review, named))
    vclaim: VerifiedClaim = claim_fields.claim(
        {
            "statement": statement or claim_fields.text(_first(reviewed.get("claimReviewed"))),
            "title": _first(review.get("headline")) or _first(review.get("name")),
            "body": _first(review.get("articleBody")) or _first(review.get("reviewBody")),
            "claimant": _name(reviewed.get("author"), named)
            or _name(reviewed.get("creator"), named),
            "claim_date": _first(reviewed.get("datePublished"))
            or _first(reviewed.get("dateCreated")),
            "rating": _rating(rating),
            "review_date": _first(review.get("datePublished")) or _first(review.get("dateCreated")),
            "publisher": publisher,
            "url": url,
            "language": _language(review, named) or page_language or language.detect(statement),
        },
        prefix=prefix,
    )
    attribution = _name(review.get("sdPublisher"), named)
    licence = _address(review.get("sdLicense"))
    return Attributed(vclaim, attribution=attribution, licence=licence)


def _reviews(node: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield every ClaimReview inside a value, at whatever place in a page, graph or feed."""
    if depth > DEPTH:
        return
    if isinstance(node, list):
        for part in node:
            yield from _reviews(part, depth + 1)
    elif isinstance(node, Mapping):
        if _is_review(node):
            yield node
        for key, part in node.items():
            if isinstance(part, (list, dict)) and key not in (
                "itemReviewed",
                "reviewRating",
                "author",
            ):
                yield from _reviews(part, depth + 1)


def _is_review(node: Mapping[str, Any]) -> bool:
    kinds = {str(kind).rsplit("/", 1)[-1].rsplit(":", 1)[-1] for kind in _each(node.get("@type"))}
    return "ClaimReview" in kinds or (not kinds and "claimReviewed" in node)


def _with_id(node: Any, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the nodes that others may refer to by ``@id``."""
    if depth > DEPTH or not isinstance(node, (list, Mapping)):
        return
    if isinstance(node, Mapping) and isinstance(node.get("@id"), str) and len(node) > 1:
        yield node["@id"], node
    for part in node.values() if isinstance(node, Mapping) else node:
        yield from _with_id(part, depth + 1)


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _first(value: Any) -> Any:
    """Return the first value that is not empty; a JSON-LD ``@value`` is unwrapped."""
    for one in _each(value):
        plain = one.get("@value") if isinstance(one, Mapping) else one
        if plain not in (None, ""):
            return plain
    return ""


def _node(value: Any, named: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first object of a value, or the node it refers to by ``@id``.

    {} if there is none.
    """
    for one in _each(value):
        if isinstance(one, Mapping):
            return (
                named.get(one["@id"], one)
                if set(one) == {"@id"} and isinstance(one["@id"], str)
                else one
            )
    return {}


def _name(value: Any, named: Mapping[str, Any]) -> str:
    """Return a person's or organisation's name, given as text, object or list.

    Several are joined by commas.
    """
    names = []
    for one in _each(value):
        name = _first(_node(one, named).get("name")) if isinstance(one, Mapping) else one
        if isinstance(name, str) and not name.startswith(("http://", "https://")):
            names.append(claim_fields.text(name))
    return ", ".join(dict.fromkeys(name for name in names if name))


def _rating(rating: Mapping[str, Any]) -> str:
    """Return the publisher's words: ``alternateName``, or ``name`` as in older markup.

    Never the number.
    """
    return claim_fields.text(_first(rating.get("alternateName"))) or claim_fields.text(
        _first(rating.get("name"))
    )


def _address(value: Any) -> str:
    """Return the first web address of a value: text, or an object with ``url`` or ``@id``."""
    for one in _each(value):
        inner = (one.get("url") or one.get("@id")) if isinstance(one, Mapping) else one
        address = claim_fields.text(_first(inner))
        if address.startswith(("http://", "https://")):
            return address
    return ""


def _author_url(review: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    return _address(_node(review.get("author"), named).get("url")) or _address(review.get("url"))


def _language(review: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    given = review.get("inLanguage")
    node = _node(given, named)
    return claim_fields.language(
        _first(node.get("alternateName")) or _first(node.get("name")) or _first(given)
    )
