"""The store of people who have a debate open, so that colleagues know of each other."""

from __future__ import annotations

import time
from collections.abc import Callable

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.schema import LOCAL_ROWS, metadata

PRESENT_FOR_S = 60.0  # a person whose page was open within this time is here
STORED_FOR_S = 3_600.0

presence_table = sa.Table(
    "review_presence",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),  # or live: and the name of an event
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),  # seconds since 1970
    # A restored backup doesn't say who is here now.
    info={LOCAL_ROWS: sa.true()},
)


class PresenceStore(Database):
    """The people who have debates of one database open. Use it in a ``with``, or close it."""

    def note(
        self, document: str, person: str, *, clock: Callable[[], float] = time.time
    ) -> list[str]:
        """Note that a person has a debate open, and return who else has, in alphabetical order.

        People without a name aren't noted.
        """
        now = clock()
        columns = presence_table.c
        if person:
            is_row_of_person = (columns.document == document) & (columns.person == person)
            update = presence_table.update().where(is_row_of_person).values(seen=now)
            with self._writing() as connection:
                updated_count = connection.execute(update).rowcount
                is_first_visit = updated_count == 0
                if is_first_visit:
                    values = {"document": document, "person": person, "seen": now}
                    connection.execute(presence_table.insert(), values)
                is_outdated = columns.seen < now - STORED_FOR_S
                connection.execute(presence_table.delete().where(is_outdated))
        is_other_person = (columns.document == document) & (columns.person != person)
        is_present = columns.seen >= now - PRESENT_FOR_S
        query = sa.select(columns.person).where(is_other_person, is_present)
        with self._reading() as connection:
            people = connection.execute(query).scalars()
            return sorted(people, key=str.casefold)

    def purge(self, document: str) -> None:
        """Forget who had a debate open."""
        with self._writing() as connection:
            of_debate = presence_table.c.document == document
            connection.execute(presence_table.delete().where(of_debate))
