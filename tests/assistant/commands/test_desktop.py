"""The command ``desktop``, as far as it goes without a screen."""

from __future__ import annotations

import sys

import pytest

from assistant.commands import desktop
from assistant.commands.cli import main


@pytest.mark.parametrize("absent", desktop.WINDOW_PACKAGES)
def test_missing_packages_are_named_with_what_installs_them(monkeypatch, tmp_path, capsys, absent):
    """One line says which package is missing; nothing is begun."""
    monkeypatch.setattr(desktop, "find_spec", lambda name: None if name == absent else object())

    assert main(["desktop", "--home", str(tmp_path / "home")]) == 1

    (line,) = capsys.readouterr().err.splitlines()
    assert absent in line
    assert "make desktop" in line
    assert "requirements-desktop.txt" in line
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_without_a_screen_the_browser_is_named(monkeypatch, tmp_path, capsys):
    """Qt would end the process; the command says what to do instead."""
    monkeypatch.setattr(desktop, "find_spec", lambda _name: object())
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    assert main(["desktop", "--home", str(tmp_path / "home")]) == 1

    (line,) = capsys.readouterr().err.splitlines()
    assert "no screen" in line
    assert "make run" in line
