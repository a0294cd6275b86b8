"""An index that one home has built is fetched by the others.

Whole, checked by its digests, and only what they lack.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from assistant.claims import index_building, index_manifest, index_segment, index_sharing
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import Cancelled, ClaimIndexError, IndexBusy
from tests.assistant.claims.indexed import Store, claims


class Digested(Store):
    """A store of claims in memory that has a digest."""

    def digest(self) -> str:
        return hashlib.sha256(repr(sorted(self.fingerprints().items())).encode()).hexdigest()[:32]


@pytest.fixture
def store(monkeypatch):
    """A dozen claims that fill several segments."""
    monkeypatch.setattr(index_building, "SEGMENT_CLAIMS", 5)
    return Digested(claims())


@pytest.fixture
def built(store, tmp_path, tiny_encoders):
    """The index of a first home, published."""
    return publish(store, tmp_path, tiny_encoders)


def publish(store, tmp_path, encoders) -> ClaimIndex:
    with index_sharing.sole_builder(tmp_path / "shared", encoders):
        index = ClaimIndex.build(store, tmp_path / "first", encoders)
        index_sharing.publish(tmp_path / "first", tmp_path / "shared", encoders)
    return index


def fetch(store, tmp_path, encoders, **options) -> bool:
    return index_sharing.fetch(
        tmp_path / "second", tmp_path / "shared", encoders, store.digest(), **options
    )


def files(tmp_path, encoders):
    """The shared files by their names."""
    folder = (
        index_manifest.model_folder(tmp_path / "shared", index_manifest.model_digests(encoders))
        / "files"
    )
    return {path.name: path for path in folder.iterdir()}


def second(tmp_path, encoders) -> ClaimIndex:
    return ClaimIndex.open(tmp_path / "second", encoders)


def test_a_fetched_index_is_the_one_that_was_built(built, store, tmp_path, tiny_encoders):
    """The same digest, and the same bytes in every column; a second fetch has nothing to do."""
    assert fetch(store, tmp_path, tiny_encoders)

    index = second(tmp_path, tiny_encoders)
    assert built.digest == index.digest
    assert index.behind(store) == 0
    assert (built.statement_vectors[:] == index.statement_vectors[:]).all()
    assert (built.body_vectors(7, "simcse") == index.body_vectors(7, "simcse")).all()
    assert index.bodies_ready.all()
    assert not fetch(store, tmp_path, tiny_encoders)


def test_only_what_a_home_lacks_is_fetched(built, store, tmp_path, tiny_encoders, monkeypatch):
    """After one claim more, a home that had the others fetches that claim's segment.

    Nothing is built there.
    """
    fetch(store, tmp_path, tiny_encoders)
    store.claims["c99"] = replace(store.claims["c01"], id="c99", statement="Rents fell.")
    files_before = set(files(tmp_path, tiny_encoders))
    publish(store, tmp_path, tiny_encoders)
    new = set(files(tmp_path, tiny_encoders)) - files_before
    copied = []
    copy = index_sharing._copy_file
    monkeypatch.setattr(
        index_sharing, "_copy_file", lambda *args: copied.append(args[2]) or copy(*args)
    )
    monkeypatch.setattr(index_segment, "encode_claims", None)

    assert fetch(store, tmp_path, tiny_encoders)

    assert new <= set(copied)
    assert len(claims()) + 1 == len(second(tmp_path, tiny_encoders))
    big = max(files(tmp_path, tiny_encoders).values(), key=lambda path: path.stat().st_size).name
    assert big not in copied


def test_the_home_that_built_fetches_what_another_added(built, store, tmp_path, tiny_encoders):
    """Two homes take turns; both end with one index, and go on building from it."""
    fetch(store, tmp_path, tiny_encoders)
    store.claims["c99"] = replace(store.claims["c01"], id="c99", statement="Rents fell.")
    with index_sharing.sole_builder(tmp_path / "shared", tiny_encoders):
        ClaimIndex.build(store, tmp_path / "second", tiny_encoders)
        index_sharing.publish(tmp_path / "second", tmp_path / "shared", tiny_encoders)

    assert index_sharing.fetch(
        tmp_path / "first", tmp_path / "shared", tiny_encoders, store.digest()
    )

    first_index = ClaimIndex.open(tmp_path / "first", tiny_encoders)
    assert second(tmp_path, tiny_encoders).digest == first_index.digest
    assert first_index.behind(store) == 0
    del store.claims["c02"]
    assert ClaimIndex.build(
        Digested(store.claims.values()), tmp_path / "first", tiny_encoders
    ).ids == tuple(sorted(store.claims))


def test_an_empty_home_begins_with_the_newest_index(
    built, store, tmp_path, tiny_encoders, monkeypatch
):
    """Where the store has moved on since, only what is new is read."""
    store.claims["c99"] = replace(store.claims["c01"], id="c99", statement="Rents fell.")
    assert fetch(store, tmp_path, tiny_encoders)
    encoded_ids = []
    encode = index_segment.encode_claims
    monkeypatch.setattr(
        index_segment,
        "encode_claims",
        lambda c, *options, **k: encoded_ids.extend(x.id for x in c) or encode(c, *options, **k),
    )

    ClaimIndex.build(store, tmp_path / "second", tiny_encoders)

    assert encoded_ids == ["c99"]


def test_a_fetch_that_was_cut_short_goes_on(built, store, tmp_path, tiny_encoders):
    """What has come is kept, half a file too; nobody sees an index before all of it is there."""

    def cut(*_: object) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        fetch(store, tmp_path, tiny_encoders, progress=cut)
    with pytest.raises(ClaimIndexError, match="no claims are indexed yet"):
        second(tmp_path, tiny_encoders)
    (vector_file,) = (tmp_path / "second").rglob("*.npy")
    inode = vector_file.stat().st_ino
    content = vector_file.read_bytes()
    assert fetch(store, tmp_path, tiny_encoders)

    assert second(tmp_path, tiny_encoders).digest == built.digest
    (unchanged_file,) = [
        path for path in (tmp_path / "second").rglob("*.npy") if path.stat().st_ino == inode
    ]
    assert unchanged_file.read_bytes() == content


@pytest.mark.parametrize(
    "left", [b"", b"half", b"rubbish", b"half of it and then more than there is"]
)
def test_whatever_a_broken_copy_has_left(tmp_path, left):
    """The copy has the digest: of the right half only the rest is read, of a wrong one all of it."""
    source = tmp_path / "source"
    target = tmp_path / "target"
    source.write_bytes(b"half and half")
    (tmp_path / "target.part").write_bytes(left)

    index_sharing._copy_file(source, target, hashlib.sha256(b"half and half").hexdigest())

    assert target.read_bytes() == b"half and half"
    assert not (tmp_path / "target.part").exists()


def test_a_damaged_file_is_refused(built, store, tmp_path, tiny_encoders):
    """By its name, with what to do; after that it is stored again, and fetched."""
    damaged = max(files(tmp_path, tiny_encoders).values(), key=lambda path: path.stat().st_size)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")

    with pytest.raises(ClaimIndexError, match=f"{damaged.name}: is corrupted.*Delete the file"):
        fetch(store, tmp_path, tiny_encoders)

    damaged.unlink()
    publish(store, tmp_path, tiny_encoders)
    assert fetch(store, tmp_path, tiny_encoders)
    assert built.digest == second(tmp_path, tiny_encoders).digest


def test_a_listing_leads_nowhere_else(built, store, tmp_path, tiny_encoders):
    """A name with a path in it is refused: the folder may be written by others."""
    folder = index_manifest.model_folder(
        tmp_path / "shared", index_manifest.model_digests(tiny_encoders)
    )
    (listing,) = folder.glob("*.json")
    listing.write_text(listing.read_text().replace("classes.npy", "../classes.npy"))

    with pytest.raises(ClaimIndexError, match="damaged"):
        fetch(store, tmp_path, tiny_encoders)


def test_one_home_builds_at_a_time(tmp_path, tiny_encoders):
    """Whoever comes second is told so, and may fetch it soon."""
    with index_sharing.sole_builder(tmp_path, tiny_encoders):  # noqa: SIM117
        with pytest.raises(IndexBusy), index_sharing.sole_builder(tmp_path, tiny_encoders):
            pass


def test_files_that_no_index_has_are_deleted(built, store, tmp_path, tiny_encoders):
    """The last few listings stay with their files, for homes that are fetching them."""
    for number in range(index_sharing.MAX_LISTINGS + 1):
        store.claims["c99"] = replace(
            store.claims["c01"], id="c99", statement=f"Rents fell by {number}."
        )
        publish(store, tmp_path, tiny_encoders)

    folder = index_manifest.model_folder(
        tmp_path / "shared", index_manifest.model_digests(tiny_encoders)
    )
    listings = [index_sharing._read_listing(path) for path in folder.glob("*.json")]
    used = set()
    for listing in listings:
        for segment in listing.segments:
            used |= {digest for digest, _ in segment.files.values()}
    assert len(listings) == index_sharing.MAX_LISTINGS
    assert used == set(files(tmp_path, tiny_encoders))
