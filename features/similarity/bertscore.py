"""BERTScore: greedy matching of token states, equal to the F1 of the bert-score package.

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

from features.models.batching import call_in_threads
from features.models.model_spec import Floats, ModelUnavailable
from features.similarity.pair_runs import runs_by_sentence

SENTENCES_PER_THREAD = 8  # sentences that a thread compares before it takes the next


def pair_scores(
    sentence_states: Sequence[Floats],
    states_of_claim_at: Callable[[int], Floats],
    sentence_index: NDArray[np.integer],
    claim_index: NDArray[np.integer],
    *,
    baseline: float = 0.0,
) -> Floats:
    """Return the F1 of each pair of a sentence and a claim's statement, (p,).

    The pairs are given by position, (p,) each, those of a sentence together. ``states_of_claim_at(i)``
    gives the token states (t, d) of claim i's statement. ``baseline``: see ``read_baseline``.
    """
    scores = np.zeros(len(claim_index), np.float32)

    def compare(sentence_runs: Sequence[tuple[int, slice]]) -> None:
        for sentence, run in sentence_runs:
            claim_states = [states_of_claim_at(claim) for claim in claim_index[run].tolist()]
            scores[run] = f1_scores(sentence_states[sentence], claim_states)

    call_in_threads(compare, runs_by_sentence(sentence_index), SENTENCES_PER_THREAD)
    if baseline:
        # The score of texts that have nothing in common becomes 0.
        scores = (scores - baseline) / (1 - baseline)
    return scores


def f1_scores(sentence_states: Floats, statement_states: Sequence[Floats]) -> Floats:
    """Return the F1 of one sentence (t, d) with several statements (u_i, d), (k,).

    0 if either has no word.
    """
    scores = np.zeros(len(statement_states), np.float32)
    # The first and the last token of a text are special ones, [CLS] and [SEP].
    nonempty_indices = [index for index, states in enumerate(statement_states) if len(states) > 2]
    if len(sentence_states) <= 2 or not nonempty_indices:
        return scores
    # All statements one after the other, (sum u, d), and where each starts and ends.
    all_statement_states = np.concatenate([statement_states[index] for index in nonempty_indices])
    all_statement_states = all_statement_states.astype(np.float32, copy=False)
    statement_bounds = np.cumsum([0, *(len(statement_states[index]) for index in nonempty_indices)])
    starts = statement_bounds[:-1]
    last_tokens = statement_bounds[1:] - 1
    # (sum u, t): the longer side first keeps the product fast.
    cosines = all_statement_states @ sentence_states.T
    # The best cosine of each word of the sentence in each statement, (k', t - 2), and its mean.
    word_cosines = cosines[:, 1:-1]
    best_by_sentence_word = np.maximum.reduceat(word_cosines, starts, axis=0)
    precision = best_by_sentence_word.mean(axis=1)
    # The best cosine of each statement token, summed without the two special tokens.
    best_by_token = cosines.max(axis=1)
    recall_sums = (
        np.add.reduceat(best_by_token, starts) - best_by_token[starts] - best_by_token[last_tokens]
    )
    word_counts = np.diff(statement_bounds) - 2
    recall = recall_sums / word_counts
    scores[nonempty_indices] = 2 * precision * recall / (precision + recall)
    return scores


def recall_gains(
    sentence_states: Floats, context_states: Sequence[Floats], statement_states: Sequence[Floats]
) -> Floats:
    """Return how much more of each statement a sentence covers with the sentences around it, (k,).

    It is BERTScore's recall of the statement (u_i, d) by the sentence (t, d) and those around it,
    without special tokens, less the recall by the sentence alone: 0 if the others add nothing. NaN
    if the sentence, all others or the statement has no word.
    """
    gains = np.full(len(statement_states), np.nan, np.float32)
    # The first and the last token of a text are special ones, [CLS] and [SEP].
    nonempty_indices = [index for index, states in enumerate(statement_states) if len(states) > 2]
    context_word_states = [states[1:-1] for states in context_states if len(states) > 2]
    if len(sentence_states) <= 2 or not context_word_states or not nonempty_indices:
        return gains
    # The words of all statements one after the other, (sum u, d), and where each starts.
    statement_word_states = [statement_states[index][1:-1] for index in nonempty_indices]
    all_statement_words = np.concatenate(statement_word_states).astype(np.float32, copy=False)
    word_counts = np.array([len(words) for words in statement_word_states])
    starts = np.cumsum(word_counts) - word_counts
    # The best cosine of each statement word in the sentence, and how much the context adds.
    best_in_sentence = (all_statement_words @ sentence_states[1:-1].T).max(axis=1)
    best_in_context = (all_statement_words @ np.concatenate(context_word_states).T).max(axis=1)
    gain_by_word = np.maximum(best_in_context - best_in_sentence, 0)
    gains[nonempty_indices] = np.add.reduceat(gain_by_word, starts) / word_counts
    return gains


def read_baseline(model_name: str, layer: int) -> float:
    """Return the F1 that the bert-score package lists for random pairs of English sentences.

    Raises: ModelUnavailable if it lists none for this model and layer.
    """
    import bert_score

    # The package has a table for each model, with a row for each layer: LAYER, P, R, F.
    table_path = Path(bert_score.__file__).parent / "rescale_baseline" / "en" / f"{model_name}.tsv"
    lines = table_path.read_text("utf-8").splitlines() if table_path.is_file() else []
    layer_rows = lines[1:]
    for row in layer_rows:
        layer_text, _, _, f1_baseline = row.replace("\t", ",").split(",")[:4]
        if int(float(layer_text)) == layer:
            return float(f1_baseline)
    raise ModelUnavailable(
        f"bert-score has no baseline for layer {layer} of {model_name}. "
        "Set rescale = false in the profile."
    )
