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
from assistant.live.live_lines import Arrival, Line, LineCut, cursor_at, position_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.network_rules import fetcher
from assistant.transcripts.cues import is_cue_number, seconds_of
from assistant.transcripts.webvtt import MAX_BORDER_GAP_S
from assistant.web.fetching import Fetcher

TICKS_PER_S = 90_000
WRAP_S = 2**33 / TICKS_PER_S
HLS_RETRY_S = 5.0
MIN_PAUSE_S = 0.5  # between two looks at a playlist
USUAL_SEGMENT_S = 6.0  # for a playlist that does not say how long its segments are
PATH_CHARACTERS = 200
UNIT_DIGITS = 16  # hexadecimal digits of a SHA-256 that name a line
SEGMENT_TRIES = 3  # for a segment that cannot be fetched
_ATTRIBUTE_PATTERN = re.compile(r'(?<![A-Z0-9-])([A-Z0-9-]+)=("[^"]*"|[^,]*)')
# One moment in two clocks: X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000
_TIMESTAMP_MAP_PATTERN = re.compile(r"X-TIMESTAMP-MAP=.*")
_STREAM_TICKS_PATTERN = re.compile(r"MPEGTS:(\d{1,15})")
_CUE_CLOCK_PATTERN = re.compile(r"LOCAL:([\d:.]+)")


@dataclass
class HlsPosition:
    """The next segment, the clock of the first one, and the last cue of the last segment.

    ``last`` and ``behind`` show whether the numbers have begun again.
    """

    following: int | None = None
    offset: float | None = None
    last: str = ""  # the address of the segment that was read last
    behind: int = 0  # how often in a row the playlist ended before that segment
    tail_unit: str = ""
    tail_text: str = ""
    tail_speaker: str | None = None
    tail_start: float | None = None
    tail_end: float | None = None


@dataclass(frozen=True)
class Playlist:
    """A media playlist: numbered segments, the seconds until it is worth reading again, whether it has ended."""

    segments: tuple[tuple[int, str], ...]
    target_s: float
    has_ended: bool


@dataclass
class HlsSource:
    """Follows a master or media playlist. ``language`` chooses among several subtitle tracks."""

    url: str
    language: str = ""
    fetch: Fetcher = field(default_factory=fetcher)
    name: str = "HLS subtitles"
    retry_s: float = HLS_RETRY_S

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield cues as their segments appear, until the playlist is marked as ended."""
        position = position_at(HlsPosition, cursor)
        last_failure = ""  # said once, however often it comes again
        playlist_url = ""
        while not stop.is_set():
            try:
                playlist_url = playlist_url or self._subtitles_address()
                playlist_address, data = self.fetch.get(playlist_url)
                playlist = read_playlist(data.decode("utf-8", "replace"))
            except NetworkError as error:
                if str(error) != last_failure:
                    yield Arrival(warning=f"{error} Trying again.")
                last_failure = str(error)
                stop.wait(self.retry_s)
                continue
            last_failure = ""
            yield from self._arrivals_of_segments(playlist, playlist_address, position, stop)
            if playlist.has_ended:
                return
            pause_s = max(playlist.target_s / 2, MIN_PAUSE_S)
            stop.wait(pause_s if self.retry_s else 0)

    def _subtitles_address(self) -> str:
        """Return the address of the subtitles' own playlist.

        Raises: NetworkError if there are none.
        """
        final_url, data = self.fetch.get(self.url)
        playlist = data.decode("utf-8", "replace")
        if not playlist.lstrip("\ufeff").startswith("#EXTM3U"):
            raise NetworkError("isn't an HLS playlist.", where=self.url[:200])
        tracks = _subtitle_tracks(playlist)
        # A playlist of segments is the one of the subtitles already.
        if not tracks and "#EXTINF" in playlist:
            return final_url
        # "en-GB" is a track in "en".
        tracks_in_language = [
            track for track in tracks if track.get("LANGUAGE", "").startswith(self.language)
        ]
        if not tracks_in_language:
            languages = ", ".join(track.get("LANGUAGE", "?") for track in tracks) or "none"
            in_language = f" in {self.language}" if self.language else ""
            message = f"this stream has no subtitles{in_language}. Found: {languages}."
            raise NetworkError(message, where=self.url[:200])
        default_tracks = [track for track in tracks_in_language if track.get("DEFAULT") == "YES"]
        track_to_follow, *_ = default_tracks or tracks_in_language
        return urljoin(final_url, track_to_follow["URI"])

    def _arrivals_of_segments(
        self, playlist: Playlist, playlist_address: str, position: HlsPosition, stop: Flag
    ) -> Iterator[Arrival]:
        """Yield the cues of the segments that are new."""
        yield from self._numbering_warnings(playlist, position)
        for number, address in playlist.segments:
            if position.following is not None and number < position.following:
                continue
            data = self._fetch_with_retries(urljoin(playlist_address, address), stop)
            if stop.is_set():
                return
            position.following = number + 1
            position.last = _path_without_query(address)
            if data is None:
                yield Arrival(warning=f"segment {number} did not come and was left out.")
            else:
                lines = self._lines_of_segment(data.decode("utf-8", "replace"), position)
                yield Arrival(tuple(lines), cursor_at(position))

    @staticmethod
    def _numbering_warnings(playlist: Playlist, position: HlsPosition) -> Iterator[Arrival]:
        """Yield warnings if the segments are numbered from the beginning again, or some are gone."""
        # ``following`` is the number of the next segment, None until the first was read.
        first_number = position.following
        if playlist.segments:
            first_number, _ = playlist.segments[0]
        if _has_numbering_restarted(playlist, position):
            yield Arrival(
                warning=f"the segments of the stream are numbered from {first_number} again; all of them are read."
            )
            position.following = first_number
            position.behind = 0
        missing_count = 0
        if position.following is not None and first_number is not None:
            missing_count = first_number - position.following
        if missing_count > 0:
            yield Arrival(warning=f"{missing_count} segments were gone before they could be read.")

    def _fetch_with_retries(self, url: str, stop: Flag) -> bytes | None:
        """Return the bytes at an address, None if they cannot be fetched."""
        for _ in range(SEGMENT_TRIES):
            try:
                _, data = self.fetch.get(url)
                return data
            except NetworkError:
                if stop.wait(self.retry_s / SEGMENT_TRIES):
                    return None
        return None

    def _lines_of_segment(self, text: str, position: HlsPosition) -> list[Line]:
        """Return the cues of a segment, on the clock of the first segment."""
        # Seconds by which the clock of this segment is ahead of the clock of the first segment.
        offset_s = _clock_offset(text)
        if position.offset is None:
            position.offset = offset_s
        shift_s = offset_s - position.offset
        if shift_s < -WRAP_S / 2:  # MPEG clocks start again from 0 after a day
            shift_s += WRAP_S
        timed_lines = [_with_unit(line, shift_s) for line in self._captions_in(text) if line.text]
        # A cue at the border of two segments is in both of them.
        if timed_lines and _is_second_half_of_last_cue(timed_lines[0], position):
            timed_lines[0] = replace(
                timed_lines[0], unit=position.tail_unit, start=position.tail_start
            )
        if timed_lines:
            _store_last_cue(timed_lines[-1], position)
        return timed_lines

    def _captions_in(self, text: str) -> list[Line]:
        """Return the captions of a segment with its own times."""
        captions = Captions(self.name)
        captions.is_burst = True
        lines = []
        for number, text_line in enumerate(text.splitlines()):
            lines += captions.feed(str(number), text_line)
        lines += captions.flush()
        lines += captions.catch_up()
        # A line may read differently after a later one; its last reading counts.
        latest_lines = {line.unit: line for line in lines}
        return list(latest_lines.values())


def _subtitle_tracks(playlist: str) -> list[dict[str, str]]:
    """Return the attributes of each track with subtitles."""
    # #EXT-X-MEDIA:TYPE=SUBTITLES,LANGUAGE="en",DEFAULT=YES,URI="subtitles.m3u8"
    tracks = []
    for line in playlist.splitlines():
        if line.startswith("#EXT-X-MEDIA:"):
            track = _attributes(line)
            if track.get("TYPE") == "SUBTITLES" and track.get("URI"):
                tracks.append(track)
    return tracks


def make(url: str, options: argparse.Namespace) -> HlsSource:
    """Return the subtitles of the stream at an address."""
    return HlsSource(url, options.language, fetcher(options.allow_private))


def read_playlist(text: str) -> Playlist:
    """Return the segments of a media playlist. Raises: NetworkError if it is none."""
    if not text.lstrip("\ufeff").startswith("#EXTM3U"):
        raise NetworkError("the server's response isn't an HLS playlist.")
    next_number = 0
    target_s = USUAL_SEGMENT_S
    segments = []
    for line in text.splitlines():
        name, _, value = line.strip().partition(":")
        if name == "#EXT-X-MEDIA-SEQUENCE" and is_cue_number(value):
            next_number = int(value)
        elif name == "#EXT-X-TARGETDURATION" and is_cue_number(value.replace(".", "", 1)):
            target_s = float(value)
        elif line.strip() and not line.startswith("#"):
            address = line.strip()
            segments.append((next_number, address))
            next_number += 1
    has_ended = "#EXT-X-ENDLIST" in text
    return Playlist(tuple(segments), target_s, has_ended)


def _has_numbering_restarted(playlist: Playlist, position: HlsPosition) -> bool:
    """Return whether the numbers have begun again.

    An encoder restarted, and nothing new would ever be read.

    A server that lags behind shows an older playlist once, not twice. A cue that comes again stays
    one unit.
    """
    address_of_number = dict(playlist.segments)
    if position.following is None or not address_of_number:
        return False
    last_read_number = position.following - 1
    if last_read_number in address_of_number:
        # The numbering restarted if this number now belongs to another address.
        address = _path_without_query(address_of_number[last_read_number])
        return position.last not in ("", address)
    is_behind = max(address_of_number) < last_read_number
    position.behind = position.behind + 1 if is_behind else 0
    # A server may lag once, but not twice, nor with a playlist that gets no more segments.
    is_final_and_behind = is_behind and playlist.has_ended
    return position.behind >= 2 or is_final_and_behind


def _is_second_half_of_last_cue(line: Line, position: HlsPosition) -> bool:
    """Return whether a line is the second half of a cue that the border of segments divides."""
    if line.text != position.tail_text or line.speaker != position.tail_speaker:
        return False
    if line.start is None or position.tail_end is None:
        return False
    return abs(line.start - position.tail_end) <= MAX_BORDER_GAP_S


def _store_last_cue(line: Line, position: HlsPosition) -> None:
    position.tail_unit = line.unit
    position.tail_text = line.text
    position.tail_speaker = line.speaker
    position.tail_start = line.start
    position.tail_end = line.end


def _path_without_query(address: str) -> str:
    """Return an address without what servers change at every request."""
    return address.partition("?")[0][-PATH_CHARACTERS:]


def _attributes(line: str) -> dict[str, str]:
    _, _, attributes = line.partition(":")
    return {name: value.strip('"') for name, value in _ATTRIBUTE_PATTERN.findall(attributes)}


def _clock_offset(text: str) -> float:
    """Return by how many seconds the clock of a segment is ahead of its cues, 0 without a time stamp."""
    timestamp_map = _TIMESTAMP_MAP_PATTERN.search(text)
    if not timestamp_map:
        return 0.0
    stream_ticks = _STREAM_TICKS_PATTERN.search(timestamp_map.group())
    cue_clock = _CUE_CLOCK_PATTERN.search(timestamp_map.group())
    stream_s = 0.0
    if stream_ticks:
        stream_s = int(stream_ticks[1]) / TICKS_PER_S
    cue_s = 0.0
    if cue_clock:
        cue_s = seconds_of(cue_clock[1]) or 0.0
    return stream_s - cue_s


def _with_unit(line: Line, shift_s: float) -> Line:
    """Return a line on the clock of the first segment, with a digest of it all as its unit."""
    start = _shifted(line.start, shift_s)
    end = _shifted(line.end, shift_s)
    # Segments repeat cues at their borders: a cue is the same if all its contents are.
    contents = repr((start, end, line.speaker, line.text))
    unit = hashlib.sha256(contents.encode()).hexdigest()[:UNIT_DIGITS]
    # A sentence may begin anywhere in a line, unless the line begins a turn.
    cut = LineCut.TURN if line.cut is LineCut.TURN else LineCut.ANYWHERE
    return replace(line, unit=unit, start=start, end=end, cut=cut)


def _shifted(time_s: float | None, shift_s: float) -> float | None:
    return None if time_s is None else round(time_s + shift_s, 3)
