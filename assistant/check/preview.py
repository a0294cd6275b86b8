"""The first look: the sentences that may match, before their context is searched and the cross-encoder reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assistant.check import candidates, pair_features
from assistant.check.candidates import Candidates
from assistant.check.loaded_models import Models
from assistant.check.ranker_inputs import Floats, Ints, Spoken
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Sentence, Transcript

MOST = 10
EARLY = 60  # sentences, the most check-worthy, that a long transcript's first look does not wait for the others with


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A sentence and the fact-check that is nearest to it so far.

    Order and fact-check may still change.
    """

    sentence: Sentence
    statement: str
    rating: str


OnFirstLook = Callable[[tuple[Glimpse, ...]], None]


def early_look(
    look: OnFirstLook | None,
    transcript: Transcript,
    worthiness: Floats,
    index: ClaimIndex,
    models: Models,
    allowed: candidates.Mask | None,
) -> None:
    """Call ``look``, if any, with the most check-worthy sentences of a long transcript.

    A short one has no early look.

    ``worthiness`` (n,): of every sentence.
    """
    if look is None or len(transcript) <= 2 * EARLY:
        return
    places = np.sort(np.argsort(-worthiness, kind="stable")[:EARLY])
    spoken = Spoken.of(transcript, worthiness, places)
    encoded = models.encoders.read(spoken.texts)
    near = candidates.search(spoken.texts, encoded[0], index, allowed=allowed)
    X = pair_features.measure_without_nli(
        spoken.texts, index, models.encoders, near, encoded=encoded
    )
    look(first_look(transcript, places, spoken, index, near, X, models))


def first_look(
    transcript: Transcript,
    kept: Ints,
    spoken: Spoken,
    index: ClaimIndex,
    near: Candidates,
    X: Floats,
    models: Models,
) -> tuple[Glimpse, ...]:
    """Return at most ten sentences that the cross-encoder will read, best first by the other inputs.

    ``kept`` (n,): the places of the ``spoken`` sentences in the transcript. ``X`` (n, k, 19): the measures but NLI's.
    """
    inputs, ranking = models.rank_unread(spoken, index, near, X)
    worth_it = ranking.sentence_scores >= models.ranker.thresholds.reading
    chosen = [
        row for row in ranking.order().tolist() if worth_it[row] and ranking.best_pair[row] >= 0
    ][:MOST]
    claims = inputs.claim[ranking.best_pair[np.array(chosen, int)]].tolist()
    return tuple(
        Glimpse(transcript.sentences[kept[row]], index.statements[claim], index.ratings[claim])
        for row, claim in zip(chosen, claims, strict=True)
    )
