"""Confusers: how often does a sentence that a fact-check does not settle get that fact-check as *likely*?

``python -m bench.edits.confusers --data DIR [--index DIR] [--cache DIR] [--json FILE]``. The seeded rules
of ``bench.edits.confusions`` edit real statements, which then play a sentence; the whole index is searched with the
models, ranker and tiers that ship. Kinds that must not match change what would settle the claim, kinds that must match
do not; beside them are real sentences without any fact-check. The statements are those that no text model was trained
on (``training.shared.loaders.held_out_claims``: judged for the seven debates or linked to CheckThat! 2B dev queries).

A language model with a written guide read every pair; wrong ones are in
``bench/labels/refused_edits.tsv``. Half of the sentences come with the speaker of the statement,
half with none; none has an event date. Expected: at most 8 % *likely* of each kind that must not
match, at least 65 % of each that must but rewordings (51 %).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import rankers
from bench.command import command, option, table
from bench.edits import statements
from bench.edits.confusions import MUST, MUST_NOT
from bench.edits.statements import Edited, Rows
from bench.label_files import label_rows
from features.models.weight_files import reranker_folder
from ranking.tier_thresholds import LIKELY, POSSIBLE
from training.shared import debates as data
from training.shared.intervals import Share
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

EACH = 80  # pairs of a kind before any is refused
REWORDED = "reworded by hand"
NO_CHECK = "real, no fact-check"
BAR_NOT = 0.10
BAR_MUST = 0.60


def make(folder: Path) -> list[Edited]:
    """Return the confusers of every kind, without the refused ones."""
    claims_by_id = statements.claim_rows(folder)
    texts = statements.spoken_statements(
        statements.unseen_claims(folder, claims_by_id), claims_by_id
    )
    refused = statements.refused_edits("refused_edits.tsv")
    words = statements.words_of_rows(claims_by_id)
    edits = statements.edited(
        {**MUST_NOT, **MUST}, [texts], claims_by_id, words, each=EACH, refused=refused
    )
    return edits + reworded(claims_by_id) + unmatched(folder)


def reworded(claims_by_id: Rows) -> list[Edited]:
    """Return statements in other words, which were written before any of them was scored."""
    return [
        Edited(
            REWORDED,
            text,
            statements.speaker(REWORDED, claim, claims_by_id[claim]["speaker"]),
            claim,
        )
        for claim, text in label_rows("rewordings.tsv")
    ]


def unmatched(folder: Path) -> list[Edited]:
    """Return real sentences for which no fact-check was found among the nearest statements."""
    unmatched_lines = {(debate, int(line)) for debate, line in label_rows("no_match.tsv")}
    return [
        Edited(NO_CHECK, text, speaker, "")
        for debate in data.linked(folder / "debates")
        for line, text, speaker in zip(debate.lines, debate.texts, debate.speakers, strict=True)
        if (debate.name, line) in unmatched_lines
    ]


def tiers_of(confusers: Sequence[Edited], bench: Bench, ranker: rankers.Ranker) -> list[int]:
    """Return the tier of each confuser's claim for it, of its best pair where it names no claim.

    0 as well where the claim is no candidate, or the sentence is dropped as not worth checking.
    """
    inputs, _, pair_tiers, claim_positions = statements.ranked(confusers, bench, ranker)
    counts = (inputs.claim_index == claim_positions) | (claim_positions < 0)
    tiers = np.zeros(inputs.sentence_count, int)
    np.maximum.at(tiers, inputs.sentence_index[counts], pair_tiers[counts])
    return tiers.tolist()


def by_kind(confusers: Sequence[Edited], tiers: Sequence[int]) -> list[dict[str, Any]]:
    """Return a row for each kind.

    How many, and the shares that are likely and possible or likely.
    """
    table_rows = []
    for kind, pairs in statements.by_kind(confusers, tiers, (*MUST_NOT, NO_CHECK, *MUST, REWORDED)):
        likely, shown = (
            Share.count(tier >= tier_threshold for _, tier in pairs)
            for tier_threshold in (LIKELY, POSSIBLE)
        )
        must = kind in (*MUST, REWORDED)
        table_rows.append(
            {
                "kind": kind,
                "must_match": must,
                "pairs": len(pairs),
                "likely": likely,
                "shown": shown,
            }
        )
    return table_rows


def with_bars(table_rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Yield the rows as printed: with what is missed of the bars."""
    for table_row in table_rows:
        missed = (
            table_row["likely"].value < BAR_MUST
            if table_row["must_match"]
            else table_row["likely"].value > BAR_NOT
        )
        yield table_row | {
            "must_match": "must match" if table_row["must_match"] else "",
            "bar": "MISSED" if missed else "",
        }


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the confusers, print how many of each kind are *likely*, and return the rows."""
    confusers = make(options.data)
    table_rows = by_kind(
        confusers,
        tiers_of(
            confusers,
            open_bench(options),
            rankers.load(options.ranker, reranker_folder(options.reranker)),
        ),
    )
    print(table(with_bars(table_rows)))
    return {"rows": table_rows}


main = command(measure, add_options, option("--ranker", default=rankers.LECTERN))

if __name__ == "__main__":
    sys.exit(main())
