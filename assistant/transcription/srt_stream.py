"""Reads a stream of the SRT protocol through the program ``ffmpeg``, if that supports SRT.

The FFmpeg inside PyAV lacks the protocol. The program gets the machine that was looked up, may
open nothing else, and writes samples to a pipe.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from functools import cache

import httpx

from assistant.core.errors import NetworkError, SettingsError

SCHEME = "srt"
SILENCE_TIMEOUT_S = 20  # without a packet for so long, the stream has broken off
BYTES_PER_SAMPLE = 2
SILENCE_TIMEOUT_US = SILENCE_TIMEOUT_S * 1_000_000
MAX_REASON_CHARACTERS = 150
INSTALL = "Install ffmpeg: apt-get install ffmpeg, brew install ffmpeg, or from ffmpeg.org."
_PROTOCOLS_TIMEOUT_S = 20


@cache
def program() -> str:
    """Return the path of an ``ffmpeg`` that supports SRT. Raises: SettingsError."""
    path = shutil.which("ffmpeg")
    if path is None:
        raise SettingsError(
            "SRT streams need the program ffmpeg, which isn't installed.", remedy=INSTALL
        )
    try:
        protocols = subprocess.run(
            [path, "-hide_banner", "-protocols"], capture_output=True, timeout=_PROTOCOLS_TIMEOUT_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SettingsError(
            "this program can't be run, but SRT streams need it.", where=path, remedy=INSTALL
        ) from error
    if SCHEME.encode() not in protocols.split():
        raise SettingsError(
            "this copy of ffmpeg doesn't support the SRT protocol.", where=path, remedy=INSTALL
        )
    return path


def samples(target: httpx.URL, ip_address: str, rate: int, block_size: int) -> Iterator[bytes]:
    """Yield the samples of the first sound track, mono, 16 bits at ``rate``, in blocks of bytes.

    ``machine``: the IP address of the host of ``target``.

    Raises: NetworkError if the stream cannot be read or breaks off.
    """
    shown_address = str(target.copy_with(query=None))  # the query may hold a passphrase
    with subprocess.Popen(
        _command(target, ip_address, rate),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdout is not None  # both are pipes
        assert process.stderr is not None
        try:
            has_sound = False
            pending = bytearray()
            while data := process.stdout.read(block_size):
                has_sound = True
                pending += data
                while len(pending) >= block_size:
                    yield bytes(pending[:block_size])
                    del pending[:block_size]
            whole_samples_size = len(pending) // BYTES_PER_SAMPLE * BYTES_PER_SAMPLE
            yield bytes(pending[:whole_samples_size])
            if not has_sound or process.wait() != 0:
                messages = process.stderr.read().decode(errors="replace").strip().splitlines()
                reason = _without_address(messages, target)
                raise NetworkError(f"can't be opened as a stream ({reason}).", where=shown_address)
        finally:
            process.kill()


def _command(target: httpx.URL, ip_address: str, rate: int) -> list[str]:
    """Return the command that decodes a stream to samples on standard output."""
    input_options = [
        "-protocol_whitelist",
        SCHEME,
        "-timeout",
        str(SILENCE_TIMEOUT_US),
        "-f",
        "mpegts",
    ]
    output_options = ["-map", "0:a:0", "-af", "aresample=async=1", "-ac", "1", "-ar", str(rate)]
    return [
        program(),
        "-nostdin",
        "-hide_banner",
        "-loglevel",
        "error",
        *input_options,
        "-i",
        str(target.copy_with(host=ip_address)),
        *output_options,
        "-f",
        "s16le",
        "pipe:1",
    ]


def _without_address(messages: list[str], target: httpx.URL) -> str:
    """Return the program's last message without the address, which may hold a passphrase."""
    if not messages:
        return "no sound came"
    reason = messages[-1]
    if target.host in reason or f"{SCHEME}://" in reason:
        _, _, reason = reason.rpartition(": ")  # "ADDRESS: Connection refused"
    return reason[:MAX_REASON_CHARACTERS]
