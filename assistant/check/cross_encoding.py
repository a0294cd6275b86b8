"""Cross-encoding of pairs in turns, only of those that can still change the report.

The cross-encoder and the re-ranker cost most of all: they read two texts together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assistant.check.check_run import CheckRun
from assistant.check.name_spelling import texts_in_claims_spelling
from assistant.check.pair_features import read_pairs
from assistant.check.pairs import Floats, Ints, Mask, Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_cross_encoding
from assistant.claims.claim_index import ClaimIndex
from assistant.core.progress_callback import Progress
from features.models.reranker import Reranker, claim_text, spoken_text


def cross_encode_in_turns(
    pairs: Pairs, is_unread: Mask, run: CheckRun, choose_next: Callable[[Pairs, Mask], Mask]
) -> Pairs:
    """Return the pairs with the cross-encoder's features of those that it reads.

    The features of the others stay unknown. ``is_unread`` (p,): the pairs that it may read.
    ``choose(pairs, unread)`` returns those to read next, none at the end. The progress of the run
    is called with (nli, read so far, known to be needed so far).
    """
    # Outputs for all pairs, filled turn by turn: probabilities (p, 3) and log-odds (p,).
    label_probabilities = np.zeros((len(pairs), 3), np.float32)
    same_claim_log_odds = np.full(len(pairs), np.nan, np.float32)
    read_count = 0
    while is_unread.any():
        # What was read so far decides which pairs are read next.
        is_next = choose_next(pairs, is_unread)
        if not is_next.any():
            break
        next_pairs = np.flatnonzero(is_next)
        claim_texts, sentence_texts = _texts_of_pairs(pairs, next_pairs, run)
        report_progress = _progress_after(read_count, run.progress)
        next_probabilities, next_log_odds = read_pairs(
            claim_texts, sentence_texts, run.models.encoders, report_progress
        )
        label_probabilities[next_pairs] = next_probabilities
        same_claim_log_odds[next_pairs] = next_log_odds
        pairs = add_cross_encoding(pairs, label_probabilities, same_claim_log_odds)
        is_unread = is_unread & ~is_next
        read_count += len(next_pairs)
    return pairs


def _texts_of_pairs(
    pairs: Pairs, chosen_pairs: Ints, run: CheckRun
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the statement of each chosen pair, and its sentence as the ranker spells it."""
    claims = pairs.claim_index[chosen_pairs].tolist()
    statements = [run.index.statements[claim] for claim in claims]
    if run.models.ranker.spells_names:
        # Names in the sentences are spelled as the claims spell them.
        return statements, texts_in_claims_spelling(
            pairs, chosen_pairs, run.spoken.texts, run.index
        )
    sentences = pairs.sentence_index[chosen_pairs].tolist()
    return statements, [run.spoken.texts[sentence] for sentence in sentences]


def _progress_after(read_count: int, progress: Progress) -> Progress:
    """Return a progress that adds the pairs of earlier turns to the numbers of this turn."""

    def report(stage: str, done: int, total: int) -> None:
        progress(stage, read_count + done, read_count + total)

    return report


def reranker_odds(
    pairs: Pairs,
    chosen_pairs: Ints,
    spoken_sentences: SpokenSentences,
    index: ClaimIndex,
    reranker: Reranker,
) -> Floats:
    """Return the re-ranker's log-odds (r, 2) of some pairs (r,), read with the sentences before."""
    # The texts before each sentence; none are known of a sentence alone.
    texts_before = spoken_sentences.before or [()] * len(spoken_sentences.texts)
    # The positions of the sentence and of the claim of each chosen pair, (r,)
    claims = pairs.claim_index[chosen_pairs].tolist()
    sentences = pairs.sentence_index[chosen_pairs].tolist()
    # The re-ranker knows few abbreviations: "EPA" is replaced by the agency's whole name.
    sentence_texts = texts_in_claims_spelling(pairs, chosen_pairs, spoken_sentences.texts, index)
    claim_texts = []
    spoken_texts = []
    for sentence, claim, sentence_text in zip(sentences, claims, sentence_texts, strict=True):
        claim_texts.append(claim_text(index.statements[claim], index.claimants[claim]))
        speaker = spoken_sentences.speakers[sentence]
        spoken_texts.append(spoken_text(sentence_text, texts_before[sentence], speaker))
    return reranker.read(claim_texts, spoken_texts)
