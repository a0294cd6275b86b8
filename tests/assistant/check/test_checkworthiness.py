"""Which sentences are dropped, and the words that say why."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.check import checkworthiness
from assistant.check.checkworthiness import CheckWorthiness
from assistant.core.domain import Passage, Sentence, Source, Transcript
from assistant.core.errors import ModelUnavailable


def by_length(texts: Sequence[str]) -> np.ndarray:
    """Return a tenth a word: a classifier whose scores a test can compute by hand."""
    return np.array([min(1.0, len(text.split()) / 10) for text in texts], np.float32)


CLASSIFIER = CheckWorthiness(by_length, threshold=0.55)


def test_a_blank_text_scores_nothing_and_others_keep_their_places() -> None:
    """Blank texts never reach the classifier."""
    assert CLASSIFIER.score(["", "one two three", "  ", "one two"]) == pytest.approx(
        [0, 0.3, 0, 0.2]
    )


def test_no_texts_give_no_scores() -> None:
    """An empty transcript is no error here."""
    assert CLASSIFIER.score([]).shape == (0,)


def test_a_sentence_at_the_threshold_is_kept() -> None:
    """Only what lies below is dropped."""
    assert CLASSIFIER.dropped_reason(Sentence(1, 1, "Thank you."), 0.55) is None


def test_another_threshold_can_be_set() -> None:
    """A profile's threshold takes the place of the classifier's own."""
    sentence = Sentence(1, 1, "Exports doubled in four years, he said.")
    assert (
        CLASSIFIER.dropped_reason(sentence, 0.6, threshold=0.7) == "not check-worthy (0.60 < 0.70)"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wrong, wrong.", "too short"),
        ("Thank you all very much for coming.", "greeting or thanks"),
        ("Well, good evening from the university hall.", "greeting or thanks"),
        ("Senator, how would you pay for that?", "question"),
        ("We're going to build it very fast.", "prediction or hypothetical"),
        ("They'll be back before the summer.", "prediction or hypothetical"),
        ("I really believe in this great town.", "opinion or belief"),
        ("We must protect the old harbour.", "opinion or belief"),
        ("The train stood on the other track.", "not check-worthy (0.12 < 0.55)"),
    ],
)
def test_a_dropped_sentence_says_what_it_looks_like(text: str, expected: str) -> None:
    """The rules are tried in a fixed order; where none fits, the two numbers are the reason."""
    assert CLASSIFIER.dropped_reason(Sentence(1, 1, text), 0.12) == expected


def test_two_scores_that_look_the_same_are_told_with_more_digits() -> None:
    """A reason never reads 0.04 < 0.04."""
    assert (
        checkworthiness.reason("It stood by the old wall.", 0.0371, 0.0409)
        == "not check-worthy (0.0371 < 0.0409)"
    )


def test_the_shipped_classifier_tells_claims_from_courtesies() -> None:
    """A figure about the economy is kept and scores above a greeting, a thought and a question, which are dropped."""
    classifier = checkworthiness.load()
    claim, *courtesies = [
        "Unemployment fell from 10 percent to 4.9 percent, and 15 million jobs were created.",
        "Thank you very much, everybody.",
        "I think we can do better than that.",
        "Would you like to respond?",
    ]
    scores = classifier.score([claim, *courtesies])
    assert scores[0] >= classifier.threshold > max(scores[1:])


def test_missing_weights_are_an_error_for_the_reporter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is one of ours and names the file."""
    monkeypatch.setattr(checkworthiness, "WEIGHTS", "elsewhere.safetensors")
    with pytest.raises(ModelUnavailable, match="elsewhere.safetensors"):
        checkworthiness.load()


def test_a_sentence_is_dropped_only_if_its_passage_is() -> None:
    """One check-worthy sentence keeps its passage.

    What is too short to say anything is kept for its own score.
    """
    texts = (
        "We cut the tax again.",
        "It fell by nine percent.",
        "By half.",
        "Thank you all for coming.",
        "Two.",
    )
    transcript = spoken(*texts)
    passages = [Passage(1, (1, 2, 3)), Passage(2, (4, 5))]

    def places(*worthiness: float) -> list[int]:
        return checkworthiness.checkworthy_positions(
            transcript, np.array(worthiness), passages, 0.5
        ).tolist()

    assert places(0.1, 0.9, 0.1, 0.4, 0.4) == [0, 1]
    assert places(0.1, 0.1, 0.5, 0.4, 0.4) == [0, 1, 2]
    assert places(0.1, 0.1, 0.1, 0.4, 0.7) == [3, 4]
    assert places(0.0, 0.0, 0.0, 0.0, 0.0) == []


@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1)), min_size=1, max_size=12), st.data())
def test_what_is_kept_is_kept_by_its_passage_or_by_itself(sentences, data) -> None:
    """In whatever passages a transcript is divided."""
    transcript = spoken(*("word " * length for length, _ in sentences))
    borders = data.draw(st.lists(st.booleans(), min_size=len(sentences), max_size=len(sentences)))
    groups = np.cumsum(borders).tolist()
    passages = [
        Passage(number, tuple(n for n, group in enumerate(groups, 1) if group == number))
        for number in sorted(set(groups))
    ]
    worthiness = np.array([worth for _, worth in sentences])

    checkworthy_positions = set(
        checkworthiness.checkworthy_positions(transcript, worthiness, passages, 0.5).tolist()
    )

    for sentence_index, (length, worth) in enumerate(sentences):
        together = [
            w
            for (_, w), group in zip(sentences, groups, strict=True)
            if group == groups[sentence_index]
        ]
        by_passage = max(together) >= 0.5 and length >= checkworthiness.SHORTEST_WORDS
        assert (sentence_index in checkworthy_positions) == (worth >= 0.5 or by_passage)


def spoken(*texts: str) -> Transcript:
    """Return a transcript of one speaker."""
    sentences = tuple(Sentence(n, n, text) for n, text in enumerate(texts, 1))
    return Transcript("Debate", None, Source("a.txt", "plain text", ""), sentences, ())
