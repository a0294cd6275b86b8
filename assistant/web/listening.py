"""Sockets that are bound before a server starts, so that a port in use is an error at once."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assistant.core.errors import SettingsError

if TYPE_CHECKING:
    from uvicorn import Config

NEEDS_PRIVILEGE_BELOW = 1024
ABSENT_ADDRESS_ERRORS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
STARTUP_FAILURE = 3  # status of a server whose application refuses to start


def bound_sockets(host: str, port: int) -> list[socket.socket]:
    """Return a socket for each address of a host name, bound to a port.

    The sockets don't listen yet: until the server starts, connections are refused.

    Raises: SettingsError if the port is in use, or the address isn't one of this computer.
    """
    with _bind_errors(host, port):
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        addresses = dict.fromkeys((family, address) for family, _, _, _, address in found)
        return _bound_to_each(list(addresses))


def require_free_port(host: str, port: int) -> None:
    """Raise SettingsError unless a server can be started at an address."""
    for bound in bound_sockets(host, port):
        bound.close()


def serve(config: Config, sockets: Sequence[socket.socket]) -> None:
    """Serve an application at bound sockets until the process is stopped."""
    import uvicorn

    server = uvicorn.Server(config)
    try:
        with _bind_errors(config.host, config.port):
            server.run(sockets=list(sockets))
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def _bound_to_each(addresses: Sequence[tuple[int, tuple]]) -> list[socket.socket]:
    """Return a socket for each address that this computer has, for at least one of them."""
    sockets: list[socket.socket] = []
    for family, address in addresses:
        is_last = (family, address) == addresses[-1]
        try:
            sockets.append(_bound_socket(family, address))
        except OSError as error:
            # "localhost" may have an IPv6 address on a computer without IPv6.
            if error.errno in ABSENT_ADDRESS_ERRORS and (sockets or not is_last):
                continue
            for bound in sockets:
                bound.close()
            raise
    return sockets


def _bound_socket(family: int, address: tuple) -> socket.socket:
    """Return a socket for an address, which worker processes may inherit."""
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # A port of a server that has just ended can be used at once.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    bound.set_inheritable(True)
    return bound


@contextmanager
def _bind_errors(host: str, port: int) -> Iterator[None]:
    """Turn an error of binding into one for the person who chose the address."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            remedy = "Choose another port with --port."
            raise SettingsError(f"port {port} is in use.", remedy=remedy) from error
        if error.errno == errno.EACCES and port < NEEDS_PRIVILEGE_BELOW:
            remedy = f"Choose a port from {NEEDS_PRIVILEGE_BELOW} on with --port."
            raise SettingsError(f"this account may not use port {port}.", remedy=remedy) from error
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise _foreign_address(host) from error
        raise
    except UnicodeError as error:  # no host name can have these letters
        raise _foreign_address(host) from error


def _foreign_address(host: str) -> SettingsError:
    remedy = "Choose another address with --host."
    return SettingsError("this isn't an address of this computer.", where=host, remedy=remedy)
