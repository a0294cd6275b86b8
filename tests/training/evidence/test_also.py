"""Other sets of marked sentences: how their rows become articles, and that they change no fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.training.conftest import write_rows
from tests.training.evidence.test_train import RECIPE, examples, made_lists
from training.evidence.also import LONGEST, also, fm2, wice
from training.evidence.train import Example, held_out, thinned


def test_a_page_of_wice_has_the_union_of_its_alternatives(tmp_path: Path) -> None:
    """Marks stay right when blanks and what is about the page go; pages without evidence or too long are none."""
    page = ["(meta data) TITLE: A page", "One.", " ", "Two.", "Three."]
    row = {"claim": "It is so.", "evidence": page, "supporting_sentences": [[1], [1, 4]]}
    long = row | {"evidence": page + ["More."] * LONGEST}
    write_rows(
        tmp_path / "fever_like" / "wice_claim_nst_train.jsonl.gz", [row, long, row | {"supporting_sentences": []}]
    )

    (found,) = wice(tmp_path)

    assert ("One.", "Two.", "Three.") == found.texts
    assert [1, 0, 1] == found.target.tolist()


def test_sentences_of_fm2_are_shuffled_with_their_marks(tmp_path: Path) -> None:
    """The gold sentence often comes last in the file: its place must not tell. The same seed gives the same order."""
    texts = [f"Sentence {i}." for i in range(8)]
    write_rows(
        tmp_path / "fever_like" / "fm2_dev.jsonl.gz",
        [{"claim": f"Claim {i}.", "retrieved": texts, "gold": texts[-1:]} for i in range(20)],
    )

    found = fm2(tmp_path)

    assert all(article.texts[int(article.target.argmax())] == texts[-1] for article in found)
    assert all(sorted(article.texts) == texts for article in found)
    assert len({int(article.target.argmax()) for article in found}) > 3
    assert [article.texts for article in found] == [article.texts for article in fm2(tmp_path)]
    assert 5 == len(also(tmp_path, ["fm2"], 5))


def test_a_smaller_share_lies_in_a_larger_one() -> None:
    """A statement goes with its summary; what belongs to no tested statement always stays."""
    more = made_lists(2, seed=9)
    given = [*examples(10), Example(more[0], 3, untested=True), Example(more[1], 10, untested=True)]
    shares = [{e.statement for e in thinned(given, share, 7)} for share in (0.2, 0.5, 1.0)]

    assert [3, 6, 11] == [len(found) for found in shares]
    assert shares[0] < shares[1] < shares[2]
    assert 10 in shares[0]
    for share in (0.2, 0.5):
        kept = [e.statement for e in thinned(given, share, 7)]
        assert kept.count(3) in (0, 2)


def test_other_sets_are_learnt_from_in_every_fold_and_change_none() -> None:
    """What is left out of each fold is the same with them; what is learnt is not."""
    given = examples(10)
    more = [Example(one, 10 + i, untested=True) for i, one in enumerate(made_lists(4, seed=9))]

    lists, alone = held_out(given, [RECIPE], [0], 5)
    same, beside = held_out([*given, *more], [RECIPE], [0], 5)

    assert lists == same
    assert not np.allclose(np.concatenate(alone[0][0]), np.concatenate(beside[0][0]))


def test_a_share_is_learnt_from_and_everything_read() -> None:
    """Every list has scores, which are not those of all statements."""
    lists, whole = held_out(examples(10), [RECIPE], [0], 5)
    _, half = held_out(examples(10), [RECIPE], [0], 5, share=0.5, draw=1)

    assert [len(one) for one in lists] == [len(scores) for scores in half[0][0]]
    assert not np.allclose(np.concatenate(whole[0][0]), np.concatenate(half[0][0]))
