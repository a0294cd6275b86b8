"""The SimCSE head and its objectives, against hand arithmetic and against the product's own reading of the head."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from features.encoders import HeadEncoder
from features.spec import ModelSpec
from training.shared.loaders import Triple
from training.shared.sentence_vectors import average
from training.simcse.train import Head, allowed, claim_triples, contrast, near_statements, ordered


class Trunk:
    """A trunk without a model: only the head is looked at."""

    digest, width = "none", 8


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
    found = HeadEncoder(ModelSpec("none", weights="head"), Trunk(), shipped, "").lift(x.numpy())
    assert found == pytest.approx(head(x).detach().numpy(), abs=2e-3)


def test_contrast_is_small_where_each_is_nearest_to_its_own() -> None:
    """Three orthogonal pairs: the loss is log(1 + 2·exp(-20)) in both directions."""
    eye = torch.eye(3)
    assert float(contrast(eye, eye)) == pytest.approx(np.log1p(2 * np.exp(-20)), abs=1e-7)
    assert float(contrast(eye, eye, eye[:1])) > float(contrast(eye, eye))


def test_ordered_counts_contradicted_pairs_that_are_too_near() -> None:
    """One entailed pair at .9, one contradicted at .9: the logarithm of two."""
    assert float(ordered(torch.tensor([0.9]), torch.tensor([0.9]))) == pytest.approx(np.log(2), abs=1e-6)
    assert float(ordered(torch.tensor([0.9]), torch.tensor([-0.9]))) == pytest.approx(0, abs=1e-6)


def test_average_precision_is_over_what_the_list_could_hold() -> None:
    """Hits at 1 and 3 of two relevant: (1 + 2/3) / 2; of ten relevant in a list of five: over five."""
    assert average([True, False, True, False, False], 2) == pytest.approx((1 + 2 / 3) / 2)
    assert average([True, False, False, False, False], 10) == pytest.approx(1 / 5)


def test_a_head_that_forgets_retrieval_is_not_allowed() -> None:
    """Telling contradictions apart is no excuse for losing more than .03 of MAP@5."""
    base = {"stsb_dev": 0.86, "2b_train_map5": 0.53}
    assert allowed({"stsb_dev": 0.85, "2b_train_map5": 0.51}, base)
    assert not allowed({"stsb_dev": 0.85, "2b_train_map5": 0.49}, base)
    assert not allowed({"stsb_dev": 0.83, "2b_train_map5": 0.53}, base)


def test_near_statements_are_neither_the_same_nor_far() -> None:
    """A cosine above .85 may be the same claim, one below .4 teaches nothing."""
    angles = torch.tensor([0.0, 0.1, 0.9, 1.5])  # cosines with the first: 1, .995, .62, .07
    rows = torch.stack([angles.cos(), angles.sin()], 1)
    assert near_statements(rows, nearest=3)[0].tolist() == [2, -1, -1]


def test_statement_title_and_restating_sentence_are_paired() -> None:
    """Three pairs where the article restates the claim, one where it does not."""
    claims = [
        {
            "statement": "The port handled 4,000 ships.",
            "title": "Busy port",
            "article": "She said the port saw 4,000 ships.",
        },
        {"statement": "Rents doubled.", "title": "Rents", "article": "The weather was fine on that day in May."},
    ]
    restating = "She said the port saw 4,000 ships."
    assert claim_triples(claims) == [
        Triple("The port handled 4,000 ships.", "Busy port", "", "title"),
        Triple("The port handled 4,000 ships.", restating, "", "article"),
        Triple(restating, "Busy port", "", "article-title"),
        Triple("Rents doubled.", "Rents", "", "title"),
    ]
