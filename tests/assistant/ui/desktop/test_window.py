"""The window of its own, on a screen without a monitor.

What it shows, takes and saves, and how it ends.
"""

from __future__ import annotations

import itertools
import os
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.assistant.ui.desktop.screen import ROOT, Window, until

pytestmark = pytest.mark.long
TITLE = "A file to drag"
X = 1300
Y = 900
FIELD = """(() => { const box = document.querySelector("[data-testid=stFileUploaderDropzone]")?.getBoundingClientRect()
    return box && [box.x + box.width / 2, box.y + box.height / 2] })()"""
SAMPLE = ROOT / "sample_transcripts" / "2025-09-18_harrow-falls.vtt"


def test_the_task_bar_has_name_and_mark(opened):
    """The window is called Lectern, is grouped under that name, and brings the mark as its icon."""
    properties = opened.screen.tool(
        "xprop", "-id", opened.number, "WM_CLASS", "_NET_WM_NAME", "_NET_WM_ICON"
    )

    assert 'WM_CLASS(STRING) = "lectern", "Lectern"' in properties
    assert '_NET_WM_NAME(UTF8_STRING) = "Lectern"' in properties
    assert "Icon (16 x 16)" in properties


def test_who_finds_the_port_does_not_get_in(opened):
    """Another program of this computer is refused at every address, and a script does not see the cookie."""
    for path in ("/", "/_stcore/health", "/?key=guessed"):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(opened.evaluate("location.origin") + path)
    assert "lectern_window" not in opened.evaluate("document.cookie")


def test_a_second_start_brings_the_first_to_the_front(opened):
    """It ends at once, and the window that was minimised is there again, with the keyboard."""
    number = opened.number
    opened.screen.tool("xdotool", "windowminimize", number)
    until(lambda: not opened.shown(), "the minimised window")

    assert opened.start().wait() == 0

    until(lambda: opened.shown() == number, "the window")
    until(lambda: opened.screen.is_active(number), "the keyboard in the window")


def test_keys_make_the_page_larger_and_smaller(opened):
    """As in a browser: Ctrl and plus, minus, zero."""
    as_it_was = opened.evaluate("devicePixelRatio")
    for key, size in (("plus", 1.1), ("0", 1), ("minus", 1 / 1.1), ("0", 1)):
        opened.screen.tool(
            "xdotool", "windowactivate", "--sync", opened.number, "key", f"ctrl+{key}"
        )

        expected_ratio = pytest.approx(as_it_was * size, rel=0.01)
        until(
            lambda wanted=expected_ratio: opened.evaluate("devicePixelRatio") == wanted,
            f"the size by {key}",
        )


def test_a_dropped_file_is_read(opened):
    """A transcript dragged from another program arrives in the page."""
    opened.evaluate("location.assign('/')")
    opened.wait_for("Drop a transcript")
    command = [
        sys.executable,
        "-m",
        "tests.assistant.ui.desktop.drag_source",
        str(SAMPLE),
        TITLE,
        str(X),
        str(Y),
    ]
    source = subprocess.Popen(
        command, cwd=ROOT, env=opened.screen.environment, stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: opened.screen.find(TITLE, source.pid), "the file to drag")
        _drag(opened, (X + 100, Y + 50))
        opened.wait_for("208 sentences")
    finally:
        source.kill()
        source.wait()


def _drag(window: Window, start: tuple[int, int]) -> None:
    """Drag from a place of the screen to the field for files, as slowly as the page notices it."""
    x, y = until(lambda: window.evaluate(FIELD), "the field for files")
    window.evaluate("addEventListener('dragover', () => { window.draggedOver = true }, true)")
    left_px, top = window.place()
    end_points = [
        (start[0] - 20, start[1] - 20),
        (left_px + int(x), top + int(y)),
        (left_px + int(x) - 9, top + int(y)),
    ]
    path = itertools.cycle(end_points)
    window.screen.tool("xdotool", "mousemove", *map(str, start), "mousedown", "1")
    until(
        lambda: window.screen.point(*next(path)) or window.evaluate("window.draggedOver"),
        "the file over the field",
    )
    window.screen.tool("xdotool", "mouseup", "1")


def test_an_export_is_saved_where_one_says(opened, tmp_path):
    """The dialog suggests the name that the app gives the file; the file is whole."""
    opened.evaluate("location.assign('/?report=cityhall')")
    opened.click("Export")
    opened.click("Web page")
    dialog = until(lambda: opened.shown("Save"), "the dialog")
    opened.screen.tool("xdotool", "windowactivate", "--sync", dialog, "key", "ctrl+a")
    opened.screen.tool("xdotool", "type", "--delay", "20", str(tmp_path / "saved.html"))
    opened.screen.tool("xdotool", "key", "Return")

    saved = until(lambda: [p for p in tmp_path.glob("saved.html") if p.stat().st_size], "the file")

    until(lambda: saved[0].read_text("utf-8").rstrip().endswith("</html>"), "the end of the file")


def test_a_link_opens_in_the_browser(window, tmp_path):
    """An article is read in the browser of the person, and the window stays where it is."""
    browser = tmp_path / "browser"
    seen_path = tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen_path}\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    window.open(BROWSER=f"{browser} %s")
    earlier_address = window.evaluate("location.href")

    window.evaluate("window.open('https://example.org/article', '_blank', 'noopener')")

    until(
        lambda: seen_path.exists() and seen_path.read_text() == "https://example.org/article\n",
        "the browser",
    )
    assert window.evaluate("location.href") == earlier_address
    assert window.close() == 0


def test_closed_means_gone(window):
    """After the window is closed none of its processes is left, and it can be opened again."""
    for _ in range(2):
        window.open()
        assert any("desktop.served" in command for command in window.processes().values())

        assert window.close() == 0

        window.wait_until_gone()


def test_a_killed_window_takes_the_app_with_it(window):
    """The app does not outlive its window, and a new window opens although the old one left its lock."""
    window.open()
    window.process.kill()
    window.process.wait()

    window.wait_until_gone()
    window.open()

    assert window.close() == 0


def test_a_window_whose_app_ended_says_so(window):
    """The window does not stay white, and the command's status is that of a failure."""
    window.open()
    (served,) = [
        number for number, command in window.processes().items() if "desktop.served" in command
    ]

    os.kill(served, signal.SIGKILL)

    window.wait_for("Lectern has stopped")

    assert window.close() == 1
    assert "the app ended" in (window.home / "window.log").read_text()
