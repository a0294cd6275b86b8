"""Voices that are known by name: what is kept of one, and which voices of a recording are theirs.

What is kept is a vector (``features.models.voice_encoder``): biometric data of a person, who must
agree to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assistant.core.errors import TranscriptError

# Least cosine of two vectors of one voice, and how much nearer its name is than any other:
# `bench.hearing.profiles`.
MIN_VOICE_COSINE = 0.95
MIN_COSINE_MARGIN = 0.01
MIN_VOICE_S = 10.0  # of speech, to keep a voice and to know it again
MAX_VOICE_S = 120.0  # of speech that a vector is made of
MAX_SPAN_S = 20.0  # of one stretch of it
SoundReader = Callable[[float, float], np.ndarray]


def voice_vector(
    sound_reader: SoundReader, spans: Sequence[tuple[float, float]], name: str
) -> tuple[np.ndarray, float]:
    """Return the vector (256,) of the voice that speaks in these spans of seconds, and how many seconds it is of.

    ``sound_reader(start_s, end_s)`` returns float32 samples, mono, 16 kHz.

    Raises: TranscriptError about ``name`` if it is heard for less than ten seconds;
    ModuleNotFoundError.
    """
    from features.models import voice_encoder

    chosen = []
    heard = 0.0
    for start, end in spans:
        end = min(end, start + MAX_SPAN_S, start + MAX_VOICE_S - heard)
        if end - start > 0.5:
            chosen.append((start, end))
            heard += end - start
    if heard < MIN_VOICE_S:
        what = f"speaks for {heard:.0f} seconds here; a voice is kept from {MIN_VOICE_S:.0f} seconds on."
        raise TranscriptError(
            what, where=name, remedy="Keep it from a debate in which it is heard longer."
        )
    X = voice_encoder.vectors(sound_reader(*span) for span in chosen)
    return centre(X, np.array([end - start for start, end in chosen])), heard


def centre(X: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the vector of length 1 between those of stretches (n, 256), weighted by their seconds (n,)."""
    mean = lengths @ X
    return (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)


def names(centres: np.ndarray, known: Mapping[str, np.ndarray]) -> list[str | None]:
    """Return the name of each voice, None where no known one is like it, or two are.

    ``centres``: (n, 256).

    A name is given once.
    """
    if not len(centres) or not known:
        return [None] * len(centres)
    likeness = centres @ np.stack(list(known.values())).T  # (n, known)
    found: list[str | None] = []
    for row in likeness:
        order = np.argsort(-row, kind="stable")
        best = int(order[0])
        is_sure = row[best] >= MIN_VOICE_COSINE and (
            len(row) == 1 or row[best] - row[order[1]] >= MIN_COSINE_MARGIN
        )
        found.append(
            list(known)[best] if is_sure and row[best] >= likeness[:, best].max() else None
        )
    return [name if found.index(name) == place else None for place, name in enumerate(found)]
