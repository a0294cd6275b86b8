"""How MTM learns: word weights by ROUGE, the block by its penalty, the rounds by Algorithm 1, all at a tiny size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from features.articles.mtm import key_sentences, loading
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import Special
from features.articles.mtm.network import Relevance, RougeGuided, Shape
from training.mtm import rouge_transformer as mtm_rot
from training.mtm import word_weights as mtm_space
from training.mtm.changes import changes
from training.mtm.main_phase import Learner, MainPhaseSettings, Read, settle
from training.mtm.samples import Material, Sample

SHAPE = Shape(vocabulary=30, width=8, heads=2, inner=16, remaining=2, positions=100)
SETTINGS = MainPhaseSettings(net=1e-2, settling=3, key=2, patterns=3)
SPECIAL = Special(1, 2)


def samples(count: int = 24, seed: int = 0) -> list[Sample]:
    """Return pairs whose article is relevant where it repeats the query."""
    rng = np.random.default_rng(seed)
    made_samples = []
    for number in range(count):
        query = rng.integers(3, 30, 3).tolist()
        other_sentences = [rng.integers(3, 30, int(rng.integers(2, 6))).tolist() for _ in range(4)]
        right = number % 2 == 0
        article = [*other_sentences, query if right else other_sentences[0][::-1]]
        made_samples.append(
            Sample(query, article, float(right), (str(number // 2), number), "statement")
        )
    return made_samples


def learner(settings: MainPhaseSettings = SETTINGS) -> Learner:
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(30, 8)).astype(np.float32)
    space = StaticSpace(vectors, np.ones(30, np.float32))
    memory = rng.normal(size=(3, 8)).astype(np.float32)
    return Learner(
        RougeGuided(SHAPE),
        Relevance(SHAPE, pattern=settings.told),
        space,
        memory,
        SPECIAL,
        settings,
    )


def test_rouge_counts_shared_word_pairs():
    """Three of the reference's three pairs, of the sentence's four.

    Recall 1, precision three quarters.
    """
    scores = mtm_space.rouge2(
        "taxes rose last year", ["Taxes rose last year again", "last taxes rose year", "jobs"]
    )

    np.testing.assert_allclose([[0.75, 1], [1 / 3, 1 / 3], [0, 0]], scores, atol=1e-6)
    np.testing.assert_allclose([6 / 7, 1 / 3, 0], mtm_space.f_measure(scores), atol=1e-6)


def test_word_weights_learn_which_words_tell():
    """Where one word marks the sentence that is meant and another stands in any, the first comes to weigh more."""
    vectors = np.eye(6, dtype=np.float32)
    target = np.array([1, 0], np.float32)
    guides = [
        mtm_space.Guide([1, 2], [[1, 3], [2, 3]], target),
        mtm_space.Guide([1, 2], [[1, 4], [2, 4]], target),
    ]

    weights = mtm_space.learn_weights(
        vectors, np.full(6, 0.5, np.float32), guides, seed=1, rate=0.1, epochs=20
    )

    assert weights[1] > 0.5 > weights[2]
    assert pytest.approx(weights[5]) == 0.5  # stands nowhere: where it started
    assert (weights > 0).all()


def test_the_block_learns_and_its_penalty_holds_it_back(monkeypatch):
    """The error falls; with a heavy λ_R the block moves less."""
    monkeypatch.setattr(mtm_rot, "BATCH_PAIRS", 8)
    rng = np.random.default_rng(3)
    pairs = []
    for number in range(64):
        query = rng.integers(3, 30, 4).tolist()
        same = number % 2 == 0
        sentence = query if same else rng.integers(3, 30, 4).tolist()
        pairs.append(mtm_rot.Overlap(query, sentence, float(same), float(same)))
    moved = []
    for weight in (0.0, 50.0):
        torch.manual_seed(1)
        rot = RougeGuided(SHAPE)
        old_tensors = {name: tensor.clone() for name, tensor in rot.block.state_dict().items()}
        first_error = mtm_rot.error(rot.eval(), pairs, SPECIAL)
        for _ in range(4):
            losses = mtm_rot.learn(rot, pairs, SPECIAL, seed=2, rate=3e-3, drift_weight=weight)
        assert len(losses) == 8
        assert mtm_rot.error(rot, pairs, SPECIAL) < first_error
        moved.append(
            sum(
                float((t - old_tensors[n]).square().sum())
                for n, t in rot.block.state_dict().items()
            )
        )

    assert moved[1] < moved[0] / 2


def test_settling_learns_the_net_and_moves_the_patterns():
    """The loss falls, the patterns move, and the blocks stand still."""
    made_learner = learner()
    losses = []
    blocks = {
        name: tensor.clone() for name, tensor in made_learner.relevance.blocks.state_dict().items()
    }
    first_memory = made_learner.memory.copy()

    settle(
        made_learner,
        samples(),
        Read(made_learner),
        lambda number, loss: losses.append((number, loss)),
        seed=5,
    )

    assert [number for number, _ in losses] == [1, 2, 3]
    assert losses[-1][1] < losses[0][1]
    assert not np.allclose(first_memory, made_learner.memory)
    assert all(
        torch.equal(tensor, blocks[name])
        for name, tensor in made_learner.relevance.blocks.state_dict().items()
    )


def test_a_pair_read_once_is_the_same_as_read_again(tmp_path):
    """Predictions from remembered means equal those of texts read all at once, and means kept in a file come back."""
    made_learner = learner()
    pairs = samples(6)
    first_read = Read(made_learner)
    again = Read(made_learner)
    first_read.predict(pairs[:3])
    first_read.keep(tmp_path / "means.npz")
    again.recall(tmp_path / "means.npz")

    np.testing.assert_allclose(
        first_read.predict(pairs), Read(made_learner).predict(pairs), atol=1e-4
    )
    np.testing.assert_allclose(again.predict(pairs), first_read.predict(pairs), atol=1e-2)


@pytest.mark.parametrize(
    "settings", [replace(SETTINGS, told=False), replace(SETTINGS, pooled=False)]
)
def test_what_an_ablation_leaves_out_does_not_count(settings):
    """Without patterns in the sum another memory of the same choice changes nothing.

    Averaged places count alike.
    """
    made_learner = learner(settings)
    made_learner.relevance.eval()
    chosen_sentences = [made_learner.chosen(sample) for sample in samples(4)]

    if not settings.pooled:
        assert {share for pair in chosen_sentences for share in pair.shares.tolist()} == {0.5}
    else:
        means = Read(made_learner).means(chosen_sentences)
        old_scores = made_learner.aggregate(chosen_sentences, means)
        made_learner.memory = made_learner.memory * 2
        assert torch.equal(old_scores, made_learner.aggregate(chosen_sentences, means))


def test_rouge_loss_is_error_and_drift():
    """Equation (3): squared error over both numbers, mean over pairs, and the weighted squared distance."""
    weights = [torch.tensor([1.0, 2.0]), torch.tensor([[3.0]])]
    begun = [torch.tensor([0.0, 2.0]), torch.tensor([[1.0]])]
    moved = mtm_rot.drift(weights, begun)
    loss = mtm_rot.rouge_loss(
        torch.tensor([[0.5, 1.0], [0.0, 0.0]]),
        torch.tensor([[0.0, 1.0], [0.0, 1.0]]),
        moved,
        weight=0.1,
    )

    assert moved.item() == 5
    assert loss.item() == pytest.approx((0.25 + 1) / 2 + 0.5)


def test_changes_come_back():
    """A change of rank one survives in one factor, other tensors as they are, in half precision."""
    torch.manual_seed(2)
    linear = torch.nn.Linear(6, 5)
    old_tensors = {name: tensor.clone() for name, tensor in linear.state_dict().items()}
    now = {
        "weight": old_tensors["weight"] + torch.outer(torch.randn(5), torch.randn(6)),
        "bias": old_tensors["bias"] + 1,
    }

    kept_changes = changes(now, old_tensors, rank=1)
    loading.add_changes(linear, kept_changes)

    assert kept_changes.keys() == {"weight.up", "weight.down", "bias"}
    assert changes(old_tensors, old_tensors, rank=1) == {}
    torch.testing.assert_close(linear.weight.detach(), now["weight"], atol=0.01, rtol=0.01)
    torch.testing.assert_close(linear.bias.detach(), now["bias"], atol=0.01, rtol=0.01)


def test_development_ranks_within_a_query():
    """The mean over kinds of the mean reciprocal rank of a query's right article."""
    made_samples = [
        Sample([], [], label, (query, rank), kind)
        for kind, query, rank, label in (
            ("tweet", "a", 0, 1.0),
            ("tweet", "a", 1, 0.0),
            ("debate", "b", 0, 1.0),
        )
    ]

    development = Material([], made_samples).development(np.array([0.2, 0.9, -5], np.float32))

    assert development == {"dev_mrr_tweet": 0.5, "dev_mrr_debate": 1.0, "dev_mrr": 0.75}


def test_key_weights_default_to_the_papers():
    """λ_Q and λ_P of the settings are .6 and .4."""
    assert key_sentences.ScoreWeights(0.6, 0.4) == MainPhaseSettings().weights
