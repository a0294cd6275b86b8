"""The report as a Word document."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace

import pytest
from docx import Document
from docx.oxml.ns import qn

from assistant import reports
from assistant.reports import docx_form
from tests.assistant import made_up
from tests.assistant.reports import forms

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")


def opened(report) -> Document:
    return Document(io.BytesIO(reports.render(report, "docx")))


def commented(document: Document) -> dict[int, str]:
    """Return for each comment the text between its two marks in the document."""
    comment_texts: dict[int, str] = {}
    for paragraph in document.paragraphs:
        inside: set[int] = set()
        for element in paragraph._p:
            number = element.get(qn("w:id"))
            if element.tag == qn("w:commentRangeStart"):
                inside.add(int(number))
            elif element.tag == qn("w:commentRangeEnd"):
                inside.discard(int(number))
            elif element.tag == qn("w:r"):
                for at in inside:
                    comment_texts[at] = comment_texts.get(at, "") + "".join(
                        t.text or "" for t in element.iter(qn("w:t"))
                    )
    return comment_texts


def test_every_matched_sentence_has_a_comment_on_its_own_words():
    """The comment's marks enclose the sentence and nothing else.

    A sentence without a match has none.
    """
    document = opened(made_up.report())

    assert list(commented(document).values()) == ["The tunnel has been open since 1994."]
    (comment,) = document.comments
    assert "Sample desk (invented) rated this claim True on 4 Mar 2019" in comment.text
    assert "https://example.org/samples/1" in comment.text


def test_a_comment_that_nobody_settled_is_signed_so_and_has_no_date():
    """It is not a person's comment."""
    (comment,) = opened(made_up.report()).comments

    assert comment.author == docx_form.UNREVIEWED
    assert comment.timestamp is None


def test_a_confirmed_comment_has_the_name_and_the_time_of_the_person():
    """As in any document that people have commented."""
    (comment,) = opened(forms.reviewed("confirm")).comments

    assert comment.author == "Ada Quill"
    assert comment.timestamp.isoformat()[:19] == "2024-09-11T09:30:00"


def test_a_rejected_match_has_no_comment_and_stands_in_the_last_table():
    """It is not lost, and not shown as a find."""
    document = opened(forms.reviewed("confirm", "reject"))

    (comment,) = document.comments
    assert "River Post" not in comment.text
    assert "River Post" in document.tables[-1].rows[1].cells[1].text
    assert "Rejected by Ben Ode" in document.tables[-1].rows[1].cells[3].text


def test_every_page_says_what_was_reviewed():
    """The header is that of all pages, first and even ones too."""
    (section,) = opened(made_up.report()).sections

    assert "Not reviewed" in section.header.paragraphs[0].text
    assert not section.different_first_page_header_footer
    assert [f.get(qn("w:instr")) for f in section.footer._element.iter(qn("w:fldSimple"))] == [
        "PAGE",
        "NUMPAGES",
    ]


@pytest.mark.threat("publisher")
def test_the_table_links_to_the_articles_of_the_web_only():
    """A hostile address is text."""
    hostile = replace(made_up.VCLAIM, url="javascript:alert(1)")
    first_sentence = replace(
        made_up.report().sentences[0], matches=(made_up.match(), made_up.match(hostile, rank=2))
    )
    document = opened(
        replace(made_up.report(), sentences=(first_sentence, *made_up.report().sentences[1:]))
    )

    links = {r.target_ref for r in document.part.rels.values() if r.is_external}
    assert links == {"https://example.org/samples/1"}


@pytest.mark.skipif(not SOFFICE, reason="LibreOffice is not installed")
def test_libreoffice_opens_it_with_all_comments(tmp_path):
    """What another program saves again has a comment on every matched sentence, and who confirmed it."""
    from tests.assistant.ui import factory

    report = factory.report(60)
    matched = [checked for checked in report.sentences if checked.matches]
    assert annotations(forms.reviewed("confirm", ""), tmp_path)[1] == ["Ada Quill"]
    assert len(matched) == annotations(report, tmp_path)[0] > 10


def annotations(report, folder):
    """Return how many comments LibreOffice finds in the Word file of a report, and which reviewers it names."""
    (folder / "report.docx").write_bytes(reports.render(report, "docx"))
    command = [
        SOFFICE,
        "--headless",
        f"-env:UserInstallation=file://{folder}/profile",
        "--convert-to",
        "odt",
    ]
    subprocess.run(
        [*command, "--outdir", folder, folder / "report.docx"], check=True, capture_output=True
    )

    import zipfile

    with zipfile.ZipFile(folder / "report.odt") as odt:
        content = odt.read("content.xml").decode()
    return content.count("<office:annotation "), re.findall("Ada Quill", content)[:1]


def parts_of(data):
    """Return the parts of a Word file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_every_style_that_is_used_is_defined():
    parts = parts_of(reports.render(made_up.report(), "docx"))

    used = set()
    for part in parts.values():
        used |= set(re.findall(r'<w:(?:p|r|tbl)Style w:val="([^"]+)"', part))
    defined = set(re.findall(r'w:styleId="([^"]+)"', parts["word/styles.xml"]))
    assert used - defined == set()
    assert "CommentText" in used


def test_the_preview_of_the_template_is_left_out():
    parts = parts_of(reports.render(made_up.report(), "docx"))

    assert [name for name in parts if "thumbnail" in name] == []
    assert "thumbnail" not in parts["_rels/.rels"]
