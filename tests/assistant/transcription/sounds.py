"""Sound for the tests: tones and noise made here, and the beginning of the sample recording."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.transcription import decoding
from assistant.transcription.decoding import SAMPLE_RATE_HZ

SAMPLE = (
    Path(__file__).parents[3] / "sample_transcripts" / "2026-02-24_kestrel-bay-senate_excerpt.opus"
)


@lru_cache
def sample() -> NDArray[np.int16]:
    """Return the sample recording."""
    return np.frombuffer(
        b"".join(block for block in decoding.decode_file(str(SAMPLE)) if isinstance(block, bytes)),
        np.int16,
    )


def tone(seconds: float, hertz: float = 440.0) -> NDArray[np.int16]:
    """Return a tone."""
    return (
        np.sin(2 * np.pi * hertz * np.arange(int(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ) * 8000
    ).astype(np.int16)


def noise(seconds: float) -> NDArray[np.int16]:
    """Return white noise."""
    return (np.random.default_rng(0).standard_normal(int(seconds * SAMPLE_RATE_HZ)) * 3000).astype(
        np.int16
    )


def music(seconds: float) -> NDArray[np.int16]:
    """Return chords with overtones that change twice a second and fade, as on a piano."""
    at = np.arange(SAMPLE_RATE_HZ // 2) / SAMPLE_RATE_HZ
    chords = []
    for step in range(int(seconds * 2)):
        root = 220 * 2 ** ((0, 5, 7, 3)[step % 4] / 12)
        notes = [
            np.sin(2 * np.pi * root * ratio * over * at) / over
            for ratio in (1, 1.25, 1.5)
            for over in (1, 2, 3)
        ]
        chords.append(np.sum(notes, axis=0) * np.exp(-3 * at))
    return (np.concatenate(chords) * 4000).astype(np.int16)


def write(path: Path, samples: NDArray[np.int16], codec: str, rate: int = SAMPLE_RATE_HZ) -> Path:
    """Write a recording of the kind that the name says."""
    import av

    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=rate)
        stream.layout = "mono"
        for start in range(0, len(samples), rate):
            second = np.ascontiguousarray(samples[None, start : start + rate])
            frame = av.AudioFrame.from_ndarray(second, format="s16", layout="mono")
            frame.sample_rate = rate
            frame.pts = start
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def write_silent_film(path: Path) -> Path:
    """Write a video without a sound track."""
    import av

    with av.open(str(path), "w") as out:
        stream = out.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 64
        for _ in range(10):
            out.mux(
                stream.encode(
                    av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
                )
            )
        out.mux(stream.encode(None))
    return path
