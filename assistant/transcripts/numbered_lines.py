"""Numbered lines of text, and line breaks put back into pages that lost them when they were copied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

MAX_CHARACTERS_PER_BREAK = (
    2000  # characters: a text with fewer line breaks than one in so many has lost them
)

_CAPITAL_LABEL = re.compile(
    r"(?:(?<=[a-z.?!)\]”\"…–—-])|(?<=[.?!)\]”\"…–—-] )|^)"
    r"(?P<name>(?:[A-Z][A-Z.’'-]{1,40}\s){0,4}[A-Z][A-Z’'-]{2,40}(?:,? [A-Z.]{2,20}){0,3}):(?=\s|[A-Z“\"])"
)
_NAME_LABEL = re.compile(
    r"(?:(?<=[.?!)\]”\"…])|(?<=[.?!)\]”\"…] )|^)"
    r"(?P<name>(?:[A-Z][\w.’'-]{0,40}\s){1,4}[A-Z][\w’'-]{1,40})(?:\s\(\s?\d[\d:]{1,12}\s?\))?:\s"
)
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
    """Return lines with labels at their beginning and sentences set apart, and warnings.

    In a flattened page, labels and sentences are stuck to the text before them; what is cut keeps
    its line's number.
    """
    breaks = sum(bool(line.text.strip()) for line in lines) - 1
    flattened = breaks * MAX_CHARACTERS_PER_BREAK < sum(len(line.text) for line in lines)
    labels = _inner_labels([line.text for line in lines]) if flattened else set()
    cut = [part for line in lines for part in _cut_at_labels(line, labels)]
    warnings = []
    if len(cut) > len(lines):
        warnings.append(
            f"line breaks are missing; turns cut at the labels inside the text: {len(cut) - len(lines)}"
        )
    if glued := sum(len(_GLUED.findall(line.text)) for line in cut):
        warnings.append(f"sentences stuck together without a space, set apart: {glued}")
        cut = [replace(line, text=_GLUED.sub(" ", line.text)) for line in cut]
    return cut, warnings


def _inner_labels(texts: Sequence[str]) -> set[str]:
    """Return the labels inside the text: in capitals, or names that come at least twice."""
    capitals = {match["name"] for text in texts for match in _CAPITAL_LABEL.finditer(text)}
    names = Counter(match["name"] for text in texts for match in _NAME_LABEL.finditer(text))
    return capitals | {name for name, count in names.items() if count > 1}


def _cut_at_labels(line: NumberedLine, labels: set[str]) -> Iterator[NumberedLine]:
    """Yield the text of a line cut before each label."""
    matches = (
        [m for form in (_CAPITAL_LABEL, _NAME_LABEL) for m in form.finditer(line.text)]
        if labels
        else []
    )
    places = sorted({match.start("name") for match in matches if match["name"] in labels})
    if not places:
        yield line
        return
    for start, end in zip([0, *places], [*places, len(line.text)], strict=True):
        if part := line.text[start:end].strip():
            yield replace(line, text=part)
