"""What a ranker reads about a pair."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import (
    STATEMENT_ONLY,
    WITH_ARTICLE,
    SpokenSentences,
    add_cross_encoding,
    add_input,
    add_inputs,
    add_worthiness,
)
from assistant.core.domain import RatingClass
from assistant.core.person_names import claimant_surnames
from features.similarity.catalogue import COLUMN
from features.similarity.coverage import WordWeights
from features.similarity.input_catalogue import CONTEXT, NAMES

DAY = date(2018, 6, 28).toordinal()
CLAIMS = SimpleNamespace(
    statements=("Unemployment is at 4 percent.", "Crime doubled in 2017.", "On immigration."),
    titles=("Is unemployment at 4 percent?", "", "A flip"),
    claimants=("Donald Trump", "Bernie Sanders", "Jane Doe"),
    claim_days=np.array([DAY - 10, DAY + 1, 0]),
    rating_classes=(RatingClass.FALSE, RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING),
)
WEIGHTS = WordWeights.of(CLAIMS.statements, min_documents=1)


def inputs(
    text: str = "Unemployment is at 4 percent",
    speaker: str = "TRUMP",
    event_day: int = DAY,
    *,
    k: int = 3,
    alone: int = 3,
) -> Pairs:
    """The pairs of one sentence with the first k of three claims.

    The second has no article and no title.
    """
    similarities = np.zeros((3, 19), np.float32)
    similarities[:, COLUMN["sbert_statement"]] = 0.9, 0.3, 0.2
    columns = [COLUMN["sbert_body_1"], COLUMN["bm25_body"], COLUMN["sbert_title"]]
    similarities[0, columns] = 0.8, 12.0, 0.7
    similarities[0, COLUMN["nli_entailment"] : COLUMN["nli_contradiction"] + 1] = 0.7, 0.2, 0.1
    spoken = SpokenSentences([text], [speaker], np.array([0.5]), event_day)
    pairs = replace(
        Pairs.from_claims([np.arange(k)]),
        found_without_context=np.arange(k) < alone,
        similarities=similarities[:k],
        same_claim=np.array([1.5, np.nan, np.nan], np.float32)[:k],
    )
    return add_inputs(pairs, spoken, CLAIMS, WEIGHTS)


def test_what_only_the_window_finds_is_marked_and_changes_nothing_about_the_others() -> None:
    """The first candidates are the sentence's own.

    Their inputs are what they would be without it.
    """
    heard = inputs(k=3, alone=2)
    unheard = inputs(k=2, alone=2)
    assert heard.found_without_context.tolist() == [True, True, False]
    np.testing.assert_array_equal(heard.inputs[:2], unheard.inputs)
    assert value(heard, "sbert_lead", 2) == pytest.approx(0.2 - 0.9)


def test_what_the_context_adds_stands_with_its_pair_and_is_unknown_before() -> None:
    """Each pair has the value of its place among the candidates; nothing else changes."""
    unknown_context = inputs()
    known_context = add_input(unknown_context, CONTEXT, np.array([0.1, np.nan, 0.3], np.float32))
    assert np.isnan(unknown_context.inputs[:, NAMES.index(CONTEXT)]).all()
    assert known_context.inputs[:, NAMES.index(CONTEXT)].tolist() == pytest.approx(
        [0.1, np.nan, 0.3], nan_ok=True
    )
    np.testing.assert_array_equal(
        np.delete(known_context.inputs, NAMES.index(CONTEXT), 1)[:, :5],
        unknown_context.inputs[:, :5],
    )


def value(pairs: Pairs, name: str, claim: int = 0) -> float:
    """One input of the sentence's pair with a claim."""
    return float(pairs.inputs[claim, NAMES.index(name)])


def test_every_candidate_becomes_a_row_and_padding_none() -> None:
    """Three candidates, three rows, with their positions."""
    pairs = inputs()
    assert pairs.sentence_count == 1
    assert len(pairs) == 3
    assert pairs.claim_index.tolist() == [0, 1, 2]
    assert pairs.inputs.shape[1] == len(NAMES)


def test_half_true_and_flips_never_lift() -> None:
    """Only the first claim has a rating that settles anything."""
    assert inputs().may_raise_sentence.tolist() == [True, False, False]


def test_a_claim_without_article_and_title_is_of_the_bare_kind() -> None:
    """What it lacks is unknown, not zero."""
    pairs = inputs()
    assert pairs.claim_kind.tolist() == [WITH_ARTICLE, STATEMENT_ONLY, WITH_ARTICLE]
    assert np.isnan(
        [
            value(pairs, name, 1)
            for name in ("sbert_title", "sbert_body_1", "bm25_body", "title_shared")
        ]
    ).all()


def test_nli_that_was_not_read_is_unknown() -> None:
    """The first pair was read, the others were beyond the budget."""
    assert value(inputs(), "nli_entailment") == pytest.approx(0.7)
    assert np.isnan(value(inputs(), "nli_entailment", 1))


def test_what_says_the_same_claim_is_an_input_where_it_was_read() -> None:
    """As it is, and unknown elsewhere."""
    assert value(inputs(), "same_claim") == 1.5
    assert np.isnan(value(inputs(), "same_claim", 1))


def test_what_models_say_can_be_told_anew() -> None:
    """The same pairs with other check-worthiness and readings are what they would have been from the start."""
    unread_pairs = inputs()
    unread = add_worthiness(unread_pairs, np.array([0.9]))
    unread = add_cross_encoding(unread, np.zeros((3, 3)), np.full(3, np.nan))
    assert np.isnan(value(unread, "nli_entailment"))
    assert np.isnan(value(unread, "same_claim"))
    assert value(unread, "check_worthiness") == pytest.approx(np.log(9))
    again = add_cross_encoding(
        add_worthiness(unread, np.array([0.5])),
        np.array([[0.7, 0.2, 0.1], [0, 0, 0], [0, 0, 0]]),
        np.array([1.5, 0, 0]),
    )
    assert np.array_equal(again.inputs, unread_pairs.inputs, equal_nan=True)
    assert np.array_equal(again.similarities, unread_pairs.similarities)


def test_the_same_words_cover_each_other() -> None:
    """Sentence and statement hold the same words in the same order."""
    pairs = inputs()
    assert [
        value(pairs, name) for name in ("sentence_covered", "statement_covered", "words_in_row")
    ] == [1, 1, 1]
    assert value(pairs, "sentence_covered", 1) < 0.2


def test_numbers_and_dates_that_stand_against_each_other() -> None:
    """Another percentage clashes; the same one is shared."""
    assert value(inputs(), "numbers_shared") == 1
    assert value(inputs(), "numbers_clash") == 0
    assert value(inputs("Unemployment is at 9 percent"), "numbers_clash") == 1
    assert value(inputs("Crime doubled in 2012"), "dates_clash", 1) == 1


def test_speaker_and_time() -> None:
    """The same surname, the distance in days, and a claim that came after the event."""
    pairs = inputs()
    assert [value(pairs, "same_speaker", i) for i in range(3)] == [1, 0, 0]
    assert value(pairs, "days_apart") == pytest.approx(np.log1p(10))
    assert [value(pairs, "claim_after_event", i) for i in (0, 1)] == [0, 1]


def test_what_is_not_known_is_not_guessed() -> None:
    """No event date, no date of the claim, or a speaker without a name: NaN."""
    assert np.isnan(value(inputs(event_day=0), "days_apart"))
    assert np.isnan(value(inputs(), "days_apart", 2))
    assert np.isnan(value(inputs(speaker=""), "same_speaker"))
    assert np.isnan(value(inputs(speaker="Speaker 2"), "same_speaker"))


def test_a_person_without_a_checked_claim_did_not_make_this_one() -> None:
    assert value(inputs(speaker="Elizabeth Warren"), "same_speaker") == 0


@given(
    st.lists(
        st.sampled_from(("Trump", "Bernie Sanders", "", "Jane Doe", "Doe")), min_size=3, max_size=9
    ),
    st.data(),
)
def test_what_is_about_a_claim_does_not_depend_on_how_it_is_gathered(
    claimants: list[str], data: st.DataObject
) -> None:
    """Against every claim of the database read one by one.

    Who is known, who is the same, what was rated true.
    """
    classes = tuple(
        data.draw(
            st.lists(st.sampled_from(RatingClass), min_size=len(claimants), max_size=len(claimants))
        )
    )
    columns = SimpleNamespace(
        statements=("It rains.",) * len(claimants), titles=("", "A title") * len(claimants), claimants=tuple(claimants),
        claim_days=np.zeros(len(claimants), int), rating_classes=classes,
    )  # fmt: skip
    candidates = data.draw(st.lists(st.integers(0, len(claimants) - 1), min_size=2, max_size=2))
    spoken = SpokenSentences(["It rains."], ["Mr. Trump"], np.array([0.5]))
    pairs = add_inputs(Pairs.from_claims([np.array(candidates)]), spoken, columns, WEIGHTS)
    is_known = any(claimant_surnames(name) for name in claimants)
    for pair, claim in enumerate(candidates):
        same = value(pairs, "same_speaker", pair)
        assert (
            same == float("trump" in claimant_surnames(claimants[claim]))
            if is_known
            else np.isnan(same)
        )
        assert value(pairs, "rated_true", pair) == (classes[claim] is RatingClass.TRUE)
        assert pairs.may_raise_sentence[pair] == (
            classes[claim] not in (RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING)
        )
        assert np.isnan(value(pairs, "title_shared", pair)) == (columns.titles[claim] == "")


def test_only_the_claims_of_candidates_are_read() -> None:
    """A live sentence costs what its candidates cost, not what the database holds."""

    class Read(tuple):
        """A column that remembers which of its claims were read, and lets nobody walk over it."""

        def __getitem__(self, i):
            read_claims.add(i)
            return tuple.__getitem__(self, i)

        def __iter__(self):
            raise AssertionError("all claims were read")

    read_claims: set[int] = set()
    titles = Read(["", "A title", "Another", "A third"])
    classes = Read([RatingClass.TRUE] * 4)
    columns = SimpleNamespace(statements=("a", "b", "c", "d"), titles=titles, claimants=("Doe",) * 4,
                              claim_days=np.zeros(4, int), rating_classes=classes)  # fmt: skip
    spoken = SpokenSentences(["It rains."], [None], np.array([0.5]))
    add_inputs(Pairs.from_claims([np.array([3, 1])]), spoken, columns, WEIGHTS)
    assert read_claims == {1, 3}


def test_a_lead_is_over_the_best_other_candidate() -> None:
    """.9 leads .3 by .6; .3 is .6 behind."""
    assert [value(inputs(), "sbert_lead", i) for i in (0, 1)] == pytest.approx([0.6, -0.6])
