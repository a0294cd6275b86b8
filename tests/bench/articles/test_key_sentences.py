"""The sheet of key sentences to be labelled: what it hides, what comes back, and the table of labels."""

from __future__ import annotations

import numpy as np
import pytest

from bench.articles import key_sentences as bench
from training.mtm.queries import Query

SENTENCES = ["Taxes rose.", "The senator\nspoke.", "We rate this false.", "Jobs fell.", "End."]


def pair(number: int) -> bench.Pair:
    query = Query(f"q{number}", f"Claim {number}", (0,), "statement", "test")
    return bench.Pair(query, f"a{number}", "A title", SENTENCES, [(i * 20, i * 20 + 10) for i in range(5)])


FOUND = [pair(1), pair(2)]
CHOSEN = {"MTM": [[0, 1, 2], [2, 0, 1]], "SBERT-nearest": [[1, 3, 0], [0, 2, 3]]}


def test_first_three_are_the_best_by_score():
    """Best first, equal ones by place, fewer if there are no more."""
    assert [3, 0, 1] == bench.first_three(np.array([0.5, 0.5, 0.1, 0.9]))
    assert [1, 0] == bench.first_three(np.array([0, 1]))


def test_the_pool_holds_every_choice_once():
    """What several systems chose is read once, and nobody's order shows."""
    assert [{0, 1, 2, 3}, {0, 1, 2, 3}] == [set(places) for places in bench.pooled(FOUND, CHOSEN)]
    assert [4, 4] == [len(places) for places in bench.pooled(FOUND, CHOSEN)]


def test_the_sheet_names_no_system(tmp_path):
    """Claims, titles and sentences, one line each; no scores, no names."""
    bench.write_sheet(tmp_path / "sheet.tsv", FOUND, bench.pooled(FOUND, CHOSEN))

    text = (tmp_path / "sheet.tsv").read_text()
    items = [line.split("\t") for line in text.splitlines() if "\t" in line and not line.startswith("#")]

    assert 8 == len(items) == len({name for name, _ in items})
    assert "The senator spoke." in {sentence for _, sentence in items}
    assert not any(name in text for name in ("MTM", "SBERT", "BM25"))
    assert "# CLAIM: Claim 1" in text


def test_labels_come_back_to_their_sentences(tmp_path):
    """What was said of an item is kept under query, article and offsets; the file has no text."""
    pools = bench.pooled(FOUND, CHOSEN)
    places = [(bench.item(row, n), place) for row, pool in enumerate(pools) for n, place in enumerate(pool)]
    said = {name: "y" if place == 0 else "n" for name, place in places}

    bench.keep_labels(tmp_path / "labels.tsv", FOUND, pools, said)
    labels = bench.read_labels(tmp_path / "labels.tsv")
    right, unread = bench.right(FOUND, CHOSEN["MTM"], labels)

    assert [[True, False, False], [False, True, False]] == right.tolist()
    assert 0 == unread
    assert "Taxes" not in (tmp_path / "labels.tsv").read_text()


def test_a_missing_label_is_an_error(tmp_path):
    """An item nobody labelled: named in the error."""
    with pytest.raises(ValueError, match="000-00 has the label ''"):
        bench.keep_labels(tmp_path / "labels.tsv", FOUND, bench.pooled(FOUND, CHOSEN), {})


def test_a_sentence_that_nobody_read_counts_as_wrong():
    """Other weights choose other sentences: those are counted apart and not taken for right."""
    right, unread = bench.right(FOUND, [[4, 0, 1], [0, 1, 2]], {pair(1).key(0): True})

    assert [[False, True, False], [False, False, False]] == right.tolist()
    assert 5 == unread


def test_the_row_of_a_system():
    """Shares by rank, one of three, and the paired interval around the difference."""
    mine = np.array([[True, False, False]] * 6 + [[False, True, True]] * 2 + [[False] * 3] * 2)
    rival = np.array([[False, True, False]] * 6 + [[False] * 3] * 4)

    row = bench.row_of("MTM", mine, rival)

    assert (0.8, 0.6) == (row["one of 3"], row["P@1"])
    assert 0.4 == row["P@2"]
    low, high = bench.interval(mine[:, 0].astype(float) - rival[:, 0])
    assert 0 < low <= 0.6 <= high <= 1
