"""Archives to measure with: transcripts dealt out from the sample debates, with planted repeats.

Each sentence of a sample debate goes into one transcript only. A claim is made in one of them by
the words of the debate and again, by the same speaker, in another one by the words of
``rewordings.tsv``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from assistant import transcripts
from bench.samples import DEBATES, read_gold

REWORDED = Path(__file__).parent / "rewordings.tsv"
FIRST = date(2026, 1, 5)
APART = timedelta(days=7)
Line = tuple[str, str]  # who says what


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim that one speaker makes in two transcripts, by their names."""

    claim: str
    speaker: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Made:
    """A transcript to write, and its lines."""

    name: str
    lines: tuple[Line, ...]

    def text(self) -> str:
        """Return it as plain text, a paragraph a turn."""
        return "\n\n".join(f"{speaker}: {text}" for speaker, text in self.lines) + "\n"


def rewordings() -> dict[str, str]:
    """Return the sentences to plant, by the id of their claim."""
    rows = (
        line.split("\t")
        for line in REWORDED.read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    return dict(rows)


def from_samples(parts: int) -> tuple[list[Made], list[Planted]]:
    """Return each sample debate dealt out into so many transcripts (at least 2), and what is planted in them."""
    made = []
    planted = []
    again = rewordings()
    for debate, (file, gold) in enumerate(sorted(read_gold().items())):
        stem = file.partition("_")[2].partition(".")[0]
        names = [_name(debate * parts + part, stem) for part in range(parts)]
        dealt: list[list[Line]] = [[] for _ in range(parts)]
        for place, sent in enumerate(transcripts.read(DEBATES / file)):
            part = place % parts
            row = gold.get(sent.text, {})
            speaker = (sent.speaker or "NARRATOR").upper()
            dealt[part].append((speaker, sent.text))
            claim = next(iter(row.get("claims", ())), "") if row.get("relevant") else ""
            if claim in again:
                other = (part + 1) % parts
                dealt[other].append((speaker, again[claim]))
                planted.append(Planted(claim, speaker, names[part], names[other]))
        made += [Made(name, tuple(lines)) for name, lines in zip(names, dealt, strict=True)]
    return made, planted


def write(folder: Path, made: Sequence[Made]) -> None:
    """Write the transcripts into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in made:
        (folder / f"{each.name}.txt").write_text(each.text(), encoding="utf-8")


def _name(number: int, stem: str) -> str:
    return f"{FIRST + number * APART}_{stem}-{number:04}"
