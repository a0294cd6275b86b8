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
    records = (
        line.split("\t")
        for line in REWORDED.read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    return dict(records)


def from_samples(transcript_count: int) -> tuple[list[Made], list[Planted]]:
    """Return each sample debate dealt out into ``transcript_count`` transcripts, and the planted repeats.

    ``transcript_count`` is at least 2.
    """
    archive = []
    planted = []
    rewording_by_claim = rewordings()
    for debate, (file, gold) in enumerate(sorted(read_gold().items())):
        stem = file.partition("_")[2].partition(".")[0]
        names = [_name(debate * transcript_count + i, stem) for i in range(transcript_count)]
        lines_by_transcript: list[list[Line]] = [[] for _ in range(transcript_count)]
        for number, sentence in enumerate(transcripts.read(DEBATES / file)):
            i = number % transcript_count
            speaker = (sentence.speaker or "NARRATOR").upper()
            lines_by_transcript[i].append((speaker, sentence.text))
            labels = gold.get(sentence.text, {})
            claim = ""
            if labels.get("relevant"):
                claim = next(iter(labels.get("claims", ())), "")
            if claim in rewording_by_claim:
                j = (i + 1) % transcript_count
                lines_by_transcript[j].append((speaker, rewording_by_claim[claim]))
                planted.append(Planted(claim, speaker, names[i], names[j]))
        for name, lines in zip(names, lines_by_transcript, strict=True):
            archive.append(Made(name, tuple(lines)))
    return archive, planted


def write(folder: Path, archive: Sequence[Made]) -> None:
    """Write the transcripts into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in archive:
        (folder / f"{each.name}.txt").write_text(each.text(), encoding="utf-8")


def _name(number: int, stem: str) -> str:
    return f"{FIRST + number * APART}_{stem}-{number:04}"
