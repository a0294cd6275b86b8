"""An archive of three debates with made-up reports, in a database of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

import pytest

from assistant.archive.archive_store import ArchiveStore, FinishedCheck, check_key
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import (
    CheckedSentence,
    Report,
    Sentence,
    Stance,
    Strength,
    Tier,
    Transcript,
)
from assistant.passages.listing import arranged, singles
from tests.assistant import made_up
from tests.assistant.review.conftest import KINDS, any_url, fresh

__all__ = ["any_url"]
TUNNEL = made_up.VCLAIM  # checked on 4 March 2019
NOW = "claims and models"
# Who said what, when: the first sentence of each debate makes the claim, a strong match; "?" at its
# end: only possible.
DEBATES = {
    "Harbour debate": (date(2018, 5, 1), "Ana Rivera", "The tunnel has been open since 1994."),
    "City debate": (date(2021, 6, 2), "RIVERA", "That tunnel opened in 1994, my friends."),
    "Bridge debate": (
        date(2023, 7, 3),
        "Tom Okafor",
        "They opened the tunnel in 1994, did they not?",
    ),
}


def transcript(title: str) -> Transcript:
    """Return one of the debates: the claim, and a sentence that makes none."""
    day, speaker, text = DEBATES[title]
    sents = (
        Sentence(1, 1, text, speaker, 4.0, 7.0),
        Sentence(2, 2, "Thank you all for coming to the harbour.", speaker),
    )
    return Transcript(
        title, day, replace(made_up.report().transcript.source, sha256=title.encode().hex()), sents
    )


def report(title: str, *, stance: Stance = Stance.REPEATS) -> Report:
    """Return the report of one of the debates."""
    read_transcript = transcript(title)
    is_question = read_transcript.sentences[0].text.endswith("?")
    tier = Tier.POSSIBLE if is_question else Tier.LIKELY
    strength = Strength.POSSIBLE if is_question else Strength.STRONG
    match = replace(made_up.match(tier=tier), stance=stance, strength=strength)
    checked = (
        CheckedSentence(read_transcript.sentences[0], 0.9, True, None, 1, 1.5, tier, (match,)),
        CheckedSentence(read_transcript.sentences[1], 0.1, False, "greeting or thanks"),
    )
    return replace(
        made_up.report(),
        transcript=read_transcript,
        sentences=checked,
        passages=arranged(singles(checked), checked),
    )


def check(store: ArchiveStore, title: str, **how: Stance) -> bool:
    """Store the report of a debate, as a worker does."""
    entry = next(entry for entry in store.entries() if entry.title == title)
    finished_report = report(title, **how)
    return store.finish(
        FinishedCheck(
            entry.id,
            entry.digest,
            check_key(entry.digest, NOW),
            1.5,
            finished_report,
            finished_report,
        )
    )


def fill(store: ArchiveStore) -> None:
    """Take the debates in and store their reports."""
    for title in DEBATES:
        store.add(transcript(title), f"/debates/{title}.txt")
        check(store, title)


@pytest.fixture
def archive(any_url) -> Iterator[ArchiveStore]:
    """The three debates, checked, and the fact-check that they repeat."""
    with filled(any_url) as store:
        yield store


@pytest.fixture(scope="module", params=KINDS)
def unchanged(request, tmp_path_factory) -> Iterator[ArchiveStore]:
    """The same, made once for all tests of a file that only read it."""
    with filled(fresh(request, tmp_path_factory.mktemp("archive"))) as store:
        yield store


@contextmanager
def filled(url: str) -> Iterator[ArchiveStore]:
    with ClaimStore.open(url) as claims:
        claims.upsert([TUNNEL], source="test")
    with ArchiveStore.open(url) as store:
        fill(store)
        yield store
