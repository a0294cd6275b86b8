"""The comments of a report: each thread at its match, by the words of its sentence.

A thread whose match is not in a report is listed, so that no comment is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.report import wording
from assistant.review import deciding, decision_placement, mentions
from assistant.review.comment_store import Comment, CommentStore, CommentThread
from assistant.review.debate_identity import note_debate, records_of_debate
from assistant.review.decision_placement import MatchKey
from assistant.review.decision_store import DecisionStore


@dataclass(frozen=True, slots=True)
class UnplacedThread:
    """A thread whose match is not in a report, with its comments."""

    thread: CommentThread
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True)
class PlacedComments:
    """The comments of a report, oldest first, by sentence number and claim id."""

    threads: Mapping[MatchKey, CommentThread] = field(default_factory=dict)
    comments: Mapping[MatchKey, tuple[Comment, ...]] = field(default_factory=dict)
    unplaced: tuple[UnplacedThread, ...] = ()

    def of_match(self, number: int, claim_id: str) -> tuple[Comment, ...]:
        """Return the comments on a match of a sentence."""
        return self.comments.get((number, claim_id), ())

    def counts(self) -> dict[int, int]:
        """Return the number of comments by sentence, without sentences that have none."""
        counts: dict[int, int] = defaultdict(int)
        for (number, _), comments in self.comments.items():
            counts[number] += len(comments)
        return dict(counts)


def placed_comments(
    store: CommentStore, transcripts: DecisionStore, report: Report
) -> PlacedComments:
    """Return the comments on the debate of a report, each at its match.

    ``transcripts`` recognises the debate in another file.
    """
    threads = records_of_debate(store, transcripts, report)
    comments_by_key = store.comments(thread.key for thread in threads)
    # A thread whose comments were all deleted has none.
    threads_with_comments = [thread for thread in threads if thread.key in comments_by_key]
    if not threads_with_comments:
        return PlacedComments()
    # Sentences are found by their words, because another file may number them differently.
    indices_by_words = decision_placement.sentence_indices(report)
    thread_by_match: dict[MatchKey, CommentThread] = {}
    comments_by_match: dict[MatchKey, list[Comment]] = defaultdict(list)
    unplaced = []
    for thread in threads_with_comments:
        comments = comments_by_key[thread.key]
        words = decision_placement.words_of(thread.anchor.text)
        indices = indices_by_words.get(words, [])
        # The one that stands between the same neighbours, None if no sentence fits
        index = decision_placement.sentence_index_of(report, indices, thread.anchor)
        claim_id = thread.anchor.claim_id
        if index is None or not _has_match(report.sentences[index], claim_id):
            unplaced.append(UnplacedThread(thread, tuple(comments)))
            continue
        match_key = (report.sentences[index].sentence.number, claim_id)
        thread_by_match.setdefault(match_key, thread)
        comments_by_match[match_key] += comments
    # Several threads may be about one match: their comments are one list, in order of time.
    sorted_comments = {}
    for match_key, comments in comments_by_match.items():
        sorted_comments[match_key] = tuple(sorted(comments, key=lambda comment: comment.made))
    return PlacedComments(thread_by_match, sorted_comments, tuple(unplaced))


def thread_of(
    placed_comments: PlacedComments,
    transcripts: DecisionStore,
    report: Report,
    number: int,
    match: Match,
) -> CommentThread:
    """Return the thread of a match, and note its debate; a new one for its first comment."""
    anchor = deciding.position_anchor(report, number, match)
    note_debate(transcripts, report, anchor)
    stored = placed_comments.threads.get((number, match.claim.id))
    return stored or CommentThread(deciding.key_of(anchor), anchor)


def mentioned_in(text: str, people: Iterable[str], author: str) -> mentions.Mentioned:
    """Return whom a comment mentions; its author is not told of their own comment."""
    mentioned = mentions.mentioned(text, people)
    others = tuple(person for person in mentioned.people if person != author)
    return replace(mentioned, people=others)


def with_comments(report: Report, placed_comments: PlacedComments) -> Report:
    """Return a report whose matches have their comments in words, for an export."""
    sentences = []
    for checked_sentence in report.sentences:
        number = checked_sentence.sentence.number
        matches = []
        for match in checked_sentence.matches:
            comments = placed_comments.of_match(number, match.claim.id)
            lines = tuple(comment_line(comment) for comment in comments)
            matches.append(replace(match, comments=lines) if lines else match)
        sentences.append(replace(checked_sentence, matches=tuple(matches)))
    return replace(report, sentences=tuple(sentences))


def comment_line(comment: Comment) -> str:
    """Return a comment in one line: who, when and the text."""
    text = " ".join(comment.text.split())
    return f"{comment.by}, {moment_words(comment.made)}: {text}"


def moment_words(seconds: float) -> str:
    """Return a time in UTC, as the times of decisions: ``11 Sep 2024, 09:30``."""
    return wording.moment(datetime.fromtimestamp(seconds, UTC).isoformat())


def _has_match(checked_sentence: CheckedSentence, claim_id: str) -> bool:
    return any(match.claim.id == claim_id for match in checked_sentence.matches)
