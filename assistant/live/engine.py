"""The engine that follows an event.

It stores the lines of the sources and checks the sentences that wait in the log.

Each source has a thread that stores its lines as they come; one worker checks what waits. The
queue in memory is bounded and drops nothing, because what does not fit waits in the log. Where
sentences come faster than they are checked, the most check-worthy go first.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assistant.core.errors import LecternError, StoreError
from assistant.live.event import Event, LiveSentence, Outcome, ScoredSentence
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Arrival, Source, cleaned
from features.similarity.context_window import LIVE, Texts, Window

QUEUE_LENGTH = 256  # sentences in memory that wait to be checked
SENTENCES_PER_PASS = (
    5  # sentences checked in one pass: a burst is over sooner, and nobody waits long for it
)
PASSAGE_WINDOW = Window(
    before=8, after=8
)  # sentences of the talk in which the passage of a new one is looked for
ENGINE_POLL_S = (
    0.2  # how often the log is asked for text that no longer changes, when nothing arrives
)
HEARTBEAT_S = 2.0
DATABASE_RETRY_S = (0.1, 0.5, 2.0, 5.0)  # while the database is busy, say with an import
ENGINE_LOGGER = logging.getLogger("lectern.live")


class SentenceChecker(Protocol):
    """A checker of sentences, or an object that sifts and checks like it."""

    def sift(
        self,
        sentences: Sequence[LiveSentence],
        talks: Sequence[Sequence[LiveSentence]],
    ) -> list[ScoredSentence]:
        """Return each sentence with its check-worthiness, and with its outcome if it is dropped."""
        ...

    def check(
        self,
        event: Event,
        sentences: Sequence[LiveSentence],
        windows: Sequence[Texts],
    ) -> list[Outcome]:
        """Return the outcome of each sentence, its matches ranked."""
        ...


@dataclass
class Engine:
    """Follows one event.

    ``on_result`` is called with every outcome once it is stored, ``on_warning`` with a source and
    what is wrong with it. ``by``: the account that follows it, which sends what no other sender is known for.
    """

    log: EventLog
    event: Event
    checker: SentenceChecker
    on_result: Callable[[LiveSentence, Outcome], None] = lambda sentence, outcome: None
    on_warning: Callable[[str, str], None] = lambda source, text: None
    clock: Callable[[], float] = time.time
    by: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    _news: threading.Event = field(default_factory=threading.Event)
    _queue: dict[int, tuple[LiveSentence, float]] = field(default_factory=dict)
    _threads: list[threading.Thread] = field(default_factory=list)
    _open_sources: int = 0  # sources that still send
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last_beat_s: float = 0.0

    def take(self, source: str, arrival: Arrival, *, by: str = "") -> int:
        """Store what arrived; return how many sentences are new or changed.

        Raises: StoreError, nothing is stored.

        ``by``: who sent it, if not who follows the event.
        """
        arrival = cleaned(arrival)
        if arrival.warning:
            self.log.warn(self.event.name, source, arrival.warning, now=self.clock())
            self.on_warning(source, arrival.warning)
        changed = 0
        if arrival.lines or arrival.cursor is not None:
            changed = self.log.store_lines(
                self.event.name,
                source,
                arrival.lines,
                now=self.clock(),
                cursor=arrival.cursor,
                by=by or self.by,
                unheard_s=arrival.unheard,
            )
        if changed:
            self._news.set()
        return changed

    def follow(self, source: Source) -> None:
        """Follow a source in a thread, from its stored cursor, until it ends or the engine stops."""
        with self._lock:
            self._open_sources += 1
        thread = threading.Thread(
            target=self._follow, args=(source,), name=f"live {source.name}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def run(self, *, until_done: bool = False) -> None:
        """Check what waits until ``stop`` is set.

        With ``until_done``, also until every source has ended and all is
        checked.
        """
        while not self.stop.is_set():
            self._news.clear()
            if self._step_unless_locked():
                continue
            with self._lock:
                sources_have_ended = self._open_sources == 0
            if until_done and sources_have_ended and self._all_are_checked():
                return
            self._news.wait(ENGINE_POLL_S)

    def _all_are_checked(self) -> bool:
        sentences = self.log.sentences(self.event.name)
        return all(sentence.checked is not None for sentence in sentences)

    def work(self, *, until_done: bool = False) -> None:
        """Run as the target of a thread.

        An error that ends it is shown on the board, since no caller sees it.
        """
        try:
            self.run(until_done=until_done)
        except LecternError as error:
            self._report_end("checks", str(error))
        except Exception as error:  # lines are still stored, and are checked after the next start
            ENGINE_LOGGER.exception("the checks of %s ended", self.event.name)
            self._report_end(
                "checks",
                f"an error in Lectern ({type(error).__name__}: {error}); nothing is checked now",
            )
        finally:
            if until_done:
                self.stop.set()

    def close(self) -> None:
        """Stop, and wait for the sources to end."""
        self.stop.set()
        self._news.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def step(self) -> bool:
        """Score new sentences, and check the most check-worthy ones.

        Return whether there was anything to do.
        """
        self._beat()
        waiting = self.log.waiting(self.event.name, now=self.clock(), limit=QUEUE_LENGTH)
        waiting_by_id = {sentence.id: sentence for sentence in waiting}
        # The queue holds scored sentences by id, each with its check-worthiness.
        for sentence_id, (sentence, _) in list(self._queue.items()):
            if waiting_by_id.get(sentence_id) != sentence:
                del self._queue[sentence_id]  # its text has changed, or it is gone
        new = [sentence for sentence in waiting if sentence.id not in self._queue]
        for scored in self._score_new(new):
            if scored.dropped:
                self._store(scored.sentence, scored.dropped)
            else:
                self._queue[scored.sentence.id] = (scored.sentence, scored.worthiness)
            if scored.recalled:
                self.log.recall(scored.recalled, now=self.clock())
        best = self._best_of_queue()
        for sentence, outcome in zip(best, self._check_sentences(best), strict=True):
            self._store(sentence, outcome)
        for sentence in best:
            self._queue.pop(sentence.id, None)
        return bool(new or self._queue)

    def _best_of_queue(self) -> list[LiveSentence]:
        """Return the most check-worthy sentences of the queue, as many as one pass takes."""

        def order(entry: tuple[LiveSentence, float]) -> tuple[float, int]:
            sentence, worthiness = entry
            return -worthiness, sentence.id

        best_first = sorted(self._queue.values(), key=order)
        return [sentence for sentence, _ in best_first[:SENTENCES_PER_PASS]]

    def _step_unless_locked(self) -> bool:
        try:
            return self.step()
        except StoreError as error:  # another process is writing: what waits is safe in the log
            self.on_warning("database", f"{error} Trying again.")
            self.stop.wait(DATABASE_RETRY_S[1])
            return True

    def _score_new(self, new: Sequence[LiveSentence]) -> list[ScoredSentence]:
        if not new:
            return []
        talks = [self.log.talk(sentence, PASSAGE_WINDOW) for sentence in new]
        return self.checker.sift(new, talks)

    def _check_sentences(self, sentences: Sequence[LiveSentence]) -> list[Outcome]:
        if not sentences:
            return []
        windows = []
        try:
            for sentence in sentences:
                window = self.log.talk(sentence, LIVE)
                windows.append(tuple(neighbour.text for neighbour in window))
            return self.checker.check(self.event, sentences, windows)
        except LecternError:
            raise  # no model, no index: nothing can be checked
        except Exception as error:
            # One sentence must end neither the event nor the checks of the others.
            if len(sentences) > 1:
                outcomes = []
                for sentence in sentences:
                    outcomes += self._check_sentences([sentence])
                return outcomes
            ENGINE_LOGGER.exception(
                "sentence %d of %s failed", sentences[0].number, self.event.name
            )
            return [Outcome(0.0, False, f"could not be checked ({type(error).__name__}: {error})")]

    def _store(self, sentence: LiveSentence, outcome: Outcome) -> None:
        if self.log.store_outcome(sentence, outcome, now=self.clock()):
            self.on_result(sentence, outcome)

    def _beat(self) -> None:
        now = self.clock()
        is_recent = 0 <= now - self._last_beat_s < HEARTBEAT_S  # not if the clock was set back
        if not is_recent:
            self._last_beat_s = now
            self.log.beat(self.event.name, now=now)

    def _follow(self, source: Source) -> None:
        try:
            cursor = self.log.cursor(self.event.name, source.name)
            for arrival in source.follow(cursor, self.stop):
                self._take_with_retries(source.name, arrival)
        except LecternError as error:
            self._report_end(source.name, str(error))
        except Exception as error:  # a fault of one source must not end the others
            ENGINE_LOGGER.exception("source %s failed", source.name)
            self._report_end(
                source.name,
                f"an error in Lectern ({type(error).__name__}: {error}); the source has ended",
            )
        finally:
            with self._lock:
                self._open_sources -= 1
            self._news.set()

    def _take_with_retries(self, source: str, arrival: Arrival) -> None:
        """Store what arrived, trying again while another process is writing.

        Nothing is dropped.
        """
        failures = 0
        while True:
            try:
                self.take(source, arrival)
                return
            except StoreError as error:
                self.on_warning(source, f"{error} Trying again.")
                # The pauses get longer; the last one is repeated.
                pause_index = min(failures, len(DATABASE_RETRY_S) - 1)
                must_stop = self.stop.wait(DATABASE_RETRY_S[pause_index])
                if must_stop:
                    return  # its cursor was not stored either: it comes again after the next start
                failures += 1

    def _report_end(self, source: str, text: str) -> None:
        self.on_warning(source, text)
        try:
            self.log.warn(self.event.name, source, text, now=self.clock())
        except StoreError:
            ENGINE_LOGGER.exception("the end of source %s could not be noted", source)
