"""The store of assignments: a debate, or some of its matches, that a person is to review."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa

from assistant.core import audit
from assistant.core.access import ascii_lower
from assistant.core.audit import AuditEntry
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.errors import ReviewError
from assistant.core.schema import metadata
from assistant.review.decision_store import Anchor, may_be_of_debate

ID_BYTES = 12
MAX_ASSIGNMENTS_PER_DEBATE = 200

assignments_table = sa.Table(
    "review_assignments",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("made", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("matches", sa.Text, nullable=False),  # JSON, "" for the whole debate
    sa.Index("review_assignments_document", "document"),
    sa.Index("review_assignments_made", "made"),
)


@dataclass(frozen=True, slots=True)
class AssignedMatch:
    """A match to be reviewed: its sentence and its fact-check."""

    number: int
    text: str
    claim_id: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """A debate, or some of its matches, for a person.

    ``matches`` are those that the list showed, None for the whole debate. ``made``: seconds since
    1970.
    """

    id: str
    document: str
    title: str
    event_date: date | None
    person: str
    by: str
    made: float
    matches: tuple[AssignedMatch, ...] | None = None

    @property
    def anchor(self) -> Anchor:
        """Return the transcript that it is about, without a sentence."""
        return transcript_anchor(self.document, self.title, self.event_date)

    def is_for(self, person: str) -> bool:
        """Return whether it is for a person. Letters from A to Z count without their case."""
        return bool(person) and ascii_lower(self.person) == ascii_lower(person)


def transcript_anchor(document: str, title: str, event_date: date | None) -> Anchor:
    """Return a transcript as an anchor without a sentence."""
    # All fields about a sentence and its fact-check are empty: the whole transcript is meant.
    return Anchor(
        document=document,
        title=title,
        event_date=event_date,
        number=0,
        speaker="",
        start=None,
        text="",
        text_before="",
        text_after="",
        claim_id="",
        statement="",
        made_with="",
        match="",
    )


class AssignmentStore(Database):
    """The assignments of one database. Use it in a ``with``, or close it."""

    def add(
        self,
        transcript: Anchor,
        person: str,
        by: str,
        matches: Iterable[AssignedMatch] | None = None,
    ) -> Assignment:
        """Assign a transcript, or some of its matches, to a person, and return the assignment.

        Raises: ReviewError if a name or a match is missing, or the debate has too many.
        """
        if not by.strip():
            raise ReviewError("an assignment needs your name.", remedy="Enter your name first.")
        if not person.strip():
            raise ReviewError("no person was chosen for the assignment.", remedy="Choose a person.")
        # Without a list of matches, the whole debate is assigned.
        assigned = None if matches is None else tuple(matches)
        has_empty_list = assigned == ()
        if has_empty_list:
            raise ReviewError(
                "the list contains no matches to assign.", remedy="Change the filters of the list."
            )
        assignment = Assignment(
            id=secrets.token_hex(ID_BYTES),
            document=transcript.document,
            title=transcript.title,
            event_date=transcript.event_date,
            person=person.strip(),
            by=by,
            made=time.time(),
            matches=assigned,
        )
        same_document = assignments_table.c.document == assignment.document
        with self._writing() as connection:
            counted = sa.select(sa.func.count()).select_from(assignments_table)
            total = connection.execute(counted.where(same_document)).scalar_one()
            if total >= MAX_ASSIGNMENTS_PER_DEBATE:
                message = f"this debate already has {MAX_ASSIGNMENTS_PER_DEBATE} assignments."
                raise ReviewError(message, remedy="Remove an assignment first.")
            connection.execute(assignments_table.insert(), _column_values(assignment))
            entry = AuditEntry(assignment.made, by, "assign", assignment.document[:16])
            audit.store_entry(connection, entry)
        return assignment

    def remove(self, assignment_id: str, by: str) -> None:
        """Delete an assignment, if it is still there."""
        has_id = assignments_table.c.id == assignment_id
        query = sa.select(assignments_table.c.document).where(has_id)
        with self._writing() as connection:
            document = connection.execute(query).scalar()
            if document is None:
                return
            connection.execute(assignments_table.delete().where(has_id))
            # The activity log names a debate by the beginning of its digest.
            about = document[:16]
            audit_entry = AuditEntry(time.time(), by, "assign", about, outcome="removed")
            audit.store_entry(connection, audit_entry)

    def of_debate(self, document: str, title: str, event_date: date | None) -> list[Assignment]:
        """Return the assignments on a file, given by its SHA-256, and on others of its debate.

        Oldest first. See ``may_be_of_debate``.
        """
        condition = may_be_of_debate(assignments_table.c, document, title, event_date)
        return self._read_assignments(condition)

    def all(self) -> list[Assignment]:
        """Return all assignments, oldest first."""
        return self._read_assignments(sa.true())

    def of_person(self, person: str) -> list[Assignment]:
        """Return the assignments of a person, oldest first."""
        return [assignment for assignment in self.all() if assignment.is_for(person)]

    def since(self, moment: float) -> list[Assignment]:
        """Return the assignments made since a time, oldest first."""
        return self._read_assignments(assignments_table.c.made >= moment)

    def people(self) -> list[str]:
        """Return everybody who has assigned something, or to whom something is assigned."""
        columns = assignments_table.c
        with self._reading() as connection:
            assignees = connection.execute(sa.select(columns.person).distinct()).scalars().all()
            authors = connection.execute(sa.select(columns.by).distinct()).scalars().all()
        return sorted({*assignees, *authors})

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts with assignments."""
        columns = assignments_table.c
        transcript_columns = (columns.document, columns.title, columns.event_date)
        newest_time = sa.func.max(columns.made)
        query = sa.select(*transcript_columns, newest_time, sa.func.count())
        query = query.group_by(*transcript_columns)
        with self._reading() as connection:
            debate_rows = connection.execute(query).all()
        debates = []
        for document, title, day, changed_at_s, assignment_count in debate_rows:
            record_counts = {"assignments": assignment_count}
            debates.append(StoredDebate.of_file(document, title, day, changed_at_s, record_counts))
        return debates

    def purge(self, debate: StoredDebate) -> None:
        """Delete the assignments of a transcript, for a live event by title and day."""
        columns = assignments_table.c
        is_of_debate = columns.document == debate.document
        # A live event has no file, so "" as document: its title and its day tell it apart.
        if not debate.document:
            is_of_debate &= columns.title == debate.title
            is_of_debate &= columns.event_date.is_not_distinct_from(debate.day)
        with self._writing() as connection:
            connection.execute(assignments_table.delete().where(is_of_debate))

    def _read_assignments(self, condition: sa.ColumnElement[bool]) -> list[Assignment]:
        columns = assignments_table.c
        query = sa.select(assignments_table).where(condition)
        with self._reading() as connection:
            records = connection.execute(query.order_by(columns.made, columns.id)).all()
        return [_assignment_in_row(record) for record in records]


def _column_values(assignment: Assignment) -> dict[str, Any]:
    """Return the column values of an assignment."""
    # The other fields of an assignment have the names of their columns.
    names = [column.name for column in assignments_table.columns if column.name != "matches"]
    values = {name: getattr(assignment, name) for name in names}
    # Matches are stored as JSON; "" stands for the whole debate.
    values["matches"] = ""
    if assignment.matches is not None:
        match_values = [[match.number, match.text, match.claim_id] for match in assignment.matches]
        values["matches"] = json.dumps(match_values, ensure_ascii=True)
    return values


def _assignment_in_row(record: sa.Row[Any]) -> Assignment:
    values = dict(record._mapping)
    stored_matches = values.pop("matches")
    matches = None
    if stored_matches:
        matches = tuple(AssignedMatch(*triple) for triple in json.loads(stored_matches))
    return Assignment(**values, matches=matches)
