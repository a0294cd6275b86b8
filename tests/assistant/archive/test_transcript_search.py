"""Search over everything said, in both databases: words in any form, phrases, meaning, filters."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from assistant.archive import transcript_search
from assistant.archive.sentence_vectors import VectorFolder
from assistant.archive.transcript_search import SearchFilter
from assistant.review import revisions
from assistant.review.decision_store import DecisionStore
from tests.assistant.archive.conftest import DEBATES

EVERY = ["Bridge debate", "City debate", "Harbour debate"]  # newest first


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("tunnels", EVERY),
        ("opening TUNNEL", EVERY),
        ('"my friends"', ["City debate"]),
        ('"1994 opened"', []),
        ("tunnel friends", ["City debate"]),
        ("harbour", EVERY),
        ("zebra", []),
        ("'; DROP TABLE", []),
        ('"', EVERY),
    ],
)
def test_words_are_found_in_any_form_and_phrases_as_they_are(unchanged, text, titles):
    """Newest debates first; marks of the query language are only marks."""
    assert (
        list(
            dict.fromkeys(
                hit.title for hit in transcript_search.by_words(unchanged, text, SearchFilter())
            )
        )
        == titles
    )


@pytest.mark.parametrize(
    ("chosen", "titles"),
    [
        (SearchFilter(speaker="RIVERA"), ["City debate"]),
        (SearchFilter(first=date(2021, 1, 1)), EVERY[:2]),
        (SearchFilter(last=date(2021, 1, 1)), EVERY[2:]),
        (SearchFilter(event="bridge"), EVERY[:1]),
        (SearchFilter(publisher="Lectern sample desk"), EVERY),
        (SearchFilter(publisher="nobody"), []),
        (SearchFilter(rating_class="FALSE"), []),
        (SearchFilter(decision="unreviewed"), EVERY),
        (SearchFilter(decision="confirmed"), []),
    ],
)
def test_filters(unchanged, chosen, titles):
    """Each by itself, with words and by meaning."""
    assert [hit.title for hit in transcript_search.by_words(unchanged, "1994", chosen)] == titles


def test_decisions_are_searched(archive, any_url):
    """A confirmed match is found as confirmed, and no longer as unreviewed."""
    from tests.assistant.archive.test_repeats import decide

    decide(any_url, "City debate", "confirm")

    assert [
        h.title
        for h in transcript_search.by_words(archive, "1994", SearchFilter(decision="confirmed"))
    ] == ["City debate"]
    assert (
        len(transcript_search.by_words(archive, "1994", SearchFilter(decision="unreviewed"))) == 2
    )


def test_decisions_that_are_open_again_are_searched_as_unreviewed(archive, any_url):
    """The publisher has changed its rating since."""
    from tests.assistant.archive.test_repeats import correct, decide

    decide(any_url, "City debate", "confirm")
    correct(any_url)
    with DecisionStore.open(any_url) as store:
        keys = tuple(revisions.decisions_open_again(store))

    for name, count in (("confirmed", 0), ("unreviewed", 3)):
        chosen = SearchFilter(decision=name, open_again=keys)
        assert len(transcript_search.by_words(archive, "1994", chosen)) == count


def test_meaning_is_searched_among_what_the_filter_allows(unchanged, tmp_path):
    """The nearest first, each with its cosine; a page of them."""
    vectors = VectorFolder.of(tmp_path, "m")
    generator = np.random.default_rng(5)
    title_vectors = {}
    for entry in unchanged.entries():
        sentence_vectors = generator.standard_normal((2, 8)).astype(np.float32)
        title_vectors[entry.title] = sentence_vectors / np.linalg.norm(
            sentence_vectors, axis=1, keepdims=True
        )
        vectors.add(entry, title_vectors[entry.title].astype(np.float16))
    query_vector = title_vectors["City debate"][0]

    hits = transcript_search.by_meaning(
        unchanged, vectors.open(), query_vector, SearchFilter(), min_cosine=-1.0
    )
    among = transcript_search.by_meaning(
        unchanged, vectors.open(), query_vector, SearchFilter(speaker="Tom Okafor"), min_cosine=-1.0
    )

    cosines = {
        (t, n): float(sentence_vectors[n - 1] @ query_vector)
        for t, sentence_vectors in title_vectors.items()
        for n in (1, 2)
    }
    assert sorted(cosines, key=cosines.get, reverse=True) == [
        (hit.title, hit.number) for hit in hits
    ]
    assert all(abs(cosines[hit.title, hit.number] - hit.cosine) < 1e-2 for hit in hits)
    assert {"Bridge debate"} == {hit.title for hit in among}
    assert len(among) == 2
    assert (
        transcript_search.by_meaning(
            unchanged, vectors.open(), query_vector, SearchFilter(), page=1, min_cosine=-1.0
        )
        == []
    )


def test_the_speakers_of_all_debates(unchanged):
    """Each label once, by name."""
    assert sorted(speaker for _, speaker, _ in DEBATES.values()) == transcript_search.speakers(
        unchanged
    )
