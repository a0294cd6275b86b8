"""Reads the bytes of a transcript: finds the format, cuts sentences, and reports every guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assistant.core.domain import Source, Transcript
from assistant.core.errors import MalformedTranscript
from assistant.transcripts import (
    language,
    nonspeech,
    speakers,
    title_and_date,
    unspoken_captions,
)
from assistant.transcripts import sentences as sentence_rules
from assistant.transcripts.formats import recognised_format
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import NO_CHOICES, LabelChoices, RawSource

MAX_TITLE_CHARACTERS = 300
MAX_WORDS = 500_000  # about 55 hours of speech
MAX_SENTENCES = 50_000


def transcript(
    data: bytes,
    name: str,
    title: str | None = None,
    event_date: date | None = None,
    choices: LabelChoices = NO_CHOICES,
) -> Transcript:
    """Return the transcript in these bytes, read in this process, without limits.

    ``choices`` has the labels that a person has accepted or refused.

    Raises: as ``transcripts.read``.
    """
    source = RawSource(name, data, choices.accepted, choices.refused)
    if not source.data.strip():
        raise MalformedTranscript(f"{source.name} is empty.", remedy="Export the transcript again.")
    transcript_format = recognised_format(source)
    parsed = transcript_format.parse(source)
    labelled_pieces = _without_stage_directions(parsed.pieces)
    pieces, merge_warnings = speakers.merged(labelled_pieces)
    spoken_pieces = unspoken_captions.pieces_without_speaker(pieces)
    _refuse_too_many(source.name, _word_count(spoken_pieces), MAX_WORDS, "words")
    sentences, cut_warnings = sentence_rules.sentences_of_pieces(spoken_pieces)
    _refuse_too_many(source.name, len(sentences), MAX_SENTENCES, "sentences")
    sentences, caption_warnings = unspoken_captions.sentences_without_speaker(sentences)
    if not sentences:
        raise _no_speech_error(source, transcript_format.label, parsed)
    day, date_warnings = _event_date(source, parsed, event_date)
    text = " ".join(sentence.text for sentence in sentences)
    warnings = [
        *source.warnings,
        *language.declared(parsed.language),
        *parsed.warnings,
        *merge_warnings,
        *cut_warnings,
        *caption_warnings,
        *nonspeech.invention_warnings(sentences),
        *language.guessed(text),
        *date_warnings,
    ]
    parsed_title = parsed.title[:MAX_TITLE_CHARACTERS]
    return Transcript(
        title=title or parsed_title or title_and_date.guess_title(source.name),
        event_date=day,
        source=Source(source.name, transcript_format.name, source.digest),
        sentences=tuple(sentences),
        warnings=tuple(dict.fromkeys(warnings)),
        doubtful_labels=tuple(parsed.doubtful_labels),
        speaker_evidence=speakers.turn_counts(pieces, labelled_pieces, parsed.label_evidence),
    )


def _word_count(pieces: Sequence[SpeechPiece]) -> int:
    return sum(len(piece.text.split()) for piece in pieces)


def _refuse_too_many(name: str, count: int, limit: int, counted: str) -> None:
    """Raise MalformedTranscript if a transcript is far longer than any event."""
    if count > limit:
        raise MalformedTranscript(
            f"has {count:,} {counted}, more than the {limit:,} that Lectern checks at once.",
            where=name,
            remedy="Split the file into several transcripts.",
        )


def _without_stage_directions(pieces: Sequence[SpeechPiece]) -> list[SpeechPiece]:
    """Return the pieces without stage directions.

    If nothing else is in a piece that begins a turn, the next piece begins the turn.
    """
    spoken_pieces: list[SpeechPiece] = []
    is_turn_pending = False
    for piece in pieces:
        text = nonspeech.without_stage_directions(piece.text)
        is_turn_pending = is_turn_pending or piece.starts_turn
        if text.strip(" \t\n.,-–—"):
            spoken_pieces.append(replace(piece, text=text, starts_turn=is_turn_pending))
            is_turn_pending = False
    return spoken_pieces


def _no_speech_error(
    source: RawSource, format_label: str, parsed: ParsedTranscript
) -> MalformedTranscript:
    """Return the error for a file without a single sentence, with the reason."""
    contents = "no text that somebody says"
    if parsed.pieces:
        contents = "only stage directions or sounds"
    first_warning = f" ({parsed.warnings[0]})" if parsed.warnings else ""
    return MalformedTranscript(
        f"was read as {format_label}, but has {contents}{first_warning}.",
        where=source.name,
        remedy="Check that it is the transcript itself.",
    )


def _event_date(
    source: RawSource, parsed: ParsedTranscript, event_date: date | None
) -> tuple[date | None, list[str]]:
    """Return the event date, and a warning if it was guessed or is missing."""
    if event_date:
        return event_date, []
    title = parsed.title[:MAX_TITLE_CHARACTERS]
    if parsed.event_date is None:
        heading = f"{title}\n{parsed.heading}"
        guessed_day, warning = title_and_date.guess_date(source.name, heading)
        return guessed_day, [warning]
    warning = (
        f"the event date {title_and_date.day_words(parsed.event_date)} was taken from the file"
    )
    day_of_name, _ = title_and_date.guess_date(source.name, title)
    if day_of_name is not None and day_of_name != parsed.event_date:
        words = title_and_date.day_words(day_of_name)
        warning += f"; the name of the file says {words}"
    return parsed.event_date, [warning]
