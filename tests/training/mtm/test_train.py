"""The command that trains MTM.

Where its last net starts, the first patterns, and that what is learnt on ships.
"""

from __future__ import annotations

import numpy as np
import torch

from features.articles.mtm import loading
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.network import Block, Relevance, Shape
from training.mtm import train as mtm
from training.mtm.changes import changes
from training.mtm.main_phase import MainPhaseSettings
from training.mtm.samples import Sample

SHAPE = Shape(vocabulary=30, width=40, heads=2, inner=48, remaining=1, positions=50)


def test_the_last_net_starts_at_the_trunks_own_head():
    """Scores order articles as that head orders the means of their texts, but for a little chance."""
    torch.manual_seed(5)
    relevance = Relevance(SHAPE).eval()
    weight = torch.randn(1, 40)
    bias = torch.randn(1)
    mtm.warm(relevance, weight, bias)
    means = torch.randn(200, 1, 80)
    patterns = torch.randn(200, 1, 40) * 0.1

    with torch.no_grad():
        scores = relevance.aggregated(means, torch.ones(200, 1), patterns)
        expected = (means[:, 0, :40] + means[:, 0, 40:]) / 2 @ weight[0] + bias

    assert torch.corrcoef(torch.stack((scores, expected)))[0, 1] > 0.99


def test_a_block_becomes_what_its_kept_changes_give():
    """After it, keeping its changes again and putting them on the start gives the same block."""
    torch.manual_seed(6)
    block = Block(SHAPE)
    begun = {name: tensor.clone() for name, tensor in block.state_dict().items()}
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.add_(0.01 * torch.randn_like(parameter))

    mtm.as_shipped(block, begun)
    now = {name: tensor.clone() for name, tensor in block.state_dict().items()}
    again = Block(SHAPE)
    again.load_state_dict(begun)
    loading.add_changes(again, changes(now, begun, rank=mtm.RANK))

    for name, tensor in again.state_dict().items():
        torch.testing.assert_close(tensor, now[name], atol=2e-4, rtol=1e-3)


def test_first_patterns_come_from_right_articles_within_the_band():
    """Residuals of wrong articles do not count, and the band is the settings's quantiles of the lengths of the others."""
    rng = np.random.default_rng(4)
    space = StaticSpace(rng.normal(size=(30, 6)).astype(np.float32), np.ones(30, np.float32))
    samples = [
        Sample(
            [3, 4],
            [rng.integers(3, 30, 4).tolist() for _ in range(10)],
            float(i % 2),
            (str(i), i),
            "tweet",
        )
        for i in range(40)
    ]
    lengths = np.concatenate(
        [np.linalg.norm(space.residuals(s.query, s.sentences), axis=1) for s in samples[1::2]]
    )

    patterns, band = mtm.first_patterns(space, samples, MainPhaseSettings(patterns=5), seed=1)

    low, high = np.quantile(lengths, (0.15, 0.85))
    assert patterns.shape == (5, 6)
    np.testing.assert_allclose((low, high), (band["t_low"], band["t_high"]))
    assert int(((lengths > low) & (lengths < high)).sum()) == band["valid"]
