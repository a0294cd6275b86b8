"""Builds the ``Report`` of a live event, like that of a file: for the card, for exports and for the page Review."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache

from assistant import __version__
from assistant.check.warnings import of_ranker
from assistant.ground import stored_reports
from assistant.ground.domain import CheckedSentence, Manifest, Report, Source, Transcript
from assistant.ground.passages import rearranged
from assistant.live.event import Event, LiveSentence
from assistant.live.log import EventLog

WAITING = "not checked yet"


def report(log: EventLog, event: Event) -> Report:
    """Return the report so far: sentences in the order in which they were said, ranked by score."""
    sentences = log.sentences(event.name)
    reports = {number: _read(stored) for number, stored in log.reports(event.name).items()}
    best = sorted((s for s in sentences if s.kept and s.number in reports), key=lambda s: (-(s.score or 0.0), s.number))
    ranks = {sentence.number: rank for rank, sentence in enumerate(best, 1)}
    checked = tuple(_checked(s, reports.get(s.number), ranks.get(s.number)) for s in sentences)
    transcript = Transcript(event.title, event.day, Source(event.name, "live", ""), tuple(c.sentence for c in checked))
    if not reports:
        return Report(transcript, checked, Manifest(__version__, "", {}, {}, {}))
    newest = reports[max(reports)]
    warnings = tuple(filter(of_ranker, newest.warnings))
    return rearranged(Report(transcript, checked, newest.manifest, warnings))


def transcript(log: EventLog, event: Event) -> Transcript:
    """Return what is final of an event as a finished transcript; a check of it reads what follows a sentence, too."""
    said = [live.as_sentence() for live in log.sentences(event.name) if live.final]
    sentences = tuple(replace(sent, number=place, line=place) for place, sent in enumerate(said, 1))
    digest = hashlib.sha256(repr([(sent.speaker, sent.text) for sent in sentences]).encode()).hexdigest()
    return Transcript(event.title, event.day, Source(event.name, "live", digest), sentences)


def _checked(live: LiveSentence, alone: Report | None, rank: int | None) -> CheckedSentence:
    if alone is None or rank is None:
        reason = live.reason if live.checked else WAITING
        return CheckedSentence(live.as_sentence(), live.worthiness or 0.0, False, reason)
    return replace(alone.sentences[0], sentence=live.as_sentence(), rank=rank)


@lru_cache(maxsize=4096)
def _read(stored: bytes) -> Report:
    return stored_reports.load(stored)
