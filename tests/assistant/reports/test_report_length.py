"""The length of a report with the confirmed matches alone: a few pages, and a text for one post."""

from __future__ import annotations

from dataclasses import replace

import pypdfium2
import pytest

from assistant import reports
from assistant.core.domain import Decision
from assistant.report.selection import Selection, selected
from assistant.report.view import ReportView
from assistant.reports import pdf_form
from tests.assistant.ui import factory

CONFIRMED_COUNT = 20
MAX_PAGES = 4
MAX_TEXT_BYTES = 8_000
DECISION = Decision("confirm", "", "Ada Lynn of the night desk", at="2026-11-26T22:10:00.000Z")


@pytest.fixture(scope="module")
def confirmed_report():
    """A report with twenty confirmed matches, cut down to them."""
    report = factory.report(80)
    sentences = []
    for checked in report.sentences:
        confirmed_so_far = sum(1 for earlier in sentences if is_decided(earlier))
        if checked.matches and confirmed_so_far < CONFIRMED_COUNT:
            first, *others = checked.matches
            checked = replace(checked, matches=(replace(first, decision=DECISION), *others))
        sentences.append(checked)
    return selected(replace(report, sentences=tuple(sentences)), Selection.CONFIRMED)


def is_decided(checked):
    """Say whether the first match of a sentence has a decision."""
    return bool(checked.matches) and checked.matches[0].decision is not None


def test_all_twenty_matches_are_in_the_report(confirmed_report):
    assert sum(is_decided(checked) for checked in confirmed_report.sentences) == CONFIRMED_COUNT


def test_twenty_confirmed_matches_fit_on_four_pages(confirmed_report):
    document = pypdfium2.PdfDocument(pdf_form.written(confirmed_report))

    assert len(document) <= MAX_PAGES


def test_each_confirmed_match_keeps_its_link_on_paper(confirmed_report):
    document = pypdfium2.PdfDocument(pdf_form.written(confirmed_report))
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    squeezed = "".join(text.split())

    urls = set()
    for checked in confirmed_report.sentences:
        urls |= {match.claim.url for match in checked.matches}
    assert {url for url in urls if url not in squeezed} == set()


def test_the_text_for_a_live_blog_is_short(confirmed_report):
    text = reports.FORMATS["txt"].render(ReportView(confirmed_report))

    assert len(text) <= MAX_TEXT_BYTES
