"""A home folder with one report, and the app run on it without a browser."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.secrets import Secrets
from streamlit.testing.v1 import AppTest

from assistant.claims.claim_store import ClaimStore
from assistant.ui import list_filters, login_settings
from tests.assistant.ui import factory

ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE_S = 240
REPORT_ID = "cityhall"
AUTH = """[auth]
redirect_uri = "https://lectern.example/oauth2callback"
cookie_secret = "a secret of these tests alone, as long as it has to be"
"""


@pytest.fixture(autouse=True, scope="session")
def components():
    """What packages say of components, read once.

    AppTest reads the metadata of every package for each page.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            manifest_scanner,
            "scan_component_manifests",
            cache(manifest_scanner.scan_component_manifests),
        )
        yield


def forget_start():
    """Forget the settings of the start, as a new process does."""
    login_settings.start_settings.cache_clear()
    login_settings.start_providers.cache_clear()
    login_settings.is_configured.cache_clear()


@pytest.fixture(autouse=True)
def undecided(tmp_path, monkeypatch):
    """Forget what was decided about logins, which holds for the life of a process."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path))
    forget_start()
    yield
    forget_start()


@pytest.fixture
def write_secrets(tmp_path, monkeypatch):
    """A function that writes secrets.toml, which the app reads at once, as a watcher of Streamlit makes it."""
    path = tmp_path / "secrets.toml"
    previous = st.get_option("secrets.files")
    st.config.set_option("secrets.files", [str(path)])

    def write(content):
        secrets = Secrets()
        secrets._file_watchers_installed = True
        monkeypatch.setattr(st, "secrets", secrets)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    yield write
    st.config.set_option("secrets.files", previous)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory):
    """A home folder with the fact-checks and one report of the factory, which nobody changes."""
    folder = tmp_path_factory.mktemp("furnished")
    factory.keep(folder, REPORT_ID, factory.report(60))
    with ClaimStore.open(f"sqlite:///{folder / 'lectern.db'}") as store:
        store.upsert((factory.vclaim(i) for i in range(40)), source="test")
    return folder


@pytest.fixture
def home(tmp_path, monkeypatch, furnished):
    """A copy of the furnished home folder."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    monkeypatch.delenv("LECTERN_PROFILE", raising=False)
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield tmp_path
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def app(home):
    """The app on its first screen, not yet run."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)


@pytest.fixture
def results(app):
    """The app on the report."""
    app.query_params["report"] = REPORT_ID
    return app.run()


@pytest.fixture
def offered(monkeypatch):
    """The counts of each filter, as its chips get them."""
    counts_by_filter = {}

    def note_counts(label, key, counts, words_of_option, defaults=()):
        counts_by_filter[label] = dict(counts)
        return list_filters.options_in_address(key, counts, defaults)

    monkeypatch.setattr(list_filters, "draw_option_chips", note_counts)
    return counts_by_filter


def set_address(monkeypatch, **values):
    """Give the filters an address with these options."""
    query = SimpleNamespace(get_all=lambda name: values.get(name, []))
    streamlit = SimpleNamespace(query_params=query, html=lambda _: None)
    monkeypatch.setattr(list_filters, "st", streamlit)
