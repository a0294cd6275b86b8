"""What the tests of the readers share.

A source from text, the format that takes it, a golden case compared.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assistant.transcripts import language
from assistant.transcripts.formats import TRANSCRIPT_FORMATS, TranscriptFormat
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

GOLDEN = Path(__file__).parents[2] / "golden" / "transcripts"


def source(text: str | bytes, name: str = "debate.txt") -> RawSource:
    """Return a source with these contents."""
    return RawSource(name, text.encode() if isinstance(text, str) else text)


def first_format(source: RawSource) -> TranscriptFormat:
    """Return the format that recognises the source."""
    return next(
        transcript_format
        for transcript_format in TRANSCRIPT_FORMATS
        if transcript_format.sniff(source)
    )


def parse(text: str | bytes, name: str = "debate.txt") -> ParsedTranscript:
    """Parse these contents with the first reader that recognises them."""
    raw_source = source(text, name)
    return first_format(raw_source).parse(raw_source)


def cases(folder: str) -> list[Path]:
    """Return the golden files of a folder that have an expectation."""
    return sorted(path for path in (GOLDEN / folder).iterdir() if path.suffix != ".expected")


def compare(case: Path) -> None:
    """Compare a golden file with its expectation.

    The format that takes it, every piece, title and warning.
    """
    expected = json.loads(Path(f"{case}.expected").read_text(encoding="utf-8"))
    source = RawSource(case.name, case.read_bytes())
    transcript_format = first_format(source)
    parsed = transcript_format.parse(source)
    assert expected["format"] == transcript_format.name
    assert expected["pieces"] == [
        [piece.line_number, piece.start, piece.end, piece.speaker, piece.starts_turn, piece.text]
        for piece in parsed.pieces
    ]
    assert expected["warnings"] == [*language.declared(parsed.language), *parsed.warnings]
    assert expected["title"] == parsed.title


def data_folder() -> Path:
    """Return the transcripts of the data folder; skip where there is none."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA does not name the data folder")
    return Path(folder) / "transcripts"
