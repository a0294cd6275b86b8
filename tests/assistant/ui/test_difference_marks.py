"""What two sentences share and where they part, marked as the agreement of a match reads them."""

from __future__ import annotations

import re
from datetime import date
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.core.domain import Difference
from assistant.ui import difference_marks
from features.language.agreement import agreement
from features.language.conflicts import clashes

SENTENCES = (
    "Unemployment fell to 3.5% in March 2016 in Ohio.",
    "The unemployment rate fell to 3.9%, you know, in 2017 in Iowa.",
    "Nancy Pelosi voted for it last year, at four hundred million dollars.",
    "They didn't vote for it in 2018, at 410 million.",
    "It cost 3 million jobs.",
)


def marked(text: str, other_text: str) -> list[tuple[str, str]]:
    """Return the stretches of a text that differ, with their kind."""
    pieces = difference_marks.compare_texts(text, other_text).sentence
    return [(p.text, p.kind) for p in pieces if p.standing == difference_marks.DIFFERS]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Unemployment fell to 3.5%.", "Unemployment fell to 3.9%.", [("3.5%", "number")]),
        ("It opened in 1937.", "It opened in 1938.", [("1937", "date")]),
        ("It opened in May 2016.", "It opened in June 2016.", [("May 2016", "date")]),
        ("The mayor of Ohio said so.", "The mayor of Iowa said so.", [("Ohio", "name")]),
        ("The mayor of Ohio met Ann.", "The mayor of Ohio met Bob.", [("Ann", "name")]),
        ("We did not vote for the bridge.", "We did vote for the bridge.", [("not", "negation")]),
        ("The rich don't pay taxes.", "The rich pay taxes.", [("don't", "negation")]),
        ("Two million workers left.", "Three million workers left.", [("Two million", "number")]),
        ("It cost 25,000 dollars.", "It cost 25000 dollars.", []),
        ("The rich never pay taxes.", "The rich don't pay taxes.", []),
        (
            "Rents rose by 40 dollars in May.",
            "Rents rose by 40 percent in May.",
            [("40 dollars", "number")],
        ),
        (
            "It leaked 9,000 liters of oil.",
            "It leaked 9,000 gallons of oil.",
            [("9,000 liters", "word")],
        ),
        (
            "Wages in the town fell last year.",
            "Wages in the town rose last year.",
            [("fell", "word")],
        ),
    ],
)
def test_differing_facts_are_marked(sentence, statement, expected):
    """A number, date, name or denial that contradicts the other side is marked.

    Another spelling is not.
    """
    assert marked(sentence, statement) == expected


def test_the_same_words_are_never_marked_as_different():
    words = "We lost 50 jobs in trade last year."
    compared = difference_marks.compare_texts(words, words, date(2016, 5, 1), date(2013, 5, 1))
    pieces = (*compared.sentence, *compared.statement)

    assert [piece.text for piece in pieces if piece.standing == difference_marks.DIFFERS] == []


@pytest.mark.parametrize("days", [(None, None), (date(2024, 9, 10), date(2018, 5, 15))])
def test_marks_never_contradict_the_agreement(days):
    """A number, name or date of either text is marked as different if and only if the match says so.

    It says so by the agreement of that kind, or by a conflict with words of both texts.
    """
    ordinals = [day.toordinal() if day else 0 for day in days]
    for sentence, statement in permutations(SENTENCES, 2):
        compared = difference_marks.compare_texts(sentence, statement, *days)
        pieces = (*compared.sentence, *compared.statement)
        for fact_kind, verdict in agreement(sentence, statement, *ordinals).items():
            kind = difference_marks.PART_KINDS[fact_kind]
            differs = any(p.standing == difference_marks.DIFFERS for p in pieces if p.kind == kind)
            names_words = any(
                clash.in_sentence and clash.in_statement
                for name, clash in clashes(sentence, statement, *ordinals).items()
                if difference_marks.KIND_OF_CONFLICT.get(name) == kind
            )
            assert differs == (verdict == "different" or names_words), (sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("We gained 5 percent.", "We gained 15 percent.", [("5 percent", "number")]),
        ("It cost 1.5 million.", "It cost 11.5 million.", [("1.5 million", "number")]),
        ("The Russians hacked it.", "Russia hacked it.", []),
        ("The Democrats obstruct it.", "Democratic obstruction stops it.", []),
    ],
)
def test_a_part_of_another_number_is_no_shared_word(sentence, statement, expected):
    """“15 percent” has the letters of “5 percent”; a name in another form is the same name."""
    assert marked(sentence, statement) == expected


def test_a_difference_that_a_note_names_is_marked():
    """The notes also have uncovered parts; words that both texts have stay unmarked."""
    forms = difference_marks.compare_texts(
        "Half a million overstayed their visas.",
        "They came with a visa.",
        differences=[Difference("strength", "visas", "visa")],
    )
    assert difference_marks.DIFFERS not in {piece.standing for piece in forms.sentence}

    differences = [
        Difference("figures", "16 percent", "15 percent"),
        Difference("strength", "highest", "second highest"),
        Difference("unchecked", "on business", ""),
    ]
    compared = difference_marks.compare_texts(
        "The highest tax on business is 16 percent.",
        "The second highest tax is 15 percent.",
        differences=differences,
    )

    marked_in_sentence, marked_in_statement = (
        [piece.text for piece in pieces if piece.standing == difference_marks.DIFFERS]
        for pieces in (compared.sentence, compared.statement)
    )
    assert marked_in_sentence == ["16 percent"]
    assert marked_in_statement == ["second highest", "15 percent"]


def test_words_are_shared_by_their_topic():
    """Votes and voted, kids and children are about the same; function words are not marked."""
    pieces = difference_marks.compare_texts(
        "He voted for the kids.", "She votes for children at a bridge."
    )

    assert [p.text for p in pieces.sentence if p.standing == difference_marks.SHARED] == [
        "voted",
        "kids",
    ]
    assert [p.text for p in pieces.statement if p.standing == difference_marks.ONE_SIDED] == [
        "bridge"
    ]


@given(some.text(max_size=80), some.text(max_size=80))
def test_marking_loses_no_character(sentence, statement):
    """The pieces of both sides are their texts, whatever they hold."""
    compared = difference_marks.compare_texts(sentence, statement)

    assert "".join(p.text for p in compared.sentence) == sentence
    assert "".join(p.text for p in compared.statement) == statement


@given(some.text(alphabet="<>&\"'ab ", max_size=40))
def test_marking_escapes_what_it_shows(text):
    """No character of a file can become markup."""
    shown = difference_marks.pieces_html(difference_marks.compare_texts(text, "ab").sentence)

    assert not re.search(r"<(?!/?(b|mark|span)\b)", shown)


@given(some.text(alphabet="aB 1%.not", max_size=40))
def test_a_text_does_not_differ_from_itself(text):
    """Nothing is marked between equal texts."""
    assert marked(text, text) == []
