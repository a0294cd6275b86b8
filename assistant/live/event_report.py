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

WAITING_REASON = "not checked yet"


def report(log: EventLog, event: Event) -> Report:
    """Return the report so far: sentences as they were said, ranked by score."""
    sentences = log.sentences(event.name)
    reports = {number: _load_report(stored) for number, stored in log.reports(event.name).items()}
    ranks = _ranks([sentence for sentence in sentences if sentence.number in reports])
    checked = tuple(
        _checked_sentence(sentence, reports.get(sentence.number), ranks.get(sentence.number))
        for sentence in sentences
    )
    source = Source(event.name, "live", "")
    spoken = tuple(sentence.sentence for sentence in checked)
    transcript = Transcript(event.title, event.day, source, spoken)
    if not reports:
        return Report(transcript, checked, Manifest(__version__, "", {}, {}, {}))
    newest = reports[max(reports)]
    warnings = tuple(filter(of_ranker, newest.warnings))
    shown = arranged(_passages(sentences, log.vectors(event.name)), checked)
    return Report(transcript, checked, newest.manifest, warnings, shown)


def _ranks(sentences: Sequence[LiveSentence]) -> dict[int, int]:
    """Return the rank of each kept sentence by its number, the best score first."""
    kept = [sentence for sentence in sentences if sentence.kept]
    best_first = sorted(kept, key=lambda sentence: (-(sentence.score or 0.0), sentence.number))
    return {sentence.number: rank for rank, sentence in enumerate(best_first, 1)}


def transcript(log: EventLog, event: Event) -> Transcript:
    """Return the final sentences of an event as a finished transcript.

    A check of it also uses the context that follows a sentence.
    """
    final = [live.as_sentence() for live in log.sentences(event.name) if live.final]
    sentences = tuple(
        replace(sentence, number=number, line=number) for number, sentence in enumerate(final, 1)
    )
    words = [(sentence.speaker, sentence.text) for sentence in sentences]
    digest = hashlib.sha256(repr(words).encode()).hexdigest()
    return Transcript(event.title, event.day, Source(event.name, "live", digest), sentences)


def _passages(
    sentences: Sequence[LiveSentence], vectors: Mapping[int, bytes]
) -> tuple[Passage, ...]:
    """Return the passages so far; a sentence without a vector is a passage of its own."""
    with_vector = [sentence for sentence in sentences if sentence.number in vectors]
    without_vector = [sentence for sentence in sentences if sentence.number not in vectors]
    unordered_passages = [Passage(0, (sentence.number,)) for sentence in without_vector]
    if with_vector:
        packed_vectors = [
            np.frombuffer(vectors[sentence.number], np.float16) for sentence in with_vector
        ]
        sentence_vectors = np.array(packed_vectors, np.float32)  # (sentences, dimensions)
        worthiness = np.array([sentence.worthiness or 0.0 for sentence in with_vector])
        spoken_sentences = [sentence.as_sentence() for sentence in with_vector]
        unordered_passages += passages(spoken_sentences, sentence_vectors, worthiness)
    position_of_number = {sentence.number: position for position, sentence in enumerate(sentences)}
    ordered_passages = sorted(
        unordered_passages, key=lambda passage: position_of_number[passage.sentences[0]]
    )
    return tuple(
        replace(passage, number=number) for number, passage in enumerate(ordered_passages, 1)
    )


def _checked_sentence(
    sentence: LiveSentence, report_of_sentence: Report | None, rank: int | None
) -> CheckedSentence:
    if report_of_sentence is None or rank is None:
        reason = sentence.reason if sentence.checked else WAITING_REASON
        return CheckedSentence(sentence.as_sentence(), sentence.worthiness or 0.0, False, reason)
    return replace(report_of_sentence.sentences[0], sentence=sentence.as_sentence(), rank=rank)


@lru_cache(maxsize=4096)
def _load_report(stored: bytes) -> Report:
    return stored_reports.load(stored)
