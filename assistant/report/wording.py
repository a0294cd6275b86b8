"""Phrases of report forms and screens: dates, ratings, decisions and counts in words.

Lectern quotes the publisher's words and gives no verdict: "PolitiFact rated this claim Mostly
False", never "this is false".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from enum import Enum
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import quote

from assistant.core import publisher_sites
from assistant.core.domain import (
    OWN_NOTE,
    Agreement,
    Decision,
    KeySentence,
    Match,
    RatingClass,
    Sentence,
    Stance,
    Strength,
    Tier,
    Transcript,
    VerifiedClaim,
    Why,
)
from assistant.report.ageing import ageing_of_match
from assistant.report.difference_notes import (
    difference_notes,
    lone_denial,
    quotable_differences,
)
from assistant.report.view import SETTLED_VERDICTS, PassageGroup, ReportView, shown_match
from features.language.agreement import marks
from features.similarity.catalogue import MEASURES
from features.similarity.input_catalogue import BASE_SCORE, meaning

# The strengths of matches, and the tier likely of reports without strengths, strongest first.
STRENGTH_WORDS = (Strength.STRONG, Tier.LIKELY, Strength.GOOD, Strength.POSSIBLE)
ASIDE_WORDS = "by a moderator, a question, a form of address or a caption"
# The publisher of the samples that ship with Lectern, and its name wherever a reader sees it.
NO_STATEMENT = "No statement matches a fact-check"
SAMPLE_PUBLISHER = "Lectern sample desk"
SHOWN_SAMPLE_PUBLISHER = "Sample desk (invented)"
NEWSROOM_NOTE = "newsroom note"  # what readers see for ``OWN_NOTE``


class Sign(NamedTuple):
    """A rating class as it is shown beside the publisher's words."""

    mark: str
    colour: str
    words: str


RATING_SIGNS: dict[RatingClass, Sign] = {
    RatingClass.TRUE: Sign("●", "true", "rated true"),
    RatingClass.FALSE: Sign("■", "false", "rated false"),
    RatingClass.MIXTURE: Sign("◆", "mixture", "rated partly true"),
    RatingClass.OTHER: Sign("○", "other", "another rating"),
    RatingClass.NOT_A_TRUTH_RATING: Sign("—", "other", "not a rating of truth"),
}
AGREEMENT_LABELS = {
    Agreement.SAME: "Same",
    Agreement.DIFFERENT: "Different",
    Agreement.MISSING: "Only in one text",
}
DOUBLE_MARKS = '"“”'
REASON_SIGNS = {Why.REPEATS: "❝", Why.NEAREST: "≈", Why.PATTERN: "※", Why.DECIDES: "⚖"}
# Number of repeats that a line names; if there are more, the others are counted.
MAX_LISTED_REPEATS = 3
REPORT_REPEATS = 20
DAYS_PER_WEEK = 7
DAYS_PER_MONTH = 30.44
DAYS_PER_YEAR = 365.25
NAMED_FILES = 3
NO_SENTENCES = "No sentence of its article can be quoted: none is stored, or it is not read yet"


class Restatement(Enum):
    """Whether a sentence makes the claim of a match, as a reader is told."""

    WHOLE = "Repeats the claim"
    WHOLE_OR_PART = "May repeat the claim or a part of it"
    DIFFERENT = "May repeat a part of the claim, with differences"
    OPPOSITE = "Says the opposite of the claim"
    UNCLEAR = "Unclear whether it repeats or contradicts the claim"


VERDICTS = {"confirm": "Confirmed", "reject": "Rejected", "later": "Later"}


class ConflictWords(NamedTuple):
    """A conflict in words: as a reason, and as a thing to compare.

    A conflict may belong to another part of the sentence, so a reader compares the two texts.
    """

    reason: str
    subject: str


_CONFLICT_WORDS = {
    "figures": ConflictWords("other figures", "figures"),
    "years": ConflictWords("another time", "dates"),
    "names": ConflictWords("other names", "names"),
    "direction": ConflictWords("one says the opposite of the other", "direction"),
    "denial": ConflictWords("one of the two denies it", "denial"),
    "supposition": ConflictWords("the sentence only supposes it", "said or supposed"),
    "scope": ConflictWords("one speaks of all, the other of some or nearly all", "all or some"),
    "wording": ConflictWords("the claim's own words, with more between or behind them", "wording"),
    "roles": ConflictWords("the two sides are exchanged", "who does it to whom"),
    "quotation": ConflictWords("the sentence quotes somebody", "who says it"),
    "plan": ConflictWords("one is a plan or prospect, the other a fact", "plan or fact"),
    "bounds": ConflictWords("at least in one, at most in the other", "at least or at most"),
    "units": ConflictWords("another unit or period", "units"),
    "ranks": ConflictWords("another rank", "rank"),
    "places": ConflictWords("another country", "country"),
    "groups": ConflictWords("a group that only one of the two names", "group"),
    "things": ConflictWords("something else of the same kind", "subject"),
    "cause": ConflictWords("a cause that only one of the two gives", "cause"),
    "speaker": ConflictWords("another person is meant", "who is meant"),
    "contradiction": ConflictWords("the text model reads a contradiction", "meaning"),
}
# The conflict that names other particulars of a kind
_CONFLICT_OF_KIND = {"numbers": "figures", "names": "names", "dates": "years"}
RATINGS_ARE_THE_PUBLISHERS = (
    "Ratings are the publishers' own words about the claims they checked. Lectern finds earlier fact-checks; "
    "it does not rate what was said here."
)


def count(value: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 sentence``, ``1,204 sentences``."""
    if value == 1:
        return f"{value:,} {noun}"
    return f"{value:,} {plural or noun + 's'}"


def day(value: date | None, unknown: str = "date unknown") -> str:
    """Return a date as a reader sees it: ``21 May 2018``."""
    if value is None:
        return unknown
    return f"{value.day} {value:%b} {value.year}"


def moment(value: str) -> str:
    """Return an ISO time as ``11 Sep 2024, 09:30``, unchanged if it is none."""
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return value
    return f"{day(time.date())}, {time:%H:%M}"


def month(value: date | None) -> str:
    """Return a date as ``May 2018``, "" if it is unknown."""
    return "" if value is None else f"{value:%b} {value.year}"


def clock(seconds: float | None) -> str:
    """Return a time as ``00:14:32``, "" if it is unknown."""
    if seconds is None:
        return ""
    whole_seconds = int(seconds)
    hours = whole_seconds // 3600
    minutes = whole_seconds // 60 % 60
    return f"{hours:02d}:{minutes:02d}:{whole_seconds % 60:02d}"


def recording_link(transcript: Transcript, seconds: float | None) -> str:
    """Return the link that plays the recording beside the report (W3C media fragment).

    "" if the transcript has no recording or the time is unknown.
    """
    if seconds is None or transcript.source.format != "sound":
        return ""
    return f"{quote(transcript.source.name)}#t={seconds:.2f}"


def time_range(sentences: Sequence[Sentence]) -> str:
    """Return the time range of consecutive sentences: ``00:14:28–00:14:41``, or ""."""
    start_text = clock(sentences[0].start)
    if len(sentences) == 1:
        return start_text
    final_sentence = sentences[-1]
    end_s = final_sentence.end
    if end_s is None:
        end_s = final_sentence.start
    end_text = clock(end_s)
    # An unknown time is "".
    if start_text and end_text and start_text != end_text:
        return f"{start_text}–{end_text}"
    return start_text or end_text


def time_or_numbers(*sentences: Sentence) -> str:
    """Return when sentences were said, or their numbers: ``00:21:14``, ``sentences 12–14``."""
    time = time_range(sentences)
    if time:
        return time
    first_number = sentences[0].number
    last_number = sentences[-1].number
    if first_number == last_number:
        return f"sentence {first_number:,}"
    return f"sentences {first_number:,}–{last_number:,}"


def also_at(times: Sequence[str]) -> str:
    """Return where else something was said: ``also at 00:21:14 and 00:21:40``, "" for nowhere."""
    return f"also at {enumerated(times, MAX_LISTED_REPEATS)}" if times else ""


def enumerated(names: Sequence[str], limit: int) -> str:
    """Return names as in a sentence: ``a, b and c``, above the limit ``a and 4 more``."""
    items = list(names)
    if len(names) > limit:
        # "and 4 more" is the last of the limited number of items.
        named_items = names[: limit - 1]
        further_count = len(names) - len(named_items)
        items = [*named_items, f"{further_count:,} more"]
    if len(items) == 1:
        return items[0]
    *earlier_items, last_item = items
    return f"{', '.join(earlier_items)} and {last_item}"


def duration(days: int) -> str:
    """Return a number of days as a person would say it: 5 days, 14 months, about 6 years.

    Years are exact within a month.
    """
    if days < 14:
        return count(days, "day")
    if days < 60:
        return count(round(days / DAYS_PER_WEEK), "week")
    if days < 730:
        return count(round(days / DAYS_PER_MONTH), "month")
    years = round(days / DAYS_PER_YEAR)
    is_exact = abs(days - years * DAYS_PER_YEAR) < DAYS_PER_MONTH
    words = count(years, "year")
    return words if is_exact else f"about {words}"


def gap(
    event_date: date | None, compared_date: date | None, *, occasion: str = "this debate"
) -> str:
    """Return how far a date is from the event: ``about 6 years before this debate``, or ""."""
    if event_date is None or compared_date is None:
        return ""
    days = (event_date - compared_date).days
    if days == 0:
        return f"on the day of {occasion}"
    direction = "before" if days > 0 else "after"
    return f"{duration(abs(days))} {direction} {occasion}"


def rating_sentence(claim: VerifiedClaim) -> str:
    """Return the publisher's rating as a sentence.

    ``PolitiFact rated this claim Mostly False on 21 May 2018``. A newsroom note, which nobody
    checked, is labelled as one.
    """
    if claim.publisher == OWN_NOTE:
        return f"A {NEWSROOM_NOTE}, not a fact-check"
    publisher_name = publisher(claim) or "An unnamed publisher"
    if claim.review_date is None:
        day_text = ", date unknown"
    else:
        day_text = f" on {day(claim.review_date)}"
    if not claim.rating:
        return f"{publisher_name} checked this claim and gave no rating{day_text}"
    return f"{publisher_name} rated this claim {claim.rating}{day_text}"


def citation(claim: VerifiedClaim, address: str) -> str:
    """Return a fact-check as a reporter cites it: rating, claim, speaker and address."""
    text = f"{rating_sentence(claim)}: {quoted(claim.statement)} ({claimant_and_date(claim)})."
    return f"{text} {address}" if address else text


def publisher(claim: VerifiedClaim) -> str:
    """Return the publisher, with the site if it has the name of another site's publisher."""
    if is_on_foreign_site(claim):
        return f"{claim.publisher} ({publisher_sites.shown_host(claim.url)})"
    return shown_publisher(claim.publisher)


def shown_publisher(stored_name: str) -> str:
    """Return the name of a publisher as readers see it: notes and samples have an older label."""
    if stored_name == OWN_NOTE:
        return NEWSROOM_NOTE
    return SHOWN_SAMPLE_PUBLISHER if stored_name == SAMPLE_PUBLISHER else stored_name


def is_on_foreign_site(claim: VerifiedClaim) -> bool:
    """Return whether a fact-check has the name of a known publisher and another's address."""
    if not publisher_sites.is_listed(claim.publisher):
        return False
    return not publisher_sites.belong_together(claim.publisher, claim.url)


def unproven_site(claim: VerifiedClaim) -> str:
    """Return the host of a fact-check whose publisher isn't known to own it, else "".

    Anybody may write a publisher's name into a page, so readers see the site beside it.
    """
    if not claim.publisher or publisher_sites.belong_together(claim.publisher, claim.url):
        return ""
    return publisher_sites.shown_host(claim.url)


def claimant_and_date(claim: VerifiedClaim) -> str:
    """Return who said the claim and when: ``Donald Trump, said 15 May 2018``."""
    claimant = claim.claimant or "Claimant not named"
    if claim.claim_date is None:
        return f"{claimant}, date of the claim unknown"
    return f"{claimant}, said {day(claim.claim_date)}"


def strength_counts(groups: Iterable[PassageGroup]) -> dict[str, int]:
    """Count the listed passages by the strength of the match that their rows show, strongest first.

    Passages without a match that is left after the review are not counted. Reports without
    strengths have the tier in its place.
    """
    # In the order of the words, strongest first.
    counts = {str(word): 0 for word in STRENGTH_WORDS}
    for group in groups:
        best_sentence = group.listed.best
        if best_sentence is not None and best_sentence.matches and not group.is_rejected:
            match = shown_match(best_sentence)
            strength = match.strength or match.tier or Strength.POSSIBLE
            counts[str(strength)] += 1
    return {word: total for word, total in counts.items() if total > 0}


def coverage(view: ReportView) -> str:
    """Return the number of listed passages by strength, of rejected ones, and of all sentences."""
    counts = strength_counts(view.groups)
    statement_count = sum(counts.values())
    statements = count(statement_count, "statement")
    text = f"{statements} may already be fact-checked" if statement_count else NO_STATEMENT
    counts_by_strength = [f"{number:,} {word}" for word, number in counts.items()]
    rejected_count = sum(group.is_rejected for group in view.groups)
    if rejected_count:
        counts_by_strength.append(f"{rejected_count:,} rejected")
    if counts_by_strength:
        text = f"{text}: {' · '.join(counts_by_strength)}"
    sentences = count(view.counts["sentences"], "sentence")
    return f"{text} (of {sentences})"


def half_true_switch(row_count: int, *, is_skipped: bool) -> str:
    """Say whether rows with mixed ratings only are listed, and how many there are."""
    state = "skipped as in the paper" if is_skipped else "listed"
    return f"Half True: {state} ({row_count:,})"


def below_list(related: int, mixed: int, aside: int = 0) -> str:
    """Count the passages below the list: related ones, skipped ratings, and no statements."""
    words_by_kind = {
        "related": "about a checked topic but too far from the claim",
        "mixed": "with a mixed rating only, such as half true",
        "aside": ASIDE_WORDS,
    }
    count_by_kind = {"related": related, "mixed": mixed, "aside": aside}
    present_kinds = [kind for kind, number in count_by_kind.items() if number > 0]
    total = count(related + mixed + aside, "more passage")
    if len(present_kinds) == 1:
        only_kind = present_kinds[0]
        return f"{total} {words_by_kind[only_kind]}"
    details = [f"{count_by_kind[kind]:,} {words_by_kind[kind]}" for kind in present_kinds]
    return f"{total}: {', '.join(details)}"


def list_counts(view: ReportView) -> str:
    """Count the passages that are listed, grouped below others, and left out of the list."""
    repeat_count = sum(len(group.repeats) for group in view.groups)
    phrases = [f"{count(len(view.groups), 'passage')} in the list"]
    if repeat_count:
        phrases.append(f"{repeat_count:,} more folded below")
    if view.related:
        phrases.append(f"{len(view.related):,} about a checked topic but too far from the claim")
    if view.mixed:
        phrases.append(f"{len(view.mixed):,} with a mixed rating only")
    if view.aside:
        phrases.append(f"{len(view.aside):,} {ASIDE_WORDS}")
    return ", ".join(phrases)


def nothing_found(view: ReportView) -> str:
    """Say that no sentence has a match."""
    check_worthy_count = view.counts["check_worthy"]
    claim_count = int(view.report.manifest.database.get("claims", 0))
    return (
        f"No fact-check in the database covers this debate. {count(check_worthy_count, 'check-worthy sentence')}, "
        f"none close enough to any of {count(claim_count, 'fact-check')}."
    )


def unreadable(files: Sequence[str]) -> str:
    """Return the line about stored reports that cannot be read, with the names of their files."""
    names = ", ".join(files[:NAMED_FILES])
    if len(files) > NAMED_FILES:
        names += " and others"
    total = count(len(files), "stored report")
    return f"{total} cannot be read: {names}. Check these transcripts again."


def database(fact_checks: int, publishers: int, newest: date | None, notes: int = 0) -> str:
    """Return size and age: ``93,214 fact-checks by 61 publishers, newest 18 Nov 2026``.

    Newsroom notes are counted apart: ``and 2 notes of your own``.
    """
    size = "No fact-checks in the database yet"
    if fact_checks:
        size = f"{count(fact_checks, 'fact-check')} by {count(publishers, 'publisher')}"
        size += f", newest {day(newest)}"
    if not notes:
        return size
    return f"{size}, and {count(notes, 'note of your own', 'notes of your own')}"


def old_database(newest_review: date | None, event_date: date | None) -> str:
    """Return the warning that the database ends before the event, "" if it does not."""
    if newest_review is None or event_date is None or newest_review >= event_date:
        return ""
    days = (event_date - newest_review).days
    return (
        f"Your newest fact-check is from {day(newest_review)}, {count(days, 'day')} before this debate. "
        "Later claims cannot be found."
    )


def review_state(view: ReportView) -> str:
    """Say how many statements a person has decided on, or who reviewed all of them."""
    total = len(view.statements)
    undecided_count = len(view.undecided)
    if total == 0:
        return "No matches to review"
    decisions = [match.decision for match in view.matches if match.decision is not None]
    if all(decision.verdict not in SETTLED_VERDICTS for decision in decisions):
        match_words = "this match" if len(view.matches) == 1 else "these matches"
        return f"Not reviewed: nobody has confirmed or rejected {match_words} yet"
    if undecided_count:
        statements = count(total, "statement")
        # Statements left for later are counted apart, as in the filters.
        verdicts = [group.verdict for group in view.undecided]
        later_count = verdicts.count("later")
        if later_count == undecided_count:
            return f"Not fully reviewed: {later_count:,} of {statements} left for later"
        state = f"Not fully reviewed: {undecided_count - later_count:,} of {statements} undecided"
        return f"{state}, {later_count:,} left for later" if later_count else state
    reviewers = sorted({decision.by for decision in decisions if decision.by})
    names = ", ".join(reviewers) or "an unnamed person"
    if total == 1:
        return f"The only statement was reviewed by {names}"
    return f"All {total:,} statements were reviewed by {names}"


def decision_text(decision: Decision | None) -> str:
    """Return a person's decision with name, time and reason; ``not reviewed`` without one."""
    if decision is None:
        return "not reviewed"
    text = VERDICTS.get(decision.verdict, decision.verdict)
    if decision.by:
        text += f" by {decision.by}"
    if decision.at:
        text += f", {moment(decision.at)}"
    explanations = [words for words in (decision.reason, decision.note) if words]
    if explanations:
        text += f": {'. '.join(explanations)}"
    return text


def shown_agreement(match: Match) -> dict[str, Agreement]:
    """Return how numbers, names and dates agree, as a reader is told.

    A kind of which a note names a difference is different, even if another number is the same or
    both are close: "16 percent" beside "15 percent".
    """
    named_conflicts = {difference.conflict for difference in quotable_differences(match)}
    shown_values = {}
    for kind, value in match.agreement.items():
        is_named = _CONFLICT_OF_KIND.get(kind) in named_conflicts
        shown_values[kind] = Agreement.DIFFERENT if is_named else value
    return shown_values


def agreement(match: Match, sentence: str) -> str:
    """Return how numbers, names and dates agree: ``Same: numbers. Only in one text: dates.``

    A kind that neither the sentence nor the claim has is left out.
    """
    value_by_kind = shown_agreement(match)
    marks_of_both = chain(*marks(sentence, match.claim.statement))
    present_kinds = {mark.kind for mark in marks_of_both}
    phrases = []
    for agreement_value, label in AGREEMENT_LABELS.items():
        particular_kinds = []
        for kind, value in value_by_kind.items():
            is_in_no_text = value is Agreement.MISSING and kind not in present_kinds
            if value is agreement_value and not is_in_no_text:
                particular_kinds.append(kind)
        if particular_kinds:
            phrases.append(f"{label}: {', '.join(particular_kinds)}.")
    return " ".join(phrases)


def doubts(match: Match) -> list[str]:
    """Return the signs that a match is another claim: a denial, another figure or date.

    A shown match whose stance is unclear was reranked and had a conflict
    (``assistant.check.match_tiers``).
    """
    # Notes such as "They checked 12 percent; 15 percent was said"
    reasons = difference_notes(match)
    if not reasons and match.stance is Stance.CONTRADICTS:
        reasons.append("one of the two denies it or says the opposite")
    # Without differences in words, the agreement only says "numbers", "names" or "dates".
    for particular_kind, agreement_value in match.agreement.items():
        if agreement_value == Agreement.DIFFERENT and not match.differences:
            reasons.append(f"other {particular_kind}")
    if not reasons and match.tier and match.stance is Stance.UNCLEAR:
        reasons.append("may be another claim")
    return reasons


def differences_of_texts(match: Match, sentence: str) -> list[str]:
    """Return in words how a sentence and the claim of its match differ, none if nothing was found.

    These are the doubts, else a denial that only one of the two has.
    """
    reasons = doubts(match)
    if not reasons and match.differences:
        reasons.append("may be another claim")
    if not reasons:
        for kind, value in shown_agreement(match).items():
            if value == Agreement.DIFFERENT:
                reasons.append(f"other {kind}")
    denial = lone_denial(match, sentence)
    if not reasons and denial:
        reasons.append(denial)
    return reasons


def restatement(match: Match) -> Restatement:
    """Return whether a sentence makes the claim of a match.

    A stance says only that no conflict was found: a weak match may still be about something else,
    and one with a difference in words doesn't repeat the whole claim.
    """
    if match.stance is Stance.CONTRADICTS:
        return Restatement.OPPOSITE
    if match.stance is Stance.UNCLEAR:
        return Restatement.UNCLEAR
    if doubts(match):
        return Restatement.DIFFERENT
    return Restatement.WHOLE if match.is_strong else Restatement.WHOLE_OR_PART


def conflict_reasons(match: Match) -> list[str]:
    """Return the conflicts that keep a match from *likely*, in words."""
    return [_conflict_words(name).reason for name in match.against]


def comparison_note(match: Match) -> str:
    """Return the things to compare before applying the rating to the sentence, or "".

    ``may say the opposite``, or the conflicts of the match: ``compare: dates, names``.
    """
    if match.stance is Stance.CONTRADICTS:
        return "may say the opposite"
    subjects = [_conflict_words(name).subject for name in match.against]
    return f"compare: {', '.join(subjects)}" if subjects else ""


def _conflict_words(name: str) -> ConflictWords:
    """Return a conflict in words, its name if this version does not know it."""
    return _CONFLICT_WORDS.get(name, ConflictWords(name, name))


def cautions(match: Match, event_date: date | None) -> list[str]:
    """Return the cautions for a match: doubts, unusual ratings and dates, and its ageing."""
    claim = match.claim
    reasons = [match.revised] if match.revised else []
    reasons += doubts(match)
    copies = copies_note(match)
    if copies:
        reasons.append(copies)
    if claim.rating_class == RatingClass.NOT_A_TRUTH_RATING:
        reasons.append("the rating is not about truth")
    if event_date and claim.review_date and claim.review_date >= event_date:
        reasons.append(f"checked {gap(event_date, claim.review_date)}")
    return reasons + ageing_of_match(match, event_date)


def caution_line(match: Match, event_date: date | None) -> str:
    """Return the cautions for a match in one line, "" if there are none.

    A caution may have commas and semicolons of its own, so other signs part them.
    """
    reasons = cautions(match, event_date)
    return f"Caution: {' · '.join(reasons)}" if reasons else ""


def quoted(text: str) -> str:
    """Return a text in quotation marks; a quotation within it gets single ones.

    Marks around the whole text are left out, and so is one at an end without its partner.
    """
    marks = [position for position, sign in enumerate(text) if sign in DOUBLE_MARKS]
    last = len(text) - 1
    if marks in ([0, last], [0], [last]):
        return f"“{text.strip(DOUBLE_MARKS)}”"
    if len(marks) % 2:  # such as an inch mark: the pairs are not known
        return f"“{text}”"
    signs = list(text)
    for opening, closing in zip(marks[::2], marks[1::2], strict=True):
        signs[opening] = "‘"
        signs[closing] = "’"
    return f"“{''.join(signs)}”"


def copies_note(match: Match) -> str:
    """Return the words for strangers' copies of a match's fact-check, "" if there are none."""
    if not match.other_addresses:
        return ""
    addresses = "address" if match.other_addresses == 1 else "addresses"
    return f"the same text stands at {match.other_addresses:,} other {addresses}"


def feature_value(value: float, digits: int = 2) -> str:
    """Return the value of a feature: ``0.75``, or ``not measured`` in an older report."""
    if math.isnan(value):
        return "not measured"
    return f"{value:.{digits}f}"


def key_sentence_reasons(key: KeySentence) -> str:
    """Return the reasons for a key sentence, each with its sign: ``❝ repeats the claim``."""
    reasons = ", ".join(f"{REASON_SIGNS[reason]} {reason}" for reason in key.whys)
    return reasons or key.why


def deciding_key_sentence(match: Match) -> KeySentence | None:
    """Return the key sentence to quote alone: the first that decides, else the first."""
    for key in match.key_sentences:
        if Why.DECIDES in key.whys:
            return key
    return match.key_sentences[0] if match.key_sentences else None


def quoted_key_sentences(match: Match) -> list[KeySentence]:
    """Return the two key sentences to quote: the first, and the deciding one."""
    deciding_sentence = deciding_key_sentence(match)
    if deciding_sentence is None:
        return []
    first_sentence = match.key_sentences[0]
    if first_sentence == deciding_sentence:
        return [deciding_sentence]
    return [first_sentence, deciding_sentence]


def contributions(match: Match) -> list[tuple[str, float]]:
    """Return the contributions to the score by the names of their inputs, largest first.

    The intercept comes last, as it says nothing about the match.
    """

    def largest_first(contribution: tuple[str, float]) -> tuple[bool, float, str]:
        name, value = contribution
        return (name == BASE_SCORE, -abs(value), name)

    return sorted(match.contributions.items(), key=largest_first)


def contribution_meanings(match: Match) -> list[tuple[str, float]]:
    """Return ``contributions`` with the meaning of each input in place of its name."""
    return [(meaning(name), value) for name, value in contributions(match)]


def features(match: Match) -> list[tuple[str, str]]:
    """Return the meaning and the value of every feature of a match, in words."""
    return [
        (feature.meaning, feature_value(value))
        for feature, value in zip(MEASURES, match.measures, strict=True)
    ]


def signals(match: Match, limit: int = 3) -> list[str]:
    """Return the largest contributions in words: ``SBERT cosine with the statement +0.75``."""
    largest = contributions_without_base(match)[:limit]
    return [f"{meaning(name)} {value:+.2f}" for name, value in largest]


def contributions_without_base(match: Match) -> list[tuple[str, float]]:
    """Return ``contributions`` without the intercept, which is the same for every match."""
    return [(name, value) for name, value in contributions(match) if name != BASE_SCORE]


def settings(table: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the entries of a manifest's table in the order of their names, values as text."""
    entries = []
    for name, value in sorted(table):
        spaced_name = str(name).replace("_", " ")
        entries.append((spaced_name, str(value)))
    return entries
