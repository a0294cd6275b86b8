"""The four sample debates: does Lectern find what their gold says, and show no *likely* match for the rest?

``python -m bench.samples [--profile P] [--ranker R] [--as-of-event] [--json FILE]``. Expected: at least 80 % of the
relevant sentences in the top quarter of their debate, the right claim first for 85 % of them, and no *likely* on
95 % of the sentences that match nothing. The gold was committed before the first run, whose errors led to three
changes (docs/research/ranking.md).

*Top quarter*: rank ≤ a quarter of all sentences of the debate; a dropped sentence has no rank and counts as missed.
*Match nothing*: neither relevant nor a repeat of a half-true claim; traps are among them, and also shown by kind.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.check import loaded_models
from assistant.check.index_opening import as_index
from assistant.claims.importers import read_claims
from assistant.core.domain import CheckedSentence, Report, Strength, Tier, VerifiedClaim
from assistant.core.settings import RANKERS, load_profile
from bench.command import command, option
from training.shared.intervals import Share

ROOT = Path(__file__).parent.parent
CLAIMS = ROOT / "sample_claims" / "samples.jsonl"
DEBATES = ROOT / "sample_transcripts"
BARS = {"top_quarter": 0.80, "right_first": 0.85, "silent": 0.95}
QUARTER = 0.25


@dataclass(frozen=True, slots=True)
class Judged:
    """A checked sentence with its gold; ``kind`` is "" for a sentence that the gold leaves out."""

    debate: str
    sentence: CheckedSentence
    in_quarter: bool
    claims: tuple[str, ...]
    kind: str
    relevant: bool

    @property
    def right_first(self) -> bool:
        """Return whether the first match is a right one."""
        return bool(self.sentence.matches) and self.sentence.matches[0].claim.id in self.claims

    @property
    def right_near(self) -> bool:
        """Return whether a right claim comes first in the list, or is the one that is counted below it."""
        nearest_match = self.sentence.nearest if self.sentence.on_topic else None
        return self.right_first or (
            nearest_match is not None and nearest_match.claim.id in self.claims
        )

    @property
    def is_strong_or_good(self) -> bool:
        """Return whether the first match is strong or good."""
        matches = self.sentence.matches
        return bool(matches) and matches[0].strength in (Strength.STRONG, Strength.GOOD)

    @property
    def is_likely(self) -> bool:
        """Return whether the sentence is shown with a likely match."""
        return self.sentence.tier is Tier.LIKELY


def sample_claims() -> list[VerifiedClaim]:
    """Return the sample fact-checks."""
    return [record for record in read_claims(CLAIMS) if isinstance(record, VerifiedClaim)]


def read_gold(folder: Path = DEBATES) -> dict[str, dict[str, Any]]:
    """Return {debate: {text of a sentence: its row in the gold}}."""
    gold: dict[str, dict[str, Any]] = {}
    for line in (folder / "gold.jsonl").read_text("utf-8").splitlines():
        gold_row = json.loads(line)
        gold.setdefault(gold_row["transcript"], {})[gold_row["text"]] = gold_row
    return gold


def judge(report: Report, gold: Mapping[str, Mapping[str, Any]]) -> list[Judged]:
    """Return the sentences of a report with the gold of its debate.

    Raises: ValueError if a sentence of the gold is not in the report.
    """
    lost = set(gold) - {checked.sentence.text for checked in report.sentences}
    if lost:
        raise ValueError(
            f"{report.transcript.source.name}: {len(lost)} gold sentences are not there: {min(lost)!r}"
        )
    debate = report.transcript.source.name
    last_rank = QUARTER * len(report.sentences)
    judged = []
    for checked in report.sentences:
        labels = gold.get(checked.sentence.text, {})
        in_quarter = checked.rank is not None and checked.rank <= last_rank
        claims = tuple(labels.get("claims", ()))
        kind = labels.get("kind", "")
        relevant = labels.get("relevant", False)
        judged.append(Judged(debate, checked, in_quarter, claims, kind, relevant))
    return judged


def scores(sentences: Sequence[Judged]) -> dict[str, float]:
    """Return the shares, 0..1, and the counts that they are of. A share of nothing is 0."""
    relevant = [judged for judged in sentences if judged.relevant]
    right_first = [judged for judged in relevant if judged.right_first]
    without_claim = [judged for judged in sentences if not judged.claims]
    without_trap = [judged for judged in without_claim if not judged.kind]
    return {
        "sentences": len(sentences),
        "relevant": len(relevant),
        "top_quarter": _share(judged.in_quarter for judged in relevant),
        "right_first": _share(judged.right_first for judged in relevant),
        "right_near": _share(judged.right_near for judged in relevant),
        "likely": _share(judged.is_likely for judged in relevant),
        "right_strong_or_good": _share(judged.is_strong_or_good for judged in right_first),
        "nothing_strong_or_good": _share(judged.is_strong_or_good for judged in without_claim),
        "kept": _share(judged.sentence.kept for judged in relevant),
        "nothing": len(without_claim),
        "silent": _share(not judged.is_likely for judged in without_claim),
        "silent_without_traps": _share(not judged.is_likely for judged in without_trap),
    }


def by_kind(sentences: Iterable[Judged]) -> dict[str, dict[str, int]]:
    """Return for each kind of the gold how many sentences it has and how many of them are likely."""
    counts: dict[str, dict[str, int]] = {}
    for judged in sentences:
        if judged.kind:
            count = counts.setdefault(judged.kind, {"sentences": 0, "likely": 0, "right_first": 0})
            count["sentences"] += 1
            count["likely"] += judged.is_likely
            count["right_first"] += judged.right_first
    return dict(sorted(counts.items()))


def _share(flags: Iterable[bool]) -> float:
    return round(Share.count(flags).value, 4)


def run(profile: str, ranker: str | None, *, as_of_event: bool) -> dict[str, Any]:
    """Return the row of one system: its scores over all debates, by debate and by kind."""
    profile_values = load_profile(profile)
    claims = sample_claims()
    index = as_index(claims, loaded_models.load(profile_values, ranker).encoders)
    judged: list[Judged] = []
    for name, gold_rows in sorted(read_gold().items()):
        print(f"checking {name}", file=sys.stderr)
        transcript = transcripts.read(DEBATES / name)
        report = pipeline.check(
            transcript, index, profile_values, ranker=ranker, as_of_event=as_of_event
        )
        judged += judge(report, gold_rows)
    names = sorted({judged_sentence.debate for judged_sentence in judged})
    return {
        "system": ranker or profile_values.ranker,
        "as_of_event": as_of_event,
        **scores(judged),
        "kinds": by_kind(judged),
        "debates": {
            name: scores(
                [judged_sentence for judged_sentence in judged if judged_sentence.debate == name]
            )
            for name in names
        },
    }


def lines(figures: Mapping[str, Any]) -> Iterable[str]:
    """Yield the lines of the printed table."""
    yield f"{figures['system']}: {figures['sentences']} sentences, {figures['relevant']} relevant"
    for key, words in {
        "top_quarter": "relevant in the top quarter",
        "right_first": "right claim first",
        "silent": "no likely where nothing matches",
    }.items():
        reached = "reached" if figures[key] >= BARS[key] else "MISSED"
        yield f"  {words:<34}{figures[key]:7.1%}   bar {BARS[key]:.0%} {reached}"
    yield f"  {'the same without the traps':<34}{figures['silent_without_traps']:7.1%}"
    yield f"  {'right claim first, or just below':<34}{figures['right_near']:7.1%}"
    yield f"  {'relevant shown as likely':<34}{figures['likely']:7.1%}"
    yield f"  {'right ones strong or good':<34}{figures['right_strong_or_good']:7.1%}"
    yield f"  {'strong or good where nothing matches':<34}{figures['nothing_strong_or_good']:5.1%}"
    yield f"  {'relevant kept as check-worthy':<34}{figures['kept']:7.1%}"
    for name, debate_scores in figures["debates"].items():
        shares = ", ".join(f"{key} {debate_scores[key]:.1%}" for key in BARS)
        yield f"  {name}: {shares}"
    for kind, count in figures["kinds"].items():
        likely = f"{count['likely']:>3} of {count['sentences']:>3} likely"
        yield f"  {kind:<16}{likely}, right claim first {count['right_first']:>3}"


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Check the sample debates, print the table, and return its row."""
    figures = run(options.profile, options.ranker, as_of_event=options.as_of_event)
    print("\n".join(lines(figures)))
    return {"rows": [figures]}


main = command(
    measure,
    option("--profile", default="embedded"),
    option("--ranker", choices=RANKERS),
    option("--as-of-event", action="store_true", help="only what was checked before the event"),
)

if __name__ == "__main__":
    sys.exit(main())
