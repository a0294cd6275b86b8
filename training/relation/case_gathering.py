"""Gathers the cases that relations are learnt from and chosen by, ready for the network; slow parts are cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from assistant.claims.index import ClaimIndex
from features.articles.evidence import EvidenceScorer
from features.spec import Floats
from training.relation import cases as source
from training.relation.case_batches import Item, Readings, cross_encoder, items, raw_items
from training.relation.cases import NOT_ENOUGH, Article, Case, Raw
from training.shared.sentence_vectors import Vectors

DRAWN = {"fever": 2000, "nli": 1000, "politifact": 4500, "neighbour": 800, "denied": 600}  # to learn from
HELD_OUT = {"fever": 400, "neighbour": 150, "denied": 150}  # to choose by
SEED = 17  # of what is drawn: one set of cases for every run


@dataclass(frozen=True, eq=False)
class Gatherer:
    """Makes cases and reads them. ``masked``: as ``features.articles.rating_sentences.readable`` has it."""

    data: Path
    work: Path
    readings: Readings
    scorer: EvidenceScorer
    masked: bool = True

    @classmethod
    def make(cls, data: Path, work: Path, *, masked: bool = True) -> Gatherer:
        """Return a gatherer with the shipped models."""
        return cls(data, work, Readings(work, cross_encoder()), EvidenceScorer.load(), masked)

    def vectors(self, texts: Sequence[str]) -> Callable[[list[str]], Floats]:
        """Return how the unit SBERT vectors of these texts are looked up."""
        known = Vectors(texts, self.work)
        return lambda wanted: known.of(wanted).numpy()

    def raws(self, raws: Sequence[Raw]) -> list[Item]:
        """Return wordings with sentences outside articles, read."""
        vectors = self.vectors([text for raw in raws for text in (raw.wording, *raw.texts)])
        return raw_items(raws, vectors, self.readings)

    def outside(self) -> list[Item]:
        """Return what is learnt from outside fact-checks: FEVER, WiCE and MultiNLI."""
        fever = source.fever(self.data, seed=SEED)["train"][: DRAWN["fever"]]
        return self.raws(
            [
                *fever,
                *source.wice(self.data, seed=SEED),
                *source.entailment(self.data, count=DRAWN["nli"], seed=SEED),
            ]
        )

    def fever(self, part: str, most: int) -> list[Item]:
        """Return FEVER's dev or test part, at most so many claims."""
        return self.raws(source.fever(self.data, seed=SEED)[part][:most])

    def politihop(self, part: str, *, whole: bool = False) -> list[list[Item]]:
        """Return the items of each statement of PolitiHop ``train`` or ``valid``, one for each of its chains."""
        texts = [text for a in source.politihop_texts(self.data, part, whole=whole) for text in a]
        articles = source.politihop_articles(self.data, part, self.vectors(texts), whole=whole)
        cases = [self.cases(article) for article in articles]
        read = iter(items([case for one in cases for case in one], self.readings))
        return [list(islice(read, len(one))) for one in cases]

    def cases(self, article: Article) -> list[Case]:
        """Return an article as cases."""
        return source.of_article(article, self.scorer, masked=self.masked)

    def politifact(self, index: ClaimIndex) -> dict[str, list[Item]]:
        """Return the items of the database by part: statements, neighbours' articles and denials."""
        by_part = source.politifact(self.data, index, count=DRAWN["politifact"])
        made = {}
        for part, articles in by_part.items():
            most = DRAWN if part == "train" else HELD_OUT
            cases = [case for article in articles for case in self.cases(article)]
            cases += self.beside(articles, most["neighbour"]) + self.denials(articles, most["denied"])
            made[part] = items(cases, self.readings)
        return made

    def beside(self, articles: Sequence[Article], most: int) -> list[Case]:
        """Return statements with the articles of neighbours, which settle them not."""
        made = []
        for one, other in source.neighbours(articles, most, seed=SEED):
            strange = replace(other, source="neighbour")
            made += source.of_article(
                strange, self.scorer, masked=self.masked, wording=(one.claim, one.vector), label=NOT_ENOUGH
            )
        return made

    def denials(self, articles: Sequence[Article], most: int) -> list[Case]:
        """Return the denials of statements with their own articles."""
        drawn = list(source.denied(articles, most, seed=SEED))
        vectors = self.vectors([text for _, text, _ in drawn])
        made = []
        for article, text, label in drawn:
            turned = replace(article, source="denied")
            wording = (text, vectors([text])[0])
            made += source.of_article(turned, self.scorer, masked=self.masked, wording=wording, label=label)
        return made

    def pairs(self, pairs: Sequence[tuple[str, Article]]) -> list[Item]:
        """Return sentences with articles, read as the product reads them; without those whose article says nothing."""
        vectors = self.vectors([text for text, _ in pairs])
        cases = []
        for text, article in pairs:
            wording = (text, vectors([text])[0])
            cases += source.of_article(article, self.scorer, masked=self.masked, wording=wording, label=article.label)
        return items(cases, self.readings)

    def linked(self, index: ClaimIndex) -> list[Item]:
        """Return sentences of the sixty-three debates with the articles they are linked to, and with others."""
        pairs = source.linked(self.data, index)
        vectors = self.vectors([text for text, _ in pairs])([text for text, _ in pairs])
        others = [(pairs[i][0], article) for i, article in source.strangers(pairs, vectors, index, seed=SEED)]
        return self.pairs([*pairs, *others])


def spread(read: Sequence[Sequence[Item]]) -> tuple[list[Item], list[Item]]:
    """Return the items of every second statement, and one item of each of the others."""
    return [item for one in read[::2] for item in one], [one[0] for one in islice(read, 1, None, 2) if one]


def labels(read: Sequence[Item]) -> np.ndarray:
    """Return the wanted relation of each item, (n,)."""
    return np.array([item.raw.label for item in read])
