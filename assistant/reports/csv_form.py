"""The report as CSV for spreadsheets: one row per sentence and match, ranked sentences first.

A cell that a spreadsheet would run as a formula gets an apostrophe in front; a byte-order mark
tells Excel the encoding.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from assistant.core.domain import CheckedSentence, Decision, Match
from assistant.report import wording
from assistant.report.view import PassageView, ReportView

# the first columns keep their place; the others came later, at the end
FIRST_KEYS = 3
KEY_SENTENCES = 5
HEADER = (
    *(
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
    ),
    *(
        "publisher",
        "claim",
        "claimant",
        "claim_date",
        "rating_verbatim",
        "rating_class",
        "review_date",
        "url",
    ),
    *(f"key_sentence_{i}" for i in range(1, FIRST_KEYS + 1)),
    *("top_signals", "warnings", "tier", "sentence_rank", "stance", "decision_reason"),
    *(f"key_sentence_{i}" for i in range(FIRST_KEYS + 1, KEY_SENTENCES + 1)),
    *(f"key_sentence_{i}_why" for i in range(1, KEY_SENTENCES + 1)),
    *("passage", "passage_rank", "shown"),
)
Cell = str | float | int | None
Signals = Callable[[Match], Sequence[str]]
_FORMULA = re.compile(r"^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠]")


def render(view: ReportView) -> bytes:
    """Return the table as UTF-8 with a byte-order mark, commas and CRLF (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for row in rows(view):
        writer.writerow(safe(cell) if isinstance(cell, str) else cell for cell in row)
    return out.getvalue().encode("utf-8-sig")


def named_signals(match: Match) -> list[str]:
    """Return the three largest contributions by the names of their inputs.

    ``sbert_statement +0.75``.
    """
    return [f"{name} {value:+.2f}" for name, value in wording.beyond_start(match)[:3]]


def rows(view: ReportView, signals: Signals = named_signals) -> Iterator[list[Cell]]:
    """Yield the cells of every match under ``HEADER``, unescaped: the writer makes them safe.

    ``signals`` names the largest contributions: by column here, in words where people read the table.
    """
    for checked in view.report.ranked():
        number = checked.sentence.number
        passage = view.passage_of(number)
        for match in checked.matches:
            cells = _row(checked, match, view.event_date, signals(match))
            is_listed = (number, match.claim.id) in view.listed_matches
            yield [*cells, *_passage_cells(passage, is_listed=is_listed)]


def _passage_cells(passage: PassageView | None, *, is_listed: bool) -> list[Cell]:
    """Return the number and the rank of a passage, and whether the match is shown in the list."""
    if passage is None:
        return [None, None, "yes" if is_listed else "no"]
    if is_listed:
        shown = "yes"
    elif passage.placement.folded_into:
        shown = f"folded into {passage.placement.folded_into}"
    else:
        shown = "no"
    return [passage.number, passage.rank, shown]


def safe(text: str) -> str:
    """Return text as one line that no spreadsheet takes for a formula."""
    line = " ".join(text.split())
    return f"'{line}" if _FORMULA.match(line) else line


def _row(
    checked: CheckedSentence, match: Match, event: date | None, signals: Sequence[str]
) -> list[Cell]:
    """The cells of one match, in the order of ``HEADER``, but for those on its passage."""
    sent = checked.sentence
    claim = match.claim
    decision = match.decision or Decision("not reviewed")
    keys = match.key_sentences[:KEY_SENTENCES]
    none = [""] * (KEY_SENTENCES - len(keys))
    quotes = [*(key.text for key in keys), *none]
    whys = [*(key.why for key in keys), *none]
    return [
        *(sent.number, wording.clock(sent.start), sent.speaker or "", sent.text),
        *(
            decision.verdict,
            decision.by,
            decision.at,
            decision.note,
            round(match.score, 6) + 0.0,
            match.rank,
        ),
        *(wording.publisher(claim), claim.statement, claim.claimant, _iso(claim.claim_date)),
        *(claim.rating, str(claim.rating_class), _iso(claim.review_date), claim.url),
        *quotes[:FIRST_KEYS],
        "; ".join(signals),
        "; ".join(_warnings(match, event)),
        *(str(match.tier or ""), checked.rank, str(match.stance), decision.reason),
        *(*quotes[FIRST_KEYS:], *whys),
    ]


def _warnings(match: Match, event: date | None) -> list[str]:
    """The cautions, with the age of the fact-check: a table has no line beside the date."""
    age = wording.gap(event, match.claim.review_date)
    cautions = wording.cautions(match, event)
    return (
        cautions
        if not age or any(age in text for text in cautions)
        else [*cautions, f"checked {age}"]
    )


def _iso(value: date | None) -> str:
    return value.isoformat() if value else ""
