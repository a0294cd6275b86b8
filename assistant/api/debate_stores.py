"""All stores that keep something about a debate, to list debates and to delete one from all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.alerts.outbox import Outbox
    from assistant.api.check_records import CheckRecordStore
    from assistant.archive.archive_store import ArchiveStore
    from assistant.core.debate_records import StoredDebate
    from assistant.core.settings import Settings
    from assistant.jobs.corrections import CorrectionStore
    from assistant.jobs.reading_choices import ReadingChoiceStore
    from assistant.jobs.recordings import RecordingStore
    from assistant.jobs.report_store import ReportStore
    from assistant.jobs.voiceprints import VoiceprintStore
    from assistant.live.event_log import EventLog
    from assistant.review.assignment_store import AssignmentStore
    from assistant.review.comment_store import CommentStore
    from assistant.review.decision_store import DecisionStore
    from assistant.review.presence_store import PresenceStore


@dataclass(frozen=True)
class DebateStores:
    """The stores of one data directory that keep records of debates."""

    report_store: ReportStore
    decisions: DecisionStore
    log: EventLog
    archive: ArchiveStore
    recordings: RecordingStore
    corrections: CorrectionStore
    reading_choices: ReadingChoiceStore
    voices: VoiceprintStore
    checks: CheckRecordStore
    outbox: Outbox
    comments: CommentStore
    assignments: AssignmentStore
    presence: PresenceStore
    home: Path

    def debates(self) -> list[StoredDebate]:
        """Return every debate with the number of its records, oldest first."""
        from assistant.core.debate_records import join_records

        stores = (
            self.report_store,
            self.decisions,
            self.comments,
            self.assignments,
            self.log,
            self.archive,
            self.recordings,
            self.corrections,
            self.reading_choices,
            self.voices,
        )
        return join_records(debate for store in stores for debate in store.debates())

    def purge(self, debate: StoredDebate, now: float) -> None:
        """Delete all records of a debate. If it is killed midway, the next run deletes the others.

        Raises: Busy if the debate is being checked.
        """
        from assistant.archive import sentence_vectors
        from assistant.live.sources import browser_microphone
        from assistant.transcription import checkpoints

        # a live event has a name, and its transcript a digest once it was checked
        if debate.event:
            self.log.purge(debate.event, now=now)
            self.outbox.purge(f"live:{debate.event}")
            browser_microphone.forget(self.home, debate.event)
        if debate.document:
            self.report_store.purge(debate.document, now=now)
            self.archive.purge(debate.document)
            # after the archive, whose remaining transcripts keep their vectors
            sentence_vectors.forget_all_but(self.home, self.archive.entries())
            self.recordings.forget(debate.document)
            checkpoints.delete_checkpoint(self.home, debate.document)
            self.corrections.purge(debate.document)
            self.reading_choices.purge(debate.document)
            self.voices.purge(debate.document)
            self.checks.purge(debate.document)
            self.outbox.purge(debate.document)
            self.presence.purge(debate.document)
        # these belong to the event or to the document
        self.comments.purge(debate)
        self.assignments.purge(debate)
        self.decisions.purge(debate)


@contextmanager
def open_debate_stores(settings: Settings) -> Iterator[DebateStores]:
    """Open the stores of a data directory, and close them at the end.

    Raises: StoreError.
    """
    from assistant.alerts.outbox import Outbox
    from assistant.api.check_records import CheckRecordStore
    from assistant.archive.archive_store import ArchiveStore
    from assistant.jobs.check_service import LEGACY_REPORTS_FOLDER
    from assistant.jobs.corrections import CorrectionStore
    from assistant.jobs.reading_choices import ReadingChoiceStore
    from assistant.jobs.recordings import RecordingStore
    from assistant.jobs.report_store import ReportStore
    from assistant.jobs.voiceprints import VoiceprintStore
    from assistant.live.event_log import EventLog
    from assistant.review.assignment_store import AssignmentStore
    from assistant.review.comment_store import CommentStore
    from assistant.review.decision_store import DecisionStore
    from assistant.review.presence_store import PresenceStore

    url = settings.database
    with ExitStack() as opened:
        stores = DebateStores(
            opened.enter_context(ReportStore.open(url)),
            opened.enter_context(DecisionStore.open(url)),
            opened.enter_context(EventLog.open(url)),
            opened.enter_context(ArchiveStore.open(url)),
            opened.enter_context(RecordingStore.open_in(settings.home, url)),
            opened.enter_context(CorrectionStore.open(url)),
            opened.enter_context(ReadingChoiceStore.open(url)),
            opened.enter_context(VoiceprintStore.open(url)),
            opened.enter_context(CheckRecordStore.open(url)),
            opened.enter_context(Outbox.open(url)),
            opened.enter_context(CommentStore.open(url)),
            opened.enter_context(AssignmentStore.open(url)),
            opened.enter_context(PresenceStore.open(url)),
            settings.home,
        )
        # early versions stored reports as files
        stores.report_store.import_legacy_files(settings.home / LEGACY_REPORTS_FOLDER)
        yield stores
