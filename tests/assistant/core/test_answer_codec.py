"""Answers of readers: all values come back as they were, and no bytes change the program."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path

import pytest

from assistant.claims.records import RefusedRow
from assistant.core import answer_codec
from assistant.core.access import Access, Account, Role
from assistant.core.errors import Busy, DecisionConflict, LecternError


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**70),
        1.5,
        float("inf"),
        "",
        "Straße 😀",
        "\ud83d \ud83d\ude00 \x00",
        b"\x00\xff",
        bytearray(b"ab"),
        [1, [2, []]],
        ("record", ("list",), ()),
        {"a": [1], 2: ("b", None), ("c", 1): {}},
        {1, 2},
        frozenset(("a",)),
        ["absent"],
        date(2024, 2, 29),
        datetime(2024, 2, 29, 1, 2, 3, 4),
        datetime(2024, 2, 29, tzinfo=UTC),
        datetime(2024, 2, 29, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        time(23, 59, 1),
        timedelta(days=-1, microseconds=7),
        Role.EDITOR,
        Account("ann", Role.READER),
        Access(editor=("ann", "group:desk")),
    ],
    ids=repr,
)
def test_values_come_back_as_they_were(value):
    decoded = answer_codec.decode(answer_codec.encode(value))

    assert decoded == value
    assert type(decoded) is type(value)


def test_a_field_that_was_never_set_is_not_set_afterwards():
    account = object.__new__(Account)

    decoded = answer_codec.decode(answer_codec.encode(account))

    assert not hasattr(decoded, "name")


def test_an_error_comes_back_with_its_texts():
    decoded = answer_codec.decode(answer_codec.encode(Busy("is full.", where="a", remedy="Wait.")))

    assert type(decoded) is Busy
    assert str(decoded) == "a: is full. Wait."


@pytest.mark.parametrize("value", [Path("a"), object(), len, Role, answer_codec, 1j])
def test_other_values_are_not_sent(value):
    with pytest.raises(TypeError, match="the answer of a reader must not contain"):
        answer_codec.encode([value])


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    "coded",
    [
        {"a": 1},
        [],
        [[]],
        ["unknown"],
        ["dict", 1],
        ["dict", ["list"], 1],
        ["set", ["list"]],
        ["bytes", "?"],
        ["bytes", 5],
        ["date", "2024-13-01"],
        ["date", "2024-01-01", 1],
        ["timedelta", 10**30],
        ["timedelta", "1"],
        ["member", "assistant.core.access", "Role", "__class__"],
        ["member", "assistant.core.access", "Account", "name"],
        ["record", "assistant.core.access", "Role", 1],
        ["record", "assistant.core.access", "Account"],
        ["record", "assistant.core.access", "Account", *range(50)],
        ["record", "assistant.core.access", ["list"], 1],
        ["record", "assistant.core.answer_codec", "date", 1],
        ["record", "assistant.core.database", "Database", 1],
        ["record", "assistant.core.database", "Database.open", 1],
        ["record", "assistant.core.nowhere", "Nothing", 1],
        ["record", "assistant.ui.app", "Page", 1],
        ["record", "assistant.core.errors", "Busy", "a", "b", "c"],
        ["error", "assistant.core.errors", "Busy", "a", "b"],
        ["error", "assistant.core.errors", "Busy", "a", "b", ["list"]],
        ["error", "builtins", "SystemExit", "a", "b", "c"],
        ["named", "builtins", "tuple", 1],
        ["named", "os", "stat_result", 1],
    ],
    ids=str,
)
def test_an_answer_of_another_form_is_refused(coded):
    with pytest.raises(ValueError):
        answer_codec.decode(json.dumps(coded).encode())


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"[", b"[" * 200_000, b'["list",' * 200_000, b"1" * 10_000, b"\x80\x04N."],
    ids=lambda data: repr(data[:12]),
)
def test_bytes_that_are_no_answer_are_refused(data):
    with pytest.raises(ValueError):
        answer_codec.decode(data)


@pytest.mark.threat("reviewer")
def test_an_error_with_a_constructor_of_its_own_is_made_of_texts_alone():
    coded = ["error", "assistant.core.errors", "DecisionConflict", "a", "b", "c"]

    error = answer_codec.decode(json.dumps(coded).encode())

    assert type(error) is DecisionConflict
    assert vars(error) == vars(LecternError("a", where="b", remedy="c"))


def test_a_row_that_an_import_refuses_is_a_value():
    refused = RefusedRow("claims.csv, line 3", "has no rating.", {"claim": "It rains."})

    assert answer_codec.decode(answer_codec.encode(refused)) == refused
