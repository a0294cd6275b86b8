"""Exports decisions as an evaluation set.

Queries, qrels in TREC's form, their claims, and all of it as JSON lines.

A confirmed match is relevant (1), a rejected one is not (0); what was put off or undone is left
out. The id of a query is the start of the transcript's SHA-256 and the number of the sentence.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from assistant.reports.reproducible_zip import EPOCH
from assistant.review.decision_store import Record

RELEVANCE = {"confirm": 1, "reject": 0}
DIGITS = 12


def files(records: Iterable[Record]) -> dict[str, bytes]:
    """Return the files of the set by name; the same decisions give the same bytes."""
    kept = sorted(records, key=lambda r: (qid(r), r.anchor.claim_id, r.key))
    settled = [r for r in kept if r.decision and r.decision.verdict in RELEVANCE]
    queries = {qid(r): r.anchor.text for r in settled}
    claims = {_id(r): r.anchor.statement for r in settled}
    qrels = [
        f"{qid(r)}\t0\t{_id(r)}\t{RELEVANCE[r.decision.verdict]}" for r in settled if r.decision
    ]
    return {
        "queries.tsv": _lines(f"{name}\t{_line(text)}" for name, text in queries.items()),
        "qrels.tsv": _lines(qrels),
        "claims.tsv": _lines(f"{name}\t{_line(text)}" for name, text in sorted(claims.items())),
        "decisions.jsonl": _lines(json.dumps(_row(r), ensure_ascii=False) for r in kept),
    }


def zipped(records: Iterable[Record]) -> bytes:
    """Return the files of the set as one archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files(records).items():
            member = zipfile.ZipInfo(name, EPOCH.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return out.getvalue()


def qid(record: Record) -> str:
    """Return the id of the sentence that a decision is about."""
    return f"{record.anchor.document[:DIGITS]}-{record.anchor.number}"


def _id(record: Record) -> str:
    """Return the id of the claim with white space escaped, since fields of TREC files have none."""
    return quote(record.anchor.claim_id, safe="!#$&'()*+,/:;=?@[]%-._~")


def _row(record: Record) -> dict[str, Any]:
    row = asdict(record)
    anchor = row["anchor"]
    anchor["event_date"] = anchor["event_date"] and anchor["event_date"].isoformat()
    anchor["made_with"], anchor["match"] = (
        json.loads(anchor["made_with"]),
        json.loads(anchor["match"]),
    )
    return {"qid": qid(record), **row}


def _line(text: str) -> str:
    return " ".join(text.split())


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
