"""The briefing: claims of the people who speak, those that came back first, near ones once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.settings import EMBEDDED
from assistant.live.briefing import briefing, expected_names
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from tests.assistant.test_pipeline import TUNNEL

SAID = (
    ("a", "Ana Rivera", "The Channel Tunnel opened in 1994.", date(2019, 1, 1)),
    ("b", "Ana Rivera", "The Channel Tunnel was opened in the year 1994.", date(2021, 1, 1)),
    ("c", "Ana Rivera", "Mount Everest is the highest mountain.", date(2022, 1, 1)),
    ("d", "Tom Whitfield", "The Channel Tunnel opened in 1994.", date(2020, 1, 1)),
)


@pytest.fixture(scope="module")
def index():
    claims = [
        replace(TUNNEL, id=i, claimant=who, statement=text, review_date=day, title="", body="")
        for i, who, text, day in SAID
    ]
    return ClaimIndex.in_memory(claims, loaded_models.encoders(EMBEDDED))


def told(index, **details):
    encode = loaded_models.encoders(EMBEDDED).sbert.encode
    return [(e.claim.id, e.others) for e in briefing(index, encode, **details)]


def test_what_came_back_is_first_and_listed_once(index):
    """Two checks of one claim: the newer stands for both, before a claim that was checked once."""
    assert told(index, speakers=["Sen. Rivera"]) == [("b", 1), ("c", 0)]


def test_topics_choose_and_people_are_kept_apart(index):
    """The same words of another person are another claim; claims of other topics are left out."""
    assert told(index, speakers=["Rivera", "Whitfield"], topics=["mountains"]) == [("c", 0)]
    assert {i for i, _ in told(index, topics=["the tunnel under the sea"])} == {"b", "d"}
    assert told(index, topics=["mountains", "the tunnel"], limit=1) == [("b", 1)]
    assert told(index, topics=["school lunches"]) == []


def test_nobody_and_nothing_gives_nothing(index):
    """Neither does an unknown name."""
    assert [] == told(index) == told(index, speakers=["Nobody Known"])


def test_a_recogniser_expects_speakers_topics_and_the_names_of_their_fact_checks(index):
    """In this order, each once, and no more than it takes."""
    encode = loaded_models.encoders(EMBEDDED).sbert.encode
    expected = briefing(index, encode, speakers=["Rivera"])

    names = expected_names(["Rivera"], ["tunnels"], expected)

    assert names[:3] == ("Rivera", "tunnels", "Ana Rivera")
    assert "Everest" in " ".join(names)
    assert (
        len(", ".join(expected_names([f"Speaker{i:03}" for i in range(90)], (), expected)))
        <= MAX_HINT_CHARACTERS
    )
