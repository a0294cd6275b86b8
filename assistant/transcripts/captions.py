"""Turns the cues of any caption file into pieces of speech: repeated lines are dropped, speakers read from the text.

Speakers come from chevrons, ``NAME:``, a label on the first line, ``[Name]`` or dashes. The cues of a whole file are
read at once: a label is often believed only when it comes again, and repetition counts only as a habit of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.transcripts.cues import Cue
from assistant.transcripts.labels import Label, believed, bracketed_at, chevrons, label_at, named
from assistant.transcripts.nonspeech import is_stage
from assistant.transcripts.pieces import Parsed, Piece

ROLLING_SHARE = 0.3  # at least this share of neighbouring cues repeat a line before repetition counts as rolling
ROLLING_PAIRS = 2
_DASH = re.compile(r"^[-–—]\s?(?=[^\s\-–—])")
_SOUND = re.compile(r"^\s*[\[(][^\[\]()]*[\])]\s*$")


def read_cues(cues: Sequence[Cue], name: str, warnings: Sequence[str] = (), *, language: str = "") -> Parsed:
    """Return the pieces of all cues in file order, with the warnings of the reader before those found here."""
    single, doubles = once(cues)
    fresh, rolled = unroll([cue for cue in single if cue.text])
    said = [Piece(cue.text, cue.line, cue.speaker, cue.start, cue.end, cue.starts_turn) for cue in fresh]
    pieces, unnamed = resolve(said)
    notes = [*warnings, *_order(fresh, name)]
    if doubles:
        notes.append(f"cues with the times and the text of an earlier one, left out: {doubles}")
    if rolled:
        notes.append(f"rolling captions, each line was read once; cues that repeat the one before: {rolled}")
    return Parsed(pieces, [*notes, *unnamed], language=language)


def _order(cues: Sequence[Cue], name: str) -> list[str]:
    """A warning if cues are not in the order of their times; they stay in the order of the file."""
    late = list(out_of_order(cues))
    if not late:
        return []
    more = f", and {len(late) - 1} more do" if len(late) > 1 else ""
    return [f"{name}:{late[0]}: this cue starts before the one above it{more}; the order of the file was kept"]


def unroll(cues: Sequence[Cue]) -> tuple[list[Cue], int]:
    """Return the cues with only what each adds to the one before, and how many cues repeated something.

    Rolling captions (YouTube's automatic ones, broadcast roll-up) show each line two or three times. A line said
    twice by a person must stay, so nothing is changed unless repetition is the habit of the whole file.
    """
    rows = [cue.text.split("\n") if cue.text else [] for cue in cues]
    overlaps = [_overlap(old, new) for old, new in zip([[], *rows], rows, strict=False)]
    repeats = sum(kept != new for kept, new in zip(overlaps, rows, strict=True))
    if repeats < ROLLING_PAIRS or repeats < ROLLING_SHARE * (len(cues) - 1):
        return list(cues), 0
    return [replace(cue, text="\n".join(kept)) for cue, kept in zip(cues, overlaps, strict=True) if kept], repeats


def _overlap(old: list[str], new: list[str]) -> list[str]:
    """What ``new`` shows beyond the tail of ``old``; the last shared line may have grown."""
    for shared in range(min(len(old), len(new)), 0, -1):
        last, grown = old[-1], new[shared - 1]
        if old[-shared:-1] == new[: shared - 1] and (grown == last or grown.startswith(last + " ")):
            rest = grown[len(last) :].strip()
            return [*([rest] if rest else []), *new[shared:]]
    return new


def once(cues: Sequence[Cue]) -> tuple[list[Cue], int]:
    """Return the cues without doubles (same times and text, as in joined stream segments), and how many there were."""
    seen: set[tuple[float | None, float | None, str]] = set()
    kept = [cue for cue in cues if cue.start is None or _first(seen, (cue.start, cue.end, cue.text))]
    return kept, len(cues) - len(kept)


def _first(seen: set, key: tuple) -> bool:
    known = key in seen
    seen.add(key)
    return not known


def out_of_order(cues: Sequence[Cue]) -> Iterator[int]:
    """Yield the line of every cue that starts before the one above it."""
    latest = None
    for cue in cues:
        if cue.start is None:
            continue
        if latest is not None and cue.start < latest:
            yield cue.line
        latest = cue.start


@dataclass(slots=True)
class _Said:
    """A part of a cue: how far into the cue it begins (0..1), who says it, whether a turn begins there."""

    text: str
    place: float
    speaker: str | None
    starts_turn: bool


def resolve(cues: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """Return pieces with speakers taken from the text of the cues, and warnings.

    ``text`` of a cue keeps its line breaks. A label holds until the next one; after a bare ``>>`` or dash the speaker
    is unknown. A cue with a speaker of its own keeps it. Several speakers in a cue share its time by characters.
    """
    names = believed(label for cue in cues if cue.speaker is None for label in _labels(cue.text))
    pieces: list[Piece] = []
    current: str | None = None
    pending = False  # a label in a cue of its own starts the turn of the next cue
    for cue in cues:
        if cue.speaker is not None:
            text = " ".join(part for _, part in chevrons(cue.text.replace("\n", " ")))
            pieces.append(replace(cue, text=text, speaker=named(cue.speaker)))
            continue
        parts = list(_parts(cue.text, names, None if cue.starts_turn else current))
        parts = parts or [_Said("", 0.0, None, True)]  # a chevron and nothing else: somebody speaks in the next cue
        current = parts[-1].speaker
        for piece in _timed(cue, parts):
            pending = pending or piece.starts_turn
            if piece.text:
                pieces.append(replace(piece, starts_turn=pending))
                pending = False
    return pieces, _warnings(names, pieces)


def _warnings(names: set[str], pieces: Sequence[Piece]) -> list[str]:
    guessed = sum(piece.starts_turn and piece.speaker is None for piece in pieces)
    if not guessed:
        return []
    return [f"turns that begin with a mark or label that names nobody, their speaker is unknown: {guessed}"]


def _labels(text: str) -> Iterator[Label]:
    """Yield everything in a cue that may be a label."""
    for _, part in chevrons(text):
        for line in part.split("\n"):
            bare = _DASH.sub("", line)
            label = label_at(bare) or bracketed_at(bare)
            if label:
                spoken = bare.lstrip().startswith("[") and bool(bare[label.end :].strip())
                yield replace(label, sure=label.sure or spoken)  # [Alba] En 1928,


def _parts(text: str, names: set[str], current: str | None) -> Iterator[_Said]:
    """Yield what is said in a cue, cut where the speaker changes; ``current`` spoke before."""
    length, offset = max(len(text), 1), 0
    for marked, part in chevrons(text):
        offset = max(text.find(part, offset), offset)
        said = _Said("", offset / length, None if marked else current, marked)
        dashes = sum(bool(_DASH.match(line)) for line in part.split("\n"))
        for line in part.split("\n"):
            begun = _begun(line, names, dashes)
            if begun is not None:
                yield said
                again = begun[0] is not None and begun[0] == said.speaker  # labels of every cue cut no sentence
                said = _Said("", offset / length, begun[0], not again)
                line = begun[1]
            if not _is_sound(line):
                said.text = f"{said.text} {line.strip()}".strip()
            offset += len(line) + 1
        yield said


def _begun(line: str, names: set[str], dashes: int) -> tuple[str | None, str] | None:
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
    """Whether a whole line in brackets describes a sound; captions put nothing else there once labels are read."""
    return bool(_SOUND.match(line)) and (is_stage(line) or line.strip(" \t[]()")[:1].islower())


def _timed(cue: Piece, parts: Sequence[_Said]) -> Iterator[Piece]:
    """Yield the parts as pieces; the time of the cue is shared out by characters."""
    ends = [part.place for part in parts[1:]] + [1.0]
    for i, (part, end) in enumerate(zip(parts, ends, strict=True)):
        yield Piece(
            part.text,
            cue.line,
            part.speaker,
            _at(cue, part.place) if any(earlier.text for earlier in parts[:i]) else cue.start,
            cue.end if i == len(parts) - 1 else _at(cue, end),
            part.starts_turn or (i == 0 and cue.starts_turn),
        )


def _at(cue: Piece, share: float) -> float | None:
    if cue.start is None or cue.end is None:
        return cue.start
    return round(cue.start + share * (cue.end - cue.start), 3)
