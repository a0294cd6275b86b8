"""Data directories that earlier versions wrote open with all their content.

The one of schema 7 was written by commit 064c7a8, later ones by ``tests/golden/homes/make_home.py``.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from contextlib import closing
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from assistant import pipeline, reports
from assistant.alerts.channel_store import AlertChannel, ChannelForm, ChannelStore
from assistant.alerts.outbox import Outbox
from assistant.archive import alerts, bulk_run, transcript_search
from assistant.archive import tables as archive_tables
from assistant.archive.archive_store import ArchiveStore
from assistant.check import candidates, loaded_models
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.access import Access
from assistant.jobs.check_service import CheckService
from assistant.jobs.corrections import CorrectionStore
from assistant.jobs.reading_choices import (
    LabelVerdict,
    ReadingChoice,
    ReadingChoiceStore,
    TranscriptShape,
)
from assistant.jobs.recordings import IncomingRecording, RecordingStore, file_digest
from assistant.jobs.voiceprints import VoiceprintStore
from assistant.live.access_tokens import AccessRight, Scope, TokenStore
from assistant.live.event_log import EventLog
from assistant.passages.listing import MIXED_SKIPPED, with_mixed
from assistant.review import comment_threads, deciding, revisions
from assistant.review.assignment_store import AssignmentStore
from assistant.review.comment_store import CommentStore
from assistant.review.decision_store import DecisionStore
from tests.assistant.alerts.alert_samples import sample_event

GOLDEN = Path(__file__).parents[1] / "golden" / "homes" / "v7"
EXPECTED = GOLDEN / "expected"
CONTENTS = json.loads((EXPECTED / "contents.json").read_text("utf-8"))
EVENT = "harbor-night"


@pytest.fixture
def home_settings(tmp_path):
    """Return the settings of a copy of the data directory."""
    home = tmp_path / "home"
    with zipfile.ZipFile(GOLDEN / "home.zip") as file:
        file.extractall(home)
    return settings.load(home=str(home), environ={})


@pytest.fixture
def desk(home_settings):
    """Return the job service of that copy."""
    with closing(CheckService.open(home_settings)) as opened:
        yield opened


def files_of(folder):
    """Return the digest and the time of the last change of every file in a folder, by path."""
    files = {}
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "writer.lock":
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            files[str(path.relative_to(folder))] = (digest, path.stat().st_mtime_ns)
    return files


def test_settings_of_the_data_directory(home_settings):
    assert home_settings.profile.name == "embedded"
    assert home_settings.profile.matches_shown == 5
    assert home_settings.network is False
    assert home_settings.voices is True
    assert home_settings.access == Access(
        reader=("*",), reviewer=("group:desk",), editor=("ann@example.org",)
    )


def test_all_fact_checks_are_there(home_settings):
    with ClaimStore.open(home_settings.database) as store:
        assert sorted(store.fingerprints()) == CONTENTS["claims"]


def test_all_reports_are_listed(desk):
    checks = set(CONTENTS["reports"].values())
    of_archive = {entry["report"] for entry in CONTENTS["archive"]["entries"]}
    listed = {head.id for head in desk.report_heads(limit=100)}
    assert checks | of_archive <= listed


@pytest.mark.parametrize("name", CONTENTS["reports"])
def test_a_report_reads_as_it_did(name, desk, home_settings):
    stored = desk.report(CONTENTS["reports"][name])
    decided = deciding.with_decisions(stored, home_settings.database)
    shown = with_mixed(decided, MIXED_SKIPPED)  # half-true matches were not listed then
    actual = json.loads(reports.render(shown, "json"))
    expected = json.loads((EXPECTED / f"{name}.json").read_text("utf-8"))
    assert _as_of_then(actual, expected) == expected


def _as_of_then(value: Any, expected: Any) -> Any:
    """Return a value without the fields that later versions of the schema have added."""
    if isinstance(value, dict) and isinstance(expected, dict):
        return {
            name: _as_of_then(value[name], expected[name]) for name in value if name in expected
        }
    if isinstance(value, list) and isinstance(expected, list) and len(value) == len(expected):
        return [_as_of_then(one, other) for one, other in zip(value, expected, strict=True)]
    return value


@pytest.mark.parametrize("entry", CONTENTS["archive"]["entries"], ids=lambda entry: entry["title"])
def test_a_report_of_the_archive_is_readable(entry, desk):
    report = desk.report(entry["report"])
    assert report.transcript.title == entry["title"]
    assert len(report.sentences) == entry["sentences"]


def test_all_decisions_are_there_with_their_history(home_settings):
    with DecisionStore.open(home_settings.database) as store:
        actual = []
        for record in store.all():
            history = [version.decision.verdict for version in store.history(record.key)]
            row = {
                "text": record.anchor.text,
                "claim": record.anchor.claim_id,
                "version": record.version,
            }
            row |= {
                name: getattr(record.decision, name) for name in ("verdict", "reason", "by", "note")
            }
            actual.append(row | {"history": history})
    assert actual == CONTENTS["decisions"]


@pytest.mark.parametrize(
    "name, right",
    [("write", AccessRight.WRITE), ("read", AccessRight.READ), ("revoked", AccessRight.NONE)],
)
def test_a_token_allows_what_it_did(name, right, home_settings):
    with TokenStore.open(home_settings.database) as store:
        assert store.right(CONTENTS["tokens"][name], EVENT) == right


def test_a_token_of_the_api_can_be_made_in_it(home_settings):
    with TokenStore.open(home_settings.database) as store:
        token = store.give_scopes("plug-in", [Scope.MATCH])
        assert store.api_grant(token).scopes == {Scope.MATCH}
        assert store.api_grant(CONTENTS["tokens"]["write"]) is None


def test_the_live_event_has_its_sentences_and_outcomes(home_settings):
    with EventLog.open(home_settings.database) as log:
        actual = [json.loads(json.dumps(asdict(sentence))) for sentence in log.sentences(EVENT)]
        event = log.event(EVENT)
    assert (event.title, event.day) == ("Harbor night", date(2025, 6, 15))
    expected = CONTENTS["live"]["sentences"]
    assert _as_of_then(actual, expected) == expected
    assert {sentence["strength"] for sentence in actual} == {""}


def test_the_reports_of_live_sentences_are_the_same(home_settings):
    with EventLog.open(home_settings.database) as log:
        actual = {str(number): json.loads(report) for number, report in log.reports(EVENT).items()}
    assert actual == CONTENTS["live"]["reports"]


def test_a_live_source_resumes_after_its_last_line(home_settings):
    with EventLog.open(home_settings.database) as log:
        assert log.cursor(EVENT, "captions") == "5"
        (feed,) = log.health(EVENT, now=0.0).feeds
    assert feed.warning == "the captions stopped for 40 s"


@pytest.mark.parametrize("name, suffix", [("playable", ".wav"), ("converted", ".opus")])
def test_a_recording_is_found_after_the_data_directory_has_moved(name, suffix, home_settings):
    """The database has the paths of the directory in which it was made, /srv/newsroom/lectern."""
    expected = CONTENTS["recordings"][name]
    with RecordingStore.open_in(home_settings.home, home_settings.database) as store:
        recording = store.of(expected["document"])
    assert file_digest(recording.existing_file) == expected["sha256"]
    assert recording.playable.suffix == suffix
    assert recording.playable.is_relative_to(home_settings.home)


def test_an_interrupted_upload_resumes_at_its_last_byte(home_settings):
    half = CONTENTS["recordings"]["half"]
    part = IncomingRecording.for_file(
        home_settings.home, half["who"], half["mark"], half["name"], half["size"]
    )
    assert part.offset == half["offset"]


def test_saved_voices_and_corrections_are_there(home_settings):
    with VoiceprintStore.open(home_settings.database) as voices:
        assert [(voice.name, voice.seconds) for voice in voices.all()] == [("Lena Ortiz", 7.5)]
    document = json.loads((EXPECTED / "council.json").read_text("utf-8"))["source"]["sha256"]
    with CorrectionStore.open(home_settings.database) as store:
        ((correction,),) = store.of(document).values()
    assert correction.text == "My budget keeps the library open on Saturdays."
    assert correction.text_before == "My budget keeps the library open on Sundays."


def test_an_interrupted_check_can_be_started_again(desk):
    orders = desk.interrupted_checks()
    assert list(orders) == [CONTENTS["interrupted"]]
    (order,) = orders.values()
    assert order.transcript.title == "Cut short"


def test_the_archive_is_there_and_can_be_searched(home_settings):
    with ArchiveStore.open(home_settings.database) as store:
        entries = [
            {
                "title": e.title,
                "event_date": str(e.event_date),
                "sentences": e.sentences,
                "report": e.report_id(),
            }
            for e in store.entries()
        ]
        (hit,) = transcript_search.by_words(store, "bulb", transcript_search.SearchFilter())
        words = [
            alerts.describe(alert)
            for alert in alerts.newest_alerts(store, home_settings, strong_only=False)
        ]
        saved = store.saved()
    assert entries == CONTENTS["archive"]["entries"]
    assert hit.title == "Ann Lee rotary"
    # No strength is known of a match that an earlier version stored.
    expected_words = CONTENTS["archive"]["alerts"]
    assert words == [word.replace("was said", "may have been said") for word in expected_words]
    assert saved == [("ferry", "ann@example.org", "q=ferry")]


def test_the_vectors_of_the_archive_are_used_as_they_are(home_settings):
    files_before = files_of(home_settings.home / "archive")
    vectors = bulk_run.vector_folder(home_settings)
    with ArchiveStore.open(home_settings.database) as store:
        assert vectors.missing(store.entries()) == []
    assert len(vectors.open().ids) == 3
    assert files_of(home_settings.home / "archive") == files_before


def test_the_index_opens_without_a_rebuild(home_settings):
    """No file of the index changes, and a search finds the right fact-check."""
    files_before = files_of(home_settings.home / "index")
    stages = []
    index = pipeline.open_index(home_settings, progress=lambda *stage: stages.append(stage))
    with ClaimStore.open(home_settings.database) as store:
        assert index.behind(store) == 0
    texts = ["Alaska is more than twice as large as the state of Texas."]
    vectors = loaded_models.encoders(home_settings.profile).sbert.encode(texts)
    best = candidates.search(texts, vectors, index).claim_index[0]
    assert index.ids[best] == "sample-0106"
    assert bool(index.bodies_ready.all())
    assert stages == []
    assert files_of(home_settings.home / "index") == files_before


def test_choices_about_labels_can_be_stored(home_settings):
    """Their table is newer than this data directory."""
    shape = TranscriptShape("text", ("Delgado",))
    choice = ReadingChoice("text", "Delgado", LabelVerdict.SPEAKER, document="d" * 64, at=5.0)
    with ReadingChoiceStore.open(home_settings.database) as store:
        store.replace(shape, [choice])
        assert store.fitting(shape) == [choice]


def test_a_channel_of_alerts_can_be_stored(home_settings):
    """Its table is newer than this data directory."""
    address = "ann@example.org"
    with (
        ChannelStore.open(home_settings.database) as channels,
        Outbox.open(home_settings.database) as outbox,
    ):
        channels.add(AlertChannel("ann", "ann", ChannelForm.MAIL, address))
        assert outbox.collect("live", [sample_event()], 2_000.0) == 1


def test_comments_and_assignments_can_be_stored(desk, home_settings):
    """Their tables are newer than this data directory; the decisions beside them stay."""
    report = desk.report(CONTENTS["reports"]["council"])
    checked = next(checked for checked in report.sentences if checked.matches)
    number = checked.sentence.number
    url = home_settings.database
    with CommentStore.open(url) as comments, DecisionStore.open(url) as decided:
        decisions_before = decided.all()
        placed = comment_threads.placed_comments(comments, decided, report)
        match = checked.matches[0]
        thread = comment_threads.thread_of(placed, decided, report, number, match)
        comments.add(thread, "ann@example.org", "Look again.", [])
        placed = comment_threads.placed_comments(comments, decided, report)
        assert placed.counts() == {number: 1}
        assert decided.all() == decisions_before
    with AssignmentStore.open(url) as assignments:
        assignments.add(thread.anchor, "ben@example.org", "ann@example.org")
        assert len(assignments.of_debate(report.transcript.source.sha256, "", None)) == 1


def test_decisions_are_numbered_in_the_order_of_their_times(home_settings):
    """Undo goes by these numbers; the decision of the latest time is undone first, as before."""
    with DecisionStore.open(home_settings.database) as store:
        versions = [version for record in store.all() for version in store.history(record.key)]
        by_number = sorted(versions, key=lambda version: version.sequence)
        times = [version.decision.at for version in by_number]
        assert times == sorted(times)
        assert min(version.sequence for version in versions) == 1


HOMES = GOLDEN.parent
MADE_HOMES = sorted(path.parent.name for path in HOMES.glob("v*/expected.json"))


@pytest.fixture(params=MADE_HOMES)
def made(request, tmp_path):
    """Return the settings of a copy of a data directory, and its expected content."""
    folder = HOMES / request.param
    home = tmp_path / "home"
    with zipfile.ZipFile(folder / "home.zip") as file:
        file.extractall(home)
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    return settings.load(home=str(home), environ={}), expected


def test_fact_checks_their_versions_and_withdrawals_are_there(made):
    home_settings, expected = made
    with ClaimStore.open(home_settings.database) as store:
        assert sorted(store.fingerprints()) == expected["claims"]
        versions = {
            claim_id: [version.rating for version in store.versions(claim_id)]
            for claim_id in expected["versions"]
        }
        assert versions == expected["versions"]
        assert [[entry.claim.id, entry.why] for entry in store.withdrawn()] == expected["withdrawn"]


def test_decisions_are_there_and_say_why_they_are_open_again(made):
    home_settings, expected = made
    with DecisionStore.open(home_settings.database) as store:
        decisions = [
            [record.anchor.text, record.anchor.claim_id, record.decision.verdict]
            for record in store.all()
            if record.decision
        ]
        open_again = revisions.decisions_open_again(store)
    assert decisions == expected["decisions"]
    assert sorted(open_again.values()) == expected["open_again"]


def test_a_report_has_its_sentences_matches_and_reopened_decisions(made):
    home_settings, expected = made
    with closing(CheckService.open(home_settings)) as service:
        report = deciding.with_decisions(
            service.report(expected["report_id"]), home_settings.database
        )
    shown_sentences = []
    for checked in report.sentences:
        best = checked.matches[0] if checked.matches else None
        reopened = best.reopened.since if best and best.reopened else None
        shown_sentences.append([checked.sentence.text, best and best.claim.id, reopened])
    assert shown_sentences == expected["sentences"]


def test_a_transcript_of_the_archive_is_there(made):
    home_settings, expected = made
    with ArchiveStore.open(home_settings.database) as store:
        entries = [[entry.title, str(entry.event_date)] for entry in store.entries()]
    assert entries == expected["archive"]


def test_the_matches_of_the_archive_have_their_strengths(made):
    """Earlier versions stored none: they come from the stored report of the debate.

    A report of before schema 12 has none either, so today's rule gives one: the sentence is the
    statement word for word.
    """
    home_settings, expected = made
    strength = expected.get("archive_strength", "good")
    columns = archive_tables.mentions.c
    with ArchiveStore.open(home_settings.database) as store:
        mentions = store.rows(sa.select(columns.claim_id, columns.tier, columns.strength))
    assert mentions == [("sample-0106", "likely", strength)]
