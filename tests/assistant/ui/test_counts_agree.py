"""The counts of one screen: head and filters agree with the rows of the list."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from assistant import reports
from assistant.core.domain import Decision, MatchOrder, Passage, Report
from assistant.passages.listing import MIXED_SKIPPED, arranged, rearranged, with_mixed
from assistant.report import contents, wording
from assistant.report.selection import Selection, selected
from assistant.report.view import ReportView
from assistant.review import review_queue
from assistant.ui import export_menu, list_filters, results, review_view, sentence_list
from assistant.ui.review_view import Review
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, REPORT_ID, ROOT, set_address
from tests.assistant.ui.test_pages import text

REVIEW_PAGE = ROOT / "assistant" / "ui" / "pages" / "review_page.py"

# Of six statements one is confirmed, one rejected with all its matches, one left for later; of
# one the first match is rejected and the second one stands, and two are open.
VERDICTS = {2: ("confirm",), 3: ("reject",) * 3, 7: ("reject",), 8: ("later",), 4: (), 10: ()}


def decided_report() -> Report:
    """Return a report of six statements with decisions."""
    report = factory.report(60)
    sentences = []
    for checked in report.sentences:
        if checked.sentence.number not in VERDICTS:
            continue
        verdicts = VERDICTS[checked.sentence.number]
        decided = [
            replace(match, decision=Decision(verdict, by="Ada"))
            for match, verdict in zip(checked.matches, verdicts, strict=False)
        ]
        matches = (*decided, *checked.matches[len(decided) :])
        sentences.append(replace(checked, matches=matches))
    transcript = replace(
        report.transcript, sentences=tuple(checked.sentence for checked in sentences)
    )
    return rearranged(
        replace(report, transcript=transcript, sentences=tuple(sentences), passages=())
    )


VIEW = ReportView(decided_report())


@pytest.mark.parametrize(
    ("layout", "review"),
    [
        (sentence_list.RANKED, None),
        (sentence_list.IN_ORDER, None),
        (sentence_list.RANKED, Review()),
        (sentence_list.RANKED, Review(is_every_match=True)),
    ],
)
def test_the_count_of_a_decision_is_the_number_of_rows_that_choosing_it_shows(
    layout, review, offered, monkeypatch
):
    set_address(monkeypatch)
    listed_rows = sentence_list.list_rows(VIEW, layout)

    filters = list_filters.draw_chips(listed_rows, layout, "", review)

    shown = {}
    for verdict in list_filters.DECISION_WORDS:
        decision_filter = replace(filters, decisions=(verdict,))
        shown[verdict] = len(sentence_list.filtered_rows(listed_rows, decision_filter))
    assert offered["Decision"] == shown


@pytest.mark.parametrize("filter_name", ["Rating", "Publisher"])
@pytest.mark.parametrize("layout", sentence_list.LAYOUTS)
def test_the_counts_of_ratings_and_of_publishers_add_up_to_the_rows_with_a_match(
    layout, filter_name, offered, monkeypatch
):
    set_address(monkeypatch)
    all_rows = sentence_list.list_rows(VIEW, layout)

    filters = list_filters.draw_chips(all_rows, layout, "")

    matched_rows = [
        list_row
        for list_row in sentence_list.filtered_rows(all_rows, filters)
        if list_row.rating_class
    ]
    assert any(list_row.other_matches for list_row in matched_rows)
    assert sum(offered[filter_name].values()) == len(matched_rows)


def test_reports_tell_undecided_matches_from_those_left_for_later_in_both_places():
    counts = contents.review_counts(VIEW)

    state = wording.review_state(VIEW)

    assert (counts["undecided"], counts["later"]) == (6, 1)
    assert state == "Not fully reviewed: 3 of 6 statements undecided, 1 left for later"


def with_later_fact_checks(number: int) -> Report:
    """Return the report of 24 statements with fact-checks of one from after the event alone."""
    report = factory.report(60)
    sentences = []
    for checked in report.sentences:
        if checked.sentence.number == number:
            claims = [
                replace(match.claim, review_date=date(2025, 1, 2)) for match in checked.matches
            ]
            matches = tuple(
                replace(match, claim=claim)
                for match, claim in zip(checked.matches, claims, strict=True)
            )
            checked = replace(checked, matches=matches)
        sentences.append(checked)
    return replace(report, sentences=tuple(sentences))


def page(home, report: Report, view: str) -> AppTest:
    """Return the page on a report, not yet run."""
    factory.keep(home, REPORT_ID, report)
    app = AppTest.from_file(str(REVIEW_PAGE), default_timeout=PATIENCE_S)
    app.query_params["report"] = REPORT_ID
    app.query_params["view"] = view
    return app


@pytest.mark.parametrize(
    ("view", "expected_text"),
    [
        (sentence_list.RANKED, "<b>23 statements</b> may already be fact-checked"),
        (results.REVIEW, "0 of 23 statements decided"),
    ],
)
def test_head_and_progress_leave_out_fact_checks_from_after_the_debate_as_the_list_does(
    home, view, expected_text
):
    app = page(home, with_later_fact_checks(4), view)
    app.query_params["matches"] = str(MatchOrder.BEFORE)

    app.run()

    assert not app.exception
    assert expected_text in text(app)
    sent = (json.loads(component.proto.json) for component in app.get("bidi_component"))
    assert len(next(data["rows"] for data in sent if "rows" in data)) == 23


def with_confirmed_second_sentence() -> Report:
    """Return the decided report with the confirmed match on the weaker sentence of its passage."""
    report = decided_report()
    numbers = [checked.sentence.number for checked in report.sentences]
    passages = [Passage(1, (2, 4)), *(Passage(n, (n,)) for n in numbers if n not in (2, 4))]
    joined = replace(report, passages=arranged(passages, report.sentences))
    (group,) = (g for g in ReportView(joined).groups if g.listed.number == 1)
    sentences = []
    for checked in joined.sentences:
        if checked.sentence.number in (2, 4):
            is_best = checked is group.listed.best
            decision = None if is_best else Decision("confirm", by="Ada")
            matches = [replace(match, decision=None) for match in checked.matches]
            matches[-1] = replace(matches[-1], decision=decision)
            checked = replace(checked, matches=tuple(matches))
        sentences.append(checked)
    return replace(joined, sentences=tuple(sentences))


REVIEWED = (VIEW, ReportView(with_confirmed_second_sentence()))


@pytest.mark.parametrize("view", REVIEWED)
def test_progress_report_and_filter_count_the_same_statements(view, offered, monkeypatch):
    set_address(monkeypatch)
    listed_rows = sentence_list.list_rows(view)

    list_filters.draw_chips(listed_rows, sentence_list.RANKED, "", Review())

    counts = review_queue.verdict_counts(review_queue.verdicts_to_give(view, every_match=False))
    undecided_count = counts["all"] - counts["decided"] - counts["later"]
    assert sum(offered["Decision"].values()) == counts["all"]
    assert offered["Decision"][sentence_list.OPEN] == undecided_count
    state = f"Not fully reviewed: {undecided_count} of {counts['all']} statements undecided"
    assert wording.review_state(view).startswith(state)


def test_a_review_whose_statements_are_decided_is_called_reviewed_in_report_and_files():
    """Whatever further matches of a statement nobody decided on."""
    sentences = []
    for checked in decided_report().sentences:
        confirmed = replace(checked.matches[0], decision=Decision("confirm", by="Ada"))
        further = [replace(match, decision=None) for match in checked.matches[1:]]
        sentences.append(replace(checked, matches=(confirmed, *further)))
    view = ReportView(rearranged(replace(decided_report(), sentences=tuple(sentences))))

    assert review_view.is_done(view, Review())
    assert not review_view.is_done(view, Review(is_every_match=True))
    assert wording.review_state(view) == "All 6 statements were reviewed by Ada"


@pytest.mark.parametrize("selection", Selection)
def test_the_view_report_says_the_same_state_of_the_review_as_the_files(selection):
    html = export_menu.report_html(VIEW, selection)

    file_text = reports.render(selected(VIEW.report, selection), "txt").decode()
    state = wording.review_state(ReportView(rearranged(selected(VIEW.report, selection))))
    assert state in html
    assert state in file_text


def test_the_chip_of_sentences_without_a_match_adds_as_many_rows(offered, monkeypatch):
    """Related statements have a button of their own."""
    report = factory.report(60)
    sentences = [
        replace(checked, on_topic=checked.sentence.number > 50 and not checked.matches)
        for checked in report.sentences
    ]
    all_rows = sentence_list.list_rows(ReportView(replace(report, sentences=tuple(sentences))))
    assert sentence_list.ON_TOPIC in {r.kind for r in all_rows}
    set_address(monkeypatch, strength=[list_filters.NO_MATCH])

    filters = list_filters.draw_chips(all_rows, sentence_list.RANKED, "")

    chosen_rows = sentence_list.filtered_rows(all_rows, filters)
    assert offered["Match"][list_filters.NO_MATCH] == len(chosen_rows) > 0


def half_true_passage() -> Report:
    """Return a report with a passage of two sentences that match half-true ratings only."""
    report = factory.report(60)
    sentences = []
    for checked in report.sentences:
        if checked.sentence.number in (2, 3):
            match = replace(checked.matches[0], claim=factory.vclaim(2))
            checked = replace(checked, tier=None, matches=(match,))
        sentences.append(checked)
    joined = Passage(2, (2, 3))
    other_passages = [
        Passage(checked.sentence.number, (checked.sentence.number,))
        for checked in sentences
        if checked.sentence.number not in joined.sentences
    ]
    return replace(
        report, sentences=tuple(sentences), passages=arranged([joined, *other_passages], sentences)
    )


@pytest.mark.parametrize(
    ("layout", "count"), [(sentence_list.RANKED, 1), (sentence_list.IN_ORDER, 2)]
)
def test_the_switch_for_half_true_counts_the_rows_that_it_hides(home, layout, count):
    """A passage is a row of the ranked list, and each of its sentences one of the transcript."""
    report = half_true_passage()

    app = page(home, report, layout).run()

    listed = sentence_list.list_rows(ReportView(report), layout)
    skipping = sentence_list.list_rows(ReportView(with_mixed(report, MIXED_SKIPPED)), layout)
    hidden_count = len(sentence_list.filtered_rows(listed, sentence_list.Filters())) - len(
        sentence_list.filtered_rows(skipping, sentence_list.Filters())
    )
    labels = [toggle.label.replace("\\", "") for toggle in app.toggle]
    assert hidden_count == count
    assert f"Half True: listed ({count})" in labels
