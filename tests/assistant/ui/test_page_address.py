"""The address of the server in the pages of the app."""

from __future__ import annotations

import pytest
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, StreamingResponse

from assistant.ui.page_address import ADDRESS_SCRIPT, PageAddress, with_address

testclient = pytest.importorskip("starlette.testclient")
PAGE = "<html><head><script>first()</script></head>" + "x" * 2000 + "</html>"
WITH_ADDRESS = PAGE.replace("<script>", f"<script>{ADDRESS_SCRIPT}</script><script>", 1)
BROWSER = {"accept": "text/html,application/xhtml+xml", "accept-encoding": "gzip"}


def answer(app, headers, method="GET"):
    """Request a page of an app behind the middleware."""
    return testclient.TestClient(PageAddress(app)).request(method, "/archive", headers=headers)


def test_a_page_has_the_address_before_its_first_script():
    response = answer(HTMLResponse(PAGE), BROWSER)

    assert response.text == WITH_ADDRESS
    assert response.headers["content-length"] == str(len(WITH_ADDRESS))


def test_a_page_that_comes_in_parts_has_the_address_once():
    parts = (PAGE[:30], PAGE[30:40], PAGE[40:])

    async def streamed(scope, receive, send):
        await StreamingResponse(iter(parts), media_type="text/html")(scope, receive, send)

    assert answer(streamed, BROWSER).text == WITH_ADDRESS


def test_a_server_that_compresses_sends_the_page_with_the_address():
    assert answer(GZipMiddleware(HTMLResponse(PAGE)), BROWSER).text == WITH_ADDRESS


def test_the_parts_of_a_page_stay_compressed_and_as_they_are():
    compressing = GZipMiddleware(PlainTextResponse(PAGE))

    response = answer(compressing, {"accept": "*/*", "accept-encoding": "gzip"})

    assert response.headers["content-encoding"] == "gzip"
    assert response.text == PAGE


@pytest.mark.parametrize(
    ("app", "method"),
    [
        (HTMLResponse(PAGE, 404), "GET"),
        (HTMLResponse(PAGE), "POST"),
        (PlainTextResponse(PAGE), "GET"),
        (HTMLResponse(""), "GET"),
    ],
)
def test_everything_else_is_passed_on(app, method):
    assert answer(app, BROWSER, method).content == app.body


def test_a_page_without_a_script_is_left_as_it_is():
    assert with_address(b"<html></html>") == b"<html></html>"
