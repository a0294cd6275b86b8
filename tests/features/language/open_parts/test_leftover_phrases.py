"""The phrase that likely is the open part of a match, if no rule on uncovered parts finds one."""

from __future__ import annotations

import pytest

from features.language.open_parts.last_differences import last_difference
from features.language.open_parts.leftover_phrases import leftover_phrases
from features.language.open_parts.likely_phrases import likely_phrase, whole_phrase
from features.language.open_parts.noted_parts import noted_parts
from features.language.open_parts.partial_coverage import (
    LAST,
    REMAINDER,
    UNCHECKED,
    UNSAID,
    uncovered_parts,
)


def words_of_difference(sentence: str, statement: str) -> tuple[str, str]:
    clash = last_difference(sentence, statement)
    return ("", "") if clash is None else (clash.in_sentence, clash.in_statement)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        # A second object, a relative clause, a subject
        (
            "Lorne has the highest rate of stranded whales of any port and more empty warehouses "
            "than any other port.",
            "We have the highest rate of stranded whales of any port on the coast.",
            "more empty warehouses",
        ),
        (
            "The mayor says she helped build the ferry that crushes these boats in winter.",
            "I helped build the ferry.",
            "crushes these boats in winter",
        ),
        (
            "And our treasurer, Tom Reyes, and Captain Ann Ames signed a lease that put a lid on "
            "the dockers' strike without losing a single day.",
            "We put a lid on the dockers' strike without losing a single day.",
            "Captain Ann Ames signed a lease",
        ),
        # A figure of something else
        (
            "It is wrong, in a drowned economy, that 57 percent of all new ferries are going to "
            "the top 1 percent.",
            "The top 1 percent today owns almost as many boats as the bottom 90 percent.",
            "57 percent of all new ferries",
        ),
        (
            "We delivered 400 tons of coal as a gift for sailors held by the pilots in Bergen.",
            "The council gave Norway 400 tons of coal as a gift.",
            "for sailors held by the pilots in Bergen",
        ),
    ],
)
def test_a_phrase_of_the_sentence_alone_is_the_difference(
    sentence: str, statement: str, expected: str
) -> None:
    assert words_of_difference(sentence, statement) == (expected, "")


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "I believe we should ban dredging.",
            "Says Ann Ames supported and continues to support dredging.",
            "Ann Ames supported and continues to support dredging",
        ),
    ],
)
def test_a_phrase_of_the_statement_alone_is_the_difference_of_a_plain_sentence(
    sentence: str, statement: str, expected: str
) -> None:
    assert words_of_difference(sentence, statement) == ("", expected)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The toll in 2015 experienced its largest single-year increase in nearly half a century.",
            "In 2015, tolls increased in our largest ports. That's the largest increase in 25 years.",
            ("in nearly half a century", "in 25 years"),
        ),
        (
            "Ninety-four million sailors are out of the register.",
            "We have 93 million people out of work.",
            ("Ninety-four million", "93 million"),
        ),
        (
            "Norway charges us on dairy products a duty of 275 percent.",
            "Norway charges the ports a 270% duty on dairy products!",
            ("275 percent", "270%"),
        ),
        (
            "You saved us many millions of dollars on the new whaler.",
            "I have saved more than $700 million when I looked at the new whaler.",
            ("many millions of dollars", "$700 million"),
        ),
        (
            "We have 27 ports without a toll.",
            "There are 31 other ports that have the same toll.",
            ("27 ports", "31 other ports"),
        ),
        (
            "A third of all dockers have left.",
            "Of the dockers, 35 percent have left.",
            ("A third", "35 percent"),
        ),
        (
            "The question is why we end up spending twice as much per capita on ferries.",
            "We spend almost twice as much per capita on ferries.",
            ("twice", "almost twice"),
        ),
    ],
)
def test_two_values_or_periods_of_one_thing_are_the_difference(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of_difference(sentence, statement) == expected


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # The same in other words, an opening, a remark, an opinion
        ("The council raised the toll.", "The council increased the toll."),
        ("Here is the simple issue: the pier is closed.", "The pier is closed."),
        ("Just so you understand, the pier is closed, okay?", "The pier is closed."),
        ("I don't think it was wise to close the pier.", "The mayor did close the pier."),
        ("The real question is why the pier is closed.", "The pier is closed."),
        ("Her pilots abolish the 2nd ferry.", "She wants to abolish the Second Ferry."),
        # A name for "he" leaves nothing open.
        (
            "He voted against the pier five times.",
            "Sen. Ames did vote five times against the pier.",
        ),
        # A rounding, a hedged value, a small count
        ("The port has 51,200 dockers.", "The port has 50,000 dockers."),
        ("The port has almost 94 dockers.", "The port has 93 dockers."),
        ("The port has 11 cranes.", "The port has 12 cranes."),
    ],
)
def test_paraphrases_remarks_and_roundings_are_no_difference(sentence: str, statement: str) -> None:
    assert words_of_difference(sentence, statement) == ("", "")


def test_no_phrase_crosses_two_clauses_or_has_a_figure_of_both_texts() -> None:
    phrases = leftover_phrases(
        "She bought 20 tons of coal for stranded whales, because the dockers asked for bread.",
        "The mayor bought 20 tons of coal.",
    )

    assert [phrase.text for phrase in phrases] == [
        "for stranded whales",
        "the dockers asked for bread",
    ]


@pytest.mark.parametrize(
    ("text", "other_text", "quotation", "expected"),
    [
        (
            "For four years, we balanced the budget and paid off $405 billion in debt.",
            "We got the budget balanced four years in a row.",
            "$405 billion",
            "paid off $405 billion in debt",
        ),
        ("Exports have doubled to Norway.", "Exports have doubled.", "Norway", "to Norway"),
        ("Exports have doubled.", "Exports have doubled.", "doubled", ""),
    ],
)
def test_a_quotation_is_completed_to_its_phrase(
    text: str, other_text: str, quotation: str, expected: str
) -> None:
    assert whole_phrase(text, other_text, quotation) == expected


def test_a_second_phrase_does_not_overlap_with_the_first_one() -> None:
    sentence = "We lost 60,000 warehouses since Norway joined the Whaling League in 2001."
    statement = "The port lost its warehouses."

    assert likely_phrase(sentence, statement, "60,000 warehouses", 0.4) == (
        "since Norway joined the Whaling League in 2001"
    )
    assert (
        likely_phrase(sentence, statement, "since Norway joined the Whaling League in 2001", 4)
        == ""
    )


def test_a_phrase_that_is_more_likely_a_paraphrase_is_not_named() -> None:
    assert words_of_difference(
        "She wants to have open harbours.",
        "Says Ann Ames's fisheries programme would create totally open harbours.",
    ) == ("", "")


def test_differences_to_note_are_no_uncovered_parts() -> None:
    sentence = "The mayor says she helped build the ferry that crushes these boats in winter."
    statement = "I helped build the ferry."

    assert uncovered_parts(sentence, statement) == ()
    assert [kind for kind, _ in noted_parts(sentence, statement)] == [LAST]


def test_a_count_of_the_sentence_is_noted_with_the_count_of_the_statement() -> None:
    differences = noted_parts(
        "We have 27 ports, not just -- this is not just a debate of Lorne.",
        "There are 31 other ports that have the same toll.",
    )

    assert differences[0] == (LAST, ("27 ports", "31 other ports"))
    assert {kind for kind, _ in differences[1:]} <= {UNCHECKED}


def test_the_name_of_the_listener_is_no_item_of_a_list() -> None:
    assert (
        uncovered_parts(
            "No, we don't have the votes, Nancy, because in the council, we need 60 votes and we don't have it.",
            "You can't pass a budget in the council of Lorne without 60 votes.",
        )
        == ()
    )


def test_a_share_that_the_statement_lists_is_no_unchecked_part() -> None:
    parts = uncovered_parts(
        "Tolls are going up 35 percent, 45 percent, 55 percent, and the cranes are so slow.",
        "Because of the law tolls are going up 35, 45, 55 percent.",
    )

    assert [clash.in_sentence for _, clash in parts] == ["the cranes are so slow"]


def test_a_second_part_of_the_sentence_is_noted_beside_an_unchecked_one() -> None:
    differences = noted_parts(
        "And we have lost 60,000 warehouses since Norway joined the Whaling League in 2001.",
        "Lorne has lost nearly one third of its dockers and warehouses.",
    )

    assert [(kind, clash.in_sentence) for kind, clash in differences] == [
        (UNCHECKED, "60,000 warehouses"),
        (LAST, "since Norway joined the Whaling League in 2001"),
    ]


def test_a_phrase_of_the_sentence_comes_before_an_unsaid_part() -> None:
    differences = noted_parts(
        "Our boats have brought fish since it became law.",
        "Our boats brought more than 3 million fish.",
    )

    assert [kind for kind, _ in differences] == [LAST, UNSAID]
    assert differences[0][1].in_sentence == "since it became law"


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        # The subject and the object of a new verb, which both texts have
        (
            "The harbour fund has gained almost 30 crates in winter.",
            "The harbour fund has hit record numbers.",
            "The harbour fund has gained almost 30 crates in winter",
        ),
        # A clause of which the statement has most words is quoted in part.
        (
            "The old harbour fund of the Lorne pilots has gained 30 crates.",
            "The old harbour fund of the Lorne pilots has hit record numbers.",
            "has gained 30 crates",
        ),
    ],
)
def test_a_phrase_with_a_verb_is_quoted_with_its_clause(
    sentence: str, statement: str, expected: str
) -> None:
    assert words_of_difference(sentence, statement) == (expected, "")


def test_counts_of_people_may_be_of_different_groups() -> None:
    _, claimed = words_of_difference(
        "We sent 38 million people letters.", "Twenty million people are out of work."
    )

    assert claimed == ""


def test_words_of_quantity_are_words_of_a_phrase() -> None:
    assert words_of_difference(
        "We are sending the whalers out.",
        "Says of the whalers, “We are moving them out of our waters by the thousands.”",
    ) == ("", "We are moving them out of our waters by the thousands")


def test_a_remainder_that_may_be_a_paraphrase_does_not_hide_another_difference() -> None:
    sentence = (
        "The drowning rate in 2015 experienced its largest single-year increase in nearly half a "
        "century."
    )
    statement = "In 2015, drownings increased. That's the largest increase in 25 years."

    kinds = [kind for kind, _ in noted_parts(sentence, statement)]

    assert noted_parts(sentence, statement)[0] == (
        LAST,
        ("in nearly half a century", "in 25 years"),
    )
    assert set(kinds[1:]) <= {REMAINDER}


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Last year, nearly a half a million sailors stayed.", "Half of the sailors stay."),
        (
            "The rule defines a puddle on your farm to be navigable waters and thus subject to tolls.",
            "You have to take caution not to disturb bodies of water barely bigger than a puddle.",
        ),
        ("We have the cleanest and sharpest harbour.", "I want a clean harbour."),
    ],
)
def test_adverbs_superlatives_and_counts_in_halves_are_no_uncovered_parts(
    sentence: str, statement: str
) -> None:
    clashes = [clash for _, clash in uncovered_parts(sentence, statement)]

    assert not any(clash.in_sentence and clash.in_statement for clash in clashes)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # The same in other words, with a figure or a date, or with most words of both
        (
            "Dockers, of all people, made more herring in 2019 than anybody else on the coast.",
            "Dockworkers made more herring in 2019 than any other crew.",
        ),
        (
            "One fifth of the herring on the face of the fjord sits in the harbour basins.",
            "The harbour basins hold about 20 percent of the herring on the surface of the fjord.",
        ),
        (
            "Their mayor rooted for the flood in Lorne under this treasurer.",
            "The mayor rooted for a flood in Lorne and Bergen.",
        ),
    ],
)
def test_a_sentence_that_may_be_a_paraphrase_has_no_difference(
    sentence: str, statement: str
) -> None:
    assert words_of_difference(sentence, statement) == ("", "")


def test_more_than_a_paraphrase_is_a_difference() -> None:
    assert words_of_difference(
        "Five towns sat down in Bergen in 1960 and founded the League, and from that day they have "
        "had a hand on our nets.",
        "The League was founded in Bergen in 1960 by five towns.",
    ) == ("from that day they have had a hand on our nets", "")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In fifty-two, the worst of all summers, the port lost 90 ships.", []),
        ("Back in '52, the worst of all summers, the port lost 90 ships.", []),
        ("In nineteen fifty-two, the worst of all summers, the port lost 90 ships.", []),
        ("In fifty-three, the worst of all summers, the port lost 90 ships.", ["in 1952"]),
        ("The worst of all summers, with fog for weeks: the port lost 90 ships.", ["in 1952"]),
    ],
)
def test_a_year_is_left_over_only_if_no_form_of_it_is_said(
    sentence: str, expected: list[str]
) -> None:
    phrases = leftover_phrases("The port lost 90 ships in 1952.", sentence)

    assert [phrase.text for phrase in phrases] == expected


def test_a_request_to_look_is_no_part_of_the_phrase() -> None:
    sentence = "More than six in ten voted for the toll, and look at the queue in Bergen now."

    phrases = leftover_phrases(sentence, "More than 60 percent voted for the toll.")

    assert [phrase.text for phrase in phrases] == ["the queue in Bergen now"]


def test_a_people_is_known_where_its_country_is_named() -> None:
    said = "They produce half as much again as the Dutch, and more than the Norwegians."
    checked = "They produce 50 percent more than the Netherlands does."

    phrases = [phrase.text for phrase in leftover_phrases(said, checked)]

    assert phrases
    assert not any("Dutch" in phrase for phrase in phrases)
    assert any("Norwegians" in phrase for phrase in phrases)
