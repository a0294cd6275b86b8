"""Draws how far the chance that Lectern gives a match can be relied on, and says in words where it was measured.

The figures are those of docs/curves/reliability.csv, which ``bench.matches.calibration`` writes:
groups of 40 matches by rising chance, held out by transcript, and the share of each that was
right.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assistant.report.timeline import SCHEMA
from assistant.ui.debate_timeline import PALETTE

RELIABILITY_CSV = Path(__file__).parents[2] / "docs" / "curves" / "reliability.csv"
DIAGRAM_PX = 220
RELIABILITY_TEXT = (
    "Each point is a group of matches to which Lectern gave about the same chance of being right; its height is the "
    "share that was right. On the dashed line, a chance can be taken at its word. <b>Measured on</b> the seven "
    "annotated transcripts of one speaker, each held out in turn, against 19,250 fact-checks by PolitiFact. "
    "<b>Likely</b> was set on 35 other debates; in 35 more, 93 of 100 likely matches settle their sentence or a "
    "part of it, and 69 all of it, as a language model read them. <b>That does not hold</b> for other speakers, "
    "times and publishers without a measurement of their own, and a claim in other words is often only possible."
)


class ReliabilityGroup(NamedTuple):
    """Matches with about the same chance.

    Its mean, the share that was right, and how many there are.
    """

    chance: float
    right: float
    pairs: int


def reliability_groups(path: Path = RELIABILITY_CSV) -> list[ReliabilityGroup]:
    """Return the groups by rising chance.

    None where the file is missing, as in an installation without docs.
    """
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            ReliabilityGroup(float(row["chance"]), float(row["right"]), int(row["pairs"]))
            for row in csv.DictReader(file)
        ]


def diagram(found: Sequence[ReliabilityGroup]) -> dict[str, Any]:
    """Return the reliability diagram as Vega-Lite.

    The share that was right against the chance given.
    """
    percent = {"format": ".0%", "grid": True, "tickCount": 5}
    axes = {
        name: {
            "field": name,
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": percent | {"title": title},
        }
        for name, title in (("chance", "chance given"), ("right", "share that was right"))
    }
    line = {"mark": {"type": "line", "strokeDash": [4, 4], "color": PALETTE["soft"]}}
    dots = {
        "mark": {
            "type": "point",
            "filled": True,
            "size": 70,
            "opacity": 1,
            "color": PALETTE["accent"],
        }
    }
    return {
        "$schema": SCHEMA,
        "description": "; ".join(f"given {g.chance:.0%}, right {g.right:.0%}" for g in found),
        "width": DIAGRAM_PX,
        "height": DIAGRAM_PX,
        "background": "transparent",
        "encoding": {"x": axes["chance"], "y": axes["right"]},
        "layer": [
            line | {"data": {"values": [{"chance": end, "right": end} for end in (0, 1)]}},
            dots | {"data": {"values": [g._asdict() for g in found]}},
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": PALETTE["soft"],
                "titleColor": PALETTE["soft"],
                "titleFontWeight": "normal",
            }
            | {
                "gridColor": PALETTE["line"],
                "domainColor": PALETTE["line"],
                "tickColor": PALETTE["line"],
            },
        },
    }
