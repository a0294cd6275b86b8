"""Who speaks inside captions: chevrons, ``NAME:``, a label on the first line, ``[Name]``, dashes, sounds in brackets.

Works on the cues of a whole file at once, because a label is often believed only when it comes again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.transcripts.labels import Label, believed, bracketed_at, chevrons, label_at, named
from assistant.transcripts.nonspeech import is_stage
from assistant.transcripts.pieces import Piece

_DASH = re.compile(r"^[-–—]\s?(?=[^\s\-–—])")
_SOUND = re.compile(r"^\s*[\[(][^\[\]()]*[\])]\s*$")


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
