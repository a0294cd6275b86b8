"""The value of a missing speaker: ``python -m training.ranker.unknown_speaker --data DIR [--write]``.

A match is more likely if the speaker made the checked claim himself. A recording or a pasted text
often names no speaker. A missing name used to count as the mean of the training pairs, nearly all
of them by other speakers. Without names, fewer matches were therefore likely than with names, and
more of these were right.

This script removes the names from the debates of ``training.ranker.likely_border``. For each value
of the missing input it prints how many of the first matches are likely and how many of these cover
their sentence; with ``--half test`` only for the shipped value. It chooses the highest value at
which the likely matches are right as often as those with names. ``--write`` puts it into
models/ranker-lectern.json. Sentences with a known speaker are scored as before.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.core import files
from training.ranker.choosing import choose
from training.ranker.learners import file_of
from training.ranker.likely_border import FILE, SAME_SPEAKER, Row, row, sentences_of
from training.ranker.strength import debates_of_half
from training.shared.opening import models_folder, open_bench
from training.shared.readings import TEST, read

# 0: another speaker made the claim, 1: the same one. An unknown speaker counts less than the same.
VALUES = (0.0, 0.25, 0.5, 0.75)


def chosen(named: Row, nameless: Mapping[float, Row]) -> float:
    """Return the highest value whose likely matches are right as often as those with names.

    The lowest value if none is.
    """
    sufficient = [
        value
        for value, result in nameless.items()
        if result.settled >= named.settled and result.in_part >= named.in_part
    ]
    return max(sufficient, default=min(nameless))


def counting_as(ranker: PairsFirst, value: float) -> PairsFirst:
    """Return a ranker whose confidence counts an unknown speaker as ``value``.

    Raises: ValueError if the ranker has no weights for confidence.
    """
    if ranker.sureness is None:
        raise ValueError("the ranker has no weights for confidence")
    return replace(ranker, sureness=ranker.sureness.counting_unknown_as(SAME_SPEAKER, value))


def write(folder: Path, value: float, result: Row) -> None:
    """Put the value of an unknown speaker and its result into the ranker of a folder."""
    path = folder / FILE
    shipped = load(LECTERN, folder)
    assert isinstance(shipped, PairsFirst)
    card = json.loads(path.read_text("utf-8"))["card"]
    card["unknown speaker"] = {
        "what": "the value of same_speaker for a missing name, in the confidence of a match",
        "data": (
            "pairs read by a language model that follows docs/research/annotation-guidelines.md, "
            "in the half of the debates that teaches, without the names of the speakers"
        ),
        "command": "python -m training.ranker.unknown_speaker --data DIR --write",
        "value": value,
        "score": {name: round(figure, 4) for name, figure in result._asdict().items()},
    }
    files.write(path, file_of(card, counting_as(shipped, value).to_json()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the result of each value on one part of the debates; write the chosen one if asked."""
    return choose("unknown_speaker", __doc__, _measured, arguments, value="value")


def _measured(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    folder = models_folder(options)
    shipped = load(LECTERN, folder)
    assert isinstance(shipped, PairsFirst)
    labels = {pair: reading.label for pair, reading in read().items()}
    debates = debates_of_half(options.data, options.half)

    def result_of(ranker: PairsFirst, *, speakers_are_known: bool) -> Row:
        sentences = []
        for debate in debates:
            sentences += sentences_of(
                bench, debate, ranker, labels, speakers_are_known=speakers_are_known
            )
        return row(sentences, ranker.thresholds.likely)

    named = result_of(shipped, speakers_are_known=True)
    _print("named", named)
    _print("shipped", result_of(shipped, speakers_are_known=False))
    if options.half == TEST:
        return
    nameless = {}
    for value in VALUES:
        nameless[value] = result_of(counting_as(shipped, value), speakers_are_known=False)
        _print(f"{value:g}", nameless[value])
    if options.write:
        value = chosen(named, nameless)
        write(folder, value, nameless[value])


def _print(name: str, result: Row) -> None:
    print(
        f"{name:8} {result.likely:5d} {result.settled:.3f} {result.in_part:.3f} {result.share:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
