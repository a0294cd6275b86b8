"""An API over a home with three fact-checks, and tokens for it."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from assistant.api.application import limited, make_app
from assistant.api.services import ApiServices
from assistant.claims.claim_store import ClaimStore
from assistant.core.settings import Settings
from assistant.live.access_tokens import Scope, TokenLimits
from tests.assistant.test_pipeline import CLAIMS

HOLDER_NUMBERS = count(1)
BASE = "http://127.0.0.1:8600"


@pytest.fixture(scope="module")
def served_home(tmp_path_factory):
    """Return the resources of an API and a client, for the tests of a module."""
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="tests")
    services = ApiServices(settings)
    app = make_app(services)
    client = TestClient(limited(app), base_url=BASE, raise_server_exceptions=False)
    yield SimpleNamespace(settings=settings, services=services, app=app, client=client)
    services.close()


@pytest.fixture
def give(served_home):
    """Return a function that makes a token and the headers with it."""

    def give_token(*scopes: Scope, limits: TokenLimits | None = None) -> dict[str, str]:
        holder = f"program {next(HOLDER_NUMBERS)}"
        tokens = served_home.services.tokens
        token = tokens.give_scopes(holder, scopes, limits or TokenLimits())
        return {"Authorization": f"Bearer {token}"}

    return give_token
