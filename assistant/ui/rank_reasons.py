"""Explains why a match has its rank and its tier.

Contributions grouped by family, and in words.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from assistant.check.rankers import LECTERN, LIKELY_MIN_WORDS
from assistant.core.domain import Agreement, CheckedSentence, Match, Stance, Tier
from assistant.report.wording import conflict_reasons, doubts, gap
from features.similarity import input_catalogue
from features.similarity.catalogue import FAMILIES, MEASURES

START_LABEL = input_catalogue.START.label
NOT_STORED = "What it went by was not kept with this report: check the transcript again to see it."
BY_SCORE = "With this ranker it goes by the score of the match."


@dataclass(frozen=True, slots=True)
class Contribution:
    """One input of the ranker: what it is, how much it adds to the score, its raw value where it is a measure."""

    name: str
    meaning: str
    contribution: float
    raw: float | None


@dataclass(frozen=True, slots=True)
class ContributionGroup:
    """The inputs of one family.

    ``contribution`` is their sum, ``share`` its size against the largest group, 0 to 1.
    """

    label: str
    contribution: float
    share: float
    parts: tuple[Contribution, ...]


def rank_groups(match: Match) -> tuple[ContributionGroup, ...]:
    """Return the contributions of a match by family, largest first, the start last.

    Empty where there are none.
    """
    return _grouped(match.contributions, match)


def tier_groups(match: Match) -> tuple[ContributionGroup, ...]:
    """Return what *likely* goes by in the same way."""
    return _grouped(match.sureness, match)


def _grouped(values: Mapping[str, float], match: Match) -> tuple[ContributionGroup, ...]:
    raw = dict(zip((m.name for m in MEASURES), match.measures, strict=True))
    members: dict[str, list[Contribution]] = defaultdict(list)
    for name, value in values.items():
        part = Contribution(name, input_catalogue.meaning(name), value, raw.get(name))
        members[input_catalogue.group(name).label].append(part)
    sums = {label: sum(part.contribution for part in parts) for label, parts in members.items()}
    largest = (
        max((abs(total) for label, total in sums.items() if label != START_LABEL), default=0.0)
        or 1.0
    )
    groups = [
        ContributionGroup(
            label,
            sums[label],
            min(abs(sums[label]) / largest, 1.0),
            tuple(sorted(parts, key=lambda part: -abs(part.contribution))),
        )
        for label, parts in members.items()
    ]
    return tuple(
        sorted(groups, key=lambda group: (group.label == START_LABEL, -abs(group.contribution)))
    )


def raw_measures(match: Match) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    """Return the 19 raw measures by family, in the order BM25, NLI, BERTScore, SBERT, SimCSE.

    Those of a pair that NLI has not read, which add up to 0 instead of 1, are NaN.
    """
    values = dict(zip((m.name for m in MEASURES), match.measures, strict=True))
    nli = [m.name for m in MEASURES if m.family == "nli"]
    if not any(values[name] for name in nli):
        values |= dict.fromkeys(nli, math.nan)
    return tuple(
        (
            input_catalogue.GROUPS[f].label,
            tuple((m.meaning, values[m.name]) for m in MEASURES if m.family == f),
        )
        for f in FAMILIES
    )


def rank_words(match: Match, event: date | None) -> str:
    """Return what speaks for the match and what against, in one line."""
    pro = speaks_for(match)
    con = speaks_against(match, event)
    line = "For: " + (", ".join(pro) if pro else "nothing stands out")
    return f"{line}. Against: {', '.join(con)}." if con else f"{line}. Against: nothing found."


def speaks_for(match: Match) -> list[str]:
    """Return what lifts the match, strongest first, then the facts that agree."""
    own = (
        match.sureness if match.rank > 1 else {}
    )  # the score of a further match also has what lifts the first
    reasons = _strongest_reasons(own or match.contributions, input_catalogue.speaks_for, 1)
    if match.stance is Stance.REPEATS:
        reasons.append("repeats the claim")
    reasons += [
        f"same {part}" for part, value in match.agreement.items() if value is Agreement.SAME
    ]
    return list(dict.fromkeys(reasons))


def speaks_against(match: Match, event: date | None) -> list[str]:
    """Return what a reader should doubt.

    The opposite said, other facts, a check long before the event.
    """
    reasons = doubts(match)
    checked = match.claim.review_date
    if event and checked and abs((event - checked).days) > 365:
        reasons.append(f"checked {gap(event, checked)}")
    if match.claim.review_date is None:
        reasons.append("date of the check unknown")
    return reasons


def tier_title(match: Match) -> str:
    """Return what to call the reasons for the tier of a match."""
    return "Why likely" if match.tier is Tier.LIKELY else "Why possible, not likely"


def tier_words(match: Match, checked: CheckedSentence, settings: Mapping[str, Any]) -> str:
    """Return why a shown match of a sentence is likely, or what keeps it from that.

    ``settings`` of its report.
    """
    total = sum(match.sureness.values())
    border = settings.get("likely")
    measured = (
        f"{total:+.2f}, likely begins at {border:+.2f}"
        if match.sureness and border is not None
        else ""
    )
    measured = measured.replace("-", "−")
    if match.tier is Tier.LIKELY:
        first = f"Sure enough by what is said and claimed ({measured})." if measured else ""
        last = (
            ""
            if checked.tier is Tier.LIKELY
            else "A rating like this one settles nothing: the sentence is no likely one for it."
        )
        return " ".join(filter(None, (first, "Nothing was found against it.", last)))
    kept = conflict_reasons(match)
    reasons = [f"kept from likely by what was found against it: {', '.join(kept)}"] if kept else []
    if measured and border is not None and total < border:
        reasons.append(f"not sure enough by what is said and claimed ({measured})")
    if len(checked.sentence.text.split()) < LIKELY_MIN_WORDS:
        reasons.append(f"a sentence of fewer than {LIKELY_MIN_WORDS} words is never likely")
    line = "; ".join(reasons)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def confidence_words(match: Match, settings: Mapping[str, Any]) -> str:
    """Return what speaks for and against *likely* in one line, or why that is not known."""
    if not match.sureness:
        return NOT_STORED if settings.get("ranker", LECTERN) == LECTERN else BY_SCORE
    pro = (
        ", ".join(_strongest_reasons(match.sureness, input_catalogue.speaks_for, 1))
        or "nothing stands out"
    )
    con = (
        ", ".join(_strongest_reasons(match.sureness, input_catalogue.speaks_against, -1))
        or "nothing stands out"
    )
    return f"For: {pro}. Against: {con}."


def _strongest_reasons(
    values: Mapping[str, float], words: Callable[[str], str], sign: int
) -> list[str]:
    """Return in words what moves a score most in a direction, three things at most."""
    sums: dict[str, float] = defaultdict(float)
    for name, value in values.items():
        if said := words(name):
            sums[said] += sign * value
    return sorted((said for said in sums if sums[said] > 0), key=lambda said: -sums[said])[:3]
