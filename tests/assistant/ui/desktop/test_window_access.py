"""The door of the app behind a window.

One key, once, and then the cookie of the browser that brought it.
"""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.ui.desktop.window_access import COOKIE_NAME, WindowAccess

KEY = "a key"


async def _talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("come in")
    await socket.close()


@pytest.fixture
def browser():
    """Return a function that makes a browser of its own for one app behind a door."""
    routes = [
        Route("/{path:path}", lambda _: PlainTextResponse("the app")),
        WebSocketRoute("/stream", _talk),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(WindowAccess, key=KEY)])
    return lambda: TestClient(app, follow_redirects=False)


def test_the_key_opens_for_the_browser_that_brings_it(browser):
    """It gets a cookie that no script and no other site can use, and is led to an address without the key."""
    own_browser = browser()

    answer = own_browser.get(f"/?key={KEY}")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert own_browser.get("/any").text == "the app"
    with own_browser.websocket_connect("/stream") as socket:
        assert socket.receive_text() == "come in"


def test_the_key_opens_once(browser):
    """Who copies the address afterwards stays outside."""
    browser().get(f"/?key={KEY}")

    assert browser().get(f"/?key={KEY}").status_code == 403


@pytest.mark.parametrize(
    ("address", "cookie"),
    [
        ("/", ""),
        ("/?key=", ""),
        ("/?key=wrong", "wrong"),
        ("/?key=é", "wr%C3%B6ng"),
        ("/_stcore/health", "wrong"),
    ],
)
def test_nobody_else_comes_in(browser, address, cookie):
    """Neither by another key nor by a made-up cookie, before and after the window has come in."""
    for _ in range(2):
        other_browser = browser()
        answer = other_browser.get(address, headers={"cookie": f"{COOKIE_NAME}={cookie}"})
        assert answer.status_code == 403
        assert "the app" not in answer.text
        with pytest.raises(WebSocketDisconnect), other_browser.websocket_connect("/stream"):
            pass
        browser().get(f"/?key={KEY}")
