"""JSON of speech recognisers and transcript editors, one golden file a schema or trap."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.assistant.transcripts import reading


@pytest.mark.parametrize("case", reading.cases("asr"), ids=lambda path: path.name)
def test_golden(case: Path) -> None:
    """The reader of its schema takes the file and reads it as the expectation says."""
    reading.compare(case)
