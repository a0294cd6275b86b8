"""Debates measured against the claims.

Candidates, the 19 measures and pair inputs, kept by content.

Calls the product (``check.measures``, ``check.ranker_inputs``); every sentence is measured,
dropped ones too. What was made once is read again: the key is the debate's texts, the claims, the
models, the settings and the code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
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
from assistant.check.pair_features import NLI, ContextStates, compare, context_gains, cross_encode
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
from assistant.core.settings import EMBEDDED
from assistant.passages.splitting import passages
from features.models import reranker
from features.models.profile_models import Encoders
from features.models.reranker import Reranker
from features.similarity.context_window import LIVE, Texts, window_vectors
from features.similarity.coverage import WordWeights
from features.similarity.input_catalogue import CONTEXT
from ranking.tier_thresholds import Thresholds
from training.shared.debates import PAPER_CLAIMS, Debate, cached

Ints = NDArray[np.integer]


@dataclass(frozen=True)
class Bench:
    """What measuring needs, and where its results are kept.

    ``nli_candidates``: pairs of a sentence that NLI reads; ``nli_of_linked``: the same for the sixty-three debates that
    only have links, which are ten times as many, and there of check-worthy sentences only. ``paper_only``: search only
    the claims of the paper's database. ``rerankers``: for debates that the shipped one has learnt from, by name, one
    that has not.
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

    @cached_property
    def ids(self) -> NDArray[np.str_]:
        """Return the claims' ids by position."""
        return np.array(self.index.ids)

    def usable(self, debate: Debate, *, as_of_event: bool) -> NDArray[np.bool_]:
        """Return which claims may be used for a debate, (m,).

        As of the event, those checked before its day.
        """
        may = np.ones(len(self.index), bool)
        if self.paper_only:
            may &= np.array(
                [int(claim.rpartition("-")[2]) < PAPER_CLAIMS for claim in self.index.ids]
            )
        return may & (self.index.review_days < debate.day) if as_of_event else may

    def inputs(
        self, debate: Debate, *, as_of_event: bool = False, reads: NDArray[np.bool_] | None = None
    ) -> Pairs:
        """Return the pair inputs of all sentences.

        ``reads`` (n,): those worth the cross-encoder and a look around
        them; None: all.
        """
        searched = self._searched(debate, as_of_event)
        key = [self._wide_key(debate, as_of_event), str(len(self.word_weights.weights))]

        def build() -> dict[str, NDArray]:
            spoken = SpokenSentences(
                debate.texts, debate.speakers, np.full(len(debate.texts), 0.5), debate.day
            )
            return _arrays_of(add_inputs(searched, spoken, self.index, self.word_weights))

        pairs = _pairs_of(cached(self.cache, f"pairs-{debate.name}", key, build))
        if debate.windows:
            pairs = add_input(pairs, CONTEXT, self._gains(debate, as_of_event, reads))
        measured = self.measured(debate, as_of_event=as_of_event, reads=reads)
        pairs = add_worthiness(pairs, self.worthiness(debate))
        return add_cross_encoding(pairs, measured.similarities[:, NLI], measured.same_claim)

    def _gains(
        self, debate: Debate, as_of_event: bool, reads: NDArray[np.bool_] | None
    ) -> NDArray[np.float32]:
        """Return the gain of each pair of a debate by the context of its sentence, (p,).

        See ``inputs``.
        """
        pairs = self._searched(debate, as_of_event)

        def build() -> dict[str, NDArray]:
            distinct = list(dict.fromkeys((*debate.texts, *chain.from_iterable(debate.windows))))
            states = dict(zip(distinct, self.encoders.read(distinct)[1], strict=True))
            windows = zip(debate.windows, debate.texts, strict=True)
            around = [
                [states[other] for other in window if other != text] for window, text in windows
            ]
            context = ContextStates([states[text] for text in debate.texts], around)
            every = np.ones(pairs.sentence_count, bool)
            return {"gain": context_gains(context, self.index, pairs, every)}

        gains = cached(
            self.cache, f"context-{debate.name}", [self._wide_key(debate, as_of_event)], build
        )["gain"]
        return gains if reads is None else np.where(reads[pairs.sentence_index], gains, np.nan)

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
        may_read = np.ones(len(debate.texts), bool)
        if reads is not None:
            may_read = reads
        elif debate.name in self.linked_names:
            may_read = self.worthiness(debate) >= self.check_worthiness.threshold
        readable = may_read[pairs.sentence_index]

        def build() -> dict[str, NDArray]:
            read = cross_encode(
                pairs.only(readable), debate.texts, self.index, self.encoders, nli_candidates=budget
            )
            labels = np.zeros((len(pairs), 3), np.float32)
            labels[readable] = read.similarities[:, NLI]
            same_claim = np.full(len(pairs), np.nan, np.float32)
            same_claim[readable] = read.same_claim
            return {"nli": labels, "same": same_claim}

        budget_read = f"{budget} {self.encoders.nli.digest}"
        key = [self._wide_key(debate, as_of_event), budget_read, str(readable.tobytes())]
        arrays = cached(self.cache, f"read-{debate.name}", key, build)
        similarities = pairs.similarities.copy()
        similarities[:, NLI] = arrays["nli"]
        return replace(pairs, similarities=similarities, same_claim=arrays["same"])

    def _searched(self, debate: Debate, as_of_event: bool) -> Pairs:
        """Return the pairs of a debate, compared but not cross-encoded, those by context too."""
        own = self._compared(debate, as_of_event)
        if not debate.windows:
            return own
        compared = [self._searched(debate, False)] if as_of_event else []

        def build() -> dict[str, NDArray]:
            distinct = list(dict.fromkeys(chain.from_iterable(debate.windows)))
            vectors, states = self.encoders.read(distinct)
            vectors = window_vectors(debate.windows, distinct, vectors, list(map(len, states)))
            may = self.usable(debate, as_of_event=as_of_event)
            further = search_context(own, debate.windows, vectors, self.index, allowed=may)
            return _arrays_of(own.joined(self._compare(debate, further, compared)))

        arrays = cached(
            self.cache, f"widened-{debate.name}", [self._wide_key(debate, as_of_event)], build
        )
        return _pairs_of(arrays)

    def _compare(self, debate: Debate, pairs: Pairs, compared: Sequence[Pairs]) -> Pairs:
        """Return pairs of a debate with their features, those of ``compared`` pairs not made again."""
        claim_count = len(self.index)
        similarities = np.zeros_like(pairs.similarities)
        known = np.zeros(len(pairs), bool)
        for others in compared:
            again, row = rows_of(pairs.keys(claim_count), others.keys(claim_count))
            similarities[again] = others.similarities[row[again]]
            known |= again
        made = compare(pairs.only(~known), debate.texts, self.index, self.encoders)
        similarities[~known] = made.similarities
        return replace(pairs, similarities=similarities)

    def _compared(self, debate: Debate, as_of_event: bool) -> Pairs:
        """Return the compared pairs of a debate that its sentences find alone."""

        def build() -> dict[str, NDArray]:
            vectors = self.encoders.sbert.encode(debate.texts)
            may = self.usable(debate, as_of_event=as_of_event)
            searched = search(debate.texts, vectors, self.index, allowed=may)
            compared = [self._compared(debate, False)] if as_of_event else []
            return _arrays_of(self._compare(debate, searched, compared))

        arrays = cached(
            self.cache, f"compared-{debate.name}", [self._key(debate, as_of_event)], build
        )
        return _pairs_of(arrays)

    def budget(self, debate: Debate) -> int:
        """Return how many pairs of a sentence NLI reads in a debate."""
        return self.nli_of_linked if debate.name in self.linked_names else self.nli_candidates

    def worthiness(self, debate: Debate) -> NDArray[np.float32]:
        """Return the check-worthiness of all sentences of a debate, (n,)."""
        key = [*debate.texts, self.check_worthiness.digest]
        return cached(
            self.cache,
            f"worth-{debate.name}",
            key,
            lambda: {"score": self.check_worthiness.score(debate.texts)},
        )["score"]

    def passages(self, debate: Debate) -> tuple[Passage, ...]:
        """Return the passages of a whole debate, its sentences numbered from 1."""

        def build() -> dict[str, NDArray]:
            return {"vectors": self.encoders.sbert.encode(debate.texts)}

        key = [*debate.texts, self.encoders.sbert.digest]
        vectors = cached(self.cache, f"vectors-{debate.name}", key, build)["vectors"]
        return passages(transcript_of(debate).sentences, vectors, self.worthiness(debate))

    def kept(self, debate: Debate) -> NDArray[np.bool_]:
        """Return which sentences of a whole debate ``check`` searches for, (n,).

        The others it drops.
        """
        chosen = EMBEDDED.check_worthiness
        threshold = self.check_worthiness.threshold if chosen is None else chosen
        kept = np.zeros(len(debate.texts), bool)
        found = self.passages(debate)
        worthiness = self.worthiness(debate)
        kept[
            checkworthiness.kept_positions(transcript_of(debate), worthiness, found, threshold)
        ] = True
        return kept

    def as_checked(self, debate: Debate, ranker: Ranker) -> tuple[Pairs, NDArray[np.bool_]]:
        """Return the pair inputs of a whole debate as ``check`` has them, and which sentences it keeps, (n,).

        What is dropped has no pairs. The cross-encoder reads only sentences that the other inputs
        do not leave far below the list.
        """
        kept = self.kept(debate)
        spoken = debate.only(kept)
        unread = replace(self, nli_candidates=0, nli_of_linked=0).inputs(
            spoken, reads=np.zeros(kept.sum(), bool)
        )
        worth_it = ranker.rank(unread).sentence_scores >= ranker.thresholds.reading
        inputs = replace(self, nli_of_linked=self.nli_candidates).inputs(spoken, reads=worth_it)
        sentence_index = np.flatnonzero(kept)[inputs.sentence_index]
        return replace(inputs, sentence_index=sentence_index, sentence_count=len(kept)), kept

    def ranked(
        self,
        debate: Debate,
        inputs: Pairs,
        ranker: Ranker,
        thresholds: Thresholds | None = None,
    ) -> Ranking:
        """Return the ranking of the sentences of a debate, whose pairs have these inputs, read again where it pays."""
        ranking = ranker.rank(inputs, thresholds=thresholds)
        thresholds = thresholds or ranker.thresholds
        pairs = np.flatnonzero(ranking.pair_scores >= thresholds.rereading)
        if thresholds.rereading == np.inf:
            return ranking
        odds = self.reread(debate, inputs, pairs)
        return ranker.rerank(ranking, inputs, pairs, odds, thresholds=thresholds)

    def reread(self, debate: Debate, inputs: Pairs, pairs: Ints) -> NDArray[np.float32]:
        """Return what the re-ranker says of some pairs (r,) of a debate: log-odds (r, 2)."""
        windows = debate.windows or [()] * len(debate.texts)
        before = [
            _said_before(window, text) for window, text in zip(windows, debate.texts, strict=True)
        ]
        spoken = SpokenSentences(
            debate.texts, debate.speakers, np.zeros(len(debate.texts)), debate.day, before
        )
        reader = self.rerankers.get(debate.name) or reranker.load()
        key = [
            reader.digest,
            inputs.sentence_index[pairs].tobytes().hex(),
            inputs.claim_index[pairs].tobytes().hex(),
        ]

        def build() -> dict[str, NDArray]:
            odds = reranker_odds(inputs, pairs, spoken, self.index, reader)
            return {"odds": odds}

        about = "\0".join(
            (*debate.texts, *debate.speakers, *chain.from_iterable(before), self._claims)
        )
        return cached(self.cache, f"reread-{debate.name}", [about, *key], build)["odds"]

    def _key(self, debate: Debate, as_of_event: bool) -> str:
        ready = f"{int(self.index.bodies_ready.sum())}"
        settings = f"{self.paper_only} {as_of_event} {debate.day}"
        return "\0".join(
            (*debate.texts, self._claims, ready, str(sorted(self.models.items())), settings)
        )

    def _wide_key(self, debate: Debate, as_of_event: bool) -> str:
        return "\0".join(
            (self._key(debate, as_of_event), "mean", *chain.from_iterable(debate.windows))
        )

    @cached_property
    def _claims(self) -> str:
        return hashlib.sha256(
            "\0".join((*self.index.ids, *self.index.statements)).encode()
        ).hexdigest()

    @cached_property
    def models(self) -> dict[str, str]:
        """Return the digests of the models that every measure rests on."""
        return {
            part: getattr(self.encoders, part).digest[:16]
            for part in ("sbert", "simcse", "bertscore")
        }


def _said_before(window: Texts, sentence: str) -> Texts:
    """Return the part of a window that was said before its sentence."""
    places = [
        place for place in range(min(LIVE.before + 1, len(window))) if window[place] == sentence
    ]
    return window[: max(places, default=0)]


def transcript_of(debate: Debate) -> Transcript:
    """Return a debate as a transcript, its sentences numbered from 1."""
    rows = zip(debate.lines, debate.texts, debate.speakers, strict=True)
    spoken = (
        Sentence(number, line, text, who or None)
        for number, (line, text, who) in enumerate(rows, 1)
    )
    return Transcript(
        debate.name, date.fromordinal(debate.day), Source(debate.name, "", ""), tuple(spoken)
    )


def _arrays_of(pairs: Pairs) -> dict[str, NDArray]:
    """Return pairs as arrays to be cached."""
    arrays = {name: getattr(pairs, name) for name in COLUMNS}
    return {"sentence_count": np.array(pairs.sentence_count), **arrays}


def _pairs_of(arrays: Mapping[str, NDArray]) -> Pairs:
    """Return the pairs that were cached as arrays."""
    columns = {name: arrays[name] for name in COLUMNS}
    return Pairs(sentence_count=int(arrays["sentence_count"]), **columns)


def rows_of(wanted: Ints, known: Ints) -> tuple[NDArray[np.bool_], Ints]:
    """Return which of the wanted keys are known, and the row of each among the known ones."""
    if not len(known):
        return np.zeros(len(wanted), bool), np.zeros(len(wanted), np.intp)
    order = np.argsort(known, kind="stable")
    row = order[np.searchsorted(known, wanted, sorter=order).clip(max=len(known) - 1)]
    return known[row] == wanted, row
