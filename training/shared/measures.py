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
from assistant.check.candidates import search, widen
from assistant.check.checkworthiness import CheckWorthiness
from assistant.check.cross_encoding import reread
from assistant.check.pair_features import (
    NLI,
    Context,
    Measured,
    add_nli,
    context_gains,
    measure_without_nli,
)
from assistant.check.progress import no_progress
from assistant.check.ranker_inputs import (
    PairInputs,
    Spoken,
    pair_inputs,
    with_context,
    with_readings,
)
from assistant.check.rankers import Ranker, Ranking
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Passage, Sentence, Source, Transcript
from assistant.core.settings import EMBEDDED
from assistant.passages.splitting import passages
from features.models import reranker
from features.models.profile_models import Encoders
from features.models.reranker import Reranker
from features.similarity.catalogue import MEASURES
from features.similarity.context_window import LIVE, Texts, window_vectors
from features.similarity.coverage import WordWeights
from features.similarity.input_catalogue import NAMES
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
    ) -> PairInputs:
        """Return the pair inputs of all sentences.

        ``reads`` (n,): those worth the cross-encoder and a look around
        them; None: all.
        """
        X, candidates = self._searched(debate, as_of_event)
        key = [self._wide_key(debate, as_of_event), str(len(self.word_weights.weights))]

        def build() -> dict[str, NDArray]:
            spoken = Spoken(
                debate.texts, debate.speakers, np.full(len(debate.texts), 0.5), debate.day
            )
            unread = Measured(X, np.full(candidates.shape, np.nan, np.float32))
            alone = (self._compared(debate, as_of_event)[1] >= 0).sum(axis=1)
            made = pair_inputs(
                spoken, self.index, candidates, unread, self.word_weights, alone=alone
            )
            return {name: getattr(made, name) for name in _ARRAYS}

        made = PairInputs(NAMES, **cached(self.cache, f"pairs-{debate.name}", key, build))
        if debate.windows:
            made = with_context(made, self._gains(debate, as_of_event, reads))
        measured = self.measured(debate, as_of_event=as_of_event, reads=reads)
        pairs = made.sentence, made.place
        return with_readings(
            made, self.worthiness(debate), measured.X[pairs][:, NLI], measured.same_claim[pairs]
        )

    def _gains(
        self, debate: Debate, as_of_event: bool, reads: NDArray[np.bool_] | None
    ) -> NDArray[np.float32]:
        """Return what the sentences around add to each sentence with its candidates, (n, k).

        See ``inputs``.
        """
        candidates = self._searched(debate, as_of_event)[1]

        def build() -> dict[str, NDArray]:
            distinct = list(dict.fromkeys((*debate.texts, *chain.from_iterable(debate.windows))))
            states = dict(zip(distinct, self.encoders.read(distinct)[1], strict=True))
            windows = zip(debate.windows, debate.texts, strict=True)
            around = [
                [states[other] for other in window if other != text] for window, text in windows
            ]
            context = Context([states[text] for text in debate.texts], around)
            return {
                "gain": context_gains(
                    context, self.index, candidates, np.ones(len(candidates), bool)
                )
            }

        gains = cached(
            self.cache, f"context-{debate.name}", [self._wide_key(debate, as_of_event)], build
        )["gain"]
        return gains if reads is None else np.where(reads[:, None], gains, np.nan)

    def measures(
        self, debate: Debate, *, as_of_event: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the 19 measures (n, k, 19) and the candidates (n, k) of all sentences of a debate."""
        return self.measured(debate, as_of_event=as_of_event).X, self._searched(
            debate, as_of_event
        )[1]

    def measured(
        self, debate: Debate, *, as_of_event: bool, reads: NDArray[np.bool_] | None = None
    ) -> Measured:
        """Return the measures of all sentences of a debate with their candidates.

        ``reads``: as for ``inputs``.
        """
        X, candidates = self._searched(debate, as_of_event)
        budget = self.budget(debate)
        if not budget:
            return Measured(X, np.full(candidates.shape, np.nan, np.float32))
        readable = candidates.copy()
        if reads is not None:
            readable[~reads] = -1
        elif debate.name in self.linked_names:
            readable[self.worthiness(debate) < self.check_worthiness.threshold] = -1

        def build() -> dict[str, NDArray]:
            measured = add_nli(
                debate.texts, self.index, self.encoders, readable, X, nli_candidates=budget
            )
            return {"nli": measured.X[..., NLI], "same": measured.same_claim}

        budget_read = f"{budget} {self.encoders.nli.digest}"
        mask = str((readable >= 0).tobytes())
        key = [self._wide_key(debate, as_of_event), budget_read, mask]
        arrays = cached(self.cache, f"read-{debate.name}", key, build)
        X[..., NLI] = arrays["nli"]
        return Measured(X, arrays["same"])

    def _searched(
        self, debate: Debate, as_of_event: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the measures but NLI's, (n, k, 19), and the candidates (n, k), windows' among them."""
        own = self._compared(debate, as_of_event)
        if not debate.windows:
            return own
        there = [own, self._searched(debate, False)] if as_of_event else [own]

        def build() -> dict[str, NDArray]:
            distinct = list(dict.fromkeys(chain.from_iterable(debate.windows)))
            vectors, states = self.encoders.read(distinct)
            vectors = window_vectors(debate.windows, distinct, vectors, list(map(len, states)))
            may = self.usable(debate, as_of_event=as_of_event)
            wider = widen(own[1], debate.windows, vectors, self.index, allowed=may)
            return {"X": self._compare(debate, wider, there), "found": wider}

        arrays = cached(
            self.cache, f"widened-{debate.name}", [self._wide_key(debate, as_of_event)], build
        )
        return arrays["X"], arrays["found"]

    def _compare(
        self, debate: Debate, found: Ints, there: Sequence[tuple[NDArray, Ints]]
    ) -> NDArray[np.float32]:
        """Return the measures but NLI's of a debate with some candidates, those that are ``there`` not made again."""
        known = np.zeros(found.shape, bool)
        X = np.zeros((*found.shape, len(MEASURES)), np.float32)
        for measures, candidates in there:
            again, place = places_of(found, candidates, len(self.index))
            X[again], known = measures[np.nonzero(again)[0], place[again]], known | again
        made = measure_without_nli(
            debate.texts, self.index, self.encoders, np.where(known, -1, found)
        )
        return np.where(known[..., None], X, made)

    def _compared(
        self, debate: Debate, as_of_event: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the measures but NLI's, (n, k, 19), and the candidates (n, k) that the sentences alone find."""

        def build() -> dict[str, NDArray]:
            vectors = self.encoders.sbert.encode(debate.texts)
            may = self.usable(debate, as_of_event=as_of_event)
            searched = search(debate.texts, vectors, self.index, allowed=may)
            there = [self._compared(debate, False)] if as_of_event else []
            return {"X": self._compare(debate, searched, there), "found": searched}

        arrays = cached(
            self.cache, f"compared-{debate.name}", [self._key(debate, as_of_event)], build
        )
        return arrays["X"], arrays["found"]

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
        kept[checkworthiness.kept(transcript_of(debate), worthiness, found, threshold)] = True
        return kept

    def as_checked(self, debate: Debate, ranker: Ranker) -> tuple[PairInputs, NDArray[np.bool_]]:
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
        words = np.zeros(len(kept), inputs.words.dtype)
        words[kept] = inputs.words
        return replace(inputs, sentence=np.flatnonzero(kept)[inputs.sentence], words=words), kept

    def ranked(
        self,
        debate: Debate,
        inputs: PairInputs,
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
        return ranker.reread(ranking, inputs, pairs, odds, thresholds=thresholds)

    def reread(self, debate: Debate, inputs: PairInputs, pairs: Ints) -> NDArray[np.float32]:
        """Return what the re-ranker says of some pairs (r,) of a debate: log-odds (r, 2)."""
        windows = debate.windows or [()] * len(debate.texts)
        before = [
            _said_before(window, text) for window, text in zip(windows, debate.texts, strict=True)
        ]
        spoken = Spoken(
            debate.texts, debate.speakers, np.zeros(len(debate.texts)), debate.day, before
        )
        reader = self.rerankers.get(debate.name) or reranker.load()
        key = [
            reader.digest,
            inputs.sentence[pairs].tobytes().hex(),
            inputs.claim[pairs].tobytes().hex(),
        ]

        def build() -> dict[str, NDArray]:
            return {"odds": reread(spoken, self.index, reader, inputs, pairs, no_progress)}

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


_ARRAYS = ("values", "measures", "sentence", "claim", "place", "kind", "lifts", "alone", "words")


def places_of(wanted: Ints, there_: Ints, claims: int) -> tuple[NDArray[np.bool_], Ints]:
    """Return which candidates (n, k) others of the same sentence have too (-1.

    None), and their places there (n, k).
    """
    rows = np.arange(len(wanted))[:, None] * claims
    keys = (rows + wanted).ravel()
    there = np.where(there_ < 0, -1, rows + there_).ravel()
    order = np.argsort(there, kind="stable")
    at = order[np.searchsorted(there, keys, sorter=order).clip(max=max(len(order) - 1, 0))]
    known = (there[at] == keys) & (wanted.ravel() >= 0)
    return known.reshape(wanted.shape), (at % there_.shape[1]).reshape(wanted.shape)
