"""An event with the words of strangers, and a channel, for the tests of alerts."""

from __future__ import annotations

from dataclasses import replace

from assistant.alerts.alert_events import LIVE_MATCH, AlertEvent, AlertItem, AlertMessage
from assistant.alerts.channel_store import AlertChannel, ChannelForm

SENTENCE = "Crime fell by half last year."
FACT_CHECK_ADDRESS = "https://gazette.example/checks/crime"


def sample_event(key="live/city/1", at=1_000.0, sentence=SENTENCE, **changes) -> AlertEvent:
    fields = {"event": "City debate", "speaker": "Rivera", "sentence": sentence}
    items = (AlertItem({**fields, "rating": "False"}, FACT_CHECK_ADDRESS),)
    event = AlertEvent(LIVE_MATCH, key, at, items, debates=("live:city",))
    return replace(event, **changes)


def sample_message(sentence=SENTENCE, **changes) -> AlertMessage:
    return AlertMessage("msg_1", sample_event(sentence=sentence, **changes))


def sample_channel(
    address: str, form: ChannelForm = ChannelForm.WEBHOOK, **changes
) -> AlertChannel:
    secret = "syt_matrix_token" if form is ChannelForm.MATRIX else ""
    return replace(AlertChannel("desk", "ann", form, address, secret), **changes)
