"""What is fuzzed: each reader as a function of bytes, to be called in a process with limits."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from assistant.claims import article_extraction, article_fetching, claimreview, importers
from assistant.core.errors import LecternError
from assistant.live import json_lines
from assistant.live.live_lines import Arrival, Line, cleaned
from assistant.live.sources import hls
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.line_splitter import LineSplitter
from assistant.live.sources.recogniser_messages import Messages, Unreadable
from assistant.transcripts import reader
from assistant.web import fetching
from features.language.figures.dates import dates
from features.language.figures.numbers import figures


def transcript(data: bytes) -> None:
    """Read a transcript."""
    reader.transcript(data, "fuzzed")


def imported(data: bytes) -> None:
    """Import fact-checks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed"
        path.write_bytes(data)
        for _ in importers.read_rows(path, {}):
            pass


def page(data: bytes) -> None:
    """Read the page of a fact-check: its mark-up and its article."""
    list(claimreview.claims_in_page(data, "fuzzed"))
    list(claimreview.claims_in_text(data.decode("utf-8", "replace"), "fuzzed"))
    address = article_fetching.ArticlePage("https://example.org/a", ("c",))
    result = article_fetching.fetch_result(
        address,
        fetching.WebAnswer(address.url, 200, "text/html", data[: article_fetching.MAX_PAGE_BYTES]),
    )
    article_extraction.missing_reason(data.decode("utf-8", "replace"), result.body)


def live(data: bytes) -> None:
    """Follow live text: captions, messages of recognisers, JSON lines, playlists."""
    captions = Captions("fuzzed", is_burst=True)
    splitter = LineSplitter()
    messages = Messages("fuzzed")
    for row_number, line in splitter.feed(data + b"\n"):
        _clean(captions.feed(str(row_number), (line or b"").decode("utf-8", "replace")))
        with contextlib.suppress(Unreadable):
            _clean(messages.read(line or b""))
    _clean(captions.catch_up())
    with contextlib.suppress(json_lines.InvalidLine):
        json_lines.read_lines(data, "fuzzed")
    hls.read_playlist("#EXTM3U\n" + data.decode("utf-8", "replace"))


def _clean(lines: list[Line]) -> None:
    if lines:
        cleaned(Arrival(tuple(lines)))


def words(data: bytes) -> None:
    """Read the figures and dates of a sentence."""
    text = data.decode("utf-8", "replace")[: json_lines.LONGEST_LINE_CHARACTERS]
    dates(text)
    figures(text)


TARGETS = (transcript, imported, page, live, words)


def run(name: str, data: bytes) -> str:
    """Return how a target ended: "" or the refusal."""
    try:
        next(target for target in TARGETS if target.__name__ == name)(data)
    except LecternError as error:
        return str(error)
    return ""
