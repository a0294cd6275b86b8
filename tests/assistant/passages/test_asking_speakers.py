"""Roles of speakers: who asks and gives the floor."""

from __future__ import annotations

import pytest

from assistant.passages.asking_speakers import asking_speakers
from tests.assistant import made_up

QUESTIONS = (
    "Senator Okafor, will you raise taxes?",
    "Thank you. Governor Rivera, your response to Senator Okafor?",
    "Governor Rivera.",
    "How would you pay for it?",
)
ANSWERS = (
    "We have cut the tax on fuel twice, and every family in this state has more money today.",
    "My plan pays for itself, because it closes the loopholes that the largest companies use.",
)


def conversation(*turns: tuple[str, str]):
    """Return sentences, one per turn."""
    return [made_up.sentence(number, text, speaker) for number, (speaker, text) in enumerate(turns)]


def debate(rounds: int, moderator: str = "HALE"):
    """Return a debate in which a moderator asks two candidates by turns."""
    turns = []
    for number in range(rounds):
        candidate = ("OKAFOR", "RIVERA")[number % 2]
        turns.append((moderator, QUESTIONS[number % len(QUESTIONS)]))
        turns.append((candidate, ANSWERS[number % 2]))
    return conversation(*turns)


def test_the_moderator_of_a_debate_asks():
    assert asking_speakers(debate(20)) == {"HALE"}


def test_a_short_exchange_shows_no_habit():
    assert asking_speakers(debate(5)) == frozenset()


@pytest.mark.parametrize("label", ["MODERATOR", "Moderator 2", "QUESTION", "Q", "Male reporter"])
def test_some_labels_say_that_a_speaker_asks(label):
    assert asking_speakers(debate(3, label)) == {label}


@pytest.mark.parametrize("label", ["Senator Host", "HOSTETLER", "Quentin", "Anchorage Mayor"])
def test_a_name_that_resembles_such_a_label_does_not(label):
    assert asking_speakers(debate(3, label)) == frozenset()


def test_candidates_who_interrupt_each_other_do_not_ask():
    turns = [(("OKAFOR", "RIVERA")[n % 2], ANSWERS[n % 2]) for n in range(40)]

    assert asking_speakers(conversation(*turns)) == frozenset()


def test_a_speech_has_nobody_who_asks():
    assert asking_speakers(conversation(*[("OKAFOR", "Who will pay for it?")] * 20)) == frozenset()
    assert asking_speakers([]) == frozenset()
