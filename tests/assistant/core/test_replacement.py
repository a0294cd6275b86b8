"""A file that Lectern did not write is never replaced."""

import os

import pytest

from assistant.core.errors import SettingsError
from assistant.core.replacement import ExportFolder, delete_owned, require_regular_file


@pytest.fixture
def exports(tmp_path):
    return ExportFolder(tmp_path / "out", tmp_path / "home")


def test_an_own_file_is_replaced(exports):
    exports.write({"night.json": b"1"}, SettingsError)
    exports.write({"night.json": b"2"}, SettingsError)

    assert (exports.folder / "night.json").read_bytes() == b"2"


def test_exports_leave_no_other_file_in_their_folder(exports):
    exports.write({"night.json": b"1"}, SettingsError)

    assert [path.name for path in exports.folder.iterdir()] == ["night.json"]


@pytest.mark.threat("operator")
def test_an_export_that_somebody_has_changed_is_not_replaced(exports):
    exports.write({"night.json": b"1"}, SettingsError)
    (exports.folder / "night.json").write_text("edited")

    with pytest.raises(SettingsError, match="it was changed later.*--force"):
        exports.write({"night.json": b"2"}, SettingsError)

    assert (exports.folder / "night.json").read_text() == "edited"


@pytest.mark.threat("operator")
def test_nothing_is_exported_if_one_file_would_be_replaced(exports):
    exports.folder.mkdir()
    (exports.folder / "b").write_text("notes")

    with pytest.raises(SettingsError):
        exports.write({"a": b"1", "b": b"2"}, SettingsError)

    assert [path.name for path in exports.folder.iterdir()] == ["b"]


@pytest.mark.threat("operator")
def test_an_input_is_not_replaced_even_by_force(tmp_path):
    source = tmp_path / "night.srt"
    source.write_text("captions")
    (tmp_path / "link.srt").hardlink_to(source)
    exports = ExportFolder(tmp_path, tmp_path / "home", (source,), is_forced=True)

    for name in ("night.srt", "link.srt"):
        with pytest.raises(SettingsError, match="this command reads"):
            exports.write({name: b"report"}, SettingsError)

    assert source.read_text() == "captions"


def test_force_replaces_a_file_of_somebody_else(tmp_path):
    (tmp_path / "notes").write_text("notes")

    ExportFolder(tmp_path, tmp_path / "home", is_forced=True).write({"notes": b"1"}, SettingsError)

    assert (tmp_path / "notes").read_bytes() == b"1"


@pytest.mark.threat("operator")
def test_a_copy_of_an_export_under_another_name_is_not_replaced(exports):
    exports.write({"night.json": b"1"}, SettingsError)
    (exports.folder / "copy.json").write_bytes(b"1")

    with pytest.raises(SettingsError, match="did not write it"):
        exports.write({"copy.json": b"2"}, SettingsError)


@pytest.mark.threat("operator")
@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
def test_a_source_without_an_end_is_refused(path, tmp_path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(SettingsError, match="is a (device|named pipe), not a file"):
        require_regular_file(tmp_path / path, SettingsError)


@pytest.mark.threat("backup holder")
@pytest.mark.parametrize("name", ["link", "inner link", "folder", "pipe", "../outside", "", "none"])
def test_only_an_ordinary_file_in_the_folder_itself_is_deleted(tmp_path, name):
    folder = tmp_path / "recordings"
    (folder / "folder").mkdir(parents=True)
    (folder / "night.mp3").write_bytes(b"sound")
    (tmp_path / "outside").write_bytes(b"a file of the operator")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "inner link").symlink_to(folder / "night.mp3")
    os.mkfifo(folder / "pipe")
    entries = sorted(tmp_path.rglob("*"))

    assert not delete_owned(folder, name)
    assert sorted(tmp_path.rglob("*")) == entries


def test_an_ordinary_file_in_the_folder_is_deleted(tmp_path):
    (tmp_path / "night.mp3").write_bytes(b"sound")

    assert delete_owned(tmp_path, "night.mp3")
    assert list(tmp_path.iterdir()) == []
