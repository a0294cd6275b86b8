"""The reliability diagram of match probabilities, and the text on how they were measured.

The figures are those of docs/curves/reliability.csv, which ``bench.matches.calibration`` writes:
groups of 40 matches by rising chance, held out by transcript, and the share of each that was
right.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assistant.core.domain import Strength
from assistant.core.shipped_files import RELIABILITY_CSV
from assistant.report.measured_strength import share_in_tests
from assistant.report.timeline import SCHEMA
from assistant.ui.debate_timeline import PALETTE

DIAGRAM_PX = 320
DIAGRAM_TEXT = (
    "Each point is a group of matches to which Lectern gave about the same probability of being right. Its height is "
    "the share that was right. On the dashed line, both are equal. <b>Measured on</b> the seven annotated transcripts "
    "of one speaker, each held out in turn, against 19,250 fact-checks by PolitiFact."
)
LIMITS_TEXT = (
    "A language model made the labels of these tests. <b>The figures may differ</b> for other speakers, times and "
    "publishers."
)


class ReliabilityGroup(NamedTuple):
    """Matches with about the same chance.

    Its mean, the share that was right, and how many there are.
    """

    chance: float
    right: float
    pairs: int


def reliability_text() -> str:
    """Return the text below the diagram, with the shares of models/strength.json."""
    shares = [share_in_tests(Strength.STRONG), share_in_tests(Strength.GOOD)]
    return " ".join(filter(None, [DIAGRAM_TEXT, *shares, LIMITS_TEXT]))


def reliability_groups(path: Path = RELIABILITY_CSV) -> list[ReliabilityGroup]:
    """Return the groups by rising chance; none if the file is missing, as without the docs."""
    if not path.is_file():
        return []
    groups = []
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            group = ReliabilityGroup(
                float(line["chance"]), float(line["right"]), int(line["pairs"])
            )
            groups.append(group)
    return groups


def diagram(groups: Sequence[ReliabilityGroup]) -> dict[str, Any]:
    """Return the reliability diagram as Vega-Lite: the share that was right by the given chance."""
    descriptions = [f"given {group.chance:.0%}, right {group.right:.0%}" for group in groups]
    line = {"type": "line", "strokeDash": [4, 4], "color": PALETTE["soft"]}
    dots = {
        "type": "point",
        "filled": True,
        "size": 70,
        "opacity": 1,
        "color": PALETTE["accent"],
    }
    diagonal = [{"chance": 0, "right": 0}, {"chance": 1, "right": 1}]
    points = [group._asdict() for group in groups]
    return {
        "$schema": SCHEMA,
        "description": "; ".join(descriptions),
        "width": DIAGRAM_PX,
        "height": DIAGRAM_PX,
        "background": "transparent",
        "encoding": {
            "x": _share_axis("chance", "chance that Lectern gave"),
            "y": _share_axis("right", "share that was right"),
        },
        "layer": [
            {"mark": line, "data": {"values": diagonal}},
            {"mark": dots, "data": {"values": points}},
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": PALETTE["soft"],
                "titleColor": PALETTE["soft"],
                "titleFontWeight": "normal",
                "gridColor": PALETTE["line"],
                "domainColor": PALETTE["line"],
                "tickColor": PALETTE["line"],
            },
        },
    }


def _share_axis(field: str, title: str) -> dict[str, Any]:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%", "grid": True, "tickCount": 5, "title": title},
    }
