"""The weight of the context is learnt beside the order that ships and written into its file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from assistant.check.rankers import LECTERN, PairsFirst, load
from features.models.weight_files import MODELS
from features.similarity.input_catalogue import CONTEXT, NAMES
from tests.training.shared.made import example
from training.ranker import context
from training.ranker.learners import order_lists, with_context

FILE = f"ranker-{LECTERN}.json"
PLACE = NAMES.index(CONTEXT)


def test_writing_changes_only_the_weight_of_the_context(tmp_path: Path) -> None:
    """Score, sureness, borders and all other weights of the order stay.

    The card says what was learnt and how.
    """
    old_ranker = load(LECTERN)
    assert isinstance(old_ranker, PairsFirst)
    (tmp_path / FILE).write_text((MODELS / FILE).read_text("utf-8"), "utf-8")
    examples = [example(f"2016010{i}_X", seed=i) for i in range(1, 5)]
    changed_inputs = [
        replace(made_example.inputs, inputs=made_example.inputs.inputs.copy())
        for made_example in examples
    ]
    for made_example, inputs in zip(examples, changed_inputs, strict=True):
        inputs.inputs[:, PLACE] = made_example.right
    lists = order_lists(
        [
            replace(made_example, inputs=inputs)
            for made_example, inputs in zip(examples, changed_inputs, strict=True)
        ]
    )
    order = with_context(old_ranker.order, lists, C=1.0)
    weights = context.write(tmp_path, replace(old_ranker, order=order))

    new_ranker = load(LECTERN, tmp_path)
    assert isinstance(new_ranker, PairsFirst)
    assert new_ranker.digest != old_ranker.digest
    assert new_ranker.thresholds == old_ranker.thresholds
    for field_name in ("claim_ranker", "sureness", "rereading"):
        assert (
            getattr(new_ranker, field_name).to_json() == getattr(old_ranker, field_name).to_json()
        )
    for there, here in zip(new_ranker.order.kinds, old_ranker.order.kinds, strict=True):
        assert there.coef[PLACE] > 0
        assert there.coef[PLACE] != here.coef[PLACE]
        for column in ("mean", "scale", "coef"):
            other_weights = (np.delete(getattr(kind, column), PLACE) for kind in (there, here))
            assert np.array_equal(*other_weights)
    card = json.loads((tmp_path / FILE).read_text("utf-8"))["card"]["context"]
    assert (
        card["weights"]
        == weights
        == [round(kind.coef[PLACE], 4) for kind in new_ranker.order.kinds]
    )
    assert "training.ranker.context" in card["command"]
