"""Other words in the one place in which two texts differ: the same thing or another thing."""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts

ANOTHER_THING = [
    ("One family controls most of the farmland in Lorne.", "One family owns most of the farmland in Lorne."),
    ("The average income of pilots in Lorne rose by 9 percent.", "The average wage of pilots in Lorne rose by 9 percent."),
    ("The harbor firm owes 40 million dollars in town taxes.", "The harbor firm pays 40 million dollars in town taxes."),
    ("The ferry takes two pilots for each crossing to Norway.", "The ferry needs two pilots for each crossing to Norway."),
    ("The mayor holds the harbor office in Lorne for the party.", "The mayor works the harbor office in Lorne for the party."),
    ("The town controls 30 ferries in the bay.", "The town owns 30 ferries in the bay."),
    ("The harbor owes its pilots 3,000 dollars each.", "The harbor pays its pilots 3,000 dollars each."),
    ("The household income of sailors in Lorne fell since 2010.", "The wages of sailors in Lorne fell since 2010."),
    ("The mayor threatened the pilots of the old harbor in Lorne.", "The mayor attacked the pilots of the old harbor in Lorne."),
    ("The mayor prints the ferry report in Lorne each May.", "The mayor hides the ferry report in Lorne each May."),
    ("Ferry tickets in Lorne use 90 dollars a month.", "Ferry tickets in Lorne cost 90 dollars a month."),
    ("The fund lost 40 million dollars on the ferry deal.", "The fund spent 40 million dollars on the ferry deal."),
    ("The mayor proposed the ferry law in the spring session.", "The mayor passed the ferry law in the spring session."),
    ("The union blamed the harbor board for the ferry accident.", "The union threatened the harbor board for the ferry accident."),
    ("Criminals in the harbor town were arrested in large numbers.", "Criminals in the harbor town were killed in large numbers."),
    ("The police arrested 40 pilots at the old harbor in Lorne.", "The police jailed 40 pilots at the old harbor in Lorne."),
    ("The court convicted 40 pilots at the old harbor in Lorne.", "The court charged 40 pilots at the old harbor in Lorne."),
    ("Mayor Moss fired 40 pilots at the old harbor.", "Mayor Moss hired 40 pilots at the old harbor."),
    ("The plant contaminated the bay with lead last fall.", "The plant cleaned the bay with lead last fall."),
    ("The risk of ferry fires rose last fall in Lorne.", "The number of ferry fires rose last fall in Lorne."),
    ("The ferry companies' revenue in Lorne doubled since 2011.", "The ferry companies' income in Lorne doubled since 2011."),
    ("Texas hired 900 sailors at the harbor in Lorne.", "Texas employs 900 sailors at the harbor in Lorne."),
    ("The mayor offered 5 million dollars to the pilots of Lorne.", "The mayor gave 5 million dollars to the pilots of Lorne."),
    ("The mayor took 5 million dollars from the pilots' fund.", "The mayor stole 5 million dollars from the pilots' fund."),
    ("The mayor introduced the ferry law in the spring session.", "The mayor wrote the ferry law in the spring session."),
    ("The senator appointed 90 justices during two terms.", "The senator appointed 90 judges during two terms."),
    ("The mayor voted for a wall along the old harbor.", "The mayor voted for a fence along the old harbor."),
    ("The town has spent 40 million dollars on unsafe weapons.", "The town has spent 40 million dollars on deadly weapons."),
    ("Ferry firms' income in Lorne doubled since 2011.", "Ferry firms' revenue in Lorne doubled since 2011."),
    ("Nine killers from Lorne were paroled in the last year.", "Nine killers from Lorne were released in the last year."),
    ("The harbor law guts the pilots' pension fund in Lorne.", "The harbor law abolishes the pilots' pension fund in Lorne."),
    ("The harbor firm warned it would close the old mill in Lorne.", "The harbor firm threatened it would close the old mill in Lorne."),
]  # fmt: skip
SAME_THING = [
    ("One family possesses most of the farmland in Lorne.", "One family owns most of the farmland in Lorne."),
    ("The average salary of pilots in Lorne rose by 9 percent.", "The average wage of pilots in Lorne rose by 9 percent."),
    ("The average pay of pilots in Lorne rose by 9 percent.", "The average wage of pilots in Lorne rose by 9 percent."),
    ("The harbor firm spends 40 million dollars on town schools.", "The harbor firm pays 40 million dollars for town schools."),
    ("The ferry requires two pilots for each crossing to Norway.", "The ferry needs two pilots for each crossing to Norway."),
    ("Texas recruited 900 sailors at the harbor in Lorne.", "Texas hired 900 sailors at the harbor in Lorne."),
    ("The mayor drafted the ferry law in the spring session.", "The mayor wrote the ferry law in the spring session."),
    ("Nine million sailors hold two jobs in the harbor.", "Nine million sailors work two jobs in the harbor."),
    ("It takes 60 votes in the senate to pass the ferry law.", "You need 60 votes in the senate to pass the ferry law."),
    ("Sailors in Lorne don't owe any harbor tax.", "Sailors in Lorne pay no harbor tax."),
    ("The mayor granted 5 million dollars to the pilots of Lorne.", "The mayor gave 5 million dollars to the pilots of Lorne."),
    ("The harbor law scraps the pilots' pension fund in Lorne.", "The harbor law abolishes the pilots' pension fund in Lorne."),
    ("Half of the pilots got in through the old harbor in Lorne.", "Half of the pilots came through the old harbor in Lorne."),
    ("Nine killers from Lorne were freed in the last year.", "Nine killers from Lorne were released in the last year."),
    ("Harbor receipts in Lorne doubled since 2011.", "Harbor revenue in Lorne doubled since 2011."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), ANOTHER_THING)
def test_a_word_for_another_thing_is_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()
    assert conflicts(statement, sentence) != frozenset()


@pytest.mark.parametrize(("sentence", "statement"), SAME_THING)
def test_a_word_for_the_same_thing_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()
    assert conflicts(statement, sentence) == frozenset()
