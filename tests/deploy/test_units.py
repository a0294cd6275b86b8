"""The unit files of systemd: they don't exclude each other unnoticed, and the manual names them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())
MANUAL = (ROOT / "docs" / "admin" / "deploy.md").read_text("utf-8")
BACKUP_MANUAL = (ROOT / "docs" / "admin" / "backup-upgrade-delete.md").read_text("utf-8")


def values(unit: Path, key: str) -> list[str]:
    """Return the words of all settings of a unit with a name."""
    lines = re.findall(rf"^{key}=(.*)$", unit.read_text("utf-8"), re.M)
    return [word for line in lines for word in line.split()]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_unit_is_in_the_manual(unit):
    """A timer stands for the service that it starts."""
    timer = unit.with_suffix(".timer").name
    name = timer if (unit.parent / timer).exists() else unit.stem

    assert re.search(rf"[` ]{re.escape(name)}", MANUAL)


def test_services_that_serve_on_one_port_exclude_each_other():
    """The one that starts waits until the other one has stopped."""
    servers = [unit for unit in UNITS if "serve" in values(unit, "ExecStart")]
    assert [unit.name for unit in servers] == ["lectern-api.service", "lectern-door@.service"]

    api, door = servers
    assert api.name in values(door, "Conflicts")
    assert api.name in values(door, "After")


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"])
def test_the_manual_names_the_data_directory_of_every_service(unit):
    [home] = [word for word in values(unit, "Environment") if word.startswith("LECTERN_HOME=")]

    assert f"`{home}`" in MANUAL


def test_the_manual_names_the_folder_of_the_backups():
    [unit] = [unit for unit in UNITS if unit.name == "lectern-backup.service"]
    folder = re.search(r"backup (/\S+)/", unit.read_text("utf-8"))[1]

    assert f"`{folder}`" in BACKUP_MANUAL
