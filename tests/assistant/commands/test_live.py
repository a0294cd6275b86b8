"""``python -m assistant live`` as a user has it: a replay, a growing file, real fact-checks, real models."""

from __future__ import annotations

import json

import pytest

from assistant.commands.cli import main
from tests.assistant.test_pipeline import TEXTS


def test_a_replay_prints_its_matches_as_json_lines(home, debate, capsys):
    """Matches go to stdout, talk to stderr; a second run of the same event says nothing twice."""
    assert 0 == main(["live", "--replay", str(debate), "--speed", "0", "--event", "city"])

    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert rows
    assert {row["text"] for row in rows} <= set(TEXTS)
    assert all(row["matches"][0]["claim"]["rating"] and row["event"] == "city" for row in rows)
    assert "4 sentences" in err

    assert 0 == main(["live", "--replay", str(debate), "--speed", "0", "--event", "city"])
    out, err = capsys.readouterr()
    assert ("", True) == (out, "4 sentences stored before" in err)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["live"], 1),
        (["live", "a.txt", "--replay", "b.vtt"], 1),
        (["live", "a.txt", "--speed", "fast"], 2),
        (["live", "https://example.org/a.m3u8", "--event", "city"], 1),
    ],
)
def test_a_wrong_call_of_live_says_what_is_wrong(home, capsys, arguments, status):
    """One source, an address with its kind, and a speed that is a number."""
    try:
        ended = main(arguments)
    except SystemExit as stop:
        ended = stop.code

    assert status == ended
    assert "Traceback" not in capsys.readouterr().err


def test_tokens_are_given_listed_and_revoked(home, capsys):
    """The token is shown once; the list has everything else; what is revoked twice is told."""
    assert 0 == main(["tokens", "give", "--event", "city", "--for", "encoder"])
    token = capsys.readouterr().out.strip()
    assert 0 == main(["tokens", "list"])
    listed = capsys.readouterr().out
    assert 0 == main(["tokens", "revoke", "--event", "city", "--for", "encoder"])
    assert 1 == main(["tokens", "revoke", "--event", "city", "--for", "encoder"])

    assert len(token) > 40 and token not in listed
    assert ["city", "encoder", "write", "valid"] == [c for i, c in enumerate(listed.strip().split("\t")) if i != 3]
    assert "encoder has no token for city" in capsys.readouterr().err
