"""Exports what was repeated as CSV and JSON.

A row a fact-check, a row a passage, and what the counts are of.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.archive.repeats import (
    CONFIRMED,
    TO_LOOK_AT,
    UNREVIEWED,
    RepeatCounts,
    RepeatedClaim,
)
from assistant.reports.csv_form import safe

SCHEMA = "lectern.archive/1"


MEDIA_TYPES = {
    "repeats.json": "application/json",
    "repeats.csv": "text/csv",
    "passages.csv": "text/csv",
}


def export_files(counts: RepeatCounts) -> dict[str, bytes]:
    """Return the files of an export by name."""
    totals = {
        "transcripts": counts.transcripts,
        "checked": counts.checked,
        "fact_checks_found": counts.fact_checks,
    }
    claim_rows = []
    passage_rows = []
    for repeated_claim in counts.repeated:
        claim_rows.append({**_claim_row(repeated_claim), **totals})
        passage_rows += _passage_rows(repeated_claim)
    repeats = _claims_with_passages(counts.repeated)
    json_values = {"schema": SCHEMA, "of": totals, "repeats": repeats}
    json_text = json.dumps(json_values, ensure_ascii=False, indent=1) + "\n"
    return {
        "repeats.json": json_text.encode(),
        "repeats.csv": _csv_file(claim_rows),
        "passages.csv": _csv_file(passage_rows),
    }


def _claim_row(repeated_claim: RepeatedClaim) -> dict[str, Any]:
    claim = repeated_claim.claim
    first_day, last_day = repeated_claim.days
    speakers = [f"{name} ({len(mentions)})" for name, mentions in repeated_claim.by_speaker()]
    return {
        "claim_id": claim.id,
        "statement": claim.statement,
        "publisher": claim.publisher,
        "rating": claim.rating,
        "review_date": _iso_date(claim.review_date),
        "url": claim.url,
        "passages": len(repeated_claim.mentions),
        "confirmed": repeated_claim.count(CONFIRMED),
        "unreviewed": repeated_claim.count(UNREVIEWED),
        "open_again": repeated_claim.reopened_count(),
        "debates": repeated_claim.debate_count,
        "speakers": "; ".join(speakers),
        "first": _iso_date(first_day),
        "last": _iso_date(last_day),
        "after_review": len(repeated_claim.mentions_after_publication()),
        "to_look_at": len(repeated_claim.possible_mentions),
        "also_checked": "; ".join(claim.id for claim in repeated_claim.other_fact_checks),
    }


def _passage_rows(repeated_claim: RepeatedClaim) -> list[dict[str, Any]]:
    """Return the counted passages of a claim, then those that are to be looked at."""
    unsure = replace(repeated_claim, mentions=repeated_claim.possible_mentions)
    unsure_rows = [{**row, "state": TO_LOOK_AT} for row in _counted_rows(unsure)]
    return [*_counted_rows(repeated_claim), *unsure_rows]


def _counted_rows(repeated_claim: RepeatedClaim) -> list[dict[str, Any]]:
    ids_after_review = {mention.sentence for mention in repeated_claim.mentions_after_publication()}
    return [
        {
            "claim_id": repeated_claim.claim.id,
            "event_date": _iso_date(mention.debate.event_date),
            "event": mention.debate.title,
            "speaker": mention.speaker,
            "sentence": mention.number,
            "start": mention.start,
            "text": mention.text,
            "tier": mention.tier,
            "strength": mention.strength or "",
            "state": mention.state,
            "open_again": mention.open_again,
            "after_review": mention.sentence in ids_after_review,
            "report": mention.debate.report_id(),
            "transcript_sha256": mention.debate.document,
        }
        for mention in repeated_claim.mentions
    ]


def _claims_with_passages(repeated_claims: Iterable[RepeatedClaim]) -> list[dict[str, Any]]:
    """Return each claim with its passages, the counted ones apart from the others."""
    claims_with_passages = []
    for repeated_claim in repeated_claims:
        # The counted passages come first, then those that a person should look at.
        counted_count = len(repeated_claim.mentions)
        passage_rows = _passage_rows(repeated_claim)
        claim_values = {
            **_claim_row(repeated_claim),
            "said": passage_rows[:counted_count],
            "unsure": passage_rows[counted_count:],
        }
        claims_with_passages.append(claim_values)
    return claims_with_passages


def _csv_file(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as CSV in UTF-8 with a mark, so that a spreadsheet reads it.

    No cell is taken for a formula.
    """
    text = io.StringIO()
    column_names = list(rows[0]) if rows else []
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(column_names)
    for row in rows:
        # Spreadsheet programs would run a text that looks like a formula.
        safe_cells = [safe(cell) if isinstance(cell, str) else cell for cell in row.values()]
        writer.writerow(safe_cells)
    return text.getvalue().encode("utf-8-sig")  # with the byte-order mark that Excel needs


def _iso_date(day: Any) -> str | None:
    return day.isoformat() if day else None
