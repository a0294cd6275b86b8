"""A broadcaster on this computer for the tests.

Live HLS whose playlist goes on, MP3 without an end, RTMP and SRT.
"""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.free_ports import free_port

PLAYLIST = "/live.m3u8"
RADIO = "/radio"
SEGMENT_S = 0.5
# segments that are new at each look, and that a playlist names
AHEAD = 3
LISTED = 6


@dataclass
class Station:
    """What is broadcast, and what was asked for. Paths of ``missing`` are answered with 404."""

    files: dict[str, bytes]
    moved: str = ""  # where all segments lie, if not beside the playlist
    missing: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)
    looks: int = 0
    address: str = ""

    def playlist(self) -> bytes:
        """Return the playlist as it is now.

        Live, with more segments at every look, and an end after the last.
        """
        self.looks += 1
        head, *segments = re.split(
            r"(?=#EXTINF)", self.files[PLAYLIST].decode().replace("#EXT-X-ENDLIST\n", "")
        )
        end = min(self.looks * AHEAD, len(segments))
        first_segment = max(end - LISTED, 0)
        head = re.sub(r"(?<=MEDIA-SEQUENCE:)\d+", str(first_segment), head)
        over = "#EXT-X-ENDLIST\n" if end == len(segments) else ""
        return re.sub(
            r"(?<=\n)(?=s\d)", self.moved, head + "".join(segments[first_segment:end]) + over
        ).encode()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        station: Station = self.server.station  # type: ignore[attr-defined]
        station.asked.append(self.path)
        if self.path in station.missing or (self.path != RADIO and self.path not in station.files):
            self.send_error(404)
            return
        self.send_response(200)
        if self.path == RADIO:
            self.send_header("Content-Type", "audio/mpeg")
            self.end_headers()
            with suppress(OSError):  # somebody stopped listening
                while True:
                    self.wfile.write(station.files[RADIO])
        data = station.playlist() if self.path == PLAYLIST else station.files[self.path]
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def on_air(station: Station) -> Iterator[Station]:
    """Broadcast until the ``with`` ends; ``station.address`` is where."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        # type: ignore[attr-defined]
        server.station = station
        server.daemon_threads = True
        server.block_on_close = False
        station.address = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield station
        finally:
            server.shutdown()


@contextmanager
def rtmp(path: Path) -> Iterator[str]:
    """Publish a recording over RTMP, at its own speed, to the first who asks.

    The address is where.
    """
    address = f"rtmp://127.0.0.1:{free_port()}/live/night"
    with _ffmpeg(path, "-f", "flv", "-listen", "1", address):
        yield address


@contextmanager
def srt(path: Path) -> Iterator[str]:
    """Send a recording over SRT, at its own speed, to the first who asks; the address is where."""
    address = f"srt://127.0.0.1:{free_port()}"
    with _ffmpeg(path, "-f", "mpegts", f"{address}?mode=listener"):
        yield address


@contextmanager
def _ffmpeg(path: Path, *out: str) -> Iterator[None]:
    """Run the program ffmpeg, which sends a recording as AAC."""
    command = [
        "ffmpeg",
        "-nostdin",
        "-loglevel",
        "error",
        "-re",
        "-i",
        str(path),
        "-c:a",
        "aac",
        *out,
    ]
    with subprocess.Popen(command) as sender:
        try:
            yield
        finally:
            sender.kill()


def hls(folder: Path, samples: NDArray[np.int16]) -> Station:
    """Return a station that sends samples as HLS in segments of half a second."""
    import av

    segment_names = {
        "hls_time": str(SEGMENT_S),
        "hls_list_size": "0",
        "hls_segment_filename": str(folder / "s%03d.ts"),
    }
    with av.open(str(folder / "live.m3u8"), "w", format="hls", options=segment_names) as out:
        stream = out.add_stream("aac", rate=SAMPLE_RATE_HZ)
        stream.layout = "mono"
        for first in range(0, len(samples), 1024):
            segment = np.ascontiguousarray(samples[None, first : first + 1024])
            frame = av.AudioFrame.from_ndarray(segment, format="s16", layout="mono")
            frame.sample_rate = SAMPLE_RATE_HZ
            frame.pts = first
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return Station({f"/{path.name}": path.read_bytes() for path in folder.iterdir()})
