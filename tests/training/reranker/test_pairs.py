"""What the re-ranker learns from: the texts of a pair, the rounds and the folds."""

from __future__ import annotations

from collections import Counter

from features.models.reranker import LABELS
from training.reranker.pairs import AsRead, fold, rounds, without_fold

PAIRS = [
    AsRead(
        "a",
        f"Exports rose {n} percent.",
        "A. Mayor",
        f"They rose {n} percent.",
        ("Exports?",),
        "MAYOR",
        n % 3,
    )
    for n in range(40)
]


def test_a_pair_is_read_with_what_stands_around_it() -> None:
    """Or bare, as texts of which nothing else is known; the label stays."""
    reranker_pair = PAIRS[2].pair()
    bare = PAIRS[2].pair(bare=True)
    assert reranker_pair[:3] == (
        "A. Mayor: Exports rose 2 percent.",
        "MAYOR: Exports? * They rose 2 percent. *",
        2,
    )
    assert bare[:3] == ("Exports rose 2 percent.", "* They rose 2 percent. *", 2)
    assert LABELS[reranker_pair.label] == "settled"


def test_every_round_has_every_pair_once() -> None:
    """In another order, another quarter of them bare; the same again from the same seed."""
    all_rounds = rounds(PAIRS, 3, seed=5)
    assert all_rounds == rounds(PAIRS, 3, seed=5) != rounds(PAIRS, 3, seed=6)
    round_parts = [all_rounds[i : i + 40] for i in (0, 40, 80)]
    premise_lists = [
        sorted(pair.premise.rpartition(": ")[2] for pair in round_part)
        for round_part in round_parts
    ]
    assert (
        premise_lists[0]
        == premise_lists[1]
        == premise_lists[2]
        == sorted(pair.statement for pair in PAIRS)
    )
    bare = [
        [pair.premise.startswith("Exports") for pair in round_part] for round_part in round_parts
    ]
    assert all(0 < sum(each) < 25 for each in bare)
    assert bare[0] != bare[1]


def test_a_debate_is_in_one_fold() -> None:
    """Whatever other debates there are; the folds are of like size."""
    counts = Counter(fold(f"2016{n:04d}_debate", 4) for n in range(400))
    assert set(counts) == {0, 1, 2, 3}
    assert min(counts.values()) > 70
    assert fold("20160926_1pres", 4) == fold("20160926_1pres", 4)


def test_a_fold_and_the_other_pairs_have_every_pair_once() -> None:
    """No debate of the fold is among the other pairs."""
    debates = [f"debate {number}" for number in range(12)] * 2
    pairs = [AsRead(debate, "s", "", "t", (), "", 0) for debate in debates]

    for number in range(3):
        other_pairs, fold_pairs = without_fold(pairs, number, 3)
        assert Counter(other_pairs + fold_pairs) == Counter(pairs)
        assert {fold(pair.debate, 3) for pair in fold_pairs} <= {number}
        assert number not in {fold(pair.debate, 3) for pair in other_pairs}
