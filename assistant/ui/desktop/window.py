"""The native window: shows the app behind its door, saves what it downloads, and comes to the front when asked."""

from __future__ import annotations

import os
import subprocess
from functools import partial
from pathlib import Path

import webview
from PySide6.QtCore import QLibraryInfo, QPluginLoader, QStandardPaths, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWebEngineCore import QWebEngineDownloadRequest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QFileDialog

from assistant.core.logo import LOGO_PATH
from assistant.ui.desktop.single_instance import SingleInstance

WINDOW_SIZE_PX = (1366, 860)
MIN_SIZE_PX = (390, 480)
PAGE_HTML = """<!doctype html><title>Lectern</title><style>
:root {{ color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px system-ui }}
body {{ display: grid; place-content: center; justify-items: center; height: 90vh }}
svg {{ width: 64px }}</style>{mark}<p>{words}</p>"""
STARTING = "Lectern is starting."
APP_ENDED = "Lectern has stopped. What was stored is safe. Close this window and open it again."


def show(app: subprocess.Popen[str], key: str, single: SingleInstance) -> None:
    """Show the app, which gives its port on its output and is entered with ``key``, until the window is closed.

    Raises: ImportError if a library is missing that Qt needs for the screen.
    """
    _check_screen_plugin()
    application = QApplication(["lectern"])  # the name by which the task bar groups windows
    application.setApplicationName("Lectern")
    application.setDesktopFileName("lectern")
    webview.settings["ALLOW_FILE_URLS"] = False
    window = webview.create_window(
        "Lectern", html=_page(STARTING), width=WINDOW_SIZE_PX[0], height=WINDOW_SIZE_PX[1], min_size=MIN_SIZE_PX,
        text_select=True, zoomable=True, draggable=True,
    )  # fmt: skip
    window.events.before_show += _take_downloads
    window.events.before_show += _add_zoom
    single.listen(lambda: _bring_to_front(window))
    webview.start(_follow, (window, app, key), gui="qt", icon=str(LOGO_PATH))


def _check_screen_plugin() -> None:
    """Raise an ImportError that names the missing library, where Qt would end the process because of it."""
    plugin = Path(
        QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so"
    )
    loader = QPluginLoader(str(plugin))
    if plugin.exists() and not os.environ.get("WAYLAND_DISPLAY") and not loader.load():
        raise ImportError(loader.errorString())


def _follow(window: webview.Window, app: subprocess.Popen[str], key: str) -> None:
    """Show the app once it has told its port, and say so if it ends before its window."""
    assert app.stdout is not None  # the app was started with a pipe
    port = app.stdout.readline().strip()
    if port:  # else the app has ended
        window.load_url(f"http://127.0.0.1:{port}/?key={key}")
    app.wait()
    if not window.events.closed.is_set():
        window.load_html(_page(APP_ENDED))


def _page(words: str) -> str:
    return PAGE_HTML.format(mark=LOGO_PATH.read_text("utf-8"), words=words)


def _bring_to_front(window: webview.Window) -> None:
    view = window.native
    if view is not None:  # else it is about to be shown
        view.setWindowState(view.windowState() & ~Qt.WindowState.WindowMinimized)
        view.raise_()
        view.activateWindow()


def _take_downloads(window: webview.Window) -> None:
    """Save downloads ourselves.

    Pywebview suggests the address as their name, and calls what Qt 6 no longer has.
    """
    window.native.webview.page().profile().downloadRequested.connect(_save)


def _add_zoom(window: webview.Window) -> None:
    """Give the window the keys by which browsers make a page larger and smaller.

    Qt's web engine has none.
    """
    view = window.native.webview
    # the factor of each key, None for the usual size
    factor_by_key = {"Ctrl++": 1.1, "Ctrl+=": 1.1, "Ctrl+-": 1 / 1.1, "Ctrl+0": None}
    for key, factor in factor_by_key.items():
        QShortcut(QKeySequence(key), view).activated.connect(partial(_zoom, view, factor))


def _zoom(view: QWebEngineView, factor: float | None) -> None:
    if factor is None:
        view.setZoomFactor(1)
    else:
        view.setZoomFactor(view.zoomFactor() * factor)


def _save(request: QWebEngineDownloadRequest) -> None:
    """Ask where a file goes: first suggested are the folder for downloads and the name that the app gives the file."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation))
    suggested = (folder if folder.is_dir() else Path.home()) / request.suggestedFileName()
    path, _ = QFileDialog.getSaveFileName(QApplication.activeWindow(), "Save", str(suggested))
    if not path:
        return request.cancel()
    request.setDownloadDirectory(str(Path(path).parent))
    request.setDownloadFileName(Path(path).name)
    return request.accept()
