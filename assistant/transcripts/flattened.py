"""Pages that lost their line breaks when they were copied: labels and sentences stuck to what stands before them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

BREAK_EVERY = 2000  # characters: a text with fewer line breaks than one in so many has lost them

_CAPITAL_LABEL = re.compile(
    r"(?:(?<=[a-z.?!)\]”\"…–—-])|(?<=[.?!)\]”\"…–—-] )|^)"
    r"(?P<name>(?:[A-Z][A-Z.’'-]+\s){0,4}[A-Z][A-Z’'-]{2,}(?:,? [A-Z.]{2,}){0,3}):(?=\s|[A-Z“\"])"
)
_NAME_LABEL = re.compile(
    r"(?:(?<=[.?!)\]”\"…])|(?<=[.?!)\]”\"…] )|^)"
    r"(?P<name>(?:[A-Z][\w.’'-]*\s){1,4}[A-Z][\w’'-]+)(?:\s\(\s?\d[\d:]+\s?\))?:\s"
)
_GLUED = re.compile(r"(?<=[a-z0-9][.?!])(?<!\bPh\.)(?<!\bwww\.)(?=[A-Z“][a-z’']|I\b)|(?<=[.?!][”\"')\]])(?=[A-Z][a-z])")


def unfolded(texts: Sequence[str], numbers: Sequence[int]) -> tuple[list[tuple[int, str]], list[str]]:
    """Return (line number, text) with flattened labels on lines of their own and sentences apart, and warnings."""
    length, breaks = sum(map(len, texts)), sum(bool(text.strip()) for text in texts) - 1
    found = _labels(texts) if breaks * BREAK_EVERY < length else set()
    lines = [line for number, text in zip(numbers, texts, strict=True) for line in _cut(number, text, found)]
    glued = sum(len(_GLUED.findall(text)) for _, text in lines)
    warnings = []
    if len(lines) > len(texts):
        warnings.append(f"line breaks are missing; turns cut at the labels inside the text: {len(lines) - len(texts)}")
    if glued:
        warnings.append(f"sentences stuck together without a space, set apart: {glued}")
        lines = [(number, _GLUED.sub(" ", text)) for number, text in lines]
    return lines, warnings


def _labels(texts: Sequence[str]) -> set[str]:
    """Return the labels inside the text: in capitals, or names that come at least twice."""
    capitals = {match["name"] for text in texts for match in _CAPITAL_LABEL.finditer(text)}
    names = Counter(match["name"] for text in texts for match in _NAME_LABEL.finditer(text))
    return capitals | {name for name, count in names.items() if count > 1}


def _cut(number: int, text: str, labels: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the text of a line cut before each label."""
    if not labels:
        yield number, text
        return
    places = sorted(
        {
            m.start("name")
            for pattern in (_CAPITAL_LABEL, _NAME_LABEL)
            for m in pattern.finditer(text)
            if m["name"] in labels
        }
    )
    for start, end in zip([0, *places], [*places, len(text)], strict=True):
        if text[start:end].strip() or not places:
            yield number, text[start:end].strip() if places else text
