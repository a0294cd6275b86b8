"""Positions of passages in the list: listed, grouped below another passage, or neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.core.domain import (
    CheckedPassage,
    CheckedSentence,
    Decision,
    Match,
    Passage,
    Report,
    Strength,
)

MIN_OVERLAP_WORDS = 4  # shared by two passages of one utterance
_GroupKey = tuple[str, str, Decision | None, int]


def singles(sentences: Sequence[CheckedSentence]) -> tuple[Passage, ...]:
    """Return every sentence as a passage, for reports stored before there were passages."""
    return tuple(
        Passage(number, (checked.sentence.number,)) for number, checked in enumerate(sentences, 1)
    )


def arranged(
    passages: Sequence[Passage], sentences: Sequence[CheckedSentence]
) -> tuple[CheckedPassage, ...]:
    """Return the passages with their positions in the list.

    A passage has the position of its best sentence that has a match. If two passages of one speaker
    restate each other and their first match is the same fact-check, the lower one is grouped below
    the higher, unless a person decided on them separately, or one of them differs from the claim
    (another year, a denial): then the fact-check settles them in different ways.
    """
    by_number = {checked.sentence.number: checked for checked in sentences}
    best_sentences = _best_sentences(passages, by_number)
    grouped = _grouped(passages, by_number, best_sentences)
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
    return strengthened(placements, sentences)


def strengthened(
    placements: Iterable[CheckedPassage], sentences: Sequence[CheckedSentence]
) -> tuple[CheckedPassage, ...]:
    """Return passages with the strength of the best sentence, else the highest of all sentences."""
    strengths = {checked.sentence.number: checked.strength for checked in sentences}
    strengthened_placements = []
    for placement in placements:
        numbers = placement.passage.sentences if placement.best is None else (placement.best,)
        strength = Strength.highest(strengths.get(number) for number in numbers)
        strengthened_placements.append(replace(placement, strength=strength))
    return tuple(strengthened_placements)


def rearranged(report: Report) -> Report:
    """Return a report with its passages in the positions that its matches give them now.

    Since the check a person may have added matches, and an order may have left some out.
    """
    passages = [placement.passage for placement in report.passages] or singles(report.sentences)
    return replace(report, passages=arranged(passages, report.sentences))


def is_confirmed(match: Match) -> bool:
    """Return whether a person confirmed the match."""
    return match.decision is not None and match.decision.verdict == "confirm"


def is_one_utterance(passage: Sequence[CheckedSentence], other: Sequence[CheckedSentence]) -> bool:
    """Return whether one of two passages follows the other and begins with its last words.

    The segments that replace sentences in a text without punctuation overlap.
    """
    earlier, later = sorted((passage, other), key=lambda sentences: sentences[0].sentence.number)
    if earlier[-1].sentence.number + 1 != later[0].sentence.number:
        return False
    earlier_words = _words(earlier)
    later_words = _words(later)
    shorter = min(len(earlier_words), len(later_words))
    return any(
        earlier_words[-size:] == later_words[:size]
        for size in range(MIN_OVERLAP_WORDS, shorter + 1)
    )


def _words(sentences: Sequence[CheckedSentence]) -> list[str]:
    return [word for checked in sentences for word in checked.sentence.text.split()]


def _best_sentences(
    passages: Sequence[Passage], by_number: Mapping[int, CheckedSentence]
) -> dict[int, CheckedSentence]:
    """Return the best sentence of each passage that has one, by the number of the passage."""
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


def _grouped(
    passages: Sequence[Passage],
    by_number: Mapping[int, CheckedSentence],
    best_sentences: Mapping[int, CheckedSentence],
) -> dict[int, list[int]]:
    """Return the numbers of the listed passages, best first, with those grouped below them."""
    spoken = {}
    for passage in passages:
        numbers = [number for number in passage.sentences if number in by_number]
        spoken[passage.number] = [by_number[number] for number in numbers]
    best_first = sorted(
        best_sentences, key=lambda number: (best_sentences[number].rank or 0, number)
    )
    listed_by_key: dict[_GroupKey, list[int]] = defaultdict(list)
    grouped: dict[int, list[int]] = {}
    # The passages that overlap a listed one, and that one: they are the same utterance.
    utterances: dict[int, list[int]] = {}
    for number in best_first:
        best = best_sentences[number]
        listed_with_key = listed_by_key[_group_key(best)]
        for listed in listed_with_key:
            utterance = utterances[listed]
            overlaps = any(is_one_utterance(spoken[one], spoken[number]) for one in utterance)
            if overlaps:
                utterance.append(number)
            if overlaps or any(_is_said_again(best, best_sentences[one]) for one in utterance):
                grouped[listed].append(number)
                break
        else:
            listed_with_key.append(number)
            grouped[number] = []
            utterances[number] = [number]
    return grouped


def _group_key(best: CheckedSentence) -> _GroupKey:
    """Return the values that passages in a group share; a passage that differs shares none."""
    first_match = best.matches[0]
    separate = best.sentence.number if first_match.differs else 0
    return (best.sentence.speaker or "", first_match.claim.id, first_match.decision, separate)


def _is_said_again(best: CheckedSentence, listed_best: CheckedSentence) -> bool:
    """Return whether one of two sentences restates the other."""
    return (
        best.restates == listed_best.sentence.number or listed_best.restates == best.sentence.number
    )
