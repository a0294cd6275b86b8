"""New fact-checks read with what is near them: what is left out could not have been likely."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import sqlalchemy as sa

from assistant.archive import alerts
from assistant.archive.alert_matching import AlertMatcher
from assistant.archive.tables import sentences
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.settings import EMBEDDED
from tests.assistant.test_pipeline import CLAIMS, TUNNEL

SAID = (
    "The Channel Tunnel between England and France opened in 1994.",
    "As I said, the Channel Tunnel between England and France was opened in 1994.",
    "The Channel Tunnel between England and France did not open in 1994.",
    "Mount Everest is the highest mountain of all above the level of the sea.",
    "Good evening, and welcome to England and France.",
    "There are tunnels in France that nobody has opened for years.",
)


@pytest.fixture(scope="module")
def reader():
    """A reader whose sentences are all near all three fact-checks."""
    loaded = loaded_models.load(EMBEDDED)
    index = ClaimIndex.in_memory(CLAIMS, loaded.encoders)
    return AlertMatcher(
        loaded, index, {number: {0, 1, 2} for number in range(len(SAID))}, nothing_before
    )


def nothing_before(said):
    return [()] * len(said)


def matches(reader, sizes=(4, 2)):
    rows = [
        SimpleNamespace(id=i, transcript=0, text=text, speaker="A", event_date=None)
        for i, text in enumerate(SAID)
    ]
    stored = reader.models.encoders.sbert.encode(SAID).astype(np.float16).astype(np.float32)
    debates = [rows[: sizes[0]], rows[sizes[0] :]]
    return [
        (row.id, reader.index.ids[claim], tier)
        for row, claim, tier in reader.matches(debates, dict(enumerate(stored)))
    ]


def test_nothing_likely_is_left_out(reader, monkeypatch):
    """The likely pairs are those of a reader that leaves nothing out.

    Of the others fewer are read.
    """
    read = list[int]()
    ranked = AlertMatcher._ranked
    monkeypatch.setattr(
        AlertMatcher,
        "_ranked",
        lambda self, said, *rest: read.append(len(said)) or ranked(self, said, *rest),
    )
    told = matches(reader)
    few = sum(read)
    monkeypatch.setattr(
        loaded_models.Models, "may_be_likely", lambda _, values, unknown: np.ones(len(values), bool)
    )
    every = matches(reader)

    likely = [row for row in every if row[2] == "likely"]
    assert likely == [row for row in told if row[2] == "likely"]
    assert (0, TUNNEL.id, "likely") in likely
    assert set(told) <= set(every)
    assert 0 < few < sum(read) - few


def test_debates_read_together_are_as_alone(reader):
    """A sentence has the same matches whichever debates are read with it."""
    assert matches(reader) == matches(reader, sizes=(1, 5))


def test_what_was_said_before_is_read(reader, monkeypatch):
    """The re-ranker reads each pair with the sentences before it."""
    read = list[tuple[str, str]]()
    again = type(reader.models.reranker).read

    def noted(self, claims, spoken, **how):
        read.extend(zip(claims, spoken, strict=True))
        return again(self, claims, spoken, **how)

    monkeypatch.setattr(type(reader.models.reranker), "read", noted)
    matches(replace(reader, said_before=lambda said: [("It lies under the sea.",)] * len(said)))
    assert read
    assert all(spoken.startswith("A: It lies under the sea. * ") for _, spoken in read)


def test_what_was_said_before_is_found(unchanged):
    """It is the sentences before, as far as there are any, of the same transcript."""
    s = sentences.c
    rows = unchanged.rows(sa.select(s.id, s.transcript, s.number, s.text).order_by(s.id))
    texts = {(row.transcript, row.number): row.text for row in rows}
    assert {row.number for row in rows} == {1, 2}
    assert alerts._said_before(unchanged, rows) == [
        () if row.number == 1 else (texts[row.transcript, 1],) for row in rows
    ]
