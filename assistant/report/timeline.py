"""The timeline of a debate: one lane per speaker, one mark per passage with a match.

One Vega-Lite specification serves the page, which draws it in the browser, and the report forms,
for which ``svg`` and ``png`` draw it. Colour and shape show the class of the rating, a filled mark
is strong, an open one possible, and a higher mark in its lane has a better rank. Source of the
grammar: https://vega.github.io/vega-lite/docs.
"""

from __future__ import annotations

import json
import math
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
from assistant.core.logo import LOGO_PATH
from assistant.report import contents, wording
from assistant.report.speaker_names import shown_name
from assistant.report.view import ReportView

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
BRUSH = "span"  # name of the interval that a reader selects
MAX_LANES = 6
LANE_PX = 30
ALL_LANES_PX = 126
STRIP_PX = 36
# By strength, in the order of wording.STRENGTH_WORDS: area, and distance from the top of the strip
# as a fraction of its height. The tier likely stands for strong in a report without strengths.
STRIP_PX2 = (80, 80, 52, 34)
STRIP_Y = (0.25, 0.25, 0.47, 0.68)
FILL_OPACITY = (1, 1, 0.4, 0)
MAX_TICKS = 10
TICK_STEPS_S = (10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
QUOTE_CHARACTERS = 90  # longest sentence and claim in the tooltip of a mark
SPEAKER_NAME_PX = 240
MARK_PX2 = 80
# Timelines in report forms: paper has three dots per dot of a screen.
WIDTH_PX = 690
PRINT_SCALE = 3.0
# Fraction of the event: turns of one speaker that are closer are drawn as one.
MAX_TURN_GAP = 1 / 300
FONT = "DejaVu Sans"
OTHERS = "Others"
NAMELESS = "Unknown"
# The chart library draws whole addresses only; this prefix is removed from the drawing.
_LINK_PREFIX = "https://this.page/"
_RING = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-.55,0A.55,.55,0,1,0,.55,0A.55,.55,0,1,0,-.55,0Z"
SHAPES = {
    RatingClass.TRUE: "circle",
    RatingClass.FALSE: "square",
    RatingClass.MIXTURE: "diamond",
    RatingClass.OTHER: _RING,
    RatingClass.NOT_A_TRUTH_RATING: "M-1.1,-.4L1.1,-.4L1.1,.4L-1.1,.4Z",
}
# Colours on paper and of the light theme; a page passes its own.
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
HOW_TO_READ = "Filled: strong. Half filled: good. Open: possible. Higher: better match."
CLICK_WORDS = "opens the card of the statement"
# Fields of a mark in its tooltip, with their labels.
_TOOLTIP = (
    ("place", "When"),
    ("speaker", "Speaker"),
    ("text", "Sentence"),
    ("rating", "Rating"),
    ("publisher", "Publisher"),
    ("claim", "Claim"),
    ("strength", "Match"),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A passage with a match as it is drawn, at ``x`` seconds or sentences."""

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
    strength: str = ""  # the strength in words, the tier in a report without strengths
    claim: str = ""


def marks(view: ReportView) -> tuple[Mark, ...]:
    """Return the marks of a report in reading order, rejected matches left out.

    A grouped passage has the rank of its listed one.
    """
    # A group is a listed passage with the passages that are folded below it.
    has_times = _has_times(view.report)
    report_marks = []
    for group in view.groups:
        for passage in group.passages:
            best = passage.best
            unrejected = contents.unrejected_matches(best) if best is not None else []
            if best is not None and unrejected:
                mark = _mark(best, unrejected[0], group.rank or 0, timed=has_times)
                report_marks.append(mark)
    return tuple(sorted(report_marks, key=lambda mark: mark.number))


def sentences_within(report: Report, interval: Sequence[float]) -> frozenset[int]:
    """Return the numbers of the sentences that begin in an interval of the timeline."""
    has_times = _has_times(report)
    interval_start, interval_end = sorted(interval)
    numbers = set()
    for sentence in report.transcript:
        position = _position_on_axis(sentence, timed=has_times)
        if interval_start <= position <= interval_end:
            numbers.add(sentence.number)
    return frozenset(numbers)


def interval_words(report: Report, interval: Sequence[float]) -> str:
    """Return an interval in words: ``00:14:28–00:21:40``, ``sentences 12–40``."""
    lower, upper = sorted(interval)
    if _has_times(report):
        return f"{wording.clock(lower)}–{wording.clock(upper)}"
    return f"sentences {lower:,.0f}–{upper:,.0f}"


def chart_specification(
    report: Report,
    report_marks: Sequence[Mark],
    colours: Mapping[str, str] = PAPER,
    *,
    legend: bool = True,
    anchors: Mapping[int, str] | None = None,
    brush: bool = False,
) -> dict[str, Any]:
    """Return the timeline of a report with its marks, at least one, as a Vega-Lite specification.

    ``colours`` are CSS values by the names of ``PAPER``; ``anchors`` are the link targets on the
    page by the numbers of the marks.
    """
    lane_by_speaker = _lane_by_speaker(report_marks)
    mark_layer = _mark_layer(report_marks, lane_by_speaker, colours, legend=legend, anchors=anchors)
    if brush:  # the chart of the page, whose marks can be selected
        mark_layer["params"] = [_brush(colours)]
        mark_layer["encoding"]["tooltip"].append({"field": "click", "title": "Click"})
        for value in mark_layer["data"]["values"]:
            value["click"] = CLICK_WORDS
    return {
        "$schema": SCHEMA,
        "description": summary(report_marks),
        "width": "container",
        "height": lanes_height(report_marks),
        "background": "transparent",
        "padding": {"left": 0, "right": 12, "top": 4, "bottom": 0},
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {"x": _time_axis(report), "y": _lane_axis(_lane_names(lane_by_speaker))},
        "layer": [_turn_layer(report, lane_by_speaker, colours), mark_layer],
        "config": _config(colours),
    }


def strip_specification(
    report: Report, report_marks: Sequence[Mark], colours: Mapping[str, str]
) -> dict[str, Any]:
    """Return the timeline in one low lane for all speakers, stronger marks higher and larger."""
    chart = chart_specification(report, report_marks, colours, legend=False, brush=True)
    # The chart is a specification of Vega-Lite with two layers: turns as bars, marks as points.
    turns, points = chart["layer"]
    # A strip has one lane for all speakers: the stronger a match, the higher its mark.
    strengths = [str(word) for word in wording.STRENGTH_WORDS]
    height_by_strength = dict(zip(strengths, STRIP_Y, strict=True))
    for turn in turns["data"]["values"]:
        turn["y"] = 1.0
    for mark in points["data"]["values"]:
        mark["y"] = height_by_strength[mark["strength"]]
    points["encoding"]["size"] = _strength_channel(STRIP_PX2)
    scale = {"domain": [1, 0], "nice": False}  # 0 is at the top
    chart["encoding"]["y"] = {"field": "y", "type": "quantitative", "axis": None, "scale": scale}
    time_axis = chart["encoding"]["x"]["axis"]
    time_axis |= {"title": None, "ticks": False, "labelPadding": 2}
    if "labelExpr" not in time_axis:  # the unit, which the strip has no title for
        time_axis["labelExpr"] = "datum.index ? datum.label : 'sentence ' + datum.label"
    chart["height"] = STRIP_PX
    chart["padding"] = {"left": 4, "right": 12, "top": 0, "bottom": 0}
    return chart


def lanes_height(report_marks: Iterable[Mark]) -> int:
    """Return the height of all lanes in px, without the axis below them."""
    lane_count = len(_lane_names(_lane_by_speaker(report_marks)))
    return min(LANE_PX * lane_count, ALL_LANES_PX)


def summary(report_marks: Sequence[Mark]) -> str:
    """Describe the timeline in words: the number of marks, by strength and by rating class."""
    count_by_strength = Counter(mark.strength or mark.tier for mark in report_marks)
    strengths = []
    for strength in wording.STRENGTH_WORDS:
        if count_by_strength[strength]:
            strengths.append(f"{count_by_strength[strength]:,} {strength}")
    count_by_class = Counter(mark.rating_class for mark in report_marks)
    ratings = []
    for rating_class in RatingClass:
        if count_by_class[rating_class]:
            rating_words = wording.RATING_SIGNS[rating_class].words
            ratings.append(f"{count_by_class[rating_class]:,} {rating_words}")
    total = wording.count(len(report_marks), "passage")
    return f"{total} with a match ({', '.join(strengths)}): {', '.join(ratings)}."


def svg(
    report: Report,
    report_marks: Sequence[Mark],
    anchors: Mapping[int, str],
    colours: Mapping[str, str],
) -> str:
    """Return the timeline as SVG, its marks linked to ``anchors`` by their numbers."""
    chart = chart_specification(report, report_marks, colours, anchors=anchors)
    chart["width"] = WIDTH_PX
    return _svg_of(json.dumps(chart)).replace(_LINK_PREFIX, "")


def png(report: Report, report_marks: Sequence[Mark]) -> bytes:
    """Return the timeline as PNG for paper, ``PRINT_SCALE`` times ``WIDTH_PX`` wide."""
    chart = chart_specification(report, report_marks)
    chart["width"] = WIDTH_PX
    chart["background"] = "white"
    return _png_of(json.dumps(chart))


@lru_cache(maxsize=8)
def _svg_of(chart_json: str) -> str:
    return _converter().vegalite_to_svg(chart_json)


@lru_cache(maxsize=8)
def _png_of(chart_json: str) -> bytes:
    return _converter().vegalite_to_png(chart_json, scale=PRINT_SCALE)


@cache
def logo_png() -> bytes:
    """Return the logo of Lectern as a PNG that is sharp on paper."""
    return _converter().svg_to_png(LOGO_PATH.read_text("utf-8"), scale=2 * PRINT_SCALE)


@cache
def _converter() -> Any:
    """Return the chart converter with the only font that it may measure text with.

    No timeline depends on the fonts of the system.
    """
    import vl_convert

    spec = find_spec("matplotlib")
    if spec is not None and spec.submodule_search_locations:
        package = Path(spec.submodule_search_locations[0])
        vl_convert.register_font_directory(str(package / "mpl-data" / "fonts" / "ttf"))
    return vl_convert


def _has_times(report: Report) -> bool:
    return all(sentence.start is not None for sentence in report.transcript)


def _position_on_axis(sentence: Sentence, *, timed: bool) -> float:
    """Return where a sentence begins, in seconds or as its number."""
    return float(sentence.start or 0.0) if timed else float(sentence.number)


def _lane_by_speaker(report_marks: Iterable[Mark]) -> dict[str, str]:
    """Return the lane of each speaker, most matches first; the last lane may be shared."""
    mark_counts = Counter(mark.speaker for mark in report_marks)
    speakers = [speaker for speaker, _ in mark_counts.most_common()]
    # A lane is named after its speaker.
    lane_of_speaker = {speaker: speaker for speaker in speakers}
    if len(speakers) > MAX_LANES:
        # The speakers with the fewest marks share the last lane.
        for speaker in speakers[MAX_LANES - 1 :]:
            lane_of_speaker[speaker] = OTHERS
    return lane_of_speaker


def _lane_names(lanes: Mapping[str, str]) -> list[str]:
    """Return the names of the lanes from top to bottom."""
    return list(dict.fromkeys(lanes.values()))


def _mark(best: CheckedSentence, match: Match, rank: int, *, timed: bool) -> Mark:
    sentence = best.sentence
    claim = match.claim
    tier = str(best.listed_tier or Tier.POSSIBLE)
    strength = str(match.strength or tier)
    speaker = shown_name(sentence.speaker or NAMELESS)
    time = wording.time_or_numbers(sentence)
    rating = claim.rating or "no rating"
    return Mark(
        number=sentence.number,
        x=_position_on_axis(sentence, timed=timed),
        speaker=speaker,
        place=time,
        tier=tier,
        rank=rank,
        rating_class=str(claim.rating_class),
        rating=rating,
        publisher=wording.publisher(claim),
        text=textwrap.shorten(sentence.text, QUOTE_CHARACTERS, placeholder=" …"),
        label=f"{speaker}, {time}: {strength}, rank {rank}, {rating}",
        strength=strength,
        claim=textwrap.shorten(claim.statement, QUOTE_CHARACTERS, placeholder=" …"),
    )


def _mark_layer(
    report_marks: Sequence[Mark],
    lane_by_speaker: Mapping[str, str],
    colours: Mapping[str, str],
    *,
    legend: bool,
    anchors: Mapping[int, str] | None,
) -> dict[str, Any]:
    """Return the layer of the marks; the list of the page finds them by its name, "matches"."""
    worst_rank = max(mark.rank for mark in report_marks)
    lane_names = _lane_names(lane_by_speaker)
    encoding = _channels(colours, report_marks, legend=legend)
    if anchors:
        encoding["href"] = {"field": "href"}
    point_values = []
    for mark in report_marks:
        lane_index = lane_names.index(lane_by_speaker[mark.speaker])
        point_value = asdict(mark) | {"y": lane_index + _depth_in_lane(mark.rank, worst_rank)}
        if anchors:
            point_value["href"] = f"{_LINK_PREFIX}#{anchors[mark.number]}"
        point_values.append(point_value)
    return {
        "name": "matches",
        "data": {"values": point_values},
        "mark": {
            "type": "point",
            "size": MARK_PX2,
            "strokeWidth": 1.5,
            "opacity": 1,
            "cursor": "pointer",
        },
        "encoding": encoding,
    }


def _brush(colours: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameter that lets a reader select an interval of time."""
    look = {"fill": colours["accent"], "fillOpacity": 0.12, "stroke": colours["accent"]}
    return {"name": BRUSH, "select": {"type": "interval", "encodings": ["x"], "mark": look}}


def _depth_in_lane(rank: int, worst_rank: int) -> float:
    """Return the distance of a mark from the top of its lane, .2 (best rank) to .8 of it."""
    # Ranks begin with 1; the only rank is at the top.
    rank_range = max(worst_rank - 1, 1)
    return round(0.2 + 0.6 * (rank - 1) / rank_range, 3)


def _turn_layer(
    report: Report, lanes: Mapping[str, str], colours: Mapping[str, str]
) -> dict[str, Any]:
    """Return the layer that shows who speaks when; close turns of one lane are joined."""
    timed = _has_times(report)
    sentences = report.transcript.sentences
    max_gap = MAX_TURN_GAP * (_end_of_axis(report) - _position_on_axis(sentences[0], timed=timed))
    lane_names = _lane_names(lanes)
    latest_of_lane: dict[str, dict[str, Any]] = {}
    turns = []
    for speaker, run in groupby(sentences, key=lambda sentence: sentence.speaker or NAMELESS):
        turn_sentences = list(run)
        lane = lanes.get(shown_name(speaker))
        # A speaker without a mark has no lane.
        if lane is None:
            continue
        start = _position_on_axis(turn_sentences[0], timed=timed)
        end = max(start, _turn_end(turn_sentences[-1], timed=timed))
        latest_line = latest_of_lane.get(lane)
        if latest_line is not None and start - latest_line["to"] <= max_gap:
            latest_line["to"] = end
        else:
            line = {"y": lane_names.index(lane) + 0.5, "x": start, "to": end}
            latest_of_lane[lane] = line
            turns.append(line)
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


def _turn_end(sentence: Sentence, *, timed: bool) -> float:
    """Return where a turn with this last sentence ends, in seconds or sentences."""
    if timed:
        return float(sentence.end or sentence.start or 0.0)
    return sentence.number + 0.5


def _end_of_axis(report: Report) -> float:
    """Return where the transcript ends, in seconds or as the number of its last sentence."""
    final = report.transcript.sentences[-1]
    if _has_times(report):
        return float(final.end or final.start or 0.0)
    return float(final.number)


def _time_axis(report: Report) -> dict[str, Any]:
    """Return the axis of time, or of sentence numbers if times are not known."""
    has_times = _has_times(report)
    start = _position_on_axis(report.transcript.sentences[0], timed=has_times)
    end = _end_of_axis(report)
    axis: dict[str, Any] = {
        "title": None,
        "grid": False,
        "labelFlush": True,
        "labelOverlap": "greedy",
        "labelSeparation": 8,
    }
    if has_times:
        ticks_s = _tick_times_s(start, end)
        # An expression of Vega that looks up the label of a tick.
        labels = {str(tick_s): wording.clock(tick_s) for tick_s in ticks_s}
        axis["values"] = ticks_s
        axis["labelExpr"] = f"{json.dumps(labels)}[datum.value]"
    else:
        axis["title"] = "sentence"
        axis["tickMinStep"] = 1
        axis["format"] = ",d"
        axis["tickCount"] = MAX_TICKS
    # A debate of one sentence still needs an axis with a length.
    end_of_scale = max(end, start + 1)
    scale = {"domain": [start, end_of_scale], "nice": False}
    return {"field": "x", "type": "quantitative", "axis": axis, "scale": scale}


def _tick_times_s(start_s: float, end_s: float) -> list[int]:
    """Return the seconds of the ticks: multiples of the shortest step with few enough ticks."""
    step_s = TICK_STEPS_S[-1]
    for candidate_s in TICK_STEPS_S:
        if (end_s - start_s) / candidate_s <= MAX_TICKS:
            step_s = candidate_s
            break
    first_tick_s = math.ceil(start_s / step_s) * step_s
    return list(range(first_tick_s, int(end_s) + 1, step_s))


def _lane_axis(lane_names: Sequence[str]) -> dict[str, Any]:
    """Return the axis of the lanes: each is 1 high, from the top, its name in the middle."""
    lane_middles = [lane_index + 0.5 for lane_index in range(len(lane_names))]
    # An expression of Vega that looks up the name of a lane by the position of its middle
    label_expression = f"{json.dumps(lane_names)}[floor(datum.value)]"
    axis: dict[str, Any] = {
        "title": None,
        "domain": False,
        "ticks": False,
        "grid": False,
        "labelLimit": SPEAKER_NAME_PX,
        "labelFontWeight": 600,
        "values": lane_middles,
        "labelExpr": label_expression,
    }
    scale = {"domain": [len(lane_names), 0], "nice": False}  # 0 is at the top
    return {"field": "y", "type": "quantitative", "axis": axis, "scale": scale}


def _channels(
    colours: Mapping[str, str], report_marks: Iterable[Mark], *, legend: bool
) -> dict[str, Any]:
    """Return the encodings of the marks: shape, colour, filling, labels and tooltip."""
    present_classes = {mark.rating_class for mark in report_marks}
    classes = [rating_class for rating_class in RatingClass if rating_class in present_classes]
    signs = [wording.RATING_SIGNS[rating_class] for rating_class in classes]
    legend_entry = None
    if legend:
        words_by_class = {}
        for rating_class, sign in zip(classes, signs, strict=True):
            words_by_class[str(rating_class)] = sign.words
        # An expression of Vega that looks the words of a class up.
        label_expression = f"{json.dumps(words_by_class)}[datum.value]"
        legend_entry = {"title": None, "orient": "bottom", "labelExpr": label_expression}
    shapes = [SHAPES[rating_class] for rating_class in classes]
    class_colours = [colours[sign.colour] for sign in signs]
    shape_scale = {"domain": classes, "range": shapes}
    colour_scale = {"domain": classes, "range": class_colours}
    colour = {"field": "rating_class", "scale": colour_scale, "legend": legend_entry}
    return {
        "shape": {"field": "rating_class", "scale": shape_scale, "legend": legend_entry},
        "stroke": colour,
        "fill": colour,
        "fillOpacity": _strength_channel(FILL_OPACITY),
        "description": {"field": "label"},
        "tooltip": [{"field": field, "title": title} for field, title in _TOOLTIP],
    }


def _strength_channel(values: Sequence[float]) -> dict[str, Any]:
    """Return an encoding that has a value for each strength, strongest first."""
    # Without this type Vega-Lite spreads the marks between the first two values only.
    scale = {
        "type": "ordinal",
        "domain": list(map(str, wording.STRENGTH_WORDS)),
        "range": list(values),
    }
    return {"field": "strength", "type": "ordinal", "legend": None, "scale": scale}


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
