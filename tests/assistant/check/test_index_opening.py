"""Opening the index while somebody else adds to it."""

from __future__ import annotations

from contextlib import ExitStack

from assistant import pipeline
from assistant.check import models
from assistant.claims import index_manifest
from assistant.claims.store import ClaimStore
from assistant.ground.settings import Settings
from tests.assistant.test_pipeline import CLAIMS


def test_two_checks_at_once_wait_for_one_index(tmp_path):
    """The second check waits until the first has added the claims; neither fails."""
    settings, told = Settings(home=tmp_path), []
    with ClaimStore.open(settings.database) as store:
        store.upsert(CLAIMS, source="test")
    folder = index_manifest.model_folder(tmp_path / "index", index_manifest.models(models.encoders(settings.profile)))
    folder.mkdir(parents=True)
    with ExitStack() as other:
        other.enter_context(index_manifest.sole_writer(folder))

        def tell(stage: str, *_: int) -> None:
            told.append(stage)
            other.close()  # the other one is done

        index = pipeline.open_index(settings, progress=tell)

    assert len(CLAIMS) == len(index.ids)
    assert told[0].startswith("waiting for the index")
