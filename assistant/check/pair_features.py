"""The 19 similarity features of pairs of a sentence and a claim, computed for all pairs at once.

Knows the claim index and the models; decides nothing about ranking.
``features.similarity.catalogue`` gives the order of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from assistant.check.pairs import Floats, Ints, Mask, Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.progress_callback import Progress, no_progress
from features.models.batching import call_in_threads
from features.models.profile_models import Encoders
from features.similarity import bertscore, cosines
from features.similarity.catalogue import BODY_SENTENCES, COLUMN
from ranking.pooling import position_in_group

# sentences whose candidates' token states are in memory together, if they are not stored
SENTENCES_PER_BLOCK = 32
NLI_BATCH = 512  # pairs between two reports of progress
NLI = slice(COLUMN["nli_entailment"], COLUMN["nli_contradiction"] + 1)
FUSION_OFFSET = 10  # added to a rank before it is inverted
Encoded = tuple[Floats, list[Floats]]  # SBERT vectors (n, d), BERTScore's token states per text


class ContextStates(NamedTuple):
    """BERTScore's token states of n sentences, and of the neighbours of each in its window."""

    states: Sequence[Floats]
    neighbour_states: Sequence[Sequence[Floats]]


def compare(
    pairs: Pairs,
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    *,
    encoded: Encoded | None = None,
    progress: Progress = no_progress,
) -> Pairs:
    """Return the pairs with all similarity features but the cross-encoder's, which are 0.

    A feature is 0 if the claim lacks the field. Nothing depends on the other sentences.
    ``encoded``: the result of ``encoders.read`` for the texts, if it is known. ``progress`` is
    called with (feature family, done, total), counted in pairs.
    """
    if not len(pairs):
        return pairs
    sentence_vectors, token_states = encoded or encoders.read(texts)
    sentence_index = pairs.sentence_index
    claim_index = pairs.claim_index
    similarities = np.zeros(pairs.similarities.shape, np.float32)
    progress("bm25", 0, len(pairs))
    for field in ("statement", "title", "body"):
        scores = index.bm25(field).pairs(texts, sentence_index, claim_index)
        similarities[:, COLUMN[f"bm25_{field}"]] = scores
    progress("sbert", 0, len(pairs))
    _add_cosines(similarities, "sbert", sentence_vectors, index, pairs)
    progress("simcse", 0, len(pairs))
    _add_cosines(
        similarities, "simcse", encoders.simcse_vectors(texts, sentence_vectors), index, pairs
    )
    progress("bertscore", 0, len(pairs))
    slices_by_sentence = pairs.slices()
    for start in range(0, pairs.sentence_count, SENTENCES_PER_BLOCK):
        # The pairs of these sentences stand together: one slice from the first to the last.
        sentence_slices = slices_by_sentence[start : start + SENTENCES_PER_BLOCK]
        block = slice(sentence_slices[0].start, sentence_slices[-1].stop)
        index.read_states(np.unique(claim_index[block]).tolist())
        similarities[block, COLUMN["bertscore"]] = bertscore.pair_scores(
            token_states,
            index.statement_states,
            sentence_index[block],
            claim_index[block],
            baseline=encoders.baseline,
        )
    return replace(pairs, similarities=similarities)


def _add_cosines(
    similarities: Floats, family: str, sentence_vectors: Floats, index: ClaimIndex, pairs: Pairs
) -> None:
    """Write the cosines of a family (sbert or simcse) with statement, title and article."""
    # A claim of several pairs is read once, (c,); each pair has the position of its claim, (p,).
    distinct_claims, distinct_claim_index = _distinct_claims(pairs)
    for field in ("statement", "title"):
        claim_vectors = index.vectors(family, field)[distinct_claims]
        similarities[:, COLUMN[f"{family}_{field}"]] = cosines.pair_cosines(
            sentence_vectors, claim_vectors, pairs.sentence_index, distinct_claim_index
        )

    def article_vectors(claim: int) -> Floats:
        return index.body_vectors(claim, family)

    # One column for each of the nearest sentences of an article.
    first_column = COLUMN[f"{family}_body_1"]
    body_columns = slice(first_column, first_column + BODY_SENTENCES)
    similarities[:, body_columns] = cosines.body_cosines(
        sentence_vectors, article_vectors, pairs.sentence_index, pairs.claim_index, BODY_SENTENCES
    )


def _distinct_claims(pairs: Pairs) -> tuple[Ints, Ints]:
    """Return the different claims, rising, and the row of each pair's claim among them, (p,).

    If some sentences have fewer claims than others, claim 0 comes first as a filler, whether or
    not it is a candidate. SimCSE's head computes all rows in one product, whose last digits depend
    on their number: without the filler, reports would differ from stored ones in the last digit.
    """
    # The number of claims of each sentence, (n,), and the different claims of all pairs.
    claim_count = np.bincount(pairs.sentence_index, minlength=pairs.sentence_count)
    claims, claim_row = np.unique(pairs.claim_index, return_inverse=True)
    if (claim_count == claim_count.max()).all():
        return claims, claim_row
    return np.concatenate(([0], claims)), claim_row + 1


def context_gains(
    context: ContextStates, index: ClaimIndex, pairs: Pairs, is_compared: Mask
) -> Floats:
    """Return how much more of each claim's statement a sentence covers with its neighbours, (p,).

    NaN for a sentence without neighbours, and for one that is not compared, by ``is_compared``
    (n,). See ``bertscore.recall_gains``.
    """
    gains = np.full(len(pairs), np.nan, np.float32)
    slices = pairs.slices()

    def compare_with_neighbours(sentences: Sequence[int]) -> None:
        for sentence in sentences:
            pairs_of_sentence = slices[sentence]
            claims = pairs.claim_index[pairs_of_sentence].tolist()
            gains[pairs_of_sentence] = bertscore.recall_gains(
                context.states[sentence],
                context.neighbour_states[sentence],
                [index.statement_states(claim) for claim in claims],
            )

    # Read the token states of the claims of some sentences at a time, then compare these.
    compared_sentences = np.flatnonzero(is_compared).tolist()
    for start in range(0, len(compared_sentences), SENTENCES_PER_BLOCK):
        block = compared_sentences[start : start + SENTENCES_PER_BLOCK]
        claims = np.concatenate([pairs.claim_index[slices[sentence]] for sentence in block])
        index.read_states(np.unique(claims).tolist())
        call_in_threads(compare_with_neighbours, block, bertscore.SENTENCES_PER_THREAD)
    return gains


def cross_encode(
    pairs: Pairs,
    texts: Sequence[str],
    index: ClaimIndex,
    encoders: Encoders,
    *,
    nli_candidates: int = 15,
    progress: Progress = no_progress,
) -> Pairs:
    """Return the pairs with the cross-encoder's features of the best candidates of each sentence.

    The best are the ``nli_candidates`` first by ``order_for_entailment``; the features of all others are 0.
    """
    # The pairs that are read, (c,). Their columns are copied into the table of all pairs, (p, 19).
    read_rows = np.flatnonzero(pairs_to_read(pairs, nli_candidates))
    claims = pairs.claim_index[read_rows].tolist()
    sentences = pairs.sentence_index[read_rows].tolist()
    premises = [index.statements[claim] for claim in claims]
    hypotheses = [texts[sentence] for sentence in sentences]
    # The probabilities of entailment, neutral and contradiction, (c, 3), and the log-odds that
    # both texts make the same claim, (c,)
    label_probabilities, log_odds = read_pairs(premises, hypotheses, encoders, progress)
    # NLI is the slice of the columns with the probabilities of the three labels.
    similarities = pairs.similarities.copy()
    similarities[:, NLI] = 0
    similarities[read_rows, NLI] = label_probabilities
    same_claim_log_odds = np.full(len(pairs), np.nan, np.float32)
    same_claim_log_odds[read_rows] = log_odds
    return replace(pairs, similarities=similarities, same_claim=same_claim_log_odds)


def pairs_to_read(pairs: Pairs, nli_candidates: int) -> Mask:
    """Return which pairs the cross-encoder may read: the first of each sentence by ``order_for_entailment``."""
    order = order_for_entailment(pairs)
    rank_in_sentence = position_in_group(pairs.sentence_index[order])
    is_readable = np.zeros(len(pairs), bool)
    is_readable[order] = rank_in_sentence < nli_candidates
    return is_readable


def order_for_entailment(pairs: Pairs) -> Ints:
    """Return the pairs sorted by sentence, those most promising for the cross-encoder first, (p,).

    A candidate's promise is the sum of 1 / (10 + its rank) by SBERT cosine with the statement and
    by BM25 of the statement; ties go to the lower position. Source: reciprocal rank fusion,
    Cormack et al., SIGIR 2009.
    """
    # Reciprocal rank fusion: the ranks by both features are added up, the highest sum comes first.
    fused_rank_score = np.zeros(len(pairs))
    for name in ("sbert_statement", "bm25_statement"):
        similarities = pairs.similarities[:, COLUMN[name]]
        # The rank of each pair among the pairs of its sentence by this feature, (p,). In
        # lexsort the last key counts first.
        best_first = np.lexsort((pairs.claim_index, -similarities, pairs.sentence_index))
        rank_in_sentence = np.empty(len(pairs), np.intp)
        rank_in_sentence[best_first] = position_in_group(pairs.sentence_index[best_first])
        fused_rank_score += 1 / (FUSION_OFFSET + rank_in_sentence)
    return np.lexsort((pairs.claim_index, -fused_rank_score, pairs.sentence_index))


def read_pairs(
    premises: Sequence[str], hypotheses: Sequence[str], encoders: Encoders, progress: Progress
) -> tuple[Floats, Floats]:
    """Return the cross-encoder's probabilities (p, 3) and log-odds of the same claim (p,) of pairs."""
    # Probabilities of entailment, neutrality and contradiction, (p, 3), and the log-odds that both
    # texts make the same claim, (p,).
    label_probabilities = np.zeros((len(premises), 3), np.float32)
    same_claim_log_odds = np.full(len(premises), np.nan, np.float32)
    # Pairs of similar length go together, so that little is padded. No value depends on the other
    # pairs of a batch.
    text_lengths = []
    for premise, hypothesis in zip(premises, hypotheses, strict=True):
        text_lengths.append(len(premise) + len(hypothesis))
    shortest_first = np.argsort(text_lengths, kind="stable")
    for start in range(0, len(premises), NLI_BATCH):
        progress("nli", start, len(premises))
        batch_positions = shortest_first[start : start + NLI_BATCH]
        batch_premises = [premises[i] for i in batch_positions]
        batch_hypotheses = [hypotheses[i] for i in batch_positions]
        probabilities, log_odds = encoders.nli.read(batch_premises, batch_hypotheses)
        label_probabilities[batch_positions] = probabilities
        same_claim_log_odds[batch_positions] = log_odds
    if premises:
        progress("nli", len(premises), len(premises))
    return label_probabilities, same_claim_log_odds
