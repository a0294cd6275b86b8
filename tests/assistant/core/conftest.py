"""A database of each kind."""

from __future__ import annotations

import pytest

from tests.assistant.review.conftest import KINDS, fresh


@pytest.fixture(params=KINDS)
def any_url(request, tmp_path) -> str:
    """The URL of a new database of each kind: these tests change its tables."""
    return fresh(request, tmp_path)
