"""A bot that answers the command ``/factcheck TEXT`` in Slack.

Usage: SLACK_SIGNING_SECRET=... LECTERN_API_TOKEN=... python -m docs.examples.slack_bot
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from assistant.client import ApiError, Client, ClientMatch

MAX_BODY_BYTES = 20_000
MAX_AGE_S = 300  # an older request may be a recorded one
MAX_TEXT_CHARACTERS = 5_000
PORT = 8650


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> bool:
    """Return whether Slack signed a request within the last minutes."""
    sent_at = headers.get("X-Slack-Request-Timestamp", "")
    if not sent_at.isdigit() or abs(now - int(sent_at)) > MAX_AGE_S:
        return False
    signed = b"v0:" + sent_at.encode() + b":" + body
    expected = "v0=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("X-Slack-Signature", ""))


def answer(client: Client, body: bytes) -> dict[str, Any]:
    """Return the message for a command; only the person who asked sees it."""
    fields = parse_qs(body.decode("utf-8", "replace"))
    text = fields.get("text", [""])[0].strip()[:MAX_TEXT_CHARACTERS]
    if not text:
        return message("Write the statement after the command: /factcheck STATEMENT")
    try:
        matches = client.match(text, limit=3)
    except ApiError as error:
        return message(f"Lectern can't answer now ({error.status}).")
    if not matches:
        return message("No fact-check covers this.")
    return message("\n\n".join(map(line, matches)))


def line(match: ClientMatch) -> str:
    """Return a match as text."""
    check = match.fact_check
    doubts = "; ".join([*match.differs, *match.cautions])
    words = f"{match.strength} match: “{check.statement}” {check.publisher}: {check.rating}"
    return "\n".join(part for part in (words, doubts, check.url) if part)


def message(text: str) -> dict[str, Any]:
    """Return a message of plain text, in which nothing is a mention or a format."""
    block = {"type": "section", "text": {"type": "plain_text", "text": text[:3_000]}}
    return {"response_type": "ephemeral", "blocks": [block]}


class SlackHandler(BaseHTTPRequestHandler):
    """Answers the requests of Slack."""

    client: Client
    secret: str

    def do_POST(self) -> None:
        """Answer a command."""
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(min(length, MAX_BODY_BYTES))
        if not is_signed(dict(self.headers), body, self.secret, time.time()):
            self.send_error(401)
            return
        content = json.dumps(answer(self.client, body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(content)


def main() -> None:
    """Serve until the process is stopped; put a proxy with TLS in front of it."""
    address = os.environ.get("LECTERN_API", "http://127.0.0.1:8600")
    SlackHandler.secret = os.environ["SLACK_SIGNING_SECRET"]
    SlackHandler.client = Client(address, os.environ["LECTERN_API_TOKEN"])
    ThreadingHTTPServer(("127.0.0.1", PORT), SlackHandler).serve_forever()


if __name__ == "__main__":
    main()
