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
    said = some.tuples(
        some.sampled_from(["A", "B", "C", None]),
        some.lists(some.sampled_from(WORDS), min_size=1, max_size=12),
    )
    rows = draw(some.lists(said, max_size=25))
    return [
        Sentence(2 * n, n, " ".join(words), speaker) for n, (speaker, words) in enumerate(rows, 1)
    ]


def spoken(*rows: tuple[str, str]) -> list[Sentence]:
    return [Sentence(n, n, text, speaker) for n, (speaker, text) in enumerate(rows, 1)]


@given(transcripts(), some.integers(0, 2**32 - 1))
def test_every_sentence_is_in_one_passage_of_its_speaker(
    sentences: list[Sentence], seed: int
) -> None:
    """Of one to five sentences in reading order.

    Passages are numbered in the order in which they begin.
    """
    rng = np.random.default_rng(seed)
    found = splitting.passages(
        sentences, rng.normal(size=(len(sentences), 4)), rng.random(len(sentences))
    )
    of_number = {sent.number: sent for sent in sentences}

    assert sorted(of_number) == sorted(n for passage in found for n in passage.sentences)
    assert list(range(1, len(found) + 1)) == [passage.number for passage in found]
    assert sorted(passage.sentences[0] for passage in found) == [
        passage.sentences[0] for passage in found
    ]
    for passage in found:
        assert 1 <= len(passage.sentences) <= 5 and sorted(passage.sentences) == list(
            passage.sentences
        )
        assert len({of_number[n].speaker for n in passage.sentences}) == 1


@given(transcripts())
def test_a_talk_goes_on_beyond_an_interjection_only(sentences: list[Sentence]) -> None:
    """What others put in is two sentences and eight words at most.

    Every sentence is in one talk.
    """
    found = list(talks(sentences))

    assert list(range(len(sentences))) == sorted(place for talk in found for place in talk)
    for talk in found:
        assert len({sentences[place].speaker for place in talk}) == 1
        for before, after in pairwise(talk):
            others = sentences[before + 1 : after]
            assert len(others) <= MAX_INTERJECTION_SENTENCES
            assert sum(len(sent.text.split()) for sent in others) <= MAX_INTERJECTION_WORDS


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

    first, *_ = talks(sentences)
    assert ([0, len(sentences) - 1] if goes_on else [0]) == first


def test_a_passage_leaves_out_the_interjection_in_it() -> None:
    """Which is a passage of its own."""
    sentences = spoken(
        ("A", "The bridge cost a billion."),
        ("B", "Wrong."),
        ("A", "And it leaks, the bridge does."),
    )
    found = splitting.passages(sentences, np.ones((3, 2)) / np.sqrt(2), np.full(3, 0.5))

    assert [passage.sentences for passage in found] == [(1, 3), (2,)]


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
    named = ("A", "I know the old Senator Whitfield.")
    asked = ("A", "He voted against it three times.")

    assert context(spoken(named, ("A", "We all do."), asked), [2]) == named[1]
    assert context(spoken(named, ("B", "So does Okafor."), asked), [2]) == named[1]
    assert context(spoken(("B", named[1]), asked), [1]) == ""
    assert (
        context(
            spoken(named, *[("A", "We all do.")] * splitting.CONTEXT_REACH_SENTENCES, asked),
            [splitting.CONTEXT_REACH_SENTENCES + 1],
        )
        == ""
    )


def test_what_stands_by_itself_has_no_context() -> None:
    """It points back to nothing, or says the name itself."""
    named = ("A", "I know the old Senator Whitfield.")

    assert context(spoken(named, ("A", "Unemployment is at four percent.")), [1]) == ""
    assert context(spoken(named, ("A", "He and the mayor of Harrow Falls agree.")), [1]) == ""
