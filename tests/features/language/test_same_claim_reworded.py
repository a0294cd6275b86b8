"""A claim in other natural words has no conflict: synonyms, verbs that deny, shares, kept promises."""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts

SAME_CLAIM = [
    # Synonyms in the only place in which the texts differ
    ("The ordinary nurse earns more in May than a pilot does.", "The average nurse earns more in May than a pilot."),
    ("More sailors die from scurvy than from boat accidents in Lorne.", "More sailors die from scurvy than from boat crashes in Lorne."),
    ("Our kids are stuck in leaking schools in Lorne.", "Our children are trapped in leaking schools in Lorne."),
    ("Our soldiers were hit with Danish arrows in Lorne.", "Our troops were hit with Danish arrows in Lorne."),
    ("Rents in this town have skyrocketed by 40 percent.", "Rents in this town have increased by 40 percent."),
    ("The mayor gave a dredging contract to his brother.", "The mayor awarded a dredging contract to his brother."),
    ("He wants to end the ferry subsidy.", "Says he wants to get rid of the ferry subsidy."),
    # A verb for a denial
    ("Because of the new rule, dairies cannot sell butter.", "The new rule bars dairies from selling butter."),
    ("Pilot wages have not risen in 20 years.", "Pilot wages have been flat for 20 years."),
    ("Pilot wages haven't kept up with rents.", "Pilot wages trail rents."),
    ("He hasn't released his harbor accounts.", "He is hiding his harbor accounts."),
    ("He failed to show up for 60 percent of his shifts.", "He missed 60 percent of shifts."),
    ("It's not true that I raised the toll.", "He did not raise the toll."),
    ("Four out of five kids in Lorne can't swim.", "Eighty percent of kids in Lorne are unable to swim."),
    ("The ferry hasn't added one penny to the debt.", "The ferry has not contributed to the debt."),
    # A passive for a report, and "watch" for a person
    ("Pilots were told by the mayor to stand down.", "The mayor told pilots to stand down."),
    ("The town lost 400 pilots on his watch.", "The town lost 400 pilots under Gov. Moss."),
    # Ranks
    ("Our fleet is smaller than at any time since 1917.", "Our fleet is the smallest since 1917."),
    ("No mayor has ever done more for sailors.", "He has done more for sailors than any mayor."),
    ("The bay has never been saltier.", "The bay is saltier than ever."),
    # Words for all that limit nothing
    ("The big ports pay 40 percent of all harbor tolls.", "40 percent of harbor tolls are paid by the big ports."),
    ("Half of all ferries end in Lorne.", "Half of ferries end in Lorne."),
    ("Lorne gives more to the fund than all other towns combined.", "Lorne contributes more to the fund than the other towns combined."),
    # Plans and suppositions
    ("I kept my promise to cut the toll.", "I cut the toll as promised."),
    ("The bill would ban ferries from the inner harbor.", "The bill bans ferries from the inner harbor."),
    ("Perhaps the biggest toll cut in history was passed by Lorne.", "Lorne passed the biggest toll cut in history."),
    # A noun that looks like a verb, a lie about something else, a tenth and ten times
    ("He cut funding for the pilots.", "He defunded the pilots."),
    ("He lied about his record, and he raised the toll.", "He raised the toll."),
    ("Fares there cost a tenth of what they do here.", "Fares cost ten times as much here as there."),
]  # fmt: skip
ANOTHER_CLAIM = [
    ("The rule does not bar dairies from selling butter.", "The rule bars dairies from selling butter.", "denial"),
    ("It's not true that I raised the toll.", "He raised the toll.", "denial"),
    ("It's not true that he didn't raise the toll.", "He did not raise the toll.", "denial"),
    ("The pilot wages have not risen since the strike.", "The pilot wages have risen since the strike.", "denial"),
    ("Harbor tolls are paid by all ferries in the bay.", "Harbor tolls are paid by ferries in the bay.", "scope"),
    ("I promised to cut the harbor toll in Lorne.", "I cut the harbor toll in Lorne.", "plan"),
    ("The mayor would ban ferries from the inner harbor.", "The mayor bans ferries from the inner harbor.", "plan"),
    ("He lied about the pier that Lorne sold to Norway.", "Lorne sold the pier to Norway.", "denial"),
    ("Our fleet is smaller than any fleet in Norway.", "Our fleet is smaller than a fleet in Norway.", "scope"),
    ("He was funding the pilots in Lorne.", "He defunded the pilots in Lorne.", "direction"),
    ("He showed up for 60 percent of his shifts.", "He missed 60 percent of his shifts.", "direction"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), SAME_CLAIM)
def test_the_claim_in_other_words_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(("sentence", "statement", "conflict"), ANOTHER_CLAIM)
def test_another_claim_keeps_its_conflict(sentence: str, statement: str, conflict: str) -> None:
    assert conflict in conflicts(sentence, statement)
