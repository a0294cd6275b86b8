"""The command line as a whole: exit status and one line for what is wrong."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing

import pytest

from assistant.claims import index_segment
from assistant.commands import claims
from assistant.commands.cli import main
from assistant.core import logs


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
    command = [a.format(debate=debate) for a in arguments]
    try:
        ended = main(command)
    except SystemExit as stop:
        ended = stop.code

    err = capsys.readouterr().err
    assert status == ended
    assert "Traceback" not in err
    assert err.strip()


def test_a_relative_path_counts_from_the_current_folder(home, tmp_path, monkeypatch):
    """Files and the current folder itself are imported, and the folder's name is the source."""
    folder = tmp_path / "publisher"
    folder.mkdir()
    row = {"id": "a1", "statement": "Rents doubled.", "url": "https://a.example/1"}
    (folder / "facts.jsonl").write_text(json.dumps(row))
    monkeypatch.chdir(folder)

    assert main(["claims", "import", "facts.jsonl"]) == 0
    assert main(["claims", "import", "../publisher/facts.jsonl"]) == 0
    assert main(["claims", "import", "."]) == 0

    with closing(sqlite3.connect(home / "lectern.db")) as connection:
        rows = connection.execute("SELECT source FROM claim_sources WHERE claim_id = 'a1'")
        assert {source for (source,) in rows} == {"facts.jsonl", "publisher"}


def test_an_empty_database_says_how_to_fill_it(tmp_path, monkeypatch, debate, capsys):
    """Without fact-checks there is nothing to check against, and the command that helps is named."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path / "empty"))

    assert main(["check", str(debate)]) == 1
    assert "claims import" in capsys.readouterr().err


def test_indexing_says_that_very_long_articles_are_quoted_in_part(home, capsys, monkeypatch):
    """The limit and the number of articles that reach it are named."""
    monkeypatch.setattr(index_segment, "MAX_ARTICLE_SENTENCES", 1)

    assert main(["claims", "index"]) == 0

    assert "note: articles of 1 sentences or more: 2." in capsys.readouterr().err


def test_claims_status_index_and_search(home, capsys):
    """What is loaded can be counted, indexed and searched."""
    assert main(["claims", "index"]) == 0
    assert main(["claims", "status"]) == 0
    assert "fact-checks\t3" in capsys.readouterr().out

    assert main(["claims", "search", "everest"]) == 0
    assert "c2" in capsys.readouterr().out


def test_a_mistyped_variable_is_named(home, monkeypatch, capsys):
    monkeypatch.setenv("LECTERN_NETWROK", "0")
    monkeypatch.setenv("LECTERN_LOG", "jsn")
    monkeypatch.setenv("LECTERN_ARGUMENT_1", "of a command that hides it")

    assert main(["claims", "status"]) == 0

    printed = capsys.readouterr().err
    assert "the variable LECTERN_NETWROK has no effect" in printed
    assert "LECTERN_ARGUMENT" not in printed
    assert "LECTERN_LOG is 'jsn', but only json has an effect" in printed


@pytest.mark.parametrize("value", ["", " "])
@pytest.mark.parametrize("option", ["--home", "--database-url"])
def test_an_empty_option_does_not_lead_to_the_usual_data(home, monkeypatch, capsys, option, value):
    """A variable that isn't set makes an empty option, as in ``--home "$COPY"``."""
    with pytest.raises(SystemExit) as stop:
        main(["claims", "status", option, value])

    assert stop.value.code == 2
    assert f"{option} is empty" in capsys.readouterr().err


@pytest.fixture
def json_log(monkeypatch):
    """Turn the log on, as LECTERN_LOG=json does, and off after the test."""
    monkeypatch.setenv(logs.LOG_VARIABLE, "json")
    logger = logging.getLogger("lectern")
    state = (logger.handlers[:], logger.level, logger.propagate)
    logger.handlers = []
    yield
    logger.handlers, level, logger.propagate = state
    logger.setLevel(level)


def test_a_command_that_fails_is_logged_with_its_cause(json_log, tmp_path, capsys):
    """The help on common problems asks for these lines."""
    path = tmp_path / "debate.docx"
    path.write_bytes(b"PK\x03\x04 no archive")

    assert main(["check", str(path), "--home", str(tmp_path)]) == 1

    *_, logged, told = capsys.readouterr().err.splitlines()
    entry = json.loads(logged)
    assert entry["level"] == "error"
    assert entry["message"].startswith("check failed: ")
    assert told.removeprefix("lectern: ") in entry["causes"][0]
    assert "assistant/transcripts" in entry["traceback"]


def test_a_failure_that_nobody_expected_is_logged_and_raised(json_log, home, capsys, monkeypatch):
    """The values of a query, which follow in later lines, aren't logged."""

    def fail(_):
        raise RuntimeError("no such table\n[parameters: ('secret',)]") from KeyError("table")

    monkeypatch.setattr(claims, "_store", fail)

    with pytest.raises(RuntimeError):
        main(["claims", "status"])

    entry = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert entry["causes"] == ["RuntimeError: no such table", "KeyError: 'table'"]


def test_without_a_log_a_failure_is_one_line(tmp_path, capsys):
    assert main(["check", "missing.txt", "--home", str(tmp_path)]) == 1

    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["voices", "list"], "There are no saved voices yet."),
        (["claims", "feeds"], "There are no feeds yet."),
        (["alerts", "failed"], "There are no failed or waiting alerts."),
        (["tokens", "list"], "There are no tokens yet."),
        (["claims", "withdrawn"], "No fact-check is withdrawn."),
        (["review", "list"], "There are no decisions yet."),
        (["purge"], "There are no debates to delete."),
        (["claims", "articles"], "All fact-checks with an address have an article."),
    ],
)
def test_an_empty_list_is_said_to_be_empty(command, told, tmp_path, capsys):
    assert main([*command, "--home", str(tmp_path)]) == 0

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(told)
    assert len(printed.err.splitlines()) == 1
