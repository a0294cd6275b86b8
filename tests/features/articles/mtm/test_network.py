"""The transformers of MTM: the same numbers as the library's BERT, and nothing leaks between pairs or texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from features.articles.mtm.network import (
    Relevance,
    RougeGuided,
    Shape,
    copy_bert_weights,
    padded_pairs,
    pair_means,
    read_pairs,
    read_rouge,
)

if TYPE_CHECKING:
    from transformers import BertModel

SHAPE = Shape(vocabulary=40, width=12, heads=3, inner=20, remaining=2, positions=64)
PAIRS = [([7, 8, 9], [10, 11]), ([12], [13, 14, 15, 16, 17, 18]), ([5, 6], [])]


@pytest.fixture(scope="module")
def bert() -> BertModel:
    from transformers import BertConfig, BertModel  # takes ten seconds to import

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=40, hidden_size=12, num_attention_heads=3, intermediate_size=20, num_hidden_layers=3,
        max_position_embeddings=64, type_vocab_size=2,
    )  # fmt: skip
    return BertModel(config, add_pooling_layer=False).eval()


@pytest.fixture(scope="module")
def network(bert) -> tuple[RougeGuided, Relevance]:
    rot = RougeGuided(SHAPE).eval()
    relevance = Relevance(SHAPE).eval()
    copy_bert_weights(rot, relevance, bert.state_dict())
    return rot, relevance


def tokens(pairs=PAIRS, longest=64):
    return padded_pairs(
        [p[0] for p in pairs], [p[1] for p in pairs], cls_id=1, sep_id=2, max_pair_tokens=longest
    )


def test_both_transformers_together_are_bert(bert, network):
    """First block and remaining blocks give the states of the library's BERT on the same pairs."""
    rot, relevance = network
    token_batch = tokens()

    with torch.no_grad():
        rot_states = relevance(rot(token_batch), token_batch.mask)
        inputs = {
            "input_ids": token_batch.ids,
            "attention_mask": token_batch.mask.long(),
            "token_type_ids": token_batch.kinds,
        }
        bert_states = bert(**inputs).last_hidden_state

    torch.testing.assert_close(
        rot_states[token_batch.mask], bert_states[token_batch.mask], atol=1e-5, rtol=1e-4
    )


def test_pairs_have_berts_form():
    """[CLS] q [SEP] s [SEP], the second text and its end of kind 1, padding masked."""
    token_batch = tokens([([7, 8], [9]), ([7], [])])

    assert token_batch.ids.tolist() == [[1, 7, 8, 2, 9, 2], [1, 7, 2, 2, 0, 0]]
    assert token_batch.kinds.tolist() == [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0]]
    assert token_batch.mask.tolist() == [[True] * 6, [True] * 4 + [False] * 2]


def test_long_pairs_are_cut():
    """The query keeps at most half, the sentence what is left; the end is a separator."""
    token_batch = tokens([(list(range(3, 30)), list(range(3, 30)))], longest=16)

    assert token_batch.ids.shape == (1, 16)
    assert list(range(3, 11)) == token_batch.ids[0, 1:9].tolist()
    assert 2 == token_batch.ids[0, 9] == token_batch.ids[0, -1]


def test_means_are_of_the_words_of_each_text():
    """Special tokens and padding do not count; a text without words has the mean 0."""
    token_batch = tokens()
    states = torch.randn(*token_batch.ids.shape, 4)

    means = pair_means(states, token_batch)

    for pair_index, (query, sentence) in enumerate(PAIRS):
        begin = 2 + len(query)
        expected = (
            states[pair_index, 1 : 1 + len(query)].mean(0),
            states[pair_index, begin : begin + len(sentence)].mean(0),
        )
        torch.testing.assert_close(means[pair_index, :4], expected[0])
        torch.testing.assert_close(
            means[pair_index, 4:], expected[1] if sentence else torch.zeros(4)
        )


def test_batches_do_not_change_what_is_read(network):
    """One pair at a time or all together, in their order."""
    queries = [p[0] for p in PAIRS]
    sentences = [p[1] for p in PAIRS]
    options = {"cls_and_sep": (1, 2), "max_pair_tokens": 64}

    alone = read_pairs(*network, queries, sentences, **options, batch_size=1)
    together = read_pairs(*network, queries, sentences, **options, batch_size=8)
    rouge = [
        read_rouge(network[0], queries, sentences, **options, batch_size=size) for size in (1, 8)
    ]

    np.testing.assert_allclose(alone, together, atol=1e-5)
    np.testing.assert_allclose(*rouge, atol=1e-5)
    assert (rouge[0] >= 0).all()
    assert (rouge[0] <= 1).all()


def test_shares_weigh_what_is_aggregated():
    """A place of share 0 does not count, whatever stands there; patterns may be left out."""
    torch.manual_seed(4)
    relevance = Relevance(SHAPE).eval()
    means = torch.randn(1, 2, 24)
    patterns = torch.randn(1, 2, 12)
    shares = torch.tensor([[1.0, 0.0]])
    other_means = torch.cat((means[:, :1], torch.randn(1, 1, 24)), 1)

    with torch.no_grad():
        assert relevance.aggregated(means, shares, patterns) == relevance.aggregated(
            other_means, shares, patterns
        )
        assert Relevance(SHAPE, pattern=False).aggregated(means, shares, None).shape == (1,)
