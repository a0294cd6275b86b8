"""Asks which decision counts after two people decided on the same match at once.

Both decisions are stored before the question. The one that came first counts until it is answered.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.core.access import Role
from assistant.core.errors import DecisionConflict, LecternError
from assistant.report import wording
from assistant.review import deciding
from assistant.review.deciding import ContestedDecision
from assistant.ui import account
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape

CONTESTED_KEY = "contested_decisions"  # in the session: the open questions, oldest first


def ask(contested: Sequence[ContestedDecision]) -> None:
    """Ask for each decision that came second whether it counts."""
    st.session_state[CONTESTED_KEY] = [*_open_questions(), *contested]


def draw_question(shown_number: int) -> None:
    """Draw the oldest open question in one line; nothing without one.

    ``shown_number`` is the number of the sentence on the card.
    """
    questions = _open_questions()
    if not questions:
        return
    question = questions[0]
    words = question_words(question)
    if question.sentence_number != shown_number:
        words = f"Sentence {question.sentence_number}: {words}"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="contested_decision"
    ):
        st.html(f'<p class="lx-warn" role="alert">{escape(words)}</p>', width="stretch")
        st.button("Keep theirs", key="take_theirs", on_click=_keep_theirs, args=(question,))
        st.button("Keep mine", key="take_mine", on_click=_keep_mine, args=(question,))


def question_words(question: ContestedDecision) -> str:
    """Return the question in one line: both decisions, and whose counts."""
    their_decision = (
        question.counting_record.decision
    )  # None: the other person has undone a decision
    own_words = _verdict_words(question.decision.verdict, question.decision.reason)
    if their_decision is None:
        conflict_words = "The decision was undone while you were deciding."
    else:
        their_words = _verdict_words(their_decision.verdict, their_decision.reason)
        conflict_words = f"{their_decision.by} chose {their_words} while you were deciding."
    return f"{conflict_words} You chose {own_words}. Which counts?"


def _verdict_words(verdict: str, reason: str) -> str:
    verdict_words = wording.VERDICTS.get(verdict, verdict)
    return f"{verdict_words} ({reason})" if reason else verdict_words


def _open_questions() -> list[ContestedDecision]:
    questions: list[ContestedDecision] = st.session_state.get(CONTESTED_KEY, [])
    return questions


def _close(question: ContestedDecision) -> None:
    open_questions = [other for other in _open_questions() if other != question]
    st.session_state[CONTESTED_KEY] = open_questions


def _keep_theirs(question: ContestedDecision) -> None:
    """Leave the other person's decision as the one that counts."""
    _close(question)


def _keep_mine(question: ContestedDecision) -> None:
    """Let the person's own decision count; ask again if there is a newer one."""
    _close(question)
    try:
        account.require(Role.REVIEWER)
        deciding.follow(decisions(), question.counting_record, question.decision)
    except DecisionConflict as error:
        ask([ContestedDecision(question.sentence_number, error.theirs, question.decision)])
    except LecternError as error:
        st.session_state["refused"] = str(error)
