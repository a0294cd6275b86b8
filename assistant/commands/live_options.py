"""The options of ``live`` and ``serve``. Imports nothing of ours, so that other commands start at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date


def add_live(live: argparse.ArgumentParser, day: Callable[[str], date]) -> None:
    """Add the options of ``live``."""
    live.add_argument("file", metavar="FILE", nargs="?", help="a text or caption file that grows, or - for a pipe")
    live.add_argument("--event", metavar="NAME", help="what the event is called; the same name goes on with it")
    live.add_argument("--replay", metavar="FILE", help="say a recorded transcript again")
    live.add_argument("--speed", type=_speed, default=1.0, help="of the replay; 0 is all at once (default: 1)")
    network = live.add_argument_group("over the network")
    network.add_argument("--hls", metavar="URL", help="the subtitles of an HLS stream")
    network.add_argument("--language", default="", metavar="CODE", help="which of several subtitles")
    network.add_argument("--streamtext", metavar="EVENT", help="the captions of an event at streamtext.net")
    network.add_argument("--websocket", metavar="URL", help="a speech recogniser: WhisperLive, its Kit, Deepgram")
    network.add_argument("--service", choices=("whisperlive",), default="", help="greet it as this server expects")
    network.add_argument("--audio", metavar="FILE", help="send it sound: 16-bit mono samples at 16 kHz, - for a pipe")
    network.add_argument("--header", action="append", default=[], metavar="NAME: VALUE", help="send it, say, a key")
    network.add_argument("--allow-private", action="store_true", help="follow addresses in private networks")
    _add_common(live, day)


def add_serve(serve: argparse.ArgumentParser, day: Callable[[str], date]) -> None:
    """Add the options of ``serve``."""
    serve.add_argument("--event", metavar="NAME", action="append", required=True, help="may be given several times")
    serve.add_argument("--host", default="127.0.0.1", help="another address needs a token (default: 127.0.0.1)")
    serve.add_argument("--port", type=int, default=8600)
    serve.add_argument("--token", help="what senders must give (default: LECTERN_LIVE_TOKEN)")
    _add_common(serve, day)


def _add_common(verb: argparse.ArgumentParser, day: Callable[[str], date]) -> None:
    verb.add_argument("--title")
    verb.add_argument("--date", type=day, metavar="YYYY-MM-DD", help="when the event is (default: today)")
    verb.add_argument("--as-of-event", action="store_true", help="only what was checked before the event")
    verb.add_argument("--profile", help="embedded, paper, or a TOML file")
    verb.add_argument("--out", metavar="FILE", help="write the JSON lines there instead of to standard output")


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no speed; 4 says it four times as fast")
    return speed
