"""Widgets of the served app, driven by a raw WebSocket client, by role and state of the login.

The widgets are those that the app draws for an editor, own components included, so that a page
that comes later is held to the same. A browser may send any message: here each widget is sent by
people who may not use it, and nothing that is stored may change.
"""

from __future__ import annotations

import ast
import json
import shutil
import sqlite3
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.web.server.server_util import AUTH_COOKIE_NAME
from streamlit.web.server.starlette.starlette_app_utils import (
    create_signed_value,
    generate_xsrf_token_string,
)
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from tests.assistant.ui.conftest import AUTH, PATIENCE_S, REPORT_ID, ROOT
from tests.assistant.ui.test_account import LISTED
from tests.assistant.ui.test_served_login import (
    LOGIN_SHOWN,
    SETTINGS_LOST,
    Served,
    connection,
    running,
)
from tests.free_ports import free_port

pytestmark = pytest.mark.long
COOKIE_SECRET = "a secret of these tests alone, as long as it has to be"
ROLES_TOML = LISTED.replace('["*"]', '["cleo@example.org"]')
VIEWS = (
    ("", ""),
    ("", f"report={REPORT_ID}"),
    ("review", f"report={REPORT_ID}"),
    ("live", ""),
    ("archive", ""),
    ("claims", ""),
    ("alerts", ""),
    ("log", ""),
    ("patterns", ""),
    ("about", ""),
)
LOGIN_S = 40.0  # long enough to draw all views
TICKING_TABLES = ("audit", "review_presence")  # a page that is drawn may add a line


@cache
def events_by_component():
    """Return the events of Lectern's own components, by their names in messages.

    An event is the X of an option ``on_X_change`` of ``component(NAME)(...)``.
    """
    events = {}
    for path in sorted((ROOT / "assistant" / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Call)):
                continue
            maker = node.func
            if isinstance(maker.func, ast.Name) and maker.func.id == "component":
                name = f"lectern.{ast.literal_eval(maker.args[0])}"
                events.setdefault(name, set()).update(option_events(node))
    return events


def option_events(call):
    """Return the X of the options ``on_X_change`` of a call."""
    options = [keyword.arg or "" for keyword in call.keywords]
    return {
        option.removeprefix("on_").removesuffix("_change")
        for option in options
        if option.startswith("on_") and option.endswith("_change")
    }


def values_of(widget):
    """Return the messages by which a browser would use a widget."""
    kind, widget_id, component_name = widget
    if kind == "bidi_component":
        return component_values(widget_id, sorted(events_by_component()[component_name]))
    if kind in ("button", "download_button"):
        return [WidgetState(id=widget_id, trigger_value=True)]
    if kind in ("checkbox", "toggle"):
        return [WidgetState(id=widget_id, bool_value=True)]
    if kind in ("slider", "number_input"):
        return [WidgetState(id=widget_id, double_array_value={"data": [1.0]})]
    if kind in ("radio", "selectbox", "text_input", "text_area"):
        return [WidgetState(id=widget_id, string_value="mallory")]
    return [
        WidgetState(id=widget_id, string_array_value={"data": ["mallory"]}),
        WidgetState(id=widget_id, json_value='{"selection": {"points": [1]}}'),
    ]


def component_values(widget_id, events):
    """Return messages with each event of a component, as its state and as a trigger."""
    states = []
    for event in events:
        for value in (1, "mallory", True):
            states.append(WidgetState(id=widget_id, json_value=json.dumps({event: value})))
        trigger = json.dumps([{"event": event, "value": 1}])
        trigger_id = _make_trigger_id(widget_id, "events")
        states.append(WidgetState(id=trigger_id, json_trigger_value=trigger))
    return states


class Browser:
    """A WebSocket to the app."""

    def __init__(self, socket_client):
        self.socket = socket_client

    def run(self, page, query, states=()):
        """Draw a page with some widget states; return its widgets: (kind, id, component name)."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = query
        message.rerun_script.widget_states.widgets.extend(states)
        self.socket.send(message.SerializeToString())
        widgets = []
        finished = False
        while not finished:
            content = ForwardMsg.FromString(self.socket.recv(timeout=PATIENCE_S))
            finished = content.WhichOneof("type") == "script_finished"
            element = content.delta.new_element
            kind = element.WhichOneof("type")
            widget = getattr(element, kind) if kind else None
            widget_id = getattr(widget, "id", "")
            if widget_id:
                widgets.append((kind, widget_id, getattr(widget, "component_name", "")))
        return widgets


class ServedHome(Served):
    """The app with a home that has a report, and people with roles."""

    def __init__(self, home, port):
        self.home = home
        super().__init__(home, port, ROLES_TOML)

    @contextmanager
    def browser(self, name, seconds=3600.0):
        """Open the app as a person whose login ends in some seconds."""
        origin = f"http://127.0.0.1:{self.port}"
        headers = {}
        protocols = ["streamlit"]
        if name != "nobody":
            claims = {
                "is_logged_in": True,
                "origin": origin,
                "email": f"{name}@example.org",
                "email_verified": True,
                "exp": time.time() + seconds,
            }
            signed = create_signed_value(COOKIE_SECRET, AUTH_COOKIE_NAME, json.dumps(claims))
            token = generate_xsrf_token_string()
            cookies = (f"{AUTH_COOKIE_NAME}={signed.decode()}", f"{XSRF_COOKIE_NAME}={token}")
            headers["Cookie"] = "; ".join(cookies)
            protocols = ["streamlit", token]
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        with connection.connect(
            address,
            additional_headers=headers,
            origin=origin,
            subprotocols=protocols,
            max_size=None,
        ) as client:
            yield Browser(client)

    def contents(self):
        """Return everything that is stored: the rows of the tables, and the files."""
        with closing(sqlite3.connect(self.home / "lectern.db")) as database:
            rows = [
                line
                for line in database.iterdump()
                if not any(f'INTO "{table}' in line for table in TICKING_TABLES)
            ]
        files = [str(path) for path in self.home.rglob("*") if "lectern.db" not in path.name]
        return set(rows), {path for path in files if "server.log" not in path}


@pytest.fixture(scope="module")
def served_home(tmp_path_factory, furnished):
    """The app on a home with a report."""
    home = tmp_path_factory.mktemp("served")
    shutil.copytree(furnished, home, dirs_exist_ok=True)
    with running(ServedHome(home, free_port())) as app:
        yield app


@pytest.fixture(scope="module")
def widgets_by_view(served_home):
    """The widgets that the app draws for each person, by view."""
    widgets = {}
    for name in ("ada", "ben", "cleo"):
        for view in VIEWS:
            with served_home.browser(name) as browser:
                widgets[name, view] = browser.run(*view)
    return widgets


def forbidden_states(widgets_by_view, name, view):
    """Return the messages of widgets that only an editor is drawn."""
    own = set(widgets_by_view.get((name, view), ()))
    states = []
    for widget in widgets_by_view["ada", view]:
        if widget not in own:
            states += values_of(widget)
    return states


def all_states(widgets_by_view, name, view):
    """Return the messages of the widgets that a person is drawn, but for the way out."""
    states = []
    for widget in widgets_by_view[name, view]:
        _, widget_id, _ = widget
        if not widget_id.endswith("-logout"):
            states += values_of(widget)
    return states


def fire(browser, view, states):
    for state in states:
        with suppress(TimeoutError):
            browser.run(*view, [state])


def test_the_events_of_our_components_are_found():
    assert events_by_component()["lectern.list"] == {"selected"}
    assert events_by_component()["lectern.name_memory"] == {"name"}


def test_the_widgets_of_every_view_are_found(widgets_by_view):
    counts = {view: len(widgets_by_view["ada", view]) for view in VIEWS}

    assert all(counts.values()), counts
    assert sum(counts.values()) >= 30
    kinds = {kind for view in VIEWS for kind, _, _ in widgets_by_view["ada", view]}
    assert {"bidi_component", "button"} <= kinds


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("view", VIEWS, ids="?".join)
@pytest.mark.parametrize("name", ["nobody", "cleo", "ben"])
def test_a_widget_of_an_editor_does_nothing_for_others(served_home, widgets_by_view, name, view):
    states = forbidden_states(widgets_by_view, name, view)
    before = served_home.contents()

    with served_home.browser(name) as browser:
        browser.run(*view)
        fire(browser, view, states)

    assert served_home.contents() == before


@contextmanager
def open_views(served_home, name, login_end):
    """Open every view as a person whose login ends then; yield the browsers by view."""
    with ExitStack() as opened:
        browsers = {}
        for view in VIEWS:
            browser = served_home.browser(name, login_end - time.time())
            browsers[view] = opened.enter_context(browser)
            drawn_ids = [widget_id for _, widget_id, _ in browsers[view].run(*view)]
            assert any(widget_id.endswith("-logout") for widget_id in drawn_ids)
        yield browsers


def changed_by(served_home, widgets_by_view, name, browsers):
    """Return the views whose widgets change what is stored, when the browsers send them."""
    changing_views = []
    for view, browser in browsers.items():
        before = served_home.contents()
        fire(browser, view, all_states(widgets_by_view, name, view))
        if served_home.contents() != before:
            changing_views.append(view)
    return changing_views


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("name", ["cleo", "ben", "ada"])
def test_a_widget_that_was_drawn_does_nothing_after_the_login_has_ended(
    served_home, widgets_by_view, name
):
    login_end = time.time() + LOGIN_S

    with open_views(served_home, name, login_end) as browsers:
        time.sleep(max(0.0, login_end - time.time()) + 1.0)

        assert changed_by(served_home, widgets_by_view, name, browsers) == []


@pytest.mark.threat("visitor")
def test_a_widget_that_was_drawn_does_nothing_while_the_login_settings_cannot_be_read(
    served_home, widgets_by_view
):
    login_end = time.time() + 3600.0
    changing = {}
    with ExitStack() as opened:
        browsers_by_name = {}
        for name in ("cleo", "ben", "ada"):
            browsers = opened.enter_context(open_views(served_home, name, login_end))
            browsers_by_name[name] = browsers
        served_home.secrets.write_text(AUTH[:-2])
        try:
            assert SETTINGS_LOST in served_home.wait_for(SETTINGS_LOST)
            for name, browsers in browsers_by_name.items():
                changing[name] = changed_by(served_home, widgets_by_view, name, browsers)
        finally:
            served_home.secrets.write_text(AUTH)

    assert LOGIN_SHOWN in served_home.wait_for(LOGIN_SHOWN)
    assert changing == {"cleo": [], "ben": [], "ada": []}


@pytest.mark.threat("reviewer")
def test_a_click_of_a_person_who_may_is_carried_out(served_home, widgets_by_view):
    """The other tests would see a change."""
    before = served_home.contents()

    for view in VIEWS:
        with served_home.browser("ada") as browser:
            browser.run(*view)
            fire(browser, view, all_states(widgets_by_view, "ada", view))

    assert served_home.contents() != before
