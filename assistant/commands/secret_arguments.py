"""Keeps passwords and tokens of the command line out of the list of processes.

Every account of a computer can read the arguments of all processes, but not their environment.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

# Their values are secret: an address of Slack or Teams lets everybody write there.
SECRET_OPTIONS = ("--token", "--secret", "--address")
URL_OPTIONS = ("--database-url", "--to")  # their values are secret if they have a password
SHORTEST_ABBREVIATION = 4  # "--to" alone is an option of its own
REFERENCE = "from-environment:"
ARGUMENT_VARIABLE = "LECTERN_ARGUMENT_{}"
_OPTION_WITH_VALUE_PATTERN = re.compile(r"(--[a-z-]+)=(.*)", re.DOTALL)


def hide_secrets() -> None:
    """Start this process again with its secret arguments in the environment, if it has any.

    The process keeps its number. Windows shows arguments to their owner only.
    """
    arguments = sys.argv[1:]
    visible_arguments, secret_by_variable = split_secrets(arguments)
    if not secret_by_variable or os.name != "posix":
        return
    # The command as it was typed, ``python -m assistant``, without the arguments behind it
    _, *options_of_python = sys.orig_argv[: len(sys.orig_argv) - len(arguments)]
    command = [sys.executable, *options_of_python, *visible_arguments]
    os.execve(sys.executable, command, {**os.environ, **secret_by_variable})


def split_secrets(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments with references for secrets, and the secrets by their variable."""
    visible_arguments: list[str] = []
    secrets: dict[str, str] = {}
    option_name = ""
    for argument in arguments:
        joined_match = _OPTION_WITH_VALUE_PATTERN.fullmatch(argument)  # --option=value
        prefix = ""
        value = argument
        if joined_match:
            option_name, value = joined_match.groups()
            prefix = f"{option_name}="
        if _is_secret(option_name, value):
            variable_name = ARGUMENT_VARIABLE.format(len(secrets))
            secrets[variable_name] = value
            visible_arguments.append(f"{prefix}{REFERENCE}{variable_name}")
        else:
            visible_arguments.append(argument)
        is_option = argument.startswith("--") and not joined_match
        option_name = argument if is_option else ""
    return visible_arguments, secrets


def with_secrets(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the secrets of the environment, which is cleared of them."""
    whole_arguments = []
    for argument in arguments:
        prefix, reference, variable = argument.partition(REFERENCE)
        if reference and variable in os.environ:
            argument = prefix + os.environ.pop(variable)
        whole_arguments.append(argument)
    return whole_arguments


def _is_secret(option: str, value: str) -> bool:
    """Return whether the value of an option, perhaps an abbreviated one, is secret."""
    if not value or value.startswith(REFERENCE):
        return False
    if _names(option, SECRET_OPTIONS):
        return True
    if not _names(option, URL_OPTIONS):
        return False
    try:
        address = urlsplit(value)
        return bool(address.password) or "password=" in address.query
    except ValueError:
        return True  # an address that can't be read may have a password anywhere


def _names(option: str, known_options: Sequence[str]) -> bool:
    """Return whether an option is one of the known, or the beginning of its name."""
    if option in known_options:
        return True
    may_be_abbreviation = len(option) > SHORTEST_ABBREVIATION
    return may_be_abbreviation and any(known.startswith(option) for known in known_options)
