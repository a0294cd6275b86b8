"""Decodes the sound of a file or stream block by block, with PyAV.

16 kHz, mono, 16 bits, in bounded memory.

Runs in a process of its own (``core.confined``): what a hostile recording does to a decoder hurts
nothing else.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import NetworkError, TranscriptError, Unanswered
from assistant.transcription import srt_stream
from assistant.web import fetching

if TYPE_CHECKING:
    import httpx
    from av.container import InputContainer

SAMPLE_RATE_HZ = 16_000
BYTES_PER_SAMPLE = 2  # of a sample
FILE_BLOCK_S = 2.0  # of a file; of a stream LIVE_BLOCK_S
LIVE_BLOCK_S = 0.25
BLOCKS_PER_ANSWER = 10  # blocks of a file in one answer: a busy machine decodes them in time
GAP_S = (
    0.2,
    600.0,
)  # a hole in the time stamps as long as this becomes silence, so that times stay those of a player
MAX_MISSING_S = 2.0  # a file that has so much less sound than it says is cut
PROTECTION_SEARCH_BYTES = (
    4_000_000  # bytes at both ends in which the marks of protected files are looked for
)
STREAM_SCHEMES = ("rtmp", "rtmps", srt_stream.SCHEME)  # besides web addresses
# FFmpeg aborts where it would send a second request over a connection that is not its own.
HLS_OPTIONS = {"http_persistent": "0", "http_multiple": "0"}
MAX_MISSING_SEGMENTS = 3  # segments in a row that a live stream may lack
PRIVATE_REMEDY = "Add --allow-private if you mean it."
STREAM_TIMEOUTS_S = (15.0, 20.0)  # to connect, and between two reads
_PROTECTION_BOX = re.compile(
    rb"sinf\0\0\0.frma", re.DOTALL
)  # an MP4's box of protection, and the format inside it


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """The sound track: its length in seconds where the file says it, the rate of its samples, and its codec."""

    seconds: float | None
    rate: int
    codec: str


def decode_file(path: str) -> Iterator[AudioTrack | bytes | str]:
    """Yield the track of a file, then its samples in blocks.

    What is wrong with it is text between them.

    Raises: TranscriptError if it has no sound that can be decoded.
    """
    import av

    name = Path(path).name
    try:
        container = av.open(path, options={"protocol_whitelist": "file"})
    except (OSError, ValueError) as error:  # av's errors are both
        raise TranscriptError(
            "is cut off or damaged: its index cannot be read.", where=name
        ) from error
    with container:
        track = _audio_track(container, path)
        yield track
        length = 0
        for part in _decode_blocks(container, FILE_BLOCK_S):
            length += len(part) if isinstance(part, bytes) else 0
            yield part
    seconds = length / BYTES_PER_SAMPLE / SAMPLE_RATE_HZ
    if not length:
        raise _undecodable(Path(path).name, track.codec)
    if track.seconds and track.seconds - seconds > MAX_MISSING_S:
        yield f"the file is cut: it has {seconds:.0f} of {track.seconds:.0f} seconds of sound"


def decode_stream(address: str, private: bool) -> Iterator[bytes | str]:
    """Yield the samples of a stream as they come, in short blocks.

    Web addresses, those that a playlist names among them, are opened by ``web.fetching`` under its
    rules; RTMP and SRT, which name no other address, by PyAV and the program ffmpeg at the machine
    that was looked up.

    Raises: NetworkError if it cannot be opened, may not be, has no sound, or breaks off with an
    error.
    """
    import av

    may = (lambda machine: True) if private else fetching.public
    if address.startswith(f"{srt_stream.SCHEME}://"):
        yield from srt_stream.samples(
            *_look_up(address, may),
            SAMPLE_RATE_HZ,
            int(LIVE_BLOCK_S * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE,
        )
        return
    is_page = address.startswith(fetching.PAGES)
    with fetching.Fetcher(may=may, remedy=PRIVATE_REMEDY) as fetcher:
        source: Any = fetcher.opened(address) if is_page else _at_machine(*_look_up(address, may))
        protocols = "http,https,tcp,tls,crypto" if is_page else "rtmp,rtmps,tcp,tls"
        try:
            container = av.open(
                source,
                options={"protocol_whitelist": protocols, **HLS_OPTIONS},
                io_open=_SegmentOpener(fetcher).opened if is_page else None,
                timeout=STREAM_TIMEOUTS_S,
            )
        except (OSError, ValueError) as error:
            raise NetworkError(
                f"cannot be listened to ({_reason(error)}).", where=address[:200]
            ) from error
        with container:
            if not container.streams.audio:
                raise NetworkError("has no sound track.", where=address[:200])
            yield from _decode_blocks(container, LIVE_BLOCK_S)


@dataclass
class _SegmentOpener:
    """Opens what a playlist names; a segment that does not come is empty, and becomes silence."""

    fetcher: fetching.Fetcher
    missing: int = 0

    def opened(self, url: str, flags: int, options: dict[str, str]) -> Any:
        """Return a URL as a file.

        Raises: NetworkError if it may not be asked, or too many have not come.
        """
        try:
            opened = self.fetcher.opened(url)
        except Unanswered:
            self.missing += 1
            if self.missing > MAX_MISSING_SEGMENTS:
                raise
            return io.BytesIO()
        self.missing = 0
        return opened


def _look_up(address: str, may: fetching.Allowed) -> tuple[httpx.URL, str]:
    """Return an address and the machine of its host.

    Raises: NetworkError if that may not be asked.
    """
    return fetching.look_up(address, schemes=STREAM_SCHEMES, may=may, remedy=PRIVATE_REMEDY)


def _at_machine(target: httpx.URL, machine: str) -> str:
    return str(target.copy_with(host=machine))


def _audio_track(container: InputContainer, path: str) -> AudioTrack:
    """Return the track that is decoded.

    Raises: TranscriptError if there is none, or no decoder for it.
    """
    name = Path(path).name
    if not container.streams.audio:
        raise TranscriptError(
            "has no sound track.", where=name, remedy="Choose the recording with sound."
        )
    if _is_protected(path):
        what = "is protected against copying (DRM) and cannot be heard."
        raise TranscriptError(what, where=name, remedy="Ask for a copy without protection.")
    chosen = container.streams.audio[0]
    if chosen.codec_context is None or not chosen.rate:
        raise _undecodable(name, "unknown")
    seconds = container.duration / 1_000_000 if container.duration else None
    return AudioTrack(seconds, chosen.rate, chosen.codec_context.name)


def _is_protected(path: str) -> bool:
    with open(path, "rb") as file:
        found = file.read(PROTECTION_SEARCH_BYTES)
        file.seek(max(Path(path).stat().st_size - PROTECTION_SEARCH_BYTES, 0))
        return (
            _PROTECTION_BOX.search(found) is not None
            or _PROTECTION_BOX.search(file.read(PROTECTION_SEARCH_BYTES)) is not None
        )


def _undecodable(name: str, codec: str) -> TranscriptError:
    what = f"has sound in a codec that is not known here ({codec}), or is damaged."
    return TranscriptError(what, where=name, remedy="Convert it to MP3 or WAV.")


def _decode_blocks(container: InputContainer, block_s: float) -> Iterator[bytes | str]:
    """Yield the samples of the first sound track in blocks, and a line of text for places that were damaged."""
    pending = bytearray()
    length = 0
    damaged = 0
    size = int(block_s * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
    origin = (container.start_time or 0) / 1_000_000
    converter = _FrameConverter()
    packets = container.demux(container.streams.audio[0])
    while True:
        try:
            packet = next(packets, None)
            frames: list[Any] = [] if packet is None else packet.decode()
        except EOFError:
            packet = None
            frames = []
        except (OSError, ValueError):
            damaged += 1
            if damaged > 1000:
                break
            continue
        for frame in frames:
            gap = (
                frame.time - origin if frame.time is not None else 0.0
            ) - length / BYTES_PER_SAMPLE / SAMPLE_RATE_HZ
            hole = (
                bytes(int(gap * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE)
                if GAP_S[0] < gap < GAP_S[1]
                else b""
            )
            samples = hole + converter.convert(frame)
            pending += samples
            length += len(samples)
        while len(pending) >= size:
            yield bytes(pending[:size])
            del pending[:size]
        if packet is None:
            break
    if pending:
        yield bytes(pending)
    if damaged:
        yield f"damaged places in the recording, left out: {damaged}"


class _FrameConverter:
    """Converts frames to samples.

    A track that changes its rate or channels on the way gets a new resampler.
    """

    def __init__(self) -> None:
        self.resampler: Any = None

    def convert(self, frame: Any) -> bytes:
        import av

        if self.resampler is not None:
            with suppress(ValueError):
                return self._resampled(frame)
        self.resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE_HZ)
        return self._resampled(frame)

    def _resampled(self, frame: Any) -> bytes:
        return b"".join(part.to_ndarray().tobytes() for part in self.resampler.resample(frame))


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).splitlines()[0][:150]
