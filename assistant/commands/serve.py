"""The command ``serve``: the HTTP API, and with ``--event`` the lines of live events."""

from __future__ import annotations

import argparse
import hmac
import os
import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from assistant.commands.live import add_event_options, open_engines
from assistant.commands.options import event_name, load_settings, port_number, positive_number
from assistant.commands.terminal import say
from assistant.core.errors import SettingsError, StoreError
from assistant.core.processes import ending_in_order
from assistant.web import listening

if TYPE_CHECKING:
    from assistant.api.server import ServerOptions
    from assistant.api.services import ApiServices
    from assistant.core.settings import Settings
    from assistant.live.access_tokens import AccessRight, TokenStore
    from assistant.live.engine import Engine
    from assistant.web.request_filter import AllowedPeers, RequestFilter

WORKER_STOP_S = 30  # a check that is under way may end
MAX_WORKERS = 64


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    serve = subcommands.add_parser(
        "serve", parents=[shared_parser], help="serve the HTTP API and accept live transcript lines"
    )
    serve.add_argument(
        "--event",
        type=event_name,
        metavar="NAME",
        action="append",
        default=[],
        help="live event for which to accept transcript lines (repeatable)",
    )
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
    )
    serve.add_argument(
        "--port", type=port_number, default=8600, help="port to listen on (default: %(default)s)"
    )
    serve.add_argument(
        "--token",
        help="token for these events (default: LECTERN_LIVE_TOKEN, or a new token if --host is set)",
    )
    serve.add_argument(
        "--workers",
        type=positive_number,
        default=1,
        metavar="N",
        help="number of processes, each with its own copy of the models (default: 1). "
        "With --event, only 1 is possible",
    )
    serve.add_argument(
        "--allow-origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="site whose pages may use the API, such as https://cms.example.org (default: none)",
    )
    serve.add_argument(
        "--refresh-every",
        type=positive_number,
        metavar="HOURS",
        help="interval in hours for running `claims refresh` (default: never)",
    )
    add_event_options(serve)
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> None:
    """Serve, send alerts and refresh the fact-checks until the process is stopped."""
    from assistant.alerts.alert_sender import sending_alerts
    from assistant.alerts.refresh_schedule import refreshing

    server_options = _server_options(options)
    settings = load_settings(options)
    hours = options.refresh_every
    # A service manager that stops the server expects 0. What runs beside the server is stopped, too.
    with ending_in_order(exit_status=0), sending_alerts(settings), refreshing(settings, hours):
        _serve_all(options, server_options, settings)


def _serve_all(
    options: argparse.Namespace, server_options: ServerOptions, settings: Settings
) -> None:
    """Serve the API, and live events if there are any."""
    from assistant.api.services import ApiServices

    services = ApiServices(settings)
    if options.event:
        _serve_events(options, server_options, services)
        return
    if not services.claims.size()[0]:
        remedy = "Load some: python -m assistant claims import PATH, or claims fetch politifact."
        raise StoreError("there are no fact-checks in the database.", remedy=remedy)
    from assistant.api import server

    sockets = listening.bound_sockets(options.host, options.port)
    say(f"http://{options.host}:{options.port}/v1 (description: /v1/openapi.json)")
    if server_options.worker_count > 1:
        services.close()
        server.run_workers(settings, server_options, sockets)
        return
    services.warm()
    server.run(server.filtered_api(services, server_options), server_options, sockets)


def _server_options(options: argparse.Namespace) -> ServerOptions:
    """Return the options of the server. Raises: SettingsError."""
    from assistant.api.server import ServerOptions

    if options.workers > MAX_WORKERS:
        raise SettingsError(
            f"--workers: {options.workers} is more than the maximum of {MAX_WORKERS}."
        )
    if options.workers > 1 and options.event:
        remedy = "Start two servers: one with --event, one with --workers, on different ports."
        raise SettingsError("a server with live events can have only one process.", remedy=remedy)
    for origin in options.allow_origin:
        address = urlsplit(origin)
        if (
            address.scheme not in ("http", "https")
            or origin != f"{address.scheme}://{address.netloc}"
        ):
            remedy = "Write an origin such as https://cms.example.org, without a path."
            raise SettingsError(
                f"--allow-origin: {origin[:80]!r} isn't a valid origin.", remedy=remedy
            )
    return ServerOptions(
        host=options.host,
        port=options.port,
        worker_count=options.workers,
        allowed_origins=tuple(options.allow_origin),
    )


def _serve_events(
    options: argparse.Namespace, server_options: ServerOptions, services: ApiServices
) -> None:
    """Take lines of some events, and serve the API beside them."""
    from assistant.api import server
    from assistant.live.event import Event
    from assistant.live.sentence_checks import Checker

    sockets = listening.bound_sockets(options.host, options.port)
    address = f"http://{options.host}:{options.port}/live"
    event_by_address = {
        f"{address}/{quote(name)}/lines": Event(name, options.title or "", options.date)
        for name in options.event
    }
    with open_engines(options, event_by_address) as engines:
        checker = engines[0].checker
        if isinstance(checker, Checker):
            services.index.adopt(checker.index)
        worker_threads = [threading.Thread(target=engine.work, daemon=True) for engine in engines]
        for worker_thread in worker_threads:
            worker_thread.start()
        try:
            live_app = _live_app(options, engines, services)
            api_app = server.filtered_api(services, server_options)
            server.run(server.ApiAndLive(api_app, live_app), server_options, sockets)
        finally:
            for engine in engines:
                engine.close()
            for worker_thread in worker_threads:
                worker_thread.join(timeout=WORKER_STOP_S)


def _live_app(
    options: argparse.Namespace, engines: list[Engine], services: ApiServices
) -> RequestFilter:
    """Return the application of live lines, with the proxies and server names of the settings."""
    from assistant.live.ingest_server import LiveApi
    from assistant.web.request_filter import RequestFilter

    tokens = services.tokens
    access_right_of, allowed_peers = _access_rules(options, tokens)
    engine_by_event = {engine.event.name: engine for engine in engines}
    api = LiveApi(engine_by_event, access_right_of, tokens.holder)
    return RequestFilter(api.app(), services.settings.access, allowed_peers)


def _access_rules(
    options: argparse.Namespace, tokens: TokenStore
) -> tuple[Callable[[str, str], AccessRight], AllowedPeers]:
    """Return a function for the rights of a token, and which clients may connect.

    If no token exists and the server listens to this computer alone, programs on this computer
    need no token, and requests through a proxy are refused.
    """
    from assistant.live.access_tokens import AccessRight
    from assistant.web.request_filter import AllowedPeers, is_loopback

    shared_token = options.token or os.environ.get("LECTERN_LIVE_TOKEN", "")
    needs_token = bool(shared_token or _events_with_tokens(tokens, options.event))
    is_local_only = is_loopback(options.host) and not needs_token
    if not shared_token and not is_local_only:
        shared_token = _make_temporary_token(tokens, options.event)

    def access_right_of(token: str, event: str) -> AccessRight:
        if is_local_only and not token and not _events_with_tokens(tokens, [event]):
            return AccessRight.WRITE
        if shared_token and hmac.compare_digest(token.encode(), shared_token.encode()):
            return AccessRight.WRITE
        return tokens.right(token, event)

    return access_right_of, AllowedPeers.HERE if is_local_only else AllowedPeers.ANYWHERE


def _events_with_tokens(tokens: TokenStore, events: list[str]) -> set[str]:
    """Return the events for which a token was ever made."""
    return {token.event for token in tokens.all()} & set(events)


def _make_temporary_token(tokens: TokenStore, events: list[str]) -> str:
    """Make and print a token for the events, "" if each event has a valid token already."""
    now = time.time()
    valid_tokens = [token for token in tokens.all() if token.is_valid(now)]
    if set(events) <= {token.event for token in valid_tokens}:
        return ""
    new_token = secrets.token_urlsafe(24)
    say(f"Until this server stops, send lines with the `Authorization: Bearer {new_token}` header.")
    return new_token
