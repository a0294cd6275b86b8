"""Who trains for whom, and what is chosen inside the training transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assistant.check.rankers import Pooling
from features.similarity.input_catalogue import CONTEXT, NAMES, READ
from ranking.tier_thresholds import Thresholds
from tests.training.shared.made import IDS, example
from training.ranker import systems, tier_borders
from training.ranker.learners import fit_lectern, fit_max_skip, order_lists
from training.ranker.systems import learnt
from training.shared.examples import Example, without
from training.shared.scoring import Scores, mean_ap

EXAMPLES = [example(f"2016010{i}_X", seed=i) for i in range(1, 5)]


def test_no_ranker_scores_a_debate_that_it_learnt_from() -> None:
    """Each debate is scored by a ranker that was fitted on the others only."""
    debates_seen: list[set[str]] = []

    def fit(allowed: Sequence[Example]):
        debates_seen.append({e.debate.name for e in allowed})
        return fit_lectern(allowed)

    learnt(EXAMPLES, lambda e: without(EXAMPLES, e.debate.name), fit)
    names = {e.debate.name for e in EXAMPLES}
    assert debates_seen == [names - {e.debate.name} for e in EXAMPLES]


LEARNERS = {
    "lectern": lambda e: fit_lectern(e),
    "text": lambda e: fit_max_skip(e, Pooling("text", 5)),
    "code": lambda e: fit_max_skip(e, Pooling("code", 3)),
}


@pytest.mark.parametrize("fit", LEARNERS.values(), ids=LEARNERS)
def test_learners_find_what_tells_right_from_wrong(fit) -> None:
    """On held-out debates of the same making the relevant sentences come first."""
    scored = learnt(EXAMPLES, lambda e: without(EXAMPLES, e.debate.name), fit)
    assert mean_ap(EXAMPLES, scored) > 0.9


def test_a_choice_is_made_by_held_out_transcripts_alone() -> None:
    """A learner that is good only on what it has seen is not chosen."""
    good = lambda allowed: fit_lectern(allowed)  # noqa: E731
    bad = lambda allowed: fit_lectern(allowed, inputs=("dates_clash",))  # noqa: E731
    assert systems.best_of({"bad": bad, "good": good}, EXAMPLES) == "good"


def test_a_single_measure_scores_a_sentence_by_its_best_candidate() -> None:
    """With and without half-true claims."""
    first_example = EXAMPLES[0]
    scores = systems.single([first_example], "sbert_statement")[first_example.debate.name]
    assert (
        pytest.approx(scores.pairs[first_example.inputs.sentence_index == 0].max())
        == scores.sentences[0]
    )
    first_example.inputs.may_raise_sentence[first_example.inputs.sentence_index == 0] = False
    try:
        assert (
            systems.single([first_example], "sbert_statement", skip=True)[
                first_example.debate.name
            ].sentences[0]
            == -1.0
        )
    finally:
        first_example.inputs.may_raise_sentence[:] = True


def test_every_variant_that_may_be_chosen_skips_half_true_claims() -> None:
    """Two readings, the kernels asked for, four N, three C, each once."""
    variant_list = systems.variants(["linear", "rbf"])
    assert len(set(variant_list)) == len(variant_list) == 48
    assert all(pooling.skip for pooling, _, _ in variant_list)


def test_a_variant_is_chosen_in_both_settings() -> None:
    """What is as good with all claims but better as of the event is chosen.

    The tested debate is never looked at.
    """
    late = [example(f"2016010{i}_X", seed=i + 50) for i in range(1, 5)]
    chosen_variant = systems.choose_variant(EXAMPLES, late, systems.max_skip_learners(["linear"]))
    assert chosen_variant in systems.variants(["linear"])

    def held_out(variant: tuple) -> float:
        values = []
        for tested in (*EXAMPLES, *late):
            allowed = without(EXAMPLES, tested.debate.name)
            ranker = fit_max_skip(allowed, variant[0], kernel=variant[1], C=variant[2])
            scores = {
                tested.debate.name: Scores(ranker.rank(tested.inputs).sentence_scores, np.zeros(0))
            }
            values.append(mean_ap([tested], scores))
        return float(np.mean(values))

    assert held_out(chosen_variant) == pytest.approx(
        max(map(held_out, systems.variants(["linear"])))
    )


def test_pairs_that_may_not_lift_or_are_not_sure_are_not_learnt_from() -> None:
    """Turning their values upside down changes no weight."""
    old_coefficients = fit_lectern(EXAMPLES).claim_ranker.kinds[0].coef
    first_example = EXAMPLES[0]
    kept_inputs = first_example.inputs.inputs.copy()
    unsure = np.arange(len(first_example.inputs)) % 7 == 0
    doubtful = Example(
        first_example.debate,
        first_example.inputs,
        first_example.right,
        first_example.sure & ~unsure,
        first_example.relevant,
    )
    reference = fit_lectern([doubtful, *EXAMPLES[1:]]).claim_ranker.kinds[0].coef
    first_example.inputs.inputs[unsure] = 50.0
    try:
        new_coefficients = fit_lectern([doubtful, *EXAMPLES[1:]]).claim_ranker.kinds[0].coef
    finally:
        first_example.inputs.inputs[:] = kept_inputs
    assert np.array_equal(new_coefficients, reference)
    assert not np.array_equal(old_coefficients, reference)


def test_how_sure_a_match_is_owes_nothing_to_what_was_read_of_links() -> None:
    """Unlinked pairs may match: what the cross-encoder says of them moves the order alone."""
    links = replace(EXAMPLES[1], debate=replace(EXAMPLES[1].debate, pairs=()))
    values = links.inputs.inputs.copy()
    values[:, np.isin(NAMES, READ)] += 2 * links.right[:, None]
    changed_links = replace(links, inputs=replace(links.inputs, inputs=values))
    plain_fit, changed_fit = (fit_lectern([EXAMPLES[0], e]) for e in (links, changed_links))
    assert plain_fit.claim_ranker.to_json() == changed_fit.claim_ranker.to_json()
    assert plain_fit.order.to_json() != changed_fit.order.to_json()


def test_the_context_is_learnt_beside_the_order_and_never_how_sure_a_match_is() -> None:
    """With or without it the other weights are the same.

    Where it tells right from wrong, it gets one of its own.
    """
    column = NAMES.index(CONTEXT)
    changed_examples = []
    for made_example in EXAMPLES:
        values = made_example.inputs.inputs.copy()
        values[:, column] = 3 * made_example.right + np.random.default_rng(1).normal(
            size=len(values)
        )
        changed_examples.append(
            replace(made_example, inputs=replace(made_example.inputs, inputs=values))
        )
    without_context = tuple(name for name in NAMES if name != CONTEXT)
    with_context_fit = fit_lectern(changed_examples)
    without_context_fit = fit_lectern(changed_examples, inputs=without_context)
    for of_both, of_others in zip(
        with_context_fit.order.kinds, without_context_fit.order.kinds, strict=True
    ):
        assert of_both.coef[column] > 0.1
        assert of_others.coef[column] == 0
        assert np.array_equal(np.delete(of_both.coef, column), np.delete(of_others.coef, column))
    assert with_context_fit.claim_ranker.to_json() == without_context_fit.claim_ranker.to_json()
    assert all(weights.coef[column] == 0 for weights in with_context_fit.claim_ranker.kinds)


def test_thresholds_come_from_held_out_rankings() -> None:
    """With well-parted scores, likely holds its precision and possible its recall."""
    rankings = [
        (
            e,
            fit_lectern(without(EXAMPLES, e.debate.name)).rank(
                e.inputs, thresholds=Thresholds(0, 0)
            ),
        )
        for e in EXAMPLES
    ]
    statements = [""] * len(IDS)
    scored = [(e, ranking.pair_scores) for e, ranking in rankings]
    borders = tier_borders.borders(
        tier_borders.held_out(scored, IDS, statements, {}), precision=0.9, recall=0.9
    )
    best = np.concatenate([r.pair_scores[r.best_pair] for _, r in rankings])
    right = np.concatenate([e.right[r.best_pair] for e, r in rankings])
    assert right[best >= borders.likely].mean() >= 0.9
    assert (best[right] >= borders.possible).mean() >= 0.9


@pytest.mark.parametrize("group", ["time", "sbert"])
def test_what_is_left_out_has_no_weight(group: str) -> None:
    """Neither in the score nor in the order, and every other input may have one."""
    ranker = systems.lectern_without(group)(EXAMPLES)
    left_out = np.isin(ranker.order.names, systems.GROUPS[group])
    assert left_out.sum() == len(systems.GROUPS[group])
    for model in (ranker.claim_ranker, ranker.order):
        assert not any(weights.coef[left_out].any() for weights in model.kinds)
        assert any(weights.coef[~left_out].any() for weights in model.kinds)


def test_an_order_is_learnt_from_what_sentences_find_alone() -> None:
    """A candidate of the window is no line of a list, and a sentence whose right claim is one teaches nothing."""
    made_example = EXAMPLES[0]
    first_pair = np.flatnonzero(made_example.right)[0]
    inputs = replace(
        made_example.inputs,
        found_without_context=(made_example.inputs.position_in_sentence != 4)
        & (np.arange(len(made_example.inputs)) != first_pair),
    )
    old_lists = order_lists([made_example])
    new_lists = order_lists([replace(made_example, inputs=inputs)])
    of_first = int(
        (made_example.inputs.sentence_index == made_example.inputs.sentence_index[first_pair]).sum()
    )
    lists = int(old_lists[1].sum())
    assert len(new_lists[0]) == len(old_lists[0]) - of_first - (lists - 1)
    assert new_lists[1].sum() == lists - 1
