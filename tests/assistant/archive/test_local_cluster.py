"""A cluster of this computer takes code from its own processes only."""

from __future__ import annotations

import ssl
from contextlib import nullcontext

import pytest

from assistant.archive import cluster

distributed = pytest.importorskip("distributed", reason="requirements-archive.txt is not installed")


class RecordedCluster:
    """Stands for Dask's cluster, and keeps how it was started."""

    options: dict = {}

    def __init__(self, **options):
        type(self).options = options

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.mark.threat("local account")
def test_a_cluster_of_this_computer_needs_a_certificate(monkeypatch):
    monkeypatch.setattr(distributed, "LocalCluster", RecordedCluster)
    monkeypatch.setattr(distributed, "Client", lambda _: nullcontext())
    monkeypatch.setattr(cluster, "_outcomes", lambda *_: iter(()))

    list(cluster.local_cluster(2, {})(["unit"]))

    options = RecordedCluster.options
    assert options["protocol"] == "tls://"
    assert options["security"].require_encryption
    assert options["security"].tls_scheduler_key.startswith("-----BEGIN")


def test_two_clusters_have_two_certificates():
    first_security = cluster.temporary_security()
    second_security = cluster.temporary_security()

    assert first_security.tls_ca_file != second_security.tls_ca_file


@pytest.mark.long
@pytest.mark.threat("local account")
def test_code_without_the_certificate_of_a_cluster_is_not_run():
    with distributed.LocalCluster(
        n_workers=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        protocol="tls://",
        security=cluster.temporary_security(),
    ) as running:
        address = running.scheduler_address
        with pytest.raises((OSError, TimeoutError, TypeError, ssl.SSLError)):
            distributed.Client(address.replace("tls://", "tcp://"), timeout=3)
        with pytest.raises((OSError, TimeoutError, ssl.SSLError)):
            distributed.Client(address, security=cluster.temporary_security(), timeout=3)
        with distributed.Client(running) as client:
            assert client.submit(sum, [1, 2]).result() == 3
