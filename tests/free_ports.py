"""Ports of this computer that tests may use."""

import socket


def free_port() -> int:
    """Return a port of this computer that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
