"""Calls in processes of their own.

Values and refusals come back, limits end them, and the next call works.
"""

from __future__ import annotations

import io
import os
import pickle
import sys

import pytest

from assistant.core import confined
from assistant.core.errors import ClaimError, NetworkError
from tests.assistant.core import burning

only_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no limits on memory and processor time"
)


def called(function, *arguments):
    return confined.call(function, *arguments, where="a.txt", refusal=ClaimError)


def test_the_value_comes_from_another_process_which_is_kept():
    """A call runs elsewhere, and the next one in the same place."""
    first_process = called(burning.process)
    second = called(burning.process)

    assert os.getpid() != first_process == second


@pytest.mark.threat("reviewer")
@only_posix
def test_endless_work_is_broken_off(monkeypatch):
    """The processor time is limited; the refusal says what and where, and another call works."""
    monkeypatch.setattr(confined, "CPU_LIMIT_S", 0.0)

    with pytest.raises(ClaimError, match=r"^a\.txt: takes too long to read"):
        called(burning.burn)

    assert called(abs, -3) == 3


@pytest.mark.threat("reviewer")
def test_waiting_is_broken_off(monkeypatch):
    """The wall time is limited, on every system."""
    called(abs, 1)
    monkeypatch.setattr(confined, "WALL_LIMIT_S", 0.2)

    with pytest.raises(ClaimError, match="takes too long"):
        called(burning.wait)


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells whether a process waits for a processor"
)
def test_a_busy_machine_is_no_hostile_file(monkeypatch):
    """Who is ready to work and is not let is given more wall time.

    The processor time is what counts.
    """
    called(abs, 1)
    monkeypatch.setattr(confined, "WALL_LIMIT_S", 0.1)
    monkeypatch.setattr(confined, "STARVED_ROUNDS", 1000)

    assert called(burning.work, 0.4) >= 0.4


@pytest.mark.threat("reviewer")
@only_posix
def test_too_much_memory_is_refused():
    """The memory is limited, and the process is replaced."""
    process_before = called(burning.process)

    with pytest.raises(ClaimError, match="needs too much memory"):
        called(burning.fill)

    assert process_before != called(burning.process)


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("function", [burning.die, burning.fail])
def test_a_reader_that_breaks_off_is_refused(function):
    """A crash and an unexpected error become a refusal."""
    with pytest.raises(ClaimError, match=r"^a\.txt: cannot be read: its reader broke off"):
        called(function)


def test_refusals_come_back_as_they_are():
    """An error of Lectern keeps its kind and its parts."""
    with pytest.raises(NetworkError) as raised:
        called(burning.refuse)

    assert raised.value.what == "is refused."
    assert raised.value.where == "here"
    assert raised.value.remedy == "Go away."


@pytest.mark.parametrize("count", [0, confined.BATCH_VALUES, 2 * confined.BATCH_VALUES + 1])
def test_values_of_an_iterator_come_before_its_refusal(count):
    """All that was yielded comes, in order; then the error."""
    numbers = confined.each(burning.numbers, count, where="a.txt", refusal=ClaimError)
    came = []

    with pytest.raises(NetworkError):
        came.extend(numbers)

    assert list(range(count)) == came


def test_an_iterator_that_nobody_finishes_leaves_the_next_call_alone():
    """What was not taken is not taken for the next answer."""
    numbers = confined.each(burning.numbers, 10_000, where="a.txt", refusal=ClaimError)
    assert next(numbers) == 0
    numbers.close()

    assert called(abs, -4) == 4


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("assistant.core.confined", "os.system"),
        ("assistant.core.confined", "call"),
        ("assistant.core.confined", "os"),
        ("assistant.core.confined", "Path"),
        ("assistant.core.database", "Database"),
        ("assistant.core.database", "Database.open"),
        ("datetime", "sys"),
        ("datetime", "datetime.fromtimestamp"),
        ("builtins", "eval"),
        ("assistant.core.domain", "date"),
    ],
)
def test_an_answer_of_a_reader_that_was_taken_over_runs_nothing(module, name):
    with pytest.raises(pickle.UnpicklingError):
        confined._Unpickler(io.BytesIO(b"")).find_class(module, name)


@pytest.mark.threat("reviewer")
def test_a_reader_knows_no_secret():
    secrets = {
        "LECTERN_DATABASE_URL": "postgresql://ann:secret@db/lectern",
        "LECTERN_LIVE_TOKEN": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "PIP_INDEX_URL": "https://ann:secret@index",
    }

    environment = confined.reader_environment({"PATH": "/bin", "LC_ALL": "C", **secrets})

    assert environment["PATH"] == "/bin"
    assert environment["LC_ALL"] == "C"
    assert not set(secrets) & set(environment)
