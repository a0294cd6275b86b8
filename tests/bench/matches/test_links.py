"""Labels of sentences with and without a link: what the table counts, and how pairs are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from bench.matches import links
from bench.matches.links import FIRST, FOUND, GOLD_OF_FOUND, GOLD_OF_MISSED, LINKED, MISSED, NEXT, Label, Row
from tests.training.shared.made import IDS, example
from training.shared.debates import Pair
from training.shared.examples import Example, linked
from training.shared.scoring import Scores


def test_what_was_read_is_what_was_to_be_drawn() -> None:
    """As many of each band as the draw gives, each pair once in a band, each label a word that readers were given."""
    read = links.labels()
    assert Counter(label.row.band for label in read) == links.DRAWN
    assert len({label.row for label in read}) == len(read)
    assert {said for label in read for said in (label.one, label.other)} <= {"yes", "no", "unsure"}


def test_a_band_is_settled_by_both_labels_or_by_either() -> None:
    """Unsure is no yes."""
    pairs = [("yes", "yes"), ("yes", "no"), ("unsure", "no"), ("no", "no")]
    first = links.shares([Label(Row(FIRST, "20160101_A", i, "c"), *pair) for i, pair in enumerate(pairs)])[0]
    assert (first["labelled"], first["settled by both"].value, first["by either"].value) == (4, 0.25, 0.5)


def test_the_table_needs_no_data_and_a_draw_does(capsys) -> None:
    """Without options the labels are counted; a sheet is refused by name before anything is opened."""
    assert links.main([]) == 0
    assert "agree on" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        links.main(["--sheet", "sheet.txt"])
    assert "--sheet needs --data" in capsys.readouterr().err


def test_first_sentences_without_a_link_and_linked_ones_with_their_claim_first() -> None:
    """A linked sentence whose first claim is another one is left out; so is what no claim may lift."""
    one = linked_example()
    right = np.flatnonzero(one.right)
    scores = np.where(one.right, 2.0, np.arange(len(one.right)) / 1000)
    scores[right[0]] = -1.0  # its claim comes last
    of_sentences = np.maximum.reduceat(scores, np.arange(0, len(scores), 5))
    rows = list(links.first_fifty(one, Scores(of_sentences, scores), IDS))
    bands = {row.line: row.band for row in rows}
    assert one.inputs.sentence[right[0]] + 1 not in bands
    assert [bands[one.inputs.sentence[pair] + 1] for pair in right[1:]] == [LINKED] * (len(right) - 1)
    assert {band for line, band in bands.items() if band != LINKED} == {FIRST, NEXT}
    assert rows[0].claim == str(IDS[one.inputs.claim[right[1]]])


def linked_example() -> Example:
    """A debate of twenty sentences of which 1, 5, 9... have a linked claim among their candidates."""
    made = example("20160101_A")
    pairs = tuple(Pair(pair.line, pair.claim, linked=True) for pair in made.debate.pairs)
    return linked(replace(made.debate, pairs=pairs), replace(made.inputs, words=np.full(20, 12)), IDS)


def test_a_query_is_read_with_its_first_claim_or_with_a_linked_one() -> None:
    """Both readings know in the same way whether the first claim is a linked one."""
    one = linked_example()
    one = replace(
        one, debate=one.debate.only([bool(i) for i in np.isin(one.debate.lines, [p.line for p in one.debate.pairs])])
    )
    queries = np.unique(one.inputs.sentence[one.right])
    kept = np.isin(one.inputs.sentence, queries)
    columns = {
        n: getattr(one.inputs, n)[kept] for n in ("values", "measures", "claim", "place", "kind", "lifts", "alone")
    }
    inputs = replace(one.inputs, sentence=np.searchsorted(queries, one.inputs.sentence[kept]), **columns)
    one = replace(one, inputs=inputs, right=one.right[kept])
    scores = np.where(one.right & (inputs.sentence > 0), 2.0, inputs.place / 10)
    first, gold = (list(links.of_query_debate(one, scores, IDS, gold=gold)) for gold in (False, True))
    assert [row.band for row in first] == [MISSED] + [FOUND] * (len(queries) - 1)
    assert [row.band for row in gold] == [GOLD_OF_MISSED] + [GOLD_OF_FOUND] * (len(queries) - 1)
    assert [row.claim for row in gold[1:]] == [row.claim for row in first[1:]]
    assert gold[0].claim == one.debate.pairs[0].claim != first[0].claim


def test_a_draw_tells_nothing_by_its_order() -> None:
    """The same rows for the same seed, of each band no more than wanted, mixed."""
    rows = [Row(band, "20160101_A", i, "c") for band in (FIRST, LINKED) for i in range(90)]
    taken = links.mixed(rows, (FIRST, LINKED))
    assert taken == links.mixed(rows, (FIRST, LINKED))
    assert Counter(row.band for row in taken) == {FIRST: 80, LINKED: 40}
    assert {row.band for row in taken[:40]} == {FIRST, LINKED}


def test_readers_see_neither_rank_nor_link() -> None:
    """Only what was said, around it too, and the statement with its speaker and day."""

    class Index:
        ids, statements, claimants, claim_days = ["c"], ["The moon is made of cheese."], ["Ann Lee"], [736000]

    class Bench:
        index = Index()

    debate = replace(example("20160101_A").debate, texts=tuple(f"Sentence {i}." for i in range(20)))
    row = Row(NEXT, debate.name, 6, "c")
    text = "\n".join(links.sheet([row], {debate.name: debate}, Bench()))  # type: ignore[arg-type]
    assert "Sentence 3. | Sentence 4." in text and ">>> Sentence 5." in text and "Sentence 6. | Sentence 7." in text
    assert "Ann Lee, 2016-02-" in text and "moon" in text
    assert NEXT not in text and "link" not in text
