"""Reads a stream of the SRT protocol through the program ``ffmpeg``, where one that knows SRT is installed.

The FFmpeg inside PyAV lacks the protocol. The program is given the machine that was looked up, may
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
SILENT_S = 20  # without a packet: the stream has broken off
INSTALL = "Install it: apt-get install ffmpeg, brew install ffmpeg, or from ffmpeg.org."
_PROTOCOLS_S = 20  # for the program to list its protocols


@cache
def program() -> str:
    """Return the path of an ``ffmpeg`` that knows SRT. Raises: SettingsError if there is none."""
    path = shutil.which("ffmpeg")
    if path is None:
        raise SettingsError(
            "the SRT protocol needs the program ffmpeg, which is not installed.", remedy=INSTALL
        )
    try:
        known = subprocess.run(
            [path, "-hide_banner", "-protocols"], capture_output=True, timeout=_PROTOCOLS_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SettingsError(
            "cannot be run, which the SRT protocol needs.", where=path, remedy=INSTALL
        ) from error
    if SCHEME.encode() not in known.split():
        raise SettingsError("does not know the SRT protocol.", where=path, remedy=INSTALL)
    return path


def samples(target: httpx.URL, machine: str, rate: int, block: int) -> Iterator[bytes]:
    """Yield the samples of the first sound track, mono, 16 bits at ``rate``, in blocks of so many bytes.

    ``machine``: the IP address of the host of ``target``. Raises: NetworkError if it cannot be heard or breaks off.
    """
    where = str(target.copy_with(query=None))  # the query may hold a passphrase
    command = [
        program(), "-nostdin", "-hide_banner", "-loglevel", "error",
        "-protocol_whitelist", SCHEME, "-timeout", str(SILENT_S * 1_000_000), "-f", "mpegts",
        "-i", str(target.copy_with(host=machine)),
        "-map", "0:a:0", "-af", "aresample=async=1", "-ac", "1", "-ar", str(rate), "-f", "s16le", "pipe:1",
    ]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as child:
        if child.stdout is None or child.stderr is None:
            raise AssertionError("both are pipes")
        try:
            heard = False
            pending = bytearray()
            while data := child.stdout.read(block):
                heard = True
                pending += data
                while len(pending) >= block:
                    yield bytes(pending[:block])
                    del pending[:block]
            yield bytes(pending[: len(pending) // 2 * 2])
            if not heard or child.wait():
                said = child.stderr.read().decode(errors="replace").strip().splitlines()
                raise NetworkError(
                    f"cannot be listened to ({_without(said, target)}).", where=where
                )
        finally:
            child.kill()


def _without(said: list[str], target: httpx.URL) -> str:
    """Return the last thing that the program said, without the address, which may hold a passphrase."""
    last = said[-1] if said else "no sound came"
    return last.rpartition(": ")[2][:150] if target.host in last or "srt://" in last else last[:150]
