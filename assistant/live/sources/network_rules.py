"""Network rules of live sources: public addresses only, unless ``--allow-private`` is given."""

from __future__ import annotations

from assistant.web import fetching

REMEDY = "Add --allow-private if you trust this network."
MOST_BYTES = 2_000_000


def address_test(private: bool) -> fetching.AddressTest:
    """Return the rule for the machines that may be contacted."""
    return (lambda address: True) if private else fetching.is_public


def fetcher(private: bool = False) -> fetching.Fetcher:
    """Return a fetcher for the small files of a stream."""
    return fetching.Fetcher(
        is_allowed=address_test(private), remedy=REMEDY, limit=MOST_BYTES, accept="*/*"
    )


def recogniser(url: str, private: bool) -> tuple[str, int]:
    """Return machine and port of a WebSocket. Raises: NetworkError if the rule forbids it."""
    target, machine = fetching.resolve_host(
        url, schemes=("wss", "ws"), is_allowed=address_test(private), remedy=REMEDY
    )
    return machine, target.port or fetching.DEFAULT_PORTS[target.scheme]
