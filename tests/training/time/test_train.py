"""The verifier, its losses and its training, on lists of a few claims made here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from training.shared.resumable_vectors import kept
from training.time import train as temporal
from training.time.lists import Lists
from training.time.model import Batch, Verifier, Words, listmle
from training.time.scores import domain_scores, macro_f1, mean_score, micro_f1

lists_of_scores = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.lists(st.floats(-5, 5, width=32), min_size=n, max_size=n),
            st.lists(st.integers(0, 4), min_size=n, max_size=n),
        ),
        min_size=1,
        max_size=4,
    )
)


@given(lists_of_scores)
def test_the_loss_has_a_finite_gradient(found: list) -> None:
    """Masks and ties included; what it amounts to is tested beside it."""
    scores = torch.tensor([list_row for list_row, _ in found], requires_grad=True)
    listmle(scores, torch.tensor([list_row for _, list_row in found])).sum().backward()
    assert torch.isfinite(scores.grad).all()


def batch(n: int = 3) -> Batch:
    """Return two claims with up to n snippets; the second has one, and only labels 2 and 3."""
    generator = torch.Generator().manual_seed(5)
    there = torch.ones(2, n, dtype=torch.bool)
    there[1, 1:] = False
    allowed = torch.tensor([[True, True, False, False], [False, False, True, True]])
    vectors = torch.randn(2, n, 6, generator=generator)
    return Batch(
        torch.randn(2, 6, generator=generator),
        vectors,
        there,
        torch.tensor([[1, 2], [0, 0]]),
        allowed,
    )


def made() -> Verifier:
    """Return an untrained verifier that hides nothing."""
    torch.manual_seed(3)
    return Verifier(6, 4, 2, hidden=8, dropout=0.0)


def test_other_domains_labels_are_never_given() -> None:
    """The mask of a domain leaves its own labels alone."""
    logits, scores = made()(batch())
    assert logits.argmax(-1)[0] in (0, 1)
    assert logits.argmax(-1)[1] in (2, 3)
    assert tuple(scores.shape) == (2, 3)


def test_a_snippet_that_is_not_there_does_not_count() -> None:
    """Whatever stands in an empty place, the labels are the same."""
    first_batch = batch()
    verifier = made()
    other_snippets = first_batch.snippets.clone()
    other_snippets[1, 1:] = 9.0
    assert torch.allclose(
        verifier(first_batch)[0], verifier(first_batch._replace(snippets=other_snippets))[0]
    )


def test_listmle_moves_the_ranking_module_alone() -> None:
    """The fusion below it learns from the labels only."""
    verifier = made()
    listmle(verifier(batch())[1], torch.tensor([[1, 2, 3], [1, 0, 0]])).sum().backward()
    moved = {
        name.split(".")[0]
        for name, p in verifier.named_parameters()
        if p.grad is not None and p.grad.any()
    }
    assert moved == {"ranking"}


@pytest.mark.parametrize(("kind", "width"), [("bilstm", 8), ("rnn", 4)])
def test_padding_does_not_change_a_text(kind: str, width: int) -> None:
    """A text reads the same alone and beside a longer one; an empty one is zero."""
    torch.manual_seed(1)
    words = Words(torch.randn(9, 5), hidden=4, layers=2, kind=kind).eval()
    short = words(torch.tensor([[3, 4]]))
    padded = words(torch.tensor([[3, 4, 0, 0], [1, 2, 3, 4], [0, 0, 0, 0]]))
    assert tuple(padded.shape) == (3, width)
    assert torch.allclose(short[0], padded[0], atol=1e-6)
    assert not padded[2].any()


labels = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(low, 4), min_size=n, max_size=n) for low in (-1, 0)))
)


@given(labels)
def test_f1_is_scikit_learns(found: tuple[list[int], list[int]]) -> None:
    """Micro and macro, labels that are only given or only found included.

    -1 is a label nobody can find.
    """
    label, given_ = map(np.array, found)
    assert micro_f1(label, given_) == pytest.approx(f1_score(label, given_, average="micro"))
    assert macro_f1(label, given_) == pytest.approx(
        f1_score(label, given_, average="macro", zero_division=0)
    )


def test_a_small_domain_counts_as_much_as_a_large_one() -> None:
    """One domain all right, another of one claim wrong: half of the micro F1."""
    each = domain_scores(
        np.array(["a", "a", "a", "b"]), np.array([0, 1, 0, 2]), np.array([0, 1, 0, 3])
    )
    assert each == {"a": (1.0, 1.0), "b": (0.0, 0.0)}
    assert mean_score(each) == 0.5


def test_vectors_are_made_once_and_go_on_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second call makes none; after an error the parts that were done are not made again."""
    monkeypatch.setattr("training.shared.resumable_vectors.PART", 2)
    texts = [f"{i}" for i in range(5)]
    texts_read = []

    def make(some: list[str]) -> np.ndarray:
        if texts_read and "4" in some:
            texts_read.clear()
            raise KeyboardInterrupt
        texts_read.extend(some)
        return np.array([[float(text), 1.0] for text in some])

    with pytest.raises(KeyboardInterrupt):
        kept(texts, tmp_path, "test", make)
    assert kept(texts, tmp_path, "test", make)[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert texts_read == ["4"]
    assert kept(texts, tmp_path, "test", make).shape == (5, 2)
    assert texts_read == ["4"]
    assert kept([], tmp_path, "test", make).shape == (0, 0)


def small_lists(n: int, seed: int) -> Lists:
    """Return claims of two domains whose label is the sign of their text's vector, the first of sixteen."""
    rng = np.random.default_rng(seed)
    claim = rng.integers(0, 16, n)
    domain = np.array(["a", "b"])[np.arange(n) % 2]
    snippets = rng.integers(0, 16, (n, 3))
    days = rng.integers(-9, 9, (n, 3)).astype(float)
    label = (claim % 2) + 2 * (domain == "b")
    return Lists(claim, snippets, days, np.ones(n, bool), label, domain, np.zeros((n, 2), np.intp))


@pytest.fixture
def ground() -> temporal.Ground:
    """Return a small ground: the vector of text i tells whether i is even."""
    generator = torch.Generator().manual_seed(2)
    vectors = torch.randn(16, 6, generator=generator)
    vectors[:, 0] = torch.where(torch.arange(16) % 2 == 0, 3.0, -3.0)
    splits = {
        split: small_lists(n, seed)
        for split, n, seed in (("train", 64, 1), ("dev", 24, 2), ("test", 8, 3))
    }
    own_lists = {"a": [True, True, False, False], "b": [False, False, True, True]}
    masks = {
        split: torch.tensor([own_lists[name] for name in lists.domain.tolist()])
        for split, lists in splits.items()
    }
    return temporal.Ground(vectors.half(), splits, masks, 2, "cpu")


SETTINGS = temporal.VerifierSettings(hidden=8, dropout=0.0, rate=0.02, epochs=12, tuned=2, batch=16)


def test_a_row_learns_its_labels_and_its_order(ground: temporal.Ground) -> None:
    """All three ways of training give every claim a label of its domain; the labels are learnt."""
    trained_row = temporal.train_row(
        ground, "claim-centred", SETTINGS, seed=1, parts=("dev", "test")
    )
    for stage in temporal.STAGES:
        labels = trained_row["test"][stage]
        assert set(labels[ground.parts["test"].domain == "a"]) <= {0, 1}
        assert set(labels[ground.parts["test"].domain == "b"]) <= {2, 3}
    dev = ground.parts["dev"]
    assert (
        mean_score(domain_scores(dev.domain, dev.label, trained_row["dev"]["all, then each"])) > 0.9
    )


def test_listmle_teaches_the_order(ground: temporal.Ground) -> None:
    """The loss of the order on the training claims falls below that of the start."""
    lists = ground.parts["train"]
    ranks = lists.ranks("search", seed=1)
    start = ground.verifier(SETTINGS, 1)
    end = temporal.fit(ground, start, ranks, SETTINGS, seed=1)
    losses = []
    for verifier in (start, end):
        scores = verifier.eval()(ground.batch("train", np.arange(64)))[1]
        losses.append(float(listmle(scores.detach(), torch.from_numpy(ranks)).mean()))
    assert losses[1] < losses[0]


def test_training_never_does_worse_on_development_than_its_start(ground: temporal.Ground) -> None:
    """The start is one of the epochs to choose from.

    A rate that ruins everything changes nothing.
    """
    start = ground.verifier(SETTINGS, 1)
    wild = temporal.VerifierSettings(hidden=8, rate=50.0, tuned=2, batch=16)
    claim_indices = np.flatnonzero(ground.parts["dev"].domain == "a")
    ranks = ground.parts["train"].ranks("base", seed=1)
    end = temporal.fit(ground, start, ranks, wild, "a", seed=1)
    assert ground.score(end, claim_indices) >= ground.score(start, claim_indices)


def folder(path: Path) -> Path:
    """Write a data folder of sixteen claims and their snippets and return it."""
    (path / "multifc").mkdir(parents=True)
    rng = np.random.default_rng(0)
    snippets = []
    for split, n in (("train", 10), ("dev", 4), ("test", 4)):
        records = []
        for i in range(n):
            domain = ("snes", "para")[i % 2]
            right = ("true", "false")[i // 2 % 2]
            claim = {
                "claim_id": f"{split}-{i}",
                "claim": f"Taxes are {right}.",
                "label": right,
                "domain": domain,
            }
            records.append(
                claim | {"publish_date": "2016-03-0" + str(1 + i % 9), "claim_date": None}
            )
            texts = [f"Mar {int(day)}, 2016 ... It is {right}." for day in rng.integers(1, 28, 2)]
            snippet_records = [
                {"rank": k, "title": "", "text": text} for k, text in enumerate(texts, 1)
            ]
            snippets.append({"claim_id": claim["claim_id"], "snippets": snippet_records})
        if split == "test":
            records.append(records[-1] | {"claim_id": "politifact", "domain": "pomt"})
        _write(path / "multifc" / f"multifc_{split}.jsonl.gz", records)
    _write(path / "multifc" / "snippets.jsonl.gz", snippets)
    return path


def _write(path: Path, records: list[dict]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(record) + "\n" for record in records)


def test_the_command_predicts_test_claims_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """From a data folder to predictions, with an encoder that learns first.

    What is there is not made again.
    """
    small = [
        "--encoder-hidden",
        "4",
        "--encoder-layers",
        "1",
        "--encoder-epochs",
        "1",
        "--hidden",
        "4",
        "--pieces",
        "6",
    ]
    few = [
        "--epochs",
        "1",
        "--tuned",
        "1",
        "--snippets",
        "2",
        "--rows",
        "base,evidence-date",
        "--device",
        "cpu",
    ]
    command = [
        "--data",
        str(folder(tmp_path / "data")),
        "--work",
        str(tmp_path / "work"),
        *small,
        *few,
    ]
    temporal.main(command)
    path = tmp_path / "work" / "predictions" / "bilstm-evidence-date-17.json"
    assert json.loads(path.read_text()).keys() == {"settings", "dev"}
    temporal.main([*command, "--test"])
    predictions = json.loads(path.read_text())
    assert predictions["test"]["ids"] == [f"test-{i}" for i in range(4)]
    capsys.readouterr()
    temporal.main([*command, "--test"])
    assert "base-17" not in capsys.readouterr().err
    with pytest.raises(SystemExit):
        temporal.main([*command, "--rows", "newest"])
