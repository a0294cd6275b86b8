"""The chance that two texts make the same claim: a sentence and a statement, or two sentences.

The tier of a match says whether a reporter should look at it. Counting and grouping ask for more,
since two mistakes counted together are a false accusation. The cross-encoder reads both texts in
both directions, their vectors and words are compared, and a logistic regression gives a chance.
Its weights and the smallest chance that counts were chosen on ``bench/archive/development.tsv`` by
``python -m bench.archive.development``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from features.language.conflicts import conflicts
from features.models.model_spec import Floats
from features.models.profile_models import Encoders

COUNTED_CHANCE = 0.8  # the smallest chance of a match that counts
OPPOSING_CONFLICTS = frozenset({"figures", "years", "names", "direction"})
INTERCEPT = -2.99
WEIGHTS = (1.15, 7.64, -2.85)


def regression_inputs(
    statements: Sequence[str], sentences: Sequence[str], encoders: Encoders
) -> Floats:
    """Return the inputs of the regression for each pair, (n, 3).

    They are the mean log-odds of *same claim* in both directions, the cosine, and 1 if figures,
    years, names or directions conflict. The log-odds are NaN if the cross-encoder has no such
    head.
    """
    there = encoders.nli.read(statements, sentences)[1]
    back = encoders.nli.read(sentences, statements)[1]
    claimed = encoders.sbert.encode(statements)
    said = encoders.sbert.encode(sentences)
    pairs = zip(sentences, statements, strict=True)
    against = [
        bool(conflicts(sentence, statement) & OPPOSING_CONFLICTS) for sentence, statement in pairs
    ]
    return np.stack(
        ((there + back) / 2, (claimed * said).sum(axis=1), np.asarray(against, np.float32)), axis=1
    )


def chances(
    statements: Sequence[str], sentences: Sequence[str], encoders: Encoders
) -> list[float | None]:
    """Return the chance that each pair of texts makes the same claim, None if unknown."""
    if not statements:
        return []
    odds = regression_inputs(statements, sentences, encoders) @ np.asarray(WEIGHTS) + INTERCEPT
    return [None if np.isnan(value) else float(1 / (1 + np.exp(-value))) for value in odds]
