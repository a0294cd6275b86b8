"""Two spellings of one sentence have the same words, two sentences have not."""

from __future__ import annotations

import unicodedata

import pytest

from features.language.same_words import same_words


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("It rose by 30 percent.", "It rose by 30%"),
        ("It rose by 30 percent.", "it rose by 30 %"),
        ("It rose by 30 percent.", "It rose by thirty per cent"),
        ("1,000 people came.", "1000 people came"),
        ("1,000 people came.", "1\u202f000 people came."),
        ("1,234,567 votes", "1234567 votes"),
        ("A million people", "1,000,000 people"),
        ("The U.S. has won.", "The US has won"),
        ("at 9 p.m. in Washington, D.C.", "At 9 pm in Washington DC"),
        ("the N.H.S. and the E.U.", "the NHS and the EU"),
        ("the café", unicodedata.normalize("NFD", "the café")),
        ("It cost $5 million.", "It cost 5 million dollars"),
        ("It cost $5m.", "It cost five million dollars"),
        ("It cost €3bn.", "it cost 3 billion euros"),
        ("It cost US$2.", "It cost two US dollars."),
        ("It cost £5.", "It cost 5 pounds."),
        ("−5 degrees", "minus five degrees"),
        ("It was -5 degrees.", "It was \u22125°"),
        ("a loss of -$5 million", "a loss of $-5 million"),
        ("twenty-five of them", "25 of them"),
        ("the first time", "the 1st time"),
        ("the 21st century", "The 21ST century"),
        ("3½ years", "3.5 years"),
        ("two and a half years", "2.5 years"),
        ("in nineteen eighty-four", "in 1984"),
        ("don’t stop", "Don't stop!"),
        ("jobs & growth", "jobs and growth"),
        ("٣٠ people", "30 people"),
        ("so\u00adlu\u00adtion", "solution"),
    ],
)
def test_one_sentence_in_two_spellings(text, other):
    assert same_words(text) == same_words(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("It was -5 degrees.", "It was 5 degrees."),
        ("It was \u22125 degrees.", "It was 5 degrees."),
        ("minus 5 percent", "5 percent"),
        ("It cost $3 billion.", "It cost €3 billion."),
        ("It cost $3 billion.", "It cost 3 billion euros."),
        ("It cost $3 billion.", "It cost 3 billion."),
        ("It cost $3 billion.", "It cost US$3 billion."),
        ("It rose by 30 percent.", "It rose by 30."),
        ("It rose by 30 percent.", "It rose by 30 percentage points."),
        ("It rose by 3.0 percent.", "It rose by 30 percent."),
        ("1,5 and 15", "1 and 515"),
        ("1.5 million", "15 million"),
        ("5 million", "5 billion"),
        ("in 1984", "in 1985"),
        ("the first time", "the second time"),
        ("the résumé", "the resume"),
        ("It rose.", "It fell."),
        ("We did it.", "We did not do it."),
        ("version 1.2.3", "version 1.2.4"),
    ],
)
def test_two_sentences(text, other):
    assert same_words(text) != same_words(other)


@pytest.mark.parametrize(
    "text", ["", "...", "-", "$", "minus", "$ and €", "us", "-$", "us dollars"]
)
def test_a_text_without_figures_has_a_spelling(text):
    assert same_words(text) == same_words(f" {text} ")


def test_a_hyphen_is_no_minus():
    assert same_words("COVID-19 and 5-6 people") == same_words("covid 19 and 5 6 people")
