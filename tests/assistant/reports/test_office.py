"""The report as a workbook, a PDF file, Markdown and a block of text."""

from __future__ import annotations

import io

import pytest
from openpyxl import load_workbook

from assistant import reports
from assistant.report import wording
from assistant.reports import csv_form, text_form
from tests.assistant import made_up
from tests.assistant.reports import forms


def test_the_workbook_comes_back_in_pandas():
    """Columns and values as in the report; numbers stay numbers."""
    pandas = pytest.importorskip("pandas")
    report = forms.reviewed("confirm", "")

    table = pandas.read_excel(
        io.BytesIO(reports.render(report, "xlsx")), "Matches", keep_default_na=False
    )

    assert list(csv_form.HEADER) == list(table.columns)
    assert list(table["publisher"]) == ["Sample desk (invented)", "River Post"]
    assert list(table["decision"]) == ["confirm", "not reviewed"]
    assert list(table["score"]) == [1.5, 1.5]


def test_workbook_and_csv_agree_in_pandas():
    """The two tables are one table, but that the workbook names signals in words and the CSV file by their columns."""
    pandas = pytest.importorskip("pandas")
    report = forms.reviewed("confirm", "reject", "")
    options = {"keep_default_na": False, "dtype": str}

    book = pandas.read_excel(io.BytesIO(reports.render(report, "xlsx")), "Matches", **options)
    plain = pandas.read_csv(
        io.BytesIO(reports.render(report, "csv")), encoding="utf-8-sig", **options
    )

    numbers = ["score", "rank", "sentence_rank", "n"]
    apart = [*numbers, "top_signals"]
    assert book.drop(columns=apart).equals(plain.drop(columns=apart))
    assert "SBERT cosine with the statement +0.75" in book["top_signals"][0]
    assert "sbert_statement +0.75" in plain["top_signals"][0]
    assert book[numbers].astype(float).equals(plain[numbers].astype(float))


@pytest.mark.threat("publisher")
def test_no_cell_is_a_formula_and_each_stays_text():
    """A sentence that begins like a formula is stored as text, and as such when somebody edits it."""
    book = load_workbook(io.BytesIO(reports.render(made_up.report("=1+1 is two."), "xlsx")))

    cell = book["Matches"]["D2"]
    assert cell.value == "=1+1 is two."
    assert cell.data_type == "s"
    assert bool(cell.quotePrefix) is True
    assert not [c for s in book for sheet_row in s.rows for c in sheet_row if c.data_type == "f"]


def test_every_sheet_prints_what_was_reviewed():
    """Paper too says that nobody has looked."""
    book = load_workbook(io.BytesIO(reports.render(made_up.report(), "xlsx")))

    assert book.sheetnames == ["Matches", "Transcript", "About"]
    assert all("Not reviewed" in sheet.oddHeader.center.text for sheet in book)


def test_every_page_of_the_pdf_has_its_number_and_what_was_reviewed():
    """Text can be taken out of it, page by page."""
    pdfplumber = pytest.importorskip("pdfplumber")
    from tests.assistant.ui import factory

    with pdfplumber.open(io.BytesIO(reports.render(factory.report(60), "pdf"))) as file:
        pages = [page.extract_text() for page in file.pages]

    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert page.startswith("Not reviewed: nobody has confirmed or rejected these matches yet")
        assert page.endswith(f"{number} / {len(pages)}")


def test_the_pdf_keeps_other_scripts_and_counts_what_it_cannot_show():
    """Greek and Cyrillic come out as they went in.

    A character without a glyph is a box, and a note counts them.
    """
    text = forms.text_of(reports.render(made_up.report("Ο Юрий said 汉字."), "pdf"), "pdf")

    assert "Ο Юрий said □□." in text
    boxes_of_the_report = text.count("□") - 1  # the note shows one itself
    assert f"{boxes_of_the_report} characters shown as □" in text


def test_markdown_shows_what_was_said():
    """An independent reader of Markdown finds no tag, link or list that we did not write."""
    markdown = (
        pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True}).enable("table")
    )

    page = markdown.render(reports.render(forms.hostile(), "md").decode())

    assert "<script" not in page
    assert "<b>" not in page
    assert "javascript:y)" in page
    assert 'href="javascript' not in page


def test_a_pasted_piece_of_text_says_itself_that_nobody_reviewed_it():
    """The first line of every suggestion is marked; a confirmed one is not."""
    lines = reports.render(forms.reviewed("confirm", ""), "txt").decode().splitlines()

    quotations = [line for line in lines if "The tunnel has been open since 1994." in line]
    assert len(quotations) == 2
    assert not quotations[0].startswith(text_form.UNREVIEWED)
    assert quotations[1].startswith(text_form.UNREVIEWED)
    assert lines.index("CONFIRMED") < lines.index("SUGGESTIONS, NOT REVIEWED")
    assert lines[-1] == wording.RATINGS_ARE_THE_PUBLISHERS
