"""Lists as users get them: a debate of the data folder through the steps of ``check``, with labels.

A list has one row per passage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import Days, capped
from assistant.check.pairs import Pairs
from assistant.check.rankers import TIERS, Ranker, Ranking
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
    """A row of a list: the line and the claim of its best sentence, its tier, score and confidence."""

    line: int
    claim: str
    tier: Tier
    score: float
    sure: float


@dataclass(frozen=True, slots=True)
class Listed:
    """The list of one debate, one row per passage, best first, without grouped passages.

    ``labels``: of each row, "" if its pair has no label. ``settled``: for each passage with a
    settled pair, the number of its row (0 for none) and whether it is likely. ``links``: for each
    linked sentence, whether it is kept, whether it is searched and a right claim is among its
    candidates, and whether it is in a row or grouped below one.
    """

    debate: Debate
    rows: list[Row]
    labels: list[str]
    settled: list[tuple[int, bool]]
    links: list[tuple[bool, bool, bool]]


@dataclass(frozen=True, slots=True)
class _RankedDebate:
    """A debate with the pairs and the ranking that a check would make of it.

    ``kept`` (n,): whether each sentence is searched for.
    """

    debate: Debate
    inputs: Pairs
    kept: Mask
    ranking: Ranking

    def claims_of(self, position: int) -> Ints:
        """Return the positions of the claims that one sentence is paired with."""
        first, end = np.searchsorted(self.inputs.sentence_index, (position, position + 1))
        return self.inputs.claim_index[first:end]

    def best_shown_pair(self, position: int) -> int | None:
        """Return the shown pair with the highest score of one sentence, if any."""
        if not self.kept[position] or TIERS[self.ranking.sentence_tiers[position]] is None:
            return None
        first, end = np.searchsorted(self.inputs.sentence_index, (position, position + 1))
        best_first = first + np.argsort(-self.ranking.pair_scores[first:end], kind="stable")
        for pair in best_first.tolist():
            if self.ranking.pair_tiers[pair] > tier_thresholds.NONE:
                return int(pair)
        return None


def listed(bench: Bench, debate: Debate, ranker: Ranker, labels: Mapping[Pair, str]) -> Listed:
    """Return the list of a debate."""
    inputs, kept = bench.as_checked(debate, ranker)
    days = Days(debate.day, bench.index.claim_days)
    ranking = bench.ranked(debate, inputs, ranker)
    ranking = capped(ranking, inputs, debate.texts, bench.index.statements, days)
    ranked = _RankedDebate(debate, inputs, kept, ranking)
    checked = _checked_sentences(bench, ranked)
    passages = arranged(bench.passages(debate), checked, skips_mixed=True)
    rows = _rows(ranked, checked, passages)
    row_labels = [labels.get((debate.name, row.line, row.claim), "") for row in rows]
    return Listed(
        debate,
        rows,
        row_labels,
        _settled(debate, passages, labels),
        _links(bench, ranked, passages),
    )


def _checked_sentences(bench: Bench, ranked: _RankedDebate) -> list[CheckedSentence]:
    """Return each sentence of a debate with its rank, tier and best shown match."""
    ranking = ranked.ranking
    rank_of_position = {position: rank for rank, position in enumerate(ranking.order().tolist(), 1)}
    checked = []
    for position, sentence in enumerate(transcript_of(ranked.debate)):
        tier = None
        if ranked.kept[position]:
            tier = TIERS[ranking.sentence_tiers[position]]
        matches: tuple[Match, ...] = ()
        pair = ranked.best_shown_pair(position)
        if pair is not None:
            claim = int(ranked.inputs.claim_index[pair])
            conflicts = ranking.conflicts.get(pair, ())
            matches = (_match(bench, ranked.debate, sentence.text, claim, conflicts),)
        checked.append(
            CheckedSentence(
                sentence,
                check_worthiness=0.0,
                kept=bool(ranked.kept[position]),
                rank=rank_of_position[position],
                score=float(ranking.sentence_scores[position]),
                tier=tier,
                matches=matches,
            )
        )
    return checked


def _rows(
    ranked: _RankedDebate,
    checked: Sequence[CheckedSentence],
    passages: Sequence[CheckedPassage],
) -> list[Row]:
    """Return the rows of a list, best first: the best sentence of each listed passage."""
    listed_passages = [passage for passage in passages if passage.rank is not None]
    listed_passages.sort(key=lambda passage: passage.rank or 0)
    rows = []
    for passage in listed_passages:
        if not passage.best:
            continue
        position = passage.best - 1
        best = checked[position]
        pair = ranked.best_shown_pair(position)
        confidence = -np.inf
        if pair is not None:
            confidence = float(ranked.ranking.sureness[pair])
        rows.append(
            Row(
                line=best.sentence.line,
                claim=best.matches[0].claim.id,
                tier=best.tier or Tier.POSSIBLE,
                score=best.score or 0.0,
                sure=confidence,
            )
        )
    return rows


def _settled(
    debate: Debate, passages: Sequence[CheckedPassage], labels: Mapping[Pair, str]
) -> list[tuple[int, bool]]:
    """Return ``settled`` of the list of a debate."""
    settled_lines = set()
    for (name, line, _), label in labels.items():
        if name == debate.name and label == SETTLED:
            settled_lines.add(line)
    rank_of_passage = {passage.passage.number: passage.rank for passage in passages}
    settled = []
    for passage in passages:
        passage_lines = {debate.lines[number - 1] for number in passage.passage.sentences}
        if not settled_lines & passage_lines:
            continue
        # A grouped passage counts by the row that it is grouped below.
        rank = passage.rank or rank_of_passage.get(passage.folded_into or 0) or 0
        settled.append((rank, passage.tier is Tier.LIKELY))
    return settled


def _links(
    bench: Bench, ranked: _RankedDebate, passages: Sequence[CheckedPassage]
) -> list[tuple[bool, bool, bool]]:
    """Return ``links`` of the list of a debate: one entry per sentence with a deciding link."""
    rating_classes = dict(zip(bench.index.ids, bench.index.rating_classes, strict=True))
    right_claims: dict[int, set[str]] = {}
    for pair in ranked.debate.pairs:
        if pair.linked and rating_classes[pair.claim] not in MIXED:
            position = ranked.debate.lines.index(pair.line)
            right_claims.setdefault(position, set()).add(pair.claim)
    listed_positions = set()
    for passage in passages:
        if passage.tier:
            listed_positions.update(number - 1 for number in passage.passage.sentences)
    links = []
    for position, claims in sorted(right_claims.items()):
        is_kept = bool(ranked.kept[position])
        candidates = set(bench.ids[ranked.claims_of(position)].tolist())
        is_found = is_kept and bool(claims & candidates)
        links.append((is_kept, is_found, position in listed_positions))
    return links


def _match(
    bench: Bench, debate: Debate, text: str, claim_index: int, conflicts: tuple[str, ...]
) -> Match:
    """Return a match as far as the arrangement of a list needs it."""
    claim = VerifiedClaim(bench.index.ids[claim_index], bench.index.statements[claim_index])
    claim_day = int(bench.index.claim_days[claim_index])
    compared = agreement(text, claim.statement, debate.day, claim_day)
    agreed = {part: Agreement(value) for part, value in compared.items()}
    return Match(claim, 1, 0.0, Tier.POSSIBLE, (), agreement=agreed, against=conflicts)
