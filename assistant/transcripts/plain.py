"""Reads plain text, whatever it was copied from.

Labelled turns, exports with times, flattened pages, bare prose.

``read_lines`` serves HTML, DOCX and PDF too, once they are lines. A label applies until the next one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant.transcripts import nonspeech, refusals
from assistant.transcripts.numbered_lines import NumberedLine, numbered, restore_breaks
from assistant.transcripts.speaker_labels import chevrons, examiner_at
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates
from assistant.transcripts.turn_openings import TurnOpening, is_wall_clock, opening_at

PREAMBLE_SHARE = 0.25  # unlabelled text before the first label is a preamble if it is no more of the file than this
PREAMBLE_CHARACTERS = 1_000  # where the date of the event may be in it
MIN_REPEATS = 2  # a shape of opening without a colon counts from so many on
MIN_BARE_TIMES = 3

_MARKUP = re.compile(r"^\s*(?:\#{1,6}\s+|[*_]{3,}\s*$|\|?-{3,}\|?\s*$|={3,}\s*$)")
_SPACES = re.compile(
    r"[^\S\n]{3,}"
)  # says no more than two of them, but every pattern would have to go through it
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1")
_ROSTER = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers?|present|attendees)$",
    re.IGNORECASE,
)
_ROSTER_LINE = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers)\s*:", re.IGNORECASE
)
_NO_TITLE = re.compile(r"[.:]$|^[A-Za-z ]{2,30}:")
_ENDED = re.compile(r"[.!?…:;][”’\"')\]]*\s*$")


@dataclass(slots=True)
class _ReadingState:
    """What has been read so far, and who speaks."""

    parsed: Parsed
    speaker: str | None = None
    opening: TurnOpening | None = None
    examiner: str | None = None
    headings: list[str] = field(default_factory=list)
    unnamed: int = 0


def sniff(source: RawSource) -> bool:
    """Whether there is any text that is neither XML nor JSON: the last resort of the table."""
    return bool(source.text.strip()) and not refusals.is_markup(source)


def parse(source: RawSource) -> Parsed:
    """Return the turns of a text file."""
    return read_lines(numbered(source.text.split("\n")))


def read_lines(lines: Sequence[NumberedLine]) -> Parsed:
    """Return the turns found in lines of text, an empty line between paragraphs, with warnings for every guess."""
    lines, notes = restore_breaks(_without_gaps(lines))
    lines = [
        NumberedLine(line.number, _EMPHASIS.sub(r"\2", _SPACES.sub("  ", line.text)).rstrip())
        for line in lines
    ]
    openings = _confirmed_openings(lines)
    reading = _ReadingState(Parsed(warnings=notes))
    if not openings and _is_line_a_sentence(lines):
        notes.append("lines have no full stops; each line was taken for a sentence")
        lines = [part for line in lines for part in (line, replace(line, text=""))]
    first = _preamble(lines, openings, reading.parsed)
    skip = -1
    for i in range(first, len(lines)):
        if i != skip:
            _read_line(reading, lines, i, openings)
            skip = i + 1 if i in openings and openings[i].takes_next else skip
    _finish(reading, any(is_wall_clock(line.text) for line in lines), bool(openings))
    return reading.parsed


def _without_gaps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines with no more than two empty ones in a row, which say all that more of them do."""
    kept: list[NumberedLine] = []
    for line in lines:
        if line.text.strip() or any(before.text.strip() for before in kept[-2:]):
            kept.append(line)
    return kept


def _is_line_a_sentence(lines: Sequence[NumberedLine]) -> bool:
    """Whether lines are sentences without full stops, as some recognisers write.

    None ends, each begins in capitals.
    """
    texts = [line.text.strip() for line in lines if line.text.strip()]
    ended = sum(bool(_ENDED.search(text)) for text in texts)
    begun = sum(not text[0].islower() for text in texts)
    return (
        len(texts) >= MIN_BARE_TIMES
        and ended < 0.1 * len(texts)
        and begun > 0.9 * len(texts)
        and not "".join(texts).isupper()
    )


def _confirmed_openings(lines: Sequence[NumberedLine]) -> dict[int, TurnOpening]:
    """Return the openings that the whole file confirms, by index of their line."""
    likely = {}
    for i, line in enumerate(lines):
        below = lines[i + 1].text if i + 1 < len(lines) else ""
        opening = opening_at(line.text, below)
        if opening and not nonspeech.is_meta(line.text):
            likely[i] = opening
    likely |= {i: o for i, o in _bare_names(lines) if i not in likely}
    names = Counter(o.label.name for o in likely.values() if o.label)
    kinds = Counter(o.kind for o in likely.values())
    sure = {
        o.label.name
        for o in likely.values()
        if o.label and o.kind == "label" and (o.label.sure or names[o.label.name] > 1)
    }
    first = min(likely, default=0)
    return {
        i: o for i, o in likely.items() if _is_confirmed(o, names, kinds, sure, first=i == first)
    }


def _is_confirmed(
    o: TurnOpening, names: Counter[str], kinds: Counter[str], sure: set[str], *, first: bool
) -> bool:
    """Whether one opening is what it looks like, given how often its name and its shape occur."""
    if o.kind in ("span", "chevron", "bare name"):
        return True
    if o.label is None:
        times = sum(count for kind, count in kinds.items() if "time" in kind)
        return kinds[o.kind] >= MIN_BARE_TIMES or (o.kind == "[time]" and times >= MIN_REPEATS)
    if o.kind == "label":
        return o.label.name in sure or (_is_lone_name(o.label.name) and bool(sure or first))
    if o.kind == "full stop":
        return kinds[o.kind] >= MIN_BARE_TIMES and kinds["label"] < kinds[o.kind]
    if o.kind == "bracket":
        return o.label.sure or names[o.label.name] >= MIN_REPEATS
    return kinds[o.kind] >= MIN_REPEATS or o.label.name in sure


def _is_lone_name(name: str) -> bool:
    """Whether a label seen once reads like a full name.

    Two to four capitalised words without small ones.
    """
    words = name.split()
    return (
        2 <= len(words) <= 4
        and all(word[0].isupper() for word in words)
        and words[0] not in ("The", "A", "An", "On", "In")
    )


def _bare_names(lines: Sequence[NumberedLine]) -> Iterator[tuple[int, TurnOpening]]:
    """Yield lines that are a name in capitals and nothing else, if several names come several times."""
    spots = []
    for i, line in enumerate(lines[:-1]):
        name = line.text.strip()
        if (
            name.isupper()
            and 3 < len(name) < 40
            and lines[i + 1].text.strip()
            and not nonspeech.is_meta(name)
        ):
            opening = opening_at(f"{name}:") if name[-1].isalnum() else None
            if opening and opening.label:
                spots.append((i, replace(opening, kind="bare name", rest="")))
    counts = Counter(o.label.name for _, o in spots if o.label)
    if len([name for name in counts if counts[name] >= MIN_REPEATS]) >= MIN_REPEATS:
        yield from (
            spot for spot in spots if spot[1].label and counts[spot[1].label.name] >= MIN_REPEATS
        )


def _preamble(
    lines: Sequence[NumberedLine], openings: dict[int, TurnOpening], parsed: Parsed
) -> int:
    """Return the index of the first line of speech.

    The text before it gives the title and is left out.
    """
    named = [i for i, o in sorted(openings.items()) if not _is_roster(o)]
    for i in [i for i in openings if named and i < named[0]]:
        del openings[i]
    texts = [line.text.strip() for line in lines[: named[0]] if line.text.strip()] if named else []
    size = sum(
        len(text)
        for text in texts
        if not _ROSTER_LINE.match(text) and (len(text) > 120 or _ENDED.search(text))
    )
    whole = sum(len(line.text) for line in lines)
    if not named or size > PREAMBLE_SHARE * whole:
        return 0
    if texts:
        parsed.title = _title(texts)
        days = set(dates("\n".join(texts)[:PREAMBLE_CHARACTERS]))
        parsed.event_date = days.pop() if len(days) == 1 else None
        parsed.warnings.append(
            f"the text before the first speaker was taken for a heading and left out: “{_shortened(texts[0].lstrip('# '))}”"
        )
    return named[0]


def _is_roster(opening: TurnOpening) -> bool:
    """Whether a label introduces a list of people: ``MODERATOR: Lester Holt``."""
    return bool(
        opening.label
        and _ROSTER.match(opening.label.name)
        and not _ENDED.search(opening.rest)
        and opening.rest
    )


def _title(texts: Sequence[str]) -> str:
    first = texts[0].lstrip("# ").strip()
    return (
        first
        if len(first) <= 120 and not nonspeech.is_meta(first) and not _NO_TITLE.search(first)
        else ""
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _read_line(
    reading: _ReadingState, lines: Sequence[NumberedLine], i: int, openings: dict[int, TurnOpening]
) -> None:
    """Add the speech of one line."""
    line = lines[i]
    reading.examiner = examiner_at(line.text) or reading.examiner
    if (
        not line.text.strip()
        or nonspeech.is_meta(line.text)
        or _MARKUP.match(line.text)
        or examiner_at(line.text)
    ):
        return
    opening = openings.get(i)
    if opening is None:
        if openings and _is_heading(lines, i, openings):
            reading.headings.append(line.text.strip())
        else:
            _add_speech(reading, line, line.text, _ends_paragraph(lines, i))
        return
    if opening.label is not None:
        name = opening.label.speaker
        reading.speaker = reading.examiner if name == "Q" and reading.examiner else name
        reading.unnamed += name is None
    reading.opening = opening
    if opening.rest.strip():
        _add_speech(reading, line, opening.rest, _ends_paragraph(lines, i))


def _add_speech(
    reading: _ReadingState, line: NumberedLine, text: str, ends_paragraph: bool
) -> None:
    """Add a line of speech; a chevron inside it begins a turn of somebody unknown."""
    for position, (marked, part) in enumerate(chevrons(text)):
        opening = reading.opening
        reading.opening = None
        if marked and position:
            reading.speaker = None
            opening = TurnOpening("chevron", None, "")
            reading.unnamed += 1
        starts = opening is not None and (opening.label is not None or opening.kind == "chevron")
        start, end = (opening.start, opening.end) if opening else (None, None)
        text = part + "\n" if ends_paragraph else part
        reading.parsed.pieces.append(Piece(text, line.number, reading.speaker, start, end, starts))


def _ends_paragraph(lines: Sequence[NumberedLine], i: int) -> bool:
    """Whether a paragraph ends here.

    An empty line follows, and the next text does not go on in lower case.
    """
    if i + 1 >= len(lines) or lines[i + 1].text.strip():
        return False
    following = next((line.text.lstrip() for line in lines[i + 1 : i + 5] if line.text.strip()), "")
    return bool(_ENDED.search(lines[i].text)) or not following[:1].islower()


def _is_heading(lines: Sequence[NumberedLine], i: int, openings: dict[int, TurnOpening]) -> bool:
    """Whether a single line between paragraphs of a labelled text is a heading."""
    above = i > 0 and lines[i - 1].text.strip()
    below = i + 1 < len(lines) and lines[i + 1].text.strip()
    return not above and (not below or i + 1 in openings) and nonspeech.is_heading(lines[i].text)


def _finish(reading: _ReadingState, wall_clock: bool, labelled: bool) -> None:
    """Add the warnings of the whole file, and turn times of day into seconds since the first."""
    parsed = reading.parsed
    if wall_clock:
        _count_from_first(parsed)
    if reading.headings:
        shown = ", ".join(f"“{_shortened(heading)}”" for heading in reading.headings[:5])
        parsed.warnings.append(
            f"taken for headings and left out ({len(reading.headings)}): {shown}"
        )
    if reading.unnamed:
        parsed.warnings.append(
            f"turns whose label or mark names nobody, speaker unknown: {reading.unnamed}"
        )
    if parsed.pieces and not labelled:
        parsed.warnings.append("no speaker labels were found; every speaker is unknown")
    starts = [piece.start for piece in parsed.pieces if piece.start is not None]
    if any(later < earlier for earlier, later in zip(starts, starts[1:], strict=False)):
        parsed.warnings.append(
            "the times go back at least once, as where a second part begins; they are kept as they are"
        )


def _count_from_first(parsed: Parsed) -> None:
    """Turn times of day into seconds since the first of them."""
    first = min((piece.start for piece in parsed.pieces if piece.start is not None), default=0.0)
    for i, piece in enumerate(parsed.pieces):
        start, end = (
            None if time is None else round(time - first, 3) for time in (piece.start, piece.end)
        )
        parsed.pieces[i] = replace(piece, start=start, end=end)
    parsed.warnings.append(
        "the times are times of day; they were turned into seconds since the first"
    )
