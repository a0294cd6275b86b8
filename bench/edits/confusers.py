"""How often does a sentence that a fact-check does not settle get that fact-check as *likely*, kind by kind?

``python -m bench.edits.confusers --data DIR [--index DIR] [--cache DIR] [--json FILE] [--read FILE]``. Real statements
are edited by the documented, seeded rules of ``bench.edits.confusions`` and play a sentence; the whole index is
searched with the models, ranker and tiers that ship. Kinds that must not match change what would settle the claim,
kinds that must match do not; beside them stand real sentences without any fact-check. The statements are those that no
text model was trained on (``training.shared.loaders.held_out_claims``: those judged for the seven debates or linked to
CheckThat! 2B dev queries).

Every pair was read; wrong ones are refused in ``bench/labels/refused_edits.tsv``. Half of the sentences come
with the speaker of the statement, half with none; none has an event date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import rankers
from assistant.check.tiers import capped
from assistant.ground.errors import LecternError
from bench.edits.confusions import MUST, MUST_NOT, Words
from bench.edits.spoken import spoken
from ranking.tiers import LIKELY, POSSIBLE
from training.shared import debates as data
from training.shared.intervals import Share
from training.shared.loaders import held_out_claims, training_claims
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

LABELS = Path(__file__).resolve().parents[1] / "labels"
EACH = 80  # pairs of a kind before any is refused
LONGEST = 40  # words
REWORDED, NO_CHECK = "reworded by hand", "real, no fact-check"
BAR_NOT, BAR_MUST = 0.10, 0.60
TITLES = frozenset("President Senator Governor Congressman Representative Planned Social White Wall".split())


@dataclass(frozen=True, slots=True)
class Confuser:
    """A sentence and the claim whose tier is looked at ("" for any claim), with the debate and line it came from."""

    kind: str
    text: str
    speaker: str
    claim: str
    source: tuple[str, int] = ("", 0)


def words_of(statements: Sequence[str], claimants: Iterable[str]) -> Words:
    """Return what edits look up: people whom statements name in full, words that are names, and a vocabulary."""
    text = "\n".join(statements)
    people = [name for name in sorted(set(claimants)) if _is_person(name) and text.count(name) >= 8]
    small = Counter(re.findall(r"\b[a-z]+\b", text))
    tall = Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text))
    names = {word for word, times in tall.items() if times > small[word.lower()]}
    vocabulary = defaultdict(list)
    for word in sorted(set(re.findall(r"(?<= )[a-z]{4,11}(?= )", text))):
        vocabulary[word[0] + word[-1]].append(word)
    return Words(tuple(people), frozenset(names), {key: tuple(value) for key, value in vocabulary.items()})


def _is_person(name: str) -> bool:
    first, _, last = name.partition(" ")
    return first.istitle() and last[:1].isupper() and last.isalpha() and not last.isupper() and first not in TITLES


def make(folder: Path, refused: frozenset[tuple[str, str]] | None = None) -> list[Confuser]:
    """Return the confusers of every kind, without the refused ones."""
    rows = {row["id"]: row for row in data.read_jsonl(folder / "politifact" / "claims.jsonl.gz")}
    words = words_of([row["statement"] for row in rows.values()], [row["speaker"] for row in rows.values()])
    texts = {claim: text for claim in usable(folder, rows) if (text := _short(rows[claim]["statement"]))}
    refused = refused_edits() if refused is None else refused
    found = []
    for kind, edit in {**MUST_NOT, **MUST}.items():
        made = []
        for claim in shuffled(texts, kind):
            edited = edit(texts[claim], random.Random(f"{kind} {claim}"), words)
            if edited and edited != texts[claim] and len(made) < EACH:
                made.append(Confuser(kind, edited, _speaker(kind, claim, rows[claim]["speaker"]), claim))
        found += [confuser for confuser in made if (kind, confuser.claim) not in refused]
    return found + reworded(rows) + unmatched(folder)


def usable(folder: Path, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the claims that no text model was trained on, flip-o-meter entries and duplicates left out."""
    kept = held_out_claims(folder) - {claim["id"] for claim in training_claims(folder)}
    return sorted(i for i in kept if not rows[i].get("duplicate_of") and "Fl" not in rows[i]["rating"][-5:])


def _short(statement: str) -> str | None:
    text = spoken(statement)
    return text if text and len(text.split()) <= LONGEST else None


def shuffled(claims: Iterable[str], kind: str) -> list[str]:
    """Return claims in an order of the kind's own, by digest: one claim more or less changes no other's place."""
    return sorted(claims, key=lambda claim: hashlib.sha256(f"{kind} {claim}".encode()).digest())


def _speaker(kind: str, claim: str, claimant: str) -> str:
    return claimant if random.Random(f"speaker {kind} {claim}").random() < 0.5 else ""


def refused_edits() -> frozenset[tuple[str, str]]:
    """Return the (kind, claim) whose edit went wrong: it still means the same, or it is not language."""
    return frozenset((row[0], row[1]) for row in table("refused_edits.tsv"))


def reworded(rows: Mapping[str, Mapping[str, Any]]) -> list[Confuser]:
    """Return statements in other words, written by hand before any of them was scored."""
    return [
        Confuser(REWORDED, text, _speaker(REWORDED, claim, rows[claim]["speaker"]), claim)
        for claim, text in table("rewordings.tsv")
    ]


def unmatched(folder: Path) -> list[Confuser]:
    """Return real sentences that a person found no fact-check for."""
    wanted = {(row[0], int(row[1])) for row in table("no_match.tsv")}
    return [
        Confuser(NO_CHECK, text, speaker, "", (debate.name, line))
        for debate in data.linked(folder / "debates")
        for line, text, speaker in zip(debate.lines, debate.texts, debate.speakers, strict=True)
        if (debate.name, line) in wanted
    ]


def table(name: str) -> list[list[str]]:
    """Return the rows of a file of ids in ``bench/labels``; lines that begin with # are notes."""
    path = LABELS / name
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def as_debate(confusers: Sequence[Confuser]) -> data.Debate:
    """Return the confusers as the sentences of one undated event: no measure depends on the sentences around it."""
    lines = tuple(range(1, len(confusers) + 1))
    texts, speakers = zip(*((c.text, c.speaker) for c in confusers), strict=True)
    return data.Debate("confusers", 0, lines, texts, speakers)


def tiers_of(confusers: Sequence[Confuser], bench: Bench, ranker: rankers.Ranker) -> list[int]:
    """Return the tier of each confuser's claim for it, of its best pair where it names no claim.

    0 as well where the claim is no candidate, or the sentence is dropped as not worth checking.
    """
    debate = as_debate(confusers)
    inputs = bench.inputs(debate)
    ranking = capped(ranker.rank(inputs), inputs, debate.texts, bench.index.statements)
    place = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    wanted = np.array([place.get(c.claim, -1) for c in confusers])[inputs.sentence]
    looked_at = (inputs.claim == wanted) | (wanted < 0)
    tiers = np.zeros(inputs.n, int)
    np.maximum.at(tiers, inputs.sentence[looked_at], ranking.pair_tiers[looked_at])
    kept = bench.worthiness(debate) >= bench.check_worthiness.threshold
    return np.where(kept, tiers, 0).tolist()


def by_kind(confusers: Sequence[Confuser], tiers: Sequence[int]) -> list[dict[str, Any]]:
    """Return a row for each kind: how many, and the shares that are likely and possible or likely."""
    rows = []
    for kind in (*MUST_NOT, NO_CHECK, *MUST, REWORDED):
        of_kind = [tier for c, tier in zip(confusers, tiers, strict=True) if c.kind == kind]
        likely, shown = (Share.count(tier >= least for tier in of_kind) for least in (LIKELY, POSSIBLE))
        rows.append({"kind": kind, "must_match": kind in (*MUST, REWORDED), "likely": likely, "shown": shown})
    return rows


def lines(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """Yield the lines of the printed table."""
    yield f"{'kind':22}{'pairs':>6}  {'likely':20}{'possible or likely':20}"
    for row in rows:
        missed = row["likely"].value < BAR_MUST if row["must_match"] else row["likely"].value > BAR_NOT
        bar = f"{'must match' if row['must_match'] else ''}{'  MISSED' if missed else ''}"
        yield f"{row['kind']:22}{row['likely'].of:>6}  {row['likely']!s:20}{row['shown']!s:20}{bar}"


def as_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with plain values: shares with their intervals."""
    shares = {name: row[name].plain() for name in ("likely", "shown")}
    return {"kind": row["kind"], "must_match": row["must_match"], "pairs": row["likely"].of, **shares}


def write_sheet(path: Path, confusers: Sequence[Confuser], tiers: Sequence[int], folder: Path) -> None:
    """Write the pairs with their texts, to be read; such a file stays out of the repository."""
    said = {row["id"]: row["statement"] for row in data.read_jsonl(folder / "politifact" / "claims.jsonl.gz")}
    rows = (
        f"{c.kind}\t{c.claim}\t{tier}\t{c.text}\t{said.get(c.claim, '')}"
        for c, tier in zip(confusers, tiers, strict=True)
    )
    path.write_text("\n".join(rows) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the confusers, measure them, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.edits.confusers", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--ranker", default=rankers.LECTERN)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--read", type=Path, metavar="FILE", help="write the pairs with their texts")
    options = parser.parse_args(arguments)
    try:
        confusers = make(options.data)
        tiers = tiers_of(confusers, open_bench(options), rankers.load(options.ranker))
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    rows = by_kind(confusers, tiers)
    print("\n".join(lines(rows)))
    if options.read:
        write_sheet(options.read, confusers, tiers, options.data)
    if options.json:
        options.json.write_text(json.dumps({"rows": [as_json(row) for row in rows]}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
