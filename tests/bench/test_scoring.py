"""Rows of a table, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bench import gold, scoring
from bench.scoring import Scores
from tests.bench.made import IDS, example

DEBATE = example("20160101_A")
RELEVANT = np.flatnonzero(DEBATE.relevant)


def perfect() -> dict[str, Scores]:
    """Scores that put everything right first."""
    return {DEBATE.debate.name: Scores(DEBATE.relevant.astype(float), DEBATE.right.astype(float))}


def test_perfect_scores_give_one_everywhere() -> None:
    """All means are 1 when relevant sentences and right claims come first."""
    row = scoring.row("perfect", [DEBATE], perfect(), gold.verdicts([DEBATE.debate]), IDS)
    assert {name: row[name] for name in scoring.COLUMNS} == dict.fromkeys(scoring.COLUMNS, 1.0)
    assert row["folds"] == {DEBATE.debate.name: 1.0}


def test_wrong_claims_take_h_and_0_but_not_map() -> None:
    """Right sentences with wrong claims: MAP 1, MAP_H and MAP_0 0, MAP_05 a half."""
    scores = {DEBATE.debate.name: Scores(DEBATE.relevant.astype(float), -DEBATE.right.astype(float))}
    row = scoring.row("wrong claims", [DEBATE], scores, gold.verdicts([DEBATE.debate]), IDS)
    assert (row["MAP"], row["MAP_0_3"], row["MAP_05_3"], row["MAP_H_3"], row["Hit@1"]) == (1.0, 0.0, 0.5, 0.0, 0.0)


def test_a_relevant_sentence_without_its_claim_counts_as_missed() -> None:
    """Hit@1 is over all relevant sentences, also those whose right claim is no candidate."""
    debate = DEBATE.debate
    scores = perfect()
    found = gold.verdicts([debate])
    found.claims[debate.item(int(RELEVANT[0]) + 1)] = {"elsewhere": 1}
    row = scoring.row("one missing", [DEBATE], scores, found, IDS)
    assert row["Hit@1"] == pytest.approx(1 - 1 / len(RELEVANT), abs=1e-4)


def test_a_line_stands_under_its_head() -> None:
    """Both have the same width, and the system comes first."""
    row = scoring.row("perfect", [DEBATE], perfect(), gold.verdicts([DEBATE.debate]), IDS)
    assert len(scoring.line(row)) == len(scoring.head())
    assert scoring.line(row).split()[:2] == ["perfect", "1.000"]
