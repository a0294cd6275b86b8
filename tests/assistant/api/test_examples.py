"""The examples of the page about the API, and the example programs, run as they are written."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.client import ApiError, ClientFactCheck, ClientMatch
from assistant.live.access_tokens import Scope
from bench import api_page

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "api"
PATIENCE_S = 120
POLL_S = 0.6  # a token may send 120 requests per minute


def test_every_operation_has_an_example(served_home):
    operations = []
    for path, path_item in served_home.app.openapi()["paths"].items():
        operations += [f"{method.upper()} {path}" for method in path_item]

    assert sorted(api_page.TEXTS.examples) == sorted(operations)


def test_every_example_is_answered_as_the_page_says(served_home, give):
    """In the order of the page, with one check from its start to its decisions."""
    client = served_home.client
    headers = give(*Scope)
    served_home.services.begin()
    check_id = _finished_check(client, headers)

    failed = {}
    described = served_home.app.openapi()["paths"]
    for name in sorted(api_page.TEXTS.examples, key=_order):
        method, path = name.split()
        example = api_page.example_of(method, path)
        answer = _ask(client, method, example, headers, check_id)
        successes = [s for s in described[path][method.lower()]["responses"] if int(s) < 400]
        if str(answer.status_code) not in successes:
            failed[name] = answer.text
    assert failed == {}


def _order(name):
    """Return the place of an example: a match is confirmed before its draft, and deleted last."""
    return ("DELETE" in name, "claim-review" in name, name)


def _finished_check(client, headers) -> str:
    example = api_page.example_of("POST", "/v1/checks")
    check_id = _ask(client, "POST", example, headers, "").json()["id"]
    end = time.monotonic() + PATIENCE_S
    while client.get(f"/v1/checks/{check_id}", headers=headers).json()["state"] != "done":
        assert time.monotonic() < end
        time.sleep(POLL_S)
    return check_id


def _ask(client, method, example, headers, check_id):
    content = (GOLDEN / example["file"]).read_bytes() if "file" in example else None
    return client.request(
        method,
        example["address"].replace("CHECK", check_id),
        headers={**headers, **example.get("headers", {})},
        json=example.get("json"),
        content=content,
    )


def program(name):
    """Import an example program."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class KnownMatches:
    """A client whose every text has one match, or which refuses."""

    def __init__(self, refusal=None):
        self.refusal = refusal
        self.texts = []

    def match(self, *texts, limit):
        if self.refusal:
            raise self.refusal
        self.texts += texts
        check = ClientFactCheck(
            id="c1",
            statement="=HYPERLINK() <b>rose</b>",
            title="",
            claimant="",
            claim_date=None,
            rating="False",
            rating_class="FALSE",
            review_date=None,
            publisher="Desk",
            url="https://example.org/1?a=1&b=2",
        )
        return [
            ClientMatch(text, 1, "strong", "repeats", ("other figures",), (), check)
            for text in texts
        ]


def test_the_cms_plug_in_escapes_the_words_of_others():
    html = program("cms_plugin").box(KnownMatches(), "Taxes <script> rose.\n\nSecond.")

    assert html.count("<li>") == 2
    assert "<script>" not in html
    assert "<b>" not in html
    assert "other figures" in html


def test_the_cms_plug_in_sends_every_word_of_a_long_draft():
    client = KnownMatches()
    draft = "\n".join(" ".join(f"word{number}" for number in range(500)) for _ in range(30))

    program("cms_plugin").box(client, draft)

    assert " ".join(client.texts).split() == draft.split()
    assert max(map(len, client.texts)) <= 1_000


def test_the_spreadsheet_gets_columns_without_formulas():
    rows = [{"statement": "Taxes rose."}, {"statement": ""}]

    (first_row, empty_row) = program("spreadsheet").checked_rows(KnownMatches(), rows)

    assert first_row["rating"] == "False"
    assert first_row["fact_check"].startswith("'=")
    assert empty_row["rating"] == ""


@pytest.mark.parametrize("text", ["text=Taxes+rose.", "text=", ""])
def test_the_bot_answers_in_plain_text(text):
    message = program("slack_bot").answer(KnownMatches(), text.encode())

    assert message["response_type"] == "ephemeral"
    assert message["blocks"][0]["text"]["type"] == "plain_text"


def test_the_bot_says_that_lectern_does_not_answer():
    message = program("slack_bot").answer(KnownMatches(ApiError(503, "busy")), b"text=x")

    assert "503" in message["blocks"][0]["text"]["text"]


@pytest.mark.parametrize(
    ("sent_at", "secret", "expected"),
    [("1000", "key", True), ("1000", "other", False), ("600", "key", False), ("x", "key", False)],
)
def test_the_bot_believes_recent_signatures_only(sent_at, secret, expected):
    signed = f"v0:{sent_at}:".encode() + b"text=x"
    signature = "v0=" + hmac.new(b"key", signed, hashlib.sha256).hexdigest()
    headers = {"X-Slack-Request-Timestamp": sent_at, "X-Slack-Signature": signature}

    assert program("slack_bot").is_signed(headers, b"text=x", secret, 1000.0) is expected


def commands_of_the_examples() -> list[str]:
    """Return the commands that the page about the examples prints."""
    page = (ROOT / "docs" / "examples" / "README.md").read_text("utf-8")
    return re.findall(r"`((?:[A-Z_]+=\.\.\. )?python [^`]+)`", page)


def test_every_example_has_a_command():
    programs = {path.stem for path in (ROOT / "docs" / "examples").glob("*.py")}

    found = re.findall(r"docs\.examples\.(\w+)", "\n".join(commands_of_the_examples()))
    assert set(found) == programs


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("cms_plugin", "\n", "<p>No fact-check covers this draft.</p>\n"),
        ("spreadsheet", "statement\n", "statement,strength,rating"),
    ],
)
def test_a_command_runs_as_printed_in_a_checkout(tmp_path, name, content, expected):
    """A file without statements needs no server."""
    [command] = [command for command in commands_of_the_examples() if name in command]
    module, source, _, target = command.removeprefix("python -m ").split()
    (tmp_path / source).write_text(content)

    ended = subprocess.run(
        [sys.executable, "-m", module, str(tmp_path / source)],
        cwd=ROOT,
        env={**os.environ, "LECTERN_API_TOKEN": "token"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert ended.stderr == ""
    assert ended.stdout.startswith(expected)
