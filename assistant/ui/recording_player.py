"""The recording of a transcript: adds it, plays it, and corrects transcription errors."""

from __future__ import annotations

import hashlib
import time
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from assistant.core import replacement
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
from assistant.transcription import playback_copy
from assistant.ui import account, recording_route, voiceprint_form
from assistant.ui.component import component
from assistant.ui.job_progress import draw_progress
from assistant.ui.shared_resources import audit_log, corrections, recordings, visitor
from assistant.ui.shown_text import draw_error, escape


class AddedRecording(NamedTuple):
    """A recording that somebody added."""

    name: str
    path: Path
    is_owned: bool  # Lectern keeps the file, and deletes it with the recording


class RemovalWords(NamedTuple):
    """The words of a menu that removes a recording."""

    label: str
    outcome: str
    button: str


DELETE_WORDS = RemovalWords(
    "Delete the recording",
    "The sound is deleted from this computer for good. "
    "The transcript, its times and all decisions stay.",
    "Delete it",
)
FORGET_WORDS = RemovalWords(
    "Forget the recording",
    "Lectern no longer plays it here. The file stays where it is.",
    "Forget it",
)
SPOKEN_CHARACTERS_PER_S = 15  # about
RECORDING_NOTE = "The recording stays on this computer, and goes when the debate is purged."


def recording_panel(check_service: CheckService, report: Report, selected: int | None) -> None:
    """Draw the recording of a report; nothing if it has none."""
    recording_store = recordings()
    recording = recording_store.of(report.transcript.source.sha256)
    if recording is None:
        return
    playable_path = recording.playable
    if playable_path is not None:
        with st.container(key="recording", gap="xxsmall"):
            data = {
                "source": recording_route.RECORDINGS_PATH + _ticket(playable_path),
                "selected": selected,
                "sentences": timed_sentences(report.transcript.sentences),
            }
            component("player")(key="player", data=data)
            _draw_removal_menu(recording_store, recording)
            voiceprint_form.voice_form(check_service, report, recording)
    elif recording.existing_file is not None:
        _draw_playable_progress(check_service, recording)
    else:
        with st.container(horizontal=True, vertical_alignment="center", key="recording_gone"):
            name = escape(recording.name)
            st.html(f'<p class="lx-soft">The recording {name} is no longer where it was.</p>')
            _draw_removal_menu(recording_store, recording)


def add_recording(check_service: CheckService, report: Report) -> None:
    """Draw the form that adds the recording of a report with times, unless it has one."""
    if all(sentence.start is None for sentence in report.transcript):
        return
    has_recording = recordings().of(report.transcript.source.sha256) is not None
    if not has_recording and account.has_role(Role.REVIEWER):
        with st.expander("Add the recording of this debate", key="add_recording"):
            _draw_recording_form(check_service, report)


def _draw_playable_progress(check_service: CheckService, recording: Recording) -> None:
    """Draw the progress of the playback copy of a recording.

    The job that makes the copy begins when the report is first shown.
    """
    if not account.has_role(Role.REVIEWER):
        st.html('<p class="lx-soft">The recording cannot be played here yet.</p>')
        return
    job = check_service.make_playable(recording)
    if job.error:
        draw_error(f"{recording.name} cannot be played: {job.error}")
    elif job.has_ended:
        if st.button("Make the recording playable"):
            check_service.make_playable(recording, again=True)
            st.rerun(scope="app")
    else:
        draw_progress(check_service, job.id)


def timed_sentences(sentences: tuple[Sentence, ...]) -> list[list[object]]:
    """Return the sentences that have a time, as the player reads them.

    Each is a list: number, start, end, text, and the starts of its words. A sentence without an
    end lasts until the next one; the last one's duration is estimated from its length.
    """
    sentences_with_time = [sentence for sentence in sentences if sentence.start is not None]
    player_sentences: list[list[object]] = []
    for index, sentence in enumerate(sentences_with_time):
        end_s = sentence.end
        if not end_s and index + 1 < len(sentences_with_time):
            end_s = sentences_with_time[index + 1].start
        elif not end_s:
            end_s = (sentence.start or 0.0) + len(sentence.text) / SPOKEN_CHARACTERS_PER_S
        # only transcribed sentences have words with times
        word_starts = [word.start for word in getattr(sentence, "words", ())]
        player_sentences.append(
            [sentence.number, sentence.start, end_s, sentence.text, word_starts]
        )
    return player_sentences


def store_upload(check_service: CheckService, data: bytes, name: str) -> AddedRecording:
    """Write an uploaded recording to the folder of recordings. Raises: TranscriptError."""
    digest = hashlib.sha256(data).hexdigest()
    incoming = IncomingRecording.for_file(
        check_service.settings.home, visitor(), digest, name, len(data)
    )
    incoming.begin()
    # offset: the bytes that an interrupted upload of the same file has left
    incoming.add(incoming.offset, data[incoming.offset :])
    return _finished(incoming, name)


def _finished(incoming: IncomingRecording, name: str) -> AddedRecording:
    _, path = incoming.finish()
    return AddedRecording(name, path, True)


def recording_inputs(check_service: CheckService, key: str) -> AddedRecording | None:
    """Draw an upload and, if allowed, a field for a path; return the added recording, or None."""
    ticket = _upload_ticket(check_service)  # lets the browser send the file to the upload route
    state = component("recording")(key=key, data={"ticket": ticket}, on_sent_change=lambda: None)
    if state and state.get("sent"):
        incoming = recording_route.received_recording(ticket)
        if incoming is not None:
            with st.spinner("Looking at the recording"):
                return _finished(incoming, incoming.name)
    if not _may_name_paths(check_service):
        return None
    with (
        st.form(f"{key}_path", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        path_text = st.text_input("Or its path on this computer", placeholder="/home/me/debate.mp4")
        if st.form_submit_button("Use this file") and path_text.strip():
            path = permitted_file(
                path_text, allowed=lambda file: _may_name_path(check_service, file)
            )
            return AddedRecording(path.name, path, False)
    return None


def _upload_ticket(check_service: CheckService) -> str:
    """Return the ticket with which this session uploads recordings."""
    # one ticket per session: the upload goes on while the page is redrawn
    if "recording_ticket" not in st.session_state:
        # the same sender after a restart, so that an interrupted upload resumes
        sender = account.name() if account.uses_login() else ""
        st.session_state["recording_ticket"] = recording_route.upload_ticket(
            check_service.settings.home, sender, account.login_end_time()
        )
    return st.session_state["recording_ticket"]


def correction_form(
    check_service: CheckService, report: Report, checked_sentence: CheckedSentence
) -> None:
    """Draw the corrections of a sentence, and the form for a new one."""
    sentence = checked_sentence.sentence
    document = report.transcript.source.sha256
    earlier_corrections = corrections().of(document).get(sentence.number, [])
    for correction in earlier_corrections:
        _draw_correction(correction)
    if not account.has_role(Role.REVIEWER) or sentence.start is None:
        return
    # a new key after each correction closes the expander
    with (
        st.expander("Correct what was heard", key=f"correct_{len(earlier_corrections)}"),
        st.form(f"correct_{sentence.number}", border=False),
    ):
        text = st.text_area("Sentence", sentence.text, height=90)
        speaker = st.text_input("Speaker", sentence.speaker or "")
        corrected_by = account.name()
        if not corrected_by and not account.uses_login():
            corrected_by = st.text_input("Your name", key="corrected_by")
        if not st.form_submit_button("Correct and check again"):
            return
        account.require(Role.REVIEWER)  # again: a browser may send any click
        if not corrected_by.strip():
            st.error("Enter your name: a correction records who made it.")
        elif text != sentence.text or speaker != (sentence.speaker or ""):
            transcript = report.transcript
            correction = Correction(
                document=document,
                number=sentence.number,
                at=time.time(),
                by=corrected_by.strip(),
                text_before=sentence.text,
                speaker_before=sentence.speaker or "",
                text=text,
                speaker=speaker,
                title=transcript.title,
                event_date=transcript.event_date,
            )
            with st.spinner("Checking this sentence again"):
                check_service.correct_sentence(st.query_params.get("report", ""), correction)
            st.rerun()


def _draw_correction(correction: Correction) -> None:
    corrected_at = datetime.fromtimestamp(correction.at)
    time_words = f"{wording.day(corrected_at.date())}, {corrected_at:%H:%M}"
    original = f"{correction.speaker_before or 'Unknown'}: {correction.text_before}"
    st.html(
        f'<p class="lx-soft">Corrected by {escape(correction.by)}, {time_words}. '
        f"It was “{escape(original)}”</p>"
    )


def _draw_recording_form(check_service: CheckService, report: Report) -> None:
    st.html(f'<p class="lx-soft">{RECORDING_NOTE}</p>')
    try:
        added = recording_inputs(check_service, "recording_of_report")
        if added is None:
            return
        account.require(Role.REVIEWER)
        transcript = report.transcript
        document = transcript.source.sha256
        save_recording(check_service, added, document, transcript.title, transcript.event_date)
    except LecternError as error:
        draw_error(error)
    else:
        st.rerun(scope="app")


def save_recording(
    check_service: CheckService,
    added_recording: AddedRecording,
    document: str,
    title: str,
    day: date | None,
) -> None:
    """Store the recording of a transcript. Raises: TranscriptError if it cannot be decoded."""
    playback_path = None  # a copy in a format that browsers play, if the file has another
    try:
        if not playback_copy.is_playable(added_recording.path):
            playback_path = playback_copy_path(check_service.settings.home, added_recording.path)
    except LecternError:
        if added_recording.is_owned:
            replacement.delete_owned(added_recording.path.parent, added_recording.path.name)
        raise
    recording = Recording(
        document=document,
        name=added_recording.name,
        file=added_recording.path,
        is_owned=added_recording.is_owned,
        playback_copy=playback_path,
        title=title,
        event_date=day,
        added_by=account.actor_name(),
        added=time.time(),
    )
    recordings().add(recording)


def _draw_removal_menu(store: RecordingStore, recording: Recording) -> None:
    if recording.is_owned:
        storage = "kept by Lectern"
        words = DELETE_WORDS
    else:
        storage = f"referred to at {recording.file}"
        words = FORGET_WORDS
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="recording_about"
    ):
        st.html(
            f'<p class="lx-soft lx-tight">{escape(recording.name)}, {escape(storage)}</p>',
            width="content",
        )
        if not account.has_role(Role.REVIEWER):
            return
        with st.popover(words.label, type="tertiary"):
            st.write(words.outcome)
            if st.button(words.button, key="forget_recording"):
                account.require(Role.REVIEWER)
                document = recording.document
                with audit_log().noted(account.actor_name(), "delete recording", document[:16]):
                    store.forget(document)
                st.rerun(scope="app")


def _ticket(path: Path) -> str:
    """Return the ticket with which this session plays a recording, the same on every redraw."""
    # the player would load the recording again for another address
    tickets = st.session_state.setdefault("recordings_played", {})
    if str(path) not in tickets:
        tickets[str(path)] = recording_route.playback_ticket(path, account.login_end_time())
    return tickets[str(path)]


def _may_name_paths(check_service: CheckService) -> bool:
    return _is_local(check_service) or check_service.settings.live_folder is not None


def _is_local(check_service: CheckService) -> bool:
    """Return whether the app is used from this computer only."""
    return not account.uses_login() and not check_service.settings.is_open


def _may_name_path(check_service: CheckService, path: Path) -> bool:
    if _is_local(check_service):
        return True
    # on a server only files in the folder that the administrator has named
    folder = check_service.settings.live_folder
    return folder is not None and path.is_relative_to(folder.resolve())
