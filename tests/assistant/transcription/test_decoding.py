"""Decoding: every kind of recording becomes the same samples, and what cannot be heard is refused in one line."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.errors import NetworkError, TranscriptError
from assistant.transcription import decoding, recording_formats
from assistant.transcription.decoding import SAMPLE_RATE_HZ, AudioTrack
from tests.assistant.transcription import sounds

KINDS = {
    "mp3": "mp3",
    "m4a": "aac",
    "wav": "pcm_s16le",
    "ogg": "flac",
    "opus": "libopus",
    "flac": "flac",
    "mp4": "aac",
    "mkv": "flac",
    "webm": "libopus",
    "mov": "pcm_s16le",
}


def decoded(path):
    blocks = list(decoding.decode_file(str(path)))
    samples = np.frombuffer(
        b"".join(block for block in blocks if isinstance(block, bytes)), np.int16
    )
    return blocks[0], samples, [block for block in blocks if isinstance(block, str)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_recognised_by_its_bytes_and_decoded(kind, tmp_path):
    """Two seconds of a tone become two seconds at 16 kHz, and the loudest frequency is the tone."""
    rate = 48_000 if KINDS[kind] == "libopus" else SAMPLE_RATE_HZ
    times = np.arange(2 * rate) / rate
    tone = (np.sin(2 * np.pi * 440 * times) * 8000).astype(np.int16)
    path = sounds.write(tmp_path / f"a.{kind}", tone, KINDS[kind], rate)
    renamed = path.rename(tmp_path / "debate.txt")

    track, samples, warnings = decoded(renamed)
    loudest = np.argmax(np.abs(np.fft.rfft(samples))) * SAMPLE_RATE_HZ / len(samples)

    assert recording_formats.is_recording(
        renamed.read_bytes()[: recording_formats.FORMAT_HEAD_BYTES]
    )
    assert isinstance(track, AudioTrack)
    assert warnings == []
    assert len(samples) / SAMPLE_RATE_HZ == pytest.approx(2.0, abs=0.15)
    assert loudest == pytest.approx(440, abs=3)


def test_text_and_images_are_no_recordings():
    """What merely begins like a mark of sound is left to the other readers."""
    heads = [
        b"ID3 is a mark. Good evening.",
        b"\xff\xfeG\0o\0o\0d\0",
        b"\0\0\0\x18ftypheic",
        b"Good evening.",
    ]

    assert not any(recording_formats.is_recording(head) for head in heads)


def test_a_video_without_sound_is_refused(tmp_path):
    """The error names the file and what it lacks."""
    with pytest.raises(TranscriptError, match=r"a\.mp4: the recording has no audio track"):
        decoded(sounds.write_silent_film(tmp_path / "a.mp4"))


def test_a_protected_file_is_refused(tmp_path):
    """The box in which an MP4 says how it is protected is told apart from an unknown codec."""
    path = sounds.write(tmp_path / "a.m4a", sounds.tone(1), "aac")
    path.write_bytes(path.read_bytes() + b"\0\0\0\x14sinf\0\0\0\x0cfrmamp4a")

    with pytest.raises(TranscriptError, match="DRM"):
        decoded(path)


def test_an_unknown_codec_is_refused(tmp_path):
    """The error says what to convert it to."""
    path = sounds.write(tmp_path / "a.mov", sounds.tone(1), "pcm_s16le")
    path.write_bytes(path.read_bytes().replace(b"sowt", b"qqqq"))

    with pytest.raises(TranscriptError, match="codec that is not known.*Convert it"):
        decoded(path)


def test_a_cut_file_is_read_with_a_warning(tmp_path):
    """What is there is decoded, and a line says how much is missing."""
    path = sounds.write(tmp_path / "a.mkv", sounds.noise(10), "flac")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    _, samples, warnings = decoded(path)

    assert 3 < len(samples) / SAMPLE_RATE_HZ < 7
    assert any("the file is cut" in line for line in warnings)


def test_an_mp4_without_its_index_is_refused(tmp_path):
    """An MP4 that was cut before its index cannot be decoded."""
    path = sounds.write(tmp_path / "a.mp4", sounds.noise(5), "aac")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises(TranscriptError, match="cut off or damaged"):
        decoded(path)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/a.m3u8",
        "rtmp://127.0.0.1/live",
        "file:///etc/passwd",
        "concat:/etc/passwd",
    ],
)
def test_a_stream_in_a_private_network_or_of_another_protocol_is_refused(address):
    """The rules of ``web.fetching`` hold before anything is opened."""
    with pytest.raises(NetworkError, match="private network|valid web address"):
        list(decoding.decode_stream(address, False))
