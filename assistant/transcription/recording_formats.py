"""The kinds of recordings, recognised by their first bytes."""

from __future__ import annotations

import re

EXTENSIONS = "mp3 m4a wav ogg opus flac mp4 mkv webm mov aac aiff avi ts wma"
HEAD = 600  # bytes that ``is_recording`` needs: three packets of MPEG-TS and more

_KINDS = re.compile(
    rb"RIFF.{4}(?:WAVE|AVI )|RF64.{4}WAVE|FORM.{4}AIF[FC]"
    rb"|ID3[\x02-\x04]|\xff[\xfb\xfa\xf3\xf2\xe3]|\xff[\xf1\xf9]"  # MP3 with and without tags; AAC
    rb"|fLaC|OggS|\x1aE\xdf\xa3|0&\xb2u\x8ef\xcf\x11"  # FLAC; Ogg and Opus; Matroska and WebM; WMA
    rb"|.{4}(?:ftyp(?!heic|heif|avif|mif1)|moov|wide.{4}mdat)"  # MP4, M4A, MOV
    rb"|G.{187}G.{187}G",  # MPEG-TS
    re.DOTALL,
)


def is_recording(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of sound or video."""
    return _KINDS.match(head[:HEAD]) is not None
