"""The warnings of a check, above all of a ranker that was trained with other models."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import pipeline
from assistant.check import loaded_models, rankers, report_warnings
from assistant.core.domain import Sentence, Source, Transcript, VerifiedClaim
from assistant.core.settings import EMBEDDED
from assistant.jobs.check_service import job_spec_of
from assistant.report import stored_reports
from features.models.model_spec import ModelSpec

CLAIMS = (
    VerifiedClaim(
        "c1", "Water boils at 100 degrees Celsius at sea level.", publisher="P", rating="True"
    ),
)
READ = "No date in the file."
SENTENCES = (Sentence(1, 1, "Water boils at one hundred degrees here at sea level.", "RIVERA"),)
TRANSCRIPT = Transcript(
    "Debate", None, Source("debate.txt", "plain text", "0" * 64), SENTENCES, (READ,)
)


def tiny(bert, nli, **options):
    """A profile of tiny random models, in the form of ``paper``."""
    model_specs = {
        "sbert": ModelSpec(str(bert)),
        "simcse": ModelSpec(str(bert), pooling="pooler"),
        "nli": ModelSpec(str(nli)),
        "bertscore": ModelSpec(str(bert), layer=2),
    }
    return replace(EMBEDDED, name="tiny", check_worthiness=0.0, **(model_specs | options))


@pytest.mark.parametrize("ranker", [rankers.LECTERN, rankers.RANKSVM])
def test_a_ranker_trained_with_other_models_warns_in_every_report(tiny_bert, tiny_nli, ranker):
    """The warning names the parts that differ; it is in the report whatever was found."""
    report = pipeline.check(TRANSCRIPT, CLAIMS, tiny(tiny_bert, tiny_nli), ranker=ranker)

    assert report.warnings == (
        READ,
        "The ranker was trained with other models than this profile's (sbert, simcse, nli, bertscore): "
        "ranks and tiers are not calibrated for it.",
    )


def test_only_the_parts_that_differ_are_named(tiny_nli):
    """One other model is enough.

    The cross-encoder, which the cards do not record, counts as the embedded one.
    """
    loaded = loaded_models.load(replace(EMBEDDED, nli=ModelSpec(str(tiny_nli))))
    assert loaded.unfamiliar() == ("nli",)

    recorded = loaded.encoders.nli.digest[:16]
    ranker = replace(
        loaded.ranker,
        trained_with={**loaded.ranker.trained_with, "nli": recorded, "sbert": "other"},
    )
    assert replace(loaded, ranker=ranker).unfamiliar() == ("sbert",)


@pytest.mark.parametrize("ranker", [rankers.LECTERN, rankers.RANKSVM])
def test_the_embedded_models_are_those_of_the_shipped_rankers(ranker):
    """The default profile warns of nothing, and its cards record what it compares."""
    loaded = loaded_models.load(EMBEDDED, ranker)

    assert {"sbert", "simcse", "bertscore"} <= set(loaded.ranker.trained_with)
    assert loaded.unfamiliar() == ()
    assert pipeline.check(TRANSCRIPT, CLAIMS, ranker=ranker).warnings == (READ,)


def test_another_check_of_a_stored_report_does_not_inherit_its_warnings(tiny_bert, tiny_nli):
    """Warnings about the transcript stay with it.

    Those about the check belong to that check alone.
    """
    report = pipeline.check(TRANSCRIPT, CLAIMS, tiny(tiny_bert, tiny_nli))
    again = job_spec_of(stored_reports.load(stored_reports.archive(report)), as_of_event=False)

    assert again.transcript.warnings == (READ,)
    assert [report_warnings.about_check(line) for line in report.warnings] == [False, True]
