"""Contents that all report forms share: listed passages with their matches, and facts.

A match is *confirmed* only if a person confirmed it. Everything else that nobody rejected is a
suggestion, and every form calls it unreviewed.
"""

from __future__ import annotations

import dataclasses
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from assistant.core.domain import CheckedSentence, Match, Report, VerifiedClaim
from assistant.passages.listing import is_confirmed, is_rejected, rearranged, wording_aside
from assistant.report import wording
from assistant.report.selection import selection_words
from assistant.report.view import (
    PassageGroup,
    PassageView,
    ReportView,
    SentenceMatch,
    is_mixed_only,
    shown_match,
)

MIXED = "Mixed ratings only"  # such as half true, which settle no sentence
CONFIRMED = "Confirmed"
SUGGESTED = "Suggestions, not reviewed"
REJECTED = "Rejected in review"
MAX_LISTED_RANGES = 20  # ranges of sentence numbers in a line
SPEAKER_UNKNOWN = "Speaker unknown"
# Characters that no format may contain: control characters, lone surrogates, and marks that change
# the text direction.
_UNPRINTABLE_PATTERN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
_CONTEXT_GAP = " … "  # between sentences of a passage that do not follow one another
MatchTest = Callable[[Match], bool]


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """A passage as report forms show it, with some of its matches.

    ``repeats`` are the passages that say it again, () if the fact-check that they share is not
    among these matches.
    """

    passage: PassageView
    matches: tuple[SentenceMatch, ...]
    repeats: tuple[PassageView, ...] = ()

    @property
    def best(self) -> CheckedSentence:
        """Return the sentence of the first of these matches."""
        return self.matches[0].checked

    @property
    def speaker(self) -> str:
        """Return who said it."""
        return self.best.sentence.speaker or SPEAKER_UNKNOWN

    @property
    def place(self) -> str:
        """Return when it was said, from its first to its last sentence."""
        return passage_time(self.passage.sentences)


class MixedSentence(NamedTuple):
    """A sentence with mixed ratings only, and its first fact-check in words."""

    number: int
    text: str
    fact_check: str


class PassagePiece(NamedTuple):
    """A sentence of a passage as it is printed: separator, text, whether it is emphasised."""

    separator: str
    text: str
    is_marked: bool


def json_for_pages(table: Mapping[str, Any]) -> bytes:
    """Return JSON as UTF-8 that cannot end the script of a web page in which it is."""
    text = json.dumps(table, ensure_ascii=False, indent=1)
    escaped = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return (escaped + "\n").encode()


def is_suggestion(match: Match) -> bool:
    """Return whether nobody has confirmed or rejected the match yet."""
    return not is_confirmed(match) and not is_rejected(match)


SECTIONS: tuple[tuple[str, MatchTest], ...] = (
    (CONFIRMED, is_confirmed),
    (SUGGESTED, is_suggestion),
    (REJECTED, is_rejected),
)


def unrejected_matches(checked_sentence: CheckedSentence) -> list[Match]:
    """Return the matches of a sentence that no person has rejected, confirmed ones first.

    A question or a form of address has none.
    """
    if wording_aside(checked_sentence):
        return []
    unrejected = [match for match in checked_sentence.matches if not is_rejected(match)]
    return sorted(unrejected, key=_confirmed_first)


def entries(view: ReportView, is_included: MatchTest) -> list[ReportEntry]:
    """Return the listed passages with wanted matches, best first, their confirmed matches first.

    A grouped passage follows its listed one if a person decided on another fact-check of it.
    """
    report_entries = []
    for group in view.groups:
        entry = _listed_entry(group, is_included)
        if entry is not None:
            report_entries.append(entry)
        report_entries += _entries_of_grouped(group, is_included)
    return report_entries


def _entries_of_grouped(group: PassageGroup, is_included: MatchTest) -> list[ReportEntry]:
    """Return the grouped passages with a decided fact-check that the listed passage doesn't have."""
    listed_claim_ids = {pair.match.claim.id for pair in group.listed.matches}
    grouped_entries = []
    for passage in group.grouped:
        decided_pairs = []
        for pair in passage.matches:
            is_listed = pair.match.claim.id in listed_claim_ids
            is_decided = not is_suggestion(pair.match)
            if is_decided and not is_listed and is_included(pair.match):
                decided_pairs.append(pair)
        if decided_pairs:
            grouped_entries.append(ReportEntry(passage, tuple(decided_pairs)))
    return grouped_entries


def _listed_entry(group: PassageGroup, is_included: MatchTest) -> ReportEntry | None:
    """Return the entry of a listed passage, None if it has no wanted match."""
    listed_passage = group.listed
    included_pairs = [pair for pair in listed_passage.matches if is_included(pair.match)]
    if not included_pairs or listed_passage.best is None:
        return None
    included_pairs.sort(key=lambda pair: _confirmed_first(pair.match))
    # Repeats are passages that say it again. They share the claim of the best match, and are left
    # out of an entry without this claim.
    best_match = listed_passage.best.matches[0]
    included_claim_ids = {pair.match.claim.id for pair in included_pairs}
    repeats = group.repeats if best_match.claim.id in included_claim_ids else ()
    return ReportEntry(listed_passage, tuple(included_pairs), repeats)


def _confirmed_first(match: Match) -> bool:
    """Return the sort key that puts confirmed matches first."""
    return not is_confirmed(match)


def passage_time(sentences: Sequence[CheckedSentence]) -> str:
    """Return when sentences were said, or their numbers if times are unknown."""
    return wording.time_or_numbers(*(checked_sentence.sentence for checked_sentence in sentences))


def passage_text(
    sentences: Sequence[CheckedSentence],
    best: CheckedSentence | None,
    plain: Callable[[str], str],
    mark: Callable[[str], str],
) -> str:
    """Return the text of a passage, escaped by ``plain``, its best sentence by ``mark``."""
    parts = []
    for piece in passage_pieces(sentences, best):
        escape = mark if piece.is_marked else plain
        parts.append(piece.separator + escape(piece.text))
    return "".join(parts)


def passage_pieces(
    sentences: Sequence[CheckedSentence], best: CheckedSentence | None
) -> Iterator[PassagePiece]:
    """Yield the sentences of a passage, its best one marked unless it is the only one.

    An interjection of another speaker is left out and replaced by an ellipsis.
    """
    previous_number = None
    for checked_sentence in sentences:
        number = checked_sentence.sentence.number
        if previous_number is None:
            separator = ""
        elif number == previous_number + 1:
            separator = " "
        else:
            separator = _CONTEXT_GAP
        is_emphasised = checked_sentence is best and len(sentences) > 1
        yield PassagePiece(separator, checked_sentence.sentence.text, is_emphasised)
        previous_number = number


def repeats_line(entry: ReportEntry) -> str:
    """Return where else it was said: ``Also said at 00:41:10 and 01:02:55``.

    Places are counted if there are many.
    """
    if not entry.repeats:
        return ""
    sentences = [passage.best.sentence for passage in entry.repeats if passage.best is not None]
    # A sentence without a time has "".
    times = [wording.clock(sentence.start) for sentence in sentences]
    if all(times):
        return f"Also said at {wording.enumerated(times, wording.REPORT_REPEATS)}"
    noun = "sentence" if len(sentences) == 1 else "sentences"
    numbers = [str(sentence.number) for sentence in sentences]
    return f"Also said in {noun} {wording.enumerated(numbers, wording.REPORT_REPEATS)}"


def context_line(entry: ReportEntry) -> str:
    """Return the context of a passage as a line: ``Before it: “And the bridge?”``."""
    context = entry.passage.context
    return f"Before it: “{context}”" if context else ""


def sentence_note(entry: ReportEntry, checked_sentence: CheckedSentence) -> str:
    """Return which sentence of the passage a match is for, "" if it is the best one."""
    return "" if checked_sentence is entry.best else f"On “{checked_sentence.sentence.text}”"


def mixed_sentences(view: ReportView) -> list[MixedSentence]:
    """Return the sentences below the list with mixed ratings only, in reading order.

    Each has its first fact-check in words: ``“…”: PolitiFact rated this claim Half True on 3 May
    2017``.
    """
    mixed_sentences = []
    for passage in view.mixed:
        for checked_sentence in passage.sentences:
            # A mixed rating, such as half true, settles nothing.
            matches = unrejected_matches(checked_sentence)
            if not is_mixed_only(checked_sentence) or not matches:
                continue
            claim = matches[0].claim
            fact_check = f"“{claim.statement}”: {wording.rating_sentence(claim)}"
            sentence = checked_sentence.sentence
            mixed_sentences.append(MixedSentence(sentence.number, sentence.text, fact_check))
    return mixed_sentences


def rating_label(claim: VerifiedClaim) -> str:
    """Return the publisher's rating with the sign of its class: ``■ Mostly False``."""
    sign = wording.RATING_SIGNS[claim.rating_class].mark
    return f"{sign} {claim.rating or 'no rating'}"


def unmatched_line(view: ReportView) -> str:
    """Return the number of check-worthy sentences without a match, and which they are if few."""
    total = wording.count(len(view.unmatched), "check-worthy sentence")
    ranges = number_ranges([checked.sentence.number for checked in view.unmatched])
    if len(ranges) > MAX_LISTED_RANGES:
        return f"{total} without a match"
    return f"{total} without a match: {', '.join(ranges)}"


def number_ranges(numbers: Iterable[int]) -> list[str]:
    """Return rising numbers in short: ``1–3`` and ``7`` for 1, 2, 3 and 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]


def opening(view: ReportView) -> str:
    """Return the line below the title: the date of the event and the counts."""
    day = wording.day(view.event_date, "date of the event not known")
    words = selection_words(view.report)
    if words:
        return f"{day} · {words}"
    return f"{day} · {wording.coverage(view)} · {wording.list_counts(view)}"


def review_status(match: Match) -> str:
    """Return the state of the review of a match.

    ``Confirmed by Ada, 11 Sep 2024, 09:30``, ``Suggestion, not reviewed``, ``Open again: Confirmed by
    Ada, 11 Sep 2024, 09:30 when it was rated False; rated Mostly True since 3 May 2025``.
    """
    if match.reopened is not None:
        reopened = match.reopened
        decision_words = wording.decision_text(reopened.decision)
        return f"Open again: {decision_words} when {reopened.was}; {reopened.since}"
    if match.decision is None:
        return "Suggestion, not reviewed"
    decision_words = wording.decision_text(match.decision)
    return f"Suggestion, not decided: {decision_words}" if is_suggestion(match) else decision_words


def has_comments(view: ReportView) -> bool:
    """Return whether the report was made for an export with the comments of colleagues."""
    return any(
        match.comments
        for checked_sentence in view.report.sentences
        for match in checked_sentence.matches
    )


def comment_lines(match: Match) -> list[str]:
    """Return the comments on a match in words: ``Comment by Ada, 11 Sep 2024, 09:30: Look.``."""
    return [f"Comment by {comment}" for comment in match.comments]


def reviewers(report: Report) -> list[str]:
    """Return the names of those who decided anything, in alphabetical order."""
    decisions = [
        match.decision
        for checked_sentence in report.sentences
        for match in checked_sentence.matches
    ]
    return sorted({decision.by for decision in decisions if decision and decision.by})


def review_counts(view: ReportView) -> dict[str, int]:
    """Return how many listed matches were confirmed, rejected, left for later and left undecided."""
    verdicts = [match.decision.verdict if match.decision else "" for match in view.matches]
    return {
        "confirmed": verdicts.count("confirm"),
        "rejected": verdicts.count("reject"),
        "later": verdicts.count("later"),
        "undecided": verdicts.count(""),
    }


def report_facts(view: ReportView) -> list[tuple[str, str]]:
    """Return names and values of the source, the manifest, the counts and the review."""
    source = view.report.transcript.source
    counts = view.counts
    selection_note = selection_words(view.report)
    if selection_note:
        manifest = view.report.manifest
        return [
            ("Statements", selection_note),
            ("File", source.name),
            ("Lectern", manifest.lectern),
            ("Newest fact-check", str(manifest.database.get("newest_review_date") or "not known")),
            ("Ranked by", str(manifest.settings.get("ranker", "not known"))),
            ("Reviewed by", ", ".join(reviewers(view.report)) or "nobody"),
        ]
    verdict_facts = [
        (name.capitalize(), f"{total:,}") for name, total in review_counts(view).items()
    ]
    return [
        ("Date of the event", wording.day(view.event_date, "not known")),
        ("File", source.name),
        ("Read as", source.format),
        ("SHA-256 of the file", source.sha256),
        *_manifest_facts(view),
        ("Sentences", f"{counts['sentences']:,}"),
        ("Check worthy", f"{counts['check_worthy']:,}"),
        ("Passages", wording.list_counts(view)),
        *_strength_facts(view),
        ("Matches", f"{len(view.matches):,}"),
        *verdict_facts,
        ("Reviewed by", ", ".join(reviewers(view.report)) or "nobody"),
    ]


def _strength_facts(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the number of listed passages of each strength, in the words of the screens."""
    for strength, total in wording.strength_counts(view.groups).items():
        yield strength.capitalize(), f"{total:,}"


def strength_word(checked_sentence: CheckedSentence) -> str:
    """Return the strength of the shown match as screens name it, its tier if it has none."""
    if not checked_sentence.matches:
        return ""
    match = shown_match(checked_sentence)
    return str(match.strength or match.tier or "")


def _manifest_facts(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield names and values of the version, the profile, the database, the models and settings."""
    manifest = view.report.manifest
    yield ("Lectern", manifest.lectern)
    yield ("Profile", manifest.profile)
    tables = (
        ("Database", manifest.database),
        ("Model", manifest.models),
        ("Setting", manifest.settings),
    )
    for label, table in tables:
        for name, value in wording.settings(table.items()):
            yield (f"{label}: {name}", value)


def dates(match: Match, event_date: date | None) -> str:
    """Return when the claim was said and checked, each with its distance to the event in words."""
    claim = match.claim
    claimant = wording.claimant_and_date(claim)
    claim_gap = wording.gap(event_date, claim.claim_date)  # such as "2 years before the event"
    review_day = wording.day(claim.review_date, "on an unknown day")
    review_gap = wording.gap(event_date, claim.review_date)
    # A text that is not known is left out.
    claimed_texts = [text for text in (claimant, claim_gap) if text]
    checked_texts = [text for text in (f"checked {review_day}", review_gap) if text]
    return f"{', '.join(claimed_texts)} · {', '.join(checked_texts)}"


def address(claim: VerifiedClaim) -> str:
    """Return the address of the article, "" unless it is a web address; no character ends a link."""
    url = "".join(claim.url.split())
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:  # half an IPv6 address, and the like
        return ""
    if scheme not in ("http", "https"):
        return ""
    return quote(url, safe=":/?#[]@!$&'*+,;=%~-._").replace("'", "%27")


def printable(report: Report) -> ReportView:
    """Return the view that report forms print: positions up to date, and every text legible."""
    return ReportView(legible(rearranged(report)))


def legible(report: Report) -> Report:
    """Return the report with U+FFFD for every character that some format cannot contain."""
    return _printable_value(report)


def _printable_fields(instance: Any) -> dict[str, Any]:
    """Return the fields of a dataclass whose texts had to be changed."""
    changed_fields = {}
    for field in dataclasses.fields(instance):
        field_value = getattr(instance, field.name)
        printable_field = _printable_value(field_value)
        if printable_field is not field_value:
            changed_fields[field.name] = printable_field
    return changed_fields


def _printable_value(value: Any) -> Any:
    """Return a value with U+FFFD in all its texts, at any depth, for characters of no format.

    A value without such characters is returned itself: most of a large report is.
    """
    # An enum is checked first, because its members may be texts.
    if value is None or isinstance(value, (Enum, int, float)):
        return value
    if isinstance(value, str):
        if value.isprintable() or not _UNPRINTABLE_PATTERN.search(value):
            return value
        return _UNPRINTABLE_PATTERN.sub("\ufffd", value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed_fields = _printable_fields(value)
        return dataclasses.replace(value, **changed_fields) if changed_fields else value
    if isinstance(value, Mapping):
        return {_printable_value(key): _printable_value(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        printable_items = tuple(_printable_value(item) for item in value)
        is_unchanged = isinstance(value, tuple) and all(map(operator.is_, printable_items, value))
        return value if is_unchanged else printable_items
    return value
