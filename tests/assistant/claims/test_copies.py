"""A flood of copies hides no other fact-check."""

import numpy as np
import pytest

from assistant.claims import copies


def excess(statements, classes, publishers, days=None, allowed=None):
    days = np.zeros(len(statements), np.int32) if days is None else np.array(days, np.int32)
    allowed = np.ones(len(statements), bool) if allowed is None else np.array(allowed)
    return copies.excess_copies(statements, classes, publishers, days, allowed)


@pytest.mark.threat("publisher")
def test_a_few_of_many_copies_are_searched():
    statements = ["The tunnel is closed."] * 400 + ["The tunnel is closed."]
    publishers = [f"Flood {number}" for number in range(400)] + ["PolitiFact"]
    left_out = excess(statements, ["TRUE"] * 400 + ["FALSE"], publishers)

    assert int((~left_out).sum()) == copies.MAX_COPIES + 1
    assert not left_out[400]


@pytest.mark.threat("publisher")
def test_publishers_with_many_fact_checks_come_first():
    statements = ["Same."] * 5 + ["Other."]
    publishers = ["A", "B", "C", "D", "PolitiFact", "PolitiFact"]

    assert not excess(statements, ["TRUE"] * 6, publishers)[4]


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "copy", ["the TUNNEL is closed!", "The  tunnel — is closed", "The tunnel is closed"]
)
def test_signs_and_case_make_no_other_statement(copy):
    statements = ["The tunnel is closed."] * 3 + [copy]

    assert int(excess(statements, ["TRUE"] * 4, ["A", "B", "C", "D"]).sum()) == 1


def test_few_copies_are_all_searched():
    assert not excess(["Same."] * 3, ["TRUE"] * 3, ["A", "B", "C"]).any()


def test_other_figures_are_another_statement():
    statements = [f"It cost {number} dollars." for number in range(9)]

    assert not excess(statements, ["TRUE"] * 9, ["A"] * 9).any()


def test_only_allowed_claims_count_as_copies():
    allowed = [False, False, True, True, True]

    assert not excess(["Same."] * 5, ["TRUE"] * 5, ["A"] * 5, allowed=allowed).any()
