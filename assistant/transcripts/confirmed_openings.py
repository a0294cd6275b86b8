"""Decides by a whole text which lines open a turn: timed openings, labels, names in brackets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from assistant.transcripts import nonspeech
from assistant.transcripts.label_finder import FoundLabel, HintedLine, find_labels
from assistant.transcripts.label_heads import FULL_NAME, HEADING, OWN_LINE, name_quality
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.timestamps import Timestamp, recording_times
from assistant.transcripts.turn_openings import (
    TurnOpening,
    opening_at,
    opening_of_label,
    without_role,
)

# A shape without a mark behind the name is confirmed if it occurs so often.
MIN_REPEATS = 2
MIN_BARE_TIMES = 3
HOURS_FIRST_S = 60  # a first clock below 1:00 is minutes and seconds
MIN_INDENT_SHARE = 0.2  # share of the lines that go on with the line above
MIN_ROLE_SHARE = 0.8  # share of names above a line with a role
MAX_ROLE_WORDS = 6
MAX_TEXT_DISTANCE = 3  # lines from a heading to the speech below it

_PARAGRAPH_ENDS = ".?!…:;—–\"”’')]*"
# "(Tamarack) (Lab)"
_ONLY_BRACKETS_PATTERN = re.compile(r"^(?:[(\[][^()\[\]]{1,60}[)\]]\s?){1,3}$")
# Shapes that the label finder judges
_FINDER_KINDS = ("label", "full stop", "question")


@dataclass(slots=True)
class Openings:
    """The openings of turns by the index of their line.

    ``role_lines`` are the indexes of lines with the role of the name above. ``doubtful`` are the
    indexes of lines with a label that was not believed. ``evidence`` has the grounds per name.
    """

    turns: dict[int, TurnOpening] = field(default_factory=dict)
    role_lines: set[int] = field(default_factory=set)
    doubtful: set[int] = field(default_factory=set)
    evidence: dict[str, str] = field(default_factory=dict)

    def names(self) -> set[str]:
        """Return the names before a mark at the head of lines."""
        names = set()
        for index, opening in self.turns.items():
            if opening.label and opening.label.name and index not in self.doubtful:
                names.add(opening.label.name)
        return names


def confirmed_openings(
    lines: Sequence[NumberedLine], accepted: Collection[str] = (), refused: Collection[str] = ()
) -> Openings:
    """Return the openings that the whole text confirms."""
    timed = _timed_openings(lines)
    timed_names = {opening.label.name for opening in timed.values() if opening.label}
    hinted_lines = hinted_lines_of(lines, skipped=timed)
    findings = find_labels(hinted_lines, accepted={*accepted, *timed_names}, refused=refused)
    openings = Openings(dict(timed), evidence=findings.evidence)
    for index, found in enumerate(findings.labels):
        if found is not None:
            openings.turns[index] = _opening(lines[index].text, found)
            if found.is_doubtful:
                openings.doubtful.add(index)
    openings.role_lines = _role_lines(lines, openings)
    # "(Ms Nora Lind)" below an office is not a speaker of its own.
    for index in openings.role_lines:
        openings.turns.pop(index, None)
    return openings


def _opening(text: str, found: FoundLabel) -> TurnOpening:
    if found.is_doubtful:
        # A heading is not speech, even if it is doubtful whether it is a name.
        spoken = "" if found.set_apart_by == HEADING else text
        return TurnOpening("doubtful", found.label, spoken)
    return opening_of_label(found.set_apart_by, found.label, text)


def hinted_lines_of(
    lines: Sequence[NumberedLine], skipped: Collection[int] = ()
) -> list[HintedLine]:
    """Return lines with their hints for the label finder; skipped ones are empty."""
    hinted_lines = []
    usual_indent = _usual_indent(lines)
    previous = NumberedLine(0, "")
    for index, line in enumerate(lines):
        text = "" if index in skipped else line.text
        hinted_lines.append(
            HintedLine(
                text,
                starts_paragraph=(line.indent > usual_indent or _starts_paragraph(previous, line)),
                has_text_below=_has_text_below(lines, index),
                mark=line.mark,
                mark_end=line.mark_end,
                has_gap_below=_has_gap_below(lines, index),
            )
        )
        previous = line
    return hinted_lines


def _usual_indent(lines: Sequence[NumberedLine]) -> int:
    """Return the indent of lines that go on with the line above; a new paragraph may have more."""
    indents: Counter[int] = Counter()
    for above, line in pairwise(lines):
        text_above = above.text.rstrip()
        if line.text.strip() and text_above and text_above[-1] not in _PARAGRAPH_ENDS:
            indents[line.indent] += 1
    min_count = MIN_INDENT_SHARE * indents.total()
    usual_indents = [indent for indent, count in indents.items() if count >= min_count]
    return min(usual_indents, default=0)


def _starts_paragraph(previous: NumberedLine, line: NumberedLine) -> bool:
    """Return whether the text of the line above doesn't run on into a line."""
    previous_text = previous.text.rstrip()
    if not previous_text or previous_text[-1] in _PARAGRAPH_ENDS:
        return True
    if previous.mark and previous.mark_end >= len(previous_text):
        return True
    return line.indent > previous.indent or nonspeech.is_unspoken_line(previous_text)


def _has_text_below(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether speech follows: on the next line, below a heading also after a gap."""
    distance = 1
    is_marked = lines[index].mark.startswith(("heading", "class"))
    if is_marked and lines[index].mark_end >= len(lines[index].text.rstrip()):
        distance = MAX_TEXT_DISTANCE
    below = lines[index + 1 : index + 1 + distance]
    return any(line.text.strip() for line in below)


def _has_gap_below(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether an empty line and then speech are below a line with an empty line above it."""
    if index > 0 and lines[index - 1].text.strip():
        return False
    below = [bool(line.text.strip()) for line in lines[index + 1 : index + 3]]
    return below == [False, True]


def _timed_openings(lines: Sequence[NumberedLine]) -> dict[int, TurnOpening]:
    """Return the confirmed openings with a time, a chevron or brackets."""
    likely: dict[int, TurnOpening] = {}
    for index, line in enumerate(lines):
        next_text = lines[index + 1].text if index + 1 < len(lines) else ""
        opening = opening_at(line.text, next_text)
        if opening and not nonspeech.is_unspoken_line(line.text):
            likely[index] = opening
    evidence = _OpeningEvidence.of(likely.values())
    timed = {}
    for index, opening in likely.items():
        is_untimed = opening.kind in _FINDER_KINDS and opening.start is None
        if not is_untimed and _is_confirmed(opening, evidence):
            timed[index] = opening
    for index in [index for index, opening in timed.items() if opening.kind.endswith(" alone")]:
        below = _next_filled(lines, index)
        opening = likely.get(below) if below is not None else None
        if below is not None and opening and _is_full_name_label(opening):
            timed[below] = opening
    return timed


def _is_full_name_label(opening: TurnOpening) -> bool:
    """Return whether a label with a colon is a full name, and speech follows it."""
    if opening.kind != "label" or opening.label is None or not opening.speech.strip():
        return False
    return _is_full_name(opening.label.name)


def _is_full_name(name: str) -> bool:
    quality = name_quality(name)
    return quality is not None and quality >= FULL_NAME


@dataclass(frozen=True, slots=True)
class _OpeningEvidence:
    """How often each name and each shape of opening occurs, and the names that are sure labels."""

    name_counts: Counter[str]
    kind_counts: Counter[str]
    sure_names: set[str]

    @classmethod
    def of(cls, openings: Iterable[TurnOpening]) -> _OpeningEvidence:
        """Return the evidence in all likely openings of a file."""
        openings = list(openings)
        name_counts = Counter(opening.label.name for opening in openings if opening.label)
        sure_names = set()
        for opening in openings:
            if opening.label and opening.kind == "label":
                name = opening.label.name
                if opening.label.is_sure or name_counts[name] > 1:
                    sure_names.add(name)
        return cls(name_counts, Counter(opening.kind for opening in openings), sure_names)


def _is_confirmed(opening: TurnOpening, evidence: _OpeningEvidence) -> bool:
    """Return whether an opening is one, by how often its name and its shape occur."""
    kind = opening.kind
    label = opening.label
    kind_count = evidence.kind_counts[kind]
    if kind in ("span", "chevron"):
        return True
    if kind == "label" and label is not None:
        return label.name in evidence.sure_names or _is_full_name(label.name)
    if label is None:
        time_count = sum(count for kind, count in evidence.kind_counts.items() if "time" in kind)
        if kind == "length alone":
            return kind_count >= MIN_REPEATS
        if kind == "time alone" and opening.start_time and opening.start_time.has_seconds:
            return True
        if kind == "time alone":
            return time_count >= MIN_REPEATS
        return kind_count >= MIN_BARE_TIMES or (kind == "[time]" and time_count >= MIN_REPEATS)
    if kind == "time nickname":
        return evidence.name_counts[label.name] >= MIN_REPEATS
    if kind == "bracket":
        return label.is_sure or evidence.name_counts[label.name] >= MIN_REPEATS
    if kind_count >= MIN_REPEATS or label.name in evidence.sure_names:
        return True
    is_likely = kind == "time name" and label.is_sure and bool(opening.speech.strip())
    return is_likely and _is_full_name(label.name)


def _role_lines(lines: Sequence[NumberedLine], openings: Openings) -> set[int]:
    """Return the lines below names on lines of their own that have the role or the party.

    A line in brackets is one; other lines are if nearly all names have a short line below them
    that ends like no sentence, and the same ones recur.
    """
    bracketed_lines = set()
    short_lines = []
    name_count = 0
    for index, opening in openings.turns.items():
        if opening.kind == "bracket" or opening.start is not None or opening.label is None:
            continue
        if opening.speech.strip() or index in openings.doubtful:
            continue
        name_count += 1
        below = _next_filled(lines, index)
        if below is None or _next_filled(lines, below) is None:
            continue
        text = lines[below].text.strip()
        if _ONLY_BRACKETS_PATTERN.match(text) and not nonspeech.is_stage_direction(text):
            bracketed_lines.add(below)
        elif below in openings.turns:
            continue
        elif below == index + 1 and _may_be_role(text) and lines[below + 1].text.strip():
            short_lines.append(below)
    texts = Counter(lines[below].text.strip() for below in short_lines)
    is_habit = len(short_lines) >= max(MIN_ROLE_SHARE * name_count, MIN_REPEATS)
    if is_habit and len(texts) <= len(short_lines) / 2 + 1:
        return bracketed_lines | set(short_lines)
    return bracketed_lines


def _may_be_role(text: str) -> bool:
    return len(text.split()) <= MAX_ROLE_WORDS and text[-1].isalnum()


def _next_filled(lines: Sequence[NumberedLine], index: int) -> int | None:
    """Return the index of the next line with text, None if none is near."""
    for below in range(index + 1, min(index + 1 + MAX_TEXT_DISTANCE, len(lines))):
        if lines[below].text.strip():
            return below
    return None


def add_names_above_times(lines: Sequence[NumberedLine], openings: Openings) -> None:
    """Add the names on lines of their own above a line that is only a time or a span of times."""
    pairs = []
    for index, opening in openings.turns.items():
        is_bare = opening.label is None and not opening.speech.strip()
        if not is_bare or opening.start is None or index == 0 or index - 1 in openings.turns:
            continue
        above = lines[index - 1]
        found = _name_line(without_role(above.text))
        if found is not None:
            pairs.append((index - 1, found))
    if len(pairs) < MIN_REPEATS:
        return
    for index, found in pairs:
        openings.turns[index] = TurnOpening(found.set_apart_by, found.label, "")


def _name_line(text: str) -> FoundLabel | None:
    """Return the name that fills a line as a label."""
    findings = find_labels([HintedLine(text.strip())], accepted=[text.strip()])
    found = findings.labels[0]
    return found if found and found.set_apart_by == OWN_LINE else None


def set_times_from_start(lines: Sequence[NumberedLine], openings: Openings) -> str:
    """Count the times of turns from the start of the recording, and return a warning or ""."""
    indexes = sorted(openings.turns)
    timestamps: list[Timestamp | None] = []
    word_counts: list[int] = []
    for index, next_index in pairwise([*indexes, len(lines)]):
        opening = openings.turns[index]
        timestamps += [opening.start_time, opening.end_time]
        texts = [opening.speech, *(line.text for line in lines[index + 1 : next_index])]
        words = sum(len(text.split()) for text in texts)
        if opening.start_time is None and word_counts:
            word_counts[-2] += words
            words = 0
        word_counts += [words, 0]
    clocks = [timestamp for timestamp in timestamps if timestamp]
    is_from_zero = bool(clocks) and clocks[0].seconds < HOURS_FIRST_S
    times, warning = recording_times(timestamps, None if is_from_zero else word_counts)
    for order, index in enumerate(indexes):
        opening = openings.turns[index]
        start = times[2 * order]
        end = times[2 * order + 1]
        openings.turns[index] = replace(opening, start=start, end=end)
    return warning
