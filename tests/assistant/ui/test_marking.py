"""What two sentences share and where they part."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.ui import marking


def marked(text: str, other: str) -> list[tuple[str, str]]:
    """Return the strongly marked stretches of a text, with their kind."""
    pieces = marking.compare(text, other).sentence
    return [(p.text, p.kind) for p in pieces if p.standing == marking.OTHER_WORD and p.kind != marking.WORD]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Unemployment fell to 3.5%.", "Unemployment fell to 3.9%.", [("3.5%", "number")]),
        ("It opened in 1937.", "It opened in 1938.", [("1937", "date")]),
        ("It opened in May.", "It opened in June.", [("May", "date")]),
        ("The mayor of Ohio said so.", "The mayor of Iowa said so.", [("Ohio", "name")]),
        ("We did not vote for it.", "We did vote for it.", [("not", "negation")]),
        ("They don't pay.", "They pay.", [("don't", "negation")]),
        ("Two million left.", "Three million left.", [("Two", "number")]),
        ("It cost 25,000 dollars.", "It cost 25000 dollars.", []),
        ("It never rains.", "It does not rain.", []),
    ],
)
def test_differing_facts_are_marked(sentence, statement, expected):
    """A number, date, name or negation that only one side has is marked; another spelling of the same is not."""
    assert expected == marked(sentence, statement)


@pytest.mark.parametrize("word", ["fifteen", "ninety", "hundreds", "trillion", "half", "fourth", "doubled", "twice"])
def test_words_that_the_figures_know_are_numbers(word):
    """There is one list of number words, that of the figures."""
    assert [(word, "number")] == marked(f"It was {word} there.", "It was not there.")


def test_endings_and_case_do_not_part_words():
    """Votes and voted, River and rivers are the same word."""
    pieces = marking.compare("He voted for the River.", "She votes for rivers.").sentence

    assert ["voted", "River"] == [p.text for p in pieces if p.standing == marking.SHARED]


def test_the_first_word_of_a_sentence_is_no_name():
    """A capital after a full stop says nothing; after a title it does."""
    assert [] == marked("Taxes rose. Nobody-else knew it", "nobody-else knew it, taxes rose")
    assert [("Smith", "name")] == marked("It was Mr. Smith.", "It was him.")


def test_shared_and_differing_facts_are_listed():
    """The line below the texts has the facts of each side, neighbours joined."""
    compared = marking.compare("It cost 35 million in May 2017.", "It cost 20 million in Ohio.")

    assert ("million",) == compared.shared
    assert ("35", "May 2017") == compared.only_sentence
    assert ("20", "Ohio") == compared.only_statement


@given(some.text(max_size=80), some.text(max_size=80))
def test_marking_loses_no_character(sentence, statement):
    """The pieces of both sides are their texts, whatever they hold."""
    compared = marking.compare(sentence, statement)

    assert sentence == "".join(p.text for p in compared.sentence)
    assert statement == "".join(p.text for p in compared.statement)


@given(some.text(alphabet="<>&\"'ab ", max_size=40))
def test_marking_escapes_what_it_shows(text):
    """No character of a file can become markup."""
    shown = marking.html(marking.compare(text, "ab").sentence)

    assert not re.search(r"<(?!/?(b|mark|span)\b)", shown)


@given(some.text(alphabet="aB 1%.not", max_size=40))
def test_a_text_does_not_differ_from_itself(text):
    """Nothing is marked between equal texts."""
    assert [] == marked(text, text)
