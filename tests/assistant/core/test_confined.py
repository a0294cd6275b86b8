"""Calls in processes of their own.

Values and refusals come back, limits end them, and the next call works.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import pytest

from assistant.core import confined
from assistant.core.access import Account, Role
from assistant.core.errors import AccessDenied, ClaimError, NetworkError
from assistant.web.request_filter import RequestFilter
from tests.assistant.core import burning

only_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no limits on memory and processor time"
)


@pytest.fixture(autouse=True, scope="module")
def own_pool():
    """A pool for this file. Each new process of a pool loads all that was ever called in it."""
    pool = confined._Pool()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(confined, "_pool", pool)
        yield
    pool.close()


def called(function, *arguments):
    return confined.call(function, *arguments, where="a.txt", refusal=ClaimError)


def test_the_value_comes_from_another_process_which_is_kept():
    """A call runs elsewhere, and the next one in the same place."""
    first_process = called(burning.process)
    second = called(burning.process)

    assert os.getpid() != first_process == second


def test_a_relative_path_leads_to_the_same_file_there(tmp_path, monkeypatch):
    """The process runs in Lectern's folder; a path counts from the caller's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    path = Path("a.txt")

    assert called(burning.content, path) == "one\ntwo\n"
    yielded = confined.each(burning.lines, path, where="a.txt", refusal=ClaimError)
    assert list(yielded) == ["one", "two"]


@pytest.mark.threat("reviewer")
@only_posix
def test_endless_work_is_broken_off(monkeypatch):
    """The processor time is limited; the refusal says what and where, and another call works."""
    monkeypatch.setattr(confined, "CPU_LIMIT_S", 0.0)

    with pytest.raises(ClaimError, match=r"^a\.txt: took too long to read"):
        called(burning.burn)

    assert called(abs, -3) == 3


def test_a_large_file_has_more_time_but_not_without_end():
    """A PDF of 300 pages is half a megabyte; a file of 100 MB doesn't get hours."""
    pages = confined.reading_limits(500_000)

    assert confined.reading_limits().cpu_s == confined.CPU_LIMIT_S
    assert pages.cpu_s == confined.CPU_LIMIT_S + 50
    assert pages.wall_s == confined.WALL_LIMIT_S + 50
    assert confined.reading_limits(100_000_000).cpu_s == confined.MAX_CPU_LIMIT_S


@pytest.mark.threat("reviewer")
def test_waiting_is_broken_off(monkeypatch):
    """The wall time is limited, on every system."""
    called(abs, 1)
    monkeypatch.setattr(confined, "WALL_LIMIT_S", 0.2)

    with pytest.raises(ClaimError, match="took too long"):
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


def framed(data: bytes) -> bytes:
    """Return a message as a process sends it."""
    return len(data).to_bytes(8, "big") + data


def setting_attribute(module: str, class_name: str, name: str) -> bytes:
    """Return a pickle that sets an attribute of a class to another class of Lectern."""
    target = f"c{module}\n{class_name}\n".encode()
    value = b"cassistant.core.access\nAccess\n"
    return (
        b"\x80\x04" + target + b"N}\x8c" + bytes([len(name)]) + name.encode() + value + b"s\x86b."
    )


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    ("changed_class", "name"),
    [(Role, "__ge__"), (RequestFilter, "refusal"), (AccessDenied, "__init__"), (Account, "role")],
    ids=str,
)
def test_a_reader_that_was_taken_over_changes_no_class(changed_class, name):
    before = dict(vars(changed_class))
    attack = setting_attribute(changed_class.__module__, changed_class.__name__, name)

    with pytest.raises(ClaimError, match=r"^a\.txt: cannot be read: its reader broke off"):
        called(burning.take_over, framed(attack))

    assert dict(vars(changed_class)) == before
    assert not Role.READER >= Role.EDITOR


@pytest.mark.parametrize(
    "answer",
    [
        None,
        1,
        ("done",),
        ("done", 1, 2),
        ["done", 1],
        ("unknown", 1),
        (["list"], 1),
        ("more", ["list"]),
        ("refused", "text"),
        ("failed", 5),
    ],
    ids=repr,
)
def test_a_value_of_another_form_is_no_answer(answer):
    with pytest.raises(ValueError):
        confined._checked_answer(
            answer, {**confined._FINAL_ANSWER_KINDS, **confined._FAILURE_KINDS}
        )


# Each ends a process, so that every run has one of each kind: the tests above refuse the others.
MALFORMED_MESSAGES = (
    b"",
    framed(b"garbage"),
    framed(pickle.dumps(("done", 1))),
    framed(b'["tuple","unknown",1]'),
    (confined.MAX_ANSWER_BYTES + 1).to_bytes(8, "big"),
)
FURTHER_MALFORMED_MESSAGES = (
    b"\x00\x00",
    framed(b""),
    framed(b"null"),
    framed(b"1"),
    framed(pickle.dumps(1)),
    framed(b'["tuple","done"]'),
    framed(b'["tuple","done",1,2]'),
    framed(b'["list","done",1]'),
    framed(b'["tuple",["list"],1]'),
    framed(b'["tuple","more",["list"]]'),
    framed(b'["tuple","refused","text"]'),
    framed(b'["tuple","failed",5]'),
    framed(b"[" * 100_000),
    (2**62).to_bytes(8, "big"),
    (2**64 - 1).to_bytes(8, "big") + b"1",
)


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    "message",
    [
        *MALFORMED_MESSAGES,
        *(pytest.param(message, marks=pytest.mark.slow) for message in FURTHER_MALFORMED_MESSAGES),
    ],
    ids=lambda message: repr(message[:30]),
)
def test_an_answer_of_another_form_is_refused_in_one_line(message):
    with pytest.raises(ClaimError, match=r"^a\.txt: cannot be read: its reader broke off"):
        called(burning.take_over, message)

    assert called(abs, -5) == 5


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("kind", ["done", "more"])
def test_the_values_of_an_iterator_come_as_a_list(kind):
    message = framed(f'["tuple","{kind}",5]'.encode())
    values = confined.each(burning.take_over, message, where="a.txt", refusal=ClaimError)

    with pytest.raises(ClaimError, match=r"^a\.txt: cannot be read: its reader broke off"):
        list(values)


def test_a_value_that_no_answer_may_have_is_refused():
    with pytest.raises(
        ClaimError, match="its reader broke off .*the answer of a reader must not contain .*Path"
    ):
        called(burning.boast)


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
