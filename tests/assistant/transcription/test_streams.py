"""Streams from a real server: live HLS, endless MP3, RTMP, SRT, and what goes wrong with them."""

from __future__ import annotations

import shutil
import sys
import time
from argparse import Namespace
from itertools import islice, takewhile
from threading import Event as Flag

import numpy as np
import pytest

from assistant.core.errors import NetworkError, SettingsError
from assistant.live.sources.listen import ListenSource, make
from assistant.transcription import decoding, srt_stream
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.web import fetching
from tests.assistant.transcription import broadcasting, sounds
from tests.assistant.transcription.broadcasting import PLAYLIST, RADIO, Station, hls, on_air


def samples_of(blocks) -> np.ndarray:
    return np.frombuffer(b"".join(block for block in blocks if isinstance(block, bytes)), np.int16)


def hertz(samples: np.ndarray) -> float:
    """Return the loudest frequency."""
    return float(np.abs(np.fft.rfft(samples)).argmax() * SAMPLE_RATE_HZ / len(samples))


def source(station: Station, path: str, home) -> ListenSource:
    return make(station.address + path, Namespace(home=str(home), allow_private=True))


def test_live_hls_is_heard_as_its_playlist_grows(tmp_path):
    """In the process of its own that decodes streams: every segment, in order, once each."""
    folder = tmp_path / "segments"
    folder.mkdir()
    with on_air(hls(folder, sounds.tone(6))) as station:
        heard = samples_of(source(station, PLAYLIST, tmp_path).sound())

    segments = [path for path in station.asked if path.endswith(".ts")]
    assert pytest.approx(len(heard) / SAMPLE_RATE_HZ, abs=0.2) == 6
    assert pytest.approx(hertz(heard), abs=2) == 440
    assert sorted(set(segments)) == segments
    assert station.looks > 2


def test_a_segment_that_is_missing_is_passed_over(tmp_path):
    """The stream goes on with the next one, and the hole is silence, so that times stay right."""
    station = hls(tmp_path, sounds.tone(6))
    station.missing = ("/s005.ts",)
    with on_air(station):
        heard = samples_of(decoding.decode_stream(station.address + PLAYLIST, True))

    assert pytest.approx(len(heard) / SAMPLE_RATE_HZ, abs=0.2) == 6
    assert (np.abs(heard) > 100).mean() == pytest.approx(11 / 12, abs=0.03)


def test_mp3_without_an_end_is_heard_until_nobody_listens(tmp_path):
    """As an Icecast server sends it, in the process of its own.

    The process ends when listening does.
    """
    path = sounds.write(tmp_path / "a.mp3", sounds.tone(4, 660), "mp3")
    with on_air(Station({RADIO: path.read_bytes()})) as station:
        sound = source(station, RADIO, tmp_path).sound()
        heard = samples_of(islice(sound, 80))
        sound.close()

    assert len(heard) / SAMPLE_RATE_HZ == 80 * decoding.LIVE_BLOCK_S
    assert pytest.approx(hertz(heard), abs=2) == 660


def test_a_playlist_cannot_name_what_the_rules_of_links_refuse(tmp_path, monkeypatch):
    """Segments in a network that may not be asked are not asked for, wherever the playlist itself lies."""
    with on_air(hls(tmp_path, sounds.tone(6))) as inner:
        monkeypatch.setattr(fetching, "is_public", lambda address: address == "127.0.0.1")
        station = Station(inner.files, moved=inner.address.replace("127.0.0.1", "127.0.0.2") + "/")
        with on_air(station), pytest.raises(NetworkError):
            list(decoding.decode_stream(station.address + PLAYLIST, False))

    assert sorted(set(station.asked)) == [PLAYLIST]
    assert inner.asked == []


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("ffmpeg"), reason="no ffmpeg is installed, which publishes here"
)
def test_rtmp_is_heard_where_private_networks_are_allowed(tmp_path):
    """From a publisher on this computer, in the process of its own that decodes streams."""
    path = sounds.write(tmp_path / "a.wav", sounds.tone(4), "pcm_s16le")
    with broadcasting.rtmp(path) as address:
        source = make(address, Namespace(home=str(tmp_path), allow_private=True))
        heard = samples_of(opened(source.sound))

    assert pytest.approx(len(heard) / SAMPLE_RATE_HZ, abs=0.5) == 4
    assert pytest.approx(hertz(heard), abs=2) == 440


@pytest.mark.parametrize("scheme", ["rtmp", "srt"])
@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.7", "[::1]", "localhost", "0.0.0.0"])
def test_no_private_network_is_asked_by_other_protocols(scheme, host):
    """The rules of all links hold for them, before anything is opened."""
    with pytest.raises(NetworkError, match="private network"):
        next(decoding.decode_stream(f"{scheme}://{host}:9000/live", False))


@pytest.fixture
def with_srt():
    """Skips where there is no ffmpeg that knows SRT."""
    try:
        srt_stream.program()
    except SettingsError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_srt_is_heard_through_ffmpeg(with_srt, tmp_path):
    """From a sender on this computer, in the process of its own that decodes streams."""
    path = sounds.write(tmp_path / "a.wav", sounds.tone(4), "pcm_s16le")
    with broadcasting.srt(path) as address:
        source = make(address, Namespace(home=str(tmp_path), allow_private=True))
        heard = samples_of(opened(source.sound))

    assert pytest.approx(len(heard) / SAMPLE_RATE_HZ, abs=0.5) == 4
    assert pytest.approx(hertz(heard), abs=2) == 440


def test_an_srt_sender_that_is_not_there_is_named_without_its_passphrase(with_srt):
    """The error is one line."""
    with pytest.raises(NetworkError, match="can't be opened as a stream") as caught:
        list(
            decoding.decode_stream(
                f"srt://127.0.0.1:{broadcasting.free_port()}?passphrase=correct-horse", True
            )
        )

    assert "correct-horse" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_ffmpeg_srt_is_refused_with_what_to_install(monkeypatch, tmp_path):
    """In one line, before anything is opened; nor is a program taken that lacks the protocol."""
    monkeypatch.setattr(srt_stream.shutil, "which", lambda name: None)
    srt_stream.program.cache_clear()
    with pytest.raises(SettingsError, match="Install ffmpeg"):
        make("srt://example.org:9000", Namespace(home=str(tmp_path)))

    monkeypatch.setattr(srt_stream.shutil, "which", lambda name: sys.executable)
    with pytest.raises(SettingsError, match="doesn't support the SRT protocol"):
        make("srt://example.org:9000", Namespace(home=str(tmp_path)))
    srt_stream.program.cache_clear()


def opened(sound):
    """Yield a stream whose sender may need a moment before it answers."""
    for remaining in range(20, -1, -1):
        try:
            yield from sound()
            return
        except NetworkError:
            if not remaining:
                raise
            time.sleep(0.2)


@pytest.mark.long
def test_words_of_a_live_stream_become_lines(tmp_path):
    """The whole way with the real model: HLS from a server, words in lines as they are said."""
    folder = tmp_path / "segments"
    folder.mkdir()
    with on_air(hls(folder, sounds.sample()[: 24 * SAMPLE_RATE_HZ])) as station:
        arrivals = list(source(station, PLAYLIST, tmp_path).follow("", Flag()))

    lines = [line for arrival in arrivals for line in arrival.lines]
    final_line = {line.unit: line for line in lines}  # a later line replaces what may still change
    words = " ".join(line.text for line in final_line.values()).split()
    assert "evening" in words and "auditorium," in words
    assert len(lines) > 2
    assert all(line.final for line in final_line.values())
    assert not list(takewhile(bool, (arrival.warning for arrival in arrivals)))
