"""Checks live sentences with the pipeline of finished transcripts: their check-worthiness first, then their matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from assistant import pipeline
from assistant.check import models
from assistant.check.models import Models
from assistant.claims.index import ClaimIndex
from assistant.ground import stored_reports
from assistant.ground.domain import CheckedSentence, Report, Sentence, Source, Transcript
from assistant.ground.passages import rearranged
from assistant.ground.settings import Profile
from assistant.live.event import Event, LiveSentence, Outcome
from features.window import Texts

LIVE = Source("live", "live", "")


@dataclass(frozen=True)
class Checker:
    """Checks sentences of events against an index, each on its own and with the sentences before it."""

    index: ClaimIndex
    profile: Profile
    as_of_event: bool = False
    _turn: Lock = field(default_factory=Lock)  # several events share the models and the index

    @cached_property
    def _models(self) -> Models:
        return models.load(self.profile)

    def warm(self) -> None:
        """Load every model and table now, so that the first sentence waits for nothing."""
        with models.missing_models_reported():
            sent = Sentence(1, 1, "The unemployment rate has fallen to three percent in the last two years.")
            pipeline.check(Transcript("warm", None, LIVE, (sent,)), self.index, self.profile)

    def sift(self, sentences: Sequence[LiveSentence]) -> list[tuple[LiveSentence, float, Outcome | None]]:
        """Return each sentence with its check-worthiness, and with its outcome if it is dropped."""
        loaded = self._models
        with models.missing_models_reported(), self._turn:
            scores = loaded.checkworthiness.score([sentence.text for sentence in sentences]).tolist()
        sifted: list[tuple[LiveSentence, float, Outcome | None]] = []
        for live, score in zip(sentences, scores, strict=True):
            sentence = live.as_sentence()
            reason = loaded.checkworthiness.dropped_reason(sentence, score, threshold=loaded.worthiness_threshold)
            sifted.append((live, score, Outcome(score, False, reason) if reason else None))
        return sifted

    def check(self, event: Event, sentences: Sequence[LiveSentence], windows: Sequence[Texts]) -> list[Outcome]:
        """Return the outcome of each sentence, its matches ranked; several together are faster than one by one.

        ``windows``: each sentence with those before it.
        """
        transcript = Transcript(event.title, event.day, LIVE, tuple(live.as_sentence() for live in sentences))
        with_date = self.as_of_event and event.day is not None
        with self._turn:
            report = pipeline.check(transcript, self.index, self.profile, as_of_event=with_date, windows=windows)
        return [_outcome(report, checked) for checked in report.sentences]


def _outcome(report: Report, checked: CheckedSentence) -> Outcome:
    """Return the outcome of one sentence of a report, with a report of this sentence alone."""
    if not checked.kept:
        return Outcome(checked.check_worthiness, False, checked.dropped_reason or "")
    alone = replace(report.transcript, sentences=(checked.sentence,))
    report = rearranged(replace(report, transcript=alone, sentences=(replace(checked, rank=1),), passages=()))
    best = checked.matches[0] if checked.matches and checked.tier else None
    return Outcome(
        worthiness=checked.check_worthiness,
        kept=True,
        tier=checked.tier,
        score=checked.score,
        claim=best.claim.id if best else "",
        report=stored_reports.archive(report),
    )
