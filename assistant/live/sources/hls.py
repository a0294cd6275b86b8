"""Follows the WebVTT subtitles of an HLS stream.

Reads the playlist again and again, and each new segment once.

A cue across the border of two segments is in both, and is one unit. Segments that leave the
playlist before they are read are reported as missing. Source: RFC 8216, sections 3.5 and 4.4.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Event as Flag
from urllib.parse import urljoin

from assistant.core.errors import NetworkError
from assistant.live.live_lines import Arrival, Cut, Line, cursor_at, place_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.network_rules import fetcher
from assistant.transcripts.cues import is_number, seconds
from assistant.web.fetching import Fetcher

TICKS_PER_S = 90_000
WRAP_S = 2**33 / TICKS_PER_S
RETRY_S = 5.0
LONGEST_PATH = 200  # characters
TRIES = 3  # for a segment that cannot be fetched
_ATTRIBUTE = re.compile(r'(?<![A-Z0-9-])([A-Z0-9-]+)=("[^"]*"|[^,]*)')
_MAP = re.compile(r"X-TIMESTAMP-MAP=.*")


@dataclass
class Place:
    """The next segment, the clock of the first one, and by what it shows that the numbers have begun again."""

    following: int | None = None
    offset: float | None = None
    last: str = ""  # the address of the segment that was read last
    behind: int = 0  # how often in a row the playlist ended before that segment


@dataclass(frozen=True)
class Playlist:
    """A media playlist: numbered segments, the seconds until it is worth reading again, whether it has ended."""

    segments: tuple[tuple[int, str], ...]
    target: float
    over: bool


@dataclass
class HlsSource:
    """Follows a master or media playlist. ``language`` chooses among several subtitle tracks."""

    url: str
    language: str = ""
    fetch: Fetcher = field(default_factory=fetcher)
    name: str = "HLS subtitles"
    retry_s: float = RETRY_S

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield cues as their segments appear, until the playlist is marked as ended."""
        place = place_at(Place, cursor)
        failing = ""
        media = ""
        while not stop.is_set():
            try:
                media = media or self._media()
                base, data = self.fetch.get(media)
                playlist = read_playlist(data.decode("utf-8", "replace"))
            except NetworkError as error:
                if str(error) != failing:
                    yield Arrival(warning=f"{error} Trying again.")
                failing = str(error)
                stop.wait(self.retry_s)
                continue
            failing = ""
            yield from self._segments(playlist, base, place, stop)
            if playlist.over:
                return
            stop.wait(max(playlist.target / 2, 0.5) if self.retry_s else 0)

    def _media(self) -> str:
        """Return the address of the subtitles' own playlist.

        Raises: NetworkError if there are none.
        """
        base, data = self.fetch.get(self.url)
        text = data.decode("utf-8", "replace")
        if not text.lstrip("\ufeff").startswith("#EXTM3U"):
            raise NetworkError("is no HLS playlist.", where=self.url[:200])
        tracks = [_attributes(row) for row in text.splitlines() if row.startswith("#EXT-X-MEDIA:")]
        tracks = [
            track for track in tracks if track.get("TYPE") == "SUBTITLES" and track.get("URI")
        ]
        if not tracks and "#EXTINF" in text:
            return base
        wanted = [
            t
            for t in tracks
            if not self.language or t.get("LANGUAGE", "").startswith(self.language)
        ]
        if not wanted:
            there = ", ".join(t.get("LANGUAGE", "?") for t in tracks) or "none"
            raise NetworkError(
                f"no such subtitles in this stream (there are: {there}).", where=self.url[:200]
            )
        chosen = next((t for t in wanted if t.get("DEFAULT") == "YES"), wanted[0])
        return urljoin(base, chosen["URI"])

    def _segments(
        self, playlist: Playlist, base: str, place: Place, stop: Flag
    ) -> Iterator[Arrival]:
        """Yield the cues of the segments that are new."""
        first = playlist.segments[0][0] if playlist.segments else place.following
        if _begins_again(playlist, place):
            yield Arrival(
                warning=f"the segments of the stream are numbered from {first} again; all of them are read."
            )
            place.following = first
            place.behind = 0
        if place.following is not None and first is not None and first > place.following:
            yield Arrival(
                warning=f"{first - place.following} segments were gone before they could be read."
            )
        for number, address in playlist.segments:
            if place.following is not None and number < place.following:
                continue
            data = self._patiently(urljoin(base, address), stop)
            if stop.is_set():
                return
            place.following = number + 1
            place.last = _path(address)
            if data is None:
                yield Arrival(warning=f"segment {number} did not come and was left out.")
            else:
                lines = self._cues(data.decode("utf-8", "replace"), place)
                yield Arrival(tuple(lines), cursor_at(place))

    def _patiently(self, url: str, stop: Flag) -> bytes | None:
        for _ in range(TRIES):
            try:
                return self.fetch.get(url)[1]
            except NetworkError:
                if stop.wait(self.retry_s / TRIES):
                    return None
        return None

    def _cues(self, text: str, place: Place) -> list[Line]:
        """Return the cues of a segment, on the clock of the first segment."""
        offset = _offset(text)
        place.offset = offset if place.offset is None else place.offset
        shift = offset - place.offset
        shift += WRAP_S if shift < -WRAP_S / 2 else 0.0
        captions = Captions(self.name)
        lines = []
        for number, row in enumerate(text.splitlines()):
            lines += captions.feed(str(number), row)
        return [_unit(line, shift) for line in (*lines, *captions.flush())]


def make(url: str, options: argparse.Namespace) -> HlsSource:
    """Return the subtitles of the stream at an address."""
    return HlsSource(url, options.language, fetcher(options.allow_private))


def read_playlist(text: str) -> Playlist:
    """Return the segments of a media playlist. Raises: NetworkError if it is none."""
    if not text.lstrip("\ufeff").startswith("#EXTM3U"):
        raise NetworkError("the answer is no HLS playlist.")
    number = 0
    target = 6.0
    segments = []
    for row in text.splitlines():
        name, _, value = row.strip().partition(":")
        if name == "#EXT-X-MEDIA-SEQUENCE" and is_number(value):
            number = int(value)
        elif name == "#EXT-X-TARGETDURATION" and is_number(value.replace(".", "", 1)):
            target = float(value)
        elif row.strip() and not row.startswith("#"):
            segments.append((number, row.strip()))
            number += 1
    return Playlist(tuple(segments), target, "#EXT-X-ENDLIST" in text)


def _begins_again(playlist: Playlist, place: Place) -> bool:
    """Return whether the numbers have begun again.

    An encoder restarted, and nothing new would ever be read.

    A server that lags behind shows an older playlist once, not twice. A cue that comes again stays
    one unit.
    """
    numbers = dict(playlist.segments)
    if place.following is None or not numbers:
        return False
    before = place.following - 1
    if before in numbers:
        return place.last not in ("", _path(numbers[before]))
    place.behind = place.behind + 1 if max(numbers) < before else 0
    return place.behind >= 2 or (place.behind > 0 and playlist.over)


def _path(address: str) -> str:
    """Return an address without what servers change at every request."""
    return address.partition("?")[0][-LONGEST_PATH:]


def _attributes(row: str) -> dict[str, str]:
    return {name: value.strip('"') for name, value in _ATTRIBUTE.findall(row.partition(":")[2])}


def _offset(text: str) -> float:
    """Return by how many seconds the clock of a segment is ahead of its cues, 0 without a time stamp."""
    stamp = _MAP.search(text)
    if not stamp:
        return 0.0
    ticks = re.search(r"MPEGTS:(\d{1,15})", stamp[0])
    local = re.search(r"LOCAL:([\d:.]+)", stamp[0])
    return (int(ticks[1]) / TICKS_PER_S if ticks else 0.0) - (
        (seconds(local[1]) or 0.0) if local else 0.0
    )


def _unit(line: Line, shift: float) -> Line:
    start, end = (
        None if time is None else round(time + shift, 3) for time in (line.start, line.end)
    )
    key = hashlib.sha256(repr((start, end, line.speaker, line.text)).encode()).hexdigest()[:16]
    return replace(line, unit=key, start=start, end=end, cut=Cut.ANYWHERE)
