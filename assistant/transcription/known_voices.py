"""Voiceprints: the vector of a named voice, and the voices of a recording that match one.

A voiceprint (``features.models.voice_encoder``) is biometric data of a person, who must agree to
its storage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assistant.core.errors import TranscriptError

# A voice must be so near a voiceprint, and so much nearer to it than to any other:
# `bench.hearing.profiles`.
MIN_VOICE_COSINE = 0.95
MIN_COSINE_MARGIN = 0.01
MIN_VOICE_S = 10.0  # speech needed to make a voiceprint and to recognise a voice
MAX_VOICE_S = 120.0  # speech that a voiceprint is made of
MAX_SPAN_S = 20.0
MIN_SPAN_S = 0.5
MIN_NORM = 1e-9
SoundReader = Callable[[float, float], np.ndarray]


def voice_vector(
    sound_reader: SoundReader, spans: Sequence[tuple[float, float]], name: str
) -> tuple[np.ndarray, float]:
    """Return the voiceprint (256,) of the voice in spans of seconds, and its seconds of speech.

    ``sound_reader(start_s, end_s)`` returns float32 samples, mono, 16 kHz.

    Raises: TranscriptError about ``name`` if it speaks for less than ten seconds;
    ModuleNotFoundError.
    """
    from features.models import voice_encoder

    # spans are shortened, and left out once there is enough speech
    used_spans = []
    speech_s = 0.0
    for start_s, span_end_s in spans:
        end_s = min(span_end_s, start_s + MAX_SPAN_S, start_s + MAX_VOICE_S - speech_s)
        if end_s - start_s > MIN_SPAN_S:
            used_spans.append((start_s, end_s))
            speech_s += end_s - start_s
    if speech_s < MIN_VOICE_S:
        raise TranscriptError(
            f"the recording contains only {speech_s:.0f} seconds of this speaker. "
            f"Lectern needs at least {MIN_VOICE_S:.0f} seconds to save a voice.",
            where=name,
            remedy="Use a recording in which this person speaks for longer.",
        )
    vectors = voice_encoder.voice_vectors(sound_reader(*span) for span in used_spans)
    lengths_s = np.array([end_s - start_s for start_s, end_s in used_spans])
    return centre(vectors, lengths_s), speech_s


def centre(vectors: np.ndarray, lengths_s: np.ndarray) -> np.ndarray:
    """Return the mean of vectors (n, 256), weighted by seconds (n,) and scaled to length 1."""
    mean = lengths_s @ vectors
    return (mean / max(float(np.linalg.norm(mean)), MIN_NORM)).astype(np.float32)


def names(centres: np.ndarray, voiceprints: Mapping[str, np.ndarray]) -> list[str | None]:
    """Return the name of each voice (n, 256), None if no voiceprint is near, or two are.

    A name is given once.
    """
    if not len(centres) or not voiceprints:
        return [None] * len(centres)
    known_names = list(voiceprints)
    # Cosine of each voice with each voiceprint: (voices, voiceprints)
    likeness = centres @ np.stack(list(voiceprints.values())).T
    names_of_voices: list[str | None] = []
    for cosines in likeness:
        nearest = _clearly_nearest(cosines)
        name = None
        # No other voice may be nearer to this voiceprint.
        if nearest is not None and cosines[nearest] >= likeness[:, nearest].max():
            name = known_names[nearest]
        # Of voices that are equally near, the first has the name.
        is_given = name in names_of_voices
        names_of_voices.append(None if is_given else name)
    return names_of_voices


def _clearly_nearest(cosines: np.ndarray) -> int | None:
    """Return the index of the voiceprint that is near, and clearly nearer than all others."""
    nearest_first = np.argsort(-cosines, kind="stable").tolist()
    nearest = nearest_first[0]
    if cosines[nearest] < MIN_VOICE_COSINE:
        return None
    if len(cosines) == 1:
        return nearest
    second_nearest = nearest_first[1]
    margin = cosines[nearest] - cosines[second_nearest]
    return nearest if margin >= MIN_COSINE_MARGIN else None
