"""Comments are stored, changed and deleted by their authors, in either database."""

from __future__ import annotations

import pytest

from assistant.core.audit import AuditLog
from assistant.core.debate_records import StoredDebate
from assistant.core.errors import ReviewError
from assistant.review import deciding
from assistant.review.comment_store import MAX_COMMENT_CHARACTERS, CommentStore, CommentThread
from tests.assistant import made_up


def thread_of_report():
    """Return the thread of the one match of the made-up report."""
    report = made_up.report()
    anchor = deciding.position_anchor(report, 1, report.sentences[0].matches[0])
    return CommentThread(deciding.key_of(anchor), anchor)


THREAD = thread_of_report()


@pytest.fixture
def comments(tmp_path):
    with CommentStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def texts(store):
    """Return the texts of the thread, oldest first."""
    return [comment.text for comment in store.comments([THREAD.key]).get(THREAD.key, [])]


def test_comments_are_there_when_the_database_is_opened_again(any_url):
    with CommentStore.open(any_url) as store:
        added = store.add(THREAD, "Ada", "Is it *this* <b>tunnel</b>?\n@Ben", ["Ben"])
        store.add(THREAD, "Ben", "Yes.", [])

    with CommentStore.open(any_url) as store:
        assert store.of_debate(THREAD.anchor.document, "", None) == [THREAD]
        assert store.comments([THREAD.key])[THREAD.key][0] == added
        assert texts(store) == ["Is it *this* <b>tunnel</b>?\n@Ben", "Yes."]
        (mention,) = store.mentions(since=0.0)
        assert (mention.person, mention.comment, mention.anchor) == ("Ben", added, THREAD.anchor)
        assert store.people() == ["Ada", "Ben"]


def test_an_edit_mentions_only_people_who_were_not_mentioned(comments):
    """A person whom the text no longer names isn't mentioned."""
    comment = comments.add(THREAD, "Ada", "@Ben @Cleo", ["Ben", "Cleo"])
    mentioned_at = {mention.person: mention.at for mention in comments.mentions(since=0.0)}

    edited = comments.edit(comment.id, "Ada", "@Cleo @Dan", ["Cleo", "Dan"])

    mentions = {mention.person: mention.at for mention in comments.mentions(since=0.0)}
    assert sorted(mentions) == ["Cleo", "Dan"]
    assert mentions["Cleo"] == mentioned_at["Cleo"]
    assert mentions["Dan"] == edited.edited
    assert texts(comments) == ["@Cleo @Dan"]


def test_a_deleted_comment_mentions_nobody(comments):
    comment = comments.add(THREAD, "Ada", "@Ben", ["Ben"])

    comments.delete(comment.id, "Ada")

    assert texts(comments) == []
    assert comments.mentions(since=0.0) == []


@pytest.mark.threat("reviewer")
def test_a_comment_of_another_person_cannot_be_changed(comments):
    comment = comments.add(THREAD, "Ada", "Mine.", [])

    with pytest.raises(ReviewError, match="this comment is by Ada"):
        comments.edit(comment.id, "Ben", "His.", [])
    with pytest.raises(ReviewError, match="this comment is by Ada"):
        comments.delete(comment.id, "Ben")

    assert texts(comments) == ["Mine."]


def test_a_comment_that_was_deleted_in_another_window_is_not_changed(comments):
    comment = comments.add(THREAD, "Ada", "Mine.", [])
    comments.delete(comment.id, "Ada")

    with pytest.raises(ReviewError, match="this comment was deleted"):
        comments.edit(comment.id, "Ada", "Again.", [])


@pytest.mark.parametrize("text", ["", "  \n ", "\x00\x07", "a" * (MAX_COMMENT_CHARACTERS + 1)])
def test_an_empty_or_endless_comment_is_refused(comments, text):
    with pytest.raises(ReviewError, match="the comment"):
        comments.add(THREAD, "Ada", text, [])

    assert comments.of_debate(THREAD.anchor.document, "", None) == []


def test_a_comment_needs_a_name(comments):
    with pytest.raises(ReviewError, match="needs the name"):
        comments.add(THREAD, " ", "Who?", [])


@pytest.mark.threat("reviewer")
def test_a_comment_has_no_marks_that_turn_its_text_around(comments):
    """Control characters and lone surrogates would abort a transaction."""
    comments.add(THREAD, "Ada", "safe\x00 \u202egnorw\ud800 end", [])

    assert texts(comments) == ["safe \ufffdgnorw end"]


def test_each_change_is_in_the_activity_log_without_its_text(comments, tmp_path):
    comment = comments.add(THREAD, "Ada", "secret", [])
    comments.edit(comment.id, "Ada", "secret too", [])
    comments.delete(comment.id, "Ada")

    with AuditLog.open(f"sqlite:///{tmp_path / 'lectern.db'}") as log:
        entries = [(entry.who, entry.what, entry.outcome) for entry in log.newest(9)]
        subjects = {entry.about for entry in log.newest(9)}
    assert entries == [
        ("Ada", "comment", "deleted"),
        ("Ada", "comment", "edited"),
        ("Ada", "comment", "added"),
    ]
    assert subjects == {THREAD.key}


def test_a_purge_deletes_the_comments_of_its_debate_only(comments):
    comments.add(THREAD, "Ada", "@Ben", ["Ben"])
    (debate,) = comments.debates()
    assert debate.record_counts == {"comments": 1}
    elsewhere = StoredDebate("f" * 64, "", "Elsewhere", None, 0.0)

    comments.purge(elsewhere)
    assert texts(comments) == ["@Ben"]
    comments.purge(debate)

    assert comments.debates() == []
    assert comments.mentions(since=0.0) == []
    assert comments.comments([THREAD.key]) == {}
