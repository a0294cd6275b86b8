"""Opening the index while somebody else adds to it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pytest

from assistant import pipeline
from assistant.check import index_opening, loaded_models
from assistant.claims import index_building, index_manifest, index_sharing
from assistant.claims.claim_store import ClaimStore
from assistant.core.errors import StoreError
from assistant.core.settings import Settings
from tests.assistant.test_pipeline import CLAIMS


def test_two_checks_at_once_wait_for_one_index(tmp_path):
    """The second check waits until the first has added the claims; neither fails."""
    settings = Settings(home=tmp_path)
    messages = []
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="test")
    folder = index_manifest.model_folder(
        tmp_path / "index", index_manifest.model_digests(loaded_models.encoders(settings.profile))
    )
    folder.mkdir(parents=True)
    with ExitStack() as lock:
        lock.enter_context(index_manifest.sole_writer(folder))

        def tell(stage: str, *_: int) -> None:
            messages.append(stage)
            lock.close()  # the other one is done

        index = pipeline.open_index(settings, progress=tell)

    assert len(CLAIMS) == len(index.ids)
    assert messages[0].startswith("waiting for the index")


def test_a_second_home_fetches_the_index(tmp_path, monkeypatch):
    """Two processes with homes of their own and one database.

    One builds, the other opens that index.
    """
    url = Settings(home=tmp_path).database
    first_settings, second = (
        Settings(tmp_path / name, url, shared_index=tmp_path / "shared") for name in ("one", "two")
    )
    with ClaimStore.open(url) as store:
        store.upsert(CLAIMS, source="test")
    built = pipeline.build_index(first_settings)
    monkeypatch.setattr(index_building, "build", None)

    fetched = pipeline.open_index(second)

    assert built.digest == fetched.digest
    assert all(fetched.bodies_ready)


def test_a_second_home_waits_for_the_one_that_builds(tmp_path):
    """It does not build the same claims again."""
    settings = Settings(tmp_path, shared_index=tmp_path / "shared")
    messages = []
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="test")
    with ExitStack() as lock:
        lock.enter_context(
            index_sharing.sole_builder(
                settings.shared_index, loaded_models.encoders(settings.profile)
            )
        )

        def tell(stage: str, *_: int) -> None:
            messages.append(stage)
            lock.close()

        assert len(CLAIMS) == len(pipeline.open_index(settings, progress=tell))

    assert messages[0].startswith("waiting for the index")


def test_outdated_claims_are_dropped_if_too_many_wait_to_be_indexed(tmp_path, monkeypatch):
    """Neither a withdrawn fact-check nor an old rating is found; other claims are."""
    settings = Settings(home=tmp_path)
    withdrawn, revised, retitled, *_ = CLAIMS
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="test")
        pipeline.build_index(settings)
        store.withdraw([withdrawn.id], why="retracted", withdrawn_by="Ada")
        changed_claims = [
            replace(revised, rating="Quite another rating"),
            replace(retitled, title="Another title"),
        ]
        store.upsert(changed_claims, source="test")
    monkeypatch.setattr(index_opening, "CLAIMS_INDEXED_AT_ONCE", 0)

    index = pipeline.open_index(settings)

    expected_ids = {vclaim.id for vclaim in CLAIMS} - {withdrawn.id, revised.id}
    assert set(index.ids) == expected_ids


def test_without_fact_checks_the_page_and_the_command_that_load_some_are_named(tmp_path):
    with pytest.raises(StoreError) as raised:
        pipeline.open_index(Settings(home=tmp_path))

    assert "page Fact-checks" in raised.value.remedy
    assert "claims import" in raised.value.remedy
