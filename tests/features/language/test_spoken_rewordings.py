"""Spoken rewordings: comparisons turned round, "no," before a clause, and words that limit nothing."""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts

SAME = [
    ("We take care of illegal immigrants better than we take care of our vets.", "Our vets are treated worse than illegal immigrants."),
    ("The harbor pays foreign pilots more than it pays locals.", "Local folks in the harbor are paid less than foreign pilots."),
    ("Old ferries in Lorne are safer than the boats of the navy.", "Navy ships are more dangerous than old ferries in Lorne."),
    ("The mayor treats old pilots better than he treats nurses.", "Nurses in town are treated worse than old pilots."),
    ("We're the highest taxed nation in the world.", "We're the most highly taxed nation in the world."),
    ("It is the deepest dug harbor in the valley.", "It is the most deeply dug harbor in the valley."),
    ("Nothing, I repeat, none of the letters sent by me had a seal.", "Nothing, and I repeat, none of the letters sent by me had a seal."),
    ("No one, not one of the pilots hired by Lorne had a boat.", "No one, not one of the pilots hired by Lorne ever had a boat."),
    ("She told us that no, it was the ferry that hit the pier in Lorne.", "She told us that it was the ferry that hit the pier in Lorne."),
    ("No, the ferry hit the pier in Lorne.", "The ferry hit the pier in Lorne."),
    ("And I said no, we lost 40 pilots in Lorne.", "We lost 40 pilots in Lorne."),
    ("No, they closed nine ferries in the bay.", "They closed nine ferries in the bay."),
    ("It's ridiculous that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It is ridiculous how pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("More old sailors drown in winter than young pilots in this country.", "More old sailors drown in winter than young pilots."),
    ("The mayor wants to be neutral between Israel and Norway.", "The mayor wants to be neutral on Israel and Norway."),
    ("The tax was once 90 percent, and now it is 20 percent.", "The tax used to be 90 percent and is 20 percent today."),
    ("Once the strike ended, the ferry still ran to Norway.", "The ferry still ran to Norway after the strike ended."),
    ("He used to be a pilot and he still flies in Lorne.", "He still flies in Lorne, where he was a pilot."),
    ("The toll is now 40 dollars in Lorne; it used to be 20.", "The toll in Lorne is now 40 dollars."),
    ("We can no longer afford the ferry toll in Lorne.", "Today we can't afford the ferry toll in Lorne."),
    ("The harbor no longer has a ferry to Norway.", "The harbor now has no ferry to Norway."),
    ("The harbor no longer has a ferry to Norway.", "The harbor does not have a ferry to Norway today."),
    ("We no longer build ferries in this country.", "We don't build ferries in this country anymore."),
    ("Today nobody in Lorne can swim anymore.", "Nobody in Lorne can swim any longer."),
    ("Not one pilot in Lorne sails any more.", "Today not one pilot in Lorne sails."),
    ("He once called the toll a theft.", "Today he called the toll a theft."),
    ("Mayor Moss, formerly a pilot, still owns nine ferries.", "Mayor Moss still owns nine ferries."),
    ("The former mayor still owns nine ferries in the bay.", "The former mayor owns nine ferries in the bay."),
    ("The money used to build the pier is still missing.", "The money used to build the pier is missing today."),
    ("Lorne now has nine ferries, up from the three it once had.", "Lorne has nine ferries now."),
    ("Some of the ferries and all of the boats in Lorne are late.", "All of the boats in Lorne are late."),
    ("Most sailors in Lorne, in fact almost all sailors, can swim.", "Almost all sailors in Lorne can swim."),
    ("Every year some pilots in Lorne drown.", "Each year some pilots in Lorne drown."),
    ("The majority of pilots in Lorne can swim.", "Most pilots in Lorne can swim."),
    ("More than half of the pilots in Lorne can swim.", "Most pilots in Lorne can swim."),
    ("Every single pilot in Lorne can swim.", "All pilots in Lorne can swim."),
    ("Half of all pilots in Lorne are women.", "Half the pilots in Lorne are women."),
    ("Lorne has the most pilots of all towns.", "Lorne has more pilots than any other town."),
    ("Several pilots in Lorne have drowned.", "A few pilots in Lorne have drowned."),
    ("Some 40 ferries in Lorne are late.", "About 40 ferries in Lorne are late."),
    ("Some of our most dangerous ferries are in Lorne.", "Our most dangerous ferries are in Lorne."),
    ("Lorne spends some of the most money on ferries.", "Lorne spends among the most money on ferries."),
    ("Only in Lorne do pilots pay the toll.", "Pilots pay the toll only in Lorne."),
    ("Only the mayor can close the ferry in Lorne.", "Nobody except the mayor can close the ferry in Lorne."),
    ("Only Lorne has a ferry in the bay.", "Lorne is the sole town in the bay that has a ferry."),
    ("Lorne alone has a ferry in the bay.", "Only Lorne has a ferry in the bay."),
    ("Lorne alone has 40 ferries in the bay.", "There are 40 ferries in Lorne alone."),
    ("Only one pilot in Lorne can swim.", "One pilot in Lorne can swim."),
    ("Only after the strike did Lorne raise tolls.", "Lorne raised tolls after the strike."),
    ("Only last year Lorne raised tolls twice.", "Lorne raised tolls twice last year."),
    ("Only a fifth of the pilots can swim in Lorne.", "A fifth of the pilots can swim in Lorne."),
    ("Only hours later the mayor closed the ferry in Lorne.", "Hours later the mayor closed the ferry in Lorne."),
    ("No town in the bay has more ferries than Lorne, the oldest port.", "Lorne has the most ferries in the bay."),
    ("Lorne has the least crime of any town its size.", "No town its size has less crime than Lorne."),
    ("No other town does as much for its poorest kids.", "Our town does the most for its poorest kids."),
    ("The largest port has never been smaller.", "The port is smaller than ever."),
    ("No bigger ferry sails anywhere in the world than ours.", "Ours is the largest ferry in the world."),
    ("No one has done more for the poor than she has.", "She has done the most for the poor."),
    ("The rich have never been richer.", "The rich are richer than ever."),
    ("No town is safer than Lorne.", "Lorne is the least dangerous town."),
    ("Nobody pays fewer taxes than the rich in Lorne.", "The rich in Lorne pay the least taxes of all."),
    ("We hired 300 state troopers and 300 deputies in Lorne.", "We hired 300 deputies in Lorne."),
    ("300 guards and nurses in Lorne got a raise.", "300 nurses and guards in Lorne got a raise."),
    ("We put 300 more cops on the street, deputies and troopers.", "We put 300 more police on the street."),
    ("Forty women and 40 men drowned in Lorne.", "In Lorne, 40 men and 40 women drowned."),
    ("The 300 families with 900 kids in Lorne got aid.", "In Lorne, 900 children of 300 families got aid."),
    ("The governor signed a budget for the schools in Lorne.", "The governor signed a spending plan for education in Lorne."),
    ("The cops shot two guys in the harbor of Lorne.", "Police shot two men in the harbor of Lorne."),
    ("The state spends twice as much on inmates as on pupils.", "The state spends twice as much on prisoners as on students."),
    ("Nine firms in Lorne employ half of the workforce.", "Nine businesses in Lorne employ half of the workers."),
    ("The vaccine killed four kids in the town last fall.", "The shot killed four children in the village last fall."),
    ("Moms in Lorne wait nine weeks for a checkup.", "Mothers in Lorne wait nine weeks for an appointment."),
    ("On May 4 and on May 24 Lorne lost pilots.", "Lorne lost pilots on May 24."),
    ("There are two nurses per doctor in Lorne.", "There are two nurses for every doctor in Lorne."),
    ("Pilots fired in May sued the harbor in Lorne.", "Pilots who were fired in May sued the harbor in Lorne."),
]  # fmt: skip
OTHER = [
    ("We take care of illegal immigrants better than we take care of our vets.", "Illegal immigrants are treated worse than our veterans."),
    ("The harbor pays foreign pilots more than it pays locals.", "Foreign pilots are paid less than locals in the harbor."),
    ("The mayor treats old pilots better than he treats nurses.", "Old pilots are treated worse than nurses in town."),
    ("Lorne has more old ferries than the navy has boats.", "Lorne has fewer old ferries than the navy has boats."),
    ("None of the letters sent by me had a seal.", "The letters sent by me had a seal."),
    ("Not one of the pilots hired by Lorne had a boat.", "The pilots hired by Lorne had a boat."),
    ("None of the ferries sent by Lorne had a light.", "The ferries sent by Lorne had a light."),
    ("There is no ferry that hit the pier in Lorne.", "There is a ferry that hit the pier in Lorne."),
    ("No pilot in Lorne lost a ferry.", "A pilot in Lorne lost a ferry."),
    ("No, the ferry did not hit the pier in Lorne.", "The ferry hit the pier in Lorne."),
    ("The claim that pilots in Lorne pay 40 dollars is ridiculous.", "Pilots in Lorne pay 40 dollars."),
    ("It's a lie that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It's nonsense that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It is a myth that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("More old sailors drown in winter than young pilots in this county.", "More old sailors drown in winter than young pilots."),
    ("More old sailors drown in winter than young pilots in Lorne.", "More old sailors drown in winter than young pilots."),
    ("The harbor no longer has a ferry to Norway.", "The harbor now has a ferry to Norway."),
    ("The boiler used to heat the harbor in Lorne.", "The boiler heats the harbor in Lorne."),
    ("The state used to build the pier in Lorne.", "The state builds the pier in Lorne."),
    ("The mayor once owned nine ferries in the bay.", "The mayor currently owns nine ferries in the bay."),
    ("Only mayors can close the ferry in Lorne.", "Mayors can close the ferry in Lorne."),
    ("Every second pilot in Lorne can swim.", "All pilots in Lorne can swim."),
    ("Several pilots in Lorne have drowned.", "All pilots in Lorne have drowned."),
    ("The cops shot two women in the harbor of Lorne.", "Police shot two men in the harbor of Lorne."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_the_claim_in_spoken_words_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), OTHER)
def test_its_near_sibling_has_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (
            "The oil used to heat the harbor is from Norway.",
            "The oil that heats the harbor is from Norway.",
        ),
        (
            "The money used to build the pier was stolen.",
            "The money that builds the pier was stolen.",
        ),
        ("The boats used to fish in the bay are old.", "The boats that fish in the bay are old."),
        ("The law used to fine the pilots is new.", "The law that fines the pilots is new."),
    ],
)
def test_a_thing_used_to_do_something_is_of_today(sentence: str, statement: str) -> None:
    assert "years" not in conflicts(sentence, statement)
    assert "years" not in conflicts(statement, sentence)
