"""Decides by a whole text which lines open a turn: timed openings, labels, names in brackets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from assistant.transcripts import full_stop_labels, nonspeech
from assistant.transcripts.label_finder import FoundLabel, LineWithLayout, find_labels
from assistant.transcripts.label_heads import FULL_NAME, HEADING, OWN_LINE, name_quality
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.people_of_one_name import with_roles
from assistant.transcripts.speaker_labels import SpeakerLabel
from assistant.transcripts.timestamps import TimeKind, Timestamp, recording_times
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
MAX_HEADING_SHARE = 0.5  # length, as a share of the usual one
MIN_ROLE_SHARE = 0.8  # share of names above a line with a role
MAX_ROLE_WORDS = 6
MAX_TEXT_DISTANCE = 3  # lines from a heading to the speech below it

_PARAGRAPH_ENDS = ".?!…:;—–\"”’')]*"
# "(Tamarack) (Lab)"
_ONLY_BRACKETS_PATTERN = re.compile(r"^(?:[(\[][^()\[\]]{1,60}[)\]]\s?){1,3}$")
# Shapes that the label finder judges
_FINDER_KINDS = ("label", "full stop", "question")


@dataclass(slots=True)
class TurnOpenings:
    """The openings of turns by the index of their line.

    ``role_lines`` are the indexes of lines with the role of the name above. ``doubtful`` are the
    indexes of lines with a label that was not believed. ``evidence`` has the grounds per name.
    """

    by_line_index: dict[int, TurnOpening] = field(default_factory=dict)
    role_line_indexes: set[int] = field(default_factory=set)
    doubtful_line_indexes: set[int] = field(default_factory=set)
    evidence: dict[str, str] = field(default_factory=dict)

    def names(self) -> set[str]:
        """Return the names before a mark at the head of lines."""
        names = set()
        for index, opening in self.by_line_index.items():
            if opening.label and opening.label.name and index not in self.doubtful_line_indexes:
                names.add(opening.label.name)
        return names


def confirmed_openings(
    lines: Sequence[NumberedLine],
    accepted_labels: Collection[str] = (),
    refused_labels: Collection[str] = (),
) -> TurnOpenings:
    """Return the openings that the whole text confirms."""
    timed_openings = _timed_openings(lines)
    names_with_time = {opening.label.name for opening in timed_openings.values() if opening.label}
    # The label finder judges the other lines.
    layout_lines = lines_with_layout(lines, skipped_indexes=timed_openings)
    findings = find_labels(
        layout_lines,
        accepted_names={*accepted_labels, *names_with_time},
        refused_names=refused_labels,
    )
    openings = TurnOpenings(_with_roles(lines, timed_openings), evidence=findings.evidence)
    for index, found_label in enumerate(findings.labels):
        if found_label is not None:
            openings.by_line_index[index] = _opening(lines[index].text, found_label)
            if found_label.is_doubtful:
                openings.doubtful_line_indexes.add(index)
    openings.role_line_indexes = _role_line_indexes(lines, openings)
    # "(Ms Nora Lind)" below an office is not a speaker of its own.
    for index in openings.role_line_indexes:
        openings.by_line_index.pop(index, None)
    return openings


def _with_roles(
    lines: Sequence[NumberedLine], openings: Mapping[int, TurnOpening]
) -> dict[int, TurnOpening]:
    """Return the openings by line, with the role in the name for two people of one name."""
    written_labels = []
    for index, opening in openings.items():
        text = lines[index].text
        written_labels.append(text[: len(text) - len(opening.speech)])
    labels = with_roles(written_labels, [opening.label for opening in openings.values()])
    return {
        index: replace(opening, label=label)
        for (index, opening), label in zip(openings.items(), labels, strict=True)
    }


def _opening(text: str, found_label: FoundLabel) -> TurnOpening:
    """Return the opening of a turn by a label at the head of a line."""
    if found_label.is_doubtful:
        # A heading is not speech, even if it is doubtful whether it is a name.
        spoken = "" if found_label.set_apart_by == HEADING else text
        return TurnOpening("doubtful", found_label.label, spoken)
    return opening_of_label(found_label.set_apart_by, found_label.label, text)


def lines_with_layout(
    lines: Sequence[NumberedLine], skipped_indexes: Collection[int] = ()
) -> list[LineWithLayout]:
    """Return lines with their hints for the label finder; skipped ones are empty."""
    layout_lines = []
    usual_indent = _usual_indent(lines)
    heading_width = MAX_HEADING_SHARE * _usual_width(lines)
    line_above = NumberedLine(0, "")
    for index, line in enumerate(lines):
        is_below_heading = _has_record_label(line) and _is_heading(line_above, heading_width)
        is_set_apart = line.indent > usual_indent or is_below_heading
        layout_lines.append(
            LineWithLayout(
                "" if index in skipped_indexes else line.text,
                starts_paragraph=is_set_apart or _starts_paragraph(line_above, line),
                has_text_below=_has_text_below(lines, index),
                markup=line.markup,
                markup_end=line.markup_end,
                has_gap_below=_has_gap_below(lines, index),
            )
        )
        line_above = line
    return layout_lines


def _usual_indent(lines: Sequence[NumberedLine]) -> int:
    """Return the indent of lines that go on with the line above; a new paragraph may have more."""
    indent_counts: Counter[int] = Counter()
    for line_above, line in pairwise(lines):
        text_above = line_above.text.rstrip()
        # A line that ends within a sentence goes on in the next line.
        is_continued = text_above != "" and text_above[-1] not in _PARAGRAPH_ENDS
        if is_continued and line.text.strip():
            indent_counts[line.indent] += 1
    # A rare indent is a quotation or a list.
    min_count = MIN_INDENT_SHARE * indent_counts.total()
    usual_indents = [indent for indent, count in indent_counts.items() if count >= min_count]
    return min(usual_indents, default=0)


def _usual_width(lines: Sequence[NumberedLine]) -> int:
    """Return the length that a fifth of the lines with text reach."""
    lengths = sorted(len(line.text.strip()) for line in lines if line.text.strip())
    return lengths[len(lengths) * 4 // 5] if lengths else 0


def _is_heading(line: NumberedLine, max_width: float) -> bool:
    """Return whether a line looks like a heading, and is shorter than lines that run on."""
    text = line.text.strip()
    return len(text) <= max_width and nonspeech.is_heading(text)


def _has_record_label(line: NumberedLine) -> bool:
    """Return whether a line begins with a label of a record: ``Mr. HALE. No.``"""
    ends = full_stop_labels.label_ends(line.text)
    if ends is None:
        return False
    name = line.text[: ends.name_end].strip()
    is_titled = full_stop_labels.is_titled(name)
    return is_titled and full_stop_labels.has_capital_surname(name)


def _starts_paragraph(line_above: NumberedLine, line: NumberedLine) -> bool:
    """Return whether the text of the line above doesn't run on into a line."""
    text_above = line_above.text.rstrip()
    if not text_above or text_above[-1] in _PARAGRAPH_ENDS:
        return True
    # A line that is bold or a heading as a whole stands for itself.
    is_all_marked_up = bool(line_above.markup) and line_above.markup_end >= len(text_above)
    if is_all_marked_up:
        return True
    is_indented = line.indent > line_above.indent
    return is_indented or nonspeech.is_unspoken_line(text_above)


def _has_text_below(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether speech follows: on the next line, below a heading also after a gap."""
    line = lines[index]
    max_distance = 1
    is_heading_or_class = line.markup.startswith(("heading", "class"))
    is_all_marked_up = line.markup_end >= len(line.text.rstrip())
    if is_heading_or_class and is_all_marked_up:
        max_distance = MAX_TEXT_DISTANCE
    first_below = index + 1
    lines_below = lines[first_below : first_below + max_distance]
    return any(line_below.text.strip() for line_below in lines_below)


def _has_gap_below(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether an empty line and then speech are below a line with an empty line above it."""
    if index > 0 and lines[index - 1].text.strip():
        return False
    are_filled = [bool(line.text.strip()) for line in lines[index + 1 : index + 3]]
    return are_filled == [False, True]


def _timed_openings(lines: Sequence[NumberedLine]) -> dict[int, TurnOpening]:
    """Return the confirmed openings with a time, a chevron or brackets."""
    likely_openings: dict[int, TurnOpening] = {}
    for index, line in enumerate(lines):
        next_text = lines[index + 1].text if index + 1 < len(lines) else ""
        opening = opening_at(line.text, next_text)
        if opening and not nonspeech.is_unspoken_line(line.text):
            likely_openings[index] = opening
    evidence = _OpeningEvidence.of(likely_openings.values())
    confirmed_by_line: dict[int, TurnOpening] = {}
    for index, opening in likely_openings.items():
        is_only_label = opening.kind in _FINDER_KINDS and opening.start is None
        if not is_only_label and _is_confirmed(opening, evidence):
            confirmed_by_line[index] = opening
    # "Jane Doe: Good evening" below a line that is only a time needs no other evidence.
    confirmed_times = [
        index for index, opening in confirmed_by_line.items() if opening.kind.endswith(" alone")
    ]
    for time_index in confirmed_times:
        index_below = _next_filled_index(lines, time_index)
        opening_below = None if index_below is None else likely_openings.get(index_below)
        if index_below is not None and opening_below and _is_full_name_label(opening_below):
            confirmed_by_line[index_below] = opening_below
    return confirmed_by_line


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
        labels = [opening.label for opening in openings if opening.label]
        name_counts = Counter(label.name for label in labels)
        kind_counts = Counter(opening.kind for opening in openings)
        # A name is sure if its label is, or if it occurs again.
        sure_names = set()
        for opening in openings:
            label = opening.label
            if label is None or opening.kind != "label":
                continue
            if label.is_sure or name_counts[label.name] > 1:
                sure_names.add(label.name)
        return cls(name_counts, kind_counts, sure_names)


def _is_confirmed(opening: TurnOpening, evidence: _OpeningEvidence) -> bool:
    """Return whether an opening is one, by how often its name and its shape occur."""
    kind = opening.kind
    label = opening.label
    # "[00:01 --> 00:04]", ">>"
    if kind in ("span", "chevron"):
        return True
    if label is None:
        return _is_bare_time_confirmed(opening, evidence)
    is_name_repeated = evidence.name_counts[label.name] >= MIN_REPEATS
    is_name_sure = label.name in evidence.sure_names
    # "Jane Doe:"
    if kind == "label":
        return is_name_sure or _is_full_name(label.name)
    # "10:02 <jane_doe>"
    if kind == "time nickname":
        return is_name_repeated
    # "[Jane Doe]"
    if kind == "bracket":
        return label.is_sure or is_name_repeated
    # Every other kind has a name and a time. It is confirmed by another opening, unless it has
    # all that an opening can have: "10:02 Jane Doe: Good evening".
    if is_name_sure or evidence.kind_counts[kind] >= MIN_REPEATS:
        return True
    has_speech = bool(opening.speech.strip())
    return kind == "time name" and label.is_sure and has_speech and _is_full_name(label.name)


def _is_bare_time_confirmed(opening: TurnOpening, evidence: _OpeningEvidence) -> bool:
    """Return whether a time without a name opens a turn, by how often such times occur."""
    kind = opening.kind
    kind_count = evidence.kind_counts[kind]
    # Openings of any kind with a time, such as "time alone" and "name time"
    time_count = 0
    for counted_kind, count in evidence.kind_counts.items():
        if "time" in counted_kind:
            time_count += count
    if kind == "duration alone":
        return kind_count >= MIN_REPEATS
    if kind == "time alone":
        time = opening.start_time
        has_seconds = time is not None and time.has_seconds
        # "9:00 a.m." may be the last line of a heading.
        is_time_of_day = time is not None and time.kind is TimeKind.TIME_OF_DAY
        return (has_seconds and not is_time_of_day) or time_count >= MIN_REPEATS
    if kind == "[time]" and time_count >= MIN_REPEATS:
        return True
    return kind_count >= MIN_BARE_TIMES


def _role_line_indexes(lines: Sequence[NumberedLine], openings: TurnOpenings) -> set[int]:
    """Return the lines below names on lines of their own that have the role or the party.

    A line in brackets is one; other lines are if nearly all names have a short line below them
    that ends like no sentence, and the same ones recur.
    """
    # JANE DOE
    # Mayor of Lorne
    # Good evening, everybody.
    name_indexes = []
    for index, opening in openings.by_line_index.items():
        is_believed = index not in openings.doubtful_line_indexes
        if is_believed and _is_name_on_own_line(opening):
            name_indexes.append(index)
    bracketed_indexes = set()
    short_line_indexes = []
    for name_index in name_indexes:
        index_below = _next_filled_index(lines, name_index)
        # Below the role, there must be speech.
        if index_below is None or _next_filled_index(lines, index_below) is None:
            continue
        text_below = lines[index_below].text.strip()
        is_bracketed = _ONLY_BRACKETS_PATTERN.match(text_below) is not None
        if is_bracketed and not nonspeech.is_stage_direction(text_below):
            bracketed_indexes.add(index_below)
            continue
        is_right_below = index_below == name_index + 1
        is_opening = index_below in openings.by_line_index
        if not is_right_below or is_opening or not _may_be_role(text_below):
            continue
        has_speech_right_below = lines[index_below + 1].text.strip() != ""
        if has_speech_right_below:
            short_line_indexes.append(index_below)
    short_texts = [lines[index].text.strip() for index in short_line_indexes]
    if _are_roles(short_texts, len(name_indexes)):
        return bracketed_indexes.union(short_line_indexes)
    return bracketed_indexes


def _are_roles(short_texts: Sequence[str], name_count: int) -> bool:
    """Return whether the short lines below names are roles: most names have one, and they recur."""
    min_role_count = max(MIN_ROLE_SHARE * name_count, MIN_REPEATS)
    # A role comes again with each turn of its speaker; a short answer does not.
    do_texts_recur = len(set(short_texts)) <= len(short_texts) / 2 + 1
    return len(short_texts) >= min_role_count and do_texts_recur


def _is_name_on_own_line(opening: TurnOpening) -> bool:
    if opening.kind == "bracket" or opening.label is None:
        return False
    return opening.start is None and not opening.speech.strip()


def _may_be_role(text: str) -> bool:
    return len(text.split()) <= MAX_ROLE_WORDS and text[-1].isalnum()


def _next_filled_index(lines: Sequence[NumberedLine], index: int) -> int | None:
    """Return the index of the next line with text, None if none is near."""
    end = min(index + 1 + MAX_TEXT_DISTANCE, len(lines))
    for index_below in range(index + 1, end):
        if lines[index_below].text.strip():
            return index_below
    return None


def add_names_above_times(lines: Sequence[NumberedLine], openings: TurnOpenings) -> None:
    """Add the names on lines of their own above a line that is only a time or a span of times."""
    label_by_line_index: dict[int, SpeakerLabel] = {}
    for index, opening in openings.by_line_index.items():
        has_only_time = opening.start is not None and opening.label is None
        if not has_only_time or opening.speech.strip():
            continue
        index_above = index - 1
        if index_above < 0 or index_above in openings.by_line_index:
            continue
        label = _label_filling_line(without_role(lines[index_above].text))
        if label is not None:
            label_by_line_index[index_above] = label
    if len(label_by_line_index) < MIN_REPEATS:
        return
    for index, label in label_by_line_index.items():
        openings.by_line_index[index] = TurnOpening(OWN_LINE, label, "")


def _label_filling_line(text: str) -> SpeakerLabel | None:
    """Return the name that fills a line as a label, None if the line is not a name."""
    name = text.strip()
    [found_label] = find_labels([LineWithLayout(name)], accepted_names=[name]).labels
    if found_label is None or found_label.set_apart_by != OWN_LINE:
        return None
    return found_label.label


def set_times_from_start(lines: Sequence[NumberedLine], openings: TurnOpenings) -> str:
    """Count the times of turns from the start of the recording, and return a warning or ""."""
    turn_indexes = sorted(openings.by_line_index)
    turn_openings = [openings.by_line_index[index] for index in turn_indexes]
    # The start and the end of each turn, one behind the other
    timestamps: list[Timestamp | None] = []
    for opening in turn_openings:
        timestamps += [opening.start_time, opening.end_time]
    # The numbers of words tell whether "10:02" is hours and minutes or minutes and seconds.
    word_counts: list[int] | None = _words_behind_times(lines, turn_indexes, turn_openings)
    first_timestamp = next(filter(None, timestamps), None)
    begins_near_zero = first_timestamp is not None and first_timestamp.seconds < HOURS_FIRST_S
    if begins_near_zero:
        word_counts = None
    times, warning = recording_times(timestamps, word_counts)
    starts = times[::2]
    ends = times[1::2]
    for index, opening, start, end in zip(turn_indexes, turn_openings, starts, ends, strict=True):
        openings.by_line_index[index] = replace(opening, start=start, end=end)
    return warning


def _words_behind_times(
    lines: Sequence[NumberedLine],
    turn_indexes: Sequence[int],
    turn_openings: Sequence[TurnOpening],
) -> list[int]:
    """Return how many words are spoken after the start and after the end of each turn.

    All words of a turn come after its start, and none after its end.
    """
    word_counts: list[int] = []
    for opening, (index, next_index) in zip(
        turn_openings, pairwise([*turn_indexes, len(lines)]), strict=True
    ):
        word_count = len(opening.speech.split())
        for line in lines[index + 1 : next_index]:
            word_count += len(line.text.split())
        if opening.start_time is None and word_counts:
            # The words belong to the start of the turn above.
            word_counts[-2] += word_count
            word_count = 0
        word_counts += [word_count, 0]
    return word_counts
