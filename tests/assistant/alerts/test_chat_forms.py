"""Messages of webhooks, Slack, Teams and Matrix."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from assistant.alerts import chat_forms
from assistant.alerts.alert_events import AlertItem
from assistant.alerts.channel_store import ChannelForm
from assistant.alerts.webhook_signature import new_secret
from tests.assistant.alerts.alert_samples import (
    FACT_CHECK_ADDRESS,
    SENTENCE,
    sample_channel,
    sample_message,
)

HOOK = "https://hooks.example/services/T0/s3cret"
ROOM = "https://matrix.example/!abc:example.org"
ATTACK = "<!channel> @room [x](https://evil.example) *bold* <at>Ann</at> {{DATE(1)}}"
ACTIVE = re.compile(r"<!channel>|@room|\]\(|https://evil|evil\.example|\*bold|<at>|\{\{DATE")


def body_of(form, message):
    address = ROOM if form is ChannelForm.MATRIX else HOOK
    secret = new_secret() if form is ChannelForm.WEBHOOK else "syt_token"
    channel = replace(sample_channel(address, form), secret=secret)
    return json.loads(chat_forms.chat_request(channel, message).body)


def all_texts(value):
    """Return every text in nested JSON."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in all_texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in all_texts(inner)]
    return [value] if isinstance(value, str) else []


def test_a_webhook_has_the_texts_as_they_are():
    body = body_of(ChannelForm.WEBHOOK, sample_message())

    assert body == {
        "id": "msg_1",
        "type": "live-match",
        "timestamp": "1970-01-01T00:16:40+00:00",
        "data": {
            "headline": "Strong match in a live event",
            "items": [
                {
                    "event": "City debate",
                    "speaker": "Rivera",
                    "sentence": SENTENCE,
                    "rating": "False",
                    "url": FACT_CHECK_ADDRESS,
                }
            ],
        },
    }


def test_a_message_of_slack_has_text_elements_and_a_link():
    body = body_of(ChannelForm.SLACK, sample_message())
    (block,) = body["blocks"]
    elements = [element for section in block["elements"] for element in section["elements"]]

    assert block["type"] == "rich_text"
    assert {element["type"] for element in elements} == {"text", "link"}
    assert elements[-1] == {
        "type": "link",
        "url": FACT_CHECK_ADDRESS,
        "text": "Open gazette.example",
    }
    assert body["text"] == "Lectern: Strong match in a live event"


def test_a_message_of_teams_is_an_adaptive_card_without_markdown():
    body = body_of(ChannelForm.TEAMS, sample_message())
    (attachment,) = body["attachments"]
    kinds = {element["type"] for element in attachment["content"]["body"]}

    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert kinds == {"RichTextBlock", "ActionSet"}


def test_a_message_of_matrix_is_plain_and_mentions_no_one():
    body = body_of(ChannelForm.MATRIX, sample_message())

    assert body["m.mentions"] == {}
    assert "formatted_body" not in body
    assert body["body"].splitlines()[0] == "Strong match in a live event"
    assert FACT_CHECK_ADDRESS in body["body"].splitlines()


def test_a_request_to_matrix_has_its_id_in_the_path_and_its_token_in_a_header():
    channel = sample_channel(ROOM, ChannelForm.MATRIX)

    request = chat_forms.chat_request(channel, sample_message())

    assert request.method == "PUT"
    assert request.address == (
        "https://matrix.example/_matrix/client/v3/rooms/%21abc%3Aexample.org"
        "/send/m.room.message/msg_1"
    )
    assert request.headers["Authorization"] == "Bearer syt_matrix_token"


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("form", [ChannelForm.SLACK, ChannelForm.TEAMS, ChannelForm.MATRIX])
def test_words_in_an_alert_neither_mention_people_nor_format_nor_link(form):
    fields = dict.fromkeys(("sentence", "speaker", "statement", "rating", "publisher"), ATTACK)
    items = (AlertItem(fields, "https://gazette.example/x"),)

    body = body_of(form, sample_message(items=items))

    assert [text for text in all_texts(body) if ACTIVE.search(text)] == []


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("form", [ChannelForm.SLACK, ChannelForm.TEAMS, ChannelForm.MATRIX])
def test_an_address_of_a_script_is_not_a_link_in_an_alert(form):
    items = (AlertItem({"sentence": SENTENCE}, "javascript:alert(1)"),)

    body = body_of(form, sample_message(items=items))

    assert [text for text in all_texts(body) if "javascript" in text] == []


@pytest.mark.parametrize("form", [ChannelForm.SLACK, ChannelForm.TEAMS, ChannelForm.MATRIX])
@pytest.mark.parametrize("letter", ["x", "字", "*"])
def test_a_long_alert_fits_and_says_what_is_left_out(form, letter):
    item = AlertItem({"sentence": letter * 5_000, "statement": letter * 5_000})
    message = sample_message(items=(item,) * 100)

    body = body_of(form, message)
    size = len(json.dumps(body, ensure_ascii=False).encode())
    texts = "\n".join(all_texts(body))

    assert size <= chat_forms.MAX_CHAT_BYTES
    assert re.search(r"\d+ more are in Lectern\.", texts)


def test_a_lone_surrogate_does_not_stop_a_message():
    body = body_of(ChannelForm.WEBHOOK, sample_message(sentence="a\ud800b"))

    assert body["data"]["items"][0]["sentence"] == "a?b"
