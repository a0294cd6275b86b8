"""Who spoke: words are cut into stretches of one voice, and stretches that sound alike are one speaker.

A voice is known by its vector (``features.models.voice_encoder``) alone. What is too short or lies
between two voices stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from assistant.transcription import known_voices

PAUSE_S = (
    0.35  # a longer pause between words, like the end of a sentence, may be a change of speaker
)
ENDS = (".", "?", "!", "…")
LONGEST_S = 20.0  # of one stretch
CLEAR_S = 1.2  # a stretch of this length says whose voice it is
MOST = 1500  # stretches that are compared with each other; the others go to the voice that they are nearest
# Ward's distance between two voices grows with the root of the number of stretches.
# vectors that nowhere lie further apart are of one voice; the second times the root
ALONE = 1.2
ALONE_MORE = 0.06
# Of vectors less their mean, which tells the voices of one recording apart far better: so much
# lies between two voices, and a part of the root; of few stretches chance alone sets some apart.
APART = 1.2
APART_MORE = 0.12
MARGIN = 0.03  # by so much a stretch is nearer to its voice than to any other, or it is unknown
LEAST_S = 4.0  # who was heard for less is no voice of its own, unless the number of voices is given

SoundReader = Callable[[float, float], np.ndarray]
Span = tuple[int, int]


class Word(Protocol):
    """A word that was heard, with its times in seconds."""

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...


def speakers(
    sound_reader: SoundReader,
    words: Sequence[Word],
    number: int | None = None,
    known: Mapping[str, np.ndarray] | None = None,
) -> list[str | None]:
    """Return the speaker of each word, "Speaker 1" and so on in the order of appearance, None where that is unsure.

    ``sound_reader(start_s, end_s)`` returns float32 samples, mono, 16 kHz. ``number`` is that of the voices, if known.
    ``known``: vectors (256,) of voices by the name that their words get.

    Raises: ModuleNotFoundError if the package with the weights is missing.
    """
    from features.models import voice_encoder

    spans = stretches(words)
    if not spans:
        return []
    lengths = np.array([words[last].end - words[first].start for first, last in spans])
    X = voice_encoder.vectors(
        sound_reader(words[first].start, words[last].end) for first, last in spans
    )
    labels = alike(X, lengths, number)
    called = _called(X, lengths, labels, known or {})
    names: dict[int, str] = {}
    named: list[str | None] = []
    for (first, last), label in zip(spans, labels.tolist(), strict=True):
        name = (
            names.setdefault(label, called.get(label) or f"Speaker {len(names) + 1}")
            if label >= 0
            else None
        )
        named += [name] * (last - first + 1)
    return named


def _called(
    X: np.ndarray, lengths: np.ndarray, labels: np.ndarray, known: Mapping[str, np.ndarray]
) -> dict[int, str | None]:
    """Return the name of each voice that is heard long enough to be known again."""
    clear = (lengths >= CLEAR_S) & (np.linalg.norm(X, axis=1) > 0)
    of = {label: clear & (labels == label) for label in set(labels.tolist()) - {-1}}
    long = [label for label, rows in of.items() if lengths[rows].sum() >= known_voices.MIN_VOICE_S]
    centres = np.array([known_voices.centre(X[of[label]], lengths[of[label]]) for label in long])
    return dict(zip(long, known_voices.names(centres, known), strict=True))


def stretches(words: Sequence[Word]) -> list[Span]:
    """Return the first and last word of each stretch that one voice speaks, as far as pauses and full stops tell."""
    spans: list[Span] = []
    first = 0
    for i, word in enumerate(words):
        ends = i + 1 == len(words) or words[i + 1].start - word.end > PAUSE_S
        if (
            ends
            or word.text.rstrip("\"'”’)").endswith(ENDS)
            or word.end - words[first].start > LONGEST_S
        ):
            spans.append((first, i))
            first = i + 1
    return spans


def alike(X: np.ndarray, lengths: np.ndarray, number: int | None = None) -> np.ndarray:
    """Return the voice of each stretch, from 0, and -1 where it is unsure.

    ``X``: (n, 256); ``lengths`` in seconds.
    """
    sounding = np.linalg.norm(X, axis=1) > 0
    clear = np.flatnonzero((lengths >= CLEAR_S) & sounding)
    if not clear.size:
        clear = np.flatnonzero(sounding)
    if not clear.size:
        return np.full(len(X), -1)
    clear = np.sort(clear[np.argsort(-lengths[clear], kind="stable")[:MOST]])
    root = len(clear) ** 0.5
    if (
        number == 1
        or len(clear) == 1
        or (number is None and _ward(X[clear], None, ALONE + ALONE_MORE * root).max() == 0)
    ):
        return np.where(sounding, 0, -1)
    X = X - X[clear].mean(axis=0)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    groups = _ward(X[clear], number, APART + APART_MORE * root)
    heard = np.bincount(groups, weights=lengths[clear])
    voices = np.flatnonzero(heard >= (0 if number else min(LEAST_S, heard.max())))
    centres = np.stack(
        [lengths[clear[groups == voice]] @ X[clear[groups == voice]] for voice in voices]
    )
    labels = likest(X @ (centres / np.linalg.norm(centres, axis=1, keepdims=True)).T, lengths)
    return np.where(sounding, labels, -1)


def _ward(X: np.ndarray, number: int | None, apart: float) -> np.ndarray:
    """Return the cluster of each row: so many as given, or until all are ``apart``."""
    from sklearn.cluster import AgglomerativeClustering

    limit = {"n_clusters": min(number, len(X)) if number else None}
    return AgglomerativeClustering(
        **limit, distance_threshold=None if number else apart, linkage="ward"
    ).fit_predict(X)


def likest(likeness: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the likest voice of each stretch, -1 if two are as like.

    A short one between two of one voice is its.
    """
    labels = likeness.argmax(axis=1)
    if likeness.shape[1] > 1:
        best = np.sort(likeness, axis=1)
        labels[best[:, -1] - best[:, -2] < MARGIN] = -1
    for i in _between(labels, lengths):
        labels[i] = labels[i - 1]
    return labels


def _between(labels: np.ndarray, lengths: np.ndarray) -> Iterable[int]:
    inner = range(1, len(labels) - 1)
    return [
        i for i in inner if labels[i] < 0 <= labels[i - 1] == labels[i + 1] and lengths[i] < CLEAR_S
    ]
