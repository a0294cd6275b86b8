"""What waits and what is done; nothing is there twice; what goes leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from assistant.archive import tables as archive_tables
from assistant.archive import transcript_search
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.transcript_search import SearchFilter
from assistant.core import database_copies, schema
from assistant.core.domain import Stance
from assistant.jobs import report_store
from assistant.jobs.report_store import ReportStore
from tests.assistant.archive.conftest import DEBATES, NOW, check, transcript

CITY = "City debate"


def entry(archive, title=CITY):
    return next(e for e in archive.entries() if e.title == title)


def mentions(archive):
    from assistant.archive import repeats

    return len(archive.rows(repeats._mention_query()))


def test_what_was_checked_with_the_same_claims_and_models_does_not_wait(archive):
    """Other claims or models, and all of it waits."""
    assert archive.waiting(NOW) == []
    assert len(DEBATES) == len(archive.waiting("other claims"))


def test_a_changed_transcript_waits_alone(archive):
    """Another name of a speaker is another transcript; what was found in the old one has gone."""
    original = transcript(CITY)
    changed = replace(
        original, sentences=tuple(replace(s, speaker="Ana Rivera") for s in original.sentences)
    )

    assert archive.add(original, "/debates/City debate.txt") == "same"
    assert archive.add(changed, "/debates/City debate.txt") == "changed"

    assert [entry(archive).id] == archive.waiting(NOW)
    assert len(DEBATES) - 1 == mentions(archive)


def test_another_file_at_the_same_path_takes_its_place(archive):
    """The earlier file's transcript, sentences and reports have gone."""
    original = transcript(CITY)
    gone = entry(archive)
    newer = replace(
        original, source=replace(original.source, sha256="f" * 64), title="City debate, corrected"
    )

    assert archive.add(newer, gone.path) == "changed"

    assert {e.title for e in archive.entries()} == {*DEBATES, newer.title} - {CITY}
    assert 2 * len(DEBATES) == len(archive.rows(transcript_search._hit_query()))


def test_a_unit_that_two_workers_did_is_there_once(archive, any_url):
    """The second result takes the place of the first: same reports, same matches."""
    assert check(archive, CITY)

    assert len(DEBATES) == mentions(archive)
    with ReportStore.open(any_url) as shelf:
        assert 2 * len(DEBATES) == len(shelf.report_heads(100))
        assert len(shelf.report_heads(100, ids=[entry(archive).report_id()])) == 1


def test_what_was_checked_of_a_transcript_that_has_changed_is_not_stored(archive):
    """It was changed while a worker had it."""
    original = transcript(CITY)
    done = entry(archive)
    archive.add(replace(original, title="Another title"), done.path)

    from assistant.archive.archive_store import FinishedCheck, check_key
    from tests.assistant.archive.conftest import report

    finished_report = report(CITY)
    assert not archive.finish(
        FinishedCheck(done.id, done.digest, check_key(done.digest, NOW), 1.0, finished_report, None)
    )
    assert len(DEBATES) - 1 == mentions(archive)


def test_the_opposite_of_a_claim_is_no_repeat(archive):
    """A sentence that contradicts the statement is not counted."""
    check(archive, CITY, stance=Stance.CONTRADICTS)

    assert len(DEBATES) - 1 == mentions(archive)


def test_a_failure_keeps_what_was_found_before(archive):
    """It is named, and what was found stays until the next check."""
    archive.failed(entry(archive).id, "the disk is full.")

    assert entry(archive).error == "the disk is full."
    assert len(DEBATES) == mentions(archive)


def test_a_purge_leaves_nothing(archive):
    """Neither the transcript nor a word of it in the search."""
    archive.purge(entry(archive).document)

    assert CITY not in {e.title for e in archive.entries()}
    assert transcript_search.by_words(archive, "friends", SearchFilter()) == []
    assert len(DEBATES) - 1 == mentions(archive)


def test_a_search_is_saved_and_forgotten(any_url):
    """Each person has names of their own."""
    with ArchiveStore.open(any_url) as store:
        store.save("tunnels", "Ada", "q=tunnel")
        store.save("tunnels", "Ada", "q=tunnels")
        store.save("tunnels", "Bo", "q=bridge")
        assert store.saved() == [("tunnels", "Ada", "q=tunnels"), ("tunnels", "Bo", "q=bridge")]
        store.save("tunnels", "Ada", "")
        assert store.saved() == [("tunnels", "Bo", "q=bridge")]


def test_a_restored_backup_is_searched_like_the_archive(archive, any_url, tmp_path):
    """The database makes its index of words again as the sentences come in."""
    database_copies.back_up(any_url, tmp_path / "backup", progress=lambda *_: None)
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    database_copies.restore(tmp_path / "backup", restored, progress=lambda *_: None)

    with ArchiveStore.open(restored) as store:
        assert archive.entries() == store.entries()
        assert [
            hit.title for hit in transcript_search.by_words(store, "friend", SearchFilter())
        ] == [CITY]


def strengths(archive):
    """Return the stored strengths of all matches, in the order of their sentences."""
    columns = archive_tables.mentions.c
    query = sa.select(columns.strength).order_by(columns.sentence)
    return [mention.strength for mention in archive.rows(query)]


def forget_strengths(archive):
    """Leave the archive as the migration of an earlier version does."""
    with archive._writing() as connection:
        connection.execute(archive_tables.mentions.update().values(strength=None))
        schema.write_setting(connection, schema.UNREAD_STRENGTHS, "1")


def test_matches_of_an_earlier_version_get_their_strengths_from_the_stored_reports(
    archive, any_url
):
    expected = ["strong", "strong", "possible"]
    assert strengths(archive) == expected
    forget_strengths(archive)
    assert strengths(archive) == [None, None, None]

    with ArchiveStore.open(any_url) as opened_again:
        assert strengths(opened_again) == expected


def test_a_match_without_a_stored_report_keeps_an_unknown_strength(archive, any_url):
    """The reports are read once, and not at every opening."""
    forget_strengths(archive)
    with archive._writing() as connection:
        report_store.delete_reports(connection, [entry(archive, "Harbour debate").report_id()])

    with ArchiveStore.open(any_url) as opened_again:
        assert strengths(opened_again) == [None, "strong", "possible"]
        with opened_again._reading() as connection:
            assert schema.read_setting(connection, schema.UNREAD_STRENGTHS) == ""
