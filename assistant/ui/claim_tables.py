"""Tables of the fact-checks in the database, a fact-check as HTML, and the outcome of an import in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from html import escape
from typing import TYPE_CHECKING, Any

from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.report import wording
from assistant.ui.card_html import badge, link
from assistant.ui.theme import SIGNS

if TYPE_CHECKING:
    from assistant.claims.article_fetching import Result
    from assistant.claims.records import ImportReport

ROWS = 12
REFUSED_SHOWN = 200


def by_publisher(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the publishers with most claims, the others summed in a last row."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    first = ordered[:ROWS]
    rest = ordered[ROWS:]
    rows = [(name or "not named", n) for name, n in first]
    return rows + ([(f"{len(rest):,} others", sum(n for _, n in rest))] if rest else [])


def by_class(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the rating classes with their signs, in the order of RatingClass, those without claims left out."""
    return [(f"{SIGNS[c].mark} {SIGNS[c].words}", counts[c]) for c in RatingClass if counts.get(c)]


def by_year(counts: Mapping[date | None, int]) -> list[tuple[str, int]]:
    """Return the claims of each year of review, newest first; those without a date last."""
    years: dict[int, int] = {}
    for day, n in counts.items():
        if day:
            years[day.year] = years.get(day.year, 0) + n
    rows = [(str(year), years[year]) for year in sorted(years, reverse=True)]
    return rows + ([("date unknown", counts[None])] if counts.get(None) else [])


def table(head: str, rows: Sequence[tuple[str, int]]) -> str:
    """Return counts as an HTML table with a bar each, as long as its share of the largest.

    Ratings in their colours.
    """
    largest = max((n for _, n in rows), default=1) or 1
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td aria-hidden="true"><span class="lx-share{_colour(name)}" '
        f'style="width:{100 * n / largest:.1f}%"></span></td><td>{n:,}</td></tr>'
        for name, n in rows
    )
    return (
        f'<table class="lx-table lx-counts"><thead><tr><th scope="col">{escape(head)}</th><td></td>'
        f'<th scope="col">fact-checks</th></tr></thead><tbody>{body}</tbody></table>'
    )


def _colour(name: str) -> str:
    return next((f" lx-{s.colour}" for s in SIGNS.values() if name == f"{s.mark} {s.words}"), "")


def entry(vclaim: VerifiedClaim) -> str:
    """Return one verified claim of a search as HTML."""
    shown = link(vclaim)
    return (
        f'<div class="lx-claim"><p>{escape(vclaim.statement)}</p><p>{badge(vclaim.rating, vclaim.rating_class)} '
        f'<span class="lx-soft">{escape(wording.said(vclaim))} · {escape(wording.rated(vclaim))}'
        f"{f' · {shown}' if shown else ''}</span></p></div>"
    )


def outcome(result: ImportReport, by: str = "") -> bytes:
    """Return the outcome of an import as JSON, as it is stored for later page loads.

    ``by``: the account.
    """
    return json.dumps({**asdict(result), "by": by}, ensure_ascii=False).encode()


def articles_outcome(results: Iterable[Result], by: str = "") -> bytes:
    """Return the outcome of fetching articles as JSON, a line per page; ``by``: the account."""
    lines = [[str(r.outcome), r.page.url, r.note] for r in results]
    return json.dumps({"asked": lines, "by": by}, ensure_ascii=False).encode()


def article_outcomes(kept: bytes) -> tuple[str, list[str]]:
    """Return the outcomes of fetching articles in one line, and a line for each page without an article."""
    table = json.loads(kept)
    lines: list[list[str]] = table["asked"]
    counts: dict[str, int] = {}
    for outcome, *_ in lines:
        counts[outcome] = counts.get(outcome, 0) + 1
    line = " · ".join(f"{n:,} {outcome}" for outcome, n in counts.items()) or "No page was asked."
    line += _by(table)
    return line, [
        f"{outcome}: {url} ({note})" for outcome, url, note in lines if outcome != "fetched"
    ]


def import_outcome(kept: bytes) -> tuple[str, list[str]]:
    """Return what an import did in one line, and the lines on what was refused, left out or unknown."""
    done: dict[str, Any] = json.loads(kept)
    kinds = ("new", "changed", "same", "merged")
    line = (
        " · ".join(f"{done[k]:,} {k}" for k in kinds)
        + f" · {len(done['refused']):,} refused"
        + _by(done)
    )
    more = [f"Refused: {r}" for r in done["refused"][:REFUSED_SHOWN]]
    if len(done["refused"]) > REFUSED_SHOWN:
        more.append(f"and {len(done['refused']) - REFUSED_SHOWN:,} more refused")
    shortened = done.get("shortened", [])
    more += [f"Article shortened: {line}" for line in shortened[:REFUSED_SHOWN]]
    if len(shortened) > REFUSED_SHOWN:
        more.append(f"and {len(shortened) - REFUSED_SHOWN:,} more articles shortened")
    more += [f"Left out: {n:,}, {reason}" for reason, n in done.get("left_out", {}).items()]
    more += [
        f"Rating not known: {label} ({n:,})" for label, n in done.get("unknown_ratings", {}).items()
    ]
    return line, more


def _by(table: Mapping[str, Any]) -> str:
    return f" · by {table['by']}" if table.get("by") else ""
