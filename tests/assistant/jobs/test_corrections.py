"""Corrections: one sentence is checked again by the real pipeline, and everything else stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
import sqlalchemy as sa

from assistant import pipeline
from assistant.core.audit import audit_table
from assistant.core.domain import Sentence, Source, Transcript, VerifiedClaim
from assistant.core.errors import TranscriptError
from assistant.core.settings import EMBEDDED
from assistant.jobs.corrections import Correction, CorrectionStore, corrected_report

HEARD = "The brick opened in nineteen thirty and cost thirty five millions."
SAID = "The bridge opened in 1937 and cost 35 million dollars."
TEXTS = (
    "Good evening.",
    "Unemployment fell to three percent last year.",
    HEARD,
    "Thank you for that answer.",
)
CLAIMS = (
    VerifiedClaim(
        "bridge",
        "The bridge opened in 1937 and cost 35 million dollars.",
        rating="True",
        publisher="Desk",
    ),
    VerifiedClaim(
        "jobs", "Unemployment fell to three percent last year.", rating="False", publisher="Desk"
    ),
)


@pytest.fixture(scope="module")
def check():
    """The pipeline on two fact-checks, with every sentence kept."""
    return lambda transcript: pipeline.check(
        transcript, CLAIMS, replace(EMBEDDED, check_worthiness=0.0)
    )


def test_a_corrected_sentence_finds_its_check_and_the_others_keep_theirs(check):
    """The report is as if it had been heard rightly, but for what was not touched."""
    sentences = tuple(
        Sentence(n, n, text, "Speaker 1", n * 4.0, n * 4.0 + 3) for n, text in enumerate(TEXTS, 1)
    )
    report_before = check(
        Transcript("Debate", date(2024, 9, 10), Source("a.mp3", "sound", "d" * 64), sentences)
    )

    now = corrected_report(report_before, 3, f"  {SAID}\n", " Alma  Reyes ", check)

    assert tuple(getattr(now.transcript.sentences[2], n) for n in ("text", "speaker", "start")) == (
        SAID,
        "Alma Reyes",
        12.0,
    )
    assert now.sentences[2].matches[0].claim.id == "bridge"
    for sentence_index in (0, 1, 3):
        assert replace(report_before.sentences[sentence_index], rank=None) == replace(
            now.sentences[sentence_index], rank=None
        )
    ranked = now.ranked()
    assert [*range(1, len(ranked) + 1)] == [c.rank for c in ranked]
    assert sorted(ranked, key=lambda c: -c.score) == list(ranked)
    assert report_before.manifest == now.manifest


@pytest.mark.parametrize(("number", "text"), [(9, "Something."), (1, "  ")])
def test_what_cannot_be_corrected_is_said(check, number, text):
    """No such sentence, or nothing left of it."""
    report = check(
        Transcript("Debate", None, Source("a", "sound", "d" * 64), (Sentence(1, 1, TEXTS[1]),))
    )
    with pytest.raises(
        TranscriptError, match=r"^Debate: (the transcript has no sentence 9|an empty sentence)"
    ):
        corrected_report(report, number, text, "", check)


def test_corrections_say_who_and_when_and_go_with_their_debate(tmp_path):
    """Every one is kept, the earlier ones too."""
    correction = Correction(
        "d" * 64, 3, 1.0, "Ada", HEARD, "", SAID, "", "Debate", date(2024, 9, 10)
    )
    with CorrectionStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as store:
        for each in (correction, replace(correction, at=2.0, by="Ben")):
            store.add(each)
        assert [(c.by, c.at) for c in store.of("d" * 64)[3]] == [("Ada", 1.0), ("Ben", 2.0)]
        assert [(debate.record_counts, debate.changed_at_s) for debate in store.debates()] == [
            ({"corrections": 2}, 2.0)
        ]

        with store._reading() as connection:
            assert list(connection.execute(sa.select(audit_table.c.who)).scalars()) == [
                "Ada",
                "Ben",
            ]

        store.purge("d" * 64)

        assert store.of("d" * 64) == {}
        assert store.debates() == []
