"""BERTScore: greedy matching of token states.

Equals the F1 of the bert-score package on the same model and layer.

Rows are unit token states with the special tokens at both ends. Those two may be matched but do
not count themselves, as in the package. A pair has one score, the package's for that pair alone:
in a batch, the package lets a word whose best cosine is negative match the padding. Source: Zhang
et al., BERTScore: Evaluating Text Generation with BERT, ICLR 2020, equations for P, R and F; no
idf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.models.batching import side_by_side
from features.models.model_spec import Floats, ModelUnavailable
from features.similarity.pair_runs import runs

ROWS = 8  # sentences that a thread compares before it takes the next


def pair_scores(
    sentences: Sequence[Floats],
    statement: Callable[[int], Floats],
    sentence_index: NDArray[np.integer],
    claim_index: NDArray[np.integer],
    *,
    baseline: float = 0.0,
) -> Floats:
    """Return the F1 of each pair of a sentence and a claim's statement, (p,).

    The pairs are given by position, (p,) each, those of a sentence together. ``statement(i)`` gives
    the token states (t, d) of claim i's statement. ``baseline``: see the function ``baseline``.
    """
    scores = np.zeros(len(claim_index), np.float32)

    def compare(part: Sequence[tuple[int, slice]]) -> None:
        for sentence, run in part:
            statements = [statement(claim) for claim in claim_index[run].tolist()]
            scores[run] = f1(sentences[sentence], statements)

    side_by_side(compare, runs(sentence_index), ROWS)
    return (scores - baseline) / (1 - baseline) if baseline else scores


def f1(sentence: Floats, statements: Sequence[Floats]) -> Floats:
    """Return the F1 of one sentence (t, d) with several statements (u_i, d), (k,).

    0 where either has no word.
    """
    scores = np.zeros(len(statements), np.float32)
    filled = [i for i, states in enumerate(statements) if len(states) > 2]
    if len(sentence) <= 2 or not filled:
        return scores
    joined = np.concatenate([statements[i] for i in filled]).astype(np.float32, copy=False)
    starts = np.cumsum([0, *(len(statements[i]) for i in filled)])
    cosines = joined @ sentence.T  # (sum u, t): the longer side first keeps the product fast
    precision = np.maximum.reduceat(cosines[:, 1:-1], starts[:-1], axis=0).mean(axis=1)
    best = cosines.max(axis=1)
    lengths = np.diff(starts)
    inner = np.add.reduceat(best, starts[:-1]) - best[starts[:-1]] - best[starts[1:] - 1]
    recall = inner / (lengths - 2)
    scores[filled] = 2 * precision * recall / (precision + recall)
    return scores


def recall_gains(
    sentence: Floats, around: Sequence[Floats], statements: Sequence[Floats]
) -> Floats:
    """Return how much more of each statement (u_i, d) a sentence (t, d) covers together with those around it, (k,).

    That is BERTScore's recall of the statement by all of them, its special tokens left out, less
    the recall by the sentence alone: 0 where the others add nothing. NaN where the sentence, all
    others or the statement has no word.
    """
    gains = np.full(len(statements), np.nan, np.float32)
    filled = [i for i, states in enumerate(statements) if len(states) > 2]
    others = [states[1:-1] for states in around if len(states) > 2]
    if len(sentence) <= 2 or not others or not filled:
        return gains
    joined = np.concatenate([statements[i][1:-1] for i in filled]).astype(np.float32, copy=False)
    lengths = np.array([len(statements[i]) - 2 for i in filled])
    alone = (joined @ sentence[1:-1].T).max(axis=1)
    more = np.maximum((joined @ np.concatenate(others).T).max(axis=1) - alone, 0)
    gains[filled] = np.add.reduceat(more, np.cumsum(lengths) - lengths) / lengths
    return gains


def baseline(name: str, layer: int) -> float:
    """Return the F1 that the bert-score package lists for random pairs of English sentences.

    Raises: ModelUnavailable if it lists none for this model and layer.
    """
    import bert_score

    path = Path(bert_score.__file__).parent / "rescale_baseline" / "en" / f"{name}.tsv"
    rows = path.read_text("utf-8").splitlines()[1:] if path.is_file() else []
    for line in rows:
        cells = line.replace("\t", ",").split(",")
        if int(float(cells[0])) == layer:
            return float(cells[3])
    raise ModelUnavailable(
        f"bert-score has no baseline for {name}, layer {layer}. Set rescale = false in the profile."
    )
