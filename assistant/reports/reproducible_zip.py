"""Reproducible ZIP archives of office files: the same contents give the same bytes at any time."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime

EPOCH = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest time that a ZIP archive can store
UNIX = 3  # the system that is named as the creator of a member


def with_fixed_times(data: bytes) -> bytes:
    """Return the archive with the same members in order, dated to the start of 1980."""
    zip_buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source_zip,
        zipfile.ZipFile(zip_buffer, "w") as target_zip,
    ):
        for name in source_zip.namelist():
            # The year, month, day, hour, minute and second that a ZIP file can begin with
            member = zipfile.ZipInfo(name, EPOCH.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = UNIX
            target_zip.writestr(member, source_zip.read(name))
    return zip_buffer.getvalue()


def moment(day: date | None) -> datetime:
    """Return the creation time of a document: the day of the event, else the start of 1980."""
    if day is None:
        return EPOCH.replace(tzinfo=None)
    return datetime(day.year, day.month, day.day)
