"""Alerts: new fact-checks whose claims were made before, by strong matches."""

from __future__ import annotations

import pytest

from assistant.archive import alerts
from assistant.core.settings import Settings
from tests.assistant.archive.conftest import TUNNEL


@pytest.fixture
def noted(archive, any_url, tmp_path):
    """Return a function that stores matches, (tier, strength) each, and returns the alerts."""

    def note(*tiers_and_strengths):
        entries = archive.entries()
        matches = []
        for entry, (tier, strength) in zip(entries, tiers_and_strengths, strict=False):
            match = {"claim_id": TUNNEL.id, "sentence": entry.id, "transcript": entry.id}
            matches.append({**match, "tier": tier, "strength": strength})
        archive.note_new_matches({TUNNEL.id: "digest"}, matches, now=9.0)
        settings = Settings(home=tmp_path, database_url=any_url)
        return alerts.newest_alerts(archive, settings)

    return note


def test_an_alert_counts_strong_matches_only(noted):
    (alert,) = noted(("likely", "strong"), ("likely", "good"), ("possible", "good"))

    assert (alert.passages, alert.debates) == (1, 1)
    assert alerts.describe(alert).endswith("was said in 1 debate since 2018")


def test_good_matches_alone_are_no_alert(noted):
    assert noted(("likely", "good"), ("possible", "possible")) == []


def test_likely_stands_for_strong_if_the_ranker_gives_no_strengths(noted):
    (alert,) = noted(("likely", ""), ("likely", ""), ("possible", ""))

    assert alert.debates == 2
    assert alerts.describe(alert).endswith("was said in 2 debates since 2018")


def test_likely_matches_of_an_earlier_version_may_have_been_said(noted):
    (alert,) = noted(("likely", None), ("possible", None))

    assert alerts.describe(alert).endswith("may have been said in 1 debate since 2018")
