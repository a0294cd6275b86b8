"""What *likely* goes by: learnt from near pairs, what a reader said, and edits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.core.errors import ModelUnavailable
from features.models.weight_files import MODELS
from features.similarity.input_catalogue import NAMES, SIGNS
from tests.training.shared.made import IDS, example
from training.ranker import sureness
from training.ranker import train as ranker_training
from training.shared.examples import Example

EXAMPLES = [example(f"2016010{i}_X", seed=i) for i in range(1, 5)]
MADE = replace(EXAMPLES[0], debate=replace(EXAMPLES[0].debate, name="edits"))


def learnt(examples: list[Example] | None = None, labels: dict | None = None) -> np.ndarray:
    """The weights learnt from examples and, as edits, from the first of them again."""
    return sureness.fit(examples or EXAMPLES[1:], MADE, IDS, labels or {}).kinds[0].coef


def test_only_sentence_and_statement_are_read() -> None:
    """No input of an article, a title or the rank among the candidates has a weight, and signs are kept."""
    coef = learnt()
    used = [name for name, weight in zip(NAMES, coef, strict=True) if weight]
    assert used
    assert set(used) <= set(sureness.INPUTS)
    assert not [
        n
        for n in sureness.INPUTS
        if "title" in n or "body" in n or n.endswith(("lead", "standing"))
    ]
    assert (coef * np.array(SIGNS) >= 0).all()


def test_what_a_reader_said_counts_and_what_was_unsure_does_not() -> None:
    """A label changes the weights, and so does leaving a pair out."""
    seen_example = EXAMPLES[1]
    pair = int(
        np.flatnonzero(
            ~seen_example.right & seen_example.sure & seen_example.inputs.may_raise_sentence
        )[0]
    )
    line = seen_example.debate.lines[seen_example.inputs.sentence_index[pair]]
    key = (seen_example.debate.name, line, str(IDS[seen_example.inputs.claim_index[pair]]))
    plain, yes, unsure, no = (
        learnt(labels={key: label} if label else {}) for label in ("", "yes", "unsure", "no")
    )
    assert not np.array_equal(plain, yes)
    assert not np.array_equal(plain, unsure)
    assert np.array_equal(plain, no)


def test_both_kinds_of_pair_are_read_alike() -> None:
    """A claim with an article has the weights of one without."""
    fitted = sureness.fit(EXAMPLES[1:], MADE, IDS, {})
    assert fitted.kinds[0] is fitted.kinds[1]


def test_writing_changes_only_what_likely_goes_by(tmp_path) -> None:
    """Order, scores and *possible* stay as they are; the card says what was learnt.

    The digest is another.
    """
    shipped = load(LECTERN)
    assert isinstance(shipped, PairsFirst)
    path = tmp_path / f"ranker-{LECTERN}.json"
    path.write_text((MODELS / path.name).read_text("utf-8"), "utf-8")
    ranker = sureness.fit(EXAMPLES[1:], MADE, IDS, {})
    sureness.write(tmp_path, ranker, 0.25, {"likely sentences that are right, as read": 0.9})
    written = load(LECTERN, tmp_path)
    assert isinstance(written, PairsFirst)
    assert written.sureness is not None
    assert written.thresholds == shipped.thresholds._replace(likely=0.25)
    assert written.digest != shipped.digest
    assert written.order.to_json() == shipped.order.to_json()
    assert pytest.approx(ranker.kinds[0].coef) == written.sureness.kinds[0].coef
    assert not list(tmp_path.glob("*.new"))


def test_what_likely_goes_by_is_kept_where_it_can_be(monkeypatch, capsys) -> None:
    """A ranker learnt anew keeps it.

    Where what ships is for other inputs, the score decides until it is, too.
    """
    shipped = load(LECTERN)
    assert isinstance(shipped, PairsFirst)
    fresh = replace(shipped, sureness=None, rereading=None)
    thresholds = shipped.thresholds._replace(likely=9.0)
    kept_ranker, border = ranker_training.as_sure(fresh, thresholds)
    assert kept_ranker.sureness
    assert kept_ranker.rereading
    assert border == shipped.thresholds

    def refuse(name: str) -> None:
        raise ModelUnavailable(
            f"the ranker {name} cannot be loaded (the weights were trained on other features)."
        )

    monkeypatch.setattr(ranker_training, "load", refuse)
    assert ranker_training.as_sure(fresh, thresholds) == (fresh, thresholds)
    assert (
        "Run training.ranker.sureness and training.reranker.borders next."
        in capsys.readouterr().err
    )
