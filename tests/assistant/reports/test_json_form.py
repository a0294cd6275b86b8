"""The report as JSON."""

import json

import pytest

from assistant.report.view import ReportView
from assistant.reports import json_form as report_json
from features.similarity.catalogue import NAMES
from tests.assistant import made_up


def test_the_schema_is_the_published_one():
    """Every key of version 1 is there, and no other."""
    table = json.loads(report_json.render(ReportView(made_up.report())))

    assert list(table) == [
        *(
            "schema",
            "title",
            "event_date",
            "source",
            "manifest",
            "counts",
            "warnings",
            "passages",
            "sentences",
        ),
    ]
    assert list(table["manifest"]) == ["lectern", "profile", "models", "database", "settings"]
    assert table["counts"] == {"sentences": 3, "check_worthy": 2, "likely": 1, "possible": 0} | {
        "likely_rows": 1,
        "possible_rows": 0,
        "strong_rows": 0,
        "good_rows": 0,
        "possible_strength_rows": 0,
    }
    assert list(table["passages"][0]) == [
        *("number", "sentences", "context", "best", "tier", "rank", "folded", "folded_into"),
        *("strength", "listed", "aside"),
    ]
    assert list(table["sentences"][0]) == [
        *(
            "number",
            "line",
            "speaker",
            "text",
            "start",
            "end",
            "check_worthiness",
            "kept",
            "dropped_reason",
        ),
        *("rank", "score", "tier", "strength", "on_topic", "restates", "matches"),
    ]
    match = table["sentences"][0]["matches"][0]
    assert list(match) == [
        *(
            "rank",
            "score",
            "tier",
            "strength",
            "claim",
            "measures",
            "contributions",
            "stance",
            "agreement",
            "decision",
        ),
        *("key_sentences", "sureness", "against", "relation", "shown"),
    ]
    assert list(match["measures"]) == list(NAMES)
    assert list(match["claim"]) == [
        *(
            "id",
            "statement",
            "title",
            "claimant",
            "claim_date",
            "rating",
            "rating_class",
            "review_date",
        ),
        *("publisher", "url"),
    ]


def test_a_dropped_sentence_has_no_rank_score_or_tier():
    """A sentence that was not kept stays in the report, with its reason."""
    dropped = json.loads(report_json.render(ReportView(made_up.report())))["sentences"][1]

    assert dropped["kept"] is False
    assert dropped["dropped_reason"] == "greeting or thanks"
    assert [dropped[key] for key in ("rank", "score", "tier")] == [None, None, None]


def test_contributions_sum_to_the_score():
    """What is written still adds up."""
    match = json.loads(report_json.render(ReportView(made_up.report())))["sentences"][0]["matches"][
        0
    ]

    assert sum(match["contributions"].values()) == pytest.approx(match["score"], abs=1e-5)


def test_the_same_report_gives_the_same_bytes():
    """Rendering has no hidden state."""
    assert report_json.render(ReportView(made_up.report())) == report_json.render(
        ReportView(made_up.report())
    )
