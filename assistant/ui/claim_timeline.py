"""The timeline of a fact-check: each debate in which its claim was made, a lane a speaker.

A point opens its card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.archive.repeats import CONFIRMED, RepeatedClaim
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.report.timeline import LANE_PX, MARK_PX2, OTHERS, SCHEMA, SHAPES

MAX_LANES = 8
PADDING_PX = 8  # above and below the lanes together
POINT_SELECTION = "point"
DAY_AXIS = {"format": "%b %Y", "tickCount": 8, "labelOverlap": "greedy"}
HOW_TO_READ = (
    "Full: confirmed. Open: unreviewed. The line is the day on which the fact-check was published."
)


def chart_specification(
    repeated_claim: RepeatedClaim, colours: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return the timeline as Vega-Lite, or None if no mention has a date.

    ``colours`` are CSS values by name.
    """
    points = _chart_points(repeated_claim)
    if not points:
        return None
    speakers = dict.fromkeys(point["speaker"] for point in points)
    lanes = sorted(speakers, key=lambda name: name == OTHERS)  # the shared lane comes last
    time_axis = {"title": None, "grid": False, **DAY_AXIS}
    lane_axis = {"title": None, "labelLimit": 130}
    axis_colour = colours["soft"]
    return {
        "$schema": SCHEMA,
        "description": f"{wording.count(len(points), 'passage')} over time, by speaker.",
        "width": "container",
        "height": LANE_PX * len(lanes) + PADDING_PX,
        "background": "transparent",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {
            "x": {"field": "day", "type": "temporal", "axis": time_axis},
            "y": {"field": "speaker", "type": "nominal", "sort": lanes, "axis": lane_axis},
        },
        "layer": [
            *_publication_layer(repeated_claim, colours),
            _mentions_layer(points, repeated_claim, colours),
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": axis_colour,
                "domainColor": axis_colour,
                "tickColor": axis_colour,
            },
        },
    }


def _chart_points(repeated_claim: RepeatedClaim) -> list[dict[str, Any]]:
    """Return the dated mentions; the speakers beyond MAX_LANES share one lane."""
    lane_by_sentence: dict[Any, str] = {}
    for index, (speaker, mentions) in enumerate(repeated_claim.by_speaker()):  # most mentions first
        lane = shown_name(speaker) if index < MAX_LANES else OTHERS
        for mention in mentions:
            lane_by_sentence[mention.sentence] = lane
    points = []
    for mention in repeated_claim.mentions:
        day = mention.debate.event_date
        if day is None:
            continue
        points.append(
            {
                "day": day.isoformat(),
                "speaker": lane_by_sentence[mention.sentence],
                "event": mention.debate.title,
                "text": mention.text,
                "state": mention.state,
                "report": mention.debate.report_id(),
                "number": mention.number,
                "label": f"{shown_name(mention.speaker)}, {wording.day(day)}: {mention.state}",
            }
        )
    return points


def _mentions_layer(
    points: list[dict[str, Any]], repeated_claim: RepeatedClaim, colours: Mapping[str, str]
) -> dict[str, Any]:
    rating_class = repeated_claim.claim.rating_class
    colour = colours[wording.RATING_SIGNS[rating_class].colour]
    # an expression of Vega-Lite: confirmed points are filled
    is_confirmed = f"datum.state == '{CONFIRMED}'"
    return {
        "name": "mentions",
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
            "shape": {"value": SHAPES[rating_class]},
            "stroke": {"value": colour},
            "fill": {"value": colour},
            "fillOpacity": {"condition": {"test": is_confirmed, "value": 1}, "value": 0},
            "description": {"field": "label"},
            "tooltip": [
                {"field": "event", "title": "Event"},
                {"field": "day", "title": "Day", "type": "temporal"},
                {"field": "text", "title": "Sentence"},
                {"field": "state", "title": "State"},
            ],
        },
    }


def _publication_layer(
    repeated_claim: RepeatedClaim, colours: Mapping[str, str]
) -> list[dict[str, Any]]:
    day = repeated_claim.claim.review_date
    if day is None:
        return []
    mark = {"type": "rule", "color": colours["accent"], "strokeDash": [4, 3], "aria": False}
    # a line over all lanes
    only_time = {"x": {"field": "day", "type": "temporal"}, "y": None}
    return [{"data": {"values": [{"day": day.isoformat()}]}, "mark": mark, "encoding": only_time}]
