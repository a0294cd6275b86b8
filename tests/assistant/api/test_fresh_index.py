"""The index of the API after an import."""

from __future__ import annotations

from contextlib import closing

import pytest

from assistant.api.fresh_index import FreshIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.settings import Settings
from tests.assistant.test_pipeline import CLAIMS


@pytest.fixture
def settings(tmp_path):
    made = Settings(home=tmp_path)
    with ClaimStore.open(made.database) as store:
        store.upsert(CLAIMS[:1], source="tests")
    return made


def test_new_fact_checks_are_found_after_a_refresh(settings):
    with closing(FreshIndex(settings)) as index:
        assert index.ids() == ["c1"]
        with ClaimStore.open(settings.database) as store:
            store.upsert(CLAIMS[1:2], source="tests")

        is_newer = index.refresh()

        assert is_newer
        assert index.ids() == ["c1", "c2"]


def test_an_unchanged_index_is_not_opened_again(settings):
    with closing(FreshIndex(settings)) as index:
        opened = index.current()
        index.refresh()

        index.refresh()

        assert not index.refresh()
        assert len(index.current()) == len(opened)
