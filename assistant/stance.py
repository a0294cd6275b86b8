"""What a sentence does with a verified claim: repeats it, contradicts it, or neither for sure. Texts and numbers in.

NLI reads the statement as premise and the sentence as hypothesis. It is asked together with polarity: whether one text
denies what the other says. Where NLI did not read a pair, likeness and polarity alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.domain import Stance
from features.catalogue import COLUMN

_DENIAL = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|can['’]?t|won['’]?t|\w+n['’]t|den(?:y|ies|ied|ying)"
    r"|false(?:ly)?|untrue|wrong|lies?|lied|lying|hoax|fake|fail(?:s|ed)? to|refus(?:e|es|ed|ing))\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\bnot (?:only|just|even)\b|\bno (?:doubt|question|wonder|matter|longer)\b|\bwhether or not\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StanceRule:
    """The borders of the rule: probabilities of NLI, and the cosine from which two texts say much the same."""

    entailed: float = 0.5
    contradicted: float = 0.5
    alike: float = 0.6


def denials(text: str) -> int:
    """Return how many words of a text deny something; "not only" and the like deny nothing."""
    return len(_DENIAL.findall(_NO_DENIAL.sub(" ", text)))


def denies(texts: Iterable[str]) -> NDArray[np.bool_]:
    """Return whether each text denies an odd number of times; where just one of two does, one may deny the other."""
    return np.array([denials(text) % 2 == 1 for text in texts], bool)


def stances(
    measures: NDArray[np.floating], opposed: NDArray[np.bool_], rule: StanceRule = StanceRule()
) -> NDArray[np.str_]:
    """Return what each sentence does with its claim, (p,) of ``Stance`` values.

    Shapes: measures (p, 19) in the catalogue's order, opposed (p,) whether just one of the two texts denies.
    NLI that did not read a pair is 0 throughout.
    """
    entailment, contradiction, cosine = (
        measures[:, COLUMN[name]] for name in ("nli_entailment", "nli_contradiction", "sbert_statement")
    )
    against = (contradiction >= rule.contradicted) & (contradiction > entailment) & opposed
    alike = (cosine >= rule.alike) & (contradiction < rule.contradicted)
    same = ~opposed & ((entailment >= rule.entailed) | alike)
    return np.where(against, Stance.CONTRADICTS.value, np.where(same, Stance.REPEATS.value, Stance.UNCLEAR.value))


def stance(sentence: str, statement: str, nli: tuple[float, float, float], cosine: float) -> Stance:
    """Return what one sentence does with one statement: ``stances`` of a single pair.

    ``nli``: probabilities of entailment, neutral and contradiction. ``cosine``: SBERT cosine of the two.
    """
    measures = np.zeros((1, len(COLUMN)))
    measures[0, COLUMN["nli_entailment"] : COLUMN["nli_contradiction"] + 1] = nli
    measures[0, COLUMN["sbert_statement"]] = cosine
    one, other = denies((sentence, statement))
    return Stance(str(stances(measures, np.array([one != other]))[0]))
