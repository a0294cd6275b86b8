"""The report as JSON, version 1: the form that other programs read, and the form in which results are kept on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from assistant.ground.domain import (
    Agreement,
    ArticleRelation,
    CheckedSentence,
    Decision,
    EvidenceStep,
    KeySentence,
    Manifest,
    Match,
    RatingClass,
    Relation,
    Report,
    Sentence,
    Source,
    Stance,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.ground.errors import MalformedTranscript
from features.catalogue import NAMES

SCHEMA = "lectern.report/1"
DECIMALS = 6  # below the noise of the measures, so that bytes do not change with the batch size
_CLAIM_DATES = ("claim_date", "review_date")


def render(report: Report) -> bytes:
    """Return the report as UTF-8 JSON in the published schema."""
    return _dump(_report(report, archive=False))


def archive(report: Report) -> bytes:
    """Return the published schema plus what the app shows on demand: the nearest candidate of unmatched sentences."""
    return _dump(_report(report, archive=True))


def load(data: bytes) -> Report:
    """Return the report that ``render`` or ``archive`` wrote. Claims come back without their body and language.

    Raises: MalformedTranscript if the bytes are not a report of this version.
    """
    try:
        table = json.loads(data)
        if table["schema"] != SCHEMA:
            raise MalformedTranscript(f"a report of schema {table['schema']!r}, not {SCHEMA!r}.")
        return _load_report(table)
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedTranscript(f"not a Lectern report ({error!r}).", remedy="Check the transcript again.") from error


def _dump(table: Mapping[str, Any]) -> bytes:
    return (json.dumps(table, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _report(report: Report, *, archive: bool) -> dict[str, Any]:
    transcript = report.transcript
    return {
        "schema": SCHEMA,
        "title": transcript.title,
        "event_date": _iso(transcript.event_date),
        "source": asdict(transcript.source),
        "manifest": asdict(report.manifest),
        "counts": report.counts(),
        "warnings": list(report.warnings),
        "sentences": [_checked(s, archive) for s in report.sentences],
    }


def _checked(checked: CheckedSentence, archive: bool) -> dict[str, Any]:
    sent = checked.sentence
    table = {
        "number": sent.number,
        "line": sent.line,
        "speaker": sent.speaker,
        "text": sent.text,
        "start": _round(sent.start),
        "end": _round(sent.end),
        "check_worthiness": _round(checked.check_worthiness),
        "kept": checked.kept,
        "dropped_reason": checked.dropped_reason,
        "rank": checked.rank,
        "score": _round(checked.score),
        "tier": checked.tier and str(checked.tier),
        "matches": [match(m) for m in checked.matches],
    }
    if archive:
        table["nearest"] = checked.nearest and match(checked.nearest)
    return table


def match(found: Match) -> dict[str, Any]:
    """Return one match in the published schema."""
    return {
        "rank": found.rank,
        "score": _round(found.score),
        "tier": found.tier and str(found.tier),
        "claim": _claim(found.claim),
        "measures": {name: _round(value) for name, value in zip(NAMES, found.measures, strict=True)},
        "contributions": {name: _round(value) for name, value in found.contributions.items()},
        "stance": str(found.stance),
        "agreement": {part: str(value) for part, value in found.agreement.items()},
        "decision": found.decision and asdict(found.decision),
        "key_sentences": [{**asdict(k), "score": _round(k.score)} for k in found.key_sentences],
        "sureness": {name: _round(value) for name, value in found.sureness.items()},
        "against": list(found.against),
        "relation": found.relation and {**asdict(found.relation), "confidence": _round(found.relation.confidence)},
    }


def _claim(vclaim: VerifiedClaim) -> dict[str, Any]:
    return {
        "id": vclaim.id,
        "statement": vclaim.statement,
        "title": vclaim.title,
        "claimant": vclaim.claimant,
        "claim_date": _iso(vclaim.claim_date),
        "rating": vclaim.rating,
        "rating_class": str(vclaim.rating_class),
        "review_date": _iso(vclaim.review_date),
        "publisher": vclaim.publisher,
        "url": vclaim.url,
    }


def _iso(day: date | None) -> str | None:
    return day and day.isoformat()


def _round(value: float | None) -> float | None:
    return None if value is None else round(float(value), DECIMALS) + 0.0  # + 0.0: no negative zero


def _load_report(table: Mapping[str, Any]) -> Report:
    sentences = tuple(_load_checked(row) for row in table["sentences"])
    transcript = Transcript(
        title=table["title"],
        event_date=_day(table["event_date"]),
        source=Source(**table["source"]),
        sentences=tuple(s.sentence for s in sentences),
        warnings=tuple(table["warnings"]),
    )
    return Report(transcript, sentences, Manifest(**table["manifest"]), tuple(table["warnings"]))


def _load_checked(row: Mapping[str, Any]) -> CheckedSentence:
    place = ("number", "line", "text", "speaker", "start", "end")
    nearest = row.get("nearest")
    return CheckedSentence(
        sentence=Sentence(**{name: row[name] for name in place}),
        check_worthiness=row["check_worthiness"],
        kept=row["kept"],
        dropped_reason=row["dropped_reason"],
        rank=row["rank"],
        score=row["score"],
        tier=row["tier"] and Tier(row["tier"]),
        matches=tuple(load_match(m) for m in row["matches"]),
        nearest=nearest and load_match(nearest),
    )


def load_match(row: Mapping[str, Any]) -> Match:
    """Return the match that ``match`` wrote."""
    claim = dict(row["claim"])
    claim |= {name: _day(claim[name]) for name in _CLAIM_DATES} | {"rating_class": RatingClass(claim["rating_class"])}
    return Match(
        claim=VerifiedClaim(**claim),
        rank=row["rank"],
        score=row["score"],
        tier=row["tier"] and Tier(row["tier"]),
        measures=tuple(row["measures"][name] for name in NAMES),
        contributions=row["contributions"],
        stance=Stance(row["stance"]),
        agreement={part: Agreement(value) for part, value in row["agreement"].items()},
        key_sentences=tuple(KeySentence(**k) for k in row["key_sentences"]),
        decision=row["decision"] and Decision(**row["decision"]),
        sureness=row.get("sureness", {}),
        against=tuple(row.get("against", ())),
        relation=_load_relation(row.get("relation")),  # reports of before have none
    )


def _load_relation(row: Mapping[str, Any] | None) -> ArticleRelation | None:
    if row is None:
        return None
    steps = tuple(EvidenceStep(**{**step, "relation": Relation(step["relation"])}) for step in row["steps"])
    return ArticleRelation(Relation(row["relation"]), row["confidence"], steps)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
