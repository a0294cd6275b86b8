"""Results in words and as JSON lines: what ``live`` says while it follows an event. Values in, text out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from assistant.ground import stored_reports
from assistant.ground.errors import SettingsError
from assistant.live.event import Event, Found, Health, Occurrence, Spot
from assistant.live.log import EventLog
from assistant.reports.words import count, day, rated

ORDINALS = ("", "1st", "2nd", "3rd")


@dataclass
class Teller:
    """Tells of one event: matches to ``out`` as JSON lines, and to a person through ``say``."""

    log: EventLog
    event: Event
    say: Callable[[str], None]
    out: TextIO

    def begun(self, source: str) -> None:
        """Say what is followed, and what was there before."""
        before = self.log.spots(self.event.name)
        told = f", {count(len(before), 'sentence')} stored before" if before else ""
        self.say(f"{self.event.title} · {day(self.event.day)} · {source}{told}")

    def result(self, spot: Spot, found: Found) -> None:
        """Tell of a sentence that was checked, if something was found for it."""
        if not found.tier:
            return
        repeats = self.log.repeats(found.claim, spot.speaker)
        (checked,) = stored_reports.load(found.report).sentences
        match = checked.matches[0]
        self.say(f"{found.tier!s:8} {spot.speaker or 'Unknown'}: {spot.text}")
        self.say(f"         {rated(match.claim)}: {match.claim.statement}")
        told = repeated(repeats, self.event.name, spot.number)
        if told:
            self.say(f"         {told}")
        self.out.write(json.dumps(row(self.event, spot, found, repeats), ensure_ascii=False) + "\n")
        self.out.flush()

    def warning(self, source: str, text: str) -> None:
        """Tell what is wrong with a source."""
        self.say(f"note: {source}: {text}")


def summary(log: EventLog, event: Event) -> str:
    """Return how an event went: its counts and its health."""
    spots = log.spots(event.name)
    kept = sum(bool(s.kept) for s in spots)
    tiers = [str(s.tier) for s in spots if s.tier]
    return (
        f"{count(len(spots), 'sentence')} → {kept:,} check-worthy → {tiers.count('likely'):,} likely · "
        f"{tiers.count('possible'):,} possible; {health_line(log.health(event.name, now=time.time()))}"
    )


def row(event: Event, spot: Spot, found: Found, repeats: Sequence[Occurrence]) -> dict[str, Any]:
    """Return a result as it goes to other programs: the sentence as in a report, the event, when it was said."""
    (sentence,) = json.loads(found.report)["sentences"]
    sentence.pop("nearest", None)
    said = datetime.fromtimestamp(spot.said).astimezone().isoformat(timespec="seconds")
    times = [{"event": r.event, "number": r.number, "said": r.said} for r in repeats]
    return {"event": event.name, "said": said, "times_said": times, **sentence}


def repeated(repeats: Sequence[Occurrence], event: str, number: int) -> str:
    """Return in words how often a speaker has made a claim: ``3rd time tonight, first at 21:14; also on 4 Mar 2024``.

    ``number``: the sentence in hand, counted among those up to it. Nothing for the first time.
    """
    here = [r for r in repeats if r.event == event]
    place = next((i for i, r in enumerate(here, 1) if r.number == number), len(here))
    told = []
    if place > 1:
        told.append(f"{ordinal(place)} time tonight, first at {_time(here[0].said)}")
    others = {r.event: r for r in repeats if r.event != event}
    if others:
        told.append("also in " + ", ".join(_place(r) for r in others.values()))
    return "; ".join(told)


def ordinal(number: int) -> str:
    """Return 3 as 3rd."""
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number}{ORDINALS[last][1:] if 0 < last < len(ORDINALS) else 'th'}"


def health_line(health: Health) -> str:
    """Return how an event is followed: when the last line came, how far the checks are behind, how long they take."""
    told = [f"last line at {_time(health.last)}" if health.last else "no line yet"]
    waiting = count(health.waiting, "sentence") + " waiting" if health.waiting else "nothing waiting"
    told.append(f"lag {health.lag:.1f} s, {waiting}")
    if health.latency:
        told.append(f"matches after {health.latency[0]:.1f} s, 19 of 20 within {health.latency[1]:.1f} s")
    if health.behind:
        told.append("behind: the most check-worthy sentences go first")
    return "; ".join(told)


@contextmanager
def output(path: str | None, standard: TextIO) -> Iterator[TextIO]:
    """Give the file for JSON lines, written on at its end, or the standard output."""
    if not path:
        yield standard
        return
    try:
        with Path(path).open("a", encoding="utf-8") as out:
            yield out
    except OSError as error:
        raise SettingsError(f"cannot be written ({error.strerror}).", where=path) from error


def _place(occurrence: Occurrence) -> str:
    return f"{occurrence.title} ({day(occurrence.day)})" if occurrence.day else occurrence.title


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M")
