"""Reads plain text from any origin: labelled turns, exports with times, flattened pages, prose.

``read_lines`` also reads the lines of HTML, DOCX and PDF. A label applies until the next one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from assistant.transcripts import nonspeech, refusals
from assistant.transcripts.numbered_lines import NumberedLine, numbered, restore_breaks
from assistant.transcripts.speaker_labels import chevrons, examiner_at
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates
from assistant.transcripts.turn_openings import TurnOpening, is_wall_clock, opening_at

PREAMBLE_SHARE = 0.25  # a longer text before the first label is not a preamble
PREAMBLE_CHARACTERS = 1_000  # searched for the date of the event
MAX_TITLE_LENGTH = 120
MAX_SHOWN_LENGTH = 60
# An opening without a colon is confirmed if its shape occurs so often.
MIN_REPEATS = 2
MIN_BARE_TIMES = 3

# Headings and rulers of Markdown
_MARKUP = re.compile(r"^\s*(?:\#{1,6}\s+|[*_]{3,}\s*$|\|?-{3,}\|?\s*$|={3,}\s*$)")
# Runs of spaces are shortened, so that the patterns need not go through them.
_SPACES = re.compile(r"[^\S\n]{3,}")
# Bold text in Markdown
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1")
# A label of a list of people
_ROSTER = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers?|present|attendees)$",
    re.IGNORECASE,
)
# A line with a list of people: "Moderators: Lester Holt"
_ROSTER_LINE = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers)\s*:", re.IGNORECASE
)
# A line that ends like a sentence or begins with a field name
_NO_TITLE = re.compile(r"[.:]$|^[A-Za-z ]{2,30}:")
# The end of a sentence, maybe in quotes or brackets
_ENDED = re.compile(r"[.!?…:;][”’\"')\]]*\s*$")
# Words that begin a sentence, not a name
_SENTENCE_STARTS = ("The", "A", "An", "On", "In")


@dataclass(slots=True)
class _ReadingState:
    """The result so far, and the current speaker."""

    parsed: Parsed
    speaker: str | None = None
    opening: TurnOpening | None = None
    examiner: str | None = None
    headings: list[str] = field(default_factory=list)
    unnamed_count: int = 0


def sniff(source: RawSource) -> bool:
    """Return whether there is text that is neither XML nor JSON: the last resort of the table."""
    return bool(source.text.strip()) and not refusals.is_markup(source)


def parse(source: RawSource) -> Parsed:
    """Return the turns of a text file."""
    return read_lines(numbered(source.text.split("\n")))


def read_lines(lines: Sequence[NumberedLine]) -> Parsed:
    """Return the turns in lines of text, with warnings for every guess.

    An empty line separates paragraphs.
    """
    lines, warnings = restore_breaks(_without_gaps(lines))
    lines = [replace(line, text=_without_emphasis(line.text)) for line in lines]
    openings = _confirmed_openings(lines)
    if not openings and _is_line_a_sentence(lines):
        warnings.append("lines have no full stops; each line was taken for a sentence")
        lines = _with_gaps(lines)
    state = _ReadingState(Parsed(warnings=warnings))
    first_index = _preamble(lines, openings, state.parsed)
    skipped_index = -1
    for index in range(first_index, len(lines)):
        if index == skipped_index:
            continue
        _read_line(state, lines, index, openings)
        if index in openings and openings[index].takes_next:
            skipped_index = index + 1
    has_wall_clock = any(is_wall_clock(line.text) for line in lines)
    _finish(state, has_wall_clock, bool(openings))
    return state.parsed


def _without_emphasis(text: str) -> str:
    return _EMPHASIS.sub(r"\2", _SPACES.sub("  ", text)).rstrip()


def _with_gaps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines with an empty line after each."""
    spaced_lines = []
    for line in lines:
        spaced_lines.append(line)
        spaced_lines.append(replace(line, text=""))
    return spaced_lines


def _without_gaps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines with at most two empty ones in a row. More of them mean nothing more."""
    spaced_lines: list[NumberedLine] = []
    empty_count = 2
    for line in lines:
        empty_count = 0 if line.text.strip() else empty_count + 1
        if empty_count <= 2:
            spaced_lines.append(line)
    return spaced_lines


def _is_line_a_sentence(lines: Sequence[NumberedLine]) -> bool:
    """Return whether lines are sentences without full stops, as some recognisers write.

    Hardly any has a full stop at its end, and nearly all begin with a capital letter.
    """
    texts = [line.text.strip() for line in lines if line.text.strip()]
    if len(texts) < MIN_BARE_TIMES or "".join(texts).isupper():
        return False
    ended_count = sum(bool(_ENDED.search(text)) for text in texts)
    capital_count = sum(not text[0].islower() for text in texts)
    return ended_count < 0.1 * len(texts) and capital_count > 0.9 * len(texts)


def _confirmed_openings(lines: Sequence[NumberedLine]) -> dict[int, TurnOpening]:
    """Return the openings that the whole file confirms, by the index of their line."""
    likely: dict[int, TurnOpening] = {}
    for index, line in enumerate(lines):
        next_text = lines[index + 1].text if index + 1 < len(lines) else ""
        opening = opening_at(line.text, next_text)
        if opening and not nonspeech.is_meta(line.text):
            likely[index] = opening
    for index, opening in _bare_names(lines):
        likely.setdefault(index, opening)
    evidence = _OpeningEvidence.of(likely.values())
    first_index = min(likely, default=0)
    return {
        index: opening
        for index, opening in likely.items()
        if _is_confirmed(opening, evidence, is_first=index == first_index)
    }


@dataclass(frozen=True, slots=True)
class _OpeningEvidence:
    """How often each name and each shape of opening occurs, and the names that are sure labels."""

    name_counts: Counter[str]
    kind_counts: Counter[str]
    sure_names: set[str]

    @classmethod
    def of(cls, openings: Collection[TurnOpening]) -> _OpeningEvidence:
        """Return the evidence in all likely openings of a file."""
        name_counts = Counter(opening.label.name for opening in openings if opening.label)
        sure_names = set()
        for opening in openings:
            if opening.label and opening.kind == "label":
                name = opening.label.name
                if opening.label.sure or name_counts[name] > 1:
                    sure_names.add(name)
        return cls(name_counts, Counter(opening.kind for opening in openings), sure_names)


def _is_confirmed(opening: TurnOpening, evidence: _OpeningEvidence, *, is_first: bool) -> bool:
    """Return whether an opening is one, by how often its name and its shape occur."""
    kind = opening.kind
    label = opening.label
    kind_count = evidence.kind_counts[kind]
    if kind in ("span", "chevron", "bare name"):
        return True
    if label is None:
        time_count = sum(count for kind, count in evidence.kind_counts.items() if "time" in kind)
        return kind_count >= MIN_BARE_TIMES or (kind == "[time]" and time_count >= MIN_REPEATS)
    is_sure_name = label.name in evidence.sure_names
    if kind == "label":
        has_support = bool(evidence.sure_names) or is_first
        return is_sure_name or (has_support and _is_lone_name(label.name))
    if kind == "full stop":
        return kind_count >= MIN_BARE_TIMES and evidence.kind_counts["label"] < kind_count
    if kind == "bracket":
        return label.sure or evidence.name_counts[label.name] >= MIN_REPEATS
    return kind_count >= MIN_REPEATS or is_sure_name


def _is_lone_name(name: str) -> bool:
    """Return whether a label that occurs once reads like a full name.

    Two to four capitalised words without small ones.
    """
    words = name.split()
    if not 2 <= len(words) <= 4 or words[0] in _SENTENCE_STARTS:
        return False
    return all(word[0].isupper() for word in words)


def _bare_names(lines: Sequence[NumberedLine]) -> list[tuple[int, TurnOpening]]:
    """Return lines that are only a name in capitals, if several names occur several times."""
    openings: list[tuple[int, TurnOpening]] = []
    name_counts: Counter[str] = Counter()
    for index, line in enumerate(lines[:-1]):
        text = line.text.strip()
        if not lines[index + 1].text.strip() or not _may_be_bare_name(text):
            continue
        opening = opening_at(f"{text}:")
        if opening and opening.label:
            name_counts[opening.label.name] += 1
            openings.append((index, replace(opening, kind="bare name", rest="")))
    repeated_names = {name for name, count in name_counts.items() if count >= MIN_REPEATS}
    if len(repeated_names) < MIN_REPEATS:
        return []
    return [
        (index, opening)
        for index, opening in openings
        if opening.label and opening.label.name in repeated_names
    ]


def _may_be_bare_name(text: str) -> bool:
    if not text.isupper() or not 3 < len(text) < 40:
        return False
    return text[-1].isalnum() and not nonspeech.is_meta(text)


def _preamble(
    lines: Sequence[NumberedLine], openings: dict[int, TurnOpening], parsed: Parsed
) -> int:
    """Return the index of the first line of speech.

    The text before it gives the title and is left out, and its openings are deleted.
    """
    speech_index = min(
        (index for index, opening in openings.items() if not _is_roster(opening)), default=None
    )
    if speech_index is None:
        return 0
    for index in list(openings):
        if index < speech_index:
            del openings[index]
    texts = [line.text.strip() for line in lines[:speech_index] if line.text.strip()]
    prose_size = sum(len(text) for text in texts if _is_prose(text))
    file_size = sum(len(line.text) for line in lines)
    if prose_size > PREAMBLE_SHARE * file_size:
        return 0
    if texts:
        parsed.title = _title(texts)
        days = set(dates("\n".join(texts)[:PREAMBLE_CHARACTERS]))
        parsed.event_date = days.pop() if len(days) == 1 else None
        heading = _shortened(texts[0].lstrip("# "))
        parsed.warnings.append(
            f"the text before the first speaker was taken for a heading and left out: “{heading}”"
        )
    return speech_index


def _is_prose(text: str) -> bool:
    """Return whether a line before the speech may be speech itself."""
    if _ROSTER_LINE.match(text):
        return False
    return len(text) > MAX_TITLE_LENGTH or _ENDED.search(text) is not None


def _is_roster(opening: TurnOpening) -> bool:
    """Return whether a label introduces a list of people: ``MODERATOR: Lester Holt``."""
    if not opening.label or not opening.rest:
        return False
    is_roster_name = _ROSTER.match(opening.label.name) is not None
    return is_roster_name and not _ENDED.search(opening.rest)


def _title(texts: Sequence[str]) -> str:
    title = texts[0].lstrip("# ").strip()
    if len(title) > MAX_TITLE_LENGTH or nonspeech.is_meta(title) or _NO_TITLE.search(title):
        return ""
    return title


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_LENGTH else text[: MAX_SHOWN_LENGTH - 3] + "..."


def _read_line(
    state: _ReadingState,
    lines: Sequence[NumberedLine],
    index: int,
    openings: dict[int, TurnOpening],
) -> None:
    """Add the speech of one line."""
    line = lines[index]
    examiner = examiner_at(line.text)
    if examiner:
        state.examiner = examiner
        return
    if not line.text.strip() or nonspeech.is_meta(line.text) or _MARKUP.match(line.text):
        return
    opening = openings.get(index)
    if opening is None:
        if openings and _is_heading(lines, index, openings):
            state.headings.append(line.text.strip())
        else:
            _add_speech(state, line, line.text, _ends_paragraph(lines, index))
        return
    if opening.label is not None:
        state.speaker = opening.label.speaker
        if state.speaker == "Q" and state.examiner:
            state.speaker = state.examiner
        if opening.label.speaker is None:
            state.unnamed_count += 1
    state.opening = opening
    if opening.rest.strip():
        _add_speech(state, line, opening.rest, _ends_paragraph(lines, index))


def _add_speech(state: _ReadingState, line: NumberedLine, text: str, ends_paragraph: bool) -> None:
    """Add a line of speech. A chevron inside it begins a turn of an unknown speaker."""
    for position, (follows_chevron, spoken) in enumerate(chevrons(text)):
        opening = state.opening
        state.opening = None
        if follows_chevron and position > 0:
            state.speaker = None
            opening = TurnOpening("chevron", None, "")
            state.unnamed_count += 1
        start = None
        end = None
        starts_turn = False
        if opening is not None:
            start = opening.start
            end = opening.end
            starts_turn = opening.label is not None or opening.kind == "chevron"
        if ends_paragraph:
            spoken += "\n"
        piece = Piece(spoken, line.number, state.speaker, start, end, starts_turn)
        state.parsed.pieces.append(piece)


def _ends_paragraph(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether a paragraph ends here.

    An empty line follows, and the next text does not continue in lower case.
    """
    is_last = index + 1 >= len(lines)
    if is_last or lines[index + 1].text.strip():
        return False
    if _ENDED.search(lines[index].text):
        return True
    for line in lines[index + 1 : index + 5]:
        if line.text.strip():
            return not line.text.lstrip()[0].islower()
    return True


def _is_heading(
    lines: Sequence[NumberedLine], index: int, openings: dict[int, TurnOpening]
) -> bool:
    """Return whether a single line between paragraphs of a labelled text is a heading."""
    if index > 0 and lines[index - 1].text.strip():
        return False
    has_text_below = index + 1 < len(lines) and bool(lines[index + 1].text.strip())
    if has_text_below and index + 1 not in openings:
        return False
    return nonspeech.is_heading(lines[index].text)


def _finish(state: _ReadingState, has_wall_clock: bool, is_labelled: bool) -> None:
    """Add the warnings of the whole file, and turn times of day into seconds since the first."""
    parsed = state.parsed
    warnings = parsed.warnings
    if has_wall_clock:
        _count_from_first(parsed)
    if state.headings:
        headings = ", ".join(f"“{_shortened(heading)}”" for heading in state.headings[:5])
        warnings.append(f"taken for headings and left out ({len(state.headings)}): {headings}")
    if state.unnamed_count:
        warnings.append(
            f"turns whose label or mark names nobody, speaker unknown: {state.unnamed_count}"
        )
    if parsed.pieces and not is_labelled:
        warnings.append("no speaker labels were found; every speaker is unknown")
    starts = [piece.start for piece in parsed.pieces if piece.start is not None]
    if any(start < previous_start for previous_start, start in pairwise(starts)):
        warnings.append(
            "the times go back at least once, as where a second part begins; "
            "they are kept as they are"
        )


def _count_from_first(parsed: Parsed) -> None:
    """Turn times of day into seconds since the first of them."""
    starts = [piece.start for piece in parsed.pieces if piece.start is not None]
    origin = min(starts, default=0.0)
    parsed.pieces = [
        replace(piece, start=_since(origin, piece.start), end=_since(origin, piece.end))
        for piece in parsed.pieces
    ]
    parsed.warnings.append(
        "the times are times of day; they were turned into seconds since the first"
    )


def _since(origin: float, time: float | None) -> float | None:
    return None if time is None else round(time - origin, 3)
