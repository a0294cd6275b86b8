"""The published method, RankSVM on pooled measures over the whole database, learnt fold by fold for Tables 5 and 6.

Each transcript is scored by a RankSVM learnt from the other six, in the setting with all claims;
its scores as of the event come from the same weights. Scores are cached under the digest of the
rows, the labels and the learner.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.check.rankers import Pooling
from bench.paper.whole_database import PLACED, Whole
from features.similarity.catalogue import COLUMN
from ranking.pooling import maximum, scale, side_by_side
from ranking.ranksvm import RankSVM
from training.shared.debates import Debate, cached
from training.shared.significance import average_precision

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
Place = tuple[str, bool]  # a debate, and whether as of the event
LEARNER = (RankSVM.__module__, scale.__module__)  # the rows are in the key
PLAIN_C = 1.0  # the default of LIBSVM, which the published code leaves


@dataclass(frozen=True, slots=True)
class Variant:
    """How sentences become rows and how the rows are learnt."""

    pooling: Pooling
    kernel: str = "linear"
    C: float = PLAIN_C

    @property
    def name(self) -> str:
        """Return the end of a row's name: reading, kernel, N, and C where it is not 1."""
        reading = "" if self.pooling.reading == "retrieved" else f"{self.pooling.reading}/"
        return f"{reading}{self.kernel}/N={self.pooling.depth}" + (
            f"/C={self.C:g}" if self.C != PLAIN_C else ""
        )


def rows(whole: Whole, pooling: Pooling) -> Floats:
    """Return a row for each sentence, (n, inputs): see ``Pooling`` for the readings."""
    columns = [COLUMN[name] for name in pooling.used]
    if pooling.reading == "code":
        return whole.largest[int(pooling.skip)][:, columns, : pooling.depth].reshape(
            len(whole.X), -1
        )
    usable = whole.gate >= 0
    if pooling.skip:
        usable &= ~whole.half_true
    read = {"text": maximum, "retrieved": side_by_side}[pooling.reading]
    return read(whole.X[:, :, columns], usable, pooling.depth)


@dataclass(frozen=True)
class Folds:
    """Debates with their measures in both settings and, in both, which sentences are relevant (n,)."""

    debates: Sequence[Debate]
    whole: Mapping[Place, Whole]
    relevant: Mapping[Place, Mask]
    cache: Path
    _known: dict = field(default_factory=dict, repr=False)

    @property
    def names(self) -> list[str]:
        """Return the names of the debates."""
        return [debate.name for debate in self.debates]

    def scores(self, variant: Variant, left_out: Sequence[str]) -> dict[Place, Floats]:
        """Return the scores (n,) of the sentences of some debates by what was learnt from all others."""
        key = variant, tuple(left_out)
        if key not in self._known:
            self._known[key] = self._scores(variant, left_out)
        return self._known[key]

    def _scores(self, variant: Variant, left_out: Sequence[str]) -> dict[Place, Floats]:
        training = [name for name in self.names if name not in left_out]
        made = {name: rows(self.whole[name, False], variant.pooling) for name in training}
        tested = {
            (name, late): rows(self.whole[name, late], variant.pooling)
            for name in left_out
            for late in (0, 1)
        }

        def learn() -> dict[str, NDArray]:
            svm, low, high = fit(
                list(made.values()), [self.relevant[name, False] for name in training], variant
            )
            return {
                f"{n}/{late}": svm.decision_function(scale(r, low, high))
                for (n, late), r in tested.items()
            }

        content = [
            hashlib.sha256(part.tobytes()).hexdigest()
            for part in (*made.values(), *tested.values())
        ]
        labels = [self.relevant[name, False].tobytes().hex() for name in training]
        settings = [variant.kernel, str(variant.C), *left_out]
        scores = cached(self.cache, "ranksvm", [*content, *labels, *settings], learn, LEARNER)
        return {
            (name, late): scores[f"{name}/{late:d}"] for name in left_out for late in (False, True)
        }

    def left_out(self, variant: Variant) -> dict[Place, Floats]:
        """Return the scores of every debate by what was learnt without it."""
        return {
            place: scores
            for name in self.names
            for place, scores in self.scores(variant, [name]).items()
        }

    def chosen(self, variants: Sequence[Variant]) -> dict[Place, Floats]:
        """Return the scores of every debate by the variant chosen without it, learnt without it."""
        scores: dict[Place, Floats] = {}
        for name in self.names:
            scores |= self.scores(
                max(variants, key=lambda v, name=name: self.inner(v, name)), [name]
            )
        return scores

    def inner(self, variant: Variant, outer: str) -> float:
        """Return how good a variant is without a debate.

        The mean AP of the others in both settings, each left out.
        """
        values = []
        for pair in combinations(self.names, 2):
            if outer in pair:
                (name,) = set(pair) - {outer}
                scores = self.scores(variant, list(pair))
                values += [
                    self.ap(scores, (name, late))
                    for late in (False, True)
                    if self.relevant[name, late].any()
                ]
        return float(np.mean(values))

    def ap(self, scores: Mapping[Place, Floats], place: Place) -> float:
        """Return the AP of a debate in a setting."""
        return average_precision(scores[place], self.relevant[place])


def fit(
    parts: Sequence[Floats], labels: Sequence[Mask], variant: Variant
) -> tuple[RankSVM, Floats, Floats]:
    """Return a RankSVM learnt from rows of debates, one group each, and the range that is scaled to -1..1."""
    joined = np.concatenate(parts).astype(float)
    low = joined.min(axis=0)
    high = joined.max(axis=0)
    groups = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    svm = RankSVM(variant.C, kernel=variant.kernel)
    return (
        svm.fit(scale(joined, low, high), np.concatenate(labels).astype(float), groups),
        low,
        high,
    )


def single(whole: Mapping[Place, Whole], name: str) -> dict[Place, Floats]:
    """Return the scores of sentences by one of ``PLACED``: the largest over the database."""
    if name in COLUMN:
        return {place: w.largest[0][:, COLUMN[name], 0] for place, w in whole.items()}
    columns = [COLUMN["nli_entailment"], COLUMN["nli_contradiction"]]
    return {
        place: np.maximum(w.X[:, :, columns].sum(axis=2).max(axis=1), 0)
        for place, w in whole.items()
    }


def claim_places(whole: Whole, name: str) -> Iterator[tuple[int, str, int]]:
    """Yield (line, claim, place) of the annotated pairs whose claim the database holds, by one of ``PLACED``."""
    for (line, claim), place in zip(
        whole.pairs, whole.places[PLACED.index(name)].tolist(), strict=True
    ):
        if place:
            yield line, claim, place
