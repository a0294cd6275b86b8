"""Reads ClaimReview, schema.org's markup of fact-checks, from JSON-LD, microdata and RDFa.

It may be in a page, a list, a graph or a data feed.

The reader accepts the forms that publishers really write: arrays or single values, names as text,
tags in the claim, the rating's words in ``name``, JSON with a comma too many. It says what it
mended. It ignores a number in ``ratingValue``, because the meaning of a high number differs
between publishers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.claims import addresses, claim_fields, column_names, page_markup, ratings
from assistant.claims.import_notes import ImportNotes
from assistant.claims.lenient_json import parse_lenient
from assistant.claims.records import AttributedClaim, RefusedRow
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
    leaf_texts,
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
# How deep in lists, and among how many items of each, keys of schema.org are looked for.
_MAX_LIST_DEPTH = 3
_MAX_EXAMINED_ITEMS = 3
_KEYS_WITHOUT_REVIEWS = ("itemReviewed", "reviewRating", "author")
_APPEARANCE_KEYS = ("firstAppearance", "appearance")
_NO_ARTICLE: Node = {}
# A relative address without a slash before it; a single word may be an identifier.
_RELATIVE_PATH_PATTERN = re.compile(
    r"""
      [\w%~-]+ (?: [./] [\w%~-]+ )+ /? (?: \?\S* )?   # folder/page, page.html?id=1
    | [\w%~]+ (?: - [\w%~]+ )+ /?                     # words-with-hyphens
    | [\w%~-]+ /                                      # folder/
    """,
    re.VERBOSE,
)


def is_schema_markup(json_value: Any, nesting_depth: int = 0) -> bool:
    """Return whether a JSON value is schema.org markup, rather than a row with other fields."""
    if isinstance(json_value, list):
        if nesting_depth >= _MAX_LIST_DEPTH:
            return False
        examined_items = json_value[:_MAX_EXAMINED_ITEMS]
        return any(is_schema_markup(item, nesting_depth + 1) for item in examined_items)
    if not isinstance(json_value, Mapping):
        return False
    # Keys may have a prefix, as in "schema:claimReviewed".
    key_names = {local_name(str(key)) for key in json_value}
    if key_names & _SCHEMA_KEYS:
        return True
    return json_value.get("type") == _REVIEW_TYPE


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
) -> Iterator[AttributedClaim | RefusedRow]:
    """Yield the verified claim of every ClaimReview in a JSON-LD value, or a RefusedRow.

    ``where`` is the place that refusals name, ``notes`` counts everything that is not used.
    """
    yield from _claims_in_markup(node, MarkupSource(where, prefix, notes=notes))


def claims_in_text(
    text: str, where: str, notes: ImportNotes | None = None
) -> Iterator[AttributedClaim | RefusedRow]:
    """Yield the verified claims in JSON-LD, with or without the ``<script>`` around it."""
    # JSON may be wrapped in CDATA, which begins with "<", too.
    stripped_text = text.lstrip()
    is_cdata = stripped_text.startswith("<![")
    is_page = stripped_text.startswith("<") and not is_cdata
    if is_page:
        yield from claims_in_page(text.encode("utf-8", "replace"), where, notes=notes)
        return
    try:
        json_ld = parse_lenient(text)
    except (ValueError, RecursionError) as error:
        yield RefusedRow(where, f"not JSON ({error}).")
        return
    _note_json_corrections(json_ld.corrections, where, notes)
    for json_value in json_ld.values:
        yield from claims_in_json(json_value, where=where, notes=notes)


def claims_in_page(
    page_bytes: bytes, where: str, page_url: str = "", notes: ImportNotes | None = None
) -> Iterator[AttributedClaim | RefusedRow]:
    """Yield the verified claims in the markup of a web page, each once.

    ``page_url`` is the address that the page came from; without it, the page's own statement of
    its address completes relative addresses.
    """
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(page_bytes, "lxml")
    page_language = claim_fields.language_code(soup.html.get("lang")) if soup.html else ""
    base_url = page_url or page_markup.canonical_url(soup)
    page_source = MarkupSource(where, page_language=page_language, page_url=base_url, notes=notes)
    # Each piece of markup with its place in the page.
    markup_with_sources: list[tuple[Any, MarkupSource]] = []
    refusals = []
    for number_in_page, script in enumerate(page_markup.json_ld(soup), start=1):
        place = f"{where}, script {number_in_page}"
        if script.problem:
            refusals.append(RefusedRow(place, script.problem))
        _note_json_corrections(script.json_corrections, place, notes)
        for json_value in script.values:
            markup_with_sources.append((json_value, replace(page_source, where=place)))
    for syntax in (page_markup.MICRODATA, page_markup.RDFA):
        for number_in_page, item in enumerate(page_markup.items(soup, syntax), start=1):
            place = f"{where}, {syntax.name} {number_in_page}"
            markup_with_sources.append((item, replace(page_source, where=place)))
    yield from _distinct_claims(markup_with_sources)
    yield from refusals


def _distinct_claims(
    markup_with_sources: list[tuple[Any, MarkupSource]],
) -> Iterator[AttributedClaim | RefusedRow]:
    """Yield the claims of a page; one that several kinds of markup repeat counts once.

    If the page has one article, its headline and text belong to every review of the page.
    """
    plain_markup_with_sources = [
        (plain_markup(markup), source) for markup, source in markup_with_sources
    ]
    articles: list[Node] = []
    for markup, _ in plain_markup_with_sources:
        articles.extend(_articles_in(markup, 0))
    # Of several articles, it is not known to which one a review belongs.
    page_article = articles[0] if len(articles) == 1 else _NO_ARTICLE
    yielded_ids = set()
    for markup, source in plain_markup_with_sources:
        for claim_or_refusal in _claims_in_plain_markup(markup, source, page_article):
            if isinstance(claim_or_refusal, AttributedClaim):
                if claim_or_refusal.claim.id in yielded_ids:
                    continue
                yielded_ids.add(claim_or_refusal.claim.id)
            yield claim_or_refusal


def _claims_in_markup(value: Any, source: MarkupSource) -> Iterator[AttributedClaim | RefusedRow]:
    plain = plain_markup(value)
    articles = list(_articles_in(plain, 0))
    article = articles[0] if len(articles) == 1 else _NO_ARTICLE
    yield from _claims_in_plain_markup(plain, source, article)


def _claims_in_plain_markup(
    plain_markup_value: Any, source: MarkupSource, page_article: Node
) -> Iterator[AttributedClaim | RefusedRow]:
    """Yield the claims of markup with plain keys."""
    # A node may refer to another one by its id.
    markup_reader = _Markup(dict(nodes_with_id(plain_markup_value)), source)
    reviews = list(_reviews_in(plain_markup_value, 0, _NO_ARTICLE))
    for review_number, (review, surrounding_article) in enumerate(reviews, start=1):
        # A refusal names the review if the page has several.
        review_place = (
            source.where if len(reviews) == 1 else f"{source.where}, review {review_number}"
        )
        for statement in markup_reader.statements(review):
            try:
                yield markup_reader.claim(review, statement, surrounding_article or page_article)
            except MalformedClaim as error:
                cells = {path: str(value) for path, value in leaf_texts(review)}
                yield RefusedRow(review_place, error.what, cells)


def _note_json_corrections(
    json_corrections: list[str], where: str, notes: ImportNotes | None
) -> None:
    """Note what was mended in JSON-LD."""
    if notes is None:
        return
    for fault in json_corrections:
        notes.count(f"the JSON-LD was mended ({fault})", where)


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
        claims_reviewed = in_language(review.get("claimReviewed"), _language_of(review))
        statements = [self._text_of_item(item) for item in as_list(claims_reviewed)]
        if not any(statements):
            reviewed_items = self._nodes_of_property(review, "itemReviewed")
            statements = [self._reviewed_statement(item) for item in reviewed_items]
        filled_statements = [statement for statement in statements if statement]
        # An empty statement, so that the review is refused with the reason.
        return filled_statements or [""]

    def claim(self, review: Node, statement: str, article: Node) -> AttributedClaim:
        """Make the verified claim of a review.

        The claim may be a Claim (2019 on) or a CreativeWork (before). ``article`` is the article
        around the review, {} if there is none.

        Raises: MalformedClaim.
        """
        # The review's own values count before the values of the article around it.
        title = first_of(review, "headline", "name") or first_of(article, "headline", "name")
        review_text = first_of(review, "articleBody", "reviewBody")
        review_date = first_of(review, "datePublished", "dateCreated")
        values = {
            "statement": statement,
            "title": title,
            "body": review_text or first_of(article, "articleBody", "text"),
            "claimant": self._claimant_name(review),
            "claim_date": self._claim_date(review),
            "rating": self._rating_words(review),
            "review_date": review_date or first_of(article, "datePublished"),
            "publisher": self._publisher_name(review, article),
            "url": self._review_address(review, article),
            "language": self._claim_language(review, article, statement),
        }
        attribution = self._name(review.get("sdPublisher"))
        licence = addresses.read_address(_inner_address(review.get("sdLicense"))).url
        claim = claim_fields.parse_claim(values, prefix=self.source.prefix)
        used_values = [*values.values(), attribution, licence]
        retraction, texts_on_retraction = self._retraction_reason(review, article)
        if retraction:
            claim = replace(claim, rating=RETRACTED, rating_class=RatingClass.OTHER)
            used_values += texts_on_retraction
        self._note_unused(review, used_values)
        self._note_unread_dates(values)
        return AttributedClaim(claim, attribution, licence, retraction)

    def _retraction_reason(self, review: Node, article: Node) -> tuple[str, list[Any]]:
        """Return why a review counts no longer, "" if it counts, and the values that say so."""
        # schema.org has no field for a retraction, so publishers use several ones, in the
        # review or in the article around it.
        statuses = []
        corrections = []
        for node in (review, article):
            for key in STATUS_KEYS:
                statuses += [self._text_of_item(item) for item in as_list(node.get(key))]
            for key in REASON_KEYS:
                corrections += [self._text_of_item(item) for item in as_list(node.get(key))]
        expires = first_value(review.get("expires"))
        filled_statuses = [status_text for status_text in statuses if status_text]
        filled_corrections = [status_text for status_text in corrections if status_text]
        retraction_reason = reason_for(filled_statuses, filled_corrections, expires)
        return retraction_reason, [*statuses, *corrections, expires]

    def _text_of_item(self, item: Any) -> str:
        """Return the words of a text, or of an object such as a CorrectionComment."""
        if isinstance(item, Mapping) and "@value" not in item:
            return text_of(first_of(self._with_referred_node(item), "text", "name", "description"))
        return text_of(item)

    def _reviewed_statement(self, reviewed: Node) -> str:
        """Return the statement of the item reviewed, if it is a claim."""
        statement = text_of(reviewed.get("claimReviewed"))
        if not statement and "Claim" in types_of(reviewed):
            statement = text_of(first_of(reviewed, "text", "name", "description"))
        return statement

    def _claimant_name(self, review: Node) -> str:
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
        claim_nodes = list(self._nodes_of_property(review, "itemReviewed"))
        for node in self._nodes_of_property(review, "claimReviewed"):
            if node not in claim_nodes:
                claim_nodes.append(node)
        yield from claim_nodes
        for node in claim_nodes:
            for key in _APPEARANCE_KEYS:
                yield from self._nodes_of_property(node, key)

    def _rating_words(self, review: Node) -> str:
        """Return the publisher's words for the rating, wherever it is written.

        In turn: ``alternateName``, ``name`` as in older markup, words in ``ratingValue``, and a
        known label in an explanation or in the review itself. Never a number.
        """
        review_language = _language_of(review)
        rating_nodes: list[Node] = []
        for item in self._rating_items(review):
            if isinstance(item, Mapping):
                rating_nodes.append(self._with_referred_node(item))
            elif _has_letters(item):
                return text_of(item)
        # {"alternateName": "Mostly false", "ratingValue": "2"}
        for key in ("alternateName", "name", "ratingValue"):
            for rating_node in rating_nodes:
                rating = text_of(in_language(rating_node.get(key), review_language))
                if _has_letters(rating):
                    return rating
        return self._known_label(review, rating_nodes)

    def _known_label(self, review: Node, rating_nodes: Sequence[Node]) -> str:
        """Return the text beside a rating that is a known label such as "False", "" for none."""
        possible_labels = []
        for rating_node in rating_nodes:
            possible_labels.append(rating_node.get("ratingExplanation"))
            possible_labels.append(rating_node.get("description"))
        possible_labels.append(review.get("alternateName"))
        possible_labels.append(review.get("alternativeHeadline"))
        for possible_label in possible_labels:
            label = text_of(possible_label)
            if label and _is_known_rating(label):
                return label
        return ""

    def _rating_items(self, review: Node) -> list[Any]:
        """Return the ratings of a review; some publishers put them into the claim."""
        items = list(as_list(review.get("reviewRating")))
        for node in self._nodes_of_property(review, "itemReviewed"):
            items += as_list(node.get("reviewRating"))
        return items

    def _publisher_name(self, review: Node, article: Node) -> str:
        """Return the name of a review's publisher, or the host of its site.

        A reporter writes for an organisation, which rates: the organisation's name counts, unless
        there is none.
        """
        authors = list(self._nodes_of_property(review, "author"))
        # The author of the review rates, if it is an organisation; else the author's employer.
        possible_publishers = [review.get("author")]
        for author in authors:
            possible_publishers.append(author.get("worksFor") or author.get("affiliation"))
        possible_publishers.append(review.get("publisher"))
        possible_publishers.append(review.get("sourceOrganization"))
        possible_publishers.append(article.get("publisher"))
        for possible_publisher in possible_publishers:
            organisation = self._organisation_names(possible_publisher)
            if organisation:
                return organisation
        return self._publisher_of_site(review, article, authors)

    def _publisher_of_site(self, review: Node, article: Node, authors: Sequence[Node]) -> str:
        """Return the publisher of a review whose markup names no organisation."""
        # The site of a known publisher comes before the name of the reporter.
        url = self._review_address(review, article)
        site_publisher = ratings.publisher_of(url)
        is_known_site = site_publisher != ratings.host_of(url)
        if site_publisher and is_known_site:
            return site_publisher
        author_url = _inner_address(authors[0].get("url")) if authors else ""
        name = self._name_of(review, "author", "publisher")
        return name or ratings.publisher_of(author_url or url)

    def _organisation_names(self, value: Any) -> str:
        """Return the names of a value that are not names of persons, joined by commas."""
        organisation_names = []
        for item in as_list(value):
            name = self._name(item)
            # The schema.org types of the item, which may only refer to another item
            types: set[str] = set()
            if isinstance(item, Mapping):
                types = types_of(self._with_referred_node(item))
            if types:
                is_person = bool(types & PERSON_TYPES)
            else:  # the words of the name decide
                is_person = column_names.looks_like_person(name)
            if name and not is_person:
                organisation_names.append(name)
        distinct_names = dict.fromkeys(organisation_names)
        return ", ".join(distinct_names)

    def _review_address(self, review: Node, article: Node) -> str:
        """Return the address of a review's page; a relative one is completed.

        The page, the author's site or the publisher's site complete it.
        """
        possible_addresses = [
            _inner_address(review.get("url")),
            _inner_address(review.get("mainEntityOfPage")),
            _inner_address(review.get("@id")),
            _inner_address(article.get("url")),
            _inner_address(article.get("mainEntityOfPage")),
        ]
        base_url = self._base_url(review, possible_addresses)
        for possible_address in possible_addresses:
            # In these places a path is an address, also without a slash before it.
            address_text = possible_address
            if base_url and _RELATIVE_PATH_PATTERN.fullmatch(address_text):
                address_text = f"./{address_text}"
            address = addresses.read_address(address_text, base_url)
            if address.url:
                if address.change and self.source.notes:
                    self.source.notes.count(f"address {address.change}", possible_address)
                return address.url
        return self.source.page_url

    def _base_url(self, review: Node, possible_addresses: list[str]) -> str:
        """Return the address that completes relative ones: the page's, else the author's site."""
        possible_bases = [self.source.page_url, *possible_addresses]
        for key in ("author", "publisher"):
            possible_bases += [
                _inner_address(node.get("url")) for node in self._nodes_of_property(review, key)
            ]
        absolute_bases = [url for url in possible_bases if _is_absolute(url)]
        return absolute_bases[0] if absolute_bases else ""

    def _claim_language(self, review: Node, article: Node, statement: str) -> str:
        """Return the language that a review states, else the page's, else the statement's."""
        stated_language = _language_of(review) or _language_of(article)
        return stated_language or self.source.page_language or language.detect(statement)

    def _nodes_of_property(self, node: Node, key: str) -> Iterator[Node]:
        """Yield the nodes under a key, also those that it refers to by ``@id``."""
        for item in as_list(node.get(key)):
            if isinstance(item, Mapping):
                yield self._with_referred_node(item)
            elif isinstance(item, str) and item in self.nodes_by_id:
                yield self.nodes_by_id[item]

    def _with_referred_node(self, item: Node) -> Node:
        """Return a node, or the one that it refers to by ``@id``."""
        if set(item) == {"@id"} and isinstance(item["@id"], str):
            return self.nodes_by_id.get(item["@id"], item)
        return item

    def _name(self, name_value: Any) -> str:
        """Return the name of a person or organisation, given as text, object or list.

        Several names are joined by commas.
        """
        # A dict without values keeps each name once, in order.
        distinct_names: dict[str, None] = {}
        for item in as_list(name_value):
            name = item
            if isinstance(item, str) and item in self.nodes_by_id:
                name = first_value(self.nodes_by_id[item].get("name"))
            elif isinstance(item, Mapping):
                name = first_value(self._with_referred_node(item).get("name"))
            if isinstance(name, str) and not name.startswith(addresses.WEB_SCHEMES):
                distinct_names[claim_fields.clean_line(name)] = None
        distinct_names.pop("", None)
        return ", ".join(distinct_names)

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
        # Several claimants are joined in the first value.
        claimant_names = str(used_values[0]).split(", ")
        used_texts.update(claim_fields.clean_line(name) for name in claimant_names)
        for path, value in leaf_texts(review):
            leaf_text = claim_fields.clean_line(value)
            url = addresses.read_address(value, self.source.page_url).url
            # A relative address is used if a complete address ends with it.
            is_used_path = leaf_text.startswith("/") and any(
                used_text.endswith(leaf_text) for used_text in used_texts
            )
            is_used_address = url != "" and url in used_texts
            if leaf_text not in used_texts and not is_used_address and not is_used_path:
                self.source.notes.count_unused(f"{_REVIEW_TYPE}.{path}", leaf_text)

    def _note_unread_dates(self, values: Mapping[str, Any]) -> None:
        """Count dates that cannot be read."""
        for field_name in DATE_FIELDS:
            value = values[field_name]
            problem = day_reading(value).problem
            if value and problem and self.source.notes:
                field_words = field_name.replace("_", " ")
                remark = f"the {field_words} was not read ({problem})"
                self.source.notes.count(remark, str(value))


def _reviews_in(
    markup_value: Any, nesting_depth: int, surrounding_article: Node
) -> Iterator[tuple[Node, Node]]:
    """Yield every ClaimReview inside a value, with the article around it, {} if there is none."""
    if nesting_depth > MAX_DEPTH:
        return
    if isinstance(markup_value, list):
        for item in markup_value:
            yield from _reviews_in(item, nesting_depth + 1, surrounding_article)
    elif isinstance(markup_value, Mapping):
        if _is_review(markup_value):
            yield markup_value, surrounding_article
        article_of_values = (
            markup_value if types_of(markup_value) & ARTICLE_TYPES else surrounding_article
        )
        for key, inner_value in markup_value.items():
            if isinstance(inner_value, (list, dict)) and key not in _KEYS_WITHOUT_REVIEWS:
                yield from _reviews_in(inner_value, nesting_depth + 1, article_of_values)


def _articles_in(markup_value: Any, nesting_depth: int) -> Iterator[Node]:
    """Yield the articles inside a value, without those inside a review."""
    if nesting_depth > MAX_DEPTH:
        return
    if isinstance(markup_value, list):
        for item in markup_value:
            yield from _articles_in(item, nesting_depth + 1)
    elif isinstance(markup_value, Mapping) and not _is_review(markup_value):
        if types_of(markup_value) & ARTICLE_TYPES:
            yield markup_value
        for inner_value in markup_value.values():
            yield from _articles_in(inner_value, nesting_depth + 1)


def _is_review(node: Node) -> bool:
    """Return whether an object is a ClaimReview, by its type or by its claim."""
    types = types_of(node)
    if _REVIEW_TYPE in types:
        return True
    has_other_type = bool(types) and not types & _OTHER_REVIEW_TYPES
    return "claimReviewed" in node and not has_other_type


def _inner_address(address_value: Any) -> str:
    """Return the first address of a value as it is written: text, or object with url or ``@id``."""
    for address_or_object in as_list(address_value):
        address = address_or_object
        if isinstance(address_or_object, Mapping):
            address = first_value(address_or_object.get("url"))
            address = address or address_or_object.get("@id") or address_or_object.get("@value")
        if isinstance(address, str) and address.strip():
            return address.strip()
    return ""


def _is_known_rating(label: str) -> bool:
    return ratings.known_class(label) is not None


def _language_of(node: Node) -> str:
    """Return the code of the language that a node states, "" if it states none."""
    language_value = node.get("inLanguage")
    language_name = first_value(language_value)
    # A Language object has its code in ``alternateName``.
    for item in as_list(language_value):
        if isinstance(item, Mapping):
            language_name = first_of(item, "alternateName", "name") or language_name
            break
    return claim_fields.language_code(language_name)


def _is_absolute(url: str) -> bool:
    return url.lower().startswith(addresses.WEB_SCHEMES)


def _has_letters(value: Any) -> bool:
    """Return whether a value has words, not only a number."""
    return isinstance(value, str) and any(letter.isalpha() for letter in value)
