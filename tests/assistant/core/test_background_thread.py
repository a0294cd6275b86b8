"""A background thread lasts as long as its ``with``."""

from __future__ import annotations

import threading

import pytest

from assistant.core.background_thread import background_thread


def test_the_work_begins_at_once_and_has_ended_after_the_with():
    stop = threading.Event()
    has_begun = threading.Event()
    has_ended = threading.Event()

    def work():
        has_begun.set()
        stop.wait()
        has_ended.set()

    with background_thread(work, stop, name="work"):
        assert has_begun.wait(60)
        assert not has_ended.is_set()

    assert has_ended.is_set()


def test_the_work_ends_with_an_error_of_the_body():
    stop = threading.Event()

    with pytest.raises(ValueError, match="body"), background_thread(stop.wait, stop, name="work"):
        raise ValueError("body")

    assert stop.is_set()


def test_work_that_does_not_end_is_left_after_the_patience():
    stop = threading.Event()
    release = threading.Event()

    with background_thread(release.wait, stop, name="work", patience_s=0.01):
        pass

    assert "work" in [thread.name for thread in threading.enumerate()]
    release.set()
