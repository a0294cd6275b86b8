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
    compared_claims,
    mentions,
    searches,
    sentences,
    transcripts,
)
from assistant.core import schema
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Match, Report, Sentence, Stance, Transcript
from assistant.core.errors import TranscriptError
from assistant.jobs import job_specs, report_store
from assistant.jobs.job_specs import JobSpec
from assistant.report import stored_reports
from assistant.report.measured_strength import stored_strength
from assistant.report.view import ReportView

ID_DIGITS = 20
# Stores the strength of one match. A parameter must not have the name of a column.
_STRENGTH_UPDATE = (
    mentions.update()
    .where(
        mentions.c.sentence == sa.bindparam("of_sentence"),
        mentions.c.claim_id == sa.bindparam("of_claim"),
        mentions.c.strength.is_(None),
    )
    .values(strength=sa.bindparam("new_strength"))
)


@dataclass(frozen=True, slots=True)
class ArchivedTranscript:
    """A transcript of the archive.

    ``stamp`` is the ``check_key`` of its reports, "" before there are any.
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

    def report_id(self, *, as_of_event: bool = False) -> str:
        """Return the id of its report, the same however often it is made again."""
        return report_id(self.document, as_of_event=as_of_event)


@dataclass(frozen=True, slots=True)
class FinishedCheck:
    """The reports of a transcript of the archive.

    ``transcript`` is its id, ``digest`` the digest of its content. ``at_event`` is None if the date of
    the event is unknown. ``chances``: for each of ``matches_in(today)``, the chance that the
    sentence makes the claim, None if it is unknown.
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
        """Add a transcript and return "new", "changed" or "same".

        It replaces an earlier transcript of the same path. Raises: TranscriptError if it is too
        long.
        """
        if len(transcript) >= MOST_SENTENCES:
            raise TranscriptError(
                f"has more than {MOST_SENTENCES:,} sentences.",
                where=path,
                remedy="Split the transcript into several files.",
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
        same_document_query = sa.select(columns.id, columns.digest).where(
            columns.document == document
        )
        earlier_document_query = sa.select(columns.document).where(
            columns.path == path, columns.document != document
        )
        with self._writing() as connection:
            stored_row = connection.execute(same_document_query).first()
            if stored_row and stored_row.digest == transcript_row["digest"]:
                return "same"

            # The file at this path had other contents before.
            earlier_document = connection.execute(earlier_document_query).scalar()
            if earlier_document:
                _delete_transcript(connection, earlier_document)

            if stored_row:
                transcript_id = stored_row.id
                # Without stamp and error it waits to be checked again.
                new_values = {**transcript_row, "stamp": "", "error": ""}
                update = transcripts.update().where(columns.id == transcript_id).values(new_values)
                connection.execute(update)
            else:
                insertion = sa.insert(transcripts).values(**transcript_row).returning(columns.id)
                transcript_id = connection.execute(insertion).scalar_one()
            _store_sentences(connection, transcript_id, transcript)
        return "changed" if stored_row or earlier_document else "new"

    def has(self, document: str) -> bool:
        """Return whether a file is in the archive, by the SHA-256 of its bytes."""
        with self._reading() as connection:
            query = sa.select(transcripts.c.id).where(transcripts.c.document == document)
            return connection.execute(query).first() is not None

    def entries(self) -> list[ArchivedTranscript]:
        """Return all transcripts, in the order of their events."""
        # The fields of an ArchivedTranscript have the names of their columns.
        columns = transcripts.c
        field_columns = [columns[name] for name in ArchivedTranscript.__slots__]
        query = sa.select(*field_columns)
        query = query.order_by(columns.event_date, columns.title, columns.id)
        with self._reading() as connection:
            transcript_rows = connection.execute(query)
            return [ArchivedTranscript(**row._mapping) for row in transcript_rows]

    def waiting(self, models_and_claims: str) -> list[int]:
        """Return the ids of the transcripts that were not checked with these models and claims.

        The longest come first, so that no process is left with one when the others are done.
        """
        waiting_entries = []
        for entry in self.entries():
            # The stamp is the key of the last check: of the transcript, the models and the claims.
            if entry.stamp != check_key(entry.digest, models_and_claims):
                waiting_entries.append(entry)
        waiting_entries.sort(key=lambda entry: (-entry.sentences, entry.id))
        return [entry.id for entry in waiting_entries]

    def transcript(self, transcript_id: int) -> tuple[str, Transcript] | None:
        """Return a transcript with its digest; None if it has been removed."""
        columns = transcripts.c
        query = sa.select(columns.digest, columns.ordered).where(columns.id == transcript_id)
        with self._reading() as connection:
            transcript_row = connection.execute(query).first()
        if transcript_row is None:
            return None
        # The column ``ordered`` has the job spec of its check, which contains the transcript.
        job_spec = job_specs.from_bytes(zlib.decompress(transcript_row.ordered))
        return transcript_row.digest, job_spec.transcript

    def finish(self, finished_check: FinishedCheck) -> bool:
        """Store a check in place of the earlier one, all of it or nothing.

        Return False, with nothing stored, if the transcript was changed or removed meanwhile. If
        two workers have done the same check, because one of them was thought dead, it is stored
        once.
        """
        now = time.time()
        report_bytes_by_id = _report_bytes(finished_check)
        update = (
            transcripts.update()
            .where(
                transcripts.c.id == finished_check.transcript,
                transcripts.c.digest == finished_check.digest,
            )
            .values(
                stamp=finished_check.stamp, error="", seconds=finished_check.seconds, changed=now
            )
        )
        with self._writing() as connection:
            updated_count = connection.execute(update).rowcount
            # The transcript was deleted or replaced while it was checked.
            is_outdated = updated_count == 0
            if is_outdated:
                return False
            for stored_id, report_bytes in report_bytes_by_id.items():
                report_store.replace_report(connection, stored_id, report_bytes, now)
            _store_mentions(connection, finished_check)
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
        query = sa.select(columns.document, columns.title, columns.event_date, columns.changed)
        debates = []
        for document, title, event_date, changed_at in self.rows(query):
            stored_counts = {"in the archive": 1}
            debate = StoredDebate.of_file(document, title, event_date, changed_at, stored_counts)
            debates.append(debate)
        return debates

    def purge(self, document: str) -> None:
        """Delete a transcript with its sentences, matches and archive reports."""
        with self._writing() as connection:
            _delete_transcript(connection, document)
            # Without this, its words stay in the file of the search index. FTS5 takes commands as
            # values of the column that is named like the table.
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql(
                    "INSERT INTO archive_words(archive_words) VALUES ('optimize')"
                )

    def compared_digests(self) -> dict[str, str]:
        """Return the digests of the fact-checks that were compared with the archive, by id."""
        query = sa.select(compared_claims.c.claim_id, compared_claims.c.digest)
        return {row.claim_id: row.digest for row in self.rows(query)}

    def note_new_matches(
        self,
        digest_by_claim: Mapping[str, str],
        matches: Iterable[Mapping[str, object]],
        now: float,
    ) -> None:
        """Note which fact-checks were compared, by id and digest, with their new matches."""
        alert_rows = [{**match, "at": now} for match in matches]
        with self._writing() as connection:
            for claim_id, digest in digest_by_claim.items():
                # The results of an earlier version of the fact-check are replaced.
                for table in (compared_claims, alerts):
                    connection.execute(table.delete().where(table.c.claim_id == claim_id))
                comparison_row = {"claim_id": claim_id, "digest": digest, "at": now}
                connection.execute(compared_claims.insert(), comparison_row)
            if alert_rows:
                connection.execute(alerts.insert(), alert_rows)

    def note_compared(self, digest_by_claim: Mapping[str, str]) -> None:
        """Note all fact-checks that need not be compared any more; their alerts stay."""
        now = time.time()
        claim_rows = []
        for claim_id, digest in digest_by_claim.items():
            claim_rows.append({"claim_id": claim_id, "digest": digest, "at": now})
        with self._writing() as connection:
            connection.execute(compared_claims.delete())
            if claim_rows:
                connection.execute(compared_claims.insert(), claim_rows)

    def _prepare(self) -> None:
        """Create missing tables, and give matches of an earlier version their strengths."""
        super()._prepare()
        with self._reading() as connection:
            has_unread_strengths = schema.read_setting(connection, schema.UNREAD_STRENGTHS)
        if has_unread_strengths:
            self._store_strengths()

    def _store_strengths(self) -> None:
        """Store the strengths of matches of an earlier version, as the stored reports have them.

        A match without a stored report keeps an unknown strength. If this is cut short, the next
        process that opens the archive begins again.
        """
        for entry in self.entries():
            with self._reading() as connection:
                report_bytes = report_store.read_report(connection, entry.report_id())
            if report_bytes is None:
                continue
            report = stored_reports.load(report_bytes)
            strength_rows = []
            for sentence, match in matches_in(report):
                strength_rows.append(
                    {
                        "of_sentence": sentence_id(entry.id, sentence.number),
                        "of_claim": match.claim.id,
                        "new_strength": stored_strength(match, report.manifest),
                    }
                )
            if strength_rows:
                with self._writing() as connection:
                    connection.execute(_STRENGTH_UPDATE, strength_rows)
        with self._writing() as connection:
            schema.delete_setting(connection, schema.UNREAD_STRENGTHS)

    @property
    def dialect(self) -> str:
        """Return which kind of database it is: "sqlite" or "postgresql"."""
        return self._engine.dialect.name

    def rows(self, query: sa.Select) -> list[sa.Row]:
        """Return the rows of a query."""
        with self._reading() as connection:
            return list(connection.execute(query))

    def saved(self) -> list[tuple[str, str, str]]:
        """Return name, person and address of every saved search."""
        columns = searches.c
        query = sa.select(columns.name, columns.by, columns.address)
        with self._reading() as connection:
            saved_searches = connection.execute(query.order_by(columns.name, columns.by))
            return [(search.name, search.by, search.address) for search in saved_searches]

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
    """Return the key of a check: the same transcript, claims and models give the same key."""
    return f"{digest}:{models_and_claims}"


def report_id(document: str, *, as_of_event: bool) -> str:
    """Return the id of a report of the archive; it stays the same when the report is made again."""
    return hashlib.sha256(f"archive {document} {as_of_event}".encode()).hexdigest()[:ID_DIGITS]


def sentence_id(transcript: int, number: int) -> int:
    """Return the id of a sentence of the archive."""
    return transcript * MOST_SENTENCES + number


def _store_sentences(connection: sa.Connection, transcript_id: int, transcript: Transcript) -> None:
    """Store the sentences of a transcript, in place of its earlier ones."""
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
    """Return the matches in the list of a report, without denials of their claims.

    Passages that are folded below a row are included.
    """
    # A sentence may be in two passages: its match with a fact-check counts once.
    match_by_sentence_and_claim: dict[tuple[int, str], tuple[Sentence, Match]] = {}
    for group in ReportView(report).groups:
        for passage in group.passages:
            for checked_sentence, match in passage.matches:
                if match.tier is None or match.stance is Stance.CONTRADICTS:
                    continue
                key = (checked_sentence.sentence.number, match.claim.id)
                match_by_sentence_and_claim[key] = (checked_sentence.sentence, match)
    return list(match_by_sentence_and_claim.values())


def _report_bytes(finished: FinishedCheck) -> dict[str, bytes]:
    """Return the reports of a check as they are stored, by their ids."""
    document = finished.today.transcript.source.sha256
    id_today = report_id(document, as_of_event=False)
    bytes_by_id = {id_today: stored_reports.archive(finished.today)}
    # With only the fact-checks from before the event, if its date is known
    if finished.at_event is not None:
        id_at_event = report_id(document, as_of_event=True)
        bytes_by_id[id_at_event] = stored_reports.archive(finished.at_event)
    return bytes_by_id


def _store_mentions(connection: sa.Connection, finished_check: FinishedCheck) -> None:
    """Store the matches of a check and their chances, in place of the earlier ones."""
    # A mention is a sentence that repeats the claim of a fact-check; its chance, between 0 and 1,
    # says how likely both make the same claim.
    for table in (mentions, chances):
        connection.execute(table.delete().where(table.c.transcript == finished_check.transcript))
    report = finished_check.today
    mention_rows = []
    for sentence, match in matches_in(report):
        mention_row = _mention_row(finished_check.transcript, sentence, match)
        mention_rows.append({**mention_row, "strength": stored_strength(match, report.manifest)})
    if mention_rows:
        connection.execute(mentions.insert(), mention_rows)

    chance_rows = []
    # There are no chances if the model that gives them was not used.
    for mention_row, chance in zip(mention_rows, finished_check.chances, strict=False):
        if chance is None:
            continue
        chance_row = {
            "sentence": mention_row["sentence"],
            "claim_id": mention_row["claim_id"],
            "transcript": mention_row["transcript"],
            "chance": chance,
        }
        chance_rows.append(chance_row)
    if chance_rows:
        connection.execute(chances.insert(), chance_rows)


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
    """Delete the sentences of a transcript, with their matches, chances and alerts."""
    # The ids of the sentences of a transcript follow each other.
    smallest_id = sentence_id(transcript_id, 0)
    largest_id = sentence_id(transcript_id, MOST_SENTENCES - 1)
    is_of_transcript = sentences.c.id.between(smallest_id, largest_id)
    connection.execute(sentences.delete().where(is_of_transcript))
    for table in (mentions, chances, alerts):
        connection.execute(table.delete().where(table.c.transcript == transcript_id))


def _delete_transcript(connection: sa.Connection, document: str) -> None:
    """Delete a transcript from the archive, with its reports there."""
    query = sa.select(transcripts.c.id).where(transcripts.c.document == document)
    transcript_id = connection.execute(query).scalar()
    if transcript_id is None:
        return
    _delete_sentences(connection, transcript_id)
    connection.execute(transcripts.delete().where(transcripts.c.id == transcript_id))
    # A transcript has two reports: with all fact-checks, and with those from before the event.
    full_report_id = report_id(document, as_of_event=False)
    event_report_id = report_id(document, as_of_event=True)
    report_store.delete_reports(connection, [full_report_id, event_report_id])
