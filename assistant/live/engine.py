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
# Sentences checked in one pass: a burst is over sooner, and nobody waits long for it.
SENTENCES_PER_PASS = 5
# Neighbours among which the passage of a new sentence is looked for
PASSAGE_WINDOW = Window(before=8, after=8)
# How often the log is asked for text that no longer changes, when nothing arrives
ENGINE_POLL_S = 0.2
HEARTBEAT_S = 2.0  # how often the log is told that the engine works
DATABASE_RETRY_S = (0.1, 0.5, 2.0, 5.0)  # while the database is busy, say with an import
CHECK_RETRY_S = 0.5
ENGINE_LOGGER = logging.getLogger("lectern.live")


class SentenceChecker(Protocol):
    """A checker of sentences, or an object that scores and checks like it."""

    def score_worthiness(
        self,
        sentences: Sequence[LiveSentence],
        neighbourhoods: Sequence[Sequence[LiveSentence]],
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
    what is wrong with it. ``sender``: the account that follows it, which sends all lines for which
    no other sender is known.
    """

    log: EventLog
    event: Event
    checker: SentenceChecker
    on_result: Callable[[LiveSentence, Outcome], None] = lambda sentence, outcome: None
    on_warning: Callable[[str, str], None] = lambda source, text: None
    clock: Callable[[], float] = time.time
    sender: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    _has_new_lines: threading.Event = field(default_factory=threading.Event)
    # Scored sentences that wait to be checked, by id
    _queue: dict[int, ScoredSentence] = field(default_factory=dict)
    _threads: list[threading.Thread] = field(default_factory=list)
    _open_sources: int = 0  # sources that still send
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last_beat_s: float = 0.0

    def store_arrival(self, source: str, arrival: Arrival, *, sender: str = "") -> int:
        """Store what arrived; return how many sentences are new or changed.

        Raises: StoreError, nothing is stored.

        ``sender``: who sent it, if not who follows the event.
        """
        arrival = cleaned(arrival)
        if arrival.warning:
            self.log.warn(self.event.name, source, arrival.warning, now=self.clock())
            self.on_warning(source, arrival.warning)
        changed_count = 0
        if arrival.lines or arrival.cursor is not None:
            changed_count = self.log.store_lines(
                self.event.name,
                source,
                arrival.lines,
                now=self.clock(),
                cursor=arrival.cursor,
                sender=sender or self.sender,
                unheard_s=arrival.unheard,
            )
        if changed_count:
            self._has_new_lines.set()
        return changed_count

    def follow(self, source: Source) -> None:
        """Follow a source in a thread, from its stored cursor, until it ends or the engine stops."""
        with self._lock:
            self._open_sources += 1
        thread = threading.Thread(
            target=self._store_arrivals_of, args=(source,), name=f"live {source.name}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def run(self, *, until_done: bool = False) -> None:
        """Check what waits until ``stop`` is set.

        With ``until_done``, also until every source has ended and all is
        checked.
        """
        while not self.stop.is_set():
            self._has_new_lines.clear()
            had_sentences = self._check_waiting_unless_locked()
            if had_sentences:
                continue
            with self._lock:
                have_sources_ended = self._open_sources == 0
            if until_done and have_sources_ended and self._are_all_checked():
                return
            self._has_new_lines.wait(ENGINE_POLL_S)

    def _are_all_checked(self) -> bool:
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
        self._has_new_lines.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def check_waiting(self) -> bool:
        """Score new sentences, and check the most check-worthy ones.

        Return whether there was anything to do.
        """
        self._store_heartbeat()
        waiting_sentences = self.log.waiting(self.event.name, now=self.clock(), limit=QUEUE_LENGTH)
        self._remove_changed_from_queue(waiting_sentences)
        new_sentences = [
            sentence for sentence in waiting_sentences if sentence.id not in self._queue
        ]
        for scored in self._score_new(new_sentences):
            if scored.outcome_if_dropped:
                # The sentence is not worth checking.
                self._store(scored.sentence, scored.outcome_if_dropped)
            else:
                self._queue[scored.sentence.id] = scored
            if scored.recalled_sentences:
                # They were dropped before, but their passage is worth checking after all.
                self.log.let_wait_again(scored.recalled_sentences, now=self.clock())
        best_sentences = self._best_of_queue()
        outcomes = self._check_sentences(best_sentences)
        for sentence, outcome in zip(best_sentences, outcomes, strict=True):
            self._store(sentence, outcome)
        for sentence in best_sentences:
            self._queue.pop(sentence.id, None)
        return bool(new_sentences or self._queue)

    def _remove_changed_from_queue(self, waiting: Sequence[LiveSentence]) -> None:
        """Remove sentences from the queue whose text has changed, or that are gone."""
        waiting_by_id = {sentence.id: sentence for sentence in waiting}
        for sentence_id, scored in list(self._queue.items()):
            if waiting_by_id.get(sentence_id) != scored.sentence:
                del self._queue[sentence_id]

    def _best_of_queue(self) -> list[LiveSentence]:
        """Return the most check-worthy sentences of the queue, as many as one pass takes."""

        def by_worthiness(scored: ScoredSentence) -> tuple[float, int]:
            return -scored.worthiness, scored.sentence.id

        best_first = sorted(self._queue.values(), key=by_worthiness)
        return [scored.sentence for scored in best_first[:SENTENCES_PER_PASS]]

    def _check_waiting_unless_locked(self) -> bool:
        """Check what waits; return whether to go on at once, as after a locked database."""
        try:
            return self.check_waiting()
        except StoreError as error:  # another process is writing: what waits is safe in the log
            self.on_warning("database", f"{error} Trying again.")
            self.stop.wait(CHECK_RETRY_S)
            return True

    def _score_new(self, sentences: Sequence[LiveSentence]) -> list[ScoredSentence]:
        if not sentences:
            return []
        neighbourhoods = [
            self.log.with_neighbours(sentence, PASSAGE_WINDOW) for sentence in sentences
        ]
        return self.checker.score_worthiness(sentences, neighbourhoods)

    def _check_sentences(self, sentences: Sequence[LiveSentence]) -> list[Outcome]:
        if not sentences:
            return []
        windows = []
        try:
            for sentence in sentences:
                window = self.log.with_neighbours(sentence, LIVE)
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

    def _store_heartbeat(self) -> None:
        """Store that the engine works, unless that was stored just now."""
        now = self.clock()
        age_s = now - self._last_beat_s
        # The age is negative if the clock was set back.
        is_recent = 0 <= age_s < HEARTBEAT_S
        if not is_recent:
            self._last_beat_s = now
            self.log.beat(self.event.name, now=now)

    def _store_arrivals_of(self, source: Source) -> None:
        try:
            cursor = self.log.cursor(self.event.name, source.name)
            for arrival in source.follow(cursor, self.stop):
                self._store_with_retries(source.name, arrival)
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
            self._has_new_lines.set()

    def _store_with_retries(self, source: str, arrival: Arrival) -> None:
        """Store what arrived, trying again while another process is writing.

        Nothing is dropped.
        """
        failure_count = 0
        while True:
            try:
                self.store_arrival(source, arrival)
                return
            except StoreError as error:
                self.on_warning(source, f"{error} Trying again.")
                # The pauses get longer; the last one is repeated.
                pause_index = min(failure_count, len(DATABASE_RETRY_S) - 1)
                must_stop = self.stop.wait(DATABASE_RETRY_S[pause_index])
                if must_stop:
                    return  # its cursor was not stored either: it comes again after the next start
                failure_count += 1

    def _report_end(self, source: str, text: str) -> None:
        self.on_warning(source, text)
        try:
            self.log.warn(self.event.name, source, text, now=self.clock())
        except StoreError:
            ENGINE_LOGGER.exception("the end of source %s could not be noted", source)
