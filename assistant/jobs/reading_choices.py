"""A person's choices about how a transcript is read, stored for the next file of the same shape.

The shape of a choice about a label is the format of the file: an accepted or refused label is used
again in every file of that format that has the label. The shape of a new name is the format with
all labels of the file, because the same surname in another company may be another person. A role
has the same shape.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.schema import metadata
from assistant.jobs.tables import counted_by_document

SHAPE_DIGEST_LENGTH = 16  # hexadecimal digits
choices_table = sa.Table(
    "desk_reading_choices",
    metadata,
    sa.Column("shape", sa.Text, primary_key=True),
    sa.Column("label", sa.Text, primary_key=True),  # as the file writes it
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("new_name", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),  # SHA-256 of the file of the choice
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970
)


class LabelVerdict(StrEnum):
    """A person's verdict on a label."""

    SPEAKER = "speaker"
    NOT_A_SPEAKER = "not a speaker"
    RENAMED = "renamed"
    ROLE = "role"


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """A verdict on a label, and the file that it was made for.

    The names of the fields are the columns of the table. A renamed label has a ``new_name``; the
    new name "" says that the speaker is unknown. For a role, ``new_name`` is the role.
    """

    shape: str
    label: str
    verdict: LabelVerdict
    new_name: str = ""
    document: str = ""
    title: str = ""
    event_date: date | None = None
    by: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class TranscriptShape:
    """The format of a file, and the labels that it has without any choice."""

    format_name: str
    labels: tuple[str, ...]

    @property
    def with_labels(self) -> str:
        """Return the shape of new names: the format with a digest of all labels."""
        sorted_labels = sorted(set(self.labels))
        digest = sha256("\n".join(sorted_labels).encode()).hexdigest()
        return f"{self.format_name}:{digest[:SHAPE_DIGEST_LENGTH]}"

    @property
    def with_roles(self) -> str:
        """Return the shape of roles: a label may have both a role and a new name."""
        return f"{self.with_labels}:roles"


class ReadingChoiceStore(Database):
    """The reading choices of one database. Use it in a ``with``, or close it."""

    def fitting(self, shape: TranscriptShape) -> list[ReadingChoice]:
        """Return the choices for a file of this shape, by label.

        Choices for the whole format fit only if the file has their label.
        """
        shape_names = (shape.format_name, shape.with_labels, shape.with_roles)
        query = (
            sa.select(choices_table)
            .where(choices_table.c.shape.in_(shape_names))
            .order_by(choices_table.c.label, choices_table.c.shape)
        )
        shown_labels = set(shape.labels)
        choices = []
        with self._reading() as connection:
            for stored_row in connection.execute(query):
                fields = dict(stored_row._mapping)
                is_for_whole_format = fields["shape"] == shape.format_name
                if fields["label"] in shown_labels or not is_for_whole_format:
                    fields["verdict"] = LabelVerdict(fields["verdict"])
                    choices.append(ReadingChoice(**fields))
        return choices

    def replace(self, shape: TranscriptShape, choices: Sequence[ReadingChoice]) -> None:
        """Store the choices for a file of this shape instead of the earlier ones for its labels."""
        earlier = self.fitting(shape)
        with self._writing() as connection:
            _delete(connection, [*earlier, *choices])
            for choice in choices:
                connection.execute(choices_table.insert().values(**asdict(choice)))

    def forget(self, choices: Collection[ReadingChoice]) -> None:
        """Delete choices, so that the next file is read without them."""
        with self._writing() as connection:
            _delete(connection, choices)

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts with stored choices."""
        with self._reading() as connection:
            return counted_by_document(connection, choices_table, "reading choices")

    def purge(self, document: str) -> None:
        """Delete the choices that were made for a transcript."""
        query = choices_table.delete().where(choices_table.c.document == document)
        with self._writing() as connection:
            connection.execute(query)


def _delete(connection: sa.Connection, choices: Collection[ReadingChoice]) -> None:
    for choice in choices:
        query = choices_table.delete().where(
            choices_table.c.shape == choice.shape, choices_table.c.label == choice.label
        )
        connection.execute(query)
