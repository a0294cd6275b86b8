"""Finds speaker labels inside a line, behind the end of a sentence: ``Is that so? TOM: Yes.``"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from assistant.transcripts.full_stop_labels import TITLES
from assistant.transcripts.label_heads import name_quality

MIN_INNER_REPEATS = 2
MAX_CHARACTERS_BEFORE_TURN = 60

_ENDS_BEFORE_TURN = '.?!…)]”"’—–-'
_TWO_LETTERS_PATTERN = re.compile(r"[^\W\d_]{2}")
# A short head behind a sentence: "Is that so? Tom Abara: Yes."
_INNER_NAME_PATTERN = re.compile(
    r"(?:(?<=[.?!…][”\"’)\]]\s)|(?<=[.?!…]\s))(?P<name>[^\W\d_][\w.’'-]{0,30}(?:\s[\w.’'-]{1,30}){0,3}):\s"
)
# The end of a sentence that the next label is stuck to
_GLUED_END_PATTERN = re.compile(r"[^\W\d_A-Z][.?!…]+[)\]”\"’]?$|[.?!…][)\]”\"’]$")
# A colon that ends a label, maybe behind a role in brackets: "Tom (AP): Yes."
_LABEL_COLON_PATTERN = re.compile(r"(?P<role>\s\([^()\n]{1,40}\))?:(?=\s)")


@dataclass(frozen=True, slots=True)
class InnerLabel:
    """A known name with a colon: its first character, and where the speech behind it begins."""

    name: str
    start: int
    end: int


class InnerLabels:
    """The known names of a text, which are found before colons anywhere in its lines."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(filter(None, names))
        self._name_lengths = sorted({len(name) for name in self._names}, reverse=True)

    def in_line(self, text: str, start: int = 0) -> Iterator[InnerLabel]:
        """Yield the labels that begin at a character or behind it, in their order."""
        if ":" not in text:
            return
        earliest_start = start
        for colon in _LABEL_COLON_PATTERN.finditer(text, start):
            name_start = self._name_start(text, earliest_start, colon.start())
            if name_start is not None:
                name = text[name_start : colon.start()]
                yield InnerLabel(name, name_start, colon.end())
                earliest_start = colon.end()

    def _name_start(self, text: str, earliest_start: int, name_end: int) -> int | None:
        """Return the start of the longest known name that ends at a character, None without one."""
        # The lengths begin with the greatest.
        for length in self._name_lengths:
            start = name_end - length
            if start < earliest_start or text[start:name_end] not in self._names:
                continue
            previous_character = text[start - 1 : start] if start else ""
            is_inside_word = previous_character.isalnum() or previous_character == "_"
            if not is_inside_word:
                return start
        return None


def recurring_inner_names(texts: Iterable[str], head_names: Collection[str]) -> set[str]:
    """Return names behind sentences inside lines that occur twice, as labels do: ``So? Tom: Yes.``

    They are written like the names at the head of lines: in capitals, in lower case, or neither.
    """
    usual_capitalisations = {_capitalisation(name) for name in head_names if name}
    name_counts: Counter[str] = Counter()
    for text in texts:
        if ":" not in text:
            continue
        for match in _INNER_NAME_PATTERN.finditer(text):
            if begins_turn(text, match.start("name")):
                name_counts[match["name"]] += 1
    names = set()
    for name, count in name_counts.items():
        is_alike = _capitalisation(name) in usual_capitalisations
        if count >= MIN_INNER_REPEATS and is_alike and name_quality(name) is not None:
            names.add(name)
    return names


def _capitalisation(text: str) -> str:
    if text.isupper():
        return "capitals"
    return "lower case" if text.islower() else "mixed"


def begins_turn(text: str, start: int) -> bool:
    """Return whether a label may begin at a character: behind a sentence, not inside a name."""
    search_start = max(0, start - MAX_CHARACTERS_BEFORE_TURN)
    text_before = text[search_start:start]
    stripped = text_before.rstrip()
    if not stripped or stripped[-1] not in _ENDS_BEFORE_TURN:
        return False
    if not _TWO_LETTERS_PATTERN.search(text_before):
        return False
    has_space = stripped != text_before
    if not has_space and not _GLUED_END_PATTERN.search(text_before):
        return False
    # "J." in "J. Doe:" and "Dr." in "Dr. Doe:" end no sentence.
    last_word = stripped.split()[-1]
    is_initial = len(last_word) == 2 and last_word[0].isupper() and last_word[1] == "."
    is_title = last_word.strip(".").lower() in TITLES
    return not is_initial and not is_title
