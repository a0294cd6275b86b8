"""Follows events in background threads of the app's process, so that they go on while pages come and go."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant import pipeline
from assistant.core.errors import SettingsError
from assistant.core.settings import Settings
from assistant.live.engine import Engine
from assistant.live.event import Event, LiveSentence, Outcome, ScoredSentence
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Source
from assistant.live.sentence_checks import Checker
from features.similarity.context_window import Texts


@dataclass
class BackgroundEngines:
    """The engines of this process by event.

    They share the models and the index, which the first check opens.
    """

    settings: Settings
    log: EventLog
    _checker: Checker | None = None
    _engines: dict[str, Engine] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    # Held while the models are opened: pages do not wait for them.
    _opening: threading.Lock = field(default_factory=threading.Lock)

    def start(self, event: Event, source: Source, *, account: str) -> Event:
        """Begin to follow a source for somebody.

        Its lines are stored from now on, and checked once models are loaded.

        Raises: SettingsError if this process follows the event already; StoreError.
        """
        with self._lock:
            if self.follows(event.name):
                raise SettingsError(
                    f"the event {event.name} is already being followed.",
                    remedy="Stop the event first.",
                )
            event = self.log.begin(event, time.time(), who=account)
            engine = Engine(self.log, event, self, sender=account)
            self._engines[event.name] = engine
        engine.follow(source)
        worker = threading.Thread(
            target=engine.work,
            kwargs={"until_done": True},
            name=f"live {event.name}",
            daemon=True,
        )
        worker.start()
        return event

    def follows(self, name: str) -> bool:
        """Return whether this process follows an event."""
        engine = self._engines.get(name)
        return engine is not None and not engine.stop.is_set()

    def ended(self, name: str) -> bool:
        """Return whether this process has followed an event and does so no more."""
        return name in self._engines and not self.follows(name)

    def stop(self, name: str, *, account: str = "") -> None:
        """Stop following an event, as ``account`` asks; what has arrived is stored."""
        if self.follows(name) and account:
            self.log.stopped(name, time.time(), who=account)
        if name in self._engines:
            self._engines[name].close()

    def close(self) -> None:
        """Stop following all events."""
        for name in list(self._engines):
            self.stop(name)

    def checker(self) -> Checker:
        """Return the checker that all events share, opened by the first caller.

        Raises: LecternError.
        """
        with self._opening:
            if self._checker is None:
                self._checker = Checker(pipeline.open_index(self.settings), self.settings.profile)
            return self._checker

    def score_worthiness(
        self, sentences: Sequence[LiveSentence], neighbourhoods: Sequence[Sequence[LiveSentence]]
    ) -> list[ScoredSentence]:
        """Score sentences with the shared checker; an engine calls it in its thread."""
        return self.checker().score_worthiness(sentences, neighbourhoods)

    def check(
        self, event: Event, sentences: Sequence[LiveSentence], windows: Sequence[Texts]
    ) -> list[Outcome]:
        """Check with the shared checker; an engine calls it in its thread."""
        return self.checker().check(event, sentences, windows)

    def refresh(self) -> None:
        """Make new fact-checks of the database searchable, also for events that are being followed.

        Until that is done they use the index they have. Raises: LecternError.
        """
        fresh = replace(self.checker(), index=pipeline.open_index(self.settings))
        with self._opening:
            self._checker = fresh
