"""The server of the API, alone or with the addresses of live events, in one or several processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from socket import socket

from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.api.application import VERSION_PATH, limited, make_app
from assistant.api.services import ApiServices
from assistant.core import logs
from assistant.core.settings import Settings
from assistant.web import connection_limits, listening
from assistant.web.request_filter import RequestFilter
from assistant.web.response_headers import SecurityHeaders

WEBSOCKET_MESSAGE_BYTES = 1_000_000
WORKER_SILENCE_S = 120  # a worker that loads its models may be silent for so long
SHUTDOWN_S = 5  # open streams of progress end then


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The address to listen on, the number of processes, and the sites whose pages may ask."""

    host: str = "127.0.0.1"
    port: int = 8600
    worker_count: int = 1
    allowed_origins: tuple[str, ...] = ()


@dataclass(frozen=True)
class ApiAndLive:
    """The API under ``/v1``, and the application of live events at all other addresses."""

    api: ASGIApp
    live: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on by its path."""
        path = scope.get("path", "")
        is_of_api = path == VERSION_PATH or path.startswith(f"{VERSION_PATH}/")
        if scope["type"] == "lifespan" or is_of_api:
            await self.api(scope, receive, send)
        else:
            await self.live(scope, receive, send)


def filtered_api(services: ApiServices, options: ServerOptions) -> ASGIApp:
    """Return the API behind the request filter: it is open to all peers, because tokens decide."""
    app = limited(make_app(services), allowed_origins=options.allowed_origins)
    return RequestFilter(app, services.settings.access, allowed_origins=options.allowed_origins)


def run(app: ASGIApp, options: ServerOptions, sockets: Sequence[socket]) -> None:
    """Serve an application in this process, at bound sockets, until it is stopped."""
    import uvicorn

    connection_limits.limit_connections()
    config = uvicorn.Config(
        SecurityHeaders(app),
        host=options.host,
        port=options.port,
        log_level="warning",
        ws_max_size=WEBSOCKET_MESSAGE_BYTES,
        timeout_graceful_shutdown=SHUTDOWN_S,
        proxy_headers=False,  # the request filter reads them, from named proxies only
    )
    listening.serve(config, sockets)


def run_workers(settings: Settings, options: ServerOptions, sockets: Sequence[socket]) -> None:
    """Serve the API in several processes, which are started again if they end.

    All workers accept connections from the same bound sockets.
    """
    import uvicorn

    from assistant.api.worker_supervisor import WorkerSupervisor

    config = uvicorn.Config(
        partial(_worker_app, settings, options),
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.worker_count,
        timeout_worker_healthcheck=WORKER_SILENCE_S,
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_S,
        proxy_headers=False,  # the request filter reads them, from named proxies only
    )
    WorkerSupervisor(config, sockets).run()


def _worker_app(settings: Settings, options: ServerOptions) -> ASGIApp:
    """Return the application of a worker, which begins with warm models."""
    logs.begin_logging()
    connection_limits.limit_connections()
    services = ApiServices(settings)
    with _ending_at_once():
        services.warm()
    return SecurityHeaders(filtered_api(services, options))


@contextmanager
def _ending_at_once() -> Iterator[None]:
    """Let signals end the process without delay: it has nothing to finish yet.

    uvicorn would only note them, and end the process once the models are loaded.
    """
    earlier_handlers = {}
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        earlier_handlers[signal_number] = signal.signal(signal_number, signal.SIG_DFL)
    try:
        yield
    finally:
        for signal_number, handler in earlier_handlers.items():
            signal.signal(signal_number, handler)
