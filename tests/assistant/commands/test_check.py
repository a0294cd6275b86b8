"""``python -m assistant check``.

The report on stdout or in files, the summary and notes on stderr.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from assistant.commands import check
from assistant.commands.cli import main
from assistant.core.domain import DoubtfulLabel, Source, Strength, Transcript
from assistant.reports import FORMATS
from tests.assistant import made_up
from tests.assistant.reports import forms


def test_check_writes_json_to_stdout_and_talk_to_stderr(home, debate, capsysbinary):
    """A pipe gets the report alone; the summary goes to the person."""
    assert main(["check", str(debate), "--format", "json"]) == 0

    out, err = capsysbinary.readouterr()
    table = json.loads(out)
    assert (*(table["schema"], table["event_date"], table["counts"]["sentences"]),) == (
        "lectern.report/1",
        "2024-09-10",
        4,
    )
    assert b"4 sentences" in err


def test_check_writes_each_format_into_a_folder(home, debate, tmp_path):
    """``--out`` holds one file a format, and no unfinished one."""
    out = tmp_path / "out"

    assert main(["check", str(debate), "--format", "json,html,csv", "--out", str(out)]) == 0

    assert sorted(p.name for p in out.iterdir()) == [
        "2024-09-10_city.csv",
        "2024-09-10_city.html",
        "2024-09-10_city.json",
    ]
    csv_rows = list(
        csv.DictReader(io.StringIO((out / "2024-09-10_city.csv").read_text("utf-8-sig")))
    )
    assert csv_rows


def test_matches_come_in_the_order_that_was_asked_for(home, debate, tmp_path, capsysbinary):
    """What was checked after the event is left out on request, with a note.

    Without a date that is an error.
    """
    assert (
        main(
            ["check", str(debate), "--format", "json", "--order", "before", "--date", "2019-03-04"]
        )
        == 0
    )

    out, err = capsysbinary.readouterr()
    table = json.loads(out)
    assert table["manifest"]["settings"]["match_order"] == "before"
    assert not {"c1", "c2"} & {m["claim"]["id"] for s in table["sentences"] for m in s["matches"]}
    assert b"not shown: checked on the day of the event or later." in err
    debate.rename(tmp_path / "city.txt")
    assert main(["check", str(tmp_path / "city.txt"), "--order", "nearest"]) == 1
    assert b"The date of the event is not set" in capsysbinary.readouterr().err


def test_the_summary_says_what_speaks_against_a_match(home, tmp_path, capsys):
    """A rating beside a sentence that denies the claim is marked, so that nobody quotes it the wrong way round."""
    path = tmp_path / "2024-09-10_denial.txt"
    path.write_text("RIVERA: The Channel Tunnel between England and France did not open in 1994.\n")

    assert main(["check", str(path), "--format", "json"]) == 0

    expected = "(caution: They checked it without a denial; “not” was said"
    assert expected in capsys.readouterr().err


def test_the_summary_shortens_long_texts(home, debate, monkeypatch, capsysbinary):
    """A publisher's statement of 50,000 characters doesn't fill the terminal."""
    monkeypatch.setattr(check, "MAX_SUMMARY_CHARACTERS", 20)

    assert main(["check", str(debate), "--format", "json"]) == 0

    out, err = capsysbinary.readouterr()
    sentence = next(found for found in json.loads(out)["sentences"] if found["matches"])
    statement = sentence["matches"][0]["claim"]["statement"]
    assert f": {statement[:20].rstrip()} …".encode() in err
    assert statement.encode() not in err
    assert sentence["text"].encode() not in err


def test_the_summary_counts_rows_and_names_where_else_it_was_said(home, tmp_path, capsys):
    """A line a passage; what the same fact-check settles again is folded below it."""
    path = tmp_path / "2024-09-10_again.txt"
    long_answer = "OKAFOR: I have listened to you for a long time now, and I would like to move on to the schools.\n"
    tunnel_sentence = "RIVERA: The Channel Tunnel between England and France opened in 1994.\n"
    path.write_text(tunnel_sentence + long_answer + tunnel_sentence)

    assert main(["check", str(path), "--format", "json"]) == 0

    printed = capsys.readouterr().err
    assert "1 passage in the list, 1 more folded below" in printed
    assert "Also said in sentence 3" in printed
    assert printed.count("RIVERA: The Channel Tunnel") == 1


def row_words(printed):
    """Return the word of each row of a summary, and the counts of the words in its head."""
    words = re.findall(r"^ *\d+ +(\S+) +\S+: ", printed, re.M)
    head = re.search(r"fact-check(?:ed)?: (.*) \(of", printed)
    counts = dict(reversed(counted.split()) for counted in head[1].split(" · "))
    return Counter(words), {word: int(number) for word, number in counts.items()}


def test_the_summary_rows_have_the_words_that_its_head_counts(home, debate, capsys):
    """Both are strengths, which differ from the older tiers."""
    assert main(["check", str(debate), "--format", "json"]) == 0

    out, err = capsys.readouterr()
    words, counts = row_words(err)
    sentences = json.loads(out)["sentences"]
    strengths = {sentence["strength"] for sentence in sentences if sentence["strength"]}
    assert words == counts
    assert set(words) == strengths


@pytest.mark.parametrize(
    ("strength", "verdict", "word"),
    [
        (Strength.GOOD, "", "good"),
        (Strength.STRONG, "confirm", "strong"),
        (None, "", "likely"),
        (Strength.GOOD, "reject", "rejected"),
    ],
)
def test_a_row_names_the_strength_of_its_match(strength, verdict, word, capsys):
    """An old report has a tier in its place; a rejected match is counted as rejected."""
    report = made_up.report()
    decision = replace(forms.DECIDED["confirm"], verdict=verdict) if verdict else None
    match = replace(made_up.match(), strength=strength, decision=decision)
    checked = (replace(report.sentences[0], matches=(match,)), *report.sentences[1:])

    check._summary(replace(report, sentences=checked))

    words, counts = row_words(capsys.readouterr().err)
    assert words == counts == {word: 1}


def test_the_help_names_every_report_form(capsys):
    """A new form is one module and one row in the table of reports: the help reads the table."""
    with pytest.raises(SystemExit):
        main(["check", "--help"])

    assert ", ".join(FORMATS) in " ".join(capsys.readouterr().out.split())


DOUBTFUL = """\
MODERATOR: Good evening, and welcome to the city hall.
RIVERA: The Channel Tunnel opened in 1994.
MODERATOR: A question from the floor.
RIVERA: Schools have 12 percent more teachers.
Delgado: And smaller classes too.
RIVERA: That is not in the report.
"""


def speakers_of(out):
    return [sentence["speaker"] for sentence in json.loads(out)["sentences"]]


@pytest.fixture
def doubtful(tmp_path):
    path = tmp_path / "2024-09-10_hall.txt"
    path.write_text(DOUBTFUL)
    return path


@pytest.mark.parametrize(
    "options, speaker",
    [
        ([], None),
        (["--speaker-label", "delgado"], "Delgado"),
        (["--no-speaker-label", "Delgado"], "RIVERA"),
    ],
    ids=["doubtful", "accepted", "refused"],
)
def test_a_label_is_accepted_or_refused_by_an_option(
    home, doubtful, capsysbinary, options, speaker
):
    assert main(["check", str(doubtful), "--format", "json", *options]) == 0

    assert speakers_of(capsysbinary.readouterr().out)[4] == speaker


def test_doubtful_labels_are_said_with_the_option_that_accepts_them(home, doubtful, capsys):
    main(["check", str(doubtful), "--format", "json"])

    assert "To accept a label: --speaker-label Delgado" in capsys.readouterr().err


def test_a_label_that_no_line_has_is_said(home, doubtful, capsys):
    main(["check", str(doubtful), "--format", "json", "--speaker-label", "Nobody"])

    assert "no line of a speaker begins with 'Nobody'" in capsys.readouterr().err


def test_only_some_of_many_doubtful_labels_are_offered(capsys):
    labels = tuple(DoubtfulLabel(n, f"Person {n}", f"Person {n}: Yes.") for n in range(9))
    source = Source("a.txt", "text", "d" * 64)
    check._say_label_doubts(Transcript("Debate", None, source, (), doubtful_labels=labels), [])

    note = capsys.readouterr().err
    assert "(9)" in note
    assert note.count("--speaker-label") == check.MAX_OFFERED_LABELS
