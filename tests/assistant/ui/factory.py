"""A made-up report of any size, the same every time, for tests and for looking at the screens."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date
from itertools import groupby
from pathlib import Path

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    KeySentence,
    Manifest,
    Match,
    Passage,
    RatingClass,
    Report,
    Sentence,
    Source,
    Stance,
    Strength,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.jobs.check_service import CheckService
from assistant.jobs.report_store import ReportStore
from assistant.passages.listing import arranged, singles
from assistant.report import stored_reports
from features.similarity.catalogue import MEASURES

EVENT = date(2024, 9, 10)
PATIENCE_S = 240
SPEAKERS = ("Ines Calder", "Alma Reyes", "Tom Whitfield")
LINES = (
    "Good evening, and welcome to the city hall.",
    "The bridge was opened in 1937, and it cost 35 million dollars.",
    "Our river has never been as clean as it is today.",
    "Nobody in this city pays more than 9% of income for water.",
    "The buses of this city carried 9 million people in 2019.",
    "I think we can do better, and we will do better.",
    "The speed of light is about 300,000 kilometers per second, and my opponent's promises are faster.",
    "In May 2019 the council did not vote for the park.",
)
RATINGS = (
    ("Mostly False", RatingClass.FALSE),
    ("True", RatingClass.TRUE),
    ("Half True", RatingClass.MIXTURE),
    ("Four Pinocchios", RatingClass.FALSE),
    ("Needs context", RatingClass.OTHER),
    ("Full Flop", RatingClass.NOT_A_TRUTH_RATING),
)
BODY = (
    "A candidate said that the bridge opened in 1938.\n"
    "The city archive dates the opening to 27 May 1937.\n"
    "The figure of 35 million dollars is in the annual report.\n"
    "We rate the claim Mostly False."
)


def vclaim(i: int) -> VerifiedClaim:
    """Return the i-th verified claim; every fifth has no article, every seventh no date."""
    rating, rating_class = RATINGS[i % len(RATINGS)]
    return VerifiedClaim(
        id=f"claim-{i}",
        statement=f"The bridge opened in 1938 and cost {20 + i} million dollars.",
        title=f"Did the bridge open in 1938? ({i})",
        body="" if i % 5 == 4 else BODY,
        claimant="a council member",
        claim_date=None if i % 7 == 6 else date(2018, 5, 15),
        rating=rating,
        rating_class=rating_class,
        review_date=None if i % 7 == 6 else date(2018, 5, 21),
        publisher=("City Desk", "River Post")[i % 2],
        url=f"https://example.org/check/{i}",
    )


STRENGTH_BY_TIER = {Tier.LIKELY: Strength.STRONG, Tier.POSSIBLE: Strength.GOOD, None: None}


def match(i: int, rank: int, tier: Tier | None) -> Match:
    """Return a match with every part filled."""
    claim = vclaim(i)
    start = BODY.index("The city archive")
    text = BODY.split("\n")[1]
    return Match(
        claim=claim,
        rank=rank,
        score=3.0 - rank,
        tier=tier,
        measures=tuple(round(0.9 - 0.03 * c, 3) for c in range(len(MEASURES))),
        contributions={
            "bm25_statement": 0.8,
            "nli_entailment": 0.5,
            "sbert_statement": 0.9,
            "simcse_body_1": 0.1,
            "bertscore": 0.2,
            "same_speaker": -0.1,
            "date_gap": -0.4,
        },
        stance=(Stance.REPEATS, Stance.UNCLEAR, Stance.CONTRADICTS)[i % 3],
        agreement={
            "numbers": Agreement.DIFFERENT,
            "names": Agreement.MISSING,
            "dates": Agreement.DIFFERENT,
        },
        key_sentences=(KeySentence(1, start, start + len(text), text, 0.8, "decides the rating"),)
        if claim.body
        else (),
        strength=STRENGTH_BY_TIER[tier],
    )


def report(sentences: int = 60, *, matched: bool = True) -> Report:
    """Return a report with all kinds of sentences: likely, possible, without a match, dropped."""
    sents = tuple(_sentence(n) for n in range(1, sentences + 1))
    checked = []
    rank = 0
    for sent in sents:
        worthy = (sent.number - 1) % len(LINES) not in (0, 4, 5)
        rank += worthy
        checked.append(
            _checked(sent, rank, _tier(rank, sentences) if matched else None)
            if worthy
            else _dropped(sent)
        )
    source = Source("city-hall.vtt", "WebVTT", "ab" * 32)
    transcript = Transcript("City hall debate", EVENT, source, sents, ("No date in the file.",))
    database = {"claims": 19250, "newest_review_date": "2021-01-29", "digest": "d" * 64}
    models = {
        "sbert": "all-MiniLM-L6-v2 1234abcd",
        "simcse": "all-MiniLM-L6-v2 + simcse 5678",
        "nli": "nli 9abc",
    }
    manifest = Manifest(
        "0.1.0", "embedded", models, database, {"as_of_event": False, "ranker": "lectern"}
    )
    return Report(
        transcript,
        tuple(checked),
        manifest,
        transcript.warnings,
        arranged(singles(checked), checked),
    )


def passages(sentences: int = 60) -> Report:
    """Return a report in which each turn is a passage, Alma Reyes says one claim again and again, and the sentences
    without a match are on a checked topic.
    """
    plain_report = report(sentences)
    again = [replace(c, on_topic=c.nearest is not None) for c in plain_report.sentences]
    repeated = [c for c in again if c.sentence.speaker == SPEAKERS[1] and c.matches]
    first_saying = min(repeated, key=lambda c: c.rank or 0).sentence.number
    for i, c in enumerate(again):
        if c.sentence.speaker == SPEAKERS[1]:
            is_first = c.sentence.number == first_saying
            again[i] = replace(
                c,
                matches=tuple(replace(m, claim=vclaim(0), agreement={}) for m in c.matches[:1]),
                restates=None if is_first else first_saying,
            )
    turns = [
        tuple(c.sentence.number for c in turn)
        for _, turn in groupby(again, lambda c: c.sentence.speaker)
    ]
    found_passages = [Passage(number, numbers) for number, numbers in enumerate(turns, 1)]
    return replace(plain_report, sentences=tuple(again), passages=arranged(found_passages, again))


def _sentence(number: int) -> Sentence:
    speaker = SPEAKERS[(number - 1) // 3 % 3] if number % 20 else None
    return Sentence(
        number,
        number * 2,
        LINES[(number - 1) % len(LINES)],
        speaker,
        number * 4.0,
        number * 4.0 + 3.5,
    )


def _tier(rank: int, sentences: int) -> Tier | None:
    if rank <= sentences / 5:
        return Tier.LIKELY
    return Tier.POSSIBLE if rank <= sentences / 2.5 else None


def _checked(sent: Sentence, rank: int, tier: Tier | None) -> CheckedSentence:
    matches = tuple(match(rank + i, i + 1, tier) for i in range(1 + rank % 3)) if tier else ()
    nearest = None if tier else match(rank, 1, None)
    return CheckedSentence(
        sent, 0.5 + rank % 5 / 10, True, None, rank, 4.0 - rank / 10, tier, matches, nearest
    )


def _dropped(sent: Sentence) -> CheckedSentence:
    return CheckedSentence(sent, 0.1, False, "a question of the moderator")


def keep(home: Path, report_id: str, report: Report | bytes) -> None:
    """Store a report in the database of a home folder, as a finished check does."""
    data = report if isinstance(report, bytes) else stored_reports.archive(report)
    with ReportStore.open(f"sqlite:///{home / 'lectern.db'}") as shelf:
        shelf.store_report(report_id, data, now=time.time())


def wait_for_jobs(check_service: CheckService) -> None:
    """Return once no job of a desk waits or runs."""
    ends = time.monotonic() + PATIENCE_S
    while active := check_service.jobs.active():
        assert time.monotonic() < ends, f"{active} do not end"
        time.sleep(0.01)
