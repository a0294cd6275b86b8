"""Who spoke: which share of the time is given to the right voice in the sample debates, each read by several voices?

``python -m bench.hearing.voices [--number] [--json FILE]``. Expected: at least .85 of the time (aim .95) with three to
five voices. ``--number``: the number of voices is given instead of found. Needs espeak-ng.

*Right*: voices that were found are paired with speakers so that most time fits (Hungarian method); what is *Unknown*
counts as wrong. The words' times are those of the reading, spread over each sentence by the length of its words, so
that the figure is about voices and not about the recogniser.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from assistant import transcripts
from assistant.transcription.diarization import speakers
from bench.command import command, option

if TYPE_CHECKING:
    from bench.hearing.reading_aloud import Recording

LONGEST_S = 600.0
KINDS = (".txt", ".vtt", ".docx", ".json")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word with its times in seconds and who said it."""

    text: str
    start: float
    end: float
    speaker: str


def words_of(recording: Recording) -> list[Spoken]:
    """Return the words of a reading, each sentence's time shared out by the length of its words."""
    spoken_words = []
    for spoken_sentence in recording.said:
        words = spoken_sentence.sentence.text.split()
        ends = np.cumsum([len(word) + 1 for word in words])
        times = (
            spoken_sentence.start
            + (spoken_sentence.end - spoken_sentence.start) * np.concatenate([[0], ends]) / ends[-1]
        )
        speaker = spoken_sentence.sentence.speaker or ""
        spoken_words += [
            Spoken(word, *span, speaker)
            for word, *span in zip(words, times, times[1:], strict=False)
        ]
    return spoken_words


def share_right(
    words: Sequence[Spoken], speaker_names: Sequence[str | None]
) -> tuple[float, float]:
    """Return the share of the time that is given to the right voice, and the share that is unknown."""
    from scipy.optimize import linear_sum_assignment

    seconds: Counter[tuple[str, str]] = Counter()
    for word, name in zip(words, speaker_names, strict=True):
        seconds[word.speaker, name or ""] += word.end - word.start
    people = sorted({person for person, _ in seconds})
    names = sorted({name for _, name in seconds if name})
    table = np.array([[seconds[person, name] for name in names] for person in people])
    total = sum(seconds.values())
    unknown = sum(seconds[person, ""] for person in people)
    right = table[linear_sum_assignment(-table)].sum() if names else 0.0
    return float(right) / total, unknown / total


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Print a line a debate and return the same as rows."""
    from bench.hearing.reading_aloud import DEBATES, RATE, read_aloud

    debate_rows: list[dict[str, object]] = []
    print(
        "| debate | minutes | voices | found | right | unknown | processor s |\n|---|---|---|---|---|---|---|"
    )
    for path in sorted(
        path for path in DEBATES.iterdir() if path.suffix in KINDS and "gold" not in path.name
    ):
        recording = read_aloud(transcripts.read(path).sentences, longest_s=LONGEST_S)
        words = words_of(recording)
        samples = recording.samples
        number = len({word.speaker for word in words})
        begun = process_time()
        speaker_names = speakers(
            lambda start, end, samples=samples: samples[int(start * RATE) : int(end * RATE)],
            words,
            number if options.number else None,
        )
        took = process_time() - begun
        right, unknown = share_right(words, speaker_names)
        minutes = len(samples) / RATE / 60
        debate_rows.append(
            {
                "debate": path.stem,
                "voices": number,
                "found": len({*speaker_names} - {None}),
                "right": right,
            }
        )
        print(
            f"| {path.stem} | {minutes:.1f} | {number} | {debate_rows[-1]['found']} | {right:.3f} | {unknown:.3f} "
            f"| {took:.0f} |",
            flush=True,
        )
    return {"rows": debate_rows}


main = command(
    measure, option("--number", action="store_true", help="tell it how many voices there are")
)

if __name__ == "__main__":
    sys.exit(main())
