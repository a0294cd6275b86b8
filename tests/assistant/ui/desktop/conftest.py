"""A screen for the tests of the window, and a home folder.

Skipped, saying what is missing, where there is none.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from assistant.claims.claim_store import ClaimStore
from assistant.commands.desktop import WINDOW_PACKAGES
from tests.assistant.ui import factory
from tests.assistant.ui.desktop.screen import Screen, Window, on_xvfb

PROGRAMS = ("Xvfb", "openbox", "xdotool", "xprop", "xwininfo")


@pytest.fixture(scope="module")
def screen(tmp_path_factory) -> Iterator[Screen]:
    """A screen of 1600 by 1000 with a window manager."""
    missing = [p for p in PROGRAMS if not shutil.which(p)] + [
        p for p in WINDOW_PACKAGES if not find_spec(p)
    ]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    with on_xvfb(tmp_path_factory.mktemp("runtime")) as made_screen:
        yield made_screen


def furnished(home: Path) -> Path:
    """Return a home folder with fact-checks and a finished check."""
    factory.keep(home, "cityhall", factory.report(20))
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert((factory.vclaim(i) for i in range(20)), source="test")
    return home


@pytest.fixture(scope="module")
def opened(screen, tmp_path_factory) -> Iterator[Window]:
    """A window that some tests share; none of them closes it."""
    window = Window(screen, furnished(tmp_path_factory.mktemp("home")))
    window.open()
    yield window
    window.close()


@pytest.fixture
def window(screen, tmp_path) -> Iterator[Window]:
    """A window of one test, not yet open; what it leaves behind is ended afterwards."""
    made_window = Window(screen, furnished(tmp_path))
    yield made_window
    if made_window.process and made_window.process.poll() is None:
        made_window.process.kill()
