"""Makes of a recording what every browser plays: Opus beside it, unless browsers play it as it is.

``python -m assistant.hearing.playable RECORDING OPUS`` does it: foreign files are decoded in a process of their own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from assistant.ground.errors import TranscriptError

ENDINGS = (".mp3", ".m4a", ".mp4", ".wav", ".ogg", ".opus", ".flac", ".webm")
CODECS = ("mp3", "mp3float", "aac", "opus", "libopus", "vorbis", "libvorbis", "flac", "pcm_s16le")
RATE, BITS = 48_000, 48_000
NO_SOUND, PLAYS = 3, 4  # statuses of the process
TIMEOUT_S = 6 * 3600.0


def prepare(recording: Path, opus: Path) -> None:
    """Write ``opus`` if browsers do not play the recording itself.

    Raises: TranscriptError if there is no sound in it, or it cannot be decoded.
    """
    command = [sys.executable, "-m", "assistant.hearing.playable", str(recording), str(opus)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode == NO_SOUND:
        raise TranscriptError("has no sound.", where=recording.name, remedy="Choose a recording with a sound track.")
    if done.returncode not in (0, PLAYS):
        reason = (done.stderr.strip().splitlines() or ["its decoder gave up"])[-1]
        raise TranscriptError(f"is no recording that can be decoded ({reason}).", where=recording.name)


def _main(recording: Path, opus: Path) -> int:
    import av

    with av.open(str(recording)) as source:
        sound = next(iter(source.streams.audio), None)
        if sound is None:
            return NO_SOUND
        if recording.suffix.lower() in ENDINGS and sound.codec_context.name in CODECS:
            return PLAYS
        part = opus.with_name(f".{opus.name}")
        with av.open(str(part), "w", format="ogg") as out:
            made = out.add_stream("libopus", rate=RATE)
            made.layout, made.bit_rate = "mono", BITS
            resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
            for frame in source.decode(sound):
                for each in resampler.resample(frame):
                    out.mux(made.encode(each))
            for each in resampler.resample(None):
                out.mux(made.encode(each))
            out.mux(made.encode(None))
    part.replace(opus)
    return 0


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), Path(sys.argv[2])))
