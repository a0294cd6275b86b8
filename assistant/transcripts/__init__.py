"""Transcripts from any file, read in a process of their own for protection from bad files."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

from assistant.core import confined, settings
from assistant.core.domain import Transcript
from assistant.core.errors import TranscriptError
from assistant.core.files import shown_path
from assistant.core.replacement import require_regular_file
from assistant.transcription import recording_formats
from assistant.transcription.transcriber import TranscriptionOptions
from assistant.transcripts import reader, recordings
from assistant.transcripts.text_decoding import NO_CHOICES, LabelChoices, check_size, load

__all__ = ["LabelChoices", "read", "read_bytes"]


def read(
    path: str | Path,
    *,
    title: str | None = None,
    event_date: date | None = None,
    how: TranscriptionOptions | None = None,
    choices: LabelChoices = NO_CHOICES,
) -> Transcript:
    """Return the transcript in a file, or of a recording, which takes minutes.

    ``title`` and ``event_date`` are guessed if they are missing. ``how`` has the options of a
    transcription, by default those of the settings. ``choices`` has labels that a person accepted
    or refused: the transcript lists its ``doubtful_labels``, and reading the file again with
    ``LabelChoices(accepted=(doubtful.label,))`` gives the words behind them to that speaker.

    Raises: UnknownFormat for files that are not transcripts, MalformedTranscript if nothing in the
    file can be used, TranscriptError if it cannot be opened, is too large, or takes more time or
    memory than a transcript does.
    """
    path = Path(path)
    require_regular_file(path, TranscriptError)
    if recordings.is_recording(path):
        return recordings.transcript(
            path, shown_path(path.name), how or _options_of_settings(), title, event_date
        )
    source = load(path)
    return read_bytes(source.data, source.name, title=title, event_date=event_date, choices=choices)


def read_bytes(
    data: bytes,
    name: str,
    *,
    title: str | None = None,
    event_date: date | None = None,
    how: TranscriptionOptions | None = None,
    choices: LabelChoices = NO_CHOICES,
) -> Transcript:
    """Return the transcript in these bytes, as ``read`` does; ``name`` is shown, never trusted."""
    check_size(len(data), name)
    if recording_formats.is_recording(data):
        with tempfile.NamedTemporaryFile(prefix="lectern-") as file:
            file.write(data)
            file.flush()
            return recordings.transcript(
                Path(file.name), name, how or _options_of_settings(), title, event_date
            )
    return confined.call(
        reader.transcript,
        data,
        name,
        title,
        event_date,
        choices,
        where=name,
        refusal=TranscriptError,
        limits=confined.reading_limits(len(data)),
    )


def _options_of_settings() -> TranscriptionOptions:
    chosen = settings.load()
    return TranscriptionOptions(chosen.home, chosen.speech_model, bool(chosen.network))
