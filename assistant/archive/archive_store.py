"""The archive in the database.

Which transcripts there are, which of them wait to be checked, and what was found.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from assistant.archive.tables import (
    MOST_SENTENCES,
    alerts,
    chances,
    mentions,
    met,
    searches,
    sentences,
    transcripts,
)
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Match, Report, Sentence, Stance, Transcript
from assistant.core.errors import TranscriptError
from assistant.jobs import job_specs, report_store
from assistant.jobs.job_specs import JobSpec
from assistant.report import stored_reports
from assistant.report.view import ReportView

ID_DIGITS = 20


@dataclass(frozen=True, slots=True)
class ArchivedTranscript:
    """A transcript of the archive.

    ``stamp`` says what its reports were made from, "" before there are any.
    """

    id: int
    document: str
    path: str
    title: str
    event_date: date | None
    digest: str
    sentences: int
    stamp: str = ""
    error: str = ""
    seconds: float | None = None

    def report(self, *, as_of_event: bool = False) -> str:
        """Return the id of its report, the same however often it is made again."""
        return report_id(self.document, as_of_event=as_of_event)


@dataclass(frozen=True, slots=True)
class FinishedCheck:
    """What one unit of work leaves.

    The reports of a transcript, the second None where no date of the event is known.

    ``transcript`` and ``digest`` say what was checked: if it was changed or removed meanwhile, nothing is stored.
    ``chances``: of each of ``found_in(today)``, the chance that it makes its claim, None if that is unknown.
    """

    transcript: int
    digest: str
    stamp: str
    seconds: float
    today: Report
    at_event: Report | None
    chances: Sequence[float | None] = ()


class ArchiveStore(Database):
    """The archive of one database. Use it in a ``with``, or close it."""

    def add(self, transcript: Transcript, path: str) -> str:
        """Take a transcript in and return what became of it: "new", "changed" or "same".

        A file at a path where another one was takes its place. Raises: TranscriptError if it is
        too long.
        """
        if len(transcript) >= MOST_SENTENCES:
            raise TranscriptError(
                f"has more than {MOST_SENTENCES:,} sentences.", where=path, remedy="Split it."
            )
        document = transcript.source.sha256
        event_date = transcript.event_date
        job_bytes = job_specs.to_bytes(JobSpec(transcript))
        transcript_row = {
            "document": document,
            "path": path,
            "title": transcript.title,
            "event_date": event_date,
            "digest": hashlib.sha256(job_bytes).hexdigest()[:ID_DIGITS],
            "sentences": len(transcript),
            "changed": time.time(),
            "ordered": zlib.compress(job_bytes),
        }
        columns = transcripts.c
        with self._writing() as connection:
            stored = connection.execute(
                sa.select(columns.id, columns.digest).where(columns.document == document)
            ).first()
            if stored and stored.digest == transcript_row["digest"]:
                return "same"
            earlier = connection.execute(
                sa.select(columns.document).where(
                    columns.path == path, columns.document != document
                )
            ).scalar()
            if earlier:
                _delete_transcript(connection, earlier)
            if stored:
                connection.execute(
                    transcripts.update()
                    .where(columns.id == stored.id)
                    .values(**transcript_row, stamp="", error="")
                )
            insertion = sa.insert(transcripts).values(**transcript_row).returning(columns.id)
            transcript_id = stored.id if stored else connection.execute(insertion).scalar_one()
            _store_sentences(connection, transcript_id, transcript)
        return "changed" if stored or earlier else "new"

    def has(self, document: str) -> bool:
        """Return whether a file is in the archive, by the SHA-256 of its bytes."""
        with self._reading() as connection:
            query = sa.select(transcripts.c.id).where(transcripts.c.document == document)
            return connection.execute(query).first() is not None

    def entries(self) -> list[ArchivedTranscript]:
        """Return all transcripts, in the order of their events."""
        table_columns = transcripts.c
        columns = [table_columns[name] for name in ArchivedTranscript.__slots__]
        with self._reading() as connection:
            transcript_rows = connection.execute(
                sa.select(*columns).order_by(
                    table_columns.event_date, table_columns.title, table_columns.id
                )
            )
            return [
                ArchivedTranscript(**transcript_row._mapping) for transcript_row in transcript_rows
            ]

    def waiting(self, models_and_claims: str) -> list[int]:
        """Return the transcripts that were not checked with these claims and models as they are now, longest first.

        The longest first, so that no process is left with a long one when the others are done.
        """
        unchecked = [
            entry
            for entry in self.entries()
            if entry.stamp != check_key(entry.digest, models_and_claims)
        ]
        return [
            entry.id for entry in sorted(unchecked, key=lambda entry: (-entry.sentences, entry.id))
        ]

    def transcript(self, transcript_id: int) -> tuple[str, Transcript] | None:
        """Return a transcript with its digest; None if it has been removed."""
        columns = transcripts.c
        with self._reading() as connection:
            transcript_row = connection.execute(
                sa.select(columns.digest, columns.ordered).where(columns.id == transcript_id)
            ).first()
        if transcript_row is None:
            return None
        job_spec = job_specs.from_bytes(zlib.decompress(transcript_row.ordered))
        return transcript_row.digest, job_spec.transcript

    def finish(self, done: FinishedCheck) -> bool:
        """Store what was found, in place of what was found before: all of it or nothing.

        Return whether it was.

        A unit that two workers have done, because one of them was thought dead, is there once.
        """
        c = transcripts.c
        now = time.time()
        reports = [
            (report, bool(at))
            for at, report in enumerate((done.today, done.at_event))
            if report is not None
        ]
        written = [(report, as_of, stored_reports.archive(report)) for report, as_of in reports]
        with self._writing() as connection:
            own = (c.id == done.transcript) & (c.digest == done.digest)
            values = {"stamp": done.stamp, "error": "", "seconds": done.seconds, "changed": now}
            if not connection.execute(transcripts.update().where(own).values(**values)).rowcount:
                return False
            for report, as_of, data in written:
                name = report_id(report.transcript.source.sha256, as_of_event=as_of)
                report_store.replace_report(connection, name, data, now)
            for table in (mentions, chances):
                connection.execute(table.delete().where(table.c.transcript == done.transcript))
            found = matches_in(done.today)
            if rows := [_mention_row(done.transcript, sent, match) for sent, match in found]:
                connection.execute(mentions.insert(), rows)
            keys = [
                {name: row[name] for name in ("sentence", "claim_id", "transcript")} for row in rows
            ]
            known = zip(keys, done.chances, strict=False)  # none of them where they were not read
            if read := [{**key, "chance": chance} for key, chance in known if chance is not None]:
                connection.execute(chances.insert(), read)
        return True

    def failed(self, transcript_id: int, error: str) -> None:
        """Note why a transcript could not be checked; what was found before stays."""
        with self._writing() as connection:
            connection.execute(
                transcripts.update().where(transcripts.c.id == transcript_id).values(error=error)
            )

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts of the archive in the terms of a purge."""
        columns = transcripts.c
        with self._reading() as connection:
            transcript_rows = connection.execute(
                sa.select(columns.document, columns.title, columns.event_date, columns.changed)
            ).all()
        return [
            StoredDebate(document, "", title, event_date, changed_at, {"in the archive": 1})
            for document, title, event_date, changed_at in transcript_rows
        ]

    def purge(self, document: str) -> None:
        """Delete a transcript with everything said in it and found in it.

        Its reports are the desk's.
        """
        with self._writing() as connection:
            _delete_transcript(connection, document)
            if (
                connection.dialect.name == "sqlite"
            ):  # else its words stay in the search until they are merged away
                connection.exec_driver_sql(
                    "INSERT INTO archive_words(archive_words) VALUES ('optimize')"
                )

    def met(self) -> dict[str, str]:
        """Return the fact-checks that were compared with everything said, by id, each with its digest then."""
        return {
            fact_check.claim_id: fact_check.digest
            for fact_check in self.rows(sa.select(met.c.claim_id, met.c.digest))
        }

    def note_met(
        self, claims_met: Mapping[str, str], matches: Iterable[Mapping[str, object]], now: float
    ) -> None:
        """Note which fact-checks were compared, by id and digest, and what they found, in place of what they had."""
        alert_rows = [{**match, "at": now} for match in matches]
        with self._writing() as connection:
            for claim_id, digest in claims_met.items():
                for table in (met, alerts):
                    connection.execute(table.delete().where(table.c.claim_id == claim_id))
                connection.execute(met.insert().values(claim_id=claim_id, digest=digest, at=now))
            if alert_rows:
                connection.execute(alerts.insert(), alert_rows)

    def note_compared(self, claims_met: Mapping[str, str]) -> None:
        """Note that these are all fact-checks that need not be compared any more.

        What they found before stays.
        """
        now = time.time()
        fact_checks = [
            {"claim_id": claim_id, "digest": digest, "at": now}
            for claim_id, digest in claims_met.items()
        ]
        with self._writing() as connection:
            connection.execute(met.delete())
            if fact_checks:
                connection.execute(met.insert(), fact_checks)

    @property
    def dialect(self) -> str:
        """Return which kind of database it is: "sqlite" or "postgresql"."""
        return self._engine.dialect.name

    def rows(self, query: sa.Select) -> list[sa.Row]:
        """Return the rows that a query of another module of this room chooses."""
        with self._reading() as connection:
            return list(connection.execute(query))

    def saved(self) -> list[tuple[str, str, str]]:
        """Return name, person and address of every saved search."""
        columns = searches.c
        with self._reading() as connection:
            return [
                tuple(search)
                for search in connection.execute(
                    sa.select(columns.name, columns.by, columns.address).order_by(
                        columns.name, columns.by
                    )
                )
            ]

    def save(self, name: str, by: str, address: str) -> None:
        """Keep a search under a name, in place of the person's earlier one of that name.

        "" as address forgets it.
        """
        is_this_search = (searches.c.name == name) & (searches.c.by == by)
        with self._writing() as connection:
            connection.execute(searches.delete().where(is_this_search))
            if address:
                connection.execute(searches.insert().values(name=name, by=by, address=address))


def check_key(digest: str, models_and_claims: str) -> str:
    """Return what stands for a check: the same transcript, claims and models give the same."""
    return f"{digest}:{models_and_claims}"


def report_id(document: str, *, as_of_event: bool) -> str:
    """Return the id of a report of the archive on the shelf.

    Its address stays when it is made again.
    """
    return hashlib.sha256(f"archive {document} {as_of_event}".encode()).hexdigest()[:ID_DIGITS]


def sentence_id(transcript: int, number: int) -> int:
    """Return the id of a sentence among all that were ever said."""
    return transcript * MOST_SENTENCES + number


def _store_sentences(connection: sa.Connection, transcript_id: int, transcript: Transcript) -> None:
    """Store everything said in a transcript, in place of what was stored of it."""
    _delete_sentences(connection, transcript_id)
    sentence_rows = [
        {
            "id": sentence_id(transcript_id, sentence.number),
            "transcript": transcript_id,
            "number": sentence.number,
            "speaker": sentence.speaker or "",
            "start": sentence.start,
            "event_date": transcript.event_date,
            "text": sentence.text,
        }
        for sentence in transcript
    ]
    connection.execute(sentences.insert(), sentence_rows)


def matches_in(report: Report) -> list[tuple[Sentence, Match]]:
    """Return the matches in the list of a report, folded ones included, but for those of which the opposite is said."""
    match_by_key: dict[tuple[int, str], tuple[Sentence, Match]] = {}
    for group in ReportView(report).groups:
        for passage in group.passages:
            for checked, match in passage.matches:
                if match.tier is not None and match.stance is not Stance.CONTRADICTS:
                    match_by_key[checked.sentence.number, match.claim.id] = (
                        checked.sentence,
                        match,
                    )
    return list(match_by_key.values())


def _mention_row(transcript_id: int, sentence: Sentence, match: Match) -> dict[str, object]:
    return {
        "sentence": sentence_id(transcript_id, sentence.number),
        "claim_id": match.claim.id,
        "transcript": transcript_id,
        "tier": str(match.tier),
        "stance": str(match.stance),
        "statement": match.claim.statement,
    }


def _delete_sentences(connection: sa.Connection, transcript_id: int) -> None:
    """Delete what was said and found in a transcript."""
    is_of_transcript = sentences.c.id.between(
        sentence_id(transcript_id, 0), sentence_id(transcript_id, MOST_SENTENCES - 1)
    )
    connection.execute(sentences.delete().where(is_of_transcript))
    for table in (mentions, chances, alerts):
        connection.execute(table.delete().where(table.c.transcript == transcript_id))


def _delete_transcript(connection: sa.Connection, document: str) -> None:
    """Delete a transcript from the archive, with its reports there."""
    transcript_id = connection.execute(
        sa.select(transcripts.c.id).where(transcripts.c.document == document)
    ).scalar()
    if transcript_id is None:
        return
    _delete_sentences(connection, transcript_id)
    connection.execute(transcripts.delete().where(transcripts.c.id == transcript_id))
    report_store.delete_reports(
        connection, [report_id(document, as_of_event=flag) for flag in (False, True)]
    )
