"""The output of ``live`` and ``serve``.

Matches as JSON lines and in words, repeats, health and a summary.
"""

from __future__ import annotations

import json
import time
from collections import Counter
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
from assistant.report.wording import STRENGTH_WORDS, count, day, rating_sentence

NOTICED_BACKLOG_S = 2.0  # of sound that waits: less is no delay that anybody notices
# Keys of every line of the output
OUTPUT_KEYS = frozenset(("event", "said", "times_said"))
MAX_OUTPUT_LINE_BYTES = 10_000_000
ORDINAL_SUFFIXES = ("th", "st", "nd", "rd")  # by the last digit, from 0 to 3


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
        stored_count = len(self.log.sentences(self.event.name))
        stored_note = ""
        if stored_count:
            stored_note = f", {count(stored_count, 'sentence')} stored before"
        self.say(f"{self.event.title} · {day(self.event.day)} · {source}{stored_note}")

    def result(self, sentence: LiveSentence, outcome: Outcome) -> None:
        """Write a sentence that was checked, if it has a match."""
        if not outcome.tier:
            return
        # The times at which this speaker made the claim
        occurrences = self.log.occurrences([outcome.claim])
        repeats = occurrences.get((outcome.claim, speaker_key(sentence.speaker)), [])
        # An outcome has a report of its sentence alone.
        [checked_sentence] = stored_reports.load(outcome.report).sentences
        claim = checked_sentence.matches[0].claim
        # The other lines begin below the speaker of the first.
        self.say(
            f"{outcome.strength or outcome.tier!s:8} {sentence.speaker or 'Unknown'}: {sentence.text}"
        )
        self.say(f"         {rating_sentence(claim)}: {claim.statement}")
        repeats_text = repeats_in_words(repeats, self.event.name, sentence.number)
        if repeats_text:
            self.say(f"         {repeats_text}")
        fields = fields_of_output_line(self.event, sentence, outcome, repeats)
        self.out.write(json.dumps(fields, ensure_ascii=False) + "\n")
        self.out.flush()

    def warning(self, source: str, text: str) -> None:
        """Say what is wrong with a source."""
        self.say(f"note: {source}: {text}")


def summary(log: EventLog, event: Event) -> str:
    """Return the counts and the health of an event in words."""
    sentences = log.sentences(event.name)
    sentence_count = count(len(sentences), "sentence")
    # A sentence is kept if it is worth checking.
    kept_count = sum(bool(sentence.kept) for sentence in sentences)
    # A match whose ranker gives no strength is counted by its tier.
    step_counts = Counter(
        sentence.strength or str(sentence.tier) for sentence in sentences if sentence.tier
    )
    match_counts = [f"{step_counts[step]:,} {step}" for step in STRENGTH_WORDS if step_counts[step]]
    health = health_line(log.health(event.name, now=time.time()))
    return (
        f"{sentence_count} → {kept_count:,} check-worthy → "
        f"{' · '.join(match_counts) or 'no matches'} · {health}"
    )


def fields_of_output_line(
    event: Event, live_sentence: LiveSentence, outcome: Outcome, occurrences: Sequence[Occurrence]
) -> dict[str, Any]:
    """Return a result for other programs.

    It has the sentence as in a report, the event, and when the sentence was said.
    """
    # The outcome is the report of one sentence.
    (sentence_values,) = json.loads(outcome.report)["sentences"]
    sentence_values.pop("nearest", None)
    said_at = datetime.fromtimestamp(live_sentence.said).astimezone().isoformat(timespec="seconds")
    times_said = []
    for occurrence in occurrences:
        occurrence_values = {
            "event": occurrence.event,
            "number": occurrence.number,
            "said": occurrence.said,
        }
        times_said.append(occurrence_values)
    return {"event": event.name, "said": said_at, "times_said": times_said, **sentence_values}


def repeats_in_words(repeats: Sequence[Occurrence], event: str, number: int) -> str:
    """Return how many strong matches a speaker has with a fact-check, "" for the first one.

    Example: ``3rd strong match tonight, first at 21:14; also in First debate (4 Mar 2024)``. ``number``:
    the sentence up to which the event counts. The text is empty if it is not among the repeats.
    """
    repeats_tonight = [repeat for repeat in repeats if repeat.event == event]
    numbers_tonight = [repeat.number for repeat in repeats_tonight]
    if number not in numbers_tonight:
        return ""
    # By event, the last time that the claim was made there
    other_events = {repeat.event: repeat for repeat in repeats if repeat.event != event}
    phrases = []
    count_up_to_sentence = numbers_tonight.index(number) + 1
    if count_up_to_sentence > 1:
        first_time = _clock_minute(repeats_tonight[0].said)
        phrases.append(
            f"{ordinal(count_up_to_sentence)} strong match tonight, first at {first_time}"
        )
    if other_events:
        event_texts = [_event_and_day(repeat) for repeat in other_events.values()]
        phrases.append(f"also in {', '.join(event_texts)}")
    return "; ".join(phrases)


def ordinal(number: int) -> str:
    """Return a number with its ordinal suffix: 3 as 3rd."""
    last_digit = number % 10
    is_teen = number % 100 in (11, 12, 13)
    if is_teen or last_digit >= len(ORDINAL_SUFFIXES):
        return f"{number}th"
    return f"{number}{ORDINAL_SUFFIXES[last_digit]}"


def health_line(health: Health, *, followed: bool = True) -> str:
    """Return the health of an event in words.

    Its last words, whether hearing and checks keep up, how long they take.

    ``followed``: somebody follows it now; else only what is there is told.
    """
    phrases = [
        f"last words at {_clock_second(health.last_line_at)}"
        if health.last_line_at
        else "no words yet"
    ]
    if followed and health.unheard_s is not None:
        phrases.append(_transcription_delay(health.unheard_s))
    if health.waiting_count:
        wait = "waits" if health.waiting_count == 1 else "wait"
        phrases.append(
            f"{count(health.waiting_count, 'sentence')} {wait} to be checked, the oldest for {health.lag_s:.0f} s"
        )
    elif health.last_line_at:
        phrases.append("all sentences are checked")
    if followed and health.behind:
        phrases.append("the most check-worthy go first")
    if followed and health.latency:
        median_s, p95_s = health.latency
        phrases.append(
            f"checked {median_s:.1f} s after a sentence ends (95% of them within {p95_s:.1f} s)"
        )
    return " · ".join(phrases)


def health_fields(health: Health) -> list[tuple[str, str]]:
    """Return the health of an event as labelled values: last words, delay, queue and sound."""
    last_words = _clock_second(health.last_line_at) if health.last_line_at else "none yet"
    delay = "–"
    if health.waiting_count:
        # The age of the oldest sentence that waits
        delay = f"{health.lag_s:.0f} s"
    elif health.latency:
        median_s, _ = health.latency
        delay = f"{median_s:.1f} s"
    queue = f"{health.waiting_count:,}"
    fields = [("Last words", last_words), ("Delay", delay), ("Queue", queue)]
    # Seconds of sound that have not been transcribed yet, None for a source of text
    backlog_s = health.unheard_s
    if backlog_s is not None and backlog_s >= NOTICED_BACKLOG_S:
        fields.append(("Sound", f"{backlog_s:.0f} s behind"))
    return fields


def _transcription_delay(unheard: float) -> str:
    if unheard < NOTICED_BACKLOG_S:
        return "hearing keeps up"
    return f"hearing is {unheard:.0f} s behind and leaves nothing out"


@contextmanager
def output(path: str | None, standard: TextIO) -> Iterator[TextIO]:
    """Yield the file for JSON lines, opened to append, or the standard output.

    Raises: SettingsError if the file has anything else than JSON lines of an event.
    """
    if not path:
        yield standard
        return
    try:
        if Path(path).is_file() and not _is_output(Path(path)):
            what = "contains something other than the JSON lines of a live event."
            remedy = "Nothing was written. Choose another name."
            raise SettingsError(what, where=path, remedy=remedy)
        with Path(path).open("a", encoding="utf-8") as out:
            yield out
    except OSError as error:
        raise SettingsError(f"cannot be written ({error.strerror}).", where=path) from error


def _is_output(path: Path) -> bool:
    """Return whether a file is empty or begins with a line that ``fields_of_output_line`` made."""
    with path.open("rb") as file:
        first_line = file.readline(MAX_OUTPUT_LINE_BYTES)
    if not first_line:
        return True
    try:
        values = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(values, dict) and values.keys() >= OUTPUT_KEYS


def _event_and_day(occurrence: Occurrence) -> str:
    return f"{occurrence.title} ({day(occurrence.day)})" if occurrence.day else occurrence.title


def _clock_second(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S")


def _clock_minute(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M")
