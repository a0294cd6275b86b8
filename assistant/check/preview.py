"""Preview of a check: sentences that may match, before their context and texts are read.

The context is not searched yet, and the cross-encoder has not read any pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assistant.check import candidates, name_spelling, shown_claims
from assistant.check.check_run import CheckRun
from assistant.check.loaded_models import Models
from assistant.check.pairs import Ints, Mask, Pairs
from assistant.check.ranker_inputs import Floats, SpokenSentences, add_inputs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Sentence, Transcript, VerifiedClaim

MAX_GLIMPSES = 10
EARLY_SENTENCES = 60  # searched ahead of the others in a long transcript


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A sentence and the fact-check that is nearest to it so far.

    Order and fact-check may still change.
    """

    sentence: Sentence
    statement: str
    rating: str


OnFirstLook = Callable[[tuple[Glimpse, ...]], None]


def has_early_glimpses(transcript: Transcript) -> bool:
    """Return whether a transcript is so long that a reader should not wait for all sentences."""
    return len(transcript) > 2 * EARLY_SENTENCES


def early_glimpses(
    transcript: Transcript,
    worthiness: Floats,
    index: ClaimIndex,
    models: Models,
    allowed: Mask | None,
) -> tuple[Glimpse, ...]:
    """Return the glimpses of the most check-worthy sentences, searched ahead of all others.

    ``worthiness`` (s,): of every sentence. ``allowed`` (m,): the claims that may be found.
    """
    # The positions of the most check-worthy sentences, in reading order.
    most_worthy_first = np.argsort(-worthiness, kind="stable")
    sentence_positions = np.sort(most_worthy_first[:EARLY_SENTENCES])
    spoken_sentences = SpokenSentences.of(transcript, worthiness, sentence_positions)
    # SBERT's vector and BERTScore's token states of each text
    vectors_and_states = models.encoders.read(spoken_sentences.texts)
    vectors, _ = vectors_and_states
    pairs = candidates.search(spoken_sentences.texts, vectors, index, allowed=allowed)
    pairs = name_spelling.compare(
        pairs, spoken_sentences.texts, index, models, encoded=vectors_and_states
    )
    return glimpses(
        transcript, sentence_positions, pairs, CheckRun(spoken_sentences, index, models)
    )


def glimpses(
    transcript: Transcript, positions: Ints, pairs: Pairs, run: CheckRun
) -> tuple[Glimpse, ...]:
    """Return at most ten sentences that the cross-encoder will read, best first by other inputs.

    ``positions`` (n,): where the spoken sentences stand in the transcript. ``pairs``: compared.
    Statements and ratings are read again from the store, as in the report.

    Raises: ClaimIndexError, StoreError as ``shown_claims.with_stored_claims``.
    """
    ranked_pairs = add_inputs(pairs, run.spoken, run.index, run.models.word_weights)
    claim_by_sentence = _best_claims(ranked_pairs, run)
    # A claim may have changed in the store since it was indexed, or may be gone.
    stored_claims = shown_claims.current_versions(claim_by_sentence.values(), run.index)
    shown_glimpses = []
    for sentence, claim in claim_by_sentence.items():
        stored_claim = stored_claims.get(claim.id)
        if stored_claim is not None:
            spoken_sentence = transcript.sentences[positions[sentence]]
            glimpse = Glimpse(spoken_sentence, stored_claim.statement, stored_claim.rating)
            shown_glimpses.append(glimpse)
    return tuple(shown_glimpses)


def _best_claims(pairs: Pairs, run: CheckRun) -> dict[int, VerifiedClaim]:
    """Return the nearest claim of each sentence that is shown, the best sentence first."""
    ranker = run.models.ranker
    ranking = ranker.rank(pairs)
    # A sentence (n,) is shown if its score is near the list and some pair may raise it.
    is_score_near_list = ranking.sentence_scores >= ranker.thresholds.reading
    may_be_raised = ranking.best_pair >= 0  # -1: no pair may raise the sentence
    is_shown = is_score_near_list & may_be_raised
    best_first = [sentence for sentence in ranking.order().tolist() if is_shown[sentence]]
    claim_by_sentence = {}
    for sentence in best_first[:MAX_GLIMPSES]:
        best_pair = ranking.best_pair[sentence]
        claim_position = int(pairs.claim_index[best_pair])
        claim_by_sentence[sentence] = run.index.claim(claim_position)
    return claim_by_sentence
