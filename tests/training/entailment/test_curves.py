"""Curves over the pairs of a hard set: folds that share nothing, parts inside each other, no test opened."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from tests.training.conftest import write_rows
from training.entailment import curves as nli_curves
from training.entailment.curves import SHARES, Fold, Named, Point, anli, folds, groups, line, monli, part_of, right
from training.shared import cards
from training.shared.classifier import Run, Trainer, make_trainer
from training.shared.loaders import LABELS, Pair

NAMES = st.lists(st.frozensets(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=2), min_size=1, max_size=40)


def named(names: list[frozenset[str]]) -> list[Named]:
    """Return pairs with these names."""
    return [Named(Pair(str(i), "x", i % 3, "a"), found) for i, found in enumerate(names)]


@given(NAMES, NAMES, st.integers(2, 4))
def test_what_is_learnt_shares_no_name_with_what_is_held(
    own: list[frozenset[str]], others: list[frozenset[str]], count: int
) -> None:
    """Every pair is held out once; the rest is all that shares no name, of either kind."""
    mine, beside = named(own), [Named(Pair(f"other {i}", "x", 0, "b"), found) for i, found in enumerate(others)]
    names = {pair: found for pair, found in (*mine, *beside)}
    made = folds(mine, beside, count)
    assert sorted(pair for fold in made for pair in fold.held) == sorted(pair for pair, _ in mine)
    for fold in made:
        held = {name for pair in fold.held for name in names[pair]}
        assert all(held.isdisjoint(names[pair]) for pair in fold.rest)
        assert {pair for pair, found in mine if held.isdisjoint(found)} == set(fold.rest) - {p for p, _ in beside}
        assert set(fold.held).isdisjoint(fold.rest)


@given(NAMES)
def test_groups_are_those_that_names_tie_together(names: list[frozenset[str]]) -> None:
    """Against closures grown name by name."""
    numbers = groups(named(names))
    for i, first in enumerate(names):
        reached = set(first)
        while (grown := reached.union(*(n for n in names if n & reached))) != reached:
            reached = grown
        assert [number == numbers[i] for number in numbers] == [bool(n & reached) for n in names]


@given(st.integers(1, 200), st.integers(0, 5))
def test_each_part_is_the_beginning_of_the_next(count: int, seed: int) -> None:
    """From nothing to all of the rest."""
    fold = Fold([], [], [Pair(str(i), "x", 0, "a") for i in range(count)])
    parts = [part_of(fold, share, seed=seed) for share in SHARES]
    assert parts[0] == [] and sorted(parts[-1]) == sorted(fold.rest)
    assert all(large[: len(small)] == small for small, large in zip(parts, parts[1:], strict=False))


def test_a_line_is_followed_with_its_interval() -> None:
    """Of a gain of a tenth a doubling; every cluster alike, so the interval is nothing wide."""
    flags = np.array([[int(i < hits) for hits in (2, 3, 4, 5)] for i in range(10)])
    whole = np.tile(flags, (3, 1))
    args = argparse.Namespace(set="monli", seed=3)
    told = line([250, 500, 1000, 2000], whole, np.repeat([0, 1, 2], 10), args).splitlines()
    assert told[0].startswith("0.100 (0.100 to 0.100)") and told[1].startswith("0.500 (0.500 to 0.500)")
    spread = line([250, 500, 1000, 2000], whole, np.arange(30), args).splitlines()
    low, high = spread[1].partition("(")[2].partition(")")[0].split(" to ")
    assert float(low) < 0.45 < 0.55 < float(high)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder of the sets that may be read; there is no test in it."""
    for part, count in (("anli_r1_dev", 12), ("anli_r2_dev", 8), ("anli_r3_dev", 8), ("anli_train_sample", 4)):
        made = [
            {"premise": f"Dam {i // 2} is {part}.", "hypothesis": f"It is {i}.", "label": LABELS[i % 3]}
            for i in range(count)
        ]
        made[0]["premise"] = "dam 0, is anli_r1_dev"
        write_rows(tmp_path / "nli" / f"{part}.jsonl.gz", made)
    said = [{"premise": f"A {i}.", "hypothesis": "B.", "label": LABELS[i % 3]} for i in range(40)]
    for name in ("mnli_train_merged", "mnli_dev_matched"):
        write_rows(tmp_path / "nli" / f"{name}.jsonl.gz", said)
    words = [("dog", "poodle"), ("dogs", "poodles"), ("Cat", "tabby"), ("rose", "flower")] * 4
    kept = [
        {"premise": f"No {a} {i}.", "hypothesis": f"No {b}.", "label": LABELS[i % 2], "lex": [a, b]}
        for i, (a, b) in enumerate(words)
    ]
    write_rows(tmp_path / "stress" / "monli_nmonli_train.jsonl.gz", [*kept, kept[0]])
    return tmp_path


def test_pairs_of_a_premise_are_held_together_and_learnt_by_no_other_set(folder: Path) -> None:
    """A premise of another round that differs in signs and capitals is the same premise."""
    for fold in folds(*anli(folder), 3):
        premises = {pair.premise for pair in fold.held}
        assert len(fold.held) == 4 and premises.isdisjoint(pair.premise for pair in fold.rest)
        same = [pair for pair in fold.rest if pair.premise.lower().startswith("dam 0, is anli_r1")]
        assert len(same) == (0 if "dam 0, is anli_r1_dev" in premises else 4)


def test_a_plural_is_its_word_and_a_repeated_pair_counts_once(folder: Path) -> None:
    """Sixteen pairs of three groups of words."""
    own, others = monli(folder)
    assert len(own) == 16 and others == [] and len(set(groups(own))) == 3


def test_two_labels_are_entailment_and_not() -> None:
    """Contradiction called for a neutral pair of MoNLI is right; for another set it is not."""

    class Says(Trainer):
        def __init__(self) -> None: ...

        def logits(self, pairs: object, *, size: int = 64) -> object:
            import torch

            return torch.eye(3)[[2, 0]]

    pairs = [Pair("a", "b", 1, "x"), Pair("a", "b", 1, "x")]
    assert right(Says(), pairs, "monli") == [1, 0] and right(Says(), pairs, "anli") == [0, 0]


def test_a_curve_from_weights_to_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fold at every point is learnt once and kept; the rows are there and drawn; no test is needed."""
    start = make_trainer(labels=3, max_length=16, seed=1, precision="fp32").shipped()
    save_file(
        {"classifier.bias": start["classifier.bias"], "same.bias": start["classifier.bias"].clone()}, folder / "start"
    )
    drawn: list[str] = []
    taken: list[int] = []

    def train(trainer: Trainer, order: list[list[Pair]], score: object, run: Run) -> None:  # without checkpoints
        taken.append(sum(len(batch) for batch in order))
        for batch in order:
            trainer.learn(batch, run.rate)

    monkeypatch.setattr(nli_curves, "train", train)
    monkeypatch.setattr(cards, "draw_curve", lambda path, over="step": drawn.append(path.name))
    monkeypatch.setattr(nli_curves, "SHARES", (0, 2, 1))
    monkeypatch.setattr(nli_curves, "MATCHED", 4)
    monkeypatch.setattr(nli_curves, "DRAWS", 20)
    places = [
        "--data",
        str(folder),
        "--start",
        str(folder / "start"),
        "--out",
        str(folder),
        "--work",
        str(folder / "w"),
    ]
    monkeypatch.setattr(sys, "argv", ["x", "monli", *places, "--folds", "2", "--twice", "1"])
    nli_curves.main()
    with open(folder / "nli-monli.csv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [int(row["pairs"]) for row in rows] == [0, 4, 8]
    assert all(float(row["accuracy low"]) <= float(row["accuracy"]) <= float(row["accuracy high"]) for row in rows)
    assert (folder / "nli-monli-twice.csv").exists() and drawn[-1] == "nli-monli.csv"
    kept = {path.name: path.stat().st_mtime_ns for path in (folder / "w").glob("*.json")}
    assert len(kept) == 2 * 4 and taken == [0, 8, 16, 0, 8, 16, 32, 32]
    nli_curves.main()
    assert kept == {path.name: path.stat().st_mtime_ns for path in (folder / "w").glob("*.json")}


def test_a_point_begins_at_the_weights(folder: Path, tmp_path: Path) -> None:
    """Where nothing is learnt the trainer gives what the weights give; the head of the same claim is left."""
    start = make_trainer(labels=3, max_length=16, seed=1, precision="fp32").shipped()
    start["classifier.bias"] += 1
    save_file({**start, "same.bias": start["classifier.bias"].clone()}, folder / "start")
    args = argparse.Namespace(set="anli", start=folder / "start", seed=3, every=10)
    trainer = nli_curves.learn(Fold([], [], []), Point(0, 1), [], tmp_path / "none", args)
    began = load_file(folder / "start")
    assert all((tensor == began[name]).all() for name, tensor in trainer.shipped().items())
    assert "same.bias" not in trainer.shipped()
