"""A reported export: names in many scripts, signs of mark-up, and rules that Word is strict about."""

from __future__ import annotations

import html
import io
import re
import unicodedata
import zipfile

import pytest
from markdown_it import MarkdownIt

from assistant import reports
from tests.assistant import made_up
from tests.assistant.reports import forms, reported_export
from tests.assistant.reports.ooxml_rules import broken_rules
from tests.assistant.reports.test_markdown_form import ESCAPABLE
from tests.assistant.reports.test_pdf_form import text_of

REPORTS = {
    "made up": made_up.report,
    "reviewed": lambda: forms.reviewed("confirm", "reject", "later", ""),
    "hostile": forms.hostile,
    "reported": reported_export.report,
}


@pytest.fixture(scope="module")
def page():
    """Return the report as Markdown."""
    return reports.render(reported_export.report(), "md").decode()


def test_every_backslash_stands_where_all_dialects_know_it(page):
    escaped = re.findall(r"\\(.)", page)

    assert set(escaped) <= ESCAPABLE - set(":&=|'/@\"~^$<")
    assert len(escaped) < 40


def test_markdown_shows_the_words_of_every_fact_check(page):
    rendered = MarkdownIt("commonmark").enable("table").render(page)
    shown = " ".join(html.unescape(re.sub(r"<[^>]+>", "", rendered)).split())

    for claim in reported_export.claims():
        for words in (claim.statement, claim.title, claim.claimant, claim.publisher, claim.rating):
            assert words in shown
    assert "\\" not in shown


def test_the_pdf_joins_arabic_names_and_counts_the_boxes():
    text = text_of(reported_export.report())
    note = re.search(r"(\d+) characters shown as □", text)

    letters = {unicodedata.normalize("NFKC", letter) for letter in text}
    assert set("محمدتحقق") <= letters
    assert int(note[1]) == text.count("□") - 1  # the note shows one itself


@pytest.mark.parametrize("name", REPORTS)
def test_a_document_breaks_no_rule_of_word(name):
    assert broken_rules(reports.render(REPORTS[name](), "docx")) == []


@pytest.mark.parametrize(
    "part_name, old, new, problem",
    [
        ("word/styles.xml", 'w:styleId="CommentText"', 'w:styleId="Other"', "CommentText"),
        ("word/document.xml", 'w:val="ListBullet"', 'w:val="Gone"', "the style Gone"),
        ("word/document.xml", "<w:commentRangeEnd", "<w:bookmarkEnd", "commentRangeEnd marks"),
        ("word/_rels/document.xml.rels", 'Target="styles.xml"', 'Target="x.xml"', "x.xml"),
        ("[Content_Types].xml", "/word/comments.xml", "/word/gone.xml", "/word/gone.xml"),
        ("word/comments.xml", "w:author=", "w:other=", "no author"),
    ],
)
def test_the_rules_find_a_broken_document(part_name, old, new, problem):
    whole = io.BytesIO(reports.render(made_up.report(), "docx"))
    broken = io.BytesIO()
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == part_name:
                assert old in data.decode()
                data = data.decode().replace(old, new).encode()
            target.writestr(name, data)

    assert any(problem in line for line in broken_rules(broken.getvalue()))
