"""Restatements: which sentences of one speaker make the same statement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.check import loaded_models, restatements
from assistant.core.settings import EMBEDDED
from tests.assistant.made_up_passages import MATCHES, sentence_with

TUNNEL = "The Channel Tunnel between England and France opened in 1994."


def restated(*texts: str) -> list[int | None]:
    """Return the number of the sentence that each text restates, all of one fact-check."""
    sentences = [
        sentence_with(number, MATCHES[0], text=text) for number, text in enumerate(texts, 1)
    ]
    encoders = loaded_models.encoders(EMBEDDED)
    return [checked.restates for checked in restatements.with_restatements(sentences, encoders)]


@pytest.mark.parametrize(
    "text",
    [
        TUNNEL,
        "the channel tunnel, between England and France, opened in 1994",
        "It was in 1994 that the Channel Tunnel between England and France opened.",
    ],
)
def test_the_same_statement_is_restated(text):
    assert restated(TUNNEL, text) == [None, 1]


@pytest.mark.parametrize(
    "text",
    [
        "The Channel Tunnel between England and France opened in 1988.",
        "The Channel Tunnel between England and France did not open in 1994.",
        "The Channel Tunnel carries trains between England and France.",
        "We should never have built a tunnel to France.",
        "The tunnel?",
    ],
)
def test_another_statement_about_the_topic_restates_nothing(text):
    assert restated(TUNNEL, text) == [None, None]


def test_other_speakers_and_other_fact_checks_are_not_compared():
    first = sentence_with(1, MATCHES[0], text=TUNNEL)
    other_speaker = sentence_with(2, MATCHES[0], text=TUNNEL)
    other_speaker = replace(
        other_speaker, sentence=replace(other_speaker.sentence, speaker="SOMEBODY ELSE")
    )
    other_claim = sentence_with(3, MATCHES[1], text=TUNNEL)

    marked = restatements.with_restatements(
        [first, other_speaker, other_claim], loaded_models.encoders(EMBEDDED)
    )

    assert [checked.restates for checked in marked] == [None, None, None]


def test_a_sentence_without_a_match_restates_nothing():
    sentences = [sentence_with(1, text=TUNNEL), sentence_with(2, text=TUNNEL)]

    marked = restatements.with_restatements(sentences, loaded_models.encoders(EMBEDDED))

    assert [checked.restates for checked in marked] == [None, None]


@pytest.mark.parametrize(
    ("text", "other_text"),
    [
        ("They feel we have to have strong borders.", "We need strong borders."),
        ("She wants open borders.", "They want strong borders."),
        ("We put up the American flag.", "They put up the American flag."),
        ("No collusion, no obstruction.", "No collusion."),
        ("We are going to cut taxes massively.", "We're going to cut business taxes massively."),
    ],
)
def test_another_person_and_a_part_of_the_statement_restate_nothing(text, other_text):
    assert restated(text, other_text) == [None, None]


def test_sentences_that_are_too_long_to_compare_are_no_restatements():
    """They may have a figure in which they differ."""
    long_text = f"{TUNNEL} {'It was a great day for all of us. ' * 60}"
    assert restatements._differs(long_text, long_text)
