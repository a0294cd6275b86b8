"""The API against its own description: values made from it, and answers as it says."""

from __future__ import annotations

import os
import time
from itertools import count

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from assistant.api.application import make_app
from assistant.api.services import ApiServices
from assistant.claims.claim_store import ClaimStore
from assistant.core.settings import Settings
from assistant.jobs.check_service import CheckService
from assistant.live.access_tokens import Scope, TokenLimits
from assistant.report import stored_reports
from tests.assistant.made_up import report
from tests.assistant.test_pipeline import CLAIMS

QUICK_EXAMPLES = 3  # for each operation
LONG_EXAMPLES = 20  # for each operation in one round
LONG_S = float(os.environ.get("LECTERN_API_TEST_S", "300"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
PATIENCE_S = 120
pytestmark = pytest.mark.slow
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@pytest.fixture
def described(tmp_path):
    """Return the operations of an API with made-up reports, and headers with a token."""
    home = Settings(home=tmp_path)
    with ClaimStore.open(home.database) as store:
        store.upsert(CLAIMS, source="tests")
    services = ApiServices(home)
    services.warm()
    limits = TokenLimits(per_minute=1_000_000, per_day=1_000_000)
    token = services.tokens.give_scopes("schemathesis", list(Scope), limits)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(CheckService, "_check", lambda *_: stored_reports.archive(report()))
        schema = schemathesis.openapi.from_asgi("/v1/openapi.json", make_app(services))
        operations = [result.ok() for result in schema.get_all_operations()]
        yield operations, {"Authorization": f"Bearer {token}"}
        services.close()


def examine(operation, headers, mode, examples, start):
    """Ask an operation with some made values, right or wrong ones, and compare each answer."""

    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        case.call_and_validate(headers=headers, checks=CHECKS, timeout=PATIENCE_S)

    ask()


def test_every_operation_answers_as_it_says(described):
    operations, headers = described
    for operation in operations:
        examine(operation, headers, GenerationMode.POSITIVE, QUICK_EXAMPLES, 1)


@pytest.mark.long
@pytest.mark.threat("api client")
def test_no_made_value_breaks_an_operation(described):
    """Right and wrong values, in rounds over all operations, for five minutes."""
    operations, headers = described
    end = time.monotonic() + LONG_S
    for start in count(1):
        for operation in operations:
            for mode in MODES:
                if time.monotonic() > end:
                    return
                try:
                    examine(operation, headers, mode, LONG_EXAMPLES, start)
                except Unsatisfiable:  # no wrong value exists for this operation
                    continue
