"""Makes ZIP archives of office files reproducible.

The same contents give the same bytes, whatever the time.
"""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime

EPOCH = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest time that a ZIP archive can store


def settled(data: bytes) -> bytes:
    """Return the archive with the same members in the same order, all from the first moment of 1980."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            member = zipfile.ZipInfo(name, EPOCH.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            made.writestr(member, given.read(name))
    return out.getvalue()


def moment(day: date | None) -> datetime:
    """Return the time that a document says it was made.

    The day of the event, for want of a clock.
    """
    return datetime(day.year, day.month, day.day) if day else EPOCH.replace(tzinfo=None)
