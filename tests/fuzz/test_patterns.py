"""No regular expression of the product takes more than linear time, whatever text it is given."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.fuzz import patterns

pytestmark = pytest.mark.long


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("one", patterns.used(), ids=lambda one: one.name)
def test_a_pattern_grows_with_its_text(one):
    """Fourfold text takes no more than about four times as long.

    Of many texts, made from the pattern itself.
    """
    growth, text = patterns.worst(one, Random(one.name))

    assert growth <= patterns.GROWTH, text


def test_growth_is_noticed():
    """A pattern that is known to be quadratic fails the test above."""
    growth, _ = patterns.worst(patterns.Used("known", re.compile(r"\s+$"), False), Random(1))

    assert growth > patterns.GROWTH
