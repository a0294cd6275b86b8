"""Corrections of misheard sentences and speakers: who changed what and when.

That sentence alone is checked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date

import sqlalchemy as sa

from assistant.core import audit
from assistant.core.database import Database
from assistant.core.debate_records import Debate
from assistant.core.domain import CheckedSentence, Report, Transcript
from assistant.core.errors import TranscriptError
from assistant.core.schema import metadata
from assistant.passages.listing import rearranged

CONTEXT_SENTENCES = 8  # sentences before and after a corrected one that are read with it
CheckTranscript = Callable[[Transcript], Report]
corrections_table = sa.Table(
    "desk_corrections",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),  # SHA-256 of the source of the transcript
    sa.Column("number", sa.Integer, primary_key=True),  # of the sentence
    sa.Column("at", sa.Float, primary_key=True),  # seconds since 1970
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("text_before", sa.Text, nullable=False),
    sa.Column("speaker_before", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
)


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody changed of a sentence; a speaker of "" is unknown."""

    document: str
    number: int
    at: float
    by: str
    text_before: str
    speaker_before: str
    text: str
    speaker: str
    title: str = ""
    event_date: date | None = None


class CorrectionStore(Database):
    """The corrections of one database. Use it in a ``with``, or close it."""

    def add(self, correction: Correction) -> None:
        """Store a correction; earlier ones of the sentence stay."""
        with self._writing() as connection:
            connection.execute(corrections_table.insert().values(**asdict(correction)))
            entry = audit.Entry(correction.at, correction.by, "correct", correction.document[:16])
            audit.note(connection, entry)

    def of(self, document: str) -> dict[int, list[Correction]]:
        """Return the corrections of a transcript by the number of their sentence, the first one first."""
        found: dict[int, list[Correction]] = {}
        chosen = (
            sa.select(corrections_table)
            .where(corrections_table.c.document == document)
            .order_by(corrections_table.c.at)
        )
        with self._reading() as connection:
            for row in connection.execute(chosen):
                found.setdefault(row.number, []).append(Correction(**row._mapping))
        return found

    def debates(self) -> list[Debate]:
        """Return the transcripts that somebody corrected."""
        c = corrections_table.c
        columns = (
            sa.func.max(c.title),
            sa.func.max(c.event_date),
            sa.func.max(c.at),
            sa.func.count(),
        )
        with self._reading() as connection:
            rows = connection.execute(sa.select(c.document, *columns).group_by(c.document)).all()
        return [
            Debate(document, "", title, day, at, {"corrections": count})
            for document, title, day, at, count in rows
        ]

    def purge(self, document: str) -> None:
        """Delete the corrections of a transcript."""
        with self._writing() as connection:
            connection.execute(
                corrections_table.delete().where(corrections_table.c.document == document)
            )


def corrected_report(
    report: Report, number: int, text: str, speaker: str, check: CheckTranscript
) -> Report:
    """Return a report in which one sentence is changed and checked again, with its neighbours as context.

    Every other sentence keeps its matches; ranks move only to make room. ``check`` makes a report
    of a transcript.

    Raises: TranscriptError if there is no such sentence, or no text.
    """
    place = next(
        (i for i, checked in enumerate(report.sentences) if checked.sentence.number == number), None
    )
    if place is None or not text.strip():
        what = (
            "an empty sentence cannot be checked."
            if place is not None
            else f"has no sentence {number}."
        )
        raise TranscriptError(what, where=report.transcript.title)
    old = report.sentences[place].sentence
    new = replace(old, text=" ".join(text.split()), speaker=" ".join(speaker.split()) or None)
    said = [new if sent.number == number else sent for sent in report.transcript]
    around = replace(
        report.transcript,
        sentences=tuple(said[max(0, place - CONTEXT_SENTENCES) : place + CONTEXT_SENTENCES + 1]),
    )
    fresh = next(c for c in check(around).sentences if c.sentence.number == number)
    sentences = _ranked((*report.sentences[:place], fresh, *report.sentences[place + 1 :]), fresh)
    transcript = replace(report.transcript, sentences=tuple(said))
    return rearranged(replace(report, transcript=transcript, sentences=sentences))


def _ranked(
    sentences: tuple[CheckedSentence, ...], fresh: CheckedSentence
) -> tuple[CheckedSentence, ...]:
    """Return the sentences with new ranks.

    The fresh one before the first that is not better, the others as before.
    """
    others = sorted(
        (c for c in sentences if c.rank is not None and c is not fresh), key=lambda c: c.rank or 0
    )
    if fresh.rank is not None:
        place = next(
            (i for i, other in enumerate(others) if _worth(other) <= _worth(fresh)), len(others)
        )
        others.insert(place, fresh)
    ranks = {c.sentence.number: rank for rank, c in enumerate(others, 1)}
    return tuple(replace(c, rank=ranks.get(c.sentence.number)) for c in sentences)


def _worth(checked: CheckedSentence) -> float:
    return checked.score if checked.score is not None else float("-inf")
