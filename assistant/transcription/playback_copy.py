"""Makes a copy of a recording that every browser plays: Opus, unless browsers play the original.

``python -m assistant.transcription.playback_copy RECORDING [OPUS]`` does it, because the files of
others are decoded in a process of their own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import Cancelled, TranscriptError

PLAYABLE_EXTENSIONS = (".mp3", ".m4a", ".mp4", ".wav", ".ogg", ".opus", ".flac", ".webm")
PLAYABLE_CODECS = (
    "mp3",
    "mp3float",
    "aac",
    "opus",
    "libopus",
    "vorbis",
    "libvorbis",
    "flac",
    "pcm_s16le",
)
OPUS_RATE_HZ = 48_000
OPUS_BITS_PER_S = 48_000
MICROSECONDS_PER_S = 1_000_000
# exit statuses of the process
NO_SOUND_STATUS = 3
PLAYABLE_STATUS = 4
STAGE = "making it playable"
REPORT_INTERVAL_S = 10  # seconds of sound between two reports of the progress
OnProgress = Callable[[str, int, int], None]  # stage, seconds done, seconds in all


def is_playable(recording: Path) -> bool:
    """Return whether browsers play a recording as it is.

    Raises: TranscriptError if there is no sound in it.
    """
    return _decode_in_own_process(recording) == PLAYABLE_STATUS


def make(
    recording: Path, opus: Path, on_progress: OnProgress, is_cancelled: Callable[[], bool]
) -> None:
    """Write ``opus``; ``on_progress`` is called with (stage, seconds done, seconds in all).

    Raises: TranscriptError if the recording cannot be decoded; Cancelled.
    """
    _decode_in_own_process(recording, opus, on_progress=on_progress, is_cancelled=is_cancelled)


def _decode_in_own_process(
    recording: Path,
    opus_path: Path | None = None,
    *,
    on_progress: OnProgress = lambda stage, done_s, total_s: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Run this module in a process of its own and return its status."""
    command = [sys.executable, "-m", "assistant.transcription.playback_copy", str(recording)]
    if opus_path is not None:
        command.append(str(opus_path))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            done_s, _, total_s = line.partition(" ")
            on_progress(STAGE, int(done_s), int(total_s))
            if is_cancelled():
                process.kill()
                raise Cancelled("stopped")
        messages = process.stderr.read().strip().splitlines() if process.stderr else []
    _require_success(process.returncode, messages, recording.name)
    return process.returncode


def _require_success(status: int, messages: Sequence[str], file_name: str) -> None:
    """Raise TranscriptError unless the status says that the sound was decoded or is playable."""
    if status == NO_SOUND_STATUS:
        raise TranscriptError(
            "the recording has no audio track.",
            where=file_name,
            remedy="Choose a recording with an audio track.",
        )
    if status not in (0, PLAYABLE_STATUS):
        reason = messages[-1] if messages else "its decoder gave up"
        raise TranscriptError(
            f"isn't a recording that Lectern can decode ({reason}).", where=file_name
        )


def _main(recording: Path, opus_path: Path | None = None) -> int:
    """Write the Opus copy if it is given, and return the status."""
    import av

    with av.open(str(recording)) as source:
        sound_track = next(iter(source.streams.audio), None)
        if sound_track is None:
            return NO_SOUND_STATUS
        has_playable_format = recording.suffix.lower() in PLAYABLE_EXTENSIONS
        if has_playable_format and sound_track.codec_context.name in PLAYABLE_CODECS:
            return PLAYABLE_STATUS
        if opus_path is not None:
            _write(source, sound_track, opus_path)
    return 0


def _write(source: Any, sound_track: Any, opus_path: Path) -> None:
    """Write the sound as Opus, and its progress on standard output: seconds done, and in all."""
    import av

    total_s = int((source.duration or 0) / MICROSECONDS_PER_S)
    reported_s = 0
    temporary = opus_path.with_name(f".{opus_path.name}")  # renamed once it is complete
    with av.open(str(temporary), "w", format="ogg") as container:
        track = container.add_stream("libopus", rate=OPUS_RATE_HZ)
        track.layout = "mono"
        track.bit_rate = OPUS_BITS_PER_S
        resampler = av.AudioResampler(format="flt", layout="mono", rate=OPUS_RATE_HZ)
        for frame in source.decode(sound_track):
            for resampled in resampler.resample(frame):
                container.mux(track.encode(resampled))
            if (frame.time or 0) > reported_s:
                sys.stdout.write(f"{reported_s} {total_s}\n")
                sys.stdout.flush()
                reported_s += REPORT_INTERVAL_S
        for resampled in resampler.resample(None):  # None: the samples that are left
            container.mux(track.encode(resampled))
        container.mux(track.encode(None))
    temporary.replace(opus_path)


if __name__ == "__main__":
    sys.exit(_main(*map(Path, sys.argv[1:])))
