"""The first look: the sentences that may match, before their context is searched and the cross-encoder reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assistant.check import candidates, pair_features
from assistant.check.loaded_models import Models
from assistant.check.pairs import Ints, Mask, Pairs
from assistant.check.ranker_inputs import Floats, SpokenSentences, add_inputs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Sentence, Transcript

MOST_SHOWN = 10
EARLY_SENTENCES = (
    60  # preview only the 60 most check-worthy sentences of a long transcript at first
)


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
    on_look: OnFirstLook | None,
    transcript: Transcript,
    worthiness: Floats,
    index: ClaimIndex,
    models: Models,
    allowed: Mask | None,
) -> None:
    """Call ``on_look``, if any, with the most check-worthy sentences of a long transcript.

    They are searched ahead of all others, so that a reader need not wait for those. A short
    transcript has no early look. ``worthiness`` (s,): of every sentence.
    """
    if on_look is None or len(transcript) <= 2 * EARLY_SENTENCES:
        return
    positions = np.sort(np.argsort(-worthiness, kind="stable")[:EARLY_SENTENCES])
    spoken = SpokenSentences.of(transcript, worthiness, positions)
    encoded = models.encoders.read(spoken.texts)
    pairs = candidates.search(spoken.texts, encoded[0], index, allowed=allowed)
    pairs = pair_features.compare(pairs, spoken.texts, index, models.encoders, encoded=encoded)
    on_look(first_look(transcript, positions, spoken, index, pairs, models))


def first_look(
    transcript: Transcript,
    positions: Ints,
    spoken: SpokenSentences,
    index: ClaimIndex,
    pairs: Pairs,
    models: Models,
) -> tuple[Glimpse, ...]:
    """Return at most ten sentences that the cross-encoder will read, best first by the other inputs.

    ``positions`` (n,): those of the ``spoken`` sentences in the transcript. ``pairs``: compared.
    """
    pairs = add_inputs(pairs, spoken, index, models.word_weights)
    ranking = models.ranker.rank(pairs)
    is_near = ranking.sentence_scores >= models.ranker.thresholds.reading
    has_match = ranking.best_pair >= 0
    best_first = ranking.order()
    chosen = best_first[(is_near & has_match)[best_first]][:MOST_SHOWN]
    glimpses = []
    for sentence in chosen.tolist():
        claim = int(pairs.claim_index[ranking.best_pair[sentence]])
        spoken_sentence = transcript.sentences[positions[sentence]]
        glimpses.append(Glimpse(spoken_sentence, index.statements[claim], index.ratings[claim]))
    return tuple(glimpses)
