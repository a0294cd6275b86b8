"""Downloads: complete or absent, resumed where they broke off, and one line without network."""

from __future__ import annotations

import pytest

from assistant.claims import downloads
from assistant.core.errors import Cancelled, NetworkError, StoreError

DATA = bytes(range(256)) * 4_000


def test_a_whole_file(serve, tmp_path):
    """The file arrives byte for byte, in a folder that is made if need be, and nothing else is left."""
    server = serve(DATA)
    progress_steps = []

    path = downloads.download(
        server.url, tmp_path / "new" / "f", progress=lambda *step: progress_steps.append(step)
    )

    assert path.read_bytes() == DATA
    assert list(path.parent.iterdir()) == [path]
    assert ("downloading", len(DATA), len(DATA)) == progress_steps[-1]


def test_a_broken_download_goes_on(serve, tmp_path):
    """A download that broke off says so; the next call requests only the rest."""
    server = serve(DATA)
    server.break_after = 300_000
    with pytest.raises(
        NetworkError, match="stopped after 0.3 MB. Run the command again to continue"
    ):
        downloads.download(server.url, tmp_path / "f", attempts=1)
    assert not (tmp_path / "f").exists()

    server.break_after = 0
    path = downloads.download(server.url, tmp_path / "f")

    assert path.read_bytes() == DATA
    assert server.requests[-1]["Range"] == "bytes=300000-"
    assert server.requests[-1]["If-Range"] == '"v1"'


def test_a_broken_download_goes_on_by_itself(serve, tmp_path):
    """Within one call a broken connection is tried again from where it stopped."""
    server = serve(DATA)
    server.break_after = 600_000

    def mend(stage, done, total):
        server.break_after = 0 if done == 600_000 else server.break_after

    path = downloads.download(server.url, tmp_path / "f", progress=mend)

    assert path.read_bytes() == DATA
    assert len(server.requests) == 2


@pytest.mark.parametrize("change", [{"etag": '"v2"'}, {"can_resume": False}, {"etag": 'W/"v1"'}])
def test_another_file_begins_anew(serve, tmp_path, change):
    """If the file changed meanwhile, or the server cannot resume, the old part is not continued."""
    server = serve(DATA)
    server.break_after = 300_000
    server.etag = (
        change.get("etag", server.etag) if change.get("etag", "").startswith("W/") else server.etag
    )
    with pytest.raises(NetworkError):
        downloads.download(server.url, tmp_path / "f", attempts=1)

    server.break_after = 0
    server.data = DATA[::-1]
    for name, value in change.items():
        setattr(server, name, value)

    assert downloads.download(server.url, tmp_path / "f").read_bytes() == DATA[::-1]


def test_a_part_longer_than_the_file(serve, tmp_path):
    """A part that is longer than the file is deleted."""
    server = serve(DATA)
    (tmp_path / "f.part").write_bytes(b"x" * (len(DATA) + 10))
    (tmp_path / "f.part.json").write_text("nonsense")

    assert downloads.download(server.url, tmp_path / "f").read_bytes() == DATA


def test_without_network(tmp_path):
    """A server that is not there gives one line with its name and what to do."""
    with pytest.raises(
        NetworkError, match="127.0.0.1: cannot be reached .*claims import FILE"
    ) as raised:
        downloads.download("http://127.0.0.1:9/none", tmp_path / "f")

    assert "\n" not in str(raised.value)
    assert list(tmp_path.glob("f*")) == []


@pytest.mark.parametrize("url", ["nonsense", "ftp://example.org/x", "http://"])
def test_addresses_that_are_none(tmp_path, url):
    """A wrong address gives one clear line."""
    with pytest.raises(NetworkError, match="cannot be reached"):
        downloads.download(url, tmp_path / "f")


@pytest.mark.parametrize("status", [403, 404, 500])
def test_other_answers(serve, tmp_path, status):
    """Another answer than the file is an error with its status.

    No error page is stored as the file.
    """
    server = serve(b"<html>sorry</html>")
    server.status = status

    with pytest.raises(NetworkError, match=f"the server answered {status}"):
        downloads.download(server.url, tmp_path / "f")
    assert not (tmp_path / "f").exists()


def test_cancel_keeps_the_part(serve, tmp_path):
    """A cancelled download leaves its part for the next time, and no file."""
    server = serve(DATA)

    def cancel(stage, done, total):
        raise Cancelled("stopped.")

    with pytest.raises(Cancelled):
        downloads.download(server.url, tmp_path / "f", progress=cancel)
    assert not (tmp_path / "f").exists()
    assert (tmp_path / "f.part").exists()


def test_a_folder_that_cannot_be_made(serve, tmp_path):
    """A folder that cannot be written gives one line."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match="cannot be written"):
        downloads.download(serve(DATA).url, tmp_path / "file" / "f")


def test_a_full_disk(serve, monkeypatch, tmp_path):
    """When the disk is full one line says so."""

    def full(stage, done, total):
        raise OSError(28, "No space left on device")

    with pytest.raises(
        StoreError,
        match="the disk is full. Free some space. Run the command again to continue from there.",
    ):
        downloads.download(serve(DATA).url, tmp_path / "f", progress=full)
