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


LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")
INSTALL = "Install Dask: pip install -r requirements-archive.txt"
SCHEDULER_WAIT_S = 600
SCHEDULER_POLL_S = 2
SCHEDULER_CONNECT_S = 10
VARIABLE_OF_OPTION = {
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
    dask = _import_dask()

    def engine(units: Sequence[CheckUnit]) -> Iterator[CheckOutcome]:
        if not units:
            return
        worker_cluster = dask.LocalCluster(
            n_workers=min(processes, len(units)),
            threads_per_worker=1,
            processes=True,
            env={"OMP_NUM_THREADS": "1"},
            memory_limit=0,
            dashboard_address=None,
            host="127.0.0.1",
            protocol="tls://",
            security=temporary_security(),
        )
        with worker_cluster as cluster, dask.Client(cluster) as client:
            yield from _outcomes(client, units, options)

    return engine


def remote_cluster(address: str, certificates: Path | None) -> Engine:
    """Return the engine of a scheduler at an address.

    Its workers look in the home folders that they were given.

    A scheduler that goes away is waited for, ten minutes at most, and what it has not done is sent
    again.

    Raises: SettingsError for an address beyond this machine without TLS; ModelUnavailable without
    Dask.
    """
    dask = _import_dask()
    secure = security(address, certificates)

    def engine(units: Sequence[CheckUnit]) -> Iterator[CheckOutcome]:
        pending_units = {unit.transcript: unit for unit in units}
        answered_at_s = time.monotonic()
        # A unit whose outcome has not come back is sent again to a scheduler that returns.
        while pending_units:
            try:
                with dask.Client(address, security=secure, timeout=SCHEDULER_CONNECT_S) as client:
                    for outcome in _outcomes(client, list(pending_units.values()), {}):
                        answered_at_s = time.monotonic()
                        pending_units.pop(outcome.transcript)
                        yield outcome
            except (OSError, CancelledError) as error:
                silence_s = time.monotonic() - answered_at_s
                if silence_s > SCHEDULER_WAIT_S:
                    raise NetworkError(
                        "the scheduler isn't responding.",
                        where=address,
                        remedy="Start the scheduler.",
                    ) from error
                time.sleep(SCHEDULER_POLL_S)

    return engine


def serve(address: str, certificates: Path | None, options: Mapping[str, str]) -> None:
    """Work for the scheduler at an address; one that goes away is waited for, ten minutes at most.

    The worker is a process of its own, which is started again when it crashes.

    Raises: SettingsError; ModelUnavailable; NetworkError once the scheduler has not answered for
    so long.
    """
    dask = _import_dask()
    secure = security(address, certificates)
    os.environ["OMP_NUM_THREADS"] = "1"
    for option_name, value in options.items():
        os.environ[VARIABLE_OF_OPTION[option_name]] = value
    # The database is then the one in the home folder.
    if "home" in options and "database_url" not in options:
        os.environ.pop(VARIABLE_OF_OPTION["database_url"], None)

    async def work_once() -> None:
        # A nanny runs the worker in a process of its own and starts it again when it crashes.
        nanny = dask.Nanny(
            address,
            security=secure,
            nthreads=1,
            memory_limit=0,
            death_timeout=SCHEDULER_CONNECT_S,
            dashboard=False,
        )
        async with nanny:
            await nanny.finished()

    answered_at_s = time.monotonic()
    while time.monotonic() - answered_at_s < SCHEDULER_WAIT_S:
        began_at_s = time.monotonic()
        with suppress(OSError, TimeoutError):
            asyncio.run(work_once())
            # A worker that ends at once has not reached the scheduler.
            worked_s = time.monotonic() - began_at_s
            if worked_s > SCHEDULER_CONNECT_S:
                answered_at_s = time.monotonic()
        time.sleep(SCHEDULER_POLL_S)
    raise NetworkError(
        "the scheduler isn't responding.",
        where=address,
        remedy="Start the scheduler with `dask scheduler`.",
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
    url = urlsplit(address)
    if url.scheme == "tcp" and url.hostname in LOCAL_HOSTS:
        return None
    if url.scheme != "tls":
        problem = "a scheduler on another computer needs TLS, because it sends code to its workers."
        host = url.hostname or "HOST"
        remedy = f"Give tls://{host}:PORT and --certificates DIR."
        raise SettingsError(problem, where=address, remedy=remedy)

    file_names = ("ca.pem", "cert.pem", "key.pem")
    if certificates is None or not all((certificates / name).is_file() for name in file_names):
        remedy = "Give --certificates DIR with ca.pem, cert.pem and key.pem."
        location = str(certificates or address)
        raise SettingsError("a tls:// address needs certificates.", where=location, remedy=remedy)
    from distributed.security import Security

    # Client, worker and scheduler all show the same certificate.
    file_by_option = {"tls_ca_file": str(certificates / "ca.pem")}
    for role in ("client", "worker", "scheduler"):
        file_by_option[f"tls_{role}_cert"] = str(certificates / "cert.pem")
        file_by_option[f"tls_{role}_key"] = str(certificates / "key.pem")
    return Security(require_encryption=True, **file_by_option)


def _outcomes(
    client: Client, units: Sequence[CheckUnit], options: Mapping[str, str]
) -> Iterator[CheckOutcome]:
    """Yield the outcome of each unit as it comes.

    Raises: OSError, CancelledError if the scheduler goes.
    """
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    # ``pure=False``: a unit is worked again even if the scheduler still has an earlier outcome.
    unit_by_future = {}
    for unit in units:
        future = client.submit(check_unit, unit, dict(options), pure=False)
        unit_by_future[future] = unit
    for future in as_completed(unit_by_future):
        unit = unit_by_future.pop(future)
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            problem = f"three workers stopped, perhaps because memory ran out ({error.task})."
            yield CheckOutcome(unit.transcript, problem)
        else:
            yield future.result()


def _import_dask() -> ModuleType:
    try:
        import distributed
    except ImportError as error:
        raise ModelUnavailable("Dask is not installed.", remedy=INSTALL) from error
    return distributed
