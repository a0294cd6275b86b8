"""``claims articles`` as a user has it.

Nothing without leave, a line per claim, its sentences in the index.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant import pipeline
from assistant.claims.claim_store import ClaimStore
from assistant.commands.cli import main
from assistant.core import settings
from assistant.core.domain import VerifiedClaim
from assistant.web import fetching
from tests.assistant.claims.pages import ARTICLE, Site

ARTICLES = ("claims", "articles")
STATEMENT = "The taxes of the city fell by 7 percent in 2007."


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    yield running
    running.close()


@pytest.fixture
def home(tmp_path, monkeypatch, site):
    """A home with one fact-check whose article stands on the site, and one whose page is gone."""
    monkeypatch.setenv(fetching.PRIVATE_NETWORKS_VARIABLE, "1")
    for name in ("LECTERN_HOME", "LECTERN_DATABASE_URL", "LECTERN_NETWORK"):
        monkeypatch.delenv(name, raising=False)
    reachable_claim = VerifiedClaim(
        "c1", STATEMENT, rating="False", url=f"{site.url}/good", publisher="Example News"
    )
    gone = VerifiedClaim(
        "c2", "Rents doubled.", url=f"http://localhost:{site.port}/none", publisher="Other News"
    )
    with ClaimStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as store:
        store.upsert([reachable_claim, gone], source="test")
    return tmp_path


def test_nothing_is_asked_until_somebody_allows_it(home, site, capsys):
    """The line says how many pages of which sites would be asked, and how to allow it."""
    assert main([*ARTICLES, "--home", str(home)]) == 1

    printed = capsys.readouterr().err
    assert "2 would be asked, of 127.0.0.1, localhost." in printed
    assert "--network" in printed
    assert site.asked == []


def test_a_page_that_is_not_about_its_claim_is_told(home, site, capsys):
    """It is fetched all the same; the line ends with the doubt, and only there."""
    unrelated_claim = VerifiedClaim(
        "c3", "Wolves crossed the frozen lake.", url=f"{site.url}/good", publisher="Example News"
    )
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert([unrelated_claim], source="test")

    assert main([*ARTICLES, "--home", str(home), "--network"]) == 0

    lines = {line.split("\t")[1]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["c3"].startswith("fetched\t")
    assert "does not seem to be about the claim" in lines["c3"]
    assert lines["c1"].startswith("fetched\t")
    assert "does not seem" not in lines["c1"]


def test_a_flag_forbids_what_a_variable_allows(home, site, monkeypatch):
    """Flag beats variable, here too."""
    monkeypatch.setenv("LECTERN_NETWORK", "1")

    assert main([*ARTICLES, "--home", str(home), "--no-network"]) == 1
    assert site.asked == []


def test_each_claim_has_its_line_and_its_sentences_are_indexed(home, site, capsys):
    """Outcome, id, address and reason to stdout; counts to stderr; the index holds what came."""
    assert main([*ARTICLES, "--home", str(home), "--network"]) == 0

    out, err = capsys.readouterr()
    printed_rows = [line.split("\t") for line in out.splitlines()]
    assert sorted(fields[:2] for fields in printed_rows) == [["fetched", "c1"], ["gone", "c2"]]
    assert "1 fetched" in err
    assert "1 gone" in err

    index = pipeline.open_index(settings.load(home=str(home)))
    at = index.ids.index("c1")
    assert ARTICLE[7] in [index.claim(at).body[begin:end] for begin, end in index.body_spans(at)]
    assert len(index.body_spans(at)) == len(index.body_vectors(at))


def test_only_what_was_named_is_asked(home, site, capsys):
    """By id or by publisher; an id that needs no article is named."""
    assert main([*ARTICLES, "--home", str(home), "c9", "--network"]) == 0
    assert (
        main(
            [
                *ARTICLES,
                "--home",
                str(home),
                "--publisher",
                "Example News",
                "--limit",
                "5",
                "--network",
            ]
        )
        == 0
    )

    assert "c9: no fact-check" in capsys.readouterr().err
    assert site.asked == ["/robots.txt", "/good"]


def test_a_run_ends_at_its_limit_and_says_what_is_left(home, site, capsys):
    """The same command goes on."""
    assert main([*ARTICLES, "--home", str(home), "--limit", "1", "--network"]) == 0

    assert "1 page is left" in capsys.readouterr().err
    assert len([path for path in site.asked if path != "/robots.txt"]) == 1
