"""Opposite verbs, another thing in one place, exchanged clauses, and other words for the same claim."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts
from features.language.figures.numbers import figures

OPPOSITE_VERBS = [
    ("The bypass drained $4 million from downtown shops.", "The bypass brought in $4 million for downtown shops."),
    ("The casino cost the county 300 jobs.", "The casino added 300 jobs to the county."),
    ("Her budget added $90 million to the pension debt.", "Her budget paid down $90 million of the pension debt."),
    ("The school district borrowed 12 million dollars in 2019.", "The school district paid back 12 million dollars in 2019."),
    ("Burglaries in Leeds have come down by a third.", "Burglaries in Leeds have gone up by a third."),
    ("Rents in Tulsa plunged after the mill closed.", "Rents in Tulsa soared after the mill closed."),
    ("Egg prices tumbled 40 percent last spring.", "Egg prices skyrocketed 40 percent last spring."),
    ("The plant laid off 200 welders in May.", "The plant hired 200 welders in May."),
    ("The council tore down 40 apartments on Pine Street.", "The council built 40 apartments on Pine Street."),
    ("Governor Ames vetoed the farm subsidy bill.", "Governor Ames signed the farm subsidy bill."),
    ("He kept his promise to close the coal plant.", "He broke his promise to close the coal plant."),
    ("She attended most meetings of the water board.", "She skipped most meetings of the water board."),
    ("The clinic was defunded by the county in 2020.", "The clinic was funded by the county in 2020."),
    ("Moss weakened the rules on river dumping.", "Moss toughened the rules on river dumping."),
]  # fmt: skip
SAME_DIRECTION = [
    ("The casino created 300 jobs in the county.", "The casino added 300 jobs to the county."),
    ("Her budget paid off $90 million of the pension debt.", "Her budget paid down $90 million of the pension debt."),
    ("The plan adds 2 trillion dollars to the debt.", "The plan costs 2 trillion dollars."),
    ("Burglaries in Leeds have dropped by a third.", "Burglaries in Leeds have come down by a third."),
    ("Rents in Tulsa soared after the mill shut.", "Rents in Tulsa climbed after the mill closed."),
    ("The council put up 40 apartments on Pine Street.", "The council built 40 apartments on Pine Street."),
    ("Governor Ames did not sign the farm subsidy bill.", "Governor Ames vetoed the farm subsidy bill."),
    ("Parliament passed a bill that repeals the salt tax.", "Parliament repealed the salt tax."),
    ("She missed most meetings of the water board.", "She skipped most meetings of the water board."),
]  # fmt: skip
OTHER_THING = [
    ("The county raised the hotel fee nine times since 1990.", "The county raised the speed limit nine times since 1990."),
    ("Lake Tahoe's trout stock has doubled since 1980.", "Lake Tahoe's water level has doubled since 1980."),
    ("Snowfall is the lowest it has been in 30 years.", "Rainfall is the lowest it has been in 30 years."),
    ("Turnout is the highest it has been since 1960.", "Truancy is the highest it has been since 1960."),
    ("Drinking cold coffee cures gout.", "Drinking cherry juice cures gout."),
    ("Peru's gold reserve is about 900 dollars for every citizen.", "Peru's foreign aid is about 900 dollars for every citizen."),
    ("I repealed the rule that put speed cameras on every bridge.", "I wrote the rule that put speed cameras on every bridge."),
    ("Diesel trucks made frogs vanish from ponds in Belgium.", "Phone masts made frogs vanish from ponds in Belgium."),
]  # fmt: skip
SAME_THING = [
    ("I authored the rule that put speed cameras on every bridge.", "I wrote the rule that put speed cameras on every bridge."),
    ("The harbor gets most of its grain by rail.", "The harbor receives most of its grain by rail."),
    ("The state took 70 million dollars out of rural clinics.", "The state cut 70 million dollars from rural clinics."),
    ("Most of the copper in this valley gets in by barge.", "Most of the copper in this valley comes in by barge."),
    ("It is the lowest it has been in 30 years.", "Rainfall is the lowest it has been in 30 years."),
    ("We have the highest rents on the coast.", "We have by far the highest rents on the coast."),
    ("Ferries today carry more cars than they did in 1999.", "Ferries carry more cars than they did in 1999."),
]  # fmt: skip
EXCHANGED_SIDES = [
    ("A nurse earns four times what a dentist earns.", "A dentist earns four times what a nurse earns."),
    ("Ohio spends twice as much as Iowa on roads.", "Iowa spends twice as much as Ohio on roads."),
    ("Renters pay three times the share of owners.", "Owners pay three times the share of renters."),
    ("Farmers said that Mayor Tilly is lazy and greedy.", "Mayor Tilly said that farmers are lazy and greedy."),
    ("Pilots told Congress that the FAA ignored warnings.", "The FAA told Congress that pilots ignored warnings."),
    ("The bridge closed because the river flooded.", "The river flooded because the bridge closed."),
    ("The mill shut down before the railroad left town.", "The railroad left town before the mill shut down."),
    ("Because wages fell, the union went on strike.", "Wages fell because the union went on strike."),
]  # fmt: skip
SAME_SIDES = [
    ("A dentist in Ohio earns four times what a nurse earns.", "In Ohio, a dentist earns four times what a nurse earns."),
    ("Because the river flooded, the bridge closed.", "The bridge closed because the river flooded."),
    ("Before the mill shut down, the railroad left town.", "The railroad left town before the mill shut down."),
    ("If the levee breaks, the town floods.", "The town floods if the levee breaks."),
    ("“Farmers are lazy and greedy,” said Mayor Tilly.", "Mayor Tilly said that farmers are lazy and greedy."),
    ("Dogs are a third as likely to get the disease as cats.", "Cats are three times as likely to get the disease as dogs."),
    ("More miners in Utah die from falls than from gas.", "Falls kill more miners in Utah than gas."),
    ("Nine sailors died when the ferry sank in Rhode Harbor.", "The ferry's sinking in Rhode Harbor killed nine sailors."),
    ("Every bus has a ramp because of a rule I wrote.", "I wrote the rule that put a ramp on every bus."),
]  # fmt: skip
OTHER_SIDE_OF_EVENT = [
    ("Dover lost 900 jobs in the year after I became mayor.", "Dover lost 900 jobs in the year before I became mayor."),
    ("Tuition doubled after the merger of the colleges.", "Tuition doubled before the merger of the colleges."),
    ("Ridership fell prior to the strike of 2016.", "Ridership fell after the strike of 2016."),
    ("They sold the shares following the hearing in June.", "They sold the shares before the hearing in June."),
]  # fmt: skip
SAME_SIDE_OF_EVENT = [
    ("Tuition doubled following the merger of the colleges.", "Tuition doubled after the merger of the colleges."),
    ("Before the strike of 2016, ridership fell.", "Ridership fell before the strike of 2016."),
    ("The strike came after ridership fell.", "Ridership fell before the strike came."),
    ("Until the hearing in June, they sold the shares.", "They sold the shares before the hearing in June."),
]  # fmt: skip
OTHER_SIGN = [
    ("Water rates rose 9 percent under Mayor Hale.", "Water rates rose 9 times under Mayor Hale."),
    ("The bonus is 40 dollars for new drivers.", "The bonus is 40 percent for new drivers."),
    ("Hospital visits went up 3 times in Reno.", "Hospital visits went up 3 percent in Reno."),
    ("Fares on the ferry grew 25 percent last fall.", "Fares on the ferry grew $25 last fall."),
]  # fmt: skip
SAME_SIGN = [
    ("Water rates rose nine percent under Mayor Hale.", "Water rates rose 9% under Mayor Hale."),
    ("The bonus is 40 bucks for new drivers.", "The bonus is $40 for new drivers."),
    ("The bonus is 40 for new drivers.", "The bonus is $40 for new drivers."),
    ("They checked 9 percent, or 9 times as many.", "They checked 9 times as many."),
]  # fmt: skip
CONDITION_FOR_CAUSE = [
    ("The railway breaks even because of the fuel subsidy.", "The railway breaks even if you leave out the fuel subsidy."),
    ("Test scores rose thanks to the new tutors.", "Test scores rose without the new tutors."),
    ("The park stays open due to the volunteer rule.", "The park stays open despite the volunteer rule."),
    ("Wheat yields grew in spite of the drought plan.", "Wheat yields grew because of the drought plan."),
]  # fmt: skip
SAME_CAUSE = [
    ("The railway breaks even thanks to the fuel subsidy.", "The railway breaks even because of the fuel subsidy."),
    ("Without the fuel subsidy, the railway breaks even.", "The railway breaks even if you leave out the fuel subsidy."),
    ("Test scores rose due to the new tutors.", "Test scores rose because of the new tutors."),
    ("The park stays open in spite of the volunteer rule.", "The park stays open despite the volunteer rule."),
]  # fmt: skip
REJECTED_OR_SUPPOSED = [
    "Somebody made it up that Harbor City lost half of its nurses in 2021.",
    "They fabricated a story that Harbor City lost half of its nurses in 2021.",
    "He lied when he said Harbor City lost half of its nurses in 2021.",
    "My rival falsely claimed Harbor City lost half of its nurses in 2021.",
    "Oh sure, and Harbor City lost half of its nurses in 2021.",
    "Yeah, right, Harbor City lost half of its nurses in 2021.",
    "Harbor City lost half of its nurses in 2021, my foot.",
    "Harbor City lost half of its nurses in 2021, and I'm the pope.",
    "Let's suppose for a minute that Harbor City lost half of its nurses in 2021.",
    "For the sake of argument, Harbor City lost half of its nurses in 2021.",
    "Let us just imagine Harbor City lost half of its nurses in 2021.",
    "Pretend Harbor City lost half of its nurses in 2021.",
    "There's this story out there that Harbor City lost half of its nurses in 2021.",
    "I doubt that Harbor City lost half of its nurses in 2021.",
    "A caller asked me whether Harbor City lost half of its nurses in 2021.",
    "Whether Harbor City lost half of its nurses in 2021, we may never learn.",
    "Maybe Harbor City lost half of its nurses in 2021.",
    "Harbor City almost lost half of its nurses in 2021.",
    "Harbor City lost half of its nurses in 2021? Come on.",
    "What nonsense, Harbor City lost half of its nurses in 2021.",
    "The station retracted its report that Harbor City lost half of its nurses in 2021.",
    "She took back her claim that Harbor City lost half of its nurses in 2021.",
    "Harbor City did anything but lose half of its nurses in 2021.",
    "Harbor City supposedly lost half of its nurses in 2021.",
]
SAID_OUTRIGHT = [
    "You can't make it up, Harbor City lost half of its nurses in 2021.",
    "I'm not making this up: Harbor City lost half of its nurses in 2021.",
    "Sure, Harbor City lost half of its nurses in 2021.",
    "Right, Harbor City lost half of its nurses in 2021.",
    "Did you know that Harbor City lost half of its nurses in 2021?",
    "I can't believe it: Harbor City lost half of its nurses in 2021.",
    "It's no secret that Harbor City lost half of its nurses in 2021.",
    "Nobody disputes that Harbor City lost half of its nurses in 2021.",
    "Everybody knows that Harbor City lost half of its nurses in 2021.",
    "Let's not kid ourselves: Harbor City lost half of its nurses in 2021.",
    "As you all know, Harbor City lost half of its nurses in 2021.",
    "Whether we like it or not, Harbor City lost half of its nurses in 2021.",
    "Let's be clear, Harbor City lost half of its nurses in 2021.",
]
SAME_CLAIM = [
    # Rates: "every year" is "a year", "for each resident" is "per resident".
    ("Feral hogs are costing farmers 90 million dollars every year.", "Feral hogs cost farmers $90 million a year."),
    ("Every month the port moves 40,000 crates.", "The port moves 40,000 crates a month."),
    ("Dover has 12 parks for each resident of the hills.", "Dover has 12 parks per resident of the hills."),
    ("The state spends 9,000 dollars for every pupil.", "The state spends $9,000 per pupil."),
    # "Goes to" quotes nobody.
    ("A third of the fuel tax goes to bridges.", "Bridges get a third of the fuel tax."),
    ("Most of the lottery money goes into prisons.", "Prisons get most of the lottery money."),
    # A general "you" supposes nothing.
    ("If you make under 30,000, you keep the whole credit.", "People who make under $30,000 keep the whole credit."),
    ("If you own a boat, you pay 400 dollars in fees.", "Boat owners pay $400 in fees."),
    ("If you rent in Boise, you pay half of your income.", "Renters in Boise pay half of their income."),
    # Spoken numbers
    ("Floods cost the county a million and a half dollars.", "Floods cost the county $1.5 million."),
    ("The fund has a quarter of a billion dollars.", "The fund has $250 million."),
    ("The bakery closed a dozen years ago.", "The bakery closed twelve years ago."),
    # Another construction exchanges no roles.
    ("More dolphins are stranded in Kent than in any other county.", "Kent strands more dolphins than any other county."),
    ("The budget of the navy has doubled since 2010.", "Since 2010, the navy budget has doubled."),
    ("Ninety cooks left the hotel over the dress code.", "The dress code cost the hotel 90 cooks."),
    ("No port handles more coffee per worker than Antwerp.", "Antwerp handles more coffee per worker than any other port."),
    ("No other European port handles as much tea as Hamburg.", "Hamburg handles more tea than any other port in Europe."),
    ("In half of Peru coal is now more expensive than wind.", "Wind is now cheaper than coal in half of Peru."),
    # Predicates may be synonyms.
    ("Half of the cooks hired in June have already left their jobs.", "Half of the cooks hired in June have already quit."),
    # One part of all isn't all.
    ("In Bergen, every fifth sailor lives on a boat.", "One in five sailors in Bergen lives on a boat."),
    ("Of all the harbors in Kent, ours has the lowest fees.", "Our harbor has the lowest fees in Kent."),
    ("The library bought more than a thousand maps, 1,300 in all.", "The library bought 1,300 maps."),
    # The rest of a whole, and the opposite of a denied verb
    ("Only 20 percent of the guards were ever trained for fires.", "Eighty percent of the guards were never trained for fires."),
    ("Six out of seven boats don't pass the test.", "Only one in seven boats passes the test."),
    ("Mayor Quist didn't show up for most hearings on the dam.", "Mayor Quist missed most hearings on the dam."),
    ("The council voted no on the harbor bill.", "The council opposed the harbor bill."),
    ("Spending fell by 40 million dollars in my first year as mayor.", "I cut spending by $40 million in my first year as mayor."),
    # Denials of the same
    ("The harbor bill got zero votes from farmers.", "The harbor bill passed without a single vote from farmers."),
    ("There isn't a deeper lake in Peru than ours.", "Our lake is the deepest in Peru."),
    ("Every other rich state has paid leave.", "We are the only rich state without paid leave."),
    ("The last time the council passed a plan was 1999.", "The council has not passed a plan since 1999."),
    ("Rain is rarer and lower in Lima than in Quito.", "Quito has higher rain than Lima."),
    ("Lead is in one out of every three pipes.", "One in three pipes has lead."),
    # Superlatives by denial, exceptions
    ("We haven't seen rents this high in twenty years.", "Rents are the highest in twenty years."),
    ("Every county except Polk has a hospital.", "Polk is the only county without a hospital."),
    ("All ferries but the Ajax carry trucks.", "The Ajax is the only one of the ferries that doesn't carry trucks."),
]  # fmt: skip
OTHER_CLAIM = [
    ("Every farmer loses 90 million dollars a year.", "Some farmers lose $90 million a year."),
    ("All ferries carry trucks over the bay.", "Ferries carry trucks over the bay."),
    (
        "The story goes that bridges get a third of the fuel tax.",
        "Bridges get a third of the fuel tax.",
    ),
    (
        "If you elect me, you keep the whole credit on boats.",
        "People keep the whole credit on boats.",
    ),
    ("Floods cost the county a million dollars.", "Floods cost the county $1.5 million."),
    ("We haven't seen high rents in twenty years.", "We have seen high rents in twenty years."),
    ("Kent strands more dolphins than Dover.", "Dover strands more dolphins than Kent."),
    (
        "Wind is now more expensive than coal in half of Peru.",
        "Wind is now cheaper than coal in half of Peru.",
    ),
    (
        "Half of the cooks hired in June have already been promoted.",
        "Half of the cooks hired in June have already quit.",
    ),
    (
        "In every year of our history we gave the navy a raise.",
        "Last year we gave the navy a raise.",
    ),
    (
        "Two thirds of divorces in Peru are caused by debts.",
        "Two thirds of debts in Peru are caused by divorces.",
    ),
    (
        "Most of the guards in Lima were hurt by inmates.",
        "Most of the inmates in Lima were hurt by guards.",
    ),
    ("All sailors in Bergen live on a boat.", "Sailors in Bergen live on a boat."),
    (
        "Only 20 percent of the guards were ever trained for fires.",
        "Seventy percent of the guards were never trained for fires.",
    ),
    (
        "Eighty percent of the guards were trained for fires.",
        "Eighty percent of the guards were never trained for fires.",
    ),
    (
        "Mayor Quist didn't miss most hearings on the dam.",
        "Mayor Quist missed most hearings on the dam.",
    ),
    ("The council voted for the harbor bill.", "The council opposed the harbor bill."),
    (
        "The harbor bill got nine votes from farmers.",
        "The harbor bill passed without a single vote from farmers.",
    ),
    ("There isn't a deep lake in Peru.", "Our lake is the deepest in Peru, and it isn't small."),
    (
        "We are the only rich state with paid leave.",
        "We are the only rich state without paid leave.",
    ),
    (
        "The council has passed a plan every year since 1999.",
        "The council has not passed a plan since 1999.",
    ),
    ("Our lake is the oldest in Peru.", "Our lake is the deepest in Peru."),
    (
        "Medicaid spends 9 billion dollars a year on glasses.",
        "Medicare spends $9 billion a year on glasses.",
    ),
    (
        "The port spends 9 million dollars a decade on paint.",
        "The port spends $9 million a year on paint.",
    ),
    ("Every county has a hospital.", "Polk is the only county without a hospital."),
]


@pytest.mark.parametrize(("sentence", "statement"), OPPOSITE_VERBS)
def test_an_opposite_verb_is_another_direction(sentence: str, statement: str) -> None:
    assert "direction" in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_DIRECTION)
def test_verbs_of_one_side_are_one_direction(sentence: str, statement: str) -> None:
    assert "direction" not in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), OTHER_THING)
def test_another_thing_in_the_only_other_place_is_another_claim(
    sentence: str, statement: str
) -> None:
    assert conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_THING)
def test_a_synonym_in_the_only_other_place_is_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == set()


@pytest.mark.parametrize(("sentence", "statement"), EXCHANGED_SIDES)
def test_exchanged_sides_are_exchanged_roles(sentence: str, statement: str) -> None:
    assert "roles" in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_SIDES)
def test_the_same_sides_in_another_order_are_no_exchange(sentence: str, statement: str) -> None:
    assert "roles" not in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), OTHER_SIDE_OF_EVENT)
def test_before_and_after_an_event_are_other_times(sentence: str, statement: str) -> None:
    assert "years" in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_SIDE_OF_EVENT)
def test_one_side_of_an_event_is_one_time(sentence: str, statement: str) -> None:
    assert "years" not in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), OTHER_SIGN)
def test_one_number_with_another_sign_is_another_amount(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) & {"units", "figures"}


@pytest.mark.parametrize(("sentence", "statement"), SAME_SIGN)
def test_one_number_with_one_sign_is_one_amount(sentence: str, statement: str) -> None:
    assert not conflicts(sentence, statement) & {"units", "figures"}


@pytest.mark.parametrize(("sentence", "statement"), CONDITION_FOR_CAUSE)
def test_a_condition_or_an_exception_is_no_cause(sentence: str, statement: str) -> None:
    assert "cause" in conflicts(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), SAME_CAUSE)
def test_one_cause_in_other_words_is_one_cause(sentence: str, statement: str) -> None:
    assert "cause" not in conflicts(sentence, statement)


@pytest.mark.parametrize("sentence", REJECTED_OR_SUPPOSED)
def test_what_is_called_made_up_or_supposed_is_not_said(sentence: str) -> None:
    statement = "Harbor City lost half of its nurses in 2021."
    assert conflicts(sentence, statement) & {"denial", "supposition", "quotation"}


@pytest.mark.parametrize("sentence", SAID_OUTRIGHT)
def test_words_of_emphasis_reject_nothing(sentence: str) -> None:
    statement = "Harbor City lost half of its nurses in 2021."
    assert conflicts(sentence, statement) == set()


@pytest.mark.parametrize(("sentence", "statement"), SAME_CLAIM)
def test_other_words_for_the_same_claim_are_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == set()


@pytest.mark.parametrize(("sentence", "statement"), OTHER_CLAIM)
def test_similar_words_for_another_claim_are_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement)


def test_the_words_of_both_sides_are_quoted() -> None:
    """A card names both verbs with their particles, and both sides of an event."""
    verbs = clashes(
        "Her budget added $9 million to the debt.", "Her budget paid off $9 million of the debt."
    )
    assert verbs["direction"] == ("added", "paid off")
    sides = clashes(
        "Fares fell after the merger of the lines.", "Fares fell before the merger of the lines."
    )
    assert sides["years"] == ("after the merger of", "before the merger of")


@pytest.mark.parametrize(
    ("text", "low", "kind"),
    [
        ("a quarter of a million dollars", 250_000, "money"),
        ("three quarters of a billion", 750_000_000, "count"),
        ("a third of the million", 100 / 3, "percent"),
        ("a billion and a half", 1_500_000_000, "count"),
        ("$2 million and a half of that", 2_000_000, "money"),
    ],
)
def test_spoken_fractions_of_a_million_are_one_figure(text: str, low: float, kind: str) -> None:
    first, *_ = figures(text)
    assert (round(first.low, 6), first.kind) == (round(low, 6), kind)
