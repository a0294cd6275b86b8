"""How the sentences of an article, read one after another, stand to a wording: they support it, refute it, or neither.

Knows texts and arrays, not where they come from. Source: Hidey et al., DeSePtion: Dual Sequence Prediction and
Adversarial Examples for Improved Fact-Checking, ACL 2020: sentences are pointed at one by one, each step has a
relation, and the relation of all is their average.
"""

from features.articles.relation.network import Reading, RelationNetwork, RelationUnavailable
from features.articles.relation.reading import (
    READ,
    RELATIONS,
    Memory,
    calibrated,
    candidates,
    measured,
    readable,
    reveals_rating,
)

__all__ = [
    "READ",
    "RELATIONS",
    "Memory",
    "Reading",
    "RelationNetwork",
    "RelationUnavailable",
    "calibrated",
    "candidates",
    "measured",
    "readable",
    "reveals_rating",
]
