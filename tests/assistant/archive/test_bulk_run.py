"""A run does what waits, goes on after a failure, and comes to the same end however it was cut short."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.archive import alerts, bulk_run, cluster, repeats, transcript_collection
from assistant.archive.archive_store import ArchiveStore
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.errors import SettingsError
from assistant.jobs.report_store import ReportStore
from assistant.review.decision_store import DecisionStore
from tests.assistant.test_pipeline import CLAIMS, TEXTS


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with two fact-checks and two debates that make the claim of one of them."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    with ClaimStore.open(settings.load().database) as claims:
        claims.upsert(CLAIMS[:2], source="test")
    for day in ("2021-01-01", "2022-02-02"):
        (tmp_path / f"{day}_debate.txt").write_text(
            "".join(f"RIVERA: {text}\n\n" for text in (*TEXTS, day))
        )
    with ArchiveStore.open(settings.load().database) as store:
        list(transcript_collection.add(store, sorted(tmp_path.glob("*.txt"))))
        yield store


def run(store, engine=None):
    return bulk_run.run_checks(
        store, settings.load(), engine or bulk_run.local_engine({}), on_checked=lambda *_: None
    )


def cut_short(units):
    """An engine whose process ends after the first unit."""
    yield next(iter(bulk_run.local_engine({})(units)))
    raise KeyboardInterrupt


def test_a_run_goes_on_where_it_was_cut_short_and_repeats_nothing(home):
    """Then new fact-checks meet what was said, and only they do."""
    with pytest.raises(KeyboardInterrupt):
        run(home, cut_short)
    assert bulk_run.RunSummary(1, 0, 1) == run(home)
    assert bulk_run.RunSummary(0, 0, 2) == run(home)

    with ReportStore.open(settings.load().database) as shelf:
        assert sorted(head.as_of_event for head in shelf.report_heads(10)) == [
            False,
            False,
            True,
            True,
        ]
    spoken = bulk_run.vector_folder(settings.load()).open()
    assert (
        sum(entry.sentences for entry in home.entries())
        == len(spoken.ids)
        == len(set(spoken.ids.tolist()))
    )
    with (
        ClaimStore.open(settings.load().database) as claims,
        DecisionStore.open(settings.load().database) as decisions,
    ):
        counts = repeats.count_repeats(home, claims, decisions, all_possible=True)
        debate_counts = {
            len({mention.debate.id for mention in (*claim.mentions, *claim.possible_mentions)})
            for claim in counts.repeated
        }
        assert 2 in debate_counts
        assert alerts.compare_new_claims(home, settings.load()) == 0
        claims.upsert([replace(CLAIMS[1], id="new", url="https://example.org/new")], source="test")
    assert alerts.compare_new_claims(home, settings.load()) == 1
    (alert,) = alerts.newest_alerts(home, settings.load(), strong_only=False)
    assert alert.claim.id == "new"
    assert alert.debates == 2
    assert alerts.describe(alert).endswith("was said in 2 debates since 2021")


def test_one_transcript_that_fails_does_not_stop_the_others(home, monkeypatch):
    """It is named, and tried again by the next run."""
    from assistant.archive import transcript_checks

    bad = home.entries()[0]
    messages = []
    monkeypatch.setattr(
        transcript_checks.pipeline, "check", _failing(transcript_checks.pipeline.check, bad)
    )
    done = bulk_run.run_checks(
        home,
        settings.load(),
        bulk_run.local_engine({}),
        on_checked=lambda entry, error, *_: messages.append(error),
    )

    assert bulk_run.RunSummary(1, 1, 0) == done
    assert [error for error in messages if error] == ["RuntimeError: a fault"]
    assert home.entries()[0].error == "RuntimeError: a fault"


def _failing(check, bad):
    def checked(transcript, *arguments, **options):
        if transcript.event_date == bad.event_date:
            raise RuntimeError("a fault")
        return check(transcript, *arguments, **options)

    return checked


@pytest.mark.parametrize("address", ["tcp://10.0.0.5:8786", "ucx://127.0.0.1:1", "10.0.0.5:8786"])
def test_a_scheduler_beyond_this_computer_is_reached_by_tls_only(address):
    """A worker runs what it is sent."""
    with pytest.raises(SettingsError, match="needs TLS"):
        cluster.security(address, None)


def test_tls_needs_certificates(tmp_path):
    """Where there are none, it says which."""
    with pytest.raises(SettingsError, match=r"ca\.pem, cert\.pem and key\.pem"):
        cluster.security("tls://10.0.0.5:8786", tmp_path)
    assert cluster.security("tcp://127.0.0.1:8786", None) is None
