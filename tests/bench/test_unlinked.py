"""What readers said of sentences without a link, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from bench import unlinked
from bench.data import Pair
from bench.examples import linked
from bench.scoring import Scores
from bench.unlinked import FIRST, LINKED, NEXT, Label, Row
from tests.bench.made import IDS, example


def test_what_was_read_is_what_was_to_be_drawn() -> None:
    """As many of each band as the draw gives, each sentence once, each label a word that readers were given."""
    read = unlinked.labels()
    assert Counter(label.row.band for label in read) == unlinked.DRAWN
    assert len({(label.row.debate, label.row.line) for label in read}) == len(read)
    assert {said for label in read for said in (label.one, label.other)} <= {"yes", "no", "unsure"}


def test_a_band_is_told_by_both_readers_and_by_either() -> None:
    """Unsure is no yes; the last line says how often they agree."""
    said = [("yes", "yes"), ("yes", "no"), ("unsure", "no"), ("no", "no")]
    table = list(unlinked.told(Label(Row(FIRST, "20160101_A", i, "c"), *pair) for i, pair in enumerate(said)))
    assert "| 4 |  25.0%" in table[1] and "|  50.0%" in table[1]
    assert "agree on  50.0%" in table[-1]


def test_first_sentences_without_a_link_and_linked_ones_with_their_claim_first() -> None:
    """A linked sentence whose first claim is another one is left out; so is what no claim may lift."""
    made = example("20160101_A")
    right = np.flatnonzero(made.right)
    pairs = tuple(Pair(pair.line, pair.claim, linked=True) for pair in made.debate.pairs)
    one = linked(replace(made.debate, pairs=pairs), replace(made.inputs, words=np.full(20, 12)), IDS)
    scores = np.where(one.right, 2.0, np.arange(len(one.right)) / 1000)
    scores[right[0]] = -1.0  # its claim comes last
    of_sentences = np.maximum.reduceat(scores, np.arange(0, len(scores), 5))
    rows = list(unlinked.first_fifty(one, Scores(of_sentences, scores), IDS))
    bands = {row.line: row.band for row in rows}
    assert one.inputs.sentence[right[0]] + 1 not in bands
    assert [bands[one.inputs.sentence[pair] + 1] for pair in right[1:]] == [LINKED] * (len(right) - 1)
    assert {band for line, band in bands.items() if band != LINKED} == {FIRST, NEXT}
    assert rows[0].claim == str(IDS[one.inputs.claim[right[1]]])


def test_readers_see_neither_rank_nor_link() -> None:
    """Only what was said, around it too, and the statement with its speaker and day."""

    class Index:
        ids, statements, claimants, claim_days = ["c"], ["The moon is made of cheese."], ["Ann Lee"], [736000]

    class Bench:
        index = Index()

    debate = replace(example("20160101_A").debate, texts=tuple(f"Sentence {i}." for i in range(20)))
    row = Row(NEXT, debate.name, 6, "c")
    text = "\n".join(unlinked.sheet([(row, replace(example("20160101_A"), debate=debate))], Bench()))  # type: ignore[arg-type]
    assert "Sentence 3. | Sentence 4." in text and ">>> Sentence 5." in text and "Sentence 6. | Sentence 7." in text
    assert "Ann Lee, 2016-02-" in text and "moon" in text
    assert NEXT not in text and "link" not in text
