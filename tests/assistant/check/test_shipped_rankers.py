"""The rankers in models/ load, carry their cards, and are what the program computes inputs for."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.check.rankers import LECTERN, RANKSVM, MaxSkip, PairsFirst, load
from features.models.weight_files import LARGE_RERANKER, MODELS, reranker_folder
from features.similarity.coverage import load_word_weights
from features.similarity.input_catalogue import CONTEXT, NAMES, SIGNS


@pytest.mark.parametrize("name", [LECTERN, RANKSVM])
def test_a_shipped_ranker_loads_with_its_card(name: str) -> None:
    """Finite thresholds in order, a digest, and a card with data, command, score and licence."""
    ranker = load(name)
    assert ranker.thresholds.possible <= ranker.thresholds.likely
    assert np.isfinite(ranker.thresholds[:2]).all()
    assert len(ranker.digest) == 16
    card = json.loads((MODELS / f"ranker-{name}.json").read_text("utf-8"))["card"]
    assert {"what", "data", "command", "score", "licence"} <= card.keys()


def test_the_larger_re_ranker_has_a_ranker_with_effects_of_its_own() -> None:
    """Only what follows from the re-ranker differs; the published method has none."""
    embedded = load(LECTERN)
    large = load(LECTERN, reranker_folder(LARGE_RERANKER))
    assert isinstance(embedded, PairsFirst)
    assert isinstance(large, PairsFirst)
    assert large.order.to_json() == embedded.order.to_json()
    assert large.claim_ranker.to_json() == embedded.claim_ranker.to_json()
    assert large.rereading is not None
    assert embedded.rereading is not None
    assert large.rereading.to_json() != embedded.rereading.to_json()
    assert large.digest != embedded.digest
    assert load(RANKSVM, reranker_folder(LARGE_RERANKER)).digest == load(RANKSVM).digest


def test_no_likeness_speaks_against_a_match() -> None:
    """The shipped weights keep the signs of the inputs, for both kinds of pair."""
    ranker = load(LECTERN)
    assert isinstance(ranker, PairsFirst)
    assert ranker.claim_ranker.names == NAMES
    for weights in ranker.claim_ranker.kinds:
        assert (weights.coef * np.array(SIGNS) >= 0).all()


def test_the_published_method_skips_half_true_claims() -> None:
    """By its name."""
    ranker = load(RANKSVM)
    assert isinstance(ranker, MaxSkip)
    assert ranker.pooling.skip


def test_the_weights_of_words_ship_with_a_card() -> None:
    """Rare words weigh more than common ones."""
    weights = load_word_weights()
    assert 0 <= weights.weights["people"] < weights.weights["uranium"] <= weights.unseen


def test_what_lies_just_below_the_list_is_counted() -> None:
    """The shipped ranker has a border of the topic, below that of *possible* and above where nothing is read again."""
    thresholds = load(LECTERN).thresholds
    assert thresholds.rereading < thresholds.topic < thresholds.possible


def test_the_context_orders_claims_and_says_nothing_of_how_sure_a_match_is() -> None:
    """Its weight is in the order alone, for both kinds of pair."""
    ranker = load(LECTERN)
    column = NAMES.index(CONTEXT)
    assert isinstance(ranker, PairsFirst)
    assert ranker.sureness is not None
    assert all(weights.coef[column] > 0.1 for weights in ranker.order.kinds)
    sure = (*ranker.claim_ranker.kinds, *ranker.sureness.kinds)
    assert not any(weights.coef[column] for weights in sure)
