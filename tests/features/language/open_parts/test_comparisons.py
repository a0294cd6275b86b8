"""Standards, factors, ranks and times that only one text has, or has otherwise."""

from __future__ import annotations

import pytest

from features.language.open_parts.partial_coverage import uncovered_parts


def words_of(sentence: str, statement: str) -> list[tuple[str, str]]:
    open_parts = uncovered_parts(sentence, statement)
    return [(clash.in_sentence, clash.in_statement) for _, clash in open_parts]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Our ports pay more for coal than in Denmark, and far more than our Norwegian rivals.",
            "Our ports pay more for coal than they pay in Denmark.",
            ("far more than our Norwegian rivals", ""),
        ),
        (
            "We spend more on coal for ferries than the people of any other country.",
            "We spend twice what they spend in Denmark on coal for ferries.",
            ("than the people of any other country", ""),
        ),
        (
            "The biggest problem is salt that drips into our southern tunnels.",
            "Salt drips into our southern tunnels.",
            ("The biggest problem", ""),
        ),
        (
            "Ann Lee published her letters when she was under arrest.",
            "Ann Lee published her letters when she campaigned for mayor.",
            ("when she was under arrest", "when she campaigned for mayor"),
        ),
        (
            "We obtained a historic increase in harbour spending to deter smugglers.",
            "We achieved a historic increase in harbour spending to pay the pilots better.",
            ("to deter smugglers", "to pay the pilots better"),
        ),
        (
            "Take a look at the Bergen tunnel, one of the worst projects ever built here.",
            "The Bergen tunnel has hurt Norway.",
            ("one of the worst projects ever built here", ""),
        ),
        (
            "We spend more on ferries than the next eight counties combined.",
            "We spend more on ferries than the 16 biggest navy budgets of the north combined.",
            ("than the next eight counties", "than the 16 biggest navy budgets"),
        ),
        (
            "Norway is the most respected nation of the ferry world.",
            "Today, Norway is the most powerful country of the ferry world.",
            ("the most respected nation", "the most powerful country"),
        ),
        (
            "In yards from Bergen to Oslo, steam ferries are cheaper.",
            "Steam ferries are cheaper for yards.",
            ("from Bergen to Oslo", ""),
        ),
        (
            "Bergen had the biggest drop of tolls of all but one town.",
            "We had the biggest drop of tolls of all but 4 towns.",
            ("all but one town", "all but 4 towns"),
        ),
        (
            "We keep more sailors in jail than Norway.",
            "We keep more sailors in jail than Iceland, Norway and Denmark combined.",
            ("than Norway", "than Iceland, Norway and Denmark combined"),
        ),
        (
            "Sailors are refused as a risk by harbour companies.",
            "Pregnant sailors are refused as a risk by harbour companies.",
            ("Sailors", "Pregnant sailors"),
        ),
        (
            "Exports of our harbour have doubled to Norway.",
            "Exports of our harbour have doubled.",
            ("Norway", ""),
        ),
        (
            "In Norway sailors pay one-tenth the price of our rope.",
            "Sailors pay 12 times less for rope in Norway.",
            ("one-tenth the price", "12 times less"),
        ),
        (
            "Their sailors pay half of what we pay for rope.",
            "Our sailors pay three times as much for rope.",
            ("half of what we pay", "three times as much"),
        ),
    ],
)
def test_another_standard_rank_time_or_factor_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # The same country, named after its people
        (
            "Our ports pay 50 percent more for coal than the Norwegians.",
            "Our ports pay 50 percent more for coal than they pay in Norway.",
        ),
        # Another comparison with all
        (
            "We spend more on coal for ferries than any other country.",
            "Nowhere in the world do they spend what we spend on coal for ferries.",
        ),
        # Another word of rank
        (
            "The biggest problem is salt that drips into our southern tunnels.",
            "Salt is the main cause of leaks in our southern tunnels.",
        ),
        # The same time in other words
        (
            "Ann Lee published her letters when she was under arrest.",
            "Ann Lee published her letters when police arrested her.",
        ),
        # The aim in other words, and an ability
        (
            "We obtained a historic increase in harbour spending to deter smugglers.",
            "We achieved a historic increase in harbour spending to keep smugglers away.",
        ),
        (
            "The mayor lacks the courage to fight the smugglers.",
            "No mayor has the courage to admit that ferries are late.",
        ),
        # The same count and the same property
        (
            "We spend more on ferries than the next eight counties combined.",
            "We spend more on ferries than the 8 closest counties combined.",
        ),
        (
            "Norway is the most respected nation of the ferry world.",
            "Norway is the most respectable country of the ferry world.",
        ),
        # The same exception, in a word
        (
            "Bergen had the biggest drop of tolls of all but four towns.",
            "We had the biggest drop of tolls of all but 4 towns.",
        ),
        # A place in one text, and the reach of a rank in the other
        (
            "The pilots of Bergen get free ferries as a right of sailors in this country.",
            "Only Bergen on Earth gives its pilots free ferries as a right.",
        ),
        # The same factor from the other side
        (
            "Their sailors pay half the price for rope.",
            "Our sailors pay 2 times as much for rope.",
        ),
        (
            "Their sailors pay a third of what we pay for rope.",
            "Our sailors pay three times the price for rope.",
        ),
    ],
)
def test_the_same_comparison_in_other_words_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Not only did we have a free ferry in Bergen, but the mayor closed the old library.",
            "The mayor closed the old library.",
            [("Not only did we have a free ferry in Bergen", "")],
        ),
        (
            "The mayor closed the old library because he wants to start a feud with us.",
            "The mayor closed the old library.",
            [("because he wants to start a feud with us", "")],
        ),
        (
            "Our schools are divided because our suburbs are divided.",
            "Norwegian schools are more divided than decades ago.",
            [("because our suburbs are divided", "")],
        ),
        (
            "Reyes voted to close the pier, voted in favor of a commission setting the limits for "
            "what we would do.",
            "Says Reyes voted to close the pier.",
            [("voted in favor of a commission setting the limits for what we would do", "")],
        ),
        (
            "Companies like Fjordline and millionaires do not pay one krone in harbour tax.",
            "What did Fjordline pay in harbour taxes last year? Zero.",
            [("Companies like Fjordline and millionaires", "Fjordline")],
        ),
        (
            "Tax cuts, toll cuts, the biggest toll cuts in history.",
            "We passed the biggest tax cuts and laws in Norwegian history.",
            [("the biggest toll cuts", "the biggest tax cuts")],
        ),
        (
            "The deal opened the harbour tunnels in Bergen and banned intrusive searches.",
            "The deal opened the harbour tunnels in Bergen.",
            [("banned intrusive searches", "")],
        ),
        (
            "More towns should build harbour tunnels, Bergen, Oslo, Stavanger.",
            "Says the state should encourage Oslo to build harbour tunnels.",
            [("Bergen", ""), ("Stavanger", "")],
        ),
        (
            "Reyes took hundreds of millions of dollars for the ferries.",
            "Many mayors took loans. Reyes took a large loan for the ferries.",
            [("hundreds of millions of dollars", "")],
        ),
        (
            "The captain pays almost the entire cost of UNICEF.",
            "The captain pays from 70 to 90 percent of (UNICEF).",
            [("the entire cost of UNICEF", "70 to 90 percent of (UNICEF)")],
        ),
    ],
)
def test_a_clause_list_or_sum_that_only_the_sentence_has_is_named(
    sentence: str, statement: str, expected: list[tuple[str, str]]
) -> None:
    assert words_of(sentence, statement) == expected


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # It leads up to the fact.
        (
            "Here's the important point, the mayor closed the old library.",
            "The mayor closed the old library.",
        ),
        # The sentence judges, or sets an exception.
        (
            "The mayor closed the old library, and I find two of the pilots very strange.",
            "The mayor closed the old library.",
        ),
        (
            "The mayor closed the old library, except two pilots kept the keys.",
            "The mayor closed the old library.",
        ),
        # The same companies, and the same level
        (
            "Companies like Fjordline do not pay one krone in harbour tax.",
            "What did companies such as Fjordline pay in harbour taxes last year? Zero.",
        ),
        (
            "The toll is at the lowest level in history.",
            "The toll is the lowest ever.",
        ),
        # It leads up to a promise.
        (
            "I told you from the first day, the mayor closed the old library.",
            "The mayor closed the old library.",
        ),
        # It tells that others are silent.
        (
            "The mayor closed the old library, which is never discussed or very rarely talked "
            "about.",
            "The mayor closed the old library.",
        ),
        # "The Union" is the country.
        (
            "Bergen made more power from wind than anybody else in the Union.",
            "Bergen produced more power from wind than any other state.",
        ),
        # It vouches for the fact.
        (
            "The mayor closed the old library, and this is verified in a report by two pilots.",
            "The mayor closed the old library.",
        ),
        # The two words before the noun are joined, not two deeds.
        (
            "The mayor closed the old and abandoned library.",
            "The mayor closed the old library.",
        ),
        # A capital stands for the government.
        (
            "We sent 400 tons of salt as a gift to the miners in Tehran.",
            "The port sent Iran 400 tons of salt as a gift.",
        ),
        # No work is unemployment.
        (
            "58 percent of young sailors from poverty are not employed.",
            "The unemployment rate of young sailors is 58 percent.",
        ),
    ],
)
def test_an_announcement_or_a_synonym_is_no_difference(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


def test_a_clause_longer_than_a_line_is_named_whole() -> None:
    clause = (
        "this is a splendid gift handed to a single industry of the whole north by the "
        "provincial parliament"
    )
    sentence = f"The mayor closed the old library, and {clause}."

    assert len(clause) > 90
    assert words_of(sentence, "The mayor closed the old library.") == [(clause, "")]


def test_latinos_are_hispanics() -> None:
    sentence = "40 percent more Latinos have fallen ill today."
    assert words_of(sentence, "More Hispanics have fallen ill under Reyes.") == [("40 percent", "")]


def test_a_hedged_record_of_one_ethnic_group_is_none_of_all() -> None:
    statement = (
        "African American employment on ferries is the highest ever. Hispanic employment on "
        "ferries is close to the highest level in recorded history."
    )
    highest = "The level of employment on ferries is the highest in history."
    assert "close to the highest level" not in dict(words_of(highest, statement)).values()
    of_group = "The level of Hispanic employment on ferries is the highest in history."
    assert "close to the highest level" in dict(words_of(of_group, statement)).values()


def test_the_noun_behind_joined_words_is_not_cut_off() -> None:
    sentence = "They find the smugglers and the criminal pilots in Bergen."
    statement = "The raids in Bergen are not focused on criminal pilots."
    assert ("smugglers and the criminal", "criminal") not in words_of(sentence, statement)


def test_says_is_no_name() -> None:
    sentence = "They came and endorsed me, the pilots endorsed me for mayor."
    statement = "Says UNICEF and the pilots unanimously endorsed me for mayor."
    assert "Says UNICEF" not in dict(words_of(sentence, statement)).values()


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Ingrid voted in favor of the deadly, very, very costly harbour tunnels.",
            "Says Ann Lee wants harbour tunnels.",
            ("Ingrid", "Ann Lee"),
        ),
        (
            "The same senators voted to protect harbour tunnels.",
            "Says Ann Lee wants to protect harbour tunnels.",
            ("The same senators", "Ann Lee"),
        ),
    ],
)
def test_another_actor_is_named_although_the_object_comes_late(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)
    with_same_person = sentence.replace("Ingrid", "Ann Lee").replace("The same senators", "Ann Lee")
    assert expected not in words_of(with_same_person, statement)


@pytest.mark.parametrize(
    ("sentence", "statement", "names_plan"),
    [
        (
            "You have to look back to 1949 to find fewer sailors drowned in harbour storms.",
            "Fewer sailors drowned in harbour storms than in any year since 1949.",
            False,
        ),
        (
            "The rule that salt has to be mixed into harbour fuel is old, they have to mix salt into "
            "harbour fuel.",
            "The mandate to mix salt into harbour fuel is old.",
            False,
        ),
        (
            "They have to mix salt into harbour fuel.",
            "They mixed salt into harbour fuel.",
            True,
        ),
    ],
)
def test_a_way_of_speaking_and_a_rule_are_no_plan(
    sentence: str, statement: str, names_plan: bool
) -> None:
    kinds = {kind for kind, _ in uncovered_parts(sentence, statement)}
    assert ("plan" in kinds) is names_plan
