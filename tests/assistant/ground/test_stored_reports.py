"""Reports as they are stored: what comes back, from this version, older ones and newer ones."""

import json
import math
from dataclasses import replace

import pytest

from assistant.ground import stored_reports
from assistant.ground.domain import ArticleRelation, EvidenceStep, Relation
from assistant.ground.errors import MalformedTranscript
from assistant.reports import json as report_json
from assistant.reports import render
from features.catalogue import NAMES
from tests.assistant import made_up


def stored(report, *, missing=(), extra=None) -> bytes:
    """A stored report without some measures, and with others that this program does not know."""
    table = json.loads(stored_reports.archive(report))
    for row in table["sentences"]:
        for match in [*row["matches"], *filter(None, [row["nearest"]])]:
            for name in missing:
                del match["measures"][name]
            match["measures"] |= extra or {}
    return json.dumps(table).encode()


def test_a_stored_report_comes_back_whole():
    """What the app stores on disk is the report that it showed, less the articles, which the database has."""
    data = stored_reports.archive(made_up.report())

    assert stored_reports.archive(stored_reports.load(data)) == data
    assert stored_reports.load(data).sentences[2].nearest.score == -1.0


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema": "lectern.report/99"}', b"\xff\xfe"])
def test_other_bytes_are_refused(data):
    """Anything that is not a report of this version is refused in one line."""
    with pytest.raises(MalformedTranscript):
        stored_reports.load(data)


def test_sureness_is_stored_and_older_reports_load_without_it():
    """What was written comes back; a report from before these fields has none."""
    match = replace(made_up.match(), sureness={"base": -7.5, "bertscore": 1.25}, against=("figures", "denial"))
    written = stored_reports.match_row(match)
    before = {name: value for name, value in written.items() if name not in ("sureness", "against")}

    again = stored_reports.load_match(written)
    assert (match.sureness, match.against) == (again.sureness, again.against)
    assert ({}, ()) == (stored_reports.load_match(before).sureness, stored_reports.load_match(before).against)


def test_the_relation_of_an_article_is_stored_and_older_reports_have_none():
    """What was written comes back; a report from before the field has no relation."""
    steps = (EvidenceStep(1, 33, 57, "We rate this claim True.", Relation.SUPPORTS),)
    match = replace(made_up.match(), relation=ArticleRelation(Relation.SUPPORTS, 0.93, steps))
    written = stored_reports.match_row(match)
    before = {name: value for name, value in written.items() if name != "relation"}

    assert match.relation == stored_reports.load_match(written).relation
    assert stored_reports.load_match(before).relation is None


def test_a_stored_report_is_the_published_one_with_the_nearest_candidates():
    """Nothing else is added, so the two forms cannot drift apart."""
    table = json.loads(stored_reports.archive(made_up.report()))
    nearest = [row.pop("nearest") for row in table["sentences"]]

    assert table == json.loads(report_json.render(made_up.report()))
    assert [None, None, -1.0] == [row and row["score"] for row in nearest]


def test_a_report_from_before_a_measure_loads_and_shows():
    """The measure is unknown: NaN in the match, null in JSON, "not measured" on the page; all others are there."""
    report = stored_reports.load(stored(made_up.report(), missing=["bm25_title"]))
    measures = dict(zip(NAMES, report.sentences[0].matches[0].measures, strict=True))

    assert [name for name, value in measures.items() if math.isnan(value)] == ["bm25_title"]
    written = json.loads(report_json.render(report))["sentences"][0]["matches"][0]["measures"]
    assert [None, made_up.match().measures[0]] == [written["bm25_title"], written["bertscore"]]
    assert "not measured" in render(report, "html").decode()
    assert stored_reports.archive(stored_reports.load(stored_reports.archive(report))) == stored_reports.archive(report)


def test_a_report_from_a_newer_program_loads_without_what_is_new():
    """A measure and a field that this program does not know are ignored; nothing else is lost."""
    table = json.loads(stored(made_up.report(), extra={"rouge_statement": 0.5}))
    table["manifest"]["machine"] = "a newer field"
    table["sentences"][0]["matches"][0]["claim"]["topic"] = "a newer field"

    again = stored_reports.load(json.dumps(table).encode())

    assert stored_reports.archive(again) == stored_reports.archive(made_up.report())
