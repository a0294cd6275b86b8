"""``POST /v1/match``: the fact-checks that cover a text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Self

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.concurrency import run_in_threadpool

from assistant.api.authorisation import MayMatch, Services
from assistant.api.match_queue import MatchSettings, TextSentence, text_sentences
from assistant.api.problems import PROBLEM_RESPONSES
from assistant.api.wire_types import FactCheck, MatchStrength, PlainText
from assistant.core.domain import Agreement, CheckedSentence, Match, Stance, Tier
from assistant.report import wording

MAX_TEXTS = 20
MAX_TEXT_CHARACTERS = 5_000
MAX_CHARACTERS_IN_ALL = 20_000
DEFAULT_MATCHES = 5
MAX_MATCHES = 10
router = APIRouter(tags=["match"])


class MatchRequest(BaseModel):
    """The texts to match, and the options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"texts": ["Unemployment has fallen to three percent."], "limit": 3}]
        },
    )

    texts: list[Annotated[PlainText, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]] = Field(
        min_length=1,
        max_length=MAX_TEXTS,
        description=f"the texts, with at most {MAX_CHARACTERS_IN_ALL:,} characters in all",
    )
    event_date: date | None = Field(
        None, description="the day of the statement, used to work out dates such as last year"
    )
    before_event: bool = Field(
        False, description="use only fact-checks that were published before the event"
    )
    limit: int = Field(
        DEFAULT_MATCHES, ge=1, le=MAX_MATCHES, description="maximum number of matches per sentence"
    )

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if sum(map(len, self.texts)) > MAX_CHARACTERS_IN_ALL:
            raise ValueError(
                f"together, the texts have more than {MAX_CHARACTERS_IN_ALL:,} characters"
            )
        if not all(text.strip() for text in self.texts):
            raise ValueError("one of the texts contains no words")
        if self.before_event and self.event_date is None:
            raise ValueError("before_event is set, but event_date is missing")
        return self


class QuotedSentence(BaseModel):
    """A sentence quoted from the fact-check's article, and the reason for quoting it."""

    text: str
    why: str


class FoundMatch(BaseModel):
    """A fact-check that covers a sentence, or may cover it."""

    rank: int
    strength: MatchStrength
    tier: Tier | None
    score: float = Field(description="comparable only with other matches of the sentence")
    stance: Stance
    differs: list[str] = Field(description="the conflicts between the two texts, in words")
    agreement: dict[str, Agreement] = Field(description="whether numbers, names and dates agree")
    cautions: list[str] = Field(description="read these before you use the rating")
    fact_check: FactCheck
    key_sentences: list[QuotedSentence]


class MatchedSentence(BaseModel):
    """A sentence with its position in the text, and its matches, best first."""

    text: str
    start: int
    end: int
    check_worthiness: float = Field(
        description="0 to 1. A low value means that the sentence is probably not a factual claim"
    )
    matches: list[FoundMatch]
    related: FactCheck | None = Field(
        description="if nothing matches, a fact-check on the same topic"
    )


class MatchedText(BaseModel):
    """The sentences of a text, in order."""

    sentences: list[MatchedSentence]


class MatchAnswer(BaseModel):
    """The matched texts, in the order of the request."""

    texts: list[MatchedText]
    notice: str = Field(description="a sentence to show beside ratings")


@router.post("/match", response_model=MatchAnswer, responses=PROBLEM_RESPONSES)
async def match_texts(request: MatchRequest, services: Services, grant: MayMatch) -> MatchAnswer:
    """Return the fact-checks that cover one or more texts, sentence by sentence.

    Lectern doesn't store the texts. Send a sentence or a paragraph as one text, because earlier
    sentences help to understand later ones. For a whole transcript, use `POST /v1/checks`.
    """
    # splitting takes time, and the event loop serves others meanwhile
    sentences = await run_in_threadpool(text_sentences, request.texts)
    settings = MatchSettings(request.event_date, request.before_event)
    future = services.matcher.submit(sentences, settings, holder=grant.digest)
    results = await asyncio.wrap_future(future)
    return _answer(request, sentences, results)


def _answer(
    request: MatchRequest, sentences: Sequence[TextSentence], results: Sequence[CheckedSentence]
) -> MatchAnswer:
    answer = MatchAnswer(
        texts=[MatchedText(sentences=[]) for _ in request.texts],
        notice=wording.RATINGS_ARE_THE_PUBLISHERS,
    )
    # the results are in the order of the sentences
    for sentence, checked in zip(sentences, results, strict=True):
        text = request.texts[sentence.text_number]
        matches = [found_match(match, request.event_date) for match in checked.matches]
        related = None
        # nearest: the closest fact-check, too different to be a match
        if not matches and checked.on_topic and checked.nearest is not None:
            related = FactCheck.of(checked.nearest.claim)
        matched = MatchedSentence(
            text=text[sentence.start : sentence.end],
            start=sentence.start,
            end=sentence.end,
            check_worthiness=round(checked.check_worthiness, 6),
            matches=matches[: request.limit],
            related=related,
        )
        answer.texts[sentence.text_number].sentences.append(matched)
    return answer


def found_match(match: Match, event_date: date | None) -> FoundMatch:
    """Return a match as the API describes it."""
    quoted_sentences = [
        QuotedSentence(text=key_sentence.text, why=key_sentence.why)
        for key_sentence in wording.quoted_key_sentences(match)
    ]
    return FoundMatch(
        rank=match.rank,
        strength=MatchStrength.of(match),
        tier=match.tier,
        score=round(match.score, 6),
        stance=match.stance,
        differs=wording.conflict_reasons(match),
        agreement=dict(match.agreement),
        cautions=wording.cautions(match, event_date),
        fact_check=FactCheck.of(match.claim),
        key_sentences=quoted_sentences,
    )
