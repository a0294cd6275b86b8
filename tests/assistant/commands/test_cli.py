"""The command line as a user has it: real processes' code, real files, exit status, stdout and stderr."""

from __future__ import annotations

import csv
import io
import json

import pytest

from assistant.commands.cli import main
from tests.assistant.test_pipeline import CLAIMS, TEXTS


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with three fact-checks loaded."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LECTERN_HOME", str(folder))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    rows = [
        {
            **{name: getattr(c, name) for name in ("id", "statement", "title", "body", "claimant", "rating", "url")},
            "rating_class": str(c.rating_class),
            "publisher": c.publisher,
            "claim_date": c.claim_date and c.claim_date.isoformat(),
            "review_date": c.review_date and c.review_date.isoformat(),
            "language": c.language,
        }
        for c in CLAIMS
    ]
    (tmp_path / "claims.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert 0 == main(["claims", "import", str(tmp_path / "claims.jsonl")])
    return folder


@pytest.fixture
def debate(tmp_path):
    path = tmp_path / "2024-09-10_city.txt"
    path.write_text("".join(f"RIVERA: {text}\n\n" for text in TEXTS))
    return path


def test_check_writes_json_to_stdout_and_talk_to_stderr(home, debate, capsysbinary):
    """A pipe gets the report alone; the summary goes to the person."""
    assert 0 == main(["check", str(debate), "--format", "json"])

    out, err = capsysbinary.readouterr()
    table = json.loads(out)
    assert ("lectern.report/1", "2024-09-10", 4) == (
        *(table["schema"], table["event_date"], table["counts"]["sentences"]),
    )
    assert b"4 sentences" in err


def test_check_writes_each_format_into_a_folder(home, debate, tmp_path):
    """``--out`` holds one file a format, and no unfinished one."""
    out = tmp_path / "out"

    assert 0 == main(["check", str(debate), "--format", "json,html,csv", "--out", str(out)])

    assert ["2024-09-10_city.csv", "2024-09-10_city.html", "2024-09-10_city.json"] == sorted(
        p.name for p in out.iterdir()
    )
    rows = list(csv.DictReader(io.StringIO((out / "2024-09-10_city.csv").read_text("utf-8-sig"))))
    assert rows


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check", "missing.txt"], 1),
        (["check", "{debate}", "--format", "pptx"], 2),
        (["check", "{debate}", "--format", "json,csv"], 2),
        (["check", "{debate}", "--date", "10.9.2024"], 2),
        (["check", "{debate}", "--profile", "nonsense"], 1),
        (["check", "{debate}", "--order", "nicest"], 2),
        (["claims", "import", "missing.jsonl"], 1),
        (["nonsense"], 2),
    ],
)
def test_a_wrong_call_ends_with_one_line_and_its_status(home, debate, capsys, arguments, status):
    """1 is the user's input, 2 is usage; never a traceback."""
    capsys.readouterr()
    given = [a.format(debate=debate) for a in arguments]
    try:
        ended = main(given)
    except SystemExit as stop:
        ended = stop.code

    err = capsys.readouterr().err
    assert status == ended
    assert "Traceback" not in err
    assert err.strip()


def test_an_empty_database_says_how_to_fill_it(tmp_path, monkeypatch, debate, capsys):
    """Without fact-checks there is nothing to check against, and the command that helps is named."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path / "empty"))

    assert 1 == main(["check", str(debate)])
    assert "claims import" in capsys.readouterr().err


def test_claims_status_index_and_search(home, capsys):
    """What is loaded can be counted, indexed and searched."""
    assert 0 == main(["claims", "index"])
    assert 0 == main(["claims", "status"])
    assert "fact-checks\t3" in capsys.readouterr().out

    assert 0 == main(["claims", "search", "everest"])
    assert "c2" in capsys.readouterr().out


def test_eval_scores_a_run(tmp_path, capsys):
    """A TREC run is scored against TREC qrels."""
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n")
    (tmp_path / "qrels").write_text("q1 0 b 1\n")

    assert 0 == main(["eval", str(tmp_path / "run"), str(tmp_path / "qrels")])
    assert "MAP\t0.5000" in capsys.readouterr().out


def test_matches_come_in_the_order_that_was_asked_for(home, debate, tmp_path, capsysbinary):
    """What was checked after the event is left out on request, told as a note; without a date nothing can be."""
    assert 0 == main(["check", str(debate), "--format", "json", "--order", "before", "--date", "2019-03-04"])

    out, err = capsysbinary.readouterr()
    table = json.loads(out)
    assert "before" == table["manifest"]["settings"]["match_order"]
    assert not {"c1", "c2"} & {m["claim"]["id"] for s in table["sentences"] for m in s["matches"]}
    assert b"not shown: checked on the day of the event or later." in err
    debate.rename(tmp_path / "city.txt")
    assert 1 == main(["check", str(tmp_path / "city.txt"), "--order", "nearest"])
    assert b"The date of the event is not set" in capsysbinary.readouterr().err


def test_the_summary_says_what_speaks_against_a_match(home, tmp_path, capsys):
    """A rating beside a sentence that denies the claim is marked, so that nobody quotes it the wrong way round."""
    path = tmp_path / "2024-09-10_denial.txt"
    path.write_text("RIVERA: The Channel Tunnel between England and France did not open in 1994.\n")

    assert 0 == main(["check", str(path), "--format", "json"])

    assert "(but: one of the two denies it" in capsys.readouterr().err
