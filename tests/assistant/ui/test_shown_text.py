"""Texts from outside as a page shows them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from assistant.core.domain import Stance
from assistant.report.view import ReportView
from assistant.reports import markdown_form
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import card_html, sentence_list, shown_text
from tests.assistant.ui import factory

REVERSED = "rated \u202eeurT\u202c and \u2067so on\u2069"
SCRIPT = "<script>x</script> [y](http://evil.example) ![z](http://evil.example/p.png)"


def hostile_match(**changes):
    match = factory.match(1, 1, None)
    return replace(match, claim=replace(match.claim, **changes))


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("mark", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_a_mark_of_direction_never_turns_a_line_of_the_screen(mark):
    """It stays visible that something was there."""
    assert shown_text.escape(f"a{mark}<b") == "a\ufffd&lt;b"
    assert escape_markdown(f"a{mark}b") == "a\ufffdb"
    assert shown_text.data_for_page(
        {"rows": [{"text": f"a{mark}b", "n": 1}, (None, f"{mark}")]}
    ) == {"rows": [{"text": "a\ufffdb", "n": 1}, [None, "\ufffd"]]}


@pytest.mark.threat("publisher")
def test_a_card_never_shows_a_rating_in_reverse():
    match = hostile_match(
        rating=REVERSED, statement=REVERSED, publisher=REVERSED, claimant=REVERSED
    )
    parts = card_html.match_html(match, REVERSED, date(2024, 9, 10))

    assert not set("\u202e\u202c\u2067\u2069") & set("".join(parts))


@pytest.mark.threat("publisher")
def test_the_list_never_shows_a_text_in_reverse():
    """Its rows go to a component of the page as data."""
    rows = sentence_list.list_rows(ReportView(factory.report(20)))
    rows = [replace(rows[0], text=REVERSED)]
    data = shown_text.data_for_page(sentence_list.payload(rows, "Ranked", None, ""))

    assert data["rows"][0]["text"] == "rated \ufffdeurT\ufffd and \ufffdso on\ufffd"


@pytest.mark.threat("backup holder")
def test_a_stored_report_never_puts_markup_into_the_note_beside_a_rating():
    """Conflicts that this version does not know are shown as they are stored."""
    report = factory.report(20)
    sentences = [
        replace(
            c,
            matches=tuple(replace(m, stance=Stance.UNCLEAR, against=(SCRIPT,)) for m in c.matches),
        )
        for c in report.sentences
    ]
    hostile = ReportView(replace(report, sentences=tuple(sentences)))
    match = next(c.matches[0] for c in sentences if c.matches)

    page = markdown_form.render(hostile).decode()
    card = "".join(card_html.match_html(match, "A sentence.", None))

    assert "<script>" not in page
    html = MarkdownIt().render(page)
    assert 'href="http://evil' not in html
    assert "<img" not in html
    assert "<script>" not in card


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("has no statement. Nothing was imported.", "Has no statement. Nothing was imported."),
        ("can’t be opened", "Can’t be opened"),
        ("élan is missing.", "Élan is missing."),
        ("debate.srt:41: end is before start.", "debate.srt:41: end is before start."),
        ("cityhall: is being checked.", "cityhall: is being checked."),
        ("politifact.com took longer than 60 s.", "politifact.com took longer than 60 s."),
        ("12 rows were refused.", "12 rows were refused."),
        ("iPhone is no name", "iPhone is no name"),
        ("“x” isn’t a date.", "“x” isn’t a date."),
        ("", ""),
    ],
)
def test_an_error_begins_with_a_capital_unless_a_place_or_value_begins_it(message, sentence):
    assert shown_text.sentence_case(message) == sentence


def test_no_module_draws_an_error_past_the_one_place():
    """Texts of errors come in small letters; ``draw_error`` and ``draw_warning`` mend them."""
    modules = Path(shown_text.__file__).parent.rglob("*.py")
    past_it = [
        path.name
        for path in modules
        if path.name != "shown_text.py"
        and re.search(r"st\.(error|warning)\(escape_markdown\(", path.read_text("utf-8"))
    ]

    assert past_it == []
