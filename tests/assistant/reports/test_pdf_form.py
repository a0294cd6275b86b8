"""The report as a PDF file: characters that its fonts lack, and right-to-left names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pypdfium2

from assistant import reports
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
