"""Speaker diarization: divides words into spans of one voice, and joins spans that sound alike.

A voice is known by its vector (``features.models.voice_encoder``) alone. A span that is too short
or lies between two voices stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from assistant.transcription import known_voices

# A longer pause between words, like the end of a sentence, may be a change of speaker.
SPEAKER_PAUSE_S = 0.35
SENTENCE_ENDS = (".", "?", "!", "…")
CLOSING_QUOTES = "\"'”’)"
MAX_VOICE_SPAN_S = 20.0
CLEAR_SPAN_S = 1.2  # a span of this length identifies its voice
MAX_CLUSTERED_SPANS = 1500  # the other spans get the nearest voice
# Ward's distance between two voices grows with the root of the number of spans. Vectors of one
# voice lie nowhere further apart than the first value plus the second times that root.
SINGLE_VOICE_DISTANCE = 1.2
SINGLE_VOICE_DISTANCE_PER_ROOT = 0.06
# The same for vectors less their mean, which separates the voices of one recording far better. A
# few spans may lie apart by chance alone.
VOICE_DISTANCE = 1.2
VOICE_DISTANCE_PER_ROOT = 0.12
MIN_LIKENESS_MARGIN = 0.03  # a span must be so much nearer to its voice than to any other
MIN_SPEAKER_S = 4.0  # shorter speech is no voice of its own, unless the number of voices is given
UNKNOWN_VOICE = -1

SoundReader = Callable[[float, float], np.ndarray]
WordSpan = tuple[int, int]


class TimedWord(Protocol):
    """A transcribed word with its times in seconds."""

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...


def speakers(
    sound_reader: SoundReader,
    words: Sequence[TimedWord],
    voice_count: int | None = None,
    voiceprints: Mapping[str, np.ndarray] | None = None,
) -> list[str | None]:
    """Return the speaker of each word, "Speaker 1" and so on by appearance, None if unsure.

    ``sound_reader(start_s, end_s)`` returns float32 samples, mono, 16 kHz. ``voice_count``: the
    number of voices, if known. ``voiceprints``: vectors (256,) by the name that the words of that
    voice get.

    Raises: ModuleNotFoundError if the package with the weights is missing.
    """
    from features.models import voice_encoder

    spans = voice_spans(words)
    if not spans:
        return []
    # Times (start, end), lengths (spans,), vectors (spans, 256) and voices (spans,) of the spans
    span_times = [(words[start].start, words[end].end) for start, end in spans]
    lengths_s = np.array([end_s - start_s for start_s, end_s in span_times])
    vectors = voice_encoder.voice_vectors(sound_reader(*times) for times in span_times)
    voice_of_span = cluster_voices(vectors, lengths_s, voice_count)
    known_name_by_voice = _known_names(vectors, lengths_s, voice_of_span, voiceprints or {})

    name_by_voice = _names_in_order(voice_of_span.tolist(), known_name_by_voice)
    word_speakers: list[str | None] = []
    for (start, end), voice in zip(spans, voice_of_span.tolist(), strict=True):
        word_count = end - start + 1
        word_speakers += [name_by_voice.get(voice)] * word_count
    return word_speakers


def _names_in_order(
    voices: Sequence[int], known_name_by_voice: Mapping[int, str | None]
) -> dict[int, str]:
    """Return the name of each voice: a known name, or "Speaker 2" for the second voice to speak."""
    name_by_voice: dict[int, str] = {}
    for voice in voices:
        if voice != UNKNOWN_VOICE and voice not in name_by_voice:
            next_name = f"Speaker {len(name_by_voice) + 1}"
            name_by_voice[voice] = known_name_by_voice.get(voice) or next_name
    return name_by_voice


def _known_names(
    vectors: np.ndarray,
    lengths_s: np.ndarray,
    voice_of_span: np.ndarray,
    voiceprints: Mapping[str, np.ndarray],
) -> dict[int, str | None]:
    """Return the name of each voice that speaks long enough to be identified."""
    # Masks of the spans: (spans,)
    has_sound = np.linalg.norm(vectors, axis=1) > 0
    is_clear = (lengths_s >= CLEAR_SPAN_S) & has_sound
    # The centre of a voice is the mean vector of its clear spans.
    identified_voices = []
    centres = []
    for voice in set(voice_of_span.tolist()) - {UNKNOWN_VOICE}:
        is_of_voice = is_clear & (voice_of_span == voice)
        span_lengths_s = lengths_s[is_of_voice]
        if span_lengths_s.sum() >= known_voices.MIN_VOICE_S:
            identified_voices.append(voice)
            centres.append(known_voices.centre(vectors[is_of_voice], span_lengths_s))
    # The name of the voiceprint that is near enough to each centre, None if none is
    names = known_voices.names(np.array(centres), voiceprints)
    return dict(zip(identified_voices, names, strict=True))


def voice_spans(words: Sequence[TimedWord]) -> list[WordSpan]:
    """Return the first and last word of each span, which ends at a pause or a full stop."""
    spans: list[WordSpan] = []
    start = 0  # the first word of the span
    for index, word in enumerate(words):
        is_last = index + 1 == len(words)
        precedes_pause = is_last or words[index + 1].start - word.end > SPEAKER_PAUSE_S
        ends_sentence = word.text.rstrip(CLOSING_QUOTES).endswith(SENTENCE_ENDS)
        is_too_long = word.end - words[start].start > MAX_VOICE_SPAN_S
        if precedes_pause or ends_sentence or is_too_long:
            spans.append((start, index))  # both included
            start = index + 1
    return spans


def cluster_voices(
    vectors: np.ndarray, lengths_s: np.ndarray, voice_count: int | None = None
) -> np.ndarray:
    """Return the voice of each span, from 0, and -1 if unsure.

    ``vectors``: (spans, 256); ``lengths_s``: (spans,). A vector of zeros stands for silence.
    """
    has_sound = np.linalg.norm(vectors, axis=1) > 0
    clear_indices = _clear_spans(lengths_s, has_sound)
    if not clear_indices.size:
        return np.full(len(vectors), UNKNOWN_VOICE)
    clear_vectors = vectors[clear_indices]
    clear_lengths_s = lengths_s[clear_indices]
    span_count_root = len(clear_indices) ** 0.5
    if _is_single_voice(clear_vectors, voice_count, span_count_root):
        return np.where(has_sound, 0, UNKNOWN_VOICE)

    # Cluster the vectors less their mean, each scaled to length 1: (spans, 256) -> (clear spans,)
    vectors = vectors - clear_vectors.mean(axis=0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    clear_vectors = vectors[clear_indices]
    max_distance = VOICE_DISTANCE + VOICE_DISTANCE_PER_ROOT * span_count_root
    clusters = _ward_clusters(clear_vectors, voice_count, max_distance)

    # Centres of the clusters that speak long enough: (voices, 256), each of length 1
    cluster_seconds = np.bincount(clusters, weights=clear_lengths_s)
    min_seconds = 0 if voice_count else min(MIN_SPEAKER_S, cluster_seconds.max())
    centres = []
    for cluster in np.flatnonzero(cluster_seconds >= min_seconds):
        in_cluster = clusters == cluster
        # the sum of its vectors, weighted by the lengths of their spans
        centres.append(clear_lengths_s[in_cluster] @ clear_vectors[in_cluster])
    centre_matrix = np.stack(centres)
    centre_matrix = centre_matrix / np.linalg.norm(centre_matrix, axis=1, keepdims=True)

    # Cosine of each span with each voice: (spans, voices)
    likeness = vectors @ centre_matrix.T
    voice_of_span = nearest_voices(likeness, lengths_s)
    return np.where(has_sound, voice_of_span, UNKNOWN_VOICE)


def _clear_spans(lengths_s: np.ndarray, has_sound: np.ndarray) -> np.ndarray:
    """Return the indices of the longest clear spans, or of spans with sound if none is clear."""
    indices = np.flatnonzero((lengths_s >= CLEAR_SPAN_S) & has_sound)
    if not indices.size:
        indices = np.flatnonzero(has_sound)
    # Positions within ``indices``, the longest span first; the result is in the order of the spans.
    longest_first = np.argsort(-lengths_s[indices], kind="stable")
    longest_positions = longest_first[:MAX_CLUSTERED_SPANS]
    return np.sort(indices[longest_positions])


def _is_single_voice(
    clear_vectors: np.ndarray, voice_count: int | None, span_count_root: float
) -> bool:
    """Return whether all clear spans are of one voice."""
    if voice_count == 1 or len(clear_vectors) == 1:
        return True
    if voice_count is not None:
        return False
    # Ward's distance of the last merge of one voice grows with the root of the number of spans.
    max_distance = SINGLE_VOICE_DISTANCE + SINGLE_VOICE_DISTANCE_PER_ROOT * span_count_root
    cluster_numbers = _ward_clusters(clear_vectors, None, max_distance)
    return cluster_numbers.max() == 0


def _ward_clusters(
    vectors: np.ndarray, cluster_count: int | None, max_distance: float
) -> np.ndarray:
    """Return the cluster of each vector. Without a count, clusters are ``max_distance`` apart."""
    from sklearn.cluster import AgglomerativeClustering

    if cluster_count:
        clustering = AgglomerativeClustering(min(cluster_count, len(vectors)), linkage="ward")
    else:
        clustering = AgglomerativeClustering(None, distance_threshold=max_distance, linkage="ward")
    return clustering.fit_predict(vectors)


def nearest_voices(likeness: np.ndarray, lengths_s: np.ndarray) -> np.ndarray:
    """Return the nearest voice of each span, -1 if two are equally near.

    An unsure short span between two spans of one voice gets that voice. ``likeness``: (spans,
    voices).
    """
    voice_of_span = likeness.argmax(axis=1)
    if likeness.shape[1] > 1:
        # Margin between the nearest voice and the second: (spans,)
        ascending_likeness = np.sort(likeness, axis=1)
        margins = ascending_likeness[:, -1] - ascending_likeness[:, -2]
        voice_of_span[margins < MIN_LIKENESS_MARGIN] = UNKNOWN_VOICE
    return _fill_short_spans(voice_of_span, lengths_s)


def _fill_short_spans(voice_of_span: np.ndarray, lengths_s: np.ndarray) -> np.ndarray:
    """Return the voices, with the voice of both neighbours for a short span of an unknown voice."""
    # Voices 1, unknown, 1 become 1, 1, 1. The neighbours count as they were before.
    filled_voice_of_span = voice_of_span.copy()
    for index in range(1, len(voice_of_span) - 1):
        is_short = lengths_s[index] < CLEAR_SPAN_S
        is_unknown = voice_of_span[index] == UNKNOWN_VOICE
        previous_voice = voice_of_span[index - 1]
        next_voice = voice_of_span[index + 1]
        is_within_voice = previous_voice != UNKNOWN_VOICE and previous_voice == next_voice
        if is_short and is_unknown and is_within_voice:
            filled_voice_of_span[index] = previous_voice
    return filled_voice_of_span
