"""Writes the rankers that ship.

``python -m training.ranker.train --data DIR [--cache DIR] [--index DIR]``.

Learns from the seven annotated debates and the sixty-three that only have links (the published
method from the seven alone), chooses inside, calibrates the tiers by leaving out one of the seven
after the other, and writes models/ranker-lectern.json and models/ranker-ranksvm-max-skip.json with
its .npz, each with its card. What *likely* goes by is learnt apart, by
``training.ranker.sureness``, and stays. The weights of words, models/word-weights.json, are
counted first if they are not there: the inputs rest on them.

``python -m training.ranker.train --with-decisions FILE`` moves the ranker that ships toward what people decided
instead: ``training.ranker.decisions``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import conflicting
from assistant.check.rankers import LECTERN, RANKSVM, MaxSkip, PairsFirst, Ranker, load
from assistant.core import files
from assistant.core.errors import ModelUnavailable
from features.models.weight_files import MODELS
from features.similarity.coverage import WORD_WEIGHTS_FILE, WordWeights
from ranking import tier_thresholds
from training.ranker import decisions, systems, tier_borders
from training.ranker.learners import file_of
from training.ranker.systems import judged_only
from training.shared.cards import restricted_data
from training.shared.claims import politifact
from training.shared.command import status
from training.shared.examples import Example, without
from training.shared.measures import Bench
from training.shared.opening import add_models_option, add_options, open_bench
from training.shared.scoring import mean_ap
from training.shared.tasks import judged_examples, linked_examples

READING = (
    -5.0
)  # score from which the cross-encoder reads a sentence; one in five sentences of debates has it
# of likely, by gold and labels, and of possible, by the gold, on held-out transcripts
PRECISION = 0.9
RECALL = 0.95
DATA = (
    "Shaar et al., Assisting the Human Fact-Checkers: seven debates with judged pairs (CC BY-NC-SA 4.0); the links of "
    "sixty-three other debates (That is a Known Lie; not used by the published method); "
    "19,250 PolitiFact fact-checks as released with CheckThat! 2021 task 2B"
)
Learner = Callable[[Sequence[Example]], Ranker]


def write_word_weights(data: Path, folder: Path) -> None:
    """Count the statements that contain each word, and write the weights."""
    weights = WordWeights.of(claim.statement for claim in politifact(data))
    card = {
        "what": "log-scaled rarity of words in the statements of fact-checks, 0 (everywhere) to 1 (rare)",
        "data": "statements of 19,250 PolitiFact fact-checks; words in fewer than 3 are left out",
        "command": "python -m training.ranker.train --data DIR",
        "licence": "Apache-2.0 (word counts only)",
        "restricted_data": restricted_data("word-weights"),
    }
    files.write(
        folder / WORD_WEIGHTS_FILE,
        json.dumps({"card": card, **weights.to_json()}, ensure_ascii=False) + "\n",
    )


def write_ranker(
    folder: Path, name: str, learn: Learner, examples: Sequence[Example], bench: Bench
) -> dict[str, Any]:
    """Learn from all examples, calibrate on held-out ones, write the files; return the card."""
    judged = judged_only(examples)
    held_out = [(e, learn(without(examples, e.debate.name)).rank(e.inputs)) for e in judged]
    scored = [(e, ranking.pair_scores) for e, ranking in held_out]
    best = tier_borders.held_out(
        scored, bench.ids, bench.index.statements, tier_borders.read_labels()
    )
    thresholds = tier_borders.borders(best, precision=PRECISION, recall=RECALL)
    ranker = learn(examples)
    if isinstance(ranker, PairsFirst):
        ranker, thresholds = as_sure(ranker, thresholds._replace(reading=READING))
    card = {
        "what": _WHAT[name],
        "data": DATA,
        "command": f"python -m training.ranker.train --data DIR --nli-of-linked {bench.nli_of_linked}",
        "measures": {**bench.models, "nli": bench.encoders.nli.digest[:16]},
        "score": _score(held_out, thresholds, bench.index.statements),
        "licence": "weights Apache-2.0; the training annotations are for non-commercial research",
        "restricted_data": restricted_data(f"ranker-{name}"),
    }
    value = _weights(ranker, folder / f"ranker-{name}.npz") | {"thresholds": thresholds.to_json()}
    files.write(folder / f"ranker-{name}.json", file_of(card, value))
    return card


def as_sure(
    ranker: PairsFirst, thresholds: tier_thresholds.Thresholds
) -> tuple[PairsFirst, tier_thresholds.Thresholds]:
    """Return the ranker with the sureness, the part of the re-ranker and the borders that ship.

    They are learnt apart (``training.ranker.sureness``, ``training.reranker.borders``). Where that
    was from other inputs than today's, the score decides what is *likely* until they are learnt
    anew.
    """
    try:
        there = load(LECTERN)
    except ModelUnavailable as error:
        print(
            f"{error}\nRun training.ranker.sureness and training.reranker.borders next.",
            file=sys.stderr,
        )
        return ranker, thresholds
    if not isinstance(there, PairsFirst) or there.sureness is None:
        return ranker, thresholds
    likely, possible, *_, rereading = there.thresholds
    again = thresholds._replace(likely=likely, possible=possible, rereading=rereading)
    return replace(ranker, sureness=there.sureness, rereading=there.rereading), again


_WHAT = {
    LECTERN: "which claim comes first (softmax) and how sure it is (logistic regression), linear in the pair inputs",
    RANKSVM: "RankSVM over pooled measures with half-true skipping, as published, on Lectern's measures",
}


def _score(
    held_out: Sequence[tuple[Example, Any]],
    thresholds: tier_thresholds.Thresholds,
    statements: Sequence[str],
) -> dict[str, float]:
    """Return MAP and the shares of the tiers of sentences, on held-out transcripts."""
    scores = {}
    tiers = []
    for example, ranking in held_out:
        debate_scores = systems.Scores(ranking.sentence_scores, ranking.pair_scores)
        scores[example.debate.name] = debate_scores
        tiers.append(_tiers(example, ranking, thresholds, statements))
    examples = [example for example, _ in held_out]
    tier = np.concatenate(tiers)
    relevant = np.concatenate([example.relevant for example in examples])
    likely = tier == tier_thresholds.LIKELY
    shown = tier >= tier_thresholds.POSSIBLE
    shares = {
        "MAP, one transcript left out": mean_ap(examples, scores),
        "verifiable sentences that are likely": float(likely[relevant].mean()),
        "likely sentences that are verifiable": float(relevant[likely].mean())
        if likely.any()
        else 0.0,
        "verifiable sentences that are possible or likely": float(shown[relevant].mean()),
        "all sentences that are possible or likely": float(shown.mean()),
    }
    return {name: round(share, 4) for name, share in shares.items()}


def _tiers(
    example: Example,
    ranking: Any,
    thresholds: tier_thresholds.Thresholds,
    statements: Sequence[str],
) -> NDArray:
    """Return the tier of each sentence's best pair, lowered if its words conflict, (n,)."""
    pair_tiers = tier_thresholds.assign(ranking.pair_scores, thresholds)
    likely = np.flatnonzero(pair_tiers == tier_thresholds.LIKELY)
    in_conflict = conflicting(example.inputs, likely, example.debate.texts, statements)
    pair_tiers[likely[in_conflict]] = tier_thresholds.POSSIBLE
    best = ranking.best_pair
    return np.where(best >= 0, pair_tiers[best], tier_thresholds.NONE)


def _weights(ranker: Ranker, arrays: Path) -> dict[str, Any]:
    if isinstance(ranker, PairsFirst):
        return ranker.to_json()
    if not isinstance(ranker, MaxSkip):
        raise TypeError(f"{type(ranker).__name__} cannot be written")
    np.savez(arrays, low=ranker.low, high=ranker.high, **ranker.svm.to_arrays())
    pooling = asdict(ranker.pooling)
    return {**pooling, "used": list(ranker.pooling.used), "inputs": list(ranker.pooling.names())}


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write both rankers."""
    arguments_given = sys.argv[1:] if arguments is None else arguments
    if any(argument.startswith(decisions.FLAG) for argument in arguments_given):
        return decisions.main(arguments_given)
    parser = argparse.ArgumentParser(
        prog="python -m training.ranker.train", description=__doc__.split("\n")[0]
    )
    add_options(parser)
    add_models_option(parser)
    parser.add_argument("--kernels", nargs="+", choices=("linear", "rbf"), default=["linear"])
    options = parser.parse_args(arguments_given)
    return status(_trained, options)


def _trained(options: argparse.Namespace) -> None:
    if not (MODELS / WORD_WEIGHTS_FILE).is_file():
        write_word_weights(options.data, MODELS)
    bench = open_bench(options)
    judged = judged_examples(bench, options.data)
    late = judged_examples(bench, options.data, as_of_event=True)
    training = judged + linked_examples(bench, options.data)
    learners = {
        LECTERN: systems.chosen_lectern(),
        RANKSVM: systems.chosen_max_skip(options.kernels, late),
    }
    for name, learn in learners.items():
        print(
            name,
            json.dumps(
                write_ranker(options.models, name, learn, training, bench)["score"], indent=1
            ),
        )


if __name__ == "__main__":
    sys.exit(main())
