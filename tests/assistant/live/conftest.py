"""A log of live events in a database of its own."""

import pytest

from assistant.live.event_log import EventLog
from tests.assistant.live.following import EVENT


@pytest.fixture
def log(tmp_path):
    with EventLog.open(f"sqlite:///{tmp_path / 'live.db'}") as opened:
        opened.begin(EVENT, 1000.0)
        yield opened
