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
OnChecked = Callable[
    [ArchivedTranscript, str, int, int], None
]  # a transcript, "" or why it failed, done, of how many


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
        current = models_and_claims(settings, index)
        waiting = store.waiting(current)
        entries = {entry.id: entry for entry in store.entries()}
        vectors = vector_folder(settings)
        failed = 0
        for done, outcome in enumerate(
            engine([CheckUnit(number, current) for number in waiting]), 1
        ):
            entry = entries[outcome.transcript]
            if outcome.vectors is not None:
                vectors.add(entry, outcome.vectors)
            if outcome.error:
                failed += 1
                store.failed(entry.id, outcome.error)
            on_checked(entry, outcome.error, done, len(waiting))
        update_vectors(store, settings, vectors)
        if not failed:  # every check has searched all of these fact-checks
            store.note_compared(index.fingerprints)
    return RunSummary(len(waiting) - failed, failed, len(entries) - len(waiting))


def update_vectors(store: ArchiveStore, settings: Settings, vectors: VectorFolder) -> None:
    """Make the vectors that are missing, as after a kill, and drop those of transcripts that have gone."""
    entries = store.entries()
    for entry in vectors.missing(entries):
        stored = store.transcript(entry.id)
        if stored is not None and stored[0] == entry.digest:
            vectors.add(entry, vectors_of(stored[1], settings))
    vectors.keep(store.entries())


def vector_folder(settings: Settings) -> VectorFolder:
    """Return the vectors of a home folder, of the model in use."""
    sbert = loaded_models.encoders(settings.profile).sbert
    return VectorFolder.of(settings.home, f"{sbert.name} {sbert.digest}")
