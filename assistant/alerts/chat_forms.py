"""Messages for webhooks, Slack, Teams and Matrix.

Slack and Teams get elements that hold literal text, so that neither formats it. All texts of
strangers pass ``harmless`` besides.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from assistant.alerts import webhook_signature
from assistant.alerts.alert_events import AlertItem, AlertMessage
from assistant.alerts.channel_address import matrix_room
from assistant.alerts.channel_store import AlertChannel, ChannelForm
from assistant.alerts.harmless_text import harmless, link_host, web_link
from assistant.web.sending import OutgoingRequest

MAX_CHAT_ITEMS = 15
MAX_CHAT_BYTES = 24_000  # Teams takes 28 KB
JSON_HEADERS = {"Content-Type": "application/json"}
ADAPTIVE_CARD_TYPE = "application/vnd.microsoft.card.adaptive"
ADAPTIVE_CARD_SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"
ADAPTIVE_CARD_VERSION = "1.4"
Json = dict[str, Any]
Renderer = Callable[[AlertMessage, list[AlertItem]], Json]


def chat_request(channel: AlertChannel, message: AlertMessage) -> OutgoingRequest:
    """Return the request that brings a message to a channel."""
    if channel.form is ChannelForm.WEBHOOK:
        return _webhook_request(channel, message)
    if channel.form is ChannelForm.MATRIX:
        return _matrix_request(channel, message)
    renderer = slack_content if channel.form is ChannelForm.SLACK else teams_content
    body = _fitting_body(renderer, message)
    headers = {**JSON_HEADERS, webhook_signature.ID_HEADER: message.id}
    return OutgoingRequest("POST", channel.address, headers, body)


def webhook_content(message: AlertMessage) -> Json:
    """Return a message as data; the receiver decides how it shows the texts."""
    event = message.event
    happened_at = datetime.fromtimestamp(event.at, UTC).isoformat(timespec="seconds")
    items = [{**item.fields, "url": item.address} for item in event.items]
    data = {"headline": event.headline, "items": items}
    return {"id": message.id, "type": event.kind, "timestamp": happened_at, "data": data}


def slack_content(message: AlertMessage, items: list[AlertItem]) -> Json:
    """Return a message of rich text blocks, whose text elements Slack shows as they are."""
    message_elements: list[Json] = [
        _slack_section([_slack_text(message.event.headline, bold=True)])
    ]
    for item in items:
        text_elements: list[Json] = []
        for label, text in message.labelled(item):
            text_elements.append(_slack_text(f"{label}: ", bold=True))
            text_elements.append(_slack_text(f"{harmless(text)}\n"))
        address = web_link(item.address)
        if address:
            label = f"Open {link_host(address)}"
            text_elements.append({"type": "link", "url": address, "text": label})
        message_elements.append(_slack_section(text_elements or [_slack_text(" ")]))
    note_on_more_items = _note_on_more_items(message, items)
    if note_on_more_items:
        message_elements.append(_slack_section([_slack_text(note_on_more_items)]))
    return {
        # The line of the notification has no text of strangers.
        "text": f"Lectern: {message.event.headline}",
        "mrkdwn": False,
        "unfurl_links": False,
        "unfurl_media": False,
        "blocks": [{"type": "rich_text", "elements": message_elements}],
    }


def teams_content(message: AlertMessage, items: list[AlertItem]) -> Json:
    """Return an adaptive card of text runs, which have no Markdown, for a workflow of Teams."""
    body_blocks: list[Json] = [_teams_paragraph([_teams_run(message.event.headline, bold=True)])]
    for item in items:
        for label, text in message.labelled(item):
            text_runs = [_teams_run(f"{label}: ", bold=True), _teams_run(harmless(text))]
            body_blocks.append(_teams_paragraph(text_runs))
        address = web_link(item.address)
        if address:
            title = f"Open {link_host(address)}"
            action = {"type": "Action.OpenUrl", "title": title, "url": address}
            body_blocks.append({"type": "ActionSet", "actions": [action]})
    note_on_more_items = _note_on_more_items(message, items)
    if note_on_more_items:
        body_blocks.append(_teams_paragraph([_teams_run(note_on_more_items)]))
    card = {
        "$schema": ADAPTIVE_CARD_SCHEMA,
        "type": "AdaptiveCard",
        "version": ADAPTIVE_CARD_VERSION,
        "body": body_blocks,
    }
    attachment = {"contentType": ADAPTIVE_CARD_TYPE, "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def matrix_content(message: AlertMessage, items: list[AlertItem]) -> Json:
    """Return a notice without HTML that mentions no user and no room."""
    lines = text_lines(message, items)
    return {"msgtype": "m.notice", "body": "\n".join(lines), "m.mentions": {}}


def text_lines(message: AlertMessage, items: list[AlertItem]) -> list[str]:
    """Return a message as lines of plain text."""
    lines = [message.event.headline]
    for item in items:
        lines.append("")
        for label, text in message.labelled(item):
            lines.append(f"{label}: {harmless(text)}")
        address = web_link(item.address)
        if address:
            lines.append(address)
    note_on_more_items = _note_on_more_items(message, items)
    if note_on_more_items:
        lines += ["", note_on_more_items]
    return lines


def _note_on_more_items(message: AlertMessage, items: list[AlertItem]) -> str:
    """Return how many items a message leaves out, "" if it has them all."""
    left_out = len(message.event.items) - len(items)
    return f"{left_out:,} more are in Lectern." if left_out else ""


def _fitting_body(content_of: Renderer, message: AlertMessage) -> bytes:
    """Return a message with as many items as fit, one at least."""
    item_count = min(len(message.event.items), MAX_CHAT_ITEMS)
    while True:
        shown_items = list(message.event.items[:item_count])
        body = _json_bytes(content_of(message, shown_items))
        if len(body) <= MAX_CHAT_BYTES or item_count <= 1:
            return body
        item_count -= 1


def _webhook_request(channel: AlertChannel, message: AlertMessage) -> OutgoingRequest:
    body = _json_bytes(webhook_content(message))
    seconds = int(time.time())
    signed = webhook_signature.signed_headers(channel.secret, message.id, seconds, body)
    return OutgoingRequest("POST", channel.address, {**JSON_HEADERS, **signed}, body)


def _matrix_request(channel: AlertChannel, message: AlertMessage) -> OutgoingRequest:
    """Return the request, whose transaction id makes a repetition harmless."""
    server, room = matrix_room(channel.address)
    path = f"/_matrix/client/v3/rooms/{room}/send/m.room.message/{message.id}"
    headers = {**JSON_HEADERS, "Authorization": f"Bearer {channel.secret}"}
    body = _fitting_body(matrix_content, message)
    return OutgoingRequest("PUT", server + path, headers, body)


def _json_bytes(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")


def _slack_text(text: str, *, bold: bool = False) -> Json:
    element: Json = {"type": "text", "text": text}
    if bold:
        element["style"] = {"bold": True}
    return element


def _slack_section(elements: list[Json]) -> Json:
    return {"type": "rich_text_section", "elements": elements}


def _teams_run(text: str, *, bold: bool = False) -> Json:
    run: Json = {"type": "TextRun", "text": text}
    if bold:
        run["weight"] = "Bolder"
    return run


def _teams_paragraph(runs: list[Json]) -> Json:
    return {"type": "RichTextBlock", "inlines": runs}
