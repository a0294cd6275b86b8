"""What a sentence does with a verified claim: repeats it, contradicts it, or neither for sure. Texts and numbers in.

NLI reads the statement as premise and the sentence as hypothesis. It is asked together with polarity: whether one text
denies what the other says. Where NLI did not read a pair, likeness and polarity alone decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.domain import Stance

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


def opposed(sentence: str, statement: str) -> bool:
    """Return whether exactly one of two texts denies an odd number of times: then one may deny the other."""
    return denials(sentence) % 2 != denials(statement) % 2


def stance(
    sentence: str, statement: str, nli: tuple[float, float, float], cosine: float, rule: StanceRule = StanceRule()
) -> Stance:
    """Return what the sentence does with the statement.

    ``nli``: probabilities of entailment, neutral and contradiction, all 0 where NLI did not read the pair.
    ``cosine``: SBERT cosine of the two.
    """
    entailment, _, contradiction = nli
    turned = opposed(sentence, statement)
    if contradiction >= rule.contradicted and turned and contradiction > entailment:
        return Stance.CONTRADICTS
    if entailment >= rule.entailed and not turned:
        return Stance.REPEATS
    return (
        Stance.REPEATS if cosine >= rule.alike and not turned and contradiction < rule.contradicted else Stance.UNCLEAR
    )
