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


def export_files(found: RepeatCounts) -> dict[str, bytes]:
    """Return the files of an export by name."""
    rows = [_row(repeated) for repeated in found.repeated]
    said = [passage for repeated in found.repeated for passage in _passages(repeated)]
    of = {
        "transcripts": found.transcripts,
        "checked": found.checked,
        "fact_checks_found": found.fact_checks,
    }
    whole = {"schema": SCHEMA, "of": of, "repeats": _nested(found.repeated)}
    return {
        "repeats.json": (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode(),
        "repeats.csv": _table([{**row, **of} for row in rows]),
        "passages.csv": _table(said),
    }


def _row(repeated: RepeatedClaim) -> dict[str, Any]:
    claim = repeated.claim
    (first, last) = repeated.days
    return {
        "claim_id": claim.id,
        "statement": claim.statement,
        "publisher": claim.publisher,
        "rating": claim.rating,
        "review_date": _iso(claim.review_date),
        "url": claim.url,
        "passages": len(repeated.mentions),
        "confirmed": repeated.count(CONFIRMED),
        "unreviewed": repeated.count(UNREVIEWED),
        "open_again": repeated.open_again_count(),
        "debates": repeated.debates,
        "speakers": "; ".join(f"{name} ({len(said)})" for name, said in repeated.by()),
        "first": _iso(first),
        "last": _iso(last),
        "after_review": len(repeated.after()),
        "to_look_at": len(repeated.to_look_at),
        "also_checked": "; ".join(claim.id for claim in repeated.also_checked),
    }


def _passages(repeated: RepeatedClaim) -> list[dict[str, Any]]:
    """Return the counted passages of a claim, then those that are to be looked at."""
    to_look_at = replace(repeated, mentions=repeated.to_look_at)
    uncounted = [{**passage, "state": TO_LOOK_AT} for passage in _said(to_look_at)]
    return [*_said(repeated), *uncounted]


def _said(repeated: RepeatedClaim) -> list[dict[str, Any]]:
    after = {mention.sentence for mention in repeated.after()}
    return [
        {
            "claim_id": repeated.claim.id,
            "event_date": _iso(mention.debate.event_date),
            "event": mention.debate.title,
            "speaker": mention.speaker,
            "sentence": mention.number,
            "start": mention.start,
            "text": mention.text,
            "tier": mention.tier,
            "state": mention.state,
            "open_again": mention.open_again,
            "after_review": mention.sentence in after,
            "report": mention.debate.report(),
            "transcript_sha256": mention.debate.document,
        }
        for mention in repeated.mentions
    ]


def _nested(rows: Iterable[RepeatedClaim]) -> list[dict[str, Any]]:
    nested = []
    for row in rows:
        counted_count = len(row.mentions)
        passages = _passages(row)
        said = passages[:counted_count]
        nested.append({**_row(row), "said": said, "unsure": passages[counted_count:]})
    return nested


def _table(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as CSV in UTF-8 with a mark, so that a spreadsheet reads it.

    No cell is taken for a formula.
    """
    text = io.StringIO()
    heads = list(rows[0]) if rows else []
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow(safe(cell) if isinstance(cell, str) else cell for cell in row.values())
    return text.getvalue().encode("utf-8-sig")


def _iso(day: Any) -> str | None:
    return day and day.isoformat()
