"""The rows and counts that the board of a live event shows, read from the log.

The same for every browser.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.core.domain import Match, Tier
from assistant.live.event import Event, LiveSentence, Occurrence, speaker_key
from assistant.live.event_log import EventLog
from assistant.live.event_output import repeats_in_words
from assistant.report import stored_reports


@dataclass(frozen=True, slots=True)
class LiveEntry:
    """A sentence on the board with its best match, if it has one.

    ``more``: how many matches follow it; ``repeats``: how often the claim was made, in words.
    """

    sentence: LiveSentence
    best: Match | None = None
    more: int = 0
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class SpeakerCount:
    """The sentences of a speaker.

    All, the check-worthy ones, those with a likely and with a possible match.
    """

    speaker: str
    sentences: int
    worthy: int
    likely: int
    possible: int


def entries(log: EventLog, event: Event, sentences: Iterable[LiveSentence]) -> list[LiveEntry]:
    """Return the entries of sentences."""
    sentences = list(sentences)
    matched = [sentence for sentence in sentences if sentence.tier]
    if not matched:
        return [LiveEntry(sentence) for sentence in sentences]
    reports = log.reports(event.name, [sentence.number for sentence in matched])
    times = log.occurrences([sentence.claim for sentence in matched])
    return [
        _entry(sentence, reports.get(sentence.number), times, event.name) for sentence in sentences
    ]


def ordered(sentences: Sequence[LiveSentence], *, best_first: bool) -> list[LiveSentence]:
    """Return the sentences with a match, newest first; or likely ones first, by score."""

    def by_strength(sentence: LiveSentence) -> tuple[bool, float, int]:
        return sentence.tier is not Tier.LIKELY, -(sentence.score or 0.0), sentence.number

    def by_time(sentence: LiveSentence) -> tuple[float, int]:
        return -sentence.said, -sentence.number

    matched = [sentence for sentence in sentences if sentence.tier]
    if best_first:
        return sorted(matched, key=by_strength)
    return sorted(matched, key=by_time)


def unseen(sentences: Iterable[LiveSentence], shown_numbers: Iterable[int]) -> list[int]:
    """Return the numbers of sentences that have a match and are not on the screen yet."""
    return sorted({sentence.number for sentence in sentences if sentence.tier} - set(shown_numbers))


def speakers(sentences: Iterable[LiveSentence]) -> list[SpeakerCount]:
    """Return the counts of each speaker, in the order of their first sentence."""
    counts: dict[str, Counter[str]] = {}
    for sentence in sentences:
        of_speaker = counts.setdefault(sentence.speaker or "Unknown", Counter())
        of_speaker["sentences"] += 1
        if sentence.kept:
            of_speaker["check-worthy"] += 1
        if sentence.tier:
            of_speaker[str(sentence.tier)] += 1
    speaker_counts = []
    for name, of_speaker in counts.items():
        likely = of_speaker["likely"]
        possible = of_speaker["possible"]
        all_sentences = of_speaker["sentences"]
        check_worthy = of_speaker["check-worthy"]
        speaker_counts.append(SpeakerCount(name, all_sentences, check_worthy, likely, possible))
    return speaker_counts


def _entry(
    sentence: LiveSentence,
    report: bytes | None,
    times: Mapping[tuple[str, str], Sequence[Occurrence]],
    event: str,
) -> LiveEntry:
    if report is None:
        return LiveEntry(sentence)
    best, further_matches = _best(report)
    occurrences = times.get((sentence.claim, speaker_key(sentence.speaker)), ())
    repeats = repeats_in_words(occurrences, event, sentence.number)
    return LiveEntry(sentence, best, further_matches, repeats)


@lru_cache(maxsize=4096)
def _best(report: bytes) -> tuple[Match, int]:
    """Return the best match in the stored report of one sentence, and how many follow."""
    matches = json.loads(report)["sentences"][0]["matches"]
    return stored_reports.load_match(matches[0]), len(matches) - 1
