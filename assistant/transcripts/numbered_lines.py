"""Numbered lines of text, and restored line breaks of pages that lost them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.transcripts.inner_labels import InnerLabels, begins_turn, recurring_inner_names
from assistant.transcripts.label_heads import FULL_NAME, USUAL_LABEL, name_quality

MAX_CHARACTERS_PER_BREAK = 2000  # a text with fewer line breaks has lost them

# A label in capitals behind the end of a sentence: "... done. HOLT: Thank you"
_CAPITAL_LABEL_PATTERN = re.compile(
    r"""
    (?:(?<=[a-z.?!)\]”\"…–—-])|(?<=[.?!)\]”\"…–—-]\ )|^)   # behind a sentence
    (?P<name>
        (?:[A-Z][A-Z.’'-]{1,40}\s){0,4}[A-Z][A-Z’'-]{2,40}
        (?:,?\ [A-Z.]{2,20}){0,3}                          # a role, a party
    )
    :(?=\s|[A-Z“\"])
    """,
    re.VERBOSE,
)
# A name with capitals, maybe with a time: "... done. Jane Doe (12:03): Thank you"
_NAME_LABEL_PATTERN = re.compile(
    r"""
    (?:(?<=[.?!)\]”\"…])|(?<=[.?!)\]”\"…]\ )|^)   # behind a sentence
    (?P<name>(?:[A-Z][\w.’'-]{0,40}\s){1,4}[A-Z][\w’'-]{1,40})
    (?:\s\(\s?\d[\d:]{1,12}\s?\))?                # a time
    :\s
    """,
    re.VERBOSE,
)
# "S. " at the beginning of a name, which may end an abbreviation: "U.S. CAMEROTA:"
_INITIAL_BEFORE_NAME_PATTERN = re.compile(r"(?:[A-Z]\.)+\s")
_ABBREVIATION_END_PATTERN = re.compile(r"\b[A-Z]\.$")
# The place between two sentences without a space, "done.Thank you", but not in "1.Off", which is
# the first officer of a play
_GLUED_SENTENCES_PATTERN = re.compile(
    r"(?<=[a-z0-9][.?!])(?<!\s[1-9]\.)(?<!^[1-9]\.)(?<!\bPh\.)(?<!\bwww\.)(?=[A-Z“][a-z’']|I\b)"
    r"|(?<=[.?!][”\"')\]])(?=[A-Z][a-z])"
)


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line of the source, counted from 1, with the hint of its mark-up.

    ``markup`` names the mark-up of the first ``markup_end`` characters, such as "bold", "heading 2"
    or "class speaker", "" if there is none. ``indent`` counts the spaces before the line.
    """

    number: int
    text: str
    markup: str = ""
    markup_end: int = 0
    indent: int = 0


def numbered(texts: Iterable[str]) -> list[NumberedLine]:
    """Return texts as lines counted from 1."""
    return [NumberedLine(number, text) for number, text in enumerate(texts, 1)]


def restore_breaks(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return lines divided before labels and with sentences set apart, and warnings.

    In a flattened page, labels and sentences are stuck to the text before them. A divided line
    keeps its number.
    """
    # A text with few line breaks for its length has lost them.
    filled_count = sum(bool(line.text.strip()) for line in lines)
    break_count = filled_count - 1
    character_count = sum(len(line.text) for line in lines)
    is_flattened = character_count > break_count * MAX_CHARACTERS_PER_BREAK
    labels: set[str] = set()
    if is_flattened:
        labels = _inner_labels([line.text for line in lines])
    divided_lines: list[NumberedLine] = []
    for line in lines:
        divided_lines += _divided_at_own_labels(line, labels)
    warnings = []
    added_count = len(divided_lines) - len(lines)
    if added_count > 0:
        warnings.append(
            f"line breaks are missing; turns cut at the labels inside the text: {added_count}"
        )
    # "We won.They lost"
    spaced_lines = []
    glued_count = 0
    for line in divided_lines:
        spaced_text, count_in_line = _GLUED_SENTENCES_PATTERN.subn(" ", line.text)
        spaced_lines.append(replace(line, text=spaced_text))
        glued_count += count_in_line
    if glued_count:
        warnings.append(f"sentences stuck together without a space, set apart: {glued_count}")
    return spaced_lines, warnings


def divided_at_labels(
    lines: Sequence[NumberedLine], names: Collection[str], speech_starts: Mapping[int, int]
) -> list[NumberedLine]:
    """Return lines divided before labels behind a sentence: ``... done. HOLT: Thank you``.

    ``names`` are the labels at the head of lines. If most are in capitals, so may others be.
    ``speech_starts`` has the character where the speech begins, by the index of the line.
    """
    if not any(names):
        return list(lines)
    recurring_names = recurring_inner_names((line.text for line in lines), names)
    inner_labels = InnerLabels({*names, *recurring_names})
    capital_count = sum(name.isupper() for name in names)
    are_in_capitals = 2 * capital_count > len(names)
    divided_lines: list[NumberedLine] = []
    for index, line in enumerate(lines):
        start_positions: set[int] = set()
        speech_start = speech_starts.get(index, 0)
        if ":" in line.text[speech_start:]:
            for label in inner_labels.in_line(line.text, speech_start + 1):
                if begins_turn(line.text, label.start):
                    start_positions.add(label.start)
            if are_in_capitals:
                start_positions.update(_capital_starts(line.text, speech_start + 1))
        divided_lines += _divided_at_positions(line, start_positions)
    return divided_lines


def _capital_starts(text: str, speech_start: int) -> Iterator[int]:
    """Yield the positions of labels in capitals inside a text."""
    for match in _CAPITAL_LABEL_PATTERN.finditer(text, speech_start):
        start = _name_start(match)
        is_name = name_quality(text[start : match.end("name")]) == USUAL_LABEL
        if is_name and begins_turn(text, start):
            yield start


def _name_start(match: re.Match[str]) -> int:
    """Return the start of a name, behind an abbreviation that ends the text before it.

    In "it's B.S. RAMPELL:" the name is RAMPELL.
    """
    text = match.string
    start = match.start("name")
    initial = _INITIAL_BEFORE_NAME_PATTERN.match(text, start)
    if initial is None or start == 0:
        return start
    # "B." right before "S. RAMPELL"
    abbreviation = _ABBREVIATION_END_PATTERN.search(text, max(0, start - 8), start)
    return initial.end() if abbreviation else start


def _inner_labels(texts: Sequence[str]) -> set[str]:
    """Return the labels inside the text: in capitals, or names that occur at least twice.

    If several names recur, full names that occur once are labels, too.
    """
    labels: set[str] = set()
    name_counts: Counter[str] = Counter()
    for text in texts:
        for match in _CAPITAL_LABEL_PATTERN.finditer(text):
            labels.add(text[_name_start(match) : match.end("name")])
        name_counts.update(match["name"] for match in _NAME_LABEL_PATTERN.finditer(text))
    recurring_names = {name for name, count in name_counts.items() if count > 1}
    labels |= recurring_names
    # With several recurring names, the text is surely a dialogue.
    if len(recurring_names) > 1:
        labels.update(name for name in name_counts if name_quality(name) == FULL_NAME)
    return labels


def _divided_at_own_labels(line: NumberedLine, labels: set[str]) -> list[NumberedLine]:
    """Return the text of a line divided before each label."""
    label_starts = set()
    if labels:
        for pattern in (_CAPITAL_LABEL_PATTERN, _NAME_LABEL_PATTERN):
            for match in pattern.finditer(line.text):
                start = _name_start(match)
                name = line.text[start : match.end("name")]
                if name in labels:
                    label_starts.add(start)
    return _divided_at_positions(line, label_starts)


def _divided_at_positions(
    line: NumberedLine, start_positions: Collection[int]
) -> list[NumberedLine]:
    """Return the text of a line divided at some characters."""
    if not start_positions:
        return [line]
    edges = [0, *sorted(start_positions), len(line.text)]
    divided_lines: list[NumberedLine] = []
    for start, end in pairwise(edges):
        text = line.text[start:end].strip()
        if not text:
            continue
        if divided_lines:
            divided_lines.append(NumberedLine(line.number, text, indent=line.indent))
        else:
            # Only the first text keeps the mark at the head of the line.
            divided_lines.append(replace(line, text=text))
    return divided_lines
