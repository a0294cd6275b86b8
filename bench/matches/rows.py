"""The list as its reader gets it.

How many of its rows are settled, how many it has, and what it misses, as read.

``python -m bench.matches.rows --data DIR [--half test|teach] [--possible B ...] [--sheet FILE] [--json FILE]`` takes
the debates of one half (the seven among them) through the steps of ``check``, with the shipped rankers: passages,
dropping, the cross-encoder where it is worth it, tiers, folding. A row is right as its pair was read
(``training/ranker/readings.tsv``, by a language model that follows docs/research/annotation-guidelines.md); a row that nobody has read
counts as *no*. ``--possible``: a column for each of these borders instead of the shipped one, the curve it was chosen from.
``--sheet`` writes the pairs of the rows that nobody has read. The shipped rankers have learnt from links of these
debates, and nothing from the readings of the half that tests; the half that teaches needs ``--folds``. ``--apart``:
instead of a half, those debates of the half that teaches that the shipped re-ranker has not learnt from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assistant.check import rankers
from assistant.core.domain import Tier
from bench.command import command, option, table
from features.models.reranker import RERANKER_WEIGHTS_FILE
from features.models.weight_files import read_card, reranker_folder
from training.shared import debates as data
from training.shared.lists import Listed, listed
from training.shared.opening import add_options, open_bench
from training.shared.readings import PART, SETTLED, TEACH, TEST, halves, kappa, read

CUT = 20  # rows that the gain is counted over
FIRST = 30  # rows of a debate within which a settled passage is wanted
DRAWN = 1000


Figure = Callable[[Sequence[Listed]], float]


def _labels(
    begin: int, end: int | None, wanted_labels: Sequence[str], tier: Tier | None = None
) -> Figure:
    """Return the share of rows ``begin`` to ``end`` of each debate, of a tier, with a wanted label."""

    def share(lists: Sequence[Listed]) -> float:
        labels = []
        for listed_debate in lists:
            labelled = list(zip(listed_debate.rows, listed_debate.labels, strict=True))
            for row, label in labelled[begin:end]:
                if tier in (None, row.tier):
                    labels.append(label)
        return sum(label in wanted_labels for label in labels) / max(len(labels), 1)

    return share


def _passages(holds: Callable[[tuple[int, bool]], bool]) -> Figure:
    return lambda lists: float(
        np.mean([holds(passage) for each in lists for passage in each.settled] or [0.0])
    )


def _linked(column: int) -> Figure:
    return lambda lists: float(
        np.mean([link[column] for each in lists for link in each.links] or [0.0])
    )


def _claims(each: Listed) -> int:
    """How many rows of a debate could be settled: its settled passages, as many as were read."""
    return len(each.settled)


def _ndcg(lists: Sequence[Listed]) -> float:
    """The normalised discounted cumulative gain of settled rows, the ideal list having all settled passages first."""
    discounts = 1 / np.log2(np.arange(2, CUT + 2))
    shares = []
    for each in lists:
        gains = np.array([label == SETTLED for label in each.labels[:CUT]], float)
        ideal = discounts[: _claims(each)].sum()
        shares.append(float(gains @ discounts[: len(gains)]) / ideal if ideal else 0.0)
    return float(np.mean(shares))


FIGURES: dict[str, Figure] = {
    "rows 1 to 10 settled": _labels(0, 10, (SETTLED,)),
    "rows 1 to 10 settled or in part": _labels(0, 10, (SETTLED, PART)),
    "rows 11 to 20 settled": _labels(10, 20, (SETTLED,)),
    "rows 11 to 20 settled or in part": _labels(10, 20, (SETTLED, PART)),
    "rows 1 to 20 settled": _labels(0, 20, (SETTLED,)),
    "nDCG of settled rows, 20 rows": _ndcg,
    "all rows settled or in part": _labels(0, None, (SETTLED, PART)),
    "all rows unread": _labels(0, None, ("",)),
    "rows for 1,000 sentences": lambda lists: (
        1000 * sum(len(each.rows) for each in lists) / sum(len(each.debate.lines) for each in lists)
    ),
    "likely settled": _labels(0, None, (SETTLED,), Tier.LIKELY),
    "likely settled or in part": _labels(0, None, (SETTLED, PART), Tier.LIKELY),
    "settled passages in the first 30 rows": _passages(lambda one: 0 < one[0] <= FIRST),
    "settled passages listed or folded": _passages(lambda one: one[0] > 0),
    "settled passages likely": _passages(lambda one: one[1]),
    "linked sentences kept": _linked(0),
    "linked sentences with the right claim searched": _linked(1),
    "linked sentences in a listed or folded passage": _linked(2),
    "best possible rows 1 to 10 settled": lambda lists: float(
        np.mean([min(10, _claims(each)) / 10 for each in lists])
    ),
}


def with_interval(figure: Figure, lists: Sequence[Listed]) -> list[float]:
    """Return a figure with its 95 % interval over resampled debates."""
    rng = np.random.default_rng(29)
    resampled_figures = []
    for _ in range(DRAWN):
        resampled_figures.append(
            figure([lists[i] for i in rng.integers(0, len(lists), len(lists))])
        )
    return [
        round(float(value), 4)
        for value in (figure(lists), *np.percentile(resampled_figures, (2.5, 97.5)))
    ]


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Print and return the figures of the list."""
    readings = read()
    bench = open_bench(options)
    labels = {pair: reading.label for pair, reading in readings.items()}
    debates = sorted(
        [*data.seven(options.data), *data.others(options.data)], key=lambda debate: debate.name
    )
    half = halves(debate.name for debate in debates)
    names = (
        unlearnt()
        if options.apart
        else {name for name, side in half.items() if side == options.half}
    )
    half_debates = [debate for debate in debates if debate.name in names]
    ranker = rankers.load(rankers.LECTERN, reranker_folder(bench.reranker_name))
    columns: dict[str, dict[str, list[float]]] = {}
    for border in options.possible or [ranker.thresholds.possible]:
        shown = replace(ranker, thresholds=ranker.thresholds._replace(possible=border))
        lists = [listed(bench, debate, shown, labels) for debate in half_debates]
        columns[f"{border:g}"] = {
            name: with_interval(figure, lists) for name, figure in FIGURES.items()
        }
        if options.sheet:
            options.sheet.write_text("\n".join(unread(lists)) + "\n", "utf-8")
    print(
        table(
            {
                "what": name,
                **{threshold: _shown(figures[name]) for threshold, figures in columns.items()},
            }
            for name in FIGURES
        )
    )
    agreed, chance_corrected = kappa(readings.values())
    print(
        f"{len(lists)} debates; {len(readings):,} pairs read, the first two readings agree on {agreed:.3f}, kappa "
        f"{chance_corrected:.3f}"
    )
    return {
        "half": "apart" if options.apart else options.half,
        "figures": columns,
        "pairs": len(readings),
        "kappa": chance_corrected,
    }


def unlearnt() -> frozenset[str]:
    """Return the debates of the half that teaches that the shipped re-ranker has not learnt from, as its card says."""
    return frozenset(read_card(RERANKER_WEIGHTS_FILE)["without"])


def unread(lists: Sequence[Listed]) -> list[str]:
    """Return debate, line and claim of the rows that nobody has read."""
    return [
        f"{each.debate.name}\t{list_row.line}\t{list_row.claim}"
        for each in lists
        for list_row, label in zip(each.rows, each.labels, strict=True)
        if not label
    ]


def _shown(figure: Sequence[float]) -> str:
    value, low, high = figure
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


main = command(
    measure,
    add_options,
    option(
        "--half",
        choices=(TEACH, TEST),
        default=TEST,
        help="which half of the debates (default: test)",
    ),
    option(
        "--apart",
        action="store_true",
        help="debates that the shipped re-ranker has not learnt from, instead",
    ),
    option(
        "--possible",
        type=float,
        nargs="+",
        metavar="B",
        help="borders of possible instead of the shipped one",
    ),
    option(
        "--sheet",
        type=Path,
        metavar="FILE",
        help="write the pairs of the rows that nobody has read",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
