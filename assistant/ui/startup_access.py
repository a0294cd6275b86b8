"""The start-up check of the app: who may reach its server, decided before its first answer.

Without a login only this computer may, whichever command has started the app.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware

from assistant.core.access import Access, check_providers
from assistant.core.errors import LecternError
from assistant.core.settings import Settings
from assistant.ui import login_settings, page_policy
from assistant.ui.microphone_route import microphone_route
from assistant.ui.page_address import PageAddress
from assistant.ui.page_messages import PageMessages
from assistant.ui.recording_route import recording_route
from assistant.ui.uploads import Uploads
from assistant.web import connection_limits
from assistant.web.request_filter import AllowedPeers, RequestFilter, is_loopback
from assistant.web.response_headers import SecurityHeaders

# Time after which Python lets another thread run, 0.005 s by default. A page waits that long after
# each message to the database if a check is running.
SWITCH_INTERVAL_S = 0.001
ROLES_WITHOUT_LOGIN = (
    "lectern: lectern.toml lists roles under [access], but no login is configured: secrets.toml is "
    "missing, or has no section [auth]. Set up a login "
    "(docs/admin/users-and-roles.md), or remove the roles."
)


def middleware() -> list[Any]:
    """Return the middleware of the app's server, and limit its connections.

    End the process if it may not listen.
    """
    try:
        app_settings = login_settings.start_settings()
        auth_section = None if app_settings.access.header else login_settings.section()
        if auth_section is not None:
            check_providers(app_settings.access, login_settings.start_providers())
    except LecternError as error:
        sys.exit(f"lectern: {error}")
    has_login = bool(app_settings.access.header) or login_settings.is_configured()
    if app_settings.access.lists_roles and not has_login:
        sys.exit(ROLES_WITHOUT_LOGIN)
    address = st.get_option("server.address") or "every address"
    is_protected = has_login or app_settings.is_open or is_loopback(address)
    if not is_protected:
        sys.exit(
            f"lectern: refuses to listen on {address} without a login. "
            "Set one up (docs/admin/users-and-roles.md), "
            "listen on 127.0.0.1, or set LECTERN_OPEN=1 to let everybody in who can reach this "
            "computer."
        )
    connection_limits.limit_connections()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    page_policy.trust_no_parent()
    request_filter = Middleware(
        RequestFilter,
        access=_with_redirect_host(app_settings.access, auth_section),
        allowed_peers=_allowed_peers(app_settings, has_login=has_login),
    )
    return [
        Middleware(SecurityHeaders, policy=page_policy.policy()),
        request_filter,
        Middleware(page_policy.InternalRoutes),
        Middleware(PageAddress),
        Middleware(Uploads),
        Middleware(recording_route),
        Middleware(microphone_route),
        Middleware(PageMessages),  # innermost, so that every WebSocket here is Streamlit's
    ]


def _allowed_peers(app_settings: Settings, *, has_login: bool) -> AllowedPeers:
    if app_settings.access.header:
        return AllowedPeers.PROXIES
    return AllowedPeers.ANYWHERE if has_login or app_settings.is_open else AllowedPeers.HERE


def _with_redirect_host(access: Access, auth_section: Mapping[str, Any] | None) -> Access:
    """Add the host of the login's redirect address to the names of this server."""
    if auth_section is None:
        return access
    host = urlsplit(auth_section["redirect_uri"]).hostname or ""
    return replace(access, hosts=(*access.hosts, host))
