"""The command ``live``, which follows a debate from a source."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assistant.commands.options import account_name, event_day, event_name, load_settings
from assistant.commands.terminal import ProgressLine, say
from assistant.core.errors import SettingsError
from assistant.live.sources.registry import SOURCES

if TYPE_CHECKING:
    from assistant.live.engine import Engine
    from assistant.live.event import Event
    from assistant.live.live_lines import Source


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command. The table of sources has its options."""
    live_command = subcommands.add_parser(
        "live", parents=[shared_parser], help="follow a debate while it happens"
    )
    live_command.add_argument(
        "--event",
        type=event_name,
        metavar="NAME",
        help="name of the event. To continue an earlier event, give its name",
    )
    network_group = live_command.add_argument_group("over the network")
    # Each kind of source has an option or, without a dash, a positional argument.
    for source_kind in SOURCES:
        group = network_group if source_kind.network else live_command
        is_positional = not source_kind.option.startswith("-")
        nargs_option = {"nargs": "?"} if is_positional else {}
        group.add_argument(
            source_kind.option, metavar=source_kind.metavar, help=source_kind.help, **nargs_option
        )
        further_options = source_kind.extra or {}
        for option, argument_options in further_options.items():
            group.add_argument(option, **argument_options)
    network_group.add_argument(
        "--allow-private", action="store_true", help="also allow addresses in private networks"
    )
    add_event_options(live_command)
    live_command.set_defaults(run=_live)


def add_event_options(command_parser: argparse.ArgumentParser) -> None:
    """Add the options about events that ``live`` and ``serve`` share."""
    command_parser.add_argument("--title", help="title of the event (default: its name)")
    command_parser.add_argument(
        "--date", type=event_day, metavar="YYYY-MM-DD", help="date of the event (default: today)"
    )
    command_parser.add_argument(
        "--as-of-event", action="store_true", help="use only fact-checks from before the event"
    )
    command_parser.add_argument(
        "--profile",
        help="models to use: embedded, large, paper, or the path of a TOML file (default: embedded)",
    )
    command_parser.add_argument(
        "--out", metavar="FILE", help="file for the JSON lines (default: standard output)"
    )


def _live(options: argparse.Namespace) -> None:
    """Follow an event until its source ends or the process is stopped.

    Matches are written to the output once they are stored.
    """
    from assistant.live import event_output

    event, source = _event_and_source(options)
    with open_engines(options, {source.name: event}) as (engine,):
        earlier_handler = signal.signal(signal.SIGTERM, lambda *_: engine.stop.set())
        try:
            engine.follow(source)
            engine.run(until_done=True)
        except KeyboardInterrupt:
            pass  # all that came is stored; the next start goes on from here
        finally:
            engine.close()
            signal.signal(signal.SIGTERM, earlier_handler)
        say(event_output.summary(engine.log, engine.event))


def _event_and_source(options: argparse.Namespace) -> tuple[Event, Source]:
    """Return the event and its source.

    Raises: SettingsError if there is no source, or more than one.
    """
    from assistant.live.event import Event
    from assistant.live.sources.replay import ReplaySource

    chosen_kinds = [kind for kind in SOURCES if getattr(options, kind.name)]
    if len(chosen_kinds) != 1:
        *first_options, last_option = [
            f"{kind.option} {kind.metavar}" for kind in SOURCES if kind.option.startswith("-")
        ]
        remedy = f"Give FILE, - for a pipe, {', '.join(first_options)}, or {last_option}."
        raise SettingsError("`live` needs exactly one source.", remedy=remedy)
    [chosen_kind] = chosen_kinds
    address = getattr(options, chosen_kind.name)
    source = chosen_kind.make(address, options)
    title = options.title or ""
    event_date = options.date
    if isinstance(source, ReplaySource):
        title = source.transcript.title
        event_date = source.transcript.event_date
    # Without a name, the event is named by the file of the source: "-" is a pipe.
    address_stem = Path(urlsplit(address).path).stem.strip("-")
    name = options.event or address_stem or source.name
    return Event(name, title, event_date), source


@contextmanager
def open_engines(
    options: argparse.Namespace, events: Mapping[str, Event]
) -> Iterator[list[Engine]]:
    """Yield an engine for each event (by the origin of its lines), with log, output and models."""
    from assistant import pipeline
    from assistant.live import event_output
    from assistant.live.engine import Engine
    from assistant.live.event_log import EventLog
    from assistant.live.sentence_checks import Checker

    settings = load_settings(options)
    with (
        closing(EventLog.open(settings.database)) as log,
        event_output.output(options.out, sys.stdout) as out,
    ):
        with ProgressLine() as progress:
            checker = Checker(
                pipeline.open_index(settings, progress=progress),
                settings.profile,
                options.as_of_event,
            )
        checker.warm()
        engines = []
        for origin, event in events.items():
            event = log.begin(event, time.time(), who=account_name())
            result_writer = event_output.ResultWriter(log, event, say, out)
            engines.append(
                Engine(
                    log,
                    event,
                    checker,
                    result_writer.result,
                    result_writer.warning,
                    sender=account_name(),
                )
            )
            result_writer.begun(origin)
        yield engines
