"""Accounts of this computer at the other end of a connection, as Linux lists them.

Without a login the app trusts this computer. Other accounts of the computer reach the same port,
but they are other people.
"""

from __future__ import annotations

import os
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

CONNECTION_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
ROOT_UID = 0
# columns of a row of the tables
LOCAL_COLUMN = 1
REMOTE_COLUMN = 2
UID_COLUMN = 7
WORD_BYTES = 4


def is_other_account(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return whether another account of this computer holds the client's end of a connection.

    ``client`` and ``server`` are addresses with ports. Root counts as oneself, since root may read
    and change everything anyway. False if the system does not say whose a connection is.
    """
    uid = connection_uid(client, server)
    return uid is not None and uid not in (ROOT_UID, os.getuid())


def connection_uid(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the user id of the client's end of a connection on this computer, None if unknown."""
    for table in CONNECTION_TABLES:
        try:
            lines = table.read_text("ascii").splitlines()
        except OSError:
            continue
        rows = lines[1:]  # below the names of the columns
        for row in rows:
            # A connection has a row for each end: the local end of the wanted row is the client.
            columns = row.split()
            is_from_client = _endpoint(columns[LOCAL_COLUMN]) == _comparable(client)
            if is_from_client and _endpoint(columns[REMOTE_COLUMN]) == _comparable(server):
                return int(columns[UID_COLUMN])
    return None


def _endpoint(text: str) -> tuple[str, int]:
    """Parse an address of the tables: words of 4 bytes in the order of the processor, and a port."""
    address_digits, _, port_digits = text.partition(":")  # "0100007F:1F90"
    little_endian = bytes.fromhex(address_digits)
    packed = b""
    for start in range(0, len(little_endian), WORD_BYTES):
        word = little_endian[start : start + WORD_BYTES]
        packed += word[::-1]  # the first byte comes first in an address
    ip = IPv4Address(packed) if len(packed) == WORD_BYTES else IPv6Address(packed)
    return _comparable((str(ip), int(port_digits, 16)))


def _comparable(endpoint: tuple[str, int]) -> tuple[str, int]:
    """Return an endpoint with an IPv4 address that is mapped into IPv6 as IPv4."""
    host, port = endpoint
    try:
        ip = ip_address(host)
    except ValueError:
        return endpoint
    return str(getattr(ip, "ipv4_mapped", None) or ip), port
