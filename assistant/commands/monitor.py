"""The command ``monitor``: answers ``/health`` and ``/metrics`` for all processes of a database.

It only reads the database, and answers with numbers: no titles, no texts, no names of people.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assistant import __version__
from assistant.commands.options import load_settings, port_number
from assistant.commands.terminal import say
from assistant.core import schema
from assistant.core.errors import StoreError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from assistant.core.audit import AuditTotal
    from assistant.live.event import Health

MONITOR_PORT = 8601
RECENT_EVENT_S = 86_400  # a live event is reported for one day after its last line


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    monitor_command = subcommands.add_parser(
        "monitor", parents=[shared_parser], help="serve /health and /metrics over HTTP"
    )
    monitor_command.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: %(default)s)"
    )
    monitor_command.add_argument(
        "--port",
        type=port_number,
        default=MONITOR_PORT,
        help="port to listen on (default: %(default)s)",
    )
    monitor_command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Answer requests until the process is stopped."""
    import uvicorn

    from assistant.web import listening
    from assistant.web.request_filter import RequestFilter
    from assistant.web.response_headers import SecurityHeaders

    active_settings = load_settings(options)
    sockets = listening.bound_sockets(options.host, options.port)
    say(f"http://{options.host}:{options.port}/health and /metrics")
    # pages of other sites and names that point here (DNS rebinding) are refused
    request_filter = RequestFilter(app(active_settings.database), active_settings.access)
    config = uvicorn.Config(
        SecurityHeaders(request_filter),
        host=options.host,
        port=options.port,
        log_level="warning",
        proxy_headers=False,  # the filter reads them, from named proxies only
    )
    listening.serve(config, sockets)


def app(url: str) -> Starlette:
    """Return the ASGI application for a database."""
    from anyio.to_thread import run_sync
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def health(_: Request) -> Response:
        state = await run_sync(read_state, url)
        return JSONResponse(state.health(), 503 if state.error else 200)

    async def metrics(_: Request) -> Response:
        registry = CollectorRegistry()
        registry.register(_Metrics(await run_sync(read_state, url)))  # type: ignore[arg-type]
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return Starlette(routes=[Route("/health", health), Route("/metrics", metrics)])


@dataclass(frozen=True)
class MonitorState:
    """The state of Lectern at a moment, in numbers.

    ``error`` is why the database cannot be read, "" if it can.
    """

    error: str = ""
    claims: int = 0
    newest_review: str | None = None
    jobs: dict[str, int] = field(default_factory=dict)
    events: dict[str, Health] = field(default_factory=dict)
    actions: list[AuditTotal] = field(default_factory=list)

    def health(self) -> dict[str, Any]:
        """Return the answer to a request for ``/health``."""
        if self.error:
            return {"status": "failing", "lectern": __version__, "error": self.error}
        live = {
            name: {"waiting": health.waiting_count, "lag_s": round(health.lag_s, 1)}
            for name, health in self.events.items()
        }
        return {
            "status": "ok",
            "lectern": __version__,
            "schema": schema.SCHEMA_VERSION,
            "claims": self.claims,
            "newest_review": self.newest_review,
            "jobs": self.jobs,
            "live": live,
        }


def read_state(url: str) -> MonitorState:
    """Return the state of the database at a URL as it is now."""
    from assistant.claims.claim_store import ClaimStore
    from assistant.core.audit import AuditLog
    from assistant.jobs.report_store import ReportStore
    from assistant.live.event_log import EventLog

    now = time.time()
    try:
        with ExitStack() as stack:
            claim_store = stack.enter_context(ClaimStore.open(url, read_only=True))
            report_store = stack.enter_context(ReportStore.open(url, read_only=True))
            event_log = stack.enter_context(EventLog.open(url, read_only=True))
            audit_log = stack.enter_context(AuditLog.open(url, read_only=True))
            claim_count, newest_review = claim_store.size()
            recent_events = [
                debate.event
                for debate in event_log.debates()
                if now - debate.changed_at_s < RECENT_EVENT_S
            ]
            return MonitorState(
                claims=claim_count,
                newest_review=newest_review.isoformat() if newest_review else None,
                jobs=report_store.counts(now=now),
                events={name: event_log.health(name, now=now) for name in recent_events},
                actions=audit_log.totals(),
            )
    except StoreError as error:
        return MonitorState(error=error.what)


@dataclass(frozen=True, eq=False)
class _Metrics:
    """The state as Prometheus' collector asks for it."""

    state: MonitorState

    def collect(self) -> Iterator[Any]:
        """Yield the families of metrics."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            SummaryMetricFamily,
        )

        state = self.state
        yield GaugeMetricFamily(
            "lectern_up", "Whether the database can be read.", value=not state.error
        )
        if state.error:
            return
        yield GaugeMetricFamily(
            "lectern_claims", "Fact-checks in the database.", value=state.claims
        )
        yield GaugeMetricFamily("lectern_reports", "Stored reports.", value=state.jobs["reports"])
        jobs = GaugeMetricFamily("lectern_jobs", "Checks and imports by state.", labels=["state"])
        for name, number in state.jobs.items():
            if name != "reports":
                jobs.add_metric([name], number)
        actions = CounterMetricFamily(
            "lectern_actions", "What people did, by outcome.", labels=["what", "outcome"]
        )
        seconds = SummaryMetricFamily(
            "lectern_action_seconds", "How long that took.", labels=["what", "outcome"]
        )
        for total in state.actions:
            actions.add_metric([total.what, total.outcome], total.count)
            seconds.add_metric(
                [total.what, total.outcome], count_value=total.count, sum_value=total.seconds
            )
        waiting = GaugeMetricFamily(
            "lectern_live_waiting", "Sentences not checked yet.", labels=["event"]
        )
        lag = GaugeMetricFamily(
            "lectern_live_lag_seconds", "Age of the oldest of them.", labels=["event"]
        )
        for name, health in state.events.items():
            waiting.add_metric([name], health.waiting_count)
            lag.add_metric([name], health.lag_s)
        yield from (jobs, actions, seconds, waiting, lag)
