"""Positions of passages in the list: listed, grouped below another passage, or neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.core.domain import (
    MIXED,
    CheckedPassage,
    CheckedSentence,
    Decision,
    Match,
    Passage,
    Report,
    SpeakerRole,
    Strength,
)
from assistant.passages.speaker_roles import ASKING_ROLES, speaker_roles
from features.language.speech_acts import is_question, states_something

# Why a passage with a match is left out of the list.
ASKING_SPEAKER = "moderator"
QUESTION_ONLY = "question"
ADDRESS_ONLY = "no statement"
ASIDES = (ASKING_SPEAKER, QUESTION_ONLY, ADDRESS_ONLY)
# The choices for mixed ratings, as the settings of a report name them.
MIXED_SETTING = "half_true"
MIXED_LISTED = "listed"
MIXED_SKIPPED = "skipped"
PUBLISHED_RANKER = "ranksvm-max-skip"
MIN_OVERLAP_WORDS = 4  # shared by two passages of one utterance
_GroupKey = tuple[str, str, Decision | None, int]
_Order = Callable[[CheckedSentence], tuple[float, int, int]]


def singles(sentences: Sequence[CheckedSentence]) -> tuple[Passage, ...]:
    """Return every sentence as a passage, for reports stored before there were passages."""
    return tuple(
        Passage(number, (checked.sentence.number,)) for number, checked in enumerate(sentences, 1)
    )


def arranged(
    passages: Sequence[Passage],
    sentences: Sequence[CheckedSentence],
    *,
    skips_mixed: bool = False,
    chosen_roles: Mapping[str, SpeakerRole] | None = None,
) -> tuple[CheckedPassage, ...]:
    """Return the passages with their positions in the list.

    A passage has the position of its best sentence that has a match. If two passages of one speaker
    restate each other and their first match is the same fact-check, the lower one is grouped below
    the higher, unless a person decided on them separately, or one of them differs from the claim
    (another year, a denial): then the fact-check settles them in different ways. Questions, forms of
    address and speakers who only ask are left aside, unless a person decided on them.
    ``skips_mixed``: sentences whose matches all have a mixed rating are not listed.
    ``chosen_roles`` are the roles of speakers that a person chose.
    """
    by_number = {checked.sentence.number: checked for checked in sentences}
    asides = _asides(sentences, chosen_roles or {})
    stated = {number: checked for number, checked in by_number.items() if number not in asides}
    ranked_bests = _best_sentences(passages, by_number, has_place=_is_ranked, order=_by_rank)
    ranked = _grouped(passages, by_number, ranked_bests, order=_by_rank)
    ranks = {number: rank for rank, number in enumerate(ranked, 1)}
    order = _by_rank if skips_mixed else _by_score
    has_place = _is_ranked if skips_mixed else _is_matched
    shown = _best_sentences(passages, stated, has_place=has_place, order=order)
    grouped = _grouped(passages, by_number, shown, order=order)
    listed = {number: position for position, number in enumerate(grouped, 1)}
    listed_of = {number: above for above, numbers in grouped.items() for number in numbers}
    placements = []
    for passage in passages:
        aside = "" if passage.number in shown else _passage_aside(passage, asides)
        ranked_best = ranked_bests.get(passage.number)
        best = shown.get(passage.number, ranked_best if aside else None)
        placements.append(
            CheckedPassage(
                passage,
                best=None if best is None else best.sentence.number,
                tier=None if ranked_best is None else ranked_best.tier,
                rank=ranks.get(passage.number),
                folded=tuple(sorted(grouped.get(passage.number, ()))),
                folded_into=listed_of.get(passage.number),
                listed=listed.get(passage.number),
                aside=aside,
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
        if placement.strength is not strength:
            placement = replace(placement, strength=strength)
        strengthened_placements.append(placement)
    return tuple(strengthened_placements)


def rearranged(report: Report) -> Report:
    """Return a report with its passages in the positions that its matches give them now.

    Since the check a person may have added matches, and an order may have left some out.
    """
    passages = [placement.passage for placement in report.passages] or singles(report.sentences)
    placements = arranged(
        passages,
        report.sentences,
        skips_mixed=skips_mixed(report),
        chosen_roles=dict(report.transcript.speaker_roles),
    )
    return replace(report, passages=placements)


def skips_mixed(report: Report) -> bool:
    """Return whether the list of a report leaves out sentences with mixed ratings only.

    The published method does so unless a reader asks for them.
    """
    settings = report.manifest.settings
    is_published_method = settings.get("ranker") == PUBLISHED_RANKER
    return (
        settings.get(MIXED_SETTING, MIXED_SKIPPED if is_published_method else MIXED_LISTED)
        == MIXED_SKIPPED
    )


def with_mixed(report: Report, choice: str) -> Report:
    """Return the report with mixed ratings ``MIXED_LISTED`` or ``MIXED_SKIPPED``, which its settings name."""
    if choice == (MIXED_SKIPPED if skips_mixed(report) else MIXED_LISTED):
        return report
    settings = {**report.manifest.settings, MIXED_SETTING: choice}
    return rearranged(replace(report, manifest=replace(report.manifest, settings=settings)))


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


def _asides(
    sentences: Sequence[CheckedSentence], chosen_roles: Mapping[str, SpeakerRole]
) -> dict[int, str]:
    """Return why matched sentences are left out of the list, by the numbers of those that are."""
    roles = speaker_roles([checked.sentence for checked in sentences], chosen_roles)
    asking = {speaker for speaker, role in roles.items() if role in ASKING_ROLES}
    reasons = {}
    for checked in sentences:
        if not checked.matches or is_decided(checked):
            continue
        reason = ASKING_SPEAKER if checked.sentence.speaker in asking else wording_aside(checked)
        if reason:
            reasons[checked.sentence.number] = reason
    return reasons


def wording_aside(checked: CheckedSentence) -> str:
    """Return why the words of a sentence cannot match a fact-check, "" if they can.

    A person who decides on a match overrules this.
    """
    if is_decided(checked):
        return ""
    if is_question(checked.sentence.text):
        return QUESTION_ONLY
    return "" if states_something(checked.sentence.text) else ADDRESS_ONLY


def is_decided(checked: CheckedSentence) -> bool:
    """Return whether a person decided on a match of the sentence."""
    return any(match.decision is not None for match in checked.matches)


def _passage_aside(passage: Passage, asides: Mapping[int, str]) -> str:
    """Return why the first matched sentence of a passage is left out, "" if none is."""
    return next((asides[number] for number in passage.sentences if number in asides), "")


def _best_sentences(
    passages: Sequence[Passage],
    by_number: Mapping[int, CheckedSentence],
    *,
    has_place: Callable[[CheckedSentence], bool],
    order: _Order,
) -> dict[int, CheckedSentence]:
    """Return the first sentence with a place of each passage that has one, by its number."""
    best_sentences = {}
    for passage in passages:
        candidates = []
        for number in passage.sentences:
            checked = by_number.get(number)
            if checked is not None and checked.matches and has_place(checked):
                candidates.append(checked)
        if candidates:
            best_sentences[passage.number] = min(candidates, key=order)
    return best_sentences


def _is_ranked(checked: CheckedSentence) -> bool:
    """Return whether a sentence has a tier or a match that a person confirmed."""
    return checked.tier is not None or any(is_confirmed(match) for match in checked.matches)


def _is_matched(checked: CheckedSentence) -> bool:
    """Return whether a sentence has a match of any rating, or one that a person confirmed."""
    return checked.listed_tier is not None or _is_ranked(checked)


def _by_rank(checked: CheckedSentence) -> tuple[float, int, int]:
    return (0.0, checked.rank or 0, checked.sentence.number)


def _by_score(checked: CheckedSentence) -> tuple[float, int, int]:
    """Return the sort key by the best score of a sentence, whatever its ratings, then by rank."""
    scores = [match.score for match in checked.matches if match.claim.rating_class in MIXED]
    if checked.score is not None and (checked.tier is not None or not scores):
        scores.append(checked.score)
    return (-max(scores, default=0.0), checked.rank or 0, checked.sentence.number)


def _grouped(
    passages: Sequence[Passage],
    by_number: Mapping[int, CheckedSentence],
    best_sentences: Mapping[int, CheckedSentence],
    *,
    order: _Order,
) -> dict[int, list[int]]:
    """Return the numbers of the listed passages, best first, with those grouped below them."""
    spoken = {}
    for passage in passages:
        numbers = [number for number in passage.sentences if number in by_number]
        spoken[passage.number] = [by_number[number] for number in numbers]
    best_first = sorted(best_sentences, key=lambda number: (order(best_sentences[number]), number))
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
