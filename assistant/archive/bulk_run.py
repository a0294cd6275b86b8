"""A run of the archive: checks every transcript that waits, one unit of work each, here or on a cluster.

What is done is in the database at once. A run that was cut short is simply begun again: it does
what is not done, and again what was done with another transcript, other claims or other models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant import pipeline
from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.archive.sentence_vectors import FOLDER, VectorFolder
from assistant.archive.transcript_checks import (
    CheckOutcome,
    CheckUnit,
    check_unit,
    models_and_claims,
    vectors_of,
)
from assistant.check import loaded_models
from assistant.claims.index_manifest import sole_writer
from assistant.core.settings import Settings

Engine = Callable[[Sequence[CheckUnit]], Iterable[CheckOutcome]]
# Called with a transcript, its error or "", the number of finished ones, and of all.
OnChecked = Callable[[ArchivedTranscript, str, int, int], None]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run ended: transcripts that were checked, that failed, and that were up to date before."""

    checked: int
    failed: int
    fresh: int


def local_engine(options: Mapping[str, str]) -> Engine:
    """Return the engine that does one unit after the other in this process.

    ``options``: see ``checking.work``.
    """

    def engine(units: Sequence[CheckUnit]) -> Iterator[CheckOutcome]:
        for unit in units:
            yield check_unit(unit, options)

    return engine


def run_checks(
    store: ArchiveStore, settings: Settings, engine: Engine, *, on_checked: OnChecked
) -> RunSummary:
    """Check every transcript that waits, and keep the vectors of what was said.

    Raises: IndexBusy if another run is on its way in this home folder; what the engine raises if
    it cannot work at all.
    """
    folder = settings.home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with sole_writer(folder):
        index = pipeline.open_index(settings)
        current_key = models_and_claims(settings, index)
        waiting_ids = store.waiting(current_key)
        entry_by_id = {entry.id: entry for entry in store.entries()}
        vectors_on_disk = vector_folder(settings)
        check_units = [CheckUnit(transcript_id, current_key) for transcript_id in waiting_ids]
        failed_count = 0
        for done_count, outcome in enumerate(engine(check_units), start=1):
            entry = entry_by_id[outcome.transcript]
            if outcome.vectors is not None:
                vectors_on_disk.add(entry, outcome.vectors)
            if outcome.error:
                failed_count += 1
                store.failed(entry.id, outcome.error)
            on_checked(entry, outcome.error, done_count, len(waiting_ids))
        update_vectors(store, settings, vectors_on_disk)
        # Without a failure every transcript was searched for all of these fact-checks.
        if failed_count == 0:
            store.note_compared(index.fingerprints)
    return RunSummary(
        checked=len(waiting_ids) - failed_count,
        failed=failed_count,
        fresh=len(entry_by_id) - len(waiting_ids),
    )


def update_vectors(store: ArchiveStore, settings: Settings, vectors: VectorFolder) -> None:
    """Make the vectors that are missing, as after a kill, and drop those of transcripts that have gone."""
    entries = store.entries()
    for entry in vectors.missing(entries):
        digest_and_transcript = store.transcript(entry.id)
        if digest_and_transcript is None:
            continue
        digest, transcript = digest_and_transcript
        # Another process may have replaced the transcript since its entry was read.
        if digest == entry.digest:
            vectors.add(entry, vectors_of(transcript, settings))
    vectors.keep(store.entries())


def vector_folder(settings: Settings) -> VectorFolder:
    """Return the vectors of a home folder, of the model in use."""
    sbert = loaded_models.encoders(settings.profile).sbert
    return VectorFolder.of(settings.home, f"{sbert.name} {sbert.digest}")
