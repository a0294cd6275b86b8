"""Roles of speakers, by their labels, words and turns."""

from __future__ import annotations

from assistant.transcripts import reader
from assistant.transcripts.speaker_roles import SpeakerRole, speaker_roles

DEBATE = """LINDQVIST: Good evening and welcome to the harbor debate. Mr. Abara, did exports fall?

ABARA: Exports fell by $200 million, and it was the tariffs that did it, as the auditor said in May.

LINDQVIST: Mayor Hale, you have one minute.

HALE: We built 400 schools in two years, and unemployment went down to 3.9 percent in my term.

LINDQVIST: Thank you, Mayor. Mr. Abara, is that number right?

ABARA: It is not. The auditor counted 390 schools, and half of them were begun before her term.
"""


def _roles(text: str) -> dict[str, SpeakerRole]:
    return speaker_roles(reader.transcript(text.encode(), "debate.txt").sentences)


def test_a_moderator_is_known_by_words_and_turns() -> None:
    """The others who speak much are candidates."""
    assert _roles(DEBATE) == {
        "LINDQVIST": SpeakerRole.MODERATOR,
        "ABARA": SpeakerRole.CANDIDATE,
        "HALE": SpeakerRole.CANDIDATE,
    }


def test_a_label_names_the_role() -> None:
    """Q asks for the audience, a moderator says so."""
    text = DEBATE.replace("LINDQVIST:", "MODERATOR:") + "\nQ: Who pays for it?\n\nHALE: The port.\n"
    roles = _roles(text)
    assert roles["MODERATOR"] is SpeakerRole.MODERATOR
    assert roles["Q"] is SpeakerRole.AUDIENCE


def test_a_candidate_who_asks_back_does_not_moderate() -> None:
    """A question alone shows little."""
    text = DEBATE.replace("in my term.", "in my term. Is that nothing?")
    assert _roles(text)["HALE"] is SpeakerRole.CANDIDATE


def test_nobody_is_a_candidate_without_a_moderator() -> None:
    """Two people who talk have no roles."""
    text = "ABARA: Exports fell.\n\nHALE: They rose.\n\nABARA: They fell.\n\nHALE: No.\n"
    assert _roles(text) == {}
