"""The messages of a browser that reach Streamlit, and those that are ignored."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg

from assistant.ui.page_messages import PageMessages

testclient = pytest.importorskip("starlette.testclient")
END = BackMsg(app_heartbeat=True).SerializeToString()


def operation(payload):
    """A request for an operation, as a browser sends it."""
    message = BackMsg()
    getattr(message.backend_operation_request, payload).SetInParent()
    return message.SerializeToString()


def rerun():
    message = BackMsg()
    message.rerun_script.query_string = "report=one"
    return message.SerializeToString()


def reached(*messages):
    """Return which messages the app behind the middleware gets, before the last heartbeat."""
    contents = []

    async def note(socket):
        await socket.accept()
        content = await socket.receive_bytes()
        while content != END:
            contents.append(content)
            content = await socket.receive_bytes()
        await socket.close()

    app = Starlette(routes=[WebSocketRoute("/", note)])
    with testclient.TestClient(PageMessages(app)).websocket_connect("/") as websocket:
        for message in (*messages, END):
            websocket.send_bytes(message)
        websocket.receive()
    return contents


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "message",
    [
        BackMsg(clear_cache=True).SerializeToString(),
        BackMsg(clear_cache=False).SerializeToString(),
        BackMsg(set_run_on_save=True).SerializeToString(),
        BackMsg(load_git_info=True).SerializeToString(),
        BackMsg(debug_shutdown_runtime=True).SerializeToString(),
        rerun() + BackMsg(clear_cache=True).SerializeToString(),
        operation("install_skills"),
        operation("dismiss_skills_nudge"),
        b"",
    ],
)
def test_a_browser_never_clears_caches_or_asks_for_another_service_of_streamlit(message):
    """And the connection stays open for the messages of the page."""
    assert reached(message, rerun()) == [rerun()]


@pytest.mark.parametrize(
    "message",
    [
        rerun(),
        BackMsg(stop_script=True).SerializeToString(),
        BackMsg(clear_cache=True).SerializeToString() + rerun(),
        operation("deferred_file"),
        operation("dataframe_chunk"),
        b"no message",
    ],
)
def test_messages_of_a_page_reach_streamlit(message):
    """So does one that cannot be parsed: Streamlit closes the connection then."""
    assert reached(message) == [message]
