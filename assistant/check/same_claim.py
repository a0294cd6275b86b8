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

from features.language.agreement import are_comparable
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
    years, names or directions conflict or the texts are too long to compare. The log-odds are NaN if the cross-encoder has no such
    head.
    """
    # The log-odds in both directions, (n,), and the unit vectors of both texts, (n, d).
    _, forward_odds = encoders.nli.read(statements, sentences)
    _, backward_odds = encoders.nli.read(sentences, statements)
    statement_vectors = encoders.sbert.encode(statements)
    sentence_vectors = encoders.sbert.encode(sentences)
    has_conflict = []
    for sentence, statement in zip(sentences, statements, strict=True):
        found_conflicts = conflicts(sentence, statement) & OPPOSING_CONFLICTS
        may_conflict = not are_comparable(sentence, statement)
        has_conflict.append(bool(found_conflicts) or may_conflict)
    mean_odds = (forward_odds + backward_odds) / 2
    # The product of unit vectors is their cosine, (n,).
    cosines = (statement_vectors * sentence_vectors).sum(axis=1)
    columns = (mean_odds, cosines, np.asarray(has_conflict, np.float32))
    return np.stack(columns, axis=1)


def chances(
    statements: Sequence[str], sentences: Sequence[str], encoders: Encoders
) -> list[float | None]:
    """Return the chance that each pair of texts makes the same claim, None if unknown."""
    if not statements:
        return []
    # Logistic regression: 1 / (1 + e^-z) with z = inputs · weights + intercept, (n,).
    inputs = regression_inputs(statements, sentences, encoders)
    log_odds = inputs @ np.asarray(WEIGHTS) + INTERCEPT
    probabilities = 1 / (1 + np.exp(-log_odds))
    known_chances: list[float | None] = []
    for probability in probabilities.tolist():
        known_chances.append(None if np.isnan(probability) else probability)
    return known_chances
