"""Stored reports: a report to the JSON in which it is kept on disk and in the database, and back.

The form is ``lectern.report/1``, the published one (``assistant/reports/json_form.py``), with the
nearest candidate of each unmatched sentence beside it. An unmatched sentence whose nearest
candidate is about the same topic has it as its only match, without a tier and not ``shown``. What
is loaded may be older or newer than this program: a measure that was not stored is NaN, and null
when it is written again; measures and fields that this program does not know are ignored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from datetime import date
from typing import Any, TypeVar

from assistant.core.domain import (
    Agreement,
    ArticleRelation,
    CheckedPassage,
    CheckedSentence,
    Decision,
    EvidenceStep,
    KeySentence,
    Manifest,
    Match,
    Passage,
    RatingClass,
    Relation,
    Report,
    Sentence,
    Source,
    Stance,
    Tier,
    Transcript,
    VerifiedClaim,
    Word,
)
from assistant.core.errors import MalformedTranscript
from assistant.passages.listing import arranged, singles
from assistant.report.view import ReportView
from features.similarity.catalogue import NAMES

SCHEMA = "lectern.report/1"
DECIMALS = 6  # below the noise of the measures, so that bytes do not change with the batch size
T = TypeVar("T")


def archive(report: Report) -> bytes:
    """Return the bytes to store.

    The published schema with the nearest candidate of each unmatched sentence.
    """
    table = report_row(ReportView(report))
    for row, checked in zip(table["sentences"], report.sentences, strict=True):
        row["nearest"] = checked.nearest and match_row(checked.nearest)
    return to_bytes(table)


def load(data: bytes) -> Report:
    """Return a stored or published report.

    Its claims lack their article and language, which the database has.

    Raises: MalformedTranscript if the bytes are not a report of this version.
    """
    try:
        table = json.loads(data)
        if table["schema"] != SCHEMA:
            raise MalformedTranscript(f"a report of schema {table['schema']!r}, not {SCHEMA!r}.")
        return _load_report(table)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MalformedTranscript(
            f"not a Lectern report ({error!r}).", remedy="Check the transcript again."
        ) from error


def to_bytes(table: Mapping[str, Any]) -> bytes:
    """Return a row as UTF-8 JSON that ends in a line break."""
    return (json.dumps(table, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def report_row(view: ReportView) -> dict[str, Any]:
    """Return a report as the plain values of the published schema."""
    report = view.report
    transcript = report.transcript
    return {
        "schema": SCHEMA,
        "title": transcript.title,
        "event_date": _iso(transcript.event_date),
        "source": asdict(transcript.source),
        "manifest": asdict(report.manifest),
        "counts": dict(view.counts),
        "warnings": list(report.warnings),
        "passages": [_passage_row(passage) for passage in report.passages],
        "sentences": [_sentence_row(checked, view.listed_matches) for checked in report.sentences],
    }


def _passage_row(checked: CheckedPassage) -> dict[str, Any]:
    row = asdict(checked)
    passage = row.pop("passage")
    return {**passage, **row, "tier": checked.tier and str(checked.tier)}


def _sentence_row(
    checked: CheckedSentence, listed_matches: Collection[tuple[int, str]]
) -> dict[str, Any]:
    sent = checked.sentence
    on_topic = checked.nearest if checked.on_topic and not checked.matches else None
    matches = [on_topic] if on_topic else checked.matches
    return {
        "number": sent.number,
        "line": sent.line,
        "speaker": sent.speaker,
        "text": sent.text,
        "start": _round(sent.start),
        "end": _round(sent.end),
        **({"words": [asdict(word) for word in sent.words]} if sent.words else {}),
        "check_worthiness": _round(checked.check_worthiness),
        "kept": checked.kept,
        "dropped_reason": checked.dropped_reason,
        "rank": checked.rank,
        "score": _round(checked.score),
        "tier": checked.tier and str(checked.tier),
        "on_topic": on_topic is not None,
        "matches": [
            {**match_row(match), "shown": (sent.number, match.claim.id) in listed_matches}
            for match in matches
        ],
    }


def match_row(match: Match) -> dict[str, Any]:
    """Return a match as the plain values of the published schema."""
    return {
        "rank": match.rank,
        "score": _round(match.score),
        "tier": match.tier and str(match.tier),
        "claim": _claim_row(match.claim),
        "measures": {
            name: _round(value) for name, value in zip(NAMES, match.measures, strict=True)
        },
        "contributions": {name: _round(value) for name, value in match.contributions.items()},
        "stance": str(match.stance),
        "agreement": {part: str(value) for part, value in match.agreement.items()},
        "decision": match.decision and asdict(match.decision),
        "key_sentences": [
            {**asdict(key), "score": _round(key.score)} for key in match.key_sentences
        ],
        "sureness": {name: _round(value) for name, value in match.sureness.items()},
        "against": list(match.against),
        "relation": match.relation
        and {**asdict(match.relation), "confidence": _round(match.relation.confidence)},
    }


def _claim_row(vclaim: VerifiedClaim) -> dict[str, Any]:
    row = {
        f.name: getattr(vclaim, f.name)
        for f in fields(VerifiedClaim)
        if f.name not in ("body", "language")
    }
    return {name: _iso(value) if isinstance(value, date) else value for name, value in row.items()}


def _load_report(table: Mapping[str, Any]) -> Report:
    sentences = tuple(_load_checked(row) for row in table["sentences"])
    transcript = Transcript(
        title=table["title"],
        event_date=_day(table["event_date"]),
        source=_load(Source, table["source"]),
        sentences=tuple(checked.sentence for checked in sentences),
        warnings=tuple(table["warnings"]),
    )
    passages = (
        tuple(_load_passage(row) for row in table["passages"])
        if table.get("passages")
        else arranged(singles(sentences), sentences)
    )
    return Report(
        transcript,
        sentences,
        _load(Manifest, table["manifest"]),
        tuple(table["warnings"]),
        passages,
    )


def _load_passage(row: Mapping[str, Any]) -> CheckedPassage:
    row = {**row, "sentences": tuple(row["sentences"]), "folded": tuple(row["folded"])}
    passage = _load(Passage, row)
    return _load(
        CheckedPassage, {**row, "passage": passage, "tier": row["tier"] and Tier(row["tier"])}
    )


def _load_checked(row: Mapping[str, Any]) -> CheckedSentence:
    on_topic = row.get("on_topic", False)
    matches = tuple(load_match(match) for match in row["matches"])
    return CheckedSentence(
        sentence=_load(
            Sentence, {**row, "words": tuple(_load(Word, word) for word in row.get("words", ()))}
        ),
        check_worthiness=row["check_worthiness"],
        kept=row["kept"],
        dropped_reason=row["dropped_reason"],
        rank=row["rank"],
        score=row["score"],
        tier=row["tier"] and Tier(row["tier"]),
        matches=() if on_topic else matches,
        nearest=load_match(row["nearest"])
        if row.get("nearest")
        else matches[0]
        if on_topic
        else None,
        on_topic=on_topic,
    )


def load_match(row: Mapping[str, Any]) -> Match:
    """Return the match that ``match_row`` wrote."""
    claim = row["claim"]
    dates = {name: _day(claim[name]) for name in ("claim_date", "review_date")}
    return Match(
        claim=_load(
            VerifiedClaim, {**claim, **dates, "rating_class": RatingClass(claim["rating_class"])}
        ),
        rank=row["rank"],
        score=row["score"],
        tier=row["tier"] and Tier(row["tier"]),
        measures=tuple(_measure(row["measures"].get(name)) for name in NAMES),
        contributions=row["contributions"],
        stance=Stance(row["stance"]),
        agreement={part: Agreement(value) for part, value in row["agreement"].items()},
        key_sentences=tuple(_load(KeySentence, key) for key in row["key_sentences"]),
        decision=row["decision"] and _load(Decision, row["decision"]),
        sureness=row.get("sureness", {}),
        against=tuple(row.get("against", ())),
        relation=_load_relation(row.get("relation")),  # absent from older reports
    )


def _load_relation(row: Mapping[str, Any] | None) -> ArticleRelation | None:
    if row is None:
        return None
    steps = tuple(
        _load(EvidenceStep, {**step, "relation": Relation(step["relation"])})
        for step in row["steps"]
    )
    return ArticleRelation(Relation(row["relation"]), row["confidence"], steps)


def _load(kind: type[T], row: Mapping[str, Any]) -> T:
    """Return a value from the fields of a row that its class knows."""
    return kind(**{f.name: row[f.name] for f in fields(kind) if f.name in row})  # type: ignore[arg-type]


def _measure(value: float | None) -> float:
    return math.nan if value is None else value


def _round(value: float | None) -> float | None:
    if value is None or math.isnan(value):
        return None
    return round(float(value), DECIMALS) + 0.0  # + 0.0: no negative zero


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
