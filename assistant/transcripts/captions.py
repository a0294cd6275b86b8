"""From the cues of any caption file to pieces of speech: repetition taken out, then speakers read from the text."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.transcripts import cue_labels, language
from assistant.transcripts import cues as cue_rules
from assistant.transcripts.cues import Cue
from assistant.transcripts.pieces import Parsed, Piece


def finish(cues: Sequence[Cue], name: str, warnings: Sequence[str], *, declared: str = "") -> Parsed:
    """Return the pieces of all cues in file order, with the warnings of the reader and those found here."""
    single, doubles = cue_rules.once(cues)
    fresh, rolled = cue_rules.unroll([cue for cue in single if cue.text])
    said = [Piece(cue.text, cue.line, cue.speaker, cue.start, cue.end, cue.starts_turn) for cue in fresh]
    pieces, unnamed = cue_labels.resolve(said)
    notes = [*warnings, *language.declared(declared), *_order(fresh, name)]
    if doubles:
        notes.append(f"cues with the times and the text of an earlier one, left out: {doubles}")
    if rolled:
        notes.append(f"rolling captions, each line was read once; cues that repeat the one before: {rolled}")
    return Parsed(pieces, [*notes, *unnamed])


def _order(cues: Sequence[Cue], name: str) -> list[str]:
    """A warning if cues are not in the order of their times; they stay in the order of the file."""
    late = list(cue_rules.out_of_order(cues))
    if not late:
        return []
    more = f", and {len(late) - 1} more do" if len(late) > 1 else ""
    return [f"{name}:{late[0]}: this cue starts before the one above it{more}; the order of the file was kept"]
