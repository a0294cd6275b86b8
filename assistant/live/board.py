"""The board as values: what every screen that looks at an event shows. Reads the log, decides nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.domain import Tier
from assistant.live.event import Event, Spot
from assistant.live.log import EventLog
from assistant.live.telling import repeated


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence on the board with its best match, if it has one. ``repeats``: how often it was said, in words."""

    spot: Spot
    rating: str = ""
    rating_class: str = ""
    publisher: str = ""
    more: int = 0
    repeats: str = ""


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
    told = {spot.number: _told(log, event, spot) for spot in matched}
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


def _told(log: EventLog, event: Event, spot: Spot) -> str:
    return repeated(log.repeats(spot.claim, spot.speaker), event.name, spot.number)


def _entry(spot: Spot, data: bytes | None, repeats: str) -> Entry:
    if data is None:
        return Entry(spot)
    best, more = _best(data)
    return Entry(spot, best["rating"], best["rating_class"], best["publisher"], more, repeats)


@lru_cache(maxsize=4096)
def _best(data: bytes) -> tuple[Mapping[str, str], int]:
    """Return the claim of the best match in an archived report of one sentence, and how many matches follow."""
    matches = json.loads(data)["sentences"][0]["matches"]
    return matches[0]["claim"], len(matches) - 1
