"""What counts as relevant: which sentences a fact-check settles, and which fact-checks settle them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from bench.data import Debate, Pair, Qrels

DECIDED = ("true", "false")


@dataclass(frozen=True, slots=True)
class Gold:
    """``sentences``: {debate: {line: 1}}; ``claims``: {sentence id: {claim: 1}} for the relevant sentences."""

    sentences: Qrels = field(default_factory=dict)
    claims: Qrels = field(default_factory=dict)

    def found(self, settled: Collection[str]) -> dict[str, set[str]]:
        """Return {debate: lines} of the sentences whose ids are ``settled``."""
        return {name: {line for line in lines if item(name, line) in settled} for name, lines in self.sentences.items()}


def item(debate: str, line: str) -> str:
    """Return a sentence's id across debates from its debate and its line as text."""
    return f"{debate}_{int(line):04d}"


def verdicts(
    debates: Sequence[Debate],
    *,
    usable: Collection[str] | None = None,
    empty_counts: bool = False,
    wide: bool = False,
) -> Gold:
    """Return the gold of the annotated debates: a sentence is relevant if a pair of it has a verdict, true or false.

    ``usable``: the claims that may be used (None: all). Two slips of the published code: ``empty_counts`` takes an
    empty verdict for one; ``wide`` takes for right claims the links and every pair with a stance but *unrelated*.
    """
    words = DECIDED + ("",) * empty_counts
    gold = Gold()
    for debate in debates:
        pairs = [pair for pair in debate.pairs if usable is None or pair.claim in usable]
        decided = [pair for pair in pairs if pair.judged and pair.verdict in words]
        right = [pair for pair in pairs if pair.linked or _related(pair)] if wide else decided
        _add(gold, debate, {pair.line for pair in decided}, right)
    return gold


def links(debates: Sequence[Debate], undecidable: Collection[str], *, usable: Collection[str] | None = None) -> Gold:
    """Return the gold of debates that only have links: a sentence is relevant if it has one to a claim that decides.

    ``undecidable``: claims rated half-true or by the flip-o-meter; empty to count every link.
    """
    gold = Gold()
    for debate in debates:
        pairs = [pair for pair in debate.pairs if pair.linked and (usable is None or pair.claim in usable)]
        _add(gold, debate, {pair.line for pair in pairs if pair.claim not in undecidable}, pairs)
    return gold


def _related(pair: Pair) -> bool:
    return pair.stance in ("agree", "disagree", "discuss")


def _add(gold: Gold, debate: Debate, relevant: set[int], right: Sequence[Pair]) -> None:
    gold.sentences[debate.name] = {str(line): 1 for line in sorted(relevant)}
    for pair in right:
        if pair.line in relevant:
            gold.claims.setdefault(debate.item(pair.line), {})[pair.claim] = 1
