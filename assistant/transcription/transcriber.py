"""Transcribes a recording: decodes it, finds speech, recognises words and tells voices apart.

A recording of any length takes bounded memory. Words are stored segment by segment, so that the
same call continues after a kill.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.core import confined
from assistant.core.domain import SpokenWord
from assistant.core.errors import TranscriptError
from assistant.transcription import decoding, diarization, speech_segments, whisper_model
from assistant.transcription.checkpoints import RecordingCheckpoint, cache_key
from assistant.transcription.decoding import SAMPLE_RATE_HZ, AudioTrack
from assistant.transcription.recogniser import (
    CONTEXT_WORDS,
    NO_CONTEXT,
    SpeechContext,
    TermSuggester,
    recognise,
)

MIN_SAMPLE_RATE_HZ = 11_025  # slower sound lacks the frequencies that tell consonants apart
LONG_RECORDING_S = 6 * 3600.0
# A run of so many words with a lower mean probability is probably no English speech.
PROBABILITY_WINDOW_WORDS = 25
MIN_MEAN_PROBABILITY = 0.5
ProgressCallback = Callable[[str, int, int], None]


@dataclass(frozen=True)
class TranscriptionOptions:
    """Settings of a transcription: data directory, model, vocabulary hints, and number of voices.

    ``known``: voices with names, each a name and the float32 bytes of its voiceprint.
    ``terms``: suggests terms for a transcribed text. Words that were transcribed with other
    terms before a kill stay.
    ``progress`` is called with (stage, seconds done, seconds in all) and may raise Cancelled; the
    words so far stay.
    """

    home: Path
    speech_model: str = ""
    network: bool = False
    hot_words: tuple[str, ...] = ()
    voices: int | None = None
    known: tuple[tuple[str, bytes], ...] = ()
    terms: TermSuggester | None = None
    progress: ProgressCallback = lambda stage, done, total: None

    @property
    def hot_word_text(self) -> str:
        """Return the names and terms as the recogniser takes them."""
        return ", ".join(self.hot_words)


@dataclass(frozen=True)
class Transcription:
    """The words of a recording, the speaker of each (None if unsure), and warnings."""

    digest: str
    words: tuple[SpokenWord, ...]
    speakers: tuple[str | None, ...]
    warnings: tuple[str, ...]


def transcribe(path: Path, options: TranscriptionOptions) -> Transcription:
    """Transcribe a recording.

    Raises: TranscriptError if it has no sound that can be decoded; ModelUnavailable; Cancelled
    from ``progress``.
    """
    speech_model = whisper_model.load_speech_model(options.speech_model, network=options.network)
    digest = _digest(path)
    checkpoint = RecordingCheckpoint.of(options.home, digest)
    # A transcription with other options, or by another model, has another key.
    key = _cache_key(speech_model.digest, options)
    finished = checkpoint.finished(key)
    if finished is None:
        sound = _decode(path, checkpoint, options.progress)
        # Windows that were transcribed before an interruption are read from the checkpoint.
        words = _transcribe_missing(sound, checkpoint, key, speech_model, options)
        options.progress("telling voices apart", 0, 0)
        warnings = [*checkpoint.warnings(), *_doubt_warnings(words)]
        speakers_of_words = _speakers(sound, words, options)
        finished = checkpoint.finish(key, words, speakers_of_words, warnings)
    stored_words, speakers, stored_warnings = finished
    return Transcription(digest, stored_words, speakers, stored_warnings)


def _cache_key(model_digest: str, options: TranscriptionOptions) -> str:
    """Return the key of a transcription by all that decides its words and speakers."""
    # Names that may be said, the number of voices, known voices, and whether terms are suggested
    key_parts = [model_digest, options.hot_word_text, str(options.voices)]
    if options.known:
        key_parts.append(repr(options.known))
    if options.terms:
        key_parts.append("terms")
    return cache_key(*key_parts)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise TranscriptError(
            f"cannot be read: {error.strerror}.", where=str(path), remedy="Check the path."
        ) from error


def _decode(
    path: Path, checkpoint: RecordingCheckpoint, progress: ProgressCallback
) -> NDArray[np.int16]:
    """Return the samples of a file, which is decoded once and stored on the disk."""
    sound = checkpoint.sound()
    if sound is not None:
        return sound
    warnings: list[str] = []
    return checkpoint.save_sound(_decoded_blocks(path, warnings, progress), warnings)


def _decoded_blocks(path: Path, warnings: list[str], progress: ProgressCallback) -> Iterator[bytes]:
    """Yield the samples of a file in blocks, and append warnings about the sound."""
    byte_count = 0
    total_s = 0
    # A process of its own decodes the file, and sends its track, blocks of samples and warnings.
    answers = confined.each(
        decoding.decode_file,
        str(path.resolve()),
        where=path.name,
        refusal=TranscriptError,
        together=decoding.BLOCKS_PER_ANSWER,
    )
    for answer in answers:
        if isinstance(answer, AudioTrack):
            total_s = int(answer.seconds or 0)
            warnings.extend(_track_warnings(answer))
        elif isinstance(answer, str):
            warnings.append(answer)
        else:
            byte_count += len(answer)
            done_s = byte_count // SAMPLE_RATE_HZ // decoding.BYTES_PER_SAMPLE
            progress("reading the sound", min(done_s, total_s), total_s)
            yield answer


def _track_warnings(track: AudioTrack) -> list[str]:
    warnings = []
    if track.rate < MIN_SAMPLE_RATE_HZ:
        warnings.append(
            f"the sound has {track.rate / 1000:g} kHz, as on the telephone; "
            "more words than usual may be wrong"
        )
    length_s = track.seconds or 0
    if length_s > LONG_RECORDING_S:
        warnings.append(f"the recording has {length_s / 3600:.0f} hours; is it a single event?")
    return warnings


def _transcribe_missing(
    sound: NDArray[np.int16],
    checkpoint: RecordingCheckpoint,
    key: str,
    speech_model: whisper_model.SpeechModel,
    options: TranscriptionOptions,
) -> list[SpokenWord]:
    """Return the words in all samples. Words of the checkpoint are not recognised again."""
    done_samples, words = checkpoint.words(key)
    total_s = len(sound) // SAMPLE_RATE_HZ
    options.progress("listening", done_samples // SAMPLE_RATE_HZ, total_s)
    # After a kill, the model continues the words of the checkpoint.
    previous_text = " ".join(word.text for word in words[-CONTEXT_WORDS:])
    context = SpeechContext(options.hot_word_text, previous_text, suggest_terms=options.terms)
    for end, window_words in transcribe_samples(speech_model, sound, context, done_samples):
        checkpoint.add(key, done_samples, end, window_words)
        words += window_words
        done_samples = end
        options.progress("listening", done_samples // SAMPLE_RATE_HZ, total_s)
    return words


def transcribe_samples(
    speech_model: whisper_model.SpeechModel,
    sound: NDArray[np.int16],
    context: SpeechContext = NO_CONTEXT,
    begin: int = 0,
) -> Iterator[tuple[int, list[SpokenWord]]]:
    """Yield the sample at which each window of a recording ends, and the words in the window.

    The recording is read from sample ``begin``; the context is that of its first segment. The last
    words before a segment are the model's context.
    """
    # The last words before each segment, for the model to continue
    previous_words = context.previous_text.split()
    for end, segments in speech_segments.segment_windows(sound, begin):
        window_words: list[SpokenWord] = []
        for segment in segments:
            samples = speech_segments.as_floats(sound[segment.start : segment.end])
            segment_context = replace(context, previous_text=" ".join(previous_words))
            start_s = segment.start / SAMPLE_RATE_HZ
            words = recognise(speech_model, samples, start_s, segment_context)
            spoken_words = [*previous_words, *(word.text for word in words)]
            previous_words = spoken_words[-CONTEXT_WORDS:]
            window_words += words
        yield end, window_words


def _speakers(
    sound: NDArray[np.int16], words: Sequence[SpokenWord], options: TranscriptionOptions
) -> list[str | None]:
    """Return the speaker of each word, None if unsure."""
    # Vectors (256,) by name, from their bytes
    voiceprints = {name: np.frombuffer(vector, np.float32) for name, vector in options.known}
    sound_reader = partial(_sound_span, sound)
    return diarization.speakers(sound_reader, words, options.voices, voiceprints)


def _sound_span(sound: NDArray[np.int16], start_s: float, end_s: float) -> speech_segments.Samples:
    start = int(start_s * SAMPLE_RATE_HZ)
    end = int(end_s * SAMPLE_RATE_HZ)
    return speech_segments.as_floats(sound[start:end])


def voice_vector(
    path: Path, spans: Sequence[tuple[float, float]], name: str
) -> tuple[bytes, float]:
    """Return the voiceprint of the voice in these spans of a recording, and its seconds of speech.

    Raises: TranscriptError if it speaks too shortly, or the recording cannot be decoded.
    """
    from assistant.transcription import known_voices

    # Windows cannot delete a file that is still mapped into memory.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        checkpoint = RecordingCheckpoint(Path(folder) / "sound")
        sound = _decode(path, checkpoint, lambda stage, done, total: None)
        vector, seconds = known_voices.voice_vector(partial(_sound_span, sound), spans, name)
    return vector.tobytes(), seconds


def _doubt_warnings(words: Sequence[SpokenWord]) -> list[str]:
    """Return a warning for each long run of improbable words."""
    if len(words) < PROBABILITY_WINDOW_WORDS:
        return []
    warnings = []
    # Mean probability of the words from each index on: (words,) -> (words - window + 1,)
    probabilities = np.array([word.probability for word in words])
    weights = np.ones(PROBABILITY_WINDOW_WORDS) / PROBABILITY_WINDOW_WORDS
    means = np.convolve(probabilities, weights, "valid")
    is_doubtful = (means < MIN_MEAN_PROBABILITY).tolist()
    # Runs of neighbouring windows that are all doubtful, or all not, as (index, is doubtful).
    for is_doubtful_run, indexed_run in groupby(enumerate(is_doubtful), key=itemgetter(1)):
        if not is_doubtful_run:
            continue
        window_indices = [index for index, _ in indexed_run]
        first_word = words[window_indices[0]]
        last_word = words[window_indices[-1] + PROBABILITY_WINDOW_WORDS - 1]
        start_time = _clock_time(first_word.start)
        end_time = _clock_time(last_word.end)
        warnings.append(
            f"{start_time} to {end_time}: the words are unsure; another language, music or noise?"
        )
    return warnings


def _clock_time(seconds: float) -> str:
    whole_minutes, whole_seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(whole_minutes, 60)
    return f"{hours}:{minutes:02}:{whole_seconds:02}"
