"""The kinds of recordings, recognised by their first bytes."""

from __future__ import annotations

import re

EXTENSIONS = "mp3 m4a wav ogg opus flac mp4 mkv webm mov aac aiff avi ts wma"
FORMAT_HEAD_BYTES = 600  # needed by ``is_recording``: three packets of MPEG-TS and more

# The first bytes of each format; a dot stands for any byte.
_FIRST_BYTES = (
    rb"RIFF.{4}(?:WAVE|AVI )",  # WAV and AVI
    rb"RF64.{4}WAVE",  # WAV of more than 4 GB
    rb"FORM.{4}AIF[FC]",  # AIFF
    rb"ID3[\x02-\x04]",  # MP3 with tags
    rb"\xff[\xfb\xfa\xf3\xf2\xe3]",  # MP3 without tags
    rb"\xff[\xf1\xf9]",  # AAC
    rb"fLaC",  # FLAC
    rb"OggS",  # Ogg and Opus
    rb"\x1aE\xdf\xa3",  # Matroska and WebM
    rb"0&\xb2u\x8ef\xcf\x11",  # WMA
    rb".{4}ftyp(?!heic|heif|avif|mif1)",  # MP4 and M4A, but not images of the same family
    rb".{4}(?:moov|wide.{4}mdat)",  # MOV
    rb"G.{187}G.{187}G",  # MPEG-TS: each packet of 188 bytes begins with G
)
_RECORDING_PATTERN = re.compile(b"|".join(_FIRST_BYTES), re.DOTALL)


def is_recording(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of sound or video."""
    return _RECORDING_PATTERN.match(head[:FORMAT_HEAD_BYTES]) is not None
