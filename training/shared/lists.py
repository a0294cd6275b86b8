"""Lists as users get them: a debate of the data folder through the steps of ``check``, a row a passage, with labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import Days, capped
from assistant.check.rankers import TIERS, Ranker
from assistant.core.domain import (
    MIXED,
    Agreement,
    CheckedPassage,
    CheckedSentence,
    Match,
    Tier,
    VerifiedClaim,
)
from assistant.passages.listing import arranged
from features.language.agreement import agreement
from ranking import tier_thresholds
from training.shared.debates import Debate
from training.shared.measures import Bench, transcript_of
from training.shared.readings import SETTLED, Pair

Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]


class Row(NamedTuple):
    """A row: the line and the claim of its best sentence, its tier, its score, and what *likely* goes by."""

    line: int
    claim: str
    tier: Tier
    score: float
    sure: float


@dataclass(frozen=True, slots=True)
class Listed:
    """The list of one debate, a row a passage, best first, folded ones left out.

    ``labels`` are as read, "" unread.

    ``settled``: for each passage with a settled pair the number of its row (0: none), and whether it is likely.
    ``links``: for each linked sentence whether it is kept, whether it is searched and a right claim among its
    candidates, and whether it is in a row or folded.
    """

    debate: Debate
    rows: list[Row]
    labels: list[str]
    settled: list[tuple[int, bool]]
    links: list[tuple[bool, bool, bool]]


def listed(bench: Bench, debate: Debate, ranker: Ranker, labels: Mapping[Pair, str]) -> Listed:
    """Return the list of a debate."""
    inputs, kept = bench.as_checked(debate, ranker)
    days = Days(debate.day, bench.index.claim_days)
    ranking = capped(
        bench.ranked(debate, inputs, ranker), inputs, debate.texts, bench.index.statements, days
    )
    places = {place: rank for rank, place in enumerate(ranking.order().tolist(), 1)}
    spoken: list[CheckedSentence] = []
    sure: dict[int, float] = {}
    for place, sentence in enumerate(transcript_of(debate)):
        first, last = np.searchsorted(inputs.sentence_index, (place, place + 1))
        tier = TIERS[ranking.sentence_tiers[place]] if kept[place] else None
        pairs = first + np.argsort(-ranking.pair_scores[first:last], kind="stable")
        near = (
            [pair for pair in pairs.tolist() if ranking.pair_tiers[pair] > tier_thresholds.NONE][:1]
            if tier
            else []
        )
        against = [ranking.conflicts.get(pair, ()) for pair in near]
        claims = inputs.claim_index[near].tolist()
        matches = tuple(
            _match(bench, debate, sentence.text, *each)
            for each in zip(claims, against, strict=True)
        )
        sure[sentence.number] = float(ranking.sureness[near[0]]) if near else -np.inf
        score = float(ranking.sentence_scores[place])
        spoken.append(
            CheckedSentence(
                sentence, 0.0, bool(kept[place]), None, places[place], score, tier, matches
            )
        )
    passages = arranged(bench.passages(debate), spoken)
    rows = sorted((p for p in passages if p.rank is not None), key=lambda p: p.rank or 0)
    firsts = [spoken[row.best - 1] for row in rows if row.best]
    found = [
        Row(
            c.sentence.line,
            c.matches[0].claim.id,
            c.tier or Tier.POSSIBLE,
            c.score or 0.0,
            sure[c.sentence.number],
        )
        for c in firsts
    ]
    return Listed(
        debate,
        found,
        [labels.get((debate.name, row.line, row.claim), "") for row in found],
        _settled(debate, passages, labels),
        _links(bench, debate, (inputs.sentence_index, inputs.claim_index), kept, passages),
    )


def _settled(
    debate: Debate, passages: Sequence[CheckedPassage], labels: Mapping[Pair, str]
) -> list[tuple[int, bool]]:
    lines = {
        line
        for (name, line, _), label in labels.items()
        if name == debate.name and label == SETTLED
    }
    ranks = {p.passage.number: p.rank for p in passages}
    return [
        (p.rank or ranks.get(p.folded_into or 0) or 0, p.tier is Tier.LIKELY)
        for p in passages
        if lines & {debate.lines[number - 1] for number in p.passage.sentences}
    ]


def _links(
    bench: Bench,
    debate: Debate,
    pairs: tuple[Ints, Ints],
    kept: Mask,
    passages: Sequence[CheckedPassage],
) -> list[tuple[bool, bool, bool]]:
    """Kept, searched with the right claim, listed.

    Of each sentence with a link to a claim that decides.
    """
    kinds = dict(zip(bench.index.ids, bench.index.rating_classes, strict=True))
    right: dict[int, set[str]] = {}
    for pair in debate.pairs:
        if pair.linked and kinds[pair.claim] not in MIXED:
            right.setdefault(debate.lines.index(pair.line), set()).add(pair.claim)
    inside = {number - 1 for p in passages if p.tier for number in p.passage.sentences}
    rows = []
    for place, claims in sorted(right.items()):
        first, last = np.searchsorted(pairs[0], (place, place + 1))
        among = bool(claims & set(bench.ids[pairs[1][first:last]].tolist()))
        rows.append((bool(kept[place]), bool(kept[place]) and among, place in inside))
    return rows


def _match(bench: Bench, debate: Debate, text: str, claim: int, against: tuple[str, ...]) -> Match:
    claimed = VerifiedClaim(bench.index.ids[claim], bench.index.statements[claim])
    compared = agreement(text, claimed.statement, debate.day, int(bench.index.claim_days[claim]))
    agreed = {part: Agreement(value) for part, value in compared.items()}
    return Match(claimed, 1, 0.0, Tier.POSSIBLE, (), agreement=agreed, against=against)
