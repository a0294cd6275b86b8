"""Cross-encoding of pairs in turns, only of those that can still change the report.

The cross-encoder and the re-ranker cost most of all: they read two texts together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assistant.check.check_run import CheckRun
from assistant.check.name_spelling import spelled_texts
from assistant.check.pair_features import read_pairs
from assistant.check.pairs import Floats, Ints, Mask, Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_cross_encoding
from assistant.claims.claim_index import ClaimIndex
from assistant.core.progress_callback import Progress
from features.models.reranker import Reranker, claim_text, spoken_text


def read_in_turns(
    pairs: Pairs, unread: Mask, run: CheckRun, choose: Callable[[Pairs, Mask], Mask]
) -> Pairs:
    """Return the pairs with the cross-encoder's features of those that it reads.

    The features of the others stay unknown. ``unread`` (p,): the pairs that it may read.
    ``choose(pairs, unread)`` returns those to read next, none at the end. The progress of the run
    is called with (nli, read so far, known to be needed so far).
    """
    # Outputs for all pairs, filled turn by turn: probabilities (p, 3) and log-odds (p,).
    labels = np.zeros((len(pairs), 3), np.float32)
    same_claim = np.full(len(pairs), np.nan, np.float32)
    read_count = 0
    while unread.any():
        is_next = choose(pairs, unread)
        if not is_next.any():
            break
        next_pairs = np.flatnonzero(is_next)
        premises = [run.index.statements[i] for i in pairs.claim_index[next_pairs].tolist()]
        if run.models.ranker.spells_names:
            hypotheses = spelled_texts(pairs, next_pairs, run.spoken.texts, run.index)
        else:
            hypotheses = [run.spoken.texts[i] for i in pairs.sentence_index[next_pairs].tolist()]
        labels[next_pairs], same_claim[next_pairs] = read_pairs(
            premises, hypotheses, run.models.encoders, _counted_on(read_count, run.progress)
        )
        pairs = add_cross_encoding(pairs, labels, same_claim)
        unread = unread & ~is_next
        read_count += len(next_pairs)
    return pairs


def _counted_on(read_count: int, progress: Progress) -> Progress:
    """Return a progress that adds the pairs of earlier turns to the numbers of this turn."""

    def report(stage: str, done: int, total: int) -> None:
        progress(stage, read_count + done, read_count + total)

    return report


def reranker_odds(
    pairs: Pairs, chosen: Ints, spoken: SpokenSentences, index: ClaimIndex, reranker: Reranker
) -> Floats:
    """Return the re-ranker's log-odds (r, 2) of some pairs (r,), read with the sentences before."""
    said_before = spoken.before or [()] * len(spoken.texts)
    claim_texts = []
    spoken_texts = []
    claims = pairs.claim_index[chosen].tolist()
    sentences = pairs.sentence_index[chosen].tolist()
    # The re-ranker knows few abbreviations: "EPA" beside the agency's whole name.
    said_texts = spelled_texts(pairs, chosen, spoken.texts, index)
    for sentence, claim, said in zip(sentences, claims, said_texts, strict=True):
        claim_texts.append(claim_text(index.statements[claim], index.claimants[claim]))
        spoken_texts.append(spoken_text(said, said_before[sentence], spoken.speakers[sentence]))
    return reranker.read(claim_texts, spoken_texts)
