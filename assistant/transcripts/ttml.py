"""TTML and its children (DFXP, SMPTE-TT, IMSC, iTunes) and YouTube's srv1 and srv3.

Timed captions in XML.
"""
# Not ttconv's IMSC reader: it drops speakers (ttm:agent) and the title and refuses srv3 and the
# older DFXP namespaces.

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import end_after
from assistant.transcripts.cues import tidy
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

MAX_DEPTH = 60  # elements in each other
_ROOT = re.compile(r"<(?:\w+:)?(?:tt|timedtext|transcript)[\s>]")
_XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"
_OFFSET_TIME = re.compile(r"^(\d{1,12}(?:\.\d{1,12})?)(h|ms|m|s|f|t)$")
_CLOCK_TIME = re.compile(r"^(\d{1,9}):(\d\d):(\d\d)(?::(\d{1,9})(?:\.\d+)?|(\.\d{1,15}))?$")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


@dataclass(frozen=True, slots=True)
class _TimeRates:
    frames: float
    ticks: float


def sniff(source: RawSource) -> bool:
    """Return whether the text is XML whose root is a timed text."""
    head = source.text.lstrip()[:100_000]
    return (
        head.startswith("<")
        and _ROOT.search(head) is not None
        and "<html" not in head[:2000].lower()
    )


def parse(source: RawSource) -> Parsed:
    """Return the speech of every timed paragraph.

    Raises MalformedTranscript for broken or hostile XML.
    """
    root = _root(source)
    if _tag_name(root) == "tt":
        rates = _rates(root)
        agents = _agents(root)
        cues = [_cue(line, p, rates, agents) for line, p in enumerate(_elements(root, "p"), 1)]
        title = next((_text(element) for element in _elements(root, "title")), "")
    else:
        cues = list(_youtube_cues(root))
        title = ""
    language = next(
        (
            element.get(f"{_XML_NAMESPACE}lang", "")
            for element in root.iter()
            if element.get(f"{_XML_NAMESPACE}lang")
        ),
        "",
    )
    parsed = caption_speech.read_cues(cues, source.name, language=language)
    parsed.title = title
    return parsed


def _root(source: RawSource) -> Element:
    """Return the root of the XML.

    Entities are refused, so that an XML bomb is an error and not a full memory.
    """
    where = source.name
    remedy = "Export it again, or save it as SRT or WebVTT."
    try:
        return _read_shallow(iterparse(BytesIO(source.data), ("start", "end")), source.name)
    except ParseError as error:
        what = f"the XML is broken: {error}."
        where = f"{where}:{error.position[0]}"
        raise MalformedTranscript(what, where=where, remedy=remedy) from error
    except DefusedXmlException as error:
        what = "the XML defines entities of its own, as XML bombs do; it was not read."
        raise MalformedTranscript(what, where=where, remedy=remedy) from error
    except (LookupError, ValueError) as error:
        raise MalformedTranscript(
            f"the XML cannot be decoded: {error}.", where=where, remedy=remedy
        ) from error


def _read_shallow(events: Any, name: str) -> Element:
    """Return the root of XML whose elements are in each other no deeper than captions ever are."""
    depth = 0
    for event, _ in events:
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            what = f"the XML is nested more than {MAX_DEPTH} deep, as no captions are; it was not read."
            raise MalformedTranscript(
                what, where=name, remedy="Export it again, or save it as SRT or WebVTT."
            )
    return events.root


def _tag_name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _elements(root: Element, tag: str) -> Iterator[Element]:
    return (element for element in root.iter() if _tag_name(element) == tag)


def _attribute(element: Element, name: str) -> str:
    """Return an attribute's value whatever its namespace."""
    return next(
        (value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), ""
    )


def _rates(root: Element) -> _TimeRates:
    frames = _number(_attribute(root, "frameRate")) or 30.0
    above, _, below = _attribute(root, "frameRateMultiplier").replace(":", " ").partition(" ")
    frames *= (_number(above) or 1.0) / (_number(below) or 1.0)
    return _TimeRates(frames, _number(_attribute(root, "tickRate")) or frames)


def _agents(root: Element) -> dict[str, str]:
    """Return the names of the persons that the head declares, by their id."""
    agents = {agent.get(f"{_XML_NAMESPACE}id", ""): agent for agent in _elements(root, "agent")}
    return {
        key: next((_text(name) for name in _elements(agent, "name")), "") or key
        for key, agent in agents.items()
    }


def _cue(line: int, p: Element, rates: _TimeRates, agents: dict[str, str]) -> Piece:
    start, end, lasting = (_time(_attribute(p, name), rates) for name in ("begin", "end", "dur"))
    spans = list(_elements(p, "span"))
    if start is None:  # first begin and last end of the spans
        begins, ends = (
            [_time(_attribute(s, name), rates) for s in spans] for name in ("begin", "end")
        )
        start = min((time for time in begins if time is not None), default=None)
        end = max((time for time in ends if time is not None), default=None)
    elif end is None:
        end = end_after(start, lasting)
    agent = next((value for element in (p, *spans) if (value := _attribute(element, "agent"))), "")
    return Piece(_text(p), line, agents.get(agent) or None, start, end)


def _time(value: str, rates: _TimeRates) -> float | None:
    if offset := _OFFSET_TIME.match(value):
        amount = float(offset[1])
        unit = offset[2]
        return round(
            amount
            * (_UNIT_SECONDS.get(unit) or 1 / (rates.frames if unit == "f" else rates.ticks)),
            3,
        )
    if clock := _CLOCK_TIME.match(value):
        hours, minutes, whole, frames, fraction = clock.groups()
        rest = int(frames) / rates.frames if frames else float(fraction or 0)
        return round(int(hours) * 3600 + int(minutes) * 60 + int(whole) + rest, 3)
    return None


def _text(element: Element) -> str:
    """Return all text below an element; only ``<br/>`` breaks a line."""
    return tidy("".join(_text_parts(element)))


def _text_parts(element: Element) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if _tag_name(child) == "br":
            yield "\n"
        elif _tag_name(child) != "metadata" and isinstance(child.tag, str):
            yield from _text_parts(child)
        yield (child.tail or "").replace("\n", " ")


def _youtube_cues(root: Element) -> Iterator[Piece]:
    """Yield the cues of YouTube's srv3 (``<p t= d=>``, ms) and srv1 (``<text start= dur=>``, s)."""
    for line, element in enumerate((e for e in root.iter() if _tag_name(e) in ("p", "text")), 1):
        per_s = 1000 if element.get("t") else 1
        times = (element.get("t") or element.get("start"), element.get("d") or element.get("dur"))
        start, lasting = (None if time is None else time / per_s for time in map(_number, times))
        yield Piece(_text(element), line, None, start, end_after(start, lasting))


def _number(value: str | None) -> float | None:
    """Return a positive number, None for anything else."""
    return float(value) if value and re.fullmatch(r"\d{1,12}(?:\.\d{1,12})?", value) else None
