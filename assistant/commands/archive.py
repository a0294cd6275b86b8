"""The commands ``archive``: add, check, list and compare many transcripts, and export repeats."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.options import (
    add_force,
    audited,
    export_folder,
    load_settings,
    positive_number,
)
from assistant.commands.terminal import ProgressLine, data_table, print_line, say
from assistant.report import wording
from features.models.batching import threads

if TYPE_CHECKING:
    from assistant.archive.archive_store import ArchivedTranscript
    from assistant.archive.bulk_run import Engine
    from assistant.core.settings import Settings


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    parser = subcommands.add_parser("archive", help="check many debates and find repeated claims")
    subcommands = parser.add_subparsers(required=True, metavar="COMMAND")
    taking = subcommands.add_parser(
        "add", parents=[shared_parser], help="add transcripts to the archive"
    )
    taking.add_argument("paths", metavar="PATH", nargs="+", help="file or folder to add")
    taking.add_argument(
        "--manifest",
        metavar="TABLE",
        help="table with the file, title, date and speaker of each transcript "
        "(default: PATH/manifest.csv)",
    )
    taking.set_defaults(run=_add)
    running = subcommands.add_parser(
        "run", parents=[shared_parser], help="check the transcripts that are new or have changed"
    )
    running.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    running.add_argument(
        "--processes",
        type=positive_number,
        default=threads(),
        help="number of processes on this computer (default: one per core)",
    )
    running.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a Dask scheduler to use: tls://, or tcp:// on this computer",
    )
    _certificates(running)
    running.set_defaults(run=_run)
    status = subcommands.add_parser(
        "status", parents=[shared_parser], help="list the transcripts with their state"
    )
    status.set_defaults(run=_status)
    export = subcommands.add_parser(
        "export", parents=[shared_parser], help="write the repeated claims as CSV and JSON"
    )
    export.add_argument(
        "--out", metavar="DIR", required=True, help="folder for the CSV and JSON files"
    )
    add_force(export)
    export.add_argument(
        "--possible", action="store_true", help="also list every weaker match, to be reviewed"
    )
    export.set_defaults(run=_export)
    alerts = subcommands.add_parser(
        "alerts", parents=[shared_parser], help="compare new fact-checks with all earlier debates"
    )
    alerts.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    alerts.set_defaults(run=_alerts)
    working = subcommands.add_parser(
        "worker", parents=[shared_parser], help="run a worker for a Dask scheduler"
    )
    working.add_argument(
        "address",
        metavar="ADDRESS",
        help="address of the scheduler: tls://, or tcp:// on this computer",
    )
    working.add_argument("--profile", help="models to use, the same as for `archive run`")
    _certificates(working)
    working.set_defaults(run=_work)


def _certificates(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--certificates",
        type=Path,
        metavar="DIR",
        help="folder with ca.pem, cert.pem and key.pem, needed for tls:// addresses",
    )


def _add(options: argparse.Namespace) -> None:
    from assistant.archive import transcript_collection
    from assistant.archive.archive_store import ArchiveStore

    settings = load_settings(options)
    manifest = Path(options.manifest) if options.manifest else None
    counts = dict.fromkeys(("new", "changed", "same", "skipped"), 0)
    with ArchiveStore.open(settings.database) as store, audited(settings, "archive add"):
        for addition in transcript_collection.add(
            store, map(Path, options.paths), manifest, on_remark=_say_remark
        ):
            counts[addition.outcome] += 1
            if addition.outcome == "skipped":
                say(f"skipped {addition.path}: {addition.why}")
    summary = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items() if number)
    say(summary or "No files there.")


def _say_remark(remark: str) -> None:
    say(f"note: {remark}")


def _run(options: argparse.Namespace) -> None:
    from assistant.archive import bulk_run
    from assistant.archive.archive_store import ArchiveStore

    settings = load_settings(options)
    began = time.monotonic()
    engine = _engine(options, settings)
    with (
        ArchiveStore.open(settings.database) as store,
        ProgressLine() as progress,
        audited(settings, "archive run"),
    ):

        def on_checked(entry: ArchivedTranscript, error: str, done: int, total: int) -> None:
            if error:
                say(f"failed {entry.path}: {error}")
            progress("checking transcripts", done, total)

        run_result = bulk_run.run_checks(store, settings, engine, on_checked=on_checked)
    elapsed_s = time.monotonic() - began
    summary = f"{wording.count(run_result.checked, 'transcript')} checked in {elapsed_s:,.0f} s"
    if run_result.fresh:
        summary += f", {run_result.fresh:,} up to date before"
    if run_result.failed:
        summary += f", {run_result.failed:,} failed: `archive status` says why"
    say(summary)


def _engine(options: argparse.Namespace, settings: Settings) -> Engine:
    from assistant.archive import bulk_run, cluster
    from assistant.core.errors import ModelUnavailable

    if options.scheduler:
        _warn_of_open_scheduler(options.scheduler, options.certificates)
        return cluster.remote_cluster(options.scheduler, options.certificates)
    if options.processes > 1:
        try:
            return cluster.local_cluster(options.processes, _worker_settings(options))
        except ModelUnavailable as error:
            say(f"note: checking in one process. {error}")
    return bulk_run.local_engine(_worker_settings(options))


def _warn_of_open_scheduler(address: str, certificates: Path | None) -> None:
    """Say that other accounts may use a scheduler without TLS. Raises: SettingsError."""
    from assistant.archive import cluster

    cluster.security(address, certificates)
    if cluster.is_open_to_accounts(address):
        say(
            f"warning: every account of this computer can run code through {address}. "
            "Use tls:// and --certificates DIR if other people have an account here."
        )


def _worker_settings(options: argparse.Namespace) -> dict[str, str]:
    """Return the settings that the options give; a worker reads the others from its environment."""
    values = {name: getattr(options, name, None) for name in ("home", "database_url", "profile")}
    return {name: value for name, value in values.items() if value}


def _status(options: argparse.Namespace) -> None:
    from assistant.archive.archive_store import ArchiveStore

    with ArchiveStore.open(load_settings(options).database) as store:
        entries = store.entries()
    with data_table("Debate", "Date", "Title", "Sentences", "Seconds", "State") as table:
        for entry in entries:
            table.add(
                entry.document[:16],
                entry.event_date or "",
                entry.title,
                entry.sentences,
                "" if entry.seconds is None else f"{entry.seconds:.1f}",
                _state(entry),
            )
    checked = sum(bool(entry.stamp) for entry in entries)
    say(f"{wording.count(len(entries), 'transcript')}, {checked:,} checked")


def _state(entry: ArchivedTranscript) -> str:
    """Return whether a transcript is checked, waiting or failed, and why it failed."""
    if entry.error:
        return f"failed: {entry.error}"
    return "checked" if entry.stamp else "waiting"


def _export(options: argparse.Namespace) -> None:
    from assistant.archive import repeat_export, repeats
    from assistant.archive.archive_store import ArchiveStore
    from assistant.claims.claim_store import ClaimStore
    from assistant.core.errors import SettingsError
    from assistant.review.decision_store import DecisionStore

    settings = load_settings(options)
    url = settings.database
    with (
        ArchiveStore.open(url) as store,
        ClaimStore.open(url) as claims,
        DecisionStore.open(url) as decisions,
    ):
        repeat_counts = repeats.count_repeats(
            store, claims, decisions, all_possible=options.possible
        )
    tables = repeat_export.export_files(repeat_counts)
    for path in export_folder(options, settings).write(tables, SettingsError):
        print_line(path)


def _alerts(options: argparse.Namespace) -> None:
    from assistant.archive import alerts
    from assistant.archive.archive_store import ArchiveStore

    settings = load_settings(options)
    with (
        ArchiveStore.open(settings.database) as store,
        ProgressLine() as progress,
        audited(settings, "archive alerts"),
    ):
        claim_count = alerts.compare_new_claims(store, settings, progress=progress)
        new_alerts = alerts.newest_alerts(store, settings)
    say(f"{wording.count(claim_count, 'fact-check')} compared with everything said.")
    for alert in new_alerts:
        print_line(f"{alert.claim.id}\t{alerts.describe(alert)}")


def _work(options: argparse.Namespace) -> None:
    from assistant.archive import cluster

    _warn_of_open_scheduler(options.address, options.certificates)
    say(f"working for {options.address} since {datetime.now(UTC):%H:%M} UTC; stop with Ctrl-C")
    cluster.serve(options.address, options.certificates, _worker_settings(options))
