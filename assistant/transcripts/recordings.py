"""Recordings: passes a file to ``transcription``, and makes a transcript of the words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from assistant.core.domain import Sentence, Source, SpokenWord, Transcript
from assistant.core.errors import MalformedTranscript, TranscriptError
from assistant.transcription import recording_formats
from assistant.transcription.transcriber import Transcription, TranscriptionOptions, transcribe
from assistant.transcripts import sentences as sentence_rules
from assistant.transcripts import title_and_date
from assistant.transcripts.asr import timed_words
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

FORMAT = "sound"
HALF_CENTISECOND_S = 0.005  # word times are rounded to centiseconds


def sniff(source: RawSource) -> bool:
    """Return whether the file is sound or video."""
    return recording_formats.is_recording(source.data)


def refuse(source: RawSource) -> ParsedTranscript:
    """Refuse a recording in memory.

    It is transcribed from a file, in a process without the limits of text.
    """
    raise MalformedTranscript(
        "is a recording, not a text.",
        where=source.name,
        remedy="Enter the path of the recording instead.",
    )


def is_recording(path: Path) -> bool:
    """Return whether the file at a path is sound or video, False if it cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return recording_formats.is_recording(file.read(recording_formats.FORMAT_HEAD_BYTES))
    except OSError:
        return False


def transcript(
    path: Path,
    file_name: str,
    options: TranscriptionOptions,
    title: str | None,
    event_date: date | None,
) -> Transcript:
    """Return the transcript of a recording.

    Raises: as ``transcribe``; MalformedTranscript if nobody speaks in it.
    """
    try:
        transcription = transcribe(path, options)
    except TranscriptError as error:  # it names the file, which may be a temporary one
        raise type(error)(error.what, where=file_name, remedy=error.remedy) from error
    if not transcription.words:
        raise MalformedTranscript(
            "no speech was found in this recording.",
            where=file_name,
            remedy="Check that you chose the right recording.",
        )
    recording_sentences, cut_warnings = sentences(transcription)
    warnings = [*transcription.warnings, *cut_warnings]
    if not event_date:
        event_date, date_warning = title_and_date.guess_date(file_name, "")
        warnings.append(date_warning)
    return Transcript(
        title or title_and_date.guess_title(file_name),
        event_date,
        Source(file_name, FORMAT, transcription.digest),
        tuple(recording_sentences),
        tuple(dict.fromkeys(warnings)),
    )


def sentences(transcription: Transcription) -> tuple[list[Sentence], list[str]]:
    """Return the sentences of a transcription with their timed words, and warnings."""
    words = transcription.words
    words_with_speakers = []
    for word, speaker in zip(words, transcription.speakers, strict=True):
        # The line number is 1, since a recording has no lines.
        word_with_speaker = timed_words.RecognisedWord(word.text, 1, speaker, word.start, word.end)
        words_with_speakers.append(word_with_speaker)
    pieces = timed_words.pieces_of_words(words_with_speakers)
    sentences_without_words, warnings = sentence_rules.sentences_of_pieces(pieces)
    word_starts = [word.start for word in words]
    sentences_with_words = []
    for sentence in sentences_without_words:
        sentences_with_words.append(_with_words(sentence, words, word_starts))
    return sentences_with_words, warnings


def _with_words(
    sentence: Sentence, words: Sequence[SpokenWord], word_starts: Sequence[float]
) -> Sentence:
    """Return a sentence with the words within its time."""
    if sentence.start is None or sentence.end is None:
        return sentence
    # The times of a sentence are rounded to hundredths of a second.
    first_index = bisect_left(word_starts, sentence.start - HALF_CENTISECOND_S)
    end_index = bisect_left(word_starts, sentence.end - HALF_CENTISECOND_S)
    sentence_words = tuple(words[first_index:end_index])
    if not sentence_words:
        return sentence
    start = sentence_words[0].start
    end = sentence_words[-1].end
    return replace(sentence, words=sentence_words, start=start, end=end)
