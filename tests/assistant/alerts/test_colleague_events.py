"""A mention and an assignment become alerts of the person they are for, each once."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

import pytest

from assistant.alerts.alert_events import AlertMessage
from assistant.alerts.alert_sender import AlertSender
from assistant.alerts.channel_store import NEWSROOM
from assistant.alerts.chat_forms import text_lines
from assistant.alerts.colleague_events import assignments_since, mentions_since
from assistant.review import deciding
from assistant.review.assignment_store import AssignedMatch, AssignmentStore
from assistant.review.comment_store import CommentStore, CommentThread
from tests.assistant import made_up
from tests.assistant.alerts.alert_samples import sample_channel
from tests.assistant.alerts.test_event_collector import HOOK, alerts, collect

REPORT = made_up.report()
ANCHOR = deciding.position_anchor(REPORT, 1, REPORT.sentences[0].matches[0])
THREAD = CommentThread(deciding.key_of(ANCHOR), ANCHOR)


@pytest.fixture
def sender(settings):
    """A sender with a channel of Ben, one of Cleo and one of the newsroom."""
    with closing(AlertSender.open(settings)) as opened:
        for name, owner in (("ben", "Ben"), ("cleo", "cleo"), ("room", NEWSROOM)):
            opened.channels.add(replace(sample_channel(HOOK, owner=owner), name=name))
        collect(opened, time.time() - 60)  # from here on
        yield opened


def comment(settings, text="@Ben look at @channel", people=("Ben",)):
    with CommentStore.open(settings.database) as store:
        return store.add(THREAD, "Ada", text, people)


def assign(settings, person="Ben", by="Ada", matches=None):
    with AssignmentStore.open(settings.database) as store:
        return store.add(ANCHOR, person, by, matches)


def channels_of(sender, kind):
    return sorted(channel for alert_kind, channel, _ in alerts(sender) if alert_kind == kind)


def test_a_mention_is_an_alert_of_its_person_once(settings, sender):
    comment(settings)

    collect(sender, time.time() + 1)
    collect(sender, time.time() + 60)

    assert channels_of(sender, "mention") == ["ben", "room"]
    (item,) = alerts(sender)[0][2]
    assert item["fields"]["person"] == "Ben"
    assert item["fields"]["by"] == "Ada"
    assert item["fields"]["sentence"] == ANCHOR.text


def test_an_account_is_the_same_in_another_case(settings, sender):
    comment(settings, "@Cleo", ["Cleo"])

    collect(sender, time.time() + 1)

    assert channels_of(sender, "mention") == ["cleo", "room"]


def test_a_deleted_comment_is_no_alert(settings, sender):
    stored = comment(settings)
    with CommentStore.open(settings.database) as store:
        store.delete(stored.id, "Ada")

    collect(sender, time.time() + 1)

    assert alerts(sender) == []


@pytest.mark.parametrize(
    ("matches", "extent"),
    [
        (None, "To review: the whole debate."),
        ([AssignedMatch(1, "One.", "a")], "To review: 1 match."),
        ([AssignedMatch(1, "One.", "a"), AssignedMatch(2, "Two.", "b")], "To review: 2 matches."),
    ],
)
def test_an_assignment_is_an_alert_of_its_person(settings, sender, matches, extent):
    assign(settings, matches=matches)

    collect(sender, time.time() + 1)
    collect(sender, time.time() + 60)

    assert channels_of(sender, "assignment") == ["ben", "room"]
    assert alerts(sender)[0][2][0]["fields"]["note"] == extent


def test_an_assignment_to_oneself_is_no_alert(settings, sender):
    assign(settings, person="ada", by="Ada")

    collect(sender, time.time() + 1)

    assert alerts(sender) == []


def test_a_channel_without_the_kind_gets_none(settings, sender):
    sender.channels.remove("ben", 0.0)
    channel = replace(sample_channel(HOOK, owner="Ben"), name="ben", kinds=frozenset(["digest"]))
    sender.channels.add(channel)
    comment(settings)
    assign(settings)

    collect(sender, time.time() + 1)

    assert {channel for _, channel, _ in alerts(sender)} == {"room"}


@pytest.mark.threat("reviewer")
def test_a_comment_mentions_no_room_of_a_chat(settings):
    """Signs that a chat would act on have an invisible sign behind them."""
    comment(settings)

    (event,) = mentions_since(settings, 0.0)
    lines = text_lines(AlertMessage("msg_1", event), list(event.items))

    assert lines[0] == "A comment mentions a person"
    assert "For: Ben" in lines
    assert not any("@channel" in line for line in lines)


def test_a_purge_of_the_debate_deletes_its_waiting_alerts(settings, sender):
    comment(settings)
    assign(settings)
    collect(sender, time.time() + 1)
    assert len(alerts(sender)) == 4

    sender.outbox.purge(ANCHOR.document)

    assert alerts(sender) == []
    assert len(assignments_since(settings, 0.0)) == 1
