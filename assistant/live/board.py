"""The board as values: what every screen that looks at an event shows. Reads the log, decides nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.ground import stored_reports
from assistant.ground.domain import KeySentence, Match, Tier
from assistant.live.event import Event, Spot, who
from assistant.live.log import EventLog
from assistant.live.telling import repeated
from assistant.reports.words import deciding, publisher


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence on the board with its best match, if it has one.

    ``repeats``: how often it was said, in words; ``key``: the sentence of the article to quote.
    """

    spot: Spot
    rating: str = ""
    rating_class: str = ""
    publisher: str = ""
    more: int = 0
    repeats: str = ""
    key: KeySentence | None = None


@dataclass(frozen=True, slots=True)
class SpeakerCount:
    """How many sentences of a speaker came, were check-worthy, and have a likely or a possible match."""

    speaker: str
    sentences: int
    worthy: int
    likely: int
    possible: int


def entries(log: EventLog, event: Event, spots: Iterable[Spot]) -> list[Entry]:
    """Return sentences as they stand on the board."""
    spots = list(spots)
    matched = [spot for spot in spots if spot.tier]
    reports = log.reports(event.name, [spot.number for spot in matched]) if matched else {}
    said = log.repeats_of([spot.claim for spot in matched]) if matched else {}
    times = {spot.number: said.get((spot.claim, who(spot.speaker)), []) for spot in matched}
    told = {number: repeated(found, event.name, number) for number, found in times.items()}
    return [_entry(spot, reports.get(spot.number), told.get(spot.number, "")) for spot in spots]


def ordered(spots: Sequence[Spot], *, best_first: bool) -> list[Spot]:
    """Return the sentences with a match: likely ones raised, then the best or the newest first."""
    matched = [spot for spot in spots if spot.tier]
    if best_first:
        return sorted(matched, key=lambda s: (s.tier is not Tier.LIKELY, -(s.score or 0.0), s.number))
    return sorted(matched, key=lambda s: (-s.said, -s.number))


def unseen(spots: Iterable[Spot], seen: Iterable[int]) -> list[int]:
    """Return the numbers of sentences that have a match and are not on the screen yet."""
    return sorted({spot.number for spot in spots if spot.tier} - set(seen))


def speakers(spots: Iterable[Spot]) -> list[SpeakerCount]:
    """Return the counts of each speaker, in the order of their first sentence."""
    counted: dict[str, Counter[str]] = {}
    for spot in spots:
        of = counted.setdefault(spot.speaker or "Unknown", Counter())
        of.update(("sentences", *(("worthy",) if spot.kept else ()), *((str(spot.tier),) if spot.tier else ())))
    return [
        SpeakerCount(name, of["sentences"], of["worthy"], of["likely"], of["possible"]) for name, of in counted.items()
    ]


def _entry(spot: Spot, data: bytes | None, repeats: str) -> Entry:
    if data is None:
        return Entry(spot)
    best, more = _best(data)
    claim = best.claim
    return Entry(spot, claim.rating, str(claim.rating_class), publisher(claim), more, repeats, deciding(best))


@lru_cache(maxsize=4096)
def _best(data: bytes) -> tuple[Match, int]:
    """Return the best match in an archived report of one sentence, and how many follow."""
    matches = json.loads(data)["sentences"][0]["matches"]
    return stored_reports.load_match(matches[0]), len(matches) - 1
