"""Turns the cues of any caption file into pieces of speech.

Repeated lines are dropped, speakers read from the text.

Speakers come from chevrons, ``NAME:``, a label on the first line, ``[Name]`` or dashes. The cues
of a whole file are read at once: a label is often believed only when it comes again, and
repetition counts only as a habit of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.transcripts.nonspeech import is_stage
from assistant.transcripts.speaker_labels import (
    SpeakerLabel,
    bracketed_at,
    chevrons,
    confirmed_names,
    label_at,
    named,
)
from assistant.transcripts.speech_pieces import Parsed, Piece

ROLLING_SHARE = 0.3  # at least this share of neighbouring cues repeat a line before repetition counts as rolling
ROLLING_PAIRS = 2
_DASH = re.compile(r"^[-–—]\s?(?=[^\s\-–—])")
_SOUND = re.compile(r"^\s*[\[(][^\[\]()]*[\])]\s*$")


def read_cues(
    cues: Sequence[Piece], name: str, warnings: Sequence[str] = (), *, language: str = ""
) -> Parsed:
    """Return the pieces of all cues in file order, with the warnings of the reader before those found here.

    The text of a cue keeps its line breaks; its speaker is what the format itself says, not a
    label in the text.
    """
    single, doubles = without_doubles(cues)
    fresh, rolled = unroll([cue for cue in single if cue.text])
    pieces = _with_speakers(fresh)
    notes = [*warnings, *_order_warnings(fresh, name)]
    if doubles:
        notes.append(f"cues with the times and the text of an earlier one, left out: {doubles}")
    if rolled:
        notes.append(
            f"rolling captions, each line was read once; cues that repeat the one before: {rolled}"
        )
    if unnamed := sum(piece.starts_turn and piece.speaker is None for piece in pieces):
        notes.append(
            f"turns that begin with a mark or label that names nobody, their speaker is unknown: {unnamed}"
        )
    return Parsed(pieces, notes, language=language)


def _order_warnings(cues: Sequence[Piece], name: str) -> list[str]:
    """Return a warning if cues are not in the order of their times.

    They stay in the order of the file.
    """
    timed = [(cue.start, cue.line) for cue in cues if cue.start is not None]
    late = [line for (before, _), (start, line) in pairwise(timed) if start < before]
    more = f", and {len(late) - 1} more do" if len(late) > 1 else ""
    what = f"this cue starts before the one above it{more}; the order of the file was kept"
    return [f"{name}:{late[0]}: {what}"] if late else []


def unroll(cues: Sequence[Piece]) -> tuple[list[Piece], int]:
    """Return the cues with only what each adds to the one before, and how many cues repeated something.

    Rolling captions (YouTube's automatic ones, broadcast roll-up) show each line two or three
    times. A line that somebody says twice must stay, so nothing changes unless repetition is the
    habit of the whole file.
    """
    rows = [cue.text.split("\n") if cue.text else [] for cue in cues]
    overlaps = [_new_lines(old, new) for old, new in zip([[], *rows], rows, strict=False)]
    repeats = sum(fresh != new for fresh, new in zip(overlaps, rows, strict=True))
    if repeats < ROLLING_PAIRS or repeats < ROLLING_SHARE * (len(cues) - 1):
        return list(cues), 0
    return [
        replace(cue, text="\n".join(fresh))
        for cue, fresh in zip(cues, overlaps, strict=True)
        if fresh
    ], repeats


def _new_lines(old: list[str], new: list[str]) -> list[str]:
    """Return what ``new`` shows beyond the tail of ``old``.

    The last shared line may have grown.
    """
    for shared in range(min(len(old), len(new)), 0, -1):
        last = old[-1]
        grown = new[shared - 1]
        if old[-shared:-1] == new[: shared - 1] and (grown == last or grown.startswith(last + " ")):
            rest = grown[len(last) :].strip()
            return [*([rest] if rest else []), *new[shared:]]
    return new


def without_doubles(cues: Sequence[Piece]) -> tuple[list[Piece], int]:
    """Return the cues without doubles (same times and text, as in joined stream segments), and how many there were."""
    single: dict[object, Piece] = {}
    for i, cue in enumerate(cues):
        single.setdefault(i if cue.start is None else (cue.start, cue.end, cue.text), cue)
    return list(single.values()), len(cues) - len(single)


@dataclass(slots=True)
class _CuePart:
    """A part of a cue: how far into the cue it begins (0..1), who speaks, whether a turn begins there."""

    text: str
    place: float
    speaker: str | None
    starts_turn: bool


def _with_speakers(cues: Sequence[Piece]) -> list[Piece]:
    """Return pieces whose speakers are read from the text of the cues.

    A label applies until the next one; after a bare ``>>`` or dash the speaker is unknown. A
    speaker that the format names stays. Several speakers in a cue share its time by characters.
    """
    names = confirmed_names(
        label for cue in cues if cue.speaker is None for label in _labels(cue.text)
    )
    pieces: list[Piece] = []
    current: str | None = None
    pending = False  # a cue that is only a label starts the turn of the next cue
    for cue in cues:
        if cue.speaker is not None:
            text = " ".join(part for _, part in chevrons(cue.text.replace("\n", " ")))
            pieces.append(replace(cue, text=text, speaker=named(cue.speaker)))
            continue
        parts = list(_parts(cue.text, names, None if cue.starts_turn else current))
        parts = parts or [
            _CuePart("", 0.0, None, True)
        ]  # a chevron and nothing else: somebody speaks in the next cue
        current = parts[-1].speaker
        for piece in _timed_pieces(cue, parts):
            pending = pending or piece.starts_turn
            if piece.text:
                pieces.append(replace(piece, starts_turn=pending))
                pending = False
    return pieces


def _labels(text: str) -> Iterator[SpeakerLabel]:
    """Yield everything in a cue that may be a label."""
    for _, part in chevrons(text):
        for line in part.split("\n"):
            bare = _DASH.sub("", line)
            label = label_at(bare) or bracketed_at(bare)
            if label:
                spoken = bare.lstrip().startswith("[") and bool(bare[label.end :].strip())
                yield replace(label, sure=label.sure or spoken)  # [Alba] En 1928,


def _parts(text: str, names: set[str], current: str | None) -> Iterator[_CuePart]:
    """Yield the speech of a cue, cut where the speaker changes; ``current`` spoke before."""
    length = max(len(text), 1)
    offset = 0
    for marked, marked_text in chevrons(text):
        offset = max(text.find(marked_text, offset), offset)
        part = _CuePart("", offset / length, None if marked else current, marked)
        dashes = sum(bool(_DASH.match(line)) for line in marked_text.split("\n"))
        for line in marked_text.split("\n"):
            turn = _turn_at(line, names, dashes)
            if turn is not None:
                yield part
                again = (
                    turn[0] is not None and turn[0] == part.speaker
                )  # the same label in every cue cuts no sentence
                part = _CuePart("", offset / length, turn[0], not again)
                line = turn[1]
            if not _is_sound(line):
                part.text = f"{part.text} {line.strip()}".strip()
            offset += len(line) + 1
        yield part


def _turn_at(line: str, names: set[str], dashes: int) -> tuple[str | None, str] | None:
    """Return speaker and speech if a turn begins on this line, else None."""
    dash = _DASH.match(line)
    bare = line[dash.end() :] if dash else line
    label = label_at(bare) or bracketed_at(bare)
    if label and label.name in names:
        return label.speaker, bare[label.end :]
    if dash and (dashes > 1 or bare[:1].isupper() or bare[:1] in "“\"'‘"):
        return None, bare
    return None


def _is_sound(line: str) -> bool:
    """Whether a whole line in brackets describes a sound.

    Captions put nothing else there once labels are read.
    """
    return bool(_SOUND.match(line)) and (is_stage(line) or line.strip(" \t[]()")[:1].islower())


def _timed_pieces(cue: Piece, parts: Sequence[_CuePart]) -> Iterator[Piece]:
    """Yield the parts as pieces; the time of the cue is shared out by characters."""
    ends = [part.place for part in parts[1:]] + [1.0]
    for i, (part, end) in enumerate(zip(parts, ends, strict=True)):
        yield Piece(
            part.text,
            cue.line,
            part.speaker,
            _time_at(cue, part.place) if any(earlier.text for earlier in parts[:i]) else cue.start,
            cue.end if i == len(parts) - 1 else _time_at(cue, end),
            part.starts_turn or (i == 0 and cue.starts_turn),
        )


def _time_at(cue: Piece, share: float) -> float | None:
    if cue.start is None or cue.end is None:
        return cue.start
    return round(cue.start + share * (cue.end - cue.start), 3)
