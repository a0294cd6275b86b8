"""A small report with every feature in it, for tests that start from a ``Report``."""

from __future__ import annotations

from datetime import date

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    KeySentence,
    Manifest,
    Match,
    RatingClass,
    Report,
    Sentence,
    Source,
    Stance,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.passages.listing import arranged, singles
from features.similarity.catalogue import NAMES

VCLAIM = VerifiedClaim(
    id="sample-1",
    statement="The Channel Tunnel opened in 1994.",
    title="When the tunnel opened",
    body="The tunnel opened on 6 May 1994.\nWe rate this claim True.",
    claimant="a radio host",
    claim_date=date(2019, 3, 1),
    rating="True",
    rating_class=RatingClass.TRUE,
    review_date=date(2019, 3, 4),
    publisher="Lectern sample desk",
    url="https://example.org/samples/1",
)


def match(
    vclaim: VerifiedClaim = VCLAIM, *, rank: int = 1, score: float = 1.5, tier: Tier = Tier.LIKELY
) -> Match:
    return Match(
        claim=vclaim,
        rank=rank,
        score=score,
        tier=tier,
        measures=tuple(round(0.05 * i, 2) for i in range(len(NAMES))),
        contributions={"base": 0.5, "sbert_statement": 0.75, "bm25_body": 0.25},
        stance=Stance.REPEATS,
        agreement={"numbers": Agreement.SAME, "names": Agreement.SAME, "dates": Agreement.MISSING},
        key_sentences=(
            KeySentence(
                0, 0, 32, "The tunnel opened on 6 May 1994.", 0.91, "nearest to the sentence"
            ),
        ),
    )


def sentence(number: int, text: str, speaker: str | None = "RIVERA") -> Sentence:
    return Sentence(
        number=number,
        line=number,
        text=text,
        speaker=speaker,
        start=number * 4.0,
        end=number * 4.0 + 3,
    )


def report(first_sentence: str = "The tunnel has been open since 1994.") -> Report:
    sentences = (
        sentence(1, first_sentence),
        sentence(2, "Good evening, and welcome."),
        sentence(3, "We built 400 schools.", None),
    )
    source = Source("debate.txt", "plain text", "0" * 64)
    transcript = Transcript(
        "City debate", date(2024, 9, 10), source, sentences, ("No times in this file.",)
    )
    checked = (
        CheckedSentence(sentences[0], 0.9, True, None, 1, 1.5, Tier.LIKELY, (match(),)),
        CheckedSentence(sentences[1], 0.02, False, "greeting or thanks"),
        CheckedSentence(
            sentences[2], 0.7, True, None, 2, -1.0, None, (), match(score=-1.0, tier=Tier.POSSIBLE)
        ),
    )
    manifest = Manifest(
        "0.1.0", "embedded", {"sbert": "abc"}, {"claims": 1, "digest": "d"}, {"as_of_event": False}
    )
    return Report(
        transcript, checked, manifest, transcript.warnings, arranged(singles(checked), checked)
    )
