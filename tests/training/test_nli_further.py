"""What the second training reads: no text of a test, and no premise that is chosen by."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from training.data import Pair
from training.nli_further import apart, even, to_choose_by

TEXTS = st.sampled_from(["The dam is safe and dry today", "Rents rose in every town last year", "It rained"])


def test_a_tests_text_on_either_side_keeps_a_pair_out() -> None:
    """Signs and capitals make no difference."""
    shared = frozenset({"the dam is safe and dry today"})
    assert not apart(Pair("The dam is safe, and dry, today!", "It rained", 0, "a"), shared)
    assert not apart(Pair("It rained", "the dam IS safe and dry today", 0, "a"), shared)
    assert apart(Pair("It rained", "The dam is safe", 0, "a"), shared)


@given(st.text(st.characters(max_codepoint=127)), TEXTS, TEXTS)
def test_pairs_of_one_premise_are_all_learnt_from_or_none(premise: str, one: str, other: str) -> None:
    """The fifth to choose by is of premises, so that it has none of those that were learnt."""
    assert to_choose_by(Pair(premise, one, 0, "a")) == to_choose_by(Pair(premise.upper(), other, 2, "a"))


@given(st.lists(st.integers(0, 2), max_size=60))
def test_no_label_is_more_frequent_than_the_others_together(labels: list[int]) -> None:
    """The first of each label are kept, in their order."""
    pairs = [Pair(str(i), "", label, "a") for i, label in enumerate(labels)]
    kept = even(pairs)
    for label in range(3):
        mine, all_mine = ([p for p in found if p.label == label] for found in (kept, pairs))
        assert len(mine) == min(len(all_mine), len(pairs) - len(all_mine)) and mine == all_mine[: len(mine)]
