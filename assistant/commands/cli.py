"""The command line: parses the arguments, runs their command and turns an error into one line.

Data goes to stdout or ``--out``, messages to stderr. Exit status: 0 done, 1 the user's input, 2
usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import assistant
from assistant.commands import (
    alerting,
    archive,
    backup,
    check,
    claims,
    desktop,
    evaluate,
    live,
    monitor,
    prepare,
    purge,
    review,
    run_app,
    serve,
    tokens,
    voices,
)
from assistant.commands.options import (
    say_ignored_variable,
    say_ineffective_variables,
    shared_options,
)
from assistant.commands.secret_arguments import with_secrets
from assistant.commands.terminal import say, say_error
from assistant.core import logs
from assistant.core.errors import LecternError

COMMANDS = (
    check,
    claims,
    prepare,
    run_app,
    desktop,
    live,
    serve,
    archive,
    alerting,
    tokens,
    review,
    evaluate,
    backup,
    purge,
    voices,
    monitor,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    process_arguments = sys.argv[1:] if arguments is None else arguments
    options = parser().parse_args(with_secrets(process_arguments))
    logs.begin_logging()
    say_ignored_variable(options)
    say_ineffective_variables()
    try:
        options.run(options)
    except LecternError as error:
        logs.log_failure(process_arguments[0], error)
        say_error(str(error))
        return 1
    except BrokenPipeError:  # the reader of a pipe has gone: nothing more can be written to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        say("")
        say_error("stopped. Nothing was left half-written.")
        return 1
    except Exception as error:
        logs.log_failure(process_arguments[0], error)
        raise
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    main_parser = argparse.ArgumentParser(prog="python -m assistant", description=assistant.__doc__)
    main_parser.add_argument(
        "--version", action="version", version=f"Lectern {assistant.__version__}"
    )
    subcommands = main_parser.add_subparsers(required=True, metavar="COMMAND")
    shared_parser = shared_options()
    for module in COMMANDS:
        module.add(subcommands, shared_parser)
    _describe(subcommands)
    return main_parser


def _describe(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Begin the help of each command with the line that lists it among the others."""
    for command_entry in subcommands._choices_actions:
        command = subcommands.choices[command_entry.dest]
        summary = command_entry.help or ""
        command.description = f"{summary[:1].upper()}{summary[1:]}."
        for parser_action in command._actions:
            if isinstance(parser_action, argparse._SubParsersAction):
                _describe(parser_action)
