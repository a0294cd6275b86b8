"""The timeline of a speaker: every checked claim that they made in the archive, a lane per claim.

A point is a passage; it opens its card.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from assistant.archive.repeats import CONFIRMED, Mention, RepeatedClaim
from assistant.core.domain import VerifiedClaim
from assistant.report import wording
from assistant.report.timeline import LANE_PX, MARK_PX2, SCHEMA, SHAPES
from assistant.ui.claim_timeline import DAY_AXIS, PADDING_PX, POINT_SELECTION

MAX_CLAIMS = 20
LANE_CHARACTERS = 44  # longest name of a lane, which is a statement
LANE_NAME_PX = 290
HOW_TO_READ = "One line per claim. Filled: confirmed. Open: unreviewed."


class SpokenClaim(NamedTuple):
    """A claim with the passages in which one speaker made it."""

    claim: VerifiedClaim
    mentions: Sequence[Mention]


def speakers(repeated: Iterable[RepeatedClaim]) -> list[str]:
    """Return the speakers of the counted passages, those with most passages first."""
    counts: Counter[str] = Counter()
    for repeated_claim in repeated:
        for name, mentions in repeated_claim.by_speaker():
            counts[name] += len(mentions)
    return sorted(counts, key=lambda name: (-counts[name], name))


def claims_of(repeated: Iterable[RepeatedClaim], speaker: str) -> list[SpokenClaim]:
    """Return the claims that a speaker made, those made most often first."""
    spoken_claims = []
    for repeated_claim in repeated:
        for name, mentions in repeated_claim.by_speaker():
            if name == speaker:
                spoken_claims.append(SpokenClaim(repeated_claim.claim, mentions))
    return sorted(spoken_claims, key=lambda claim: -len(claim.mentions))


def summary(spoken_claims: Sequence[SpokenClaim]) -> str:
    """Return in words how many checked claims a speaker made, and in how many debates."""
    debate_ids: set[int] = set()
    passage_count = 0
    for claim in spoken_claims:
        debate_ids.update(mention.debate.id for mention in claim.mentions)
        passage_count += len(claim.mentions)
    claim_words = wording.count(len(spoken_claims), "checked claim")
    passage_words = wording.count(passage_count, "passage")
    debate_words = wording.count(len(debate_ids), "debate")
    return f"{claim_words} in {passage_words} of {debate_words}"


def chart_specification(
    spoken_claims: Sequence[SpokenClaim], colours: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return the timeline as Vega-Lite, or None if no passage has a date.

    ``colours`` are CSS values by name.
    """
    points = []
    for spoken_claim in spoken_claims[:MAX_CLAIMS]:
        points += _chart_points(spoken_claim)
    if not points:
        return None
    # in the order of the claims, each once
    lanes = list(dict.fromkeys(point["lane"] for point in points))
    rating_classes = list(dict.fromkeys(point["rating_class"] for point in points))
    axis_colour = colours["soft"]
    time_axis = {"title": None, "grid": False, **DAY_AXIS}
    lane_axis = {"title": None, "labelLimit": LANE_NAME_PX}
    return {
        "$schema": SCHEMA,
        "description": f"{summary(spoken_claims)} over time.",
        "width": "container",
        "height": LANE_PX * len(lanes) + PADDING_PX,
        "background": "transparent",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {
            "x": {"field": "day", "type": "temporal", "axis": time_axis},
            "y": {"field": "lane", "type": "nominal", "sort": lanes, "axis": lane_axis},
        },
        "layer": [_passages_layer(points, rating_classes, colours)],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": axis_colour,
                "domainColor": axis_colour,
                "tickColor": axis_colour,
            },
        },
    }


def _chart_points(spoken_claim: SpokenClaim) -> list[dict[str, Any]]:
    """Return the dated passages of a claim."""
    claim = spoken_claim.claim
    points = []
    for mention in spoken_claim.mentions:
        day = mention.debate.event_date
        if day is None:
            continue
        points.append(
            {
                "day": day.isoformat(),
                "lane": textwrap.shorten(claim.statement, LANE_CHARACTERS, placeholder=" …"),
                "rating_class": str(claim.rating_class),
                "rating": claim.rating,
                "claim": claim.statement,
                "event": mention.debate.title,
                "text": mention.text,
                "state": mention.state,
                "report": mention.debate.report_id(),
                "number": mention.number,
                "label": f"{wording.day(day)}: {claim.rating}, {mention.state}",
            }
        )
    return points


def _passages_layer(
    points: Sequence[Mapping[str, Any]], classes: Sequence[str], colours: Mapping[str, str]
) -> dict[str, Any]:
    signs = {str(rating_class): sign for rating_class, sign in wording.RATING_SIGNS.items()}
    shapes = {str(rating_class): shape for rating_class, shape in SHAPES.items()}
    class_colours = [colours[signs[name].colour] for name in classes]
    colour_scale = {"domain": classes, "range": class_colours}
    shape_scale = {"domain": classes, "range": [shapes[name] for name in classes]}
    colour = {"field": "rating_class", "scale": colour_scale, "legend": None}
    # an expression of Vega-Lite: confirmed points are filled
    is_confirmed = f"datum.state == '{CONFIRMED}'"
    return {
        "name": "spoken",
        "data": {"values": points},
        "mark": {
            "type": "point",
            "size": MARK_PX2,
            "strokeWidth": 1.5,
            "opacity": 1,
            "cursor": "pointer",
        },
        "params": [
            {"name": POINT_SELECTION, "select": {"type": "point", "fields": ["report", "number"]}}
        ],
        "encoding": {
            "shape": {"field": "rating_class", "scale": shape_scale, "legend": None},
            "stroke": colour,
            "fill": colour,
            "fillOpacity": {"condition": {"test": is_confirmed, "value": 1}, "value": 0},
            "description": {"field": "label"},
            "tooltip": [
                {"field": "event", "title": "Event"},
                {"field": "day", "title": "Day", "type": "temporal"},
                {"field": "text", "title": "Sentence"},
                {"field": "claim", "title": "Claim"},
                {"field": "rating", "title": "Rating"},
                {"field": "state", "title": "State"},
            ],
        },
    }
