"""Events that people are alerted to, and their fields in words.

A kind of event is a row of ``ALERT_KINDS``. Its texts are data of strangers: what was said, and
the words of publishers. Each form of message shows them as plain text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from assistant.core.access import ascii_lower

LIVE_MATCH = "live-match"
ARCHIVE_MATCH = "archive-match"
REVIEW_CHANGED = "review-changed"
CHECK_ENDED = "check-ended"
MENTION = "mention"
ASSIGNMENT = "assignment"
DIGEST = "digest"
TEST = "test"

# The first line of a message, by kind of event.
ALERT_KINDS: dict[str, str] = {
    LIVE_MATCH: "Strong match in a live event",
    ARCHIVE_MATCH: "A new fact-check matches the archive",
    REVIEW_CHANGED: "A publisher changed a fact-check that you use",
    CHECK_ENDED: "A check has ended",
    MENTION: "A comment mentions a person",
    ASSIGNMENT: "A review was assigned to a person",
    DIGEST: "Yesterday's sentences that a fact-check covers",
}
TEST_HEADLINE = "Test message from Lectern"
# Labels of fields, in the order of a message.
ALERT_FIELD_LABELS: dict[str, str] = {
    "person": "For",
    "by": "From",
    "comment": "Comment",
    "event": "Event",
    "title": "Transcript",
    "speaker": "Speaker",
    "sentence": "Said",
    "statement": "Fact-check",
    "rating": "Rating",
    "publisher": "Publisher",
    "before": "Before",
    "now": "Now",
    "debates": "Debates",
    "result": "Result",
    "note": "Note",
}


@dataclass(frozen=True, slots=True)
class AlertItem:
    """One part of an alert: texts by field, and the address of a fact-check, "" if none."""

    fields: Mapping[str, str]
    address: str = ""


@dataclass(frozen=True, slots=True)
class AlertEvent:
    """An event to tell people about.

    ``key`` names the event among all. ``at``: when it happened, in seconds since 1970. ``owner``:
    the only person that it concerns, "" for everybody who has asked for its kind; the newsroom's
    own channels get it too if ``is_shared``. ``debates``: the documents and live events quoted.
    """

    kind: str
    key: str
    at: float
    items: tuple[AlertItem, ...]
    owner: str = ""
    is_shared: bool = True
    debates: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """Return the first line of a message."""
        return ALERT_KINDS.get(self.kind, TEST_HEADLINE)

    def concerns(self, owner: str) -> bool:
        """Return whether the owner of a channel may be told."""
        if not owner:
            return self.is_shared
        # An account is written in lectern.toml and by its login, perhaps in another case.
        return not self.owner or ascii_lower(self.owner) == ascii_lower(owner)

    def to_json(self) -> str:
        """Return the event as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> AlertEvent:
        """Return the event that ``to_json`` wrote."""
        values: dict[str, Any] = json.loads(text)
        values["items"] = tuple(AlertItem(**item) for item in values["items"])
        values["debates"] = tuple(values["debates"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class AlertMessage:
    """An event on its way to a channel: ``id`` is the same in every attempt."""

    id: str
    event: AlertEvent
    labels: Mapping[str, str] = field(default_factory=lambda: ALERT_FIELD_LABELS)

    def labelled(self, item: AlertItem) -> list[tuple[str, str]]:
        """Return the labels and texts of an item that have a text, in the order of a message."""
        known_fields = [name for name in self.labels if item.fields.get(name)]
        return [(self.labels[name], item.fields[name]) for name in known_fields]
