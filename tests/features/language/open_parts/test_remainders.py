"""The phrases of a sentence that share no noun with another text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.open_parts.remainders import (
    uncovered_means,
    uncovered_remainders,
    uncovered_sources,
)
from features.language.vocabulary import vocabulary


def remainders(sentence: str, statement: str) -> list[str]:
    return uncovered_remainders(sentence, statement, vocabulary(statement))


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The harbour master is effectively a paid agent of the company.",
            "The harbour master met the owners of the company.",
            "a paid agent",
        ),
        (
            "The harbour master is a — a paid agent of the company.",
            "The harbour master met the owners of the company.",
            "a paid agent",
        ),
        (
            "We sank more boats in my lifetime than every single war.",
            "There are more boats by far in this port of Norway.",
            "than every single war",
        ),
        (
            "You launched that rule to deter crews with unruly children--",
            "There is no such rule for crews who sail around Norway in winter.",
            "with unruly children",
        ),
        (
            "The port borrowed money for the pier, working with smugglers to widen it.",
            "The port sold bonds to widen its old pier.",
            "working with smugglers",
        ),
        (
            "Move to a town with a Labour mayor or a county with a Labour sheriff.",
            "Tolls are lower in towns with Labour mayors than elsewhere.",
            "a county with a Labour sheriff",
        ),
        (
            "It was one of the great robberies of the port, done in cash.",
            "The port paid the divers in cash.",
            "one of the great robberies",
        ),
        (
            "Our night pilots have guided the ferry.",
            "The council paid for a faster ferry.",
            "Our night pilots",
        ),
    ],
)
def test_the_phrase_with_most_new_words_is_named(
    sentence: str, statement: str, expected: str
) -> None:
    assert remainders(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # A phrase that only announces, and a noun that judges.
        ("The bottom line on ferries is simple.", "Ferries were late in Harwich."),
        ("The harbour strike was a terrible mess.", "Dockers began a harbour strike in May."),
        # A condition, a wish and a question state no fact.
        ("If the port hires a night pilot, ferries sink.", "Ferries were late at the port."),
        ("The port should hire a foreign night pilot.", "Ferries were late at the port."),
        ("Does the port have a foreign night pilot?", "Ferries were late at the port."),
        # The other text has the name, of which the phrase only says more.
        ("The council sold the Nimbus-7 cargo barge.", "The mayor wanted to keep the Nimbus-7."),
        # A verb that no lexicon has: a singular noun does not end in s.
        ("A gull swoops into the port of Harwich.", "Gulls were counted in Harwich."),
        # Two nouns with an article each have a verb between them.
        ("The port has a pilot shunning the law.", "Ferries were late at the port of Harwich."),
        # "The most popular" may be "highest" there.
        ("The most beloved harbour captain is Lee.", "Lee's polls on the harbour are the highest."),
        # Most words are in both texts.
        ("The port has a new night pilot school.", "The port has a pilot school."),
    ],
)
def test_a_phrase_that_states_nothing_more_is_not_named(sentence: str, statement: str) -> None:
    assert remainders(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "I read on the front page of the Harbour Post that the port opens a ferry school.",
            ["I read on the front page of the Harbour Post"],
        ),
        ("They did a long article which had the port open a school.", ["They did a long article"]),
        ("They did a fine job that made the port open a school.", []),
        ("I read the sign that says the port opens a school.", []),
    ],
)
def test_a_source_that_only_the_sentence_has_is_named(sentence: str, expected: list[str]) -> None:
    other = vocabulary("The port has a new school for ferry pilots.")

    assert list(uncovered_sources(sentence, other)) == expected


def test_a_source_that_the_statement_has_is_not_named() -> None:
    other = vocabulary("An article says the port has a new school.")

    sources = uncovered_sources("They did an article which had the port open a school.", other)

    assert list(sources) == []


def test_a_means_without_an_object_is_not_named() -> None:
    statement = "The mayor pays for the pier."
    sentence = "The mayor pays for the pier by moving forward."

    means = uncovered_means(sentence, statement, vocabulary(statement))

    assert list(means) == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The mayor wants to pay for the pier.", ["by selling parking permits"]),
        ("The mayor wants to pay for the pier with permits.", []),
        ("The mayor wants to pay for the pier by raising tolls.", []),
    ],
)
def test_a_means_that_only_the_sentence_has_is_named(statement: str, expected: list[str]) -> None:
    sentence = "The mayor will pay for the pier by selling parking permits."

    means = uncovered_means(sentence, statement, vocabulary(statement))

    assert list(means) == expected


@given(st.text(max_size=200))
def test_a_text_has_no_remainder_beside_itself(text: str) -> None:
    assert remainders(text, text) == []
