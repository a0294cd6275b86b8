"""The recording beside its transcript.

Adds one, plays it from the chosen sentence, corrects what was misheard.
"""

from __future__ import annotations

import hashlib
import time
from datetime import date, datetime
from html import escape
from pathlib import Path

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import CheckedSentence, Report, Sentence
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.jobs.corrections import Correction
from assistant.jobs.recordings import (
    IncomingRecording,
    Recording,
    RecordingStore,
    permitted_file,
    playback_copy_path,
)
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.transcription import playback_copy
from assistant.ui import account, recording_route, voiceprint_form
from assistant.ui.component import component
from assistant.ui.job_progress import draw_progress
from assistant.ui.shared_resources import audit_log, corrections, recordings, visitor

AddedRecording = tuple[str, Path, bool]  # its name, its file, and whether that is Lectern's own
# What a popover is called, what it says will happen, and its button.
DELETE_WORDS = (
    "Delete the recording",
    "The sound is deleted from this computer for good. The transcript, its times and all decisions stay.",
    "Delete it",
)
FORGET_WORDS = (
    "Forget the recording",
    "Lectern no longer plays it here. The file stays where it is.",
    "Forget it",
)
RECORDING_NOTE = "The recording stays on this computer, and goes when the debate is purged."


def recording_panel(desk: CheckService, report: Report, selected: int | None) -> None:
    """Draw the recording of a report, or the place to add one.

    Nothing where the transcript has no times.
    """
    if not any(sent.start is not None for sent in report.transcript):
        return
    store = recordings()
    document = report.transcript.source.sha256
    recording = store.of(document)
    if recording is None:
        if account.may(Role.REVIEWER):
            with st.expander("Add the recording of this debate", key="add_recording"):
                _add_recording(desk, report)
    elif (path := recording.playable) is None and recording.existing_file is not None:
        _playable_progress(desk, recording)
    elif path is None:
        with st.container(horizontal=True, vertical_alignment="center", key="recording_gone"):
            st.html(
                f'<p class="lx-soft">The recording {escape(recording.name)} is no longer where it was.</p>'
            )
            _removal_menu(store, recording)
    else:
        with st.container(key="recording", gap="xxsmall"):
            source = recording_route.RECORDINGS_PATH + _ticket(path)
            data = {
                "source": source,
                "selected": selected,
                "sentences": timed_sentences(report.transcript.sentences),
            }
            component("player")(key="player", data=data)
            _removal_menu(store, recording)
            voiceprint_form.voice_form(desk, report, recording)


def _playable_progress(desk: CheckService, recording: Recording) -> None:
    """Draw how far the file is that browsers play.

    The job that makes it begins when its report is first shown.
    """
    job = desk.make_playable(recording)
    if job.error:
        st.error(plain(f"{recording.name} cannot be played: {job.error}"))
    elif job.has_ended:
        if st.button("Make the recording playable"):
            desk.make_playable(recording, again=True)
            st.rerun(scope="app")
    else:
        draw_progress(desk, job.id)


def timed_sentences(sentences: tuple[Sentence, ...]) -> list[list[object]]:
    """Return the sentences that have a time as the player reads them.

    Number, start, end, text, starts of its words.
    """
    having = [sent for sent in sentences if sent.start is not None]
    ends = [sent.start for sent in having[1:]]
    last = (
        (having[-1].start or 0.0) + len(having[-1].text) / 15 if having else 0.0
    )  # letters a second, about
    return [
        [s.number, s.start, s.end or end, s.text, [word.start for word in getattr(s, "words", ())]]
        for s, end in zip(having, [*ends, last], strict=True)
    ]


def store_upload(desk: CheckService, data: bytes, name: str) -> AddedRecording:
    """Return a recording that came in one piece, written to where the others are.

    Raises: TranscriptError.
    """
    part = IncomingRecording.for_file(
        desk.settings.home, visitor(), hashlib.sha256(data).hexdigest(), name, len(data)
    )
    part.begin()
    part.add(part.offset, data[part.offset :])
    return name, part.finish()[1], True


def recording_inputs(desk: CheckService, key: str) -> AddedRecording | None:
    """Draw two ways to bring a recording, and return its name, its file and whether that is Lectern's own."""
    if "recording_ticket" not in st.session_state:
        who = (
            account.name() if account.by_login() else ""
        )  # the same after a restart, so that it goes on
        st.session_state["recording_ticket"] = recording_route.upload_ticket(
            desk.settings.home, who, account.login_ends()
        )
    ticket = st.session_state["recording_ticket"]
    sent = component("recording")(key=key, data={"ticket": ticket}, on_sent_change=lambda: None)
    if sent and sent.get("sent") and (part := recording_route.received_recording(ticket)):
        with st.spinner("Looking at the recording"):
            return part.name, part.finish()[1], True
    if not _may_name_paths(desk):
        return None
    with (
        st.form(f"{key}_path", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        path = st.text_input("Or its path on this computer", placeholder="/home/me/debate.mp4")
        if st.form_submit_button("Use this file") and path.strip():
            chosen = permitted_file(path, allowed=lambda p: _may_name_path(desk, p))
            return chosen.name, chosen, False
    return None


def correction_form(desk: CheckService, report: Report, checked: CheckedSentence) -> None:
    """Draw what was corrected of a sentence, and the form that corrects it."""
    sent = checked.sentence
    done = corrections().of(report.transcript.source.sha256).get(sent.number, [])
    for each in done:
        at = datetime.fromtimestamp(each.at)
        when = f"{wording.day(at.date())}, {at:%H:%M}"
        was = f"{each.speaker_before or 'Unknown'}: {each.text_before}"
        st.html(
            f'<p class="lx-soft">Corrected by {escape(each.by)}, {when}. It was “{escape(was)}”</p>'
        )
    if not account.may(Role.REVIEWER) or sent.start is None:
        return
    with (
        st.expander("Correct what was heard", key=f"correct_{len(done)}"),
        st.form(f"correct_{sent.number}", border=False),
    ):
        text = st.text_area("Sentence", sent.text, height=90)
        speaker = st.text_input("Speaker", sent.speaker or "")
        by = account.name() or (
            "" if account.by_login() else st.text_input("Your name", key="corrected_by")
        )
        if not st.form_submit_button("Correct and check again"):
            return
        account.require(Role.REVIEWER)
        if not by.strip():
            st.error("Enter your name: a correction records who made it.")
        elif (text, speaker) != (sent.text, sent.speaker or ""):
            _correct(desk, report, sent, text, speaker, by.strip())


def _correct(
    desk: CheckService, report: Report, sent: Sentence, text: str, speaker: str, by: str
) -> None:
    transcript = report.transcript
    change = Correction(
        transcript.source.sha256, sent.number, time.time(), by, sent.text, sent.speaker or "", text, speaker,
        transcript.title, transcript.event_date,
    )  # fmt: skip
    with st.spinner("Checking this sentence again"):
        desk.correct_sentence(st.query_params.get("report", ""), change)
    st.rerun()


def _add_recording(desk: CheckService, report: Report) -> None:
    st.html(f'<p class="lx-soft">{RECORDING_NOTE}</p>')
    try:
        given = recording_inputs(desk, "recording_of_report")
        if given is None:
            return
        account.require(Role.REVIEWER)
        transcript = report.transcript
        save_recording(
            desk, given, transcript.source.sha256, transcript.title, transcript.event_date
        )
    except LecternError as error:
        st.error(plain(str(error)))
    else:
        st.rerun(scope="app")


def save_recording(
    desk: CheckService, given: AddedRecording, document: str, title: str, day: date | None
) -> None:
    """Store the recording of a transcript. Raises: TranscriptError if it cannot be decoded."""
    name, path, own = given
    try:
        opus = (
            None
            if playback_copy.is_playable(path)
            else playback_copy_path(desk.settings.home, path)
        )
    except LecternError:
        if own:
            path.unlink(missing_ok=True)
        raise
    recordings().add(
        Recording(document, name, path, own, opus, title, day, account.actor_name(), time.time())
    )


def _removal_menu(store: RecordingStore, recording: Recording) -> None:
    where = "kept by Lectern" if recording.is_owned else f"referred to at {recording.file}"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="recording_about"
    ):
        st.html(
            f'<p class="lx-soft lx-tight">{escape(recording.name)}, {escape(where)}</p>',
            width="content",
        )
        if account.may(Role.REVIEWER):
            label, outcome, done = DELETE_WORDS if recording.is_owned else FORGET_WORDS
            with st.popover(label, type="tertiary"):
                st.write(outcome)
                if st.button(done, key="forget_recording"):
                    account.require(Role.REVIEWER)
                    with audit_log().noted(
                        account.actor_name(), "delete recording", recording.document[:16]
                    ):
                        store.forget(recording.document)
                    st.rerun(scope="app")


def _ticket(path: Path) -> str:
    """Return the ticket with which this session plays a recording, the same for every drawing of the page."""
    tickets = st.session_state.setdefault("recordings_played", {})
    if str(path) not in tickets:
        tickets[str(path)] = recording_route.playback_ticket(path, account.login_ends())
    return tickets[str(path)]


def _may_name_paths(desk: CheckService) -> bool:
    return _is_local(desk) or desk.settings.live_folder is not None


def _is_local(desk: CheckService) -> bool:
    """Return whether whoever uses the app sits at this computer."""
    return not account.by_login() and not desk.settings.is_open


def _may_name_path(desk: CheckService, path: Path) -> bool:
    folder = desk.settings.live_folder
    return _is_local(desk) or (folder is not None and path.is_relative_to(folder.resolve()))
