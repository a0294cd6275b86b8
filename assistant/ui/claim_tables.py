"""Tables of the fact-checks in the database, a fact-check as HTML, and the outcome of an import in words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any

from assistant.claims.article_extraction import SHORTENED_NOTE
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.report import wording
from assistant.ui.card_html import article_html, article_link, rating_badge
from assistant.ui.shown_text import escape
from assistant.ui.theme import RATING_SIGNS

if TYPE_CHECKING:
    from assistant.claims.article_fetching import FetchResult
    from assistant.claims.records import ImportReport

MAX_PUBLISHER_ROWS = 12
MAX_SHOWN_LINES = 200  # per kind of outcome of an import
UNKNOWN_YEAR = "date unknown"
NO_ARTICLE = '<p class="lx-soft">The text of the article isn’t stored.</p>'


def counts_by_publisher(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the publishers with most claims; a last row sums the others."""
    names = sorted(counts, key=lambda name: (-counts[name], name))
    table_rows = []
    for name in names[:MAX_PUBLISHER_ROWS]:
        table_rows.append((wording.shown_publisher(name) or "not named", counts[name]))
    other_names = names[MAX_PUBLISHER_ROWS:]
    if other_names:
        others_count = sum(counts[name] for name in other_names)
        table_rows.append((f"{len(other_names):,} others", others_count))
    return table_rows


def counts_by_rating_class(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the rating classes that have claims, with their signs, in the order of RatingClass."""
    class_counts = []
    for rating_class in RatingClass:
        if counts.get(rating_class):
            sign = RATING_SIGNS[rating_class]
            class_counts.append((f"{sign.mark} {sign.words}", counts[rating_class]))
    return class_counts


def counts_by_year(counts: Mapping[date | None, int]) -> list[tuple[str, int]]:
    """Return the claims of each year of review, newest first; claims without a date come last."""
    count_by_year: Counter[int] = Counter()
    for day, count in counts.items():
        if day:
            count_by_year[day.year] += count
    years = sorted(count_by_year, reverse=True)
    year_counts = [(str(year), count_by_year[year]) for year in years]
    if counts.get(None):  # fact-checks without a date
        year_counts.append((UNKNOWN_YEAR, counts[None]))
    return year_counts


def counts_table(first_column_title: str, counts: Sequence[tuple[str, int]]) -> str:
    """Return counts as an HTML table; the longest bar stands for the largest count.

    Ratings have their colours.
    """
    largest_count = max((count for _, count in counts), default=1) or 1  # never 0: a divisor
    table_rows = []
    for name, count in counts:
        width_percent = 100 * count / largest_count
        table_rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td aria-hidden="true">'
            f'<span class="lx-share{_rating_colour(name)}" style="width:{width_percent:.1f}%"></span></td>'
            f"<td>{count:,}</td></tr>"
        )
    return (
        '<table class="lx-table lx-counts"><thead><tr>'
        f'<th scope="col">{escape(first_column_title)}</th><td></td><th scope="col">fact-checks</th>'
        f"</tr></thead><tbody>{''.join(table_rows)}</tbody></table>"
    )


def _rating_colour(name: str) -> str:
    for sign in RATING_SIGNS.values():
        if name == f"{sign.mark} {sign.words}":
            return f" lx-{sign.colour}"
    return ""


def claim_html(claim: VerifiedClaim) -> str:
    """Return one verified claim of a search as HTML."""
    badge = rating_badge(claim.rating, claim.rating_class)
    line = f"{escape(wording.claimant_and_date(claim))} · {escape(wording.rating_sentence(claim))}"
    link = article_link(claim)
    if link:
        line += f" · {link}"
    return (
        f'<div class="lx-claim"><p>{escape(claim.statement)}</p>'
        f'<p>{badge} <span class="lx-soft">{line}</span></p></div>'
    )


def claim_card(claim: VerifiedClaim, similarity: float | None = None) -> str:
    """Return a fact-check as a row that opens to its whole card, as HTML.

    ``similarity``: the cosine with the sentence of a search by meaning.
    """
    badge = rating_badge(claim.rating, claim.rating_class)
    similarity_words = ""
    if similarity is not None:
        similarity_words = f" · similarity {max(0.0, similarity):.0%}"
    source = f"{wording.publisher(claim)} · {wording.day(claim.review_date)}"
    link = article_link(claim)
    article = article_html(claim.title, claim.body, ()) if claim.body else NO_ARTICLE
    return (
        f'<details class="lx-claim lx-openable"><summary><q class="lx-quote">'
        f"{escape(claim.statement)}</q><br>{badge} "
        f'<span class="lx-soft">{escape(source)}{similarity_words}</span></summary>'
        f'<p class="lx-line">{escape(wording.rating_sentence(claim))}. '
        f"{escape(wording.claimant_and_date(claim))}. {link}</p>"
        f"{article}</details>"
    )


def import_json(result: ImportReport, by: str = "") -> bytes:
    """Return the outcome of an import as JSON, to be stored for later page loads.

    ``by``: the account.
    """
    return json.dumps({**asdict(result), "by": by}, ensure_ascii=False).encode()


def articles_json(results: Iterable[FetchResult], by: str = "") -> bytes:
    """Return the outcome of fetching articles as JSON, one line per page; ``by``: the account."""
    pages = [[str(result.outcome), result.page.url, result.note] for result in results]
    return json.dumps({"asked": pages, "by": by}, ensure_ascii=False).encode()


def article_lines(outcome_json: bytes) -> tuple[str, list[str]]:
    """Return a summary of fetched articles, and one line for each page without an article."""
    outcome = json.loads(outcome_json)
    pages: list[list[str]] = outcome["asked"]  # as articles_json writes them: state, url, note
    page_counts = Counter(state for state, _, _ in pages)
    summary = " · ".join(f"{count:,} {state}" for state, count in page_counts.items())
    summary = summary or "No page was asked."
    failure_lines = []
    for state, url, note in pages:
        is_whole_article = state == "fetched" and not note.startswith(SHORTENED_NOTE)
        if not is_whole_article:
            failure_lines.append(f"{state}: {url} ({note})")
    return summary + _account_suffix(outcome), failure_lines


def import_lines(outcome_json: bytes) -> tuple[str, list[str]]:
    """Return a summary of an import, and lines on rows refused, left out or not understood."""
    outcome: dict[str, Any] = json.loads(outcome_json)  # an ImportReport; early ones lack keys
    refused = outcome["refused"]
    counts = [f"{outcome[kind]:,} {kind}" for kind in ("new", "changed", "same", "merged")]
    counts.append(f"{len(refused):,} rejected")
    summary = " · ".join(counts) + _account_suffix(outcome)
    lines = _first_items("Rejected", refused, rest="rejected")
    lines += [f"Note: {remark}" for remark in outcome.get("remarks", [])]
    shortened = outcome.get("shortened", [])
    lines += _first_items("Article shortened", shortened, rest="articles shortened")
    lines += _first_items("Withdrawn", outcome.get("retracted", []))
    lines += _first_items("Review kept", outcome.get("kept_reviews", []))
    missing_ids = outcome.get("missing_ids", [])
    if missing_ids:
        total = outcome.get("source_claims", 0)
        named_ids = ", ".join(missing_ids[:MAX_SHOWN_LINES])
        lines.append(
            f"{len(missing_ids):,} of {total:,} fact-checks are no longer in this source. "
            f"They still count unless you withdraw them: {named_ids}"
        )
    for reason, count in outcome.get("left_out", {}).items():
        lines.append(f"Left out: {count:,}, {reason}")
    for label, count in outcome.get("unknown_ratings", {}).items():
        lines.append(f"Rating not known: {label} ({count:,})")
    return summary, lines


def _first_items(label: str, items: Sequence[str], *, rest: str = "") -> list[str]:
    """Return a line for each of the first items; a last line counts the others as ``rest``."""
    lines = [f"{label}: {item}" for item in items[:MAX_SHOWN_LINES]]
    hidden_count = len(items) - MAX_SHOWN_LINES
    if rest and hidden_count > 0:
        lines.append(f"and {hidden_count:,} more {rest}")
    return lines


def refused_csv(outcome_json: bytes) -> str:
    """Return the refused rows of an import as CSV, "" if none was refused."""
    from assistant.claims.records import RefusedRow
    from assistant.claims.refused_file import refused_rows_table

    outcome: dict[str, Any] = json.loads(outcome_json)
    if not outcome.get("refused"):
        return ""
    rows = [RefusedRow(**row) for row in outcome.get("refused_rows", [])]
    return refused_rows_table(rows, outcome["refused"])


def _account_suffix(outcome: Mapping[str, Any]) -> str:
    return f" · by {outcome['by']}" if outcome.get("by") else ""
