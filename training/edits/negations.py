"""Negation pairs: a pair whose relation is known, with a "not" added or removed, labelled by the logic of negation.

p entails q: p contradicts not q, and not q entails not p. p contradicts q: p entails not q. p
leaves q open: not q too. Where p and q say nearly the same, not p contradicts q and entails not q;
otherwise not p leaves q open.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from training.edits.entailment_edits import negated
from training.shared.loaders import LABELS, Pair, words

SOURCE = "negated"
# Share of words that two texts have in common if they say nearly the same
PARAPHRASE_WORD_RATIO = 0.6
TURNED = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}
_TAKEN_OFF = (
    (r"\b(is|are|was|were|will|would|can|could|should|has|have|had|do|does|did) not\b", r"\1"),
    (r"\b(is|are|was|were|would|could|should|has|have|had)n't\b", r"\1"),
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|neither|nor|without|hardly|cannot)\b|n't\b", re.I
)


def turned(text: str, rng: random.Random) -> str | None:
    """Return the text with its "not" taken away, or with one added.

    None where neither can be done surely.
    """
    if _NEGATIVE.search(text):
        if len(_NEGATIVE.findall(text)) > 1:
            return None
        for pattern, replacement in _TAKEN_OFF:
            if re.search(pattern, text):
                return re.sub(pattern, replacement, text, count=1)
        return None
    return negated(text, rng)


def negation_pairs(pairs: Iterable[Pair], *, seed: int) -> list[Pair]:
    """Return one pair for every pair of which a side can be negated.

    What stays open is kept once in four times.
    """
    rng = random.Random(seed)
    negated_pairs = []
    for pair in pairs:
        relation = LABELS[pair.label]
        premise = turned(pair.premise, rng)
        hypothesis = turned(pair.hypothesis, rng)
        variants = list(_variants(pair, relation, premise, hypothesis))
        if not variants:
            continue
        premise, hypothesis, label = rng.choice(variants)
        if label != "neutral" or rng.random() < 0.25:
            negated_pairs.append(Pair(premise, hypothesis, LABELS.index(label), SOURCE))
    return negated_pairs


def _variants(
    pair: Pair, relation: str, premise: str | None, hypothesis: str | None
) -> Iterable[tuple[str, str, str]]:
    """Yield each pair (premise, hypothesis, relation) that a negated side gives."""
    paraphrase = relation == "entailment" and _shared_word_ratio(pair) >= PARAPHRASE_WORD_RATIO
    if hypothesis:
        yield pair.premise, hypothesis, TURNED[relation]
    if premise:
        yield premise, pair.hypothesis, "contradiction" if paraphrase else "neutral"
    if premise and hypothesis:
        yield premise, hypothesis, "entailment" if paraphrase else "neutral"
        if relation == "entailment":
            yield hypothesis, premise, "entailment"


def _shared_word_ratio(pair: Pair) -> float:
    premise_words = set(words(pair.premise))
    hypothesis_words = set(words(pair.hypothesis))
    shared = premise_words & hypothesis_words
    return len(shared) / max(1, len(premise_words | hypothesis_words))
