"""Makes of a recording what every browser plays: Opus beside it, unless browsers play it as it is.

``python -m assistant.transcription.playback_copy RECORDING [OPUS]`` does it: foreign files are decoded in a process of their own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.core.errors import Cancelled, TranscriptError

ENDINGS = (".mp3", ".m4a", ".mp4", ".wav", ".ogg", ".opus", ".flac", ".webm")
CODECS = ("mp3", "mp3float", "aac", "opus", "libopus", "vorbis", "libvorbis", "flac", "pcm_s16le")
RATE = 48_000
BITS = 48_000
# statuses of the process
NO_SOUND = 3
PLAYS = 4
STAGE = "making it playable"
TOLD_S = 10  # seconds of the recording between two words on how far it is
Tell = Callable[[str, int, int], None]


def is_playable(recording: Path) -> bool:
    """Return whether browsers play a recording as it is.

    Raises: TranscriptError if there is no sound in it.
    """
    return _run(recording) == PLAYS


def make(recording: Path, opus: Path, tell: Tell, cancelled: Callable[[], bool]) -> None:
    """Write ``opus``; ``tell`` is called with (stage, seconds done, seconds in all).

    Raises: TranscriptError if the recording cannot be decoded; Cancelled.
    """
    _run(recording, opus, tell=tell, cancelled=cancelled)


def _run(
    recording: Path,
    *opus: Path,
    tell: Tell = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    command = [
        sys.executable,
        "-m",
        "assistant.transcription.playback_copy",
        str(recording),
        *map(str, opus),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            done, _, total = line.partition(" ")
            tell(STAGE, int(done), int(total))
            if cancelled():
                process.kill()
                raise Cancelled("stopped")
        reason = (
            (process.stderr and process.stderr.read().strip().splitlines())
            or ["its decoder gave up"]
        )[-1]
    if process.returncode == NO_SOUND:
        raise TranscriptError(
            "has no sound.", where=recording.name, remedy="Choose a recording with a sound track."
        )
    if process.returncode not in (0, PLAYS):
        raise TranscriptError(
            f"is no recording that can be decoded ({reason}).", where=recording.name
        )
    return process.returncode


def _main(recording: Path, *wanted: Path) -> int:
    import av

    with av.open(str(recording)) as source:
        sound = next(iter(source.streams.audio), None)
        if sound is None:
            return NO_SOUND
        if recording.suffix.lower() in ENDINGS and sound.codec_context.name in CODECS:
            return PLAYS
        for opus in wanted:
            _write(source, sound, opus)
    return 0


def _write(source: Any, sound: Any, opus: Path) -> None:
    """Write the sound as Opus, and tell on standard output how far it is.

    Seconds done, and in all.
    """
    import av

    total = int((source.duration or 0) / 1_000_000)
    told = 0
    part = opus.with_name(f".{opus.name}")
    with av.open(str(part), "w", format="ogg") as out:
        made = out.add_stream("libopus", rate=RATE)
        made.layout = "mono"
        made.bit_rate = BITS
        resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
        for frame in source.decode(sound):
            for each in resampler.resample(frame):
                out.mux(made.encode(each))
            if (frame.time or 0) > told:
                sys.stdout.write(f"{told} {total}\n")
                sys.stdout.flush()
                told += TOLD_S
        for each in resampler.resample(None):
            out.mux(made.encode(each))
        out.mux(made.encode(None))
    part.replace(opus)


if __name__ == "__main__":
    sys.exit(_main(*map(Path, sys.argv[1:])))
