"""The use of each token: requests of this minute and of this day, in the database.

All processes with one database count together, and a restart forgets nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from assistant.core.database import Database
from assistant.core.schema import metadata
from assistant.live.access_tokens import ApiGrant

MINUTE_S = 60
usage_table = sa.Table(
    "api_usage",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),  # the digest of the token
    sa.Column("minute", sa.Integer, nullable=False),  # minutes since 1970
    sa.Column("minute_count", sa.Integer, nullable=False),
    sa.Column("day", sa.Text, nullable=False),  # in UTC
    sa.Column("day_count", sa.Integer, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The requests that a token has left after the present one, and the seconds to wait.

    ``wait_s`` is 0 if the request is allowed; the quota of the day ends at midnight in UTC.
    """

    minute_left: int
    day_left: int
    wait_s: int = 0


class UsageStore(Database):
    """The use of the tokens of one database."""

    def count(self, grant: ApiGrant, now: float) -> Allowance:
        """Count one request of a token at a time, unless it exceeds a limit."""
        moment = datetime.fromtimestamp(now, UTC)
        minute = int(now) // MINUTE_S
        day = moment.date().isoformat()
        is_of_token = usage_table.c.digest == grant.digest
        with self._writing() as connection:
            row = connection.execute(sa.select(usage_table).where(is_of_token)).first()
            # the counts of an earlier minute or day are over
            minute_count = 0
            day_count = 0
            if row is not None and row.minute == minute:
                minute_count = row.minute_count
            if row is not None and row.day == day:
                day_count = row.day_count
            minute_left = grant.per_minute - minute_count - 1
            day_left = grant.per_day - day_count - 1
            if day_left < 0:
                return Allowance(max(0, minute_left), 0, _seconds_to_midnight(moment))
            if minute_left < 0:
                return Allowance(0, day_left, MINUTE_S - int(now) % MINUTE_S)
            values = {
                "minute": minute,
                "minute_count": minute_count + 1,
                "day": day,
                "day_count": day_count + 1,
            }
            if row is None:
                insertion = usage_table.insert().values(digest=grant.digest, **values)
                connection.execute(insertion)
            else:
                connection.execute(usage_table.update().where(is_of_token).values(**values))
        return Allowance(minute_left, day_left)


def _seconds_to_midnight(moment: datetime) -> int:
    tomorrow = moment + timedelta(days=1)
    midnight = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)
    return int((midnight - moment).total_seconds()) + 1  # rounded up
