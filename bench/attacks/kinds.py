"""Attacks on claims of debates, kind by kind: is what a fact-check does not settle shown as *likely*, or as settled?

``python -m bench.attacks.kinds --data DIR [--cache DIR] [--part development|test] [--json FILE] [--read FILE]``. The
documented, seeded rules of ``bench.attacks.rules`` edit real statements, which play sentences; the whole index is
searched with the models, ranker and tiers that ship. The statements of the test are those that no text model was
trained on; where they do not give a hundred cases of a kind, statements that models were trained on fill it up, and
the table says how many. Development has other such statements.

*Likely*: the fact-check of the original is. *Settled whole*: it is, and the sentence would count as settled by it
alone, though it says more. *Part right*: where it is likely, the card names a part, and none that the attack put in.
*First*: it is the first match shown. A sample was read by eye; wrong ones are refused in
``bench/labels/refused_attacks.tsv``. Half of the sentences come with the speaker of the statement; no event is dated.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import rankers
from assistant.check.tiers import capped
from assistant.explain.settled import left, settled_parts
from assistant.ground.errors import LecternError
from bench.attacks.rules import ADDED, CHANGED, KEPT, Attack, Tables, added, joinable
from bench.edits.confusers import Confuser, as_debate, shuffled, table, usable, words_of
from bench.edits.spoken import spoken
from ranking.tiers import LIKELY, POSSIBLE
from training.shared import debates as data
from training.shared.intervals import Share
from training.shared.loaders import training_claims
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

EACH = 115  # cases of a kind before any is refused
LONGEST = 40  # words
BAR_CHANGED, BAR_FIRST = 0.05, 0.75
KINDS: dict[str, Attack] = {**ADDED, **CHANGED, **KEPT}


@dataclass(frozen=True, slots=True)
class Attacked:
    """An attacked statement as a sentence with its claim, the statement as spoken, and whether models have seen it."""

    sentence: Confuser
    original: str
    seen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What Lectern shows for the claim of an attacked statement; ``part_right`` is None where nothing is likely."""

    tier: int
    first: bool
    whole: bool
    part_right: bool | None


def make(folder: Path, part: str = "test", refused: frozenset[tuple[str, str]] | None = None) -> list[Attacked]:
    """Return the attacks of every kind, without the refused ones."""
    rows = {row["id"]: row for row in data.read_jsonl(folder / "politifact" / "claims.jsonl.gz")}
    unseen, seen = _statements(folder, rows, part)
    words = words_of([row["statement"] for row in rows.values()], [row["speaker"] for row in rows.values()])
    tables = Tables(words, joinable(list((unseen or seen).values())))
    refused = refused_attacks() if refused is None else refused
    found: list[Attacked] = []
    for kind, attack in KINDS.items():
        made: list[Attacked] = []
        for claim in (*shuffled(unseen, kind), *shuffled(seen, kind)):
            original = unseen.get(claim) or seen[claim]
            text = attack(original, random.Random(f"{kind} {claim}"), tables)
            if text and text != original and len(made) < EACH:
                sentence = Confuser(kind, text, _speaker(kind, claim, rows[claim]["speaker"]), claim)
                made.append(Attacked(sentence, original, claim in seen))
        found += [attacked for attacked in made if (kind, attacked.sentence.claim) not in refused]
    return found


def _statements(
    folder: Path, rows: Mapping[str, Mapping[str, Any]], part: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The spoken statements, by claim, that no text model was trained on (test only), and those of the other half."""
    learnt = {claim["id"] for claim in training_claims(folder)}
    half = [c for c in sorted(learnt) if int(hashlib.sha256(c.encode()).hexdigest(), 16) % 2 == (part == "test")]
    plain = [c for c in half if not rows[c].get("duplicate_of") and "Fl" not in rows[c]["rating"][-5:]]
    unseen, seen = (
        {c: text for c in claims if (text := spoken(rows[c]["statement"])) and len(text.split()) <= LONGEST}
        for claims in (usable(folder, rows) if part == "test" else [], plain)
    )
    return unseen, seen


def _speaker(kind: str, claim: str, claimant: str) -> str:
    return claimant if random.Random(f"speaker {kind} {claim}").random() < 0.5 else ""


def refused_attacks() -> frozenset[tuple[str, str]]:
    """Return the (kind, claim) whose attack went wrong: it says what it should not, or it is not language."""
    return frozenset((row[0], row[1]) for row in table("refused_attacks.tsv"))


def shown(attacks: Sequence[Attacked], bench: Bench, ranker: rankers.Ranker) -> list[Shown]:
    """Return what is shown for each attack's claim; nothing for a sentence that is dropped as not worth checking."""
    debate = as_debate([attacked.sentence for attacked in attacks])
    inputs = bench.inputs(debate)
    ranking = capped(ranker.rank(inputs), inputs, debate.texts, bench.index.statements)
    place = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    wanted = np.array([place.get(attacked.sentence.claim, -1) for attacked in attacks])[inputs.sentence]
    kept = bench.worthiness(debate) >= bench.check_worthiness.threshold
    tiers = np.where(kept[inputs.sentence], ranking.pair_tiers, 0)
    own, best = np.zeros(inputs.n, int), np.full(inputs.n, -1)
    np.maximum.at(own, inputs.sentence[inputs.claim == wanted], tiers[inputs.claim == wanted])
    for pair in np.argsort(ranking.pair_scores, kind="stable").tolist():
        if tiers[pair] >= POSSIBLE:
            best[inputs.sentence[pair]] = pair
    firsts = [pair >= 0 and inputs.claim[pair] == wanted[pair] for pair in best.tolist()]
    statements = [bench.index.statements[place[attacked.sentence.claim]] for attacked in attacks]
    return [judged(*one) for one in zip(attacks, own.tolist(), firsts, statements, strict=True)]


def judged(attacked: Attacked, tier: int, first: bool, statement: str) -> Shown:
    """Return what the tier of a claim's statement and its place among the matches say of an attack on it."""
    text, likely = attacked.sentence.text, tier == LIKELY
    if attacked.sentence.kind not in ADDED:
        return Shown(tier, bool(first), likely, None)
    start, end = added(attacked.original, text)
    named = settled_parts(text, statement)
    right = bool(named) and not any(start <= part.start and part.end <= end + 2 for part in named)
    return Shown(tier, bool(first), likely and not left(text, [statement]), right if likely else None)


def by_kind(attacks: Sequence[Attacked], told: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return a row for each kind: how many cases, how many of statements that models have seen, and the shares."""
    rows = []
    for kind in KINDS:
        of_kind = [(a, s) for a, s in zip(attacks, told, strict=True) if a.sentence.kind == kind]
        shares = {
            "likely": Share.count(s.tier == LIKELY for _, s in of_kind),
            "settled whole": Share.count(s.whole for _, s in of_kind),
            "part right": Share.count(s.part_right for _, s in of_kind if s.part_right is not None),
            "shown": Share.count(s.tier >= POSSIBLE for _, s in of_kind),
            "first": Share.count(s.first for _, s in of_kind),
        }
        rows.append({"kind": kind, "cases": len(of_kind), "seen": sum(a.seen for a, _ in of_kind), **shares})
    return rows


def lines(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """Yield the lines of the printed table."""
    heads = ("likely", "settled whole", "part right", "shown", "first")
    yield f"{'kind':30}{'cases':>6}{'seen':>5}  " + "".join(f"{head:21}" for head in heads)
    for row in rows:
        kept = row["kind"] in KEPT
        missed = row["first"].value < BAR_FIRST if kept else row["likely"].value > BAR_CHANGED
        asked = [head for head in heads if row["kind"] in ADDED or head not in ("settled whole", "part right")]
        told = "".join(f"{row[head] if head in asked else ''!s:21}" for head in heads)
        yield f"{row['kind']:30}{row['cases']:>6}{row['seen']:>5}  {told}{'same' if kept else ''}{' MISSED' * missed}"


def as_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with plain values: shares with their intervals."""
    return {name: value.plain() if isinstance(value, Share) else value for name, value in row.items()}


def write_sheet(path: Path, attacks: Sequence[Attacked], told: Sequence[Shown | None]) -> None:
    """Write the attacks with their texts, to be read; such a file stays out of the repository."""
    rows = (
        f"{a.sentence.kind}\t{a.sentence.claim}\t{s.tier if s else ''}\t{a.original}\n\t\t\t{a.sentence.text}\n"
        for a, s in zip(attacks, told, strict=True)
    )
    path.write_text("".join(rows), "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the attacks, measure them, and print the table; ``--draw`` writes them only."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks.kinds", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--part", choices=("development", "test"), default="test")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--read", type=Path, metavar="FILE", help="write the attacks with their texts and tiers")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="write the attacks, measure nothing")
    options = parser.parse_args(arguments)
    try:
        attacks = make(options.data, options.part)
        if options.draw:
            write_sheet(options.draw, attacks, [None] * len(attacks))
            return 0
        told = shown(attacks, open_bench(options), rankers.load(rankers.LECTERN))
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    rows = by_kind(attacks, told)
    print("\n".join(lines(rows)))
    if options.read:
        write_sheet(options.read, attacks, told)
    if options.json:
        options.json.write_text(json.dumps({"rows": [as_json(row) for row in rows]}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
