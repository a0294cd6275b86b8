"""Decisions on the matches of a check: read, made and undone by programs, in their own name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from assistant.api.authorisation import MayDecide, MayReadDecisions, Services
from assistant.api.check_routes import CheckId, visible_check
from assistant.api.etags import tagged
from assistant.api.problems import PROBLEM_RESPONSES, ApiProblem, described_problems
from assistant.api.services import ApiServices
from assistant.api.wire_types import PlainText
from assistant.core.domain import Decision, Match
from assistant.core.errors import DecisionConflict
from assistant.live.access_tokens import ApiGrant
from assistant.report import contents
from assistant.review import deciding
from assistant.review.claim_review_draft import (
    NewsroomEdits,
    NewsroomRating,
    claim_review_draft,
)
from assistant.review.decision_placement import DecidedReport
from assistant.review.decision_store import DecisionStore, Record

MAX_NOTE_CHARACTERS = 2_000
MAX_SENTENCES = 1_000_000
router = APIRouter(tags=["decisions"])
SentenceNumber = Annotated[int, Path(ge=1, le=MAX_SENTENCES)]
FactCheckId = Annotated[PlainText, Path(min_length=1, max_length=500)]
FactCheckIdText = Annotated[PlainText, Field(min_length=1, max_length=500)]
WebAddress = Annotated[PlainText, Field(max_length=2_000, pattern=r"^(https?://[!-~]+)?$")]
RatingNumber = Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
CONFLICT_RESPONSES = described_problems(409)


class NewDecision(BaseModel):
    """A decision on a match. A rejection needs a reason, and other decisions have none."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["confirm", "reject", "later"]
    reason: Literal[
        "",
        "wrong topic",
        "wrong number",
        "wrong person",
        "wrong place",
        "wrong time",
        "not a claim",
        "other",
    ] = ""
    note: Annotated[PlainText, Field(max_length=MAX_NOTE_CHARACTERS)] = ""
    version: int | None = Field(
        None,
        ge=0,
        le=MAX_SENTENCES,
        description="the version that you last read, or 0 for no decision. "
        "If another version is stored, the answer is 409",
    )


class StoredDecision(BaseModel):
    """A stored decision. If it was undone, ``verdict`` is empty."""

    sentence: int
    fact_check_id: str
    verdict: str
    reason: str
    note: str
    by: str
    at: str
    version: int


class DecisionList(BaseModel):
    """The decisions on the matches of a check, in the order of the transcript."""

    items: list[StoredDecision]


@router.get(
    "/checks/{check_id}/decisions", response_model=DecisionList, responses=PROBLEM_RESPONSES
)
def list_decisions(
    request: Request, check_id: CheckId, services: Services, grant: MayReadDecisions
) -> Response:
    """Return the decisions of people and programs on the matches of a check."""
    decided_report = _placed(services, grant, check_id)
    items = []
    # The keys, sentence number and id of the fact-check, give the order.
    for (sentence_number, _), record in sorted(decided_report.records.items()):
        was_undone = record.decision is None
        if not was_undone:
            items.append(_stored_decision(sentence_number, record))
    return tagged(request, DecisionList(items=items))


@router.put(
    "/checks/{check_id}/decisions/{sentence_number}/{fact_check_id:path}",
    response_model=StoredDecision,
    responses=CONFLICT_RESPONSES,
)
def decide_on_match(
    check_id: CheckId,
    sentence_number: SentenceNumber,
    fact_check_id: FactCheckId,
    new_decision: NewDecision,
    services: Services,
    grant: MayDecide,
) -> StoredDecision:
    """Store a decision on a match of a sentence, in the name of the token."""
    decided_report = _placed(services, grant, check_id)
    match = _match(decided_report, sentence_number, fact_check_id)
    decision = Decision(
        new_decision.verdict, new_decision.reason, f"token {grant.name}", note=new_decision.note
    )

    def decide(store: DecisionStore) -> Record:
        return deciding.decide(
            store, decided_report, (sentence_number, match), decision, seen=new_decision.version
        )

    return _stored_decision(sentence_number, _written(services, decide))


@router.delete(
    "/checks/{check_id}/decisions/{sentence_number}/{fact_check_id:path}",
    response_model=StoredDecision,
    responses=CONFLICT_RESPONSES,
)
def undo_decision(
    check_id: CheckId,
    sentence_number: SentenceNumber,
    fact_check_id: FactCheckId,
    services: Services,
    grant: MayDecide,
) -> StoredDecision:
    """Undo the latest decision on a match, and return the decision that is then valid."""
    decided_report = _placed(services, grant, check_id)
    record = decided_report.records.get((sentence_number, fact_check_id))
    if record is None or record.decision is None:
        raise ApiProblem(404, "There is no decision on this match.")

    def undo(store: DecisionStore) -> Record:
        return deciding.undo(store, record, f"token {grant.name}")

    return _stored_decision(sentence_number, _written(services, undo))


class OwnRating(BaseModel):
    """The newsroom's own rating. If it has a number, it also needs ``worst`` and ``best``."""

    model_config = ConfigDict(extra="forbid")

    words: Annotated[PlainText, Field(max_length=200)] = ""
    value: RatingNumber | None = None
    worst: RatingNumber | None = None
    best: RatingNumber | None = None


class DraftRequest(BaseModel):
    """A confirmed match, and the details of the newsroom's own article."""

    model_config = ConfigDict(extra="forbid")

    sentence: int = Field(
        ge=1, le=MAX_SENTENCES, description="the number of the sentence in the report"
    )
    fact_check_id: FactCheckIdText
    newsroom: Annotated[PlainText, Field(min_length=1, max_length=200)]
    newsroom_address: WebAddress = ""
    claim_reviewed: Annotated[PlainText, Field(max_length=MAX_NOTE_CHARACTERS)] = Field(
        "", description="the claim in the newsroom's words (default: the sentence)"
    )
    rating: OwnRating = OwnRating()
    explanation: Annotated[PlainText, Field(max_length=MAX_NOTE_CHARACTERS)] = ""
    address: WebAddress = Field("", description="the address of the article, if it has one")
    published: date | None = None


@router.post(
    "/checks/{check_id}/claim-review",
    responses={
        **PROBLEM_RESPONSES,
        200: {"content": {"application/ld+json": {"schema": {"type": "object"}}}},
    },
    response_class=Response,
)
def draft_claim_review(
    check_id: CheckId, edited: DraftRequest, services: Services, grant: MayReadDecisions
) -> Response:
    """Return a draft of ClaimReview data (schema.org) for the newsroom's own article.

    The match must be confirmed. The draft cites the published fact-check as its source, and
    contains only the newsroom's rating. Lectern doesn't store the draft.
    """
    decided_report = _placed(services, grant, check_id)
    match = _match(decided_report, edited.sentence, edited.fact_check_id)
    checked_sentence = next(
        checked_sentence
        for checked_sentence in decided_report.report.sentences
        if checked_sentence.sentence.number == edited.sentence
    )
    edits = NewsroomEdits(
        newsroom=edited.newsroom,
        newsroom_address=edited.newsroom_address,
        claim_reviewed=edited.claim_reviewed,
        rating=NewsroomRating(**edited.rating.model_dump()),
        explanation=edited.explanation,
        address=edited.address,
        published=edited.published,
    )
    draft = claim_review_draft(decided_report.report, checked_sentence, match, edits)
    return Response(contents.json_for_pages(draft), media_type="application/ld+json")


def _placed(services: ApiServices, grant: ApiGrant, check_id: str) -> DecidedReport:
    """Return the report of a check with its decisions. Raises: ApiProblem if there is none."""
    record = visible_check(services, grant, check_id)
    report = services.checks.report(record)
    if report is None:
        raise ApiProblem(404, "There is no report for this check.")
    return deciding.decided_report(services.decisions, report)


def _match(decided_report: DecidedReport, sentence_number: int, fact_check_id: str) -> Match:
    """Return the match of a sentence with a fact-check. Raises: ApiProblem."""
    for checked_sentence in decided_report.report.sentences:
        if checked_sentence.sentence.number != sentence_number:
            continue
        matches = [*checked_sentence.matches]
        if (
            checked_sentence.nearest is not None
        ):  # the closest fact-check, too different to be listed
            matches.append(checked_sentence.nearest)
        for match in matches:
            if match.claim.id == fact_check_id:
                return match
    raise ApiProblem(404, "There is no such match in this check.")


def _written(services: ApiServices, write: Callable[[DecisionStore], Record]) -> Record:
    """Return the version that ``write`` stores. Raises: ApiProblem if another one was faster."""
    try:
        return write(services.decisions)
    except DecisionConflict as error:
        version = error.theirs.version if error.theirs else 0
        raise ApiProblem(409, str(error), extra={"version": version}) from error


def _stored_decision(sentence_number: int, record: Record) -> StoredDecision:
    decision = record.decision or Decision("")
    return StoredDecision(
        sentence=sentence_number,
        fact_check_id=record.anchor.claim_id,
        verdict=decision.verdict,
        reason=decision.reason,
        note=decision.note,
        by=decision.by,
        at=decision.at,
        version=record.version,
    )
