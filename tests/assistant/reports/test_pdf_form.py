"""The report as a PDF file: characters that its fonts lack, and right-to-left names."""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import replace

import pypdfium2
import pytest

from assistant import reports
from assistant.core.errors import SettingsError
from assistant.report import contents
from assistant.reports import pdf_form
from tests.assistant import made_up


def text_of(report) -> str:
    """Return the text of all pages."""
    document = pypdfium2.PdfDocument(reports.render(report, "pdf"))
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def with_publisher(name):
    """Return a report whose fact-checks have a publisher."""
    base = made_up.report()
    sentences = []
    for checked in base.sentences:
        matches = tuple(
            replace(match, claim=replace(match.claim, publisher=name)) for match in checked.matches
        )
        sentences.append(replace(checked, matches=matches))
    return replace(base, sentences=tuple(sentences))


def test_the_last_page_counts_every_box():
    text = text_of(with_publisher("事実確認センター"))

    note = re.search(r"(\d+) characters shown as □", text)
    assert note is not None
    boxes_of_the_report = text.count("□") - 1  # the note shows one itself
    assert int(note[1]) == boxes_of_the_report


def test_a_report_without_boxes_has_no_note():
    assert "shown as □" not in text_of(made_up.report())


def test_an_arabic_name_is_joined():
    text = text_of(with_publisher("تحقق"))

    joined = [letter for letter in text if "ARABIC" in unicodedata.name(letter, "")]
    assert joined != []
    assert "□" not in text


@pytest.mark.threat("publisher")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on processor time")
def test_a_pdf_that_takes_too_long_is_refused_in_one_line(monkeypatch):
    reports.render(made_up.report(), "pdf")  # the fonts are loaded
    short = replace(pdf_form.WRITING_LIMITS, cpu_s=0.0)
    monkeypatch.setattr(pdf_form, "WRITING_LIMITS", short)
    long_rating = "very " * 20_000

    with pytest.raises(SettingsError, match="takes too long to write") as raised:
        reports.render(with_publisher(long_rating), "pdf")

    assert "\n" not in str(raised.value)
    assert "Word" in str(raised.value)


def test_the_process_of_the_writer_gives_the_bytes_of_this_one():
    report = made_up.report()

    assert reports.render(report, "pdf") == pdf_form.written(contents.printable(report).report)
