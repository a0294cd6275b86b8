"""Learn the head of "same claim" anew from pairs of debates as they were read; the network below it stays as it is.

    python -m training.entailment.same_head --data DIR [--start models/nli.safetensors] [--out models] [--work DIR]

A fact-check settles a sentence, settles it in part, or does not, as a language model read that follows docs/guide.md
(``training/ranker/readings.tsv``). The head is a logistic regression on the mean of the last states, with the log-odds
of the head before it as one more number, from these pairs and from edits of statements (``training.edits.same_claim``).
The pairs are of the half of the debates that teaches, without the seven annotated ones and without those that
CheckThat! 2B's development queries come from, so that nothing that is measured there has been read; the pairs of these,
in the half that teaches, are what ``C`` was chosen on. Entailment is not touched.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import load_file

from training.edits import same_claim
from training.entailment.blend import SAME
from training.entailment.scores import fit_scale, same_scores
from training.entailment.two_heads import make_two_heads
from training.shared import cards
from training.shared import debates as data
from training.shared.claims import politifact
from training.shared.command import parser
from training.shared.loaders import Pair, debate_of
from training.shared.readings import PART, SETTLED, TEACH, halves, read

MAX_LENGTH = 128
SHARES = {SETTLED: 1.0, PART: 0.5}  # by which a pair counts as the same claim
EDITS, OF_EDIT = 3000, 0.3  # edits, and the weight of one beside a pair that was read
C = 0.003  # inverse of the penalty
BEFORE = 10.0  # times which the log-odds of the head before are read, so that the penalty hardly touches them
FEW = 500
Floats = NDArray[np.floating[Any]]


class Read(NamedTuple):
    """A statement and a sentence, and how the pair was read."""

    statement: str
    sentence: str
    label: str


class Head(NamedTuple):
    """A linear head: weights (d,) and bias."""

    weight: Floats
    bias: float

    def __call__(self, states: Floats) -> Floats:
        """Return the log-odds of states (n, d)."""
        return states @ self.weight + self.bias


def readings(folder: Path) -> tuple[list[Read], list[Read]]:
    """Return the pairs to learn from and those to choose by."""
    debates = {debate.name: debate for debate in [*data.seven(folder), *data.others(folder)]}
    queries, _ = data.queries(folder / "checkthat2b", "dev", seven_too=True)
    measured = {*data.SEVEN, *map(debate_of, queries)}
    statements = {claim.id: claim.statement for claim in politifact(folder)}
    sentences = {name: dict(zip(debate.lines, debate.texts, strict=True)) for name, debate in debates.items()}
    half = halves(debates)
    parts: tuple[list[Read], list[Read]] = ([], [])
    for (name, line, claim), reading in read().items():
        if half[name] == TEACH:
            parts[name in measured].append(Read(statements[claim], sentences[name][line], reading.label))
    return parts


def fit(states: Floats, shares: Floats, weights: Floats, before: Head) -> Head:
    """Return the head learnt from states (n, d), each the same claim by a share (n,), with weights (n,)."""
    from sklearn.linear_model import LogisticRegression

    middle, spread = states.mean(axis=0), states.std(axis=0) + 1e-6
    inputs = np.column_stack(((states - middle) / spread, before(states) * BEFORE))
    both = np.concatenate((shares * weights, (1 - shares) * weights))
    kept, labels = both > 0, np.repeat((1, 0), len(inputs))
    learnt = LogisticRegression(C=C, max_iter=FEW)
    learnt.fit(np.tile(inputs, (2, 1))[kept], labels[kept], sample_weight=both[kept])
    of_states, of_before = learnt.coef_[0, :-1] / spread, learnt.coef_[0, -1] * BEFORE
    bias = float(learnt.intercept_[0]) - float(of_states @ middle) + of_before * before.bias
    return Head(of_states + of_before * before.weight, bias)


def scores(head: Head, states: Floats, labels: Sequence[str]) -> dict[str, float]:
    """Return how well the head ranks pairs that were read: average precision and area under the curve."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    odds, found = head(states), {}
    for name, wanted in {"settled": (SETTLED,), "in part": (SETTLED, PART)}.items():
        right = [label in wanted for label in labels]
        found[f"{name}, AP"] = round(float(average_precision_score(right, odds)), 4)
        found[f"{name}, AUC"] = round(float(roc_auc_score(right, odds)), 4)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn the head, print its scores beside those of the head before it, and write weights and card."""
    made = parser("entailment.same_head", __doc__, work="build/nli")
    made.add_argument("--start", type=Path, default=Path("models/nli.safetensors"), help="weights, with their card")
    options = made.parse_args(arguments)
    tensors, card = load_file(options.start), json.loads(options.start.with_suffix(".json").read_text("utf-8"))
    trainer = make_two_heads(options.start, max_length=MAX_LENGTH, seed=options.seed, precision="fp32")
    before = Head(tensors[SAME[0]].float().numpy().ravel(), float(tensors[SAME[1]]))
    taught, apart = readings(options.data)
    source = same_claim.sources(options.data, options.work, seed=options.seed)
    edits = same_claim.training_pairs(options.data, source["train"], seed=options.seed, rounds=1)
    edits = random.Random(options.seed).sample(edits, EDITS)
    held_out = same_claim.development_pairs(source["dev"], seed=options.seed)
    states, of_edits, of_held_out = (trainer.states(pairs) for pairs in (_pairs(taught), edits, held_out))
    shares = np.array([SHARES.get(one.label, 0.0) for one in taught] + [float(pair.label) for pair in edits])
    weights = np.repeat((1.0, OF_EDIT), (len(taught), len(edits)))
    head = fit(np.concatenate((states, of_edits)), shares, weights, before)
    scale = fit_scale(head(of_held_out).astype(np.float32), held_out)
    head = Head(head.weight / scale, head.bias / scale)
    read_apart, labels = trainer.states(_pairs(apart)), [one.label for one in apart]
    found = {name: scores(one, read_apart, labels) for name, one in {"before": before, "learnt": head}.items()}
    print(json.dumps(found, indent=1))
    edited = same_scores(head(of_held_out), held_out)
    about = {"pairs": len(taught), "edits": EDITS, "C": C, "chosen on": len(apart), "scores": found["learnt"]}
    write(options.out / "nli.safetensors", tensors, head, card, about, edited)


def write(
    path: Path,
    tensors: Mapping[str, Any],
    head: Head,
    card: dict[str, Any],
    about: dict[str, Any],
    edited: dict[str, float],
) -> None:
    """Write the weights with another head, and their card with what it was learnt from."""
    import torch

    new = {SAME[0]: torch.from_numpy(head.weight)[None], SAME[1]: torch.tensor([head.bias])}
    halved = {name: tensor.half().contiguous() for name, tensor in new.items()}
    about = {"data": "pairs of debates as read by a language model, and edits of statements", **about}
    about["command"] = "python -m training.entailment.same_head --data DIR"
    cards.write_model(path, {**tensors, **halved}, card | {"same_head": about, "scores": card["scores"] | edited})


def _pairs(rows: Sequence[Read]) -> list[Pair]:
    return [Pair(row.statement, row.sentence, 0, "read") for row in rows]


if __name__ == "__main__":
    main()
