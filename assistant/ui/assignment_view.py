"""Assignments on the screen: the menu that assigns, the filter Mine, and debates of a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Report
from assistant.core.errors import LecternError
from assistant.jobs.report_store import ReportHead
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.review import assignment_placement
from assistant.review.assignment_placement import AssignedSentences
from assistant.review.assignment_store import AssignedMatch, Assignment
from assistant.ui import account, comment_view
from assistant.ui.sentence_list import Row
from assistant.ui.shared_resources import assignments, decisions
from assistant.ui.shown_text import escape

PERSON_KEY = "assign_person"
EXTENT_KEY = "assign_extent"
NOTICE_KEY = "assign_notice"  # in the session: a line about the last assignment
MINE_KEY = "mine"  # in the address of a debate
MY_DEBATES_KEY = "my_debates"
SHOWN_STATEMENTS = "The statements shown"
WHOLE_DEBATE = "The whole debate"
MAX_NAMED_ASSIGNEES = 3
NAME_MISSING = (
    "Enter your name on the card of a statement first: an assignment records who made it."
)
NO_COLLEAGUE_KNOWN = (
    "Only your own name is known here. A colleague is listed after using this Lectern once."
)


def debate_assignments(report: Report) -> list[Assignment]:
    """Return the assignments on a debate as they are now."""
    return assignment_placement.assignments_of(assignments(), decisions(), report)


def draw_mine(
    report: Report, rows: Sequence[Row], debate_assignments: Sequence[Assignment]
) -> frozenset[int] | None:
    """Draw the filter Mine with its count, and return its sentences, None if it is off.

    Nothing is drawn unless something is assigned to the visitor.
    """
    assigned_sentences = assignment_placement.assigned_sentences(
        debate_assignments, report, account.name()
    )
    if assigned_sentences is None:
        return None
    # only rows with a match have a strength
    assigned_row_count = sum(
        1 for row in rows if row.strength and row.number in assigned_sentences.numbers
    )
    is_filter_on = st.checkbox(
        escape_markdown(f"Mine  {assigned_row_count:,}"),
        key=MINE_KEY,
        bind="query-params",
        help=escape_markdown(_mine_help(assigned_sentences)),
    )
    return assigned_sentences.numbers if is_filter_on else None


def draw_assign_menu(
    report: Report,
    rows: Iterable[Row],
    debate_assignments: Sequence[Assignment],
    *,
    every_match: bool,
) -> None:
    """Draw the menu that assigns the debate, or the statements that the list shows."""
    if not account.has_role(Role.REVIEWER):
        return
    matched_numbers = [row.number for row in rows if row.strength]  # the sentences with a match
    assignable_matches = assignment_placement.shown_matches(
        report, matched_numbers, every_match=every_match
    )
    with st.popover("Assign", key="assign_menu"):
        notice = st.session_state.pop(NOTICE_KEY, "")
        if notice:
            st.html(f'<p class="lx-line" role="status">{escape(notice)}</p>')
        if not account.name():
            st.html(f'<p class="lx-soft">{NAME_MISSING}</p>')
            return
        _draw_choice(report, matched_numbers, assignable_matches)
        for assignment in debate_assignments:
            _draw_assignment(assignment)


def debates_filter(
    listed_documents: Iterable[str],
) -> tuple[Callable[[ReportHead], bool], dict[str, list[str]]]:
    """Draw the filter Mine of the list of debates.

    Return whether a debate passes it, and the people to whom each document is assigned.
    """
    people_by_document: dict[str, list[str]] = defaultdict(list)
    for assignment in assignments().all():
        people = people_by_document[assignment.document]
        if assignment.person not in people:
            people.append(assignment.person)
    visitor_assignments = assignments().of_person(account.name())
    assigned_documents = {assignment.document for assignment in visitor_assignments}
    assigned_documents &= set(listed_documents)
    is_filter_on = False
    if assigned_documents:
        label = f"Mine  {len(assigned_documents):,}"
        is_filter_on = st.checkbox(escape_markdown(label), key=MY_DEBATES_KEY)

    def passes_filter(report_head: ReportHead) -> bool:
        return not is_filter_on or report_head.document in assigned_documents

    return passes_filter, people_by_document


def assigned_words(people: Sequence[str]) -> str:
    """Return to whom a debate is assigned, "" without anybody."""
    if not people:
        return ""
    return f"assigned to {wording.enumerated(people, MAX_NAMED_ASSIGNEES)}"


def _draw_choice(
    report: Report, matched_numbers: Sequence[int], assignable_matches: Sequence[AssignedMatch]
) -> None:
    """Draw the fields of a new assignment and its button."""
    # includes the visitor
    known_people = comment_view.known_people()
    if known_people == [account.name()]:
        st.html(f'<p class="lx-soft">{NO_COLLEAGUE_KNOWN}</p>')
    st.selectbox("Person", known_people, key=PERSON_KEY)
    # without a match in the list only the debate can be assigned
    extents = [SHOWN_STATEMENTS, WHOLE_DEBATE] if assignable_matches else [WHOLE_DEBATE]
    st.radio(
        "Review",
        extents,
        key=EXTENT_KEY,
        format_func=lambda extent: _extent_label(extent, len(matched_numbers)),
    )
    st.button("Assign", key="assign", on_click=_assign, args=(report, tuple(assignable_matches)))


def _extent_label(extent: str, count: int) -> str:
    return f"{extent} ({count:,})" if extent == SHOWN_STATEMENTS else extent


def _draw_assignment(assignment: Assignment) -> None:
    """Draw an assignment in one line with a button that removes it."""
    assigned_on = wording.day(datetime.fromtimestamp(assignment.made, UTC).date())
    extent_words = assignment_placement.extent_words(assignment)
    assignment_line = f"{assignment.person}: {extent_words} · by {assignment.by}, {assigned_on}"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"assigned_{assignment.id}"
    ):
        st.html(f'<p class="lx-soft lx-tight">{escape(assignment_line)}</p>', width="stretch")
        st.button(
            "Remove",
            key=f"unassign_{assignment.id}",
            type="tertiary",
            on_click=_unassign,
            args=(assignment,),
        )


def _mine_help(own_sentences: AssignedSentences) -> str:
    help_text = "Shows only the statements that are assigned to you."
    if own_sentences.missing:
        missing = wording.count(own_sentences.missing, "assigned match is", "assigned matches are")
        help_text += f" {missing} not in this report."
    return help_text


def _assign(report: Report, matches: tuple[AssignedMatch, ...]) -> None:
    """Store an assignment of the shown matches, or of the whole debate."""
    account.require(Role.REVIEWER)
    person = st.session_state.get(PERSON_KEY) or ""
    is_whole_debate = st.session_state.get(EXTENT_KEY) == WHOLE_DEBATE
    try:
        transcript = assignment_placement.noted_transcript(decisions(), report)
        assigned_matches = None if is_whole_debate else matches
        assignment = assignments().add(transcript, person, account.name(), assigned_matches)
    except LecternError as error:
        st.session_state[NOTICE_KEY] = str(error)
    else:
        extent = assignment_placement.extent_words(assignment)
        st.session_state[NOTICE_KEY] = f"Assigned to {assignment.person}: {extent}."


def _unassign(assignment: Assignment) -> None:
    """Delete an assignment."""
    account.require(Role.REVIEWER)
    try:
        assignments().remove(assignment.id, account.name())
    except LecternError as error:
        st.session_state[NOTICE_KEY] = str(error)
