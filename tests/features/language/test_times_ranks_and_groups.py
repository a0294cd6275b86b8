"""Times, voices, ways, ranks and groups: pairs that say the same, and their siblings that do not."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts
from features.language.word_clashes import Clash

SAME_TIMES = [
    ("Since 2000 fewer ferries have sailed from Lorne to Norway.", "Fewer ferries have sailed from Lorne to Norway since 2000."),
    ("Since 2000 the harbor has lost more pilots than the airport.", "The harbor has lost more pilots than the airport since 2000."),
    ("Since 2000, fewer pilots work in the harbor than in the airport.", "Fewer pilots work in the harbor than in the airport since 2000."),
    ("Since 2008 there are fewer ferries here.", "There are fewer ferries here than there were in 2008."),
    ("Since 2000 we have had more ferry fires than Norway.", "We have had more ferry fires than Norway since 2000."),
    ("Since 2010 rents are higher than in 2010.", "Rents are higher now than in 2010."),
    ("In 2019 more people left the state than the year before.", "More people left the state than the year before in 2019."),
]  # fmt: skip
OTHER_TIMES = [
    ("In 2000 fewer ferries sailed from Lorne than today.", "Fewer ferries sail from Lorne today than in 2000."),
    ("Ten years ago we had fewer pilots.", "We have fewer pilots than ten years ago."),
    ("Back then rents were higher than they are today.", "Rents today are higher than they were back then."),
    ("In 2008 there were more ferries here than there are now.", "There are more ferries here now than there were in 2008."),
]  # fmt: skip
SAME_VOICES = [
    ("Mayor Moss was elected in 2010 and elected again in 2014.", "Moss elected in 2010 and again in 2014 as mayor."),
    ("She was elected to the board and elected mayor in 2014.", "She was elected to the board and was elected mayor in 2014."),
    ("The mayor was fired and fired again.", "The mayor was fired twice."),
    ("The pilot was charged and convicted in Lorne.", "The pilot charged in Lorne was convicted."),
    ("The pilots fired in May were hired again.", "The pilots were fired in May and hired again."),
    ("People killed by guns in Lorne doubled.", "People were killed by guns in Lorne twice as often."),
    ("The number of people killed in Lorne doubled last year.", "Twice as many people were killed in Lorne last year."),
    ("Sailors arrested last fall in Lorne were from Norway.", "The sailors were arrested last fall in Lorne and were from Norway."),
    ("Once he was elected, he still voted to cut the ferry line.", "He voted to cut the ferry line once he was elected."),
]  # fmt: skip
OTHER_VOICES = [
    ("The sheriff was sued over the jail in Lorne.", "The sheriff sued over the jail in Lorne."),
    ("Pilots were attacked at the harbor in Lorne last fall.", "Pilots attacked people at the harbor in Lorne last fall."),
    ("The board was fired after the strike in Lorne.", "The board fired pilots after the strike in Lorne."),
    ("The mayor was accused of fraud in the harbor deal.", "The mayor accused a pilot of fraud in the harbor deal."),
    ("The sheriff fired nine guards at the county jail.", "The sheriff fired nine deputies at the county jail."),
]  # fmt: skip
SAME_WAYS = [
    ("A ferry from Lorne to Moss and back costs 90 dollars.", "The ferry from Moss to Lorne and back costs 90 dollars."),
    ("The round trip from Lorne to Moss takes nine hours by ferry.", "The round trip from Moss to Lorne takes nine hours by ferry."),
    ("The distance from Lorne to Moss by ferry is 90 miles.", "The distance from Moss to Lorne by ferry is 90 miles."),
    ("The return trip from Lorne to Moss takes nine hours by ferry.", "The return trip from Moss to Lorne takes nine hours by ferry."),
    ("It is 90 miles from Lorne to Moss by ferry.", "It is 90 miles from Moss to Lorne by ferry."),
]  # fmt: skip
OTHER_WAYS = [
    ("The firm moved 300 jobs from Lorne to Moss.", "The firm moved 300 jobs from Moss to Lorne."),
    ("The trip from Lorne to Moss takes nine hours more by ferry.", "The trip from Moss to Lorne takes nine hours more by ferry."),
    ("Ferry traffic from Lorne to Moss rose by 90 percent.", "Ferry traffic from Moss to Lorne rose by 90 percent."),
    ("The fund sent ships from Lorne to Moss and never came back.", "The fund sent ships from Moss to Lorne and never came back."),
]  # fmt: skip
SAME_FORMS = [
    ("The ferry in Lorne is invaluable to the harbor pilots.", "The ferry in Lorne is valuable to the harbor pilots."),
    ("The ferry gear in Lorne is flammable and costs 40 dollars.", "The ferry gear in Lorne is inflammable and costs 40 dollars."),
]  # fmt: skip
OTHER_FORMS = [
    ("The ferry in Lorne is unsafe for the harbor pilots.", "The ferry in Lorne is safe for the harbor pilots."),
    ("The ferry in Lorne is invisible to the harbor pilots.", "The ferry in Lorne is visible to the harbor pilots."),
    ("The deal in Lorne is illegal for the harbor pilots.", "The deal in Lorne is legal for the harbor pilots."),
    ("The gear in Lorne is worthless to the harbor pilots.", "The gear in Lorne is worth much to the harbor pilots."),
]  # fmt: skip
SAME_SUPPOSED = [
    ("I'm not sure if you know, but the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
    ("I don't know if you noticed, but the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
    ("Inspectors check whether each ferry in Lorne has two pilots.", "Inspectors make sure that each ferry in Lorne has two pilots."),
    ("I'm not sure if people here realize it, but the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
]  # fmt: skip
OTHER_SUPPOSED = [
    ("I'm not sure if the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
    ("We should check whether the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
    ("Nobody knows whether the ferry in Lorne lost 40 pilots.", "The ferry in Lorne lost 40 pilots."),
]  # fmt: skip
SAME_GROUPS = [
    ("In three years we hired eleven hundred state troopers.", "We hired 1,100 state troopers in three years."),
    ("The harbor has 900 kids without a school.", "The harbor has 900 children without a school."),
    ("Lorne pays its 300 cops 40 dollars an hour.", "Lorne pays its 300 police 40 dollars an hour."),
    ("The sheriff fired nine lawyers at the county jail.", "The sheriff fired nine attorneys at the county jail."),
]  # fmt: skip
OTHER_GROUPS = [
    ("The county hired 300 deputies in two years.", "The county hired 300 troopers in two years."),
    ("We put 300 new deputies on the road in two years.", "My administration put 300 new state troopers on the road."),
    ("The state has 900 nurses without a license.", "The state has 900 midwives without a license."),
    ("The union has 900 firefighters in the town of Lorne.", "The union has 900 paramedics in the town of Lorne."),
    ("Lorne pays its janitors 40 dollars an hour.", "Lorne pays its cooks 40 dollars an hour."),
    ("Half of the marines in Lorne have no boots.", "Half of the sailors in Lorne have no boots."),
]  # fmt: skip
SAME_RANKS = [
    ("Lorne is the third poorest town in the valley.", "Lorne is the 3rd poorest town in the valley."),
    ("Only two towns in the valley are poorer than Lorne.", "Lorne is the third poorest town in the valley."),
    ("Lorne is the poorest town in the valley.", "No town in the valley is poorer than Lorne."),
    ("Our port ranks third in the bay in ferry traffic.", "Our port is third in the bay in ferry traffic."),
    ("The town is number one in ferry fires.", "The town ranks first in ferry fires."),
]  # fmt: skip
OTHER_RANKS = [
    ("Lorne is the third poorest town in the valley.", "Lorne is the poorest town in the valley."),
    ("Lorne is now the third-poorest town.", "Lorne is the poorest town."),
    ("In wages, Lorne is the fifth worst of all the towns in the bay.", "Lorne is the worst of all the towns in the bay in wages."),
    ("Our port ranks third in the bay in ferry traffic.", "Our port ranks first in the bay in ferry traffic."),
    ("Among the states, ours is the poorest.", "Among the states, ours is the third poorest."),
    ("We live in the poorest county.", "Says we live in the third poorest county."),
    ("Lorne is the fourth largest port of the country.", "No port in the country is larger than Lorne."),
    ("The town is number one in ferry fires.", "The town is number three in ferry fires."),
]  # fmt: skip
SAME_STATES = [
    ("Lorne once had nine ferries in the bay.", "Lorne used to have nine ferries in the bay."),
    ("Lorne still has nine ferries in the bay.", "Lorne has nine ferries in the bay."),
    ("The mayor once voted to close the ferry line.", "The mayor voted to close the ferry line."),
]  # fmt: skip
OTHER_STATES = [
    ("The ferry once ran to Norway twice a day.", "The ferry still runs to Norway twice a day."),
    ("Lorne once had nine ferries.", "Lorne still has nine ferries."),
    ("Lorne used to have nine ferries in the bay.", "Lorne still has nine ferries in the bay."),
    ("The mayor formerly owned a ferry firm in Norway.", "The mayor still owns a ferry firm in Norway."),
    ("The mayor no longer owns a ferry firm in Norway.", "The mayor still owns a ferry firm in Norway."),
    ("The mayor previously served on the harbor board.", "The mayor currently serves on the harbor board."),
    ("Back then the town paid pilots 90 dollars an hour.", "Today the town pays pilots 90 dollars an hour."),
    ("Lorne used to have nine ferries in the bay.", "Lorne has nine ferries in the bay."),
]  # fmt: skip
SAME_PLACES = [
    ("The governor closed nine prisons in the harbor last fall.", "The governor shut nine jails in the harbor last fall."),
    ("Doctors in the town gave 40 shots a day to kids.", "Physicians in the town gave 40 vaccines a day to children."),
    ("The firm hiked the price of a ticket to Norway by half.", "The company raised the cost of a ticket to Norway by half."),
]  # fmt: skip
OTHER_PLACES = [
    ("Reyes cut the ferry budget in Lorne by half.", "Kern cut the ferry budget in Moss by half."),
    ("Reyes fined the pilots in Lorne twice last fall.", "Kern fined the sailors in Lorne twice last fall."),
    ("Teachers in Ohio lost 300 dollars a year under the plan.", "Nurses in Texas lost 300 dollars a year under the plan."),
    ("The mayor closed nine schools in the harbor last fall.", "The governor closed nine libraries in the harbor last fall."),
    ("Ferry tolls doubled in Lorne within two years of the strike.", "Ferry fines doubled in Moss within two years of the strike."),
    ("Goats drank half of the water in the harbor pond.", "Sheep drank half of the milk in the harbor pond."),
]  # fmt: skip
SAME = [
    *SAME_GROUPS,
    *SAME_TIMES,
    *SAME_VOICES,
    *SAME_WAYS,
    *SAME_FORMS,
    *SAME_SUPPOSED,
    *SAME_RANKS,
    *SAME_STATES,
    *SAME_PLACES,
]
OTHER = [
    *OTHER_TIMES,
    *OTHER_VOICES,
    *OTHER_WAYS,
    *OTHER_FORMS,
    *OTHER_SUPPOSED,
    *OTHER_GROUPS,
    *OTHER_RANKS,
    *OTHER_STATES,
    *OTHER_PLACES,
]


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_the_same_claim_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()
    assert conflicts(statement, sentence) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), OTHER)
def test_another_claim_has_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The mayor disclosed the old harbor deal.", "The mayor closed the old harbor deal."),
        ("The mayor discharged nine pilots in Lorne.", "The mayor charged nine pilots in Lorne."),
        ("The mayor dismissed the harbor vote.", "The mayor missed the harbor vote."),
        ("The mayor dissolved the harbor board.", "The mayor solved the harbor board."),
    ],
)
def test_a_word_that_only_looks_like_a_negative_gives_no_direction(
    sentence: str, statement: str
) -> None:
    assert "direction" not in conflicts(sentence, statement)


@pytest.mark.parametrize(
    ("conflict", "sentence", "statement", "said", "checked"),
    [
        (
            "things",
            "In three years we hired eleven hundred state troopers.",
            "The county hired 1,100 deputies in three years.",
            "eleven hundred state troopers",
            "1,100 deputies",
        ),
        (
            "ranks",
            "The poorest third of the ferries burn half of the oil.",
            "The poorest half of the ferries burn a third of the oil.",
            "poorest third",
            "poorest half",
        ),
        (
            "ranks",
            "Lorne is the third saltiest lake in the valley.",
            "Lorne is the saltiest lake in the valley.",
            "third saltiest",
            "saltiest",
        ),
        (
            "years",
            "Lorne used to have nine ferries.",
            "Lorne still has nine ferries.",
            "used to",
            "still",
        ),
        (
            "wording",
            "Goats drank half of the water in the pond.",
            "Sheep drank half of the milk in the pond.",
            "Goats drank half of the water",
            "Sheep drank half of the milk",
        ),
    ],
)
def test_the_words_that_differ_are_quoted(
    conflict: str, sentence: str, statement: str, said: str, checked: str
) -> None:
    assert clashes(sentence, statement)[conflict] == Clash(said, checked)
