"""Reads the bytes of a transcript.

Walks the table of formats, cuts sentences, and reports what it guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assistant.core.domain import Source, Transcript
from assistant.core.errors import MalformedTranscript
from assistant.transcripts import language, nonspeech, speakers, title_and_date
from assistant.transcripts import sentences as sentence_rules
from assistant.transcripts.formats import recognised_format
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

MAX_TITLE_CHARACTERS = 300  # characters


def transcript(
    data: bytes, name: str, title: str | None = None, event_date: date | None = None
) -> Transcript:
    """Return the transcript in these bytes, read in this process, without limits.

    Raises: as ``transcripts.read``.
    """
    source = RawSource(name, data)
    if not source.data.strip():
        raise MalformedTranscript(
            "is empty.", where=source.name, remedy="Export the transcript again."
        )
    form = recognised_format(source)
    parsed = form.parse(source)
    pieces, merged = speakers.merged(_without_stage_directions(parsed.pieces))
    sentences, cut = sentence_rules.cut_pieces(pieces)
    if not sentences:
        raise _no_speech_error(source, form.label, parsed)
    day, dated = _event_date(source, parsed, event_date)
    foreign = language.guessed(" ".join(sent.text for sent in sentences))
    guesses = [*merged, *cut, *nonspeech.suspicious(sentences), *foreign, *dated]
    return Transcript(
        title=title
        or parsed.title[:MAX_TITLE_CHARACTERS]
        or title_and_date.guess_title(source.name),
        event_date=day,
        source=Source(source.name, form.name, source.digest),
        sentences=tuple(sentences),
        warnings=tuple(
            dict.fromkeys(
                [*source.warnings, *language.declared(parsed.language), *parsed.warnings, *guesses]
            )
        ),
    )


def _without_stage_directions(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without stage directions.

    One that had nothing else hands its new turn to the next.
    """
    spoken: list[Piece] = []
    pending = False
    for piece in pieces:
        text = nonspeech.without_stage(piece.text)
        pending = pending or piece.starts_turn
        if text.strip(" \t\n.,-–—"):
            spoken.append(replace(piece, text=text, starts_turn=pending))
            pending = False
    return spoken


def _no_speech_error(source: RawSource, label: str, parsed: Parsed) -> MalformedTranscript:
    """Return the error for a file without a single sentence, with the reason."""
    why = "only stage directions or sounds" if parsed.pieces else "no text that somebody says"
    guess = f" ({parsed.warnings[0]})" if parsed.warnings else ""
    remedy = "Check that it is the transcript itself."
    return MalformedTranscript(
        f"was read as {label}, but has {why}{guess}.", where=source.name, remedy=remedy
    )


def _event_date(
    source: RawSource, parsed: Parsed, given: date | None
) -> tuple[date | None, list[str]]:
    """Return the event date and a warning if it was guessed or is missing."""
    if given:
        return given, []
    day, warning = title_and_date.guess_date(source.name, parsed.title[:MAX_TITLE_CHARACTERS])
    if parsed.event_date is None:
        return day, [warning]
    differs = f"; the name of the file says {day}" if day not in (None, parsed.event_date) else ""
    return parsed.event_date, [
        f"the event date {parsed.event_date} was taken from the file{differs}"
    ]
