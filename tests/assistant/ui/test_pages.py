"""The pages as a person meets them, without a browser: what they say, what their buttons do."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from datetime import date
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from assistant.check.report_warnings import UNFIT_RANKER
from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from assistant.core.audit import AuditLog
from assistant.core.domain import Decision, MatchOrder
from assistant.core.errors import NetworkError
from assistant.core.shipped_files import SAMPLE_TRANSCRIPTS
from assistant.jobs.check_service import sample_files
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import JobState
from assistant.jobs.report_store import JobRequest, ReportStore
from assistant.report import stored_reports, wording
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from assistant.ui import example_card, shared_resources
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, REPORT_ID, ROOT

PAGES = ROOT / "assistant" / "ui" / "pages"
SPEECH = b"REYES: The bridge was opened in 1937, and it cost 35 million dollars.\nWHITFIELD: It was never opened.\n"


def text(app: AppTest) -> str:
    """Return everything the page says in HTML blocks."""
    return "\n".join(str(block.proto.body) for block in app.get("html"))


def address(app: AppTest, name: str) -> str:
    """Return what the address says of one thing."""
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def labels(app: AppTest) -> list[str]:
    return [shown(b.label) for b in app.button]


def shown(markdown):
    """Return the words that a browser shows of a text in which mark-up is escaped."""
    return re.sub(r"\\(.)", r"\1", markdown)


def test_the_first_screen_has_question_database_and_what_was_checked(app):
    """Drop zone, size and age of the database, that nothing leaves the computer, earlier reports."""
    app.run()

    assert not app.exception
    assert "Find what has already been fact-checked" in text(app)
    assert "40 fact-checks by 2 publishers, newest 21 May 2018" in text(app)
    assert "Your transcripts are never sent anywhere." in text(app)
    assert any(label.startswith("City hall debate · 10 Sep 2024") for label in labels(app))
    assert app.file_uploader[0].key == "upload"


def test_an_empty_database_is_said_on_the_first_screen(app, home):
    """A warning is shown when there is nothing to check a debate against."""
    (home / "lectern.db").unlink()

    app.run()

    assert "Nothing can be found yet." in text(app)


def samples_only(home):
    """Leave nothing but a sample fact-check and no report: the home folder of a new person."""
    (home / "lectern.db").unlink()
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert([factory.vclaim(0)], source=SAMPLE_SOURCE)


def test_somebody_new_sees_a_finished_card_and_how_to_load_real_fact_checks(app, home):
    """The sample fact-checks are called so; each collection has its size and licence."""
    samples_only(home)

    app.run()

    assert example_card.EXAMPLE_SPEAKER in text(app)
    assert "1 sample fact-check only" in text(app)
    assert {"open_sample", "load_politifact", "load_datacommons"} <= {b.key for b in app.button}
    assert "56 MB" in text(app)
    assert "CC BY 4.0" in text(app)


def test_the_example_is_in_the_samples():
    """The statement and its fact-check are a pair of the reference labels."""
    labels_path = SAMPLE_TRANSCRIPTS / "gold.jsonl"
    rows = [json.loads(line) for line in labels_path.read_text("utf-8").splitlines()]
    row = next(row for row in rows if row["text"] == example_card.EXAMPLE_QUOTE)

    assert row["claims"] == [example_card.EXAMPLE_CLAIM_ID]
    assert row["speaker"].title() == example_card.EXAMPLE_SPEAKER
    assert row["transcript"] == sample_files()[0].name
    assert row["transcript"].startswith(str(example_card.EXAMPLE_EVENT))


def test_the_sample_debate_opens_at_one_click(app, home):
    """Its report is there already."""
    samples_only(home)
    source = sample_files()[0].name
    report = factory.report(20)
    transcript = replace(report.transcript, source=replace(report.transcript.source, name=source))
    factory.keep(home, "sample", replace(report, transcript=transcript))

    app.run().button(key="open_sample").click().run()

    assert address(app, "report") == "sample"


def test_the_versions_of_a_debate_are_one_entry(app, home):
    """The newest opens at a click on the title, the others are in a menu."""
    factory.keep(home, "again", factory.report(60))

    app.run()

    tiles = [b.label for b in app.button if b.label.startswith("City hall debate · 10 Sep 2024")]
    versions = [b for b in app.button if (b.key or "").startswith("version_")]
    assert len(tiles) == 1
    assert [b.key for b in versions] == ["version_again", f"version_{REPORT_ID}"]


def test_a_debate_is_renamed(app, home):
    """Its reports have the new title, in the list and on their page."""
    app.run().text_input(key=f"title_{REPORT_ID}").set_value("Mayors, first round").run()
    app.button(key=f"rename_{REPORT_ID}").click().run()

    assert not app.exception
    assert "Mayors, first round · 10 Sep 2024" in labels(app)
    app.query_params["report"] = REPORT_ID
    assert "Mayors, first round · 10 Sep 2024" in text(app.run())


def test_a_debate_is_deleted_once_this_is_confirmed(app, home):
    app.run()
    assert app.button(key=f"delete_{REPORT_ID}").disabled

    app.checkbox(key=f"delete_meant_{REPORT_ID}").check().run()
    app.button(key=f"delete_{REPORT_ID}").click().run()

    assert not app.exception
    assert not any(label.startswith("City hall debate") for label in labels(app))
    with ReportStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        assert store.report(REPORT_ID) is None


def test_a_tile_counts_the_decided_statements(app, home):
    number = next(s for s in factory.report(60).sentences if s.matches).sentence.number
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        placed = deciding.decided_report(store, factory.report(60))
        match = placed.report.sentences[number - 1].matches[0]
        deciding.decide(store, placed, (number, match), Decision("confirm", by="Ada"))

    assert "1 statement decided" in text(app.run())


def test_a_load_that_fails_says_so_in_one_line_and_can_be_tried_again(app, home, monkeypatch):
    """Without network: where it failed, nothing lost, the button is there again."""
    samples_only(home)

    def unreachable(*_given, **_named):
        raise NetworkError(
            "it cannot be reached.", where="https://example.org", remedy="Nothing was imported."
        )

    monkeypatch.setattr("assistant.claims.politifact.fetch_politifact", unreachable)
    app.run().button(key="load_politifact").click().run()
    factory.wait_for_jobs(shared_resources.check_service())
    app.run()

    assert [shown(e.value) for e in app.error] == [
        "https://example.org: it cannot be reached. Nothing was imported."
    ]
    assert "load_politifact" in {b.key for b in app.button}


def test_the_picture_of_the_debate_stands_above_the_list_and_can_be_hidden(results):
    """One chart with a mark a match; hiding it stands in the address."""
    (chart,) = results.get("vega_lite_chart")
    marks = json.loads(chart.proto.spec)["layer"][1]["data"]["values"]
    assert [len(marks)] == [24]

    results.button(key="picture_to_none").click().run()

    assert list(results.get("vega_lite_chart")) == []
    assert address(results, "picture") == "off"


def test_an_earlier_report_opens_from_the_first_screen(app):
    """One click leads to the results, and the address says so."""
    app.run()
    next(b for b in app.button if b.label.startswith("City hall debate")).click().run()

    assert address(app, "report") == REPORT_ID
    assert "City hall debate · 10 Sep 2024" in text(app)


def test_a_file_is_read_before_it_is_checked(app):
    """After the drop: format, sentences, speakers, editable title and date, the warning about the database's age."""
    app.run().file_uploader[0].upload("debate 2024-09-10.txt", SPEECH, "text/plain").run()

    assert not app.exception
    assert "2 sentences, 2 speakers" in text(app)
    assert [t.label for t in app.text_input if t.label == "Title"] == ["Title"]
    assert "Check transcript" in labels(app)
    assert "Later claims cannot be found." in text(app)


def test_another_file_leads_back_to_an_empty_drop_zone(app):
    """The file that was put away is not read again."""
    app.run().file_uploader[0].upload("debate.txt", SPEECH, "text/plain").run()

    app.button(key="another").click().run()

    assert "Find what has already been fact-checked" in text(app)
    assert "Check transcript" not in labels(app)


def test_pasted_text_is_read_like_a_file(app):
    """Paste and read."""
    app.run()
    app.text_area[0].set_value(SPEECH.decode())
    next(b for b in app.button if b.label == "Continue").click().run()

    assert "pasted text" in text(app)
    assert "2 sentences, 2 speakers" in text(app)


@pytest.mark.parametrize(
    ("name", "data"), [("empty.txt", b" "), ("picture.txt", bytes(range(256)) * 40)]
)
def test_a_file_that_is_no_transcript_is_refused_in_one_line(app, name, data):
    """The line names the file; there is no traceback, and the drop zone stays."""
    app.run().file_uploader[0].upload(name, data, "text/plain").run()

    assert not app.exception
    assert name in app.error[0].value.replace("\\", "")
    assert "\n" not in app.error[0].value
    assert "Check transcript" not in labels(app)


def test_sentences_are_given_to_a_speaker(app):
    """A wrong speaker is put right for single sentences; a number that is none is named."""
    app.run().file_uploader[0].upload("debate.txt", SPEECH, "text/plain").run()
    reassign(app, "2", "Reyes")
    assert "<b>Reyes</b>" in text(app)

    reassign(app, "two", "Reyes")
    assert shown(app.error[0].value) == "“two” isn’t a sentence number. Write 12-15, 20."


def test_speakers_are_merged_before_the_check(app):
    """Two speakers that are given one name are one."""
    app.run().file_uploader[0].upload("debate.txt", SPEECH, "text/plain").run()
    names = [o for m in app.multiselect if m.label == "Speakers" for o in m.options]
    next(m for m in app.multiselect if m.label == "Speakers").set_value(names)
    next(t for t in app.text_input if t.label == "Name of all").set_value("Reyes")
    next(b for b in app.button if b.label == "Merge").click().run()

    assert not app.exception
    assert '<b>Reyes</b><br><span class="lx-count">2 turns, 2 sentences' in text(app)


def test_results_show_counts_list_and_the_best_sentence(results):
    """The head has the counts; the card is that of the sentence ranked first."""
    assert not results.exception
    assert "<b>24 statements</b> may already be fact-checked:" in text(results)
    assert '12 <span class="lx-term" tabindex="0">strong' in text(results)
    assert "City Desk rated this claim" in text(results) or "River Post rated this claim" in text(
        results
    )
    assert [component.key for component in results.get("bidi_component")] == [
        "recording_of_report",
        "list",
        "name_memory",
        "typing_guard",
        "tour",
    ]
    assert "1,320 days before this debate" in text(results)


def test_the_address_chooses_sentence_and_match(app):
    """A link leads to the same sentence and the same match for everybody."""
    matched_sentence = next(s for s in factory.report(60).sentences if len(s.matches) > 1)
    app.query_params.update(
        {"report": REPORT_ID, "s": str(matched_sentence.sentence.number), "match": "2"}
    )

    app.run()

    assert f"Match 2 of {len(matched_sentence.matches)}" in text(app)
    assert matched_sentence.matches[1].claim.title not in text(app).split("<article")[0]


def passages(app, home, **address: str) -> AppTest:
    """Run the app on a report of passages."""
    factory.keep(home, REPORT_ID, factory.passages(60))
    app.query_params.update({"report": REPORT_ID, **address})
    return app.run()


def test_the_list_has_a_row_a_passage_and_the_head_counts_them(app, home):
    """Folded passages are in the row; what is only on a checked topic is one click away."""
    passages(app, home)
    assert not app.exception
    assert "<b>11 statements</b> may already be fact-checked:" in text(app)
    assert '6 <span class="lx-term" tabindex="0">strong' in text(app)
    assert [1, *range(2, 12)] == [sent_row["rank"] for sent_row in sent_rows(app)]
    below_button = app.button(key="topics")
    assert below_button.label == "9 related statements, not in the list"
    assert below_button.help.startswith("9 more passages")

    below_button.click().run()

    assert len(sent_rows(app)) == 11 + 9
    assert "topics" in app.query_params
    assert app.button(key="topics").label == "Hide related statements"
    first_number = next(
        sent_row["number"] for sent_row in sent_rows(app) if sent_row["kind"] == "on topic"
    )
    assert str(first_number) == app.query_params["s"]  # where they begin


def test_the_head_counts_a_rejected_statement_apart_and_says_when_the_debate_was_checked(app, home):
    """Its row goes to the end of the list."""
    app.session_state["by"] = "Ada"
    factory.keep(home, REPORT_ID, factory.report(60))
    app.query_params.update({"report": REPORT_ID, "s": "4"})  # a statement with one match
    app.run()
    assert "<b>24 statements</b>" in text(app)

    app.button(key="do_reject").click().run()
    app.button(key="reason_1").click().run()
    app.run()

    assert not app.exception
    page = text(app)
    assert "<b>23 statements</b> may already be fact-checked:" in page
    assert " · 1 rejected" in page
    assert f"· checked {wording.day(date.today())}" in page
    assert sent_rows(app)[-1]["number"] == 4


def test_a_card_leads_to_the_other_passages_of_its_row(app, home):
    """A folded passage has its own card, whose address leads there."""
    passages(app, home, s="4")
    assert "Also at 00:00:52, 00:01:28 and 00:02:04" in [shown(e.label) for e in app.expander]

    app.button(key="to_23").click().run()

    assert address(app, "s") == "23"
    assert f'<span class="lx-chosen-sentence">{escape(factory.LINES[6])}' in text(app)
    assert "Rank 2 of 11" in text(app)


def test_a_card_on_a_checked_topic_says_so(app, home):
    """The nearest fact-check lies open, for it may be the one."""
    passages(app, home, s="40", topics="shown")

    assert "Related to a fact-check, but too different from its claim for the list" in text(app)
    assert [e.proto.expanded for e in app.expander if e.label == "Closest fact-check"] == [True]


def test_next_leads_through_the_matches(app):
    """The second match is one click away and is in the URL."""
    matched_sentence = next(s for s in factory.report(60).sentences if len(s.matches) > 1)
    app.query_params.update({"report": REPORT_ID, "s": str(matched_sentence.sentence.number)})
    app.run()

    app.button(key="next").click().run()

    assert address(app, "match") == "2"
    assert f"Match 2 of {len(matched_sentence.matches)}" in text(app)


def test_the_order_of_matches_is_chosen_and_stands_in_the_address(app, home):
    """List and card go by it.

    The first match is shown, and what has no day comes last.
    """
    number = _dated(home, [date(2018, 5, 21), None, date(2020, 1, 2)])
    app.query_params.update({"report": REPORT_ID, "s": str(number), "match": "2"})
    app.run()

    app.radio(key="match_order").set_value(MatchOrder.NEWEST).run()

    assert not app.exception
    assert address(app, "matches") == "newest"
    assert "Match 1 of 3" in text(app)
    assert "on 2 Jan 2020" in text(app)
    assert "1 match without a date of the fact-check: last of its strength." in text(app)
    assert "Desk2" in next(
        sent_row["publisher"] for sent_row in sent_rows(app) if sent_row["number"] == number
    )


def test_before_the_event_only_hides_later_checks_and_says_how_many(app, home):
    """A sentence whose every match is hidden is not in the list; its card says how many are hidden."""
    number = _dated(home, [date(2025, 1, 1), date(2024, 9, 10)])
    app.query_params.update({"report": REPORT_ID, "s": str(number), "matches": "before"})

    app.run()

    assert not app.exception
    assert "2 matches not shown: checked on the day of the event or later." in text(app)
    assert number not in [sent_row["number"] for sent_row in sent_rows(app)]
    app.radio(key="match_order").set_value(MatchOrder.CLOSEST).run()
    assert "Match 1 of 2" in text(app)
    assert "matches" not in app.query_params


def test_an_event_without_a_date_has_no_order_that_needs_it(app, home):
    """The orders are gone, with the reason; an address that asks for one is not followed."""
    number = _dated(home, [date(2018, 5, 21), date(2020, 1, 2)], event=None)
    app.query_params.update({"report": REPORT_ID, "s": str(number), "matches": "before"})

    app.run()

    assert app.radio(key="match_order").options == [
        "Closest in meaning",
        "Newest fact-check",
        "Where fact-checks cluster",
    ]
    assert "cannot be chosen. The date of the event is not set" in text(app)
    assert "Match 1 of 2" in text(app)


def _dated(home, days, event=factory.EVENT):
    """Give the first sentence of the report matches of a tier with such days, and return its number."""
    report = factory.report(60)
    first_sentence = next(s for s in report.sentences if s.rank == 1)
    claims = [
        replace(factory.vclaim(i), review_date=day, publisher=f"Desk{i}")
        for i, day in enumerate(days)
    ]
    matches = tuple(
        replace(factory.match(i, i + 1, first_sentence.tier), claim=c) for i, c in enumerate(claims)
    )
    sentences = tuple(
        replace(s, matches=matches) if s is first_sentence else s for s in report.sentences
    )
    report = replace(
        report, sentences=sentences, transcript=replace(report.transcript, event_date=event)
    )
    factory.keep(home, REPORT_ID, report)
    return first_sentence.sentence.number


def sent_rows(app):
    """Return the rows that the list was given."""
    sent = (json.loads(component.proto.json) for component in app.get("bidi_component"))
    return next(data["rows"] for data in sent if "rows" in data)


def test_the_whole_article_comes_from_the_database(results):
    """The article is shown with the key sentence marked, though the report does not hold it."""
    assert "<article" in text(results)
    assert '<mark class="lx-proof lx-decides">' in text(results)
    assert "The city archive dates" in text(results)


def test_a_search_that_finds_nothing_says_so(results):
    """Filters that leave nothing leave no card."""
    next(t for t in results.text_input if t.label == "Search").set_value("no such words").run()

    assert not results.exception
    assert "No sentence is chosen." in text(results)


def test_the_head_has_the_date_of_a_debate_once(app, home):
    report = factory.report(8)
    assert report.transcript.event_date is not None
    day = report.transcript.event_date
    title = f"Town hall, {day.day} {day:%B %Y}"
    factory.keep(home, "dated", replace(report, transcript=replace(report.transcript, title=title)))
    app.query_params["report"] = "dated"

    app.run()

    assert f'<h1 title="{title}">{title}</h1>' in text(app)


def test_a_dropped_sentence_says_why(app):
    """On request the dropped sentence is shown with its reason."""
    app.query_params.update({"report": REPORT_ID, "s": "1", "tier": "dropped"})

    app.run()

    assert "Skipped before the search: a question of the moderator." in text(app)


def test_samples_that_settle_nothing_are_called_invented(app, home, monkeypatch):
    with shared_resources.check_service().store() as store:
        status = store.status()
    samples = replace(status, samples=status.claims)
    monkeypatch.setattr(ClaimStore, "status", lambda store: samples)
    factory.keep(home, "nothing", factory.report(40, matched=False))
    app.query_params["report"] = "nothing"

    app.run()

    assert "All fact-checks here are samples, invented" in text(app)
    assert '<a href="claims">Load real ones</a>' in text(app)


def test_a_debate_that_nothing_settles_is_a_result(app, home):
    """Counts, and the nearest candidate of a sentence on demand, called rejected."""
    factory.keep(home, "nothing", factory.report(40, matched=False))
    app.query_params["report"] = "nothing"

    app.run()

    assert "No fact-check in the database covers this debate." in text(app)
    assert "No match was found in 19,250 fact-checks." in text(app)
    assert "None of 19,250 fact-checks covers" not in text(app)
    assert "<b>No statement matches a fact-check</b>" in text(app)
    assert "0 statements" not in text(app)
    assert "lx-rated lx-unlisted" in text(app)  # a small rating, which covers nothing said here
    assert "are samples, invented" not in text(app)
    assert "Closest fact-check (too different to list)" in [shown(e.label) for e in app.expander]
    assert "City Desk rated this claim" in text(app) or "River Post rated this claim" in text(app)


def test_a_stored_report_that_cannot_be_read_is_named(app, home):
    """The first screen names a damaged file of an earlier version, the URL of a report which one cannot be read."""
    (home / "reports").mkdir()
    (home / "reports" / "damaged.json").write_text("{}")
    factory.keep(
        home, "later", stored_reports.archive(factory.report(20)).replace(b"report/1", b"report/9")
    )

    assert "1 stored report cannot be read: damaged.json." in text(app.run())
    app.query_params["report"] = "later"
    assert "later: the report has schema" in app.run().error[0].value.replace("\\", "")


def test_a_ranker_that_does_not_fit_is_warned_of_above_the_results(app, home):
    """The warning is not among the notes on how the transcript was read."""
    warning = f"{UNFIT_RANKER} than this profile's (sbert, nli): ranks and tiers are not calibrated for it."
    report = replace(factory.report(60), warnings=(warning,))
    factory.keep(home, REPORT_ID, report)
    app.query_params["report"] = REPORT_ID

    shown = text(app.run())

    assert f'<p class="lx-warn">{escape(warning)}</p>' in shown
    assert "on how this transcript was read" not in shown


def test_a_new_check_is_reached_whatever_was_searched(app):
    """What was searched stands in the address, and does not bar the way back."""
    app.query_params["report"], app.query_params["q"] = "cityhall", "bridge"
    app.run()

    next(b for b in app.button if b.label == "New check").click().run()

    assert not app.exception
    assert "cityhall" not in app.query_params.get("report", "")
    assert app.file_uploader


def test_a_report_that_is_not_there_says_so(app):
    """An old link is no error page."""
    app.query_params["report"] = "gone"

    app.run()

    assert not app.exception
    assert "There is no report at this address" in app.warning[0].value


def test_a_debate_is_reviewed_on_its_own_page(results):
    """One of the views of the debate, named in the address."""
    results.segmented_control(key="view").set_value("Review").run()

    assert not results.exception
    assert address(results, "report") == REPORT_ID
    assert "do_confirm" in [b.key for b in results.button]


@pytest.mark.parametrize(
    ("query", "numbers_of_strong"), [({"tier": "likely"}, 12), ({"strength": "good"}, 0)]
)
def test_an_address_filters_by_strength_also_in_its_old_words(app, query, numbers_of_strong):
    app.query_params.update({"report": REPORT_ID, **query})

    app.run()

    strengths = [sent_row["strength"] for sent_row in sent_rows(app)]
    assert strengths.count("strong") == numbers_of_strong
    assert len(set(strengths)) == 1


def test_a_link_shows_the_card_of_a_sentence_that_no_row_has(app):
    """Its card never shows another speaker's sentence."""
    unmatched = next(s for s in factory.report(60).sentences if not s.kept)
    app.query_params.update({"report": REPORT_ID, "s": str(unmatched.sentence.number)})

    app.run()

    assert f'data-sentence="{unmatched.sentence.number}"' in text(app)


def test_exports_are_offered_in_every_format(results):
    """Each format of the reports has its button."""
    from assistant import reports

    results.session_state["export"] = True  # the menu is open
    results.run()

    assert {f.label for f in reports.FORMATS.values()} <= {
        shown(b.label) for b in results.get("download_button")
    }


def test_a_check_that_fails_keeps_the_transcript(app, monkeypatch):
    """The failure is one line; the transcript is there to be checked again."""
    from assistant import pipeline
    from assistant.core.errors import ModelUnavailable

    def refuse(*_, **__):
        raise ModelUnavailable(
            "the weights are not there.", where="models", remedy="Run make setup."
        )

    monkeypatch.setattr(pipeline, "open_index", refuse)
    app.run().file_uploader[0].upload("debate.txt", SPEECH, "text/plain").run()
    app.button(key="check").click().run()
    settle(app)

    assert "could not be checked: models: the weights are not there. Run make setup." in app.error[
        0
    ].value.replace("\\", "")
    assert "Check again" in labels(app)

    next(b for b in app.button if b.label == "Change and check").click().run()
    assert "2 sentences, 2 speakers" in text(app)


def test_a_check_is_followed_and_ends_in_its_results(app, monkeypatch):
    """Check starts a job whose name is in the address.

    When it is done the results are shown there.
    """
    from assistant import pipeline

    monkeypatch.setattr(pipeline, "open_index", lambda *_, **__: None)
    monkeypatch.setattr(pipeline, "check", lambda transcript, *_, **__: factory.report(20))
    app.run().file_uploader[0].upload("debate.txt", SPEECH, "text/plain").run()
    app.button(key="check").click().run()
    settle(app)

    report_id = address(app, "report")
    assert shared_resources.check_service().jobs.get(report_id).state == JobState.DONE
    assert "20 sentences" in text(app)


def test_the_page_of_claims_counts_and_searches(home):
    """Publishers, ratings, years; a search finds by words."""
    app = AppTest.from_file(str(PAGES / "claims_page.py"), default_timeout=PATIENCE_S).run()
    assert not app.exception
    assert "River Post" in text(app)
    assert "■ rated false" in text(app)
    assert "2018" in text(app)

    app.text_input[0].set_value("bridge 31 million").run()

    assert "cost 31 million" in text(app)
    assert "cost 32 million" not in text(app)


def test_a_file_of_fact_checks_is_imported_and_told(home, monkeypatch):
    """New, changed, same, refused with line and reason."""
    from assistant import pipeline

    monkeypatch.setattr(pipeline, "build_index", lambda *_, **__: None)
    app = AppTest.from_file(str(PAGES / "claims_page.py"), default_timeout=PATIENCE_S).run()
    csv_bytes = b"statement,rating,publisher\nThe river is 300 miles long.,True,River Post\n,False,River Post\n"
    app.file_uploader[0].upload("more.csv", csv_bytes, "text/csv").run()
    next(b for b in app.button if b.label == "Import").click().run()
    settle(app)

    assert "1 new · 0 changed · 0 same · 0 merged · 1 rejected" in app.warning[0].value
    assert "more.csv" in app.text[0].value
    assert "columns: statement from 'statement'" in app.text[0].value


def test_the_page_about_names_versions_models_and_licences(home):
    """What made the results, and under which terms."""
    app = AppTest.from_file(str(PAGES / "about_page.py"), default_timeout=PATIENCE_S).run()

    assert not app.exception
    assert "all-MiniLM-L6-v2" in text(app)
    assert "streamlit" in text(app)
    assert "Apache" in text(app)


def reassign(app: AppTest, label: str, name: str) -> None:
    next(t for t in app.text_input if t.label == "Sentences").set_value(label)
    next(t for t in app.text_input if t.label == "Speaker").set_value(name)
    next(b for b in app.button if b.label == "Change").click().run()


def settle(app: AppTest) -> None:
    """Let the workers finish what was handed in, then draw the page once more."""
    factory.wait_for_jobs(shared_resources.check_service())
    app.run()


def test_a_check_that_was_cut_short_is_offered_again(app, home):
    """After a restart the first screen and the URL of the check offer to run it again."""
    report = factory.report(20)
    with ReportStore.open(
        f"sqlite:///{home / 'lectern.db'}"
    ) as shelf:  # an hour ago, and since then no sign of life
        shelf.claim_job(
            JobRequest("cutshort", "t", spec=JobSpec(report.transcript)),
            max_running_jobs=1,
            now=time.time() - 3600,
        )

    app.run()
    assert f"{report.transcript.title} · was interrupted: run again" in labels(app)

    app.query_params["report"] = "cutshort"
    app.run()
    assert not app.exception
    assert "Run again" in labels(app)
    assert any("cut short when Lectern was closed" in str(info.value) for info in app.info)


def test_the_page_log_lists_who_did_what(home):
    """Newest first, and only one person's if that is chosen; nothing at first."""
    app = AppTest.from_file(str(PAGES / "log_page.py"), default_timeout=PATIENCE_S).run()
    assert "Nothing yet." in text(app)
    with (
        AuditLog.open(f"sqlite:///{home / 'lectern.db'}") as log,
        log.noted("Ada", "import", "file.csv"),
        log.noted("Ben", "backup"),
    ):
        pass

    shown = app.run().dataframe[0].value
    assert [*shown[["Who", "What", "About", "Outcome"]].itertuples(index=False, name=None)] == [
        ("Ada", "import", "file.csv", "done"),
        ("Ben", "backup", "", "done"),
    ]
    app.selectbox(key="log_who").set_value("Ben").run()
    assert list(app.dataframe[0].value["Who"]) == ["Ben"]


def test_a_search_offers_the_sentences_without_a_match_that_have_its_words(results):
    """They are left out of the list, and the page says how many there are."""
    next(t for t in results.text_input if t.label == "Search").set_value("river").run()
    shown_before = len(sent_rows(results))

    results.button(key="unmatched").click().run()

    assert not results.exception
    assert len(sent_rows(results)) > shown_before
    assert {sent_row["kind"] for sent_row in sent_rows(results)} >= {"likely", "no match"}


def test_the_view_report_has_the_chosen_statements_and_the_files(results):
    """The same switch and order as the list; no second export menu beside it."""
    results.segmented_control(key="view").set_value("Report").run()

    assert not results.exception
    assert text(results).count('class="lx-report"') == 1
    assert "export_docx" in [button.key for button in results.get("download_button")]


def test_the_menu_of_exports_follows_the_decisions_of_its_opening(results):
    """It offers the confirmed ones after the first decision, without a reload of the page."""
    results.text_input(key="typed_name").set_value("Ada").run()
    results.button(key="do_confirm").click().run()

    results.session_state["export"] = True
    results.run()

    assert results.radio(key="selection").options[0] == "Confirmed only (1)"
    assert "Confirmed only (0)" not in text(results)


def test_the_menu_of_exports_says_how_to_export_only_confirmed_matches(results):
    """Before the first decision it has no such choice, but names it; the usual form comes first."""
    results.session_state["export"] = True
    results.run()

    form_buttons = results.get("download_button")
    assert "Confirmed only (0): confirm a match first, then choose it here." in text(results)
    assert form_buttons[0].key == "export_docx"


def test_the_order_of_matches_follows_the_filter_for_older_fact_checks(app):
    """Both are one choice in the address."""
    app.query_params["report"] = REPORT_ID
    app.run()

    app.checkbox(key="published_before_False").set_value(True).run()
    order_with_filter = app.radio(key="match_order").value
    app.checkbox(key="published_before_True").set_value(False).run()

    assert order_with_filter == MatchOrder.BEFORE
    assert app.radio(key="match_order").value == MatchOrder.CLOSEST


def test_fact_checks_are_filtered_and_counted(home):
    """Each filter has its counts; the number of hits is said."""
    app = AppTest.from_file(str(PAGES / "claims_page.py"), default_timeout=PATIENCE_S).run()
    assert "40 fact-checks" in text(app)

    app.selectbox(key="publisher").set_value("River Post").run()
    app.selectbox(key="rating").set_value("TRUE").run()

    assert not app.exception
    assert "1 to 20" not in text(app)
    assert '<p class="lx-line" role="status">7 fact-checks</p>' in text(app)


def test_the_activity_names_no_session_and_no_random_id(home):
    with AuditLog.open(f"sqlite:///{home / 'lectern.db'}") as log:
        with log.noted("visitor 5517e2", "import", "import3da0ca8148a4"):
            pass
        with log.noted("Ada", "check", REPORT_ID):
            pass

    app = AppTest.from_file(str(PAGES / "log_page.py"), default_timeout=PATIENCE_S).run()

    shown_rows = app.dataframe[0].value[["Who", "About"]].itertuples(index=False, name=None)
    assert set(shown_rows) == {
        ("someone without a name", "a file of fact-checks"),
        ("Ada", "City hall debate"),
    }


def test_the_activity_names_the_statement_of_a_decision(home):
    number = next(s for s in factory.report(60).sentences if s.matches).sentence.number
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        placed = deciding.decided_report(store, factory.report(60))
        match = placed.report.sentences[number - 1].matches[0]
        deciding.decide(store, placed, (number, match), Decision("later", by="Ada"))
    sentence_text = factory.report(60).sentences[number - 1].sentence.text

    app = AppTest.from_file(str(PAGES / "log_page.py"), default_timeout=PATIENCE_S).run()

    [row] = app.dataframe[0].value[["About", "Outcome"]].itertuples(index=False, name=None)
    assert row == (f"City hall debate, {number}: “{sentence_text}”", "later")
