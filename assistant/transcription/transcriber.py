"""Listens to a recording: decodes it, finds speech, recognises its words and asks whose voices they are.

A recording of any length takes bounded memory; what is heard is kept stretch by stretch, so that
after a kill the same call goes on where it was.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.core import confined
from assistant.core.domain import Word
from assistant.core.errors import TranscriptError
from assistant.transcription import decoding, diarization, speech_segments, whisper_model
from assistant.transcription.checkpoints import RecordingCheckpoint, cache_key
from assistant.transcription.decoding import SAMPLE_RATE_HZ, AudioTrack
from assistant.transcription.recogniser import BEFORE_WORDS, Terms, recognise

MIN_SAMPLE_RATE_HZ = (
    11_025  # sound with fewer samples a second lacks what tells many consonants apart
)
LONG_RECORDING_S = 6 * 3600.0
# so many words in a row of so little probability are no English speech
MIN_MEAN_PROBABILITY = 0.5
PROBABILITY_WINDOW_WORDS = 25
ProgressCallback = Callable[[str, int, int], None]


@dataclass(frozen=True)
class TranscriptionOptions:
    """How to listen: where to keep what is heard, the model, names and terms that may come, the number of voices.

    ``known``: voices that are known, a name and the float32 bytes of its vector each. ``terms``: of what was heard,
    terms that may have been said; what was heard with others before a kill stays.

    ``progress`` is called with (stage, seconds done, seconds in all) and may raise Cancelled; what is heard stays.
    """

    home: Path
    speech_model: str = ""
    network: bool = False
    hot_words: tuple[str, ...] = ()
    voices: int | None = None
    known: tuple[tuple[str, bytes], ...] = ()
    terms: Terms | None = None
    progress: ProgressCallback = lambda stage, done, total: None


@dataclass(frozen=True)
class Transcription:
    """What was heard: the words in order, the voice of each (None where it is unsure), and warnings."""

    digest: str
    words: tuple[Word, ...]
    speakers: tuple[str | None, ...]
    warnings: tuple[str, ...]


def transcribe(path: Path, how: TranscriptionOptions) -> Transcription:
    """Return what is said in a recording.

    Raises: TranscriptError if it has no sound that can be decoded; ModelUnavailable; Cancelled
    from ``progress``.
    """
    speech_model = whisper_model.load_speech_model(how.speech_model, network=how.network)
    digest = _digest(path)
    kept = RecordingCheckpoint.of(how.home, digest)
    hot = ", ".join(how.hot_words)
    more = [repr(how.known)] if how.known else []
    more += ["terms"] if how.terms else []
    key = cache_key(speech_model.digest, hot, str(how.voices), *more)
    finished = kept.finished(key)
    if finished is None:
        sound = _decode(path, kept, how.progress)
        words = _transcribe_missing(sound, kept, key, speech_model, how)
        how.progress("telling voices apart", 0, 0)
        warnings = [*kept.warnings(), *_doubt_warnings(words)]
        finished = kept.finish(key, words, _speakers(sound, words, how), warnings)
    return Transcription(digest, *finished)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise TranscriptError(
            f"cannot be read: {error.strerror}.", where=str(path), remedy="Check the path."
        ) from error


def _decode(path: Path, kept: RecordingCheckpoint, progress: ProgressCallback) -> NDArray[np.int16]:
    """Return the samples of a file, decoded once and kept on the disk."""
    sound = kept.sound()
    if sound is not None:
        return sound
    warnings: list[str] = []

    def samples() -> Iterator[bytes]:
        length = 0
        seconds = 0
        given = str(path.resolve())
        together = decoding.BLOCKS_PER_ANSWER
        for part in confined.each(
            decoding.decode_file, given, where=path.name, refusal=TranscriptError, together=together
        ):
            if isinstance(part, AudioTrack):
                seconds = int(part.seconds or 0)
                warnings.extend(_track_warnings(part))
            elif isinstance(part, str):
                warnings.append(part)
            else:
                length += len(part)
                progress(
                    "reading the sound",
                    min(length // SAMPLE_RATE_HZ // decoding.BYTES_PER_SAMPLE, seconds),
                    seconds,
                )
                yield part

    return kept.save_sound(samples(), warnings)


def _track_warnings(track: AudioTrack) -> list[str]:
    said = []
    if track.rate < MIN_SAMPLE_RATE_HZ:
        said.append(
            f"the sound has {track.rate / 1000:g} kHz, as on the telephone; more words than usual may be wrong"
        )
    if (track.seconds or 0) > LONG_RECORDING_S:
        said.append(
            f"the recording has {(track.seconds or 0) / 3600:.0f} hours; is it a single event?"
        )
    return said


def _transcribe_missing(
    sound: NDArray[np.int16],
    kept: RecordingCheckpoint,
    key: str,
    speech_model: whisper_model.SpeechModel,
    how: TranscriptionOptions,
) -> list[Word]:
    """Return the words of all samples; those that were kept are not looked for again."""
    done, words = kept.words(key)
    total = len(sound) // SAMPLE_RATE_HZ
    how.progress("listening", done // SAMPLE_RATE_HZ, total)
    for end, found in transcribe_samples(
        speech_model, sound, ", ".join(how.hot_words), done, words, how.terms
    ):
        kept.add(key, done, end, found)
        words += found
        done = end
        how.progress("listening", done // SAMPLE_RATE_HZ, total)
    return words


def transcribe_samples(
    speech_model: whisper_model.SpeechModel,
    sound: NDArray[np.int16],
    hot: str = "",
    done: int = 0,
    said: Sequence[Word] = (),
    terms: Terms | None = None,
) -> Iterator[tuple[int, list[Word]]]:
    """Yield the words of a recording in parts, from sample ``done``.

    The sample up to which a part goes, and its words.

    ``said``: the words before that sample. The last words before a stretch are the model's context. ``terms``: see
    ``recognise``.
    """
    last = [word.text for word in said[-BEFORE_WORDS:]]
    for end, parts in speech_segments.segment_windows(sound, done):
        words: list[Word] = []
        for part in parts:
            samples = speech_segments.as_floats(sound[part.start : part.end])
            start = part.start / SAMPLE_RATE_HZ
            found = recognise(speech_model, samples, start, hot, before=" ".join(last), terms=terms)
            last = [*last, *(word.text for word in found)][-BEFORE_WORDS:]
            words += found
        yield end, words


def _speakers(
    sound: NDArray[np.int16], words: Sequence[Word], how: TranscriptionOptions
) -> list[str | None]:
    """Return the voice of each word, None where that is unsure."""
    known = {name: np.frombuffer(vector, np.float32) for name, vector in how.known}
    return diarization.speakers(partial(_sound_span, sound), words, how.voices, known)


def _sound_span(sound: NDArray[np.int16], start_s: float, end_s: float) -> speech_segments.Samples:
    return speech_segments.as_floats(
        sound[int(start_s * SAMPLE_RATE_HZ) : int(end_s * SAMPLE_RATE_HZ)]
    )


def voice_vector(
    path: Path, spans: Sequence[tuple[float, float]], name: str
) -> tuple[bytes, float]:
    """Return what is kept of the voice that speaks in these spans of a recording, and of how many seconds it is.

    Raises: TranscriptError if it is heard too shortly, or the recording cannot be decoded.
    """
    from assistant.transcription import known_voices

    with tempfile.TemporaryDirectory(
        ignore_cleanup_errors=True
    ) as folder:  # Windows keeps what is mapped
        sound = _decode(
            path, RecordingCheckpoint(Path(folder) / "sound"), lambda stage, done, total: None
        )
        vector, seconds = known_voices.voice_vector(partial(_sound_span, sound), spans, name)
    return vector.tobytes(), seconds


def _doubt_warnings(words: Sequence[Word]) -> list[str]:
    """Return a warning for each long run of words that the model is unsure of."""
    said = []
    sure = np.array([word.probability for word in words])
    means: list[float] = []
    if len(sure) >= PROBABILITY_WINDOW_WORDS:
        means = np.convolve(
            sure, np.ones(PROBABILITY_WINDOW_WORDS) / PROBABILITY_WINDOW_WORDS, "valid"
        ).tolist()
    for is_unsure, run in groupby(
        enumerate(means), key=lambda pair: pair[1] < MIN_MEAN_PROBABILITY
    ):
        places = [place for place, _ in run]
        if is_unsure:
            first = words[places[0]].start
            last = words[places[-1] + PROBABILITY_WINDOW_WORDS - 1].end
            said.append(
                f"{_clock_time(first)} to {_clock_time(last)}: the words are unsure; another language, music or noise?"
            )
    return said


def _clock_time(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
