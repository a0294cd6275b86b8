"""The report as JSON."""

import json
from dataclasses import replace

import pytest

from assistant.ground.domain import ArticleRelation, EvidenceStep, Relation
from assistant.ground.errors import MalformedTranscript
from assistant.reports import json as report_json
from features.catalogue import NAMES
from tests.assistant import made_up


def test_the_schema_is_the_published_one():
    """Every key of version 1 is there, and no other."""
    table = json.loads(report_json.render(made_up.report()))

    assert list(table) == [
        *("schema", "title", "event_date", "source", "manifest", "counts", "warnings", "sentences"),
    ]
    assert list(table["manifest"]) == ["lectern", "profile", "models", "database", "settings"]
    assert table["counts"] == {"sentences": 3, "check_worthy": 2, "likely": 1, "possible": 0}
    assert list(table["sentences"][0]) == [
        *("number", "line", "speaker", "text", "start", "end", "check_worthiness", "kept", "dropped_reason"),
        *("rank", "score", "tier", "matches"),
    ]
    match = table["sentences"][0]["matches"][0]
    assert list(match) == [
        *("rank", "score", "tier", "claim", "measures", "contributions", "stance", "agreement", "decision"),
        *("key_sentences", "sureness", "against", "relation"),
    ]
    assert list(match["measures"]) == list(NAMES)
    assert list(match["claim"]) == [
        *("id", "statement", "title", "claimant", "claim_date", "rating", "rating_class", "review_date"),
        *("publisher", "url"),
    ]


def test_a_dropped_sentence_has_no_rank_score_or_tier():
    """A sentence that was not kept stays in the report, with its reason."""
    dropped = json.loads(report_json.render(made_up.report()))["sentences"][1]

    assert dropped["kept"] is False
    assert dropped["dropped_reason"] == "greeting or thanks"
    assert [dropped[key] for key in ("rank", "score", "tier")] == [None, None, None]


def test_contributions_sum_to_the_score():
    """What is written still adds up."""
    match = json.loads(report_json.render(made_up.report()))["sentences"][0]["matches"][0]

    assert sum(match["contributions"].values()) == pytest.approx(match["score"], abs=1e-5)


def test_the_archive_comes_back_whole():
    """What the app keeps on disk is the report that it showed, less the articles, which the store has."""
    data = report_json.archive(made_up.report())

    assert report_json.archive(report_json.load(data)) == data
    assert report_json.load(data).sentences[2].nearest.score == -1.0


def test_the_same_report_gives_the_same_bytes():
    """Rendering has no hidden state."""
    assert report_json.render(made_up.report()) == report_json.render(made_up.report())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema": "lectern.report/99"}', b"\xff\xfe"])
def test_other_bytes_are_refused(data):
    """Anything that is not a report of this version is refused in one line."""
    with pytest.raises(MalformedTranscript):
        report_json.load(data)


def test_what_likely_goes_by_is_kept_and_old_reports_open_without_it():
    """What was written comes back; a report of before the fields were there has none."""
    found = replace(made_up.match(), sureness={"base": -7.5, "bertscore": 1.25}, against=("figures", "denial"))
    written = report_json.match(found)
    before = {name: value for name, value in written.items() if name not in ("sureness", "against")}

    again = report_json.load_match(written)
    assert (found.sureness, found.against) == (again.sureness, again.against)
    assert ({}, ()) == (report_json.load_match(before).sureness, report_json.load_match(before).against)


def test_how_an_article_stands_to_a_wording_is_kept_and_old_reports_have_none():
    """What was written comes back; a report of before the field was there opens as one where nothing was said."""
    steps = (EvidenceStep(1, 33, 57, "We rate this claim True.", Relation.SUPPORTS),)
    found = replace(made_up.match(), relation=ArticleRelation(Relation.SUPPORTS, 0.93, steps))
    written = report_json.match(found)
    before = {name: value for name, value in written.items() if name != "relation"}

    assert found.relation == report_json.load_match(written).relation
    assert report_json.load_match(before).relation is None
