"""What holds for every format of a report."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import reports
from assistant.claims import manual_entry
from assistant.core.domain import (
    OWN_NOTE,
    KeySentence,
    RatingClass,
    Report,
    Tier,
)
from assistant.core.errors import SettingsError
from assistant.passages.listing import MIXED_SKIPPED, rearranged, with_mixed
from assistant.report import contents
from assistant.report.wording import NEWSROOM_NOTE
from tests.assistant import made_up
from tests.assistant.reports import forms

NAMES = sorted(reports.FORMATS)
READ_BY_PEOPLE = ("docx", "html", "md", "pdf", "txt", "xlsx", "vtt", "annotations")


def squeezed(text: str) -> str:
    """Return text without white space and the invisible joiner, which lines and players need."""
    return "".join(text.replace("\u2060", "").split())


@pytest.mark.parametrize("name", NAMES)
def test_the_same_report_gives_the_same_bytes(name):
    """No clock and no chance in any format, whatever was written before."""
    first_rendering = reports.render(forms.reviewed("confirm", ""), name)
    reports.render(forms.hostile(), name)

    assert reports.render(forms.reviewed("confirm", ""), name) == first_rendering


KEYS = (
    KeySentence(0, 0, 5, "It repeats.", 0.9, "repeats the claim"),
    KeySentence(1, 6, 9, "It debunks.", 0.8, "debunking pattern"),
    KeySentence(2, 10, 14, "It decides.", 0.7, "repeats the claim, decides the rating"),
)
ALL_KEYS = {key.text for key in KEYS}
# How many key sentences there is room for: all, two in what is pasted and in notes, one on the
# screen.
ROOM = {
    "txt": ALL_KEYS - {"It debunks."},
    "vtt": ALL_KEYS - {"It debunks."},
    "srt": {"It decides."},
}


@pytest.mark.parametrize(
    "name", ["json", "html", "docx", "pdf", "md", "csv", "xlsx", "txt", "vtt", "srt"]
)
def test_key_sentences_are_quoted_with_what_they_are_there_for(name):
    """Verbatim, each with its reason; the one that decides wherever there is room for one."""
    report = made_up.report()
    first_sentence = replace(
        report.sentences[0], matches=(replace(made_up.match(), key_sentences=KEYS),)
    )
    text = forms.text_of(
        reports.render(replace(report, sentences=(first_sentence, *report.sentences[1:])), name),
        name,
    )

    squeezed_text = squeezed(text)
    assert ROOM.get(name, ALL_KEYS) == {
        key.text for key in KEYS if squeezed(key.text) in squeezed_text
    }
    assert squeezed("decides the rating") in squeezed_text
    assert ("debunkingpattern" in squeezed_text) == (name not in ROOM)


@pytest.mark.parametrize("name", ["html", "docx", "pdf", "md"])
def test_a_match_without_key_sentences_says_so(name):
    """Where proof is missing nobody has to guess why."""
    report = made_up.report()
    first_sentence = replace(
        report.sentences[0], matches=(replace(made_up.match(), key_sentences=()),)
    )
    text = forms.text_of(
        reports.render(replace(report, sentences=(first_sentence, *report.sentences[1:])), name),
        name,
    )

    assert squeezed("No sentence of its article can be quoted") in squeezed(text)
    assert squeezed("No sentence of its article") not in squeezed(
        forms.text_of(reports.render(report, name), name)
    )


@pytest.mark.parametrize("name", NAMES)
def test_archives_and_documents_hold_no_moment_of_writing(name):
    """Nothing in the bytes is from this year, whose reports are about another."""
    from datetime import UTC, datetime

    assert f"D:{datetime.now(UTC):%Y%m%d}".encode() not in reports.render(made_up.report(), name)
    assert f"{datetime.now(UTC):%Y-%m-%dT}".encode() not in reports.render(made_up.report(), name)


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf", "txt", "xlsx"])
def test_hostile_text_shows_as_text(name):
    """Mark-up, formulas, control characters and half characters are shown, not obeyed.

    Nothing breaks the file.
    """
    text = forms.text_of(reports.render(forms.hostile(), name), name)

    assert squeezed(forms.ATTACK) in squeezed(text)
    assert not {"\x00", "\x1b", "\u202e"} & set(text)


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("name", ["annotations", "json", "jsonld"])
def test_hostile_text_in_json_comes_back(name):
    """The value that a program reads is what was said."""
    report = forms.hostile()
    decided = replace(report.sentences[0].matches[0], decision=forms.DECIDED["confirm"])
    first_sentence = replace(report.sentences[0], matches=(decided,))
    data = reports.render(replace(report, sentences=(first_sentence, *report.sentences[1:])), name)

    assert json.dumps(forms.ATTACK) in json.dumps(json.loads(data))


@pytest.mark.parametrize("name", READ_BY_PEOPLE)
def test_an_unreviewed_report_says_so(name):
    """Nobody takes a suggestion for a finding."""
    text = forms.text_of(reports.render(made_up.report(), name), name)

    assert "Not reviewed: nobody has confirmed or rejected this match yet" in " ".join(text.split())


@pytest.mark.parametrize("name", READ_BY_PEOPLE)
def test_a_reviewed_report_names_who(name):
    """The confirmed match carries the name of the person; the whole is not called unreviewed."""
    text = " ".join(forms.text_of(reports.render(forms.reviewed("confirm"), name), name).split())

    assert "The only statement was reviewed by Ada Quill" in text
    assert "Not reviewed" not in text
    assert "not reviewed" not in text.replace(" or not reviewed", "")


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf", "xlsx", "vtt", "annotations"])
def test_the_head_says_what_made_it(name):
    """Digest of the source, versions, models, database and who reviewed are in the file."""
    text = " ".join(
        forms.text_of(reports.render(forms.reviewed("confirm", "reject"), name), name).split()
    )

    assert "0" * 64 in text.replace(" ", "")
    assert {"Ada", "Ben", "embedded", "0.1.0"} <= set(re.split(r'[\s,":]+', text))


@pytest.mark.parametrize(
    "name", ["docx", "html", "md", "pdf", "txt", "xlsx", "csv", "srt", "vtt", "annotations"]
)
def test_ratings_are_the_publishers_words_side_by_side(name):
    """Two publishers of one claim are both there, each with its rating."""
    text = " ".join(
        forms.text_of(reports.render(forms.reviewed("confirm", ""), name), name).split()
    )

    assert all(
        word in text for word in ("Sample desk (invented)", "River Post", "True", "Mostly False")
    )


@pytest.mark.parametrize("verdict", ["", "later", "reject"])
@pytest.mark.parametrize("name", [*READ_BY_PEOPLE, "csv", "srt", "json", "jsonld"])
def test_nothing_is_confirmed_that_no_person_confirmed(name, verdict):
    """Neither a likely match nor one that was put off or rejected."""
    text = forms.text_of(reports.render(forms.reviewed(verdict), name), name)

    assert not re.search(
        r'Confirmed by|✓|"verdict": "confirm"|CONFIRMED|\bconfirm\b|"Quotation"', text
    )


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf", "txt"])
def test_a_rejected_match_is_no_suggestion(name):
    """What a person rejected is not offered again."""
    text = forms.text_of(reports.render(forms.reviewed("reject"), name), name)

    assert "Suggestion, not" not in text


def test_every_format_writes_a_report_in_which_nothing_was_found():
    """No match is a result too."""
    report = made_up.report()
    bare = replace(report.sentences[0], matches=(), tier=None)
    report = replace(report, sentences=(bare, *report.sentences[1:]))

    for name in ("docx", "html", "md", "pdf", "txt"):
        text = " ".join(forms.text_of(reports.render(report, name), name).split())
        assert "No fact-check in the database covers this debate." in text


def test_captions_need_times():
    """Without any time they are refused by name and not offered; every other format is."""
    report = made_up.report()
    sentences = tuple(replace(s, start=None, end=None) for s in report.transcript)
    report = replace(report, transcript=replace(report.transcript, sentences=sentences))

    with pytest.raises(SettingsError, match="srt, because this transcript has no times"):
        reports.render(report, "srt")
    assert {form.name for form in reports.offered(report)} == set(NAMES) - {"srt", "vtt"}


def test_an_unknown_format_is_refused_with_the_known_ones():
    """One line, with the names."""
    with pytest.raises(SettingsError, match="json, html, docx"):
        reports.render(made_up.report(), "doc")


def test_legible_changes_nothing_that_can_be_read():
    """Letters of any script, numbers and dates pass; what cannot be written is marked."""
    report = made_up.report("Ça coûte 3 €, сказал 汉字 😀.")

    assert contents.legible(report) == report
    assert contents.legible(made_up.report("a\ud800b")).sentences[0].sentence.text == "a\ufffdb"


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a b?c=1", "https://example.org/ab?c=1"),
        ("https://example.org/\"><script>'", "https://example.org/%22%3E%3Cscript%3E%27"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("http://[half", ""),
        ("", ""),
    ],
)
def test_only_addresses_of_the_web_become_links(url, expected):
    """Nothing in an address can end the link that holds it."""
    assert contents.address(replace(made_up.VCLAIM, url=url)) == expected


@pytest.mark.parametrize("name", [name for name in reports.FORMATS if name != "jsonld"])
def test_a_newsroom_note_is_labelled_in_every_form(name):
    """Never as a fact-check; nobody rated it. JSON has the label that databases store."""
    page = forms.text_of(reports.render(noted(), name), name)

    label = OWN_NOTE if name == "json" else NEWSROOM_NOTE
    assert label in page
    assert f"{label} rated" not in page
    assert (label == OWN_NOTE) == (OWN_NOTE in page)


def test_a_newsroom_note_is_no_claim_that_a_publisher_checked():
    """The linked data points at fact-checks only."""
    assert json.loads(reports.render(noted(), "jsonld"))["hasPart"] == []


def noted():
    """A report whose only match is a confirmed newsroom note."""
    report = forms.reviewed("confirm")
    (match,) = report.sentences[0].matches
    note = manual_entry.from_note(
        "The Channel Tunnel opened in 1994.", about="The city's archive, folder 4."
    )
    first_sentence = replace(
        report.sentences[0], matches=(replace(match, claim=note, key_sentences=()),)
    )
    return replace(report, sentences=(first_sentence, *report.sentences[1:]))


def test_every_format_is_documented():
    """The page on reports has a row for each name of the command line, with the ending of its file."""
    page = Path("docs/reference/report-formats.md").read_text("utf-8")

    assert [
        f.name
        for f in reports.FORMATS.values()
        if f"`{f.name}`" not in page or f"`{f.suffix}`" not in page
    ] == []


def half_true_report() -> Report:
    """Return a report whose first sentence matches a half-true fact-check only."""
    report = made_up.report()
    first_sentence, *other_sentences = report.sentences
    half = replace(made_up.VCLAIM, rating="Half True", rating_class=RatingClass.MIXTURE)
    first_sentence = replace(
        first_sentence, tier=None, score=-4.0, matches=(made_up.match(half, tier=Tier.POSSIBLE),)
    )
    return rearranged(replace(report, sentences=(first_sentence, *other_sentences)))


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf"])
def test_a_mixed_rating_is_a_row_like_any_other(name):
    text = squeezed(forms.text_of(reports.render(half_true_report(), name), name))

    assert squeezed("Half True") in text
    assert squeezed(contents.MIXED) not in text


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf"])
def test_a_skipped_mixed_rating_is_named_below_the_rows(name):
    report = with_mixed(half_true_report(), MIXED_SKIPPED)
    text = squeezed(forms.text_of(reports.render(report, name), name))

    mixed_section = text[text.index(squeezed(contents.MIXED)) :]
    assert squeezed(report.sentences[0].sentence.text) in mixed_section
    assert squeezed("rated this claim Half True") in mixed_section
