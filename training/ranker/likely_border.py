"""Where *likely* begins: ``python -m training.ranker.likely_border --data DIR [--half teach|test] [--write]``.

Measures the sentences of seventy debates whose pairs were read (``training/ranker/readings.tsv``,
by a language model that follows docs/research/annotation-guidelines.md) with all candidates that they have, and prints,
border by border, how many of the first matches are likely, how many of those are settled or
settled in part, and how many of the settled sentences are likely. The border that ships is chosen
on the debates for training that the shipped re-ranker has not read: the lowest
of ``BORDERS`` at which ``RIGHT`` of the likely matches settle their sentence wholly or in part.
``--write`` puts it into models/ranker-lectern.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assistant.check.match_tiers import Days, capped
from assistant.check.pairs import Pairs
from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.core import files
from features.similarity.input_catalogue import NAMES
from ranking.tier_thresholds import LIKELY
from training.ranker.choosing import choose
from training.ranker.learners import file_of
from training.ranker.strength import debates_of_half
from training.shared.command import flags
from training.shared.debates import Debate
from training.shared.measures import Bench
from training.shared.opening import models_folder, open_bench
from training.shared.readings import PART, SETTLED, Pair, read

# Log-odds; none is below 0, because *likely* means more likely than not.
BORDERS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
RIGHT = 0.95
SAME_SPEAKER = "same_speaker"
FILE = f"ranker-{LECTERN}.json"


class Sentence(NamedTuple):
    """A sentence with a pair that was read.

    What *likely* goes by in its first match, -inf where that may not be likely; how that match was
    read ("" if it was not); and whether any of its matches was read as settling it.
    """

    sure: float
    label: str
    settled: bool


class Row(NamedTuple):
    """What a border does: matches that are likely, the shares of them that are settled, and settled wholly or in part,
    and the share of the settled sentences that are likely. What nobody has read counts as not
    settled.
    """

    border: float
    likely: int
    settled: float
    in_part: float
    share: float


def row(sentences: Sequence[Sentence], border: float) -> Row:
    """Return the shares that a threshold gives on some sentences."""
    likely = [sentence for sentence in sentences if sentence.sure >= border]
    settled = [sentence for sentence in sentences if sentence.settled]
    settled_labels = sum(sentence.label == SETTLED for sentence in likely)
    partly_settled_labels = sum(sentence.label in (SETTLED, PART) for sentence in likely)
    settled_and_likely = sum(sentence.sure >= border for sentence in settled)
    return Row(
        border,
        len(likely),
        settled_labels / max(len(likely), 1),
        partly_settled_labels / max(len(likely), 1),
        settled_and_likely / max(len(settled), 1),
    )


def chosen(results: Iterable[Row], right: float = RIGHT) -> float:
    """Return the lowest threshold with enough (partly) settled matches, the highest if none has."""
    results = list(results)
    sufficient = [result.border for result in results if result.in_part >= right]
    if not sufficient:
        return max(result.border for result in results)
    return min(sufficient)


def sentences_of(
    bench: Bench,
    debate: Debate,
    ranker: PairsFirst,
    labels: dict[Pair, str],
    *,
    speakers_are_known: bool = True,
) -> list[Sentence]:
    """Return the sentences of a debate that have a label; without speakers if they are not known."""
    labelled_lines = {line for name, line, _ in labels if name == debate.name}
    spoken = debate.only([line in labelled_lines for line in debate.lines])
    every = np.ones(len(spoken.texts), bool)
    inputs = replace(bench, nli_of_linked=bench.nli_candidates).inputs(spoken, reads=every)
    if not speakers_are_known:
        inputs = without_speakers(inputs)
    all_likely = ranker.thresholds._replace(likely=-np.inf)
    ranking = bench.ranked(spoken, inputs, ranker, all_likely)
    days = Days(debate.day, bench.index.claim_days)
    ranking = capped(ranking, inputs, spoken.texts, bench.index.statements, days)
    # the label of each pair, (p,)
    pair_labels = []
    pairs = zip(inputs.sentence_index.tolist(), bench.ids[inputs.claim_index].tolist(), strict=True)
    for sentence_index, claim in pairs:
        key = (debate.name, spoken.lines[sentence_index], claim)
        pair_labels.append(labels.get(key, ""))
    label = np.array(pair_labels)
    settled = set(inputs.sentence_index[label == SETTLED].tolist())
    sentences = []
    for i, best in enumerate(ranking.best_pair.tolist()):
        has_pair = best >= 0
        likely = has_pair and ranking.sentence_tiers[i] == ranking.pair_tiers[best] == LIKELY
        sure = float(ranking.sureness[best]) if likely else -np.inf
        best_label = str(label[best]) if has_pair else ""
        sentences.append(Sentence(sure, best_label, i in settled))
    return sentences


def without_speakers(pairs: Pairs) -> Pairs:
    """Return pairs as a transcript gives them that names no speaker."""
    inputs = pairs.inputs.copy()
    inputs[:, NAMES.index(SAME_SPEAKER)] = np.nan
    return replace(pairs, inputs=inputs)


def write(folder: Path, border: float, results: Sequence[Row], typed: str) -> None:
    """Put the border into the ranker of a folder, with its shares on the half that teaches.

    ``typed``: the options of the command, for the card.
    """
    path = folder / FILE
    shipped = load(LECTERN, folder)
    value = replace(shipped, thresholds=shipped.thresholds._replace(likely=border)).to_json()
    card = json.loads(path.read_text("utf-8"))["card"]
    (of_border,) = (each for each in results if each.border == border)
    card["likely"] = {
        "data": (
            "pairs read by a language model that follows docs/research/annotation-guidelines.md, "
            "in the half of the debates that teaches"
        ),
        "command": f"python -m training.ranker.likely_border --data DIR {typed}",
        "score": {name: round(value, 4) for name, value in of_border._asdict().items()},
    }
    files.write(path, file_of(card, value))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows of one half; write the border chosen from them if asked."""
    return choose("likely_border", __doc__, _measured, arguments, value="border")


def _measured(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    folder = models_folder(options)
    ranker = load(LECTERN, folder)
    assert isinstance(ranker, PairsFirst)
    labels = {pair: reading.label for pair, reading in read().items()}
    sentences = []
    for debate in debates_of_half(options.data, options.half):
        sentences += sentences_of(bench, debate, ranker, labels)
    borders = sorted({*BORDERS, ranker.thresholds.likely})
    results = [row(sentences, border) for border in borders]
    for border, likely, settled, in_part, share in results:
        print(f"{border:6.2f} {likely:5d} {settled:.3f} {in_part:.3f} {share:.3f}")
    if options.write:
        candidates = [result for result in results if result.border in BORDERS]
        typed = flags(options, "reranker", "write")
        write(folder, chosen(candidates), results, typed)


if __name__ == "__main__":
    sys.exit(main())
