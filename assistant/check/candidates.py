"""Search for candidates: the verified claims of an index that each sentence, or its context, may match.

Knows the claim index and vectors of sentences, no model and no ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.pairs import Mask, Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import SettingsError
from features.models.model_spec import Floats
from features.similarity import bm25, nearest
from features.similarity.context_window import Texts


class Depths(NamedTuple):
    """How many claims each search gives a sentence.

    By cosine with statement and title, by BM25 of each field.
    """

    statement_cosine: int = 20
    title_cosine: int = 10
    statement: int = 20
    title: int = 10
    body: int = 20


MAX_SEARCHES_PAST_COPIES = 5
DEPTHS = Depths()
CONTEXT_DEPTHS = Depths(statement_cosine=10, title_cosine=10, statement=0, title=0, body=20)


def search(
    texts: Sequence[str],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: Mask | None = None,
    depths: Depths = DEPTHS,
) -> Pairs:
    """Return each sentence with its candidates, those with the highest SBERT cosine first.

    They are the union of the best by SBERT cosine with the statement, by BM25 of article and
    statement, and by both with the title. A blank sentence has none, and BM25 finds no claim
    without a common word. Near copies of one fact-check count once. ``vectors`` (n, d): the sentences' SBERT vectors; ``allowed`` (m,): the
    claims that may be found, by default all. A search of depth 0 is left out.
    """
    if allowed is None:
        allowed = np.ones(len(index), bool)
    # The positions in the index of the claims of each sentence, nearest first
    claims_by_sentence: list[NDArray[np.int32]] = []
    # Block by block, because the scores of a block of sentences with all claims are in memory.
    for start in range(0, len(texts), bm25.BLOCK):
        block_slice = slice(start, start + bm25.BLOCK)
        block_claims = _search_without_copies(
            texts[block_slice], vectors[block_slice], index, allowed, depths
        )
        claims_by_sentence += block_claims
    return Pairs.from_claims(claims_by_sentence)


def _search_without_copies(
    sentence_texts: Sequence[str],
    sentence_vectors: Floats,
    index: ClaimIndex,
    allowed: Mask,
    depths: Depths,
) -> list[NDArray[np.int32]]:
    """Return the candidates of each of some sentences; near copies of one count once."""
    # Per sentence its claims, nearest first; copies of one statement are among them.
    claims_by_sentence = _search_with_copies(
        sentence_texts, sentence_vectors, index, allowed, depths
    )
    originals_by_sentence = []
    for sentence, found_claims in enumerate(claims_by_sentence):
        # The text and the vector of a single sentence, as a search takes them
        text_alone = sentence_texts[sentence : sentence + 1]
        vector_alone = sentence_vectors[sentence : sentence + 1]
        may_be_found = allowed
        # Whether each claim is original, and not a near copy of another before it, (c,)
        is_original = index.copies.is_original_claim(text_alone[0], found_claims)
        for _ in range(MAX_SEARCHES_PAST_COPIES):
            has_copies = not is_original.all()
            if not has_copies:
                break
            # Search again without the copies: they may have hidden other claims.
            copy_claims = found_claims[~is_original]
            may_be_found = may_be_found & ~index.copies.is_near_copy_of(copy_claims)
            [further_claims] = _search_with_copies(
                text_alone, vector_alone, index, may_be_found, depths
            )
            all_claims = np.union1d(found_claims[is_original], further_claims)
            found_claims = _nearest_first(all_claims, vector_alone[0], index)
            is_original = index.copies.is_original_claim(text_alone[0], found_claims)
        originals_by_sentence.append(found_claims[is_original])
    return originals_by_sentence


def _search_with_copies(
    sentence_texts: Sequence[str],
    sentence_vectors: Floats,
    index: ClaimIndex,
    may_be_found: Mask,
    depths: Depths,
) -> list[NDArray[np.int32]]:
    """Return the best claims of each search for each of some sentences."""
    # A depth is the number of claims that a search in one field may propose. 0 turns it off.
    cosine_depths = {"statement": depths.statement_cosine, "title": depths.title_cosine}
    word_depths = {"body": depths.body, "statement": depths.statement, "title": depths.title}
    # By cosine, all sentences at once: per field a list of the claims of each sentence, (<=
    # depth,).
    nearest_claims_by_field = [
        index.nearest(sentence_vectors, field_name, depth, may_be_found)
        for field_name, depth in cosine_depths.items()
        if depth
    ]
    claims_by_sentence = []
    for sentence, (sentence_text, sentence_vector) in enumerate(
        zip(sentence_texts, sentence_vectors, strict=True)
    ):
        has_words = sentence_vector.any()
        if not has_words:
            claims_by_sentence.append(np.zeros(0, np.int32))
            continue
        # The proposals of all searches for this sentence, each claim once, (k,).
        proposed_claims = [nearest_claims[sentence] for nearest_claims in nearest_claims_by_field]
        for field_name, depth in word_depths.items():
            if depth:
                proposed_claims.append(
                    index.bm25(field_name).best(sentence_text, depth, may_be_found)
                )
        distinct_claims = np.unique(np.concatenate(proposed_claims))
        claims_by_sentence.append(_nearest_first(distinct_claims, sentence_vector, index))
    return claims_by_sentence


def _nearest_first(
    claims: NDArray[np.int32], vector: Floats, index: ClaimIndex
) -> NDArray[np.int32]:
    """Return claims, (k,), by their cosines with a sentence."""
    cosines = nearest.exact(vector, index.statement_vectors[claims])
    return bm25.highest_first(cosines, claims, len(claims))


def search_context(
    pairs: Pairs,
    windows: Sequence[Texts],
    vectors: Floats,
    index: ClaimIndex,
    *,
    allowed: Mask | None = None,
) -> Pairs:
    """Return the further pairs that only the context of a sentence finds, without the known ones.

    A context window is a sentence with its neighbours (``features.similarity.context_window``): an
    allusion names its topic a sentence earlier. ``vectors`` (n, d): the windows' SBERT vectors. A
    sentence without candidates of its own, as a blank one, gets none. Source: Shaar et al., The
    Role of Context in Detecting Previously Fact-Checked Claims, Findings NAACL 2022; there the
    window is an input of the ranker, here it searches only.
    """
    window_texts = [" ".join(window) for window in windows]
    window_pairs = search(window_texts, vectors, index, allowed=allowed, depths=CONTEXT_DEPTHS)
    # For each pair of a window, (w,): does the sentence have this claim already, or any at all?
    # The key of a pair is one number for its sentence and its claim.
    sentence_pair_keys = pairs.keys(len(index))
    is_found_by_sentence = np.isin(window_pairs.keys(len(index)), sentence_pair_keys)
    sentence_has_candidates = np.isin(window_pairs.sentence_index, pairs.sentence_index)
    further_pairs = window_pairs.only(sentence_has_candidates & ~is_found_by_sentence)
    is_no_copy = _is_original(further_pairs, pairs, window_texts, index)
    further_pairs = further_pairs.only(is_no_copy)
    is_found_without_context = np.zeros(len(further_pairs), bool)
    return replace(further_pairs, found_without_context=is_found_without_context)


def _is_original(
    further_pairs: Pairs, known_pairs: Pairs, window_texts: Sequence[str], index: ClaimIndex
) -> Mask:
    """Return which further pairs have no near copy of a claim that their sentence has already."""
    is_no_copy = np.ones(len(further_pairs), bool)
    # The pairs of a sentence stand together, so each sentence has a slice of both tables.
    slices_by_sentence = zip(
        window_texts, further_pairs.slices(), known_pairs.slices(), strict=True
    )
    for window_text, further_slice, known_slice in slices_by_sentence:
        known_claims = known_pairs.claim_index[known_slice]
        known_count = len(known_claims)
        # The known claims come first: a further claim is compared with them, too.
        claims = np.concatenate((known_claims, further_pairs.claim_index[further_slice]))
        is_original = index.copies.is_original_claim(window_text, claims, known_count=known_count)
        is_no_copy[further_slice] = is_original[known_count:]
    return is_no_copy


def allowed_claims(index: ClaimIndex, event: date | None, *, as_of_event: bool) -> Mask | None:
    """Return which claims a check may find, (m,), None for all.

    Raises: SettingsError for ``as_of_event`` without the day of the event.
    """
    return reviewed_before(index, event) if as_of_event else None


def reviewed_before(index: ClaimIndex, event: date | None) -> Mask:
    """Return which claims of an index were checked before the day of the event, (m,).

    Raises: SettingsError without that day.
    """
    if event is None:
        raise SettingsError(
            "the date of the event is missing, so Lectern can't leave out later fact-checks.",
            remedy="Set the date with --date YYYY-MM-DD.",
        )
    # Days are ordinals; 0 stands for an unknown date.
    is_dated = index.review_days > 0
    return is_dated & (index.review_days < event.toordinal())
