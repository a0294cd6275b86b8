"""Exports decisions as an evaluation set: queries, TREC qrels, claims, and JSON lines.

A confirmed match is relevant (1), a rejected one is not (0); matches that were put off or undone
are left out. The id of a query is the start of the transcript's SHA-256 and the number of the
sentence.
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
QUERY_ID_DIGITS = 12  # of the SHA-256 in a query id


def files(records: Iterable[Record]) -> dict[str, bytes]:
    """Return the files of the set by name; the same decisions give the same bytes."""
    sorted_records = sorted(
        records, key=lambda record: (qid(record), record.anchor.claim_id, record.key)
    )
    queries = {}
    claims = {}
    # Query relevance judgments, a line of a TREC file each: query, 0, claim, relevance.
    qrels = []
    for record in sorted_records:
        if record.decision is None or record.decision.verdict not in RELEVANCE:
            continue
        query_id = qid(record)
        claim_id = _claim_id(record)
        queries[query_id] = _on_one_line(record.anchor.text)
        claims[claim_id] = _on_one_line(record.anchor.statement)
        relevance = RELEVANCE[record.decision.verdict]
        qrels.append(f"{query_id}\t0\t{claim_id}\t{relevance}")
    query_lines = [f"{query_id}\t{text}" for query_id, text in queries.items()]
    claim_lines = [f"{claim_id}\t{text}" for claim_id, text in sorted(claims.items())]
    decision_lines = [
        json.dumps(_json_values(record), ensure_ascii=False) for record in sorted_records
    ]
    return {
        "queries.tsv": _text_file(query_lines),
        "qrels.tsv": _text_file(qrels),
        "claims.tsv": _text_file(claim_lines),
        "decisions.jsonl": _text_file(decision_lines),
    }


def evaluation_zip(records: Iterable[Record]) -> bytes:
    """Return the files of the set as one archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files(records).items():
            member = zipfile.ZipInfo(name, EPOCH.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return file.getvalue()


def qid(record: Record) -> str:
    """Return the query id of the sentence that a decision is about."""
    return f"{record.anchor.document[:QUERY_ID_DIGITS]}-{record.anchor.number}"


def _claim_id(record: Record) -> str:
    """Return the id of the claim with white space escaped, for a field of a TREC file."""
    return quote(record.anchor.claim_id, safe="!#$&'()*+,/:;=?@[]%-._~")


def _json_values(record: Record) -> dict[str, Any]:
    """Return a record as plain values, with its JSON fields as JSON."""
    values = asdict(record)
    # The anchor says which sentence and fact-check the decision is about.
    anchor = values["anchor"]
    if anchor["event_date"]:
        anchor["event_date"] = anchor["event_date"].isoformat()
    anchor["made_with"] = json.loads(anchor["made_with"])
    anchor["match"] = json.loads(anchor["match"])
    return {"qid": qid(record), **values}


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _text_file(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
