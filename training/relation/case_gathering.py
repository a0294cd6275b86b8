"""Gathers the cases that relations are learnt from and chosen by, ready for the network.

Slow parts are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from features.articles.evidence import EvidenceScorer
from features.models.model_spec import Floats
from training.relation import cases as source
from training.relation.case_batches import Item, Readings, cross_encoder, items
from training.relation.cases import Article, Case, LookUp, Raw
from training.shared.sentence_vectors import Vectors

DRAWN = {
    "fever": 2000,
    "nli": 1000,
    "politifact": 4500,
    "neighbour": 800,
    "denied": 600,
}  # to learn from
HELD_OUT = {"fever": 400, "neighbour": 150, "denied": 150}  # to choose by
SEED = 17  # of what is drawn: one set of cases for every run


@dataclass(frozen=True, eq=False)
class Gatherer:
    """Makes cases and reads them."""

    data: Path
    work: Path
    readings: Readings
    scorer: EvidenceScorer

    @classmethod
    def make(cls, data: Path, work: Path) -> Gatherer:
        """Return a gatherer with the shipped models."""
        return cls(data, work, Readings(work, cross_encoder()), EvidenceScorer.load())

    def vectors(self, texts: Sequence[str]) -> LookUp:
        """Return how the unit SBERT vectors of these texts are looked up."""
        vectors = Vectors(texts, self.work)
        return lambda looked_up: vectors.of(looked_up).numpy()

    def raws(self, raws: Sequence[Raw]) -> list[Item]:
        """Return wordings with sentences outside articles, all of which are read."""
        look_up = self.vectors([text for raw in raws for text in (raw.wording, *raw.texts)])
        cases = []
        for raw in raws:
            undecided = np.zeros(len(raw.texts), np.float32)
            vector = look_up([raw.wording])[0]
            cases.append(Case(raw, vector, look_up(list(raw.texts)), undecided))
        return items(cases, self.readings)

    def outside(self) -> list[Item]:
        """Return what is learnt from outside fact-checks: FEVER, WiCE and MultiNLI."""
        fever = source.fever(self.data, seed=SEED)["train"][: DRAWN["fever"]]
        nli = source.entailment(self.data, count=DRAWN["nli"], seed=SEED)
        return self.raws([*fever, *source.wice(self.data, seed=SEED), *nli])

    def fever(self, split: str, max_claims: int) -> list[Item]:
        """Return FEVER's dev or test part, at most so many claims."""
        return self.raws(source.fever(self.data, seed=SEED)[split][:max_claims])

    def politihop(self, split: str, *, whole_articles: bool = False) -> list[list[Item]]:
        """Return the items of each statement of PolitiHop ``train`` or ``valid``, one per chain."""
        articles = source.politihop_articles(
            self.data, split, self.vectors, whole_articles=whole_articles
        )
        cases_by_article = [source.of_article(article, self.scorer) for article in articles]
        all_cases = list(chain.from_iterable(cases_by_article))
        all_items = iter(items(all_cases, self.readings))
        return [list(islice(all_items, len(cases))) for cases in cases_by_article]

    def politifact(self, index: ClaimIndex) -> dict[str, list[Item]]:
        """Return the items of the database by part.

        Statements, neighbours' articles and denials.
        """
        articles_by_part = source.politifact(self.data, index, count=DRAWN["politifact"])
        items_by_part = {}
        for split, articles in articles_by_part.items():
            counts = DRAWN if split == "train" else HELD_OUT
            cases = []
            for article in articles:
                cases += source.of_article(article, self.scorer)
            cases += self.worded(source.neighbours(articles, counts["neighbour"], seed=SEED))
            cases += self.looked_up(list(source.denied(articles, counts["denied"], seed=SEED)))
            items_by_part[split] = items(cases, self.readings)
        return items_by_part

    def worded(self, wordings: Iterable[tuple[str, Floats, Article]]) -> list[Case]:
        """Return wordings, each with its vector and the article that is read for it, as cases."""
        cases = []
        for text, vector, article in wordings:
            cases += source.of_article(article, self.scorer, (text, vector))
        return cases

    def looked_up(self, pairs: Sequence[tuple[str, Article]]) -> list[Case]:
        """Return texts, whose vectors are looked up, with articles, as cases.

        None whose article says nothing.
        """
        of = self.vectors([text for text, _ in pairs])
        return self.worded((text, of([text])[0], article) for text, article in pairs)

    def linked(self, index: ClaimIndex) -> list[Item]:
        """Return sentences of the sixty-three debates with their linked articles, and with others."""
        pairs = source.linked(self.data, index)
        texts = [text for text, _ in pairs]
        vectors = self.vectors(texts)(texts)
        stranger_pairs = []
        for i, article in source.strangers(pairs, vectors, index, seed=SEED):
            stranger_pairs.append((texts[i], article))
        return items(self.looked_up([*pairs, *stranger_pairs]), self.readings)


def spread(read: Sequence[Sequence[Item]]) -> tuple[list[Item], list[Item]]:
    """Return all items of every second statement, and one item of each other statement."""
    learnt = list(chain.from_iterable(read[::2]))
    held_out = [statement_items[0] for statement_items in read[1::2] if statement_items]
    return learnt, held_out


def labels(items_read: Sequence[Item]) -> np.ndarray:
    """Return the wanted relation of each item, (n,)."""
    return np.array([item.raw.label for item in items_read])
