"""How the app says things: numbers, dates, gaps and sentences about ratings. Values in, words out."""

from __future__ import annotations

from datetime import date

from assistant.domain import RatingClass, Report, Stance, VerifiedClaim
from assistant.ui.theme import SIGNS

STANCES = {
    Stance.REPEATS: "Repeats the claim",
    Stance.CONTRADICTS: "Says the opposite of the claim",
    Stance.UNCLEAR: "Unclear whether it repeats or contradicts the claim",
}


def number(value: int) -> str:
    """Return 1204 as 1,204."""
    return f"{value:,}"


def count(value: int, noun: str, plural: str = "") -> str:
    """Return ``1 sentence``, ``1,204 sentences``."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def day(value: date | None, unknown: str = "date unknown") -> str:
    """Return 21 May 2018."""
    return f"{value.day} {value:%b} {value.year}" if value else unknown


def clock(seconds: float | None) -> str:
    """Return 00:14:32, or nothing for an unknown time."""
    if seconds is None:
        return ""
    whole = int(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def length(days: int) -> str:
    """Return a number of days as a person would say it: 5 days, 3 weeks, 14 months, 6 years."""
    if days < 14:
        return count(days, "day")
    if days < 60:
        return count(round(days / 7), "week")
    if days < 730:
        return count(round(days / 30.44), "month")
    return count(int(days / 365.25 + 0.04), "year")  # 0.04: a fortnight short of an anniversary counts as it


def gap(event: date | None, other: date | None, *, occasion: str = "this debate") -> str:
    """Return how far a date lies from the event: ``6 years before this debate``; nothing if either is unknown."""
    if event is None or other is None:
        return ""
    days = (event - other).days
    if days == 0:
        return f"on the day of {occasion}"
    return f"{length(abs(days))} {'before' if days > 0 else 'after'} {occasion}"


def rated(vclaim: VerifiedClaim) -> str:
    """Return what the publisher did, in its own words: ``PolitiFact rated this claim Mostly False on 21 May 2018``."""
    who = vclaim.publisher or "An unnamed publisher"
    when = f" on {day(vclaim.review_date)}" if vclaim.review_date else ", date unknown"
    if not vclaim.rating:
        return f"{who} checked this claim and gave no rating{when}"
    return f"{who} rated this claim {vclaim.rating}{when}"


def said(vclaim: VerifiedClaim) -> str:
    """Return who said the claim and when: ``Donald Trump, said 15 May 2018``."""
    who = vclaim.claimant or "Claimant not named"
    return f"{who}, said {day(vclaim.claim_date)}" if vclaim.claim_date else f"{who}, date of the claim unknown"


def rating_class(name: str) -> str:
    """Return a rating class in words, for lists to choose from."""
    return SIGNS[RatingClass(name)].words


def time_left(seconds: float | None) -> str:
    """Return a rest of time in words, rounded so that it does not jump about."""
    if seconds is None:
        return "time left not known yet"
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} seconds left"
    return f"about {count(round(seconds / 60), 'minute')} left"


def coverage(report: Report) -> str:
    """Return the counts of a report as one line, from all sentences to the ones with a likely match."""
    c = report.counts()
    return (
        f"{count(c['sentences'], 'sentence')} → {number(c['check_worthy'])} check-worthy → "
        f"{number(c['likely'])} likely · {number(c['possible'])} possible"
    )


def database(claims: int, publishers: int, newest: date | None) -> str:
    """Return the size and age of the database: ``93,214 fact-checks by 61 publishers, newest 18 Nov 2026``."""
    if not claims:
        return "No fact-checks in the database yet"
    return f"{count(claims, 'fact-check')} by {count(publishers, 'publisher')}, newest {day(newest)}"


def old_database(newest: date | None, event: date | None) -> str:
    """Return the warning that the database ends before the event; nothing if it does not, or a date is unknown."""
    if newest is None or event is None or newest >= event:
        return ""
    days = (event - newest).days
    return (
        f"Your newest fact-check is from {day(newest)}, {count(days, 'day')} before this debate. "
        "Later claims cannot be found."
    )


def nothing_found(report: Report) -> str:
    """Return what to say when no sentence has a match."""
    c, claims = report.counts(), int(report.manifest.database.get("claims", 0))
    return (
        f"Nothing in the database settles this debate. {count(c['check_worthy'], 'check-worthy sentence')}, "
        f"none close enough to any of {count(claims, 'fact-check')}."
    )


def read_as(source_format: str, sentences: int, speakers: int, seconds: float | None) -> str:
    """Return what was read from a file: ``WebVTT, 1,204 sentences, 5 speakers, 96 min``."""
    parts = [source_format, count(sentences, "sentence")]
    parts.append(count(speakers, "speaker") if speakers else "no speakers named")
    if seconds:
        parts.append("under a minute" if seconds < 60 else f"{number(round(seconds / 60))} min")
    return ", ".join(parts)
