"""The pairs of whole debates with their features and ranker inputs, cached by content.

It calls the product (``check.pair_features``, ``check.ranker_inputs``) for every sentence of a
debate, also for those that a check drops. The cache key is the debate's texts, the claims, the
models, the settings and the code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.check import checkworthiness
from assistant.check.candidates import search, search_context
from assistant.check.checkworthiness import CheckWorthiness
from assistant.check.cross_encoding import reranker_odds
from assistant.check.name_spelling import compare_respelled_pairs, respelled
from assistant.check.pair_features import (
    NLI,
    ContextStates,
    compare,
    context_gains,
    cross_encode,
    read_pairs,
)
from assistant.check.pairs import COLUMNS, Pairs
from assistant.check.ranker_inputs import (
    SpokenSentences,
    add_cross_encoding,
    add_input,
    add_inputs,
    add_worthiness,
)
from assistant.check.rankers import Ranker, Ranking
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Passage, Sentence, Source, Transcript
from assistant.core.progress_callback import no_progress
from assistant.core.settings import EMBEDDED
from assistant.passages.splitting import passages
from features.models import reranker
from features.models.profile_models import Encoders
from features.models.reranker import Reranker
from features.models.weight_files import EMBEDDED_RERANKER
from features.similarity.context_window import LIVE, Texts, window_vectors
from features.similarity.coverage import WordWeights
from features.similarity.input_catalogue import CONTEXT
from ranking.tier_thresholds import Thresholds
from training.shared.debates import PAPER_CLAIMS, Debate, cached

Ints = NDArray[np.integer]


@dataclass(frozen=True)
class Bench:
    """The claims and models that debates are compared with, and the folder of cached results.

    ``nli_candidates``: how many pairs of a sentence the cross-encoder reads; ``nli_of_linked``: the
    same for the debates of ``linked_names``, which only have links and are ten times as many, and
    of these only for check-worthy sentences. ``paper_only``: search only the claims of the paper's
    database. ``reranker_name``: the re-ranker of a profile. ``rerankers``: by the name of a debate
    that the shipped re-ranker was trained on, one that was not.
    """

    index: ClaimIndex
    encoders: Encoders
    check_worthiness: CheckWorthiness
    word_weights: WordWeights
    cache: Path
    nli_candidates: int = 15
    nli_of_linked: int = 0
    paper_only: bool = False
    linked_names: frozenset[str] = frozenset()
    rerankers: Mapping[str, Reranker] = field(default_factory=dict)
    reranker_name: str = EMBEDDED_RERANKER

    @cached_property
    def ids(self) -> NDArray[np.str_]:
        """Return the claims' ids by position."""
        return np.array(self.index.ids)

    def usable(self, debate: Debate, *, as_of_event: bool) -> NDArray[np.bool_]:
        """Return which claims may be used for a debate, (m,).

        ``as_of_event``: only those checked before its day.
        """
        is_usable = np.ones(len(self.index), bool)
        if self.paper_only:
            claim_numbers = [int(claim.rpartition("-")[2]) for claim in self.index.ids]
            is_usable &= np.array(claim_numbers) < PAPER_CLAIMS
        if as_of_event:
            is_usable &= self.index.review_days < debate.day
        return is_usable

    def inputs(
        self, debate: Debate, *, as_of_event: bool = False, reads: NDArray[np.bool_] | None = None
    ) -> Pairs:
        """Return the pairs of all sentences of a debate with their ranker inputs.

        ``reads`` (n,): the sentences whose pairs the cross-encoder reads and whose context counts;
        None for all.
        """
        searched = self._searched(debate, as_of_event)
        is_respelled, spelled = respelled(searched, debate.texts, self.index)
        key = [self._wide_key(debate, as_of_event), str(len(self.word_weights.weights))]

        def build() -> dict[str, NDArray]:
            compared = compare_respelled_pairs(searched, debate.texts, self.index, self.encoders)
            # The check-worthiness is added after the cache, so that a neutral value will do here.
            neutral = np.full(len(debate.texts), 0.5)
            spoken = SpokenSentences(debate.texts, debate.speakers, neutral, debate.day)
            return _arrays_of(add_inputs(compared, spoken, self.index, self.word_weights))

        pairs = _pairs_of(cached(self.cache, f"pairs-{debate.name}", key, build))
        if debate.windows:
            pairs = add_input(pairs, CONTEXT, self._gains(debate, as_of_event, reads))
        measured = self.measured(debate, as_of_event=as_of_event, reads=reads)
        labels = measured.similarities[:, NLI].copy()
        same_claim = measured.same_claim.copy()
        # Of the pairs that the cross-encoder reads, those that it reads in another spelling, (r,).
        again = np.flatnonzero(is_respelled & ~np.isnan(same_claim))
        premises = [self.index.statements[claim] for claim in pairs.claim_index[again].tolist()]
        hypotheses = [spelled[pair] for pair in again.tolist()]
        labels[again], same_claim[again] = read_pairs(
            premises, hypotheses, self.encoders, no_progress
        )
        pairs = add_worthiness(pairs, self.worthiness(debate))
        return add_cross_encoding(pairs, labels, same_claim)

    def _gains(
        self, debate: Debate, as_of_event: bool, reads: NDArray[np.bool_] | None
    ) -> NDArray[np.float32]:
        """Return the gain of each pair of a debate by the context of its sentence, (p,).

        See ``inputs``.
        """
        pairs = self._searched(debate, as_of_event)

        def build() -> dict[str, NDArray]:
            all_texts = [*debate.texts, *chain.from_iterable(debate.windows)]
            distinct = list(dict.fromkeys(all_texts))
            _, token_states = self.encoders.read(distinct)
            states_of = dict(zip(distinct, token_states, strict=True))
            neighbour_states = []
            for window, text in zip(debate.windows, debate.texts, strict=True):
                neighbour_states.append([states_of[other] for other in window if other != text])
            context = ContextStates([states_of[text] for text in debate.texts], neighbour_states)
            all_sentences = np.ones(pairs.sentence_count, bool)
            return {"gain": context_gains(context, self.index, pairs, all_sentences)}

        key = [self._wide_key(debate, as_of_event)]
        gains = cached(self.cache, f"context-{debate.name}", key, build)["gain"]
        if reads is not None:
            gains = np.where(reads[pairs.sentence_index], gains, np.nan)
        return gains

    def measures(self, debate: Debate, *, as_of_event: bool) -> Pairs:
        """Return the pairs of all sentences of a debate with their 19 features."""
        return self.measured(debate, as_of_event=as_of_event)

    def measured(
        self, debate: Debate, *, as_of_event: bool, reads: NDArray[np.bool_] | None = None
    ) -> Pairs:
        """Return the pairs of all sentences of a debate with their features.

        ``reads``: as for ``inputs``.
        """
        pairs = self._searched(debate, as_of_event)
        budget = self.budget(debate)
        if not budget:
            return pairs
        # The sentences (n,) and the pairs (p,) that the cross-encoder may read.
        sentence_is_readable = np.ones(len(debate.texts), bool)
        if reads is not None:
            sentence_is_readable = reads
        elif debate.name in self.linked_names:
            threshold = self.check_worthiness.threshold
            sentence_is_readable = self.worthiness(debate) >= threshold
        readable = sentence_is_readable[pairs.sentence_index]

        def build() -> dict[str, NDArray]:
            cross_encoded = cross_encode(
                pairs.only(readable), debate.texts, self.index, self.encoders, nli_candidates=budget
            )
            labels = np.zeros((len(pairs), 3), np.float32)
            labels[readable] = cross_encoded.similarities[:, NLI]
            same_claim = np.full(len(pairs), np.nan, np.float32)
            same_claim[readable] = cross_encoded.same_claim
            return {"nli": labels, "same": same_claim}

        budget_read = f"{budget} {self.encoders.nli.digest}"
        key = [self._wide_key(debate, as_of_event), budget_read, str(readable.tobytes())]
        arrays = cached(self.cache, f"read-{debate.name}", key, build)
        similarities = pairs.similarities.copy()
        similarities[:, NLI] = arrays["nli"]
        return replace(pairs, similarities=similarities, same_claim=arrays["same"])

    def _searched(self, debate: Debate, as_of_event: bool) -> Pairs:
        """Return the pairs of a debate that sentences or their contexts find.

        They are compared but not cross-encoded.
        """
        alone = self._compared(debate, as_of_event)
        if not debate.windows:
            return alone
        compared = None
        if as_of_event:
            compared = self._searched(debate, False)

        def build() -> dict[str, NDArray]:
            distinct = list(dict.fromkeys(chain.from_iterable(debate.windows)))
            vectors, states = self.encoders.read(distinct)
            token_counts = [len(text_states) for text_states in states]
            vectors_of_windows = window_vectors(debate.windows, distinct, vectors, token_counts)
            usable = self.usable(debate, as_of_event=as_of_event)
            further = search_context(
                alone, debate.windows, vectors_of_windows, self.index, allowed=usable
            )
            return _arrays_of(alone.joined(self._compare(debate, further, compared)))

        key = [self._wide_key(debate, as_of_event)]
        return _pairs_of(cached(self.cache, f"widened-{debate.name}", key, build))

    def _compare(self, debate: Debate, pairs: Pairs, compared: Pairs | None) -> Pairs:
        """Return pairs of a debate with their features, taken from ``compared`` if it has them."""
        claim_count = len(self.index)
        similarities = np.zeros_like(pairs.similarities)
        is_known = np.zeros(len(pairs), bool)
        if compared is not None:
            is_known, row = rows_of(pairs.keys(claim_count), compared.keys(claim_count))
            similarities[is_known] = compared.similarities[row[is_known]]
        newly_compared = compare(pairs.only(~is_known), debate.texts, self.index, self.encoders)
        similarities[~is_known] = newly_compared.similarities
        return replace(pairs, similarities=similarities)

    def _compared(self, debate: Debate, as_of_event: bool) -> Pairs:
        """Return the compared pairs of a debate that its sentences find alone."""

        def build() -> dict[str, NDArray]:
            vectors = self.encoders.sbert.encode(debate.texts)
            usable = self.usable(debate, as_of_event=as_of_event)
            searched = search(debate.texts, vectors, self.index, allowed=usable)
            compared = None
            if as_of_event:
                compared = self._compared(debate, False)
            return _arrays_of(self._compare(debate, searched, compared))

        key = [self._key(debate, as_of_event)]
        return _pairs_of(cached(self.cache, f"compared-{debate.name}", key, build))

    def budget(self, debate: Debate) -> int:
        """Return how many pairs of a sentence the cross-encoder reads in a debate."""
        if debate.name in self.linked_names:
            return self.nli_of_linked
        return self.nli_candidates

    def worthiness(self, debate: Debate) -> NDArray[np.float32]:
        """Return the check-worthiness of all sentences of a debate, (n,)."""

        def build() -> dict[str, NDArray]:
            return {"score": self.check_worthiness.score(debate.texts)}

        key = [*debate.texts, self.check_worthiness.digest]
        return cached(self.cache, f"worth-{debate.name}", key, build)["score"]

    def passages(self, debate: Debate) -> tuple[Passage, ...]:
        """Return the passages of a whole debate, its sentences numbered from 1."""

        def build() -> dict[str, NDArray]:
            return {"vectors": self.encoders.sbert.encode(debate.texts)}

        key = [*debate.texts, self.encoders.sbert.digest]
        vectors = cached(self.cache, f"vectors-{debate.name}", key, build)["vectors"]
        return passages(transcript_of(debate).sentences, vectors, self.worthiness(debate))

    def kept(self, debate: Debate) -> NDArray[np.bool_]:
        """Return which sentences of a whole debate a check searches for, (n,); it drops the others."""
        threshold = EMBEDDED.check_worthiness
        if threshold is None:
            threshold = self.check_worthiness.threshold
        positions = checkworthiness.checkworthy_positions(
            transcript_of(debate), self.worthiness(debate), self.passages(debate), threshold
        )
        is_kept = np.zeros(len(debate.texts), bool)
        is_kept[positions] = True
        return is_kept

    def as_checked(self, debate: Debate, ranker: Ranker) -> tuple[Pairs, NDArray[np.bool_]]:
        """Return the ranker inputs of a whole debate as in a check, and which sentences it keeps.

        A dropped sentence has no pairs. The cross-encoder reads only sentences that the other
        inputs do not leave far below the list. Shape of the mask: (n,).
        """
        is_kept = self.kept(debate)
        kept_debate = debate.only(is_kept)
        # Rank the kept sentences (k,) without the cross-encoder, to see which it has to read.
        bench_without_nli = replace(self, nli_candidates=0, nli_of_linked=0)
        no_sentence = np.zeros(is_kept.sum(), bool)
        first_ranking = ranker.rank(bench_without_nli.inputs(kept_debate, reads=no_sentence))
        is_near = first_ranking.sentence_scores >= ranker.thresholds.reading
        bench_with_nli = replace(self, nli_of_linked=self.nli_candidates)
        inputs = bench_with_nli.inputs(kept_debate, reads=is_near)
        # Number the sentences as in the whole debate again.
        sentence_index = np.flatnonzero(is_kept)[inputs.sentence_index]
        inputs = replace(inputs, sentence_index=sentence_index, sentence_count=len(is_kept))
        return inputs, is_kept

    def ranked(
        self,
        debate: Debate,
        inputs: Pairs,
        ranker: Ranker,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking of the sentences of a debate, after the re-ranker if there is one."""
        ranking = ranker.rank(inputs, thresholds=thresholds)
        thresholds = thresholds or ranker.thresholds
        if thresholds.rereading == np.inf:
            return ranking
        near_list = np.flatnonzero(ranking.pair_scores >= thresholds.rereading)
        odds = self.reread(debate, inputs, near_list)
        return ranker.rerank(ranking, inputs, near_list, odds, thresholds=thresholds)

    def reread(self, debate: Debate, inputs: Pairs, chosen: Ints) -> NDArray[np.float32]:
        """Return the re-ranker's log-odds (r, 2) of some pairs (r,) of a debate."""
        windows = debate.windows or [()] * len(debate.texts)
        texts_before = []
        for window, text in zip(windows, debate.texts, strict=True):
            texts_before.append(said_before(window, text))
        no_worthiness = np.zeros(len(debate.texts))
        spoken = SpokenSentences(
            debate.texts, debate.speakers, no_worthiness, debate.day, texts_before
        )
        debate_reranker = self.rerankers.get(debate.name) or reranker.load(self.reranker_name)

        def build() -> dict[str, NDArray]:
            odds = reranker_odds(inputs, chosen, spoken, self.index, debate_reranker)
            return {"odds": odds}

        all_said_before = chain.from_iterable(texts_before)
        texts = [*debate.texts, *debate.speakers, *all_said_before, self._claims]
        key = [
            "\0".join(texts),
            debate_reranker.digest,
            inputs.sentence_index[chosen].tobytes().hex(),
            inputs.claim_index[chosen].tobytes().hex(),
        ]
        return cached(self.cache, f"reread-{debate.name}", key, build)["odds"]

    def _key(self, debate: Debate, as_of_event: bool) -> str:
        """Return the cache key of a debate whose sentences are searched alone."""
        ready_articles = f"{int(self.index.bodies_ready.sum())}"
        models = str(sorted(self.models.items()))
        settings = f"{self.paper_only} {as_of_event} {debate.day}"
        return "\0".join([*debate.texts, self._claims, ready_articles, models, settings])

    def _wide_key(self, debate: Debate, as_of_event: bool) -> str:
        """Return the cache key of a debate whose contexts are searched as well."""
        key = self._key(debate, as_of_event)
        return "\0".join([key, "mean", *chain.from_iterable(debate.windows)])

    @cached_property
    def _claims(self) -> str:
        """Return the digest of the ids and statements of all claims."""
        texts = "\0".join([*self.index.ids, *self.index.statements])
        return hashlib.sha256(texts.encode()).hexdigest()

    @cached_property
    def models(self) -> dict[str, str]:
        """Return the digests of the models that compute the similarity features."""
        return {
            "sbert": self.encoders.sbert.digest[:16],
            "simcse": self.encoders.simcse.digest[:16],
            "bertscore": self.encoders.bertscore.digest[:16],
        }


def said_before(window: Texts, sentence: str) -> Texts:
    """Return the sentences of a window that were said before its own sentence."""
    # The sentence may be said twice; its own position is the last one that the window allows.
    last_position = min(LIVE.before, len(window) - 1)
    for position in range(last_position, -1, -1):
        if window[position] == sentence:
            return window[:position]
    return ()


def transcript_of(debate: Debate) -> Transcript:
    """Return a debate as a transcript, its sentences numbered from 1."""
    rows = zip(debate.lines, debate.texts, debate.speakers, strict=True)
    sentences = []
    for number, (line, text, speaker) in enumerate(rows, start=1):
        sentences.append(Sentence(number, line, text, speaker or None))
    source = Source(debate.name, "", "")
    return Transcript(debate.name, date.fromordinal(debate.day), source, tuple(sentences))


def _arrays_of(pairs: Pairs) -> dict[str, NDArray]:
    """Return pairs as arrays to be cached."""
    arrays = {name: getattr(pairs, name) for name in COLUMNS}
    return {"sentence_count": np.array(pairs.sentence_count), **arrays}


def _pairs_of(arrays: Mapping[str, NDArray]) -> Pairs:
    """Return the pairs that were cached as arrays."""
    columns = {name: arrays[name] for name in COLUMNS}
    return Pairs(sentence_count=int(arrays["sentence_count"]), **columns)


def rows_of(keys: Ints, known_keys: Ints) -> tuple[NDArray[np.bool_], Ints]:
    """Return which of some keys (k,) are known, and the row of each among the known ones, (k,)."""
    if not len(known_keys):
        return np.zeros(len(keys), bool), np.zeros(len(keys), np.intp)
    # Look each key up among the sorted known ones; one beyond the end gets the last row.
    order = np.argsort(known_keys, kind="stable")
    position = np.searchsorted(known_keys, keys, sorter=order).clip(max=len(known_keys) - 1)
    row = order[position]
    return known_keys[row] == keys, row
