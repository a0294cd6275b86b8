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


def rows(database_measures: Whole, pooling: Pooling) -> Floats:
    """Return a row for each sentence, (n, inputs): see ``Pooling`` for the readings."""
    columns = [COLUMN[name] for name in pooling.used]
    if pooling.reading == "code":
        return database_measures.largest[int(pooling.skip)][:, columns, : pooling.depth].reshape(
            len(database_measures.X), -1
        )
    usable = database_measures.gate >= 0
    if pooling.skip:
        usable &= ~database_measures.half_true
    pool_rows = {"text": maximum, "retrieved": side_by_side}[pooling.reading]
    return pool_rows(database_measures.X[:, :, columns], usable, pooling.depth)


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
        training_rows = [rows(self.whole[name, False], variant.pooling) for name in training]
        training_labels = [self.relevant[name, False] for name in training]
        test_rows = {}
        for name in left_out:
            for late in (False, True):
                test_rows[name, late] = rows(self.whole[name, late], variant.pooling)

        def learn() -> dict[str, NDArray]:
            svm, low, high = fit(training_rows, training_labels, variant)
            scores = {}
            for (name, late), debate_rows in test_rows.items():
                scaled = scale(debate_rows, low, high)
                scores[f"{name}/{late:d}"] = svm.decision_function(scaled)
            return scores

        key = []
        for debate_rows in (*training_rows, *test_rows.values()):
            key.append(hashlib.sha256(debate_rows.tobytes()).hexdigest())
        key += [labels.tobytes().hex() for labels in training_labels]
        key += [variant.kernel, str(variant.C), *left_out]
        scores = cached(self.cache, "ranksvm", key, learn, LEARNER)
        return {(name, late): scores[f"{name}/{late:d}"] for name, late in test_rows}

    def left_out(self, variant: Variant) -> dict[Place, Floats]:
        """Return the scores of every debate by what was learnt without it."""
        return {
            debate_setting: scores
            for name in self.names
            for debate_setting, scores in self.scores(variant, [name]).items()
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

    def ap(self, scores: Mapping[Place, Floats], debate_setting: Place) -> float:
        """Return the AP of a debate in a setting."""
        return average_precision(scores[debate_setting], self.relevant[debate_setting])


def fit(
    rows_by_debate: Sequence[Floats], labels: Sequence[Mask], variant: Variant
) -> tuple[RankSVM, Floats, Floats]:
    """Return a RankSVM learnt from rows of debates, one group each, and the range that is scaled to -1..1."""
    joined = np.concatenate(rows_by_debate).astype(float)
    low = joined.min(axis=0)
    high = joined.max(axis=0)
    groups = np.repeat(
        np.arange(len(rows_by_debate)), [len(debate_rows) for debate_rows in rows_by_debate]
    )
    svm = RankSVM(variant.C, kernel=variant.kernel)
    return (
        svm.fit(scale(joined, low, high), np.concatenate(labels).astype(float), groups),
        low,
        high,
    )


def single(measures_by_setting: Mapping[Place, Whole], name: str) -> dict[Place, Floats]:
    """Return the scores of sentences by one of ``PLACED``: the largest over the database."""
    if name in COLUMN:
        return {
            debate_setting: measures.largest[0][:, COLUMN[name], 0]
            for debate_setting, measures in measures_by_setting.items()
        }
    columns = [COLUMN["nli_entailment"], COLUMN["nli_contradiction"]]
    return {
        debate_setting: np.maximum(measures.X[:, :, columns].sum(axis=2).max(axis=1), 0)
        for debate_setting, measures in measures_by_setting.items()
    }


def claim_places(database_measures: Whole, name: str) -> Iterator[tuple[int, str, int]]:
    """Yield (line, claim, place) of the annotated pairs whose claim the database holds, by one of ``PLACED``."""
    for (line, claim), place in zip(
        database_measures.pairs, database_measures.places[PLACED.index(name)].tolist(), strict=True
    ):
        if place:
            yield line, claim, place
