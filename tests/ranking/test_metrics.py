"""The measures of an order, against hand arithmetic, the laws they must keep, and ir_measures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import metrics as m

RUN = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}


def test_average_precision_by_hand() -> None:
    """Relevant at ranks 1 and 3: (1/1 + 2/3) / 2."""
    assert m.average_precision(RUN, {"a": 1, "c": 1}) == pytest.approx((1 + 2 / 3) / 2)


def test_a_relevant_item_that_the_run_lacks_counts_in_the_denominator() -> None:
    """One found at rank 1 of two relevant gives a half."""
    assert m.average_precision(RUN, {"a": 1, "z": 1}) == pytest.approx(0.5)


def test_equal_scores_are_ordered_by_line_number() -> None:
    """Line 9 stands before line 10 although "10" sorts before "9" as text."""
    assert m.ordered({"10": 1.0, "9": 1.0, "2": 2.0}) == ["2", "9", "10"]


def test_a_score_that_is_not_a_number_is_refused() -> None:
    """An order of NaN would be arbitrary."""
    with pytest.raises(ValueError, match="score of a"):
        m.ordered({"a": float("nan")})


def test_ap_variants_by_hand() -> None:
    """Relevant a, b, d at ranks 1, 2, 4; only b and d come with a right claim."""
    relevance = {"a": 1, "b": 1, "d": 1}
    found_items = {"b", "d"}

    ap_0 = m.average_precision(RUN, relevance, found=found_items, miss=0.0)
    ap_half = m.average_precision(RUN, relevance, found=found_items, miss=0.5)
    ap_h = m.average_precision_h(RUN, relevance, found_items)

    assert ap_0 == pytest.approx((0 + 1 / 2 + 2 / 4) / 3)
    assert ap_half == pytest.approx((0.5 + 1.5 / 2 + 2.5 / 4) / 3)
    assert ap_h == pytest.approx((1 / 2 + 2 / 4) / 3)


def test_the_literal_form_counts_every_relevant_item_in_the_precision() -> None:
    """Only b and d contribute, but a counts as a hit before them: (2/2 + 3/4) / 3."""
    relevance = {"a": 1, "b": 1, "d": 1}
    assert m.average_precision_h(RUN, relevance, {"b", "d"}, literal=True) == pytest.approx(
        (2 / 2 + 3 / 4) / 3
    )


def test_the_literal_form_may_exceed_map_0() -> None:
    """The inequality that holds by default breaks: one of the published slips of notation."""
    literal = m.sentence_measures({"q": RUN}, {"q": {"a": 1, "b": 1}}, {"q": {"b"}}, literal=True)
    assert literal["MAP_H"] == pytest.approx(0.5)
    assert literal["MAP_0"] == pytest.approx(0.25)


def test_a_depth_below_one_is_refused() -> None:
    """There is no hit at 0."""
    with pytest.raises(ValueError, match="not 0"):
        m.hit_at(RUN, {"a": 1}, 0)


def test_mean_skips_a_qid_without_relevant_items_and_counts_a_missing_one_as_zero() -> None:
    """q1 scores 1, q2 is not in the run, q3 has nothing relevant."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}}
    assert m.mean_average_precision({"q1": RUN, "q3": RUN}, qrels) == pytest.approx(0.5)


def test_micro_recall_goes_over_all_relevant_items_together() -> None:
    """One of three in the first 1 of their qids, though the mean of the two recalls is 1/4."""
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"d": 1}}
    assert m.micro_recall({"q1": RUN, "q2": RUN}, qrels, 1) == pytest.approx(1 / 3)


def test_settled_names_the_sentences_with_a_right_claim_in_the_first_r() -> None:
    """The right claim at rank 2 settles a sentence at r = 3, not at r = 1."""
    claim_run = {"s": RUN, "t": RUN}
    claim_qrels = {"s": {"b": 1}, "t": {"z": 1}}
    assert m.settled(claim_run, claim_qrels, 1) == set()
    assert m.settled(claim_run, claim_qrels, 3) == {"s"}


scores = st.dictionaries(
    st.integers(1, 30).map(str), st.integers(0, 5).map(float), min_size=1, max_size=20
)


@st.composite
def rankings(draw: st.DrawFn) -> tuple[dict, dict, set]:
    """A run of one transcript, its relevant sentences, and those of them that come with a right claim."""
    run = draw(scores)
    relevant = draw(st.sets(st.integers(1, 35).map(str), max_size=10))
    found_items = draw(st.sets(st.sampled_from(sorted(relevant)))) if relevant else set()
    return run, dict.fromkeys(relevant, 1), found_items


@given(rankings())
def test_the_four_means_keep_their_order(ranking: tuple[dict, dict, set]) -> None:
    """MAP_H <= MAP_0 <= MAP_05 <= MAP <= 1, and MAP_05 is half-way between MAP and MAP_0."""
    run, relevance, found_items = ranking
    value = m.sentence_measures({"q": run}, {"q": relevance}, {"q": found_items})
    assert 0 <= value["MAP_H"] <= value["MAP_0"] + 1e-12
    assert value["MAP_0"] <= value["MAP_05"] + 1e-12 <= value["MAP"] + 2e-12 <= 1 + 3e-12
    assert pytest.approx((value["MAP"] + value["MAP_0"]) / 2) == value["MAP_05"]


@given(rankings(), st.integers(1, 10))
def test_deeper_never_finds_less(ranking: tuple[dict, dict, set], k: int) -> None:
    """AP, recall, hit and reciprocal rank grow with the depth."""
    run, relevance, _ = ranking
    assert m.hit_at(run, relevance, k) <= m.hit_at(run, relevance, k + 1)
    assert m.micro_recall({"q": run}, {"q": relevance}, k) <= m.micro_recall(
        {"q": run}, {"q": relevance}, k + 1
    )
    for deep in (m.average_precision, m.reciprocal_rank):
        assert deep(run, relevance, depth=k) <= deep(run, relevance, depth=k + 1)


@given(rankings())
def test_everything_found_is_plain_average_precision(ranking: tuple[dict, dict, set]) -> None:
    """With a right claim under every relevant sentence all variants are AP."""
    run, relevance, _ = ranking
    plain = m.average_precision(run, relevance)
    assert m.average_precision_h(run, relevance, set(relevance)) == pytest.approx(plain)
    assert m.average_precision(run, relevance, found=set(relevance), miss=0.0) == pytest.approx(
        plain
    )


@given(rankings())
def test_places_tell_the_same_as_scores(ranking: tuple[dict, dict, set]) -> None:
    """AP from the places of the relevant items is AP from the run."""
    run, relevance, _ = ranking
    ranks = [rank for rank, item in enumerate(m.ordered(run), 1) if item in relevance]
    assert m.average_precision_at(ranks, len(relevance)) == pytest.approx(
        m.average_precision(run, relevance)
    )


@given(rankings())
def test_more_settled_sentences_never_score_less(ranking: tuple[dict, dict, set]) -> None:
    """MAP_H and MAP_0 grow with the sentences that come with a right claim, so they do with r."""
    run, relevance, found_items = ranking
    fewer_found = m.sentence_measures({"q": run}, {"q": relevance}, {"q": found_items})
    more_found = m.sentence_measures({"q": run}, {"q": relevance}, {"q": set(relevance)})
    assert all(fewer_found[name] <= more_found[name] + 1e-12 for name in fewer_found)


@given(scores)
def test_shifting_and_stretching_scores_changes_nothing(run: dict[str, float]) -> None:
    """Only the order counts."""
    relevance = dict.fromkeys(list(run)[::2], 1)
    moved = {item: 2 * score - 7 for item, score in run.items()}
    assert m.average_precision(moved, relevance) == m.average_precision(run, relevance)


@given(st.permutations(range(25)), st.sets(st.integers(0, 30), min_size=1, max_size=8))
def test_agrees_with_ir_measures(permutation: list[int], relevant: set[int]) -> None:
    """On runs without ties both packages give the same AP, AP@5, RR, Success@5 and R@5."""
    ir = pytest.importorskip("ir_measures")
    run = {"q": {f"d{i}": float(score) for i, score in enumerate(permutation)}}
    qrels = {"q": {f"d{i}": 1 for i in relevant}}
    names = [ir.AP, ir.AP @ 5, ir.RR, ir.Success @ 5, ir.R @ 5]
    expected = ir.calc_aggregate(names, qrels, run)
    measures = [
        m.mean_average_precision(run, qrels),
        m.mean_average_precision(run, qrels, depth=5),
        m.mean(m.reciprocal_rank, run, qrels),
        m.mean(lambda scores, relevance: m.hit_at(scores, relevance, 5), run, qrels),
        m.micro_recall(run, qrels, 5),
    ]
    assert pytest.approx([expected[name] for name in names]) == measures
