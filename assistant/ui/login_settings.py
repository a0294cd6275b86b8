"""Login settings from the section ``[auth]`` of Streamlit's secrets, and the decision whether people log in by them.

The decision is made once per process, with the settings of its start. Streamlit reads its secrets again while the app runs, and
takes a file that it cannot parse for a missing one: an app with a login must then let nobody in,
instead of everybody.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from assistant.core import settings
from assistant.core.errors import SettingsError
from assistant.core.settings import Settings

REQUIRED_KEYS = ("redirect_uri", "cookie_secret")
MIN_SECRET_CHARACTERS = 32
MIN_DISTINCT_CHARACTERS = 8  # a random secret of that length has more
UNNAMED_PROVIDER = "default"  # Streamlit's name for the only provider, which has no subsection
UNREADABLE = "The login settings cannot be read, so nobody can use Lectern at the moment. Contact your administrator."
REMEDY = "Correct the file (docs/admin/users-and-roles.md), then start Lectern again."


@functools.cache
def start_settings() -> Settings:
    """Return the settings with which this process has started.

    They are never read again: a change of lectern.toml takes effect with the next start. Streamlit's
    own cache would not do, because a browser can ask Streamlit to clear it. Raises: SettingsError.
    """
    return settings.load()


def section() -> Mapping[str, Any] | None:
    """Read the section ``[auth]`` as it is now, None if no file of secrets has one.

    Raises: SettingsError if a file cannot be read or parsed, or if the section lacks a required
    setting.
    """
    try:
        secrets = st.secrets.to_dict()
    except StreamlitSecretNotFoundError as error:
        paths = _existing_paths()
        if not paths:
            return None
        raise _unreadable(paths, error) from error
    except (OSError, ValueError) as error:  # no permission, a folder, no UTF-8
        raise _unreadable(_existing_paths(), error) from error
    if "auth" not in secrets:
        return None
    auth_section = secrets["auth"]
    values = auth_section if isinstance(auth_section, Mapping) else {}
    for key in REQUIRED_KEYS:
        value = values.get(key)
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(
                f"the [auth] section has no {key}.", where="secrets.toml", remedy=REMEDY
            )
    _check_secret(values["cookie_secret"])
    return values


def providers() -> list[str]:
    """Return the names of the login providers; one without a name is ``default``."""
    auth_section = section() or {}
    names = []
    for key, value in auth_section.items():
        # a subsection is a provider, except for the one with arguments of the library
        if isinstance(value, Mapping) and key != "client_kwargs":
            names.append(key)
    if "client_id" in auth_section or not names:
        names.append(UNNAMED_PROVIDER)
    return names


@functools.cache
def start_providers() -> tuple[str, ...]:
    """Return the login providers with which this process has started. Raises: SettingsError."""
    return tuple(providers())


def has_several_providers() -> bool:
    """Return whether a name needs its provider, because two providers may both know it.

    A provider that was added since the start counts as one of several, and so does one that has
    taken the place of another: its accounts have none of the roles of the start.
    """
    known_providers = {*start_providers(), *providers()}  # at the start, and now
    return len(known_providers) > 1


def _check_secret(secret: str) -> None:
    """Raise SettingsError for a cookie secret that can be guessed: its cookies could be forged."""
    distinct_count = len(set(secret))
    if len(secret) >= MIN_SECRET_CHARACTERS and distinct_count >= MIN_DISTINCT_CHARACTERS:
        return
    raise SettingsError(
        f"cookie_secret is too easy to guess ({len(secret)} characters, "
        f"{distinct_count} of them distinct). A secret needs at least {MIN_SECRET_CHARACTERS} "
        f"characters, of which at least {MIN_DISTINCT_CHARACTERS} must be distinct.",
        where="secrets.toml",
        remedy="Make a new secret: python -c 'import secrets; print(secrets.token_urlsafe(48))'.",
    )


@functools.cache
def is_configured() -> bool:
    """Decide once per process whether people log in by ``st.login``.

    Settings that cannot be read count as a login. If a proxy logs people in, the secrets do not
    matter.
    """
    if start_settings().access.header:  # a proxy logs people in
        return False
    try:
        return section() is not None
    except SettingsError:  # a mistake in a file must not open the app to everybody
        return True


def are_unreadable() -> bool:
    """Return whether a login is configured but cannot be read now, so that nobody may enter."""
    if not is_configured():
        return False
    try:
        return section() is None
    except SettingsError:
        return True


def _existing_paths() -> list[str]:
    """List the files of secrets that exist, readable or not."""
    return [path for path in st.get_option("secrets.files") or () if os.path.lexists(path)]


def _unreadable(paths: list[str], error: Exception) -> SettingsError:
    # in one line
    cause = " ".join(str(error).split())
    return SettingsError(
        f"the login settings cannot be read ({cause}).", where=", ".join(paths), remedy=REMEDY
    )
