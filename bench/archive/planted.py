"""Planted repeats: does the archive find who said the same again in another debate, and nothing else?

``python -m bench.archive.planted [--json FILE]``. Expected: precision ≥ .95, recall ≥ .70. The four sample debates are
dealt out into twelve transcripts, in which the same speakers make fifty claims again in other words. Found is a claim,
a speaker and two transcripts; right is what was planted. The rewordings were written before any of them was scored.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

from assistant.archive import bulk_run, repeats, transcript_collection
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.repeats import RepeatedClaim
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.person_names import speaker_surname
from assistant.review.decision_store import DecisionStore
from bench.archive.making import Planted, from_samples, write
from bench.command import command, option, table
from bench.samples import sample_claims
from training.shared.intervals import Share

Pair = tuple[str, str, frozenset[str]]  # claim, speaker, two transcripts


def wanted(planted: Iterable[Planted]) -> set[Pair]:
    """Return what is to be found."""
    return {
        (p.claim, speaker_surname(p.speaker) or p.speaker, frozenset((p.first, p.second)))
        for p in planted
    }


def pairs(rows: Iterable[RepeatedClaim]) -> set[Pair]:
    """Return what was found: each claim that somebody made in two debates."""
    return {
        (row.claim.id, speaker_surname(said[0].speaker) or said[0].speaker, frozenset(two))
        for row in rows
        for _, said in row.by()
        for two in combinations({Path(m.debate.path).stem for m in said}, 2)
    }


def scores(found: set[Pair], planted: set[Pair]) -> dict[str, Any]:
    """Return precision and recall, each with what it is of."""
    right = found & planted
    return {
        "found": len(found),
        "precision": Share(len(right), len(found)).value if found else 1.0,
        "recall": Share(len(right), len(planted)).value,
    }


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive in a new home folder, check it, and compare what was found with what was planted."""
    made, planted = from_samples(3)
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or Path(folder)
        write(home / "transcripts", made)
        chosen = settings.load(home=home)
        with (
            ClaimStore.open(chosen.database) as claims,
            ArchiveStore.open(chosen.database) as store,
        ):
            claims.upsert(sample_claims(), source="samples")
            list(transcript_collection.add(store, [home / "transcripts"]))
            engine = bulk_run.local_engine({"home": str(home)})
            bulk_run.run_checks(
                store,
                chosen,
                engine,
                on_checked=lambda entry, *_: print(entry.title, file=sys.stderr),
            )
            with DecisionStore.open(chosen.database) as decisions:
                rows = [_row(name, repeats.count_repeats(store, claims, decisions, all_possible=possible).repeated, planted)
                        for name, possible in (("as counted", False), ("all possible", True))]  # fmt: skip
    print(table(rows))
    return {"rows": rows}


def _row(name: str, rows: Iterable[RepeatedClaim], planted: Iterable[Planted]) -> dict[str, Any]:
    return {
        "counted": name,
        "planted": len(wanted(planted)),
        **scores(pairs(rows), wanted(planted)),
    }


main = command(
    measure, option("--home", type=Path, metavar="DIR", help="keep the archive in this folder")
)

if __name__ == "__main__":
    sys.exit(main())
