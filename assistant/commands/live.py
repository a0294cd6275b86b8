"""The verbs ``live`` and ``serve``: from options to an engine with its sources.

Talks only through what it is given; the command line prints.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, urlsplit

from assistant import pipeline, transcripts
from assistant.check.index_opening import Progress
from assistant.ground.errors import SettingsError
from assistant.ground.settings import Settings
from assistant.live import telling
from assistant.live.checking import Checker
from assistant.live.engine import Engine
from assistant.live.event import Event
from assistant.live.line import Source
from assistant.live.log import EventLog
from assistant.live.sources.file import FileSource
from assistant.live.sources.hls import HlsSource
from assistant.live.sources.network import fetcher
from assistant.live.sources.replay import ReplaySource
from assistant.live.sources.stream import StreamSource
from assistant.live.sources.streamtext import StreamTextSource
from assistant.live.sources.websocket import WebSocketSource

Say = Callable[[str], None]
MOST_MESSAGE = 1_000_000  # bytes of a message on a WebSocket


def live(options: argparse.Namespace, chosen: Settings, say: Say, progress: Progress) -> None:
    """Follow an event until its source ends or somebody stops it; matches go out once they are stored."""
    event, source = _order(options)
    with closing(EventLog.open(chosen.database)) as log, telling.output(options.out, sys.stdout) as out:
        checker = Checker(pipeline.open_index(chosen, progress=progress), chosen.profile, options.as_of_event)
        checker.warm()
        event = log.begin(event, time.time())
        teller = telling.Teller(log, event, say, out)
        engine = Engine(log, event, checker, on_result=teller.result, on_warning=teller.warning)
        teller.begun(source.name)
        _until_stopped(engine, source)
        teller.ended()


def serve(options: argparse.Namespace, chosen: Settings, say: Say, progress: Progress) -> None:
    """Open the HTTP door of some events until somebody stops it. Raises: SettingsError before anything is opened."""
    import uvicorn

    from assistant.live.door import LOCAL, Door

    token = options.token or os.environ.get("LECTERN_LIVE_TOKEN", "")
    if options.host not in LOCAL and not token:
        remedy = "Give --token, or set LECTERN_LIVE_TOKEN."
        raise SettingsError(f"{options.host} is seen by other computers; they need a token.", remedy=remedy)
    with closing(EventLog.open(chosen.database)) as log, telling.output(options.out, sys.stdout) as out:
        checker = Checker(pipeline.open_index(chosen, progress=progress), chosen.profile, options.as_of_event)
        checker.warm()
        engines = {}
        for name in options.event:
            event = log.begin(Event(name, options.title or "", options.date), time.time())
            teller = telling.Teller(log, event, say, out)
            engines[name] = Engine(log, event, checker, on_result=teller.result, on_warning=teller.warning)
            teller.begun(f"http://{options.host}:{options.port}/live/{quote(name)}/lines")
        workers = [threading.Thread(target=engine.work, daemon=True) for engine in engines.values()]
        for worker in workers:
            worker.start()
        try:
            app = Door(engines, token).app()
            uvicorn.run(app, host=options.host, port=options.port, log_level="warning", ws_max_size=MOST_MESSAGE)
        finally:
            for engine in engines.values():
                engine.close()
            for worker in workers:
                worker.join(timeout=30)


def _until_stopped(engine: Engine, source: Source) -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: engine.stop.set())
    try:
        engine.follow(source)
        engine.run(until_done=True)
    except KeyboardInterrupt:
        pass  # all that came is stored; the next start goes on here
    finally:
        engine.close()
        signal.signal(signal.SIGTERM, before)


def _order(options: argparse.Namespace) -> tuple[Event, Source]:
    """Return the event and its source. Raises: SettingsError if there is no source, or more than one."""
    given = [name for name in SOURCES if getattr(options, name)]
    if len(given) != 1:
        remedy = "Give FILE, - for a pipe, --replay FILE, --hls URL, --streamtext EVENT, or --websocket URL."
        raise SettingsError("live needs one source.", remedy=remedy)
    source = SOURCES[given[0]](options)
    title, day = options.title or "", options.date
    if isinstance(source, ReplaySource):
        title, day = source.transcript.title, source.transcript.event_date
    name = options.event or Path(urlsplit(getattr(options, given[0])).path).stem.strip("-") or source.name
    return Event(name, title, day), source


def _file(options: argparse.Namespace) -> Source:
    if "://" in options.file:
        remedy = f"Say which kind it is: --hls {options.file} or --websocket {options.file}."
        raise SettingsError(f"{options.file} is an address, not a file.", remedy=remedy)
    return StreamSource(sys.stdin.buffer) if options.file == "-" else FileSource(Path(options.file))


def _replay(options: argparse.Namespace) -> Source:
    transcript = transcripts.read(options.replay, title=options.title, event_date=options.date)
    return ReplaySource(transcript, options.speed)


def _hls(options: argparse.Namespace) -> Source:
    return HlsSource(options.hls, options.language, fetcher(options.allow_private))


def _streamtext(options: argparse.Namespace) -> Source:
    return StreamTextSource(options.streamtext, options.language or "en", fetcher(options.allow_private))


def _websocket(options: argparse.Namespace) -> Source:
    pairs = [header.partition(":") for header in options.header]
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    return WebSocketSource(options.websocket, options.service, headers, options.allow_private, _sound(options.audio))


def _sound(path: str | None) -> BinaryIO | None:
    if not path:
        return None
    try:
        return sys.stdin.buffer if path == "-" else open(path, "rb")
    except OSError as error:
        raise SettingsError(f"cannot be read ({error.strerror}).", where=path) from error


SOURCES: dict[str, Callable[[argparse.Namespace], Source]] = {
    "file": _file, "replay": _replay, "hls": _hls, "streamtext": _streamtext, "websocket": _websocket,
}  # fmt: skip
