"""Tests made of edits: which statements they take, and that refused pairs do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.entailment import edit_tests
from training.entailment.edit_tests import ENTAILMENT, SAME_CLAIM
from training.entailment.stress import ENTAILED, NOT_ENTAILED


def patched(
    monkeypatch: pytest.MonkeyPatch, claims: list[dict], first_of_train: str = "c9"
) -> None:
    """Give the tests these claims.

    Ids from ``first_of_train`` on belong to the part that training reads.
    """
    monkeypatch.setattr(edit_tests, "training_claims", lambda _: claims)
    monkeypatch.setattr(edit_tests, "unlinked_sentences", lambda *_, **__: ["We love this state."])
    monkeypatch.setattr(
        edit_tests,
        "part_of",
        lambda claim: "train" if claim.startswith("c") and claim >= first_of_train else "test",
    )


def test_a_claim_is_edited_once_and_only_from_its_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No statement has two edits, and each is of the part that training does not read."""
    claims = [
        {"id": f"c{i}", "statement": f"Ohio built {i + 20} homes in 1971, but rents rose."}
        for i in range(60)
    ]
    patched(monkeypatch, claims, "c5")
    drawn_claims = [claim for claim, _ in SAME_CLAIM.drawn(tmp_path)]
    assert drawn_claims
    assert len(set(drawn_claims)) == len(drawn_claims)
    assert max(drawn_claims) < "c5"


def test_refused_edits_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only kinds of which entailment follows are made, and what the reader refused does not count."""
    refused = [f"vclaim-pol-{number}" for number in ENTAILMENT.refused.split()[:2]]
    claims = [{"id": i, "statement": "Ohio built 30 homes in 1971."} for i in (*refused, "c1")]
    claims += [
        {"id": f"c{i}", "statement": f"Ohio built {i} homes in 1971, but rents rose."}
        for i in range(20, 60)
    ]
    patched(monkeypatch, claims)
    test = ENTAILMENT._replace(each=6)
    drawn_edits = test.drawn(tmp_path)
    accepted = test.accepted(tmp_path)
    lost = [pair for claim, pair in drawn_edits if claim in refused]
    assert accepted == [pair for _, pair in drawn_edits if pair not in lost]
    assert {pair.source for pair in accepted} <= {*NOT_ENTAILED, *ENTAILED}
    assert len(lost) == 2
    assert len(accepted) > 20
