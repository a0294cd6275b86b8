"""Denials, past states, plans, limits and shares: each rule with sentences in other words."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts

ENDED = [
    ("The town no longer owns the bridge.", "The town owns the bridge."),
    ("The bridge is no longer safe for trucks.", "The bridge is safe for trucks."),
    ("She used to be a Republican.", "She’s a Republican."),
    ("He used to carry a gun in the council.", "He carries a gun in the council."),
    ("Lorne formerly had a night train.", "Lorne has a night train today."),
]  # fmt: skip
NOT_ENDED = [
    ("We don't make steel in Lorne anymore.", "We used to make steel in Lorne."),
    ("The bridge is no longer safe for trucks.", "The bridge is unsafe for trucks."),
    ("Today, the mayor said the bridge is closed.", "The mayor once said the bridge is closed."),
]  # fmt: skip
DENIED = [
    ("The bill on rents wasn't signed by the mayor.", "The mayor signed the bill on rents."),
    ("The sheriff wasn’t beaten by the mayor.", "The mayor beat the sheriff."),
    ("The mayor did not even sign the bill on rents.", "The mayor signed the bill on rents."),
    (
        "The mayor did not sign the bill on rents and doesn't like pilots.",
        "The mayor signed the bill on rents and likes pilots.",
    ),
]
NOT_DENIED = [
    ("The bill on rents was signed by the mayor.", "The mayor signed the bill on rents."),
    ("The bill on rents wasn't signed by the mayor.", "The mayor never signed the bill on rents."),
    (
        "The mayor didn't just read the bill on rents, he signed it.",
        "The mayor signed the bill on rents.",
    ),
    (
        "Nobody can deny that the mayor signed the bill on rents.",
        "The mayor signed the bill on rents.",
    ),
    (
        "Let's not forget the mayor signed the bill on rents.",
        "The mayor signed the bill on rents.",
    ),
]
SAME_IN_OTHER_WORDS = [
    ("The zoo is no longer open.", "The zoo closed for good."),
    ("The zoo is not open any more.", "The zoo has closed."),
    ("We spend twice as much as Norway.", "Norway spends half as much as we do."),
    ("You can't buy a gun in Ames.", "It's impossible to buy a gun in Ames."),
    ("You can't fish in the harbor of Ames.", "It's illegal to fish in the harbor of Ames."),
    ("The trains did not stop running in May.", "The trains kept running in May."),
]
REMINDERS = [
    "Remember when the union endorsed the senator?",
    "Isn't it true that the union endorsed the senator?",
]
STILL_DIFFERENT = [
    ("Nobody pays higher taxes than we do.", "We pay the lowest taxes."),
    ("We spend half as much as Norway.", "We spend twice as much as Norway."),
    ("The train did not stop in the town of Ames.", "The train does stop in the town of Ames."),
]
SAME_LIMIT = [
    ("Nurses pay at most $20 for parking.", "No nurse pays more than $20 for parking."),
    (
        "Women couldn’t vote in Lorne before 1920.",
        "Women were able to vote in Lorne only after 1920.",
    ),
    ("Women had to wait until 1920 to vote in Lorne.", "Women could not vote in Lorne until 1920."),
    (
        "Rents here are 200 percent of the national average.",
        "Rents here are twice the national average.",
    ),
    (
        "In Moss rents are two times what they are here.",
        "Rents here are half of what they are in Moss.",
    ),
]
OTHER_SHARE = [
    ("The toll is triple what it was.", "The toll is a third of what it was."),
    ("A third of teachers are smokers.", "A third of smokers are teachers."),
    ("40 percent of nurses are immigrants.", "40 percent of immigrants are nurses."),
]
PLANNED = [
    ("He plans on renting the base in Lorne.", "He rented the base in Lorne."),
    ("The base is scheduled to be sold to Norway.", "The base was sold to Norway."),
]


@pytest.mark.parametrize(("sentence", "statement"), ENDED)
def test_the_end_of_a_state_clashes_with_its_present(sentence: str, statement: str) -> None:
    assert "years" in conflicts(sentence, statement)
    assert "years" in conflicts(statement, sentence)


def test_no_longer_than_compares_two_lengths() -> None:
    sentence = "The bridge is no longer than the tunnel."
    assert "years" not in conflicts(sentence, "The bridge is still shorter than the tunnel.")


@pytest.mark.parametrize(("sentence", "statement"), DENIED)
def test_a_denial_is_found_in_a_passive_and_beside_another(sentence: str, statement: str) -> None:
    assert "denial" in conflicts(sentence, statement)
    assert "denial" in conflicts(statement, sentence)


@pytest.mark.parametrize(
    ("sentence", "statement"), [*NOT_ENDED, *NOT_DENIED, *SAME_IN_OTHER_WORDS, *SAME_LIMIT]
)
def test_a_rewording_has_no_conflict(sentence: str, statement: str) -> None:
    assert clashes(sentence, statement) == {}
    assert clashes(statement, sentence) == {}


@pytest.mark.parametrize("sentence", REMINDERS)
def test_a_reminder_in_the_form_of_a_question_makes_the_claim(sentence: str) -> None:
    assert clashes(sentence, "The union endorsed the senator.") == {}


@pytest.mark.parametrize(("sentence", "statement"), [*OTHER_SHARE, *STILL_DIFFERENT])
def test_another_share_rank_or_side_is_another_claim(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement)
    assert conflicts(statement, sentence)


@pytest.mark.parametrize(("sentence", "statement"), PLANNED)
def test_a_plan_is_not_yet_a_fact(sentence: str, statement: str) -> None:
    assert "plan" in conflicts(sentence, statement)
    assert "plan" in conflicts(statement, sentence)
