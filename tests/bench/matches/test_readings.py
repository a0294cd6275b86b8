"""What people said of pairs that were read."""

from bench.matches.readings import ANNOTATED, LINKED, NONE, NOT_DECIDED, kinds, rows
from training.shared.debates import Debate, Pair
from training.shared.readings import NO, PART, SETTLED, Reading

PAIRS = (
    Pair(1, "a", verdict="false", judged=True),
    Pair(2, "b", verdict="unknown", judged=True, linked=True),
    Pair(3, "c", linked=True),
)
DEBATE = Debate("20170803_Place", 736544, (1, 2, 3, 4), ("x",) * 4, ("y",) * 4, PAIRS)


def test_a_pair_is_of_the_kind_that_people_gave_it() -> None:
    """An annotation goes before a link."""
    pair_kinds = kinds([DEBATE])
    assert {key[2]: kind for key, kind in pair_kinds.items()} == {
        "a": ANNOTATED,
        "b": NOT_DECIDED,
        "c": LINKED,
    }


def test_each_kind_has_its_labels_and_its_agreement() -> None:
    """Pairs that were read once count as read, not as agreed on.

    A kind with one label only has no kappa.
    """
    name = DEBATE.name
    readings = {
        (name, 1, "a"): Reading(SETTLED, SETTLED),
        (name, 3, "c"): Reading(PART),
        (name, 4, "a"): Reading(NO, NO),
        (name, 4, "b"): Reading(SETTLED, PART, PART),
        (name, 4, "c"): Reading(PART, PART),
    }
    rows_by_label = {
        label_row["what people said"]: label_row for label_row in rows(readings, kinds([DEBATE]))
    }
    assert [rows_by_label[kind]["pairs"] for kind in (ANNOTATED, NOT_DECIDED, LINKED, NONE)] == [
        1,
        0,
        1,
        3,
    ]
    assert rows_by_label[ANNOTATED]["agree"] == "1.000"
    assert rows_by_label[ANNOTATED]["kappa"] == "nan"
    assert rows_by_label[LINKED]["read twice"] == 0
    assert rows_by_label[LINKED][PART] == "1.000"
    assert rows_by_label[LINKED]["agree"] == "nan"
    assert rows_by_label[NONE][PART] == "0.667"
    assert rows_by_label[NONE]["agree"] == "0.667"
    assert rows_by_label[NONE]["kappa"] == "0.50"
