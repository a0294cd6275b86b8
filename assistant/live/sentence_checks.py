"""Checks live sentences with the pipeline of finished transcripts.

Their check-worthiness first, then their matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

import numpy as np

from assistant import pipeline
from assistant.check import checkworthiness, loaded_models
from assistant.check.loaded_models import Models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import CheckedSentence, Report, Sentence, Source, Transcript
from assistant.core.settings import Profile
from assistant.live.event import Event, LiveSentence, Outcome, Sifted
from assistant.passages.listing import rearranged
from assistant.passages.splitting import passages
from assistant.report import stored_reports
from features.models.model_spec import Floats
from features.similarity.context_window import Texts

LIVE = Source("live", "live", "")
RECENT = 2048  # texts whose vectors are kept: the talk around a new sentence was read before


@dataclass(frozen=True)
class Checker:
    """Checks sentences of events against an index, each on its own and with the sentences before it."""

    index: ClaimIndex
    profile: Profile
    as_of_event: bool = False
    _recent: dict[str, tuple[Floats, float]] = field(
        default_factory=dict
    )  # what was read of texts, the oldest first
    _turn: Lock = field(default_factory=Lock)  # several events share the models and the index

    @cached_property
    def _models(self) -> Models:
        return loaded_models.load(self.profile)

    def warm(self) -> None:
        """Load every model and table now, so that the first sentence waits for nothing."""
        with loaded_models.missing_models_reported():
            sent = Sentence(
                1, 1, "The unemployment rate has fallen to three percent in the last two years."
            )
            pipeline.check(Transcript("warm", None, LIVE, (sent,)), self.index, self.profile)

    def sift(
        self, sentences: Sequence[LiveSentence], talks: Sequence[Sequence[LiveSentence]]
    ) -> list[Sifted]:
        """Return each sentence with its check-worthiness, and with its outcome if it is dropped.

        As in a finished transcript it is dropped only if its passage is, which ends where the talk
        has come to: what is said next may recall it. ``talks``: each sentence with those around
        it.
        """
        with loaded_models.missing_models_reported(), self._turn:
            self._read([near.text for talk in talks for near in talk])  # together it is faster
            return [self._sifted(live, talk) for live, talk in zip(sentences, talks, strict=True)]

    def _sifted(self, live: LiveSentence, talk: Sequence[LiveSentence]) -> Sifted:
        loaded = self._models
        places = range(len(talk))
        here = next(place for place in places if talk[place].id == live.id)
        vectors, worthiness = self._read([near.text for near in talk])
        said = tuple(replace(near.as_sentence(), number=place) for place, near in enumerate(talk))
        found = passages(said, vectors, worthiness)
        threshold = loaded.worthiness_threshold
        kept = set(
            checkworthiness.kept_positions(
                Transcript("", None, LIVE, said), worthiness, found, threshold
            ).tolist()
        )
        worth = float(worthiness[here])
        vector = _packed(vectors[here])
        if here not in kept:
            why = checkworthiness.reason(live.text, worth, threshold)
            return Sifted(live, worth, Outcome(worth, False, why, vector=vector))
        own = next(passage.sentences for passage in found if here in passage.sentences)
        again = [talk[place] for place in own if place in kept and talk[place].kept is False]
        return Sifted(live, worth, recalled=tuple(near for near in again if near.worthiness))

    def _read(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the SBERT vectors (n, d) and the check-worthiness (n,) of texts.

        Those read last are kept.
        """
        new = list(dict.fromkeys(text for text in texts if text not in self._recent))
        if new:
            vectors = self._models.encoders.sbert.encode(new)
            scores = self._models.checkworthiness.score(new)
            self._recent.update(zip(new, zip(vectors, scores.tolist(), strict=True), strict=True))
        read = [self._recent[text] for text in texts]
        for text in list(self._recent)[:-RECENT]:
            del self._recent[text]
        return np.array([vector for vector, _ in read]), np.array([score for _, score in read])

    def check(
        self, event: Event, sentences: Sequence[LiveSentence], windows: Sequence[Texts]
    ) -> list[Outcome]:
        """Return the outcome of each sentence, its matches ranked.

        Several together are faster than one by one.

        ``windows``: each sentence with those before it.
        """
        transcript = Transcript(
            event.title, event.day, LIVE, tuple(live.as_sentence() for live in sentences)
        )
        with_date = self.as_of_event and event.day is not None
        with self._turn:
            report = pipeline.check(
                transcript, self.index, self.profile, as_of_event=with_date, windows=windows
            )
            vectors, _ = self._read([sent.text for sent in transcript])
        return [
            _outcome(report, checked, vector)
            for checked, vector in zip(report.sentences, vectors, strict=True)
        ]


def _outcome(report: Report, checked: CheckedSentence, vector: Floats) -> Outcome:
    """Return the outcome of one sentence of a report, with a report of this sentence alone."""
    alone = replace(report.transcript, sentences=(checked.sentence,))
    report = rearranged(
        replace(report, transcript=alone, sentences=(replace(checked, rank=1),), passages=())
    )
    best = checked.matches[0] if checked.matches and checked.tier else None
    return Outcome(
        worthiness=checked.check_worthiness,
        kept=True,
        tier=checked.tier,
        score=checked.score,
        claim=best.claim.id if best else "",
        report=stored_reports.archive(report),
        vector=_packed(vector),
    )


def _packed(vector: Floats) -> bytes:
    return vector.astype(np.float16).tobytes()
