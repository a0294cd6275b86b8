"""Roles of speakers: moderators, candidates, and people who only ask."""

from __future__ import annotations

import pytest

from assistant.core.domain import SpeakerRole
from assistant.passages.speaker_roles import speaker_roles
from assistant.transcripts import reader
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
SHORT_DEBATE = """\
LINDQVIST: Good evening and welcome to the harbor debate. Mr. Abara, did exports fall?
ABARA: Exports fell by $200 million, and it was the tariffs that did it, as the auditor said.
LINDQVIST: Mayor Hale, you have one minute.
HALE: We built 400 schools in two years, and unemployment went down to 3.9 percent. Is it bad?
LINDQVIST: Thank you, Mayor. Mr. Abara, is that number right?
ABARA: It is not. The auditor counted 390 schools, and half were begun before her term.
"""
MODERATOR = SpeakerRole.MODERATOR
CANDIDATE = SpeakerRole.CANDIDATE
AUDIENCE = SpeakerRole.AUDIENCE


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
    roles = speaker_roles(debate(20))

    assert roles == {"HALE": MODERATOR, "OKAFOR": CANDIDATE, "RIVERA": CANDIDATE}


def test_the_moderator_of_a_short_debate_has_the_words_of_one():
    """A candidate who asks back does not moderate."""
    sentences = reader.transcript(SHORT_DEBATE.encode(), "debate.txt").sentences

    roles = speaker_roles(sentences)

    assert roles == {"LINDQVIST": MODERATOR, "ABARA": CANDIDATE, "HALE": CANDIDATE}


def with_few_turns(guest: str, *texts: str):
    """Return a debate with three turns of a guest, each followed by another speaker."""
    turns = [(sentence.speaker, sentence.text) for sentence in debate(20)]
    for text, follower in zip(texts, ("OKAFOR", "RIVERA", "HALE"), strict=True):
        turns += [(guest, text), (follower, ANSWERS[0])]
    return conversation(*turns)


def test_a_guest_whose_turns_ask_is_a_moderator():
    asked = "Good evening. You voted against a waiting period. Was that right, Senator Okafor?"
    roles = speaker_roles(with_few_turns("SEXTON", asked, asked, "Governor Rivera?"))

    assert roles["SEXTON"] == MODERATOR


def test_a_candidate_with_few_turns_is_no_moderator():
    asked_back = "We built 400 schools in two years. Is that bad?"
    roles = speaker_roles(with_few_turns("LUND", ANSWERS[0], ANSWERS[1], asked_back))

    assert "LUND" not in roles


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("MODERATOR", MODERATOR),
        ("Moderator 2", MODERATOR),
        ("The Host", MODERATOR),
        ("Ann Tapper, debate moderator", MODERATOR),
        ("QUESTION", AUDIENCE),
        ("Q", AUDIENCE),
        ("Male reporter", AUDIENCE),
        ("Voter 2", AUDIENCE),
    ],
)
def test_some_labels_name_the_role(label, role):
    assert speaker_roles(debate(2, label))[label] is role


@pytest.mark.parametrize("label", ["Senator Host", "HOSTETLER", "Quentin", "Anchorage Mayor"])
def test_a_name_that_resembles_such_a_label_does_not(label):
    turns = [(label, ANSWERS[0]), ("OKAFOR", ANSWERS[1])] * 3

    assert speaker_roles(conversation(*turns)) == {}


def test_candidates_who_interrupt_each_other_do_not_moderate():
    turns = [(("OKAFOR", "RIVERA")[n % 2], ANSWERS[n % 2]) for n in range(40)]

    assert speaker_roles(conversation(*turns)) == {}


def test_a_speech_has_no_roles():
    assert speaker_roles(conversation(*[("OKAFOR", "Who will pay for it?")] * 20)) == {}
    assert speaker_roles([]) == {}


def test_a_chosen_role_overrules_the_words():
    roles = speaker_roles(debate(20), {"HALE": CANDIDATE, "OKAFOR": MODERATOR})

    assert roles == {"HALE": CANDIDATE, "OKAFOR": MODERATOR, "RIVERA": CANDIDATE}


def test_a_chosen_role_of_somebody_who_does_not_speak_is_left_out():
    assert speaker_roles(debate(2), {"NOBODY": MODERATOR}).get("NOBODY") is None
