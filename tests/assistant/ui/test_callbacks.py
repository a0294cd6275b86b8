"""Callbacks of the app by role and state of the login.

A browser may send the click of any widget, and a callback runs before the page checks who draws
it. The callbacks are found in the code, so that a page that comes later is held to the same.
"""

from __future__ import annotations

import ast
import importlib
import sqlite3
import time
from contextlib import closing, suppress
from functools import cache
from typing import NamedTuple
from unittest.mock import MagicMock

import pytest
import streamlit as st

from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.ui import account
from tests.assistant.ui.conftest import AUTH, ROOT
from tests.assistant.ui.test_account import LISTED

UI = ROOT / "assistant" / "ui"
PEOPLE = {"mallory": None, "cleo": Role.READER, "ben": Role.REVIEWER, "ada": Role.EDITOR}
LOGIN_STATES = ("logged in", "ended", "secrets unreadable")
ROLES_TOML = LISTED.replace('["*"]', '["cleo@example.org"]')
# Calls on an object of the app that only read.
READING_CALLS = frozenset(
    "get strip values items keys report_heads open_item __iter__ __str__ __eq__ __len__ __bool__".split()
)


class Callback(NamedTuple):
    """A function that a widget calls, by its module and name."""

    module: str
    name: str


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


# Functions of Streamlit, and those that another call names.
OTHER_CALLBACKS = frozenset(
    ("st.login", "st.logout", "st.rerun", "lambda: None", "on_select", "on_checked")
)


@cache
def callbacks():
    """Find the functions that widgets call: the values of the options ``on_...``."""
    found_callbacks = set()
    for path in sorted(UI.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {
            alias.asname or alias.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        partials = partials_of(tree)
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.keyword) or not (node.arg or "").startswith("on_"):
                continue
            words = ast.unparse(node.value)
            name = partials.get(words, words)
            owner, _, function_name = name.rpartition(".")
            if name in defined:
                found_callbacks.add(Callback(module_name(path), name))
            elif name in imported:
                found_callbacks.add(Callback(imported[name], name))
            elif owner in imported:
                found_callbacks.add(Callback(f"{imported[owner]}.{owner}", function_name))
            elif words not in OTHER_CALLBACKS and not isinstance(node.value, ast.Constant):
                raise AssertionError(f"{path}: no function was found for {node.arg}={words}")
    return sorted(found_callbacks)


def partials_of(tree):
    """Return the names of variables and parts that are a function with some arguments."""
    functions = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "partial":
            functions[ast.unparse(node)] = ast.unparse(node.args[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in functions:
            functions[ast.unparse(node.targets[0])] = functions[ast.unparse(node.value)]
    return functions


@cache
def functions_of(module):
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def needed_role(callback):
    """Return the role that a callback asks for, None if it changes only its own page."""
    names = [callback.name]
    roles = []
    for name in names:
        for node in ast.walk(functions_of(callback.module)[name]):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called == "account.require":
                roles += [Role[word] for word in Role.__members__ if word in ast.unparse(node)]
            elif called in functions_of(callback.module) and called not in names:
                names.append(called)
    return max(roles, default=None)


def contents(home):
    """Return everything that is stored: the rows of all tables, and the files."""
    with closing(sqlite3.connect(home / "lectern.db")) as connection:
        rows = list(connection.iterdump())
    files = sorted(str(path) for path in home.rglob("*") if "lectern.db" not in path.name)
    return rows, files


@pytest.fixture
def person(home, monkeypatch, write_secrets):
    """A function that makes the caller a person in a state of the login."""
    (home / "lectern.toml").write_text(ROLES_TOML)
    write_secrets(AUTH)
    claims = {}
    monkeypatch.setattr(account, "_login_claims", lambda: claims)
    monkeypatch.setattr(st, "session_state", {"list": {"selected": 1}, "name_memory": {"name": ""}})
    monkeypatch.setattr(st, "query_params", {})
    monkeypatch.setattr(st, "rerun", lambda *_, **__: None)

    def become(name, state):
        seconds = -1 if state == "ended" else 3600
        claims.update(
            is_logged_in=True,
            email=f"{name}@example.org",
            email_verified=True,
            exp=time.time() + seconds,
        )
        account.has_role(Role.READER)  # opens the database, as the page before the click did
        if state == "secrets unreadable":
            write_secrets(AUTH[:-2])

    return become


def changing_calls(spies):
    """Return the calls on objects of the app that do more than read."""
    calls = [call for spy in spies for call in spy.mock_calls]
    return [call for call in calls if call[0].rpartition(".")[2] not in READING_CALLS]


def call(callback):
    """Call a callback with an object that notes its calls in place of each argument."""
    function = getattr(importlib.import_module(callback.module), callback.name)
    node = functions_of(callback.module)[callback.name]
    spies = [MagicMock() for _ in node.args.args]
    named_spies = {argument.arg: MagicMock() for argument in node.args.kwonlyargs}
    with suppress(LecternError, TypeError, AttributeError, KeyError, ValueError):
        function(*spies, **named_spies)
    return [*spies, *named_spies.values()]


def test_the_callbacks_of_the_app_are_found():
    names = {callback.name for callback in callbacks()}

    assert {
        "_decide",
        "_undo",
        "_recheck",
        "_delete",
        "_load",
        "cancel_job",
        "_forget",
        "_save",
    } <= names
    assert len(callbacks()) >= 25


@pytest.mark.threat("reader")
@pytest.mark.parametrize("state", LOGIN_STATES)
@pytest.mark.parametrize("name", PEOPLE)
def test_a_callback_never_changes_anything_without_its_role_and_a_login(home, person, name, state):
    """Each callback of the app, called directly."""
    person(name, state)
    before_calls = contents(home)
    role = PEOPLE[name] if state == "logged in" else None
    forbidden = [
        callback
        for callback in callbacks()
        if needed_role(callback) is None or role is None or role < needed_role(callback)
    ]

    changed = {}
    for callback in forbidden:
        calls = changing_calls(call(callback))
        if calls:
            changed[callback] = calls

    assert changed == {}
    assert contents(home) == before_calls
    assert forbidden


def test_a_callback_that_does_not_ask_is_found(monkeypatch):
    """The spies note a call that changes something."""
    desk = MagicMock()
    desk.jobs.get("id")
    assert changing_calls([desk]) == []

    desk.jobs.cancel("id")
    assert len(changing_calls([desk])) == 1


@pytest.mark.threat("visitor")
def test_a_page_is_never_drawn_before_its_visitor_was_let_in():
    """The app asks first, and each part that is drawn again by itself asks again."""
    tree = ast.parse((ROOT / "app.py").read_text("utf-8"))
    draw = next(node for node in tree.body if getattr(node, "name", "") == "draw")
    calls = [ast.unparse(node.func) for node in ast.walk(draw) if isinstance(node, ast.Call)]
    unguarded = [
        path.name
        for path in UI.rglob("*.py")
        if "@st.fragment" in path.read_text("utf-8") and path.name != "account.py"
    ]

    positions = [
        next(i for i, statement in enumerate(draw.body) if words in ast.unparse(statement))
        for words in ("account.enter()", "st.navigation")
    ]
    assert "account.enter" in calls
    assert positions == sorted(positions)
    assert unguarded == []
