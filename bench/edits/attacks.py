"""Attacks on fact-checked claims.

Is what a fact-check does not settle shown as *likely*, or as settled?

``python -m bench.edits.attacks --data DIR [--cache DIR] [--part development|test] [--json FILE]``. The
seeded rules of ``bench.edits.attack_rules`` edit real statements, which then play sentences; the whole index is
searched with the models, ranker and tiers that ship. The statements of the test are those that no text model was
trained on; where they do not give a hundred cases of a kind, statements that models were trained on fill it up, and
the table says how many. Development has other such statements.

*Likely*: the fact-check of the original is. *Settled whole*: it is, and the sentence would count as settled by it
alone, though it says more. *Part right*: where it is likely, the card names a part, and none that the attack put in.
*First*: it is the first match shown. A language model with a written guide read a sample; wrong attacks are in
``bench/labels/refused_attacks.tsv``. Half of the sentences come with the speaker of the statement; no event is dated.
Expected: see docs/research/confidence.md; *likely* at most 5 % of each kind that changes what is said, the claim first in 75 %.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import rankers
from assistant.report.settled_parts import settled_parts, unsettled_parts
from bench.command import command, option, table
from bench.edits import statements
from bench.edits.attack_rules import ADDED, CHANGED, KEPT, Attack, Tables, added, joinable
from bench.edits.statements import Edited
from features.models.weight_files import reranker_folder
from ranking.tier_thresholds import LIKELY, POSSIBLE
from training.shared.intervals import Share
from training.shared.loaders import training_claims
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

EACH = 115  # cases of a kind before any is refused
BAR_CHANGED = 0.05
BAR_FIRST = 0.75
KINDS: dict[str, Attack] = {**ADDED, **CHANGED, **KEPT}


@dataclass(frozen=True, slots=True)
class Shown:
    """What Lectern shows for the claim of an attacked statement.

    ``part_right`` is None where nothing is likely.
    """

    tier: int
    first: bool
    whole: bool
    part_right: bool | None


def make(folder: Path, split: str = "test") -> list[Edited]:
    """Return the attacks of every kind, without the refused ones."""
    claims_by_id = statements.claim_rows(folder)
    learnt = sorted({claim["id"] for claim in training_claims(folder)})
    half = []
    for claims in learnt:
        if int(hashlib.sha256(claims.encode()).hexdigest(), 16) % 2 == (split == "test"):
            half.append(claims)
    unseen = statements.unseen_claims(folder, claims_by_id) if split == "test" else []
    pools = []
    for claims in (unseen, statements.plain_claims(half, claims_by_id)):
        pools.append(statements.spoken_statements(claims, claims_by_id))
    tables = Tables(
        statements.words_of_rows(claims_by_id), joinable(list((pools[0] or pools[1]).values()))
    )
    refused = statements.refused_edits("refused_attacks.tsv")
    return statements.edited(KINDS, pools, claims_by_id, tables, each=EACH, refused=refused)


def shown(attacks: Sequence[Edited], bench: Bench, ranker: rankers.Ranker) -> list[Shown]:
    """Return what is shown for each attack's claim.

    Nothing for a sentence that is dropped as not worth checking.
    """
    inputs, ranking, pair_tiers, claim_positions = statements.ranked(attacks, bench, ranker)
    tiers = np.zeros(inputs.sentence_count, int)
    best = np.full(inputs.sentence_count, -1)
    np.maximum.at(
        tiers,
        inputs.sentence_index[inputs.claim_index == claim_positions],
        pair_tiers[inputs.claim_index == claim_positions],
    )
    for pair in np.argsort(ranking.pair_scores, kind="stable").tolist():
        if pair_tiers[pair] >= POSSIBLE:
            best[inputs.sentence_index[pair]] = pair
    firsts = [
        pair >= 0 and inputs.claim_index[pair] == claim_positions[pair] for pair in best.tolist()
    ]
    position = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    claim_statements = [bench.index.statements[position[attack.claim]] for attack in attacks]
    return [
        judged(*case)
        for case in zip(attacks, tiers.tolist(), firsts, claim_statements, strict=True)
    ]


def judged(attack: Edited, tier: int, is_first: bool, statement: str) -> Shown:
    """Return what the tier of a claim's statement and its place among the matches say of an attack on it."""
    likely = tier == LIKELY
    if attack.kind not in ADDED:
        return Shown(tier, bool(is_first), likely, None)
    start, end = added(attack.original, attack.text)
    settled_spans = settled_parts(attack.text, statement)
    right = bool(settled_spans) and not any(
        start <= span.start and span.end <= end + 2 for span in settled_spans
    )
    return Shown(
        tier,
        bool(is_first),
        likely and not unsettled_parts(attack.text, [statement]),
        right if likely else None,
    )


def by_kind(attacks: Sequence[Edited], shown: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return a row for each kind.

    How many cases, how many of statements that models have seen, and the shares.
    """
    table_rows = []
    for kind, cases in statements.by_kind(attacks, shown, KINDS):
        outcomes = [outcome for _, outcome in cases]
        parts = [outcome.part_right for outcome in outcomes if outcome.part_right is not None]
        table_rows.append(
            {
                "kind": kind,
                "cases": len(cases),
                "seen": sum(attack.seen for attack, _ in cases),
                "likely": Share.count(outcome.tier == LIKELY for outcome in outcomes),
                "settled whole": Share.count(outcome.whole for outcome in outcomes),
                "part right": Share.count(parts),
                "shown": Share.count(outcome.tier >= POSSIBLE for outcome in outcomes),
                "first": Share.count(outcome.first for outcome in outcomes),
            }
        )
    return table_rows


def with_bars(table_rows: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    """Yield the rows as printed.

    Parts only for kinds that add one, and what is missed of the bars.
    """
    for table_row in table_rows:
        must_match = table_row["kind"] in KEPT
        missed = (
            table_row["first"].value < BAR_FIRST
            if must_match
            else table_row["likely"].value > BAR_CHANGED
        )
        without_parts = (
            {} if table_row["kind"] in ADDED else {"settled whole": "", "part right": ""}
        )
        yield {
            **table_row,
            **without_parts,
            "must": "match" if must_match else "",
            "bar": "MISSED" if missed else "",
        }


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the attacks, print what is shown for each kind, and return the rows."""
    attacks = make(options.data, options.part)
    table_rows = by_kind(
        attacks,
        shown(
            attacks,
            open_bench(options),
            rankers.load(rankers.LECTERN, reranker_folder(options.reranker)),
        ),
    )
    print(table(with_bars(table_rows)))
    return {"rows": table_rows}


main = command(
    measure, add_options, option("--part", choices=("development", "test"), default="test")
)

if __name__ == "__main__":
    sys.exit(main())
