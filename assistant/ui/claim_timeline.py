"""The timeline of a fact-check: each debate in which its claim was made, a lane a speaker.

A point opens its card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.archive.repeats import CONFIRMED, Repeated
from assistant.report import wording
from assistant.report.timeline import LANE_PX, MARK_PX2, OTHERS, SCHEMA, SHAPES

MAX_LANES = 8
POINT_SELECTION = "point"
DAY_AXIS = {"format": "%b %Y", "tickCount": 8, "labelOverlap": "greedy"}
HOW_TO_READ = (
    "Full: confirmed. Open: unreviewed. The line is the day on which the fact-check was published."
)


def specification(repeated: Repeated, colours: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the timeline as Vega-Lite, None where no day is known.

    ``colours`` are CSS values by name.
    """
    points = _points(repeated)
    if not points:
        return None
    lanes = sorted(
        dict.fromkeys(point["speaker"] for point in points), key=lambda name: name == OTHERS
    )
    colour = colours[wording.SIGNS[repeated.claim.rating_class].colour]
    return {
        "$schema": SCHEMA,
        "description": f"{wording.count(len(points), 'passage')} over time, by speaker.",
        "width": "container",
        "height": LANE_PX * len(lanes) + 8,
        "background": "transparent",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {
            "x": {
                "field": "day",
                "type": "temporal",
                "axis": {"title": None, "grid": False, **DAY_AXIS},
            },
            "y": {
                "field": "speaker",
                "type": "nominal",
                "sort": lanes,
                "axis": {"title": None, "labelLimit": 130},
            },
        },
        "layer": [
            *_publication_layer(repeated, colours),
            _mentions_layer(points, repeated, colour),
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {name: colours["soft"] for name in ("labelColor", "domainColor", "tickColor")},
        },
    }


def _points(repeated: Repeated) -> list[dict[str, Any]]:
    first = [name for name, _ in repeated.by()[:MAX_LANES]]
    names = {mention.sentence: name for name, said in repeated.by() for mention in said}
    return [
        {
            "day": mention.debate.event_date.isoformat(),
            "speaker": names[mention.sentence] if names[mention.sentence] in first else OTHERS,
            "event": mention.debate.title,
            "text": mention.text,
            "state": mention.state,
            "report": mention.debate.report(),
            "number": mention.number,
            "label": f"{mention.speaker}, {wording.day(mention.debate.event_date)}: {mention.state}",
        }
        for mention in repeated.mentions
        if mention.debate.event_date
    ]


def _mentions_layer(points: list[dict[str, Any]], repeated: Repeated, hue: str) -> dict[str, Any]:
    shown = {"event": "Event", "day": "Day", "text": "Sentence", "state": "State"}
    kinds = {"day": {"type": "temporal"}}
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
            "shape": {"value": SHAPES[repeated.claim.rating_class]},
            "stroke": {"value": hue},
            "fill": {"value": hue},
            "fillOpacity": {
                "condition": {"test": f"datum.state == '{CONFIRMED}'", "value": 1},
                "value": 0,
            },
            "description": {"field": "label"},
            "tooltip": [
                {"field": name, "title": title, **kinds.get(name, {})}
                for name, title in shown.items()
            ],
        },
    }


def _publication_layer(repeated: Repeated, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    day = repeated.claim.review_date
    if day is None:
        return []
    mark = {"type": "rule", "color": colours["accent"], "strokeDash": [4, 3], "aria": False}
    only_time = {"x": {"field": "day", "type": "temporal"}, "y": None}
    return [{"data": {"values": [{"day": day.isoformat()}]}, "mark": mark, "encoding": only_time}]
