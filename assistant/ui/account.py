"""Who uses the app: login, role, and the name that decisions carry.

Pages ask here what a person may do.

Without a login the app is open to this computer alone, and whoever uses it may do everything under
a name they type.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from assistant.core import access
from assistant.core.access import Access, Account, Role
from assistant.core.errors import AccessDenied
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import joined_changes, login_settings, uploads
from assistant.ui.component import component
from assistant.ui.shared_resources import ACCOUNT, check_service, visitor
from assistant.ui.shown_text import escape
from assistant.web.open_sockets import MAX_SOCKETS_PER_HOLDER, OPEN_SOCKETS, SOCKET_HEADER
from assistant.web.request_filter import PEER_HEADER, is_named_proxy

LOGIN_POLL_S = 10  # how often a page that nobody touches looks whether the login has ended
NAME_KEY = "by"  # in the session: the name that a person without a login gave
MISSING_NAME_KEY = "typed_name"  # of the field while no name is known
KNOWN_NAME_KEY = "corrected_name"
NAME_MISSING = "Enter your name first: every decision records who made it."
NO_ROLE = "This account has no role here. Ask your administrator to list it under [access] in lectern.toml."
UNPROVEN = (
    "Your login provider does not say that your e-mail address is verified, so Lectern cannot let "
    "you in. Ask your administrator (docs/admin/users-and-roles.md, verified_by)."
)
TOO_MANY_PAGES = (
    f"You have {MAX_SOCKETS_PER_HOLDER} Lectern pages open. Close some, then reload this page."
)
PROXY_NAMES_NOBODY = "The proxy in front of Lectern names nobody. Ask your administrator."


def uses_login() -> bool:
    """Return whether the app knows its visitors by an account."""
    return bool(_access_settings().header) or login_settings.is_configured()


def current() -> Account | None:
    """Return the visitor's account, or None if nobody is logged in or a login cannot be checked."""
    access_settings = _access_settings()
    if access_settings.header:
        headers = st.context.headers
        if not is_named_proxy(access_settings, headers.get(PEER_HEADER, "")):
            return None
        return access_settings.account_of_proxy(headers)
    if not login_settings.is_configured():
        return Account("", Role.EDITOR)
    if login_settings.are_unreadable():
        return None
    claims = _login_claims()  # from the identity provider: name, e-mail address, groups
    if claims.get("is_logged_in") is not True:
        return None
    account = access_settings.account_of_login(
        claims, has_several_providers=login_settings.has_several_providers()
    )
    if account is None or (account.until or 0) <= time.time():  # until: the end of the login
        return None
    return account


def login_end_time() -> float | None:
    """Return when the visitor's login ends (seconds since 1970).

    None for never, 0 if nobody is logged in.
    """
    account = current()
    return account.until if account else 0.0


def has_role(role: Role) -> bool:
    """Return whether the visitor has a role."""
    account = current()
    return account is not None and account.role is not None and account.role >= role


def require(role: Role) -> None:
    """Raise AccessDenied unless the visitor has a role.

    For what a click does: a browser may send any click.
    """
    if login_settings.are_unreadable():
        raise AccessDenied(
            "the login settings cannot be read. Nothing was changed.",
            remedy="Contact your administrator.",
        )
    access.require(current(), role)


def may_fetch() -> bool:
    """Return whether the visitor may have Lectern request web pages.

    Editors may, if the administrator allows it.
    """
    settings = check_service().settings
    if not has_role(Role.EDITOR):
        return False
    if settings.network is not None:
        return settings.network
    # Without a setting only the person at this computer may, who is the administrator.
    # is_open: the app also answers other computers.
    return not uses_login() and not settings.is_open


def name() -> str:
    """Return the name that decisions carry: the account's, or the one typed on this page, or ""."""
    if uses_login():
        account = current()
        return account.name if account else ""
    # the field has the name before it is stored
    typed_name = st.session_state.get(MISSING_NAME_KEY, "")
    stored_name = st.session_state.get(NAME_KEY, "")
    return (typed_name or stored_name).strip()


def actor_name() -> str:
    """Return the name for the activity log: the account's, the typed one, or the session's."""
    return name() or visitor()


def signed_source(source: str) -> str:
    """Return the name of a source of fact-checks, with the account that adds them if there is one."""
    return f"{source} ({name()})" if uses_login() else source


def remember_name() -> None:
    """Let the browser store the reviewer's name, and restore it from there; nothing with a login.

    It must be drawn in sight: a browser runs nothing that a closed menu contains.
    """
    if uses_login():
        return
    typed_name = name()
    has_had_name = bool(typed_name) or st.session_state.get("named", False)
    st.session_state["named"] = has_had_name
    component("name_memory")(
        key="name_memory",
        data={"name": typed_name, "known": has_had_name},
        on_name_change=_restore_name,
    )


def name_field() -> None:
    """Draw the field for the reviewer's name; nothing with a login."""
    if uses_login():
        return
    typed_name = name()
    st.session_state[NAME_KEY] = typed_name
    # The field moves once the name is known. It has another key in each place: a browser sends
    # the old text of a field that it has not drawn in its new place.
    key = KNOWN_NAME_KEY if typed_name else MISSING_NAME_KEY
    st.text_input(
        "Your name",
        value=typed_name,
        key=key,
        width=180,
        label_visibility="collapsed",
        placeholder="Your name",
        on_change=_take_typed_name,
    )


def review_refusal() -> str:
    """Explain why the visitor cannot decide on matches, or return "" if they can."""
    if not has_role(Role.REVIEWER):
        return "Only people with the reviewer role can decide on matches."
    return "" if name() else NAME_MISSING


def enter() -> None:
    """Let the visitor in and show account and role, or draw why not and end the run."""
    account = current()
    if account is None or account.role is None:
        _draw_refusal(account)
        st.stop()
    # one person's open pages are limited, because each holds a WebSocket
    socket_key = st.context.headers.get(SOCKET_HEADER, "")
    if not OPEN_SOCKETS.admit(socket_key, account.name):
        st.html(f'<h1>Lectern</h1><p class="lx-warn">{TOO_MANY_PAGES}</p>')
        st.stop()
    # only people who check transcripts have a use for uploads
    if account.role >= Role.REVIEWER:
        uploads.admit_session(account.until, account.name)
    if not uses_login():
        return
    st.session_state[ACCOUNT] = account.name
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="account"
    ):
        st.html(f'<p class="lx-soft">{escape(account.name)} · {account.role}</p>', width="content")
        _logout_button()
    _watch_login_end()


def fragment(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Decorate as ``st.fragment`` does; each run first checks that the visitor is still a reader.

    If other widgets have changed, too, the whole page is drawn.
    """

    def guarded_fragment(draw: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(draw)
        def draw_if_allowed(*arguments: Any, **keyword_arguments: Any) -> Any:
            if not has_role(Role.READER):
                st.rerun()
            joined_changes.draw_whole_page_if_needed()
            return draw(*arguments, **keyword_arguments)

        return st.fragment(draw_if_allowed, **options)

    # with options a decorator is returned, without them the decorated function
    return guarded_fragment if function is None else guarded_fragment(function)


@st.fragment(run_every=LOGIN_POLL_S)
def _watch_login_end() -> None:
    """Draw the login again once it has ended."""
    if current() is None:
        st.rerun()


def _draw_refusal(account: Account | None) -> None:
    st.html("<h1>Lectern</h1>")
    if account is not None:
        st.html(f'<p class="lx-line">{escape(account.name)}</p><p class="lx-warn">{NO_ROLE}</p>')
        _logout_button()
    elif _access_settings().header:
        st.html(f'<p class="lx-warn">{PROXY_NAMES_NOBODY}</p>')
    elif login_settings.are_unreadable():
        st.html(f'<p class="lx-warn">{login_settings.UNREADABLE}</p>')
    else:
        _draw_login()


def _draw_login() -> None:
    claims = _login_claims()
    if not claims.get("is_logged_in"):
        line = "Log in to go on."
    elif _access_settings().has_proven_account(claims):
        line = "Your login has ended."
    else:
        line = UNPROVEN
    st.html(f'<p class="lx-line">{line}</p>')
    for provider in login_settings.start_providers():
        if provider == login_settings.UNNAMED_PROVIDER:
            _login_button("Log in", None)
        else:
            _login_button(f"Log in with {provider}", provider)


def _login_button(label: str, provider: str | None) -> None:
    st.button(
        escape_markdown(label),
        type="primary",
        key=f"login_{provider}",
        on_click=st.login,
        args=(provider,),
    )


def _logout_button() -> None:
    if not _access_settings().header:  # there the proxy ends a login
        st.button("Log out", key="logout", type="tertiary", on_click=st.logout)


def _access_settings() -> Access:
    """Return who has which role, as decided at the start of the process."""
    return login_settings.start_settings().access


def _login_claims() -> Mapping[str, Any]:
    """Return the claims of the login about the visitor."""
    return st.user.to_dict()


def _restore_name() -> None:
    st.session_state[NAME_KEY] = st.session_state["name_memory"]["name"]
    _redraw_named()


def _take_typed_name() -> None:
    for key in (MISSING_NAME_KEY, KNOWN_NAME_KEY):
        if key in st.session_state:
            st.session_state[NAME_KEY] = st.session_state[key]
    _redraw_named()


def _redraw_named() -> None:
    """Draw everything that depends on the name: the card with the field, and the menu Assign."""
    joined_changes.redraw("finder")
