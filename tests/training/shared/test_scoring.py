"""Rows of a table, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.training.shared.made import IDS, example
from training.shared import gold, scoring
from training.shared.scoring import Scores

DEBATE = example("20160101_A")
RELEVANT = np.flatnonzero(DEBATE.relevant)


def perfect() -> dict[str, Scores]:
    """Scores that put everything right first."""
    return {DEBATE.debate.name: Scores(DEBATE.relevant.astype(float), DEBATE.right.astype(float))}


def test_perfect_scores_give_one_everywhere() -> None:
    """All means are 1 when relevant sentences and right claims come first."""
    score_row = scoring.row("perfect", [DEBATE], perfect(), gold.verdicts([DEBATE.debate]), IDS)
    assert dict.fromkeys(scoring.COLUMNS, 1.0) == {
        name: score_row[name] for name in scoring.COLUMNS
    }
    assert score_row["folds"] == {DEBATE.debate.name: 1.0}


def test_wrong_claims_take_h_and_0_but_not_map() -> None:
    """Right sentences with wrong claims: MAP 1, MAP_H and MAP_0 0, MAP_05 a half."""
    scores = {
        DEBATE.debate.name: Scores(DEBATE.relevant.astype(float), -DEBATE.right.astype(float))
    }
    score_row = scoring.row("wrong claims", [DEBATE], scores, gold.verdicts([DEBATE.debate]), IDS)
    assert score_row["MAP"] == 1.0
    assert score_row["MAP_0_3"] == 0.0
    assert score_row["MAP_05_3"] == 0.5
    assert score_row["MAP_H_3"] == 0.0
    assert score_row["Hit@1"] == 0.0


def test_a_relevant_sentence_without_its_claim_counts_as_missed() -> None:
    """Hit@1 is over all relevant sentences, also those whose right claim is no candidate."""
    debate = DEBATE.debate
    scores = perfect()
    verdicts = gold.verdicts([debate])
    verdicts.claims[debate.item(int(RELEVANT[0]) + 1)] = {"elsewhere": 1}
    score_row = scoring.row("one missing", [DEBATE], scores, verdicts, IDS)
    assert pytest.approx(1 - 1 / len(RELEVANT), abs=1e-4) == score_row["Hit@1"]


def two() -> gold.Gold:
    """Sentence 2 has one right claim, sentence 10 has two; as text "10" would come first."""
    claims = {"D_0002": {"a": 1}, "D_0010": {"a": 1, "b": 1}}
    return gold.Gold({"D": {"10": 1, "2": 1}}, claims)


def test_map_inner_from_places() -> None:
    """AP 1/2 and (1/1 + 2/4) / 2; a claim that was not found counts in the denominator."""
    ranks_by_item = {"D_0002": [2], "D_0010": [4, 1]}
    assert scoring.map_inner(ranks_by_item, two()) == pytest.approx((0.5 + 0.75) / 2)
    assert scoring.map_inner({"D_0010": [1]}, two()) == pytest.approx((0 + 0.5) / 2)


def test_the_slip_averages_the_last_sentence_of_each_debate() -> None:
    """Line 10, not line 2."""
    ranks_by_item = {"D_0002": [2], "D_0010": [4, 1]}
    assert scoring.map_inner(ranks_by_item, two(), gold.Slips(last_sentence=True)) == pytest.approx(
        0.75
    )


def test_a_paper_s_number_stands_under_ours() -> None:
    """Three lines of one width: ours, as of the event, and what the paper has."""
    score_row = scoring.row("bertscore", [DEBATE], perfect(), gold.verdicts([DEBATE.debate]), IDS)
    own_line, late, paper = scoring.lines(score_row | {"as_of_event": score_row}, {"MAP": 0.076})
    assert len(own_line) == len(late) == len(paper) == len(scoring.head())
    assert paper.split() == ["paper", "0.076"]
    assert paper.index("0.076") == own_line.index("1.000")


def test_aps_by_debate_have_a_line_for_each_system_or_each_debate() -> None:
    """Few debates are columns; of many, each has its line."""
    few = [{"system": "s", "folds": {"20160101_A": 0.5}}]
    assert scoring.fold_lines(few, {"20160101_A": 4})[0].split() == [
        "AP",
        "by",
        "debate",
        "20160101_A(4)",
    ]
    long_rows = [{"system": "s", "folds": {f"{i}_D": 0.5 for i in range(20)}}]
    assert len(scoring.fold_lines(long_rows, {})) == 21


def test_a_line_stands_under_its_head() -> None:
    """Both have the same width, and the system comes first."""
    score_row = scoring.row("perfect", [DEBATE], perfect(), gold.verdicts([DEBATE.debate]), IDS)
    assert len(scoring.line(score_row)) == len(scoring.head())
    assert scoring.line(score_row).split()[:2] == ["perfect", "1.000"]
