"""The callback by which long work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # stage, done, total; may raise Cancelled


def no_progress(stage: str, done: int, total: int) -> None:
    """Report nothing."""
