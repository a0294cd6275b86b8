"""Which matches may be *likely*: a high score is not enough where the words say that it is another claim.

The ranker's score says how near a sentence and a claim are; another figure, year, person or place, the opposite
direction, a denial or a mere supposition hardly move it. So whatever reaches *likely* is read again
(``features.conflict``), and where something stands against it, it is *possible*: still shown, with its reason. Only the
few pairs above the border are read, and nothing is ever raised or hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistant.pairs import PairInputs
from assistant.rankers import Ranking
from features.conflict import conflicts
from ranking.tiers import LIKELY, POSSIBLE

Mask = NDArray[np.bool_]
SAME_CLAIM = "same_claim"
OTHER_CLAIM = -1.0  # log-odds under which the cross-encoder, where it read the pair, says that it is another claim


def capped(ranking: Ranking, inputs: PairInputs, texts: Sequence[str], statements: Sequence[str]) -> Ranking:
    """Return the ranking with every *likely* pair that something stands against made *possible*.

    A sentence stays likely if a pair that may lift it does. ``texts`` (n,): the sentences; ``statements`` (m,): the
    claims', by position.
    """
    looked_at = np.flatnonzero(ranking.pair_tiers == LIKELY)
    against = conflicting(inputs, looked_at, texts, statements)
    tiers = ranking.pair_tiers.copy()
    tiers[looked_at[against]] = POSSIBLE
    lifted = np.zeros(inputs.n, bool)
    lifted[inputs.sentence[(tiers == LIKELY) & inputs.lifts]] = True
    falls = (ranking.sentence_tiers == LIKELY) & ~lifted
    return replace(ranking, pair_tiers=tiers, sentence_tiers=np.where(falls, POSSIBLE, ranking.sentence_tiers))


def conflicting(
    inputs: PairInputs, pairs: NDArray[np.integer], texts: Sequence[str], statements: Sequence[str]
) -> Mask:
    """Return for each of some pairs, given by position, whether something stands against its being the same claim."""
    worded = [bool(conflicts(texts[inputs.sentence[p]], statements[inputs.claim[p]])) for p in pairs.tolist()]
    return np.array(worded, bool) | other_claim(inputs)[pairs]


def other_claim(inputs: PairInputs) -> Mask:
    """Return where the cross-encoder says that it is another claim, (p,); nowhere if it did not read the pair."""
    if SAME_CLAIM not in inputs.names:
        return np.zeros(len(inputs), bool)
    return np.nan_to_num(inputs.values[:, inputs.names.index(SAME_CLAIM)], nan=0.0) < OTHER_CLAIM
