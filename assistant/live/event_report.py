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
    live_sentences = log.sentences(event.name)
    report_by_number = {}  # the report of each checked sentence
    for number, stored_report in log.reports(event.name).items():
        report_by_number[number] = _load_report(stored_report)
    rank_by_number = _rank_by_number(
        [sentence for sentence in live_sentences if sentence.number in report_by_number]
    )
    all_checked = []
    for live_sentence in live_sentences:
        number = live_sentence.number
        checked = _checked_sentence(
            live_sentence, report_by_number.get(number), rank_by_number.get(number)
        )
        all_checked.append(checked)
    checked_sentences = tuple(all_checked)
    source = Source(event.name, format="live", sha256="")
    sentences = tuple(checked.sentence for checked in checked_sentences)
    transcript = Transcript(event.title, event.day, source, sentences)
    if not report_by_number:
        # Nothing has been checked: no model and no database is known.
        return Report(transcript, checked_sentences, Manifest(__version__, "", {}, {}, {}))
    newest_report = report_by_number[max(report_by_number)]
    warnings = tuple(warning for warning in newest_report.warnings if of_ranker(warning))
    passages_so_far = _passages(live_sentences, log.vectors(event.name))
    listed_passages = arranged(passages_so_far, checked_sentences)
    manifest = newest_report.manifest
    return Report(transcript, checked_sentences, manifest, warnings, listed_passages)


def _rank_by_number(sentences: Sequence[LiveSentence]) -> dict[int, int]:
    """Return the rank of each kept sentence by its number, the best score first."""

    def best_score_first(sentence: LiveSentence) -> tuple[float, int]:
        score = sentence.score or 0.0
        return -score, sentence.number

    kept_sentences = [sentence for sentence in sentences if sentence.kept]
    best_first = sorted(kept_sentences, key=best_score_first)
    return {sentence.number: rank for rank, sentence in enumerate(best_first, 1)}


def transcript(log: EventLog, event: Event) -> Transcript:
    """Return the final sentences of an event as a finished transcript.

    A check of it also uses the context that follows a sentence.
    """
    final_sentences = [sentence for sentence in log.sentences(event.name) if sentence.final]
    sentences = []
    for number, live_sentence in enumerate(final_sentences, 1):
        # The event has no file with lines: each sentence counts as one.
        sentence = replace(live_sentence.as_sentence(), number=number, line=number)
        sentences.append(sentence)
    # The digest is made from the words, because an event has no file.
    speakers_and_texts = [(sentence.speaker, sentence.text) for sentence in sentences]
    digest = hashlib.sha256(repr(speakers_and_texts).encode()).hexdigest()
    source = Source(event.name, format="live", sha256=digest)
    return Transcript(event.title, event.day, source, tuple(sentences))


def _passages(
    sentences: Sequence[LiveSentence], vectors: Mapping[int, bytes]
) -> tuple[Passage, ...]:
    """Return the passages so far; a sentence without a vector is a passage of its own."""
    with_vector = [sentence for sentence in sentences if sentence.number in vectors]
    without_vector = [sentence for sentence in sentences if sentence.number not in vectors]
    # The passages get their numbers at the end, once they are in order.
    unordered_passages = [Passage(0, (sentence.number,)) for sentence in without_vector]
    if with_vector:
        # The stored vectors are the bytes of half-precision numbers; together (n, d).
        stored_vectors = [
            np.frombuffer(vectors[sentence.number], np.float16) for sentence in with_vector
        ]
        sentence_vectors = np.array(stored_vectors, np.float32)
        worthiness = np.array([sentence.worthiness or 0.0 for sentence in with_vector])
        spoken_sentences = [sentence.as_sentence() for sentence in with_vector]
        unordered_passages += passages(spoken_sentences, sentence_vectors, worthiness)
    position_by_number = {sentence.number: position for position, sentence in enumerate(sentences)}

    def first_position(passage: Passage) -> int:
        first_sentence_number = passage.sentences[0]
        return position_by_number[first_sentence_number]

    ordered_passages = sorted(unordered_passages, key=first_position)
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
