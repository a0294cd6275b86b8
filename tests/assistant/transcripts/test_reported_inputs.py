"""Files that readers of this kind were reported to read wrongly, each as a person reads it."""

from __future__ import annotations

import pytest

from tests.assistant.transcripts import reported


@pytest.mark.parametrize("name", reported.names())
def test_a_reported_file_is_read_as_a_person_reads_it(name: str) -> None:
    """Add a case by adding a file and its expectation."""
    assert reported.faults(name) == []
