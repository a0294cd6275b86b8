"""Is a voice known again in another debate, and is nobody taken for somebody else?

``python -m bench.hearing.profiles [--json FILE]``. Voices of espeak-ng that read no sample debate for Lectern's other
benches each read sentences of one sample debate, which are kept, and sentences of another as they are, faster and
slower, and higher and lower. A row a border: the share of readings whose own voice is at least as like as the border,
and the share of pairs of two voices that are. *close* counts pairs of one kind of voice as well (two made with nearly
the same settings): nobody can tell these apart. Beside it the likeness of real voices, of the package moonshine-voice:
two halves of one recording, and different people. Needs espeak-ng.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.transcription.known_voices import MIN_VOICE_COSINE, centre
from bench.command import command, table
from bench.hearing.reading_aloud import DEBATES, RATE, Samples, Voice, spoken
from bench.hearing.words import real_recording
from features.models.voice_encoder import voice_vectors

KEPT = "2025-09-18_harrow-falls.vtt"
HEARD = "2024-10-03_ridgeway-energy-forum.docx"
SENTENCES = 8
KINDS = (
    "f2",
    "f3",
    "f5",
    "m1",
    "m3",
    "m7",
    "klatt",
    "klatt4",
    "croak",
    "Annie",
    "Andy",
    "adam",
    "belinda",
    "boris",
)
KINDS += (
    "Denis",
    "ed",
    "Gene",
    "Henrique",
    "john",
    "linda",
    "Mario",
    "max",
    "robert",
    "steph",
    "travis",
    "victor",
)
WAYS = {
    "as it is": (0, 150),
    "faster": (0, 175),
    "slower": (0, 130),
    "higher": (10, 150),
    "lower": (-10, 150),
}
BORDERS = (0.80, 0.85, 0.90, 0.93, 0.95, 0.97)
REAL = {
    "reader": "two_cities.wav",
    "a": "beckett.wav",
    "b": "clone-test.wav",
    "c": "endgame_nagg_nell.wav",
}


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print both tables and return the rows of the first."""
    kept_texts, heard_texts = (_texts(name) for name in (KEPT, HEARD))
    stored_profiles = np.stack([_centre(kept_texts, (f"en-us+{kind}", 45, 150)) for kind in KINDS])
    apart = stored_profiles @ stored_profiles.T < 0.97  # not two names for nearly the same settings
    same = []
    other_likeness = []
    close = []
    for pitch, speed in WAYS.values():
        heard = np.stack(
            [_centre(heard_texts, (f"en-us+{kind}", 45 + pitch, speed)) for kind in KINDS]
        )
        likeness = heard @ stored_profiles.T
        same.append(np.diag(likeness))
        other_likeness.append(likeness[apart])
        close.append(likeness[~np.eye(len(KINDS), dtype=bool)])
    threshold_rows = []
    for border in BORDERS:
        threshold_rows.append(
            {
                "border": border,
                "known again": float((np.concatenate(same) >= border).mean()),
                "taken for another": float((np.concatenate(other_likeness) >= border).mean()),
                "taken for another, close": float((np.concatenate(close) >= border).mean()),
                "chosen": "yes" if border == MIN_VOICE_COSINE else "",
            }
        )
    print(table(threshold_rows))
    print(
        f"least likeness of one voice {np.concatenate(same).min():.3f}, most of two {np.concatenate(other_likeness).max():.3f}"
    )
    print(table(_real()))
    return threshold_rows


def _texts(name: str) -> list[str]:
    return [sent.text for sent in transcripts.read(DEBATES / name)][:SENTENCES]


def _centre(texts: list[str], voice: Voice) -> np.ndarray:
    sounds = [spoken(text, *voice) for text in texts]
    return centre(voice_vectors(sounds), np.array([len(sound) / RATE for sound in sounds]))


def _real() -> list[dict[str, Any]]:
    """Return the likeness of real voices, each cut in halves of stretches of five seconds."""
    halves = {}
    for name, file in REAL.items():
        halves[name] = [
            _of(samples_half) for samples_half in np.array_split(real_recording(file), 2)
        ]
    return [
        {
            "voice": voice,
            **{
                other_voice: float(halves[voice][0] @ second)
                for other_voice, (_, second) in halves.items()
            },
        }
        for voice in halves
    ]


def _of(samples: Samples) -> np.ndarray:
    segments = np.array_split(samples, max(1, len(samples) // (5 * RATE)))
    return centre(voice_vectors(segments), np.array([len(segment) / RATE for segment in segments]))


main = command(measure)

if __name__ == "__main__":
    sys.exit(main())
