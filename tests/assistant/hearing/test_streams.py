"""Streams from a real server: live HLS, endless MP3, and what goes wrong with them."""

from __future__ import annotations

from argparse import Namespace
from itertools import islice, takewhile
from threading import Event as Flag

import numpy as np
import pytest

from assistant.ground import web
from assistant.ground.errors import NetworkError
from assistant.hearing import decoding
from assistant.hearing.decoding import RATE
from assistant.live.sources.listen import ListenSource, make
from tests.assistant.hearing import sounds
from tests.assistant.hearing.broadcasting import PLAYLIST, RADIO, Station, hls, on_air


def samples_of(parts) -> np.ndarray:
    return np.frombuffer(b"".join(part for part in parts if isinstance(part, bytes)), np.int16)


def hertz(samples: np.ndarray) -> float:
    """Return the loudest frequency."""
    return float(np.abs(np.fft.rfft(samples)).argmax() * RATE / len(samples))


def source(station: Station, path: str, home) -> ListenSource:
    return make(station.address + path, Namespace(home=str(home), allow_private=True))


def test_live_hls_is_heard_as_its_playlist_grows(tmp_path):
    """In the process of its own that decodes streams: every segment, in order, once each."""
    folder = tmp_path / "segments"
    folder.mkdir()
    with on_air(hls(folder, sounds.tone(6))) as station:
        heard = samples_of(source(station, PLAYLIST, tmp_path).sound())

    segments = [path for path in station.asked if path.endswith(".ts")]
    assert 6 == pytest.approx(len(heard) / RATE, abs=0.2)
    assert 440 == pytest.approx(hertz(heard), abs=2)
    assert sorted(set(segments)) == segments
    assert station.looks > 2


def test_a_segment_that_is_missing_is_passed_over(tmp_path):
    """The stream goes on with the next one, and the hole is silence, so that times stay right."""
    station = hls(tmp_path, sounds.tone(6))
    station.missing = ("/s005.ts",)
    with on_air(station):
        heard = samples_of(decoding.stream(station.address + PLAYLIST, True))

    assert 6 == pytest.approx(len(heard) / RATE, abs=0.2)
    assert (np.abs(heard) > 100).mean() == pytest.approx(11 / 12, abs=0.03)


def test_mp3_without_an_end_is_heard_until_nobody_listens(tmp_path):
    """As an Icecast server sends it, in the process of its own; the process ends when listening does."""
    path = sounds.write(tmp_path / "a.mp3", sounds.tone(4, 660), "mp3")
    with on_air(Station({RADIO: path.read_bytes()})) as station:
        sound = source(station, RADIO, tmp_path).sound()
        heard = samples_of(islice(sound, 80))
        sound.close()

    assert 80 * decoding.LIVE_BLOCK_S == len(heard) / RATE
    assert 660 == pytest.approx(hertz(heard), abs=2)


def test_a_playlist_cannot_name_what_the_rules_of_links_refuse(tmp_path, monkeypatch):
    """Segments in a network that may not be asked are not asked for, wherever the playlist itself lies."""
    with on_air(hls(tmp_path, sounds.tone(6))) as inner:
        monkeypatch.setattr(web, "public", lambda address: address == "127.0.0.1")
        station = Station(inner.files, moved=inner.address.replace("127.0.0.1", "127.0.0.2") + "/")
        with on_air(station), pytest.raises(NetworkError):
            list(decoding.stream(station.address + PLAYLIST, False))

    assert [PLAYLIST] == sorted(set(station.asked))
    assert [] == inner.asked


@pytest.mark.long
def test_words_of_a_live_stream_become_lines(tmp_path):
    """The whole way with the real model: HLS from a server, words in lines as they are said."""
    folder = tmp_path / "segments"
    folder.mkdir()
    with on_air(hls(folder, sounds.sample()[: 24 * RATE])) as station:
        arrivals = list(source(station, PLAYLIST, tmp_path).follow("", Flag()))

    lines = [line for arrival in arrivals for line in arrival.lines]
    words = " ".join(line.text for line in lines).split()
    assert "evening" in words and "auditorium," in words
    assert len(lines) > 2
    assert all(line.final for line in lines)
    assert not list(takewhile(bool, (arrival.warning for arrival in arrivals)))
