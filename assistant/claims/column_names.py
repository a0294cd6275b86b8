"""Finds the field of a fact-check that a column of a file holds, by the words of its name.

Names are compared by their words: ``claimReview_author_name``, ``Claim Review: author.name`` and
``claim-review author name`` are one name. Well-known names come first, then rules about words
such as *verdict* and *link*, then misspellings of well-known names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

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
_FILLERS = frozenset(
    "the a an our your their we you they it this that what is was are were did does do full exact"
    " text of".split()
)
_LIST_POSITION = re.compile(r"[\[./_ ](\d{1,3})(?=[\]./_ ]|$)\]?")
_REVIEW_PATH = re.compile(r"^claim[ _-]?reviews?[./_ \[]+(?=.)", re.I)
_COLUMN_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")
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
_DATE_WORDS = {"date", "day", "datum", "fecha", "timestamp", "when"}
_CHECKED_TEXTS = {"claim", "statement", "quote", "quotation", "assertion"}
_CHECK_WORDS = {"factchecked", "fact", "checked", "verified", "reviewed", "examined", "original"}
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
    words = tuple(word.casefold() for word in _COLUMN_WORD.findall(name))
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
    if len(name) > MAX_COLUMN_NAME_CHARACTERS or "://" in name:
        return None
    known = _known_field(bare(name))
    if known:
        return known
    plainer_name = _plainer(name)
    if plainer_name != name:
        return field_of(plainer_name) if plainer_name else None
    telling_words = [word for word in words_of(name) if word not in _FILLERS]
    known = _known_field("".join(telling_words))
    if known:
        return known
    words = set(words_of(name))
    field_name = _field_by_words(words)
    if field_name:
        return field_name, _RULE_RANK + len(name)
    # The rules know these names and left them out on purpose.
    if words & (_ADDRESS_WORDS | _DATE_WORDS | _RATING_WORDS):
        return None
    return _misspelt_field(name)


def _known_field(bare_name: str) -> tuple[str, int] | None:
    """Return field and rank of a well-known name, None for another name."""
    if bare_name in _KNOWN_NAMES:
        return _KNOWN_NAMES[bare_name]
    if bare_name in _CHECKERS:
        return "checker", 0
    return ("rating", _CODE_RANK) if bare_name in _CODES else None


def _plainer(name: str) -> str:
    """Return a name without explanations, positions in lists, and the path to a review.

    "" for the second review of a row and those after it: the first counts.
    """
    explained = _EXPLANATION.sub("", name).strip()
    if explained and explained != name:
        return explained
    positions = [int(digits) for digits in _LIST_POSITION.findall(name)]
    if positions:
        return "" if max(positions) > 0 else _LIST_POSITION.sub("", name)
    inner_name = _REVIEW_PATH.sub("", name)
    return inner_name if bare(inner_name) in _KNOWN_NAMES else name


_CHECKERS = {bare(name) for name in CHECKER_NAMES}
_CODES = {bare(name) for name in RATING_CODE_NAMES}


def _field_by_words(words: set[str]) -> str | None:
    """Return the field of a name by rules about its words, None if no rule applies."""
    # An address or a date may belong to the claim or to its review.
    is_claim_side = bool(words & _CLAIM_SIDE)
    is_review_side = bool(words & _REVIEW_SIDE)
    if "who" in words or words <= {"statement", "claim", "quote", "by"}:
        return _person_field(words)
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
    if words & {"speaker", "claimant", "originator", "politician"}:
        return None if words & {"party", "job", "title", "state", "url", "id"} else "claimant"
    if words & {"publisher", "organisation", "organization", "org"}:
        return None if words & {"site", "url", "id", "logo", "country"} else "publisher"
    if words & {"headline", "title"}:
        return "title" if is_review_side else None
    return _statement_or_body(words, is_review_side)


def _person_field(words: set[str]) -> str | None:
    """Return the field of a name that asks who did something: *Who said it?*, *Statement by*."""
    if words & {"said", "made", "claimed", "stated", "spoke", "says", "claims", "by"}:
        return "claimant"
    return None


def _statement_or_body(words: set[str], is_review_side: bool) -> str | None:
    """Return the field of a name that has words about a text."""
    telling_words = words - _FILLERS
    if telling_words & _CHECKED_TEXTS and telling_words <= _CHECKED_TEXTS | _CHECK_WORDS:
        return "statement"
    texts = words & {"text", "content", "wording", "words"}
    if texts and words & {"claim", "statement", "quote"} and not is_review_side:
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
    for field_name, name in _service_columns(names, ranked):
        if field_name not in chosen:
            ranked.setdefault(field_name, []).append((_RULE_RANK, 0, name))
    columns = {}
    for field_name in FIELD_NAMES:
        if field_name in chosen:
            # An empty choice: the file doesn't have the field.
            columns[field_name] = [chosen[field_name]] if chosen[field_name] else []
        elif field_name in ranked:
            columns[field_name] = [name for _, _, name in sorted(ranked[field_name])]
    return ColumnMap(columns, checkers)


def _service_columns(
    names: Sequence[str], ranked: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """Yield field and column of names that only the table of a known service has in this sense."""
    by_bare_name = {bare(name): name for name in reversed(names)}
    for signs, fields_by_name in SERVICE_TABLES:
        if not any(all(sign in by_bare_name for sign in some_signs) for some_signs in signs):
            continue
        for bare_name, field_name in fields_by_name.items():
            if bare_name in by_bare_name and field_name not in ranked:
                yield field_name, by_bare_name[bare_name]


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
