"""The speed bench compares equal numbers: what it times must agree with the plain libraries."""

import pytest

from assistant.claims.claim_index import ClaimIndex
from bench.speed import Clock, one_more, ratios
from tests.assistant.claims.indexed import claims
from training.shared.opening import InMemory

TEXTS = [
    "We spend three percent more on crime than last year.",
    "Schools have money, more money for schools.",
]


@pytest.fixture(scope="module")
def compared(encoders):
    whole_claims = [
        claim for claim in claims() if claim.body.count("\n") >= 3
    ]  # four article sentences each
    return ratios(TEXTS, ClaimIndex.in_memory(whole_claims, encoders), encoders, Clock())


@pytest.mark.parametrize(
    ("family", "apart"),
    [
        ("bm25", 1e-6),
        ("bertscore", 1e-4),
        ("body cosines", 1e-3),
        ("article vectors", 5e-3),
        ("nli", 1e-5),
    ],
)
def test_the_families_are_compared_on_equal_numbers(compared, family, apart):
    """Ours and the plain library's numbers differ by less than the product promises."""
    assert compared[family]["largest_difference"] < apart


def test_a_claim_that_is_added_is_found_and_taken_away(encoders, tmp_path):
    """The bench leaves the index as it found it."""
    old_digest = ClaimIndex.build(InMemory(claims()), tmp_path, encoders).digest
    clock = Clock()
    one_more(claims(), tmp_path, encoders, clock)
    assert ClaimIndex.open(tmp_path, encoders).digest == old_digest
    assert clock.rows["index: one more claim searchable"].keys() == {
        "seconds",
        "processor",
        "private_mb",
    }
