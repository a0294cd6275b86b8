"""Replays in the formats of real products.

The log ends with the spoken text, sentence by sentence.
"""

from __future__ import annotations

import json
import os
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.live.sources.file import FileSource
from assistant.live.sources.hls import HlsSource
from assistant.live.sources.network_rules import fetcher
from assistant.live.sources.recogniser_messages import Messages
from assistant.live.sources.streamtext import StreamTextSource
from tests.assistant.live.following import said

FOLDER = Path(os.environ.get("LECTERN_DATA", "")) / "transcripts" / "live"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(
        not os.environ.get("LECTERN_DATA"), reason="LECTERN_DATA does not name the data folder"
    ),
]


def expected():
    lines = (FOLDER / "expected_final.txt").read_text("utf-8").splitlines()
    return [line.partition(": ")[2] for line in lines]


def bare(text):
    """Return the words alone: LocalVocal strips marks, caption writers write capitals."""
    return re.sub(r"\W+$", "", text)


def replayed(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "name",
    ["whisperlive_ws.jsonl", "deepgram_ws.jsonl", "assemblyai_v3_ws.jsonl", "realtimestt_ws.jsonl"],
)
def test_recognisers(log, name):
    """Partial text and repeated segments leave every sentence once, all final."""
    messages = Messages("test")
    for record in replayed(name):
        lines = messages.read(json.dumps(record["msg"]))
        if lines:
            log.store_lines("city", "test", lines, now=1000 + record["t"])

    assert expected() == [text for _, text in said(log)]
    assert all(sentence.final for sentence in log.sentences("city"))


@pytest.mark.parametrize(
    "name", ["whisper_streaming_tcp.jsonl", "localvocal_txt_append.jsonl", "localvocal_append.srt"]
)
def test_growing_files(log, tmp_path, name):
    """A file that grows line by line, or by some bytes at a time, gives the sentences."""
    path = tmp_path / "live.txt"
    stop = threading.Event()
    if name.endswith("jsonl"):
        pieces = [record["msg"] + "\n" for record in replayed(name)]
    else:
        text = (FOLDER / name).read_text("utf-8")
        pieces = [text[i : i + 37] for i in range(0, len(text), 37)]
    path.write_bytes(b"")
    source = FileSource(path, poll_s=0)
    remaining = list(pieces)

    def grow(_):
        if remaining:
            with path.open("a", encoding="utf-8") as out:
                out.write(remaining.pop(0))
        else:
            stop.set()
        return False

    stop.wait = grow
    for arrival in source.follow("", stop):
        log.store_lines("city", "test", arrival.lines, now=1000.0, cursor=arrival.cursor)

    assert list(map(bare, expected())) == [bare(text) for _, text in said(log)]


def test_hls_subtitles(log):
    """Cues across borders come once, and are joined to sentences; the last one is not over yet."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(FOLDER / "hls"))
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/master.m3u8"
    stop = threading.Event()
    for number, arrival in enumerate(
        HlsSource(url, fetch=fetcher(private=True), retry_s=0).follow("", stop), 1
    ):
        log.store_lines("city", "test", arrival.lines, now=1000.0, cursor=arrival.cursor)
        if number == 10:
            stop.set()
    server.shutdown()

    texts = [text for _, text in said(log)]
    assert expected()[: len(texts) - 1] == texts[:-1]
    assert expected()[len(texts) - 1].startswith(texts[-1])
    assert [True] * (len(texts) - 1) + [False] == [
        sentence.final for sentence in log.sentences("city")
    ]


def test_streamtext(log, monkeypatch):
    """Text that was typed and taken back is gone.

    Every sentence once, in capitals as the captioner writes.
    """
    answers = [record["msg"] for record in replayed("streamtext_poll.jsonl")]
    stop = threading.Event()
    source = StreamTextSource("debate", poll_s=0)
    remaining = [(answer["lastPosition"], answer["content"]) for answer in answers]
    end = remaining[-1][0]
    monkeypatch.setattr(
        source, "_ask", lambda position: remaining.pop(0) if remaining else (end, "")
    )
    for arrival in source.follow("", stop):
        log.store_lines("city", "test", arrival.lines, now=1000.0, cursor=arrival.cursor)
        if not remaining and not json.loads(arrival.cursor)["held"]:
            stop.set()

    assert [bare(text.upper()) for text in expected()] == [bare(text) for _, text in said(log)]
