"""Sentences with nearly the words of a claim that say something else, by the way in which they do."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts
from features.language.speaker_references import Speakers
from features.language.word_clashes import Clash

ROLES = [
    ("Nurses earn more than teachers in Oregon.", "Teachers earn more than nurses in Oregon."),
    ("The bank sued the mayor over the stadium.", "The mayor sued the bank over the stadium."),
    ("Canada sells more lumber to Japan than to Korea.", "Canada sells more lumber to Korea than to Japan."),
    ("Rain causes most floods of the year, not the other way round.", "Floods cause most rain of the year."),
    ("Lake Huron is deeper than Lake Superior.", "Lake Superior is deeper than Lake Huron."),
    ("Rural voters outnumber urban voters in Maine.", "Urban voters outnumber rural voters in Maine."),
    ("The Senate blocked the House's budget bill.", "The House blocked the Senate's budget bill."),
    ("The ticket cost 90 dollars in 2001 and costs 9 dollars now.", "The ticket cost 9 dollars in 2001 and costs 90 dollars now."),
    ("The union was sued by the airline.", "The union sued the airline."),
    ("Trains use half as much energy as trucks.", "Trucks use half as much energy as trains."),
]  # fmt: skip
SAME_ROLES = [
    ("The airline was sued by the union.", "The union sued the airline."),
    ("In Ohio, wages fell in 2012.", "Wages fell in Ohio in 2012."),
    ("Teachers earn less than nurses.", "Nurses earn more than teachers."),
    ("Under Mayor Stone the debt doubled.", "The debt doubled under Mayor Stone."),
    ("Spain, Italy and Greece raised taxes.", "Greece, Italy and Spain raised taxes."),
]
QUOTATIONS = [
    ("He keeps saying that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("My opponent told you wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("According to the mailer, wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("I read somewhere that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("Rumor has it that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("They would have you believe that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("Wages fell by half in Ohio, or so he says.", "Wages fell by half in Ohio."),
    ("Critics argue wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("There is a rumor that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("The senator's claim that wages fell by half in Ohio is on every screen.", "Wages fell by half in Ohio."),
]  # fmt: skip
OWN_WORDS = [
    ("I say that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("We know that wages fell by half in Ohio.", "Wages fell by half in Ohio."),
    ("The mayor said that wages fell by half.", "The mayor said wages fell by half."),
    ("Students read less than they did in 1990.", "Students read less than in 1990."),
]
PLANS = [
    ("The city will close four libraries.", "The city closed four libraries."),
    ("The city is going to close four libraries.", "The city closed four libraries."),
    ("The city should close four libraries.", "The city closed four libraries."),
    ("The city wants to close four libraries.", "The city closed four libraries."),
    ("The city might close four libraries.", "The city closed four libraries."),
    ("The city closed four libraries.", "The city plans to close four libraries."),
    ("The city promised to close four libraries.", "The city closed four libraries."),
    ("The city ought to close four libraries.", "The city closed four libraries."),
    ("The city would close four libraries if it had to.", "The city closed four libraries."),
    ("The city must close four libraries.", "The city closed four libraries."),
]
BOUNDS = [
    ("Almost 900 bridges are closed.", "More than 900 bridges are closed."),
    ("At least 900 bridges are closed.", "At most 900 bridges are closed."),
    ("Up to 900 bridges are closed.", "At least 900 bridges are closed."),
    ("Fewer than 900 bridges are closed.", "Over 900 bridges are closed."),
    ("Nearly a third of the bridges are closed.", "More than a third of the bridges are closed."),
    ("900 bridges or more are closed.", "Nearly 900 bridges are closed."),
]
UNITS = [
    ("Turnout fell by 4 percent last fall.", "Turnout fell by 4 percentage points last fall."),
    ("The plant leaked 300 liters of acid.", "The plant leaked 300 gallons of acid."),
    ("The trail is 40 kilometers long.", "The trail is 40 miles long."),
    ("The clinic costs 5 million dollars a month.", "The clinic costs 5 million dollars a year."),
    ("They collect 12 tons of waste every day.", "They collect 12 tons of waste every week."),
    ("Prices rose to 30 percent in May.", "Prices rose by 30 percent in May."),
    ("It was 40 degrees Celsius in Dover.", "It was 40 degrees Fahrenheit in Dover."),
    ("The fee is 8 dollars per student.", "The fee is 8 dollars per family."),
]
RANKS = [
    ("We have the highest rents in the country.", "We have the third highest rents in the country."),
    ("Ohio has the lowest wages in the region.", "Ohio has the highest wages in the region."),
    ("It is the second largest port in Europe.", "It is the largest port in Europe."),
    ("She was the last woman to lead the party.", "She was the first woman to lead the party."),
]  # fmt: skip
SAME_KIND = [
    ("White unemployment is at a record low.", "Black unemployment is at a record low."),
    ("Women lost 40,000 jobs in May.", "Black women lost 40,000 jobs in May."),
    ("Half of registered voters stayed home.", "Half of voters stayed home."),
    ("The French economy shrank by 2 percent.", "The Spanish economy shrank by 2 percent."),
    ("The state spends 2 billion dollars on hospitals.", "The state spends 2 billion dollars on roads."),
    ("Cocaine deaths tripled in the county.", "Heroin deaths tripled in the county."),
    ("Most engineers say the dam is unsafe.", "Most geologists say the dam is unsafe."),
    ("The senator's wife missed nine hearings.", "The senator's son missed nine hearings."),
    ("Tom Alvarez cut the school budget twice.", "Rita Alvarez cut the school budget twice."),
    ("Corn prices doubled in two years.", "Wheat prices doubled in two years."),
]  # fmt: skip
CONFLICTS_BY_PAIRS = (
    [("roles", *pair) for pair in ROLES]
    + [("quotation", *pair) for pair in QUOTATIONS]
    + [("plan", *pair) for pair in PLANS]
    + [("bounds", *pair) for pair in BOUNDS]
    + [("units", *pair) for pair in UNITS]
    + [("ranks", *pair) for pair in RANKS]
)


@pytest.mark.parametrize(("conflict", "sentence", "statement"), CONFLICTS_BY_PAIRS)
def test_the_way_in_which_a_sentence_misleads_is_named(
    conflict: str, sentence: str, statement: str
) -> None:
    assert conflict in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_KIND)
def test_another_thing_of_the_same_kind_is_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()


@pytest.mark.parametrize(("sentence", "statement"), [*SAME_ROLES, *OWN_WORDS])
def test_other_words_for_the_same_claim_have_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(
    ("sentence", "statement", "speakers", "expected"),
    [
        ("I cut the budget twice.", "I cut the budget twice.", ("Ada Stone", "Ada Stone"), set()),
        ("I cut the budget twice.", "I cut the budget twice.", ("REYES", "Ada Stone"), {"speaker"}),
        ("Crime fell while he led the city.", "Crime fell while I led the city.", ("STONE", "Ada Stone"), {"speaker"}),
        ("Crime fell while he led the city.", "Crime fell while I led the city.", ("REYES", "Al Stone"), set()),
        ("I think crime fell in Ohio.", "Crime fell in Ohio.", ("REYES", "Al Stone"), set()),
        ("I cut the budget twice.", "I cut the budget twice.", ("", "Ada Stone"), set()),
        (
            "In my two terms, the budget was cut twice.",
            "Says that in his two terms, the budget was cut twice.",
            ("STONE", "Al Stone"), set(),
        ),
        (
            "In my two terms, the budget was cut twice.",
            "Says Ben Reyes in his two terms cut the budget twice.",
            ("STONE", "Al Stone"), {"speaker"},
        ),
        ("I voted to cut the budget twice.", "Says Ben Reyes voted to cut the budget twice.", ("STONE", "Al Stone"), {"speaker"}),
        ("I voted to cut the budget twice.", "Says Ben Reyes voted to cut the budget twice.", ("REYES", "Al Stone"), set()),
        ("Ben Reyes never cut the budget.", "I never cut the budget.", ("ADA KERN", "Al Stone"), {"speaker"}),
        ("Al Stone never cut the budget.", "I never cut the budget.", ("ADA KERN", "Al Stone"), set()),
        ("I lost 3,000 jobs last fall.", "New Jersey lost 3,000 jobs last fall.", ("STONE", "Al Stone"), set()),
    ],
)  # fmt: skip
def test_i_means_the_speaker(
    sentence: str, statement: str, speakers: tuple[str, str], expected: set[str]
) -> None:
    assert conflicts(sentence, statement, speakers=Speakers(*speakers)) == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "conflict", "expected"),
    [
        ("Almost 900 bridges are closed.", "More than 900 bridges are closed.", "bounds", ("Almost 900", "More than 900")),
        ("The trail is 40 kilometers long.", "The trail is 40 miles long.", "units", ("40 kilometers", "40 miles")),
        ("The city will close four libraries.", "The city closed four libraries.", "plan", ("will close", "")),
        ("He says wages fell by half in Ohio.", "Wages fell by half in Ohio.", "quotation", ("He says", "")),
        ("Nurses earn more than teachers.", "Teachers earn more than nurses.", "roles",
         ("Nurses earn more than teachers", "Teachers earn more than nurses")),
    ],
)  # fmt: skip
def test_a_conflict_has_the_words_of_both_texts(
    sentence: str, statement: str, conflict: str, expected: tuple[str, str]
) -> None:
    assert tuple(clashes(sentence, statement)[conflict]) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Her campaign insists the lake is safe to swim in.",
        "The flyer says the lake is safe to swim in.",
        "The lake, they tell us, is safe to swim in.",
        "You said the lake is safe to swim in.",
    ],
)
def test_a_quotation_may_begin_with_the_subject_of_the_claim(sentence: str) -> None:
    assert "quotation" in conflicts(sentence, "The lake is safe to swim in.")


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Natural gas prices tripled this winter.", "Electricity prices tripled this winter.", True),
        ("Chevron paid no federal taxes in 2018.", "Amazon paid no federal taxes in 2018.", True),
        ("She wants open borders.", "Hillary Clinton is for open borders.", False),
        ("Governor Pence voted against the road bill.", "Gov. Pence voted against the road bill.", False),
        ("The firm pays workers 15 dollars per hour.", "The firm pays workers 15 dollars an hour.", False),
    ],
)  # fmt: skip
def test_other_words_in_one_place_are_a_conflict(
    sentence: str, statement: str, expected: bool
) -> None:
    found_conflicts = conflicts(sentence, statement) - {"plan"}

    assert bool(found_conflicts) == expected


NEARLY_ALL = [
    ("Ohio spends more than almost any big state.", "Ohio spends more than any big state.", "almost any big", "any big"),
    ("Nearly every bridge in Ohio is closed.", "Every bridge in Ohio is closed.", "Nearly every bridge", "Every bridge"),
    ("Most every bridge in Ohio is closed.", "Every bridge in Ohio is closed.", "Most every bridge", "Every bridge"),
    ("Nobody in the town pays the tax.", "Almost nobody in the town pays the tax.", "Nobody in", "Almost nobody in"),
    ("They virtually never pay the town tax.", "They never pay the town tax.", "virtually never pay", "never pay"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement", "said", "checked"), NEARLY_ALL)
def test_nearly_all_is_not_all(sentence: str, statement: str, said: str, checked: str) -> None:
    """In either text; the words of both are quoted."""
    assert clashes(sentence, statement)["scope"] == Clash(said, checked)
    assert clashes(statement, sentence)["scope"] == Clash(checked, said)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Ohio spends more than any other big state.", "Ohio spends more than any big state."),
        ("Nearly every bridge in Ohio is closed.", "Nearly every bridge in Ohio is closed."),
        ("Almost all bridges in Ohio are closed.", "Virtually all bridges in Ohio are closed."),
        ("No more than 40 bridges are closed.", "Almost no bridges of the 40 are closed."),
    ],
)
def test_hedges_of_both_texts_and_any_other_are_no_other_scope(
    sentence: str, statement: str
) -> None:
    assert not conflicts(sentence, statement) & {"scope", "wording"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The mayor closed four clinics, if you believe Ms. Kern.",
        "The mayor closed four clinics, the paper reported.",
        "The mayor closed four clinics, if the council is to be believed.",
        "The mayor closed four clinics, at least that's what the council tells us.",
    ],
)
def test_words_behind_a_claim_may_give_it_to_somebody_else(sentence: str) -> None:
    assert "quotation" in conflicts(sentence, "The mayor closed four clinics.")


@pytest.mark.parametrize(
    "sentence",
    [
        "The mayor closed four clinics, if you ask me.",
        "The mayor closed four clinics, and that's what I say.",
        "The mayor closed four clinics, if you look at the map.",
    ],
)
def test_words_of_the_speaker_behind_a_claim_are_no_quotation(sentence: str) -> None:
    assert "quotation" not in conflicts(sentence, "The mayor closed four clinics.")


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The town got hurt badly by the Kern plan.", "The Kern plan did damage to the town badly."),
        ("Old mills in Dover are shut down by the Reyes water plan.", "The Reyes water plan ends old mills in Dover."),
        ("Farms in Dover would be protected if we ended the land tax.", "Ending the land tax would protect farms in Dover."),
        ("Kern split the schools the same way that Reyes splits them.", "Reyes splits the schools the same way Kern did."),
        ("Dover is about to have the smallest port.", 'Dover is "about to have the smallest port."'),
        ("Jobs of the first year are behind jobs of the last year.", "Jobs of the first year are behind jobs in the last year."),
        ("kern said the toll wasn't a tax", 'Kern "said (the toll) wasn\'t a tax."'),
        ("The Democratic plan on schools is extreme.", "The Democrat plan on schools is extreme."),
    ],
)  # fmt: skip
def test_a_passive_a_quoted_plan_and_two_ranks_of_both_texts_are_no_conflict(
    sentence: str, statement: str
) -> None:
    assert conflicts(sentence, statement) & {"roles", "plan", "ranks", "names"} == frozenset()


@pytest.mark.parametrize(
    ("conflict", "sentence", "statement"),
    [
        ("roles", "The town was hurt by the Kern plan.", "The Kern plan was hurt by the town."),
        ("roles", "Reyes protected the farms of Kern.", "Kern protected the farms of Reyes."),
        ("plan", "Dover is about to have the smallest port.", 'Dover has "the smallest port."'),
        ("ranks", "It was the last bridge of the town.", "It was the first bridge of the town."),
    ],
)
def test_two_passives_a_fact_and_another_rank_are_a_conflict(
    conflict: str, sentence: str, statement: str
) -> None:
    """The siblings of the pairs above, which are other claims."""
    assert conflict in conflicts(sentence, statement)
