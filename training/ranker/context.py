"""The weight of the context in the order of claims.

``python -m training.ranker.context --data DIR [--index DIR]``.

Which fact-check of a sentence comes first also goes by how much more of its statement the
sentences around say (``features.similarity.bertscore.recall_gains``). That one weight is learnt
beside those that ship, which stay as they are, from the seven annotated debates and the
sixty-three that only have links, and goes into models/ranker-lectern.json. What it gives on
debates that did not teach it is printed by ``bench.claim_retrieval`` and
``bench.sentence_ranking``, whose rankers learn it in the same way.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.core import files
from features.similarity.input_catalogue import CONTEXT, NAMES
from training.ranker.learners import INVERSE_PENALTY, file_of, order_lists, with_context
from training.shared.command import status
from training.shared.opening import add_models_option, add_options, open_bench
from training.shared.tasks import judged_examples, linked_examples


def write(folder: Path, ranker: PairsFirst) -> list[float]:
    """Put the ranker into a folder with its card.

    Return its weights of the context, one for each kind of pair.
    """
    weights = [round(float(kind.coef[NAMES.index(CONTEXT)]), 4) for kind in ranker.order.kinds]
    path = folder / f"ranker-{LECTERN}.json"
    card = json.loads(path.read_text("utf-8"))["card"]
    card["context"] = {
        "what": "weight of what the sentences around add, in the order of claims, by kind of pair",
        "data": "candidates of the annotated and linked sentences of the ranker's debates",
        "command": "python -m training.ranker.context --data DIR",
        "weights": weights,
    }
    files.write(path, file_of(card, ranker.to_json()))
    return weights


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn the weight and write it."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ranker.context", description=(__doc__ or "").split("\n")[0]
    )
    add_options(parser)
    add_models_option(parser)
    return status(_learnt, parser.parse_args(arguments))


def _learnt(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    shipped = load(LECTERN, options.models)
    assert isinstance(shipped, PairsFirst)
    examples = judged_examples(bench, options.data) + linked_examples(bench, options.data)
    order = with_context(shipped.order, order_lists(examples), INVERSE_PENALTY)
    print("weights of the context:", *write(options.models, replace(shipped, order=order)))


if __name__ == "__main__":
    sys.exit(main())
