"""Finds the field of a fact-check that a column of a file holds, by the words of its name.

Names are compared by their words: ``claimReview_author_name``, ``Claim Review: author.name`` and
``claim-review author name`` are one name. Well-known names come first, then rules about words
such as *verdict* and *link*, then misspellings of well-known names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from assistant.claims.usual_names import (
    CHECKER_NAMES,
    FIELD_NAMES,
    RATING_CODE_NAMES,
    SERVICE_TABLES,
)
from assistant.core.cell_texts import is_nothing

MAX_COLUMN_NAME_CHARACTERS = 80
MISSPELT_MIN_CHARACTERS = 6
MISSPELT_MIN_LIKENESS = 0.85
# Words that column names have and that say nothing: What is the claim?
_FILLER_WORDS = frozenset(
    "the a an our your their we you they it this that what is was are were did does do full exact"
    " text of".split()
)
# claimReview[0].url, claims.2.text
_LIST_POSITION_PATTERN = re.compile(r"[\[./_ ](?P<position>\d{1,3})(?=[\]./_ ]|$)\]?")
_REVIEW_PATH_PATTERN = re.compile(r"^claim[ _-]?reviews?[./_ \[]+(?=.)", re.IGNORECASE)
_COLUMN_WORD_PATTERN = re.compile(
    r"""
      [A-Z]+ (?![a-z])         # URL, also in URLAddress
    | [A-Z]? [^\W\d_A-Z]+      # claim, Review
    | [^\W\d_]+                # letters without case
    """,
    re.VERBOSE,
)
_EXPLANATION_PATTERN = re.compile(
    r"""
      \s{0,20} \( .{0,99} $          # Link (to the article)
    | \s{1,20} \[ .{0,99} $          # Link [optional]
    | \s{0,20} [:*?]{1,20} \s{0,20} $  # Verdict:
    """,
    re.VERBOSE,
)
_CLAIM_WORDS = {"claim", "claimed", "statement", "said", "stated", "made", "quote", "spoken"}
_REVIEW_WORDS = {"review", "reviewed", "check", "checked", "factcheck", "fact", "verdict", "rated"}
_REVIEW_WORDS |= {"published", "article", "publication", "checking", "analysis"}
_UNUSED_ADDRESS_WORDS = {
    "source",
    "original",
    "origin",
    "archive",
    "archived",
    "image",
    "video",
    "media",
}
_UNUSED_ADDRESS_WORDS |= {
    "author",
    "publisher",
    "logo",
    "tweet",
    "post",
    "site",
    "evidence",
    "photo",
}
_UNUSED_ADDRESS_WORDS |= {
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
_DATE_WORDS = {"date", "day", "datum", "fecha", "timestamp", "when"}
_CHECKED_TEXT_WORDS = {"claim", "statement", "quote", "quotation", "assertion"}
_CHECK_WORDS = {"factchecked", "fact", "checked", "verified", "reviewed", "examined", "original"}
_RATING_WORDS = {"rating", "verdict", "ruling", "veracity", "truthfulness", "conclusion"}
_RATING_WORDS |= {"judgement", "judgment", "finding", "rated", "truthometer", "meter"}
_RATING_ATTRIBUTE_WORDS = {
    "value",
    "best",
    "worst",
    "count",
    "explanation",
    "image",
    "class",
    "number",
}
_RATING_ATTRIBUTE_WORDS |= {
    "id",
    "date",
    "url",
    "link",
    "code",
    "score",
    "by",
    "author",
    "icon",
    "reason",
}
_CLAIMANT_WORDS = {"speaker", "claimant", "originator", "politician"}
_CLAIMANT_ATTRIBUTE_WORDS = {"party", "job", "title", "state", "url", "id"}
_PUBLISHER_WORDS = {"publisher", "organisation", "organization", "org"}
_PUBLISHER_ATTRIBUTE_WORDS = {"site", "url", "id", "logo", "country"}
_UNUSED_DATE_WORDS = {"update", "updated", "modified", "import", "imported", "created", "crawled"}
_UNUSED_DATE_WORDS |= {
    "scraped",
    "accessed",
    "retrieved",
    "added",
    "submitted",
    "archived",
    "access",
}
_ORGANISATION_WORD_PATTERN = re.compile(
    r"check|fact|news|verif|times|post\b|press|media|watch|truth|polit|\borg|\.|centre|center"
    r"|agency|tribune|herald|gazette|journal|institute|bureau|desk|radio|\btv\b|network|daily"
    r"|university|report|stories|foundation|project|team|lab\b|snopes|\bthe\b|&",
    re.I,
)
_PERSON_NAME_PATTERN = re.compile(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){1,3}")


@lru_cache(maxsize=4096)
def letters_and_digits(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case: *claim review url* for ``claimReviewUrl``."""
    words = [word.casefold() for word in _COLUMN_WORD_PATTERN.findall(name)]
    # "Fact check", "factCheck" and "factcheck" are one word.
    spaced_words = " ".join(words).replace("fact check", "factcheck")
    return tuple(spaced_words.split())


class FieldRank(NamedTuple):
    """The field that a column's name stands for, and how good the name is; 0 is the best."""

    field_name: str
    rank: int


def _fields_by_bare_name() -> dict[str, FieldRank]:
    """Return field and rank of each well-known name."""
    fields: dict[str, FieldRank] = {}
    for field_name, names in FIELD_NAMES.items():
        for rank, name in enumerate(names):
            fields.setdefault(letters_and_digits(name), FieldRank(field_name, rank))
    return fields


_FIELDS_BY_BARE_NAME = _fields_by_bare_name()
_RULE_RANK = 100
_MISSPELT_RANK = 200
_CODE_RANK = 300


@lru_cache(maxsize=4096)
def field_of(column_name: str) -> FieldRank | None:
    """Return the field that a column's name stands for and its rank, 0 for the best name.

    None if the name stands for no field.
    """
    if len(column_name) > MAX_COLUMN_NAME_CHARACTERS or "://" in column_name:
        return None
    known_field = _known_field(letters_and_digits(column_name))
    if known_field:
        return known_field
    # Try again with the name without explanations and positions in lists.
    simplified_name = _simplified_name(column_name)
    if simplified_name != column_name:
        return field_of(simplified_name) if simplified_name else None
    specific_words = [word for word in words_of(column_name) if word not in _FILLER_WORDS]
    known_field = _known_field("".join(specific_words))
    if known_field:
        return known_field
    name_words = set(words_of(column_name))
    field_name = _field_by_words(name_words)
    if field_name:
        # Of two names a rule finds, the shorter one is better.
        return FieldRank(field_name, _RULE_RANK + len(column_name))
    # The rules know these names and left them out on purpose.
    if name_words & (_ADDRESS_WORDS | _DATE_WORDS | _RATING_WORDS):
        return None
    return _misspelt_field(column_name)


def _known_field(bare_name: str) -> FieldRank | None:
    """Return field and rank of a well-known name, None for another name."""
    if bare_name in _FIELDS_BY_BARE_NAME:
        return _FIELDS_BY_BARE_NAME[bare_name]
    if bare_name in _BARE_CHECKER_NAMES:
        return FieldRank("checker", 0)
    if bare_name in _BARE_CODE_NAMES:
        return FieldRank("rating", _CODE_RANK)
    return None


def _simplified_name(column_name: str) -> str:
    """Return a name without explanations, positions in lists, and the path to a review.

    "" for the second review of a row and those after it: the first counts.
    """
    # "date (YYYY-MM-DD)"
    unexplained_name = _EXPLANATION_PATTERN.sub("", column_name).strip()
    if unexplained_name and unexplained_name != column_name:
        return unexplained_name
    # "claimReview[0].url" belongs to the first review, "claimReview[1].url" to a later one.
    list_positions = [int(digits) for digits in _LIST_POSITION_PATTERN.findall(column_name)]
    if list_positions:
        is_of_first_review = max(list_positions) == 0
        return _LIST_POSITION_PATTERN.sub("", column_name) if is_of_first_review else ""
    # "claimReview.url", if a field has the name "url"
    inner_name = _REVIEW_PATH_PATTERN.sub("", column_name)
    return inner_name if letters_and_digits(inner_name) in _FIELDS_BY_BARE_NAME else column_name


_BARE_CHECKER_NAMES = {letters_and_digits(name) for name in CHECKER_NAMES}
_BARE_CODE_NAMES = {letters_and_digits(name) for name in RATING_CODE_NAMES}


def _field_by_words(words: set[str]) -> str | None:
    """Return the field of a name by rules about its words, None if no rule applies."""
    # An address or a date may belong to the claim or to its review.
    mentions_claim = bool(words & _CLAIM_WORDS)
    mentions_review = bool(words & _REVIEW_WORDS)
    mentions_only_claim = mentions_claim and not mentions_review
    if "who" in words or words <= {"statement", "claim", "quote", "by"}:
        return _person_field(words)
    if words & _DATE_WORDS or "published" in words:
        # "Date added" is of no interest.
        if words & _UNUSED_DATE_WORDS:
            return None
        return "claim_date" if mentions_only_claim else "review_date"
    if words & _ADDRESS_WORDS:
        is_other_address = bool(words & _UNUSED_ADDRESS_WORDS)
        return None if is_other_address or mentions_only_claim else "url"
    if words & _RATING_WORDS:
        return None if words & _RATING_ATTRIBUTE_WORDS else "rating"
    # "Speaker's party" is about the claimant, without naming the claimant.
    if words & _CLAIMANT_WORDS:
        return None if words & _CLAIMANT_ATTRIBUTE_WORDS else "claimant"
    if words & _PUBLISHER_WORDS:
        return None if words & _PUBLISHER_ATTRIBUTE_WORDS else "publisher"
    if words & {"headline", "title"}:
        return "title" if mentions_review else None
    return _statement_or_body(words, mentions_review)


def _person_field(words: set[str]) -> str | None:
    """Return the field of a name that asks who did something: *Who said it?*, *Statement by*."""
    if words & {"said", "made", "claimed", "stated", "spoke", "says", "claims", "by"}:
        return "claimant"
    return None


def _statement_or_body(words: set[str], mentions_review: bool) -> str | None:
    """Return the field of a name that has words about a text."""
    # "The checked claim"
    telling_words = words - _FILLER_WORDS
    mentions_checked_text = not telling_words.isdisjoint(_CHECKED_TEXT_WORDS)
    has_other_words = bool(telling_words - _CHECKED_TEXT_WORDS - _CHECK_WORDS)
    if mentions_checked_text and not has_other_words:
        return "statement"
    # "Text of the claim", but not "text of the fact-check"
    mentions_text = not words.isdisjoint({"text", "content", "wording", "words"})
    mentions_statement = not words.isdisjoint({"claim", "statement", "quote"})
    if mentions_text and mentions_statement and not mentions_review:
        return "statement"
    # "Summary of the fact-check"
    mentions_long_text = not words.isdisjoint({"body", "summary", "analysis", "explanation"})
    if mentions_review and (mentions_text or mentions_long_text):
        return "body"
    # "Language of the claim" has three words: it is of no interest.
    mentions_language = not words.isdisjoint({"language", "locale"})
    if mentions_language and len(words) <= 2:
        return "language"
    return None


def _misspelt_field(column_name: str) -> FieldRank | None:
    """Return the field of the well-known name that a name misspells, None if there is none."""
    bare_name = letters_and_digits(column_name)
    if len(bare_name) < MISSPELT_MIN_CHARACTERS:
        return None
    close_names = get_close_matches(
        bare_name, _FIELDS_BY_BARE_NAME, n=1, cutoff=MISSPELT_MIN_LIKENESS
    )
    if not close_names:
        return None
    known_name = close_names[0]
    if abs(len(known_name) - len(bare_name)) > 1:
        return None
    return FieldRank(_FIELDS_BY_BARE_NAME[known_name].field_name, _MISSPELT_RANK)


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


def map_columns(all_columns: Iterable[str], chosen: Mapping[str, str] | None = None) -> ColumnMap:
    """Assign the columns of a file to fields. ``chosen`` maps a field to its column by hand."""
    all_columns = list(all_columns)
    chosen_columns = chosen or {}
    # For each field its columns as (rank, position, name): sorted, the best and first comes first.
    ranked_columns: dict[str, list[tuple[int, int, str]]] = {}
    checker_columns = []
    for column_position, column in enumerate(all_columns):
        if column in chosen_columns.values():
            continue
        field_rank = field_of(column)
        if field_rank is None:
            continue
        if field_rank.field_name == "checker":
            checker_columns.append(column)
        else:
            ranked_column = (field_rank.rank, column_position, column)
            ranked_columns.setdefault(field_rank.field_name, []).append(ranked_column)
    for field_name, column in _columns_of_known_service(all_columns):
        if field_name not in ranked_columns:
            ranked_columns[field_name] = [(_RULE_RANK, 0, column)]

    columns_by_field = {}
    for field_name in FIELD_NAMES:
        if field_name in chosen_columns:
            # An empty choice: the file doesn't have the field.
            chosen_column = chosen_columns[field_name]
            columns_by_field[field_name] = [chosen_column] if chosen_column else []
        elif field_name in ranked_columns:
            columns_by_field[field_name] = [
                column for _, _, column in sorted(ranked_columns[field_name])
            ]
    return ColumnMap(columns_by_field, checker_columns)


def _columns_of_known_service(column_names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield field and column of names that only the table of a known service has in this sense."""
    # A bare name has letters and digits only. Of columns with the same one, the first one counts, which
    # comes last here.
    name_by_bare_name = {
        letters_and_digits(column_name): column_name for column_name in reversed(column_names)
    }
    bare_names = name_by_bare_name.keys()
    for name_sets, field_by_bare_name in SERVICE_TABLES:
        # A table is a service's if it has all names of one of these sets.
        is_table_of_service = any(bare_names >= set(name_set) for name_set in name_sets)
        if not is_table_of_service:
            continue
        for bare_name, field_name in field_by_bare_name.items():
            if bare_name in name_by_bare_name:
                yield field_name, name_by_bare_name[bare_name]


def is_name_of_field(name: str, field_name: str) -> bool:
    """Return whether a column's name stands for a field."""
    field_rank = field_of(name)
    return field_rank is not None and field_rank.field_name == field_name


def count_known_fields(column_names: Sequence[str]) -> int:
    """Count the fields that some names stand for; texts without letters don't count."""
    known_fields = set()
    for column_name in column_names:
        has_letters = any(character.isalpha() for character in column_name)
        if not has_letters or is_nothing(column_name):
            continue
        field_rank = field_of(column_name)
        if field_rank:
            known_fields.add(field_rank.field_name)
    return len(known_fields)


def names_with_groups(column_names: Sequence[str], group_names: Sequence[str]) -> list[str]:
    """Return a key for each column: its name, or its group's name and its own.

    The group is added if several columns share a name, or if a name such as *Text* could be any
    text and no other column has the statement.
    """
    # The name of a group stands above the names of its columns, in a row of its own.
    has_statement_column = any(
        is_name_of_field(column_name, "statement") for column_name in column_names
    )
    name_counts = Counter(column_names)
    unique_names = []
    for column_name, group_name in zip(column_names, group_names, strict=True):
        name_with_group = f"{group_name} {column_name}".strip()
        # "Claim" above "Text" names the column of the statements.
        names_statement = is_name_of_field(name_with_group, "statement")
        becomes_statement_column = names_statement and not has_statement_column
        is_repeated = name_counts[column_name] > 1
        if group_name and (is_repeated or becomes_statement_column):
            unique_names.append(name_with_group)
        else:
            unique_names.append(column_name)
    return unique_names


def looks_like_person(name: str) -> bool:
    """Return whether a name looks like a person's name, not like an organisation's."""
    if _ORGANISATION_WORD_PATTERN.search(name):
        return False
    return _PERSON_NAME_PATTERN.fullmatch(name.strip()) is not None
