"""Hostile transcripts end as a transcript or a clear refusal, within the limits of the processes that read."""

from __future__ import annotations

import pytest

from assistant import transcripts
from assistant.core import confined
from assistant.core.errors import TranscriptError
from tests.fuzz import targets
from tests.fuzz.cases import OWN, SEEN
from tests.fuzz.readers import finding

# Only the limits hold this: the library of PDFs unpacks a page whole.
LIMITED = {"a doubly packed page"}
# Seconds of work each; the quicker cases guard the same readers.
SLOW_CASES = (
    "50,000 rows in JSON",
    "bold that never ends",
    "nested objects in PDF",
    "voices in WebVTT",
    "a text of brackets in JSON",
    "lines of spaces",
)


def marked(names):
    """Return the names as parameters, with the mark of the slow ones."""
    parameters = []
    for name in names:
        marks = [pytest.mark.slow] if name in SLOW_CASES else []
        parameters.append(pytest.param(name, marks=marks))
    return parameters


def ends_well(name: str, data: bytes) -> None:
    """Read a case; a refusal is one line with the file's name, and the reader ended by itself."""
    try:
        assert transcripts.read_bytes(data, "case.x").sentences
    except TranscriptError as error:
        assert str(error).startswith("case.x")
        assert "\n" not in str(error)
        assert len(str(error)) < 1000
        broken_off = any(
            text in error.what
            for text in (confined.TIME_MESSAGE, confined.MEMORY_MESSAGE, confined.FAILED_MESSAGE)
        )
        assert not broken_off or name in LIMITED, str(error)


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("name", marked(SEEN))
def test_what_was_seen(name):
    """The files that once held or filled a reader."""
    ends_well(name, SEEN[name]())


@pytest.mark.threat("reviewer")
@pytest.mark.long
@pytest.mark.parametrize("name", OWN)
def test_further_kinds(name):
    """What else could hold or fill one."""
    ends_well(name, OWN[name]())


@pytest.mark.threat("reviewer")
@pytest.mark.long
@pytest.mark.parametrize("target", [target.__name__ for target in targets.TARGETS])
@pytest.mark.parametrize("name", [*SEEN, *OWN])
def test_every_kind_through_every_reader(name, target):
    """As an import, as a page, as live text.

    No reader fails, and none has to be ended by its limits.
    """
    wrong = finding(target, {**SEEN, **OWN}[name]())

    assert not wrong or name in LIMITED, wrong
