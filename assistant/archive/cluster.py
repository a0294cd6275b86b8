"""The engines that use several processes.

A Dask cluster of this machine, or one that is reached by its address.

Dask finds out that a worker has gone and gives its unit to another; a unit that kills three is
given up by its name. A worker and a scheduler run whatever they are sent, so a cluster that is
started here lets in only who has its certificate, which exists for as long as it runs. A scheduler
beyond this machine is reached by TLS only.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assistant.archive.bulk_run import Engine
from assistant.archive.transcript_checks import CheckOutcome, CheckUnit, check_unit
from assistant.core.errors import ModelUnavailable, NetworkError, SettingsError

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

SIDES = ("client", "worker", "scheduler")
LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")
INSTALL = "Install it: pip install -r requirements-archive.txt"
SCHEDULER_WAIT_S = 600
SCHEDULER_POLL_S = 2
SCHEDULER_CONNECT_S = 10
VARIABLES = {
    "home": "LECTERN_HOME",
    "database_url": "LECTERN_DATABASE_URL",
    "profile": "LECTERN_PROFILE",
}


def local_cluster(processes: int, options: Mapping[str, str]) -> Engine:
    """Return the engine of so many processes on this machine, a thread each.

    Its connections are encrypted with a certificate that is made for this cluster: another account
    of this machine can't send it anything.

    Raises: ModelUnavailable without Dask.
    """
    dask = _dask()

    def engine(units: Sequence[CheckUnit]) -> Iterator[CheckOutcome]:
        if not units:
            return
        cluster_options = {
            "threads_per_worker": 1,
            "processes": True,
            "dashboard_address": None,
            "host": "127.0.0.1",
            "protocol": "tls://",
            "security": temporary_security(),
        }
        environment = {"OMP_NUM_THREADS": "1"}
        workers = min(processes, len(units))
        with (
            dask.LocalCluster(
                n_workers=workers, env=environment, memory_limit=0, **cluster_options
            ) as cluster,
            dask.Client(cluster) as client,
        ):
            yield from _results(client, units, options)

    return engine


def remote_cluster(address: str, certificates: Path | None) -> Engine:
    """Return the engine of a scheduler at an address.

    Its workers look in the home folders that they were given.

    A scheduler that goes away is waited for, ten minutes at most, and what it has not done is sent
    again.

    Raises: SettingsError for an address beyond this machine without TLS; ModelUnavailable without
    Dask.
    """
    dask = _dask()
    secure = security(address, certificates)

    def engine(units: Sequence[CheckUnit]) -> Iterator[CheckOutcome]:
        units_left = {unit.transcript: unit for unit in units}
        answered_at = time.monotonic()
        while units_left:
            try:
                with dask.Client(address, security=secure, timeout=SCHEDULER_CONNECT_S) as client:
                    for outcome in _results(client, list(units_left.values()), {}):
                        answered_at = time.monotonic()
                        units_left.pop(outcome.transcript)
                        yield outcome
            except (OSError, CancelledError) as error:
                if time.monotonic() - answered_at > SCHEDULER_WAIT_S:
                    raise NetworkError(
                        "the scheduler does not answer.", where=address, remedy="Start it."
                    ) from error
                time.sleep(SCHEDULER_POLL_S)

    return engine


def serve(address: str, certificates: Path | None, options: Mapping[str, str]) -> None:
    """Work for the scheduler at an address; one that goes away is waited for, ten minutes at most.

    The worker is a process of its own, which is started again when it crashes.

    Raises: SettingsError; ModelUnavailable; NetworkError once the scheduler has not answered for
    so long.
    """
    dask = _dask()
    secure = security(address, certificates)
    os.environ.update(
        {VARIABLES[name]: value for name, value in options.items()} | {"OMP_NUM_THREADS": "1"}
    )
    if "home" in options and "database_url" not in options:
        os.environ.pop(VARIABLES["database_url"], None)

    async def work_once() -> None:
        options = {
            "nthreads": 1,
            "memory_limit": 0,
            "death_timeout": SCHEDULER_CONNECT_S,
            "dashboard": False,
        }
        async with dask.Nanny(address, security=secure, **options) as nanny:
            await nanny.finished()

    answered_at = time.monotonic()
    while time.monotonic() - answered_at < SCHEDULER_WAIT_S:
        began = time.monotonic()
        with suppress(OSError, TimeoutError):
            asyncio.run(work_once())
            answered_at = (
                time.monotonic() if time.monotonic() - began > SCHEDULER_CONNECT_S else answered_at
            )
        time.sleep(SCHEDULER_POLL_S)
    raise NetworkError(
        "the scheduler does not answer.", where=address, remedy="Start it: dask scheduler"
    )


def temporary_security() -> Security:
    """Make the certificate and key of one cluster; its processes alone have them."""
    from distributed.security import Security

    return Security.temporary()


def is_open_to_accounts(address: str) -> bool:
    """Return whether every account of this machine could send code to a scheduler."""
    return urlsplit(address).scheme == "tcp"


def security(address: str, certificates: Path | None) -> Security | None:
    """Return how a scheduler is reached.

    ``tls://`` with the certificates in a folder, ``tcp://`` on this machine only.

    The folder has ``ca.pem``, ``cert.pem`` and ``key.pem``. Raises: SettingsError.
    """
    parts = urlsplit(address)
    if parts.scheme == "tcp" and parts.hostname in LOCAL_HOSTS:
        return None
    if parts.scheme != "tls":
        what = "a scheduler beyond this computer is reached by TLS only: a worker runs what it is sent."
        host = parts.hostname or "HOST"
        remedy = f"Give tls://{host}:PORT and --certificates DIR."
        raise SettingsError(what, where=address, remedy=remedy)
    names = ("ca.pem", "cert.pem", "key.pem")
    if certificates is None or not all((certificates / name).is_file() for name in names):
        remedy = "Give --certificates DIR with ca.pem, cert.pem and key.pem."
        raise SettingsError(
            "tls:// needs certificates.", where=str(certificates or address), remedy=remedy
        )
    from distributed.security import Security

    ca, cert, key = (str(certificates / name) for name in names)
    own = {
        f"tls_{side}_{part}": path
        for side in SIDES
        for part, path in (("cert", cert), ("key", key))
    }
    return Security(require_encryption=True, tls_ca_file=ca, **own)


def _results(
    client: Client, units: Sequence[CheckUnit], options: Mapping[str, str]
) -> Iterator[CheckOutcome]:
    """Yield the outcome of each unit as it comes.

    Raises: OSError, CancelledError if the scheduler goes.
    """
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    sent = {client.submit(check_unit, unit, dict(options), pure=False): unit for unit in units}
    for future in as_completed(sent):
        unit = sent.pop(future)
        if future.status == "error" and isinstance(error := future.exception(), KilledWorker):
            yield CheckOutcome(
                unit.transcript,
                f"stopped three workers, perhaps for lack of memory ({error.task}).",
            )
        else:
            yield future.result()


def _dask() -> ModuleType:
    try:
        import distributed
    except ImportError as error:
        raise ModelUnavailable("Dask is not installed.", remedy=INSTALL) from error
    return distributed
