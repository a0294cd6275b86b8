"""The command ``tokens``: makes, lists and revokes the tokens of programs that send live lines."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings
from assistant.commands.terminal import print_cells, print_line, say

if TYPE_CHECKING:
    from assistant.live.access_tokens import TokenStore


def add(verbs: argparse._SubParsersAction, shared: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    verbs = verbs.add_parser(
        "tokens", help="who may send lines to a live event over HTTP"
    ).add_subparsers(required=True, metavar="COMMAND")
    give = verbs.add_parser(
        "give", parents=[shared], help="make a token for one event; it is shown once"
    )
    give.add_argument(
        "--read", action="store_true", help="may read the health of the event and send nothing"
    )
    give.set_defaults(run=_give)
    listing = verbs.add_parser(
        "list", parents=[shared], help="every token, tab-separated, without the token itself"
    )
    listing.set_defaults(run=_list)
    revoke = verbs.add_parser("revoke", parents=[shared], help="end a token at once")
    revoke.set_defaults(run=_revoke)
    for verb in (give, revoke):
        verb.add_argument("--event", metavar="NAME", required=True)
        verb.add_argument(
            "--for",
            metavar="NAME",
            required=True,
            dest="name",
            help="who has it: a person or a program",
        )


def _give(options: argparse.Namespace) -> None:
    from assistant.live.access_tokens import AccessRight

    right = AccessRight.READ if options.read else AccessRight.WRITE
    with (
        _store(options) as store,
        audited(load_settings(options), "give token", f"live:{options.event}"),
    ):
        print_line(store.give(options.event, options.name, right))
    say("Keep it now: it is not stored and cannot be shown again.")


def _list(options: argparse.Namespace) -> None:
    with _store(options) as store:
        for token in store.all():
            state = f"revoked {_time(token.revoked)}" if token.revoked else "valid"
            right_name = token.right.name.lower()
            print_cells(token.event, token.name, right_name, _time(token.made), state)


def _revoke(options: argparse.Namespace) -> None:
    with (
        _store(options) as store,
        audited(load_settings(options), "revoke token", f"live:{options.event}"),
    ):
        store.revoke(options.event, options.name)
    say(f"The token of {options.name} for {options.event} is revoked.")


def _store(options: argparse.Namespace) -> TokenStore:
    from assistant.live.access_tokens import TokenStore

    return TokenStore.open(load_settings(options).database)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
