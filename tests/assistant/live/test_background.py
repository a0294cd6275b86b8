"""The events that the app follows.

They find what is added to the database while they are followed.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from assistant.claims import manual_entry
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.audit import AuditLog
from assistant.core.errors import SettingsError
from assistant.live.background import BackgroundEngines
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Arrival, Line
from tests.assistant.live.following import senders
from tests.assistant.test_pipeline import CLAIMS

SAID = "The new harbor bridge of our city cost four hundred million dollars."


@dataclass
class Twice:
    """A source that sends the same sentence twice, the second time when ``again`` is set."""

    again: threading.Event = field(default_factory=threading.Event)
    name: str = "test"

    def follow(self, cursor, stop):
        yield Arrival((Line("test", "1", SAID, "RIVERA"),))
        self.again.wait(240)
        yield Arrival((Line("test", "2", SAID, "RIVERA"),))


@pytest.fixture
def engines(tmp_path):
    loaded_settings = settings.load(home=str(tmp_path), environ={})
    with ClaimStore.open(loaded_settings.database) as store:
        store.upsert(CLAIMS, source="test")
    with closing(EventLog.open(loaded_settings.database)) as log:
        background = BackgroundEngines(loaded_settings, log)
        yield background
        background.close()


def checked(engines, number):
    end = time.monotonic() + 240
    while time.monotonic() < end:
        sentences = engines.log.sentences("city")
        if len(sentences) >= number and sentences[number - 1].checked:
            return sentences[number - 1]
        time.sleep(0.05)
    raise AssertionError("it was not checked")


def test_a_note_is_found_by_an_event_that_is_followed_already(engines):
    """Sentences checked before stay as they were; the same words afterwards match the note."""
    source = Twice()
    note = manual_entry.from_note(
        "The new harbor bridge cost $400 million.", about="Budget of 2023, p. 4."
    )
    engines.start(Event("city", "City debate"), source, account="ada")
    early_results = checked(engines, 1)

    with ClaimStore.open(engines.settings.database) as store:
        store.upsert([note], source="own notes")
    engines.refresh()
    source.again.set()

    assert note.id == checked(engines, 2).claim != early_results.claim


def test_an_event_is_followed_once(engines):
    """Two pages that start it at once do not make it twice."""
    source = Twice()
    engines.start(Event("city", "City debate"), source, account="ada")

    with pytest.raises(SettingsError, match="already being followed"):
        engines.start(Event("city", "City debate"), Twice(), account="ben")

    source.again.set()


def test_an_event_carries_the_accounts_of_those_who_follow_stop_and_send(engines):
    """Each in the log of what people do; the line itself says who sent it."""
    source = Twice()
    engines.start(Event("city", "City debate"), source, account="ada")
    checked(engines, 1)
    source.again.set()
    engines.stop("city", account="ben")

    with AuditLog.open(engines.settings.database) as audit:
        noted = [(entry.who, entry.what, entry.about) for entry in audit.newest(9)]
    assert noted == [
        ("ben", "stop following", "live:city"), ("ada", "send lines", "live:city"), ("ada", "follow", "live:city"),
    ]  # fmt: skip
    assert set(senders(engines.log).values()) == {"ada"}
