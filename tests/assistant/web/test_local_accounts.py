"""Whose connection it is, by the tables of the system."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import closing

import pytest

from assistant.web import local_accounts

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
ROWS = (
    "   0: 0100007F:2135 0100007F:C001 01 00000000:00000000 00:00000000 00000000   101 0 1\n"
    "   1: 0100007F:C001 0100007F:2135 01 00000000:00000000 00:00000000 00000000  4711 0 2\n"
    "   2: 0000000000000000FFFF00000100007F:C002 0000000000000000FFFF00000100007F:2135"
    " 01 00000000:00000000 00:00000000 00000000  4712 0 3\n"
    "   3: 00000000000000000000000001000000:C003 00000000000000000000000001000000:2135"
    " 01 00000000:00000000 00:00000000 00000000     0 0 4\n"
)
SERVER_PORT = 0x2135


@pytest.fixture
def table(tmp_path, monkeypatch):
    path = tmp_path / "tcp"
    path.write_text(HEAD + ROWS)
    monkeypatch.setattr(local_accounts, "CONNECTION_TABLES", (tmp_path / "none", path))


@pytest.mark.threat("local account")
@pytest.mark.parametrize(
    ("host", "port", "uid"),
    [
        ("127.0.0.1", 0xC001, 4711),
        ("127.0.0.1", 0xC002, 4712),
        ("::ffff:127.0.0.1", 0xC001, 4711),
        ("::1", 0xC003, 0),
        ("127.0.0.1", 0xC004, None),
        ("nowhere", 0xC001, None),
    ],
)
def test_a_connection_never_passes_for_that_of_another_account(table, host, port, uid):
    """The end of the client counts, not the end of the server."""
    server = ("::1" if host == "::1" else "127.0.0.1", SERVER_PORT)

    assert local_accounts.connection_uid((host, port), server) == uid
    is_other = uid not in (None, 0, os.getuid())
    assert local_accounts.is_other_account((host, port), server) == is_other


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists whose a connection is")
def test_a_connection_of_this_process_is_its_own():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        client = socket.create_connection(server.getsockname())
        uid = local_accounts.connection_uid(client.getsockname(), server.getsockname())
        client.close()

    assert uid == os.getuid()
