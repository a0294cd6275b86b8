"""The vectors of everything said.

Appended, replaced, dropped, and unharmed by a kill in between.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistant.archive import sentence_vectors as module
from assistant.archive.archive_store import ArchivedTranscript
from assistant.archive.sentence_vectors import VectorFolder
from assistant.archive.tables import MOST_SENTENCES

ONE, TWO = (
    ArchivedTranscript(number, f"d{number}", "", "", None, "digest", 3) for number in (1, 2)
)


def rows(value: float, n: int = 3) -> np.ndarray:
    return np.full((n, 4), value, np.float16)


def firsts(vectors: VectorFolder) -> dict[int, float]:
    spoken = vectors.open()
    return dict(zip(spoken.ids.tolist(), spoken.vectors[:, 0].tolist(), strict=True))


def ids(entry: ArchivedTranscript, n: int = 3) -> list[int]:
    return [entry.id * MOST_SENTENCES + number for number in range(1, n + 1)]


def test_what_is_added_is_there(tmp_path):
    """Each sentence under its id; what is missing is named."""
    vectors = VectorFolder.of(tmp_path, "m")
    assert len(vectors.open().ids) == 0
    vectors.add(ONE, rows(1))
    vectors.add(TWO, rows(2))

    assert dict.fromkeys(ids(ONE), 1.0) | dict.fromkeys(ids(TWO), 2.0) == firsts(vectors)
    assert [replace(ONE, digest="new")] == vectors.missing([replace(ONE, digest="new"), TWO])


def test_a_changed_transcript_takes_the_place_of_the_old_one(tmp_path):
    """Once, wherever it lies; what is mapped meanwhile stays as it is."""
    vectors = VectorFolder.of(tmp_path, "m")
    vectors.add(ONE, rows(1))
    vectors.add(TWO, rows(2))
    vectors_before = vectors.open()
    vectors.add(replace(ONE, digest="new"), rows(3, n=2))

    now = dict.fromkeys(ids(ONE, 2), 3.0) | dict.fromkeys(ids(TWO), 2.0)
    assert firsts(vectors) == now
    vectors.keep([replace(ONE, digest="new"), TWO])
    assert firsts(vectors) == now
    assert len(list(vectors.folder.glob("*.f16"))) == 1
    assert next(vectors.folder.glob("*.f16")).stat().st_size == 5 * 4 * 2
    assert vectors_before.vectors[0, 0] == 1.0


def test_what_a_killed_process_left_behind_is_not_seen(tmp_path):
    """Half a vector at the end of the file, which the list does not name."""
    vectors = VectorFolder.of(tmp_path, "m")
    vectors.add(ONE, rows(1))
    with (vectors.folder / module.FIRST_FILE).open("ab") as file:
        file.write(b"\1\2\3")
    assert dict.fromkeys(ids(ONE), 1.0) == firsts(vectors)

    vectors.add(TWO, rows(2))

    assert dict.fromkeys(ids(ONE), 1.0) | dict.fromkeys(ids(TWO), 2.0) == firsts(vectors)


def test_a_damaged_list_is_made_again(tmp_path):
    """All that was said is missing then."""
    vectors = VectorFolder.of(tmp_path, "m")
    vectors.add(ONE, rows(1))
    (vectors.folder / module.ROWS_FILE).write_text("{")

    assert vectors.missing([ONE]) == [ONE]


def test_purged_transcripts_are_dropped_in_the_folder_of_every_model(tmp_path):
    """Whatever model made them."""
    for model in ("one", "two"):
        VectorFolder.of(tmp_path, model).add(ONE, rows(1))
        VectorFolder.of(tmp_path, model).add(TWO, rows(2))

    module.forget_all_but(tmp_path, [TWO])

    assert [dict.fromkeys(ids(TWO), 2.0)] * 2 == [
        firsts(VectorFolder.of(tmp_path, model)) for model in ("one", "two")
    ]


def test_new_statements_find_the_sentences_near_them(tmp_path):
    """The search the other way round: every pair with at least the cosine."""
    vectors = VectorFolder.of(tmp_path, "m")
    sentence_vectors = np.eye(4, dtype=np.float16)
    vectors.add(replace(ONE, sentences=4), sentence_vectors)

    near_sentences = vectors.open().near(
        np.array([[0, 1, 0, 0], [0.6, 0, 0.8, 0]], np.float32), 0.7
    )

    assert {(0, ids(ONE)[1]), (1, ids(ONE)[2])} == {
        (query, sentence) for query, sentence, _ in near_sentences
    }
