"""The report as CSV for spreadsheets: one row per sentence and match, ranked sentences first.

A cell that a spreadsheet would run as a formula gets an apostrophe in front; a byte-order mark
tells Excel the encoding.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from assistant.core import spreadsheet_cells
from assistant.core.domain import CheckedSentence, Decision, Match
from assistant.report import contents, wording
from assistant.report.view import PassageView, ReportView

FIRST_KEY_SENTENCES = 3  # in the columns of the first version of this table
MAX_KEY_SENTENCES = 5
# Later versions add columns at the end, so that the first ones keep their positions.
HEADER = (
    "n",
    "time",
    "speaker",
    "sentence",
    "decision",
    "decided_by",
    "decided_at",
    "note",
    "score",
    "rank",
    "publisher",
    "claim",
    "claimant",
    "claim_date",
    "rating_verbatim",
    "rating_class",
    "review_date",
    "url",
    "key_sentence_1",
    "key_sentence_2",
    "key_sentence_3",
    "top_signals",
    "warnings",
    "tier",
    "sentence_rank",
    "stance",
    "decision_reason",
    "key_sentence_4",
    "key_sentence_5",
    "key_sentence_1_why",
    "key_sentence_2_why",
    "key_sentence_3_why",
    "key_sentence_4_why",
    "key_sentence_5_why",
    "passage",
    "passage_rank",
    "shown",
    "strength",
)
# The last column of an export with the comments of colleagues; other exports lack it.
COMMENTS_COLUMN = "comments"
Cell = str | float | int | None
Signals = Callable[[Match], Sequence[str]]


def render(view: ReportView) -> bytes:
    """Return the table as UTF-8 with a byte-order mark, commas and CRLF (RFC 4180)."""
    csv_buffer = io.StringIO()
    writer = csv.writer(csv_buffer, lineterminator="\r\n")
    writer.writerow(header(view))
    for cells in rows(view):
        # Spreadsheet programs would run a text that looks like a formula.
        safe_cells = [safe(cell) if isinstance(cell, str) else cell for cell in cells]
        writer.writerow(safe_cells)
    return csv_buffer.getvalue().encode("utf-8-sig")  # with the byte-order mark that Excel needs


def header(view: ReportView) -> tuple[str, ...]:
    """Return the names of the columns, with comments if the export was asked for them."""
    return (*HEADER, COMMENTS_COLUMN) if contents.has_comments(view) else HEADER


def named_signals(match: Match) -> list[str]:
    """Return the three largest contributions by name: ``sbert_statement +0.75``."""
    largest = wording.contributions_without_base(match)[:3]
    return [f"{name} {value:+.2f}" for name, value in largest]


def rows(view: ReportView, signals_of_match: Signals = named_signals) -> Iterator[list[Cell]]:
    """Yield the cells of every match under ``HEADER``, not yet escaped.

    ``signals_of_match`` names the largest contributions: by column here, in words in tables for
    readers.
    """
    has_comments = contents.has_comments(view)
    for checked_sentence in view.report.ranked():
        passage = view.passage_of(checked_sentence.sentence.number)
        for match in checked_sentence.matches:
            is_listed = (checked_sentence.sentence.number, match.claim.id) in view.listed_matches
            comment_cells = ["\n".join(match.comments)] if has_comments else []
            yield [
                *_match_cells(checked_sentence, match, view.event_date, signals_of_match(match)),
                *_passage_cells(passage, is_listed=is_listed),
                str(match.strength or ""),
                *comment_cells,
            ]


def safe(text: str) -> str:
    """Return text as one line that no spreadsheet takes for a formula."""
    return spreadsheet_cells.as_text(" ".join(text.split()))


def _shown_decision(match: Match) -> Decision:
    """Return the decision on a match; one that is open again says so, with the change."""
    reopened = match.reopened
    if reopened is None:
        return match.decision or Decision("not reviewed")
    note = ". ".join(filter(None, (f"{reopened.was}; {reopened.since}", reopened.decision.note)))
    return replace(reopened.decision, verdict=f"open again: {reopened.decision.verdict}", note=note)


def _match_cells(
    checked_sentence: CheckedSentence, match: Match, event_date: date | None, signals: Sequence[str]
) -> list[Cell]:
    """Return the cells of one match in the order of ``HEADER``, without those of its passage."""
    sentence = checked_sentence.sentence
    claim = match.claim
    decision = _shown_decision(match)
    keys = match.key_sentences[:MAX_KEY_SENTENCES]
    empty_cells = [""] * (MAX_KEY_SENTENCES - len(keys))
    quotes = [key.text for key in keys] + empty_cells
    reasons = [key.why for key in keys] + empty_cells
    return [
        sentence.number,
        wording.clock(sentence.start),
        sentence.speaker or "",
        sentence.text,
        decision.verdict,
        decision.by,
        decision.at,
        decision.note,
        round(match.score, 6) + 0.0,  # + 0.0: no negative zero
        match.rank,
        wording.publisher(claim),
        claim.statement,
        claim.claimant,
        _iso(claim.claim_date),
        claim.rating,
        str(claim.rating_class),
        _iso(claim.review_date),
        claim.url,
        *quotes[:FIRST_KEY_SENTENCES],
        "; ".join(signals),
        "; ".join(_warnings(match, event_date)),
        str(match.tier or ""),
        checked_sentence.rank,
        str(match.stance),
        decision.reason,
        *quotes[FIRST_KEY_SENTENCES:],
        *reasons,
    ]


def _passage_cells(passage: PassageView | None, *, is_listed: bool) -> list[Cell]:
    """Return the number and the rank of a passage, and whether the match is shown in the list."""
    if passage is None:
        return [None, None, "yes" if is_listed else "no"]
    if is_listed:
        list_state = "yes"
    elif passage.placement.folded_into:
        list_state = f"folded into {passage.placement.folded_into}"
    else:
        list_state = "no"
    return [passage.number, passage.rank, list_state]


def _warnings(match: Match, event_date: date | None) -> list[str]:
    """Return the cautions and the age of the fact-check."""
    cautions = wording.cautions(match, event_date)
    age = wording.gap(event_date, match.claim.review_date)
    if not age or any(age in caution for caution in cautions):
        return cautions
    return [*cautions, f"checked {age}"]


def _iso(value: date | None) -> str:
    return value.isoformat() if value else ""
