"""The published method's rows and folds, on made-up measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.check.rankers import Pooling
from bench.paper import published, tables
from bench.paper.method import Folds, Variant, claim_places, rows, single
from bench.paper.whole_database import PLACED, Whole
from features.similarity.catalogue import COLUMN, NAMES
from training.shared import gold
from training.shared.debates import Debate, Pair

NAMES_OF = ("20160101_A", "20160201_B", "20160301_C", "20160401_D")


def made(seed: int, n: int = 12) -> Whole:
    """Every fourth sentence is relevant and has high measures.

    The first claim of the gate is half-true.
    """
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 0.4, (n, 5, 19)).astype(np.float32)
    X[::4, 1] += 0.5
    half = np.zeros((n, 5), bool)
    half[:, 0] = True
    usable = np.stack([X, np.where(half[:, :, None], 0, X)])
    largest = np.zeros((2, n, 19, 30), np.float32)
    largest[..., :5] = -np.sort(-usable.transpose(0, 1, 3, 2), axis=3)
    place_table = np.tile([1, 3, 0], (len(PLACED), 1)).astype(np.int32)
    return Whole(
        np.tile(np.arange(5), (n, 1)),
        X,
        half,
        largest,
        place_table,
        ((1, "c1"), (5, "c2"), (9, "c3")),
    )


@pytest.fixture
def folds(tmp_path: Path) -> Folds:
    """Four debates in both settings."""
    lines = tuple(range(1, 13))
    pairs = tuple(Pair(line, claim, "true", "agree", True) for line, claim in made(0).pairs)
    debates = [
        Debate(name, 736000 + i, lines, ("",) * 12, ("",) * 12, pairs)
        for i, name in enumerate(NAMES_OF)
    ]
    whole_scores = {
        (d.name, late): made(2 * i + late) for i, d in enumerate(debates) for late in (False, True)
    }
    relevant = {debate_key: np.arange(12) % 4 == 0 for debate_key in whole_scores}
    return Folds(debates, whole_scores, relevant, tmp_path)


def test_the_readings_of_the_pooling() -> None:
    """Code: the largest of each measure, half-true at 0.

    Text: the maximum over the first usable ones.
    """
    whole_scores = made(0)
    used = ("bertscore",)
    # (n, k): the first candidate of each sentence is half-true.
    values = whole_scores.X[:, :, COLUMN["bertscore"]]
    usable_values = values[:, 1:]

    code = rows(whole_scores, Pooling("code", 2, used=used))
    text = rows(whole_scores, Pooling("text", 2, used=used))
    text_with_all = rows(whole_scores, Pooling("text", 2, False, used))
    retrieved = rows(whole_scores, Pooling("retrieved", 2, False, used))

    two_largest = -np.sort(-usable_values, axis=1)[:, :2]
    assert code == pytest.approx(two_largest)
    assert text[:, 0] == pytest.approx(usable_values[:, :2].max(axis=1))
    assert text_with_all[:, 0] == pytest.approx(values[:, :2].max(axis=1))
    assert retrieved == pytest.approx(values[:, :2])


def test_held_out_scores_find_what_tells_relevant_sentences(folds: Folds) -> None:
    """In both settings, on debates that were not learnt from."""
    scores = folds.left_out(Variant(Pooling("code", 3)))
    assert set(scores) == set(folds.whole)
    assert all(folds.ap(scores, debate_key) > 0.9 for debate_key in scores)


def test_a_debate_that_is_left_out_teaches_nothing(folds: Folds) -> None:
    """Turning its labels round changes none of its own scores."""
    variant = Variant(Pooling("text", 2), C=0.1)
    early_scores = folds.scores(variant, [NAMES_OF[0]])
    relevant = folds.relevant | {(NAMES_OF[0], False): ~folds.relevant[NAMES_OF[0], False]}
    turned = Folds(folds.debates, folds.whole, relevant, folds.cache)
    turned_scores = turned.scores(variant, [NAMES_OF[0]])
    assert all(
        np.array_equal(early_scores[debate_key], turned_scores[debate_key])
        for debate_key in early_scores
    )


def test_the_choice_is_made_without_the_tested_debate(folds: Folds) -> None:
    """The inner value of a variant is the mean AP of the other debates in both settings, each left out with it."""
    variant = Variant(Pooling("code", 1))
    values = []
    for name in NAMES_OF[1:]:
        scores = folds.scores(variant, sorted((NAMES_OF[0], name)))
        values += [folds.ap(scores, (name, late)) for late in (False, True)]
    assert folds.inner(variant, NAMES_OF[0]) == pytest.approx(np.mean(values))
    blind = Variant(Pooling("code", 1, used=("nli_neutral",)), C=1e-9)
    chosen_variants = folds.chosen([blind, variant])
    assert np.array_equal(
        chosen_variants[NAMES_OF[0], True], folds.scores(variant, [NAMES_OF[0]])[NAMES_OF[0], True]
    )


def test_what_was_learnt_is_read_again(folds: Folds) -> None:
    """A second object finds the scores in the cache; another C makes its own."""
    folds.left_out(Variant(Pooling("code", 1)))
    cached_count = len(list(folds.cache.iterdir()))
    Folds(folds.debates, folds.whole, folds.relevant, folds.cache).left_out(
        Variant(Pooling("code", 1))
    )
    assert len(list(folds.cache.iterdir())) == cached_count
    folds.left_out(Variant(Pooling("code", 1), C=0.5))
    assert len(list(folds.cache.iterdir())) == 2 * cached_count


def test_single_measures_take_the_largest_over_the_database(folds: Folds) -> None:
    """One measure, and the sum of two of the same pair."""
    debate_key = NAMES_OF[0], False
    whole_scores = folds.whole[debate_key]
    assert single(folds.whole, "sbert_title")[debate_key] == pytest.approx(
        whole_scores.X[:, :, COLUMN["sbert_title"]].max(axis=1)
    )
    two = (
        whole_scores.X[:, :, COLUMN["nli_entailment"]]
        + whole_scores.X[:, :, COLUMN["nli_contradiction"]]
    )
    assert single(folds.whole, "nli_entailment+contradiction")[debate_key] == pytest.approx(
        two.max(axis=1)
    )


def test_a_claim_outside_the_database_has_no_place() -> None:
    """The third pair's claim is not there."""
    assert list(claim_places(made(0), "bm25_body")) == [(1, "c1", 1), (5, "c2", 3)]


def test_rows_of_a_table_count_claims_by_their_places(
    folds: Folds, capsys: pytest.CaptureFixture
) -> None:
    """Of three relevant sentences one has its claim first, two among the first three, one has none."""
    golds = {late: gold.verdicts(folds.debates) for late in (False, True)}
    on = tables.Ground(folds, golds, gold.Slips())
    (table_row,) = tables.show(
        on, iter([tables.Result("bertscore", single(folds.whole, "bertscore"))])
    )
    assert table_row["MAP"] == pytest.approx(1.0)
    assert table_row["Hit@1"] == pytest.approx(1 / 3, abs=1e-4)
    assert pytest.approx((1 + 1 / 3 + 0) / 3, abs=1e-4) == table_row["MAP_inner"]
    assert table_row["MAP_H_1"] <= table_row["MAP_H_3"] <= table_row["MAP_0_3"] <= table_row["MAP"]
    assert set(table_row["folds"]) == set(NAMES_OF)
    assert table_row["as_of_event"]["system"] == "bertscore"
    assert "0.076" in capsys.readouterr().out


def test_every_row_of_the_paper_has_one_of_ours() -> None:
    """The single measures, every method and N, and the ablations.

    And our names are the contract's.
    """
    singles = set(tables.SINGLE)
    assert set(published.SINGLE) == set(published.TABLE_3) <= singles
    assert set(published.ABLATIONS) == set(tables.ABLATIONS)
    assert {int(name.split()[1]) for name in published.RANKSVM} == set(tables.DEPTHS)
    assert published.beside("ranksvm-max-skip/code/rbf/N=5")["MAP"] == 0.522
    assert published.beside("without nli/text/linear")["MAP"] == 0.475
    assert published.beside("ranksvm-max-skip/code/rbf/N=5/C=0.01") is None
    assert published.beside("lectern") is None
    assert Variant(Pooling("text", 5), "rbf").name == "text/rbf/N=5"
    assert Variant(Pooling("retrieved", 3), C=0.01).name == "linear/N=3/C=0.01"


def test_the_paper_s_columns_keep_their_laws() -> None:
    """MAP_0.5 is the mean of MAP and MAP_0, and MAP_H <= MAP_0 <= MAP, to the third decimal, in every row."""
    for table in (published.SINGLE, published.RANKSVM, published.ABLATIONS):
        for table_row in table.values():
            for r in (1, 3):
                assert (
                    pytest.approx((table_row["MAP"] + table_row[f"MAP_0_{r}"]) / 2, abs=0.00101)
                    == table_row[f"MAP_05_{r}"]
                )
                assert (
                    table_row[f"MAP_H_{r}"]
                    <= table_row[f"MAP_0_{r}"] + 1e-9
                    <= table_row["MAP"] + 2e-9
                )


def test_ablations_leave_out_a_family_or_a_field() -> None:
    """Without the statement also BERTScore and NLI go, which read nothing else."""
    assert len(tables.ABLATIONS["without nli"]) == 16
    assert len(tables.ABLATIONS["without title"]) == 16
    kept_columns = tables.ABLATIONS["without statement"]
    assert set(NAMES) - set(kept_columns) == {
        *("bertscore", "nli_entailment", "nli_neutral", "nli_contradiction"),
        *("simcse_statement", "sbert_statement", "bm25_statement"),
    }
