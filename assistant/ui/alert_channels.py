"""The channels of alerts on the page: the list, the form for a new one, and failed alerts.

Each action asks for the role and for the owner again, because a browser may send any click.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from datetime import time as clock_time
from functools import cache
from zoneinfo import available_timezones

import streamlit as st

from assistant.alerts.alert_events import ALERT_KINDS, DIGEST
from assistant.alerts.channel_store import NEWSROOM, AlertChannel, ChannelForm
from assistant.alerts.outbox import Delivery, DeliveryState
from assistant.alerts.quiet_hours import parse_clock_time
from assistant.alerts.visitor_channels import ChannelHours, VisitorChannels
from assistant.core.access import Role
from assistant.core.errors import AccessDenied, LecternError, NetworkError
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account
from assistant.ui.shared_resources import alert_sender, audit_log, check_service
from assistant.ui.shown_text import draw_error, escape
from assistant.web.fetching import PRIVATE_NETWORKS_VARIABLE

SERVICE_LABELS = {
    ChannelForm.MAIL: "Mail",
    ChannelForm.SLACK: "Slack",
    ChannelForm.TEAMS: "Teams",
    ChannelForm.MATRIX: "Matrix",
    ChannelForm.WEBHOOK: "Webhook",
}
ADDRESS_EXAMPLES = {
    ChannelForm.MAIL: "ada@example.org",
    ChannelForm.SLACK: "https://hooks.slack.com/services/…",
    ChannelForm.TEAMS: "https://….logic.azure.com/workflows/…",
    ChannelForm.MATRIX: "https://matrix.example.org/!room:example.org",
    ChannelForm.WEBHOOK: "https://cms.example.org/lectern",
}
OWNER_ME = "Me"
OWNER_NEWSROOM = "The newsroom"
NEW_CHANNEL = "new"  # in the keys of the widgets of a new channel
MESSAGE_KEY = "alert_message"
SECRET_KEY = "alert_secret"
ERROR_KEY = "alert_error"
PLACE_KEY = "alert_place"  # the button of the last click: the outcome is drawn there
NEW_CHANNEL_PLACE = "form"
FAILURES_PLACE = "failures"
UTC_ZONE = "UTC"
USUAL_DIGEST_TIME = "07:30"
LATE_AFTER_S = 600.0  # an alert that waits longer shows that no process sends
MAX_LISTED_FAILURES = 20


def section() -> None:
    """Draw the visitor's channels; for reviewers and editors."""
    if not account.has_role(Role.REVIEWER):
        st.html('<p class="lx-line">Only people with the reviewer role can set up alerts.</p>')
        return
    visitor_channels = open_visitor_channels()
    channels = visitor_channels.all()
    places = {NEW_CHANNEL_PLACE, FAILURES_PLACE, *(_place(channel.name) for channel in channels)}
    if st.session_state.get(PLACE_KEY) not in places:  # such as a channel that was removed
        _draw_outcome()
    st.html(
        '<p class="lx-line">Lectern can write to you by mail, chat or webhook, '
        "for example when a live statement has a strong match.</p>"
    )
    if not channels:
        st.html('<p class="lx-soft">You have no channels yet. Add one below.</p>')
    for channel in channels:
        _draw_channel(channel)
    _draw_new_channel(is_open=not channels)
    _draw_outcome(NEW_CHANNEL_PLACE)
    _draw_late_alerts(visitor_channels)
    _draw_failures(visitor_channels)
    _draw_outcome(FAILURES_PLACE)


def open_visitor_channels() -> VisitorChannels:
    """Return the channels that the visitor may manage.

    Editors also manage the newsroom's channels. Without a login, whoever uses this computer manages
    all of them. Raises: AccessDenied if the app is open to others without a login.
    """
    sender = alert_sender()
    if not account.uses_login():
        if check_service().settings.is_open:
            remedy = "Turn on login, or use the command line: python -m assistant alerts add."
            raise AccessDenied("alerts in the app need user accounts.", remedy=remedy)
        owners = {channel.owner for channel in sender.channels.all()}
        owners.add(NEWSROOM)
        return VisitorChannels(sender, owners)
    owners = {account.name()} - {""}  # no owner without a name
    is_editor = account.has_role(Role.EDITOR)
    if is_editor:
        owners.add(NEWSROOM)
    allows_private = os.environ.get(PRIVATE_NETWORKS_VARIABLE) == "1"
    return VisitorChannels(sender, owners, may_use_web=is_editor or not allows_private)


def _place(name: str) -> str:
    """Return the place of the clicks on a channel."""
    return f"channel {name}"


def _draw_outcome(place: str | None = None) -> None:
    """Draw the outcome of the last click, once, if the click was at a place of the page."""
    if place is not None and st.session_state.get(PLACE_KEY) != place:
        return
    # a callback cannot draw: it leaves its outcome in the session
    error = st.session_state.pop(ERROR_KEY, None)
    if error:
        draw_error(error)
    message = st.session_state.pop(MESSAGE_KEY, "")
    if message:
        st.success(escape_markdown(message))
    secret = st.session_state.pop(SECRET_KEY, "")
    if secret:
        st.html(
            '<p class="lx-line">This secret proves that messages come from Lectern. '
            "Copy it now: it is not shown again.</p>"
        )
        st.code(secret, language=None)


def _draw_channel(channel: AlertChannel) -> None:
    """Draw a channel with its buttons, and the form that changes it."""
    with st.container(border=True, key=f"alert_channel_{channel.name}"):
        st.html(channel_line(channel))
        with st.container(horizontal=True, gap="small"):
            _draw_buttons(channel)
        with st.expander("Events and hours"):
            _draw_kind_checkboxes(channel.name, channel.kinds)
            _draw_hours(channel.name, channel)
            key = f"alert_save_{channel.name}"
            st.button("Save", key=key, on_click=_save, args=(channel.name,))
        _draw_outcome(_place(channel.name))


def channel_line(channel: AlertChannel) -> str:
    """Return a channel as HTML: its name, address without secrets, events and hours."""
    owner = channel.owner or "newsroom"
    paused_suffix = ", paused" if channel.paused else ""
    address_line = f"{SERVICE_LABELS[channel.form]} to {channel.place}, for {owner}{paused_suffix}"
    topics = []
    for kind, label in ALERT_KINDS.items():
        if kind in channel.kinds:
            topics.append(label[0].lower() + label[1:])
    topic_list = wording.enumerated(topics, len(topics))
    hours = f"quiet {channel.quiet_hours}" if channel.quiet_hours else "no quiet hours"
    if DIGEST in channel.kinds:
        hours += f", digest at {channel.digest_time}"
    return (
        f'<p class="lx-line"><b>{escape(channel.name)}</b> · {escape(address_line)}</p>'
        f'<p class="lx-soft">About: {escape(topic_list)}. '
        f"{escape(hours[0].upper() + hours[1:])} ({escape(channel.zone)}).</p>"
    )


def _draw_buttons(channel: AlertChannel) -> None:
    name = channel.name
    if channel.paused:
        st.button("Resume", key=f"alert_resume_{name}", on_click=_resume, args=(name,))
    else:
        st.button("Test", key=f"alert_test_{name}", on_click=_send_test, args=(name,))
        st.button("Pause", key=f"alert_pause_{name}", on_click=_pause, args=(name,))
    with st.popover("Remove", type="tertiary"):
        st.html('<p class="lx-soft">Alerts that wait for this channel are not sent.</p>')
        st.button("Remove channel", key=f"alert_remove_{name}", on_click=_remove, args=(name,))


def _draw_new_channel(*, is_open: bool) -> None:
    """Draw the form for a new channel."""
    with st.expander("Add a channel", expanded=is_open, key="alert_new"):
        service = st.selectbox(
            "Service",
            list(SERVICE_LABELS),
            format_func=lambda service: SERVICE_LABELS[service],
            key="alert_form",
        )
        # the widget returns a plain text, or nothing at first
        service = ChannelForm(service or ChannelForm.MAIL)
        st.text_input("Name", placeholder="newsdesk", key="alert_name", max_chars=80)
        st.text_input("Address", placeholder=ADDRESS_EXAMPLES[service], key="alert_address")
        if service is ChannelForm.MATRIX:
            st.text_input("Access token", key="alert_token", type="password")
        if account.uses_login() and account.has_role(Role.EDITOR):
            st.radio("For", (OWNER_ME, OWNER_NEWSROOM), key="alert_for", horizontal=True)
        _draw_kind_checkboxes(NEW_CHANNEL, ALERT_KINDS)
        _draw_hours(NEW_CHANNEL, None)
        st.button("Add channel", key="alert_add", on_click=_add_channel)


def _draw_kind_checkboxes(name: str, ticked: Collection[str]) -> None:
    """Draw a tick for each kind of event."""
    st.html('<p class="lx-line">Alert me about</p>')
    for kind, label in ALERT_KINDS.items():
        st.checkbox(escape_markdown(label), value=kind in ticked, key=f"alert_kind_{name}_{kind}")


def _ticked_kinds(name: str) -> frozenset[str]:
    """Return the kinds of events that are ticked for a channel."""
    ticked = [kind for kind in ALERT_KINDS if st.session_state.get(f"alert_kind_{name}_{kind}")]
    return frozenset(ticked)


def _draw_hours(name: str, channel: AlertChannel | None) -> None:
    """Draw the fields of the hours of a channel, None for a new one."""
    if channel is None:
        zone = st.context.timezone or UTC_ZONE  # the browser knows its own
        quiet_hours = ""
        digest_time = USUAL_DIGEST_TIME
    else:
        zone = channel.zone
        quiet_hours = channel.quiet_hours  # "22:00-07:00", or ""
        digest_time = channel.digest_time
    begin, _, end = quiet_hours.partition("-")
    from_column, until_column, digest_column, zone_column = st.columns(4)
    from_column.time_input("Quiet from", _time_of_day(begin), key=f"alert_from_{name}")
    until_column.time_input("Quiet until", _time_of_day(end), key=f"alert_until_{name}")
    digest_column.time_input("Digest at", _time_of_day(digest_time), key=f"alert_digest_{name}")
    zones = time_zones()
    zone_index = zones.index(zone) if zone in zones else zones.index(UTC_ZONE)
    zone_column.selectbox("Time zone", zones, index=zone_index, key=f"alert_zone_{name}")


def _chosen_hours(name: str) -> ChannelHours:
    """Return the hours in the fields of a channel."""
    widget_values = st.session_state
    begin = widget_values.get(f"alert_from_{name}")
    end = widget_values.get(f"alert_until_{name}")
    digest_at = widget_values.get(f"alert_digest_{name}")
    digest_time = f"{digest_at:%H:%M}" if digest_at else USUAL_DIGEST_TIME
    return ChannelHours(
        quiet_hours=hour_range(begin, end),
        zone=widget_values.get(f"alert_zone_{name}") or UTC_ZONE,
        digest_time=digest_time,
    )


def hour_range(begin: clock_time | None, end: clock_time | None) -> str:
    """Return quiet hours as they are stored, "" if both times are empty.

    One empty time leaves a range that is refused when it is saved.
    """
    if begin is None and end is None:
        return ""
    begin_text = f"{begin:%H:%M}" if begin else ""
    end_text = f"{end:%H:%M}" if end else ""
    return f"{begin_text}-{end_text}"


@cache
def time_zones() -> list[str]:
    """Return the names of all time zones."""
    return sorted(available_timezones() | {UTC_ZONE})


def _time_of_day(text: str) -> clock_time | None:
    return parse_clock_time(text) if text else None


def _draw_late_alerts(visitor_channels: VisitorChannels) -> None:
    """Say that alerts wait, if no process seems to send them."""
    now = time.time()
    # alerts of a paused channel wait on purpose
    active_names = {channel.name for channel in visitor_channels.all() if not channel.paused}
    late_alerts = [
        delivery
        for delivery in visitor_channels.in_state(DeliveryState.WAITING)
        if delivery.channel in active_names and delivery.due < now - LATE_AFTER_S
    ]
    if late_alerts:
        late_alert_count = wording.count(len(late_alerts), "alert waits", "alerts wait")
        st.html(
            f'<p class="lx-warn">{late_alert_count} to be sent. Ask your administrator to run '
            "<code>python -m assistant serve</code>, which sends alerts.</p>"
        )


def _draw_failures(visitor_channels: VisitorChannels) -> None:
    """Draw the failed alerts with a button that tries each again."""
    failed_deliveries = visitor_channels.in_state(DeliveryState.FAILED)
    if not failed_deliveries:
        return
    with st.expander(wording.count(len(failed_deliveries), "failed alert"), key="alert_failures"):
        for delivery in failed_deliveries[:MAX_LISTED_FAILURES]:
            with st.container(horizontal=True, gap="small", key=f"alert_failed_{delivery.id}"):
                st.html(f'<p class="lx-line">{escape(failure_line(delivery))}</p>', width="stretch")
                st.button(
                    "Try again",
                    key=f"alert_again_{delivery.id}",
                    type="tertiary",
                    on_click=_try_again,
                    args=(delivery.id,),
                )
        if len(failed_deliveries) > MAX_LISTED_FAILURES:
            st.html(f'<p class="lx-soft">The newest {MAX_LISTED_FAILURES} are shown.</p>')


def failure_line(delivery: Delivery) -> str:
    """Return a failed alert with its event, channel, time and reason."""
    headline = ALERT_KINDS.get(delivery.kind, "Test message")
    made = datetime.fromtimestamp(delivery.made, UTC)
    return f"{headline}, to {delivery.channel}, {made:%d %b %Y, %H:%M} UTC: {delivery.error}"


def _add_channel() -> None:
    def add(channels: VisitorChannels) -> None:
        channel = _new_channel()
        with _noted("add channel", channel.name):
            added = channels.add(channel)
        for key in ("alert_name", "alert_address", "alert_token"):
            st.session_state.pop(key, None)  # empties the fields of the form
        if added.form is ChannelForm.WEBHOOK:
            st.session_state[SECRET_KEY] = added.secret  # shown once

    _act_and_report(add, "The channel is added. Send a test message.", NEW_CHANNEL_PLACE)


def _new_channel() -> AlertChannel:
    """Return the channel that the form describes."""
    widget_values = st.session_state
    form = ChannelForm(widget_values.get("alert_form") or ChannelForm.MAIL)
    hours = _chosen_hours(NEW_CHANNEL)
    # without accounts all channels are the newsroom's
    is_for_newsroom = not account.uses_login() or widget_values.get("alert_for") == OWNER_NEWSROOM
    owner = NEWSROOM if is_for_newsroom else account.name()
    # Matrix needs a token of the sender; a webhook gets its secret when it is added
    secret = widget_values.get("alert_token", "") if form is ChannelForm.MATRIX else ""
    return AlertChannel(
        name=widget_values.get("alert_name", "").strip(),
        owner=owner,
        form=form,
        address=widget_values.get("alert_address", ""),
        secret=secret,
        kinds=_ticked_kinds(NEW_CHANNEL),
        quiet_hours=hours.quiet_hours,
        zone=hours.zone,
        digest_time=hours.digest_time,
        made=time.time(),
    )


def _save(name: str) -> None:
    def save(channels: VisitorChannels) -> None:
        channels.change(name, _ticked_kinds(name), _chosen_hours(name))

    _act_and_report(save, f"The channel {name} is changed.", _place(name))


def _pause(name: str) -> None:
    _act_and_report(
        lambda channels: channels.pause(name, time.time()),
        f"The channel {name} is paused.",
        _place(name),
    )


def _resume(name: str) -> None:
    _act_and_report(
        lambda channels: channels.pause(name, None),
        f"The channel {name} sends again.",
        _place(name),
    )


def _remove(name: str) -> None:
    def remove(channels: VisitorChannels) -> None:
        with _noted("remove channel", name):
            channels.remove(name, time.time())

    _act_and_report(remove, f"The channel {name} is removed.", _place(name))


def _send_test(name: str) -> None:
    def send_test(channels: VisitorChannels) -> None:
        delivery = channels.send_test(name)
        if delivery is not None and delivery.error:
            raise NetworkError(f"the test message was not sent: {delivery.error}")

    _act_and_report(send_test, f"A test message was sent to {name}.", _place(name))


def _try_again(delivery_id: str) -> None:
    _act_and_report(
        lambda channels: channels.send_again(delivery_id, time.time()),
        "The alert waits to be sent again.",
        FAILURES_PLACE,
    )


def _act_and_report(action: Callable[[VisitorChannels], None], success: str, place: str) -> None:
    """Carry out a click of a person who may, and keep its outcome for its place on the page."""
    st.session_state[PLACE_KEY] = place
    try:
        account.require(Role.REVIEWER)
        action(open_visitor_channels())
    except LecternError as error:
        st.session_state[ERROR_KEY] = str(error)
    else:
        st.session_state[MESSAGE_KEY] = success


def _noted(action: str, name: str) -> AbstractContextManager[None]:
    """Note an action in the activity log, with the person."""
    return audit_log().noted(account.actor_name(), action, name)
