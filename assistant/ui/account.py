"""Who uses the app: login, role, and the name that decisions carry.

Pages ask here what a person may do.

Without a login the app is open to this computer alone, and whoever uses it may do everything under
a name they type.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

from assistant.core import access
from assistant.core.access import Account, Role
from assistant.core.errors import AccessDenied
from assistant.ui import login_settings, uploads
from assistant.ui.component import component
from assistant.ui.shared_resources import ACCOUNT, desk, visitor

LOOK_S = 10  # how often a page that nobody touches looks whether the login has ended
NAMELESS = "Enter your name first: every decision records who made it."
NO_ROLE = "This account has no role here. Ask your administrator to list it under [access] in lectern.toml."
NOT_NAMED = "The proxy in front of Lectern names nobody. Ask your administrator."


def by_login() -> bool:
    """Return whether the app knows its visitors by an account."""
    return bool(desk().settings.access.header) or login_settings.is_configured()


def current() -> Account | None:
    """Return the visitor's account, None without a login, after it has ended, or if its settings are unreadable."""
    trusted = desk().settings.access
    if trusted.header:
        return trusted.of_headers(st.context.headers)
    if not login_settings.is_configured():
        return Account("", Role.EDITOR)
    if login_settings.are_lost():
        return None
    claims = _claims()
    account = trusted.of_claims(claims) if claims.get("is_logged_in") else None
    return None if account is None or (account.until or 0) <= time.time() else account


def login_ends() -> float | None:
    """Return when the visitor's login ends (seconds since 1970).

    None for never, 0 where nobody is logged in.
    """
    account = current()
    return account.until if account else 0.0


def may(role: Role) -> bool:
    """Return whether the visitor has a role."""
    account = current()
    return account is not None and account.role is not None and account.role >= role


def require(role: Role) -> None:
    """Raise AccessDenied unless the visitor has a role.

    For what a click does: a browser may send any click.
    """
    if login_settings.are_lost():
        raise AccessDenied(
            "the login settings cannot be read; nothing was changed.",
            remedy="Call your administrator.",
        )
    access.require(current(), role)


def may_fetch() -> bool:
    """Return whether the visitor may have Lectern ask pages of the web.

    An editor, where the operator allows it.
    """
    settings = desk().settings
    undecided = (
        not by_login() and not settings.is_open
    )  # on this computer the visitor is the operator
    return may(Role.EDITOR) and (undecided if settings.network is None else settings.network)


def name() -> str:
    """Return the name that decisions carry: of the account, or the one typed on this page.

    "" without one.
    """
    if by_login():
        account = current()
        return account.name if account else ""
    return st.session_state.get("by", "").strip()


def known() -> str:
    """Return the name that the log of what people do carries.

    Of the account, the typed one, else of the session.
    """
    return name() or visitor()


def signed(source: str) -> str:
    """Return the name of a source of fact-checks with the account that adds them, without a login as it is."""
    return f"{source} ({name()})" if by_login() else source


def name_field() -> None:
    """Draw the field for the reviewer's name, which the browser remembers.

    Nothing where people log in.
    """
    if by_login():
        return
    given = st.text_input("Your name", key="by", width=180)
    known = st.session_state["named"] = bool(given) or st.session_state.get("named", False)
    component("remember")(
        key="remember", data={"name": given, "known": known}, on_name_change=_remembered
    )


def hindrance() -> str:
    """Return in words what keeps the visitor from deciding on matches, "" if nothing does."""
    if not may(Role.REVIEWER):
        return "Only people with the role reviewer decide on matches."
    return "" if name() else NAMELESS


def enter() -> None:
    """Let the visitor in, with account and role shown above the page.

    Or draw why not, and end the run.
    """
    account = current()
    if account is None or account.role is None:
        _shut(account)
        st.stop()
    uploads.admit(account.until)
    if not by_login():
        return
    st.session_state[ACCOUNT] = account.name
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="account"
    ):
        st.html(f'<p class="lx-soft">{escape(account.name)} · {account.role}</p>', width="content")
        _log_out()
    _watch()


def fragment(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Return a fragment as Streamlit's, each run of which first asks whether the visitor may still read."""

    def guarded(drawing: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(drawing)
        def drawn(*arguments: Any, **named: Any) -> Any:
            if not may(Role.READER):
                st.rerun()
            return drawing(*arguments, **named)

        return st.fragment(drawn, **options)

    return guarded if function is None else guarded(function)


@st.fragment(run_every=LOOK_S)
def _watch() -> None:
    """Draw the login again once it has ended."""
    if current() is None:
        st.rerun()


def _shut(account: Account | None) -> None:
    st.html("<h1>Lectern</h1>")
    if account is not None:
        st.html(f'<p class="lx-line">{escape(account.name)}</p><p class="lx-warn">{NO_ROLE}</p>')
        _log_out()
    elif desk().settings.access.header:
        st.html(f'<p class="lx-warn">{NOT_NAMED}</p>')
    elif login_settings.are_lost():
        st.html(f'<p class="lx-warn">{login_settings.UNREADABLE}</p>')
    else:
        ended = bool(_claims().get("is_logged_in"))
        st.html(
            f'<p class="lx-line">{"Your login has ended." if ended else "Log in to go on."}</p>'
        )
        section = login_settings.section() or {}
        providers: list[str | None] = [
            provider for provider, options in section.items() if isinstance(options, Mapping)
        ]
        for provider in providers or [None]:
            label = f"Log in with {provider}" if provider else "Log in"
            st.button(
                label, type="primary", key=f"login_{provider}", on_click=st.login, args=(provider,)
            )


def _log_out() -> None:
    if not desk().settings.access.header:  # there the proxy ends a login
        st.button("Log out", key="logout", type="tertiary", on_click=st.logout)


def _claims() -> Mapping[str, Any]:
    """Return what the login says about the visitor."""
    return st.user.to_dict()


def _remembered() -> None:
    st.session_state["by"] = st.session_state["remember"]["name"]
