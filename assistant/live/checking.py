"""The shipped pipeline, one live sentence at a time: how much it deserves checking, and what was found for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from assistant import pipeline
from assistant.check import models
from assistant.check.models import Tools
from assistant.claims.index import ClaimIndex
from assistant.ground import stored_reports
from assistant.ground.domain import CheckedSentence, Report, Sentence, Source, Transcript
from assistant.ground.settings import Profile
from assistant.live.event import Event, Found, Spot

LIVE = Source("live", "live", "")
KEPT = 200_000  # sentences of articles whose SimCSE vectors stay in memory: 150 MB, full after some minutes


@dataclass(frozen=True)
class Checker:
    """Checks sentences of events against an index, each by itself and what was said before it."""

    index: ClaimIndex
    profile: Profile
    as_of_event: bool = False
    _turn: Lock = field(default_factory=Lock)  # several events share the models and the index

    def __post_init__(self) -> None:
        self.index.keep_lifted(KEPT)

    @cached_property
    def _tools(self) -> Tools:
        return models.build(self.profile)

    def warm(self) -> None:
        """Load every model and table now, so that the first sentence waits for nothing."""
        with models.missing_models_told():
            sent = Sentence(1, 1, "The unemployment rate has fallen to three percent in the last two years.")
            pipeline.check(Transcript("warm", None, LIVE, (sent,)), self.index, self.profile)

    def sift(self, spots: Sequence[Spot]) -> list[tuple[Spot, float, Found | None]]:
        """Return each sentence with its check-worthiness, and what is found of those that are dropped."""
        held = self._tools
        with models.missing_models_told(), self._turn:
            scores = held.checkworthiness.score([spot.text for spot in spots]).tolist()
        sifted: list[tuple[Spot, float, Found | None]] = []
        for spot, worth in zip(spots, scores, strict=True):
            reason = held.checkworthiness.dropped_reason(sentence(spot), worth, threshold=held.worthiness_threshold)
            sifted.append((spot, worth, Found(worth, False, reason) if reason else None))
        return sifted

    def check(self, event: Event, spots: Sequence[Spot], windows: Sequence[str]) -> list[Found]:
        """Return what is found for each sentence, its matches ranked; together they take less time than one by one.

        ``windows``: each sentence with what was said just before it.
        """
        transcript = Transcript(event.title, event.day, LIVE, tuple(map(sentence, spots)))
        with_date = self.as_of_event and event.day is not None
        with self._turn:
            report = pipeline.check(transcript, self.index, self.profile, as_of_event=with_date, windows=windows)
        return [found(report, checked) for checked in report.sentences]


def sentence(spot: Spot) -> Sentence:
    """Return a live sentence as the pipeline knows sentences."""
    return Sentence(spot.number, spot.number, spot.text, spot.speaker, spot.start, spot.end)


def found(report: Report, checked: CheckedSentence) -> Found:
    """Return the outcome of one sentence of a report, with a report of its own."""
    if not checked.kept:
        return Found(checked.check_worthiness, False, checked.dropped_reason or "")
    alone = replace(report.transcript, sentences=(checked.sentence,))
    report = replace(report, transcript=alone, sentences=(replace(checked, rank=1),))
    best = checked.matches[0] if checked.matches and checked.tier else None
    return Found(
        worthiness=checked.check_worthiness,
        kept=True,
        tier=checked.tier,
        score=checked.score,
        claim=best.claim.id if best else "",
        report=stored_reports.archive(report),
    )
