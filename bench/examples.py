"""Measured debates with labels: what rankers are trained on and tested with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from assistant.pairs import PairInputs
from bench.data import Debate
from bench.gold import DECIDED

Mask = NDArray[np.bool_]
PAIRWISE = tuple(f.name for f in fields(PairInputs) if f.name not in ("names", "words"))


@dataclass(frozen=True, slots=True)
class Example:
    """A debate and the inputs of its pairs.

    For each pair (p,): whether it is right, and whether that is sure. ``relevant`` (n,): whether a sentence is.
    ``one_in``: of the sentences without a right pair, one in so many is left (``thinned``).
    """

    debate: Debate
    inputs: PairInputs
    right: Mask
    sure: Mask
    relevant: Mask
    one_in: int = 1

    @property
    def judged(self) -> bool:
        """Return whether annotators judged its pairs; the others only have links."""
        return any(pair.judged for pair in self.debate.pairs)


def judged(debate: Debate, inputs: PairInputs, ids: NDArray[np.str_]) -> Example:
    """Return an annotated debate as an example. Right: a pair with a verdict, true or false.

    Not sure: a pair that says the same or the opposite without a verdict, and a mere link that nobody judged.
    """
    right = {(pair.line, pair.claim) for pair in debate.pairs if pair.verdict in DECIDED}
    unsure = {(p.line, p.claim) for p in debate.pairs if p.stance in ("agree", "disagree") or p.linked} - right
    relevant = _lines(debate, {line for line, _ in right})
    return Example(debate, inputs, marked(debate, inputs, ids, right), ~marked(debate, inputs, ids, unsure), relevant)


def linked(debate: Debate, inputs: PairInputs, ids: NDArray[np.str_]) -> Example:
    """Return a debate that only has links as an example. Right: a linked pair.

    Not sure: the other candidates of a linked sentence, for a missing link does not mean that they do not match.
    """
    right = marked(debate, inputs, ids, {(pair.line, pair.claim) for pair in debate.pairs if pair.linked})
    of_linked = _lines(debate, {pair.line for pair in debate.pairs if pair.linked})
    relevant = np.zeros(inputs.n, bool)
    relevant[inputs.sentence[right & inputs.lifts]] = True
    return Example(debate, inputs, right, right | ~of_linked[inputs.sentence], relevant)


def thinned(example: Example, one_in: int) -> Example:
    """Return the example with the sentences that have a right pair or are relevant, and one in so many of the rest."""
    inputs = example.inputs
    kept = example.relevant | (np.arange(inputs.n) % one_in == 0)
    kept[inputs.sentence[example.right]] = True
    pairs = kept[inputs.sentence]
    place = np.cumsum(kept) - 1
    values = {name: getattr(inputs, name)[pairs] for name in PAIRWISE}
    values["sentence"] = place[values["sentence"]]
    debate = example.debate
    lines, texts, speakers = (
        tuple(compress(column, kept.tolist())) for column in (debate.lines, debate.texts, debate.speakers)
    )
    return Example(
        replace(debate, lines=lines, texts=texts, speakers=speakers),
        replace(inputs, **values, words=inputs.words[kept]),
        example.right[pairs],
        example.sure[pairs],
        example.relevant[kept],
        one_in,
    )


def may_stay(debate: Debate, one_in: int) -> Mask:
    """Return which sentences ``thinned`` can leave, (n,), before anything is measured: the others need no reading."""
    return (np.arange(len(debate.lines)) % one_in == 0) | _lines(debate, {p.line for p in debate.pairs if p.linked})


def _lines(debate: Debate, wanted: set[int]) -> Mask:
    return np.array([line in wanted for line in debate.lines], bool)


def marked(debate: Debate, inputs: PairInputs, ids: NDArray[np.str_], pairs: set[tuple[int, str]]) -> Mask:
    """Return which pairs of the inputs are among (line, claim id) ``pairs``, (p,)."""
    place = {claim: i for i, claim in enumerate(ids.tolist())}
    row = {line: i for i, line in enumerate(debate.lines)}
    wanted = {(row[line], place[claim]) for line, claim in pairs if line in row and claim in place}
    keys = inputs.sentence.astype(np.int64) * len(ids) + inputs.claim
    return np.isin(keys, [sentence * len(ids) + claim for sentence, claim in wanted])


def without(examples: Sequence[Example], name: str) -> list[Example]:
    """Return the examples of all debates but one."""
    return [example for example in examples if example.debate.name != name]
