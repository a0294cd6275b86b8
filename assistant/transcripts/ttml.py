"""TTML and its children (DFXP, SMPTE-TT, IMSC, iTunes) and YouTube's srv1 and srv3.

Timed captions in XML.
"""
# Not ttconv's IMSC reader: it drops speakers (ttm:agent) and the title and refuses srv3 and the
# older DFXP namespaces.

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import Element

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import end_after
from assistant.transcripts.cues import tidy_lines
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.xml_tree import (
    XML_NAMESPACE,
    attribute,
    document_root,
    elements,
    tag_name,
)

DEFAULT_FRAMES_PER_S = 30.0
_DECIMAL_PATTERN = re.compile(r"\d{1,12}(?:\.\d{1,12})?")
# Root elements of TTML and of the two formats of YouTube
_ROOT_ELEMENT_PATTERN = re.compile(r"<(?:\w+:)?(?:tt|timedtext|transcript)[\s>]")
# 12.5s, 300f
_OFFSET_TIME_PATTERN = re.compile(r"^(?P<amount>\d{1,12}(?:\.\d{1,12})?)(?P<unit>h|ms|m|s|f|t)$")
# hh:mm:ss, maybe with frames or a fraction
_CLOCK_TIME_PATTERN = re.compile(
    r"""
    ^(?P<hours>\d{1,9}):(?P<minutes>\d\d):(?P<seconds>\d\d)
    (?: :(?P<frames>\d{1,9})(?:\.\d+)? | (?P<fraction>\.\d{1,15}) )?$
    """,
    re.VERBOSE,
)
_SENTENCE_ENDS = (".", "?", "!", "…", '"', "”", ")")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


@dataclass(frozen=True, slots=True)
class _TimeRates:
    frames_per_s: float
    ticks_per_s: float


def sniff(source: RawSource) -> bool:
    """Return whether the text is XML whose root is a timed text."""
    head = source.text.lstrip()[:100_000]
    if not head.startswith("<") or "<html" in head[:2000].lower():
        return False
    return _ROOT_ELEMENT_PATTERN.search(head) is not None


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every timed paragraph.

    Raises MalformedTranscript for broken or malicious XML.
    """
    root = document_root(source)
    title = ""
    if tag_name(root) == "tt":
        rates = _declared_rates(root)
        agents = _agents(root)
        walker = _TimedParagraphs(rates, agents)
        walker.walk(root, _Interval(None, None))
        cues = walker.cues
        title = _first_text(root, "title")
    else:
        cues = list(_youtube_cues(root))
    language = ""
    for element in root.iter():
        language = language or element.get(f"{XML_NAMESPACE}lang", "")
    parsed = caption_speech.read_cues(cues, source.name, language=language)
    parsed.title = title
    return parsed


def _first_text(root: Element, tag: str) -> str:
    """Return the text of the first element of a name, "" if there is none."""
    for element in elements(root, tag):
        return _text(element)
    return ""


def _declared_rates(root: Element) -> _TimeRates:
    """Return the numbers of frames and ticks in a second that the root declares."""
    frame_rate = _number(attribute(root, "frameRate")) or DEFAULT_FRAMES_PER_S
    # "1000 1001" stands for 1000/1001.
    multiplier_text = attribute(root, "frameRateMultiplier").replace(":", " ")
    numerator_text, _, denominator_text = multiplier_text.partition(" ")
    numerator = _number(numerator_text) or 1.0
    denominator = _number(denominator_text) or 1.0
    frames_per_s = frame_rate * (numerator / denominator)
    ticks_per_s = _number(attribute(root, "tickRate")) or frames_per_s
    return _TimeRates(frames_per_s, ticks_per_s)


def _agents(root: Element) -> dict[str, str]:
    """Return the names of the persons that the head declares, by their id."""
    names = {}
    for agent in elements(root, "agent"):
        agent_id = agent.get(f"{XML_NAMESPACE}id", "")
        names[agent_id] = _first_text(agent, "name") or agent_id
    return names


@dataclass(frozen=True, slots=True)
class _Interval:
    """The times of an element in seconds, or its parent's times if it has none."""

    start: float | None
    end: float | None


class _TimedParagraphs:
    """The cues of a document. Times count from the start of the enclosing element."""

    def __init__(self, rates: _TimeRates, agents: dict[str, str]) -> None:
        self.rates = rates
        self.agents = agents
        self.cues: list[SpeechPiece] = []
        self.line_number = 0

    def walk(self, element: Element, parent: _Interval, agent_id: str = "") -> float | None:
        """Add the cues of all paragraphs below an element, and return when the element ends."""
        interval = self._interval(element, parent)
        agent_id = attribute(element, "agent") or agent_id
        if tag_name(element) == "p":
            self.line_number += 1
            self._add_paragraph(element, interval, agent_id)
            return interval.end if _is_timed(element) else None
        latest_end: float | None = None
        enclosing_interval = interval
        for child in element:
            child_end = self.walk(child, enclosing_interval, agent_id)
            if child_end is None:
                continue
            latest_end = max(child_end, latest_end or 0.0)
            if _is_sequence(element):
                # The next child begins where this one ends.
                enclosing_interval = _Interval(child_end, interval.end)
        has_own_end = _is_timed(element) and interval.end is not None
        return interval.end if has_own_end else latest_end

    def _interval(self, element: Element, parent: _Interval) -> _Interval:
        begin = _time(attribute(element, "begin"), self.rates)
        end = _time(attribute(element, "end"), self.rates)
        duration = _time(attribute(element, "dur"), self.rates)
        if not _is_timed(element):
            return parent
        parent_start = parent.start or 0.0
        start = round(parent_start + (begin or 0.0), 3)
        if end is not None:
            return _Interval(start, round(parent_start + end, 3))
        return _Interval(start, end_after(start, duration) or parent.end)

    def _add_paragraph(self, paragraph: Element, interval: _Interval, agent_id: str) -> None:
        """Add a paragraph as a cue, or each of its spans if they have times of their own."""
        spans = list(elements(paragraph, "span"))
        for span in spans:
            # The first agent that is named speaks the whole paragraph.
            agent_id = agent_id or attribute(span, "agent")
        speaker = self.agents.get(agent_id) or None
        timed_spans = [span for span in spans if _is_timed(span)]
        if not timed_spans:
            self._add_cue(_text(paragraph), speaker, interval)
            return
        span_texts = [_text(span) for span in timed_spans]
        span_intervals = self._span_intervals(paragraph, timed_spans, interval)
        are_sentences = all(text.endswith(_SENTENCE_ENDS) for text in span_texts[:-1])
        if not are_sentences or self._has_other_text(paragraph, span_texts):
            self._add_cue(_text(paragraph), speaker, _overall_interval(span_intervals))
            return
        for span, text, span_interval in zip(timed_spans, span_texts, span_intervals, strict=True):
            span_speaker = self.agents.get(attribute(span, "agent")) or speaker
            self._add_cue(text, span_speaker, span_interval)

    def _span_intervals(
        self, paragraph: Element, spans: list[Element], interval: _Interval
    ) -> list[_Interval]:
        """Return the times of the spans of a paragraph, which may follow one another."""
        span_intervals = []
        enclosing_interval = interval
        for span in spans:
            span_interval = self._interval(span, enclosing_interval)
            span_intervals.append(span_interval)
            if _is_sequence(paragraph) and span_interval.end is not None:
                enclosing_interval = _Interval(span_interval.end, interval.end)
        return span_intervals

    @staticmethod
    def _has_other_text(paragraph: Element, span_texts: list[str]) -> bool:
        """Return whether a paragraph has text outside the timed spans."""
        span_words = " ".join(span_texts).split()
        return len(span_words) != len(_text(paragraph).split())

    def _add_cue(self, text: str, speaker: str | None, interval: _Interval) -> None:
        self.cues.append(SpeechPiece(text, self.line_number, speaker, interval.start, interval.end))


def _is_timed(element: Element) -> bool:
    """Return whether an element has a time of its own."""
    return any(attribute(element, name) for name in ("begin", "end", "dur"))


def _is_sequence(element: Element) -> bool:
    """Return whether the times of each child count from the end of the child before it."""
    return attribute(element, "timeContainer") == "seq"


def _overall_interval(intervals: list[_Interval]) -> _Interval:
    """Return the interval from the first start to the last end."""
    starts = [interval.start for interval in intervals if interval.start is not None]
    ends = [interval.end for interval in intervals if interval.end is not None]
    return _Interval(min(starts, default=None), max(ends, default=None))


def _time(value: str, rates: _TimeRates) -> float | None:
    """Return the seconds of an offset or clock time, None if the value is neither."""
    # "12.5s", "300f" or "1000t"
    offset = _OFFSET_TIME_PATTERN.match(value)
    if offset:
        unit_seconds = _seconds_of_unit(offset["unit"], rates)
        return round(float(offset["amount"]) * unit_seconds, 3)
    # "00:01:12.5" or, with a frame, "00:01:12:05"
    clock = _CLOCK_TIME_PATTERN.match(value)
    if clock is None:
        return None
    minutes = int(clock["hours"]) * 60 + int(clock["minutes"])
    whole_seconds = minutes * 60 + int(clock["seconds"])
    fraction = float(clock["fraction"] or 0)
    if clock["frames"]:
        fraction = int(clock["frames"]) / rates.frames_per_s
    return round(whole_seconds + fraction, 3)


def _seconds_of_unit(unit: str, rates: _TimeRates) -> float:
    """Return the length of a unit of time: h, m, s, ms, f (frames) or t (ticks)."""
    if unit == "f":
        return 1 / rates.frames_per_s
    if unit == "t":
        return 1 / rates.ticks_per_s
    return _UNIT_SECONDS[unit]


def _text(element: Element) -> str:
    """Return all text below an element. Only ``<br/>`` breaks a line."""
    return tidy_lines("".join(_text_parts(element)))


def _text_parts(element: Element) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if tag_name(child) == "br":
            yield "\n"
        elif tag_name(child) != "metadata" and isinstance(child.tag, str):
            yield from _text_parts(child)
        yield (child.tail or "").replace("\n", " ")


def _youtube_cues(root: Element) -> Iterator[SpeechPiece]:
    """Yield the cues of YouTube's srv3 (``<p t= d=>``, ms) and srv1 (``<text start= dur=>``, s)."""
    # Version srv3 has <p t="1200" d="800"> in milliseconds, srv1 <text start="1.2" dur="0.8">.
    elements = [element for element in root.iter() if tag_name(element) in ("p", "text")]
    for line, element in enumerate(elements, 1):
        start = _number(element.get("t") or element.get("start"))
        duration = _number(element.get("d") or element.get("dur"))
        is_in_milliseconds = bool(element.get("t"))
        if is_in_milliseconds:
            start = _from_milliseconds(start)
            duration = _from_milliseconds(duration)
        # srv1 escapes the marks in its text twice.
        text = unescape(_text(element))
        yield SpeechPiece(text, line, None, start, end_after(start, duration))


def _from_milliseconds(time: float | None) -> float | None:
    return None if time is None else time / 1000


def _number(value: str | None) -> float | None:
    """Return a positive number, None for anything else."""
    if not value or not _DECIMAL_PATTERN.fullmatch(value):
        return None
    return float(value)
