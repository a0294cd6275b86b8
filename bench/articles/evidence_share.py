"""Would more data find better evidence sentences? Shares of PolitiHop train, and other sets beside all of it.

    python -m bench.articles.evidence_share --data DIR --work DIR [--index DIR] [--curve docs/curves/evidence-share.csv]

Everything on the same five folds of PolitiHop train, each statement read by what was learnt without its fold; means
over seeds, each with its own draw of a share. Intervals are over statements; differences are paired.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bench.articles.evidence import FOLDS, Measured, cell
from training.evidence.also import also
from training.evidence.scores import MEASURES, interval, table
from training.evidence.train import Example, Recipe, also_examples, held_out, training_examples, weak_examples
from training.shared import cards

SHARES = (0.25, 0.5, 0.75)
FEW = 240  # articles of another set, as many as PolitiHop has statements
OTHERS = {  # sets, and how many of each
    "with WiCE": (("wice",), 0),
    f"with {FEW} of FM2": (("fm2",), FEW),
    "with FM2": (("fm2",), 0),
}
SHOWN = ("P@1", "Hit@3", "MAP")


def read(examples: Sequence[Example], seeds: Sequence[int], share: float = 1.0) -> Measured:
    """Return the measures of the shipped recipe by statement, means over seeds and their draws."""
    if share == 1:
        lists, (ranked,) = held_out(examples, [Recipe()], seeds, FOLDS)
        return table(ranked, [one.target for one in lists])
    return np.mean([_drawn(examples, seed, share) for seed in seeds], axis=0)


def _drawn(examples: Sequence[Example], seed: int, share: float) -> Measured:
    lists, (ranked,) = held_out(examples, [Recipe()], [seed], FOLDS, share=share, draw=seed)
    return table(ranked, [one.target for one in lists])


def tell(name: str, values: Measured, against: Measured | None = None) -> None:
    """Print a row, and under it what it gains over the row that learnt from all of PolitiHop train alone."""
    print("|", name, "|", " | ".join(cell(column) for column in values.T), "|", flush=True)
    if against is not None:
        print("|", "gain", "|", " | ".join(cell(c, sign="+") for c in (values - against).T), "|", flush=True)


def curve(path: Path, found: dict[int, Measured]) -> None:
    """Write the learning curve, by statements learnt from, as CSV and as a picture with its intervals."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    path.unlink(missing_ok=True)
    header = [f"{name}{end}" for name in SHOWN for end in ("", " low", " high")]
    points = np.array([[_point(values[:, MEASURES.index(name)]) for name in SHOWN] for values in found.values()])
    for count, row in zip(found, points, strict=True):
        cards.append_row(path, ("statements", *header), (count, *(round(float(v), 4) for v in row.ravel())))
    figure, panels = pyplot.subplots(1, len(SHOWN), figsize=(4 * len(SHOWN), 3))
    for name, panel, part in zip(SHOWN, panels, points.transpose(1, 2, 0), strict=True):
        panel.errorbar(list(found), part[0], yerr=np.abs(part[1:] - part[0]), marker=".", capsize=3)
        panel.set(title=name, xlabel="statements learnt from")
        panel.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path.with_suffix(".png"), dpi=90)
    pyplot.close(figure)


def _point(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return (float(values.mean()), *interval(values))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rows, and write the curve where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.articles.evidence_share", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    parser.add_argument("--work", type=Path, required=True, help="where vectors are kept for the next run")
    parser.add_argument("--index", type=Path, help="a claim index, for a row with articles that their summaries mark")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--curve", type=Path, metavar="CSV")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    seeds, examples = range(options.seeds), training_examples(options.data, options.work)
    statements = 1 + max(example.statement for example in examples)
    learnt = statements * (FOLDS - 1) / FOLDS
    print("| learnt from |", " | ".join(MEASURES), "|")
    everything = read(examples, seeds)
    tell("all of PolitiHop train", everything)
    shares = {share: read(examples, seeds, share) for share in SHARES}
    for share, values in shares.items():
        tell(f"{share} of it", values, everything)
    if options.curve:
        counts = {round(share * learnt): values for share, values in (shares | {1: everything}).items()}
        curve(options.curve, counts)
    if options.index:
        weak = weak_examples(options.data, options.index, FEW, statements)
        tell(f"with the summaries of {len(weak)} others", read([*examples, *weak], seeds), everything)
    for name, (sets, most) in OTHERS.items():
        more = also_examples(also(options.data, sets, most), options.work, statements)
        tell(f"{name} ({len(more)})", read([*examples, *more], seeds), everything)


if __name__ == "__main__":
    main()
