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
from features.language.picture_captions import is_caption_or_link
from features.language.speech_acts import is_question, states_something

# Why a passage with a match is left out of the list.
ASKING_SPEAKER = "moderator"
QUESTION_ONLY = "question"
ADDRESS_ONLY = "no statement"
CAPTION_ONLY = "caption"
ASIDES = (ASKING_SPEAKER, QUESTION_ONLY, ADDRESS_ONLY, CAPTION_ONLY)
# The choices for mixed ratings, as the settings of a report name them.
MIXED_SETTING = "half_true"
MIXED_LISTED = "listed"
MIXED_SKIPPED = "skipped"
PUBLISHED_RANKER = "ranksvm-max-skip"
MIN_OVERLAP_WORDS = 4  # shared by two passages of one utterance
_GroupKey = tuple[str, str, Decision | None, int]
_Order = Callable[[CheckedSentence], tuple[float, ...]]


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

    A passage has the position of its best sentence that has a match; strong ones come first. If two
    passages of one speaker restate each other and their first match is the same fact-check, the
    lower one is grouped below the higher, unless a person decided on them separately, or one of
    them differs from the claim (another year, a denial): then the fact-check settles them in
    different ways. Questions, forms of address, captions and speakers who only ask are left aside,
    unless a person decided on them.
    ``skips_mixed``: sentences whose matches all have a mixed rating are not listed.
    ``chosen_roles`` are the roles of speakers that a person chose.
    """
    by_number = {checked.sentence.number: checked for checked in sentences}
    aside_reasons = _asides(sentences, chosen_roles or {})
    listable = {}
    for number, checked in by_number.items():
        if number not in aside_reasons:
            listable[number] = checked
    # Ranks: of all passages with a ranked sentence, by the published order.
    ranked_bests = _best_sentences(passages, by_number, may_represent=_is_ranked, order=_by_rank)
    ranked_groups = _grouped(passages, by_number, ranked_bests, order=_by_rank)
    rank_by_passage = _positions(ranked_groups)
    # The list: without sentences left aside, perhaps with mixed ratings.
    order = _by_rank if skips_mixed else _strong_and_best_score_first
    may_represent = _is_ranked if skips_mixed else _is_matched
    listed_bests = _best_sentences(passages, listable, may_represent=may_represent, order=order)
    listed_groups = _grouped(passages, by_number, listed_bests, order=order)
    position_by_passage = _positions(listed_groups)
    listed_passage_of = {}
    for listed_number, grouped_numbers in listed_groups.items():
        for grouped_number in grouped_numbers:
            listed_passage_of[grouped_number] = listed_number

    placements = []
    for passage in passages:
        ranked_best = ranked_bests.get(passage.number)
        best = listed_bests.get(passage.number)
        aside = ""
        if best is None:
            aside = _passage_aside(passage, aside_reasons)
            best = ranked_best if aside else None
        placement = CheckedPassage(
            passage,
            best=None if best is None else best.sentence.number,
            tier=None if ranked_best is None else ranked_best.tier,
            rank=rank_by_passage.get(passage.number),
            folded=tuple(sorted(listed_groups.get(passage.number, ()))),
            folded_into=listed_passage_of.get(passage.number),
            listed=position_by_passage.get(passage.number),
            aside=aside,
        )
        placements.append(placement)
    return strengthened(placements, sentences)


def _positions(passage_numbers: Iterable[int]) -> dict[int, int]:
    """Return the position of each passage, from 1, by its number."""
    return {number: position for position, number in enumerate(passage_numbers, start=1)}


def strengthened(
    placements: Iterable[CheckedPassage], sentences: Sequence[CheckedSentence]
) -> tuple[CheckedPassage, ...]:
    """Return passages with the strength of the best sentence, else the highest of all sentences."""
    # Only sentences with a match are looked at: most have none, and this runs after every decision.
    strength_by_number = {
        checked_sentence.sentence.number: checked_sentence.strength
        for checked_sentence in sentences
        if checked_sentence.matches
    }
    strengthened_placements = []
    for placement in placements:
        considered_numbers = placement.passage.sentences
        if placement.best is not None:
            considered_numbers = (placement.best,)
        passage_strengths = [
            strength_by_number[number]
            for number in considered_numbers
            if number in strength_by_number
        ]
        strength = Strength.highest(passage_strengths) if passage_strengths else None
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
    default_choice = MIXED_SKIPPED if is_published_method else MIXED_LISTED
    return settings.get(MIXED_SETTING, default_choice) == MIXED_SKIPPED


def with_mixed(report: Report, choice: str) -> Report:
    """Return the report with mixed ratings ``MIXED_LISTED`` or ``MIXED_SKIPPED``, which its settings name."""
    current_choice = MIXED_SKIPPED if skips_mixed(report) else MIXED_LISTED
    if choice == current_choice:
        return report
    settings = {**report.manifest.settings, MIXED_SETTING: choice}
    manifest = replace(report.manifest, settings=settings)
    return rearranged(replace(report, manifest=manifest))


def is_confirmed(match: Match) -> bool:
    """Return whether a person confirmed the match."""
    return match.decision is not None and match.decision.verdict == "confirm"


def is_rejected(match: Match) -> bool:
    """Return whether a person rejected the match."""
    return match.decision is not None and match.decision.verdict == "reject"


def is_one_utterance(passage: Sequence[CheckedSentence], other: Sequence[CheckedSentence]) -> bool:
    """Return whether one of two passages follows the other and begins with its last words.

    The segments that replace sentences in a text without punctuation overlap.
    """
    earlier, later = sorted((passage, other), key=lambda sentences: sentences[0].sentence.number)
    end_number = earlier[-1].sentence.number
    next_number = later[0].sentence.number
    if next_number != end_number + 1:
        return False
    earlier_words = _words(earlier)
    later_words = _words(later)
    max_overlap = min(len(earlier_words), len(later_words))
    for overlap in range(MIN_OVERLAP_WORDS, max_overlap + 1):
        if earlier_words[-overlap:] == later_words[:overlap]:
            return True
    return False


def _words(sentences: Sequence[CheckedSentence]) -> list[str]:
    return [word for checked in sentences for word in checked.sentence.text.split()]


def _asides(
    sentences: Sequence[CheckedSentence], chosen_roles: Mapping[str, SpeakerRole]
) -> dict[int, str]:
    """Return why matched sentences are left out of the list, by the numbers of those that are."""
    roles = speaker_roles(
        [checked_sentence.sentence for checked_sentence in sentences], chosen_roles
    )
    asking_speakers = {speaker for speaker, role in roles.items() if role in ASKING_ROLES}
    reason_by_number = {}
    for checked_sentence in sentences:
        if not checked_sentence.matches or is_decided(checked_sentence):
            continue
        if checked_sentence.sentence.speaker in asking_speakers:
            reason = ASKING_SPEAKER
        else:
            reason = wording_aside(checked_sentence)
        if reason:
            reason_by_number[checked_sentence.sentence.number] = reason
    return reason_by_number


def wording_aside(checked: CheckedSentence) -> str:
    """Return why the words of a sentence cannot match a fact-check, "" if they can.

    A person who decides on a match overrules this.
    """
    if is_decided(checked):
        return ""
    if is_caption_or_link(checked.sentence.text):
        return CAPTION_ONLY
    if is_question(checked.sentence.text):
        return QUESTION_ONLY
    return "" if states_something(checked.sentence.text) else ADDRESS_ONLY


def is_decided(checked: CheckedSentence) -> bool:
    """Return whether a person decided on a match of the sentence."""
    return any(match.decision is not None for match in checked.matches)


def _passage_aside(passage: Passage, asides: Mapping[int, str]) -> str:
    """Return why the first matched sentence of a passage is left out, "" if none is."""
    for number in passage.sentences:
        if number in asides:
            return asides[number]
    return ""


def _best_sentences(
    passages: Sequence[Passage],
    sentence_by_number: Mapping[int, CheckedSentence],
    *,
    may_represent: Callable[[CheckedSentence], bool],
    order: _Order,
) -> dict[int, CheckedSentence]:
    """Return the first sentence with a place of each passage that has one, by its number."""
    best_sentences = {}
    for passage in passages:
        candidates = []
        for number in passage.sentences:
            checked_sentence = sentence_by_number.get(number)
            if checked_sentence is None or not checked_sentence.matches:
                continue
            if may_represent(checked_sentence):
                candidates.append(checked_sentence)
        if candidates:
            best_sentences[passage.number] = min(candidates, key=order)
    return best_sentences


def _is_ranked(checked: CheckedSentence) -> bool:
    """Return whether a sentence has a tier or a match that a person confirmed."""
    return checked.tier is not None or any(is_confirmed(match) for match in checked.matches)


def _is_matched(checked: CheckedSentence) -> bool:
    """Return whether a sentence has a match of any rating, or one that a person confirmed."""
    return checked.listed_tier is not None or _is_ranked(checked)


def _by_rank(checked: CheckedSentence) -> tuple[float, ...]:
    return (checked.rank or 0, checked.sentence.number)


def _strong_and_best_score_first(checked_sentence: CheckedSentence) -> tuple[float, ...]:
    """Return the sort key of the list: strong first matches, then the best score, then the rank.

    Ratings do not count. A match in the same words is strong at a low score, too. The row shows the
    strength of the first match, so a later one does not count, and a decision does not move a row.
    """
    # The score of the sentence itself leaves out matches with a mixed rating, like half true.
    possible_scores = [
        match.score for match in checked_sentence.matches if match.claim.rating_class in MIXED
    ]
    # Without a tier, that score is not the score of a match: it counts only if it is the only one.
    uses_own_score = checked_sentence.tier is not None or not possible_scores
    if checked_sentence.score is not None and uses_own_score:
        possible_scores.append(checked_sentence.score)
    best_score = max(possible_scores, default=0.0)
    rank = checked_sentence.rank or 0
    is_weaker = checked_sentence.matches[0].strength is not Strength.STRONG
    return (is_weaker, -best_score, rank, checked_sentence.sentence.number)


def _grouped(
    passages: Sequence[Passage],
    sentence_by_number: Mapping[int, CheckedSentence],
    best_sentences: Mapping[int, CheckedSentence],
    *,
    order: _Order,
) -> dict[int, list[int]]:
    """Return the numbers of the listed passages, best first, with those grouped below them."""
    sentences_by_passage = {}
    for passage in passages:
        known_numbers = [number for number in passage.sentences if number in sentence_by_number]
        sentences_by_passage[passage.number] = [
            sentence_by_number[number] for number in known_numbers
        ]
    best_first = sorted(best_sentences, key=lambda number: (order(best_sentences[number]), number))
    listed_by_key: dict[_GroupKey, list[int]] = defaultdict(list)
    repeats_by_listed_number: dict[int, list[int]] = {}
    # The passages that overlap a listed one, and that one: they are the same utterance.
    utterance_by_listed_number: dict[int, list[int]] = {}
    for passage_number in best_first:
        best_sentence = best_sentences[passage_number]
        listed_with_key = listed_by_key[_group_key(best_sentence)]
        is_listed = True
        for listed_number in listed_with_key:
            utterance = utterance_by_listed_number[listed_number]
            overlaps = any(
                is_one_utterance(sentences_by_passage[other], sentences_by_passage[passage_number])
                for other in utterance
            )
            repeats = any(
                _is_said_again(best_sentence, best_sentences[other]) for other in utterance
            )
            if overlaps:
                utterance.append(passage_number)
            if overlaps or repeats:
                repeats_by_listed_number[listed_number].append(passage_number)
                is_listed = False
                break
        if is_listed:
            listed_with_key.append(passage_number)
            repeats_by_listed_number[passage_number] = []
            utterance_by_listed_number[passage_number] = [passage_number]
    return repeats_by_listed_number


def _group_key(best: CheckedSentence) -> _GroupKey:
    """Return the values that passages in a group share; a passage that differs shares none."""
    first_match = best.matches[0]
    # A number of its own keeps a passage that differs from the claim apart.
    own_number = best.sentence.number if first_match.differs else 0
    return (best.sentence.speaker or "", first_match.claim.id, first_match.decision, own_number)


def _is_said_again(best: CheckedSentence, listed_best: CheckedSentence) -> bool:
    """Return whether one of two sentences restates the other."""
    restates_listed = best.restates == listed_best.sentence.number
    is_restated = listed_best.restates == best.sentence.number
    return restates_listed or is_restated
