"""The commands ``live``, which follows a source, and ``serve``, which receives lines over HTTP."""

from __future__ import annotations

import argparse
import hmac
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from assistant.commands.options import account_name, event_day, load_settings, port_number
from assistant.commands.terminal import ProgressLine, say
from assistant.core.errors import SettingsError
from assistant.live.sources.registry import SOURCES

if TYPE_CHECKING:
    from assistant.live.access_tokens import AccessRight, TokenStore
    from assistant.live.engine import Engine
    from assistant.live.event import Event
    from assistant.live.live_lines import Source
    from assistant.web.request_filter import AllowedPeers

WEBSOCKET_MESSAGE_BYTES = 1_000_000  # bytes of a message on a WebSocket
WORKER_STOP_S = 30  # a check that is under way may end


def add(verbs: argparse._SubParsersAction, shared: argparse.ArgumentParser) -> None:
    """Add both commands. The table of sources has the options of ``live``."""
    live = verbs.add_parser("live", parents=[shared], help="follow a debate while it happens")
    live.add_argument(
        "--event", metavar="NAME", help="name of the event; the same name continues it"
    )
    network = live.add_argument_group("over the network")
    for kind in SOURCES:
        group = network if kind.network else live
        optional = {} if kind.option.startswith("-") else {"nargs": "?"}
        group.add_argument(kind.option, metavar=kind.metavar, help=kind.help, **optional)
        for option, argument in (kind.extra or {}).items():
            group.add_argument(option, **argument)
    network.add_argument(
        "--allow-private", action="store_true", help="follow addresses in private networks"
    )
    _add_common(live)
    live.set_defaults(run=_live)

    serve = verbs.add_parser("serve", parents=[shared], help="take live lines over HTTP")
    serve.add_argument(
        "--event", metavar="NAME", action="append", required=True, help="may be given several times"
    )
    serve.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)"
    )
    serve.add_argument("--port", type=port_number, default=8600)
    serve.add_argument(
        "--token",
        help="a token for all these events (default: LECTERN_LIVE_TOKEN; with --host and none given, one made now)",
    )
    _add_common(serve)
    serve.set_defaults(run=_serve)


def _add_common(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--title")
    verb.add_argument(
        "--date", type=event_day, metavar="YYYY-MM-DD", help="when the event is (default: today)"
    )
    verb.add_argument(
        "--as-of-event", action="store_true", help="only what was checked before the event"
    )
    verb.add_argument("--profile", help="embedded, paper, or a TOML file")
    verb.add_argument(
        "--out", metavar="FILE", help="write the JSON lines there instead of to standard output"
    )


def _live(options: argparse.Namespace) -> None:
    """Follow an event until its source ends or the process is stopped.

    Matches are written to the output once they are stored.
    """
    from assistant.live import event_output

    event, source = _event_and_source(options)
    with _engines(options, {source.name: event}) as (engine,):
        earlier_handler = signal.signal(signal.SIGTERM, lambda *_: engine.stop.set())
        try:
            engine.follow(source)
            engine.run(until_done=True)
        except KeyboardInterrupt:
            pass  # all that came is stored; the next start goes on from here
        finally:
            engine.close()
            signal.signal(signal.SIGTERM, earlier_handler)
        say(event_output.summary(engine.log, engine.event))


def _event_and_source(options: argparse.Namespace) -> tuple[Event, Source]:
    """Return the event and its source.

    Raises: SettingsError if there is no source, or more than one.
    """
    from assistant.live.event import Event
    from assistant.live.sources.replay import ReplaySource

    kinds = [kind for kind in SOURCES if getattr(options, kind.name)]
    if len(kinds) != 1:
        *others, last = [
            f"{kind.option} {kind.metavar}" for kind in SOURCES if kind.option.startswith("-")
        ]
        remedy = f"Give FILE, - for a pipe, {', '.join(others)}, or {last}."
        raise SettingsError("live needs one source.", remedy=remedy)
    address = getattr(options, kinds[0].name)
    source = kinds[0].make(address, options)
    title = options.title or ""
    event_date = options.date
    if isinstance(source, ReplaySource):
        title = source.transcript.title
        event_date = source.transcript.event_date
    name = options.event or Path(urlsplit(address).path).stem.strip("-") or source.name
    return Event(name, title, event_date), source


def _serve(options: argparse.Namespace) -> None:
    """Receive lines of some events over HTTP until the process is stopped."""
    from assistant.live.access_tokens import TokenStore
    from assistant.live.event import Event

    address = f"http://{options.host}:{options.port}/live"
    events = {
        f"{address}/{quote(n)}/lines": Event(n, options.title or "", options.date)
        for n in options.event
    }
    with (
        TokenStore.open(load_settings(options).database) as tokens,
        _engines(options, events) as engines,
    ):
        workers = [threading.Thread(target=engine.work, daemon=True) for engine in engines]
        for worker in workers:
            worker.start()
        try:
            _listen(options, engines, tokens)
        finally:
            for engine in engines:
                engine.close()
            for worker in workers:
                worker.join(timeout=WORKER_STOP_S)


def _listen(options: argparse.Namespace, engines: list[Engine], tokens: TokenStore) -> None:
    """Serve the events over HTTP, with the proxies and server names of the settings."""
    import uvicorn

    from assistant.live.ingest_server import LiveApi
    from assistant.web import connection_limits
    from assistant.web.request_filter import RequestFilter
    from assistant.web.response_headers import SecurityHeaders

    right, let_in = _access_rules(options, tokens)
    connection_limits.limit_connections()
    api = LiveApi({engine.event.name: engine for engine in engines}, right, tokens.holder).app()
    request_filter = RequestFilter(api, load_settings(options).access, let_in)
    uvicorn.run(
        SecurityHeaders(request_filter),
        host=options.host,
        port=options.port,
        log_level="warning",
        ws_max_size=WEBSOCKET_MESSAGE_BYTES,
        proxy_headers=False,  # the gate reads them, from named proxies only
    )


def _access_rules(
    options: argparse.Namespace, tokens: TokenStore
) -> tuple[Callable[[str, str], AccessRight], AllowedPeers]:
    """Return a function for the rights of a token, and which clients may connect.

    If no token exists and the server listens to this computer alone, programs on this computer
    need no token, and requests through a proxy are refused.
    """
    from assistant.live.access_tokens import AccessRight
    from assistant.web.request_filter import AllowedPeers, is_loopback

    shared = options.token or os.environ.get("LECTERN_LIVE_TOKEN", "")
    here_only = is_loopback(options.host) and not (
        shared or _events_with_tokens(tokens, options.event)
    )
    shared = shared or ("" if here_only else _make_temporary_token(tokens, options.event))

    def right(token: str, event: str) -> AccessRight:
        if here_only and not token and not _events_with_tokens(tokens, [event]):
            return AccessRight.WRITE
        is_shared = bool(shared) and hmac.compare_digest(token.encode(), shared.encode())
        return AccessRight.WRITE if is_shared else tokens.right(token, event)

    return right, AllowedPeers.HERE if here_only else AllowedPeers.ANYWHERE


def _events_with_tokens(tokens: TokenStore, events: list[str]) -> set[str]:
    """Return the events for which a token was ever made."""
    return {token.event for token in tokens.all()} & set(events)


def _make_temporary_token(tokens: TokenStore, events: list[str]) -> str:
    """Make and print a token for the events, "" if each event has a valid token already."""
    if set(events) <= {token.event for token in tokens.all() if not token.revoked}:
        return ""
    new_token = secrets.token_urlsafe(24)
    say(f"Until this server stops, lines come with the header `Authorization: Bearer {new_token}`.")
    return new_token


@contextmanager
def _engines(options: argparse.Namespace, events: Mapping[str, Event]) -> Iterator[list[Engine]]:
    """Yield an engine for each event (by the origin of its lines), with log, output and models."""
    from assistant import pipeline
    from assistant.live import event_output
    from assistant.live.engine import Engine
    from assistant.live.event_log import EventLog
    from assistant.live.sentence_checks import Checker

    settings = load_settings(options)
    with (
        closing(EventLog.open(settings.database)) as log,
        event_output.output(options.out, sys.stdout) as out,
    ):
        with ProgressLine() as progress:
            checker = Checker(
                pipeline.open_index(settings, progress=progress),
                settings.profile,
                options.as_of_event,
            )
        checker.warm()
        engines = []
        for origin, event in events.items():
            event = log.begin(event, time.time(), who=account_name())
            result_writer = event_output.ResultWriter(log, event, say, out)
            engines.append(
                Engine(
                    log,
                    event,
                    checker,
                    result_writer.result,
                    result_writer.warning,
                    by=account_name(),
                )
            )
            result_writer.begun(origin)
        yield engines
