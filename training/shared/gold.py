"""The gold: which sentences a fact-check settles, and which fact-checks settle them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from training.shared.debates import Debate, Pair, Qrels

DECIDED = ("true", "false")
Chosen = tuple[
    Sequence[Pair], Sequence[Pair]
]  # the pairs that make a sentence relevant, and those that are right


@dataclass(frozen=True, slots=True)
class Slips:
    """Known slips of the published code, each off by default.

    ``empty_verdict``: an empty verdict is a positive one. ``wide_claims``: right claims are the links and every pair
    with a stance but *unrelated*. ``last_sentence``: MAP_inner looks at the last relevant sentence of each transcript
    only. ``literal_precision``: MAP_H by the letter of the paper's equation 2.
    """

    empty_verdict: bool = False
    wide_claims: bool = False
    last_sentence: bool = False
    literal_precision: bool = False


NO_SLIPS = Slips()


@dataclass(frozen=True, slots=True)
class Gold:
    """``sentences``: {debate: {line: 1}}.

    ``claims``: {sentence id: {claim: 1}} for the relevant sentences.
    """

    sentences: Qrels = field(default_factory=dict)
    claims: Qrels = field(default_factory=dict)

    def settled_lines(self, settled: Collection[str]) -> dict[str, set[str]]:
        """Return {debate: lines} of the sentences whose ids are ``settled``."""
        lines_by_debate = {}
        for name, lines in self.sentences.items():
            lines_by_debate[name] = {line for line in lines if item(name, line) in settled}
        return lines_by_debate


def item(debate: str, line: str) -> str:
    """Return a sentence's id across debates from its debate and its line as text."""
    return f"{debate}_{int(line):04d}"


def verdicts(
    debates: Sequence[Debate], *, usable: Collection[str] | None = None, slips: Slips = NO_SLIPS
) -> Gold:
    """Return the gold of the annotated debates.

    A sentence is relevant if a pair of it has a verdict, true or false.

    ``usable``: the claims that may be used (None: all).
    """
    deciding_verdicts = (*DECIDED, "") if slips.empty_verdict else DECIDED

    def choose(pairs: Sequence[Pair]) -> Chosen:
        decided = [pair for pair in pairs if pair.judged and pair.verdict in deciding_verdicts]
        if not slips.wide_claims:
            return decided, decided
        stances = ("agree", "disagree", "discuss")
        return decided, [pair for pair in pairs if pair.linked or pair.stance in stances]

    return _gold(debates, usable, choose)


def retrieval(debates: Sequence[Debate], *, usable: Collection[str] | None = None) -> Gold:
    """Return the gold of claim retrieval (the paper's section 6.3).

    The links, and the pairs that agree or disagree.
    """

    def choose(pairs: Sequence[Pair]) -> Chosen:
        right = [pair for pair in pairs if pair.linked or pair.stance in ("agree", "disagree")]
        return right, right

    return _gold(debates, usable, choose)


def links(
    debates: Sequence[Debate],
    undecidable: Collection[str],
    *,
    usable: Collection[str] | None = None,
) -> Gold:
    """Return the gold of debates that only have links.

    A sentence is relevant if it has one to a claim that decides.

    ``undecidable``: claims rated half-true or by the flip-o-meter; empty to count every link.
    """

    def choose(pairs: Sequence[Pair]) -> Chosen:
        linked = [pair for pair in pairs if pair.linked]
        return [pair for pair in linked if pair.claim not in undecidable], linked

    return _gold(debates, usable, choose)


def _gold(
    debates: Sequence[Debate],
    usable: Collection[str] | None,
    choose: Callable[[Sequence[Pair]], Chosen],
) -> Gold:
    gold = Gold()
    for debate in debates:
        pairs = [pair for pair in debate.pairs if usable is None or pair.claim in usable]
        deciding, right = choose(pairs)
        relevant_lines = {pair.line for pair in deciding}
        gold.sentences[debate.name] = {str(line): 1 for line in sorted(relevant_lines)}
        for pair in right:
            if pair.line in relevant_lines:
                gold.claims.setdefault(debate.item(pair.line), {})[pair.claim] = 1
    return gold
