"""The command ``alerts``: channels by which people are alerted, and the outbox."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from assistant.alerts.alert_events import ALERT_KINDS
from assistant.commands.options import audited, load_settings
from assistant.commands.terminal import DataTable, data_table, print_line, say

if TYPE_CHECKING:
    from assistant.alerts.alert_sender import AlertSender
    from assistant.alerts.outbox import Delivery

# Equal to ``channel_store.ChannelForm``, which is imported only when the command runs.
FORMS = ("webhook", "slack", "teams", "matrix", "mail")
CHANNEL_HEADINGS = ("Name", "For", "Form", "Address", "Events", "Quiet hours", "Time zone", "State")
DELIVERY_HEADINGS = ("ID", "State", "Channel", "Event", "Made", "Attempts", "Error")


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    subcommands = subcommands.add_parser(
        "alerts", help="alert people by webhook, Slack, Teams, Matrix or mail"
    ).add_subparsers(required=True, metavar="COMMAND")
    _add_channel_options(
        subcommands.add_parser("add", parents=[shared_parser], help="add a channel")
    )
    list_command = subcommands.add_parser(
        "list", parents=[shared_parser], help="list the channels, but not their secrets"
    )
    list_command.set_defaults(run=_list)
    for command_name, run_command, help_text in (
        ("test", _test, "send a test message to a channel now"),
        ("remove", _remove, "remove a channel and mark its unsent alerts as failed"),
        ("pause", _pause, "pause a channel, so that it sends nothing"),
        ("resume", _resume, "resume a paused channel"),
    ):
        command_parser = subcommands.add_parser(
            command_name, parents=[shared_parser], help=help_text
        )
        command_parser.add_argument("name", metavar="NAME", help="name of the channel")
        command_parser.set_defaults(run=run_command)
    send_command = subcommands.add_parser(
        "send",
        parents=[shared_parser],
        help="send alerts until you stop the command (`serve` also sends them)",
    )
    send_command.add_argument(
        "--once", action="store_true", help="send the alerts that are due now, then stop"
    )
    send_command.set_defaults(run=_send)
    failed_command = subcommands.add_parser(
        "failed", parents=[shared_parser], help="list the failed and waiting alerts"
    )
    failed_command.add_argument("--again", metavar="ID", help="id of a failed alert to send again")
    failed_command.set_defaults(run=_failed)


def _add_channel_options(command_parser: argparse.ArgumentParser) -> None:
    command_parser.add_argument("name", metavar="NAME", help="name of the new channel")
    command_parser.add_argument(
        "--form", choices=FORMS, required=True, help="service or format of the messages"
    )
    command_parser.add_argument(
        "--address",
        metavar="ADDRESS",
        required=True,
        help="web address or mail address to which the messages are sent",
    )
    command_parser.add_argument(
        "--secret",
        default="",
        metavar="SECRET",
        help="access token of the Matrix account, or secret of the webhook (default: a new secret)",
    )
    command_parser.add_argument(
        "--for",
        default="",
        metavar="PERSON",
        dest="person",
        help="account whose alerts go to this channel (default: the whole newsroom's alerts)",
    )
    command_parser.add_argument(
        "--event",
        metavar="KIND",
        action="append",
        choices=tuple(ALERT_KINDS),
        help=f"event type to send (repeatable): {', '.join(ALERT_KINDS)} (default: all)",
    )
    command_parser.add_argument(
        "--quiet",
        default="",
        metavar="HH:MM-HH:MM",
        help="quiet hours, during which no alert is sent (default: none)",
    )
    command_parser.add_argument(
        "--digest-at",
        default="07:30",
        metavar="HH:MM",
        help="time of day of the digest (default: 07:30)",
    )
    command_parser.add_argument(
        "--zone",
        default="UTC",
        metavar="ZONE",
        help="time zone of the quiet hours and the digest, such as Europe/Berlin (default: UTC)",
    )
    command_parser.set_defaults(run=_add)


def _add(options: argparse.Namespace) -> None:
    from assistant.alerts.alert_sender import require_allowed
    from assistant.alerts.channel_store import AlertChannel, ChannelForm, checked_channel

    channel = AlertChannel(
        name=options.name,
        owner=options.person,
        form=ChannelForm(options.form),
        address=options.address,
        secret=options.secret,
        kinds=frozenset(options.event or ALERT_KINDS),
        quiet_hours=options.quiet,
        zone=options.zone,
        digest_time=options.digest_at,
        made=time.time(),
    )
    channel = checked_channel(channel)
    require_allowed(channel)
    with _sender(options) as sender, audited(load_settings(options), "add channel", options.name):
        sender.channels.add(channel)
    if channel.form is ChannelForm.WEBHOOK and not options.secret:
        print_line(channel.secret)
        say("This secret proves that messages come from Lectern. It is not shown again.")
    if channel.form is ChannelForm.MAIL and not load_settings(options).mail.host:
        say(
            "note: no mail server is set, so this channel can't send yet. "
            "Add [mail] with a host to lectern.toml."
        )
    say(f"Try it: python -m assistant alerts test {options.name!r}")


def _list(options: argparse.Namespace) -> None:
    from assistant.alerts.outbox import DeliveryState
    from assistant.report.wording import count

    with _sender(options) as sender:
        with data_table(*CHANNEL_HEADINGS) as table:
            for channel in sender.channels.all():
                table.add(
                    channel.name,
                    channel.owner or "newsroom",
                    channel.form,
                    channel.place,
                    ",".join(sorted(channel.kinds)),
                    channel.quiet_hours or "no quiet hours",
                    channel.zone,
                    "paused" if channel.paused else "active",
                )
        waiting_count = sender.outbox.count(DeliveryState.WAITING)
        failed_count = sender.outbox.count(DeliveryState.FAILED)
    say(f"Waiting: {count(waiting_count, 'alert')}. Failed: {count(failed_count, 'alert')}.")


def _test(options: argparse.Namespace) -> None:
    from assistant.alerts.outbox import DeliveryState
    from assistant.core.errors import NetworkError, SettingsError

    with _sender(options) as sender:
        channel = sender.channels.get(options.name)
        if channel.paused:
            remedy = f"Run: python -m assistant alerts resume {options.name!r}."
            raise SettingsError("the channel is paused.", where=options.name, remedy=remedy)
        delivery = sender.send_test(channel)
    if delivery is not None and delivery.error:
        raise NetworkError(f"the test message was not sent: {delivery.error}", where=channel.place)
    if delivery is None or delivery.state is not DeliveryState.SENT:
        say(f"Another process is sending the test message to {channel.place}.")
        return
    say(f"The test message was sent to {channel.place}.")


def _remove(options: argparse.Namespace) -> None:
    with (
        _sender(options) as sender,
        audited(load_settings(options), "remove channel", options.name),
    ):
        sender.channels.remove(options.name, time.time())
    say(f"The channel {options.name} is removed.")


def _pause(options: argparse.Namespace) -> None:
    with _sender(options) as sender:
        sender.channels.pause(options.name, time.time())
    say(f"The channel {options.name} is paused. Its alerts wait.")


def _resume(options: argparse.Namespace) -> None:
    with _sender(options) as sender:
        sender.channels.pause(options.name, None)
    say(f"The channel {options.name} sends again.")


def _send(options: argparse.Namespace) -> None:
    from assistant.report.wording import count

    with _sender(options) as sender:
        if options.once:
            attempts = sender.send_due()
            say(f"Tried to send {count(attempts, 'alert')}.")
            return
        say("Sending alerts. Stop with Ctrl-C.")
        sender.run()


def _failed(options: argparse.Namespace) -> None:
    from assistant.alerts.outbox import DeliveryState

    with _sender(options) as sender:
        if options.again:
            sender.outbox.send_again(options.again, time.time())
            say("The alert waits to be sent again.")
            return
        deliveries = [
            *sender.outbox.in_state(DeliveryState.FAILED),
            *sender.outbox.in_state(DeliveryState.WAITING),
        ]
    with data_table(*DELIVERY_HEADINGS) as table:
        for delivery in deliveries:
            _add_delivery(table, delivery)
    if not deliveries:
        say("There are no failed or waiting alerts.")


def _add_delivery(table: DataTable, delivery: Delivery) -> None:
    from assistant.report.wording import count

    table.add(
        delivery.id,
        delivery.state,
        delivery.channel,
        delivery.kind,
        _clock(delivery.made),
        count(delivery.tries, "failed attempt"),
        delivery.error,
    )


@contextmanager
def _sender(options: argparse.Namespace) -> Iterator[AlertSender]:
    """Yield the sender of the database that the options name."""
    from assistant.alerts.alert_sender import AlertSender

    with closing(AlertSender.open(load_settings(options))) as sender:
        yield sender


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
