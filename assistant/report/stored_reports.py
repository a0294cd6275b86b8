"""Stored reports: a report as the JSON that is stored on disk and in the database, and back.

The schema is ``lectern.report/1``, the published one (``assistant/reports/json_form.py``), with
the nearest candidate of each unmatched sentence added. An unmatched sentence whose nearest
candidate is about the same topic has it as its only match, without a tier and not ``shown``. A
stored report may be older or newer than this program: a feature that was not stored is NaN, and null when it is
written again; features and fields that this program does not know are ignored.
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
    Difference,
    EvidenceStep,
    KeySentence,
    Manifest,
    Match,
    Passage,
    RatingClass,
    Relation,
    ReopenedDecision,
    Report,
    Sentence,
    Source,
    SpeakerRole,
    SpokenWord,
    Stance,
    Strength,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.core.errors import MalformedTranscript
from assistant.passages.listing import arranged, singles
from assistant.report.measured_strength import with_strengths
from assistant.report.view import ReportView
from features.similarity.catalogue import NAMES

SCHEMA = "lectern.report/1"
# Scores are rounded below the noise of the features: bytes do not depend on the batch size.
DECIMALS = 6
T = TypeVar("T")


def archive(report: Report) -> bytes:
    """Return the bytes to store: the published schema with the nearest candidates added."""
    values = report_row(ReportView(report))
    for sentence_values, checked_sentence in zip(
        values["sentences"], report.sentences, strict=True
    ):
        sentence_values["nearest"] = checked_sentence.nearest and match_row(
            checked_sentence.nearest
        )
    return to_bytes(values)


def load(data: bytes) -> Report:
    """Return a stored or published report; its claims lack article and language.

    Raises: MalformedTranscript if the bytes are not a report of this version.
    """
    try:
        values = json.loads(data)
        if values["schema"] != SCHEMA:
            raise MalformedTranscript(
                f"the report has schema {values['schema']!r}, but Lectern needs {SCHEMA!r}."
            )
        return _load_report(values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MalformedTranscript(
            f"isn't a Lectern report ({error!r}).", remedy="Check the transcript again."
        ) from error


def to_bytes(values: Mapping[str, Any]) -> bytes:
    """Return plain values as UTF-8 JSON that ends in a line break."""
    text = json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def report_row(view: ReportView) -> dict[str, Any]:
    """Return a report as the plain values of the published schema."""
    report = view.report
    transcript = report.transcript
    return {
        "schema": SCHEMA,
        "title": transcript.title,
        "event_date": _iso_or_none(transcript.event_date),
        "source": asdict(transcript.source),
        **_role_fields(transcript),
        "manifest": asdict(report.manifest),
        "counts": dict(view.counts),
        "warnings": list(report.warnings),
        "passages": [_passage_row(passage) for passage in report.passages],
        "sentences": [_sentence_row(checked, view.listed_matches) for checked in report.sentences],
    }


def _role_fields(transcript: Transcript) -> dict[str, Any]:
    """Return the roles that a person chose; a report without them has no such field."""
    roles = {speaker: str(role) for speaker, role in transcript.speaker_roles}
    return {"speaker_roles": roles} if roles else {}


def _passage_row(checked: CheckedPassage) -> dict[str, Any]:
    """Return a passage and its place in the list as one table of plain values."""
    # The fields of the passage and of its place in the list, side by side.
    placement = asdict(checked)
    passage = placement.pop("passage")
    return {
        **passage,
        **placement,
        "tier": _name_or_none(checked.tier),
        "strength": _name_or_none(checked.strength),
    }


def _sentence_row(
    checked_sentence: CheckedSentence, listed_matches: Collection[tuple[int, str]]
) -> dict[str, Any]:
    """Return a checked sentence with its matches as plain values.

    ``listed_matches``: number of the sentence and id of the claim of each match in the list.
    """
    # A sentence without a match may have a near fact-check on its topic. The published schema
    # has it in place of matches.
    nearest_on_topic = None
    if checked_sentence.on_topic and not checked_sentence.matches:
        nearest_on_topic = checked_sentence.nearest
    written_matches = [nearest_on_topic] if nearest_on_topic else checked_sentence.matches
    match_rows = []
    for match in written_matches:
        is_listed = (checked_sentence.sentence.number, match.claim.id) in listed_matches
        match_rows.append({**match_row(match), "shown": is_listed})
    return {
        **_transcript_fields(checked_sentence.sentence),
        "check_worthiness": _rounded_or_none(checked_sentence.check_worthiness),
        "kept": checked_sentence.kept,
        "dropped_reason": checked_sentence.dropped_reason,
        "rank": checked_sentence.rank,
        "score": _rounded_or_none(checked_sentence.score),
        "tier": _name_or_none(checked_sentence.tier),
        "strength": _name_or_none(checked_sentence.strength),
        "on_topic": nearest_on_topic is not None,
        "restates": checked_sentence.restates,
        "matches": match_rows,
    }


def _transcript_fields(sentence: Sentence) -> dict[str, Any]:
    """Return an input sentence as plain values, with its words if it was transcribed."""
    values: dict[str, Any] = {
        "number": sentence.number,
        "line": sentence.line,
        "speaker": sentence.speaker,
        "text": sentence.text,
        "start": _rounded_or_none(sentence.start),
        "end": _rounded_or_none(sentence.end),
    }
    if sentence.words:
        values["words"] = [asdict(word) for word in sentence.words]
    return values


def match_row(match: Match) -> dict[str, Any]:
    """Return a match as the plain values of the published schema."""
    match_values = {
        "rank": match.rank,
        "score": _rounded_or_none(match.score),
        "tier": _name_or_none(match.tier),
        "strength": _name_or_none(match.strength),
        "claim": _claim_row(match.claim),
        "measures": _rounded(dict(zip(NAMES, match.measures, strict=True))),
        "contributions": _rounded(match.contributions),
        "stance": str(match.stance),
        "agreement": {name: str(value) for name, value in match.agreement.items()},
        "decision": match.decision and asdict(match.decision),
        "key_sentences": [
            {**asdict(key), "score": _rounded_or_none(key.score)} for key in match.key_sentences
        ],
        "sureness": _rounded(match.sureness),
        "against": list(match.against),
        "relation": match.relation and _relation_row(match.relation),
    }
    if match.differences:
        match_values["differences"] = [asdict(difference) for difference in match.differences]
    if match.uncovered:
        match_values["uncovered"] = [asdict(difference) for difference in match.uncovered]
    if match.reopened:
        match_values["reopened"] = asdict(match.reopened)
    if match.revised:
        match_values["revised"] = match.revised
    if match.other_addresses:
        match_values["other_addresses"] = match.other_addresses
    return match_values


def _relation_row(relation: ArticleRelation) -> dict[str, Any]:
    return {**asdict(relation), "confidence": _rounded_or_none(relation.confidence)}


def _claim_row(claim: VerifiedClaim) -> dict[str, Any]:
    """Return a claim as plain values without its article and language, which the database has."""
    values = {}
    for field in fields(VerifiedClaim):
        if field.name in ("body", "language"):
            continue
        value = getattr(claim, field.name)
        values[field.name] = _iso_or_none(value) if isinstance(value, date) else value
    return values


def _load_report(values: Mapping[str, Any]) -> Report:
    """Build a report from its plain values; one from before strengths gets them now."""
    sentences = tuple(
        _load_checked_sentence(sentence_values) for sentence_values in values["sentences"]
    )
    warnings = tuple(values["warnings"])
    roles = values.get("speaker_roles", {})
    transcript = Transcript(
        title=values["title"],
        event_date=_load_day(values["event_date"]),
        source=_load_dataclass(Source, values["source"]),
        sentences=tuple(checked_sentence.sentence for checked_sentence in sentences),
        warnings=warnings,
        speaker_roles=tuple((speaker, SpeakerRole(role)) for speaker, role in roles.items()),
    )
    passages = _load_passages(values, sentences)
    manifest = _load_dataclass(Manifest, values["manifest"])
    report = Report(transcript, sentences, manifest, warnings, passages)
    # Reports of an earlier Lectern do not say how strong their matches are.
    has_strengths = all("strength" in sentence_values for sentence_values in values["sentences"])
    return report if has_strengths else with_strengths(report)


def _load_passages(
    values: Mapping[str, Any], sentences: tuple[CheckedSentence, ...]
) -> tuple[CheckedPassage, ...]:
    """Return the passages of a report; sentences are passages in a report from before passages.

    An early report grouped passages that only shared a fact-check. It does not say which of them
    make the same statement, so each is listed by itself.
    """
    if not values.get("passages"):
        # The oldest reports have no passages: each sentence becomes one.
        return arranged(singles(sentences), sentences)
    checked_passages = tuple(_load_passage(passage) for passage in values["passages"])
    # Later reports say for each passage whether it is listed, and which sentence it restates.
    has_restatements = all("restates" in sentence for sentence in values["sentences"])
    has_listing = all("listed" in passage for passage in values["passages"])
    if has_restatements and has_listing:
        return checked_passages
    return arranged([checked.passage for checked in checked_passages], sentences)


def _load_passage(values: Mapping[str, Any]) -> CheckedPassage:
    """Build a passage with its place in the list from the table that ``_passage_row`` wrote."""
    placement = {
        **values,
        "sentences": tuple(values["sentences"]),
        "folded": tuple(values["folded"]),
        "tier": _load_tier(values["tier"]),
        "strength": _load_strength(values.get("strength")),
    }
    placement["passage"] = _load_dataclass(Passage, placement)
    return _load_dataclass(CheckedPassage, placement)


def _load_checked_sentence(values: Mapping[str, Any]) -> CheckedSentence:
    """Build a checked sentence with its matches from its plain values."""
    words = tuple(
        _load_dataclass(SpokenWord, word_values) for word_values in values.get("words", ())
    )
    matches = tuple(load_match(match_values) for match_values in values["matches"])
    nearest = load_match(values["nearest"]) if values.get("nearest") else None
    on_topic = values.get("on_topic", False)
    if on_topic:
        # The published schema has the nearest candidate in place of matches.
        nearest = nearest or matches[0]
        matches = ()
    return CheckedSentence(
        sentence=_load_dataclass(Sentence, {**values, "words": words}),
        check_worthiness=values["check_worthiness"],
        kept=values["kept"],
        dropped_reason=values["dropped_reason"],
        rank=values["rank"],
        score=values["score"],
        tier=_load_tier(values["tier"]),
        matches=matches,
        nearest=nearest,
        on_topic=on_topic,
        restates=values.get("restates"),
    )


def load_match(values: Mapping[str, Any]) -> Match:
    """Return the match that ``match_row`` wrote."""
    features = values["measures"]
    agreement = values["agreement"]
    return Match(
        claim=_load_claim(values["claim"]),
        rank=values["rank"],
        score=values["score"],
        tier=_load_tier(values["tier"]),
        measures=tuple(_feature_value(features.get(name)) for name in NAMES),
        contributions=values["contributions"],
        stance=Stance(values["stance"]),
        agreement={name: Agreement(value) for name, value in agreement.items()},
        key_sentences=tuple(_load_dataclass(KeySentence, key) for key in values["key_sentences"]),
        decision=values["decision"] and _load_dataclass(Decision, values["decision"]),
        # Older reports lack these.
        sureness=values.get("sureness", {}),
        against=tuple(values.get("against", ())),
        differences=tuple(
            _load_dataclass(Difference, difference) for difference in values.get("differences", ())
        ),
        uncovered=tuple(_load_dataclass(Difference, part) for part in values.get("uncovered", ())),
        relation=_load_relation(values.get("relation")),
        reopened=_load_reopened(values.get("reopened")),
        revised=values.get("revised", ""),
        other_addresses=values.get("other_addresses", 0),
        strength=_load_strength(values.get("strength")),
    )


def _load_reopened(values: Mapping[str, Any] | None) -> ReopenedDecision | None:
    if values is None:
        return None
    decision = _load_dataclass(Decision, values["decision"])
    return _load_dataclass(ReopenedDecision, {**values, "decision": decision})


def _load_claim(values: Mapping[str, Any]) -> VerifiedClaim:
    return _load_dataclass(
        VerifiedClaim,
        {
            **values,
            "claim_date": _load_day(values["claim_date"]),
            "review_date": _load_day(values["review_date"]),
            "rating_class": RatingClass(values["rating_class"]),
        },
    )


def _load_relation(values: Mapping[str, Any] | None) -> ArticleRelation | None:
    """Return the relation of an article, which the schema has but Lectern never gives."""
    if values is None:
        return None
    steps = []
    for step_values in values["steps"]:
        relation = Relation(step_values["relation"])
        steps.append(_load_dataclass(EvidenceStep, {**step_values, "relation": relation}))
    return ArticleRelation(Relation(values["relation"]), values["confidence"], tuple(steps))


def _load_dataclass(kind: type[T], values: Mapping[str, Any]) -> T:
    """Return a dataclass from the values that are fields of it."""
    names = [field.name for field in fields(kind) if field.name in values]  # type: ignore[arg-type]
    return kind(**{name: values[name] for name in names})


def _load_tier(name: str | None) -> Tier | None:
    return Tier(name) if name else None


def _load_strength(name: str | None) -> Strength | None:
    return Strength(name) if name else None


def _name_or_none(step: Tier | Strength | None) -> str | None:
    return str(step) if step else None


def _feature_value(value: float | None) -> float:
    return math.nan if value is None else value


def _rounded(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _rounded_or_none(value) for name, value in values.items()}


def _rounded_or_none(value: float | None) -> float | None:
    if value is None or math.isnan(value):
        return None
    return round(float(value), DECIMALS) + 0.0  # + 0.0: no negative zero


def _iso_or_none(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _load_day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
