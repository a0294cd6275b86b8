"""The thread of a match is found again in later reports, and none is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import reports
from assistant.review import comment_threads
from assistant.review.comment_store import CommentStore
from assistant.review.comment_threads import PlacedComments, placed_comments
from tests.assistant import made_up


@pytest.fixture
def comments(tmp_path):
    with CommentStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def comment_on(comments, store, report, text="Look."):
    """Comment on the first match of the first sentence of a report."""
    match = report.sentences[0].matches[0]
    placed = placed_comments(comments, store, report)
    number = report.sentences[0].sentence.number
    thread = comment_threads.thread_of(placed, store, report, number, match)
    return comments.add(thread, "Ada", text, [])


def texts_of(placed: PlacedComments) -> dict:
    return {
        place: [comment.text for comment in comments] for place, comments in placed.comments.items()
    }


def test_a_match_has_one_thread(comments, store):
    report = made_up.report()
    comment_on(comments, store, report, "First.")
    comment_on(comments, store, report, "Second.")

    placed = placed_comments(comments, store, report)

    assert texts_of(placed) == {(1, made_up.VCLAIM.id): ["First.", "Second."]}
    assert placed.counts() == {1: 2}
    assert len(comments.of_debate(report.transcript.source.sha256, "", None)) == 1


def changed(report, **values):
    """Return a report whose first sentence has other values."""
    first = report.sentences[0]
    sentence = replace(first.sentence, **values)
    sentences = (replace(first, sentence=sentence), *report.sentences[1:])
    transcript = replace(report.transcript, sentences=tuple(it.sentence for it in sentences))
    return replace(report, sentences=sentences, transcript=transcript)


@pytest.mark.parametrize(
    "values",
    [
        {"text": "the tunnel has been open since 1994"},
        {"text": "The tunnel has been open  since 1994!"},
        {"number": 7},
        {"speaker": "SOMEBODY ELSE", "number": 1},
    ],
)
def test_a_thread_is_found_again_by_the_words_of_its_sentence(comments, store, values):
    report = made_up.report()
    comment_on(comments, store, report)
    later = changed(report, **values)

    placed = placed_comments(comments, store, later)

    number = values.get("number", 1)
    assert texts_of(placed) == {(number, made_up.VCLAIM.id): ["Look."]}
    assert placed.unplaced == ()


def without_matches(report):
    first = replace(report.sentences[0], matches=())
    return replace(report, sentences=(first, *report.sentences[1:]))


@pytest.mark.parametrize(
    "later",
    [
        without_matches(made_up.report()),
        changed(made_up.report(), text="The tunnel has been open since 1995."),
    ],
    ids=["match gone", "another year"],
)
def test_a_thread_without_its_match_is_listed(comments, store, later):
    comment_on(comments, store, made_up.report())

    placed = placed_comments(comments, store, later)

    assert texts_of(placed) == {}
    (unplaced,) = placed.unplaced
    assert [comment.text for comment in unplaced.comments] == ["Look."]


def test_comments_follow_their_debate_into_another_file(comments, store):
    """The same sentences on the same day; the title may be another one."""
    report = made_up.report()
    comment_on(comments, store, report)
    source = replace(report.transcript.source, sha256="b" * 64, name="again.txt")
    again = replace(report.transcript, source=source, title="Another title")

    placed = placed_comments(comments, store, replace(report, transcript=again))

    assert placed.counts() == {1: 1}


def test_comments_of_another_debate_of_the_day_are_not_shown(comments, store):
    report = made_up.report()
    comment_on(comments, store, report)
    other = made_up.report("Completely different words were said at this one.")
    source = replace(other.transcript.source, sha256="c" * 64)
    sentences = tuple(
        replace(sentence, text=f"Nothing of that kind, number {sentence.number}, was said here.")
        for sentence in other.transcript.sentences
    )
    transcript = replace(other.transcript, source=source, sentences=sentences)

    assert placed_comments(comments, store, replace(other, transcript=transcript)).counts() == {}


def test_an_author_is_not_told_of_their_own_comment():
    mentioned = comment_threads.mentioned_in("@Ada @Ben @Bob", ["Ada", "Ben"], "Ada")

    assert (mentioned.people, mentioned.unknown) == (("Ben",), ("Bob",))


def test_comments_are_in_a_report_only_when_asked(comments, store):
    """A form for programs never has them: the JSON report stays as it is."""
    report = made_up.report()
    comment_on(comments, store, report, "internal <b>words</b>\nof two lines")
    asked = comment_threads.with_comments(report, placed_comments(comments, store, report))

    (line,) = asked.sentences[0].matches[0].comments
    assert line.startswith("Ada, ")
    assert line.endswith(": internal <b>words</b> of two lines")
    assert reports.render(asked, "json") == reports.render(report, "json")
