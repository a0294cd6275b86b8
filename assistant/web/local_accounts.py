"""Accounts of this computer at the other end of a connection, as Linux lists them.

Without a login the app trusts this computer. Other accounts of the computer reach the same port,
but they are other people.
"""

from __future__ import annotations

import os
from ipaddress import IPv4Address, ip_address
from pathlib import Path

CONNECTION_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
ROOT_UID = 0
# columns of a row of the tables
LOCAL_COLUMN = 1
REMOTE_COLUMN = 2
UID_COLUMN = 7
WORD_BYTES = 4
IPV4_MAPPED_PREFIX = bytes(10) + b"\xff\xff"  # before an IPv4 address, it makes an IPv6 address


def is_other_account(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return whether another account of this computer holds the client's end of a connection.

    ``client`` and ``server`` are addresses with ports. Root counts as oneself, since root may read
    and change everything anyway. False if the system does not say whose a connection is.
    """
    uid = connection_uid(client, server)
    return uid is not None and uid not in (ROOT_UID, os.getuid())


def connection_uid(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the user id of the client's end of a connection on this computer, None if unknown."""
    client_names = _table_names(client)
    server_names = _table_names(server)
    for table in CONNECTION_TABLES:
        try:
            lines = table.read_text("ascii").splitlines()
        except OSError:
            continue
        rows = lines[1:]  # below the names of the columns
        for row in rows:
            # A connection has a row for each end: the local end of the wanted row is the client.
            columns = row.split()
            is_from_client = columns[LOCAL_COLUMN] in client_names
            if is_from_client and columns[REMOTE_COLUMN] in server_names:
                return int(columns[UID_COLUMN])
    return None


def _table_names(endpoint: tuple[str, int]) -> set[str]:
    """Return the names that an endpoint may have in the tables, such as ``0100007F:1F90``.

    An IPv4 address has two, since the system may list it as an IPv6 address.
    """
    host, port = endpoint
    try:
        ip = ip_address(host)
    except ValueError:
        return set()
    mapped_address = getattr(ip, "ipv4_mapped", None)  # only IPv6 addresses have it
    address = mapped_address or ip
    names = {_hex_name(address.packed, port)}
    if isinstance(address, IPv4Address):
        names.add(_hex_name(IPV4_MAPPED_PREFIX + address.packed, port))
    return names


def _hex_name(packed: bytes, port: int) -> str:
    """Return the name of an address with a port: each word of 4 bytes has the last byte first."""
    address_digits = ""
    for start in range(0, len(packed), WORD_BYTES):
        word = packed[start : start + WORD_BYTES]
        address_digits += word[::-1].hex()
    return f"{address_digits}:{port:04x}".upper()
