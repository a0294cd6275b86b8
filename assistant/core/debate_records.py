"""What is kept of a debate, by whichever room.

The terms in which debates are listed and purged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date


@dataclass(frozen=True, slots=True)
class Debate:
    """A debate and what is kept of it.

    ``newest`` is when something of it was last written, in seconds since 1970.

    It is known by the SHA-256 of its file, or, if it was followed live, by the name of its event.
    """

    document: str
    event: str
    title: str
    day: date | None
    newest: float
    kept: dict[str, int] = field(default_factory=dict)  # "reports": 2, ...

    @property
    def name(self) -> str:
        """Return the name by which a person purges it."""
        return f"live:{self.event}" if self.event else self.document[:16]


def joined(parts: Iterable[Debate]) -> list[Debate]:
    """Return each debate once with all that is kept of it, the oldest first.

    What was decided on a live event has neither a document nor the event's name: it is the event
    of its title and day.
    """
    parts = sorted(parts, key=lambda part: not part.event)
    events = {(part.title, part.day): part.event for part in parts if part.event}
    found: dict[tuple[str, str], Debate] = {}
    for part in parts:
        event = part.event or (
            "" if part.document else events.get((part.title, part.day), part.title)
        )
        first = found.setdefault((part.document, event), replace(part, event=event, kept={}))
        kept = dict(Counter(first.kept) + Counter(part.kept))
        found[part.document, event] = replace(
            first, newest=max(first.newest, part.newest), kept=kept
        )
    return sorted(found.values(), key=lambda debate: (debate.newest, debate.name))
