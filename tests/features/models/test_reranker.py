"""The re-ranker: what it reads of a pair, and its log-odds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from features.models import reranker
from features.models.reranker import (
    LABELS,
    LOG_ODDS_RANGE,
    MAX_CONTEXT_WORDS,
    MAX_WORDS_READ,
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
    odds = model.read([claim] * 3, spoken)
    assert odds.shape == (3, 2)
    assert (odds[0] > odds[1]).all()
    assert (odds[1] > odds[2]).all()
    assert (odds[:, 1] >= odds[:, 0]).all()
    assert model.columns == list(range(len(LABELS)))
    assert model.read([claim] * 3, spoken[::-1]) == pytest.approx(odds[::-1], abs=1e-4)
    assert model.read([], []).shape == (0, 2)
