"""The events that this process follows by itself, for the app: they go on while pages come and go."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace

from assistant import pipeline
from assistant.ground.errors import SettingsError
from assistant.ground.settings import Settings
from assistant.live.checking import Checker
from assistant.live.engine import Engine
from assistant.live.event import Event
from assistant.live.line import Source
from assistant.live.log import EventLog


@dataclass
class Studio:
    """Follows events in threads. The models and the index are opened with the first event, and shared."""

    settings: Settings
    log: EventLog
    _checker: Checker | None = None
    _engines: dict[str, Engine] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _opening: threading.Lock = field(default_factory=threading.Lock)  # of the models: pages do not wait for them

    def start(self, event: Event, source: Source) -> Event:
        """Begin to follow a source; lines are stored from now on, and checked once the models are there.

        Raises: SettingsError if this process follows the event already; StoreError.
        """
        with self._lock:
            if event.name in self._engines and not self._engines[event.name].stop.is_set():
                raise SettingsError(f"{event.name} is being followed already.", remedy="Stop it first.")
            event = self.log.begin(event, time.time())
            engine = self._engines[event.name] = Engine(self.log, event, _Later(self))
        engine.follow(source)
        work = {"until_done": True}
        threading.Thread(target=engine.work, kwargs=work, name=f"live {event.name}", daemon=True).start()
        return event

    def follows(self, name: str) -> bool:
        """Return whether this process follows an event."""
        engine = self._engines.get(name)
        return engine is not None and not engine.stop.is_set()

    def stop(self, name: str) -> None:
        """Stop to follow an event; what came is stored."""
        engine = self._engines.get(name)
        if engine:
            engine.close()

    def close(self) -> None:
        """Stop to follow all events."""
        for name in list(self._engines):
            self.stop(name)

    def checker(self) -> Checker:
        """Return the checker that all events share, opened when it is first asked for. Raises: LecternError."""
        with self._opening:
            if self._checker is None:
                self._checker = Checker(pipeline.open_index(self.settings), self.settings.profile)
            return self._checker

    def refresh(self) -> None:
        """Make what the database has by now searchable, for the events too that are followed here already.

        Until it is, they go on with what they have. Raises: LecternError.
        """
        checker = self.checker()
        fresh = replace(checker, index=pipeline.open_index(self.settings))
        with self._opening:
            self._checker = fresh


@dataclass(frozen=True)
class _Later:
    """A checker that is opened in the thread that first needs it."""

    studio: Studio

    def sift(self, spots):
        return self.studio.checker().sift(spots)

    def check(self, event, spots, windows):
        return self.studio.checker().check(event, spots, windows)
