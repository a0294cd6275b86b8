"""The real data folder, where there is one: counts, and what may never train together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.paper import counting
from training.shared import debates as data
from training.shared import gold

FOLDER = os.environ.get("LECTERN_DATA", "")
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not FOLDER, reason="LECTERN_DATA does not name the data folder"),
]


def test_the_seven_are_not_among_the_sixty_three() -> None:
    """By name, and by the number of sentences that are left."""
    other_debates = data.others(Path(FOLDER))
    assert len(other_debates) == 63
    assert not {d.name for d in other_debates} & set(data.SEVEN)
    assert sum(len(d.texts) for d in other_debates) == 59_236


def test_queries_without_the_seven() -> None:
    """Task 2B holds 32 queries of the seven; none is left."""
    remaining_count = sum(
        len(data.queries(Path(FOLDER) / "checkthat2b", split)[0]) for split in ("train", "dev")
    )
    assert remaining_count == 591 - 32


def test_counts_of_table_2() -> None:
    """125 verifiable sentences with 199 pairs; the published slip gives 126."""
    debates = data.seven(Path(FOLDER))
    total = counting.table_2(debates)[-1]
    assert total["sentences"] == 5054
    assert total["verdict_sentences"] == 125
    assert total["verdict_pairs"] == 199
    assert total["stance_sentences"] == 228
    assert total["stance_pairs"] == 412
    assert (
        sum(
            map(
                len, gold.verdicts(debates, slips=gold.Slips(empty_verdict=True)).sentences.values()
            )
        )
        == 126
    )
