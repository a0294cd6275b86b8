"""Corrections of misheard sentences and speakers: who changed them, how and when.

Only the corrected sentence is checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

import sqlalchemy as sa

from assistant.core import audit
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import CheckedSentence, Report, Transcript
from assistant.core.errors import TranscriptError
from assistant.core.schema import metadata
from assistant.jobs.tables import counted_by_document
from assistant.passages.listing import rearranged

CONTEXT_SENTENCES = 8  # on each side of a corrected sentence, checked together with it
CheckTranscript = Callable[[Transcript], Report]
corrections_table = sa.Table(
    "desk_corrections",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),  # SHA-256 of the source of the transcript
    sa.Column("number", sa.Integer, primary_key=True),  # the number of the sentence
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
    """A person's change of one sentence. A speaker of "" is unknown.

    The names of the fields are the columns of the table.
    """

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
        """Store a correction. Earlier corrections of the sentence stay."""
        entry = audit.AuditEntry(correction.at, correction.by, "correct", correction.document[:16])
        with self._writing() as connection:
            connection.execute(corrections_table.insert().values(**asdict(correction)))
            audit.store_entry(connection, entry)

    def of(self, document: str) -> dict[int, list[Correction]]:
        """Return the corrections of a transcript by sentence number, oldest first."""
        corrections: dict[int, list[Correction]] = {}
        query = (
            sa.select(corrections_table)
            .where(corrections_table.c.document == document)
            .order_by(corrections_table.c.at)
        )
        with self._reading() as connection:
            for correction_row in connection.execute(query):
                correction = Correction(**correction_row._mapping)
                corrections.setdefault(correction.number, []).append(correction)
        return corrections

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts with corrections."""
        with self._reading() as connection:
            return counted_by_document(connection, corrections_table, "corrections")

    def purge(self, document: str) -> None:
        """Delete the corrections of a transcript."""
        query = corrections_table.delete().where(corrections_table.c.document == document)
        with self._writing() as connection:
            connection.execute(query)


def corrected_report(
    report: Report, number: int, text: str, speaker: str, check: CheckTranscript
) -> Report:
    """Change one sentence of a report and check it again, with its neighbours as context.

    Every other sentence keeps its matches, and its rank moves only to make room. ``check`` makes a
    report of a transcript.

    Raises: TranscriptError if the sentence doesn't exist or the text is empty.
    """
    transcript = report.transcript
    numbers = [checked.sentence.number for checked in report.sentences]
    if number not in numbers:
        raise TranscriptError(f"the transcript has no sentence {number}.", where=transcript.title)
    if not text.strip():
        raise TranscriptError("an empty sentence cannot be checked.", where=transcript.title)
    # A sentence is checked with its neighbours, because they say what "it" or "they" means.
    index = numbers.index(number)
    corrected_sentence = replace(
        report.sentences[index].sentence,
        text=" ".join(text.split()),
        speaker=" ".join(speaker.split()) or None,
    )
    spoken_sentences = tuple(
        corrected_sentence if sentence.number == number else sentence for sentence in transcript
    )
    first_context = max(0, index - CONTEXT_SENTENCES)
    context = spoken_sentences[first_context : index + CONTEXT_SENTENCES + 1]
    report_of_context = check(replace(transcript, sentences=context))
    rechecked_by_number = {
        checked.sentence.number: checked for checked in report_of_context.sentences
    }
    rechecked = rechecked_by_number[number]
    checked_sentences = list(report.sentences)
    checked_sentences[index] = rechecked
    new_report = replace(
        report,
        transcript=replace(transcript, sentences=spoken_sentences),
        sentences=_with_new_ranks(checked_sentences, rechecked),
    )
    return rearranged(new_report)


def _with_new_ranks(
    sentences: Sequence[CheckedSentence], rechecked: CheckedSentence
) -> tuple[CheckedSentence, ...]:
    """Rank the rechecked sentence before the first that isn't better; keep the order otherwise."""
    # A sentence that was skipped before the search has no rank.
    best_first = []
    for checked in sentences:
        if checked.rank is not None and checked is not rechecked:
            best_first.append(checked)
    best_first.sort(key=lambda checked: checked.rank or 0)
    if rechecked.rank is not None:
        better_count = 0
        for checked in best_first:
            is_better = _score(checked) > _score(rechecked)
            if not is_better:
                break
            better_count += 1
        best_first.insert(better_count, rechecked)
    rank_by_number = {}
    for rank, checked in enumerate(best_first, start=1):
        rank_by_number[checked.sentence.number] = rank
    reranked = []
    for checked in sentences:
        new_rank = rank_by_number.get(checked.sentence.number)
        reranked.append(replace(checked, rank=new_rank))
    return tuple(reranked)


def _score(checked: CheckedSentence) -> float:
    """Return the score of a sentence, below all others if it has none."""
    return checked.score if checked.score is not None else float("-inf")
