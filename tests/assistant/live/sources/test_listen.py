"""Listening live: words of a stream become lines, and what was heard before a kill is heard again, not lost."""

from __future__ import annotations

from argparse import Namespace
from itertools import islice
from threading import Event as Flag

import numpy as np
import pytest

from assistant.core.errors import NetworkError, SettingsError
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.sound_buffer import FILE_S, SoundBuffer
from assistant.live.sources import listen
from assistant.live.sources.listen import SAMPLE_RATE_HZ, make
from assistant.transcription import recogniser, speech_segments, streaming, whisper_model
from tests.assistant.transcription import sounds
from tests.assistant.transcription.test_streaming import SAMPLES_OF_A_WORD, recognise, speech

WORDS = 40


@pytest.fixture
def stream(monkeypatch, tmp_path):
    """A stream of forty half-second words, heard by a recogniser that knows them.

    It can break off after any block.
    """
    monkeypatch.setattr(whisper_model, "load_speech_model", lambda *_, **__: None)
    monkeypatch.setattr(
        recogniser, "recognise", lambda _, samples, start, *__, **___: recognise(samples, start)
    )
    monkeypatch.setattr(speech_segments, "detect_speech", speech)
    monkeypatch.setattr(streaming, "detect_speech", speech)
    monkeypatch.setattr(listen, "STREAM_RETRY_S", 0.0)
    wide = np.repeat(np.arange(1, WORDS + 1, dtype=np.int16), SAMPLES_OF_A_WORD)
    blocks = [block.tobytes() for block in np.array_split(wide, 4 * WORDS)]
    made_source = make("https://example.org/live.m3u8", Namespace(home=str(tmp_path)))
    return made_source, blocks


def words_of(arrivals) -> list[str]:
    return [
        word
        for arrival in arrivals
        for line in arrival.lines
        if line.final
        for word in line.text.split()
    ]


def test_a_stream_that_breaks_off_is_opened_again(stream, monkeypatch):
    """The board is told, and every word comes once."""
    source, blocks = stream
    remaining = iter(blocks)

    def sound(self):
        for count, block in enumerate(remaining):
            yield block
            if count == 50:
                raise NetworkError("broke off.")

    monkeypatch.setattr(listen.ListenSource, "sound", sound)
    arrivals = list(source.follow("", Flag()))

    assert [f"w{i}" for i in range(1, WORDS + 1)] == words_of(arrivals)
    assert any("Trying again" in arrival.warning for arrival in arrivals)


@pytest.mark.parametrize("killed_after", [1, 4, 9])
def test_what_was_heard_before_a_kill_is_not_lost(stream, monkeypatch, killed_after):
    """Sound that was not final when the process ended is on the disk and is heard before the stream goes on."""
    source, blocks = stream
    remaining = iter(blocks)
    monkeypatch.setattr(listen.ListenSource, "sound", lambda self: remaining)
    arrivals = []
    cursor = ""
    first_arrivals = source.follow("", Flag())
    for _ in range(
        killed_after
    ):  # each is stored with its cursor, as the engine does; then the process is gone
        arrival = next(first_arrivals)
        arrivals.append(arrival)
        cursor = arrival.cursor if arrival.cursor is not None else cursor
    first_arrivals.close()

    again = make(source.address, Namespace(home=str(source.app_settings.home)))
    arrivals += again.follow(cursor, Flag())

    assert [f"w{i}" for i in range(1, WORDS + 1)] == words_of(arrivals)


@pytest.mark.parametrize("killed_after", [3, 9, 17])
def test_words_that_may_change_are_shown_and_replaced(stream, monkeypatch, tmp_path, killed_after):
    """In the log they are not final until the same words are.

    A kill leaves none behind, and no word stands twice.
    """
    source, blocks = stream
    remaining = iter(blocks)
    shown = []
    monkeypatch.setattr(listen.ListenSource, "sound", lambda self: remaining)
    with EventLog.open(f"sqlite:///{tmp_path / 'live.db'}") as log:
        log.begin(Event("night", "night"), 0.0)
        for count in (killed_after, None):
            again = make(source.address, Namespace(home=str(source.app_settings.home)))
            for arrival in islice(again.follow(log.cursor("night", again.name), Flag()), count):
                log.store_lines("night", again.name, arrival.lines, now=0.0, cursor=arrival.cursor)
                shown += [sentence for sentence in log.sentences("night") if not sentence.final]
                words = " ".join(sentence.text for sentence in log.sentences("night")).split()
                assert [f"w{i}" for i in range(1, len(words) + 1)] == words

        assert [f"w{i}" for i in range(1, WORDS + 1)] == words
        assert shown


@pytest.mark.parametrize("speed", [1, 0])
def test_each_step_tells_how_much_sound_waits(stream, monkeypatch, tmp_path, speed):
    """All of it comes at once here, and less of it waits at every step.

    At no speed nobody waits.
    """
    source, blocks = stream
    source.speed = speed
    monkeypatch.setattr(listen.ListenSource, "sound", lambda self: iter([b"".join(blocks)]))

    waiting = [
        arrival.unheard for arrival in source.follow("", Flag()) if arrival.cursor is not None
    ]

    assert sorted(waiting, reverse=True) == waiting
    assert waiting[-1] == 0.0


def test_a_file_is_heard_from_the_cursor_on(stream, tmp_path):
    """A recording that stopped in the middle goes on there."""
    wide = np.repeat(np.arange(1, WORDS + 1, dtype=np.int16), SAMPLES_OF_A_WORD)
    path = sounds.write(tmp_path / "a.wav", wide, "pcm_s16le")
    source = make(str(path), Namespace(home=str(tmp_path), speed=0))
    begun = [arrival for _, arrival in zip(range(3), source.follow("", Flag()), strict=False)]
    cursor = next(a.cursor for a in reversed(begun) if a.cursor is not None)

    later_arrivals = source.follow(cursor, Flag())

    assert [f"w{i}" for i in range(1, WORDS + 1)] == words_of([*begun, *later_arrivals])


def test_sound_on_the_disk_is_deleted_once_it_is_final(tmp_path):
    """Files that end before the place go; what comes later stays with its place."""
    spool = SoundBuffer(tmp_path / "spool")
    ten = bytes(FILE_S * SAMPLE_RATE_HZ * 2)
    for start_s in range(3):
        spool.add(start_s * 10 * SAMPLE_RATE_HZ, ten)

    spool.delete_before(15.0)

    assert [start_s for start_s, _ in spool.parts()] == [10 * SAMPLE_RATE_HZ, 20 * SAMPLE_RATE_HZ]


@pytest.mark.parametrize(
    "address", ["udp://example.org:9000", "file:///etc/passwd", "concat:a|b", "no/such/file.mp3"]
)
def test_other_protocols_are_refused(address, tmp_path):
    """The error lists what can be listened to."""
    with pytest.raises(SettingsError, match=r"https://.*rtmp://"):
        make(address, Namespace(home=str(tmp_path)))
