"""One process that follows an event: sources in, results out, the log between them.

Lines are stored as they come, in the thread of their source; one worker checks what the log says is waiting. The queue
in memory is bounded and sheds nothing, because what does not fit waits in the log. Where sentences come faster than
they are checked, the most check-worthy go first.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assistant.ground.errors import LecternError, StoreError
from assistant.live.event import Event, Found, Spot
from assistant.live.line import Arrival, Source
from assistant.live.log import EventLog

QUEUE = 256  # sentences in memory that wait to be checked
TOGETHER = 5  # of those that wait are checked in one pass: a burst is over sooner, and nobody waits long for it
REST_S = 0.2  # how often waiting text is looked at when nothing arrives
BEAT_S = 2.0
RETRY_S = (0.1, 0.5, 2.0, 5.0)  # while the database is busy, say with an import
LOG = logging.getLogger("lectern.live")


class Checks(Protocol):
    """What an engine needs of a checker."""

    def sift(self, spots: Sequence[Spot]) -> list[tuple[Spot, float, Found | None]]:
        """Return each sentence with its check-worthiness, and what is found of those that are dropped."""
        ...

    def check(self, event: Event, spots: Sequence[Spot], windows: Sequence[str]) -> list[Found]:
        """Return what is found for each sentence; ``windows``: each with what was said just before it."""
        ...


@dataclass
class Engine:
    """Follows one event. ``on_result(spot, found)`` is told of every result after it is stored, ``on_warning`` of
    what is wrong with a source."""

    log: EventLog
    event: Event
    checker: Checks
    on_result: Callable[[Spot, Found], None] = lambda spot, found: None
    on_warning: Callable[[str, str], None] = lambda source, text: None
    clock: Callable[[], float] = time.time
    stop: threading.Event = field(default_factory=threading.Event)
    _news: threading.Event = field(default_factory=threading.Event)
    _queue: dict[int, tuple[Spot, float]] = field(default_factory=dict)
    _threads: list[threading.Thread] = field(default_factory=list)
    _open: int = 0  # sources that still send
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _beaten: float = 0.0

    def take(self, source: str, came: Arrival) -> int:
        """Store what arrived; return how many sentences are new or changed. Raises: StoreError, nothing is stored."""
        if came.warning:
            self.log.warn(self.event.name, source, came.warning, now=self.clock())
            self.on_warning(source, came.warning)
        changed = 0
        if came.lines or came.cursor is not None:
            changed = self.log.take(self.event.name, source, came.lines, now=self.clock(), cursor=came.cursor)
        if changed:
            self._news.set()
        return changed

    def follow(self, source: Source) -> None:
        """Follow a source in a thread of its own, from where it stood, until it ends or the engine stops."""
        with self._lock:
            self._open += 1
        thread = threading.Thread(target=self._follow, args=(source,), name=f"live {source.name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def run(self, *, until_done: bool = False) -> None:
        """Check what is waiting until ``stop`` is set; with ``until_done``, until every source has ended and nothing
        waits any more."""
        while not self.stop.is_set():
            self._news.clear()
            busy = self._patient_step()
            with self._lock:
                over = until_done and not self._open
            if not busy and over and not self.log.health(self.event.name, now=self.clock()).waiting:
                if not self._unsettled():
                    return
            if not busy:
                self._news.wait(REST_S)

    def work(self, *, until_done: bool = False) -> None:
        """Run in a thread of its own: what ends it is told of on the board, for nobody waits for the thread."""
        try:
            self.run(until_done=until_done)
        except LecternError as error:
            self._end("checks", str(error))
        except Exception as error:  # lines are still stored, and are checked after the next start
            LOG.exception("the checks of %s ended", self.event.name)
            self._end("checks", f"an error of Lectern's own ({type(error).__name__}: {error}); nothing is checked now")
        finally:
            if until_done:
                self.stop.set()

    def close(self) -> None:
        """Stop, and wait for the sources to let go."""
        self.stop.set()
        self._news.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def step(self) -> bool:
        """Do a piece of work: sift what is new, check the most check-worthy ones. Return whether there was any."""
        self._beat()
        waiting = {s.id: s for s in self.log.waiting(self.event.name, now=self.clock(), limit=QUEUE)}
        for spot_id in [i for i, (spot, _) in self._queue.items() if waiting.get(i) != spot]:
            del self._queue[spot_id]  # it reads otherwise now, or is gone
        new = [spot for i, spot in waiting.items() if i not in self._queue]
        dropped = []
        for spot, worth, out in self.checker.sift(new) if new else ():
            if out:
                dropped.append((spot, out))
            else:
                self._queue[spot.id] = spot, worth
        self._keep(dropped)
        if self._queue:
            best = sorted(self._queue.values(), key=lambda entry: (-entry[1], entry[0].id))[:TOGETHER]
            chosen = [spot for spot, _ in best]
            self._keep(list(zip(chosen, self._checked(chosen), strict=True)))
            for spot in chosen:
                self._queue.pop(spot.id, None)
        return bool(new or self._queue)

    def _patient_step(self) -> bool:
        try:
            return self.step()
        except StoreError as error:  # another process holds the database: what waits, waits in it
            self.on_warning("database", f"{error} Trying again.")
            self.stop.wait(RETRY_S[1])
            return True

    def _checked(self, chosen: Sequence[Spot]) -> list[Found]:
        try:
            windows = [self.log.window(spot) for spot in chosen]
            return self.checker.check(self.event, chosen, windows)
        except LecternError:
            raise  # no model, no index: nothing can be checked
        except Exception as error:  # one sentence must not end the night, nor those that are checked with it
            if len(chosen) > 1:
                return [found for spot in chosen for found in self._checked([spot])]
            LOG.exception("sentence %d of %s failed", chosen[0].number, self.event.name)
            return [Found(0.0, False, f"could not be checked ({type(error).__name__}: {error})")]

    def _keep(self, found: list[tuple[Spot, Found]]) -> None:
        """Store results, then tell of them."""
        if not found:
            return
        for spot, got in found:
            if self.log.store([(spot, got)], now=self.clock()):
                self.on_result(spot, got)

    def _unsettled(self) -> bool:
        """Return whether text still waits to be stable."""
        return any(spot.checked is None for spot in self.log.spots(self.event.name))

    def _beat(self) -> None:
        now = self.clock()
        if now - self._beaten >= BEAT_S:
            self._beaten = now
            self.log.beat(self.event.name, now=now)

    def _follow(self, source: Source) -> None:
        try:
            cursor = self.log.cursor(self.event.name, source.name)
            for came in source.follow(cursor, self.stop):
                self._patiently(source.name, came)
        except LecternError as error:
            self._end(source.name, str(error))
        except Exception as error:  # one source's own fault must not end the others
            LOG.exception("source %s failed", source.name)
            self._end(source.name, f"an error of Lectern's own ({type(error).__name__}: {error}); the source has ended")
        finally:
            with self._lock:
                self._open -= 1
            self._news.set()

    def _patiently(self, source: str, came: Arrival) -> None:
        """Store what arrived, again and again while another process holds the database; nothing is dropped."""
        tried = 0
        while True:
            try:
                self.take(source, came)
                return
            except StoreError as error:
                self.on_warning(source, f"{error} Trying again.")
                if self.stop.wait(RETRY_S[min(tried, len(RETRY_S) - 1)]):
                    return  # its cursor was not stored either: it comes again after the next start
                tried += 1

    def _end(self, source: str, text: str) -> None:
        self.on_warning(source, text)
        try:
            self.log.warn(self.event.name, source, text, now=self.clock())
        except StoreError:
            LOG.exception("the end of source %s could not be noted", source)
