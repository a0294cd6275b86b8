"""How likely it is that a sentence makes the claim of a fact-check that it matches.

What the counts of repeats go by.

The tier of a match says whether a reporter should look at it. Counting asks for more, since a
count of two mistakes is a false accusation: sentence and statement are read by the cross-encoder
in both directions, their vectors and words are compared, and a logistic regression on that gives a
chance. Its weights and the chance from which a match counts were chosen on
``bench/archive/development.tsv`` by ``python -m bench.archive.development``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from features.language.conflicts import conflicts
from features.models.model_spec import Floats
from features.models.profile_models import Encoders

COUNTED_CHANCE = 0.8  # from here on a match counts
OPPOSING_CONFLICTS = frozenset({"figures", "years", "names", "direction"})
INTERCEPT = -2.99
WEIGHTS = (1.15, 7.64, -2.85)


def regression_inputs(
    statements: Sequence[str], sentences: Sequence[str], encoders: Encoders
) -> Floats:
    """Return what the regression reads of each pair, (n, 3).

    The mean log-odds of *same claim* of both directions, the cosine, and 1 where figures, years,
    names or directions speak against it. NaN where the cross-encoder has no such head.
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
    """Return for each pair of a statement and a sentence the chance that they make the same claim, None if unknown."""
    if not statements:
        return []
    odds = regression_inputs(statements, sentences, encoders) @ np.asarray(WEIGHTS) + INTERCEPT
    return [None if np.isnan(value) else float(1 / (1 + np.exp(-value))) for value in odds]
