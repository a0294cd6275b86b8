"""Near pairs: sentences with the claims nearest to them by statement alone, which *likely* is learnt from.

Articles and titles are not searched, so an index of statements is enough. Of each debate the
sentences with gold are measured, and of the others the check-worthy ones (the seven) or one in
twenty (the sixty-three).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.check.candidates import Depths, search
from assistant.check.pair_features import compare, cross_encode
from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_inputs
from training.shared import debates as data
from training.shared import examples
from training.shared.debates import Debate, cached
from training.shared.examples import Example
from training.shared.measures import Bench
from training.shared.tasks import ONE_IN

NEAR = Depths(statement_cosine=12, title_cosine=0, statement=6, title=0, body=0)
READ = 5  # pairs of a sentence that the cross-encoder reads


def near_examples(bench: Bench, folder: Path) -> list[Example]:
    """Return the seven and the sixty-three as examples of near pairs."""
    seven = [_judged(bench, debate) for debate in data.seven(folder)]
    return seven + [_linked(bench, debate) for debate in data.others(folder)]


def _judged(bench: Bench, debate: Debate) -> Example:
    gold_lines = set()
    for pair in debate.pairs:
        if pair.stance in ("agree", "disagree") or pair.linked or pair.verdict:
            gold_lines.add(pair.line)
    is_worthy = bench.worthiness(debate) >= bench.check_worthiness.threshold
    is_gold = np.isin(debate.lines, sorted(gold_lines))
    reduced = debate.only((is_worthy | is_gold).tolist())
    return examples.judged(reduced, near_inputs(bench, reduced), bench.ids)


def _linked(bench: Bench, debate: Debate) -> Example:
    part = debate.thinned(ONE_IN)
    return examples.linked(part, near_inputs(bench, part), bench.ids, ONE_IN)


def near_inputs(bench: Bench, debate: Debate) -> Pairs:
    """Return the inputs of the near pairs of all sentences of a debate."""
    vectors = bench.encoders.sbert.encode(debate.texts)
    nearest = search(debate.texts, vectors, bench.index, depths=NEAR)
    spoken = SpokenSentences(
        debate.texts, debate.speakers, bench.check_worthiness.score(debate.texts), debate.day
    )
    return inputs_of(bench, debate.name, spoken, nearest, READ)


def inputs_of(bench: Bench, name: str, spoken: SpokenSentences, pairs: Pairs, budget: int) -> Pairs:
    """Return the inputs of pairs of some sentences, their features cached."""
    bench_models = sorted(bench.models.items()) + [("nli", bench.encoders.nli.digest)]
    key: Sequence[str] = [
        *spoken.texts,
        str(pairs.keys(len(bench.index)).tobytes()),
        str(bench_models),
        str(budget),
    ]

    def build() -> dict[str, NDArray]:
        compared = compare(pairs, spoken.texts, bench.index, bench.encoders)
        read = cross_encode(
            compared, spoken.texts, bench.index, bench.encoders, nli_candidates=budget
        )
        return {"similarities": read.similarities, "same_claim": read.same_claim}

    arrays = cached(bench.cache, f"near-{name}", key, build)
    return add_inputs(replace(pairs, **arrays), spoken, bench.index, bench.word_weights)
