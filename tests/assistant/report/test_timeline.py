"""The picture of a debate: one mark a passage with a match, where it was said, by whom, how sure, how rated."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from assistant import reports
from assistant.core.domain import Decision
from assistant.report import contents, timeline, wording
from assistant.report.view import ReportView
from tests.assistant import made_up
from tests.assistant.reports import forms
from tests.assistant.ui import factory


def points(report, **options) -> list[dict]:
    marks = timeline.marks(ReportView(report))
    return timeline.chart_specification(report, marks, **options)["layer"][1]["data"]["values"]


def test_every_row_and_every_passage_folded_below_it_has_a_mark():
    """As many marks as rows and folded passages, in reading order, each with the tier of its passage."""
    report = factory.passages(60)
    shown = [p for p in report.passages if p.rank is not None or p.folded_into is not None]

    marks = timeline.marks(ReportView(report))

    assert [p.best for p in shown] == [mark.number for mark in marks]
    assert [p.tier for p in shown] == [mark.tier for mark in marks]


def test_a_mark_is_where_it_was_said_in_the_lane_of_who_said_it():
    """Seconds along; lanes one below the other, most matches first.

    The best rank stands highest.
    """
    report = factory.report(40)
    by_number = {c.sentence.number: c.sentence for c in report.sentences}
    mark_points = points(report)
    points_from_top = sorted(mark_points, key=lambda p: p["y"])
    lanes = list(dict.fromkeys(int(p["y"]) for p in points_from_top))

    assert [by_number[p["number"]].start for p in mark_points] == [p["x"] for p in mark_points]
    assert list(range(4)) == lanes
    assert all({p["speaker"] for p in mark_points if int(p["y"]) == lane} for lane in lanes)
    assert len({(int(p["y"]), p["speaker"]) for p in mark_points}) == 4
    depths = [p["y"] % 1 for p in sorted(mark_points, key=lambda p: p["rank"])]
    assert sorted(depths) == depths


def test_without_times_the_place_is_the_number_of_the_sentence():
    """One sentence without a time is enough: half a picture in seconds would mislead."""
    report = factory.report(40)
    sents = tuple(
        replace(s, start=None, end=None) if s.number == 7 else s for s in report.transcript
    )
    untimed = replace(report, transcript=replace(report.transcript, sentences=sents))

    marks = timeline.marks(ReportView(untimed))
    assert [mark.x for mark in marks] == [mark.number for mark in marks]
    assert timeline.interval_words(untimed, (9.2, 3)) == "sentences 3–9"
    assert timeline.interval_words(report, (9.2, 3)) == "00:00:03–00:00:09"


def test_speakers_beyond_the_last_lane_share_it():
    """Ten speakers need no ten lanes."""
    report = factory.report(60)
    names = [f"Speaker {n}" for n in range(10)]
    sents = tuple(replace(s, speaker=names[s.number % 10]) for s in report.transcript)
    checked = tuple(replace(c, sentence=s) for c, s in zip(report.sentences, sents, strict=True))
    long_report = replace(
        report, transcript=replace(report.transcript, sentences=sents), sentences=checked
    )

    specification = timeline.chart_specification(
        long_report, timeline.marks(ReportView(long_report))
    )

    expression = specification["encoding"]["y"]["axis"]["labelExpr"]
    assert len(json.loads(expression.removesuffix("[floor(datum.value)]"))) == timeline.MAX_LANES
    assert specification["height"] <= timeline.ALL_LANES_PX


def test_what_somebody_rejected_is_no_mark():
    """A passage whose only match was rejected leaves the picture; one that was confirmed stays."""
    report = forms.reviewed("reject")
    number = report.sentences[0].sentence.number

    assert number not in [mark.number for mark in timeline.marks(ReportView(report))]
    assert number in [mark.number for mark in timeline.marks(ReportView(forms.reviewed("confirm")))]


def test_a_stretch_holds_what_begins_in_it():
    """Both ends count, in either order."""
    report = factory.report(40)

    assert timeline.sentences_within(report, (20.0, 12.0)) == {3, 4, 5}


def test_signs_and_filling_tell_classes_and_strengths_apart():
    """A shape of its own for every class, full for strong, nothing inside for possible.

    Never colour alone.
    """
    assert len(wording.RATING_SIGNS) == len(set(timeline.SHAPES.values()))
    channels = timeline.chart_specification(
        factory.report(40), timeline.marks(ReportView(factory.report(40)))
    )["layer"][1]["encoding"]
    assert channels["fillOpacity"]["scale"] == {
        "type": "ordinal",
        "domain": ["strong", "likely", "good", "possible"],
        "range": [1, 1, 0.4, 0],
    }


def test_drawn_marks_are_filled_half_filled_or_open_by_their_strength():
    """The drawing itself, not only its specification."""
    report = factory.report(40)
    first_mark, *_ = timeline.marks(ReportView(report))
    strengths = ("strong", "good", "possible")
    drawn_marks = [
        replace(first_mark, number=number, x=10.0 * number, strength=strength)
        for number, strength in enumerate(strengths, 1)
    ]
    svg = timeline.svg(report, drawn_marks, {1: "m1", 2: "m2", 3: "m3"}, timeline.PAPER)

    filling = {}
    for path in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
        if path.get("aria-roledescription") == "point":
            filling[path.get("transform")] = path.get("fill-opacity")
    assert sorted(filling.values()) == ["0", "0.4", "1"]


def test_a_mark_of_the_page_says_what_a_click_does():
    """Marks on paper open nothing."""
    report = factory.report(40)
    report_marks = timeline.marks(ReportView(report))
    strip = timeline.strip_specification(report, report_marks, timeline.PAPER)
    on_page = strip["layer"][1]
    assert {"field": "click", "title": "Click"} in on_page["encoding"]["tooltip"]
    assert {value["click"] for value in on_page["data"]["values"]} == {timeline.CLICK_WORDS}
    on_paper = timeline.chart_specification(report, report_marks)["layer"][1]
    assert "click" not in on_paper["data"]["values"][0]


def test_the_web_page_has_links_from_marks_to_rows():
    """Each mark leads to an entry of the list that is there; the table says the same."""
    page = reports.render(factory.passages(60), "html").decode()
    figure = page[page.index('<figure class="picture">') :]
    svg = figure[figure.index("<svg") : figure.index("</svg>") + 6]
    targets = re.findall(r'xlink:href="#(m\d+)"', svg)
    marked = timeline.marks(ReportView(factory.passages(60)))

    ElementTree.fromstring(svg)
    assert len(marked) == len(targets)
    assert all(f'id="{target}"' in page for target in targets)
    assert len(marked) == page.count('<td><a href="#m')
    assert "this.page" not in page


@pytest.mark.parametrize("name", ["html", "docx", "pdf"])
def test_a_report_without_a_match_has_no_picture(name):
    """Nothing to see is not shown as an empty frame."""
    report = factory.report(20, matched=False)

    assert timeline.marks(ReportView(report)) == ()
    assert timeline.HOW_TO_READ not in forms.text_of(reports.render(report, name), name)


def test_word_says_the_picture_in_words():
    """The image has an alternative text with its counts."""
    report = made_up.report()
    document = zipfile.ZipFile(io.BytesIO(reports.render(report, "docx")))

    assert (
        f'descr="{timeline.summary(timeline.marks(ReportView(report)))}"'
        in document.read("word/document.xml").decode()
    )
    assert [name for name in document.namelist() if name.endswith(".png")]


def test_hostile_names_stay_text():
    """A speaker's name is data in the specification, never part of an expression that runs."""
    report = contents.legible(forms.hostile())
    specification = timeline.chart_specification(report, timeline.marks(ReportView(report)))

    expression = specification["encoding"]["y"]["axis"]["labelExpr"]
    assert json.loads(expression.removesuffix("[floor(datum.value)]")) == [
        report.transcript.sentences[0].speaker
    ]
    assert "<script" not in timeline.svg(
        report, timeline.marks(ReportView(report)), {}, timeline.PAPER
    )


def test_a_decision_changes_what_a_mark_says():
    """The confirmed match of a passage is the one whose rating is drawn."""
    report = factory.report(40)
    best = next(c for c in report.sentences if len(c.matches) > 1)
    last_match = replace(best.matches[-1], decision=Decision("confirm", by="Ada"))
    changed = replace(best, matches=(*best.matches[:-1], last_match))
    sentences = tuple(changed if c is best else c for c in report.sentences)

    marks = timeline.marks(ReportView(replace(report, sentences=sentences)))
    marks_by_number = {mark.number: mark for mark in marks}

    assert last_match.claim.rating == marks_by_number[best.sentence.number].rating
