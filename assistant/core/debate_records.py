"""Everything stored about a debate, for listing and purging it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date


@dataclass(frozen=True, slots=True)
class StoredDebate:
    """A debate and the records stored about it.

    ``changed_at_s`` is when one of them was last written, in seconds since 1970. A debate is
    identified by the SHA-256 of its file, or, if it was followed live, by the name of its event.
    """

    document: str
    event: str
    title: str
    day: date | None
    changed_at_s: float
    record_counts: dict[str, int] = field(default_factory=dict)  # "reports": 2, ...

    @classmethod
    def of_file(
        cls,
        document: str,
        title: str,
        day: date | None,
        changed_at_s: float,
        record_counts: dict[str, int],
    ) -> StoredDebate:
        """Return a debate that was read from a file, not followed live."""
        return cls(document, "", title, day, changed_at_s, record_counts)

    @property
    def name(self) -> str:
        """Return the name by which a person purges it."""
        return f"live:{self.event}" if self.event else self.document[:16]


def join_records(records: Iterable[StoredDebate]) -> list[StoredDebate]:
    """Return each debate once with all its records, oldest first.

    Decisions on a live event have neither a document nor the event's name: they belong to the event
    with their title and day.
    """
    # False comes before True.
    live_records_first = sorted(records, key=lambda record: not record.event)
    event_by_title_and_day = {}
    for record in live_records_first:
        if record.event:
            event_by_title_and_day[record.title, record.day] = record.event
    debate_by_key: dict[tuple[str, str], StoredDebate] = {}
    for record in live_records_first:
        event = record.event
        names_no_debate = not event and not record.document
        if names_no_debate:
            event = event_by_title_and_day.get((record.title, record.day), record.title)
        debate_key = (record.document, event)
        if debate_key not in debate_by_key:
            debate_by_key[debate_key] = replace(record, event=event, record_counts={})
        debate = debate_by_key[debate_key]
        debate_by_key[debate_key] = replace(
            debate,
            changed_at_s=max(debate.changed_at_s, record.changed_at_s),
            record_counts=dict(Counter(debate.record_counts) + Counter(record.record_counts)),
        )
    return sorted(debate_by_key.values(), key=lambda debate: (debate.changed_at_s, debate.name))
