"""Explains the rank and the tier of a match: contributions by family, and in words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from assistant.check.rankers import LECTERN, LIKELY_MIN_WORDS
from assistant.core.domain import Agreement, CheckedSentence, Match, RatingClass, Tier
from assistant.report.ageing import ageing_of_match
from assistant.report.view import PassageGroup
from assistant.report.wording import (
    Restatement,
    conflict_reasons,
    differences_of_texts,
    gap,
    restatement,
    shown_agreement,
)
from features.similarity import input_catalogue
from features.similarity.catalogue import FAMILIES, MEASURES

START_LABEL = input_catalogue.START_GROUP.label
REASONS_NOT_STORED = (
    "What it went by was not kept with this report: check the transcript again to see it."
)
MAX_REASONS = 3
DISTANT_DAYS = 365  # between fact-check and event: a reason for doubt
ORDER_HELP = (
    "Strong matches come first, then the best-scored ones. A good match can stand below a possible "
    "one, because the strength also takes doubts into account."
)
RANKED_BY_SCORE = "With this ranker it goes by the score of the match."


class MeasureFamily(NamedTuple):
    """The raw features of one family: its label, and the meaning and value of each."""

    label: str
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Contribution:
    """One input of the ranker, its effect on the score, and its raw value if it is a feature."""

    name: str
    meaning: str
    score: float
    raw_value: float | None


@dataclass(frozen=True, slots=True)
class ContributionGroup:
    """The inputs of one family.

    ``total`` is the sum of their scores; ``share`` is its size against the largest group, 0 to 1.
    """

    label: str
    total: float
    share: float
    contributions: tuple[Contribution, ...]


def rank_groups(match: Match) -> tuple[ContributionGroup, ...]:
    """Return the contributions of a match by family, largest first, the intercept last."""
    return _grouped(match.contributions, match)


def tier_groups(match: Match) -> tuple[ContributionGroup, ...]:
    """Return the contributions to the confidence of a match in the same way."""
    return _grouped(match.sureness, match)


def _grouped(scores: Mapping[str, float], match: Match) -> tuple[ContributionGroup, ...]:
    # the inputs of the ranker by the label of their family
    raw_values = _raw_values(match)
    contributions_by_label: dict[str, list[Contribution]] = defaultdict(list)
    for name, score in scores.items():
        meaning = input_catalogue.meaning(name)
        label = input_catalogue.group(name).label
        contribution = Contribution(name, meaning, score, raw_values.get(name))
        contributions_by_label[label].append(contribution)
    totals = {}
    for label, contributions in contributions_by_label.items():
        totals[label] = sum(contribution.score for contribution in contributions)
    # bars are drawn against the largest family; the intercept may be larger than all of them
    family_sizes = [abs(total) for label, total in totals.items() if label != START_LABEL]
    largest_size = max(family_sizes, default=0.0) or 1.0  # never 0: a divisor
    groups = []
    for label, contributions in contributions_by_label.items():
        share = min(abs(totals[label]) / largest_size, 1.0)
        contributions.sort(key=lambda contribution: -abs(contribution.score))
        groups.append(ContributionGroup(label, totals[label], share, tuple(contributions)))
    groups.sort(key=lambda group: (group.label == START_LABEL, -abs(group.total)))
    return tuple(groups)


def _raw_values(match: Match) -> dict[str, float]:
    names = [measure.name for measure in MEASURES]
    return dict(zip(names, match.measures, strict=True))


def raw_measures(match: Match) -> tuple[MeasureFamily, ...]:
    """Return the 19 raw features by family, in the order BM25, NLI, BERTScore, SBERT, SimCSE.

    The NLI features, which add up to 1, are NaN if the NLI model has not scored the pair.
    """
    raw_values = _raw_values(match)
    nli_names = [measure.name for measure in MEASURES if measure.family == "nli"]
    # the NLI model leaves zeros for a pair that it has not scored
    is_nli_scored = any(raw_values[name] for name in nli_names)
    if not is_nli_scored:
        for name in nli_names:
            raw_values[name] = math.nan
    families = []
    for family in FAMILIES:
        family_values = []
        for measure in MEASURES:
            if measure.family == family:
                family_values.append((measure.meaning, raw_values[measure.name]))
        label = input_catalogue.GROUPS[family].label
        families.append(MeasureFamily(label, tuple(family_values)))
    return tuple(families)


def rank_words(match: Match, sentence_text: str, event_date: date | None) -> str:
    """Return the reasons for and against the match in one line."""
    # both lists may be empty
    reasons_for = ", ".join(speaks_for(match)) or "nothing stands out"
    reasons_against = ", ".join(speaks_against(match, sentence_text, event_date)) or "nothing found"
    return f"For: {reasons_for}. Against: {reasons_against}."


def rank_line(groups: Sequence[PassageGroup], rank: int) -> str:
    """Return the rank of a row in words, and why it stands above the row below it.

    ``groups`` are the listed passages of a report, the one of rank 1 first.
    """
    line = rank_label(groups, rank)
    if rank < len(groups):
        reasons = _reasons_for_higher_rank(groups[rank - 1], groups[rank])
        if reasons:
            line += f", above the next row for: {', '.join(reasons)}"
    return f"{line}. {ORDER_HELP}"


def rank_label(groups: Sequence[PassageGroup], rank: int) -> str:
    """Return the rank of a row as ``Rank 3 of 42``."""
    return f"Rank {rank:,} of {len(groups):,}"


def _reasons_for_higher_rank(upper: PassageGroup, lower: PassageGroup) -> list[str]:
    """Return in words what raises the score of a row most, compared with the row below it."""
    scores_by_row = []
    for group in (upper, lower):
        best = group.listed.best
        scores: Mapping[str, float] = {}
        if best is not None and best.matches:
            scores = best.matches[0].contributions
        scores_by_row.append(scores)
    upper_scores, lower_scores = scores_by_row
    if not upper_scores or not lower_scores:
        return []
    differences = {}
    for name in {**upper_scores, **lower_scores}:
        differences[name] = upper_scores.get(name, 0.0) - lower_scores.get(name, 0.0)
    # a strong or confirmed row, or one of another order, may stand above one with a higher score
    if sum(differences.values()) <= 0:
        return []
    return _strongest_reasons(differences, input_catalogue.speaks_for, sign=1)


def speaks_for(match: Match) -> list[str]:
    """Return the reasons for the match, strongest first, then the particulars that agree."""
    score_by_input = match.contributions
    if match.rank > 1 and match.sureness:
        # the score of a further match also has the contributions of the first match
        score_by_input = match.sureness
    reasons = _strongest_reasons(score_by_input, _reason_for(match), sign=1)
    if restatement(match) is Restatement.WHOLE:
        reasons.append("repeats the claim")
    for kind, value in shown_agreement(match).items():
        if value is Agreement.SAME:
            reasons.append(f"same {kind}")
    return list(dict.fromkeys(reasons))


def _reason_for(match: Match) -> Callable[[str], str]:
    """Return the function that gives the words for an input that raises a match.

    The text models' opinion that both make one claim is no reason beside a conflict.
    """

    def reason_of_input(input_name: str) -> str:
        reason = input_catalogue.speaks_for(input_name)
        is_opinion = reason in (input_catalogue.SAME_CLAIM, input_catalogue.FOLLOWS)
        return "" if is_opinion and match.against else reason

    return reason_of_input


def speaks_against(match: Match, sentence_text: str, event_date: date | None) -> list[str]:
    """Return the reasons for doubt: the opposite said, other facts, a check long before the event."""
    reasons = differences_of_texts(match, sentence_text)
    if match.revised:
        reasons.append(match.revised)
    if match.claim.rating_class is RatingClass.NOT_A_TRUTH_RATING:
        reasons.append("the rating is not about truth")
    if ageing_of_match(match, event_date):
        reasons.append("may be out of date")
    review_date = match.claim.review_date
    if review_date is None:
        reasons.append("date of the fact-check unknown")
    elif event_date and abs((event_date - review_date).days) > DISTANT_DAYS:
        reasons.append(f"fact-checked {gap(event_date, review_date)}")
    return reasons


def tier_title(match: Match) -> str:
    """Return the title for the reasons of the tier of a match."""
    return "Why likely" if match.tier is Tier.LIKELY else "Why possible, not likely"


def tier_words(match: Match, checked_sentence: CheckedSentence, settings: Mapping[str, Any]) -> str:
    """Explain why a listed match of a sentence is likely, or why it is not.

    ``settings``: those of its report.
    """
    # the contributions of the inputs to the confidence that a match is likely add up to it
    confidence = sum(match.sureness.values())
    threshold = settings.get("likely")
    comparison_words = ""
    is_below_threshold = False
    if match.sureness and threshold is not None:
        comparison_words = f"{confidence:+.2f}, likely begins at {threshold:+.2f}".replace("-", "−")
        is_below_threshold = confidence < threshold
    if match.tier is Tier.LIKELY:
        return _likely_words(match, checked_sentence, comparison_words)
    reasons = []
    conflicts = conflict_reasons(match)
    if conflicts:
        reasons.append(f"kept from likely by what was found against it: {', '.join(conflicts)}")
    if is_below_threshold:
        reasons.append(f"not sure enough by what is said and claimed ({comparison_words})")
    if len(checked_sentence.sentence.text.split()) < LIKELY_MIN_WORDS:
        reasons.append(f"a sentence of fewer than {LIKELY_MIN_WORDS} words is never likely")
    if not reasons:
        return ""
    line = "; ".join(reasons)
    return f"{line[:1].upper()}{line[1:]}."


def _likely_words(match: Match, checked_sentence: CheckedSentence, comparison_words: str) -> str:
    """Explain why a match is likely; ``comparison_words`` compare its score with the threshold."""
    explanations = []
    if comparison_words:
        explanations.append(f"Sure enough by what is said and claimed ({comparison_words}).")
    if not differences_of_texts(match, checked_sentence.sentence.text):
        explanations.append("No conflict was found between the two texts.")
    if checked_sentence.tier is not Tier.LIKELY:
        explanations.append(
            "The publisher's rating is mixed, so the older level “likely” leaves this match out. "
            "Its strength is not affected."
        )
    return " ".join(explanations)


def confidence_words(match: Match, settings: Mapping[str, Any]) -> str:
    """Return the reasons for and against *likely* in one line, or why they are not known."""
    confidence_by_input = match.sureness  # each input’s share of the confidence
    if not confidence_by_input:
        is_own_ranker = settings.get("ranker", LECTERN) == LECTERN
        return REASONS_NOT_STORED if is_own_ranker else RANKED_BY_SCORE
    reasons_for = _strongest_reasons(confidence_by_input, _reason_for(match), sign=1)
    reasons_against = _strongest_reasons(
        confidence_by_input, input_catalogue.speaks_against, sign=-1
    )
    words_for = ", ".join(reasons_for) or "nothing stands out"
    words_against = ", ".join(reasons_against) or "nothing stands out"
    return f"For: {words_for}. Against: {words_against}."


def _strongest_reasons(
    score_by_input: Mapping[str, float], reason_of_input: Callable[[str], str], *, sign: int
) -> list[str]:
    """Return in words the inputs that raise a score most, three at most.

    With ``sign`` -1 those that lower it most.
    """
    # several inputs may share a reason: their scores are added
    total_by_reason: dict[str, float] = defaultdict(float)
    for input_name, score in score_by_input.items():
        reason = reason_of_input(input_name)
        if reason:
            total_by_reason[reason] += sign * score
    reasons = [reason for reason, total in total_by_reason.items() if total > 0]
    reasons.sort(key=total_by_reason.__getitem__, reverse=True)
    return reasons[:MAX_REASONS]
