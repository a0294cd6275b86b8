"""Names of a window, and the order of candidates with what the window adds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.matches import context
from features.window import Window
from tests.training.shared.made import IDS, example
from training.shared.debates import Pair
from training.shared.examples import Example, linked


def test_light_co_reference_puts_the_names_around_before_the_sentence() -> None:
    """In a fixed order, and nothing else of what was said."""
    texts = ["We asked Senator Maria Lopez about Ohio.", "Then we left.", "He voted against it."]
    assert context.named(Window(2, 0), texts, 2) == "lopez maria ohio He voted against it."
    assert context.named(Window(1, 0), texts, 2) == "He voted against it."


def searched(name: str, seed: int) -> context.Searched:
    """A linked debate of twenty sentences; the window is near the right claim only, which the sentence may not find."""
    made = example(name, seed=seed)
    pairs = tuple(Pair(pair.line, pair.claim, linked=True) for pair in made.debate.pairs)
    values = np.random.default_rng(seed).normal(size=made.inputs.values.shape).astype(np.float32)
    one = linked(replace(made.debate, pairs=pairs), replace(made.inputs, values=values), IDS)
    around = np.where(one.right[:, None], 3.0, 0.0) * np.ones(len(context.AROUND))
    return context.Searched(one, around, ~one.right | (one.inputs.sentence < 8))


@pytest.mark.parametrize(("further", "around"), [(False, False), (False, True), (True, False), (True, True)])
def test_what_is_read_are_the_pairs_and_inputs_asked_for(further: bool, around: bool) -> None:
    """Without the further search its pairs are gone, without the window its inputs are."""
    one = searched("20160101_A", 1)
    read = context.as_read(one, further=further, around=around)
    assert len(read.inputs) == len(read.right) == (len(one.alone) if further else one.alone.sum())
    assert read.inputs.values.shape[1] == len(read.inputs.names)
    assert (read.inputs.names[-1] == context.AROUND[-1]) == around


def test_a_claim_that_is_no_candidate_counts_nothing_and_a_near_window_puts_it_first() -> None:
    """With the window's search and inputs every right claim is first; by the sentence alone some have no place."""
    made = [searched(name, seed) for seed, name in enumerate(("20160101_A", "20160201_B", "20160301_C"), 1)]
    folds = {one.example.debate.name: i for i, one in enumerate(made)}
    with_links = [np.unique(one.example.inputs.sentence[one.example.right]) for one in made]

    def places(further: bool, around: bool) -> np.ndarray:
        read: list[Example] = [context.as_read(one, further=further, around=around) for one in made]
        held = context.held_out(read, folds).reshape(3, -1)
        return np.concatenate([held[i][linked_to] for i, linked_to in enumerate(with_links)])

    by_sentence, by_window = places(False, False), places(True, True)
    assert np.isinf(by_sentence).any() and np.isfinite(by_sentence).any()
    assert (by_window == 1).all()


def test_a_curve_has_a_row_for_each_share_of_the_debates(tmp_path: Path) -> None:
    """Of none at all an order is learnt from annotated debates alone; the fold of a debate never teaches for it."""
    made = [searched(name, seed) for seed, name in enumerate(("20150101_A", "20160201_B", "20160301_C"), 1)]
    first, *linked_ = (context.as_read(one, further=True, around=False) for one in made)
    pairs = tuple(replace(pair, verdict="true", judged=True) for pair in first.debate.pairs)
    read = [replace(first, debate=replace(first.debate, pairs=pairs)), *linked_]
    folds = {one.debate.name: fold for fold, one in enumerate(linked_)}
    names = [[one.debate.name for one in context.taught(read, folds, 0, one_in)] for one_in in (0, 1)]
    assert names == [["20150101_A"], ["20150101_A", "20160301_C"]]
    context.write_curve(read, folds, tmp_path / "links.csv")
    rows = (tmp_path / "links.csv").read_text("utf-8").splitlines()
    assert len(rows) == 1 + len(context.SHARES) and (tmp_path / "links.png").exists()
