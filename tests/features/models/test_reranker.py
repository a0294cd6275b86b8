"""The re-ranker: what it reads of a pair, and its log-odds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from features.models import reranker
from features.models.reranker import (
    LABELS,
    LARGE_READING,
    LOG_ODDS_RANGE,
    MAX_CONTEXT_WORDS,
    MAX_WORDS_READ,
    JointReranker,
    claim_text,
    log_odds,
    spoken_text,
)

WORDS = st.lists(
    st.sampled_from(["exports", "doubled", "in", "four", "years"]), min_size=1, max_size=120
)


def test_a_claim_is_read_with_who_made_it() -> None:
    """Where nobody is known to have made it, the statement alone."""
    assert claim_text("Exports doubled.", "A. Mayor") == "A. Mayor: Exports doubled."
    assert (
        claim_text("Exports doubled.", "")
        == claim_text("Exports doubled.", None)
        == "Exports doubled."
    )


def test_a_sentence_is_marked_behind_what_was_said_before() -> None:
    """The speaker comes first; both are left out where they are not known."""
    assert (
        spoken_text("They doubled.", ("Exports?", "Yes."), "MAYOR")
        == "MAYOR: Exports? Yes. * They doubled. *"
    )
    assert spoken_text("They doubled.", (), None) == "* They doubled. *"


@given(WORDS, WORDS)
def test_the_sentence_always_has_room(sentence: list[str], before: list[str]) -> None:
    """Only what was said long before is cut off, and of that as much as a long sentence needs."""
    spoken_words = spoken_text(" ".join(sentence), (" ".join(before),), None).split()
    kept_words = spoken_words[: spoken_words.index("*")]
    assert spoken_words[len(kept_words) + 1 : -1] == sentence
    assert before[len(before) - len(kept_words) :] == kept_words
    assert len(kept_words) == min(
        len(before), MAX_CONTEXT_WORDS, max(0, MAX_WORDS_READ - len(sentence))
    )


@given(st.lists(st.floats(-8, 8), min_size=3, max_size=3))
def test_log_odds_are_those_of_the_labels_probabilities(logits: list[float]) -> None:
    """Of settled against the two others, and of settled or in part against no.

    Never beyond the range.
    """
    no, partly_settled, settled = softmax(logits)
    expected = np.log([settled / (no + partly_settled), (settled + partly_settled) / no])
    assert log_odds(np.array([logits]))[0] == pytest.approx(
        np.clip(expected, *LOG_ODDS_RANGE), abs=1e-6
    )


def test_the_shipped_one_tells_a_claim_from_its_subject() -> None:
    """Context completes a sentence that says little alone.

    The order of the pairs changes nothing.
    """
    claim = claim_text("Says Harbor City's exports doubled in four years.", "A. Mayor")
    spoken = [
        spoken_text(
            "Our exports doubled in four years.", ("Let me talk about Harbor City.",), "A. Mayor"
        ),
        spoken_text(
            "We should talk about exports.", ("Let me talk about Harbor City.",), "A. Mayor"
        ),
        spoken_text("Thank you all for coming.", (), "A. Mayor"),
    ]
    model = reranker.load()
    assert isinstance(model, reranker.SingleReranker)
    odds = model.read([claim] * 3, spoken)
    assert odds.shape == (3, 2)
    assert (odds[0] > odds[1]).all()
    assert (odds[1] > odds[2]).all()
    assert (odds[:, 1] >= odds[:, 0]).all()
    assert model.columns == list(range(len(LABELS)))
    assert model.read([claim] * 3, spoken[::-1]) == pytest.approx(odds[::-1], abs=1e-4)
    assert model.read([], []).shape == (0, 2)


class FixedReranker:
    """A re-ranker with the log-odds of a table, which remembers what it has read."""

    def __init__(self, digest: str, odds_by_claim: dict[str, tuple[float, float]]) -> None:
        self.digest = digest
        self.odds_by_claim = odds_by_claim
        self.texts_read: list[tuple[str, str]] = []

    def read(self, claims: Sequence[str], spoken_texts: Sequence[str]) -> np.ndarray:
        self.texts_read += zip(claims, spoken_texts, strict=True)
        rows = [self.odds_by_claim[claim] for claim in claims]
        return np.array(rows, np.float32).reshape(-1, 2)


def test_the_larger_one_reads_the_best_pairs_and_the_mean_counts() -> None:
    """A pair below the threshold keeps the log-odds of the first, and costs no second reading."""
    smaller = FixedReranker(
        "a", {"good": (0.5, 1.0), "border": (-3.0, LARGE_READING), "bad": (-4.0, -2.5)}
    )
    larger = FixedReranker("b", {"good": (1.5, 1.5), "border": (-1.0, 0.0)})
    joint = JointReranker(smaller, larger)

    odds = joint.read(["bad", "good", "border"], ["x", "y", "z"])

    assert odds.tolist() == [[-4.0, -2.5], [1.0, 1.25], [-2.0, LARGE_READING / 2]]
    assert larger.texts_read == [("good", "y"), ("border", "z")]
    assert joint.read([], []).shape == (0, 2)


def test_a_joint_re_ranker_has_a_digest_of_both() -> None:
    """So that a report, and a cache, can tell them apart."""
    digests = {
        JointReranker(FixedReranker(digest, {}), FixedReranker(larger_digest, {})).digest
        for digest, larger_digest in (("a", "b"), ("a", "c"), ("b", "b"))
    }
    assert len(digests) == 3
    assert reranker.load().digest not in digests
