"""Passages of a transcript: whose they are, how far they go, and what they point back to."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.core.domain import Sentence
from assistant.passages import splitting
from assistant.passages.splitting import (
    MAX_INTERJECTION_SENTENCES,
    MAX_INTERJECTION_WORDS,
    context,
    talks,
)

WORDS = "we they bridge cut taxes No Okafor and it 2019 Why?".split()


@some.composite
def transcripts(draw) -> list[Sentence]:
    turns = some.tuples(
        some.sampled_from(["A", "B", "C", None]),
        some.lists(some.sampled_from(WORDS), min_size=1, max_size=12),
    )
    drawn_turns = draw(some.lists(turns, max_size=25))
    return [
        Sentence(2 * n, n, " ".join(words), speaker)
        for n, (speaker, words) in enumerate(drawn_turns, 1)
    ]


def spoken(*turns: tuple[str, str]) -> list[Sentence]:
    return [Sentence(n, n, text, speaker) for n, (speaker, text) in enumerate(turns, 1)]


@given(transcripts(), some.integers(0, 2**32 - 1))
def test_every_sentence_is_in_one_passage_of_its_speaker(
    sentences: list[Sentence], seed: int
) -> None:
    """Of one to five sentences in reading order.

    Passages are numbered in the order in which they begin.
    """
    rng = np.random.default_rng(seed)
    found_passages = splitting.passages(
        sentences, rng.normal(size=(len(sentences), 4)), rng.random(len(sentences))
    )
    of_number = {sent.number: sent for sent in sentences}

    assert sorted(of_number) == sorted(n for passage in found_passages for n in passage.sentences)
    assert list(range(1, len(found_passages) + 1)) == [passage.number for passage in found_passages]
    assert sorted(passage.sentences[0] for passage in found_passages) == [
        passage.sentences[0] for passage in found_passages
    ]
    for passage in found_passages:
        assert 1 <= len(passage.sentences) <= 5
        assert sorted(passage.sentences) == list(passage.sentences)
        assert len({of_number[n].speaker for n in passage.sentences}) == 1


@given(transcripts())
def test_a_talk_goes_on_beyond_an_interjection_only(sentences: list[Sentence]) -> None:
    """What others put in is two sentences and eight words at most.

    Every sentence is in one talk.
    """
    found_talks = list(talks(sentences))

    assert list(range(len(sentences))) == sorted(
        sentence_index for talk in found_talks for sentence_index in talk
    )
    for talk in found_talks:
        assert len({sentences[sentence_index].speaker for sentence_index in talk}) == 1
        for previous, following in pairwise(talk):
            interjection = sentences[previous + 1 : following]
            assert len(interjection) <= MAX_INTERJECTION_SENTENCES
            assert sum(len(sent.text.split()) for sent in interjection) <= MAX_INTERJECTION_WORDS


@pytest.mark.parametrize(
    ("between", "goes_on"),
    [
        (("Wrong.",), True),
        (("That is not true at all, Mr. Speaker.",), True),  # eight words
        (("That is not true at all, my dear Okafor.",), False),
        (("Wrong.", "Wrong."), True),
        (("Wrong.", "Wrong.", "Wrong."), False),
    ],
)
def test_how_long_an_interjection_is(between: tuple[str, ...], goes_on: bool) -> None:
    """More than eight words, or than two sentences, are an answer: the talk ends there."""
    sentences = spoken(("A", "We cut taxes."), *(("B", text) for text in between), ("A", "Twice."))

    first_talk, *_ = talks(sentences)
    assert ([0, len(sentences) - 1] if goes_on else [0]) == first_talk


def test_a_passage_leaves_out_the_interjection_in_it() -> None:
    """Which is a passage of its own."""
    sentences = spoken(
        ("A", "The bridge cost a billion."),
        ("B", "Wrong."),
        ("A", "And it leaks, the bridge does."),
    )
    found_passages = splitting.passages(sentences, np.ones((3, 2)) / np.sqrt(2), np.full(3, 0.5))

    assert [passage.sentences for passage in found_passages] == [(1, 3), (2,)]


def test_the_question_that_is_answered_is_the_context() -> None:
    """Another speaker's question just before.

    Not the speaker's own, and not what is no question.
    """
    question = ("B", "And the Harbour Act?")
    answer = ("A", "It costs a billion a year.")

    assert context(spoken(question, answer), [1]) == "And the Harbour Act?"
    assert context(spoken(("A", "Why not?"), answer), [1]) == ""
    assert context(spoken(("B", "Go on."), answer), [1]) == ""
    assert context(spoken(answer), [0]) == ""


def test_the_name_that_a_pronoun_stands_for_is_in_the_context() -> None:
    """The last sentence of the same talk that names somebody, not another's, and not too far back."""
    naming = ("A", "I know the old Senator Whitfield.")
    question = ("A", "He voted against it three times.")

    assert context(spoken(naming, ("A", "We all do."), question), [2]) == naming[1]
    assert context(spoken(naming, ("B", "So does Okafor."), question), [2]) == naming[1]
    assert context(spoken(("B", naming[1]), question), [1]) == ""
    assert (
        context(
            spoken(naming, *[("A", "We all do.")] * splitting.CONTEXT_REACH_SENTENCES, question),
            [splitting.CONTEXT_REACH_SENTENCES + 1],
        )
        == ""
    )


def test_what_stands_by_itself_has_no_context() -> None:
    """It points back to nothing, or says the name itself."""
    naming = ("A", "I know the old Senator Whitfield.")

    assert context(spoken(naming, ("A", "Unemployment is at four percent.")), [1]) == ""
    assert context(spoken(naming, ("A", "He and the mayor of Harrow Falls agree.")), [1]) == ""
