"""What may be read of an article, which of its sentences the network chooses from, and what it is told about them.

An article that ends in its publisher's ruling would give the relation away without any evidence: the closing summary
and every sentence that names a rating are left out before anything else is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from features.articles.rating_sentences import Floats, body_end, is_bare_rating

RELATIONS = ("supports", "refutes", "not enough")
HELD = 8  # sentences that the network chooses from
READ = 5  # of these, so many are read beside the wording by a cross-encoder: FEVER's number of sentences
MEASURED = 7  # numbers a sentence that ``Memory.told`` has
LEAST_LOG = -6.0  # of a probability
SAME_SCALE = 5.0  # log-odds that count as 1
SHORTEST = 4  # words: what is shorter is a heading or a torn piece
_NAMES_A_RATING = re.compile(
    r"\b(?:pants[- ]on[- ]fire|truth-o-meter|(?:mostly|barely|half)[- ](?:true|false)|(?:full|half|no)[- ]fl[io]p)\b|"
    r"\b(?:rat(?:e|ed|es|ing)|rul(?:e|ed|es|ing)|earns?|verdict)\b[^.]{0,80}\b(?:true|false|correct|incorrect)\b|"
    r"\bour (?:ruling|rating|verdict)\b",
    re.IGNORECASE,
)


def reveals_rating(text: str) -> bool:
    """Return whether a sentence names the rating of a fact-check, this one's or another's."""
    return bool(_NAMES_A_RATING.search(text)) or is_bare_rating(text)


def readable(texts: Sequence[str], *, masked: bool = True) -> list[int]:
    """Return the places of the sentences of an article that may be read, in order.

    ``masked``: without the closing summary and without every sentence that names a rating.
    """
    end = body_end(texts) if masked else len(texts)
    long = [i for i in range(end) if len(texts[i].split()) >= SHORTEST]
    return [i for i in long if not (masked and reveals_rating(texts[i]))]


def candidates(places: Sequence[int], decides: Floats, near: Floats, *, held: int = HELD) -> list[int]:
    """Return up to ``held`` of the places, those to read first in front: by turns what decides and what is nearest.

    Shapes: ``decides`` and ``near`` (n,) of the whole article. Equal ones stand in the article's order.
    """
    found: dict[int, None] = {}
    orders = [sorted(places, key=lambda i: (-scores[i], i)) for scores in (decides, near)]
    for pair in zip(*orders, strict=True):
        found.update(dict.fromkeys(pair))
    return list(found)[:held]


@dataclass(frozen=True, eq=False)
class Memory:
    """A wording, and the sentences that the network chooses from.

    Shapes: wording (d,), rows (n, d), unit vectors; told (n, MEASURED); n texts.
    """

    wording: Floats
    rows: NDArray[np.floating]
    told: Floats
    texts: tuple[str, ...]


def measured(labels: Floats, same: Floats, near: Floats, decides: Floats, count: int) -> Floats:
    """Return what is told of n sentences in numbers, (n, MEASURED); the first ``len(labels)`` were read.

    ``labels`` (k, 3): probabilities that sentence and wording entail, leave open, contradict; ``same`` (k,): log-odds
    of the same claim; ``near`` (n,): cosines with the wording; ``decides`` (n,): how likely each decides the rating, 0
    where there is no article around. What was not read has zeros.
    """
    found = np.zeros((count, MEASURED), np.float32)
    k = len(labels)
    found[:k, :3] = np.maximum(np.log(np.maximum(labels, 1e-9)), LEAST_LOG) / -LEAST_LOG + 1
    found[:k, 3] = np.clip(np.nan_to_num(same), -2 * SAME_SCALE, 2 * SAME_SCALE) / SAME_SCALE
    found[:k, 4] = 1
    found[:, 5], found[:, 6] = near, decides
    return found


def calibrated(relation: Floats, temperature: float) -> Floats:
    """Return probabilities (3,) or (n, 3) whose logarithms were divided by a temperature (Guo et al. 2017)."""
    powers = np.maximum(relation, 1e-9) ** (1 / temperature)
    odds: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return odds
