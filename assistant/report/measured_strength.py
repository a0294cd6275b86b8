"""Match strength: strong, good or possible, from the scores of a match and the doubts about it.

``models/strength.json`` has the thresholds and the figures behind each step. It is written by
``training.ranker.strength``; screens, README and docs take their figures from there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.core.domain import CheckedSentence, Manifest, Match, Report, Strength, Tier
from assistant.core.errors import ModelUnavailable
from assistant.core.settings import RERANKERS
from assistant.passages.listing import strengthened
from features.language.open_parts.partial_coverage import LAST
from features.language.same_words import same_words
from features.models.weight_files import EMBEDDED_RERANKER, reranker_folder

STRENGTH_FILE = "strength.json"
# Names of the settings in which matches were read: with every fact-check, and with those that had
# been published before the event.
MORNING_AFTER = "morning after"
AS_OF_EVENT = "as of the event"
MEASURED_RANKER = "lectern"  # the only ranker whose scores are log-odds
NO_STRENGTH = ""  # the stored strength of a match whose ranker gives none


class StrengthThresholds(NamedTuple):
    """The smallest log-odds, that the fact-check settles the statement, of the two upper steps.

    ``whole``: the lower ones for a strong match without a known part that one text lacks.
    """

    strong: float
    good: float
    whole: float = math.inf


@dataclass(frozen=True, slots=True)
class MeasuredStrength:
    """The thresholds, the re-ranker whose log-odds they divide, and the figures behind them.

    ``reranker``: the first digits of its digest, as in a report's manifest. ``figures`` are keyed
    by setting, then by step, then by measure.
    """

    thresholds: StrengthThresholds
    reranker: str
    figures: Mapping[str, Mapping[str, Mapping[str, Any]]]


@lru_cache(maxsize=2)
def measured_strength(reranker: str = EMBEDDED_RERANKER) -> MeasuredStrength:
    """Load the thresholds and figures that ship for the re-ranker of a profile.

    Raises: ModelUnavailable if the file is missing or damaged.
    """
    path = reranker_folder(reranker) / STRENGTH_FILE
    try:
        values = json.loads(path.read_text("utf-8"))
        return MeasuredStrength(
            thresholds=StrengthThresholds(**values["thresholds"]),
            reranker=values["reranker"],
            figures=values["figures"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(
            f"the thresholds for the strength of matches cannot be loaded ({error}).",
            where=str(path),
            remedy="Restore the models folder.",
        ) from error


def share_in_tests(strength: Strength) -> str:
    """Return in words how many matches of a strength were right in tests, "" if not measured.

    The tests are those of the morning after, with every fact-check. The words hold for the
    re-ranker of any profile: they give the smallest share.
    """
    figures_by_reranker = []
    for reranker in RERANKERS:
        figures_by_strength = measured_strength(reranker).figures.get(MORNING_AFTER, {})
        if str(strength) in figures_by_strength:
            figures_by_reranker.append(figures_by_strength[str(strength)])
    if not figures_by_reranker:
        return ""
    # A figure is a share of the matches, followed by its margins.
    if strength is Strength.STRONG:
        settled_in_100 = min(round(100 * figures["settled"][0]) for figures in figures_by_reranker)
        return f"In tests, {settled_in_100} of 100 {strength} matches settled what was said."
    in_part_in_100 = min(round(100 * figures["in_part"][0]) for figures in figures_by_reranker)
    return (
        f"In tests, {in_part_in_100} of 100 {strength} matches settled what was said "
        "or a part of it."
    )


def strength_of(match: Match, text: str, thresholds: StrengthThresholds) -> Strength | None:
    """Return the strength of a sentence's match: its tier, its log-odds, doubts and open parts."""
    settling_log_odds = match.score
    if match.sureness:
        settling_log_odds = sum(match.sureness.values())
    return strength_step(
        match.tier,
        settling_log_odds,
        thresholds,
        has_doubt=match.differs,
        is_verbatim=is_verbatim(text, match.claim.statement),
        has_open_part=any(part.conflict != LAST for part in match.uncovered),
    )


def is_verbatim(text: str, statement: str) -> bool:
    """Return whether a sentence is a statement word for word, in any spelling.

    Of such pairs in the training split, 24 of 24 settled the sentence.
    """
    return same_words(text) == same_words(statement)


def strength_step(
    tier: Tier | None,
    log_odds: float,
    thresholds: StrengthThresholds,
    *,
    has_doubt: bool,
    is_verbatim: bool,
    has_open_part: bool,
) -> Strength | None:
    """Return the step of a pair: one that is not likely, or has a doubt, is never strong.

    ``log_odds``: that the fact-check settles the statement. ``has_doubt``: the pair has a conflict,
    or other numbers, names or dates. ``is_verbatim``: the sentence is the statement word for word,
    which is enough for a strong match. ``has_open_part``: a part of the sentence or the statement
    that the other one lacks is known; without one, lower log-odds are enough.
    """
    if tier is None:
        return None
    threshold = thresholds.strong if has_open_part else min(thresholds.strong, thresholds.whole)
    is_sure = log_odds >= threshold or is_verbatim
    if is_sure and tier is Tier.LIKELY and not has_doubt:
        return Strength.STRONG
    return Strength.GOOD if log_odds >= thresholds.good else Strength.POSSIBLE


def stored_strength(match: Match, manifest: Manifest) -> str | None:
    """Return the strength of a match as tables store it.

    It is ``NO_STRENGTH`` if the ranker gives none, and None if the match has none although the
    ranker gives some, as in a report of an earlier version.
    """
    if match.strength is not None:
        return str(match.strength)
    ranker = _ranker_name(manifest)
    return NO_STRENGTH if ranker and ranker != MEASURED_RANKER else None


def is_strong(strength: str | None, tier: str | None) -> bool:
    """Return whether a match with a stored strength is strong.

    The tier *likely* stands for it if the ranker gives no strengths.
    """
    if strength == NO_STRENGTH:
        return tier == Tier.LIKELY
    return strength == Strength.STRONG


def with_strengths(report: Report) -> Report:
    """Return a report from before there were strengths with those that its scores give.

    A report of another ranker or re-ranker stays as it is: its scores were not measured.
    """
    if not _has_measured_scores(report.manifest):
        return report
    sentences = tuple(_with_strengths(checked) for checked in report.sentences)
    passages = strengthened(report.passages, sentences)
    return replace(report, sentences=sentences, passages=passages)


def _has_measured_scores(manifest: Manifest) -> bool:
    reranker = manifest.models.get("reranker")
    has_measured_reranker = reranker == measured_strength().reranker
    return _ranker_name(manifest) == MEASURED_RANKER and has_measured_reranker


def _ranker_name(manifest: Manifest) -> str:
    """Return the name of the ranker, "" if the manifest has none."""
    # Its digest follows the name.
    return manifest.models.get("ranker", "").partition(" ")[0]


def _with_strengths(checked_sentence: CheckedSentence) -> CheckedSentence:
    # Whether its matches leave a part open is unknown.
    thresholds = measured_strength().thresholds._replace(whole=math.inf)
    text = checked_sentence.sentence.text
    matches = tuple(
        replace(match, strength=strength_of(match, text, thresholds))
        for match in checked_sentence.matches
    )
    return replace(checked_sentence, matches=matches)
