"""Processes: how much faster are two than one, and how much memory do workers share that map one index?

    python -m bench.archive.processes --data DIR [--index DIR] [--transcripts N] [--sentences S] [--engine ray]
    python -m bench.archive.processes --home DIR [--transcripts N]

Expected: two processes at least 1.7 times as fast as one with one thread, and no slower than one with two threads;
two workers' memory at most 1.3 times one's. Either ``--data`` has the fact-checks, ``--index`` a finished index of them
(default: that of ``bench.speed``), and the transcripts are cut from its debates; or ``--home`` has fact-checks with
their index, and the sample debates are dealt out. The archive is made in a copy that links to the index.

Memory is the most by the second of the processes that check (``workers_gb``), of the run itself too (``all_gb``), as
proportional set sizes: a page that two processes map counts half in each; ``private_gb`` is what only one of the
workers has, the largest. Beside the seconds stand those of the processor, which other work on the machine hardly
changes, of processes that nobody waits for as they were last looked at: ``no_wait`` is how much faster than the first
run it would be with a core for each process. ``--engine ray`` does the same units by Ray's tasks, for comparison; it
needs Ray, which Lectern does not use.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil

from assistant.archive import cluster, collecting, running
from assistant.archive.checking import Outcome, Unit, work
from assistant.archive.running import Engine
from assistant.archive.store import ArchiveStore
from assistant.claims.store import ClaimStore
from assistant.ground import settings
from bench.archive.making import from_public, from_samples, write
from bench.command import command, option, table
from bench.speed import INDEX
from training.shared.claims import politifact

KINDS = (("1 process, 1 thread", 1, 1), ("1 process, 2 threads", 1, 2), ("2 processes, 1 thread each", 2, 1))
LOOK_S, WORKS_GB = 1.0, 0.1


def home_of(data: Path, index: Path, folder: Path) -> Path:
    """Return a folder made a home with the fact-checks of a data folder and links to the finished index of them."""
    with ClaimStore.open(settings.load(home=folder).database) as store:
        store.upsert(politifact(data), source="politifact")
        content = store.digest()
    for manifest in index.glob("*/manifest.json"):
        own = folder / "index" / manifest.parent.name
        own.mkdir(parents=True)
        made = json.loads(manifest.read_text("utf-8"))
        for segment in made["segments"]:
            (own / segment).symlink_to((manifest.parent / segment).resolve())
        (own / "manifest.json").write_text(json.dumps(made | {"content": content}), "utf-8")
    return folder


def home_with(home: Path, folder: Path, options: argparse.Namespace) -> Path:
    """Return a new home folder with the fact-checks and index of another and an archive that waits."""
    shutil.copy(home / "lectern.db", folder / "lectern.db")
    (folder / "index").symlink_to((home / "index").resolve())
    if options.data:
        made = list(from_public(options.data, options.transcripts, options.sentences))
    else:
        made = from_samples(max(2, -(-options.transcripts // 4)))[0][: options.transcripts]
    write(folder / "transcripts", made)
    with ArchiveStore.open(settings.load(home=folder).database) as store:
        list(collecting.add(store, [folder / "transcripts"]))
    return folder


def through_ray(processes: int, place: dict[str, str]) -> Engine:
    """Return the engine that gives each unit to Ray as a task."""

    def engine(units: Sequence[Unit]) -> list[Outcome]:
        ray = import_module("ray")  # a peer to compare with: nobody else needs it
        ray.init(num_cpus=processes, include_dashboard=False, runtime_env={"env_vars": {"OMP_NUM_THREADS": "1"}})
        task = ray.remote(max_retries=3)(work)
        done = ray.get([task.remote(unit, place) for unit in units])
        ray.shutdown()
        return done

    return engine


def once(home: Path, processes: int, kind: str) -> None:
    """Check the archive of a home folder; called in a process of its own, whose threads its environment limits."""
    chosen, place = settings.load(home=home), {"home": str(home)}
    engines = {"dask": cluster.local, "ray": through_ray}
    engine = running.here(place) if kind == "here" else engines[kind](processes, place)
    with ArchiveStore.open(chosen.database) as store:
        print(running.run(store, chosen, engine, tell=lambda *_: None))


def timed(home: Path, processes: int, threads: int, kind: str) -> dict[str, float]:
    """Return the seconds of a run in processes of its own, those of the processor, and the most memory of each kind."""
    arguments = f"Path({str(home)!r}), {processes}, {kind!r}"
    code = f"from pathlib import Path; from bench.archive.processes import once; once({arguments})"
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    began, worked = time.perf_counter(), _processor_s()
    process, over = subprocess.Popen([sys.executable, "-c", code], env=environment), threading.Event()
    most, used = dict.fromkeys(("workers_gb", "all_gb", "private_gb"), 0.0), dict[int, float]()
    watch = threading.Thread(target=_watch, args=(process.pid, kind, most, used, over))
    watch.start()
    failed = process.wait()
    over.set()
    watch.join()
    if failed:
        raise SystemExit(f"the run failed with {failed}")
    processor_s = max(_processor_s() - worked, sum(used.values()))  # Ray ends its workers and waits for none
    return {"seconds": time.perf_counter() - began, "processor_s": processor_s, **most}


def _processor_s() -> float:
    """Return the seconds that processes have worked which this one has waited for, their children included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process: int, kind: str, most: dict[str, float], used: dict[int, float], over: threading.Event) -> None:
    """Keep the most memory, by the second, and the seconds of the processor that each process has used so far.

    The first of the family works only where there are no workers.
    """
    while not over.wait(LOOK_S):
        numbers = _family(process)
        used.update({number: seconds for number in numbers if (seconds := _worked_s(number))})
        family = [_memory(number) for number in numbers]
        workers = family if kind == "here" else family[1:]
        now = {
            "workers_gb": sum(shared for _, shared in workers if shared > WORKS_GB),
            "all_gb": sum(shared for _, shared in family),
            "private_gb": max((private for private, _ in workers), default=0.0),
        }
        most.update({name: max(most[name], value) for name, value in now.items()})


def _family(process: int) -> list[int]:
    try:
        return [process, *(child.pid for child in psutil.Process(process).children(recursive=True))]
    except psutil.NoSuchProcess:
        return []


def _worked_s(process: int) -> float:
    """Return the seconds of the processor that a process has used by itself, 0 if it has gone."""
    try:
        times = psutil.Process(process).cpu_times()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return 0.0
    return float(times.user + times.system)


def _memory(process: int) -> tuple[float, float]:
    """Return what a process has for itself, and its share of all that it maps, in GB."""
    try:
        of = psutil.Process(process).memory_full_info()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return 0.0, 0.0
    return of.uss / 1e9, of.pss / 1e9


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Run the same archive in each way, one after the other."""
    if (options.home is None) == (options.data is None):
        raise argparse.ArgumentError(None, "either --home or --data is required")
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or home_of(options.data, options.index, Path(folder))
        return {"rows": _runs(home, options)}


def _runs(home: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    kinds = [(name, p, t, "here" if p == 1 else "dask") for name, p, t in KINDS]
    kinds += [("2 processes by Ray", 2, 1, "ray")] if options.engine == "ray" else []
    rows = []
    for name, processes, threads, kind in kinds:
        with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
            of_run = home_with(home, Path(folder), options)
            rows.append({"run": name, **timed(of_run, processes, threads, kind)})
            print(rows[-1], file=sys.stderr)
    first, at_once = rows[0], [processes * threads for _, processes, threads, _ in kinds]
    for row, cores in zip(rows, at_once, strict=True):
        row["times as fast"] = first["seconds"] / row["seconds"]
        row["no_wait"] = cores * first["processor_s"] / row["processor_s"]
        row["memory"] = row["workers_gb"] / first["workers_gb"]
    print(f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
    print(table(rows))
    return rows


main = command(
    measure,
    option("--data", type=Path, metavar="DIR", help="the data folder, with fact-checks and debates"),
    option("--index", type=Path, default=INDEX, metavar="DIR", help="the finished index of its fact-checks"),
    option("--home", type=Path, metavar="DIR", help="with fact-checks and their index, in place of --data"),
    option("--transcripts", type=int, default=60),
    option("--sentences", type=int, default=300),
    option("--engine", choices=("dask", "ray"), default="dask"),
)

if __name__ == "__main__":
    sys.exit(main())
