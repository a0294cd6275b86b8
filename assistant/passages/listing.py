"""Rows of the list: which passages of a report are shown, in which order, and which are folded below another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.core.domain import (
    MIXED,
    CheckedPassage,
    CheckedSentence,
    Decision,
    Match,
    Passage,
    Report,
)

OVERLAP = 4  # words that two passages of one utterance have in common, at least


def singles(sentences: Sequence[CheckedSentence]) -> tuple[Passage, ...]:
    """Return every sentence as a passage of its own.

    Reports that were stored before there were passages.
    """
    return tuple(Passage(number, (c.sentence.number,)) for number, c in enumerate(sentences, 1))


def arranged(
    passages: Sequence[Passage], sentences: Sequence[CheckedSentence]
) -> tuple[CheckedPassage, ...]:
    """Return the passages with their places in the list.

    A passage has the place of its best sentence that has a match. Where the first match of two
    passages of one speaker is the same fact-check, the lower one is folded below the higher,
    unless a person decided on them apart, or one of them differs from the claim (another year, a
    denial): then the fact-check settles them in different ways.
    """
    by_number = {checked.sentence.number: checked for checked in sentences}
    best = {p.number: found for p in passages if (found := _best(p, by_number)) is not None}
    order = sorted(best, key=lambda number: (best[number].rank or 0, number))
    row_of: dict[tuple[str, str, Decision | None, int], int] = {}
    folded: dict[int, list[int]] = {}
    for number in order:
        sent = best[number].sentence
        match = best[number].matches[0]
        apart = number if match.differs else 0
        row = row_of.setdefault((sent.speaker or "", match.claim.id, match.decision, apart), number)
        folded.setdefault(row, [])
        if row != number:
            folded[row].append(number)
    ranks = {row: rank for rank, row in enumerate(folded, 1)}
    into = {below: row for row, all_below in folded.items() for below in all_below}
    return tuple(
        CheckedPassage(
            passage,
            best=best[passage.number].sentence.number if passage.number in best else None,
            tier=best[passage.number].tier if passage.number in best else None,
            rank=ranks.get(passage.number),
            folded=tuple(sorted(folded.get(passage.number, ()))),
            folded_into=into.get(passage.number),
        )
        for passage in passages
    )


def rearranged(report: Report) -> Report:
    """Return a report with its passages in the places that its matches give them now.

    Since the check a person may have added matches, and an order may have left some out.
    """
    passages = [checked.passage for checked in report.passages] or singles(report.sentences)
    return replace(report, passages=arranged(passages, report.sentences))


def said(report: Report) -> dict[int, tuple[CheckedSentence, ...]]:
    """Return the sentences of every passage, by its number."""
    by_number = {checked.sentence.number: checked for checked in report.sentences}
    return {
        p.passage.number: tuple(by_number[n] for n in p.passage.sentences) for p in report.passages
    }


def claims(
    row: CheckedPassage, sentences: Sequence[CheckedSentence]
) -> tuple[tuple[CheckedSentence, Match], ...]:
    """Return the matches of a passage beside their sentences, each fact-check once, those of the best sentence first.

    Where several of its ``sentences`` match one fact-check, a match that a person confirmed stands
    for them all.
    """
    found: dict[str, tuple[CheckedSentence, Match]] = {}
    for checked in sorted(sentences, key=lambda c: (c.sentence.number != row.best, c.rank or 0)):
        for match in checked.matches:
            if match.claim.id not in found or _confirmed(match) > _confirmed(
                found[match.claim.id][1]
            ):
                found[match.claim.id] = (checked, match)
    return tuple(found.values())


def shown(report: Report) -> frozenset[tuple[int, str]]:
    """Return which matches stand in a row of the list.

    The number of the sentence and the id of the fact-check.
    """
    of_passage = said(report)
    rows = (claims(row, of_passage[row.passage.number]) for row in report.rows())
    return frozenset(
        (checked.sentence.number, match.claim.id) for row in rows for checked, match in row
    )


def on_topic(report: Report) -> tuple[CheckedPassage, ...]:
    """Return the passages that are about a checked topic, but too far from the claim for the list."""
    of_passage = said(report)
    near = [
        p
        for p in report.passages
        if p.best is None and any(c.on_topic for c in of_passage[p.passage.number])
    ]
    return tuple(p for p in near if not any(map(mixed_only, of_passage[p.passage.number])))


def mixed(report: Report) -> tuple[CheckedPassage, ...]:
    """Return the passages that match only fact-checks whose rating, half true or none of truth, lifts no sentence."""
    of_passage = said(report)
    return tuple(
        p
        for p in report.passages
        if p.best is None and any(map(mixed_only, of_passage[p.passage.number]))
    )


def mixed_only(checked: CheckedSentence) -> bool:
    """Return whether a sentence has matches and all of them have a mixed rating."""
    classes = {match.claim.rating_class for match in checked.matches}
    return checked.tier is None and bool(classes) and classes <= set(MIXED)


def groups(report: Report) -> list[tuple[CheckedPassage, ...]]:
    """Return the rows of the list, best first, each with the passages that are folded below it."""
    by_number = {p.passage.number: p for p in report.passages}
    return [(row, *(by_number[number] for number in row.folded)) for row in report.rows()]


def group_of(report: Report, number: int) -> tuple[CheckedPassage, ...]:
    """Return the row in which a sentence stands with what is folded below it.

    () where it stands in none.
    """
    return next(
        (group for group in groups(report) if any(number in p.passage.sentences for p in group)), ()
    )


def again(
    group: Sequence[CheckedPassage], said: Mapping[int, Sequence[CheckedSentence]]
) -> list[CheckedPassage]:
    """Return which passages folded below a row say it again.

    ``said`` has the sentences of each by its number.
    """
    row = said[group[0].passage.number]
    return [p for p in group[1:] if not one_utterance(row, said[p.passage.number])]


def one_utterance(one: Sequence[CheckedSentence], other: Sequence[CheckedSentence]) -> bool:
    """Return whether one of two passages follows the other and begins with its last words.

    The stretches that stand for the sentences of a text without punctuation overlap.
    """
    one, other = sorted((one, other), key=lambda said: said[0].sentence.number)
    if one[-1].sentence.number + 1 != other[0].sentence.number:
        return False
    before, after = (
        [word for checked in said for word in checked.sentence.text.split()]
        for said in (one, other)
    )
    return any(
        before[-size:] == after[:size] for size in range(OVERLAP, min(len(before), len(after)) + 1)
    )


def _best(passage: Passage, by_number: Mapping[int, CheckedSentence]) -> CheckedSentence | None:
    """Return the sentence that matches best.

    Of those with a tier, or with a match that a person confirmed.
    """
    said = [by_number[n] for n in passage.sentences if n in by_number and by_number[n].matches]
    matched = [c for c in said if c.tier is not None or any(map(_confirmed, c.matches))]
    return min(matched, key=lambda checked: checked.rank or 0, default=None)


def _confirmed(match: Match) -> bool:
    return match.decision is not None and match.decision.verdict == "confirm"
