"""Builds the ``Report`` of a live event, like that of a file.

For the card, for exports and for the page Review.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from assistant import __version__
from assistant.check.report_warnings import of_ranker
from assistant.core.domain import CheckedSentence, Manifest, Passage, Report, Source, Transcript
from assistant.live.event import Event, LiveSentence
from assistant.live.event_log import EventLog
from assistant.passages.listing import arranged
from assistant.passages.splitting import passages
from assistant.report import stored_reports

WAITING = "not checked yet"


def report(log: EventLog, event: Event) -> Report:
    """Return the report so far.

    Sentences in the order in which they were said, ranked by score.
    """
    sentences = log.sentences(event.name)
    reports = {number: _read(stored) for number, stored in log.reports(event.name).items()}
    best = sorted(
        (s for s in sentences if s.kept and s.number in reports),
        key=lambda s: (-(s.score or 0.0), s.number),
    )
    ranks = {sentence.number: rank for rank, sentence in enumerate(best, 1)}
    checked = tuple(_checked(s, reports.get(s.number), ranks.get(s.number)) for s in sentences)
    transcript = Transcript(
        event.title, event.day, Source(event.name, "live", ""), tuple(c.sentence for c in checked)
    )
    if not reports:
        return Report(transcript, checked, Manifest(__version__, "", {}, {}, {}))
    newest = reports[max(reports)]
    warnings = tuple(filter(of_ranker, newest.warnings))
    shown = arranged(_passages(sentences, log.vectors(event.name)), checked)
    return Report(transcript, checked, newest.manifest, warnings, shown)


def transcript(log: EventLog, event: Event) -> Transcript:
    """Return what is final of an event as a finished transcript.

    A check of it reads what follows a sentence, too.
    """
    said = [live.as_sentence() for live in log.sentences(event.name) if live.final]
    sentences = tuple(replace(sent, number=place, line=place) for place, sent in enumerate(said, 1))
    digest = hashlib.sha256(
        repr([(sent.speaker, sent.text) for sent in sentences]).encode()
    ).hexdigest()
    return Transcript(event.title, event.day, Source(event.name, "live", digest), sentences)


def _passages(
    sentences: Sequence[LiveSentence], vectors: Mapping[int, bytes]
) -> tuple[Passage, ...]:
    """Return the passages so far; a sentence that has not been read yet is one of its own."""
    read = [live for live in sentences if live.number in vectors]
    found = [Passage(0, (live.number,)) for live in sentences if live.number not in vectors]
    if read:
        matrix = np.array(
            [np.frombuffer(vectors[live.number], np.float16) for live in read], np.float32
        )
        worthiness = np.array([live.worthiness or 0.0 for live in read])
        found += passages([live.as_sentence() for live in read], matrix, worthiness)
    place = {live.number: at for at, live in enumerate(sentences)}
    ordered = sorted(found, key=lambda passage: place[passage.sentences[0]])
    return tuple(replace(passage, number=number) for number, passage in enumerate(ordered, 1))


def _checked(live: LiveSentence, alone: Report | None, rank: int | None) -> CheckedSentence:
    if alone is None or rank is None:
        reason = live.reason if live.checked else WAITING
        return CheckedSentence(live.as_sentence(), live.worthiness or 0.0, False, reason)
    return replace(alone.sentences[0], sentence=live.as_sentence(), rank=rank)


@lru_cache(maxsize=4096)
def _read(stored: bytes) -> Report:
    return stored_reports.load(stored)
