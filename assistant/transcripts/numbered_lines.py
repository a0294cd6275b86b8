"""Numbered lines of text, and restored line breaks of pages that lost them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

MAX_CHARACTERS_PER_BREAK = 2000  # a text with fewer line breaks has lost them

# A label in capitals behind the end of a sentence: "... done. HOLT: Thank you"
_CAPITAL_LABEL = re.compile(
    r"(?:(?<=[a-z.?!)\]”\"…–—-])|(?<=[.?!)\]”\"…–—-] )|^)"
    r"(?P<name>(?:[A-Z][A-Z.’'-]{1,40}\s){0,4}[A-Z][A-Z’'-]{2,40}(?:,? [A-Z.]{2,20}){0,3}):(?=\s|[A-Z“\"])"
)
# A name with capitals, maybe with a time: "... done. Jane Doe (12:03): Thank you"
_NAME_LABEL = re.compile(
    r"(?:(?<=[.?!)\]”\"…])|(?<=[.?!)\]”\"…] )|^)"
    r"(?P<name>(?:[A-Z][\w.’'-]{0,40}\s){1,4}[A-Z][\w’'-]{1,40})(?:\s\(\s?\d[\d:]{1,12}\s?\))?:\s"
)
# The place between two sentences without a space: "done.Thank you"
_GLUED = re.compile(
    r"(?<=[a-z0-9][.?!])(?<!\bPh\.)(?<!\bwww\.)(?=[A-Z“][a-z’']|I\b)|(?<=[.?!][”\"')\]])(?=[A-Z][a-z])"
)


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line of the source, counted from 1."""

    number: int
    text: str


def numbered(texts: Iterable[str]) -> list[NumberedLine]:
    """Return texts as lines counted from 1."""
    return [NumberedLine(i, text) for i, text in enumerate(texts, 1)]


def restore_breaks(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return lines divided before labels and with sentences set apart, and warnings.

    In a flattened page, labels and sentences are stuck to the text before them. A divided line
    keeps its number.
    """
    filled_count = sum(bool(line.text.strip()) for line in lines)
    character_count = sum(len(line.text) for line in lines)
    is_flattened = (filled_count - 1) * MAX_CHARACTERS_PER_BREAK < character_count
    labels = _inner_labels([line.text for line in lines]) if is_flattened else set()
    divided_lines: list[NumberedLine] = []
    for line in lines:
        divided_lines += _cut_at_labels(line, labels)
    warnings = []
    added_count = len(divided_lines) - len(lines)
    if added_count > 0:
        warnings.append(
            f"line breaks are missing; turns cut at the labels inside the text: {added_count}"
        )
    glued_count = sum(len(_GLUED.findall(line.text)) for line in divided_lines)
    if glued_count:
        warnings.append(f"sentences stuck together without a space, set apart: {glued_count}")
        divided_lines = [replace(line, text=_GLUED.sub(" ", line.text)) for line in divided_lines]
    return divided_lines, warnings


def _inner_labels(texts: Sequence[str]) -> set[str]:
    """Return the labels inside the text: in capitals, or names that occur at least twice."""
    labels: set[str] = set()
    name_counts: Counter[str] = Counter()
    for text in texts:
        labels.update(match["name"] for match in _CAPITAL_LABEL.finditer(text))
        name_counts.update(match["name"] for match in _NAME_LABEL.finditer(text))
    labels.update(name for name, count in name_counts.items() if count > 1)
    return labels


def _cut_at_labels(line: NumberedLine, labels: set[str]) -> list[NumberedLine]:
    """Return the text of a line divided before each label."""
    label_starts = set()
    if labels:
        for pattern in (_CAPITAL_LABEL, _NAME_LABEL):
            for match in pattern.finditer(line.text):
                if match["name"] in labels:
                    label_starts.add(match.start("name"))
    if not label_starts:
        return [line]
    edges = [0, *sorted(label_starts), len(line.text)]
    texts = [line.text[start:end].strip() for start, end in pairwise(edges)]
    return [replace(line, text=text) for text in texts if text]
