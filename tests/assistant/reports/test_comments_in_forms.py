"""Comments of colleagues are in forms for readers if an export asks for them, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import reports
from tests.assistant import made_up
from tests.assistant.reports import forms

COMMENT = "Zoë Müller, 26 Nov 2026, 05:10: Call the council first."
WITH_COMMENTS = ("html", "docx", "pdf", "md", "txt", "csv", "xlsx")
OTHER_FORMS = sorted(set(reports.FORMATS) - set(WITH_COMMENTS))


def commented(report, comment=COMMENT):
    """Return a report whose first match has a comment."""
    first = report.sentences[0]
    match = replace(first.matches[0], comments=(comment,))
    sentences = (replace(first, matches=(match, *first.matches[1:])), *report.sentences[1:])
    return replace(report, sentences=sentences)


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("verdict", ["", "confirm", "later"])
@pytest.mark.parametrize("name", WITH_COMMENTS)
def test_a_form_for_readers_has_the_comments_that_it_was_asked_for(name, verdict):
    report = forms.reviewed(verdict)

    text = forms.text_of(reports.render(commented(report), name), name)
    plain_text = forms.text_of(reports.render(report, name), name)

    assert squeezed(COMMENT) in squeezed(text)
    assert "council first" not in plain_text


@pytest.mark.threat("reader")
@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_published_form_never_has_comments(name):
    """The JSON report, linked data, annotations and captions."""
    report = forms.reviewed("confirm")

    assert reports.render(commented(report), name) == reports.render(report, name)


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf", "txt", "xlsx"])
def test_a_malicious_comment_shows_as_text(name):
    report = commented(made_up.report(), f"Mallory: {forms.ATTACK}\x00\ud800\u202e end")

    text = forms.text_of(reports.render(report, name), name)

    assert "alert('x')" in text
