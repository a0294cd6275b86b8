"""The transcript as captions with the ratings beside it."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from assistant import reports, transcripts
from assistant.reports import caption_form
from tests.assistant import made_up
from tests.assistant.reports import forms


def test_webvtt_reads_back_as_the_same_transcript():
    """Words, speakers and times are those that were read; notes are no speech."""
    report = forms.reviewed("confirm", "")

    again = transcripts.read_bytes(reports.render(report, "vtt"), "debate.vtt")

    assert [(s.text, s.speaker, s.start, s.end) for s in again] == [
        (s.text, s.speaker, s.start, s.end) for s in report.transcript
    ]


@pytest.mark.parametrize("make", [made_up.report, forms.hostile])
def test_webvtt_is_read_by_another_program(make):
    """An independent reader finds a cue a sentence, escapes undone, and no note among them."""
    webvtt = pytest.importorskip("webvtt")
    report = make()

    cues = webvtt.from_buffer(io.StringIO(reports.render(report, "vtt").decode())).captions

    assert len(cues) == len(report.sentences)
    assert "rated this claim" not in " ".join(cue.text for cue in cues)


@pytest.mark.parametrize("make", [made_up.report, forms.hostile])
def test_subrip_is_read_by_another_program(make):
    """An independent reader finds a cue a sentence, numbered, with its times."""
    srt = pytest.importorskip("srt")
    report = make()

    cues = list(srt.parse(reports.render(report, "srt").decode(), ignore_errors=False))

    assert [s.number for s in report.transcript] == [cue.index for cue in cues]
    assert [cue.start.total_seconds() for cue in cues] == [s.start for s in report.transcript]


def test_a_rating_stands_in_a_note_before_its_cue():
    """Publisher, its word, and that nobody reviewed it."""
    lines = reports.render(made_up.report(), "vtt").decode()

    note = lines.index("NOTE Suggestion, not reviewed: Sample desk (invented) rated")
    cue = lines.index("00:00:04.000 -->")
    assert note < cue
    assert "https://example.org/samples/1" in lines


def test_no_player_takes_speech_for_markup():
    """WebVTT escapes; SubRip, which cannot, keeps the characters apart."""
    vtt, srt = (reports.render(forms.hostile(), name).decode() for name in ("vtt", "srt"))

    body = vtt[vtt.index("\n1\n") :]
    assert "<script" not in body
    assert "&lt;script&gt;" in body
    assert "<s" not in srt
    assert "{\\" not in srt
    assert f"<{caption_form.JOINER}script>" in srt
    assert all("-->" not in line or line[0].isdigit() for line in (vtt + srt).splitlines())


def test_a_sentence_without_a_time_stays_in_the_cue_before_it():
    """No word is lost, and no time is made up."""
    report = made_up.report()
    sentences = [
        replace(c, sentence=replace(c.sentence, start=None, end=None)) for c in report.sentences[1:]
    ]
    transcript = replace(
        report.transcript,
        sentences=(report.sentences[0].sentence, *(c.sentence for c in sentences)),
    )
    report = replace(report, transcript=transcript, sentences=(report.sentences[0], *sentences))

    text = reports.render(report, "vtt").decode()

    assert text.count("-->") == 1
    assert text.endswith("<v RIVERA>Good evening, and welcome.\nWe built 400 schools.\n")


def test_a_name_with_line_breaks_makes_no_cue():
    """Whoever decided, whatever the file is called: what is in a note stays in it."""
    line = "Ada\n\n00:00:00.000 --> 00:00:09.000\nA cue"
    report = forms.reviewed("confirm", "")
    matches = [m for c in report.sentences for m in c.matches if m.decision]
    decided = {id(m): replace(m, decision=replace(m.decision, by=line)) for m in matches}
    sentences = tuple(
        replace(c, matches=tuple(decided.get(id(m), m) for m in c.matches))
        for c in report.sentences
    )
    report = replace(report, sentences=sentences, transcript=replace(report.transcript, title=line))

    cues = captions_of(reports.render(report, "vtt"))

    assert len(cues) == len(report.sentences)


def captions_of(data: bytes) -> list:
    return pytest.importorskip("webvtt").from_buffer(io.StringIO(data.decode())).captions
