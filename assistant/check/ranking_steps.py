"""The steps from compared pairs to a ranking with tiers, for a check and for a few pairs."""

from __future__ import annotations

from functools import partial

import numpy as np

from assistant.check import match_tiers, pair_features
from assistant.check.check_run import CheckRun
from assistant.check.cross_encoding import cross_encode_in_turns, reranker_odds
from assistant.check.loaded_models import Models
from assistant.check.pair_features import ContextStates
from assistant.check.pairs import Mask, Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_input, add_inputs
from assistant.check.rankers import Ranking
from assistant.claims.claim_index import ClaimIndex
from features.similarity.input_catalogue import CONTEXT


def rank_pairs(
    pairs: Pairs,
    spoken_sentences: SpokenSentences,
    index: ClaimIndex,
    models: Models,
    *,
    read_all: bool = False,
) -> tuple[Pairs, Ranking]:
    """Return compared pairs with all inputs, and their ranking with tiers and stances.

    ``read_all``: the cross-encoder reads the best pairs of every sentence.
    """
    # The cheap inputs of all pairs, then those of the best pairs that need a large model
    run = CheckRun(spoken_sentences, index, models)
    pairs = add_inputs(pairs, spoken_sentences, index, models.word_weights)
    pairs = add_costly_inputs(pairs, run, read_all=read_all)
    ranking = models.ranker.rank(pairs, thresholds=models.thresholds)
    ranking = rerank(ranking, pairs, run)
    return pairs, assign_tiers(ranking, pairs, run)


def add_costly_inputs(
    pairs: Pairs,
    run: CheckRun,
    *,
    context: ContextStates | None = None,
    read_all: bool = False,
) -> Pairs:
    """Return the pairs with the inputs from the context and from the cross-encoder.

    They are computed only for sentences that the other inputs do not leave far below the list, and
    the cross-encoder reads only pairs that can change scores, tiers or shown matches. In other
    sentences it reads half-true claims that the list shows by their own score.
    ``read_all``: it reads the best pairs of every sentence.
    """
    models = run.models
    if read_all:
        is_near_list = np.ones(pairs.sentence_count, bool)
        is_shown_alone = np.zeros(len(pairs), bool)
    else:
        ranking = models.ranker.rank(pairs)
        threshold = models.ranker.thresholds.reading
        is_near_list = ranking.sentence_scores >= threshold
        # A half-true claim lifts no sentence, but it is shown: the cross-encoder reads it alone,
        # so that the scores of the sentence stay as they are.
        is_shown_alone = ~pairs.may_raise_sentence & (ranking.pair_scores >= threshold)
    if context is not None:
        gains = pair_features.context_gains(context, run.index, pairs, is_near_list)
        pairs = add_input(pairs, CONTEXT, gains)
    # The most promising pairs of the sentences that come near the list, (p,)
    may_read = pair_features.pairs_to_read(pairs, models.profile.nli_candidates)
    may_read &= is_near_list[pairs.sentence_index] | is_shown_alone
    choose_next = partial(_pairs_to_read_next, models=models, read_all=read_all)
    return cross_encode_in_turns(pairs, may_read, run, choose_next)


def _pairs_to_read_next(pairs: Pairs, unread: Mask, *, models: Models, read_all: bool) -> Mask:
    """Return the pairs that the cross-encoder reads next, (p,)."""
    if read_all:
        return unread
    return models.ranker.undecided(pairs, unread, models.cross_encoder_ranges(), models.thresholds)


def rerank(ranking: Ranking, pairs: Pairs, run: CheckRun) -> Ranking:
    """Return the ranking after the re-ranker has read the pairs that come near the list."""
    models = run.models
    if models.reranker is None:
        return ranking
    # The re-ranker is slow: it reads only pairs whose score may let them into the list.
    is_near_list = ranking.pair_scores >= models.thresholds.rereading
    reranked_pairs = np.flatnonzero(is_near_list)
    run.progress("reread", 0, len(reranked_pairs))
    odds = reranker_odds(pairs, reranked_pairs, run.spoken, run.index, models.reranker)
    return models.ranker.rerank(ranking, pairs, reranked_pairs, odds, thresholds=models.thresholds)


def assign_tiers(ranking: Ranking, pairs: Pairs, run: CheckRun) -> Ranking:
    """Return the ranking with stances, and with tiers that heed conflicts between the texts."""
    speech = match_tiers.ComparedSpeech(
        texts=run.spoken.texts,
        statements=run.index.statements,
        days=match_tiers.Days(run.spoken.event_day, run.index.claim_days),
        speakers=run.spoken.speakers,
        claimants=run.index.claimants,
    )
    return match_tiers.limit_by_conflicts(ranking, pairs, speech)
