"""The output of ``live`` and ``serve``.

Matches as JSON lines and in words, repeats, health and a summary.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from assistant.core.errors import SettingsError
from assistant.live.event import Event, Health, LiveSentence, Occurrence, Outcome, speaker_key
from assistant.live.event_log import EventLog
from assistant.report import stored_reports
from assistant.report.wording import count, day, rating_sentence

UNHEARD_S = 2.0  # of sound that waits: less is no delay that anybody notices
ORDINALS = ("", "1st", "2nd", "3rd")


@dataclass
class ResultWriter:
    """Writes the results of one event.

    Matches to ``out`` as JSON lines, and messages through ``say``.
    """

    log: EventLog
    event: Event
    say: Callable[[str], None]
    out: TextIO

    def begun(self, source: str) -> None:
        """Say which event and source are followed, and how many sentences are stored already."""
        before = self.log.sentences(self.event.name)
        stored = f", {count(len(before), 'sentence')} stored before" if before else ""
        self.say(f"{self.event.title} · {day(self.event.day)} · {source}{stored}")

    def result(self, sentence: LiveSentence, outcome: Outcome) -> None:
        """Write a sentence that was checked, if it has a match."""
        if not outcome.tier:
            return
        times = self.log.occurrences([outcome.claim])
        repeats = times.get((outcome.claim, speaker_key(sentence.speaker)), [])
        claim = stored_reports.load(outcome.report).sentences[0].matches[0].claim
        self.say(f"{outcome.tier!s:8} {sentence.speaker or 'Unknown'}: {sentence.text}")
        self.say(f"         {rating_sentence(claim)}: {claim.statement}")
        words = repeats_in_words(repeats, self.event.name, sentence.number)
        if words:
            self.say(f"         {words}")
        self.out.write(
            json.dumps(json_row(self.event, sentence, outcome, repeats), ensure_ascii=False) + "\n"
        )
        self.out.flush()

    def warning(self, source: str, text: str) -> None:
        """Say what is wrong with a source."""
        self.say(f"note: {source}: {text}")


def summary(log: EventLog, event: Event) -> str:
    """Return the counts and the health of an event in words."""
    sentences = log.sentences(event.name)
    kept = sum(bool(s.kept) for s in sentences)
    tiers = [str(s.tier) for s in sentences if s.tier]
    return (
        f"{count(len(sentences), 'sentence')} → {kept:,} check-worthy → {tiers.count('likely'):,} likely · "
        f"{tiers.count('possible'):,} possible · {health_line(log.health(event.name, now=time.time()))}"
    )


def json_row(
    event: Event, live: LiveSentence, outcome: Outcome, repeats: Sequence[Occurrence]
) -> dict[str, Any]:
    """Return a result for other programs.

    The sentence as in a report, the event, and when it was said.
    """
    (sentence,) = json.loads(outcome.report)["sentences"]
    sentence.pop("nearest", None)
    said = datetime.fromtimestamp(live.said).astimezone().isoformat(timespec="seconds")
    times = [{"event": r.event, "number": r.number, "said": r.said} for r in repeats]
    return {"event": event.name, "said": said, "times_said": times, **sentence}


def repeats_in_words(repeats: Sequence[Occurrence], event: str, number: int) -> str:
    """Return how often a speaker has made a claim: ``3rd time tonight, first at 21:14.

    Also on 4 Mar 2024``.

    ``number``: the sentence up to which the event counts. "" for the first time.
    """
    here = [r for r in repeats if r.event == event]
    place = next((i for i, r in enumerate(here, 1) if r.number == number), len(here))
    parts = []
    if place > 1:
        parts.append(f"{ordinal(place)} time tonight, first at {_time(here[0].said)}")
    others = {r.event: r for r in repeats if r.event != event}
    if others:
        parts.append("also in " + ", ".join(_place(r) for r in others.values()))
    return "; ".join(parts)


def ordinal(number: int) -> str:
    """Return 3 as 3rd."""
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number}{ORDINALS[last][1:] if 0 < last < len(ORDINALS) else 'th'}"


def health_line(health: Health, *, followed: bool = True) -> str:
    """Return the health of an event in words.

    Its last words, whether hearing and checks keep up, how long they take.

    ``followed``: somebody follows it now; else only what is there is told.
    """
    parts = [f"last words at {_second(health.last)}" if health.last else "no words yet"]
    if followed and health.unheard is not None:
        parts.append(_hearing(health.unheard))
    if health.waiting:
        wait = "waits" if health.waiting == 1 else "wait"
        parts.append(
            f"{count(health.waiting, 'sentence')} {wait} to be checked, the oldest for {health.lag:.0f} s"
        )
    elif health.last:
        parts.append("all sentences are checked")
    if followed and health.behind:
        parts.append("the most check-worthy go first")
    if followed and health.latency:
        half, most = health.latency
        parts.append(f"checked {half:.1f} s after a sentence ends, 19 of 20 within {most:.1f} s")
    return " · ".join(parts)


def _hearing(unheard: float) -> str:
    if unheard < UNHEARD_S:
        return "hearing keeps up"
    return f"hearing is {unheard:.0f} s behind and leaves nothing out"


@contextmanager
def output(path: str | None, standard: TextIO) -> Iterator[TextIO]:
    """Yield the file for JSON lines, opened to append, or the standard output."""
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


def _second(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S")


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M")
