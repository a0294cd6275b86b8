"""Calibration of the tiers.

How often is *likely* right, and how many verifiable sentences does it cover?

``python -m bench.matches.calibration --data DIR [--curves DIR] [--sheet FILE] [--json FILE]``. Each of the seven
debates is scored by the ranker of *likely* that the others taught (``training.ranker.sureness``), which needs an index
of statements only. A pair is right if the strict gold says so or the label of a language model that followed a written
guide and saw neither score nor gold (``training/ranker/likely_read.tsv``); pairs that it left open do not count.
``--sheet`` writes likely pairs that have neither label nor judgement, with their context, to be labelled.
Expected: 90.0 % of *likely* right as labelled, 35.3 % of the verifiable sentences *likely*.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bench.command import command, option, printed
from ranking.tier_thresholds import Thresholds
from training.ranker import sureness
from training.ranker.tier_borders import HeldOut, best_pairs, borders, held_out, read_labels
from training.shared.examples import Example
from training.shared.intervals import Share
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

BINS = 8
CURVES = Path(__file__).resolve().parents[2] / "docs" / "curves"
Floats = NDArray[np.floating]


def summary(best: HeldOut, thresholds: Thresholds) -> dict[str, Any]:
    """Return shares of sentences by tier with their intervals, by the strict gold and as labelled."""
    likely = (best.score >= thresholds.likely) & best.may
    is_likely_labelled = likely & best.known
    return {
        "likely": int(likely.sum()),
        "likely right, strict gold": Share.count(best.strict[likely]),
        "likely right, as labelled": Share.count(best.right[is_likely_labelled]),
        "of them neither labelled nor judged": int(
            (likely & ~best.known & (best.read == "")).sum()
        ),
        "verifiable that are likely": Share.count(likely[best.verifiable]),
        "right pairs that a clash keeps from likely": Share.count(
            ~best.may[best.right & (best.score >= thresholds.likely)]
        ),
        "verifiable that are possible or likely": Share.count(
            (best.score >= thresholds.possible)[best.verifiable]
        ),
    }


def risk_coverage(best: HeldOut) -> tuple[Floats, Floats]:
    """Return, for every score as the border of likely (falling), the shares of verifiable sentences that are likely and
    of likely ones that are wrong.
    """
    usable = best.known & best.may
    order = np.argsort(-best.score[usable], kind="stable")
    wrong = np.cumsum(~best.right[usable][order]) / np.arange(1, usable.sum() + 1)
    covered = np.cumsum(best.verifiable[usable][order]) / max(best.verifiable.sum(), 1)
    return covered, wrong


def reliability(best: HeldOut, bins: int = BINS) -> list[tuple[float, float, int]]:
    """Return (mean predicted chance, share that is right, pairs) of equally filled bins of the likelier half."""
    usable = best.known & best.may
    probability = expit(best.score[usable])
    right = best.right[usable]
    # The pairs with the highest probabilities, 40 per bin, the lowest of them first.
    highest = np.argsort(probability, kind="stable")[-bins * 40 :]
    bins_of_pairs = []
    for pair_indices in np.array_split(highest, bins):
        predicted = float(probability[pair_indices].mean())
        observed = float(right[pair_indices].mean())
        bins_of_pairs.append((predicted, observed, len(pair_indices)))
    return bins_of_pairs


def draw(best: HeldOut, thresholds: Thresholds, folder: Path) -> None:
    """Write reliability and risk against coverage as one PNG and two CSV files.

    Makes the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    points = reliability(best)
    (covered, wrong) = risk_coverage(best)
    figure, (reliability_axes, risk_axes) = pyplot.subplots(1, 2, figsize=(9, 4))
    reliability_axes.plot([0, 1], [0, 1], color="0.7")
    reliability_axes.plot(
        [point[0] for point in points], [point[1] for point in points], marker="o"
    )
    reliability_axes.axvline(float(expit(thresholds.likely)), linestyle=":", color="0.4")
    reliability_axes.set(
        xlabel="predicted chance", ylabel="share that is right", title="Reliability, held out"
    )
    risk_axes.plot(covered, wrong)
    risk_axes.axhline(0.1, linestyle=":", color="0.4")
    risk_axes.set(
        xlabel="verifiable sentences that are likely",
        ylabel="likely that are wrong",
        xlim=(0, 0.8),
        ylim=(0, 0.8),
    )
    risk_axes.set_title("Risk against coverage, held out")
    figure.tight_layout()
    figure.savefig(folder / "tiers.png", dpi=90, metadata={"Software": None})
    _write(folder / "reliability.csv", ("chance", "right", "pairs"), points)
    _write(
        folder / "risk_coverage.csv",
        ("covered", "wrong"),
        zip(covered.tolist(), wrong.tolist(), strict=True),
    )


def _write(path: Path, head: Sequence[str], value_rows: Iterable[Sequence[float]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows([round(value, 4) for value in value_row] for value_row in value_rows)


def unread(
    scored: Sequence[tuple[Example, Floats]], bench: Bench, min_score: float
) -> Iterable[str]:
    """Yield the best pairs above a score with neither label nor judgement.

    Debate, line, claim, context, statement.
    """
    labels = read_labels()
    for example, scores in scored:
        debate = example.debate
        inputs = example.inputs
        for pair in best_pairs(scores, inputs).tolist():
            sentence_index = int(inputs.sentence_index[pair])
            claim = int(inputs.claim_index[pair])
            key = (debate.name, debate.lines[sentence_index], str(bench.ids[claim]))
            if scores[pair] >= min_score and not example.right[pair] and key not in labels:
                previous_text = " ".join(debate.texts[max(0, sentence_index - 2) : sentence_index])
                text = debate.texts[sentence_index]
                yield "\t".join(
                    (*map(str, key), previous_text[-250:], text, bench.index.statements[claim])
                )


def measure(options: argparse.Namespace) -> dict[str, list[dict]]:
    """Score the held-out debates, print how the tiers fare, draw the curves; return the shares."""
    bench = open_bench(options)
    scored, _ = sureness.held_out(bench, options.data)
    best = held_out(scored, bench.ids, bench.index.statements, read_labels())
    thresholds = borders(best, precision=options.precision, recall=options.recall)
    print(f"likely from {thresholds.likely:.3f}, possible from {thresholds.possible:.3f}")
    shares = printed(summary(best, thresholds))
    draw(best, thresholds, options.curves)
    if options.sheet:
        options.sheet.write_text(
            "\n".join(unread(scored, bench, thresholds.likely - 1)) + "\n", "utf-8"
        )
    return {"rows": [shares]}


main = command(
    measure,
    add_options,
    option("--precision", type=float, default=0.9, help="wanted share of likely that is right"),
    option(
        "--recall", type=float, default=0.95, help="wanted share of right ones that are possible"
    ),
    option("--curves", type=Path, default=CURVES, metavar="DIR"),
    option("--sheet", type=Path, metavar="FILE", help="write pairs to be labelled"),
)

if __name__ == "__main__":
    sys.exit(main())
