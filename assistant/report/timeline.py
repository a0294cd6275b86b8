"""Draws a debate as a picture: time along, a lane a speaker, a mark a passage with a match.

One Vega-Lite specification serves the page, which hands it to the browser, and the reports, for which ``svg`` and
``png`` draw it. Colour and sign say the class of the rating, a full mark is likely, an open one possible, and the
higher a mark stands in its lane, the better its rank. Source of the grammar: https://vega.github.io/vega-lite/docs.
"""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.core.domain import CheckedSentence, Match, RatingClass, Report, Sentence, Tier
from assistant.core.logo import MARK
from assistant.report import contents, wording
from assistant.report.view import ReportView

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
BRUSH = "span"  # the name of the stretch that a reader marks
LANES = 6
LANE_PX = 30
ALL_LANES_PX = 126
TICKS = 10
STEPS_S = (10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
QUOTED = 90  # characters of a sentence that are shown beside a mark
NAME_PX = 130
MARK_PX2 = 80
# of reports; paper has three dots where a screen has one
WIDTH_PX = 690
PRINTED = 3.0
ONE_TURN = 1 / 300  # of the whole: nearer turns of one speaker are drawn as one
FONT = "DejaVu Sans"
OTHERS = "Others"
NAMELESS = "Unknown"
_HERE = "https://this.page/"  # only whole addresses can be drawn; it is taken off again
_RING = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-.55,0A.55,.55,0,1,0,.55,0A.55,.55,0,1,0,-.55,0Z"
SHAPES = {
    RatingClass.TRUE: "circle",
    RatingClass.FALSE: "square",
    RatingClass.MIXTURE: "diamond",
    RatingClass.OTHER: _RING,
    RatingClass.NOT_A_TRUTH_RATING: "M-1.1,-.4L1.1,-.4L1.1,.4L-1.1,.4Z",
}
# By day, as on paper; a page gives its own, which follow its theme.
PAPER = {
    "true": "#00665a",
    "false": "#a83208",
    "mixture": "#775200",
    "other": "#465568",
    "text": "#1b2430",
    "soft": "#52606f",
    "line": "#d5dae1",
    "accent": "#1d5a9e",
}
HOW_TO_READ = "Full: likely the same claim. Open: possibly, compare both texts. Higher in its lane: better ranked."


@dataclass(frozen=True, slots=True)
class Mark:
    """A passage with a match: the number of its best sentence, its place in seconds or sentences, and its row."""

    number: int
    x: float
    speaker: str
    place: str
    tier: str
    rank: int
    rating_class: str
    rating: str
    publisher: str
    text: str
    label: str


def marks(view: ReportView) -> tuple[Mark, ...]:
    """Return the marks of a report in reading order, rejected matches left out.

    A grouped passage has the rank of its listed one.
    """
    timed = _timed(view.report)
    marks_of_view = []
    for group in view.groups:
        for passage in group.passages:
            best = passage.best
            unrejected = contents.standing(best) if best is not None else []
            if best is not None and unrejected:
                mark = _mark(best, unrejected[0], group.rank or 0, timed=timed)
                marks_of_view.append(mark)
    return tuple(sorted(marks_of_view, key=lambda mark: mark.number))


def within(report: Report, stretch: Sequence[float]) -> frozenset[int]:
    """Return the numbers of the sentences that begin in a stretch of the picture."""
    timed = _timed(report)
    (first, last) = sorted(stretch)
    return frozenset(
        sent.number for sent in report.transcript if first <= _x(sent, timed=timed) <= last
    )


def stretch_words(report: Report, stretch: Sequence[float]) -> str:
    """Return a stretch in words: ``00:14:28–00:21:40``, ``sentences 12–40``."""
    first, last = sorted(stretch)
    return (
        f"{wording.clock(first)}–{wording.clock(last)}"
        if _timed(report)
        else f"sentences {first:,.0f}–{last:,.0f}"
    )


def specification(
    report: Report,
    drawn: Sequence[Mark],
    colours: Mapping[str, str] = PAPER,
    *,
    legend: bool = True,
    anchors: Mapping[int, str] | None = None,
    brush: bool = False,
) -> dict[str, Any]:
    """Return the picture of a report with its ``marks``, at least one, as Vega-Lite.

    ``colours`` are CSS values by the names of ``PAPER``; ``anchors`` say where on its page the number of a mark leads.
    """
    lanes = _lanes(drawn)
    return {
        "$schema": SCHEMA,
        "description": summary(drawn),
        "width": "container",
        "height": lanes_height(drawn),
        "background": "transparent",
        "padding": {"left": 0, "right": 12, "top": 4, "bottom": 0},
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {"x": _along(report), "y": _lane_axis(_names(lanes))},
        "layer": [
            _talk(report, lanes, colours),
            _points(drawn, lanes, colours, legend=legend, anchors=anchors, brush=brush),
        ],
        "config": _config(colours),
    }


def lanes_height(drawn: Iterable[Mark]) -> int:
    """Return how high the lanes of these marks are together, in px, without the axis below them."""
    return min(LANE_PX * len(_names(_lanes(drawn))), ALL_LANES_PX)


def summary(drawn: Sequence[Mark]) -> str:
    """Return in words what the picture shows at a glance.

    How many marks of which tier and class.
    """
    tiers = Counter(m.tier for m in drawn)
    classes = Counter(m.rating_class for m in drawn)
    said = [f"{classes[c]:,} {wording.SIGNS[c].words}" for c in RatingClass if classes[c]]
    found = f"{tiers['likely']:,} likely and {tiers['possible']:,} possible"
    return f"{wording.count(len(drawn), 'passage')} with a match, {found}: {', '.join(said)}."


def svg(
    report: Report, drawn: Sequence[Mark], anchors: Mapping[int, str], colours: Mapping[str, str]
) -> str:
    """Return the picture as SVG, ``WIDTH_PX`` wide, its marks linked to ``anchors`` by their numbers."""
    made = specification(report, drawn, colours, anchors=anchors) | {"width": WIDTH_PX}
    return _drawn(json.dumps(made)).replace(_HERE, "")


def png(report: Report, drawn: Sequence[Mark]) -> bytes:
    """Return the picture as PNG for paper, ``WIDTH_PX`` times ``PRINTED`` wide."""
    made = specification(report, drawn) | {"width": WIDTH_PX, "background": "white"}
    return _painted(json.dumps(made))


@lru_cache(maxsize=8)
def _drawn(specified: str) -> str:
    return _converter().vegalite_to_svg(specified)


@lru_cache(maxsize=8)
def _painted(specified: str) -> bytes:
    return _converter().vegalite_to_png(specified, scale=PRINTED)


@cache
def of_mark() -> bytes:
    """Return the mark of Lectern as a PNG, sharp on paper."""
    return _converter().svg_to_png(MARK.read_text("utf-8"), scale=2 * PRINTED)


@cache
def _converter() -> Any:
    """Return the module that draws, with the one font whose widths it may use.

    No picture depends on the system's.
    """
    import vl_convert

    spec = find_spec("matplotlib")
    if spec is not None and spec.submodule_search_locations:
        vl_convert.register_font_directory(
            str(Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf")
        )
    return vl_convert


def _timed(report: Report) -> bool:
    return all(sent.start is not None for sent in report.transcript)


def _x(sent: Sentence, *, timed: bool) -> float:
    return float(sent.start or 0.0) if timed else float(sent.number)


def _lanes(drawn: Iterable[Mark]) -> dict[str, str]:
    """Return the lane of each speaker with a match, most matches first.

    Those behind the last lane share it.
    """
    names = [name for name, _ in Counter(mark.speaker for mark in drawn).most_common()]
    return {
        name: name if len(names) <= LANES or at < LANES - 1 else OTHERS
        for at, name in enumerate(names)
    }


def _mark(best: CheckedSentence, match: Match, rank: int, *, timed: bool) -> Mark:
    sent = best.sentence
    claim = match.claim
    tier = str(best.tier or Tier.POSSIBLE)
    speaker = sent.speaker or NAMELESS
    place = wording.place(sent)
    rating = claim.rating or "no rating"
    return Mark(
        number=sent.number,
        x=_x(sent, timed=timed),
        speaker=speaker,
        place=place,
        tier=tier,
        rank=rank,
        rating_class=str(claim.rating_class),
        rating=rating,
        publisher=wording.publisher(claim),
        text=textwrap.shorten(sent.text, QUOTED, placeholder=" …"),
        label=f"{speaker}, {place}: {tier}, rank {rank}, {rating}",
    )


def _points(
    drawn: Sequence[Mark],
    lanes: Mapping[str, str],
    colours: Mapping[str, str],
    *,
    legend: bool,
    anchors: Mapping[int, str] | None,
    brush: bool,
) -> dict[str, Any]:
    """Return the layer of the marks.

    "matches" is its name in the drawing, where the list finds them.
    """
    worst = max(mark.rank for mark in drawn)
    names = _names(lanes)
    values = [
        asdict(m) | {"y": names.index(lanes[m.speaker]) + _depth(m.rank, worst)} for m in drawn
    ]
    encoding = _channels(colours, drawn, legend=legend)
    if anchors:
        encoding["href"] = {"field": "href"}
        values = [v | {"href": f"{_HERE}#{anchors[v['number']]}"} for v in values]
    layer: dict[str, Any] = {
        "name": "matches",
        "data": {"values": values},
        "mark": {
            "type": "point",
            "size": MARK_PX2,
            "strokeWidth": 1.5,
            "opacity": 1,
            "cursor": "pointer",
        },
        "encoding": encoding,
    }
    if brush:
        look = {"fill": colours["accent"], "fillOpacity": 0.12, "stroke": colours["accent"]}
        layer["params"] = [
            {"name": BRUSH, "select": {"type": "interval", "encodings": ["x"], "mark": look}}
        ]
    return layer


def _depth(rank: int, worst: int) -> float:
    """Return how far below the top of its lane a mark stands, .2 to .8 of the lane.

    The best rank at the top.
    """
    return round(0.2 + 0.6 * (rank - 1) / max(worst - 1, 1), 3)


def _talk(report: Report, lanes: Mapping[str, str], colours: Mapping[str, str]) -> dict[str, Any]:
    """Return the layer that shows who speaks from where to where.

    Near turns of one lane are joined.
    """
    timed = _timed(report)
    sents = report.transcript.sentences
    gap = ONE_TURN * (_end(report) - _x(sents[0], timed=timed))
    names = _names(lanes)
    last = dict[str, dict[str, Any]]()
    turns = []
    for name, turn in groupby(sents, key=lambda sent: sent.speaker or NAMELESS):
        said = list(turn)
        lane = lanes.get(name)
        if lane is None:
            continue
        start = _x(said[0], timed=timed)
        end = max(
            start, float(said[-1].end or said[-1].start or 0.0) if timed else said[-1].number + 0.5
        )
        if lane in last and start - last[lane]["to"] <= gap:
            last[lane]["to"] = end
        else:
            last[lane] = {"y": names.index(lane) + 0.5, "x": start, "to": end}
            turns.append(last[lane])
    return {
        "data": {"values": turns},
        "mark": {
            "type": "rule",
            "strokeWidth": 3,
            "color": colours["line"],
            "aria": False,
            "tooltip": None,
        },
        "encoding": {"x2": {"field": "to"}},
    }


def _end(report: Report) -> float:
    final = report.transcript.sentences[-1]
    return float(final.end or final.start or 0.0) if _timed(report) else float(final.number)


def _along(report: Report) -> dict[str, Any]:
    """Return the axis of time, or of sentence numbers where no times are known."""
    first = _x(report.transcript.sentences[0], timed=_timed(report))
    end = _end(report)
    axis: dict[str, Any] = {
        "title": None,
        "grid": False,
        "labelFlush": True,
        "labelOverlap": "greedy",
    }
    axis["labelSeparation"] = 8
    if _timed(report):
        step = next((s for s in STEPS_S if (end - first) / s <= TICKS), STEPS_S[-1])
        ticks = range(int(-(-first // step)) * step, int(end) + 1, step)
        labels = {str(t): wording.clock(t) for t in ticks}
        axis |= {"values": list(ticks), "labelExpr": f"{json.dumps(labels)}[datum.value]"}
    else:
        axis |= {"title": "sentence", "tickMinStep": 1, "format": ",d", "tickCount": TICKS}
    scale = {"domain": [first, max(end, first + 1)], "nice": False}
    return {"field": "x", "type": "quantitative", "axis": axis, "scale": scale}


def _lane_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return the axis of the lanes: the first is 1 high from the top, its name in the middle."""
    middles = [at + 0.5 for at in range(len(names))]
    axis: dict[str, Any] = {
        "title": None,
        "domain": False,
        "ticks": False,
        "grid": False,
        "labelLimit": NAME_PX,
        "labelFontWeight": 600,
    }
    axis |= {"values": middles, "labelExpr": f"{json.dumps(names)}[floor(datum.value)]"}
    return {
        "field": "y",
        "type": "quantitative",
        "axis": axis,
        "scale": {"domain": [len(names), 0], "nice": False},
    }


def _names(lanes: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(lanes.values()))


def _channels(colours: Mapping[str, str], drawn: Iterable[Mark], *, legend: bool) -> dict[str, Any]:
    """Return colour, sign and filling, each with its part of the legend, and the words beside the pointer."""
    present = [c for c in RatingClass if any(mark.rating_class == c for mark in drawn)]
    hues = {"domain": present, "range": [colours[wording.SIGNS[c].colour] for c in present]}
    words = {str(c): wording.SIGNS[c].words for c in present}
    shown = (
        {"title": None, "orient": "bottom", "labelExpr": f"{json.dumps(words)}[datum.value]"}
        if legend
        else None
    )
    beside = {
        "place": "When",
        "speaker": "Speaker",
        "text": "Sentence",
        "rating": "Rating",
        "publisher": "Publisher",
    }
    return {
        "shape": {
            "field": "rating_class",
            "scale": {"domain": present, "range": [SHAPES[c] for c in present]},
        }
        | {"legend": shown},
        "stroke": {"field": "rating_class", "scale": hues, "legend": shown},
        "fill": {"field": "rating_class", "scale": hues, "legend": shown},
        "fillOpacity": {"field": "tier", "type": "ordinal", "legend": None}
        | {"scale": {"domain": ["likely", "possible"], "range": [1, 0]}},
        "description": {"field": "label"},
        "tooltip": [
            {"field": field, "title": title} for field, title in (beside | {"tier": "Tier"}).items()
        ],
    }


def _config(colours: Mapping[str, str]) -> dict[str, Any]:
    return {
        "font": FONT,
        "mark": {"tooltip": None},
        "view": {"stroke": None, "cursor": "crosshair"},
        "axis": {
            "labelColor": colours["soft"],
            "titleColor": colours["soft"],
            "domainColor": colours["line"],
            "tickColor": colours["line"],
            "titleFontWeight": "normal",
        },
        "axisY": {"labelColor": colours["text"]},
        "legend": {
            "labelColor": colours["text"],
            "symbolStrokeColor": colours["soft"],
            "rowPadding": 4,
            "symbolOpacity": 1,
        },
    }
