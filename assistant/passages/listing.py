"""Positions of passages in the list: listed, grouped below another passage, or neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.core.domain import (
    CheckedPassage,
    CheckedSentence,
    Decision,
    Match,
    Passage,
    Report,
)


def singles(sentences: Sequence[CheckedSentence]) -> tuple[Passage, ...]:
    """Return every sentence as a passage, for reports stored before there were passages."""
    return tuple(
        Passage(number, (checked.sentence.number,)) for number, checked in enumerate(sentences, 1)
    )


def arranged(
    passages: Sequence[Passage], sentences: Sequence[CheckedSentence]
) -> tuple[CheckedPassage, ...]:
    """Return the passages with their positions in the list.

    A passage has the position of its best sentence that has a match. If the first match of two
    passages of one speaker is the same fact-check, the lower one is grouped below the higher,
    unless a person decided on them separately, or one of them differs from the claim (another
    year, a denial): then the fact-check settles them in different ways.
    """
    best_sentences = _best_sentences(passages, sentences)
    grouped = _grouped(best_sentences)
    ranks = {listed: rank for rank, listed in enumerate(grouped, 1)}
    listed_of = {number: listed for listed, numbers in grouped.items() for number in numbers}
    placements = []
    for passage in passages:
        best = best_sentences.get(passage.number)
        placements.append(
            CheckedPassage(
                passage,
                best=None if best is None else best.sentence.number,
                tier=None if best is None else best.tier,
                rank=ranks.get(passage.number),
                folded=tuple(sorted(grouped.get(passage.number, ()))),
                folded_into=listed_of.get(passage.number),
            )
        )
    return tuple(placements)


def rearranged(report: Report) -> Report:
    """Return a report with its passages in the positions that its matches give them now.

    Since the check a person may have added matches, and an order may have left some out.
    """
    passages = [placement.passage for placement in report.passages] or singles(report.sentences)
    return replace(report, passages=arranged(passages, report.sentences))


def is_confirmed(match: Match) -> bool:
    """Return whether a person confirmed the match."""
    return match.decision is not None and match.decision.verdict == "confirm"


def _best_sentences(
    passages: Sequence[Passage], sentences: Sequence[CheckedSentence]
) -> dict[int, CheckedSentence]:
    """Return the best sentence of each passage that has one, by the number of the passage."""
    by_number = {checked.sentence.number: checked for checked in sentences}
    best_sentences = {}
    for passage in passages:
        best = _best_sentence(passage, by_number)
        if best is not None:
            best_sentences[passage.number] = best
    return best_sentences


def _best_sentence(
    passage: Passage, by_number: Mapping[int, CheckedSentence]
) -> CheckedSentence | None:
    """Return the best ranked sentence with a tier or with a match that a person confirmed."""
    candidates = []
    for number in passage.sentences:
        checked = by_number.get(number)
        if checked is None or not checked.matches:
            continue
        if checked.tier is not None or any(is_confirmed(match) for match in checked.matches):
            candidates.append(checked)
    return min(candidates, key=lambda checked: checked.rank or 0, default=None)


def _grouped(best_sentences: Mapping[int, CheckedSentence]) -> dict[int, list[int]]:
    """Return the numbers of the listed passages, best first, with those grouped below them."""
    best_first = sorted(
        best_sentences, key=lambda number: (best_sentences[number].rank or 0, number)
    )
    listed_by_key: dict[tuple[str, str, Decision | None, int], int] = {}
    grouped: dict[int, list[int]] = {}
    for number in best_first:
        best = best_sentences[number]
        first_match = best.matches[0]
        # A passage that differs from the claim is grouped with no other.
        separate = number if first_match.differs else 0
        speaker = best.sentence.speaker or ""
        key = (speaker, first_match.claim.id, first_match.decision, separate)
        listed = listed_by_key.setdefault(key, number)
        grouped.setdefault(listed, [])
        if listed != number:
            grouped[listed].append(number)
    return grouped
