"""New fact-checks read with what is near them: what is left out could not have been likely."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import sqlalchemy as sa

from assistant import pipeline
from assistant.archive import alerts
from assistant.archive.alert_matching import AlertMatcher
from assistant.archive.tables import sentences
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Sentence, Source, Transcript
from assistant.core.settings import EMBEDDED
from assistant.report.measured_strength import StrengthThresholds
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


def nothing_before(texts):
    return [()] * len(texts)


def found_matches(reader, sizes):
    sentences = [
        SimpleNamespace(id=i, transcript=0, text=text, speaker="A", event_date=None)
        for i, text in enumerate(SAID)
    ]
    stored = reader.models.encoders.sbert.encode(SAID).astype(np.float16).astype(np.float32)
    debates = [sentences[: sizes[0]], sentences[sizes[0] :]]
    return list(reader.matches(debates, dict(enumerate(stored))))


def matches(reader, sizes=(4, 2)):
    return [
        (match.sentence.id, reader.index.ids[match.claim_position], match.tier)
        for match in found_matches(reader, sizes)
    ]


def test_nothing_likely_is_left_out(reader, monkeypatch):
    """The likely pairs are those of a reader that leaves nothing out.

    Of the others fewer are read.
    """
    batch_sizes = list[int]()
    ranked_matches = AlertMatcher._ranked_matches

    def counted_matches(self, selection):
        batch_sizes.append(len(selection.sentences))
        return ranked_matches(self, selection)

    monkeypatch.setattr(AlertMatcher, "_ranked_matches", counted_matches)
    quick_matches = matches(reader)
    few = sum(batch_sizes)
    monkeypatch.setattr(
        loaded_models.Models, "may_be_likely", lambda _, values, unknown: np.ones(len(values), bool)
    )
    every = matches(reader)

    likely = [alert_match for alert_match in every if alert_match[2] == "likely"]
    assert likely == [alert_match for alert_match in quick_matches if alert_match[2] == "likely"]
    assert (0, TUNNEL.id, "likely") in likely
    assert set(quick_matches) <= set(every)
    assert 0 < few < sum(batch_sizes) - few


def test_a_match_has_the_strength_that_a_check_gives_it(reader, monkeypatch):
    """Alerts have no cards, so their strengths are computed without building the matches."""
    thresholds = StrengthThresholds(strong=-2.0, good=-4.0)
    monkeypatch.setattr(loaded_models.Models, "strength_thresholds", thresholds)
    sentences = tuple(Sentence(i, i, text, "A") for i, text in enumerate(SAID[:4], 1))
    transcript = Transcript("Debate", None, Source("a.txt", "txt", "a" * 64), sentences)
    report = pipeline.check(transcript, reader.index, EMBEDDED)
    expected = {
        (checked.sentence.text, match.claim.id): str(match.strength)
        for checked in report.sentences
        for match in checked.matches
    }

    strengths = {
        (match.sentence.text, reader.index.ids[match.claim_position]): match.strength
        for match in found_matches(reader, sizes=(4, 2))
    }

    pairs = expected.keys() & strengths.keys()
    assert (SAID[0], TUNNEL.id) in pairs
    assert {pair: strengths[pair] for pair in pairs} == {pair: expected[pair] for pair in pairs}
    assert "strong" in strengths.values()


def test_debates_read_together_are_as_alone(reader):
    """A sentence has the same matches whichever debates are read with it."""
    assert matches(reader) == matches(reader, sizes=(1, 5))


def test_what_was_said_before_is_read(reader, monkeypatch):
    """The re-ranker reads each pair with the sentences before it."""
    read_pairs = list[tuple[str, str]]()
    again = type(reader.models.reranker).read

    def noted(self, claims, spoken, **how):
        read_pairs.extend(zip(claims, spoken, strict=True))
        return again(self, claims, spoken, **how)

    monkeypatch.setattr(type(reader.models.reranker), "read", noted)
    matches(replace(reader, said_before=lambda texts: [("It lies under the sea.",)] * len(texts)))
    assert read_pairs
    assert all(spoken.startswith("A: It lies under the sea. * ") for _, spoken in read_pairs)


def test_what_was_said_before_is_found(unchanged):
    """It is the sentences before, as far as there are any, of the same transcript."""
    s = sentences.c
    sentence_list = unchanged.rows(sa.select(s.id, s.transcript, s.number, s.text).order_by(s.id))
    texts = {(sentence.transcript, sentence.number): sentence.text for sentence in sentence_list}
    assert {sentence.number for sentence in sentence_list} == {1, 2}
    assert alerts._texts_before(unchanged, sentence_list) == [
        () if sentence.number == 1 else (texts[sentence.transcript, 1],)
        for sentence in sentence_list
    ]
