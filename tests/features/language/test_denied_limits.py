"""Denials that set a limit or a date, beside texts that name it without a denial."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes

SAME_LIMIT = [
    ("Thanks to me, no sailor pays more than 40 dollars for a berth.", "My bill capped the price of a berth for sailors at 40 dollars."),
    ("Half of the pilots haven't even got 500 dollars saved up.", "Half of the pilots have less than 500 dollars in savings."),
    ("It took until 1952 before miners could vote in Lorne.", "Lorne did not let miners vote until 1952."),
    ("Only in 1952 did Lorne give miners the vote.", "Lorne did not let miners vote until 1952."),
    ("You have to go back to 1988 to see a budget passed on time.", "The council has not passed its budget on time since 1988."),
    ("The last time the council passed its budget on time was in 1988.", "The council has not passed its budget on time since 1988."),
    ("Not since Moss had a mayor left with fewer jobs, until Ames did.", "Ames is the first mayor since Moss to leave with fewer jobs."),
]  # fmt: skip
DENIED = [
    ("Lorne let miners vote until 1952.", "Lorne did not let miners vote until 1952."),
    ("Sailors pay more than 40 dollars for a berth.", "No sailor pays more than 40 dollars for a berth."),
    ("The council has passed its budget on time since 1988.", "The council has not passed its budget on time since 1988."),
    ("Half of the pilots don't have 500 dollars in savings.", "Half of the pilots have 500 dollars in savings."),
    ("Ames isn't the first mayor since Moss to leave with fewer jobs.", "Ames is the first mayor since Moss to leave with fewer jobs."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), SAME_LIMIT)
def test_a_denied_limit_is_no_denial_of_the_limit(sentence, statement):
    assert "denial" not in clashes(sentence, statement)
    assert "denial" not in clashes(statement, sentence)


@pytest.mark.parametrize(("sentence", "statement"), DENIED)
def test_a_denial_without_its_limit_clashes(sentence, statement):
    assert "denial" in clashes(sentence, statement)
    assert "denial" in clashes(statement, sentence)
