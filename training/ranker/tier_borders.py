"""The borders of the tiers *likely* and *possible*, from held-out rankings.

The gold, added labels, and the veto.

The strict gold of the seven debates misses matches that nobody judged, so a language model with a written guide
labelled high-scored pairs, blind to score and gold (``training/ranker/likely_read.tsv``). A pair is right if the gold
or the label says so, left out if the label is *unsure* or nobody is sure, else wrong. *likely* counts only pairs that
``assistant.check.match_tiers`` lets be likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import conflicting
from assistant.check.pairs import Pairs
from assistant.check.rankers import LIKELY_MIN_WORDS
from ranking.tier_thresholds import Thresholds
from training.ranker.fitting import precision_border, recall_border
from training.shared.examples import Example

READ = Path(__file__).with_name("likely_read.tsv")
Labels = Mapping[tuple[str, int, str], str]


class HeldOut(NamedTuple):
    """The best pair of each sentence of held-out debates, (s,).

    Score, whether right by the gold, the label ("" unread), whether that is sure, whether it may
    be likely, and whether its sentence is verifiable.
    """

    score: NDArray[np.floating]
    strict: NDArray[np.bool_]
    read: NDArray[np.str_]
    sure: NDArray[np.bool_]
    may: NDArray[np.bool_]
    verifiable: NDArray[np.bool_]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Return which are right by the gold or by the label."""
        return self.strict | (self.read == "yes")

    @property
    def known(self) -> NDArray[np.bool_]:
        """Return of which it is known whether they are right."""
        return self.strict | np.isin(self.read, ("yes", "no")) | (self.sure & (self.read == ""))


def read_labels(path: Path = READ) -> dict[tuple[str, int, str], str]:
    """Return {(debate, line, claim): yes, no or unsure}."""
    records = [
        line.split("\t")
        for line in path.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    return {(debate, int(line), claim): label for debate, line, claim, label in records}


def labels_of(example: Example, ids: Sequence[str], labels: Labels) -> NDArray[np.str_]:
    """Return the label of each pair of an example, (p,): yes, no, unsure, or "" if it has none."""
    debate = example.debate
    pair_labels = []
    pairs = zip(
        example.inputs.sentence_index.tolist(), example.inputs.claim_index.tolist(), strict=True
    )
    for sentence_index, claim_index in pairs:
        key = (debate.name, debate.lines[sentence_index], str(ids[claim_index]))
        pair_labels.append(labels.get(key, ""))
    return np.array(pair_labels, "<U6")


def held_out(
    scored: Sequence[tuple[Example, NDArray[np.floating]]],
    ids: Sequence[str],
    statements: Sequence[str],
    labels: Labels,
) -> HeldOut:
    """Return the best pairs of sentences of five words or more, from scores (p,) of held-out pairs."""
    best_by_debate = []
    for example, scores in scored:
        inputs = example.inputs
        best = best_pairs(scores, inputs)
        best_by_debate.append(
            HeldOut(
                score=scores[best],
                strict=example.right[best],
                read=labels_of(example, ids, labels)[best],
                sure=example.sure[best],
                may=~conflicting(inputs, best, example.debate.texts, statements),
                verifiable=example.relevant[inputs.sentence_index[best]],
            )
        )
    columns = zip(*best_by_debate, strict=True)
    return HeldOut(*(np.concatenate(column) for column in columns))


def best_pairs(scores: NDArray[np.floating], inputs: Pairs) -> NDArray[np.integer]:
    """Return the best pair that may lift each sentence of five words or more, the first of equals."""
    usable = np.flatnonzero(inputs.may_raise_sentence & (inputs.word_count >= LIKELY_MIN_WORDS))
    order = usable[np.lexsort((usable, -scores[usable], inputs.sentence_index[usable]))]
    return order[np.unique(inputs.sentence_index[order], return_index=True)[1]]


def borders(best: HeldOut, *, precision: float, recall: float) -> Thresholds:
    """Return the smallest score of *likely* with that precision among pairs that may be likely, and of *possible*."""
    likely = best.known & best.may
    border = precision_border(best.score[likely], best.right[likely], precision)
    return Thresholds(border, min(border, recall_border(best.score, best.strict, recall)))
