"""``python -m assistant live`` as a user has it.

A replay, a growing file, real fact-checks, real models.
"""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from assistant.commands import serve
from assistant.commands.cli import main
from assistant.commands.tokens import SCOPES
from assistant.live.access_tokens import AccessRight, Scope, TokenStore
from assistant.web.request_filter import AllowedPeers
from tests.assistant.test_pipeline import TEXTS


def test_a_replay_prints_its_matches_as_json_lines(home, debate, capsys):
    """Matches go to stdout, talk to stderr; a second run of the same event says nothing twice."""
    assert main(["live", "--replay", str(debate), "--speed", "0", "--event", "city"]) == 0

    out, err = capsys.readouterr()
    printed_matches = [json.loads(line) for line in out.splitlines()]
    assert printed_matches
    assert {printed_match["text"] for printed_match in printed_matches} <= set(TEXTS)
    assert all(
        printed_match["matches"][0]["claim"]["rating"] and printed_match["event"] == "city"
        for printed_match in printed_matches
    )
    assert "4 sentences" in err

    assert main(["live", "--replay", str(debate), "--speed", "0", "--event", "city"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "4 sentences stored before" in err


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
    assert main(["tokens", "give", "--event", "city", "--for", "encoder"]) == 0
    token = capsys.readouterr().out.strip()
    assert main(["tokens", "list"]) == 0
    listed = capsys.readouterr().out
    assert main(["tokens", "revoke", "--event", "city", "--for", "encoder"]) == 0
    assert main(["tokens", "revoke", "--event", "city", "--for", "encoder"]) == 1

    assert len(token) > 40
    assert token not in listed
    assert [c for i, c in enumerate(listed.strip().split("\t")) if i != 3] == [
        "city",
        "encoder",
        "write",
        "valid",
    ]
    assert "encoder has no token for city" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--event", "city", "--scope", "match"],
        ["--scope", "everything"],
        ["--scope", "match", "--days", "0"],
    ],
)
def test_a_token_is_for_an_event_or_for_the_api(home, capsys, arguments):
    try:
        status = main(["tokens", "give", "--for", "plug-in", *arguments])
    except SystemExit as stop:
        status = stop.code

    assert status in (1, 2)
    assert capsys.readouterr().out == ""


def test_a_token_of_the_api_is_listed_with_scopes_and_expiry(home, capsys):
    arguments = ["--for", "plug-in", "--scope", "match", "--scope", "fact-checks", "--days", "2"]
    assert main(["tokens", "give", *arguments]) == 0
    capsys.readouterr()
    assert main(["tokens", "list"]) == 0

    cells = capsys.readouterr().out.strip().split("\t")
    assert cells[:3] == ["API", "plug-in", "fact-checks,match"]
    assert cells[4].startswith("valid until ")
    assert main(["tokens", "revoke", "--for", "plug-in"]) == 0


def test_the_scopes_of_the_command_are_those_of_the_store():
    assert list(SCOPES) == [str(scope) for scope in Scope]


@pytest.fixture
def store(tmp_path):
    with TokenStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def served(host: str = "127.0.0.1", token: str = "") -> Namespace:
    """Return the options of a server of the event ``city``."""
    return Namespace(host=host, token=token, event=["city"])


def test_programs_here_need_no_token_until_there_is_one(store):
    """One that is given while the server runs, or was revoked, ends that.

    Proxies pass nothing on before.
    """
    right, allowed_peers = serve._access_rules(served(), store)
    assert right("", "city") == AccessRight.WRITE
    assert right("guess", "city") == AccessRight.NONE
    assert allowed_peers == AllowedPeers.HERE

    token = store.give("city", "encoder", AccessRight.WRITE)
    assert right("", "city") == AccessRight.NONE
    assert right(token, "city") == AccessRight.WRITE
    store.revoke("city", "encoder")
    assert serve._access_rules(served(), store)[0]("", "city") == AccessRight.NONE
    assert serve._access_rules(served(), store)[1] == AllowedPeers.ANYWHERE


@pytest.mark.parametrize(("host", "token"), [("127.0.0.1", "open sesame"), ("0.0.0.0", "")])
def test_whoever_reaches_further_or_sets_a_token_asks_for_it(store, capsys, host, token):
    """With another address and no token, one is made and shown."""
    right, allowed_peers = serve._access_rules(served(host, token), store)
    shown = token or capsys.readouterr().err.split("Bearer ")[1].partition("`")[0]

    assert right("", "city") == AccessRight.NONE
    assert right(shown, "city") == AccessRight.WRITE
    assert allowed_peers == AllowedPeers.ANYWHERE
