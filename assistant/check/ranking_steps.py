"""The steps from compared pairs to a ranking with tiers, for a check and for a few pairs."""

from __future__ import annotations

from functools import partial

import numpy as np

from assistant.check import match_tiers, pair_features
from assistant.check.cross_encoding import read_in_turns, reranker_odds
from assistant.check.loaded_models import Models
from assistant.check.pair_features import Context
from assistant.check.pairs import Mask, Pairs
from assistant.check.progress import Progress, no_progress
from assistant.check.ranker_inputs import SpokenSentences, add_input, add_inputs
from assistant.check.rankers import Ranking
from assistant.claims.claim_index import ClaimIndex
from features.similarity.input_catalogue import CONTEXT


def rank_pairs(
    pairs: Pairs,
    spoken: SpokenSentences,
    index: ClaimIndex,
    models: Models,
    *,
    read_all: bool = False,
) -> tuple[Pairs, Ranking]:
    """Return compared pairs with all inputs, and their ranking with tiers and stances.

    ``read_all``: the cross-encoder reads the best pairs of every sentence.
    """
    pairs = add_inputs(pairs, spoken, index, models.word_weights)
    pairs = add_costly_inputs(pairs, spoken, index, models, read_all=read_all)
    ranking = models.ranker.rank(pairs, thresholds=models.thresholds)
    ranking = rerank(ranking, pairs, spoken, index, models)
    return pairs, assign_tiers(ranking, pairs, spoken, index)


def add_costly_inputs(  # noqa: PLR0913
    pairs: Pairs,
    spoken: SpokenSentences,
    index: ClaimIndex,
    models: Models,
    *,
    context: Context | None = None,
    read_all: bool = False,
    progress: Progress = no_progress,
) -> Pairs:
    """Return the pairs with the inputs from the context and from the cross-encoder.

    Only for sentences that the other inputs do not leave far below the list; of these the
    cross-encoder reads only pairs that can change scores, tiers or shown matches. ``read_all``:
    the cross-encoder reads the best pairs of every sentence.
    """
    if read_all:
        is_near = np.ones(pairs.sentence_count, bool)
    else:
        ranking = models.ranker.rank(pairs)
        is_near = ranking.sentence_scores >= models.ranker.thresholds.reading
    if context is not None:
        gains = pair_features.context_gains(context, index, pairs, is_near)
        pairs = add_input(pairs, CONTEXT, gains)
    may_read = pair_features.readable(pairs, models.profile.nli_candidates)
    may_read &= is_near[pairs.sentence_index]
    choose = partial(_undecided, models=models, read_all=read_all)
    return read_in_turns(pairs, spoken, index, models.encoders, may_read, choose, progress)


def _undecided(pairs: Pairs, unread: Mask, *, models: Models, read_all: bool) -> Mask:
    """Return the pairs that the cross-encoder reads next, (p,)."""
    if read_all:
        return unread
    return models.ranker.undecided(pairs, unread, models.cross_encoder_ranges(), models.thresholds)


def rerank(
    ranking: Ranking,
    pairs: Pairs,
    spoken: SpokenSentences,
    index: ClaimIndex,
    models: Models,
    progress: Progress = no_progress,
) -> Ranking:
    """Return the ranking after the re-ranker has read the pairs that come near the list."""
    if models.reranker is None:
        return ranking
    chosen = np.flatnonzero(ranking.pair_scores >= models.thresholds.rereading)
    odds = reranker_odds(pairs, chosen, spoken, index, models.reranker, progress)
    return models.ranker.rerank(ranking, pairs, chosen, odds, thresholds=models.thresholds)


def assign_tiers(
    ranking: Ranking, pairs: Pairs, spoken: SpokenSentences, index: ClaimIndex
) -> Ranking:
    """Return the ranking with stances, and with tiers that heed conflicts between the texts."""
    days = match_tiers.Days(spoken.event_day, index.claim_days)
    return match_tiers.capped(ranking, pairs, spoken.texts, index.statements, days)
