"""Files and folders are written whole or not at all, and a disk that refuses is explained in one line."""

import errno
from pathlib import Path

import pytest

from assistant.core import files
from assistant.core.errors import LecternError, ReviewError

OLD = {"a": b"old", "other": b"stays"}
NEW = {"a": b"1", "b": b"2"}


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


@pytest.mark.parametrize(
    ("content", "data"), [("Café\n", b"Caf\xc3\xa9\n"), (b"\x00\xff", b"\x00\xff")]
)
def test_text_and_bytes(tmp_path, content, data):
    """Text is written as UTF-8, bytes as they are, in a folder that is made for them, with usual permissions."""
    path = tmp_path / "new" / "file"

    files.write(path, content)

    assert contents(path.parent) == {"file": data}
    (tmp_path / "usual").write_bytes(b"")
    assert (tmp_path / "usual").stat().st_mode == path.stat().st_mode


def test_a_long_name(tmp_path):
    """A name as long as the file system allows leaves room for the temporary one."""
    files.write(tmp_path / ("x" * 255), b"1")

    assert [p.name for p in tmp_path.iterdir()] == ["x" * 255]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("checks.csv", "checks.csv"),
        ("../../etc/passwd", "passwd"),
        ("..", "file"),
        ("folder/", "folder"),
        ("", "file"),
        ("a\0b.csv", "ab.csv"),
        ("\ud800.csv", "?.csv"),
        ("ü" * 300 + ".jsonl", "ü" * 54 + ".jsonl"),
        ("x." + "y" * 300, "x." + "y" * 46 + "y" * 12),
    ],
)
def test_a_name_from_outside_is_the_name_of_a_file(name, expected, tmp_path):
    assert files.plain_name(name) == expected
    files.write(tmp_path / files.plain_name(name), b"content")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (errno.ENOSPC, "file: the disk is full. Free some space."),
        (errno.EDQUOT, "file: the disk is full. Free some space."),
        (
            errno.EROFS,
            "file: cannot be written (Read-only file system). Choose a folder that you may write to",
        ),
    ],
)
def test_a_disk_that_refuses_is_one_line(tmp_path, monkeypatch, code, line):
    """Full or read-only: the error says what to do, the old file is unchanged, and no temporary file stays."""
    path = tmp_path / "file"
    write = Path.write_bytes
    path.write_bytes(b"old")

    def refuse(partial_file, data):
        write(partial_file, data[:1])
        raise OSError(code, "Read-only file system")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(ReviewError) as raised:
        files.write(path, b"new", error=ReviewError)

    assert line in str(raised.value)
    assert contents(tmp_path) == {"file": b"old"}


@pytest.mark.skipif(
    not hasattr(files.os, "geteuid") or files.os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_read_only_folder(tmp_path):
    """Without permission nothing is written, and the line says so."""
    tmp_path.chmod(0o500)
    with pytest.raises(LecternError, match="cannot be written"):
        files.write(tmp_path / "file", b"new")


def test_a_file_in_the_folders_place(tmp_path):
    """A folder that cannot be made is named."""
    (tmp_path / "file").write_bytes(b"old")

    for write in (files.write, files.write_folder):
        with pytest.raises(LecternError, match="cannot be written"):
            write(tmp_path / "file" / "inner", {} if write is files.write_folder else b"")
    assert contents(tmp_path) == {"file": b"old"}


@pytest.mark.parametrize("old", [None, {}, OLD])
def test_a_folder(tmp_path, old):
    """A folder that is not there appears whole.

    In one that exists the files are replaced and others stay.
    """
    folder = tmp_path / "set"
    if old is not None:
        files.write_folder(folder, old)

    files.write_folder(folder, NEW)

    assert contents(folder) == {**(old or {}), **NEW}
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("old", [None, OLD])
def test_a_folder_that_fails_in_the_middle(tmp_path, monkeypatch, old):
    """A disk that fills up after the first file.

    No folder appears, and an older one keeps all its files.
    """
    folder = tmp_path / "set"
    write = Path.write_bytes
    if old:
        files.write_folder(folder, old)

    def refuse(path, data):
        if path.name == "b":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(LecternError, match="set: the disk is full. Free some space.$"):
        files.write_folder(folder, NEW)

    assert (contents(folder) if folder.exists() else {}) == (old or {})
    assert list(tmp_path.iterdir()) == ([folder] if old else [])


def test_two_writers_of_one_folder(tmp_path):
    """A folder that somebody else makes in the meantime takes the files in."""
    folder = tmp_path / "set"

    with files.folder_to_fill(folder) as partial_folder:
        (partial_folder / "a").write_bytes(b"1")
        files.write_folder(folder, OLD)

    assert contents(folder) == {"a": b"1", "other": b"stays"}


def test_what_to_do_next_is_said():
    """The caller adds what to do once there is space."""
    with pytest.raises(LecternError) as raised, files.explained(Path("x"), then="Check again."):
        raise OSError(errno.ENOSPC, "")

    assert str(raised.value) == "x: the disk is full. Free some space. Check again."


@pytest.mark.parametrize("existing", [[], ["notes.md"]])
def test_files_are_written_into_the_current_folder(tmp_path, monkeypatch, existing):
    """The folder itself stays, because a shell may be in it."""
    monkeypatch.chdir(tmp_path)
    for name in existing:
        Path(name).write_text("mine")
    inode = tmp_path.stat().st_ino

    files.write_folder(Path(), {"a.csv": b"1", "b.csv": b"2"})

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv", *existing]
    assert tmp_path.stat().st_ino == inode
