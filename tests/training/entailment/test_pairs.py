"""The learning curve by pairs: parts inside each other, equal passes, a line through the rows."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.training.conftest import write_rows
from training.entailment import pairs as nli_pairs
from training.entailment.pairs import SHARES, at, finished, nested, passes
from training.shared import cards
from training.shared.loaders import LABELS, Pair

PAIRS = [Pair("word " * (i % 7 + 1), str(i), i % 3, "x") for i in range(320)]


def test_each_part_is_the_beginning_of_the_next() -> None:
    """What a smaller part holds a larger one holds too; the last is everything."""
    parts = nested(PAIRS, seed=3)
    assert [len(part) for part in parts] == [320 // share for share in SHARES]
    assert all(large[: len(small)] == small for small, large in zip(parts, parts[1:], strict=False))
    assert sorted(parts[-1]) == sorted(PAIRS)


@pytest.mark.parametrize("count", [1, 3])
def test_every_pair_is_read_once_a_pass(count: int) -> None:
    """So many passes, so many readings of each pair."""
    read = Counter(pair for batch in passes(PAIRS, count, seed=4) for pair in batch)
    assert set(read.values()) == {count} and len(read) == len(PAIRS)


def test_the_line_is_straight_over_doublings() -> None:
    """A gain of .05 a doubling goes on as such."""
    assert at([1000, 2000, 4000], [0.4, 0.45, 0.5], 16_000) == pytest.approx(0.6)


def test_finished_parts_are_not_learnt_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are there stay as they are; the others are learnt, and the picture is drawn."""
    row = {"premise": "A.", "hypothesis": "B.", "label": LABELS[0]}
    for name in ("mnli_train_merged", "mnli_dev_matched", "snli_dev"):
        write_rows(tmp_path / "nli" / f"{name}.jsonl.gz", [row] * 32)
    cards.append_row(tmp_path / "nli-pairs.csv", nli_pairs.HEADER, (2, 1, 0.35, 0.34, 1.1))
    learnt: list[int] = []

    def learn(part: list[Pair], *_: object) -> dict[str, float]:
        learnt.append(len(part))
        return {"matched": 0.5, "snli": 0.4, "loss": 1.0}

    monkeypatch.setattr(nli_pairs, "learn", learn)
    monkeypatch.setattr(nli_pairs, "READ", 4)
    monkeypatch.setattr(sys, "argv", ["x", "--data", str(tmp_path), "--out", str(tmp_path)])
    nli_pairs.main()
    assert learnt == [4, 8, 16, 32]
    assert list(finished(tmp_path / "nli-pairs.csv")) == [2, 4, 8, 16, 32]
    assert finished(tmp_path / "nli-pairs.csv")[2]["matched"] == 0.35
    assert (tmp_path / "nli-pairs.png").read_bytes().startswith(b"\x89PNG")
