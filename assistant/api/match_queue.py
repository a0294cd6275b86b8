"""Matches texts of many callers together, which is faster than one after another.

Each sentence is checked as a live sentence is: with the sentences of its text before it, and
whether or not it is check-worthy. The answers do not depend on the other callers.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from assistant import pipeline
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import CheckedSentence, Sentence, Source, Transcript
from assistant.core.errors import Busy, SettingsError
from assistant.core.settings import Profile
from assistant.transcripts import sentences as sentence_splitting
from features.similarity.context_window import LIVE, Texts

MAX_SENTENCES_AT_ONCE = 16
MAX_WAITING_SENTENCES = 1_000
MAX_WAITING_OF_HOLDER = 500  # sentences of one token, so that the others have room
MATCH_SOURCE = Source("api", "api", "")
WARM_TEXT = "The unemployment rate has fallen to three percent in the last two years."
MATCH_LOGGER = logging.getLogger("lectern.api.match")


@dataclass(frozen=True, slots=True)
class TextSentence:
    """A sentence of a text: its number there, its characters, and its context window."""

    text_number: int
    start: int
    end: int
    words: str
    window: Texts


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The options of a match: the day of the event, and whether later fact-checks are left out."""

    event_date: date | None = None
    before_event: bool = False


@dataclass(eq=False)
class _WaitingRequest:
    """A request in the queue, with the results so far."""

    settings: MatchSettings
    sentences: Sequence[TextSentence]
    holder: str
    future: Future[list[CheckedSentence]] = field(default_factory=Future)
    results: list[CheckedSentence] = field(default_factory=list)

    @property
    def remaining(self) -> Sequence[TextSentence]:
        """Return the sentences without a result."""
        return self.sentences[len(self.results) :]


class _BatchItem(NamedTuple):
    """The sentences of a request that are matched in one batch."""

    request: _WaitingRequest
    sentences: Sequence[TextSentence]


@dataclass(eq=False)
class MatchQueue:
    """The texts that wait to be matched, and the thread that matches them.

    ``current_index`` returns the index as it is now.
    """

    current_index: Callable[[], ClaimIndex]
    profile: Profile
    max_waiting: int = MAX_WAITING_SENTENCES
    max_of_holder: int = MAX_WAITING_OF_HOLDER
    _waiting: deque[_WaitingRequest] = field(default_factory=deque)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_closing: bool = False
    _is_matching: bool = False
    _worker: threading.Thread | None = None

    def submit(
        self, sentences: Sequence[TextSentence], settings: MatchSettings, *, holder: str = ""
    ) -> Future[list[CheckedSentence]]:
        """Queue sentences and return the future of their results, in the same order.

        ``holder`` is the token that sends them.

        Raises: SettingsError if so many sentences never fit; Busy if too many wait already, in all
        or of this holder, or the queue is closed.
        """
        self._require_possible(len(sentences), holder)
        request = _WaitingRequest(settings, sentences, holder)
        if not sentences:
            request.future.set_result([])
            return request.future
        with self._changed:
            if self._is_closing:
                raise Busy("the server is stopping.", remedy="Try again later.")
            self._require_room(len(sentences), holder)
            self._waiting.append(request)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="matches", daemon=True)
                self._worker.start()
            self._changed.notify()
        return request.future

    def _require_possible(self, sentence_count: int, holder: str) -> None:
        """Raise SettingsError if that many sentences of a holder are too many for an empty queue."""
        limit = min(self.max_waiting, self.max_of_holder) if holder else self.max_waiting
        if sentence_count > limit:
            raise SettingsError(
                f"the texts have {sentence_count:,} sentences, but at most {limit:,} are allowed.",
                remedy="Send them in several requests, or start a check.",
            )

    def _require_room(self, sentence_count: int, holder: str) -> None:
        """Raise Busy if that many more sentences of a holder are too many."""
        count_by_holder = Counter[str]()
        for waiting_request in self._waiting:
            count_by_holder[waiting_request.holder] += len(waiting_request.remaining)
        waiting_count = count_by_holder.total()
        if waiting_count + sentence_count > self.max_waiting:
            raise Busy(
                f"{waiting_count:,} sentences are already waiting.", remedy="Try again later."
            )
        new_count = count_by_holder[holder] + sentence_count
        if holder and new_count > self.max_of_holder:  # Lectern's own requests have no holder
            message = (
                f"this token may have {self.max_of_holder:,} sentences waiting, "
                f"and with these it would have {new_count:,}."
            )
            raise Busy(message, remedy="Send fewer sentences, or try again later.")

    def is_busy(self) -> bool:
        """Return whether requests wait or are being matched."""
        return self._is_matching or bool(self._waiting)

    def warm(self) -> None:
        """Load the index and every model with a first match."""
        self.submit(text_sentences([WARM_TEXT]), MatchSettings()).result()

    def close(self) -> None:
        """Stop after the present batch; waiting requests are cancelled."""
        with self._changed:
            self._is_closing = True
            for waiting_request in self._waiting:
                waiting_request.future.cancel()
            self._waiting.clear()
            self._changed.notify()
        if self._worker is not None:
            self._worker.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._is_closing:
                    self._changed.wait()
                if self._is_closing:
                    return
                batch = self._next_batch()
                self._is_matching = bool(batch)
            if batch:  # outside the lock, so that requests can queue meanwhile
                self._match_batch(batch)
                self._is_matching = False

    def _next_batch(self) -> list[_BatchItem]:
        """Take sentences of the oldest requests with the same settings.

        A long request gets a share only, so that short ones do not wait for its end.
        """
        cancelled_requests = [request for request in self._waiting if request.future.cancelled()]
        for request in cancelled_requests:
            self._waiting.remove(request)
        if not self._waiting:
            return []
        settings = self._waiting[0].settings
        similar_requests = [request for request in self._waiting if request.settings == settings]
        sentences_per_request = max(1, MAX_SENTENCES_AT_ONCE // len(similar_requests))
        batch = []
        free_places = MAX_SENTENCES_AT_ONCE
        for request in similar_requests:
            sentences = request.remaining[: min(sentences_per_request, free_places)]
            if sentences:
                batch.append(_BatchItem(request, sentences))
                self._waiting.remove(request)  # it is put back if sentences are left
            free_places -= len(sentences)
        return batch

    def _match_batch(self, batch: list[_BatchItem]) -> None:
        """Match a batch; if that fails, each request alone, so that one can't harm the others."""
        settings = batch[0].request.settings
        sentences: list[TextSentence] = []
        for item in batch:
            sentences.extend(item.sentences)
        try:
            results = self._match(sentences, settings)
        except Exception as error:
            if len(batch) > 1:
                for item in batch:
                    self._match_batch([item])
                return
            MATCH_LOGGER.debug("a match failed", exc_info=error)
            failed_request = batch[0].request
            was_not_cancelled = failed_request.future.set_running_or_notify_cancel()
            if was_not_cancelled:
                failed_request.future.set_exception(error)
            return
        # The results are in the order of the sentences, so each request gets its own.
        start = 0
        for item in batch:
            end = start + len(item.sentences)
            item.request.results += results[start:end]
            start = end
            self._finish_or_requeue(item.request)

    def _finish_or_requeue(self, request: _WaitingRequest) -> None:
        """Give a request its results, or put it at the end of the queue if some are missing."""
        if not request.remaining:
            if request.future.set_running_or_notify_cancel():
                request.future.set_result(request.results)
            return
        with self._changed:
            if self._is_closing:
                request.future.cancel()
            else:
                self._waiting.append(request)

    def _match(
        self, sentences: Sequence[TextSentence], settings: MatchSettings
    ) -> list[CheckedSentence]:
        """Return the results of some sentences, which may be of different requests."""
        # A transcript of unrelated sentences: the context of each is in its window.
        numbered_sentences = tuple(
            Sentence(number, number, sentence.words) for number, sentence in enumerate(sentences, 1)
        )
        report = pipeline.check(
            Transcript("", settings.event_date, MATCH_SOURCE, numbered_sentences),
            self.current_index(),
            self.profile,
            as_of_event=settings.before_event,
            windows=[sentence.window for sentence in sentences],
        )
        return list(report.sentences)


def text_sentences(texts: Sequence[str]) -> list[TextSentence]:
    """Split texts into sentences, each with its context window.

    Raises: SettingsError if a text has no words.
    """
    sentences = []
    for text_number, text in enumerate(texts):
        # The first character and the end of each sentence that is not blank.
        spans = []
        for start, end in sentence_splitting.sentence_spans(text):
            if text[start:end].strip():
                spans.append((start, end))
        if not spans:
            raise SettingsError(f"text number {text_number + 1} contains no words.")
        # Line breaks within a sentence become spaces.
        sentence_texts = [" ".join(text[start:end].split()) for start, end in spans]
        # The window of a sentence is the sentence with those before it.
        windows = LIVE.each(sentence_texts)
        for (start, end), sentence_text, window in zip(spans, sentence_texts, windows, strict=True):
            sentences.append(TextSentence(text_number, start, end, sentence_text, window))
    return sentences
