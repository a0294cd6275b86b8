"""The command ``tokens``: makes, lists and revokes tokens of programs.

A token is for the lines of one live event, or has scopes for the HTTP API.
"""

from __future__ import annotations

import argparse
import time
from datetime import datetime
from typing import TYPE_CHECKING

from assistant.commands.options import audited, load_settings, positive_number
from assistant.commands.terminal import data_table, print_line, say

if TYPE_CHECKING:
    from assistant.live.access_tokens import AccessToken, TokenStore

API_TOKEN_DAYS = 365  # a token of the API expires after so many days unless --days says otherwise
SECONDS_PER_DAY = 86_400.0
# Equal to ``access_tokens.Scope``, which is imported only when the command runs.
SCOPES = (
    "match",
    "fact-checks",
    "checks:read",
    "checks:write",
    "checks:all",
    "decisions:read",
    "decisions:write",
    "archive",
)


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    subcommands = subcommands.add_parser(
        "tokens", help="manage tokens for the HTTP API and live events"
    ).add_subparsers(required=True, metavar="COMMAND")
    give = subcommands.add_parser(
        "give", parents=[shared_parser], help="make a token and show it once"
    )
    give.add_argument(
        "--scope",
        metavar="SCOPE",
        action="append",
        choices=SCOPES,
        help=f"permission for the API (repeatable): {', '.join(SCOPES)}",
    )
    give.add_argument(
        "--days",
        type=positive_number,
        help=f"days until the token expires (default: {API_TOKEN_DAYS} for the API, never for an event)",
    )
    give.add_argument(
        "--per-minute",
        type=positive_number,
        metavar="N",
        help="maximum number of requests per minute (default: 120)",
    )
    give.add_argument(
        "--per-day",
        type=positive_number,
        metavar="N",
        help="maximum number of requests per day (default: 20,000)",
    )
    give.add_argument(
        "--read",
        action="store_true",
        help="make a read-only token: it can read the event's state, but cannot send lines",
    )
    give.set_defaults(run=_give)
    listing = subcommands.add_parser(
        "list", parents=[shared_parser], help="list the tokens, but not the secrets"
    )
    listing.set_defaults(run=_list)
    revoke = subcommands.add_parser(
        "revoke", parents=[shared_parser], help="revoke a token at once"
    )
    revoke.set_defaults(run=_revoke)
    for command_parser in (give, revoke):
        command_parser.add_argument(
            "--event",
            metavar="NAME",
            help="live event for which the token is valid. "
            "Without this option, the token is for the HTTP API",
        )
        command_parser.add_argument(
            "--for",
            metavar="NAME",
            required=True,
            dest="name",
            help="person or program that uses the token",
        )


def _give(options: argparse.Namespace) -> None:
    from assistant.core.errors import SettingsError

    if bool(options.event) == bool(options.scope):
        remedy = "Give --event NAME for live lines, or --scope SCOPE for the API."
        raise SettingsError("a token needs either an event or scopes for the API.", remedy=remedy)
    subject = _subject(options)
    with (
        _store(options) as store,
        audited(load_settings(options), "give token", subject),
    ):
        print_line(_new_token(store, options))
    say("Keep it now: it is not stored and cannot be shown again.")


def _new_token(store: TokenStore, options: argparse.Namespace) -> str:
    """Return a new token for the event or with the scopes of the options."""
    from assistant.live.access_tokens import AccessRight, Scope, TokenLimits

    valid_days = options.days
    if not valid_days and not options.event:
        valid_days = API_TOKEN_DAYS
    expires_at_s = None
    if valid_days:
        expires_at_s = time.time() + valid_days * SECONDS_PER_DAY
    limits = TokenLimits(expires_at_s, options.per_minute, options.per_day)
    if options.event:
        right = AccessRight.READ if options.read else AccessRight.WRITE
        return store.give(options.event, options.name, right, limits)
    return store.give_scopes(options.name, map(Scope, options.scope), limits)


def _list(options: argparse.Namespace) -> None:
    with _store(options) as store:
        tokens = store.all()
    with data_table("Event", "Name", "Rights", "Made", "State") as table:
        for token in tokens:
            rights = ",".join(sorted(token.scopes)) or token.right.name.lower()
            event = token.event or "API"
            table.add(event, token.name, rights, _time(token.made), _state(token))
    if not tokens:
        say("There are no tokens yet. Make one with `tokens give`.")


def _state(token: AccessToken) -> str:
    """Return whether a token is valid, and until or since when."""
    if token.revoked:
        return f"revoked {_time(token.revoked)}"
    if token.expires is None:
        return "valid"
    verb = "valid until" if token.expires > time.time() else "expired"
    return f"{verb} {_time(token.expires)}"


def _revoke(options: argparse.Namespace) -> None:
    with (
        _store(options) as store,
        audited(load_settings(options), "revoke token", _subject(options)),
    ):
        store.revoke(options.event or "", options.name)
    say(f"The token of {options.name} for {options.event or 'the API'} is revoked.")


def _subject(options: argparse.Namespace) -> str:
    """Return the subject of an entry in the log of actions."""
    return f"live:{options.event}" if options.event else "api"


def _store(options: argparse.Namespace) -> TokenStore:
    from assistant.live.access_tokens import TokenStore

    return TokenStore.open(load_settings(options).database)


def _time(seconds: float) -> str:
    """Return a time, in seconds since 1970, as day and minute of this computer's clock."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
