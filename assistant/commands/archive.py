"""The commands ``archive``.

Takes many transcripts in, checks them, lists them, and exports what was repeated.
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings
from assistant.commands.terminal import ProgressLine, say, usage_error
from assistant.report import wording
from features.models.batching import threads

if TYPE_CHECKING:
    from assistant.archive.archive_store import ArchivedTranscript
    from assistant.archive.bulk_run import Engine
    from assistant.core.settings import Settings


def add(verbs: argparse._SubParsersAction, shared: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    parser = verbs.add_parser(
        "archive", help="many debates at once: check, search, and count what was repeated"
    )
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    taking = verbs.add_parser("add", parents=[shared], help="take transcripts in")
    taking.add_argument(
        "paths", metavar="PATH", nargs="+", help="a file, or a folder with all that is in it"
    )
    taking.add_argument(
        "--manifest", metavar="CSV", help="file, title, date, speaker (default: PATH/manifest.csv)"
    )
    taking.set_defaults(run=_add)
    running = verbs.add_parser(
        "run", parents=[shared], help="check every transcript that is new or has changed"
    )
    running.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    running.add_argument(
        "--processes", type=int, default=threads(), help="on this machine (default: one a core)"
    )
    running.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask scheduler: tcp:// here, tls:// beyond"
    )
    _certificates(running)
    running.set_defaults(run=_run)
    status = verbs.add_parser("status", parents=[shared], help="every transcript, tab-separated")
    status.set_defaults(run=_status)
    export = verbs.add_parser("export", parents=[shared], help="what was repeated, as CSV and JSON")
    export.add_argument("--out", metavar="DIR", required=True, help="folder for the files")
    export.add_argument("--possible", action="store_true", help="count all that is possible")
    export.set_defaults(run=_export)
    alerts = verbs.add_parser(
        "alerts", parents=[shared], help="what new fact-checks find in everything said before"
    )
    alerts.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    alerts.set_defaults(run=_alerts)
    working = verbs.add_parser("worker", parents=[shared], help="work for a Dask scheduler")
    working.add_argument(
        "address", metavar="ADDRESS", help="tcp:// on this machine, tls:// beyond it"
    )
    working.add_argument("--profile", help="models to use, the same as those of the run")
    _certificates(working)
    working.set_defaults(run=_work)


def _certificates(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--certificates", type=Path, metavar="DIR", help="ca.pem, cert.pem and key.pem, for tls://"
    )


def _add(options: argparse.Namespace) -> None:
    from assistant.archive import transcript_collection
    from assistant.archive.archive_store import ArchiveStore

    chosen = load_settings(options)
    manifest = Path(options.manifest) if options.manifest else None
    counts = dict.fromkeys(("new", "changed", "same", "skipped"), 0)
    with ArchiveStore.open(chosen.database) as store, audited(chosen, "archive add"):
        for taken in transcript_collection.add(store, map(Path, options.paths), manifest):
            counts[taken.outcome] += 1
            if taken.outcome == "skipped":
                say(f"skipped {taken.path}: {taken.why}")
    say(
        ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items() if number)
        or "No files there."
    )


def _run(options: argparse.Namespace) -> None:
    from assistant.archive import bulk_run
    from assistant.archive.archive_store import ArchiveStore

    if options.processes < 1:
        usage_error("--processes is at least 1")
    chosen = load_settings(options)
    began = time.monotonic()
    engine = _engine(options, chosen)
    with (
        ArchiveStore.open(chosen.database) as store,
        ProgressLine() as progress,
        audited(chosen, "archive run"),
    ):

        def tell(entry: ArchivedTranscript, error: str, done: int, total: int) -> None:
            if error:
                say(f"failed {entry.path}: {error}")
            progress("checking transcripts", done, total)

        done = bulk_run.run_checks(store, chosen, engine, on_checked=tell)
    failed = f", {done.failed:,} failed: `archive status` says why" if done.failed else ""
    fresh = f", {done.fresh:,} up to date before" if done.fresh else ""
    say(
        f"{wording.count(done.checked, 'transcript')} checked in {time.monotonic() - began:,.0f} s{fresh}{failed}"
    )


def _engine(options: argparse.Namespace, chosen: Settings) -> Engine:
    from assistant.archive import bulk_run, cluster
    from assistant.core.errors import ModelUnavailable

    if options.scheduler:
        return cluster.remote_cluster(options.scheduler, options.certificates)
    if options.processes > 1:
        try:
            return cluster.local_cluster(options.processes, _place(options))
        except ModelUnavailable as error:
            say(f"note: checking in one process. {error}")
    return bulk_run.local_engine(_place(options))


def _place(options: argparse.Namespace) -> dict[str, str]:
    """Return where a worker is to look: what the flags say, the rest is in its environment."""
    return {
        name: value
        for name in ("home", "database_url", "profile")
        if (value := getattr(options, name, None))
    }


def _status(options: argparse.Namespace) -> None:
    from assistant.archive.archive_store import ArchiveStore

    with ArchiveStore.open(load_settings(options).database) as store:
        entries = store.entries()
    for entry in entries:
        state = f"failed: {entry.error}" if entry.error else "checked" if entry.stamp else "waiting"
        took = f"{entry.seconds:.1f}" if entry.seconds is not None else ""
        when = entry.event_date.isoformat() if entry.event_date else ""
        print(
            "\t".join(
                (
                    entry.document[:16],
                    when,
                    " ".join(entry.title.split()),
                    f"{entry.sentences}",
                    took,
                    state,
                )
            )
        )
    checked = sum(bool(entry.stamp) for entry in entries)
    say(f"{wording.count(len(entries), 'transcript')}, {checked:,} checked")


def _export(options: argparse.Namespace) -> None:
    from assistant.archive import repeat_export, repeats
    from assistant.archive.archive_store import ArchiveStore
    from assistant.claims.claim_store import ClaimStore
    from assistant.core import files
    from assistant.core.errors import SettingsError
    from assistant.review.decision_store import DecisionStore

    url = load_settings(options).database
    folder = Path(options.out)
    with (
        ArchiveStore.open(url) as store,
        ClaimStore.open(url) as claims,
        DecisionStore.open(url) as decisions,
    ):
        found = repeats.count_repeats(store, claims, decisions, all_possible=options.possible)
    tables = repeat_export.export_files(found)
    files.write_folder(folder, tables, error=SettingsError)
    for name in tables:
        print(folder / name)


def _alerts(options: argparse.Namespace) -> None:
    from assistant.archive import alerts
    from assistant.archive.archive_store import ArchiveStore

    chosen = load_settings(options)
    with (
        ArchiveStore.open(chosen.database) as store,
        ProgressLine() as progress,
        audited(chosen, "archive alerts"),
    ):
        met = alerts.compare_new_claims(store, chosen, progress=progress)
        found = alerts.newest_alerts(store, chosen)
    say(f"{wording.count(met, 'fact-check')} compared with everything said.")
    for alert in found:
        print(f"{alert.claim.id}\t{alerts.describe(alert)}")


def _work(options: argparse.Namespace) -> None:
    from assistant.archive import cluster

    say(f"working for {options.address} since {datetime.now(UTC):%H:%M} UTC; stop with Ctrl-C")
    cluster.serve(options.address, options.certificates, _place(options))
