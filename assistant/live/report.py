"""A live event as a ``Report``, like that of a file: for the card, for exports and for the review desk."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from assistant import __version__
from assistant.ground import stored_reports
from assistant.ground.domain import CheckedSentence, Manifest, Report, Source, Transcript
from assistant.live.checking import sentence
from assistant.live.event import Event, Spot
from assistant.live.log import EventLog

WAITING = "not checked yet"


def report(log: EventLog, event: Event) -> Report:
    """Return the event as it stands: sentences in the order in which they were said, ranked by score so far."""
    spots = log.spots(event.name)
    parsed = {number: _read(data) for number, data in log.reports(event.name).items()}
    best = sorted((s for s in spots if s.kept and s.number in parsed), key=lambda s: (-(s.score or 0.0), s.number))
    ranks = {spot.number: rank for rank, spot in enumerate(best, 1)}
    checked = tuple(_checked(spot, parsed.get(spot.number), ranks.get(spot.number)) for spot in spots)
    source = Source(event.name, "live", "")
    transcript = Transcript(event.title, event.day, source, tuple(c.sentence for c in checked))
    newest = max(parsed) if parsed else None
    manifest = parsed[newest].manifest if newest else Manifest(__version__, "", {}, {}, {})
    return Report(transcript, checked, manifest)


def _checked(spot: Spot, own: Report | None, rank: int | None) -> CheckedSentence:
    if own is None or rank is None:
        reason = spot.reason if spot.checked else WAITING
        return CheckedSentence(sentence(spot), spot.worthiness or 0.0, False, reason)
    return replace(own.sentences[0], sentence=sentence(spot), rank=rank)


@lru_cache(maxsize=4096)
def _read(data: bytes) -> Report:
    return stored_reports.load(data)
