"""What do the sentences around a linked sentence find that it does not find alone?

    python -m bench.matches.context --data DIR [--index DIR] [--cache DIR] [--before 2] [--after 2] [--names] [--curve
    CSV]

Sentences of the sixty-three debates with a link. Their candidates are searched by the sentence alone, or by it and its
window, as the product does: the sentences around it, joined. An order of the candidates reads the product's inputs,
or these and how near the window is, learnt from the seven and the other folds. A link whose claim is no candidate
counts 0. Source: Shaar et al., The Role of Context in Detecting Previously Fact-Checked Claims, Findings NAACL 2022.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.measures import Measured, candidates, compare, read, widened
from assistant.check.ranker_inputs import Spoken, pair_inputs
from assistant.ground.errors import LecternError
from bench.articles.evidence import cell
from features.agreement import particulars
from features.input_catalogue import SIGNS
from features.window import FINISHED, Window
from ranking.claim_ranker import ClaimRanker, fit_order
from training.evidence.scores import interval
from training.ranker.learners import Recipe, order_lists
from training.shared import cards, examples
from training.shared import debates as data
from training.shared.debates import Debate, cached
from training.shared.examples import Example
from training.shared.gold import DECIDED
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

AROUND = ("window_sbert_statement", "window_sbert_title", *(f"window_bm25_{f}" for f in ("statement", "title", "body")))
DEPTHS = (1, 3, 5, 20)
SHARES = (0, 16, 8, 4, 2, 1)  # one in so many linked debates teaches, 0 is none
Floats = NDArray[np.floating]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]


class Searched(NamedTuple):
    """The linked sentences of a debate with the candidates of both searches.

    Shapes, for p pairs: how near the window is ``around`` (p, 5), which the sentence alone found ``alone`` (p,).
    """

    example: Example
    around: Floats
    alone: Mask


def named(window: Window, texts: Sequence[str], place: int) -> str:
    """Return a sentence behind the names, in a fixed order, that are said in its window: light co-reference."""
    around = (*texts[max(0, place - window.before) : place], *texts[place + 1 : place + window.after + 1])
    return " ".join((*sorted({name for text in around for name in particulars(text).names}), texts[place]))


def searched(bench: Bench, debate: Debate, said: Callable[[Sequence[str], int], str]) -> Searched | None:
    """Return a debate's sentences with a link, or of the seven those with a verdict; None if it has none.

    ``said(texts, place)``: what is searched beside the sentence.
    """
    judged = debate.name in data.SEVEN
    wanted = {pair.line for pair in debate.pairs if (pair.verdict in DECIDED if judged else pair.linked)}
    places = [place for place, line in enumerate(debate.lines) if line in wanted]
    if not places:
        return None
    kept = debate.only([line in wanted for line in debate.lines])
    windows = [said(debate.texts, place) for place in places]
    vectors, of_windows = (bench.encoders.sbert.encode(texts) for texts in (kept.texts, windows))
    alone = candidates(kept.texts, vectors, bench.index)
    found = widened(alone, windows, of_windows, bench.index)

    def build() -> dict[str, NDArray]:
        X = compare(kept.texts, bench.index, bench.encoders, found)
        told = read(kept.texts, bench.index, bench.encoders, found, X, nli_candidates=bench.nli_candidates)
        return {"X": told.X, "same": told.same_claim}

    key = (*kept.texts, str(found.tobytes()), bench.index.digest, bench.encoders.nli.digest, str(bench.models))
    key += (str(bench.nli_candidates),)
    kept_measures = cached(bench.cache, f"context-{debate.name}", key, build)
    spoken = Spoken(kept.texts, kept.speakers, bench.check_worthiness.score(kept.texts), debate.day)
    measured = Measured(kept_measures["X"], kept_measures["same"])
    inputs = pair_inputs(spoken, bench.index, found, measured, bench.word_weights)
    example = (examples.judged if judged else examples.linked)(kept, inputs, bench.ids)
    by_itself = inputs.place < (alone >= 0).sum(axis=1)[inputs.sentence]
    return Searched(example, nearness(bench, windows, of_windows, inputs.sentence, inputs.claim), by_itself)


def nearness(bench: Bench, said: Sequence[str], vectors: Floats, sentence: Ints, claim: Ints) -> Floats:
    """Return how near windows are to claims, in the order of ``AROUND``: cosines and BM25, (p, 5)."""
    cosines = [
        (vectors[sentence] * of_claims[claim]).sum(axis=1)
        for of_claims in (bench.index.statement_vectors, bench.index.title_vectors)
    ]
    words = [bench.index.bm25(field).scores(said)[sentence, claim] for field in ("statement", "title", "body")]
    return np.stack([*cosines, *words], axis=1)


def as_read(one: Searched, *, further: bool, around: bool) -> Example:
    """Return the example with all candidates or the sentence's own, and with the window's inputs or without."""
    inputs = one.example.inputs
    kept = np.ones(len(inputs), bool) if further else one.alone
    values = np.hstack([inputs.values, one.around]) if around else inputs.values
    columns = {
        name: getattr(inputs, name)[kept]
        for name in ("measures", "sentence", "claim", "place", "kind", "lifts", "alone")
    }
    names = (*inputs.names, *AROUND) if around else inputs.names
    made = replace(inputs, names=names, values=values[kept], **columns)
    return replace(one.example, inputs=made, right=one.example.right[kept], sure=one.example.sure[kept])


def places_of_right(tested: Example, order: ClaimRanker) -> Floats:
    """Return the place from 1 of each sentence's first right claim, (n,); infinity where it is no candidate."""
    inputs, scores = tested.inputs, order.score(tested.inputs.values.astype(float), tested.inputs.kind)
    found = np.full(len(tested.debate.lines), np.inf)
    for sentence in np.unique(inputs.sentence[tested.right]).tolist():
        rows = inputs.sentence == sentence
        found[sentence] = 1 + (scores[rows] > scores[rows & tested.right].max()).sum()
    return found


def held_out(read_: Sequence[Example], folds: dict[str, int], one_in: int = 1) -> Floats:
    """Return ``places_of_right`` of all linked sentences, each order learnt without the fold of its debate.

    ``one_in``: of the linked debates of the other folds, so many are learnt from, 0 for none; of the seven always all.
    """
    names = read_[0].inputs.names
    signs = np.array([*SIGNS, *[1] * (len(names) - len(SIGNS))])
    found: dict[str, Floats] = {}
    for fold in sorted(set(folds.values())):
        lists = order_lists(taught(read_, folds, fold, one_in))
        weights = fit_order(*lists, C=Recipe().C, usable=np.ones(len(names), bool), signs=signs)
        order = ClaimRanker(names, (weights, weights))
        for example in read_:
            if folds.get(example.debate.name) == fold:
                found[example.debate.name] = places_of_right(example, order)
    return np.concatenate([found[name] for name in sorted(found)])


def taught(read_: Sequence[Example], folds: dict[str, int], fold: int, one_in: int) -> list[Example]:
    """Return the debates that an order is learnt from for a fold, as ``held_out`` has it."""
    linked = [example for example in read_ if folds.get(example.debate.name, fold) != fold]
    return [example for example in read_ if example.judged] + (linked[::one_in] if one_in else [])


def write_curve(read_: Sequence[Example], folds: dict[str, int], path: Path) -> None:
    """Write and draw how the order of the product's candidates fares by the linked debates that teach it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    for one_in in SHARES:
        held = held_out(read_, folds, one_in)
        debates = np.mean([sum(not e.judged for e in taught(read_, folds, f, one_in)) for f in set(folds.values())])
        row = (debates, (1 / held).mean(), *interval(1 / held), (held <= 1).mean(), (held <= 5).mean())
        cards.append_row(path, ("debates", "MRR", "MRR low", "MRR high", "in 1", "in 5"), np.round(row, 4).tolist())
    cards.draw_curve(path, over="debates")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each way of searching and reading, and write them where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.matches.context", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--before", type=int, default=FINISHED.before, help="sentences of a window before the sentence")
    parser.add_argument("--after", type=int, default=FINISHED.after, help="and after it")
    parser.add_argument("--names", action="store_true", help="only what the sentences around it name")
    parser.add_argument("--curve", type=Path, metavar="CSV", help="also: by the number of linked debates learnt from")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    if min(options.before, options.after) < 0:
        parser.error(f"--before {options.before} --after {options.after}: give whole numbers from 0 on")
    window = Window(options.before, options.after)
    said = partial(named, window) if options.names else window.of
    try:
        bench, debates = open_bench(options), data.seven(options.data) + data.others(options.data)
        made = [searched(bench, debate, said) for debate in debates]
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    folds, rows, first = data.folds(data.others(options.data)), {}, None
    print("| candidates by, inputs of | MRR | gained | " + " | ".join(f"in {k}" for k in DEPTHS) + " | found |")
    for further in (False, True):
        for around in (False, True):
            name = f"{'window too' if further else 'sentence'}, {'window too' if around else 'sentence'}"
            held = held_out([as_read(one, further=further, around=around) for one in made if one], folds)
            first = held if first is None else first
            rows[name] = {"mrr": float((1 / held).mean()), **{f"in_{k}": float((held <= k).mean()) for k in DEPTHS}}
            shares = " | ".join(f"{value:.3f}" for value in list(rows[name].values())[1:])
            print(f"| {name} | {cell(1 / held)} | {cell(1 / held - 1 / first, sign='+')} | {shares} | "
                  f"{np.isfinite(held).mean():.3f} |", flush=True)  # fmt: skip
    if options.curve:
        write_curve([as_read(one, further=False, around=False) for one in made if one], folds, options.curve)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
