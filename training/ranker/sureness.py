"""Sureness, which decides *likely*.

``python -m training.ranker.sureness --data DIR [--index DIR] [--models DIR]``.

A linear ranker of pairs that reads sentence and statement, their speakers and dates, but no
article, no title, no rank among the candidates, and little that depends on what else a database
contains. It learns from the near pairs of the seven annotated debates and of the sixty-three
linked ones (``training.shared.near``), from the labels of the seven's best pairs, and from edits
of statements that the cross-encoder did not learn from (``training.edits.same_claim``): those that
keep a claim, and those that break it without a word that ``features.language.conflicts`` would
see.

The border where nine of ten are right on annotated debates that were held out goes into
models/ranker-lectern.json with the weights; ``training.ranker.likely_border`` then chooses the one
that ships from pairs as read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import conflicting
from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import SpokenSentences
from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.core import files
from features.similarity.input_catalogue import NAMES, SIGNS
from ranking.claim_ranker import ClaimRanker, KindWeights
from ranking.tier_thresholds import Thresholds
from training.edits.same_claim import edited, part_of, unlinked_sentences
from training.ranker import tier_borders
from training.ranker.fitting import fit_weights
from training.ranker.learners import file_of
from training.ranker.systems import judged_only
from training.ranker.tier_borders import HeldOut, Labels, read_labels
from training.shared.command import status
from training.shared.debates import Debate
from training.shared.examples import Example, without
from training.shared.loaders import training_claims
from training.shared.measures import Bench
from training.shared.near import inputs_of, near_examples
from training.shared.opening import add_models_option, add_options, open_bench

INPUTS = (
    *(
        "bertscore",
        "simcse_statement",
        "sbert_statement",
        "nli_entailment",
        "nli_contradiction",
        "same_claim",
    ),
    *("sentence_covered", "statement_covered", "rarest_shared", "words_in_row"),
    *(
        "numbers_shared",
        "numbers_clash",
        "names_shared",
        "names_clash",
        "dates_shared",
        "dates_clash",
    ),
    *("check_worthiness", "sentence_length", "same_speaker", "days_apart"),
)
LINKED = EDITED = 0.1  # importance of a pair that is linked or edited, against 1 of a judged one
C = 0.1  # inverse of the penalty
PRECISION = 0.9
RECALL = 0.95
SEED = 17
SPOKEN = 300  # sentences of unlinked debates that edits borrow from
_COLUMNS = [NAMES.index(name) for name in INPUTS]


def edits(bench: Bench, folder: Path) -> Example:
    """Return the edits of the development statements as an example.

    A row a pair, with its statement as candidate.

    Pairs with a conflict are left out: the ranker never scores them.
    """
    claim_indices = {text: i for i, text in enumerate(bench.index.statements)}
    claims = []
    for claim in training_claims(folder):
        if part_of(claim["id"]) == "dev" and claim["statement"] in claim_indices:
            claims.append(claim)
    borrowed = unlinked_sentences(folder, seed=SEED, count=SPOKEN)
    pairs = edited(claims, borrowed, seed=SEED, held_out=True)
    texts = tuple(pair.hypothesis for pair in pairs)
    lines = tuple(range(1, len(pairs) + 1))
    debate = Debate("edits", 0, lines, texts, ("",) * len(pairs))
    spoken = SpokenSentences(texts, debate.speakers, bench.check_worthiness.score(texts))
    claims_by_sentence = [np.array([claim_indices[pair.premise]]) for pair in pairs]
    inputs = inputs_of(bench, "edits", spoken, Pairs.from_claims(claims_by_sentence), 1)
    inputs = replace(inputs, may_raise_sentence=np.ones(len(inputs), bool))
    right = np.array([bool(pair.label) for pair in pairs])[inputs.sentence_index]
    clear = ~conflicting(inputs, np.arange(len(inputs)), texts, bench.index.statements)
    return Example(debate, inputs, right, clear, right)


def fit(
    examples: Sequence[Example], edited_example: Example, ids: NDArray[np.str_], labels: Labels
) -> ClaimRanker:
    """Return the ranker learnt from debates and edits.

    Linked debates and edits get an intercept of their own each.
    """
    all_values = []
    all_right = []
    all_times = []
    for example in (*examples, edited_example):
        is_edited = example is edited_example
        is_linked = not example.judged and not is_edited
        read_labels = tier_borders.labels_of(example, ids, labels)
        right = example.right | (read_labels == "yes")
        usable = (
            example.inputs.may_raise_sentence
            & (example.sure | (read_labels != ""))
            & (read_labels != "unsure")
        )
        importance = 1.0
        if is_linked:
            importance = LINKED
        elif is_edited:
            importance = EDITED
        # the inputs, then two columns for linked and edited pairs, (p, f + 2)
        values = example.inputs.inputs[usable][:, _COLUMNS]
        kind = np.array((is_linked, is_edited), float)
        all_values.append(np.column_stack((values, np.tile(kind, (len(values), 1)))))
        all_right.append(right[usable])
        all_times.append(np.where(right[usable], 1.0, example.one_in) * importance)
    values = np.concatenate(all_values).astype(float)
    right = np.concatenate(all_right).astype(float)
    signs = np.append(np.array(SIGNS)[_COLUMNS], (0, 0))
    learnt = fit_weights(values, right, np.concatenate(all_times), C=C, signs=signs)
    return _everywhere(learnt)


def _everywhere(learnt: KindWeights) -> ClaimRanker:
    """Return the weights over all inputs, for both kinds of pair, with the intercept of annotations."""
    mean = np.zeros(len(NAMES))
    scale = np.ones(len(NAMES))
    coef = np.zeros(len(NAMES))
    n = len(INPUTS)
    mean[_COLUMNS] = learnt.mean[:n]
    scale[_COLUMNS] = learnt.scale[:n]
    coef[_COLUMNS] = learnt.coef[:n]
    # the columns for linked and edited pairs, which are 0 for annotated ones
    offset = float((learnt.coef[n:] * learnt.mean[n:] / learnt.scale[n:]).sum())
    weights = KindWeights(mean, scale, coef, learnt.intercept - offset)
    return ClaimRanker(NAMES, (weights, weights))


def held_out(bench: Bench, folder: Path) -> tuple[list[tuple[Example, NDArray]], ClaimRanker]:
    """Return each annotated debate with the scores (p,) that the others taught, and the ranker learnt from all."""
    near_pairs = near_examples(bench, folder)
    edited_example = edits(bench, folder)
    labels = read_labels()
    scored = []
    for example in judged_only(near_pairs):
        ranker = fit(without(near_pairs, example.debate.name), edited_example, bench.ids, labels)
        scored.append((example, ranker.score(example.inputs.inputs, example.inputs.claim_kind)))
    return scored, fit(near_pairs, edited_example, bench.ids, labels)


def borders(bench: Bench, scored: Sequence[tuple[Example, NDArray]]) -> tuple[HeldOut, Thresholds]:
    """Return the best pair of each held-out sentence, and where *likely* begins."""
    best = tier_borders.held_out(scored, bench.ids, bench.index.statements, read_labels())
    return best, tier_borders.borders(best, precision=PRECISION, recall=RECALL)


def write(folder: Path, ranker: ClaimRanker, likely: float, score: dict[str, float]) -> None:
    """Put the weights and the border into the ranker of a folder, with their card."""
    path = folder / f"ranker-{LECTERN}.json"
    shipped = load(LECTERN, folder)
    assert isinstance(shipped, PairsFirst)
    value = replace(
        shipped, sureness=ranker, thresholds=shipped.thresholds._replace(likely=likely)
    ).to_json()
    card = json.loads(path.read_text("utf-8"))["card"] | {"sureness": _card(score)}
    files.write(path, file_of(card, value))


def _card(score: dict[str, float]) -> dict[str, object]:
    return {
        "what": "log-odds that sentence and statement make the same claim, without the article: what likely goes by",
        "data": "near pairs of the ranker's debates, the best of the seven as read, edits of held-out statements",
        "command": "python -m training.ranker.sureness --data DIR",
        "score": score,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, find the border, write both, print how *likely* fares on held-out debates."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ranker.sureness", description=(__doc__ or "").split("\n")[0]
    )
    add_options(parser)
    add_models_option(parser)
    options = parser.parse_args(arguments)
    return status(_learnt, options)


def _learnt(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    scored, ranker = held_out(bench, options.data)
    best, thresholds = borders(bench, scored)
    likely = (best.score >= thresholds.likely) & best.may
    score = {
        "verifiable sentences that are likely": round(float(likely[best.verifiable].mean()), 4),
        "likely sentences that are right, as read": round(
            float(best.right[likely & best.known].mean()), 4
        ),
    }
    write(options.models, ranker, thresholds.likely, score)
    print(f"likely from {thresholds.likely:.3f}\n{json.dumps(score, indent=1)}")


if __name__ == "__main__":
    sys.exit(main())
