"""How sure is *likely*? Held-out debates, the gold as read: reliability, risk and coverage, and how the tiers fare.

``python -m bench.matches.calibration --data DIR [--index DIR] [--cache DIR] [--curves DIR] [--json FILE] [--sheet
FILE]``. Each of the seven debates is scored as the others taught what *likely* goes by (``training.ranker.sureness``),
which needs an index of statements only. A pair is right if the strict gold or a reader who saw neither score nor gold
says so (``training/ranker/likely_read.tsv``); where the reader could not tell it is left out.
``--sheet`` writes what would be likely and nobody read or judged, with its context, to be read.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from assistant.ground.errors import LecternError
from ranking.tiers import Thresholds
from training.ranker import sureness
from training.ranker.tier_borders import HeldOut, best_pairs, borders, held_out, read_labels
from training.shared.examples import Example
from training.shared.intervals import Share
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench

BINS = 8
CURVES = Path(__file__).resolve().parents[2] / "docs" / "curves"
Floats = NDArray[np.floating]


def summary(found: HeldOut, thresholds: Thresholds) -> dict[str, Any]:
    """Return how the tiers of sentences fare: shares with intervals, by the strict gold and as read."""
    likely = (found.score >= thresholds.likely) & found.may
    known = likely & found.known
    return {
        "likely": int(likely.sum()),
        "likely right, strict gold": Share.count(found.strict[likely]),
        "likely right, as read": Share.count(found.right[known]),
        "of them unread and unjudged": int((likely & ~found.known & (found.read == "")).sum()),
        "verifiable that are likely": Share.count(likely[found.verifiable]),
        "right pairs that the veto stops": Share.count(~found.may[found.right & (found.score >= thresholds.likely)]),
        "verifiable that are possible or likely": Share.count((found.score >= thresholds.possible)[found.verifiable]),
    }


def risk_coverage(found: HeldOut) -> tuple[Floats, Floats]:
    """Return for every score as a border (falling) the share of verifiable sentences that are likely, and of likely
    ones the share that is wrong."""
    usable = found.known & found.may
    order = np.argsort(-found.score[usable], kind="stable")
    wrong = np.cumsum(~found.right[usable][order]) / np.arange(1, usable.sum() + 1)
    covered = np.cumsum(found.verifiable[usable][order]) / max(found.verifiable.sum(), 1)
    return covered, wrong


def reliability(found: HeldOut, bins: int = BINS) -> list[tuple[float, float, int]]:
    """Return (mean predicted chance, share that is right, pairs) of equally filled bins of the likelier half."""
    usable = found.known & found.may
    chance, right = expit(found.score[usable]), found.right[usable]
    order = np.argsort(chance, kind="stable")[-bins * 40 :]
    return [(float(chance[part].mean()), float(right[part].mean()), len(part)) for part in np.array_split(order, bins)]


def draw(found: HeldOut, thresholds: Thresholds, folder: Path) -> None:
    """Write reliability and risk against coverage as one PNG and two CSV files; makes the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    points, (covered, wrong) = reliability(found), risk_coverage(found)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4))
    left.plot([0, 1], [0, 1], color="0.7")
    left.plot([p[0] for p in points], [p[1] for p in points], marker="o")
    left.axvline(float(expit(thresholds.likely)), linestyle=":", color="0.4")
    left.set(xlabel="predicted chance", ylabel="share that is right", title="Reliability, held out")
    right.plot(covered, wrong)
    right.axhline(0.1, linestyle=":", color="0.4")
    right.set(
        xlabel="verifiable sentences that are likely", ylabel="likely that are wrong", xlim=(0, 0.8), ylim=(0, 0.8)
    )
    right.set_title("Risk against coverage, held out")
    figure.tight_layout()
    figure.savefig(folder / "tiers.png", dpi=90, metadata={"Software": None})
    _write(folder / "reliability.csv", ("chance", "right", "pairs"), points)
    _write(folder / "risk_coverage.csv", ("covered", "wrong"), zip(covered.tolist(), wrong.tolist(), strict=True))


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[float]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows([round(value, 4) for value in row] for row in rows)


def unread(scored: Sequence[tuple[Example, Floats]], bench: Bench, least: float) -> Iterable[str]:
    """Yield the best pairs above a score that nobody read or judged: debate, line, claim, context, statement."""
    labels = read_labels()
    for example, scores in scored:
        debate, inputs = example.debate, example.inputs
        for pair in best_pairs(scores, inputs).tolist():
            row, claim = int(inputs.sentence[pair]), int(inputs.claim[pair])
            key = (debate.name, debate.lines[row], str(bench.ids[claim]))
            if scores[pair] >= least and not example.right[pair] and key not in labels:
                before, text = " ".join(debate.texts[max(0, row - 2) : row]), debate.texts[row]
                yield "\t".join((*map(str, key), before[-250:], text, bench.index.statements[claim]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the held-out debates, print how the tiers fare, draw the curves."""
    parser = argparse.ArgumentParser(prog="python -m bench.matches.calibration", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument(
        "--precision", type=float, default=0.9, help="wanted share of likely that is right (default .9)"
    )
    parser.add_argument(
        "--recall", type=float, default=0.95, help="share of right ones that are possible (default .95)"
    )
    parser.add_argument("--curves", type=Path, default=CURVES, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--sheet", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        bench = open_bench(options)
        scored, _ = sureness.held_out(bench, options.data)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    found = held_out(scored, bench.ids, bench.index.statements, read_labels())
    thresholds = borders(found, precision=options.precision, recall=options.recall)
    told = summary(found, thresholds)
    print(f"likely from {thresholds.likely:.3f}, possible from {thresholds.possible:.3f}")
    print("\n".join(f"{name:42}{value}" for name, value in told.items()))
    draw(found, thresholds, options.curves)
    if options.sheet:
        options.sheet.write_text("\n".join(unread(scored, bench, thresholds.likely - 1)) + "\n", "utf-8")
    if options.json:
        plain = {name: v.plain() if isinstance(v, Share) else v for name, v in told.items()}
        options.json.write_text(json.dumps({"rows": [plain]}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
