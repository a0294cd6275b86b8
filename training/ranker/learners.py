"""Learners of the rankers: the same functions make the shipped weights and those inside the folds of the benches.

Examples in (``training.shared.examples``), rankers out; ``training.ranker.train`` writes the
files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.check.pairs import Pairs
from assistant.check.rankers import MaxSkip, PairsFirst, Pooling
from features.similarity.catalogue import COLUMN
from features.similarity.input_catalogue import ARTICLE, CONTEXT, NAMES, READ, SIGNS
from ranking.claim_ranker import ClaimRanker, KindWeights
from ranking.pooling import position_in_group, scale
from ranking.ranksvm import RankSVM
from ranking.tier_thresholds import Thresholds
from training.ranker.fitting import fit_order, fit_weights
from training.shared.examples import Example

INVERSE_PENALTY = 0.1  # C of the logistic regressions
LINKED_IMPORTANCE = 0.1
PROMISING = 6  # candidates of a sentence, by rank fusion, whose wrong pairs are all learnt from
EVERY = 20  # of the other wrong pairs, one in so many is
UNSET = Thresholds(np.inf, np.inf)
Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Lists = tuple[
    Floats, Mask, Ints, Floats
]  # values (p, f), which are right, group and importance of pairs (p,)
FUSED = (
    "sbert_statement",
    "sbert_title",
    "sbert_body_1",
    "bertscore",
    "bm25_statement",
    "bm25_title",
    "bm25_body",
)


def fit_lectern(
    examples: Sequence[Example], *, linked: float = LINKED_IMPORTANCE, inputs: Sequence[str] = ()
) -> PairsFirst:
    """Train the pair ranker on examples, without thresholds.

    ``linked``: importance of a pair of a debate that only has links, against 1 of a judged one, for how sure a match
    is. ``inputs``: the names of the features used, all if empty.

    How sure a match is, is learnt from pairs that may lift their sentence and whose label is sure;
    which claim comes first, from all candidates of the sentences that have a right one. Debates
    that only have links get an intercept of their own, for most of their matches are not linked.
    Claims without an article or title get weights of their own, learnt from the same pairs with
    those inputs withheld. The context only orders claims, and its weight is learnt beside the
    others, which stay, so that a sentence without context is ranked as if there were no such
    input. Likeness may only speak for a match, and a clash only against it
    (``features.similarity.input_catalogue.SIGNS``): what a few debates would teach otherwise is
    chance and would mislead.
    """
    is_used = np.array([name != CONTEXT and (not inputs or name in inputs) for name in NAMES])
    is_bare = np.array([name not in ARTICLE for name in NAMES])
    sure = _sureness(examples, linked)
    lists = order_lists(examples)
    order_kinds = []
    sure_kinds = []
    # by kind of pair: with the article, without
    for columns in (is_used, is_used & is_bare):
        order_kinds.append(
            fit_order(*lists, C=INVERSE_PENALTY, usable=columns, signs=np.array(SIGNS))
        )
        sure_kinds.append(_fit_sureness(*sure, INVERSE_PENALTY, columns))
    order = ClaimRanker(NAMES, tuple(order_kinds))
    if not inputs or CONTEXT in inputs:
        order = with_context(order, lists, INVERSE_PENALTY)
    return PairsFirst(ClaimRanker(NAMES, tuple(sure_kinds)), order, UNSET)


def with_context(ranker: ClaimRanker, lists: Lists, C: float) -> ClaimRanker:
    """Return an order of claims with a weight of the context, learnt from lists beside its other weights."""
    columns = np.isin(NAMES, CONTEXT)
    signs = np.array(SIGNS)
    kinds = (
        fit_order(*lists, C=C, usable=columns, signs=signs, beside=kind) for kind in ranker.kinds
    )
    return replace(ranker, kinds=tuple(kinds))


def _fit_sureness(
    values: Floats, label: Floats, importance: Floats, C: float, usable: Mask
) -> KindWeights:
    """Weights of a logistic regression.

    The last column, whether a debate only has links, is left out of them.
    """
    everything = np.append(usable, True)
    signs = np.append(SIGNS, 0)
    weights = fit_weights(values, label, importance, C=C, usable=everything, signs=signs)
    judged = weights.intercept - weights.coef[-1] * weights.mean[-1] / weights.scale[-1]
    return KindWeights(weights.mean[:-1], weights.scale[:-1], weights.coef[:-1], float(judged))


def _sureness(examples: Sequence[Example], linked: float) -> tuple[Floats, Floats, Floats]:
    """Return the values with a last column, the labels and the importance of the sureness's pairs."""
    values = []
    labels = []
    importance = []
    for example in examples:
        example_weight = 1.0 if example.judged else linked
        if not example_weight:
            continue
        inputs = example.inputs
        promising = _promising(inputs)
        # one in ``EVERY`` of the other wrong pairs, by a hash of sentence and claim
        is_drawn = (inputs.sentence_index * 7919 + inputs.claim_index) % EVERY == 0
        usable = example.sure & inputs.may_raise_sentence & (example.right | promising | is_drawn)
        times = np.where(promising, 1, EVERY) * example.one_in
        input_values = inputs.inputs if example.judged else _unread(inputs.inputs)
        is_linked = np.full(len(inputs), not example.judged)
        right = example.right[usable]
        values.append(np.column_stack((input_values, is_linked))[usable])
        labels.append(right.astype(float))
        importance.append(example_weight * np.where(right, 1, times[usable]))
    return np.concatenate(values), np.concatenate(labels), np.concatenate(importance)


def _unread(values: Floats) -> Floats:
    """The values without what the cross-encoder says.

    It is what finds matches that nobody linked; learnt as wrong pairs, they would teach that it
    errs.
    """
    return np.where(np.isin(NAMES, READ), np.nan, values)


def order_lists(examples: Sequence[Example]) -> Lists:
    """The values, labels, group and importance of all candidates of the sentences that have a right one.

    Candidates are those that a sentence finds alone: an order that also learns from what windows
    find is no better on whole debates, and worse where there is no window, in a search by one
    sentence.
    """
    values = []
    right = []
    groups = []
    group_count = 0
    for example in examples:
        sentence = example.inputs.sentence_index
        alone = example.inputs.found_without_context
        taught = np.unique(sentence[example.right & alone])
        doubtful = example.judged & ~example.sure  # it may be right as well
        usable = np.isin(sentence, taught) & ~doubtful & alone
        values.append(example.inputs.inputs[usable])
        right.append(example.right[usable])
        groups.append(group_count + np.searchsorted(taught, sentence[usable]))
        group_count += len(taught)
    group = np.concatenate(groups)
    return np.concatenate(values).astype(float), np.concatenate(right), group, np.ones(len(group))


def _promising(inputs: Pairs) -> Mask:
    """Which pairs are among the first candidates of their sentence by rank fusion, (p,)."""
    fused = np.zeros(len(inputs))
    for name in FUSED:
        ranked = np.lexsort((-inputs.similarities[:, COLUMN[name]], inputs.sentence_index))
        fused[ranked] += 1 / (10 + position_in_group(inputs.sentence_index[ranked]))
    ranked = np.lexsort((-fused, inputs.sentence_index))
    promising = np.empty(len(inputs), bool)
    promising[ranked] = position_in_group(inputs.sentence_index[ranked]) < PROMISING
    return promising


def fit_max_skip(
    examples: Sequence[Example], pooling: Pooling, *, kernel: str = "linear", C: float = 1.0
) -> MaxSkip:
    """Return the published method learnt from examples, without thresholds.

    One group a transcript.
    """
    sentence_rows = np.concatenate([pooled(example.inputs, pooling) for example in examples])
    labels = np.concatenate([example.relevant for example in examples]).astype(float)
    groups = np.repeat(
        np.arange(len(examples)), [example.inputs.sentence_count for example in examples]
    )
    low = sentence_rows.min(axis=0)
    high = sentence_rows.max(axis=0)
    svm = RankSVM(C, kernel=kernel).fit(scale(sentence_rows, low, high), labels, groups)
    return MaxSkip(svm, pooling, low, high, UNSET)


@lru_cache(maxsize=512)
def pooled(inputs: Pairs, pooling: Pooling) -> Floats:
    """Return the pooled rows of the sentences of an event, (n, inputs), made once."""
    return pooling.rows(inputs).astype(float)


def file_of(card: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Return a ranker's file: its card, the digest of its weights, and these."""
    digest = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps({"card": card, "digest": digest, **value}, ensure_ascii=False) + "\n"
