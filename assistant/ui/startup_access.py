"""The entrance of the app: who may reach its server at all, decided before it answers its first request.

Without a login that is this computer alone, whatever command has started the app.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware

from assistant.core import settings
from assistant.core.access import Access
from assistant.core.errors import LecternError
from assistant.core.settings import Settings
from assistant.ui import login_settings
from assistant.ui.microphone_route import microphone_route
from assistant.ui.recording_route import recording_route
from assistant.ui.uploads import Uploads
from assistant.web import connection_limits
from assistant.web.request_filter import AllowedPeers, RequestFilter, is_loopback


def middleware() -> list[Any]:
    """Return the middleware of the app's server, its connections limited.

    End the process where it may not listen.
    """
    try:
        app_settings = settings.load()
        auth = None if app_settings.access.header else login_settings.section()
    except LecternError as error:
        sys.exit(f"lectern: {error}")
    login = bool(app_settings.access.header) or login_settings.is_configured()
    if app_settings.access.lists_roles and not login:
        sys.exit(
            "lectern: lectern.toml lists roles under [access], but no login is configured: secrets.toml is missing, or "
            "has no section [auth]. Set up a login (docs/login.md), or remove the roles."
        )
    address = st.get_option("server.address") or "every address"
    if not (login or app_settings.is_open or is_loopback(address)):
        sys.exit(
            f"lectern: refuses to listen on {address} without a login. Set one up (docs/login.md), "
            "listen on 127.0.0.1, or set LECTERN_OPEN=1 to let everybody in who can reach this computer."
        )
    connection_limits.limit_connections()
    gate = Middleware(
        RequestFilter,
        access=_with_redirect(app_settings.access, auth),
        let_in=_let_in(app_settings, login),
    )
    return [gate, Middleware(Uploads), Middleware(recording_route), Middleware(microphone_route)]


def _let_in(app_settings: Settings, login: bool) -> AllowedPeers:
    if app_settings.access.header:
        return AllowedPeers.PROXIES
    return AllowedPeers.ANYWHERE if login or app_settings.is_open else AllowedPeers.HERE


def _with_redirect(access: Access, auth: Mapping[str, Any] | None) -> Access:
    """Return the access with the host to which a login leads back among the names of this server."""
    if auth is None:
        return access
    return replace(access, hosts=(*access.hosts, urlsplit(auth["redirect_uri"]).hostname or ""))
