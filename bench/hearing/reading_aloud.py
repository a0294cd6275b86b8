"""Reads sample debates aloud with several voices of espeak-ng, one a speaker.

Sound whose every word is known.

``python -m bench.hearing.reading_aloud`` writes the excerpt in ``sample_transcripts/`` again: the first three minutes
of a debate as Opus, and what is said in it, sentence by sentence. Same text and same espeak-ng give the same samples.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant import transcripts
from assistant.core.domain import Sentence
from assistant.core.errors import LecternError
from bench.command import command, option

Samples = NDArray[np.float32]
Voice = tuple[str, int, int]  # of espeak-ng, pitch (0 to 99), words a minute
RATE = 16_000
DEBATES = Path(__file__).parents[2] / "sample_transcripts"
EXCERPT_OF = "2026-02-24_kestrel-bay-senate.txt"
EXCERPT = "2026-02-24_kestrel-bay-senate_excerpt.opus"
GOLD = "gold_excerpt.jsonl"
EXCERPT_S = 180.0
BITS = 32_000
# Five people who can be told apart. Of thirteen voices that read one
# paragraph, those that tiny.en understood best: a person is easier to understand than any of them.
VOICES = (("en-gb", 45, 150), ("en-us+f2", 55, 150), ("en-gb-x-rp+m3", 40, 150), ("en-us", 45, 150))
VOICES += (("en-us+klatt", 45, 150),)
PAUSE_S = 0.25
TURN_S = 0.6


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the text, and from when to when it is said, in seconds."""

    sentence: Sentence
    start: float
    end: float


@dataclass(frozen=True)
class Recording:
    """Samples at 16 kHz, mono, -1 to 1, and what is said in them."""

    samples: Samples
    said: tuple[Said, ...]

    @property
    def text(self) -> str:
        """Return all that is said."""
        return " ".join(spoken_sentence.sentence.text for spoken_sentence in self.said)


def read_aloud(
    sentences: Sequence[Sentence],
    *,
    longest_s: float = float("inf"),
    voices: Sequence[Voice] = VOICES,
) -> Recording:
    """Return the sentences as sound, each speaker with a voice of their own.

    It ends with a whole sentence.

    Raises: LecternError if espeak-ng is not installed.
    """
    of: dict[str | None, Voice] = {}
    sound_pieces: list[Samples] = []
    spoken_sentences: list[Said] = []
    length = 0
    previous_speaker = None
    for sent in sentences:
        voice = of.setdefault(sent.speaker, voices[len(of) % len(voices)])
        pause = np.zeros(
            int((PAUSE_S if sent.speaker == previous_speaker else TURN_S) * RATE), np.float32
        )
        aloud = spoken(sent.text, *voice)
        if (length + len(pause) + len(aloud)) / RATE > longest_s:
            break
        start = length + len(pause)
        length = start + len(aloud)
        previous_speaker = sent.speaker
        sound_pieces += [pause, aloud]
        spoken_sentences.append(Said(sent, start / RATE, length / RATE))
    return Recording(
        np.concatenate([*sound_pieces, np.zeros(RATE // 2, np.float32)]), tuple(spoken_sentences)
    )


def spoken(text: str, voice: str, pitch: int, speed: int) -> Samples:
    """Return a text as a voice of espeak-ng says it.

    Raises: LecternError if espeak-ng is not installed.
    """
    command_line = [
        "espeak-ng",
        "-v",
        voice,
        "-p",
        str(pitch),
        "-s",
        str(speed),
        "--stdin",
        "--stdout",
    ]
    try:
        done = subprocess.run(command_line, input=text.encode(), capture_output=True, check=True)
    except OSError as error:
        raise LecternError(
            "espeak-ng is not installed.", remedy="Install it: apt-get install espeak-ng."
        ) from error
    head, _, data = done.stdout.partition(b"data")
    with wave.open(
        io.BytesIO(head + b"data" + (len(data) - 4).to_bytes(4, "little") + data[4:])
    ) as sound:
        rate = sound.getframerate()
        wide = np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    return resampled(wide.astype(np.float32) / 32768, rate, RATE)


def resampled(samples: Samples, rate: int, target_rate: int) -> Samples:
    """Return samples of one rate at another."""
    from scipy.signal import resample_poly

    common = np.gcd(rate, target_rate)
    return resample_poly(samples, target_rate // common, rate // common).astype(np.float32)


def encode(
    samples: Samples, path: Path, *, codec: str, bits: int | None = None, rate: int = RATE
) -> None:
    """Write samples as a file of the kind that the name says, with this codec."""
    import av

    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=rate)
        stream.layout = "mono"
        if bits:
            stream.bit_rate = bits
        pcm_samples = (np.clip(samples, -1, 1) * 32767).astype(np.int16)
        for start in range(0, len(pcm_samples), rate):
            frame = av.AudioFrame.from_ndarray(
                pcm_samples[None, start : start + rate], format="s16", layout="mono"
            )
            frame.sample_rate = rate
            frame.pts = start
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def _times(spoken_sentence: Said) -> dict[str, float]:
    return {"start": round(spoken_sentence.start, 2), "end": round(spoken_sentence.end, 2)}


def measure(options: argparse.Namespace) -> None:
    """Write the excerpt of the sample debate."""
    recording = read_aloud(transcripts.read(DEBATES / EXCERPT_OF).sentences, longest_s=EXCERPT_S)
    path = options.out / EXCERPT
    encode(
        resampled(recording.samples, RATE, 48_000), path, codec="libopus", bits=BITS, rate=48_000
    )
    gold_rows = []
    for spoken_sentence in recording.said:
        gold_rows.append(
            {
                "speaker": spoken_sentence.sentence.speaker,
                **_times(spoken_sentence),
                "text": spoken_sentence.sentence.text,
            }
        )
    gold = "".join(json.dumps(gold_row, ensure_ascii=False) + "\n" for gold_row in gold_rows)
    (options.out / GOLD).write_text(gold, encoding="utf-8")
    print(f"{path}: {len(gold_rows)} sentences, {path.stat().st_size:,} bytes")


main = command(measure, option("--out", type=Path, default=DEBATES, metavar="DIR"))

if __name__ == "__main__":
    sys.exit(main())
