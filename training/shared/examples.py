"""Examples for rankers: measured debates with labels, to train on and to test with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.check.pairs import Pairs
from training.shared.debates import Debate
from training.shared.gold import DECIDED

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Example:
    """A debate and the inputs of its pairs.

    For each pair (p,): whether it is right, and whether that is sure. ``relevant`` (n,): whether a sentence is.
    ``one_in``: of the sentences without a link, one in so many is left (``Debate.thinned``).
    """

    debate: Debate
    inputs: Pairs
    right: Mask
    sure: Mask
    relevant: Mask
    one_in: int = 1

    @property
    def judged(self) -> bool:
        """Return whether annotators judged its pairs; the others only have links."""
        return any(pair.judged for pair in self.debate.pairs)


def judged(debate: Debate, inputs: Pairs, ids: NDArray[np.str_]) -> Example:
    """Return an annotated debate as an example. Right: a pair with a verdict, true or false.

    Not sure: a pair that says the same or the opposite without a verdict, and a mere link that
    nobody judged.
    """
    right_pairs = set()
    unsure_pairs = set()
    for pair in debate.pairs:
        if pair.verdict in DECIDED:
            right_pairs.add((pair.line, pair.claim))
        if pair.stance in ("agree", "disagree") or pair.linked:
            unsure_pairs.add((pair.line, pair.claim))
    relevant = _lines(debate, {line for line, _ in right_pairs})
    right = marked(debate, inputs, ids, right_pairs)
    sure = ~marked(debate, inputs, ids, unsure_pairs - right_pairs)
    return Example(debate, inputs, right, sure, relevant)


def linked(debate: Debate, inputs: Pairs, ids: NDArray[np.str_], one_in: int = 1) -> Example:
    """Return a debate that only has links as an example; ``one_in`` as it was thinned.

    Right: a linked pair.

    Not sure: the other candidates of a linked sentence, for a missing link does not mean that they
    do not match.
    """
    linked_pairs = {(pair.line, pair.claim) for pair in debate.pairs if pair.linked}
    right = marked(debate, inputs, ids, linked_pairs)
    is_linked = _lines(debate, {line for line, _ in linked_pairs})
    relevant = np.zeros(inputs.sentence_count, bool)
    relevant[inputs.sentence_index[right & inputs.may_raise_sentence]] = True
    sure = right | ~is_linked[inputs.sentence_index]
    return Example(debate, inputs, right, sure, relevant, one_in)


def _lines(debate: Debate, line_numbers: set[int]) -> Mask:
    return np.array([line in line_numbers for line in debate.lines], bool)


def marked(
    debate: Debate, inputs: Pairs, ids: NDArray[np.str_], pairs: set[tuple[int, str]]
) -> Mask:
    """Return which pairs of the inputs are among (line, claim id) ``pairs``, (p,)."""
    claim_indices = {claim: i for i, claim in enumerate(ids.tolist())}
    sentence_indices = {line: i for i, line in enumerate(debate.lines)}
    # sentence and claim of a pair as one number
    wanted_keys = []
    for line, claim in pairs:
        if line in sentence_indices and claim in claim_indices:
            wanted_keys.append(sentence_indices[line] * len(ids) + claim_indices[claim])
    keys = inputs.sentence_index.astype(np.int64) * len(ids) + inputs.claim_index
    return np.isin(keys, wanted_keys)


def without(examples: Sequence[Example], name: str) -> list[Example]:
    """Return the examples of all debates but one."""
    return [example for example in examples if example.debate.name != name]
