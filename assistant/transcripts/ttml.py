"""TTML and its children (DFXP, SMPTE-TT, IMSC, iTunes): ``<p begin= end=>`` captions in XML.

Read with defusedxml, which refuses entities, so that an XML bomb is an error and not a full memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from assistant.ground.errors import MalformedTranscript
from assistant.transcripts import captions
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.cues import Cue
from assistant.transcripts.pieces import Parsed

_ROOT = re.compile(r"<(?:\w+:)?(?:tt|timedtext|transcript)[\s>]")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_OFFSET = re.compile(r"^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$")
_FRAMES = re.compile(r"^(\d+):(\d\d):(\d\d)(?::(\d+)(?:\.\d+)?|(\.\d+))?$")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


@dataclass(frozen=True, slots=True)
class _Rates:
    frames: float
    ticks: float


def sniff(source: RawSource) -> bool:
    """Return whether the text is XML whose root is a timed text."""
    head = source.text.lstrip("\ufeff \n\r\t")
    return head.startswith("<") and _ROOT.search(head[:100_000]) is not None and "<html" not in head[:2000].lower()


def parse(source: RawSource) -> Parsed:
    """Return the speech of every timed paragraph. Raises MalformedTranscript for broken or hostile XML."""
    root = _root(source)
    if _tag(root) != "tt":
        cues, title = list(_youtube(root)), ""
    else:
        rates, agents = _rates(root), _agents(root)
        cues = [_cue(number, p, rates, agents) for number, p in enumerate(_all(root, "p"), 1)]
        title = next((_text(element) for element in _all(root, "title")), "")
    parsed = captions.read_cues(cues, source.name, language=_language(root))
    parsed.title = title
    return parsed


def _root(source: RawSource) -> Element:
    remedy = "Export it again, or save it as SRT or WebVTT."
    try:
        return fromstring(source.data)
    except ParseError as error:
        line, _ = error.position
        raise MalformedTranscript(
            f"the XML is broken: {error}.", where=f"{source.name}:{line}", remedy=remedy
        ) from error
    except DefusedXmlException as error:
        what = "the XML defines entities of its own, as XML bombs do; it was not read."
        raise MalformedTranscript(what, where=source.name, remedy=remedy) from error
    except (LookupError, ValueError) as error:
        raise MalformedTranscript(f"the XML cannot be decoded: {error}.", where=source.name, remedy=remedy) from error


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _all(root: Element, tag: str) -> Iterator[Element]:
    return (element for element in root.iter() if _tag(element) == tag)


def _attribute(element: Element, name: str) -> str:
    """An attribute's value whatever its namespace."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _language(root: Element) -> str:
    return next((element.get(_LANG, "") for element in root.iter() if element.get(_LANG)), "")


def _rates(root: Element) -> _Rates:
    frames = _number(_attribute(root, "frameRate")) or 30.0
    above, _, below = _attribute(root, "frameRateMultiplier").replace(":", " ").partition(" ")
    frames *= (_number(above) or 1.0) / (_number(below) or 1.0)
    return _Rates(frames, _number(_attribute(root, "tickRate")) or frames)


def _agents(root: Element) -> dict[str, str]:
    """The names of the persons that the head declares, by their id."""
    named = {}
    for agent in _all(root, "agent"):
        name = next((_text(element) for element in _all(agent, "name")), "")
        named[agent.get(_ID, "")] = name or agent.get(_ID, "")
    return named


def _cue(number: int, p: Element, rates: _Rates, agents: dict[str, str]) -> Cue:
    begin, end = _time(_attribute(p, "begin"), rates), _time(_attribute(p, "end"), rates)
    lasting = _time(_attribute(p, "dur"), rates)
    if begin is None:
        begin, end = _of_spans(p, rates)
    elif end is None and lasting is not None:
        end = begin + lasting
    agent = _attribute(p, "agent") or next(
        (_attribute(s, "agent") for s in _all(p, "span") if _attribute(s, "agent")), ""
    )
    return Cue(number, _text(p), begin, end, agents.get(agent) or None)


def _of_spans(p: Element, rates: _Rates) -> tuple[float | None, float | None]:
    """First begin and last end of the spans of a paragraph that has no times of its own."""
    begins = [t for s in _all(p, "span") if (t := _time(_attribute(s, "begin"), rates)) is not None]
    ends = [t for s in _all(p, "span") if (t := _time(_attribute(s, "end"), rates)) is not None]
    return min(begins, default=None), max(ends, default=None)


def _time(value: str, rates: _Rates) -> float | None:
    if found := _OFFSET.match(value):
        amount, unit = float(found[1]), found[2]
        factor = _SECONDS.get(unit) or 1 / (rates.frames if unit == "f" else rates.ticks)
        return round(amount * factor, 3)
    if found := _FRAMES.match(value):
        hours, minutes, whole, frames, fraction = found.groups()
        rest = int(frames) / rates.frames if frames else float(fraction or 0)
        return round(int(hours) * 3600 + int(minutes) * 60 + int(whole) + rest, 3)
    return None


def _text(element: Element) -> str:
    """All text below an element with ``<br/>`` as a line break; white space around it collapsed."""
    rows = "".join(_strings(element)).split("\x00")
    return "\n".join(row for row in (re.sub(r"\s+", " ", row).strip() for row in rows) if row)


def _strings(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if _tag(child) == "br":
            yield "\x00"
        elif _tag(child) != "metadata" and isinstance(child.tag, str):
            yield from _strings(child)
        yield child.tail or ""


def _youtube(root: Element) -> Iterator[Cue]:
    """YouTube's srv3 (``<p t= d=>``, ms) and srv1 (``<text start= dur=>``, s)."""
    for number, element in enumerate((e for e in root.iter() if _tag(e) in ("p", "text")), 1):
        per_s = 1000 if element.get("t") else 1
        start = _number(element.get("t") or element.get("start"))
        lasting = _number(element.get("d") or element.get("dur"))
        begin = None if start is None else start / per_s
        end = None if begin is None or lasting is None else round(begin + lasting / per_s, 3)
        yield Cue(number, _text(element), begin, end)


def _number(value: str | None) -> float | None:
    """A positive number, None for anything else."""
    return float(value) if value and re.fullmatch(r"\d+(?:\.\d+)?", value) else None
