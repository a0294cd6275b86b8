"""Decodes the sound of a file or stream block by block, with PyAV: 16 kHz, mono, 16 bits.

It takes bounded memory, and runs in a process of its own (``core.confined``), so that a malicious
recording harms nothing but its decoder.
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
BYTES_PER_SAMPLE = 2
FILE_BLOCK_S = 2.0
LIVE_BLOCK_S = 0.25
# So few blocks of a file that a busy machine decodes them in time.
BLOCKS_PER_ANSWER = 10
# A gap of such a length in the time stamps becomes silence, so that times fit those of players.
MIN_GAP_S = 0.2
MAX_GAP_S = 600.0
MAX_MISSING_S = 2.0  # a file with less sound than it declares is cut
MAX_DAMAGED_PACKETS = 1000
PROTECTION_SEARCH_BYTES = 4_000_000  # searched at both ends for the marks of protected files
STREAM_SCHEMES = ("rtmp", "rtmps", srt_stream.SCHEME)  # besides web addresses
# FFmpeg aborts when it would send a second request over a connection that it did not open.
HLS_OPTIONS = {"http_persistent": "0", "http_multiple": "0"}
MAX_MISSING_SEGMENTS = 3  # one after another, in a live stream
MICROSECONDS_PER_S = 1_000_000
MAX_REASON_CHARACTERS = 150
PRIVATE_REMEDY = "Add --allow-private if you trust it."
STREAM_TIMEOUTS_S = (15.0, 20.0)  # limits for connecting, and between two reads
# An MP4's box of protection, and the format inside it
_PROTECTION_BOX_PATTERN = re.compile(rb"sinf\0\0\0.frma", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """A sound track: its length in seconds (None if not declared), sample rate, and codec."""

    seconds: float | None
    rate: int
    codec: str


def decode_file(path: str) -> Iterator[AudioTrack | bytes | str]:
    """Yield the track of a file, then its samples in blocks; warnings are text between them.

    Raises: TranscriptError if it has no sound that can be decoded.
    """
    import av

    name = Path(path).name
    try:
        container = av.open(path, options={"protocol_whitelist": "file"})
    except (OSError, ValueError) as error:  # av's errors are both
        raise TranscriptError(
            "is cut off or damaged (its index cannot be read).", where=name
        ) from error
    byte_count = 0
    with container:
        track = _audio_track(container, path)
        yield track
        for block in _decode_blocks(container, FILE_BLOCK_S):
            if isinstance(block, bytes):
                byte_count += len(block)
            yield block
    if byte_count == 0:
        raise _undecodable(name, track.codec)
    decoded_s = byte_count / BYTES_PER_SAMPLE / SAMPLE_RATE_HZ
    if track.seconds and track.seconds - decoded_s > MAX_MISSING_S:
        yield f"the file is cut: it has {decoded_s:.0f} of {track.seconds:.0f} seconds of sound"


def decode_stream(address: str, allows_private_addresses: bool) -> Iterator[bytes | str]:
    """Yield the samples of a stream as they come, in short blocks.

    ``web.fetching`` opens web addresses under its rules, and the addresses that a playlist names.
    RTMP and SRT, which name no other address, are opened by PyAV and the program ffmpeg at the
    machine that was looked up.

    Raises: NetworkError if it cannot or may not be opened, has no sound, or breaks off with an
    error.
    """
    # This function says whether Lectern may connect to an IP address.
    is_allowed = _allow_any_machine if allows_private_addresses else fetching.is_public
    if address.startswith(f"{srt_stream.SCHEME}://"):
        target, ip_address = _look_up(address, is_allowed)
        block_bytes = int(LIVE_BLOCK_S * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
        yield from srt_stream.samples(target, ip_address, SAMPLE_RATE_HZ, block_bytes)
        return
    with (
        fetching.Fetcher(is_allowed=is_allowed, remedy=PRIVATE_REMEDY) as fetcher,
        _open_stream(address, fetcher, is_allowed) as container,
    ):
        if not container.streams.audio:
            raise NetworkError("the stream has no audio track.", where=address[:200])
        yield from _decode_blocks(container, LIVE_BLOCK_S)


def _allow_any_machine(machine: str) -> bool:
    return True


def _open_stream(
    address: str, fetcher: fetching.Fetcher, is_allowed: fetching.AddressTest
) -> InputContainer:
    """Open a stream by its web address, or at the machine of its host."""
    import av

    if address.startswith(fetching.PAGE_SCHEMES):
        source: Any = fetcher.opened(address)
        protocols = "http,https,tcp,tls,crypto"
        open_segment = _SegmentOpener(fetcher).opened
    else:
        # the address with the IP address in place of the host, which is not looked up again
        target, ip_address = _look_up(address, is_allowed)
        source = str(target.copy_with(host=ip_address))
        protocols = "rtmp,rtmps,tcp,tls"
        open_segment = None
    try:
        return av.open(
            source,
            options={"protocol_whitelist": protocols, **HLS_OPTIONS},
            io_open=open_segment,
            timeout=STREAM_TIMEOUTS_S,
        )
    except (OSError, ValueError) as error:
        raise NetworkError(
            f"can't be opened as a stream ({_reason(error)}).", where=address[:200]
        ) from error


@dataclass
class _SegmentOpener:
    """Opens the addresses of a playlist. A missing segment is empty, and becomes silence."""

    fetcher: fetching.Fetcher
    missing_in_row: int = 0

    def opened(self, url: str, flags: int, options: dict[str, str]) -> Any:
        """Open a URL as a file.

        Raises: NetworkError if that is not allowed, or too many segments are missing.
        """
        try:
            answer = self.fetcher.opened(url)
        except Unanswered:
            self.missing_in_row += 1
            if self.missing_in_row > MAX_MISSING_SEGMENTS:
                raise
            # A single missing segment is left out of the sound.
            return io.BytesIO()
        self.missing_in_row = 0
        return answer


def _look_up(address: str, is_allowed: fetching.AddressTest) -> tuple[httpx.URL, str]:
    """Return an address and the machine of its host.

    Raises: NetworkError if Lectern may not connect to that machine.
    """
    return fetching.resolve_host(
        address, schemes=STREAM_SCHEMES, is_allowed=is_allowed, remedy=PRIVATE_REMEDY
    )


def _audio_track(container: InputContainer, path: str) -> AudioTrack:
    """Return the first sound track.

    Raises: TranscriptError if there is no sound track, or no decoder for it.
    """
    name = Path(path).name
    if not container.streams.audio:
        raise TranscriptError(
            "the recording has no audio track.",
            where=name,
            remedy="Choose a recording with an audio track.",
        )
    if _is_protected(path):
        raise TranscriptError(
            "is copy-protected (DRM) and can't be transcribed.",
            where=name,
            remedy="Ask for a copy without protection.",
        )
    audio = container.streams.audio[0]
    if audio.codec_context is None or not audio.rate:
        raise _undecodable(name, "unknown")
    seconds = None
    if container.duration:
        seconds = container.duration / MICROSECONDS_PER_S
    return AudioTrack(seconds, audio.rate, audio.codec_context.name)


def _is_protected(path: str) -> bool:
    with open(path, "rb") as file:
        beginning = file.read(PROTECTION_SEARCH_BYTES)
        if _PROTECTION_BOX_PATTERN.search(beginning):
            return True
        size_bytes = Path(path).stat().st_size
        file.seek(max(size_bytes - PROTECTION_SEARCH_BYTES, 0))
        ending = file.read(PROTECTION_SEARCH_BYTES)
    return _PROTECTION_BOX_PATTERN.search(ending) is not None


def _undecodable(name: str, codec: str) -> TranscriptError:
    return TranscriptError(
        f"has sound in a codec that is not known here ({codec}), or is damaged.",
        where=name,
        remedy="Convert it to MP3 or WAV.",
    )


def _decode_blocks(container: InputContainer, block_s: float) -> Iterator[bytes | str]:
    """Yield the samples of the first sound track in blocks, and a warning about damage."""
    block_bytes = int(block_s * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
    # frames have time stamps from here on, which need not be 0
    origin_s = (container.start_time or 0) / MICROSECONDS_PER_S
    packets = container.demux(container.streams.audio[0])
    converter = _FrameConverter()
    pending = bytearray()
    byte_count = 0
    damaged_count = 0
    is_last = False
    while not is_last:
        try:
            packet = next(packets, None)
            frames: list[Any] = [] if packet is None else packet.decode()
            is_last = packet is None
        except EOFError:
            frames = []
            is_last = True
        except (OSError, ValueError):  # a damaged packet is left out
            damaged_count += 1
            if damaged_count > MAX_DAMAGED_PACKETS:
                break
            continue
        for frame in frames:
            silence = b""
            if frame.time is not None:
                decoded_s = byte_count / BYTES_PER_SAMPLE / SAMPLE_RATE_HZ
                silence = _silence(frame.time - origin_s - decoded_s)
            samples = silence + converter.convert(frame)
            pending += samples
            byte_count += len(samples)
        while len(pending) >= block_bytes:
            yield bytes(pending[:block_bytes])
            del pending[:block_bytes]
    if pending:
        yield bytes(pending)
    if damaged_count:
        yield f"damaged places in the recording, left out: {damaged_count}"


def _silence(gap_s: float) -> bytes:
    """Return silence for a gap in the time stamps, none if it is too short or too long."""
    if MIN_GAP_S < gap_s < MAX_GAP_S:
        return bytes(int(gap_s * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE)
    return b""


class _FrameConverter:
    """Converts frames to samples, with a new resampler if the rate or channels change."""

    def __init__(self) -> None:
        self.resampler: Any = None

    def convert(self, frame: Any) -> bytes:
        import av

        if self.resampler is not None:
            with suppress(ValueError):  # the frame has another rate or other channels
                return self._resampled(frame)
        self.resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE_HZ)
        return self._resampled(frame)

    def _resampled(self, frame: Any) -> bytes:
        return b"".join(
            resampled.to_ndarray().tobytes() for resampled in self.resampler.resample(frame)
        )


def _reason(error: Exception) -> str:
    message = getattr(error, "strerror", None) or str(error)
    return message.splitlines()[0][:MAX_REASON_CHARACTERS]
