"""The parts that only one of two texts has, or has otherwise, each with its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.open_parts.noted_parts import noted_parts
from features.language.open_parts.partial_coverage import uncovered_parts


def words_of(sentence: str, statement: str) -> list[tuple[str, str]]:
    """The words of each part: those said, and those checked."""
    return [
        (clash.in_sentence, clash.in_statement) for _, clash in uncovered_parts(sentence, statement)
    ]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The new bridge cost 15 million dollars to build.",
            "The new bridge cost 12 million dollars to build.",
            ("15 million dollars", "12 million dollars"),
        ),
        (
            "We've spent $5.6 billion on the ferry fleet.",
            "The county spent $6 billion on its ferry fleet.",
            ("$5.6 billion", "$6 billion"),
        ),
        (
            "Unemployed miners get 63 percent of their wages and unemployed dockers get 51 percent.",
            "Unemployed miners receive 65 percent of wages and unemployed dockers 55 percent.",
            ("63 percent and 51 percent", "65 percent and 55 percent"),
        ),
        (
            "47,000 Canadians work on the ferries.",
            "46,000 people work on the ferries.",
            ("47,000", "46,000"),
        ),
        (
            "They send $1.7 billion to the shipyards.",
            "The mayor gives the shipyards $1.8 billion for boats.",
            ("$1.7 billion", "$1.8 billion"),
        ),
        (
            "I saved more than $600 million.",
            "I saved over $700 million.",
            ("$600 million", "$700 million"),
        ),
        (
            "Almost half of the ferry pilots were born on the island.",
            "Forty percent of the ferry pilots were born on an island.",
            ("half", "Forty percent"),
        ),
        (
            "Six of the top 10 busiest ports are on the coast.",
            "Seven of Norway's 10 busiest ports are on the coast.",
            ("Six of the top 10", "Seven of Norway's 10"),
        ),
        (
            "Ferry accidents have tripled since the storm.",
            "Ferry accidents have doubled since the storm.",
            ("tripled", "doubled"),
        ),
    ],
)
def test_another_value_of_one_thing_is_named_with_both(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("We spent $505 million on the ferry fleet.", "We spent over $500 million on ferries."),
        ("Half of the ferries were late this year.", "49 percent of the ferries were late."),
        ("It is the worst storm in 50 years.", "It is the worst storm in half a century."),
        ("A tenth of one percent own the ferries.", "The ferries belong to 0.1 percent of owners."),
        ("The old ferry sank in fifty-four.", "The old ferry sank in 1954."),
        ("It is one of his New Port ferries.", "The New Port ferries are his."),
        ("Three in ten ferries were late.", "Three out of ten ferries were late."),
        ("The ferry fleet has grown for ten years.", "The ferry fleet grew for a decade."),
        ("He sold the second of the two ferries.", "He sold one ferry to the island."),
    ],
)
def test_a_figure_that_says_the_same_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The strike closed the harbour for 3,400 dockers.",
            "The strike closed the harbour.",
            ("3,400 dockers", ""),
        ),
        (
            "Tolls take $20 million from commuters.",
            "The tolls are taking $20 million from commuters every month.",
            ("", "every month"),
        ),
        (
            "Tolls take $20 million a week from commuters.",
            "The tolls are taking $20 million a year from commuters.",
            ("a week", "a year"),
        ),
    ],
)
def test_a_figure_or_period_of_one_text_alone_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Nearly every hospital in the county lost its emergency room.",
            "Every hospital in the county lost its emergency room.",
            ("Nearly every hospital", "Every hospital"),
        ),
        (
            "All ferries to the island were late.",
            "Most ferries to the island were late.",
            ("All ferries", "Most ferries"),
        ),
        (
            "Ferries were late in every city.",
            "Ferries were late in many big cities.",
            ("every city", "many big cities"),
        ),
        (
            "The toll costs every family $300.",
            "The toll costs the average family $300.",
            ("every family", "the average family"),
        ),
        (
            "The county has the highest ferry fares of the coast.",
            "The county has the second highest ferry fares of the coast.",
            ("the highest ferry fares", "second highest ferry fares"),
        ),
        (
            "It is the oldest ferry in the world.",
            "It is the oldest ferry in the country.",
            ("in the world", "in the country"),
        ),
        (
            "The toll law was written by dockers.",
            "Dockers helped write the toll law.",
            ("written", "helped write"),
        ),
        (
            "She fired Ann Lee and Tom Reyes after the strike.",
            "She fired Ann Lee after the strike.",
            ("Ann Lee and Tom Reyes", "Lee"),
        ),
        (
            "The council will sell the swing bridge.",
            "The council sold the swing bridge.",
            ("will sell", "sold"),
        ),
        (
            "She was the founder of the maritime museum.",
            "She was one of the founders of the maritime museum.",
            ("the founder", "one of the founders"),
        ),
        (
            "He designed the swing bridge.",
            "He helped design the swing bridge.",
            ("designed", "helped design"),
        ),
        (
            "They wanted to abolish the harbour toll.",
            "They abolished the harbour toll.",
            ("wanted to abolish", "abolished"),
        ),
        (
            "Our river is as polluted today as it was under the old mayor.",
            "The river is more polluted than it was under the old mayor.",
            ("as polluted today as", "more polluted"),
        ),
        (
            "Ferry fares here are as high as on the coast.",
            "Ferry fares here are higher than on the coast.",
            ("as high as", "higher"),
        ),
        (
            "We have one of the highest ferry fares on the coast.",
            "The county ranks 12th in ferry fares on the coast.",
            ("one of the highest ferry fares", "12th in ferry fares"),
        ),
        (
            "The strike hurt teachers and nurses all over the county.",
            "The strike hurt teachers all over the county.",
            ("teachers and nurses", "teachers"),
        ),
    ],
)
def test_a_stronger_or_weaker_word_is_named_with_the_other(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We have the oldest ferry fleet of the coast.", "the oldest ferry fleet"),
        ("Reyes is the only mayor with a ferry.", "the only mayor"),
        ("The ferry fleet has been closed since 1963.", "since 1963"),
    ],
)
def test_a_superlative_or_date_of_the_sentence_alone_is_unchecked(
    sentence: str, expected: str
) -> None:
    statement = "Mayor Reyes of the coast has closed a ferry fleet."

    assert words_of(sentence, statement) == [(expected, "")]


@pytest.mark.parametrize(
    "statement",
    [
        "No other county has a fleet as old as the ferry fleet of the coast.",
        "The ferry fleet ranks first in age on the coast.",
        "The ferry fleet of the coast is older than any other fleet.",
    ],
)
def test_a_superlative_in_other_words_is_not_named(statement: str) -> None:
    assert words_of("We have the oldest ferry fleet of the coast.", statement) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "The mayor closed the old library, and her brother bought the harbour ferries.",
            "her brother bought the harbour ferries",
        ),
        (
            "The mayor closed the old library because nobody had repaired the leaking roof.",
            "because nobody had repaired the leaking roof",
        ),
        (
            "The mayor closed the old library because of a leaking roof.",
            "because of a leaking roof",
        ),
        (
            "The mayor, who owns three harbour ferries, closed the old library.",
            "who owns three harbour ferries",
        ),
        (
            "The mayor closed the old library and fired 17 harbour pilots.",
            "fired 17 harbour pilots",
        ),
    ],
)
def test_a_clause_that_only_the_sentence_has_is_unchecked(sentence: str, expected: str) -> None:
    assert words_of(sentence, "The mayor closed the old library.") == [(expected, "")]


def test_both_texts_may_speak_of_one_intention() -> None:
    assert (
        words_of("Reeves wants to open the harbour.", "Reeves wanted to have the harbour open.")
        == []
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "If the council sells the harbour ferries, the mayor closed the old library.",
        "The mayor closed the old library, and we should buy modern harbour ferries.",
        "The mayor closed the old library, and I said it loud and clear.",
        "The mayor closed the old library, and I think the harbour ferries look ugly.",
        "The mayor closed the old library, and who bought the harbour ferries?",
        "The mayor closed the old library, and the council is absolutely right.",
        "Because of the leaking roof, the mayor closed the old library.",
        "The mayor of New York and mayor of the port closed the old library.",
        "My cousin on the council keeps telling me, the mayor closed the old library.",
        "According to a sailor of the harbour ferries, the mayor closed the old library.",
        "She shut the place with all these books, the old library, the mayor did.",
        "Twelve years later, the mayor closed the old library.",
        "Frankly, the mayor closed the old library, believe me.",
        "The old library was shut by the mayor, closed by the mayor of this town.",
    ],
)
def test_a_clause_that_states_nothing_more_is_not_named(sentence: str) -> None:
    assert words_of(sentence, "The mayor closed the old library.") == []


def test_an_abbreviation_is_no_part_of_its_own() -> None:
    sentence = "The EPA closed the harbour, and the EPA fined the ferry company."
    statement = "The Environmental Protection Agency closed the harbour and fined the company."

    assert words_of(sentence, statement) == []


def test_texts_of_different_matters_have_no_parts() -> None:
    sentence = "The mayor closed the library, and 3,000 readers protested."

    assert words_of(sentence, "The mayor swims in winter.") == []


def test_a_part_of_the_statement_is_named_only_if_the_sentence_has_none() -> None:
    sentence = "The mayor closed the old library, and her brother bought the harbour ferries."
    statement = "The mayor closed the old library, and seventeen harbour pilots were fired."

    kinds = [kind for kind, _ in uncovered_parts(sentence, statement)]

    assert kinds == ["unchecked"]


@given(st.text(max_size=80), st.text("abc THE and most 0123456789.,$%'", max_size=80))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert len(uncovered_parts(one, other)) <= 2
    assert len(uncovered_parts(other, one)) <= 2


@given(st.text("abc the and only most 0123456789.,$%'", max_size=80))
def test_a_text_has_no_parts_beside_itself(text: str) -> None:
    assert uncovered_parts(text, text) == ()


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("We pay from 60 to 90 percent of NATO.", "We were paying for 90 percent of NATO."),
        ("Crime went from 8 percent to 5 percent.", "Crime is at 8 percent."),
    ],
)
def test_neither_end_of_a_range_or_a_change_is_named_as_another_value(sentence, statement):
    assert [words for words in words_of(sentence, statement) if all(words)] == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The port owes $20 million.",
            "The port owes close to $20 million.",
            ("$20 million", "close to $20 million"),
        ),
        (
            "Nearly 400 pilots work in the harbour.",
            "In the harbour work 400 pilots.",
            ("Nearly 400", "400"),
        ),
        (
            "Ferry fares are at the lowest level ever.",
            "Rents are the lowest ever. Ferry fares are almost the lowest on record.",
            ("the lowest level", "almost the lowest"),
        ),
        (
            "Ferry traffic reached the highest level in 65 years.",
            "Ferry traffic is the highest it has been in almost 20 years.",
            ("65 years", "20 years"),
        ),
    ],
)
def test_a_hedge_or_a_reach_of_one_text_is_named_with_the_other(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The port owes almost $20 million.", "The port owes close to $20 million."),
        ("Ferry fares have doubled.", "Ferry fares have nearly doubled."),
        ("Ferry traffic is the highest in 20 years.", "Ferry traffic is the highest in 20 years."),
        (
            "We moved five years, five years north of the port.",
            "We moved north 5 years before the port.",
        ),
    ],
)
def test_a_hedge_of_both_texts_or_an_equal_figure_is_not_named(
    sentence: str, statement: str
) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The county has a record surplus.",
            "The county has a record surplus in tolls.",
            ("surplus", "surplus in tolls"),
        ),
        (
            "Unemployment among divers fell in the port.",
            "Port unemployment fell.",
            ("Unemployment among divers", "unemployment"),
        ),
        (
            "The council raised tolls.",
            "The council raised tolls on the poor fishermen.",
            ("tolls", "tolls on the poor fishermen"),
        ),
        (
            "The storm sank hundreds of ferries.",
            "The storm sank thousands of ferries.",
            ("hundreds of ferries", "thousands of ferries"),
        ),
        (
            "The port has the highest taxes of the coast.",
            "The port has the highest corporate tax rate of the coast.",
            ("taxes", "corporate tax rate"),
        ),
        (
            "Ann Lee and Tom Reyes want to sell the pier.",
            "Ann Lee wants to sell the pier.",
            ("Ann Lee and Tom Reyes", "Lee"),
        ),
        (
            "The port lowered the income tax.",
            "The port lowered the corporate income tax.",
            ("income tax", "corporate income tax"),
        ),
    ],
)
def test_a_kind_narrower_than_the_other_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Ferries are late worldwide.", "The harbour ferries are late.", "worldwide"),
        (
            "Ferries are late in every single city.",
            "The harbour ferries are late.",
            "in every single city",
        ),
        ("Ferries run late every night.", "The ferries run late.", "every night"),
        (
            "Ferry fares rose over the last decade.",
            "Ferry fares rose.",
            "over the last decade",
        ),
        (
            "The port sent away thousands of sailors.",
            "The port sent away sailors.",
            "thousands of sailors",
        ),
        (
            "The council brings the toll down from 35 percent to 15 percent.",
            "The council sets a toll of 35 percent.",
            "from 35 percent to 15 percent",
        ),
        (
            "The council was close to signing a ferry deal.",
            "The council has a ferry deal.",
            "close to signing a ferry deal",
        ),
        ("Ferry fares rose in Lisbon.", "Ferry fares rose steeply.", "Lisbon"),
        (
            "Ferry fares rose with help from Acme Shipping and Blue Boats.",
            "Ferry fares rose.",
            "Acme Shipping and Blue Boats",
        ),
        (
            "It was the strike against tolls that closed the harbour.",
            "We closed the harbour.",
            "the strike against tolls",
        ),
        (
            "She denied it about the ferry, but she sold the ferry.",
            "She sold the ferry.",
            "She denied it about the ferry",
        ),
        (
            "The council sold the pier, putting a hundred pilots out of work.",
            "The council sold the pier.",
            "putting a hundred pilots out of work",
        ),
        (
            "Ferry fares doubled thanks to greedy harbour unions.",
            "Ferry fares doubled.",
            "thanks to greedy harbour unions",
        ),
        (
            "The port owns cranes, lighthouses, and ferries.",
            "The port owns ferries and cranes.",
            "lighthouses",
        ),
        (
            "The council promised not to sell the pier, not to raise harbour fees.",
            "The council promised not to sell the pier.",
            "not to raise harbour fees",
        ),
        (
            "They want to sell the pier, they want to abolish lighthouse keepers.",
            "The council wants to sell the pier.",
            "they want to abolish lighthouse keepers",
        ),
    ],
)
def test_a_phrase_that_only_the_sentence_has_is_unchecked(
    sentence: str, statement: str, expected: str
) -> None:
    assert words_of(sentence, statement) == [(expected, "")]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Ferries are late all over the world.", "Ferries are late around the globe."),
        ("Ferries run late every night.", "The ferries run late day after day."),
        ("Ferries run late.", "The ferries run late day after day."),
        ("The port sent away thousands of sailors.", "The port sent away 3,000 sailors."),
        ("Ferry fares rose in the US.", "Ferry fares rose in America."),
        ("In the ferry fares, Ann, we rose.", "Ferry fares rose steeply."),
        ("Ferry fares rose with Ann Lee.", "Ferry fares rose with Lee steeply."),
        ("The harbour ferries, have been sold lately.", "The port opened the harbour."),
    ],
)
def test_a_phrase_that_the_statement_has_in_other_words_is_not_named(
    sentence: str, statement: str
) -> None:
    assert words_of(sentence, statement) == []


def test_a_hedge_on_another_name_is_not_named() -> None:
    statement = (
        "Ferry fares in Lisbon are the lowest ever. "
        "Ferry fares in Porto are close to the lowest rate in recorded history."
    )

    assert words_of("The rate of ferry fares in Lisbon is the lowest in history.", statement) == []


def test_the_group_that_does_most_of_the_deed_is_named() -> None:
    sentence = "Republicans want strong harbour walls, Democrats want to open the harbour."
    statement = "Says Ann Lee wants to open the harbour."

    assert ("Democrats", "Ann Lee") in words_of(sentence, statement)


def test_a_date_is_named_beside_a_statement_on_today() -> None:
    sentence = "Ferry fares have grown since 1963."

    assert words_of(sentence, "Ferry fares have grown today.") == [("since 1963", "")]


def test_a_group_and_one_person_are_named_as_actors() -> None:
    sentence = "They want to open the harbour."
    statement = "Says Ann Lee wants to have an open harbour."

    assert words_of(sentence, statement) == [("they", "Ann Lee")]


def test_the_person_who_made_the_statement_is_no_name_of_its_own() -> None:
    sentence = "Ferry fares rose with Ann Lee."

    assert uncovered_parts(sentence, "Ferry fares rose steeply.", "Ann Lee") == ()


def test_a_quotation_is_cut_nowhere() -> None:
    sentence = (
        "Well, look, look, the port sold the pier, and the strike cost the fleet $20 million."
    )

    assert words_of(sentence, "The port sold the pier.") == [
        ("the strike cost the fleet $20 million", "")
    ]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "A sailor is more likely to be stopped, searched, and fined.",
            "Sailors are more likely to be stopped by the port police.",
            ("searched, and fined", ""),
        ),
        (
            "We pay more than any other port on everything from soap to ferry tickets.",
            "We pay more for tugs than any other port.",
            ("everything from soap to ferry tickets", ""),
        ),
        (
            "In 35 out of 50 ports, a mooring costs more than a house.",
            "In 31 ports, a mooring costs more than a house.",
            ("35 out of 50", "31"),
        ),
        (
            "The port has the worst ferry service since the Great Flood.",
            "The port has the worst ferry service it has ever had.",
            ("since the Great Flood", "ever"),
        ),
        (
            "The port has the worst ferry service in history.",
            "The port has the worst ferry service since the flood.",
            ("in history", "since the flood"),
        ),
        (
            "Ferries are slower than the trams.",
            "Ferries are slower than buses.",
            ("than the trams", "than buses"),
        ),
    ],
)
def test_a_list_share_yardstick_or_standard_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # "Ever" and "in history" are the same, and so are 31 of 50 and 31.
        (
            "The port has the worst ferry service in history.",
            "The port has the worst ferry service it has ever had.",
        ),
        ("In 31 out of 50 ports, a mooring costs more.", "In 31 ports, a mooring costs more."),
        ("Six of the 10 ports are safe.", "Six of the top ten ports are safe."),
        # A share of four in five counts no ports.
        ("Four in five ports lose money.", "Three ports lose money."),
        # "And" begins a clause.
        ("It is a pity to have the debt and our piers are good.", "The port has the debt."),
        # A country's budget is the federal one, and the deal is what stopped the strike.
        (
            "The council raised the harbour budget.",
            "The council raised the federal harbour budget.",
        ),
        ("I got a deal that stopped the ferry strike.", "We stopped the ferry strike."),
    ],
)
def test_the_same_in_other_words_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "We lose money on the ferries.",
            "We lost $5 million on the ferries last year. The bridge cost $80 million.",
            "$5 million",
        ),
        (
            "Banks near the port are dying.",
            "Over 40 percent of small and large banks near the port are dying.",
            "40 percent",
        ),
        (
            "She put together a coalition of divers.",
            "She spent 18 months putting together the coalition of divers.",
            "18 months",
        ),
        ("The island has lighthouses.", "The island has over 40 lighthouses.", "40 lighthouses"),
        (
            "He bankrupted the ferry.",
            "He bankrupted the ferry not once, not twice, but four times.",
            "four times",
        ),
    ],
)
def test_a_figure_of_the_statement_is_named_beside_a_sentence_without_figures(
    sentence: str, statement: str, expected: str
) -> None:
    assert words_of(sentence, statement) == [("", expected)]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The port bought a mail plane.", "The port bought a brand new 747 Air mail plane."),
        ("The port has 70 buses and lost money.", "The port has 50 ferries and lost $2 million."),
    ],
)
def test_a_number_in_a_name_or_beside_other_figures_is_not_named(
    sentence: str, statement: str
) -> None:
    assert not any(checked for _, checked in words_of(sentence, statement))


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The port charges us close to 300% tolls on ferries.",
            "The port charges a 270% toll on ferries.",
            ("300%", "270%"),
        ),
        (
            "They want to take away the ferry discount card.",
            'Says Ana Lopez Reyes "wants to abolish the ferry discount card."',
            ("they", "Ana Lopez Reyes"),
        ),
        (
            "Dockers are unemployed or underemployed to the tune of 51 percent.",
            "Unemployment of dockers is 51 percent.",
            ("unemployed or underemployed", "Unemployment"),
        ),
        (
            "58 percent of all new ferry income is going to one family.",
            "Almost all new ferry income goes to one family.",
            ("58 percent of all new ferry income", "Almost all new ferry income"),
        ),
        (
            "She gave all that valuable fuel away.",
            "She gave 20 percent of our fuel to Norway.",
            ("all that valuable fuel", "20 percent of our fuel"),
        ),
        (
            "We had a ferry that's been overbooked.",
            "Ours is the most overbooked ferry in the country.",
            ("overbooked", "the most overbooked ferry in the country"),
        ),
        (
            "We were one of two ports to keep the rating.",
            "Ours was the only port to keep its rating.",
            ("one of two ports", "the only port"),
        ),
        (
            "We had a $5 million projected surplus when I left the port.",
            "When I left the port, we had a $5 million surplus.",
            ("projected surplus", "surplus"),
        ),
        (
            "So some players were kneeling on the ferry.",
            "Harbour Eagles players were kneeling on a ferry.",
            ("players", "Harbour Eagles players"),
        ),
    ],
)
def test_a_part_share_degree_or_group_is_named_with_the_other(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "It was the biggest harbour council win since Ana Reyes.",
            "We had a landslide win in the harbour council.",
            "the biggest harbour council win since Ana Reyes",
        ),
        (
            "The county was paying for anywhere from 70 to 90 percent of the ferry.",
            "The ferry owes the county its money.",
            "from 70 to 90 percent",
        ),
        (
            "We cut tolls and we had a ferry surplus when I left.",
            "When I left we had a ferry surplus.",
            "We cut tolls",
        ),
    ],
)
def test_a_rank_range_or_deed_of_the_sentence_alone_is_unchecked(
    sentence: str, statement: str, expected: str
) -> None:
    assert (expected, "") in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (
            "The port charges us close to 280% tolls on ferries.",
            "The port charges a 270% toll on ferries.",
        ),
        (
            "The county pays close to 90% of the ferry.",
            "The county pays anywhere from 70 to 90 percent of the ferry.",
        ),
        (
            "92 percent, 92 percent of the ferry jobs lost were of women.",
            "Women account for 92.3 percent of ferry jobs lost.",
        ),
        (
            "71 percent of federal ferry spending goes to pilots.",
            "71 percent of all federal ferry spending goes to pilots.",
        ),
        (
            "It has been overbooked at a record number, this ferry.",
            "Ours is the most overbooked ferry.",
        ),
        ("We do not know whether it is a ferry or a barge that sank.", "A ferry sank."),
        ("Unemployment or layoffs hit the dockers.", "Unemployment or layoffs hit the dockers."),
        (
            "Harbour Eagles players were kneeling on a ferry.",
            "Some players of the Harbour Eagles were kneeling on a ferry.",
        ),
    ],
)
def test_the_same_share_degree_or_group_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The mayor refuses to pay the pilots.",
            "The mayor refuses to directly pay the pilots.",
            ("pay", "directly pay"),
        ),
        (
            "Reyes supports free ferries for pilots.",
            'Says Ana Lopez "supports selling the ferries."',
            ("Reyes", "Ana Lopez"),
        ),
        (
            "We lose $500 million a year to Norway.",
            "Last year we lost $500 million to Norway.",
            ("$500 million a year", "Last year"),
        ),
        (
            "We made the biggest regulation cuts in history.",
            "We enacted the biggest toll cuts.",
            ("the biggest regulation cuts", "the biggest toll cuts"),
        ),
        (
            "We pay almost the entire cost of the ferry.",
            "We were paying for 70 to 90 percent of the ferry.",
            ("the entire cost of the ferry", "70 to 90 percent of the ferry"),
        ),
        (
            "I'm the only one on this stage that said it of the ferry pilots.",
            "I was the one that said it of ferry pilots.",
            ("the only one on this stage", ""),
        ),
        (
            "The ferry is worse than three years ago.",
            "The ferry is worse than five years ago.",
            ("three years ago", ""),
        ),
    ],
)
def test_an_adverb_person_period_or_rank_of_one_text_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (
            "The mayor refuses to directly pay the pilots.",
            "The mayor refuses to directly pay pilots.",
        ),
        ("Lopez supports free ferries.", 'Says Ana Lopez "supports free ferries."'),
        ("We lose $500 million a year to Norway.", "We lost $500 million to Norway."),
        (
            "We made the biggest toll cuts in history.",
            "We enacted the biggest toll cuts in history.",
        ),
        ("The ferry is worse than five years ago.", "The ferry is worse than five years ago."),
    ],
)
def test_one_adverb_person_period_or_rank_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        # a change of which the sentence has one end
        (
            "Now the port has a $2 billion surplus.",
            "I took the port from an $8 billion hole to a $2 billion surplus.",
            ("", "from an $8 billion hole to a $2 billion surplus"),
        ),
        # a further figure of the statement
        (
            "There are at least 11 million passengers on our ferries.",
            "About 8.1 million of the 11 million to 12 million passengers of ferries are dockers.",
            ("", "8.1 million"),
        ),
        # a change by a share, and a share
        (
            "That alone will cut the smoke of our ferries by 70 percent.",
            "70 percent of the smoke comes from ferries.",
            ("by 70 percent", "70 percent of the smoke"),
        ),
        # those with whom both compare
        (
            "We spend twice as much on ferries as many other nations.",
            "We spend twice as much on ferries as the next closest nation.",
            ("as many other nations", "as the next closest nation"),
        ),
        (
            "Our ferries are cheaper than any other country's.",
            "Our ferries are cheaper than most other countries'.",
            ("than any other country", "than most other countries"),
        ),
        (
            "The tolls are the highest of any country on the coast.",
            "The tolls are the highest of any rich country on the coast.",
            ("any country", "any rich country"),
        ),
        # the second noun has an adjective
        (
            "They gave the tax breaks to shipyards and profitable bakeries.",
            "They gave the tax breaks to shipyards.",
            ("shipyards and profitable bakeries", "shipyards"),
        ),
        # another person, with another verb about the same
        (
            "Ben Nilsen voted for free ferry passes.",
            "Ann Lee wants free ferry passes.",
            ("Ben Nilsen", "Ann Lee"),
        ),
    ],
)
def test_an_end_share_standard_or_person_is_named_with_the_other(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # both ends of a change
        (
            "The port went from an $8 billion hole to a $2 billion surplus.",
            "I took the port from an $8 billion hole to a $2 billion surplus.",
        ),
        # one end of a range
        (
            "At least 11 million passengers are on our ferries.",
            "11 million to 12 million passengers are on our ferries.",
        ),
        (
            "That will cut the smoke of our ferries by 70 percent.",
            "By 70 percent it will cut the smoke of our ferries.",
        ),
        (
            "We spend twice as much on ferries as any other nation.",
            "We spend twice as much on ferries as every other country.",
        ),
        (
            "The tolls are the highest of any rich country.",
            "The tolls are the highest of any rich country on the coast.",
        ),
        # "a day later" gives no period
        (
            "They spent $3 billion on the two piers.",
            "They spent $3 billion on the two piers, and a day later the ferry sank.",
        ),
        # two kinds, one by one
        (
            "Private ferry tolls and public ferry tolls rose.",
            "Ferry tolls rose.",
        ),
        # several reaches
        (
            "We cannot build what many harbours around the world have built.",
            "Harbours all over the world have built it, and it was built in the United States.",
        ),
        # a cause in other words
        (
            "30,000 dockers leave the port because of the harbour tolls.",
            "30,000 dockers leave the port because it is dear.",
        ),
    ],
)
def test_the_same_end_share_or_standard_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


@pytest.mark.parametrize(
    "remark",
    [
        "it's not a laughing matter",
        "the media doesn't talk about it",
        "you've heard me say this many times",
        "I don't mind trading",
        "I have said repeatedly in this campaign",
        "it's almost impossible to conceive how it happened",
        "just reiterate so there is no doubt",
    ],
)
def test_a_remark_is_no_clause_of_its_own(remark: str) -> None:
    statement = "The ferry to the island carries 900 cars."
    assert (
        words_of(f"And -- {remark} -- the ferry to the island carries 900 cars.", statement) == []
    )


def test_an_interjection_an_adverb_and_a_state_are_no_items() -> None:
    statement = "The ferry to the island carries cars."
    sentence = "If we pay, yeah, incidentally, the ferry to the island carries cars or people."
    words = [said for said, _ in words_of(sentence, statement)]

    assert not {"yeah", "incidentally"} & set(words)
    burnt = (
        "The ferry to the island carries cars, and the church in Victoria, Texas was burned down."
    )
    assert not any(said.startswith("Texas") for said, _ in words_of(burnt, statement))


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Ferry tolls are less than 2 percent of our budget.",
            "Ferry tolls make up about 2 percent of the budget.",
            ("less than 2 percent", "about 2 percent"),
        ),
        (
            "Ferry tolls are 2 percent of our budget.",
            "Ferry tolls make up under 2 percent of the budget.",
            ("2 percent", "under 2 percent"),
        ),
    ],
)
def test_an_upper_bound_of_one_text_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Ferry tolls are below 2 percent of it.", "Ferry tolls are less than 2 percent of it."),
        ("Ferry tolls make up no less than 2 percent of it.", "Ferry tolls are 2 percent of it."),
        # an ordinal and a clause
        ("We saved the ferry and the first pier.", "We saved the ferry."),
        (
            "They have turned the port into Bergen and Ferries want the harbour.",
            "Ferries want the harbour of the port.",
        ),
        # "in record numbers" names no kind
        (
            "Bakers are going out of business.",
            "Bakers are going out of business in record numbers.",
        ),
    ],
)
def test_one_bound_noun_or_kind_is_not_named(sentence: str, statement: str) -> None:
    assert [words for words in words_of(sentence, statement) if words[1]] == []


def test_a_plan_is_named_once() -> None:
    sentence = "We have destabilized the harbour."
    statement = "I said that you're going to destabilize the harbour."
    assert words_of(sentence, statement) == [("destabilized", "going to destabilize")]
    always = "And Bakers will always sell the harbour pass."
    statement = "Bakers sell the harbour pass."
    assert ("Bakers will always sell", "") in words_of(always, statement)


@pytest.mark.parametrize(
    "remark",
    [
        "We're standing here talking about other things",
        "not a one of them mentioned the fact that it sank in a storm of the century",
    ],
)
def test_a_clause_that_leads_up_to_a_fact_is_none(remark: str) -> None:
    statement = "The ferry to the island carries 900 cars."
    assert words_of(f"{remark}; the ferry to the island carries 900 cars.", statement) == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "You used to support free ferries, and now you are against them.",
            "Ann Lee supports free ferries.",
            ("used to support", "supports"),
        ),
        (
            "It enlarged the power of the mayor to hire pilots.",
            "It gave the mayor the power to hire pilots without asking the island council.",
            ("", "without asking the island council"),
        ),
        (
            "Our mayor cut the tolls of the ferries.",
            "Our mayor cut the tolls of the ferries by more than Norway did.",
            ("", "by more than Norway did"),
        ),
        # a cause in a single name
        (
            "We lost the shipyards of the coast because of Norway.",
            "We lost the shipyards of the coast.",
            ("because of Norway", ""),
        ),
        # a date that both have, beside a single common word
        (
            "More Hispanics are pilots today than in all of 1950.",
            "There are more Hispanic men on boats, piers or docks than in 1950.",
            ("Hispanics", "Hispanic men"),
        ),
        (
            "They closed the island school.",
            "They closed the island school, where sixty thousand dockers live every week.",
            ("", "sixty thousand dockers"),
        ),
    ],
)
def test_a_past_habit_omission_or_standard_of_one_text_is_named(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert expected in words_of(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("You used to support free ferries.", "Ann Lee once supported free ferries."),
        ("You used to sell free ferries.", "Ann Lee supports free ferries."),
        (
            "It let the mayor hire pilots, and nobody had to ask the council.",
            "It let the mayor hire pilots without asking the island council.",
        ),
        (
            "Our mayor cut the tolls of the ferries more than Norway.",
            "Our mayor cut the tolls of the ferries by more than Norway did.",
        ),
        (
            "It's nice to talk about the weather, but the ferry to the island carries 900 cars.",
            "The ferry to the island carries 900 cars.",
        ),
        # the standard would be cut
        (
            "Our mayor cut the tolls of the ferries.",
            "Our mayor cut the tolls of the ferries by more than the Reyes tax cuts.",
        ),
    ],
)
def test_the_same_habit_omission_or_standard_is_not_named(sentence: str, statement: str) -> None:
    assert words_of(sentence, statement) == []


def test_all_of_a_people_is_named_beside_the_people() -> None:
    assert words_of("He calls Norwegians thieves.", "He says all Norwegians are thieves.") == [
        ("Norwegians", "all Norwegians")
    ]
    assert words_of("He says all Norwegians steal.", "All of the Norwegians steal, he says.") == []


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # a verb in place of the noun
        (
            "The mayor did it to benefit the port.",
            "The mayor had no personal benefit from the port.",
        ),
        # a quotation in the middle of a plan
        (
            "She is going to raise the ferry tolls.",
            "Says she wants to, ‘raise the ferry tolls.’ ",
        ),
        # the clause goes on with "outrageous lie"
        (
            "The ferry carries 900 cars, and he has pursued the discredited and really outrageous "
            "lie that the pier sank.",
            "The ferry carries 900 cars.",
        ),
    ],
)
def test_a_verb_and_a_broken_quotation_are_not_named(sentence: str, statement: str) -> None:
    said = [words for words, checked in words_of(sentence, statement)]
    assert not {"benefit", "going to raise", "he has pursued the discredited"} & set(said)


def test_a_predicted_value_is_named_beside_a_present_one() -> None:
    present = "We have almost $20 billion in harbour debt."
    predicted = "The harbour debt is going to be close to $20 billion when the mayor leaves."

    expected = ("$20 billion", "going to be close to $20 billion")
    assert expected in words_of(present, predicted)
    assert expected[::-1] in words_of(predicted, present)
    both = "The harbour debt will be $20 billion by then."
    assert "going to be close to $20 billion" not in [
        words for _, words in words_of(both, predicted)
    ]


def test_a_relative_opinion_is_no_clause() -> None:
    sentence = (
        "The ferry carries 900 cars, which is I think what the implication of your question was."
    )
    assert words_of(sentence, "The ferry carries 900 cars.") == []


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "36 million people cannot afford their medicine.",
            "One out of five islanders cannot afford the medicine they need.",
            ("36 million", "One out of five"),
        ),
        (
            "Twenty percent of our piers are in poor condition.",
            "4,600 piers are in poor condition.",
            ("Twenty percent", "4,600"),
        ),
        (
            "The fees of our colleges rose by 5,000 dollars.",
            "The fees of our colleges rose by 20 percent.",
            ("5,000 dollars", "20 percent"),
        ),
    ],
)
def test_the_only_figures_of_one_thing_are_named_if_they_are_of_other_kinds(
    sentence: str, statement: str, expected: tuple[str, str]
) -> None:
    assert words_of(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("In 35 out of 50 counties, a berth costs more than a house.", "A berth costs $10,000."),
        ("Half of all pilots pay the harbour tax.", "Pilots pay $12 million of harbour tax."),
        ("Five piers are in poor condition.", "Twenty percent of piers are in poor condition."),
        ("4,600 piers of 20,000 are in poor condition.", "Twenty percent are in poor condition."),
    ],
)
def test_figures_of_other_kinds_are_not_paired_if_they_may_be_of_other_things(
    sentence: str, statement: str
) -> None:
    """Other words around them, a small count, or a second figure."""
    assert not [words for words in words_of(sentence, statement) if all(words)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Our plan has one of the single largest increases in harbour spending.",
        "Our plan has one of the very largest increases in harbour spending.",
        "It was the single largest increase in harbour spending.",
    ],
)
def test_emphasis_before_a_superlative_hides_no_hedge(sentence: str) -> None:
    hedge = "one of " if "one of" in sentence else ""
    statement = f"The plan calls for {hedge}the largest increases in harbour spending."

    assert uncovered_parts(sentence, statement) == ()


def test_a_hedge_behind_emphasis_is_named() -> None:
    sentence = "Our plan has the single largest increase in harbour spending."
    statement = "The plan calls for one of the largest increases in harbour spending."

    [(_, clash)] = uncovered_parts(sentence, statement)

    assert "one of the largest" in clash.in_statement


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (
            "We just got a big pay raise.",
            "The harbour act includes raises for the pilots for the first time.",
        ),
        (
            "Pilots have said they've never seen this ever before in Lorne.",
            "With Lorne, no pilot has ever seen such a warm welcome on our behalf from any port.",
        ),
    ],
)
def test_almost_a_whole_text_is_no_part_of_it(sentence: str, statement: str) -> None:
    assert noted_parts(sentence, statement) == ()


def test_half_a_text_is_a_part_of_it() -> None:
    [(_, clash)] = noted_parts(
        "So the pier sank.",
        "Their old captain had forgotten urgent repairs while the pier sank.",
    )

    assert clash.in_statement == "Their old captain had forgotten urgent repairs"
