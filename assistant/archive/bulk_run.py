"""A run of the archive: checks every transcript that waits, one unit of work each, here or on a cluster.

What is done is in the database at once. A run that was cut short is simply begun again: it does
what is not done, and again what was done with another transcript, other claims or other models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant import pipeline
from assistant.archive.archive_store import ArchiveStore, Entry
from assistant.archive.sentence_vectors import FOLDER, Vectors
from assistant.archive.transcript_checks import Outcome, Unit, models_and_claims, vectors_of, work
from assistant.check import loaded_models
from assistant.claims.index_manifest import sole_writer
from assistant.core.settings import Settings

Engine = Callable[[Sequence[Unit]], Iterable[Outcome]]
Tell = Callable[
    [Entry, str, int, int], None
]  # a transcript, "" or why it failed, done, of how many


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended: transcripts that were checked, that failed, and that were up to date before."""

    checked: int
    failed: int
    fresh: int


def here(place: Mapping[str, str]) -> Engine:
    """Return the engine that does one unit after the other in this process.

    ``place``: see ``checking.work``.
    """

    def engine(units: Sequence[Unit]) -> Iterator[Outcome]:
        for unit in units:
            yield work(unit, place)

    return engine


def run(store: ArchiveStore, chosen: Settings, engine: Engine, *, tell: Tell) -> Done:
    """Check every transcript that waits, and keep the vectors of what was said.

    Raises: IndexBusy if another run is on its way in this home folder; what the engine raises if
    it cannot work at all.
    """
    folder = chosen.home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with sole_writer(folder):
        index = pipeline.open_index(chosen)
        current = models_and_claims(chosen, index)
        waiting = store.waiting(current)
        entries = {entry.id: entry for entry in store.entries()}
        vectors = vectors_in(chosen)
        failed = 0
        for done, outcome in enumerate(engine([Unit(number, current) for number in waiting]), 1):
            entry = entries[outcome.transcript]
            if outcome.vectors is not None:
                vectors.add(entry, outcome.vectors)
            if outcome.error:
                failed += 1
                store.failed(entry.id, outcome.error)
            tell(entry, outcome.error, done, len(waiting))
        catch_up(store, chosen, vectors)
        if not failed:  # every check has searched all of these fact-checks
            store.note_compared(index.fingerprints)
    return Done(len(waiting) - failed, failed, len(entries) - len(waiting))


def catch_up(store: ArchiveStore, chosen: Settings, vectors: Vectors) -> None:
    """Make the vectors that are missing, as after a kill, and drop those of transcripts that have gone."""
    entries = store.entries()
    for entry in vectors.missing(entries):
        found = store.transcript(entry.id)
        if found is not None and found[0] == entry.digest:
            vectors.add(entry, vectors_of(found[1], chosen))
    vectors.keep(store.entries())


def vectors_in(chosen: Settings) -> Vectors:
    """Return the vectors of a home folder, of the model in use."""
    sbert = loaded_models.encoders(chosen.profile).sbert
    return Vectors.of(chosen.home, f"{sbert.name} {sbert.digest}")
