"""Selections of a report: short, and complete for the chosen statements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import reports
from assistant.core.domain import Decision
from assistant.passages.listing import rearranged
from assistant.report.selection import Selection, selected, selection_words
from assistant.report.view import ReportView
from tests.assistant.reports import forms
from tests.assistant.ui import factory

READABLE = ("html", "docx", "pdf", "md", "txt", "csv", "xlsx", "srt", "vtt", "json")
CONFIRMED_COUNT = 20
MAX_PAGES = 4
MAX_LIVE_BLOG_BYTES = 8192


def with_decisions(report, verdicts):
    """Return the report with verdicts on the first matches of its best sentences."""
    sentences = list(report.sentences)
    by_rank = sorted(
        (i for i, checked in enumerate(sentences) if checked.matches),
        key=lambda i: sentences[i].rank,
    )
    for i, verdict in zip(by_rank, verdicts, strict=False):
        first, *others = sentences[i].matches
        decided = replace(first, decision=Decision(verdict, by="Ada Lynn"))
        sentences[i] = replace(sentences[i], matches=(decided, *others))
    return replace(report, sentences=tuple(sentences))


@pytest.fixture(scope="module")
def decided():
    return with_decisions(factory.report(600), ["reject", *["confirm"] * CONFIRMED_COUNT])


def test_confirmed_only_has_the_confirmed_matches_and_no_other(decided):
    chosen = selected(decided, Selection.CONFIRMED)

    matches = ReportView(chosen).matches
    assert len(matches) == CONFIRMED_COUNT
    assert {match.decision.verdict for match in matches} == {"confirm"}
    assert selection_words(chosen).startswith(f"confirmed only: {CONFIRMED_COUNT} of ")


def test_a_repeated_statement_counts_once():
    """It is one row of the list and one entry of the export, with the times of its repeats."""
    report = factory.passages(60)
    repeated = next(group for group in ReportView(report).groups if group.repeats)
    numbers = [passage.best.sentence.number for passage in repeated.passages]
    sentences = []
    for checked in report.sentences:
        if checked.sentence.number in numbers:
            matches = [
                replace(match, decision=Decision("confirm", by="Ada Lynn"))
                for match in checked.matches
            ]
            checked = replace(checked, matches=tuple(matches))
        sentences.append(checked)
    report = rearranged(replace(report, sentences=tuple(sentences)))

    confirmed = selected(report, Selection.CONFIRMED)

    assert len(numbers) > 1
    assert len(ReportView(confirmed).groups) == 1
    assert selection_words(confirmed).startswith("confirmed only: 1 of ")


def test_a_selection_keeps_numbers_and_texts_of_its_sentences(decided):
    texts = {c.sentence.number: c.sentence.text for c in decided.sentences}

    chosen = selected(decided, Selection.TOP)

    assert len(ReportView(chosen).groups) == CONFIRMED_COUNT
    assert all(texts[c.sentence.number] == c.sentence.text for c in chosen.sentences)


def test_a_rejected_match_is_in_no_selection(decided):
    for selection in (Selection.CONFIRMED, Selection.STRONG, Selection.TOP):
        decisions = [m.decision for m in ReportView(selected(decided, selection)).matches]

        assert "reject" not in [d.verdict for d in decisions if d]


def test_a_report_says_that_its_strong_matches_come_with_the_confirmed_ones(decided):
    """A match that a person confirmed is among them, whatever its strength."""
    chosen = selected(decided, Selection.STRONG)

    assert selection_words(chosen).startswith("strong or confirmed: ")


def test_everything_is_the_report_itself(decided):
    assert selected(decided, Selection.EVERYTHING) is decided


def test_nothing_confirmed_is_an_empty_selection():
    chosen = selected(factory.report(60), Selection.CONFIRMED)

    assert ReportView(chosen).matches == ()


@pytest.mark.parametrize("name", READABLE)
def test_every_form_writes_a_selection_with_its_statements(decided, name):
    chosen = selected(decided, Selection.CONFIRMED)

    words = forms.text_of(reports.render(chosen, name), name)

    assert "The bridge opened in 1938" in " ".join(words.split())


def test_twenty_confirmed_matches_fit_on_four_pages_of_pdf(decided):
    pdfium = pytest.importorskip("pypdfium2")

    pdf = reports.render(selected(decided, Selection.CONFIRMED), "pdf")

    assert len(pdfium.PdfDocument(pdf)) <= MAX_PAGES


def test_twenty_confirmed_matches_are_a_short_text_for_a_live_blog(decided):
    text = reports.render(selected(decided, Selection.CONFIRMED), "txt")

    assert len(text) <= MAX_LIVE_BLOG_BYTES
