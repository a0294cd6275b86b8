"""Each number, name and date of two texts is marked by the reading that ``agreement`` goes by."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.agreement import Mark, _original_positions, agreement, marks, plain
from features.language.denials import denials
from features.language.figures.spelling import plain_character

DAYS = date(2024, 9, 10).toordinal(), date(2018, 5, 15).toordinal()
SENTENCES = (
    "Unemployment fell to 3.5 percent in March 2016.",
    "Unemployment is at, you know, about 3.9% today.",
    "We lost 3.5 million jobs and and 40 factories in Ohio.",
    "They lost 3 million jobs and forty factories, Mr. Trump's own words, in Iowa.",
    "Today the bridge in Harrow costs 400 million dollars to keep.",
    "In 1998 the bridge in Harrow costs 400 million dollars to keep.",
    "Nancy Pelosi never voted for it last year.",
    "Um, nancy voted for it in the 1990s, and One in Five Americans did.",
    "Crime rose, Crime fell: 47th under Obama, 12th under Bush.",
    "",
)
WORDS = st.sampled_from(
    "Um you know, today in 2016 1998 3.5 4 percent million jobs jobs Ohio Iowa’s bridge is not of the $20 . ? last "
    "year March, Trump".split()
)
TEXTS = st.one_of(
    st.sampled_from(SENTENCES), st.lists(WORDS, max_size=14).map(" ".join), st.text(max_size=40)
)


def consistent(sentence: str, statement: str, days: tuple[int, int]) -> None:
    """For each kind, a mark differs if and only if the parts do, and the same part has a mark that is the same."""
    verdicts = agreement(sentence, statement, *days)
    sides = marks(sentence, statement, *days)
    for kind, verdict in verdicts.items():
        kind_verdicts = [mark.verdict for side in sides for mark in side if mark.kind == kind]
        assert ("different" in kind_verdicts) == (verdict == "different"), (
            kind,
            sentence,
            statement,
        )
        assert verdict != "same" or "same" in kind_verdicts, (kind, sentence, statement)
    for text, side in zip((sentence, statement), sides, strict=True):
        assert all(0 <= mark.start < mark.end <= len(text) for mark in side)
        assert all(text[mark.start : mark.end].strip() for mark in side)


@pytest.mark.parametrize("days", [(0, 0), DAYS])
def test_marks_never_contradict_the_agreement(days):
    """All pairs of sentences in which numbers, names and dates agree, differ and are missing."""
    for sentence, statement in product(SENTENCES, SENTENCES):
        consistent(sentence, statement, days)


@given(TEXTS, TEXTS, st.sampled_from([(0, 0), DAYS]))
def test_marks_of_any_text_keep_to_the_agreement(sentence, statement, days):
    """Whatever the texts hold, every mark is inside its text."""
    consistent(sentence, statement, days)


def told(text: str, text_marks: tuple[Mark, ...]) -> list[tuple[str, str]]:
    """Return the marked words with their verdicts."""
    return [(text[mark.start : mark.end], mark.verdict) for mark in text_marks]


def test_marks_are_the_words_of_the_text():
    """Numbers first, then names, then dates, as they are written.

    "um" and repetitions do not move them.
    """
    sentence = "Um, it is, you know, Ohio’s Ohio’s rate: 3.5% in 2016."
    statement = "The rate in Ohio was 4.9 percent in 2016."

    sentence_marks, statement_marks = marks(sentence, statement)

    assert told(sentence, sentence_marks) == [
        ("3.5%", "different"),
        ("Ohio", "same"),
        ("2016", "same"),
    ]
    assert told(statement, statement_marks) == [
        ("4.9 percent", "different"),
        ("Ohio", "same"),
        ("2016", "same"),
    ]


def test_today_differs_from_a_past_date_in_its_place():
    """The same sentence with "today" for a year."""
    sentence_marks, statement_marks = marks(SENTENCES[4], SENTENCES[5])

    assert ("Today", "different") in told(SENTENCES[4], sentence_marks)
    assert ("1998", "different") in told(SENTENCES[5], statement_marks)


@given(TEXTS)
def test_places_lead_from_the_plain_text_back(text):
    """Every character of the plain text is where it is said to be, its apostrophe aside."""
    assert plain(text) == "".join(
        plain_character(text[position]) for position in _original_positions(text)
    )


@pytest.mark.parametrize("rank", ["No.1", "No. 1", "no 1"])
def test_a_rank_is_no_denial(rank):
    assert denials(f"The town is now the {rank} producer of herring.") == ()


def test_denials_are_where_they_are_said():
    """Words that deny, whatever their case and apostrophe; "not only" denies nothing."""
    text = "He DIDN’T vote, not only once; he never did."

    assert [text[start:end] for start, end in denials(text)] == ["DIDN’T", "never"]
