"""Who speaks is corrected by a person: renamed, merged, reassigned."""

from __future__ import annotations

import pytest

from assistant.ground.domain import Sentence, Source, Transcript
from assistant.ground.errors import TranscriptError
from assistant.transcripts.speakers import reassign, rename, speakers


@pytest.fixture
def transcript() -> Transcript:
    names = ["SPEAKER_01", "SPEAKER_02", None, "SPEAKER_01"]
    sentences = tuple(Sentence(i, i, f"Sentence {i}.", name) for i, name in enumerate(names, 1))
    return Transcript("Debate", None, Source("a.txt", "text", ""), sentences)


def test_rename(transcript: Transcript) -> None:
    """All sentences of a speaker get the new name; the given transcript stays as it was."""
    renamed = rename(transcript, {"SPEAKER_01": " Ruth  Ortega "})
    assert ["Ruth Ortega", "SPEAKER_02", None, "Ruth Ortega"] == [s.speaker for s in renamed]
    assert "SPEAKER_01" == transcript.sentences[0].speaker


def test_merge(transcript: Transcript) -> None:
    """Two speakers given one name are one."""
    merged = rename(transcript, {"SPEAKER_01": "Ruth Ortega", "SPEAKER_02": "Ruth Ortega"})
    assert {"Ruth Ortega": 3, None: 1} == dict(speakers(merged))


def test_names_can_be_exchanged(transcript: Transcript) -> None:
    """Two names are swapped in one step."""
    swapped = rename(transcript, {"SPEAKER_01": "SPEAKER_02", "SPEAKER_02": "SPEAKER_01"})
    assert ["SPEAKER_02", "SPEAKER_01", None, "SPEAKER_02"] == [s.speaker for s in swapped]


def test_rename_to_nobody(transcript: Transcript) -> None:
    """A speaker can be made unknown."""
    assert [None, "SPEAKER_02", None, None] == [s.speaker for s in rename(transcript, {"SPEAKER_01": ""})]


def test_reassign(transcript: Transcript) -> None:
    """Single sentences are given to somebody; all else of them stays."""
    changed = reassign(transcript, [2, 3], "Lund")
    assert ["SPEAKER_01", "Lund", "Lund", "SPEAKER_01"] == [s.speaker for s in changed]
    assert [s.text for s in transcript] == [s.text for s in changed]


def test_mistakes_are_told(transcript: Transcript) -> None:
    """A name or number that is not there is refused with those that are."""
    with pytest.raises(TranscriptError, match="no sentence is by Lund. Speakers are: SPEAKER_01, SPEAKER_02"):
        rename(transcript, {"Lund": "Moss"})
    with pytest.raises(TranscriptError, match="no sentence 9. Sentences are numbered 1 to 4"):
        reassign(transcript, [1, 9], "Lund")
