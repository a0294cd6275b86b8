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
    before = load(LECTERN)
    assert isinstance(before, PairsFirst)
    (tmp_path / FILE).write_text((MODELS / FILE).read_text("utf-8"), "utf-8")
    made = [example(f"2016010{i}_X", seed=i) for i in range(1, 5)]
    told = [replace(one.inputs, inputs=one.inputs.inputs.copy()) for one in made]
    for one, inputs in zip(made, told, strict=True):
        inputs.inputs[:, PLACE] = one.right
    lists = order_lists(
        [replace(one, inputs=inputs) for one, inputs in zip(made, told, strict=True)]
    )
    order = with_context(before.order, lists, C=1.0)
    weights = context.write(tmp_path, replace(before, order=order))

    after = load(LECTERN, tmp_path)
    assert isinstance(after, PairsFirst) and after.digest != before.digest
    assert after.thresholds == before.thresholds
    for part in ("claim_ranker", "sureness", "rereading"):
        assert getattr(after, part).to_json() == getattr(before, part).to_json()
    for there, here in zip(after.order.kinds, before.order.kinds, strict=True):
        assert there.coef[PLACE] > 0 and there.coef[PLACE] != here.coef[PLACE]
        for column in ("mean", "scale", "coef"):
            others = (np.delete(getattr(kind, column), PLACE) for kind in (there, here))
            assert np.array_equal(*others)
    card = json.loads((tmp_path / FILE).read_text("utf-8"))["card"]["context"]
    assert card["weights"] == weights == [round(kind.coef[PLACE], 4) for kind in after.order.kinds]
    assert "training.ranker.context" in card["command"]
