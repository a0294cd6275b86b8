"""Batching of texts for a network: similar in length, and small enough for a processor's cache."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats, Runner, Tokens

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

MAX_WORD_CHARACTERS = 100  # characters; BERT reads a longer word as one unknown piece
Rows = NDArray[np.intp]
Item = TypeVar("Item")
Outputs = tuple[Floats, ...]


def readable(texts: Sequence[str], tokens: int) -> list[str]:
    """Return texts that a tokenizer accepts; ``tokens``: the most that the model reads of a text.

    Half a surrogate pair, from a malformed file, becomes a question mark. Text far beyond the last
    token that is read is cut off first: a tokenizer builds every overflowing part, for a pair each
    part of one text with each of the other, which took 300 MB for two texts of 20,000 characters
    and 1.1 GB for two of 40,000.
    """
    longest = MAX_WORD_CHARACTERS * tokens
    return [text[:longest].encode("utf-8", "replace").decode("utf-8") for text in texts]


def in_batches(
    runner: Runner, tokens: Sequence[Tokens], batch_size: int
) -> Iterator[tuple[Rows, Outputs]]:
    """Yield (rows, outputs) of every batch of at most ``batch_size`` texts of similar length."""
    # A batch of b texts, padded to t tokens, has b * t cells.
    token_counts = np.array([len(ids) for ids, _ in tokens], np.intp)
    # Even a few texts are divided among all threads, of which each runs one batch.
    cells_per_thread = int(token_counts.sum()) // runner.parallel_batches + 1
    max_cells = min(runner.max_batch_cells, cells_per_thread)
    batches = batches_of_similar_length(token_counts, max_cells, batch_size)
    if runner.parallel_batches > 1 and len(batches) > 1:
        yield from _outputs_of_threads(runner, tokens, batches)
        return
    for text_indices in batches:
        yield text_indices, runner.run([tokens[row] for row in text_indices])


def _outputs_of_threads(
    runner: Runner, tokens: Sequence[Tokens], batches: Sequence[Rows]
) -> Iterator[tuple[Rows, Outputs]]:
    """Yield (rows, outputs) of every batch, ``runner.parallel_batches`` of which run at once."""
    running_batches: deque[tuple[Rows, Future[Outputs]]] = deque()
    with ThreadPoolExecutor(runner.parallel_batches) as pool:
        for text_indices in batches:
            batch = [tokens[row] for row in text_indices]
            running_batches.append((text_indices, pool.submit(runner.run, batch)))
            # The limit keeps the outputs that wait in memory few.
            if len(running_batches) > 2 * runner.parallel_batches:
                oldest_indices, outputs = running_batches.popleft()
                yield oldest_indices, outputs.result()
        # Batches come out in the order in which they went in.
        for running_indices, outputs in running_batches:
            yield running_indices, outputs.result()


def batches_of_similar_length(
    token_counts: NDArray[np.intp], max_batch_cells: int, batch_size: int
) -> list[Rows]:
    """Return the rows of each batch, shortest texts first.

    A batch is padded to its longest text. It has ``max_batch_cells`` cells at most, unless it
    is a single text, and at most ``batch_size`` texts.
    """
    shortest_first = np.argsort(token_counts, kind="stable")
    batches = []
    start = 0
    for end in range(1, len(token_counts) + 1):
        # A batch ends if there is no further text, or if the next one would not fit into it.
        is_last_text = end == len(token_counts)
        text_count = end - start
        must_end = is_last_text or text_count >= batch_size
        if not must_end:
            # All texts would be padded to the next one, which is the longest.
            next_length = token_counts[shortest_first[end]]
            must_end = (text_count + 1) * next_length > max_batch_cells
        if must_end:
            batches.append(shortest_first[start:end])
            start = end
    return batches


def padded(
    batch: Sequence[Tokens], padding_id: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ids, mask and token types of a batch, (b, t) each, padded on the right."""
    # Padding has the id ``padding_id``, the mask 0 and the type 0. The type is 0 for tokens of the first
    # text of a pair, 1 for those of the second.
    longest = max(len(token_ids) for token_ids, _ in batch)
    ids = np.full((len(batch), longest), padding_id, np.int64)
    mask = np.zeros_like(ids)
    types = np.zeros_like(ids)
    for index, (token_ids, token_types) in enumerate(batch):
        length = len(token_ids)
        ids[index, :length] = token_ids
        mask[index, :length] = 1
        types[index, : len(token_types)] = token_types
    return ids, mask, types


def call_in_threads(
    process: Callable[[Sequence[Item]], None], items: Sequence[Item], chunk_size: int
) -> None:
    """Call ``process`` with the items, ``chunk_size`` at a time, in as many threads as may be used.

    Each matrix product is computed by one thread: two threads in one product wait for each other,
    and on a busy machine for longer than the product takes.
    """
    chunks = [items[start : start + chunk_size] for start in range(0, len(items), chunk_size)]
    with one_blas_thread():
        if len(chunks) < 2 or threads() < 2:
            for chunk in chunks:
                process(chunk)
            return
        with ThreadPoolExecutor(threads()) as pool:
            # Going through the results raises the error of a chunk, if any.
            for _ in pool.map(process, chunks):
                pass


class _OneBlasThread:
    """The limit of numpy's matrix products to one thread.

    The first user of it sets the limit, and the last one lifts it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._asking = 0
        self._limit: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Keep the products of the process to one thread each.

        Small ones are not worth a second thread's wait.
        """
        with self._lock:
            self._asking += 1
            if self._asking == 1:
                self._limit = _blas().limit(limits=1, user_api="blas")
        try:
            yield
        finally:
            with self._lock:
                self._asking -= 1
                if not self._asking:
                    self._limit.restore_original_limits()


one_blas_thread = _OneBlasThread()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """Return the control of the threads of numpy's matrix products, found once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def threads() -> int:
    """Return the number of threads to use: ``OMP_NUM_THREADS``, or one per available core."""
    thread_setting = os.environ.get("OMP_NUM_THREADS", "")
    if thread_setting.isdigit() and int(thread_setting) > 0:
        return int(thread_setting)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
