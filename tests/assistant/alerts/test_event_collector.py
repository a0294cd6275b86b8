"""Events of live events, checks, the archive and publishers become alerts, each once."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from assistant.alerts.alert_events import ALERT_KINDS, LIVE_MATCH
from assistant.alerts.alert_sender import AlertSender
from assistant.alerts.channel_store import NEWSROOM
from assistant.alerts.event_sources import EventSource
from assistant.api.check_records import CheckRecord, CheckRecordStore
from assistant.archive import tables as archive_tables
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import Decision, Strength, Tier
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import JobState
from assistant.jobs.report_store import JobRequest, ReportStore
from assistant.live.event import Event, Outcome
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from assistant.report import stored_reports
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from tests.assistant import made_up
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

HOOK = "https://hooks.example/x"
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC).timestamp()
HOUR_S = 3600.0


@pytest.fixture
def sender(settings):
    with closing(AlertSender.open(settings)) as opened:
        opened.channels.add(sample_channel(HOOK, owner=NEWSROOM))
        yield opened


def collect(sender, now=NOON):
    """Collect with a fresh memory, as another process would."""
    collector = sender.collect.__self__
    collector.context.read_results.clear()
    collector._due.clear()
    collector._digests.clear()
    collector.collect(now)


def alerts(sender):
    """Return the kind, the channel and the items of each alert that waits."""
    listed = []
    with sender.outbox._reading() as connection:
        query = "SELECT kind, channel, content FROM alert_deliveries ORDER BY made, id"
        for kind, channel, content in connection.exec_driver_sql(query):
            listed.append((kind, channel, json.loads(content)["items"]))
    return listed


def report_with(strength):
    """Return the report of the samples, its best match with a strength."""
    report = made_up.report()
    (checked, *others) = report.sentences
    best = replace(made_up.match(), strength=strength)
    checked = replace(checked, matches=(best, *checked.matches[1:]))
    return replace(report, sentences=(checked, *others))


def store_live_match(
    settings, strength, *, now=NOON, unit="1", tier=Tier.LIKELY, ranker="lectern 1"
):
    report = report_with(strength)
    report = replace(report, manifest=replace(report.manifest, models={"ranker": ranker}))
    stored = stored_reports.archive(replace(report, sentences=report.sentences[:1], passages=()))
    claim_id = made_up.VCLAIM.id
    outcome = Outcome(
        0.9,
        True,
        tier=tier,
        score=2.0,
        claim=claim_id,
        report=stored,
        strength=str(strength or ""),
    )
    with EventLog.open(settings.database) as log:
        log.begin(Event("city", "City debate"), now)
        line = Line("wire", unit, "The tunnel has been open since 1994.", "RIVERA", final=True)
        log.store_lines("city", "wire", [line], now=now)
        sentence = log.sentences("city")[-1]
        log.beat("city", now=now)
        log.store_outcome(sentence, outcome, now=now)


def store_check(settings, who="ann", *, state=JobState.DONE, strength=Strength.STRONG, now=NOON):
    """Store a check of a person, and return its id."""
    report = report_with(strength)
    spec = JobSpec(report.transcript)
    with ReportStore.open(settings.database) as store:
        store.claim_job(JobRequest("job1", "City debate", who, spec), max_running_jobs=9, now=now)
        outcome = stored_reports.archive(report) if state is JobState.DONE else None
        store.finish_job("job1", state, now=now, error="", outcome=outcome)
    return "job1"


def test_a_strong_live_match_is_an_alert_once(settings, sender):
    store_live_match(settings, Strength.STRONG)

    for now in (NOON + 1, NOON + 2, NOON + 300):
        collect(sender, now)

    ((kind, channel, (item,)),) = alerts(sender)
    assert (kind, channel) == (LIVE_MATCH, "desk")
    assert item["fields"] == {
        "event": "City debate",
        "speaker": "RIVERA",
        "sentence": "The tunnel has been open since 1994.",
        "statement": "The Channel Tunnel opened in 1994.",
        "rating": "True",
        "publisher": "Sample desk (invented)",
    }
    assert item["address"] == "https://example.org/samples/1"


@pytest.mark.parametrize("strength", [Strength.GOOD, Strength.POSSIBLE])
def test_a_weaker_live_match_is_no_alert(settings, sender, strength):
    store_live_match(settings, strength)

    collect(sender)

    assert alerts(sender) == []


def test_a_likely_live_match_of_a_ranker_without_strengths_is_an_alert(settings, sender):
    store_live_match(settings, None, ranker="ranksvm-max-skip 1")

    collect(sender)

    assert [kind for kind, _, _ in alerts(sender)] == [LIVE_MATCH]


def test_a_live_match_from_while_no_process_collected_is_not_lost(settings, sender):
    collect(sender, NOON)
    store_live_match(settings, Strength.STRONG, now=NOON + HOUR_S)

    collect(sender, NOON + 60 * HOUR_S)

    assert [kind for kind, _, _ in alerts(sender)] == [LIVE_MATCH]


@pytest.mark.parametrize(
    ("state", "words"), [(JobState.DONE, "The report is ready."), (JobState.FAILED, "Failed: ")]
)
def test_an_ended_check_is_an_alert(settings, sender, state, words):
    store_check(settings, state=state)

    collect(sender)

    ((kind, _, (item,)),) = [alert for alert in alerts(sender) if alert[0] != "digest"]
    assert kind == "check-ended"
    assert item["fields"] == {"title": "City debate", "result": words}


def test_a_cancelled_check_is_no_alert(settings, sender):
    store_check(settings, state=JobState.CANCELLED)

    collect(sender)

    assert alerts(sender) == []


@pytest.mark.threat("reader")
@pytest.mark.parametrize(
    ("who", "is_shared", "channels"),
    [
        ("ann", False, ["ann", "desk"]),
        ("bob", False, ["desk"]),
        ("token cms", False, ["cms"]),
        ("token cms", True, ["cms", "desk"]),
    ],
)
def test_the_end_of_a_check_is_told_to_its_owner_and_if_shared_to_the_newsroom(
    settings, sender, who, is_shared, channels
):
    for name, owner in (("ann", "ann"), ("cms", "token cms")):
        sender.channels.add(sample_channel(HOOK, name=name, owner=owner))
    job = store_check(settings, who)
    if who.startswith("token"):
        with CheckRecordStore.open(settings.database) as records:
            records.add(CheckRecord("c1", "cms", is_shared, job=job, has_ended=True))

    collect(sender)

    assert sorted(channel for _, channel, _ in alerts(sender)) == channels


def test_a_new_fact_check_that_matches_the_archive_is_an_alert_once(settings, sender):
    with ClaimStore.open(settings.database) as store:
        store.upsert([made_up.VCLAIM], source="tests")
    transcript = {
        "id": 1,
        "document": "d" * 64,
        "path": "a.txt",
        "title": "City debate",
        "event_date": date(2019, 3, 1),
        "digest": "x",
        "sentences": 3,
        "changed": NOON,
        "ordered": b"",
    }
    alert = {
        "claim_id": made_up.VCLAIM.id,
        "sentence": 100_001,
        "transcript": 1,
        "tier": "likely",
        "strength": "strong",
        "at": NOON - 10,
    }
    with sender.outbox._writing() as connection:
        connection.execute(archive_tables.transcripts.insert(), transcript)
        connection.execute(archive_tables.alerts.insert(), alert)

    collect(sender, NOON)
    collect(sender, NOON + 60)

    ((kind, _, (item,)),) = alerts(sender)
    assert kind == "archive-match"
    assert item["fields"]["debates"] == "said in 1 debate, first in 2019"


def confirm_best_match(settings):
    with DecisionStore.open(settings.database) as store:
        placed = deciding.decided_report(store, report_with(Strength.STRONG))
        checked = placed.report.sentences[0]
        match = checked.matches[0]
        decision = Decision("confirm", by="ann", at="2026-11-25T12:00:00.000Z")
        deciding.decide(store, placed, (checked.sentence.number, match), decision)


def change_rating(settings, **changes):
    with ClaimStore.open(settings.database) as store:
        store.upsert([made_up.VCLAIM], source="tests")
        store.upsert([replace(made_up.VCLAIM, **changes)], source="tests")


def test_a_change_of_a_rating_behind_a_confirmed_match_is_an_alert_once(settings, sender):
    confirm_best_match(settings)
    change_rating(settings, rating="False", review_date=date(2020, 1, 2))

    now = datetime.now(UTC).timestamp()
    collect(sender, now)
    collect(sender, now + 60)

    ((kind, _, (item,)),) = alerts(sender)
    assert kind == "review-changed"
    assert item["fields"]["result"] == "it was rated True; rated False since 2 Jan 2020"
    assert item["fields"]["debates"] == "City debate"


def test_a_withdrawal_behind_a_confirmed_match_is_an_alert(settings, sender):
    confirm_best_match(settings)
    with ClaimStore.open(settings.database) as store:
        store.upsert([made_up.VCLAIM], source="tests")
        store.withdraw([made_up.VCLAIM.id], why="retracted", withdrawn_by="source tests")

    collect(sender, datetime.now(UTC).timestamp())

    ((kind, _, (item,)),) = alerts(sender)
    assert kind == "review-changed"
    assert "withdrawn on" in item["fields"]["result"]


def test_a_change_of_a_rating_behind_no_confirmed_match_is_no_alert(settings, sender):
    change_rating(settings, rating="False", review_date=date(2020, 1, 2))

    collect(sender, datetime.now(UTC).timestamp())

    assert alerts(sender) == []


def digest_items(sender):
    return [items for kind, _, items in alerts(sender) if kind == "digest"]


def test_the_digest_comes_once_at_its_time_with_the_sentences_of_yesterday(settings, sender):
    yesterday = NOON - 24 * HOUR_S
    store_check(settings, now=yesterday)
    store_live_match(settings, Strength.GOOD, now=yesterday)

    morning = NOON - 4.5 * HOUR_S  # 07:30 UTC
    collect(sender, morning - 1)
    assert digest_items(sender) == []
    for now in (morning, morning + 1, NOON):
        collect(sender, now)

    (items,) = digest_items(sender)
    assert [sorted(item["fields"]) for item in items] == [
        ["publisher", "rating", "sentence", "speaker", "statement", "title"],
        ["event", "publisher", "rating", "sentence", "speaker", "statement"],
    ]


@pytest.mark.parametrize("hours_before_noon", [0, 12, 36.1, 60])
def test_the_digest_has_no_sentences_of_another_day(settings, sender, hours_before_noon):
    store_check(settings, now=NOON - hours_before_noon * HOUR_S)

    collect(sender, NOON)

    assert digest_items(sender) == []


def test_the_digest_leaves_out_weak_and_rejected_matches(settings, sender):
    store_check(settings, strength=Strength.POSSIBLE, now=NOON - 24 * HOUR_S)

    collect(sender, NOON)

    assert digest_items(sender) == []


def test_the_digest_has_the_good_live_matches_of_any_tier(settings, sender):
    store_live_match(settings, Strength.GOOD, tier=Tier.POSSIBLE, now=NOON - 20 * HOUR_S)

    collect(sender)

    ((item,),) = digest_items(sender)
    assert item["fields"]["event"] == "City debate"


@pytest.mark.threat("reader")
def test_the_digest_has_no_check_that_a_program_does_not_share(settings, sender):
    store_check(settings, "token cms", now=NOON - 24 * HOUR_S)

    collect(sender, NOON)

    assert digest_items(sender) == []


def test_the_digest_of_a_channel_follows_its_time_zone(settings, sender):
    """At 03:00 UTC it is 16:00 in Auckland, where the 25th began at 11:00 UTC of the 24th."""
    channel = sample_channel(HOOK, name="far", zone="Pacific/Auckland", owner=NEWSROOM)
    sender.channels.add(channel)
    store_check(settings, now=datetime(2026, 11, 24, 11, 30, tzinfo=UTC).timestamp())

    collect(sender, datetime(2026, 11, 26, 3, tzinfo=UTC).timestamp())

    with_digest = [channel for kind, channel, _ in alerts(sender) if kind == "digest"]
    assert with_digest == ["far"]


def test_a_fault_in_one_source_does_not_stop_the_others(settings, sender):
    def broken(context, since):
        raise KeyError("x")

    def whole(context, since):
        return [sample_event(at=NOON)]

    collector = sender.collect.__self__
    collector.sources = (EventSource("a", 0, 0, broken), EventSource("b", 0, 0, whole))

    collect(sender)

    assert [kind for kind, _, _ in alerts(sender)] == [LIVE_MATCH]
    assert sender.outbox.collected_until("a") is None


def test_without_channels_nothing_is_read(settings, sender):
    sender.channels.remove("desk", NOON)
    reads = []
    collector = sender.collect.__self__
    collector.sources = (EventSource("a", 0, 0, lambda context, since: reads.append(1) or []),)

    collect(sender)

    assert reads == []


def test_every_kind_of_event_has_a_headline():
    assert [kind for kind, headline in ALERT_KINDS.items() if not headline] == []
