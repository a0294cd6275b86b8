"""The pattern memory: which residuals make it, and how it moves by what was predicted right and wrong."""

from __future__ import annotations

import numpy as np
import pytest

from training.mtm import pattern_memory as mtm_memory


def test_valid_residuals_lie_within_the_band():
    """Neither as short as t_low nor as long as t_high."""
    residuals = np.array([[0.1, 0], [0.2, 0], [0, 0.3], [0.4, 0], [0.5, 0]], np.float32)

    assert mtm_memory.valid(residuals, 0.2, 0.4).tolist() == [False, False, True, False, False]


def test_first_patterns_are_the_centres_of_clusters():
    """Three tight clouds far apart: three patterns at their means."""
    rng = np.random.default_rng(2)
    centres = np.array([[5, 0], [-5, 0], [0, 5]], np.float32)
    residuals = np.concatenate(
        [centre + rng.normal(0, 0.01, (20, 2)).astype(np.float32) for centre in centres]
    )

    first_patterns = mtm_memory.initial(residuals, patterns=3, seed=1)

    np.testing.assert_allclose(sorted(centres.tolist()), sorted(first_patterns.round().tolist()))
    assert first_patterns.tolist() == mtm_memory.initial(residuals, patterns=3, seed=1).tolist()


def test_too_few_residuals_are_an_error():
    """Fewer residuals than patterns: the error says so."""
    with pytest.raises(ValueError, match="2 valid residuals for 20 patterns"):
        mtm_memory.initial(np.zeros((2, 3), np.float32), seed=1)


def moved(predicted, labels, residuals=((3.0, 0.0),), patterns=(0,)):
    start = np.array([[1, 0], [0, 1]], np.float32)
    residual_rows = np.array(residuals, np.float32)
    return start, mtm_memory.updated(
        start,
        residual_rows,
        np.array(patterns),
        np.array(predicted, np.float32),
        np.array(labels, np.float32),
    )


def test_a_pattern_goes_to_what_was_right_by_a_share_of_its_length():
    """Equation (7): the step is λ_m times the pattern's own length, towards the right residual."""
    start, moved_patterns = moved([0.9], [1])

    np.testing.assert_allclose([1.3, 0], moved_patterns[0], atol=1e-6)
    assert start[1].tolist() == moved_patterns[1].tolist()  # nothing was nearest to it


def test_a_pattern_flees_what_was_wrong():
    """Equation (6): it moves away from the residual of a wrong prediction, a relevant article or not."""
    for predicted, label in ((0.9, 0), (0.1, 1)):
        np.testing.assert_allclose([0.7, 0], moved([predicted], [label])[1][0], atol=1e-6)


def test_what_is_predicted_firmly_weighs_more():
    """|ŷ − .5| weighs: a sure right one to the right beats an unsure right one to the left."""
    sure = moved([0.95, 0.55], [1, 1], [(2, 0), (0, 0)], [0, 0])[1]
    unsure = moved([0.55, 0.95], [1, 1], [(2, 0), (0, 0)], [0, 0])[1]

    assert sure[0, 0] > 1 > unsure[0, 0]


def test_right_and_wrong_are_weighed_together():
    """Equations (5) and (6) written out for a right and a wrong residual of one pattern."""
    residuals = np.array([[2, 1], [0, 3]])
    pattern = np.array([1, 0])
    right = 0.4
    wrong = 0.2
    move = right / (right + wrong) * (residuals[0] - pattern) + wrong / (right + wrong) * (
        pattern - residuals[1]
    )
    expected = pattern + 0.3 * move / np.linalg.norm(move)

    moved_patterns = moved([0.9, 0.7], [1, 0], residuals, [0, 0])[1]

    np.testing.assert_allclose(expected, moved_patterns[0], atol=1e-6)


def test_a_prediction_of_a_half_moves_nothing():
    """Weight 0 for the one that says nothing: the pattern stays, and no division by zero."""
    start, moved_patterns = moved([0.5], [1])

    assert start.tolist() == moved_patterns.tolist()
