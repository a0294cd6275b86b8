"""The relation of an article to a wording.

Given only above its border, for the best match, quoted verbatim.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Relation, VerifiedClaim
from assistant.core.settings import EMBEDDED, PAPER
from assistant.explain import relation
from assistant.explain.key_sentences import Explainers
from assistant.explain.relation import SHOWN, Relater
from features.articles.article_relation import READ, Reading

BODY = (
    "A senator said that taxes fell by ten percent.\n"
    "He spoke about it in Dayton on Monday.\n"
    "The treasury's records show a fall of two percent.\n"
    "Experts told us that is far from ten.\n"
    "PolitiFact rated an earlier claim Half True.\n"
    "Our ruling\n"
    "We rate this claim False."
)
CLAIM = VerifiedClaim("c1", "Taxes fell by ten percent.", body=BODY, rating="False")
BARE = VerifiedClaim("c2", "Roads are worse.")
ONLY_RATED = VerifiedClaim(
    "c3", "Rents doubled.", body="We rate this claim False.\nPants on Fire!", rating="False"
)


class Evidence:
    """A scorer of evidence for which later sentences decide more."""

    def scores(self, claim, vectors, texts):
        return np.linspace(0.1, 0.9, len(texts)).astype(np.float32)


class Network:
    """A network that reads the memory from its end and gives a fixed relation."""

    def __init__(self, relation):
        self.relation = np.float32(relation)
        self.memories = []

    def read(self, memory):
        self.memories.append(memory)
        places = tuple(reversed(range(len(memory.texts))))
        return Reading((places * 5)[:5], np.tile(self.relation, (5, 1)), self.relation)


class Nli:
    """A cross-encoder that notes its pairs."""

    def __init__(self):
        self.pairs = []

    def read(self, premises, hypotheses):
        self.pairs += zip(premises, hypotheses, strict=True)
        return np.tile(np.float32([0.2, 0.3, 0.5]), (len(premises), 1)), np.zeros(
            len(premises), np.float32
        )


@pytest.fixture(scope="module")
def index(encoders):
    return ClaimIndex.in_memory([CLAIM, BARE, ONLY_RATED], encoders)


def related(index, relation=(0.1, 0.8, 0.1), claim=0, borders=None, explainers=None):
    borders = {Relation.CONTRADICTS: 0.75} if borders is None else borders
    network = Network(relation)
    nli = Nli()
    said = ("Taxes fell by ten percent this year.", index.statement_vectors[0])
    explainers = explainers or Explainers(evidence=Evidence())
    found = Relater(network, 1.0, borders).relate(index, nli, explainers, said, claim)
    return found, network, nli


def test_the_relation_is_said_with_sentences_of_the_article_in_the_order_of_reading(index):
    """Verbatim stretches of the article, none twice, none that names a rating."""
    found, network, nli = related(index)
    (memory,) = network.memories

    assert (Relation.CONTRADICTS, pytest.approx(0.8, abs=1e-3)) == (
        found.relation,
        found.confidence,
    )
    assert list(memory.texts[::-1][:SHOWN]) == [step.text for step in found.steps]
    assert all(BODY[step.start : step.end] == step.text for step in found.steps)
    assert len({step.index for step in found.steps}) == len(found.steps)
    assert set(BODY.split("\n")[:4]) == set(memory.texts)
    assert [
        (text, "Taxes fell by ten percent this year.") for text in memory.texts[:READ]
    ] == nli.pairs


def test_below_its_border_nothing_is_said(index):
    """Nor where the relation has no border at all.

    Development data gave none that is right often enough.
    """
    assert related(index, (0.15, 0.7, 0.15))[0] is None
    assert related(index, (0.98, 0.01, 0.01))[0] is None
    assert related(index, (0.98, 0.01, 0.01), borders={Relation.SUPPORTS: 0.9})[0] is not None


def test_without_an_article_or_beside_its_rating_nothing_is_said(index):
    """No article, one that only says its rating, no scorer of evidence.

    Nothing to read, so nothing is read.
    """
    for claim, explainers in ((1, None), (2, None), (0, Explainers())):
        found, network, _ = related(index, claim=claim, explainers=explainers)
        assert found is None
        assert not network.memories


def test_a_profile_with_other_models_says_nothing():
    """The network learnt from the embedded models' vectors and readings."""
    assert relation.load(PAPER) is None
    assert relation.load(replace(EMBEDDED, nli=PAPER.nli)) is None
