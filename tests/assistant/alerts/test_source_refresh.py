"""A refresh fetches each feed again, indexes, and compares with the archive."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

import pytest

from assistant.alerts import refresh_schedule, source_refresh
from assistant.alerts.feed_store import ClaimFeed, FeedStore
from assistant.alerts.refresh_schedule import RefreshSchedule, refreshing
from assistant.claims import datacommons, downloads
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import ImportReport
from assistant.commands.cli import main
from assistant.core.errors import NetworkError, SettingsError
from assistant.core.settings import Settings
from tests.assistant.claims.conftest import serve
from tests.assistant.claims.test_datacommons import ENGLISH, element, feed

__all__ = ["serve"]
NOW = 1_795_780_800.0


@pytest.fixture
def steps(monkeypatch, tmp_path):
    """Let the index and the archive note only that they were asked, and downloads go elsewhere."""
    asked = []

    def build_index(settings, progress):
        asked.append("index")
        return SimpleNamespace(ids=["a", "b"])

    def compare(settings, progress):
        asked.append("archive")
        return 3

    monkeypatch.setattr(source_refresh.pipeline, "build_index", build_index)
    monkeypatch.setattr(source_refresh, "_compare_with_archive", compare)
    monkeypatch.setattr(downloads, "cache_folder", lambda: tmp_path / "downloads")
    return asked


def elements(count, **changes):
    return [element(i, ENGLISH.format(1900 + i), **changes) for i in range(count)]


def note(settings, claim_feed, when=NOW):
    with FeedStore.open(settings.database) as store:
        store.note_import(claim_feed, ImportReport(), when)


def test_a_refresh_brings_what_is_new_and_changed_and_then_indexes(settings, serve, steps):
    server = serve(feed(elements(3)))
    note(settings, ClaimFeed("datacommons", {"url": server.url}))
    source_refresh.refresh(settings)
    changed = {"reviewRating": {"@type": "Rating", "alternateName": "True"}}
    changed["datePublished"] = "2021-01-01"
    server.data = feed([*elements(1, **changed), *elements(5)[1:]])

    result = source_refresh.refresh(settings)

    (fetched,) = result.feeds
    assert (fetched.new, fetched.changed, fetched.error) == (2, 1, "")
    assert (result.indexed, result.compared) == (2, 3)
    assert steps == ["index", "archive"] * 2


def test_a_feed_that_fails_does_not_stop_another_and_says_why(settings, steps, monkeypatch):
    def feed_import(claim_feed, settings):
        def fetch(store, progress):
            if claim_feed.publisher == "google":
                raise NetworkError("the quota of the API key is used up.")
            return ImportReport(new=4)

        return fetch

    monkeypatch.setattr(source_refresh, "feed_import", feed_import)
    note(settings, ClaimFeed("google", {"site": "gazette.example"}))
    note(settings, ClaimFeed("datacommons"))

    result = source_refresh.refresh(settings)

    by_name = {fetched.feed.name: fetched for fetched in result.feeds}
    assert by_name["datacommons"].new == 4
    assert by_name["google, site gazette.example"].error == "the quota of the API key is used up."
    with FeedStore.open(settings.database) as store:
        assert store.all() == list(result.feeds)


def test_without_a_feed_a_refresh_is_refused(settings):
    with pytest.raises(SettingsError, match="no feed has been fetched yet"):
        source_refresh.refresh(settings)


def test_a_refresh_is_refused_if_the_network_is_off(tmp_path):
    with pytest.raises(SettingsError, match="network access is turned off"):
        source_refresh.refresh(Settings(home=tmp_path, network=False))


@pytest.mark.parametrize(
    ("claim_feed", "function"),
    [
        (ClaimFeed("datacommons"), datacommons.fetch_datacommons),
        (ClaimFeed("google", {"query": "tax"}), source_refresh.google_fact_check.fetch_google),
        (ClaimFeed("politifact"), source_refresh.politifact.fetch_politifact),
    ],
)
def test_a_feed_is_fetched_by_its_publisher(settings, claim_feed, function):
    assert source_refresh.feed_import(claim_feed, settings).func is function


def test_the_options_of_a_feed_are_used_again(settings):
    options = {"url": "https://feeds.example/x", "language": "es"}
    fetch = source_refresh.feed_import(ClaimFeed("datacommons", options), settings)

    assert fetch.keywords == options


def test_a_fetched_feed_is_remembered_listed_and_removed(tmp_path, serve, steps, capsys):
    home = ["--home", str(tmp_path)]
    address = serve(feed(elements(3))).url
    assert main(["claims", "fetch", "datacommons", "--url", address, *home]) == 0

    assert main(["claims", "feeds", *home]) == 0
    cells = capsys.readouterr().out.strip().split("\t")
    assert (cells[0], cells[2]) == (f"datacommons, url {address}", "3 new")
    assert main(["claims", "refresh", *home]) == 0
    assert "0 new" in capsys.readouterr().out
    assert main(["claims", "feeds", "--remove", cells[0], *home]) == 0
    with FeedStore.open(Settings(home=tmp_path).database) as store:
        assert store.all() == []
    assert main(["claims", "feeds", "--remove", cells[0], *home]) == 1
    with ClaimStore.open(Settings(home=tmp_path).database) as store:
        assert store.status().claims == 3


def test_a_refresh_with_a_feed_that_fails_says_so(tmp_path, serve, steps, capsys):
    home = ["--home", str(tmp_path)]
    note(Settings(home=tmp_path), ClaimFeed("datacommons", {"url": "http://127.0.0.1:9/x"}))

    assert main(["claims", "refresh", *home]) == 1
    assert "1 of 1 feeds could not be fetched." in capsys.readouterr().err


@pytest.fixture
def schedule(settings):
    command = (sys.executable, "-c", "pass")
    made = RefreshSchedule(settings, 3600.0, command, clock=lambda: NOW)
    yield made
    if made._process is not None:
        made._process.wait()


@pytest.mark.parametrize(
    ("feed_times", "is_due"),
    [((), False), ((NOW - 3599,), False), ((NOW - 3600,), True), ((NOW - 10, NOW - 3600), True)],
)
def test_a_refresh_starts_once_the_oldest_feed_is_old_enough(
    settings, schedule, feed_times, is_due
):
    for number, when in enumerate(feed_times):
        note(settings, ClaimFeed("google", {"query": str(number)}), when)

    assert schedule.step() is is_due


def test_a_refresh_that_ended_without_a_result_is_not_started_again_at_once(settings, schedule):
    note(settings, ClaimFeed("datacommons"), NOW - 3600)
    assert schedule.step() is True
    schedule._process.wait()

    assert schedule.step() is False


def test_the_process_of_a_refresh_gets_the_database_by_its_environment(
    settings, schedule, tmp_path
):
    note(settings, ClaimFeed("datacommons"), NOW - 3600)
    target = tmp_path / "environ"
    code = f"import os; open({str(target)!r}, 'w').write(os.environ['LECTERN_DATABASE_URL'])"
    schedule.command = (sys.executable, "-c", code)

    schedule.step()
    schedule._process.wait()

    assert target.read_text() == settings.database


def test_a_schedule_ends_with_its_server(settings, monkeypatch):
    note(settings, ClaimFeed("datacommons"), time.time() - 7200)
    sleeping = (sys.executable, "-c", "import time; time.sleep(600)")
    monkeypatch.setattr(refresh_schedule.RefreshSchedule, "command", sleeping)
    started = []
    step = RefreshSchedule.step

    def noted_step(schedule):
        step(schedule)
        started.append(schedule._process)

    monkeypatch.setattr(RefreshSchedule, "step", noted_step)
    with refreshing(settings, 1):
        while not started:
            time.sleep(0.01)

    assert started[0].poll() is not None
