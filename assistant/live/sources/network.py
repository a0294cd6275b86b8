"""How far sources follow addresses that a user gives: into public networks, with ``--allow-private`` into all."""

from __future__ import annotations

from assistant.ground import web

REMEDY = "Add --allow-private if you mean it."
MOST_BYTES = 2_000_000


def may(private: bool) -> web.Allowed:
    """Return which machines may be asked."""
    return (lambda address: True) if private else web.public


def fetcher(private: bool = False) -> web.Fetcher:
    """Return what fetches the small files of a stream."""
    return web.Fetcher(may=may(private), remedy=REMEDY, limit=MOST_BYTES, accept="*/*")


def recogniser(url: str, private: bool) -> tuple[str, int]:
    """Return machine and port of a WebSocket. Raises: NetworkError if we do not go there."""
    target, machine = web.look_up(url, schemes=("wss", "ws"), may=may(private), remedy=REMEDY)
    return machine, target.port or web.PORTS[target.scheme]
