"""The SimCSE head and its objectives, against hand arithmetic and against the product's own reading of the head."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from features.models.encoders import HeadEncoder
from features.models.model_spec import ModelSpec
from training.shared.sentence_vectors import average
from training.simcse.train import Head, contrast, learn


class Trunk:
    """A trunk without a model: only the head is looked at."""

    digest = "none"
    width = 8


def test_an_untrained_head_is_sbert() -> None:
    """Training starts where SBERT stands."""
    x = normalize(torch.randn(5, 8, generator=torch.Generator().manual_seed(1)), dim=1)
    assert Head(8, 16, 0.1).eval()(x).detach().numpy() == pytest.approx(x.numpy(), abs=1e-6)


def test_the_product_lifts_vectors_as_the_trained_head_does() -> None:
    """The tensors that ship give the same rows in numpy, up to their half precision."""
    torch.manual_seed(2)
    head = Head(8, 16, 0.1).eval()
    torch.nn.init.normal_(head.w2.weight, std=0.5)
    x = normalize(torch.randn(6, 8), dim=1)
    shipped = {name: tensor.float().numpy() for name, tensor in head.shipped().items()}
    lifted = HeadEncoder(ModelSpec("none", weights="head"), Trunk(), shipped, "").lift(x.numpy())
    assert pytest.approx(head(x).detach().numpy(), abs=2e-3) == lifted


def test_contrast_is_small_where_each_is_nearest_to_its_own() -> None:
    """Three orthogonal pairs: the loss is log(1 + 2·exp(-20)) in both directions."""
    eye = torch.eye(3)
    assert float(contrast(eye, eye)) == pytest.approx(np.log1p(2 * np.exp(-20)), abs=1e-7)
    assert float(contrast(eye, eye, eye[:1])) > float(contrast(eye, eye))


def test_average_precision_is_over_what_the_list_could_hold() -> None:
    """Hits at 1 and 3 of two relevant: (1 + 2/3) / 2.

    Of ten relevant in a list of five: over five.
    """
    assert average([True, False, True, False, False], 2) == pytest.approx((1 + 2 / 3) / 2)
    assert average([True, False, False, False, False], 10) == pytest.approx(1 / 5)


def test_training_draws_entailed_vectors_together() -> None:
    """After some steps the positives are nearer to their anchors.

    The same seed gives the same head.
    """
    generator = torch.Generator().manual_seed(3)
    vectors = normalize(torch.randn(60, 8, generator=generator), dim=1)
    triples = torch.stack(
        [torch.arange(20), torch.arange(20, 40), torch.where(torch.arange(20) % 2 == 0, 40, -1)], 1
    )
    head = learn(vectors, triples, steps=40, rate=1e-2, dropout=0.0, seed=1)
    again = learn(vectors, triples, steps=40, rate=1e-2, dropout=0.0, seed=1)
    lifted = head(vectors).detach()
    old_cosine = (vectors[:20] * vectors[20:40]).sum(1).mean()
    assert (lifted[:20] * lifted[20:40]).sum(1).mean() > old_cosine + 0.1
    assert torch.equal(lifted, again(vectors).detach())
