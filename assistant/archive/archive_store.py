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
from assistant.core.debate_records import Debate
from assistant.core.domain import Match, Report, Sentence, Stance, Transcript
from assistant.core.errors import TranscriptError
from assistant.jobs import job_specs, report_store
from assistant.jobs.job_specs import JobSpec
from assistant.report import stored_reports
from assistant.report.view import ReportView

ID_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Entry:
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
class Checked:
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
        day = transcript.event_date
        ordered = job_specs.to_bytes(JobSpec(transcript))
        row = {
            "document": document,
            "path": path,
            "title": transcript.title,
            "event_date": day,
            "digest": hashlib.sha256(ordered).hexdigest()[:ID_DIGITS],
            "sentences": len(transcript),
            "changed": time.time(),
            "ordered": zlib.compress(ordered),
        }
        c = transcripts.c
        with self._writing() as connection:
            known = connection.execute(
                sa.select(c.id, c.digest).where(c.document == document)
            ).first()
            if known and known.digest == row["digest"]:
                return "same"
            earlier = connection.execute(
                sa.select(c.document).where(c.path == path, c.document != document)
            ).scalar()
            if earlier:
                _remove(connection, earlier)
            if known:
                connection.execute(
                    transcripts.update().where(c.id == known.id).values(**row, stamp="", error="")
                )
            made = sa.insert(transcripts).values(**row).returning(c.id)
            number = known.id if known else connection.execute(made).scalar_one()
            _say(connection, number, transcript)
        return "changed" if known or earlier else "new"

    def has(self, document: str) -> bool:
        """Return whether a file is in the archive, by the SHA-256 of its bytes."""
        with self._reading() as connection:
            chosen = sa.select(transcripts.c.id).where(transcripts.c.document == document)
            return connection.execute(chosen).first() is not None

    def entries(self) -> list[Entry]:
        """Return all transcripts, in the order of their events."""
        c = transcripts.c
        columns = [c[name] for name in Entry.__slots__]
        with self._reading() as connection:
            rows = connection.execute(sa.select(*columns).order_by(c.event_date, c.title, c.id))
            return [Entry(**row._mapping) for row in rows]

    def waiting(self, models_and_claims: str) -> list[int]:
        """Return the transcripts that were not checked with these claims and models as they are now, longest first.

        The longest first, so that no process is left with a long one when the others are done.
        """
        open_ = [e for e in self.entries() if e.stamp != stamp(e.digest, models_and_claims)]
        return [e.id for e in sorted(open_, key=lambda e: (-e.sentences, e.id))]

    def transcript(self, number: int) -> tuple[str, Transcript] | None:
        """Return a transcript with its digest; None if it has been removed."""
        c = transcripts.c
        with self._reading() as connection:
            row = connection.execute(sa.select(c.digest, c.ordered).where(c.id == number)).first()
        return (
            (row.digest, job_specs.from_bytes(zlib.decompress(row.ordered)).transcript)
            if row
            else None
        )

    def finish(self, done: Checked) -> bool:
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
            found = found_in(done.today)
            if rows := [_mention(done.transcript, sent, match) for sent, match in found]:
                connection.execute(mentions.insert(), rows)
            keys = [
                {name: row[name] for name in ("sentence", "claim_id", "transcript")} for row in rows
            ]
            known = zip(keys, done.chances, strict=False)  # none of them where they were not read
            if read := [{**key, "chance": chance} for key, chance in known if chance is not None]:
                connection.execute(chances.insert(), read)
        return True

    def failed(self, number: int, error: str) -> None:
        """Note why a transcript could not be checked; what was found before stays."""
        with self._writing() as connection:
            connection.execute(
                transcripts.update().where(transcripts.c.id == number).values(error=error)
            )

    def debates(self) -> list[Debate]:
        """Return the transcripts of the archive in the terms of a purge."""
        c = transcripts.c
        with self._reading() as connection:
            rows = connection.execute(sa.select(c.document, c.title, c.event_date, c.changed)).all()
        return [
            Debate(document, "", title, day, at, {"in the archive": 1})
            for document, title, day, at in rows
        ]

    def purge(self, document: str) -> None:
        """Delete a transcript with everything said in it and found in it.

        Its reports are the desk's.
        """
        with self._writing() as connection:
            _remove(connection, document)
            if (
                connection.dialect.name == "sqlite"
            ):  # else its words stay in the search until they are merged away
                connection.exec_driver_sql(
                    "INSERT INTO archive_words(archive_words) VALUES ('optimize')"
                )

    def met(self) -> dict[str, str]:
        """Return the fact-checks that were compared with everything said, by id, each with its digest then."""
        return {
            row.claim_id: row.digest for row in self.rows(sa.select(met.c.claim_id, met.c.digest))
        }

    def note_met(
        self, claims_met: Mapping[str, str], found: Iterable[Mapping[str, object]], now: float
    ) -> None:
        """Note which fact-checks were compared, by id and digest, and what they found, in place of what they had."""
        rows = [{**row, "at": now} for row in found]
        with self._writing() as connection:
            for claim_id, digest in claims_met.items():
                for table in (met, alerts):
                    connection.execute(table.delete().where(table.c.claim_id == claim_id))
                connection.execute(met.insert().values(claim_id=claim_id, digest=digest, at=now))
            if rows:
                connection.execute(alerts.insert(), rows)

    def note_compared(self, claims_met: Mapping[str, str]) -> None:
        """Note that these are all fact-checks that need not be compared any more.

        What they found before stays.
        """
        now = time.time()
        rows = [
            {"claim_id": claim_id, "digest": digest, "at": now}
            for claim_id, digest in claims_met.items()
        ]
        with self._writing() as connection:
            connection.execute(met.delete())
            if rows:
                connection.execute(met.insert(), rows)

    @property
    def dialect(self) -> str:
        """Return which kind of database it is: "sqlite" or "postgresql"."""
        return self._engine.dialect.name

    def rows(self, chosen: sa.Select) -> list[sa.Row]:
        """Return the rows that a query of another module of this room chooses."""
        with self._reading() as connection:
            return list(connection.execute(chosen))

    def saved(self) -> list[tuple[str, str, str]]:
        """Return name, person and address of every saved search."""
        c = searches.c
        with self._reading() as connection:
            return [
                tuple(row)
                for row in connection.execute(
                    sa.select(c.name, c.by, c.address).order_by(c.name, c.by)
                )
            ]

    def save(self, name: str, by: str, address: str) -> None:
        """Keep a search under a name, in place of the person's earlier one of that name.

        "" as address forgets it.
        """
        own = (searches.c.name == name) & (searches.c.by == by)
        with self._writing() as connection:
            connection.execute(searches.delete().where(own))
            if address:
                connection.execute(searches.insert().values(name=name, by=by, address=address))


def stamp(digest: str, models_and_claims: str) -> str:
    """Return what stands for a check: the same transcript, claims and models give the same."""
    return f"{digest}:{models_and_claims}"


def report_id(document: str, *, as_of_event: bool) -> str:
    """Return the id of a report of the archive on the shelf.

    Its address stays when it is made again.
    """
    return hashlib.sha256(f"archive {document} {as_of_event}".encode()).hexdigest()[:ID_DIGITS]


def place(transcript: int, number: int) -> int:
    """Return the id of a sentence among all that were ever said."""
    return transcript * MOST_SENTENCES + number


def _say(connection: sa.Connection, number: int, transcript: Transcript) -> None:
    """Store everything said in a transcript, in place of what was stored of it."""
    _forget(connection, number)
    rows = [
        {
            "id": place(number, sent.number),
            "transcript": number,
            "number": sent.number,
            "speaker": sent.speaker or "",
            "start": sent.start,
            "event_date": transcript.event_date,
            "text": sent.text,
        }
        for sent in transcript
    ]
    connection.execute(sentences.insert(), rows)


def found_in(report: Report) -> list[tuple[Sentence, Match]]:
    """Return the matches in the list of a report, folded ones included, but for those of which the opposite is said."""
    found: dict[tuple[int, str], tuple[Sentence, Match]] = {}
    for group in ReportView(report).groups:
        for passage in group.passages:
            for checked, match in passage.matches:
                if match.tier is not None and match.stance is not Stance.CONTRADICTS:
                    found[checked.sentence.number, match.claim.id] = (checked.sentence, match)
    return list(found.values())


def _mention(number: int, sent: Sentence, match: Match) -> dict[str, object]:
    return {
        "sentence": place(number, sent.number),
        "claim_id": match.claim.id,
        "transcript": number,
        "tier": str(match.tier),
        "stance": str(match.stance),
        "statement": match.claim.statement,
    }


def _forget(connection: sa.Connection, number: int) -> None:
    """Delete what was said and found in a transcript."""
    own = sentences.c.id.between(place(number, 0), place(number, MOST_SENTENCES - 1))
    connection.execute(sentences.delete().where(own))
    for table in (mentions, chances, alerts):
        connection.execute(table.delete().where(table.c.transcript == number))


def _remove(connection: sa.Connection, document: str) -> None:
    """Delete a transcript from the archive, with its reports there."""
    number = connection.execute(
        sa.select(transcripts.c.id).where(transcripts.c.document == document)
    ).scalar()
    if number is None:
        return
    _forget(connection, number)
    connection.execute(transcripts.delete().where(transcripts.c.id == number))
    report_store.delete_reports(
        connection, [report_id(document, as_of_event=flag) for flag in (False, True)]
    )
