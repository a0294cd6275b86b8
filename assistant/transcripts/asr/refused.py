"""JSON that is broken or holds no text: recognised as JSON, so that the refusal can say what is wrong with it."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from assistant.ground.errors import MalformedTranscript, UnknownFormat
from assistant.transcripts.asr.jsonfile import content
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed

_JSON = re.compile(r"^\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
_REMEDY = "Export the transcript as SRT, WebVTT, text or a word processor's file."


def sniff(source: RawSource) -> bool:
    """Return whether the text begins as JSON does; stands after every reader of a known schema."""
    return _JSON.match(source.text.lstrip("\ufeff")) is not None


def parse(source: RawSource) -> Parsed:
    """Raise MalformedTranscript for broken JSON and UnknownFormat for JSON of a shape that no reader knows."""
    data = content(source)
    if data is None:
        _broken(source)
    has = f"has {_keys(data)}" if _keys(data) else "is empty"
    remedy = f"If it was made by a speech recogniser, another of its exports holds the words. {_REMEDY}"
    raise UnknownFormat(f"this JSON holds no text that a reader knows; it {has}.", where=source.name, remedy=remedy)


def _broken(source: RawSource) -> NoReturn:
    try:
        json.loads(source.text.lstrip("\ufeff \n\r\t"), strict=False)
    except ValueError as error:
        place, what = getattr(error, "lineno", 1), getattr(error, "msg", "it cannot be decoded")
        what = "one JSON value follows another, as in JSON Lines" if what == "Extra data" else what
        what = f"the JSON is broken: {what}, column {getattr(error, 'colno', 1)}."
        raise MalformedTranscript(what, where=f"{source.name}:{place}", remedy=f"Save it again. {_REMEDY}") from error
    except RecursionError as error:
        what = "the JSON is nested too deeply to be a transcript."
        raise MalformedTranscript(what, where=source.name, remedy=_REMEDY) from error
    raise MalformedTranscript("the JSON cannot be decoded.", where=source.name, remedy=_REMEDY)


def _keys(data: Any) -> str:
    """The first keys of an object, or of the first object of a list, in words."""
    entry = data if isinstance(data, dict) else next(iter(data), None)
    if isinstance(entry, dict):
        return ", ".join(" ".join(name.split())[:40] for name in list(entry)[:6])
    return f"a list of {len(data)} rows without names" if data else ""
