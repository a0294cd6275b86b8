"""The speakers of a transcript before its check: doubtful labels, names, merged and split ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import DoubtfulLabel, SpeakerRole
from assistant.core.errors import LecternError
from assistant.jobs.reading_choices import LabelVerdict, ReadingChoice
from assistant.jobs.transcript_draft import (
    SpeakerSummary,
    TranscriptDraft,
    is_anonymous,
    unused_labels,
)
from assistant.passages.speaker_roles import speaker_roles
from assistant.report import wording
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account
from assistant.ui.draft_session import change_draft, show_error
from assistant.ui.shared_resources import reading_choices
from assistant.ui.shown_text import draw_error, escape
from assistant.ui.turn_preview import UNKNOWN_WORDS, SpokenTurn, turn_words, turns_of

MAX_SPEAKER_FIELDS = 30
MAX_DOUBTFUL_LABELS = 30
MAX_QUOTE_CHARACTERS = 90
MAX_SHOWN_LINES = 5
NO_EFFECT = "You can change the speaker of the sentences instead."
NUMBERS_EXAMPLE = "12-15, 20"
# The words for a role that the turns show
LIKELY_ROLE_WORDS = {
    SpeakerRole.MODERATOR: "may moderate",
    SpeakerRole.CANDIDATE: "may be a candidate",
    SpeakerRole.AUDIENCE: "may ask from the audience",
}


def draw_doubtful_labels(draft: TranscriptDraft) -> None:
    """Draw the lines that may be speaker labels, each label with a button to accept it."""
    doubtful_labels = draft.as_read.doubtful_labels
    if not doubtful_labels:
        return
    lines_by_label: dict[str, list[DoubtfulLabel]] = defaultdict(list)
    for doubtful_label in doubtful_labels:
        lines_by_label[doubtful_label.label].append(doubtful_label)
    st.html(
        '<h2 class="lx-h4">Lines that may be speaker labels</h2>'
        '<p class="lx-soft lx-tight">Until you decide, the speaker of these words is unknown.</p>'
    )
    for index, (label, label_lines) in enumerate(lines_by_label.items()):
        if index == MAX_DOUBTFUL_LABELS:
            hidden_count = len(lines_by_label) - MAX_DOUBTFUL_LABELS
            st.html(f'<p class="lx-soft">and {wording.count(hidden_count, "more label")}</p>')
            return
        _draw_doubtful_label(draft, index, label, label_lines)


def _draw_doubtful_label(
    draft: TranscriptDraft, index: int, label: str, lines: Sequence[DoubtfulLabel]
) -> None:
    numbers = ", ".join(str(doubtful.line) for doubtful in lines[:MAX_SHOWN_LINES])
    if len(lines) > MAX_SHOWN_LINES:
        numbers += " …"
    position = f"line {numbers}" if len(lines) == 1 else f"{len(lines)} lines: {numbers}"
    quote = _shortened(lines[0].text)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"doubt_{index}"
    ):
        st.html(
            f'<p class="lx-line"><b>{escape(label)}</b> <span class="lx-soft">{position}</span> '
            f"“{escape(quote)}”</p>",
            width="stretch",
        )
        if not account.has_role(Role.REVIEWER):
            return
        if st.button(f"{escape_markdown(label)} is a speaker", key=f"accept_{label}"):
            _decide(draft, lambda: _accepted(draft, label))
        if st.button("Not a speaker", key=f"refuse_{label}", type="tertiary"):
            _decide(draft, lambda: draft.refusing(label))


def draw_speakers(draft: TranscriptDraft, classes: dict[str | None, str]) -> None:
    """Draw the speakers with their turns, fields to rename and merge them, and the changes."""
    summaries = draft.summaries()
    st.html('<h2 class="lx-h4">Speakers</h2>')
    if all(summary.speaker is None for summary in summaries):
        st.html('<p class="lx-line">No speaker is named.</p>')
    names = [summary.speaker for summary in summaries if summary.speaker]
    may_change = account.has_role(Role.REVIEWER)
    transcript = draft.transcript
    # roles that a person chose, and with them those guessed from the words of the speakers
    chosen_roles = dict(transcript.speaker_roles)
    roles = speaker_roles(transcript.sentences, chosen_roles)
    for index, summary in enumerate(_most_turns_at_top(summaries)):
        role = roles.get(summary.speaker) if summary.speaker else None
        role_words = LIKELY_ROLE_WORDS.get(role, "") if role else ""  # only a guess: "may"
        if summary.speaker in chosen_roles:
            role_words = str(chosen_roles[summary.speaker])
        html = _summary_html(summary, classes.get(summary.speaker, ""), role_words)
        # only the speakers with most turns have fields
        if summary.speaker is None or not may_change or index >= MAX_SPEAKER_FIELDS:
            st.html(html)
        else:
            _draw_speaker(draft, summary.speaker, names, role, html)
    if not may_change:
        return
    _draw_changes(draft)
    if names:
        with st.expander("Merge several speakers"), st.form("merge", border=False):
            _draw_merge_fields(draft, names)
    with st.expander("Split a speaker"):
        _draw_split_fields(draft, [*names, *_unknown_name(summaries)])
    with st.expander("Add a speaker label"), st.form("add_label", border=False):
        _draw_label_field(draft)
    with st.expander("Change the speaker of sentences"), st.form("reassign", border=False):
        _draw_sentence_fields(draft)


def _most_turns_at_top(summaries: Sequence[SpeakerSummary]) -> list[SpeakerSummary]:
    return sorted(summaries, key=lambda summary: (summary.speaker is None, -summary.turn_count))


def _unknown_name(summaries: Sequence[SpeakerSummary]) -> list[str]:
    has_unknown = any(summary.speaker is None for summary in summaries)
    return [UNKNOWN_WORDS] if has_unknown else []


def _summary_html(summary: SpeakerSummary, colour_class: str, role_words: str) -> str:
    counts = wording.count(summary.sentence_count, "sentence")
    if summary.speaker is not None:  # the number of people behind the others isn't known
        counts = f"{wording.count(summary.turn_count, 'turn')}, {counts}"
    if role_words:
        counts += f", {role_words}"
    evidence = ""
    if summary.evidence:
        evidence = f'<br><span class="lx-soft">{escape(summary.evidence)}</span>'
    return (
        f'<p class="lx-line"><span class="lx-dot {colour_class}" aria-hidden="true"></span>'
        f"<b>{escape(summary.speaker or UNKNOWN_WORDS)}</b><br>"
        f'<span class="lx-count">{counts}</span>{evidence}</p>'
    )


def _draw_speaker(
    draft: TranscriptDraft, speaker: str, names: Sequence[str], role: SpeakerRole | None, html: str
) -> None:
    with st.container(key=f"speaker_{names.index(speaker)}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="top", gap="small"):
            st.html(html, width="stretch")
            if st.button("Not a speaker", key=f"not_{speaker}", type="tertiary"):
                _decide(draft, lambda: draft.without_speaker(speaker))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            chosen_name = st.selectbox(
                f"New name of {escape_markdown(speaker)}, or a speaker to merge with",
                [name for name in names if name != speaker],
                index=None,
                placeholder="Rename, or merge with",
                accept_new_options=True,
                label_visibility="collapsed",
                width=240,
                key=f"name_{speaker}",
            )
            chosen_role = _draw_role_field(speaker, role)
        if chosen_name and chosen_name.strip() and chosen_name != speaker:
            change_draft(draft.renamed(speaker, chosen_name))
        if chosen_role is not None and chosen_role is not role:
            change_draft(draft.with_role(speaker, chosen_role))


def _draw_role_field(speaker: str, role: SpeakerRole | None) -> SpeakerRole | None:
    """Draw the field for the role of a speaker, and return the role in it."""
    roles = list(SpeakerRole)
    role_index = None if role is None else roles.index(role)
    role_name = st.selectbox(
        f"Role of {escape_markdown(speaker)}",
        [str(each_role) for each_role in roles],
        index=role_index,
        placeholder="Role",
        format_func=str.capitalize,
        label_visibility="collapsed",
        width=140,
        # A new key for each role: the field follows a role that is undone.
        key=f"role_{speaker}_{role}",
    )
    return SpeakerRole(role_name) if role_name else None


def _draw_changes(draft: TranscriptDraft) -> None:
    """Draw what was changed, by a person now or for an earlier file, each with a way back."""
    changes = _changes(draft)
    if not changes:
        return
    st.html('<h2 class="lx-h4">Changes</h2>')
    for change in changes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<p class="lx-line">{escape(change.words)}</p>', width="stretch")
            if st.button("Undo", key=f"undo_{change.key}", type="tertiary"):
                _decide(draft, change.undo)
    _draw_lost_sentences(draft)


class DraftChange(NamedTuple):
    """A change of a draft: the key of its button, its words, and the draft without it."""

    key: str
    words: str
    undo: Callable[[], TranscriptDraft]


def _changes(draft: TranscriptDraft) -> list[DraftChange]:
    """Return the changes of labels, names, roles and sentences, in this order."""
    changes = []
    # choices for an earlier file that this file took over
    reused_choices = {(choice.label, choice.verdict) for choice in draft.reused}
    for label in draft.label_choices.accepted:
        reuse_mark = _reuse_mark((label, LabelVerdict.SPEAKER) in reused_choices)
        change_words = f"“{label}” is a speaker label{reuse_mark}"
        changes.append(
            DraftChange(f"accepted_{label}", change_words, partial(draft.undecided, label))
        )
    for label in draft.label_choices.refused:
        reuse_mark = _reuse_mark((label, LabelVerdict.NOT_A_SPEAKER) in reused_choices)
        change_words = f"“{label}” is not a speaker{reuse_mark}"
        changes.append(
            DraftChange(f"refused_{label}", change_words, partial(draft.undecided, label))
        )
    for label, new_name in draft.new_names.items():
        reuse_mark = _reuse_mark((label, LabelVerdict.RENAMED) in reused_choices)
        change_words = f"{label} is {new_name or 'unknown'}{reuse_mark}"
        if is_anonymous(label):
            change_words += " (for this file only)"
        undo = partial(draft.with_read_name, label)
        changes.append(DraftChange(f"renamed_{label}", change_words, undo))
    for name, role in draft.roles.items():
        reuse_mark = _reuse_mark((name, LabelVerdict.ROLE) in reused_choices)
        change_words = f"{name}: {role}{reuse_mark}"
        changes.append(DraftChange(f"role_{name}", change_words, partial(draft.without_role, name)))
    if draft.sentence_speakers:
        sentence_count = wording.count(len(draft.sentence_speakers), "sentence")
        change_words = f"{sentence_count} with another speaker (for this file only)"
        changes.append(DraftChange("sentences", change_words, draft.with_read_sentences))
    return changes


def _draw_lost_sentences(draft: TranscriptDraft) -> None:
    lost_count = draft.unaffected_sentences()
    if lost_count:
        count = wording.count(lost_count, "changed sentence")
        st.html(
            f'<p class="lx-warn">The file was read again, and {count} can’t be found in it '
            "any more. Change the speaker there again.</p>"
        )


def _reuse_mark(is_reused: bool) -> str:
    return ", as in the last similar file" if is_reused else ""


def draw_reused_choices(draft: TranscriptDraft) -> None:
    """Say which choices of an earlier file are used, with a button to forget them."""
    if not draft.reused:
        return
    # the debates whose choices are used, each once
    titles = dict.fromkeys(choice.title for choice in draft.reused if choice.title)
    origin_words = f" ({', '.join(titles)})" if titles else ""
    choice_phrases = "; ".join(_choice_words(choice) for choice in draft.reused)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="reused"):
        st.html(
            f'<p class="lx-line"><b>As in the last similar file</b>{escape(origin_words)}: '
            f"{escape(choice_phrases)}.</p>",
            width="stretch",
        )
        if account.has_role(Role.REVIEWER) and st.button(
            "Forget these choices", key="forget_choices"
        ):
            _decide(draft, lambda: _forgetting(draft))


def _choice_words(choice: ReadingChoice) -> str:
    if choice.verdict is LabelVerdict.RENAMED:
        return f"{choice.label} is {choice.new_name or 'unknown'}"
    if choice.verdict is LabelVerdict.ROLE:
        return f"{choice.label}: {choice.new_name}"
    if choice.verdict is LabelVerdict.SPEAKER:
        return f"“{choice.label}” is a speaker label"
    return f"“{choice.label}” is not a speaker"


def _forgetting(draft: TranscriptDraft) -> TranscriptDraft:
    # first, because it may fail: the stored choices are then kept
    unchanged = draft.without_reused()
    reading_choices().forget(draft.reused)
    return unchanged


def _accepted(draft: TranscriptDraft, label: str) -> TranscriptDraft:
    """Return the draft with a label accepted; say so if the format takes no notice of it."""
    accepting = draft.accepting(label)
    if any(doubtful.label == label for doubtful in accepting.as_read.doubtful_labels):
        draw_error(f"This format doesn’t let “{label}” be accepted. {NO_EFFECT}")
        return draft
    return accepting


def _decide(draft: TranscriptDraft, change: Callable[[], TranscriptDraft]) -> None:
    """Make a change, and draw the page again; show an error if it fails."""
    try:
        account.require(Role.REVIEWER)
        changed_draft = change()
    except LecternError as error:
        show_error(error)
        return
    if changed_draft != draft:
        change_draft(changed_draft)


def _draw_label_field(draft: TranscriptDraft) -> None:
    """Draw a field for a label that was taken for speech."""
    label = st.text_input("Label as the file writes it", placeholder="tom", key="added_label")
    if st.form_submit_button("Add") and label.strip():
        _decide(draft, lambda: _added(draft, " ".join(label.split()).removesuffix(":")))


def _added(draft: TranscriptDraft, label: str) -> TranscriptDraft:
    accepting = draft.accepting(label)
    if unused_labels(accepting.as_read, [label]):
        draw_error(f"No line begins with the label “{label}”. {NO_EFFECT}")
        return draft
    return accepting


def _draw_merge_fields(draft: TranscriptDraft, names: Sequence[str]) -> None:
    merged_speakers = st.multiselect("Speakers", names, key="merged_speakers")
    new_name = st.text_input("Name of all", key="merged_name")
    if st.form_submit_button("Merge") and merged_speakers and new_name.strip():
        # the speakers get the same name, which makes them one
        for speaker in merged_speakers:
            draft = draft.renamed(speaker, new_name)
        change_draft(draft)


def _draw_split_fields(draft: TranscriptDraft, names: Sequence[str]) -> None:
    """Draw the turns of one speaker, to give some of them to another."""
    speaker = st.selectbox("Speaker to split", names, index=None, key="split_speaker")
    if speaker is None:
        return
    turns = [turn for turn in turns_of(draft.transcript) if _is_by(turn, speaker)]
    with st.form("split", border=False):
        moved_indices = st.multiselect(
            "Turns of somebody else",
            range(len(turns)),
            format_func=lambda index: _turn_option(turns[index]),
            key=f"split_turns_{speaker}",
        )
        new_name = st.text_input("Their speaker", key=f"split_name_{speaker}")
        if st.form_submit_button("Split") and moved_indices and new_name.strip():
            numbers: list[int] = []
            for index in moved_indices:
                numbers.extend(turns[index].numbers)
            change_draft(draft.reassigned(numbers, new_name))


def _is_by(turn: SpokenTurn, speaker: str) -> bool:
    return (turn.speaker or UNKNOWN_WORDS) == speaker


def _turn_option(turn: SpokenTurn) -> str:
    position = f"line {turn.sentences[0].line}"
    return f"{position}: {turn_words(turn, MAX_QUOTE_CHARACTERS)}"


def _draw_sentence_fields(draft: TranscriptDraft) -> None:
    numbers_text = st.text_input("Sentences", placeholder=NUMBERS_EXAMPLE, key="sentence_numbers")
    speaker = st.text_input("Speaker", placeholder="empty for unknown", key="sentence_speaker")
    if not st.form_submit_button("Change") or not numbers_text.strip():
        return
    try:
        numbers = sentence_numbers(numbers_text, len(draft.as_read))
    except ValueError as error:
        draw_error(f"“{error}” isn’t a sentence number. Write {NUMBERS_EXAMPLE}.")
        return
    change_draft(draft.reassigned(numbers, speaker))


def sentence_numbers(text: str, max_number: int) -> list[int]:
    """Return the sentence numbers in ``12-15, 20``, in order, none above ``max_number``.

    Raises: ValueError with the text that is not a number or a range.
    """
    numbers: set[int] = set()
    for range_text in text.split(","):
        range_text = range_text.strip()
        if not range_text:
            continue
        start_text, _, end_text = range_text.partition("-")
        end_text = end_text or start_text  # a number alone is a range of one
        if not (_is_number(start_text) and _is_number(end_text)):
            raise ValueError(range_text)
        range_end = min(int(end_text), max_number)
        numbers.update(range(int(start_text), range_end + 1))
    return sorted(number for number in numbers if 1 <= number <= max_number)


def _is_number(text: str) -> bool:
    return text.strip().isdecimal()


def _shortened(text: str) -> str:
    if len(text) <= MAX_QUOTE_CHARACTERS:
        return text
    return text[:MAX_QUOTE_CHARACTERS].rsplit(" ", 1)[0] + " …"
