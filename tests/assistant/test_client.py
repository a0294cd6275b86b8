"""The client against the API itself, without a network; sync and async."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.testclient import TestClient

from assistant.api.application import limited, make_app
from assistant.api.services import ApiServices
from assistant.claims.claim_store import ClaimStore
from assistant.client import ApiError, AsyncClient, Client
from assistant.core.settings import Settings
from assistant.live.access_tokens import Scope
from tests.assistant.test_pipeline import CLAIMS, TEXTS

BASE = "http://127.0.0.1:8600"
DEBATE = "".join(f"RIVERA: {text}\n\n" for text in TEXTS).encode()


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    """Return an application and a token for everything."""
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="tests")
    services = ApiServices(settings)
    services.begin()
    app = limited(make_app(services))
    yield app, services.tokens.give_scopes("client", list(Scope))
    services.close()


class InProcess(httpx.BaseTransport):
    """Passes the requests of a client that waits to an application of this process."""

    def __init__(self, app):
        self.testclient = TestClient(app, base_url=BASE)

    def handle_request(self, request):
        answer = self.testclient.request(
            request.method,
            str(request.url),
            content=request.read(),
            headers=dict(request.headers),
        )
        return httpx.Response(answer.status_code, content=answer.content)


@pytest.fixture
def client(api):
    app, token = api
    with Client(BASE, token, transport=InProcess(app)) as opened:
        yield opened


def run_async(api, work):
    """Run a function of an asynchronous client."""
    app, token = api

    async def run():
        transport = httpx.ASGITransport(app)
        async with AsyncClient(BASE, token, transport=transport) as opened:
            return await work(opened)

    return asyncio.run(run())


def test_matches_of_a_text(client, api):
    found = client.match(TEXTS[1])

    assert found[0].fact_check.id == "c1"
    assert found[0].text == TEXTS[1]
    assert run_async(api, lambda opened: opened.match(TEXTS[1])) == found


def test_a_page_of_fact_checks(client, api):
    page = client.fact_checks(words="rivera", per_page=1)

    assert (page.total, [item.id for item in page.items], page.has_next) == (2, ["c2"], True)
    work = lambda opened: opened.fact_checks(words="rivera", per_page=1)  # noqa: E731
    assert run_async(api, work) == page


def test_one_fact_check(client, api):
    assert "Mitterrand" in client.fact_check("c1").article
    assert run_async(api, lambda opened: opened.fact_check("c1")) == client.fact_check("c1")


def test_a_check_from_start_to_decision(client):
    started = client.start_check("2024-09-10_city.txt", DEBATE, title="City")
    (*_, ended) = client.progress(started.id, poll_s=0.05)
    decision = client.decide(ended.id, 2, "c1", "confirm", note="read")

    assert ended.state == "done"
    assert client.decisions(ended.id) == [decision]
    assert client.report(ended.id, "md").startswith(b"#")


def test_a_check_in_async_code(api):
    async def work(opened):
        started = await opened.start_check("2024-09-10_city.txt", DEBATE, title="Async")
        states = [state async for state in opened.progress(started.id, poll_s=0.05)]
        await opened.decide(started.id, 2, "c1", "later")
        return states[-1].state, len(await opened.decisions(started.id))

    assert run_async(api, work) == ("done", 1)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (lambda client: client.fact_check("nope"), 404),
        (lambda client: client.match(""), 422),
        (lambda client: client.check("0" * 32), 404),
    ],
)
def test_a_problem_is_an_error_with_its_status(client, call, status):
    with pytest.raises(ApiError) as raised:
        call(client)

    assert raised.value.status == status
    assert str(status) in str(raised.value)
