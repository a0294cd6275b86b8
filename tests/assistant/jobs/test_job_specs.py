"""Job specifications come back as they were stored."""

from __future__ import annotations

import json
from dataclasses import replace

from assistant.core.domain import SpeakerRole
from assistant.jobs import job_specs
from assistant.jobs.job_specs import JobSpec
from tests.assistant import made_up


def test_chosen_roles_are_stored_with_the_transcript():
    roles = (("RIVERA", SpeakerRole.CANDIDATE),)
    transcript = replace(made_up.report().transcript, speaker_roles=roles)
    stored = job_specs.to_bytes(JobSpec(transcript))

    assert job_specs.from_bytes(stored).transcript.speaker_roles == roles


def test_a_specification_from_before_roles_has_none():
    fields = json.loads(job_specs.to_bytes(JobSpec(made_up.report().transcript)))
    del fields["transcript"]["speaker_roles"]

    spec = job_specs.from_bytes(json.dumps(fields).encode())

    assert spec.transcript.speaker_roles == ()
