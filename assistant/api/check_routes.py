"""``/v1/checks``: checks of transcripts and recordings, their progress and their reports."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from assistant import reports
from assistant.api import uploads_in
from assistant.api.authorisation import MayReadChecks, MayWriteChecks, Services
from assistant.api.check_records import CheckRecord
from assistant.api.check_runs import END_STAGES, CheckOptions, CheckStage
from assistant.api.etags import tagged
from assistant.api.problems import PROBLEM_RESPONSES, ApiProblem, described_problems
from assistant.api.services import ApiServices
from assistant.api.wire_types import PlainText
from assistant.core.errors import Busy
from assistant.jobs.check_service import transcription_job_id
from assistant.live.access_tokens import ApiGrant, Scope
from assistant.review import deciding
from assistant.transcripts import read_bytes

MAX_FILE_NAME_CHARACTERS = 200
MAX_HEADING_CHARACTERS = 500
MAX_IDEMPOTENCY_KEY_CHARACTERS = 200
PROGRESS_POLL_S = 0.5
KEEPALIVE_POLLS = 30  # polls without a change before a comment keeps the connection open
MAX_STREAM_S = 3_600.0
CHECK_ID = r"^[0-9a-f]{8,64}$"
router = APIRouter(tags=["checks"])
CheckId = Annotated[str, Path(pattern=CHECK_ID, description="the id of a check")]
RECEIVED_FILE = {
    "required": True,
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}


class CheckParameters(BaseModel):
    """The options of a new check."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[PlainText, Field(min_length=1, max_length=MAX_FILE_NAME_CHARACTERS)] = Field(
        description="the name of the file, such as debate.srt"
    )
    title: Annotated[PlainText, Field(max_length=MAX_HEADING_CHARACTERS)] = Field(
        "", description="the title of the debate (default: from the file)"
    )
    event_date: date | None = Field(
        None, description="the day of the debate (default: from the file)"
    )
    before_event: bool = Field(
        False, description="use only fact-checks that were published before the event"
    )
    shared: bool = Field(False, description="let other programs read the check")
    names: Annotated[PlainText, Field(max_length=MAX_HEADING_CHARACTERS)] = Field(
        "", description="for a recording: names and terms in it, separated by commas"
    )


class CheckProgress(BaseModel):
    """The progress within one stage: ``done`` of ``total`` units."""

    stage: str
    done: int
    total: int


class CheckState(BaseModel):
    """The current state of a check."""

    id: str
    state: CheckStage
    progress: CheckProgress
    error: str = Field(description="the reason if the check failed, otherwise empty")
    title: str
    shared: bool
    asked: datetime | None
    report: str = Field(description="the address of the JSON report, empty until the check is done")


class CheckList(BaseModel):
    """A page of checks, newest first."""

    page: int
    items: list[CheckState]


@router.post(
    "/checks",
    response_model=CheckState,
    status_code=202,
    responses=described_problems(409, 411),
    openapi_extra={"requestBody": RECEIVED_FILE},
)
async def start_check(
    request: Request,
    parameters: Annotated[CheckParameters, Query()],
    services: Services,
    grant: MayWriteChecks,
    idempotency_key: Annotated[
        str, Header(max_length=MAX_IDEMPOTENCY_KEY_CHARACTERS, pattern=r"^[!-~]*$")
    ] = "",
) -> Response:
    """Start the check of a transcript or recording, which is the request body.

    Lectern recognises the format by its content. To see the progress, use `GET /v1/checks/{id}` or
    `GET /v1/checks/{id}/events`. If you send the request again with the same `Idempotency-Key`,
    Lectern doesn't start a second check, and returns the first one.
    """
    check_id = secrets.token_hex(16)
    key_or_substitute = (
        idempotency_key or f"none {check_id}"
    )  # without a key each request is another check
    with services.uploads.counted(grant.digest, "uploads"):
        received_file = await uploads_in.receive(
            request, services.settings.home, f"token {grant.name}", check_id, parameters.name
        )
    # the same key with another body or other options is refused
    request_identity = f"{received_file.digest} {parameters.model_dump_json()}"
    record = CheckRecord(
        id=check_id,
        owner=grant.name,
        is_shared=parameters.shared,
        idempotency_key=key_or_substitute,
        request_digest=hashlib.sha256(request_identity.encode()).hexdigest(),
        document=received_file.digest,
        asked=services.clock(),
    )
    stored_record = await run_in_threadpool(_start, services, record, received_file, parameters)
    if stored_record.request_digest != record.request_digest:
        detail = "This Idempotency-Key belongs to a request with another body or other options."
        raise ApiProblem(422, detail)
    state = await run_in_threadpool(_state, services, stored_record)
    check_address = f"/v1/checks/{stored_record.id}"
    return Response(
        state.model_dump_json(),
        202,
        {"Location": check_address, "Cache-Control": "no-store"},
        "application/json",
    )


def _start(
    services: ApiServices,
    record: CheckRecord,
    received_file: uploads_in.ReceivedFile,
    parameters: CheckParameters,
) -> CheckRecord:
    """Start the job of a new check, or return the check that has the same key already."""
    earlier_record = services.checks.records.by_key(record.owner, record.idempotency_key)
    # A record without a job belongs to a request that was interrupted: it is started now.
    if earlier_record is not None:
        has_started = earlier_record.job or earlier_record.transcription or earlier_record.has_ended
        if has_started:
            uploads_in.discard(services.recordings, received_file)
            return earlier_record
    options = CheckOptions(
        parameters.title, parameters.event_date, parameters.before_event, parameters.names
    )
    if received_file.path is None:
        transcript = read_bytes(received_file.data, parameters.name)
        return services.checks.start_transcript(record, transcript, options)
    uploads_in.store_recording(
        services.recordings, received_file, parameters.name, f"token {record.owner}"
    )
    job_id = transcription_job_id(received_file.digest, parameters.names)
    return services.checks.start_recording(record, job_id, options)


@router.get("/checks", response_model=CheckList, responses=PROBLEM_RESPONSES)
def list_checks(
    request: Request,
    services: Services,
    grant: MayReadChecks,
    page: Annotated[int, Query(ge=1, le=1_000)] = 1,
    per_page: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Return the checks that this token started and all shared checks, newest first."""
    records = services.checks.records.visible(
        grant.name, limit=per_page, offset=(page - 1) * per_page
    )
    items = [_state(services, record) for record in records]
    return tagged(request, CheckList(page=page, items=items))


@router.get(
    "/checks/{check_id}",
    response_model=CheckState,
    responses=described_problems(409, 410),
)
def read_check(
    request: Request,
    check_id: CheckId,
    services: Services,
    grant: MayReadChecks,
    form: Annotated[
        str,
        Query(
            description="report format: if it is set, the answer is the report, not the state",
            json_schema_extra={"enum": ["", *reports.FORMATS]},
            max_length=20,
        ),
    ] = "",
) -> Response:
    """Return the state of a check, or its report in one of the report formats.

    A report contains people's decisions only if the token has the `decisions:read` scope. Checks by
    other programs are not found (404), unless they are shared.
    """
    record = visible_check(services, grant, check_id)
    if not form:
        return tagged(request, _state(services, record))
    if form not in reports.FORMATS:
        raise ApiProblem(
            422, f"There is no such report format. Use one of {', '.join(reports.FORMATS)}."
        )
    report = services.checks.report(record)
    if report is None:
        status = services.checks.status(record)
        if status.stage is CheckStage.GONE:
            raise ApiProblem(410, "The check was deleted.")
        detail = f"There is no report: the check is {status.stage}. {status.error}"
        raise ApiProblem(409, detail.strip())
    # Stored reports have no decisions: they are added for those who may read them.
    if Scope.READ_DECISIONS in grant.scopes:
        report = deciding.with_decisions(report, services.settings.database)
    with services.renderings.counted(grant.digest, "reports"):
        rendered_report = reports.render(report, form)
    return tagged(request, rendered_report, media_type=reports.FORMATS[form].media_type)


@router.delete(
    "/checks/{check_id}", status_code=204, response_class=Response, responses=PROBLEM_RESPONSES
)
def cancel_check(check_id: CheckId, services: Services, grant: MayWriteChecks) -> Response:
    """Cancel a waiting or running check of this token. A finished check doesn't change.

    If another program or a person is waiting for the same check, it continues for them.
    """
    record = services.checks.records.get(check_id)
    if record is None or record.owner != grant.name:
        raise not_found()
    if services.checks.status(record).stage not in END_STAGES:
        services.checks.cancel(record)
    return Response(status_code=204)


@router.get(
    "/checks/{check_id}/events",
    response_class=StreamingResponse,
    responses={
        **PROBLEM_RESPONSES,
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
    },
)
async def follow_check(
    request: Request, check_id: CheckId, services: Services, grant: MayReadChecks
) -> StreamingResponse:
    """Follow a check as server-sent events.

    The name of each event is the state, and its data is the JSON of `GET /v1/checks/{id}`. The
    stream ends when the check ends, or after an hour. If it ends after an hour, connect again.
    """
    await run_in_threadpool(visible_check, services, grant, check_id)
    # "Bearer TOKEN": the token is asked again with every event, because it may end
    _, _, token = request.headers["authorization"].partition(" ")
    token = token.strip()
    if not services.streams.enter(grant.digest):
        raise Busy(
            "this token has too many open event streams.",
            remedy="Close one of the event streams first.",
        )
    return CountedStream(
        partial(services.streams.leave, grant.digest),
        _events(services, token, check_id),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


class CountedStream(StreamingResponse):
    """A stream that calls ``on_end``, also if the caller leaves before its first event."""

    def __init__(self, on_end: Callable[[], None], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.on_end = on_end

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.on_end()


async def _events(services: ApiServices, token: str, check_id: str) -> AsyncIterator[str]:
    """Yield an event for each change of a check, until it ends or the token does."""
    # The state is read again and again, and sent when it has changed.
    previous_content = ""
    quiet_polls = 0  # since the last line that was sent
    max_polls = int(MAX_STREAM_S / PROGRESS_POLL_S)
    for _ in range(max_polls):
        state = await run_in_threadpool(_visible_state, services, token, check_id)
        if state is None:
            return
        content = state.model_dump_json()
        quiet_polls += 1
        if content != previous_content:
            yield f"event: {state.state}\ndata: {content}\n\n"
            previous_content = content
            quiet_polls = 0
        elif quiet_polls >= KEEPALIVE_POLLS:
            yield ": the check goes on\n\n"  # a comment of server-sent events
            quiet_polls = 0
        if state.state in END_STAGES:
            return
        await asyncio.sleep(PROGRESS_POLL_S)


def _visible_state(services: ApiServices, token: str, check_id: str) -> CheckState | None:
    """Return the state of a check, None if the token may not read it any more."""
    grant = services.tokens.api_grant(token)
    if grant is None or Scope.READ_CHECKS not in grant.scopes:
        return None
    try:
        return _state(services, visible_check(services, grant, check_id))
    except ApiProblem:
        return None


def visible_check(services: ApiServices, grant: ApiGrant, check_id: str) -> CheckRecord:
    """Return a check that a token may read.

    Raises: ApiProblem with 404, also if it belongs to another program and is not shared.
    """
    record = services.checks.records.get(check_id)
    # With this scope a program also sees the checks of people, which have no record.
    may_see_all = Scope.ALL_CHECKS in grant.scopes
    if record is None and may_see_all and services.checks.service.report(check_id) is not None:
        return CheckRecord(check_id, job=check_id, has_ended=True)
    if record is None:
        raise not_found()
    if record.owner != grant.name and not record.is_shared and not may_see_all:
        raise not_found()
    return record


def not_found() -> ApiProblem:
    """Return the answer for a check that does not exist or may not be read: they look the same."""
    return ApiProblem(404, "There is no check with this id.")


def _state(services: ApiServices, record: CheckRecord) -> CheckState:
    status = services.checks.status(record)
    is_done = status.stage is CheckStage.DONE
    progress = status.progress
    return CheckState(
        id=record.id,
        state=status.stage,
        progress=CheckProgress(stage=progress.stage, done=progress.done, total=progress.total),
        error=status.error,
        title=status.title,
        shared=record.is_shared,
        asked=datetime.fromtimestamp(record.asked, UTC) if record.asked else None,
        report=f"/v1/checks/{record.id}?form=json" if is_done else "",
    )
