"""Building an index: incremental, resumed after a kill, refused for other models, never half-written."""

import errno
import json
import shutil
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

from assistant.claims import index_building, index_manifest, index_merging, index_segment
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import Cancelled, ClaimIndexError
from features.models.model_spec import EMBEDDED, ModelSpec
from features.models.profile_models import Encoders
from features.similarity import bm25, nearest
from tests.assistant.claims.indexed import Store, claims


def _embedded(**specs):
    minilm = ModelSpec(EMBEDDED)
    model_specs = {
        "sbert": minilm,
        "simcse": ModelSpec(EMBEDDED, weights="x"),
        "nli": minilm,
        "bertscore": minilm,
        **specs,
    }
    return Encoders(**model_specs)


@pytest.fixture
def small_parts(monkeypatch):
    """Make parts and blocks small, so that a dozen claims fill several."""
    monkeypatch.setattr(index_building, "SEGMENT_CLAIMS", 5)
    monkeypatch.setattr(index_segment, "BLOCK_CLAIMS", 2)


def test_statements_can_be_searched_before_articles(encoders, tmp_path, small_parts):
    """Without articles everything but their vectors is there, and a later run adds only those."""
    index = ClaimIndex.build(Store(claims()), tmp_path, encoders, articles=False)
    assert [c.id for c in claims() if not c.body] == [
        i for i, r in zip(index.ids, index.bodies_ready, strict=True) if r
    ]
    assert index.body_vectors(7).shape == (0, 384)
    assert index.bm25("body").scores(["prisons"])[0, 7] > 0
    assert ClaimIndex.build(Store(claims()), tmp_path, encoders).bodies_ready.all()


def test_progress_counts_claims(encoders, tmp_path, small_parts):
    """Progress rises to the number of claims, statements first."""
    progress_steps = []
    ClaimIndex.build(
        Store(claims()), tmp_path, encoders, progress=lambda *step: progress_steps.append(step)
    )
    statements = [(done, total) for stage, done, total in progress_steps if stage == "statements"]
    assert statements == [(0, 12), (5, 12), (10, 12), (12, 12)]
    assert progress_steps[-1] == ("articles", 12, 12)
    assert (
        sorted(progress_steps, key=lambda step: (step[0] == "articles", step[1])) == progress_steps
    )


def test_only_what_changed_is_read_again(encoders, tmp_path, monkeypatch):
    """A run over a store with one new, one changed and one deleted claim encodes two claims."""
    store = Store(claims()[:10])
    ClaimIndex.build(store, tmp_path, encoders)
    store.claims["c10"] = claims()[10]
    store.claims["c02"] = replace(
        store.claims["c02"], statement="The state spends nothing on wages."
    )
    del store.claims["c07"]
    encoded_ids = []
    encode = index_segment.encode_claims
    monkeypatch.setattr(
        index_segment,
        "encode_claims",
        lambda c, *options, **k: encoded_ids.extend(x.id for x in c) or encode(c, *options, **k),
    )
    index = ClaimIndex.build(store, tmp_path, encoders)
    assert encoded_ids == ["c02", "c10"]
    assert tuple(sorted(store.claims)) == index.ids
    assert index.statements[2] == "The state spends nothing on wages."


def test_a_grown_index_equals_one_made_at_once(encoders, tmp_path, small_parts):
    """After new, changed and deleted claims the index equals a fresh build."""
    store = Store(claims()[:7])
    ClaimIndex.build(store, tmp_path / "grown", encoders)
    store.claims |= {c.id: c for c in claims()[6:]} | {"c01": replace(claims()[1], title="Crime")}
    del store.claims["c03"]
    grown = ClaimIndex.build(store, tmp_path / "grown", encoders)
    fresh = ClaimIndex.build(store, tmp_path / "fresh", encoders)
    assert fresh.digest == grown.digest
    np.testing.assert_allclose(
        fresh.vectors("sbert", "title"), grown.vectors("sbert", "title"), atol=1e-6
    )
    words = ["more percent on crime"]
    np.testing.assert_allclose(
        fresh.bm25("title").scores(words), grown.bm25("title").scores(words), atol=1e-12
    )
    np.testing.assert_allclose(fresh.body_vectors(9), grown.body_vectors(9), atol=1e-3)


def test_behind_counts_what_a_run_would_change(encoders, tmp_path):
    """The index counts the claims of the store that it lacks."""
    store = Store(claims()[:4])
    index = ClaimIndex.build(store, tmp_path, encoders)
    assert index.behind(store) == 0
    store.claims["c05"] = claims()[5]
    assert index.behind(store) == 1


def test_segments_without_a_claim_left_are_removed(encoders, tmp_path, small_parts):
    """A segment without claims is deleted."""
    store = Store(claims())
    ClaimIndex.build(store, tmp_path, encoders)
    home = index_manifest.model_folder(tmp_path, index_manifest.model_digests(encoders))
    store.claims = {i: c for i, c in store.claims.items() if i > "c04"}
    ClaimIndex.build(store, tmp_path, encoders)
    assert {path.name for path in home.iterdir() if path.is_dir()} == {"000002", "000003"}


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from assistant.claims import index_building, index_segment
    from features.models.model_spec import EMBEDDED, ModelSpec
    from tests.assistant.claims.indexed import Store, claims
    from tests.assistant.claims.test_index_building import _embedded
    index_building.SEGMENT_CLAIMS = 5
    index_segment.BLOCK_CLAIMS = 2
    stage, done = sys.argv[2], int(sys.argv[3])
    def progress(*step):
        if step[:2] == (stage, done):
            os.kill(os.getpid(), signal.SIGKILL)
    head = ModelSpec(EMBEDDED, weights=sys.argv[4])
    index_building.build(Store(claims()), Path(sys.argv[1]), _embedded(simcse=head), progress=progress)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize(("stage", "done", "kept"), [("statements", 10, 10), ("articles", 5, 12)])
def test_a_killed_run_continues_where_it_stopped(  # noqa: PLR0913
    encoders, tmp_path, small_parts, monkeypatch, stage, done, kept
):
    """After kill -9 the index can be searched, and the next run does only the rest."""
    script = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path), stage, str(done)]
    script.append(encoders.specs["simcse"].weights)
    assert subprocess.run(script, check=False).returncode == -signal.SIGKILL
    killed = ClaimIndex.open(tmp_path, encoders)
    assert len(killed) == kept
    ready = [i for i, vectors in enumerate(map(killed.body_vectors, range(kept))) if len(vectors)]
    blocks = []
    encode = index_segment.encode_block
    monkeypatch.setattr(
        index_segment,
        "encode_block",
        lambda s, b, *a, **k: blocks.append(b) or encode(s, b, *a, **k),
    )
    index = ClaimIndex.build(Store(claims()), tmp_path, encoders)
    assert (
        (ready, len(blocks)) == ([0, 1, 2, 3], 4)
        if stage == "articles"
        else (ready, len(blocks)) == ([], 6)
    )
    assert ClaimIndex.in_memory(claims(), encoders).digest == index.digest
    assert index.bodies_ready.all()


def test_a_stopped_run_keeps_what_is_done(encoders, tmp_path, small_parts):
    """Cancelling raises Cancelled, and the finished parts are there."""
    answers = iter([False, True])
    with pytest.raises(Cancelled, match="finished part of the index is stored"):
        ClaimIndex.build(Store(claims()), tmp_path, encoders, cancelled=lambda: next(answers))
    assert len(ClaimIndex.open(tmp_path, encoders)) == 5


def test_no_index_names_the_command(encoders, tmp_path):
    """Before the first run one line says what to do."""
    with pytest.raises(
        ClaimIndexError, match="no claims are indexed yet. Run: python -m assistant claims index"
    ):
        ClaimIndex.open(tmp_path / "none", encoders)


def test_other_models_are_refused_by_name(encoders, tiny_encoders, tmp_path):
    """An index made by other models is refused in one line with the command.

    Its files are unchanged.
    """
    ClaimIndex.build(Store(claims()[:2]), tmp_path, encoders)
    with pytest.raises(
        ClaimIndexError, match=r"made by other models .*all-MiniLM-L6-v2.*claims index"
    ) as refused:
        ClaimIndex.open(tmp_path, tiny_encoders)
    assert "\n" not in str(refused.value)
    ClaimIndex.build(Store(claims()[:2]), tmp_path, tiny_encoders)
    assert len(ClaimIndex.open(tmp_path, encoders)) == 2


def test_a_simcse_head_asks_for_no_new_index(encoders, tmp_path):
    """A head's vectors are computed from stored ones: other head weights, same index."""
    ClaimIndex.build(Store(claims()[:2]), tmp_path, encoders)
    assert (
        len(
            ClaimIndex.open(
                tmp_path, _embedded(simcse=ModelSpec(EMBEDDED, weights="another.safetensors"))
            )
        )
        == 2
    )


@pytest.mark.parametrize("name", ["texts.npy", "states.npy", "bm25-body-documents.npy"])
@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_damaged_index_says_so(encoders, tmp_path, name, harm):
    """A truncated or deleted file is one line with the remedy, not a traceback."""
    ClaimIndex.build(Store(claims()[:3]), tmp_path, encoders)
    path = next(tmp_path.rglob(name))
    path.unlink() if harm == "gone" else path.write_bytes(
        path.read_bytes()[: path.stat().st_size // 2]
    )
    with pytest.raises(
        ClaimIndexError, match=r"the index is damaged .*Delete that folder. Run: python"
    ):
        ClaimIndex.open(tmp_path, encoders).bm25("body")


def test_a_damaged_manifest_says_so(encoders, tmp_path):
    """So is a manifest that is not JSON."""
    ClaimIndex.build(Store(claims()[:1]), tmp_path, encoders)
    next(tmp_path.rglob("manifest.json")).write_text("{")
    with pytest.raises(ClaimIndexError, match="the index is damaged"):
        ClaimIndex.open(tmp_path, encoders)


FULL = """
    import resource, signal, sys
    from pathlib import Path
    from assistant.claims import index_building
    from assistant.core.errors import ClaimIndexError
    from tests.assistant.claims.indexed import Store, claims
    from tests.assistant.claims.test_index_building import _embedded
    encoders = _embedded()
    encoders.sbert.encode(["loaded"])
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    try:
        index_building.build(Store(claims()), Path(sys.argv[1]), encoders)
    except ClaimIndexError as error:
        sys.stdout.write(str(error))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")
def test_a_full_disk_leaves_nothing_half_written(encoders, tmp_path):
    """When a file cannot grow, one line says so, the old index is unchanged, and no half segment is left."""
    ClaimIndex.build(Store(claims()[:1]), tmp_path, encoders)
    script = [sys.executable, "-c", textwrap.dedent(FULL), str(tmp_path)]
    output = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    assert (
        "the disk is full. Free some space. The finished part of the index is stored. Run: python -m assistant claims index"
        in output
    )
    assert ClaimIndex.open(tmp_path, encoders).ids == ("c00",)
    assert list(tmp_path.rglob("*.part")) == []
    assert len(ClaimIndex.build(Store(claims()), tmp_path, encoders)) == 12


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_read_only_folder_is_one_line(encoders, tmp_path, monkeypatch, code):
    """A folder that cannot be written gives one line with what to do."""

    def refuse(*_):
        raise OSError(code, "refused by the system")

    monkeypatch.setattr(index_segment, "arrays", refuse)
    with pytest.raises(
        ClaimIndexError, match=r"written \(refused by the system\). Choose a folder .*LECTERN_HOME"
    ):
        ClaimIndex.build(Store(claims()), tmp_path, encoders)


def test_a_file_in_the_folders_place_is_one_line(encoders, tmp_path):
    """An index cannot be where a file is."""
    (tmp_path / "index").write_text("")
    with pytest.raises(ClaimIndexError, match="cannot be written"):
        ClaimIndex.build(Store(claims()), tmp_path / "index", encoders)


def test_two_writers_are_one_too_many(encoders, tmp_path):
    """While one process indexes, another gets an error; reading continues."""
    pytest.importorskip("fcntl")
    ClaimIndex.build(Store(claims()[:1]), tmp_path, encoders)
    with index_manifest.sole_writer(
        index_manifest.model_folder(tmp_path, index_manifest.model_digests(encoders))
    ):
        assert len(ClaimIndex.open(tmp_path, encoders)) == 1
        with pytest.raises(ClaimIndexError, match="another process is indexing. Wait"):
            ClaimIndex.build(Store(claims()), tmp_path, encoders)


def test_the_manifest_says_what_made_the_index(encoders, tmp_path):
    """The manifest names the models of an index."""
    ClaimIndex.build(Store(claims()[:1]), tmp_path, encoders)
    manifest = json.loads(next(tmp_path.rglob("manifest.json")).read_text())
    assert manifest["models"].keys() == {"sbert", "bertscore"}
    assert manifest["models"]["sbert"].startswith("all-MiniLM-L6-v2 ")


def test_word_counts_follow_additions_and_removals(encoders, tmp_path, small_parts):
    """Counts made from the cached ones are those of a fresh index.

    After additions and removals.
    """
    store = Store(claims()[:7])
    all_claims = claims()
    for change in (
        lambda: None,
        lambda: store.claims.update({"c09": all_claims[9]}),
        lambda: store.claims.pop("c06"),
    ):
        change()
        index = ClaimIndex.build(store, tmp_path, encoders)
        for name in index_segment.SEARCHED_FIELDS:
            fresh = bm25.BM25.of(getattr(store.claims[i], name) for i in index.ids)
            text = [store.claims["c01"].statement]
            np.testing.assert_allclose(index.bm25(name).scores(text), fresh.scores(text), atol=1e-9)


def test_a_folder_made_again_is_read_again(encoders, tmp_path):
    """An open index is not confused with another one made in its folder since."""
    first_index = ClaimIndex.build(Store(claims()[:3]), tmp_path / "index", encoders)
    shutil.rmtree(tmp_path / "index")
    second = ClaimIndex.build(Store(claims()[3:5]), tmp_path / "index", encoders)
    assert first_index.ids == ("c00", "c01", "c02")
    assert second.ids == ("c03", "c04")
    assert ClaimIndex.open(tmp_path / "index", encoders).ids == second.ids


def test_an_open_index_never_changes(encoders, tmp_path):
    """Articles added later appear in an index that is opened later, not in one that is open."""
    store = Store(claims())
    plain_index = ClaimIndex.build(store, tmp_path, encoders, articles=False)
    opened = ClaimIndex.open(tmp_path, encoders)
    full_index = ClaimIndex.build(store, tmp_path, encoders)
    assert [len(index.body_vectors(7)) for index in (plain_index, opened)] == [0, 0]
    assert len(full_index.body_vectors(7)) > 0


def test_small_segments_become_one(encoders, tmp_path, small_parts, monkeypatch):
    """Once there are many segments they are merged, deleted and changed claims left out.

    Nothing else changes.
    """
    monkeypatch.setattr(index_merging, "MAX_SMALL_SEGMENTS", 1)
    monkeypatch.setattr(index_merging, "LARGE_SEGMENT_DIVISOR", 1)
    monkeypatch.setattr(index_building, "MAX_STORED_STATES", 8)
    store = Store(claims()[1:10])
    ClaimIndex.build(store, tmp_path / "grown", encoders, articles=False)
    grown_index = ClaimIndex.open(tmp_path / "grown", encoders)
    store.claims |= {
        "c02": replace(claims()[2], title="Crime"),
        "c00": claims()[0],
        "c11": claims()[11],
    }
    del store.claims["c07"]
    grown = ClaimIndex.build(store, tmp_path / "grown", encoders)
    fresh = ClaimIndex.in_memory(store.claims.values(), encoders)

    assert len(list((tmp_path / "grown").rglob("classes.npy"))) == 1
    assert fresh.digest == grown.digest
    assert [fresh.claim(i) for i in range(10)] == [grown.claim(i) for i in range(10)]
    for i in range(len(fresh)):
        np.testing.assert_array_equal(fresh.body_spans(i), grown.body_spans(i))
        np.testing.assert_allclose(fresh.body_vectors(i), grown.body_vectors(i), atol=1e-3)
        np.testing.assert_allclose(fresh.statement_states(i), grown.statement_states(i), atol=1e-3)
    np.testing.assert_allclose(
        fresh.vectors("sbert", "title"), grown.vectors("sbert", "title"), atol=1e-3
    )
    words = ["more percent on crime and schools"]
    np.testing.assert_allclose(
        fresh.bm25("body").scores(words), grown.bm25("body").scores(words), atol=1e-12
    )
    assert claims()[7] == grown_index.claim(6)  # a reader keeps what it has open


def test_large_segments_get_codes_that_find_the_same(encoders, tmp_path, monkeypatch):
    """An index made before there were codes finds the same without them.

    The next run adds them and nothing else.
    """
    store = Store(claims())
    small_index = ClaimIndex.build(store, tmp_path, encoders)
    segment = next(tmp_path.glob("*/000001"))
    file_times = {path: path.stat().st_mtime_ns for path in segment.iterdir()}
    monkeypatch.setattr(nearest, "MIN_ROWS_FOR_CODES", 5)
    coded_index = ClaimIndex.build(store, tmp_path, encoders)

    added = {path.name for path in segment.iterdir() if path not in file_times}
    fields = ("sbert-statement", "sbert-title")
    assert added == {f"codes-{field}{off}.npy" for field in fields for off in ("", "-off")}
    assert {path: path.stat().st_mtime_ns for path in file_times} == file_times
    searched = list[nearest.Codes]()
    by_codes = nearest._nearest_by_codes
    monkeypatch.setattr(
        nearest,
        "_nearest_by_codes",
        lambda *arguments: searched.append(arguments[2]) or by_codes(*arguments),
    )
    for allowed in (np.ones(12, bool), np.arange(12) % 3 > 0):
        for field in ("statement", "title"):
            for vector in encoders.sbert.encode(
                ["Spending on prisons went up", "rents", "the ferries are free"]
            ):
                there, here = (
                    index.nearest(vector[None], field, 3, allowed)[0]
                    for index in (small_index, coded_index)
                )
                assert there.tolist() == here.tolist()
    assert len(searched) == 12  # by the new index only


def test_an_index_of_an_earlier_version_is_named(encoders, tmp_path):
    """One line says that the index has another form, and the command that makes it again."""
    (tmp_path / "0123").mkdir()
    (tmp_path / "0123" / "manifest.json").write_text(
        '{"schema": "lectern.index/1", "models": {}, "segments": {}}'
    )
    with pytest.raises(
        ClaimIndexError, match=r"an earlier version of Lectern made the index.* claims index"
    ) as refused:
        ClaimIndex.open(tmp_path, encoders)
    assert "\n" not in str(refused.value)
