"""The relation of a match's article to the wording of a sentence.

Supports it, contradicts it or does not settle it.

A relation is about two texts, never about what is true, and is given only where it is sure enough:
nothing is said below the borders in the card of the weights. Knows the claims of an index;
``features.articles`` knows sentences only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import ArticleRelation, EvidenceStep, Relation
from assistant.core.settings import EMBEDDED, Profile
from assistant.explain.key_sentences import Article, Explainers
from features.articles.article_relation import (
    READ,
    WEIGHTS,
    Memory,
    RelationNetwork,
    calibrated,
    candidates,
    measured,
)
from features.articles.rating_sentences import readable
from features.models.model_spec import Floats, ModelUnavailable
from features.models.nli import CrossEncoder
from features.models.weight_files import MODELS, file_digest, read_card

SHOWN = 3  # sentences that are quoted
NAMES = (
    Relation.SUPPORTS,
    Relation.CONTRADICTS,
    Relation.UNSETTLED,
)  # in the order of ``RELATIONS``
NEVER = 2.0  # a border that no probability reaches


@dataclass(frozen=True)
class Relater:
    """Finds the relation of an article to a wording.

    ``borders``: the least probability at which each is given.
    """

    network: RelationNetwork
    temperature: float
    borders: Mapping[Relation, float]
    digest: str = ""

    def relate(
        self,
        index: ClaimIndex,
        nli: CrossEncoder,
        explainers: Explainers,
        sentence: tuple[str, Floats],
        claim: int,
    ) -> ArticleRelation | None:
        """Return the relation of a claim's article to a sentence, with the article's sentences in reading order.

        ``sentence``: its text and its SBERT vector (d,). None without a readable article, and where it is too unsure.
        """
        wording, vector = sentence
        article = Article.of(index, claim)
        decides = explainers.decides(index, claim, article) if article.texts else None
        if decides is None:
            return None
        near = article.vectors @ vector
        places = candidates(readable(article.texts), decides, near)
        if not places:
            return None
        texts = tuple(article.texts[i] for i in places)
        labels, same = nli.read(texts[:READ], [wording] * len(texts[:READ]))
        measures = measured(labels, same, near[places], decides[places], len(texts))
        reading = self.network.read(Memory(vector, article.vectors[places], measures, texts))
        odds = calibrated(reading.relation, self.temperature)
        best = int(odds.argmax())
        if odds[best] < self.borders.get(NAMES[best], NEVER):
            return None
        steps = list(dict(zip(reading.places, reading.steps, strict=True)).items())[:SHOWN]
        return ArticleRelation(
            NAMES[best], float(odds[best]), tuple(_step(article, places[i], s) for i, s in steps)
        )


def _step(article: Article, place: int, odds: Floats) -> EvidenceStep:
    start, end = article.spans[place]
    return EvidenceStep(place, start, end, article.texts[place], NAMES[int(np.argmax(odds))])


@lru_cache(maxsize=4)
def load(profile: Profile) -> Relater | None:
    """Return what finds the relations of articles for a profile.

    None where it would never give one.

    That is the case without its weights, with other models than it was trained with, and where
    development data gave no relation a border.
    """
    if profile.sbert != EMBEDDED.sbert or profile.nli != EMBEDDED.nli:
        return None
    try:
        network = RelationNetwork.load(MODELS)
    except ModelUnavailable:
        return None
    card = read_card(WEIGHTS)
    borders = {Relation(name): float(border) for name, border in card.get("borders", {}).items()}
    if not borders:
        return None
    return Relater(
        network,
        float(card["temperature"]),
        borders,
        f"relation {file_digest(MODELS / WEIGHTS)[:12]}",
    )
