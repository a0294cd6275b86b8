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
from dataclasses import replace
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
        (
            repeat.claim,
            speaker_surname(repeat.speaker) or repeat.speaker,
            frozenset((repeat.first, repeat.second)),
        )
        for repeat in planted
    }


def pairs(repeats: Iterable[RepeatedClaim]) -> set[Pair]:
    """Return the repeats as each claim that somebody made in two debates."""
    claim_pairs = set()
    for repeat in repeats:
        for _, mentions in repeat.by_speaker():
            speaker = mentions[0].speaker
            surname = speaker_surname(speaker) or speaker
            stems = {Path(mention.debate.path).stem for mention in mentions}
            for two_stems in combinations(stems, 2):
                for claim in (repeat.claim, *repeat.other_fact_checks):
                    claim_pairs.add((claim.id, surname, frozenset(two_stems)))
    return claim_pairs


def scores(found_pairs: set[Pair], planted_pairs: set[Pair]) -> dict[str, Any]:
    """Return precision and recall, each with what it is of."""
    right = found_pairs & planted_pairs
    return {
        "found": len(found_pairs),
        "precision": Share(len(right), len(found_pairs)).value if found_pairs else 1.0,
        "recall": Share(len(right), len(planted_pairs)).value,
    }


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive in a new home folder, check it, and compare what was found with what was planted."""
    archive, planted = from_samples(3)
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or Path(folder)
        write(home / "transcripts", archive)
        current_settings = settings.load(home=home)
        with (
            ClaimStore.open(current_settings.database) as claims,
            ArchiveStore.open(current_settings.database) as store,
        ):
            claims.upsert(sample_claims(), source="samples")
            list(transcript_collection.add(store, [home / "transcripts"]))
            engine = bulk_run.local_engine({"home": str(home)})
            bulk_run.run_checks(
                store,
                current_settings,
                engine,
                on_checked=lambda entry, *_: print(entry.title, file=sys.stderr),
            )
            with DecisionStore.open(current_settings.database) as decisions:
                counts = repeats.count_repeats(store, claims, decisions)
                everything = repeats.count_repeats(store, claims, decisions, all_possible=True)
    table_rows = [
        _row("as counted", counts.repeated, planted),
        _row("to look at", _with_possible(counts.to_look_at), planted),
        _row("all possible", _with_possible(everything.repeated), planted),
    ]
    print(table(table_rows))
    return {"rows": table_rows}


def _with_possible(claims: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the claims with their passages to look at among the counted ones."""
    return [
        replace(claim, mentions=(*claim.mentions, *claim.possible_mentions)) for claim in claims
    ]


def _row(name: str, repeats: Iterable[RepeatedClaim], planted: Iterable[Planted]) -> dict[str, Any]:
    return {
        "counted": name,
        "planted": len(wanted(planted)),
        **scores(pairs(repeats), wanted(planted)),
    }


main = command(
    measure, option("--home", type=Path, metavar="DIR", help="keep the archive in this folder")
)

if __name__ == "__main__":
    sys.exit(main())
