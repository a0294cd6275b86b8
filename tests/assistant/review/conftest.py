"""A store of decisions in each database, and a clock that ticks once a look."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.review.decision_store import DecisionStore
from tests.assistant.claims.conftest import fresh_database, lent_database

KINDS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))


@pytest.fixture
def store(tmp_path) -> Iterator[DecisionStore]:
    with DecisionStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


@pytest.fixture(params=KINDS)
def any_url(request, tmp_path) -> Iterator[str]:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'lectern.db'}"
        return
    with lent_database(request.getfixturevalue("postgres_server")) as url:
        yield url


def fresh(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of a fresh database of the kind that a fixture's parameter names."""
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'lectern.db'}"
    return fresh_database(request.getfixturevalue("postgres_server"))


@pytest.fixture
def clock() -> Callable[[], str]:
    ticks = itertools.count()
    return lambda: f"2024-09-11T09:00:{next(ticks):02d}.000Z"
