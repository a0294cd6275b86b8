"""Finds the field of a fact-check that a column of a file holds, by the words of its name.

Names are compared by their words: ``claimReview_author_name``, ``Claim Review: author.name`` and
``claim-review author name`` are one name. Well-known names come first, then rules about words
such as *verdict* and *link*, then misspellings of well-known names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

from assistant.core.table_files import is_nothing

# Well-known names of the fields of a VerifiedClaim, best first, without spaces and case.
FIELD_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "vclaim_id", "claim_id", "fact_check_id"),
    "statement": (
        "statement",
        "vclaim",
        "claim",
        "claim_text",
        "claim_reviewed",
        "verified_claim",
        "claim_review.claim_reviewed",
        "reviewed_claim",
        "checked_claim",
        "fact_checked_claim",
        "claim_statement",
        "article_claim",
        "claim_checked",
        "claim_description",
        "claim_title",
        "claim_content",
        "sources_quote",
        "quote",
        "assertion",
        "what_was_said",
        "claim_description.description",
        "claims",
        "claims.text",
        "item_reviewed.text",
    ),
    "title": (
        "title",
        "headline",
        "review_title",
        "fact_check_title",
        "article_title",
        "fact_check_headline",
        "curators_article_title",
        "extra_title",
    ),
    "body": (
        "body",
        "article",
        "text",
        "article_text",
        "content",
        "full_text",
        "article_body",
        "review_body",
        "article_content",
        "extra_body",
        "fact_check_content",
        "fact_check_text",
        "curator_complete_article",
        "analysis",
        "fact_check_summary",
        "summary",
        "explanation",
        "justification",
    ),
    "claimant": (
        "claimant",
        "speaker",
        "claim_author",
        "claim_author_name",
        "claim_speaker",
        "statement_originator",
        "creative_work_author_name",
        "item_reviewed.author.name",
        "claim_source_name",
        "originator",
        "politician",
        "said_by",
        "claimed_by",
        "made_by",
    ),
    "claim_date": (
        "claim_date",
        "date_said",
        "date_claimed",
        "statement_date",
        "item_reviewed.date_published",
        "creative_work_date_published",
        "sources_dates",
    ),
    "rating": (
        "rating",
        "truth_label",
        "label",
        "verdict",
        "review_rating",
        "textual_rating",
        "rating_name",
        "review_rating.alternate_name",
        "rating_alternate_name",
        "fact_check_rating",
        "fact_rating",
        "claim_label",
        "fact",
    ),
    "rating_class": ("rating_class",),
    "review_date": (
        "review_date",
        "date_checked",
        "date",
        "date_published",
        "publish_date",
        "published",
        "factcheck_date",
        "claim_review_date_published",
        "curated_date",
        "report_published_at",
        "published_at",
    ),
    "publisher": (
        "publisher",
        "reviewer_name",
        "review_publisher",
        "organisation",
        "organization",
        "claim_review.publisher.name",
        "claim_review_author_name",
        "publisher_name",
        "fact_checking_organisation",
        "fact_checking_organization",
        "author.name",
        "outlet",
    ),
    "url": (
        "url",
        "link",
        "review_url",
        "claim_review_url",
        "page_url",
        "factcheck_analysis_link",
        "fact_check_url",
        "fact_checking_article",
        "article_url",
        "permalink",
        "sources_url",
        "claim_url",
    ),
    "language": ("language", "lang", "in_language", "language_code"),
}
DATE_FIELDS = ("claim_date", "review_date")
# Columns that name a person or an organisation. An organisation is a publisher, a person is not.
CHECKER_NAMES = (
    "factchecker",
    "fact_checker",
    "checker",
    "checked_by",
    "fact_checked_by",
    "reviewer",
    "reviewed_by",
    "rated_by",
    "curator_name",
)
RATING_CODE_NAMES = ("rating_value", "review_rating.rating_value", "rating_rating_value")
MAX_COLUMN_NAME_CHARACTERS = 80
MISSPELT_MIN_CHARACTERS = 6
MISSPELT_MIN_LIKENESS = 0.85
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")
_EXPLANATION = re.compile(r"\s*\(.*$|\s+\[.*$|\s*[:*?]+\s*$")  # Link (to the article), Verdict:
_CLAIM_SIDE = {"claim", "claimed", "statement", "said", "stated", "made", "quote", "spoken"}
_REVIEW_SIDE = {"review", "reviewed", "check", "checked", "factcheck", "fact", "verdict", "rated"}
_REVIEW_SIDE |= {"published", "article", "publication", "checking", "analysis"}
_OTHER_ADDRESSES = {
    "source",
    "original",
    "origin",
    "archive",
    "archived",
    "image",
    "video",
    "media",
}
_OTHER_ADDRESSES |= {"author", "publisher", "logo", "tweet", "post", "site", "evidence", "photo"}
_OTHER_ADDRESSES |= {
    "appearance",
    "item",
    "licence",
    "license",
    "social",
    "profile",
    "thumbnail",
    "cached",
}
_ADDRESS_WORDS = {"url", "link", "href", "uri", "address", "permalink", "hyperlink", "weblink"}
_DATE_WORDS = {"date", "day", "datum", "fecha", "timestamp"}
_RATING_WORDS = {"rating", "verdict", "ruling", "veracity", "truthfulness", "conclusion"}
_RATING_WORDS |= {"judgement", "judgment", "finding", "rated", "truthometer", "meter"}
_NO_RATING_WORDS = {"value", "best", "worst", "count", "explanation", "image", "class", "number"}
_NO_RATING_WORDS |= {"id", "date", "url", "link", "code", "score", "by", "author", "icon", "reason"}
_OTHER_DATES = {"update", "updated", "modified", "import", "imported", "created", "crawled"}
_OTHER_DATES |= {"scraped", "accessed", "retrieved", "added", "submitted", "archived", "access"}
_ORGANISATION_WORD = re.compile(
    r"check|fact|news|verif|times|post\b|press|media|watch|truth|polit|\borg|\.|centre|center"
    r"|agency|tribune|herald|gazette|journal|institute|bureau|desk|radio|\btv\b|network|daily"
    r"|university|report|stories|foundation|project|team|lab\b|snopes|\bthe\b|&",
    re.I,
)
_PERSON_NAME = re.compile(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){1,3}")


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case: *claim review url* for ``claimReviewUrl``."""
    words = tuple(word.casefold() for word in _NAME_WORD.findall(name))
    joined = " ".join(words).replace("fact check", "factcheck")
    return tuple(joined.split())


def _names_by_bare_form() -> dict[str, tuple[str, int]]:
    """Return field and rank of each well-known name."""
    known: dict[str, tuple[str, int]] = {}
    for field_name, names in FIELD_NAMES.items():
        for rank, name in enumerate(names):
            known.setdefault(bare(name), (field_name, rank))
    return known


_KNOWN_NAMES = _names_by_bare_form()
_RULE_RANK = 100
_MISSPELT_RANK = 200
_CODE_RANK = 300


@lru_cache(maxsize=4096)
def field_of(name: str) -> tuple[str, int] | None:
    """Return the field that a column's name stands for and its rank, 0 for the best name.

    None if the name stands for no field.
    """
    if len(name) > MAX_COLUMN_NAME_CHARACTERS:
        return None
    known = _KNOWN_NAMES.get(bare(name))
    if known:
        return known
    if bare(name) in _CHECKERS:
        return "checker", 0
    if bare(name) in _CODES:
        return "rating", _CODE_RANK
    explained = _EXPLANATION.sub("", name)
    if explained.strip() and explained != name:
        return field_of(explained.strip())
    words = set(words_of(name))
    field_name = _field_by_words(words)
    if field_name:
        return field_name, _RULE_RANK + len(name)
    # The rules know these names and left them out on purpose.
    if words & (_ADDRESS_WORDS | _DATE_WORDS | _RATING_WORDS):
        return None
    return _misspelt_field(name)


_MEEDAN_NAMES = {"itempageurl", "reportpublishedat"}
_CHECKERS = {bare(name) for name in CHECKER_NAMES}
_CODES = {bare(name) for name in RATING_CODE_NAMES}


def _field_by_words(words: set[str]) -> str | None:
    """Return the field of a name by rules about its words, None if no rule applies."""
    # An address or a date may belong to the claim or to its review.
    is_claim_side = bool(words & _CLAIM_SIDE)
    is_review_side = bool(words & _REVIEW_SIDE)
    if words & _DATE_WORDS or "published" in words:
        if words & _OTHER_DATES:
            return None
        return "claim_date" if is_claim_side and not is_review_side else "review_date"
    if words & _ADDRESS_WORDS:
        if words & _OTHER_ADDRESSES:
            return None
        return "url" if is_review_side or not is_claim_side else None
    if words & _RATING_WORDS:
        return None if words & _NO_RATING_WORDS else "rating"
    if words & {"speaker", "claimant", "originator"}:
        return None if words & {"party", "job", "title", "state", "url", "id"} else "claimant"
    if words & {"publisher", "organisation", "organization"}:
        return None if words & {"site", "url", "id", "logo", "country"} else "publisher"
    if words & {"headline", "title"}:
        return "title" if is_review_side else None
    return _statement_or_body(words, is_review_side)


def _statement_or_body(words: set[str], is_review_side: bool) -> str | None:
    """Return the field of a name that has words about a text."""
    texts = words & {"text", "content", "wording", "words"}
    if texts and words & {"claim", "statement", "quote"} and not is_review_side:
        return "statement"
    if words in ({"claim"}, {"statement"}, {"the", "claim"}, {"the", "statement"}):
        return "statement"
    if is_review_side and (texts or words & {"body", "summary", "analysis", "explanation"}):
        return "body"
    if words & {"language", "locale"} and len(words) <= 2:
        return "language"
    return None


def _misspelt_field(name: str) -> tuple[str, int] | None:
    """Return the field of the well-known name that a name misspells, None if there is none."""
    bare_name = bare(name)
    if len(bare_name) < MISSPELT_MIN_CHARACTERS:
        return None
    close_names = get_close_matches(bare_name, _KNOWN_NAMES, n=1, cutoff=MISSPELT_MIN_LIKENESS)
    if not close_names or abs(len(close_names[0]) - len(bare_name)) > 1:
        return None
    return _KNOWN_NAMES[close_names[0]][0], _MISSPELT_RANK


@dataclass(slots=True)
class ColumnMap:
    """The columns of each field, best first, and the columns that name a fact-checker."""

    columns: dict[str, list[str]] = field(default_factory=dict)
    checker_columns: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """Say which column was read as which field."""
        pairs = []
        for field_name, names in self.columns.items():
            if names:
                pairs.append(f"{field_name} from {' or '.join(repr(name) for name in names)}")
        return f"columns: {', '.join(pairs)}."


def map_columns(names: Iterable[str], chosen: Mapping[str, str] | None = None) -> ColumnMap:
    """Assign the columns of a file to fields. ``chosen`` maps a field to its column by hand."""
    names = list(names)
    chosen = chosen or {}
    ranked: dict[str, list[tuple[int, int, str]]] = {}
    checkers = []
    for position, name in enumerate(names):
        field_and_rank = field_of(name) if name not in chosen.values() else None
        if field_and_rank is None:
            continue
        field_name, rank = field_and_rank
        if field_name == "checker":
            checkers.append(name)
        elif field_name not in chosen:
            ranked.setdefault(field_name, []).append((rank, position, name))
    columns = {}
    for field_name in FIELD_NAMES:
        if field_name in chosen:
            # An empty choice: the file doesn't have the field.
            columns[field_name] = [chosen[field_name]] if chosen[field_name] else []
        elif field_name in ranked:
            columns[field_name] = [name for _, _, name in sorted(ranked[field_name])]
    status = _status_of_meedan_check(names)
    if status and "rating" not in columns:
        columns["rating"] = [status]
    return ColumnMap(columns, checkers)


def _status_of_meedan_check(names: Sequence[str]) -> str:
    """Return the column that has the rating in an export of Meedan's Check, "" for another file."""
    if not _MEEDAN_NAMES & {bare(name) for name in names}:
        return ""
    return next((name for name in names if bare(name) == "status"), "")


def count_known(names: Sequence[str]) -> int:
    """Count the fields that some names stand for; texts without letters don't count."""
    fields = set()
    for name in names:
        has_letters = any(letter.isalpha() for letter in name)
        field_and_rank = field_of(name) if has_letters and not is_nothing(name) else None
        if field_and_rank:
            fields.add(field_and_rank[0])
    return len(fields)


def column_keys(names: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return a key for each column: its name, or its group's name and its own.

    The group is added if several columns share a name, or if a name such as *Text* could be any
    text and no other column has the statement.
    """
    has_statement = any((field_of(name) or ("",))[0] == "statement" for name in names)
    keys = []
    for name, group in zip(names, groups, strict=True):
        combined = f"{group} {name}".strip()
        is_repeated = names.count(name) > 1
        gives_statement = not has_statement and (field_of(combined) or ("",))[0] == "statement"
        keys.append(combined if group and (is_repeated or gives_statement) else name)
    return keys


def looks_like_person(name: str) -> bool:
    """Return whether a name looks like a person's name, not like an organisation's."""
    return bool(_PERSON_NAME.fullmatch(name.strip())) and not _ORGANISATION_WORD.search(name)
