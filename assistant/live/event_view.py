"""The rows and counts that the board of a live event shows, read from the log.

The same for every browser.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant import __version__
from assistant.core.domain import (
    MIXED,
    CheckedSentence,
    Manifest,
    Match,
    Report,
    Source,
    Transcript,
)
from assistant.live.event import Event, LiveSentence, Occurrence, speaker_key
from assistant.live.event_log import EventLog
from assistant.live.event_output import repeats_in_words
from assistant.passages.listing import is_rejected
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
    is_half_true_only: bool = False  # all its matches have ratings such as half true


@dataclass(frozen=True, slots=True)
class SpeakerCount:
    """The sentences of a speaker: all, the checkable ones, and those with a match."""

    speaker: str
    sentences: int
    worthy: int
    matched: int


def entries(log: EventLog, event: Event, sentences: Iterable[LiveSentence]) -> list[LiveEntry]:
    """Return the entries of sentences."""
    sentences = list(sentences)
    matched_sentences = [sentence for sentence in sentences if sentence.tier]
    if not matched_sentences:
        return [LiveEntry(sentence) for sentence in sentences]
    # The report of each matched sentence by its number, and when each claim was made
    report_by_number = log.reports(event.name, [sentence.number for sentence in matched_sentences])
    occurrences = log.occurrences([sentence.claim for sentence in matched_sentences])
    live_entries = []
    for sentence in sentences:
        report = report_by_number.get(sentence.number)
        live_entries.append(_entry(sentence, report, occurrences, event.name))
    return live_entries


def list_report(
    event: Event, sentences: Iterable[LiveSentence], listed_entries: Iterable[LiveEntry]
) -> Report:
    """Return a report of all sentences with the best matches of a list, undecided.

    Faster than the whole report, which also has passages and further matches: enough to place
    decisions on a list that is drawn every second.
    """
    best_match_by_number = {entry.sentence.number: entry.best for entry in listed_entries}
    checked_sentences = []
    for live_sentence in sentences:
        best_match = best_match_by_number.get(live_sentence.number)
        matches: tuple[Match, ...] = ()
        if best_match is not None:
            # The list shows no decisions.
            matches = (replace(best_match, decision=None, reopened=None, revised=""),)
        checked = CheckedSentence(
            live_sentence.as_sentence(), live_sentence.worthiness or 0.0, True, matches=matches
        )
        checked_sentences.append(checked)
    source = Source(event.name, format="live", sha256="")
    spoken_sentences = tuple(checked.sentence for checked in checked_sentences)
    transcript = Transcript(event.title, event.day, source, spoken_sentences)
    return Report(transcript, tuple(checked_sentences), Manifest(__version__, "", {}, {}, {}))


def ordered(sentences: Sequence[LiveSentence], *, best_first: bool) -> list[LiveSentence]:
    """Return the sentences with a match, newest first; or strong ones first, by score."""

    def strongest_first(sentence: LiveSentence) -> tuple[bool, float, int]:
        # False comes before True.
        score = sentence.score or 0.0
        return not sentence.is_strong, -score, sentence.number

    def newest_first(sentence: LiveSentence) -> tuple[float, int]:
        return -sentence.said, -sentence.number

    matched_sentences = [sentence for sentence in sentences if sentence.tier]
    if best_first:
        return sorted(matched_sentences, key=strongest_first)
    return sorted(matched_sentences, key=newest_first)


def unseen(sentences: Iterable[LiveSentence], shown_numbers: Iterable[int]) -> list[int]:
    """Return the numbers of sentences that have a match and are not on the screen yet."""
    return sorted({sentence.number for sentence in sentences if sentence.tier} - set(shown_numbers))


def rejected_numbers(live_entries: Iterable[LiveEntry]) -> frozenset[int]:
    """Return the numbers of the sentences whose best match a person rejected."""
    return frozenset(
        entry.sentence.number
        for entry in live_entries
        if entry.best is not None and is_rejected(entry.best)
    )


def speakers(
    sentences: Iterable[LiveSentence], rejected: Collection[int] = ()
) -> list[SpeakerCount]:
    """Return the counts of each speaker, in the order of their first sentence.

    ``rejected``: the numbers of sentences whose match a person rejected, which count as unmatched.
    """
    counts_by_speaker: dict[str, Counter[str]] = {}
    for sentence in sentences:
        counts = counts_by_speaker.setdefault(sentence.speaker or "Unknown", Counter())
        counts["sentences"] += 1
        if sentence.kept:
            counts["checkable"] += 1
        if sentence.tier is not None and sentence.number not in rejected:
            counts["matched"] += 1
    speaker_counts = []
    for speaker, counts in counts_by_speaker.items():
        speaker_counts.append(
            SpeakerCount(speaker, counts["sentences"], counts["checkable"], counts["matched"])
        )
    return speaker_counts


def _entry(
    sentence: LiveSentence,
    report: bytes | None,
    times: Mapping[tuple[str, str], Sequence[Occurrence]],
    event: str,
) -> LiveEntry:
    if report is None:
        return LiveEntry(sentence)
    best, further_matches, is_half_true_only = _best_match(report)
    occurrences = times.get((sentence.claim, speaker_key(sentence.speaker)), ())
    repeats = repeats_in_words(occurrences, event, sentence.number)
    return LiveEntry(sentence, best, further_matches, repeats, is_half_true_only)


@lru_cache(maxsize=4096)
def _best_match(report: bytes) -> tuple[Match, int, bool]:
    """Return the best match in the report of one sentence, how many follow, and if all are mixed."""
    matches = json.loads(report)["sentences"][0]["matches"]
    is_mixed = all(match["claim"]["rating_class"] in MIXED for match in matches)
    return stored_reports.load_match(matches[0]), len(matches) - 1, is_mixed
