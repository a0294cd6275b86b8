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
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

GOLDEN = Path(__file__).parents[2] / "golden" / "transcripts"


def source(text: str | bytes, name: str = "debate.txt") -> RawSource:
    """Return a source with these contents."""
    return RawSource(name, text.encode() if isinstance(text, str) else text)


def first_format(raw: RawSource) -> TranscriptFormat:
    """Return the row of the table that takes the source."""
    return next(row for row in TRANSCRIPT_FORMATS if row.sniff(raw))


def parsed(text: str | bytes, name: str = "debate.txt") -> Parsed:
    """Return what the reader that takes these contents makes of them."""
    raw = source(text, name)
    return first_format(raw).parse(raw)


def cases(folder: str) -> list[Path]:
    """Return the golden files of a folder that have an expectation."""
    return sorted(path for path in (GOLDEN / folder).iterdir() if path.suffix != ".expected")


def compare(case: Path) -> None:
    """Compare a golden file with its expectation.

    The format that takes it, every piece, title and warning.
    """
    expected = json.loads(Path(f"{case}.expected").read_text(encoding="utf-8"))
    raw = RawSource(case.name, case.read_bytes())
    row = first_format(raw)
    read = row.parse(raw)
    assert expected["format"] == row.name
    assert expected["pieces"] == [
        [p.line, p.start, p.end, p.speaker, p.starts_turn, p.text] for p in read.pieces
    ]
    assert expected["warnings"] == [*language.declared(read.language), *read.warnings]
    assert expected["title"] == read.title


def data_folder() -> Path:
    """Return the transcripts of the data folder; skip where there is none."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA does not name the data folder")
    return Path(folder) / "transcripts"
