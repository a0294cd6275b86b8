"""Gathers the cases that relations are learnt from and chosen by, ready for the network.

Slow parts are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
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
        known = Vectors(texts, self.work)
        return lambda wanted: known.of(wanted).numpy()

    def raws(self, raws: Sequence[Raw]) -> list[Item]:
        """Return wordings with sentences outside articles, all of which are read."""
        of = self.vectors([text for raw in raws for text in (raw.wording, *raw.texts)])
        undecided = [np.zeros(len(raw.texts), np.float32) for raw in raws]
        cases = [
            Case(r, of([r.wording])[0], of(list(r.texts)), none)
            for r, none in zip(raws, undecided, strict=True)
        ]
        return items(cases, self.readings)

    def outside(self) -> list[Item]:
        """Return what is learnt from outside fact-checks: FEVER, WiCE and MultiNLI."""
        fever = source.fever(self.data, seed=SEED)["train"][: DRAWN["fever"]]
        nli = source.entailment(self.data, count=DRAWN["nli"], seed=SEED)
        return self.raws([*fever, *source.wice(self.data, seed=SEED), *nli])

    def fever(self, part: str, most: int) -> list[Item]:
        """Return FEVER's dev or test part, at most so many claims."""
        return self.raws(source.fever(self.data, seed=SEED)[part][:most])

    def politihop(self, part: str, *, whole: bool = False) -> list[list[Item]]:
        """Return the items of each statement of PolitiHop ``train`` or ``valid``, one for each of its chains."""
        articles = source.politihop_articles(self.data, part, self.vectors, whole=whole)
        cases = [source.of_article(article, self.scorer) for article in articles]
        read = iter(items([case for one in cases for case in one], self.readings))
        return [list(islice(read, len(one))) for one in cases]

    def politifact(self, index: ClaimIndex) -> dict[str, list[Item]]:
        """Return the items of the database by part.

        Statements, neighbours' articles and denials.
        """
        by_part = source.politifact(self.data, index, count=DRAWN["politifact"])
        made = {}
        for part, articles in by_part.items():
            most = DRAWN if part == "train" else HELD_OUT
            cases = [
                case for article in articles for case in source.of_article(article, self.scorer)
            ]
            cases += self.worded(source.neighbours(articles, most["neighbour"], seed=SEED))
            cases += self.looked_up(list(source.denied(articles, most["denied"], seed=SEED)))
            made[part] = items(cases, self.readings)
        return made

    def worded(self, wordings: Iterable[tuple[str, Floats, Article]]) -> list[Case]:
        """Return wordings, each with its vector and the article that is read for it, as cases."""
        return [
            case
            for text, vector, article in wordings
            for case in source.of_article(article, self.scorer, (text, vector))
        ]

    def looked_up(self, pairs: Sequence[tuple[str, Article]]) -> list[Case]:
        """Return texts, whose vectors are looked up, with articles, as cases.

        None whose article says nothing.
        """
        of = self.vectors([text for text, _ in pairs])
        return self.worded((text, of([text])[0], article) for text, article in pairs)

    def linked(self, index: ClaimIndex) -> list[Item]:
        """Return sentences of the sixty-three debates with the articles they are linked to, and with others."""
        pairs = source.linked(self.data, index)
        vectors = self.vectors([text for text, _ in pairs])([text for text, _ in pairs])
        others = [
            (pairs[i][0], article)
            for i, article in source.strangers(pairs, vectors, index, seed=SEED)
        ]
        return items(self.looked_up([*pairs, *others]), self.readings)


def spread(read: Sequence[Sequence[Item]]) -> tuple[list[Item], list[Item]]:
    """Return the items of every second statement, and one item of each of the others."""
    return [item for one in read[::2] for item in one], [
        one[0] for one in islice(read, 1, None, 2) if one
    ]


def labels(read: Sequence[Item]) -> np.ndarray:
    """Return the wanted relation of each item, (n,)."""
    return np.array([item.raw.label for item in read])
