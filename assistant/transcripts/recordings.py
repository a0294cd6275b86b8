"""Recordings: hands a file over to ``hearing`` and makes a transcript of the words that come back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from assistant.core.domain import Sentence, Source, Transcript, Word
from assistant.core.errors import MalformedTranscript, TranscriptError
from assistant.transcription import recording_formats
from assistant.transcription.transcriber import Transcription, TranscriptionOptions, transcribe
from assistant.transcripts import sentences as sentence_rules
from assistant.transcripts import title_and_date
from assistant.transcripts.asr import timed_words
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

FORMAT = "sound"


def sniff(source: RawSource) -> bool:
    """Return whether the file is sound or video."""
    return recording_formats.is_recording(source.data)


def refuse(source: RawSource) -> Parsed:
    """Refuse a recording in memory.

    It is heard from a file, in a process without the limits of text.
    """
    raise MalformedTranscript(
        "is a recording.", where=source.name, remedy="Give the path of the file."
    )


def is_recording(path: Path) -> bool:
    """Return whether the file at a path is sound or video, False if it cannot be read."""
    try:
        with path.open("rb") as file:
            return recording_formats.is_recording(file.read(recording_formats.HEAD))
    except OSError:
        return False


def transcript(
    path: Path, name: str, how: TranscriptionOptions, title: str | None, event_date: date | None
) -> Transcript:
    """Return the transcript of a recording.

    Raises: as ``listen``; MalformedTranscript if nobody speaks in it.
    """
    try:
        heard = transcribe(path, how)
    except TranscriptError as error:  # it names the file, which may be a temporary one
        raise type(error)(error.what, where=name, remedy=error.remedy) from error
    if not heard.words:
        raise MalformedTranscript(
            "nobody speaks in this recording.", where=name, remedy="Is it the right one?"
        )
    day, dated = (event_date, "") if event_date else title_and_date.guess_date(name, "")
    cut, warnings = sentences(heard)
    said = [*heard.warnings, *warnings, *([dated] if dated else [])]
    source = Source(name, FORMAT, heard.digest)
    return Transcript(
        title or title_and_date.guess_title(name),
        day,
        source,
        tuple(cut),
        tuple(dict.fromkeys(said)),
    )


def sentences(heard: Transcription) -> tuple[list[Sentence], list[str]]:
    """Return the sentences of what was heard, each with its words and their times, and warnings."""
    pairs = zip(heard.words, heard.speakers, strict=True)
    rows = [
        timed_words.RecognisedWord(word.text, 1, speaker, word.start, word.end)
        for word, speaker in pairs
    ]
    cut, warnings = sentence_rules.cut_pieces(timed_words.pieces(rows))
    starts = [word.start for word in heard.words]
    return [_with_words(sent, heard.words, starts) for sent in cut], warnings


def _with_words(sent: Sentence, words: Sequence[Word], starts: Sequence[float]) -> Sentence:
    """Return a sentence with the words that are said in its time."""
    if sent.start is None or sent.end is None:
        return sent
    first = bisect_left(starts, sent.start - 0.005)
    last = bisect_left(starts, sent.end - 0.005)
    said = tuple(words[first:last])
    return replace(sent, words=said, start=said[0].start, end=said[-1].end) if said else sent
