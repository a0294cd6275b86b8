"""A tiny MTM of random weights: every part of the real one, at a size that tests can afford."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers

from features.articles.mtm import Mtm
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.network import Relevance, RougeGuided, Shape

WORDS = "[PAD] [UNK] [CLS] [SEP] taxes rose last year we rate this claim false said the senator jobs wall".split()
SHAPE = Shape(vocabulary=len(WORDS), width=8, heads=2, inner=16, remaining=2, positions=100)


@pytest.fixture
def tokenizer() -> Tokenizer:
    made_tokenizer = Tokenizer(
        models.WordLevel({word: word_id for word_id, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made_tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return made_tokenizer


@pytest.fixture
def network() -> tuple[RougeGuided, Relevance]:
    torch.manual_seed(3)
    return RougeGuided(SHAPE).eval(), Relevance(SHAPE).eval()


@pytest.fixture
def mtm(tokenizer, network) -> Mtm:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(len(WORDS), SHAPE.width)).astype(np.float32)
    weights = rng.uniform(0.2, 1, len(WORDS)).astype(np.float32)
    memory = rng.normal(size=(4, SHAPE.width)).astype(np.float32)
    return Mtm(tokenizer, StaticSpace(vectors, weights), memory, lambda: network, key=2)
