"""From the cues of any caption file to pieces of speech: repetition taken out, speakers read from the text.

In captions a speaker is a label at the head of a line (``MAN:``, ``[Alba]``), a chevron (``>>``) or a dash; whoever
it is speaks on until the next of them. A chevron or dash without a name starts the turn of somebody unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from assistant.transcripts import cues as cue_rules
from assistant.transcripts import labels, language
from assistant.transcripts.cues import Cue
from assistant.transcripts.labels import Label
from assistant.transcripts.pieces import Parsed, Piece

_DASH = re.compile(r"^[-–—]\s*(?=[^\s\d–—-])")


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a cue by one voice: whether a mark announces it, and the label it begins with, if any."""

    marked: bool
    label: Label | None
    text: str


def finish(cues: Sequence[Cue], name: str, warnings: Sequence[str], *, declared: str = "") -> Parsed:
    """Return the pieces of all cues in file order, with the warnings of the reader and those found here."""
    single, doubles = cue_rules.once(cues)
    fresh, rolled = cue_rules.unroll([cue for cue in single if cue.text])
    notes = [*warnings, *language.declared(declared, name), *_order(fresh, name)]
    if doubles:
        notes.append(f"{name}: cues with the times and the text of an earlier one, left out: {doubles}")
    if rolled:
        notes.append(f"{name}: rolling captions, each line was read once; cues that repeat the one before: {rolled}")
    return Parsed(list(_pieces(fresh)), notes)


def _order(cues: Sequence[Cue], name: str) -> list[str]:
    """A warning if cues are not in the order of their times; they stay in the order of the file."""
    late = list(cue_rules.out_of_order(cues))
    if not late:
        return []
    more = f", and {len(late) - 1} more do" if len(late) > 1 else ""
    return [f"{name}:{late[0]}: this cue starts before the one above it{more}; the order of the file was kept"]


def _pieces(cues: Sequence[Cue]) -> Iterator[Piece]:
    """Yield the speech of the cues, each stretch with who speaks it."""
    parts = [[] if cue.speaker else list(_parts(cue.text)) for cue in cues]
    known = labels.believed(part.label for row in parts for part in row if part.label)
    speaker, new_turn = None, False
    for cue, row in zip(cues, parts, strict=True):
        if cue.speaker:
            speaker, new_turn = labels.named(cue.speaker), False
            yield Piece(_one_line(cue.text), cue.line, speaker, cue.start, cue.end, cue.starts_turn)
            continue
        if cue.starts_turn:
            speaker, new_turn = None, True
        for part, (start, end) in zip(row, _times(cue, row), strict=True):
            label = part.label if part.label and _is_label(part, known) else None
            new_turn = new_turn or part.marked or label is not None
            speaker = label.speaker if label else None if part.marked else speaker
            said = _one_line(part.text[label.end :] if label else part.text)
            if said:
                yield Piece(said, cue.line, speaker, start, end, new_turn)
                new_turn = False


def _parts(text: str) -> Iterator[_Part]:
    """Yield the text of a cue cut at chevrons, dashes and lines that begin with a label."""
    for marked, stretch in labels.chevrons(text):
        open_mark, open_label, open_lines = marked, None, []
        for i, line in enumerate(stretch.split("\n")):
            dash = _DASH.match(line)
            line = line[dash.end() :] if dash else line
            label = labels.label_at(line) or labels.bracketed_at(line)
            if open_lines and (dash or label):
                yield _Part(open_mark, open_label, "\n".join(open_lines))
                open_lines, open_mark = [], False
            if not open_lines:
                open_mark, open_label = bool(dash) or (marked and i == 0), label
            open_lines.append(line)
        yield _Part(open_mark, open_label, "\n".join(open_lines))


def _is_label(part: _Part, known: set[str]) -> bool:
    """Whether the label is one: the file uses it as such, or it is a name in brackets with speech behind it."""
    bracketed = part.text.startswith("[") and part.text[part.label.end :].split("\n")[0].strip() != ""
    return part.label.name in known or bracketed


def _times(cue: Cue, parts: Sequence[_Part]) -> list[tuple[float | None, float | None]]:
    """Times of the parts of a cue, by their characters."""
    if cue.start is None or cue.end is None:
        return [(cue.start, cue.end)] * len(parts)
    ends = list(accumulate(len(part.text) for part in parts))
    marks = [round(cue.start + (cue.end - cue.start) * end / max(ends[-1], 1), 3) for end in [0, *ends]]
    return list(pairwise(marks))


def _one_line(text: str) -> str:
    return " ".join(text.split())
