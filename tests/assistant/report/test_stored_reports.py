"""Reports as they are stored: what comes back, from this version, older ones and newer ones."""

import json
import math
from dataclasses import replace

import pytest

from assistant.core.domain import (
    ArticleRelation,
    Difference,
    EvidenceStep,
    Passage,
    Relation,
    SpeakerRole,
    Tier,
)
from assistant.core.errors import MalformedTranscript
from assistant.passages.listing import arranged
from assistant.report import stored_reports
from assistant.report.view import ReportView
from assistant.reports import json_form as report_json
from assistant.reports import render
from features.similarity.catalogue import NAMES
from tests.assistant import made_up


def stored(report, *, missing=(), extra=None) -> bytes:
    """A stored report without some measures, and with others that this program does not know."""
    table = json.loads(stored_reports.archive(report))
    for sentence in table["sentences"]:
        for match in [*sentence["matches"], *filter(None, [sentence["nearest"]])]:
            for name in missing:
                del match["measures"][name]
            match["measures"] |= extra or {}
    return json.dumps(table).encode()


def test_a_stored_report_comes_back_whole():
    """What the app stores on disk is the report that it showed, less the articles, which the database has."""
    data = stored_reports.archive(made_up.report())

    assert stored_reports.archive(stored_reports.load(data)) == data
    assert stored_reports.load(data).sentences[2].nearest.score == -1.0


def test_chosen_roles_come_back_and_other_reports_have_no_field_for_them():
    plain_report = made_up.report()
    roles = (("RIVERA", SpeakerRole.MODERATOR),)
    report = replace(plain_report, transcript=replace(plain_report.transcript, speaker_roles=roles))

    assert stored_reports.load(stored_reports.archive(report)).transcript.speaker_roles == roles
    assert "speaker_roles" not in json.loads(stored_reports.archive(plain_report))


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"schema": "lectern.report/99"}', b"\xff\xfe"]
)
def test_other_bytes_are_refused(data):
    """Anything that is not a report of this version is refused in one line."""
    with pytest.raises(MalformedTranscript):
        stored_reports.load(data)


def test_sureness_is_stored_and_older_reports_load_without_it():
    """What was written comes back; a report from before these fields has none."""
    match = replace(
        made_up.match(), sureness={"base": -7.5, "bertscore": 1.25}, against=("figures", "denial")
    )
    written = stored_reports.match_row(match)
    older_form = {
        name: value for name, value in written.items() if name not in ("sureness", "against")
    }

    again = stored_reports.load_match(written)
    assert match.sureness == again.sureness
    assert match.against == again.against
    assert stored_reports.load_match(older_form).sureness == {}
    assert stored_reports.load_match(older_form).against == ()


def test_uncovered_parts_are_stored_and_older_reports_have_none():
    parts = (Difference("unchecked", "fired ten pilots", ""), Difference("strength", "a", "b"))
    written = stored_reports.match_row(replace(made_up.match(), uncovered=parts))
    older_form = {name: value for name, value in written.items() if name != "uncovered"}

    assert stored_reports.load_match(written).uncovered == parts
    assert stored_reports.load_match(older_form).uncovered == ()


def test_the_relation_of_an_article_is_stored_and_older_reports_have_none():
    """What was written comes back; a report from before the field has no relation."""
    steps = (EvidenceStep(1, 33, 57, "We rate this claim True.", Relation.SUPPORTS),)
    match = replace(made_up.match(), relation=ArticleRelation(Relation.SUPPORTS, 0.93, steps))
    written = stored_reports.match_row(match)
    older_form = {name: value for name, value in written.items() if name != "relation"}

    assert stored_reports.load_match(written).relation == match.relation
    assert stored_reports.load_match(older_form).relation is None


def test_a_stored_report_is_the_published_one_with_the_nearest_candidates():
    """Nothing else is added, so the two forms cannot drift apart."""
    table = json.loads(stored_reports.archive(made_up.report()))
    nearest = [sentence.pop("nearest") for sentence in table["sentences"]]

    assert json.loads(report_json.render(ReportView(made_up.report()))) == table
    assert [match and match["score"] for match in nearest] == [None, None, -1.0]


def with_passages():
    """A report of three passages.

    A row, one folded below it, and one that is only about the topic.
    """
    report = made_up.report()
    first_sentence, dropped, topic = report.sentences
    again = replace(
        first_sentence,
        sentence=made_up.sentence(4, "It opened in 1994, as I said."),
        rank=3,
        score=0.5,
        restates=1,
    )
    sentences = (first_sentence, dropped, replace(topic, on_topic=True), again)
    passages = (Passage(1, (1, 2), "And the tunnel?"), Passage(2, (3,)), Passage(3, (4,)))
    transcript = replace(report.transcript, sentences=tuple(c.sentence for c in sentences))
    return replace(
        report, transcript=transcript, sentences=sentences, passages=arranged(passages, sentences)
    )


def test_passages_and_what_is_folded_or_on_topic_come_back():
    """From what the app stores and from the published report alike."""
    report = with_passages()
    data = stored_reports.archive(report)

    for again in (
        stored_reports.load(data),
        stored_reports.load(report_json.render(ReportView(report))),
    ):
        assert report.passages == again.passages
        assert [c.on_topic for c in report.sentences] == [c.on_topic for c in again.sentences]
        claim_ids = [[m.claim.id for m in c.matches] for c in report.sentences]
        assert [[m.claim.id for m in c.matches] for c in again.sentences] == claim_ids
        assert report.sentences[2].nearest.score == again.sentences[2].nearest.score
        assert stored_reports.archive(again) == data
    assert [(p.passage.sentences, p.rank, p.folded) for p in again.passages if p.best] == [
        ((1, 2), 1, (3,)),
        ((4,), None, ()),
    ]


def test_an_early_report_lists_passages_that_only_share_a_fact_check_separately():
    """It does not say which passages make the same statement."""
    table = json.loads(stored_reports.archive(with_passages()))
    for sentence in table["sentences"]:
        del sentence["restates"]

    again = stored_reports.load(json.dumps(table).encode())

    assert [(p.passage.sentences, p.rank, p.folded) for p in again.passages if p.best] == [
        ((1, 2), 1, ()),
        ((4,), 2, ()),
    ]


def test_json_names_what_is_shown_and_what_is_folded():
    """Matches in a row are shown.

    Those of folded passages and of the topic alone are not, but they are there.
    """
    table = json.loads(report_json.render(ReportView(with_passages())))

    assert [
        tuple(
            passage[name]
            for name in ("sentences", "context", "best", "tier", "rank", "folded", "folded_into")
        )
        for passage in table["passages"]
    ] == [
        ([1, 2], "And the tunnel?", 1, "likely", 1, [3], None),
        ([3], "", None, None, None, [], None),
        ([4], "", 4, "likely", None, [], 1),
    ]
    assert [[m["shown"] for m in sentence["matches"]] for sentence in table["sentences"]] == [
        [True],
        [],
        [False],
        [False],
    ]
    assert [sentence["on_topic"] for sentence in table["sentences"]] == [False, False, True, False]
    assert [sentence["tier"] for sentence in table["sentences"][2:]] == [None, "likely"]


def test_a_match_that_was_added_to_a_sentence_on_topic_comes_back():
    """A person confirmed what was nearest: it is a match from now on, whatever its tier."""
    report = with_passages()
    added = replace(
        report.sentences[2], matches=(replace(made_up.match(), tier=None),), tier=Tier.POSSIBLE
    )
    report = replace(report, sentences=(*report.sentences[:2], added, report.sentences[3]))

    again = stored_reports.load(report_json.render(ReportView(report))).sentences[2]
    assert [m.claim.id for m in again.matches] == ["sample-1"]
    assert again.on_topic is False
    assert again.nearest is None


@pytest.mark.parametrize("absent", [{}, {"passages": []}])
def test_a_report_from_before_passages_has_one_a_sentence(absent):
    """Its rows are its sentences with a match, and nothing of it is about a topic only."""
    table = json.loads(stored_reports.archive(made_up.report()))
    del table["passages"]
    for sentence in table["sentences"]:
        del sentence["on_topic"]
        for match in sentence["matches"]:
            del match["shown"]

    again = stored_reports.load(json.dumps(table | absent).encode())

    assert [p.passage.sentences for p in again.passages] == [(1,), (2,), (3,)]
    assert [(report_row.best, report_row.rank) for report_row in again.rows()] == [(1, 1)]
    assert not any(checked.on_topic for checked in again.sentences)


def test_a_report_from_before_a_measure_loads_and_shows():
    """The measure is unknown: NaN in the match, null in JSON, "not measured" on the page.

    All others are there.
    """
    report = stored_reports.load(stored(made_up.report(), missing=["bm25_title"]))
    measures = dict(zip(NAMES, report.sentences[0].matches[0].measures, strict=True))

    assert [name for name, value in measures.items() if math.isnan(value)] == ["bm25_title"]
    written = json.loads(report_json.render(ReportView(report)))["sentences"][0]["matches"][0][
        "measures"
    ]
    assert written["bm25_title"] is None
    assert made_up.match().measures[0] == written["bertscore"]
    assert "not measured" in render(report, "html").decode()
    assert stored_reports.archive(
        stored_reports.load(stored_reports.archive(report))
    ) == stored_reports.archive(report)


def test_a_report_from_a_newer_program_loads_without_what_is_new():
    """A measure and a field that this program does not know are ignored; nothing else is lost."""
    table = json.loads(stored(made_up.report(), extra={"rouge_statement": 0.5}))
    table["manifest"]["machine"] = "a newer field"
    table["sentences"][0]["matches"][0]["claim"]["topic"] = "a newer field"
    table["sentences"][0]["matches"][0]["weight"] = table["sentences"][0]["mood"] = "a newer field"
    table["passages"][0]["place"] = "a newer field"

    again = stored_reports.load(json.dumps(table).encode())

    assert stored_reports.archive(again) == stored_reports.archive(made_up.report())


def test_the_addresses_of_copies_are_stored():
    match = replace(made_up.match(), other_addresses=3)

    assert stored_reports.load_match(stored_reports.match_row(match)).other_addresses == 3
