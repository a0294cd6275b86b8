"""The contents that all formats share.

Head, confirmed matches, suggestions, and sentences without a match.

A match is *confirmed* only if a person confirmed it. Everything else that nobody rejected is a
suggestion and is called unreviewed wherever it stands.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from assistant.core.domain import CheckedPassage, CheckedSentence, Match, Report, VerifiedClaim
from assistant.passages import listing
from assistant.passages.listing import again, claims, groups, said
from assistant.report import wording

MIXED = "Mixed ratings only"  # such as half true, which settle no sentence
CONFIRMED = "Confirmed"
SUGGESTED = "Suggestions, not reviewed"
REJECTED = "Rejected in review"
# Characters that no format may contain: control characters, lone surrogates, and marks that change
# the text direction.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)


class Also(NamedTuple):
    """A passage folded below a row.

    Its sentences, the best of them, and its own match with the row's fact-check.
    """

    said: tuple[CheckedSentence, ...]
    best: CheckedSentence
    match: Match


class Found(NamedTuple):
    """A row of the list with some of its matches, each beside its sentence.

    ``said`` are the sentences of the passage, ``best`` the one of the first of these matches. ``also`` are the passages
    that the same fact-check settles, () where that is not among these matches.
    """

    row: CheckedPassage
    said: tuple[CheckedSentence, ...]
    best: CheckedSentence
    pairs: tuple[tuple[CheckedSentence, Match], ...]
    also: tuple[Also, ...] = ()

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return the matches without their sentences."""
        return tuple(match for _, match in self.pairs)

    @property
    def speaker(self) -> str:
        """Return who said it."""
        return self.best.sentence.speaker or "Speaker unknown"

    @property
    def place(self) -> str:
        """Return when it was said, from its first to its last sentence."""
        return place(self.said)


def json_for_pages(table: Mapping[str, Any]) -> bytes:
    """Return JSON as UTF-8 that may stand in the script of a web page.

    No text in it can end that script.
    """
    written = json.dumps(table, ensure_ascii=False, indent=1)
    return (written.replace("<", "\\u003c").replace(">", "\\u003e") + "\n").encode()


def is_confirmed(match: Match) -> bool:
    """Return whether a person confirmed the match."""
    return match.decision is not None and match.decision.verdict == "confirm"


def is_rejected(match: Match) -> bool:
    """Return whether a person rejected the match."""
    return match.decision is not None and match.decision.verdict == "reject"


def is_suggestion(match: Match) -> bool:
    """Return whether nobody has settled the match yet."""
    return not is_confirmed(match) and not is_rejected(match)


def standing(checked: CheckedSentence) -> list[Match]:
    """Return the matches of a sentence that no person has rejected, confirmed ones first."""
    kept = [match for match in checked.matches if not is_rejected(match)]
    return sorted(kept, key=lambda match: not is_confirmed(match))


def found(report: Report, which: Callable[[Match], bool]) -> list[Found]:
    """Return the rows of the list that have such matches, best first, each with these matches, confirmed ones first.

    What a person decided on another fact-check of a folded passage follows its row.
    """
    sentences = said(report)
    made = []
    for row, *below in groups(report):
        own = sentences[row.passage.number]
        every = claims(row, own)
        settling = _best(row, own).matches[0].claim.id
        shown = sorted(
            (pair for pair in every if which(pair[1])), key=lambda pair: not is_confirmed(pair[1])
        )
        if shown:
            shared = any(match.claim.id == settling for _, match in shown)
            others = again((row, *below), sentences) if shared else ()
            also = tuple(_also(p, sentences[p.passage.number], settling) for p in others)
            made.append(Found(row, own, shown[0][0], tuple(shown), also))
        listed = {match.claim.id for _, match in every}
        for other in below:
            own = sentences[other.passage.number]
            apart = [
                pair
                for pair in claims(other, own)
                if which(pair[1]) and pair[1].claim.id not in listed
            ]
            decided = tuple(pair for pair in apart if not is_suggestion(pair[1]))
            made += [Found(other, own, decided[0][0], decided)] if decided else []
    return made


def _also(passage: CheckedPassage, sentences: tuple[CheckedSentence, ...], claim_id: str) -> Also:
    best = _best(passage, sentences)
    return Also(
        sentences, best, next(match for match in best.matches if match.claim.id == claim_id)
    )


def _best(passage: CheckedPassage, sentences: Sequence[CheckedSentence]) -> CheckedSentence:
    return next(checked for checked in sentences if checked.sentence.number == passage.best)


def place(sentences: Sequence[CheckedSentence]) -> str:
    """Return when sentences were said, without times which ones they are."""
    return wording.place(*(checked.sentence for checked in sentences))


def quoted(
    sentences: Sequence[CheckedSentence],
    best: CheckedSentence,
    plain: Callable[[str], str],
    mark: Callable[[str], str],
) -> str:
    """Return the words of a passage made safe by ``plain``, those of the sentence that matches best by ``mark``."""
    return "".join(
        before + (mark if marked else plain)(text)
        for before, text, marked in pieces(sentences, best)
    )


def pieces(
    sentences: Sequence[CheckedSentence], best: CheckedSentence
) -> Iterator[tuple[str, str, bool]]:
    """Yield what stands before each sentence of a passage, its words, and whether it is to be marked as the best.

    A sentence alone needs no mark; what somebody else put in between is left out with a sign.
    """
    for at, checked in enumerate(sentences):
        follows = at and checked.sentence.number == sentences[at - 1].sentence.number + 1
        yield (
            " " if follows else " … " if at else "",
            checked.sentence.text,
            checked is best and len(sentences) > 1,
        )


def also_said(row: Found) -> str:
    """Return where else it was said: ``Also said at 00:41:10 and 01:02:55``.

    Many places are counted.
    """
    if not row.also:
        return ""
    times = [wording.clock(other.best.sentence.start) for other in row.also]
    if all(times):
        lead = "at"
        places = times
    else:
        lead = "in sentence" if len(times) == 1 else "in sentences"
        places = [str(other.best.sentence.number) for other in row.also]
    return f"Also said {lead} {wording.enumerated(places, wording.PLACES)}"


def points_back(row: Found) -> str:
    """Return what the passage points back to, in the words of the transcript: ``Before it.

    “And the bridge?”``.
    """
    return f"Before it: “{row.row.passage.context}”" if row.row.passage.context else ""


def other_sentence(row: Found, checked: CheckedSentence) -> str:
    """Return for which sentence of the passage a match is, where it is not the best one."""
    return "" if checked is row.best else f"On “{checked.sentence.text}”"


def unmatched(report: Report) -> list[CheckedSentence]:
    """Return the check-worthy sentences for whose passage nothing was found, in reading order."""
    matched = {
        number for p in report.passages if p.best is not None for number in p.passage.sentences
    }
    return [
        c for c in report.sentences if c.kept and not c.matches and c.sentence.number not in matched
    ]


def mixed(report: Report) -> list[tuple[int, str, str]]:
    """Return the sentences below the list that match only fact-checks with a mixed rating, in reading order.

    Each with its number and what its first fact-check is: ``“…”: PolitiFact rated this claim Half
    True on 3 May 2017``.
    """
    of_passage = said(report)
    found = [
        c
        for p in listing.mixed(report)
        for c in of_passage[p.passage.number]
        if listing.mixed_only(c)
    ]
    rows = [(checked, standing(checked)) for checked in found]
    return [
        (
            c.sentence.number,
            c.sentence.text,
            f"“{left[0].claim.statement}”: {wording.rated(left[0].claim)}",
        )
        for c, left in rows
        if left
    ]


SECTIONS = ((CONFIRMED, is_confirmed), (SUGGESTED, is_suggestion), (REJECTED, is_rejected))


def opening(report: Report) -> str:
    """Return the line below the title: the date of the event and the counts."""
    day = wording.day(report.transcript.event_date, "date of the event not known")
    return f"{day} · {wording.coverage(report)} · {wording.in_list(report)}"


def title(report: Report) -> str:
    """Return the title of the transcript, else the name of its file."""
    return report.transcript.title or report.transcript.source.name


def status(match: Match) -> str:
    """Return how far a match can be used.

    ``Confirmed by Ada, 2024-09-11 09:30``, ``Suggestion, not reviewed``.
    """
    if match.decision is None:
        return "Suggestion, not reviewed"
    decision = wording.decided(match.decision)
    return f"Suggestion, not settled: {decision}" if is_suggestion(match) else decision


def reviewers(report: Report) -> list[str]:
    """Return the names of those who decided anything, in alphabetical order."""
    decisions = (match.decision for checked in report.sentences for match in checked.matches)
    return sorted({decision.by for decision in decisions if decision and decision.by})


def review_counts(report: Report) -> dict[str, int]:
    """Return how many matches were confirmed, rejected, put off and left undecided."""
    verdicts = [
        match.decision.verdict if match.decision else "" for match in wording.matches(report)
    ]
    kinds = {"confirmed": "confirm", "rejected": "reject", "put off": "later", "undecided": ""}
    return {name: verdicts.count(verdict) for name, verdict in kinds.items()}


def about(report: Report) -> list[tuple[str, str]]:
    """Return the head of a report as rows.

    What was read, compared with what, by which models, reviewed by whom.
    """
    source = report.transcript.source
    manifest = report.manifest
    tables = (
        ("Database", manifest.database),
        ("Model", manifest.models),
        ("Setting", manifest.settings),
    )
    counts = report.counts()
    return [
        ("Date of the event", wording.day(report.transcript.event_date, "not known")),
        ("File", source.name),
        ("Read as", source.format),
        ("SHA-256 of the file", source.sha256),
        ("Lectern", manifest.lectern),
        ("Profile", manifest.profile),
        *(
            (f"{label}: {name}", value)
            for label, table in tables
            for name, value in wording.settings(table.items())
        ),
        ("Sentences", f"{counts['sentences']:,}"),
        ("Check worthy", f"{counts['check_worthy']:,}"),
        ("Passages", wording.in_list(report)),
        ("Likely", f"{counts['likely_rows']:,}"),
        ("Possible", f"{counts['possible_rows']:,}"),
        ("Matches", f"{len(wording.matches(report)):,}"),
        *((name.capitalize(), f"{n:,}") for name, n in review_counts(report).items()),
        ("Reviewed by", ", ".join(reviewers(report)) or "nobody"),
    ]


def dates(match: Match, report: Report) -> str:
    """Return when the claim was said and checked, each with its distance to the event in words."""
    event = report.transcript.event_date
    claim = match.claim
    parts = [wording.said(claim), wording.gap(event, claim.claim_date)]
    checked = [
        f"checked {wording.day(claim.review_date, 'on an unknown day')}",
        wording.gap(event, claim.review_date),
    ]
    return " · ".join(", ".join(part for part in pair if part) for pair in (parts, checked))


def address(vclaim: VerifiedClaim) -> str:
    """Return the address of the article if it is one of the web, with nothing in it that could end a link early."""
    url = "".join(vclaim.url.split())
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:  # half an IPv6 address, and the like
        return ""
    if scheme not in ("http", "https"):
        return ""
    return quote(url, safe=":/?#[]@!$&'*+,;=%~-._").replace("'", "%27")


def legible(report: Report) -> Report:
    """Return the report with every character that some format cannot contain replaced by U+FFFD."""
    return _legible(report)


def _legible(value: Any) -> Any:
    if isinstance(value, str):
        return _UNPRINTABLE.sub("\ufffd", value) if type(value) is str else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value))
        return dataclasses.replace(
            value, **{name: _legible(getattr(value, name)) for name in names}
        )
    if isinstance(value, Mapping):
        return {_legible(key): _legible(part) for key, part in value.items()}
    return tuple(map(_legible, value)) if isinstance(value, Iterable) else value
