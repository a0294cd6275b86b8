"""Headers that keep answers out of frames, and keep pictures and scripts from outside out of answers."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse

from assistant.core.access import Access
from assistant.web.request_filter import RequestFilter
from assistant.web.response_headers import NO_PAGE_POLICY, SecurityHeaders

testclient = pytest.importorskip("starlette.testclient")


def headers_of(app, **options):
    return (
        testclient.TestClient(SecurityHeaders(app, **options), base_url="http://a.example")
        .get("/")
        .headers
    )


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "app",
    [
        PlainTextResponse("page"),
        PlainTextResponse("none", 404),
        RequestFilter(PlainTextResponse("x"), Access()),
    ],
)
def test_an_answer_is_never_framed(app):
    """Neither a page nor a refusal."""
    headers = headers_of(app)

    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Content-Security-Policy"] == NO_PAGE_POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_policy_of_its_own_stays():
    """The policy of a recording is narrower than the policy of a page."""
    recording = PlainTextResponse("x", headers={"Content-Security-Policy": "sandbox"})

    assert headers_of(recording)["Content-Security-Policy"] == "sandbox"
    assert headers_of(recording)["X-Frame-Options"] == "DENY"
    assert headers_of(PlainTextResponse("x"), policy="p")["Content-Security-Policy"] == "p"
