"""Phrases that reports and screens share: dates, gaps, ratings, decisions, counts.

Values in, words out, no mark-up.

The publisher's words are never replaced and Lectern gives no verdict: "PolitiFact rated this claim
Mostly False", never "this is false".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

from assistant.core.domain import (
    OWN_NOTE,
    Agreement,
    Decision,
    KeySentence,
    Match,
    RatingClass,
    Sentence,
    Stance,
    Transcript,
    VerifiedClaim,
    Why,
)
from assistant.report.ageing import ageing
from assistant.report.view import ReportView
from features.similarity.catalogue import MEASURES
from features.similarity.input_catalogue import BASE, meaning

NEWSROOM_NOTE = "newsroom note"  # what readers see for ``OWN_NOTE``


class Sign(NamedTuple):
    """How a rating class is shown beside the publisher's words.

    A sign, the name of its colour, its own words.
    """

    mark: str
    colour: str
    words: str


SIGNS: dict[RatingClass, Sign] = {
    RatingClass.TRUE: Sign("●", "true", "rated true"),
    RatingClass.FALSE: Sign("■", "false", "rated false"),
    RatingClass.MIXTURE: Sign("◆", "mixture", "rated partly true"),
    RatingClass.OTHER: Sign("○", "other", "another rating"),
    RatingClass.NOT_A_TRUTH_RATING: Sign("—", "other", "not a rating of truth"),
}
WHY_SIGNS = {Why.REPEATS: "❝", Why.NEAREST: "≈", Why.PATTERN: "※", Why.DECIDES: "⚖"}
ALSO = 3  # other places that the list names; more of them are counted
PLACES = 20  # the same in reports
NO_SENTENCES = "No sentence of its article can be quoted: none is stored, or it is not read yet"
STANCES = {
    Stance.REPEATS: "Repeats the claim",
    Stance.CONTRADICTS: "Says the opposite of the claim",
    Stance.UNCLEAR: "Unclear whether it repeats or contradicts the claim",
}
VERDICTS = {"confirm": "Confirmed", "reject": "Rejected", "later": "Put off"}
# What ``features.language.conflicts`` finds against a match, to a reader: as a reason, and as what
# to compare, for it may belong to another part of the sentence.
_AGAINST = {
    "figures": ("other figures", "figures"),
    "years": ("another time", "dates"),
    "names": ("other names", "names"),
    "direction": ("one says the opposite of the other", "direction"),
    "denial": ("one of the two denies it", "denial"),
    "supposition": ("the sentence only supposes it", "said or supposed"),
    "scope": ("the sentence speaks of all, the claim of some", "all or some"),
    "wording": ("the claim's own words, with more between or behind them", "wording"),
}
RATINGS_ARE_THE_PUBLISHERS = (
    "Ratings are the publishers' own words about the claims they checked. Lectern finds earlier fact-checks; "
    "it does not rate what was said here."
)


def count(value: int, noun: str, plural: str = "") -> str:
    """Return ``1 sentence``, ``1,204 sentences``."""
    return f"{value:,} {noun if value == 1 else plural or noun + 's'}"


def day(value: date | None, unknown: str = "date unknown") -> str:
    """Return 21 May 2018."""
    return f"{value.day} {value:%b} {value.year}" if value else unknown


def clock(seconds: float | None) -> str:
    """Return 00:14:32, or nothing for an unknown time."""
    if seconds is None:
        return ""
    whole = int(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def played(transcript: Transcript, seconds: float | None) -> str:
    """Return where a recording that lies beside a report plays from a second.

    A media fragment of the W3C.

    Nothing for a transcript that was not heard, or an unknown time.
    """
    if seconds is None or transcript.source.format != "sound":
        return ""
    return f"{quote(transcript.source.name)}#t={seconds:.2f}"


def when(sentences: Sequence[Sentence]) -> str:
    """Return from when to when sentences that follow one another were said: ``00:14:28–00:14:41``.

    "" if unknown.
    """
    ends = [clock(sentences[0].start)]
    if len(sentences) > 1:
        ends.append(clock(sentences[-1].start if sentences[-1].end is None else sentences[-1].end))
    return "–".join(filter(None, dict.fromkeys(ends)))


def place(*sentences: Sentence) -> str:
    """Return when sentences were said, or which they are where no time is known.

    ``00:21:14``, ``sentences 12–14``.
    """
    first = sentences[0].number
    last = sentences[-1].number
    return when(sentences) or (
        f"sentence {first:,}" if first == last else f"sentences {first:,}–{last:,}"
    )


def also(places: Sequence[str]) -> str:
    """Return where else something was said: ``also at 00:21:14 and 00:21:40``.

    More than ``ALSO`` are counted.
    """
    return f"also at {enumerated(places, ALSO)}" if places else ""


def enumerated(names: Sequence[str], most: int) -> str:
    """Return some names as in a sentence: ``a, b and c``.

    More than ``most`` are counted: ``a and 4 more``.
    """
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def length(days: int) -> str:
    """Return a number of days as a person would say it: 5 days, 3 weeks, 14 months, 6 years."""
    if days < 14:
        return count(days, "day")
    if days < 60:
        return count(round(days / 7), "week")
    if days < 730:
        return count(round(days / 30.44), "month")
    return count(
        int(days / 365.25 + 0.04), "year"
    )  # 0.04: a fortnight short of an anniversary counts as it


def gap(event: date | None, other: date | None, *, occasion: str = "this debate") -> str:
    """Return how far a date is from the event: ``6 years before this debate``.

    Nothing if either is unknown.
    """
    if event is None or other is None:
        return ""
    days = (event - other).days
    if days == 0:
        return f"on the day of {occasion}"
    return f"{length(abs(days))} {'before' if days > 0 else 'after'} {occasion}"


def rated(vclaim: VerifiedClaim) -> str:
    """Return what the publisher did, in its own words.

    ``PolitiFact rated this claim Mostly False on 21 May 2018``.

    A newsroom note is labelled as one: nobody checked it.
    """
    if vclaim.publisher == OWN_NOTE:
        return f"A {NEWSROOM_NOTE}, not a fact-check"
    who = vclaim.publisher or "An unnamed publisher"
    when = f" on {day(vclaim.review_date)}" if vclaim.review_date else ", date unknown"
    if not vclaim.rating:
        return f"{who} checked this claim and gave no rating{when}"
    return f"{who} rated this claim {vclaim.rating}{when}"


def citation(vclaim: VerifiedClaim, address: str) -> str:
    """Return a fact-check as a reporter cites it.

    Who rated what how and when, whose words it was, and where it is.
    """
    return " ".join(
        filter(None, (f"{rated(vclaim)}: “{vclaim.statement}” ({said(vclaim)}).", address))
    )


def publisher(vclaim: VerifiedClaim) -> str:
    """Return the publisher as a reader sees it.

    Databases store newsroom notes under an older label.
    """
    return NEWSROOM_NOTE if vclaim.publisher == OWN_NOTE else vclaim.publisher


def said(vclaim: VerifiedClaim) -> str:
    """Return who said the claim and when: ``Donald Trump, said 15 May 2018``."""
    who = vclaim.claimant or "Claimant not named"
    return (
        f"{who}, said {day(vclaim.claim_date)}"
        if vclaim.claim_date
        else f"{who}, date of the claim unknown"
    )


def coverage(view: ReportView) -> str:
    """Return the counts of a report as one line, from all sentences to the likely and possible rows of its list."""
    counts = view.counts
    return (
        f"{count(counts['sentences'], 'sentence')} → {counts['check_worthy']:,} check-worthy → "
        f"{counts['likely_rows']:,} likely · {counts['possible_rows']:,} possible"
    )


def below_list(topics: int, mixed: int) -> str:
    """Return the line about passages below the list.

    Near a checked topic, or with a mixed rating only.
    """
    near = "about a checked topic but too far from the claim"
    half = "with a mixed rating only, such as half true"
    more = count(topics + mixed, "more passage")
    if topics and mixed:
        return f"{more}: {topics:,} {near}, {mixed:,} {half}"
    return f"{more} {near if topics else half}"


def in_list(view: ReportView) -> str:
    """Count the passages that are listed, grouped below others, and left out of the list."""
    repeats = sum(len(group.repeats) for group in view.groups)
    related = len(view.related)
    mixed = len(view.mixed)
    parts = [f"{count(len(view.groups), 'passage')} in the list"]
    if repeats:
        parts.append(f"{repeats:,} more folded below")
    if related:
        parts.append(f"{related:,} about a checked topic but too far from the claim")
    if mixed:
        parts.append(f"{mixed:,} with a mixed rating only")
    return ", ".join(parts)


def nothing_found(view: ReportView) -> str:
    """Say that no sentence has a match."""
    worthy = view.counts["check_worthy"]
    claims = int(view.report.manifest.database.get("claims", 0))
    return (
        f"Nothing in the database settles this debate. {count(worthy, 'check-worthy sentence')}, "
        f"none close enough to any of {count(claims, 'fact-check')}."
    )


def unreadable(files: Sequence[str]) -> str:
    """Return the line about stored reports that cannot be read, with the names of their files."""
    named = ", ".join(files[:3]) + (" and others" if len(files) > 3 else "")
    return f"{count(len(files), 'stored report')} cannot be read: {named}. Check these transcripts again."


def database(claims: int, publishers: int, newest: date | None) -> str:
    """Return the size and age of the database.

    ``93,214 fact-checks by 61 publishers, newest 18 Nov 2026``.
    """
    if not claims:
        return "No fact-checks in the database yet"
    return (
        f"{count(claims, 'fact-check')} by {count(publishers, 'publisher')}, newest {day(newest)}"
    )


def old_database(newest: date | None, event: date | None) -> str:
    """Return the warning that the database ends before the event.

    Nothing if it does not, or a date is unknown.
    """
    if newest is None or event is None or newest >= event:
        return ""
    days = (event - newest).days
    return (
        f"Your newest fact-check is from {day(newest)}, {count(days, 'day')} before this debate. "
        "Later claims cannot be found."
    )


def reviewed(view: ReportView) -> str:
    """Say how much of the report a person has decided, or who reviewed all of it."""
    total = len(view.matches)
    undecided = len(view.undecided)
    if total == 0:
        return "No matches to review"
    if undecided == total:
        these = "this match" if total == 1 else "these matches"
        return f"Not reviewed: nobody has confirmed or rejected {these} yet"
    if undecided:
        return f"Not fully reviewed: {undecided:,} of {count(total, 'match', 'matches')} undecided"
    decisions = [match.decision for match in view.matches]
    reviewers = sorted({decision.by for decision in decisions if decision and decision.by})
    names = ", ".join(reviewers) or "an unnamed person"
    if total == 1:
        return f"The only match was reviewed by {names}"
    return f"All {total:,} matches were reviewed by {names}"


def decided(decision: Decision | None) -> str:
    """Return what a person decided, by whom, when and why; ``not reviewed`` if nobody has."""
    if decision is None:
        return "not reviewed"
    verdict = VERDICTS.get(decision.verdict, decision.verdict)
    by = f" by {decision.by}" if decision.by else ""
    at = f", {decision.at[:16].replace('T', ' ')}" if decision.at else ""
    why = f": {'. '.join(part for part in (decision.reason, decision.note) if part)}"
    return f"{verdict}{by}{at}{why if why != ': ' else ''}"


def agreement(match: Match) -> str:
    """Return what is the same, different and missing: ``Same: numbers, names. Missing: dates.``"""
    parts = []
    for verdict in Agreement:
        names = [part for part, value in match.agreement.items() if value == verdict]
        if names:
            parts.append(f"{verdict.capitalize()}: {', '.join(names)}.")
    return " ".join(parts)


def doubts(match: Match) -> list[str]:
    """Return what says that a match may be another claim than the sentence's.

    A denial, another figure, name or date.

    A shown match whose stance is unclear was read again and something stood against it
    (``assistant.check.match_tiers``).
    """
    reasons = (
        ["one of the two denies it or says the opposite"]
        if match.stance is Stance.CONTRADICTS
        else []
    )
    reasons += [
        f"other {part}" for part, value in match.agreement.items() if value == Agreement.DIFFERENT
    ]
    if not reasons and match.tier and match.stance is Stance.UNCLEAR:
        reasons.append("may be another claim")
    return reasons


def found_against(match: Match) -> list[str]:
    """Return in words what keeps a match from *likely*.

    What ``features.language.conflicts`` found against it.
    """
    return [_AGAINST.get(name, (name, name))[0] for name in match.against]


def beside_rating(match: Match) -> str:
    """Return what a reader has to look at before taking the rating for the sentence's own.

    "" where nothing is known.

    ``may say the opposite``, or what was found against the match: ``compare: dates, names``.
    """
    if match.stance is Stance.CONTRADICTS:
        return "may say the opposite"
    words = [_AGAINST.get(name, (name, name))[1] for name in match.against]
    return f"compare: {', '.join(words)}" if words else ""


def cautions(match: Match, event: date | None) -> list[str]:
    """Return what a person should look at twice before using a match, and what may have changed since it was said."""
    reasons = doubts(match)
    if match.claim.rating_class == RatingClass.NOT_A_TRUTH_RATING:
        reasons.append("the rating is not about truth")
    if event and match.claim.review_date and match.claim.review_date >= event:
        reasons.append(f"checked {gap(event, match.claim.review_date)}")
    return reasons + ageing(match.claim, event)


def measured(value: float, digits: int = 2) -> str:
    """Return the value of a measure.

    ``0.75``, or ``not measured`` where a stored report is older than the measure.
    """
    return "not measured" if math.isnan(value) else f"{value:.{digits}f}"


def why(key: KeySentence) -> str:
    """Return what a key sentence is there for, each reason with its sign.

    ``❝ repeats the claim``.
    """
    return ", ".join(f"{WHY_SIGNS[each]} {each}" for each in key.whys) or key.why


def deciding(match: Match) -> KeySentence | None:
    """Return the key sentence to quote where there is room for one.

    The first that decides, else the first of all.
    """
    keys = match.key_sentences
    return next((key for key in keys if Why.DECIDES in key.whys), keys[0] if keys else None)


def proofs(match: Match) -> list[KeySentence]:
    """Return the key sentences to quote where there is room for two.

    What shows the same claim, and what decides it.
    """
    decides = deciding(match)
    first = [key for key in match.key_sentences[:1] if key != decides]
    return first + ([decides] if decides else [])


def contributions(match: Match) -> list[tuple[str, float]]:
    """Return the inputs that make up the score of a match with what each adds, the largest first."""
    return sorted(match.contributions.items(), key=lambda row: (-abs(row[1]), row[0]))


def contribution_meanings(match: Match) -> list[tuple[str, float]]:
    """Return ``contributions`` with the meaning of each input in place of its name."""
    return [(meaning(name), value) for name, value in contributions(match)]


def features(match: Match) -> list[tuple[str, str]]:
    """Return the meaning and the value of every feature of a match, in words."""
    return [
        (feature.meaning, measured(value))
        for feature, value in zip(MEASURES, match.measures, strict=True)
    ]


def signals(match: Match, most: int = 3) -> list[str]:
    """Return the largest contributions to the score of a match in words.

    ``SBERT cosine with the statement +0.75``.
    """
    return [f"{meaning(name)} {value:+.2f}" for name, value in beyond_start(match)[:most]]


def beyond_start(match: Match) -> list[tuple[str, float]]:
    """Return ``contributions`` without the start, which is the same for every match."""
    return [(name, value) for name, value in contributions(match) if name != BASE]


def settings(table: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the rows of a manifest's table in the order of their names, values as text."""
    return [(str(name).replace("_", " "), str(value)) for name, value in sorted(table)]
