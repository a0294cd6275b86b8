"""A scheduler that speaks TLS.

It takes whoever has a certificate of its authority, and nobody else.
"""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from contextlib import closing

import pytest

from assistant.archive import cluster
from tests.assistant.archive.test_kills import (
    ROOT,
    SOME,
    assert_whole,
    checked,
    home,
    processes,
    started,
    wait_until,
)
from tests.free_ports import free_port

pytest.importorskip("distributed", reason="requirements-archive.txt is not installed")
pytestmark = pytest.mark.long
__all__ = ["home", "processes"]
FILES = ("ca.pem", "cert.pem", "key.pem")


@pytest.fixture
def certificates(tmp_path):
    """A folder with an authority, and a certificate of it with its key, as ``--certificates`` wants them."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    return certified(folder)


def certified(folder):
    """Make an authority and a certificate for this computer with openssl."""

    def openssl(*arguments):
        subprocess.run(("openssl", *arguments), cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl(
        "req",
        "-x509",
        *new,
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
        "-subj",
        "/CN=authority",
        "-days",
        "2",
    )
    openssl("req", *new, "-keyout", "key.pem", "-out", "asked.pem", "-subj", "/CN=localhost")
    signed = (
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-out",
        "cert.pem",
    )
    openssl("x509", "-req", "-in", "asked.pem", *signed)
    return folder


@pytest.fixture
def address(certificates, processes):
    """A scheduler that speaks TLS only."""
    port = free_port()
    files = [
        f"--tls-{option}={certificates / name}"
        for option, name in zip(("ca-file", "cert", "key"), FILES, strict=True)
    ]
    options = [
        "--protocol",
        "tls",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-dashboard",
        *files,
    ]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *options]
    processes.append(subprocess.Popen(command, cwd=ROOT, start_new_session=True))
    wait_until(lambda: answers(port))
    return f"tls://127.0.0.1:{port}"


def answers(port: int) -> bool:
    with closing(socket.socket()) as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def connected(address: str, security) -> int:
    """Return how many workers a scheduler has, asked with these certificates."""
    from distributed import Client

    with Client(address, security=security, timeout=5) as client:
        return len(client.scheduler_info()["workers"])


def test_a_run_through_tls(home, address, certificates, processes):
    """Worker and run reach it with their certificates, and every transcript is checked."""
    processes.append(started("worker", address, "--certificates", certificates))
    processes.append(run := started("run", "--scheduler", address, "--certificates", certificates))
    wait_until(lambda: checked() >= SOME)
    port = int(address.rpartition(":")[2])
    reached = ssl.create_default_context(cafile=certificates / "ca.pem")
    reached.check_hostname = False
    reached.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    with reached.wrap_socket(socket.create_connection(("127.0.0.1", port))) as wire:
        assert wire.version() in ("TLSv1.2", "TLSv1.3")

    assert run.wait(600) == 0
    assert_whole()


@pytest.mark.threat("local account")
def test_nobody_else_reaches_it(address, certificates, tmp_path):
    """Without TLS, without a certificate, and with one of another authority there is no connection."""
    (other_folder := tmp_path / "other").mkdir()
    assert connected(address, cluster.security(address, certificates)) == 0

    with pytest.raises(OSError):
        connected(address.replace("tls:", "tcp:"), None)
    with pytest.raises(OSError):
        connected(address, cluster.security(address, certified(other_folder)))
    reached = ssl.create_default_context(cafile=certificates / "ca.pem")
    reached.check_hostname = False
    port = int(address.rpartition(":")[2])
    with (
        pytest.raises(OSError),
        reached.wrap_socket(socket.create_connection(("127.0.0.1", port))) as wire,
    ):
        wire.settimeout(10)
        wire.sendall(b"hello")
        if not wire.recv(100):  # TLS 1.3 refuses after the handshake
            raise ConnectionResetError
