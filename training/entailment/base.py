"""What the base gives before this training: a logistic regression on the packaged MiniLM's frozen sentence vectors.

It reads [u, v, |u - v|, u * v] of premise u and hypothesis v (Conneau et al. 2017, InferSent) and learns from the same
MultiNLI pairs as the cross-encoder; the strength of its penalty is chosen on MultiNLI's matched development pairs.

    python -m training.entailment.base --data DIR [--out docs/curves] [--work DIR]

writes its learning curve over the parts of ``nli_pairs``, read on the same development pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.entailment.pairs import development, nested
from training.entailment.train import MAX_LENGTH
from training.shared import cards
from training.shared.kept_vectors import kept, sbert
from training.shared.loaders import Pair, nli_pairs

STRENGTHS = (1.0, 10.0, 100.0)
Vectors = Callable[[Sequence[str]], np.ndarray]  # texts to unit rows (n, d)


def joined(premises: np.ndarray, hypotheses: np.ndarray) -> NDArray[np.float32]:
    """Return what the regression reads of two vectors: (n, d) twice → (n, 4d)."""
    u, v = np.asarray(premises, np.float32), np.asarray(hypotheses, np.float32)
    return np.hstack([u, v, np.abs(u - v), u * v])


class Base:
    """The regression; ``vectors`` are those of the frozen encoder."""

    def __init__(self, vectors: Vectors, learnt: Sequence[Pair], held_out: Sequence[Pair]) -> None:
        from sklearn.linear_model import LogisticRegression

        self.vectors = vectors
        X, wanted = self._inputs(learnt), [pair.label for pair in learnt]
        Z, held = self._inputs(held_out), np.array([pair.label for pair in held_out])
        models = {c: LogisticRegression(C=c, max_iter=400).fit(X, wanted) for c in STRENGTHS}
        self.accuracies = {c: float((model.predict(Z) == held).mean()) for c, model in models.items()}
        self.strength = max(STRENGTHS, key=lambda c: self.accuracies[c])
        self._model = models[self.strength]

    def labels(self, pairs: Sequence[Pair]) -> NDArray[np.intp]:
        """Return the label of each pair, (n,)."""
        return self._model.predict(self._inputs(pairs)).astype(np.intp)

    def _inputs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        texts = texts_of(pairs)
        row, made = {text: i for i, text in enumerate(texts)}, self.vectors(texts)
        return joined(made[[row[pair.premise] for pair in pairs]], made[[row[pair.hypothesis] for pair in pairs]])


def texts_of(pairs: Sequence[Pair]) -> list[str]:
    """Return the different texts of pairs, sorted."""
    return sorted({text for pair in pairs for text in (pair.premise, pair.hypothesis)})


def frozen(work: Path) -> Vectors:
    """Return the frozen encoder; its vectors are kept in ``work``."""
    return lambda texts: kept(texts, work, f"sbert-{MAX_LENGTH}", sbert(MAX_LENGTH))


def base(data: Path, work: Path, *, seed: int) -> Base:
    """Return the regression learnt from the MultiNLI pairs at hand; its vectors are kept in ``work``."""
    learnt = nli_pairs(data / "nli" / "mnli_train_merged.jsonl.gz", "mnli")
    return Base(frozen(work), learnt, development(data, seed=seed)["matched"])


def main() -> None:
    """Parse the command line, learn from each part, write the rows and their picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("docs/curves"))
    parser.add_argument("--work", type=Path, default=Path("build/nli"), help="where SBERT vectors are kept")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    learnt = nli_pairs(args.data / "nli" / "mnli_train_merged.jsonl.gz", "mnli")
    held_out = development(args.data, seed=args.seed)
    known: dict[str, np.ndarray] = {}
    for pairs in (learnt, *held_out.values()):
        texts = texts_of(pairs)
        known |= dict(zip(texts, frozen(args.work)(texts), strict=True))
    path = args.out / "nli-pairs-frozen.csv"
    path.unlink(missing_ok=True)
    for part in nested(learnt, seed=args.seed):
        model = Base(lambda texts: np.stack([known[text] for text in texts]), part, held_out["matched"])
        shares = [np.mean(model.labels(pairs) == [p.label for p in pairs]) for pairs in held_out.values()]
        cards.append_row(path, ("pairs", "strength", *held_out), (len(part), model.strength, *np.round(shares, 4)))
    cards.draw_curve(path, over="pairs")


if __name__ == "__main__":
    main()
