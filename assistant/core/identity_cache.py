"""A cache for values that are computed from unchanging objects, such as the sentences of a report.

A report of a long debate has thousands of sentences. To compare them by their contents would take
as long as most computations on them, so they are compared by identity.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

ResultT = TypeVar("ResultT")


class IdentityCache(Generic[ResultT]):
    """The results for the newest sequences of objects.

    Each result is stored with its objects: while they exist, no other object has their identity.
    """

    def __init__(self, max_results: int) -> None:
        self._max_results = max_results
        self._results: OrderedDict[Hashable, tuple[tuple[object, ...], ResultT]] = OrderedDict()
        self._lock = threading.Lock()

    def result(
        self, objects: Sequence[object], compute: Callable[[], ResultT], options: Hashable = ()
    ) -> ResultT:
        """Return the stored result for these objects and options; compute and store it if missing.

        Objects and result must not be changed.
        """
        key = (tuple(map(id, objects)), options)
        with self._lock:
            stored_entry = self._results.get(key)
            if stored_entry is not None:
                self._results.move_to_end(key)
                return stored_entry[1]
        new_result = compute()
        with self._lock:
            self._results[key] = (tuple(objects), new_result)
            while len(self._results) > self._max_results:
                self._results.popitem(last=False)
        return new_result
