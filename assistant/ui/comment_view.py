"""The comments on the match of a card: the thread, a field for one more, and changes of one's own.

Readers read the thread; people with the reviewer role write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Match, Report
from assistant.core.errors import LecternError
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.review import comment_threads, mentions
from assistant.review.comment_store import MAX_COMMENT_CHARACTERS, Comment
from assistant.review.comment_threads import PlacedComments, UnplacedThread
from assistant.review.review_queue import ReviewItem
from assistant.ui import account, joined_changes, login_settings
from assistant.ui.component import component
from assistant.ui.sentence_list import Row
from assistant.ui.shared_resources import assignments, audit_log, comments, decisions
from assistant.ui.shown_text import escape

SHOWN_COMMENTS = 3  # the newest ones; the others are one click away
NOTICE_KEY = "comment_notice"  # in the session: a line about the last comment
ALL_COMMENTS_KEY = "all_comments_of"  # in the session: the match whose earlier comments are shown
MAX_NAMED_PEOPLE = 12


@dataclass(frozen=True, slots=True)
class ThreadView:
    """The thread of the match on the card."""

    report: Report
    number: int
    match: Match
    placed: PlacedComments
    name: str

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Return the comments on the match, oldest first."""
        return self.placed.of_match(self.number, self.match.claim.id)


def current_comments(report: Report) -> PlacedComments:
    """Return the comments on a report as they are now."""
    return comment_threads.placed_comments(comments(), decisions(), report)


def known_people() -> list[str]:
    """Return everybody who may be mentioned, or to whom something may be assigned."""
    names = {*decisions().people(), *comments().people(), *assignments().people()}
    if account.name():
        names.add(account.name())
    entries = login_settings.start_settings().access.entries
    return mentions.known_people(names, actors=audit_log().people(), entries=entries)


def with_counts(rows: Iterable[Row], counts: Mapping[int, int]) -> tuple[Row, ...]:
    """Return rows with the number of comments on their sentences."""
    if not counts:
        return tuple(rows)
    counted_rows = []
    for row in rows:
        # a row of a passage counts the comments on all its sentences
        numbers = {row.number, *row.other_sentences}
        total = sum(counts.get(number, 0) for number in numbers)
        counted_rows.append(replace(row, comments=total) if total else row)
    return tuple(counted_rows)


def draw_thread(report: Report, item: ReviewItem) -> None:
    """Draw the comments on the match of a card; a field for one more if the visitor may write."""
    placed = current_comments(report)
    thread = ThreadView(report, item.checked.sentence.number, item.match, placed, item.name)
    with st.container(key="comments", gap="xxsmall"):
        _draw_comments(thread)
        notice = st.session_state.pop(NOTICE_KEY, "")
        if notice:
            st.html(f'<p class="lx-warn" role="status">{escape(notice)}</p>')
        if account.has_role(Role.REVIEWER) and account.name():
            _draw_field(thread)


def draw_unplaced(unplaced: Sequence[UnplacedThread]) -> None:
    """List the comments whose match is not in this report."""
    if not unplaced:
        return
    total = sum(len(thread.comments) for thread in unplaced)
    count = wording.count(total, "comment")
    with st.expander(f"{count} without a place in this report", key="unplaced_comments"):
        for unplaced_thread in unplaced:
            anchor = unplaced_thread.thread.anchor  # the words of the sentence and the claim
            about = escape(f"“{anchor.text}” — {anchor.statement}")
            lines = "".join(comment_html(comment) for comment in unplaced_thread.comments)
            st.html(f'<p class="lx-line">{about}</p>{lines}')


def comment_html(comment: Comment) -> str:
    """Return a comment as HTML: who, when and the text."""
    time_words = comment_threads.moment_words(comment.made)
    if comment.edited is not None:
        time_words += ", edited"
    return (
        f'<div class="lx-comment"><b>{escape(comment.by)}</b> '
        f'<span class="lx-soft">{escape(time_words)}</span> '
        f"<span>{escape(comment.text)}</span></div>"
    )


def _draw_comments(thread: ThreadView) -> None:
    shown_comments = thread.comments  # oldest first
    earlier_count = len(shown_comments) - SHOWN_COMMENTS
    shows_all = st.session_state.get(ALL_COMMENTS_KEY) == thread.name
    if earlier_count > 0 and not shows_all:
        shown_comments = shown_comments[earlier_count:]
        st.button(
            escape_markdown(f"Show {wording.count(earlier_count, 'earlier comment')}"),
            key="earlier_comments",
            type="tertiary",
            on_click=_show_all,
            args=(thread.name,),
        )
    own_name = account.name() if account.has_role(Role.REVIEWER) else ""
    for comment in shown_comments:
        if comment.by == own_name:
            _draw_own_comment(comment)
        else:
            st.html(comment_html(comment))


def _draw_own_comment(comment: Comment) -> None:
    """Draw a comment with the menu in which its author changes or deletes it."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=f"own_{comment.id}"
    ):
        st.html(comment_html(comment), width="stretch")
        with st.popover("…", type="tertiary", key=f"own_menu_{comment.id}", help="Edit or delete"):
            text_key = f"own_text_{comment.id}"
            st.text_area(
                "Your comment",
                value=comment.text,
                key=text_key,
                max_chars=MAX_COMMENT_CHARACTERS,
            )
            with st.container(horizontal=True, gap="small"):
                st.button(
                    "Save",
                    key=f"own_save_{comment.id}",
                    on_click=_edit,
                    args=(comment, text_key),
                )
                st.button(
                    "Delete", key=f"own_delete_{comment.id}", on_click=_delete, args=(comment,)
                )


def _draw_field(thread: ThreadView) -> None:
    key = f"comment_{thread.name}"
    st.chat_input(
        "Comment, @name tells a colleague",
        key=key,
        max_chars=MAX_COMMENT_CHARACTERS,
        on_submit=_add,
        args=(thread, key),
    )
    component("comment_key")(key="comment_key")


def _show_all(name: str) -> None:
    st.session_state[ALL_COMMENTS_KEY] = name


def _add(thread: ThreadView, key: str) -> None:
    """Store the typed comment."""

    def add_comment(text: str, author: str, people: Iterable[str]) -> None:
        stored_thread = comment_threads.thread_of(
            thread.placed, decisions(), thread.report, thread.number, thread.match
        )
        comments().add(stored_thread, author, text, people)

    account.require(Role.REVIEWER)
    _store(st.session_state[key] or "", add_comment)


def _edit(comment: Comment, text_key: str) -> None:
    """Store the changed text of a person's own comment."""

    def edit_comment(text: str, author: str, people: Iterable[str]) -> None:
        comments().edit(comment.id, author, text, people)

    account.require(Role.REVIEWER)
    _store(st.session_state[text_key] or "", edit_comment)


def _delete(comment: Comment) -> None:
    """Delete a person's own comment."""
    account.require(Role.REVIEWER)
    try:
        comments().delete(comment.id, account.name())
    except LecternError as error:
        st.session_state[NOTICE_KEY] = str(error)
    joined_changes.redraw("finder")


def _store(text: str, write: Callable[[str, str, Iterable[str]], None]) -> None:
    """Store a text with the people it mentions, and say which names are unknown.

    ``write`` gets the text, its author and the people mentioned.
    """
    author = account.name()
    mentioned = comment_threads.mentioned_in(text, known_people(), author)
    try:
        write(text, author, mentioned.people)
    except LecternError as error:
        st.session_state[NOTICE_KEY] = str(error)
    else:
        st.session_state[NOTICE_KEY] = unknown_words(mentioned.unknown)
    joined_changes.redraw("finder")


def unknown_words(names: Sequence[str]) -> str:
    """Return a line about mentioned names that are not clear, "" without any."""
    if not names:
        return ""
    unclear_names = wording.enumerated([f"@{name}" for name in names], len(names))
    other_people = [person for person in known_people() if person != account.name()]
    hint = "Nobody else has used Lectern here yet."
    if other_people:
        hint = f"You can mention {wording.enumerated(other_people, MAX_NAMED_PEOPLE)}."
    return f"The comment is stored, but {unclear_names} isn't one known person. {hint}"
