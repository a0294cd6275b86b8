"""Reads ClaimReview, schema.org's markup of fact-checks, from JSON-LD, microdata and RDFa.

It may be in a page, a list, a graph or a data feed.

The reader accepts the forms that publishers really write: arrays or single values, names as text,
tags in the claim, the rating's words in ``name``, JSON with a comma too many. It says what it
mended. It ignores a number in ``ratingValue``, because the meaning of a high number differs
between publishers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.claims import addresses, claim_fields, column_names, page_markup, ratings
from assistant.claims.import_notes import ImportNotes
from assistant.claims.lenient_json import parse_lenient
from assistant.claims.records import Attributed, Refused
from assistant.claims.retractions import REASON_KEYS, RETRACTED, STATUS_KEYS, reason_for
from assistant.claims.schema_markup import (
    ARTICLE_TYPES,
    MAX_DEPTH,
    PERSON_TYPES,
    Node,
    as_list,
    first_of,
    first_value,
    in_language,
    leaves,
    local_name,
    nodes_with_id,
    plain_markup,
    text_of,
    types_of,
)
from assistant.claims.usual_names import DATE_FIELDS
from assistant.core.domain import RatingClass
from assistant.core.errors import MalformedClaim
from assistant.core.written_dates import day_reading
from assistant.transcripts import language

_SCHEMA_KEYS = frozenset(
    (
        "@type",
        "@graph",
        "@context",
        "claimReviewed",
        "dataFeedElement",
        "itemReviewed",
    )
)
_REVIEW_TYPE = "ClaimReview"
_OTHER_REVIEW_TYPES = frozenset(("Review", "CriticReview"))
_MAX_SCHEMA_DEPTH = 3
_SCHEMA_ITEMS = 3  # items of a list that are looked at
_NO_REVIEW_INSIDE = ("itemReviewed", "reviewRating", "author")
_APPEARANCES = ("firstAppearance", "appearance")
_NO_ARTICLE: Node = {}
# A relative address without a slash before it: two words or a file, and no identifier.
_PATH = re.compile(r"[\w%~-]+(?:[./][\w%~-]+)+/?(?:\?\S*)?|[\w%~]+(?:-[\w%~]+)+/?|[\w%~-]+/")


def is_schema(node: Any, depth: int = 0) -> bool:
    """Return whether a JSON value is schema.org markup, rather than a row with other fields."""
    if isinstance(node, list):
        if depth >= _MAX_SCHEMA_DEPTH:
            return False
        return any(is_schema(item, depth + 1) for item in node[:_SCHEMA_ITEMS])
    if not isinstance(node, Mapping):
        return False
    names = {local_name(str(key)) for key in node}
    return bool(names & _SCHEMA_KEYS) or node.get("type") == _REVIEW_TYPE


@dataclass(frozen=True, slots=True)
class MarkupSource:
    """The place of some markup, and its page.

    ``where`` is the place that refusals name. ``prefix`` begins the ids of the claims.
    ``page_language`` is used for a review that does not state its language, ``page_url``
    completes relative addresses. ``notes`` counts everything that is not used.
    """

    where: str
    prefix: str = "claim"
    page_language: str = ""
    page_url: str = ""
    notes: ImportNotes | None = None


def claims_in_json(
    node: Any, *, where: str, prefix: str = "claim", notes: ImportNotes | None = None
) -> Iterator[Attributed | Refused]:
    """Yield the verified claim of every ClaimReview in a JSON-LD value, or a Refused.

    ``where`` is the place that refusals name, ``notes`` counts everything that is not used.
    """
    yield from _claims_in_markup(node, MarkupSource(where, prefix, notes=notes))


def claims_in_text(
    text: str, where: str, notes: ImportNotes | None = None
) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in JSON-LD, with or without the ``<script>`` around it."""
    stripped = text.lstrip()
    if stripped.startswith("<") and not stripped.startswith("<!["):
        yield from claims_in_page(text.encode("utf-8", "replace"), where, notes=notes)
        return
    try:
        read = parse_lenient(text)
    except (ValueError, RecursionError) as error:
        yield Refused(where, f"not JSON ({error}).")
        return
    _note_mended(read.mended, where, notes)
    for value in read.values:
        yield from claims_in_json(value, where=where, notes=notes)


def claims_in_page(
    source: bytes, where: str, page_url: str = "", notes: ImportNotes | None = None
) -> Iterator[Attributed | Refused]:
    """Yield the verified claims in the markup of a web page, each once.

    ``page_url`` is the address that the page came from; without it, the page's own statement of
    its address completes relative addresses.
    """
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source, "lxml")
    page_language = claim_fields.language_code(soup.html.get("lang")) if soup.html else ""
    base_url = page_url or page_markup.canonical_url(soup)
    sources: list[tuple[Any, MarkupSource]] = []
    refused = []
    for number, script in enumerate(page_markup.json_ld(soup), start=1):
        place = f"{where}, script {number}"
        if script.problem:
            refused.append(Refused(place, script.problem))
        _note_mended(script.mended, place, notes)
        for value in script.values:
            source_of_value = MarkupSource(
                place, page_language=page_language, page_url=base_url, notes=notes
            )
            sources.append((value, source_of_value))
    for syntax in (page_markup.MICRODATA, page_markup.RDFA):
        for number, item in enumerate(page_markup.items(soup, syntax), start=1):
            place = f"{where}, {syntax.name} {number}"
            source_of_item = MarkupSource(
                place, page_language=page_language, page_url=base_url, notes=notes
            )
            sources.append((item, source_of_item))
    yield from _distinct_claims(sources)
    yield from refused


def _distinct_claims(
    sources: list[tuple[Any, MarkupSource]],
) -> Iterator[Attributed | Refused]:
    """Yield the claims of a page; one that several kinds of markup repeat counts once.

    If the page has one article, its headline and text belong to every review of the page.
    """
    plain_sources = [(plain_markup(value), source) for value, source in sources]
    articles = []
    for value, _ in plain_sources:
        articles += list(_articles_in(value, 0))
    article = articles[0] if len(articles) == 1 else _NO_ARTICLE
    claim_ids = set()
    for value, source in plain_sources:
        for row in _claims_in_plain_markup(value, source, article):
            if isinstance(row, Attributed):
                if row.claim.id in claim_ids:
                    continue
                claim_ids.add(row.claim.id)
            yield row


def _claims_in_markup(value: Any, source: MarkupSource) -> Iterator[Attributed | Refused]:
    plain = plain_markup(value)
    articles = list(_articles_in(plain, 0))
    article = articles[0] if len(articles) == 1 else _NO_ARTICLE
    yield from _claims_in_plain_markup(plain, source, article)


def _claims_in_plain_markup(
    plain: Any, source: MarkupSource, page_article: Node
) -> Iterator[Attributed | Refused]:
    """Yield the claims of markup with plain keys."""
    markup = _Markup(dict(nodes_with_id(plain)), source)
    reviews = list(_reviews_in(plain, 0, _NO_ARTICLE))
    for number, (review, parent_article) in enumerate(reviews, start=1):
        place = source.where if len(reviews) == 1 else f"{source.where}, review {number}"
        for statement in markup.statements(review):
            try:
                yield markup.claim(review, statement, parent_article or page_article)
            except MalformedClaim as error:
                cells = {path: str(value) for path, value in leaves(review)}
                yield Refused(place, error.what, cells)


def _note_mended(mended: list[str], where: str, notes: ImportNotes | None) -> None:
    """Note what was mended in JSON-LD."""
    for fault in mended if notes else []:
        notes.count(f"the JSON-LD was mended ({fault})", where)  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class _Markup:
    """Markup around some reviews; ``nodes_by_id`` has the nodes that others refer to."""

    nodes_by_id: Mapping[str, Node]
    source: MarkupSource

    def statements(self, review: Node) -> list[str]:
        """Return the statements that a review checks; one empty statement if it names none.

        A statement may be a Claim with a text or a name; without ``claimReviewed`` it is the
        claim in ``itemReviewed``.
        """
        reviewed = in_language(review.get("claimReviewed"), _language_of(review))
        texts = [self._words(item) for item in as_list(reviewed)]
        texts = [text for text in texts if text]
        if not texts:
            texts = [self._reviewed_statement(item) for item in self._nodes(review, "itemReviewed")]
        return [text for text in texts if text] or [""]

    def claim(self, review: Node, statement: str, article: Node) -> Attributed:
        """Make the verified claim of a review.

        The claim may be a Claim (2019 on) or a CreativeWork (before). ``article`` is the article
        around the review, {} if there is none.

        Raises: MalformedClaim.
        """
        values = {
            "statement": statement,
            "title": first_of(review, "headline", "name") or first_of(article, "headline", "name"),
            "body": first_of(review, "articleBody", "reviewBody")
            or first_of(article, "articleBody", "text"),
            "claimant": self._claimant(review),
            "claim_date": self._claim_date(review),
            "rating": self._rating_words(review),
            "review_date": first_of(review, "datePublished", "dateCreated")
            or first_of(article, "datePublished"),
            "publisher": self._publisher(review, article),
            "url": self._address(review, article),
            "language": self._language(review, article, statement),
        }
        attribution = self._name(review.get("sdPublisher"))
        licence = addresses.read_address(_inner_address(review.get("sdLicense"))).url
        claim = claim_fields.parse_claim(values, prefix=self.source.prefix)
        used_values = [*values.values(), attribution, licence]
        retraction, texts_on_retraction = self._retraction(review, article)
        if retraction:
            claim = replace(claim, rating=RETRACTED, rating_class=RatingClass.OTHER)
            used_values += texts_on_retraction
        self._note_unused(review, used_values)
        self._note_unread_dates(values)
        return Attributed(claim, attribution, licence, retraction)

    def _retraction(self, review: Node, article: Node) -> tuple[str, list[Any]]:
        """Return why a review counts no longer, "" if it counts, and the values that say so."""
        statuses = []
        corrections = []
        for node in (review, article):
            for key in STATUS_KEYS:
                statuses += [self._words(item) for item in as_list(node.get(key))]
            for key in REASON_KEYS:
                corrections += [self._words(item) for item in as_list(node.get(key))]
        expires = first_value(review.get("expires"))
        reason = reason_for(
            [text for text in statuses if text], [text for text in corrections if text], expires
        )
        return reason, [*statuses, *corrections, expires]

    def _words(self, item: Any) -> str:
        """Return the words of a text, or of an object such as a CorrectionComment."""
        if isinstance(item, Mapping) and "@value" not in item:
            return text_of(first_of(self._resolved(item), "text", "name", "description"))
        return text_of(item)

    def _reviewed_statement(self, reviewed: Node) -> str:
        """Return the statement of the item reviewed, if it is a claim."""
        words = text_of(reviewed.get("claimReviewed"))
        if not words and "Claim" in types_of(reviewed):
            words = text_of(first_of(reviewed, "text", "name", "description"))
        return words

    def _claimant(self, review: Node) -> str:
        """Return who made the claim, by the claim itself or by its first appearance."""
        for node in self._claim_nodes(review):
            name = self._name_of(node, "author", "creator")
            if name:
                return name
        return ""

    def _claim_date(self, review: Node) -> Any:
        """Return when the claim was made, by the claim itself or by its first appearance."""
        for node in self._claim_nodes(review):
            day = first_of(node, "datePublished", "dateCreated", "uploadDate")
            if day:
                return day
        return ""

    def _claim_nodes(self, review: Node) -> Iterator[Node]:
        """Yield the nodes that describe the claim, best first."""
        reviewed = list(self._nodes(review, "itemReviewed"))
        reviewed += [item for item in self._nodes(review, "claimReviewed") if item not in reviewed]
        yield from reviewed
        for node in reviewed:
            for key in _APPEARANCES:
                yield from self._nodes(node, key)

    def _rating_words(self, review: Node) -> str:
        """Return the publisher's words for the rating, wherever it is written.

        In turn: ``alternateName``, ``name`` as in older markup, words in ``ratingValue``, and a
        known label in an explanation or in the review itself. Never a number.
        """
        code = _language_of(review)
        rating_nodes: list[Node] = []
        for item in self._rating_items(review):
            if isinstance(item, Mapping):
                rating_nodes.append(self._resolved(item))
            elif _has_letters(item):
                return text_of(item)
        for key in ("alternateName", "name", "ratingValue"):
            for rating in rating_nodes:
                words = text_of(in_language(rating.get(key), code))
                if _has_letters(words):
                    return words
        explanations = [
            node.get(key) for node in rating_nodes for key in ("ratingExplanation", "description")
        ]
        explanations += [review.get("alternateName"), review.get("alternativeHeadline")]
        texts = [text_of(explanation) for explanation in explanations]
        return next((text for text in texts if text and _is_known_rating(text)), "")

    def _rating_items(self, review: Node) -> list[Any]:
        """Return the ratings of a review; some publishers put them into the claim."""
        items = list(as_list(review.get("reviewRating")))
        for node in self._nodes(review, "itemReviewed"):
            items += as_list(node.get("reviewRating"))
        return items

    def _publisher(self, review: Node, article: Node) -> str:
        """Return the name of a review's publisher, or the host of its site.

        A reporter writes for an organisation, which rates: the organisation's name counts, unless
        there is none.
        """
        # The author of the review rates, if it is an organisation.
        organisation = self._organisation(review.get("author"))
        if organisation:
            return organisation
        for node in self._nodes(review, "author"):
            organisation = self._organisation(node.get("worksFor") or node.get("affiliation"))
            if organisation:
                return organisation
        for value in (review.get("publisher"), review.get("sourceOrganization")):
            organisation = self._organisation(value)
            if organisation:
                return organisation
        organisation = self._organisation(article.get("publisher")) if article else ""
        if organisation:
            return organisation
        # A reporter without an organisation in the markup: the site may be known.
        url = self._address(review, article)
        listed = ratings.publisher_of(url)
        if listed and listed != ratings.host_of(url):
            return listed
        author = next(iter(self._nodes(review, "author")), {})
        site_url = _inner_address(author.get("url")) or url
        return self._name_of(review, "author", "publisher") or ratings.publisher_of(site_url)

    def _organisation(self, value: Any) -> str:
        """Return the names of a value that are not names of persons, joined by commas."""
        organisations = []
        for item in as_list(value):
            name = self._name(item)
            is_typed = isinstance(item, Mapping) and bool(types_of(self._resolved(item)))
            # Without a type, the words of the name decide.
            is_person = column_names.looks_like_person(name)
            if is_typed:
                is_person = bool(types_of(self._resolved(item)) & PERSON_TYPES)
            if name and not is_person:
                organisations.append(name)
        return ", ".join(dict.fromkeys(organisations))

    def _address(self, review: Node, article: Node) -> str:
        """Return the address of a review's page; a relative one is completed.

        The page, the author's site or the publisher's site complete it.
        """
        written = [
            _inner_address(review.get("url")),
            _inner_address(review.get("mainEntityOfPage")),
            _inner_address(review.get("@id")),
            _inner_address(article.get("url")),
            _inner_address(article.get("mainEntityOfPage")),
        ]
        # A relative address belongs to the page, else to the site of its author.
        bases = [self.source.page_url, *(url for url in written if _is_absolute(url))]
        for key in ("author", "publisher"):
            bases += [_inner_address(node.get("url")) for node in self._nodes(review, key)]
        base_url = next((url for url in bases if _is_absolute(url)), "")
        for text in written:
            # In these places a path is an address, also without a slash before it.
            is_path = bool(base_url) and _PATH.fullmatch(text) is not None
            address = addresses.read_address(f"./{text}" if is_path else text, base_url)
            if address.url:
                if address.change and self.source.notes:
                    self.source.notes.count(f"address {address.change}", text)
                return address.url
        return self.source.page_url

    def _language(self, review: Node, article: Node, statement: str) -> str:
        """Return the language that a review states, else the page's, else the statement's."""
        code = _language_of(review) or _language_of(article)
        return code or self.source.page_language or language.detect(statement)

    def _nodes(self, node: Node, key: str) -> Iterator[Node]:
        """Yield the nodes under a key, also those that it refers to by ``@id``."""
        for item in as_list(node.get(key)):
            if isinstance(item, Mapping):
                yield self._resolved(item)
            elif isinstance(item, str) and item in self.nodes_by_id:
                yield self.nodes_by_id[item]

    def _resolved(self, item: Node) -> Node:
        """Return a node, or the one that it refers to by ``@id``."""
        if set(item) == {"@id"} and isinstance(item["@id"], str):
            return self.nodes_by_id.get(item["@id"], item)
        return item

    def _name(self, value: Any) -> str:
        """Return the name of a person or organisation, given as text, object or list.

        Several names are joined by commas.
        """
        names = []
        for item in as_list(value):
            name = item
            if isinstance(item, str) and item in self.nodes_by_id:
                name = first_value(self.nodes_by_id[item].get("name"))
            elif isinstance(item, Mapping):
                name = first_value(self._resolved(item).get("name"))
            if isinstance(name, str) and not name.startswith(addresses.WEB_SCHEMES):
                names.append(claim_fields.clean_line(name))
        return ", ".join(dict.fromkeys(name for name in names if name))

    def _name_of(self, node: Node, *keys: str) -> str:
        """Return the name under the first of these keys that has one."""
        for key in keys:
            name = self._name(node.get(key))
            if name:
                return name
        return ""

    def _note_unused(self, review: Node, used_values: list[Any]) -> None:
        """Count the values of a review that became no part of its claim."""
        if self.source.notes is None:
            return
        used_texts = {claim_fields.clean_line(value) for value in used_values}
        used_texts |= {claim_fields.clean_line(name) for name in str(used_values[0]).split(", ")}
        for path, value in leaves(review):
            text = claim_fields.clean_line(value)
            url = addresses.read_address(value, self.source.page_url).url
            is_path = text.startswith("/") and any(used.endswith(text) for used in used_texts)
            if text not in used_texts and (not url or url not in used_texts) and not is_path:
                self.source.notes.count_unused(f"{_REVIEW_TYPE}.{path}", text)

    def _note_unread_dates(self, values: Mapping[str, Any]) -> None:
        """Count dates that cannot be read."""
        for field_name in DATE_FIELDS:
            value = values[field_name]
            reading = day_reading(value)
            if value and reading.problem and self.source.notes:
                name = field_name.replace("_", " ")
                self.source.notes.count(f"the {name} was not read ({reading.problem})", str(value))


def _reviews_in(node: Any, depth: int, article: Node) -> Iterator[tuple[Node, Node]]:
    """Yield every ClaimReview inside a value, with the article around it, {} if there is none."""
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _reviews_in(item, depth + 1, article)
    elif isinstance(node, Mapping):
        if _is_review(node):
            yield node, article
        inner_article = node if types_of(node) & ARTICLE_TYPES else article
        for key, value in node.items():
            if isinstance(value, (list, dict)) and key not in _NO_REVIEW_INSIDE:
                yield from _reviews_in(value, depth + 1, inner_article)


def _articles_in(node: Any, depth: int) -> Iterator[Node]:
    """Yield the articles inside a value, without those inside a review."""
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _articles_in(item, depth + 1)
    elif isinstance(node, Mapping) and not _is_review(node):
        if types_of(node) & ARTICLE_TYPES:
            yield node
        for value in node.values():
            yield from _articles_in(value, depth + 1)


def _is_review(node: Node) -> bool:
    """Return whether an object is a ClaimReview, by its type or by its claim."""
    types = types_of(node)
    if _REVIEW_TYPE in types:
        return True
    return "claimReviewed" in node and (not types or bool(types & _OTHER_REVIEW_TYPES))


def _inner_address(value: Any) -> str:
    """Return the first address of a value as it is written: text, or object with url or ``@id``."""
    for item in as_list(value):
        inner = item
        if isinstance(item, Mapping):
            inner = first_value(item.get("url")) or item.get("@id") or item.get("@value")
        if isinstance(inner, str) and inner.strip():
            return inner.strip()
    return ""


def _is_known_rating(words: str) -> bool:
    return ratings.known_class(words) is not None


def _language_of(node: Node) -> str:
    """Return the code of the language that a node states, "" if it states none."""
    stated = node.get("inLanguage")
    inner = next((item for item in as_list(stated) if isinstance(item, Mapping)), {})
    name = first_of(inner, "alternateName", "name") or first_value(stated)
    return claim_fields.language_code(name)


def _is_absolute(url: str) -> bool:
    return url.lower().startswith(addresses.WEB_SCHEMES)


def _has_letters(value: Any) -> bool:
    """Return whether a value has words, not only a number."""
    return isinstance(value, str) and any(letter.isalpha() for letter in value)
