"""The log of live events in the claim store's database.

Lines and outcomes are stored before anybody sees them.

One transaction stores lines, the sentences they make and the cursor of their source, so that a
process killed at any moment goes on where it was, with nothing lost and nothing twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import quantiles
from typing import Any

import sqlalchemy as sa

from assistant.core import audit
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Tier
from assistant.core.errors import Busy, SettingsError
from assistant.live import sentence_cutting
from assistant.live.event import (
    NAME,
    Event,
    Feed,
    Health,
    LiveSentence,
    Occurrence,
    Outcome,
    speaker_key,
)
from assistant.live.live_lines import Cut, Line
from assistant.live.sentence_cutting import CutSentence, Style
from assistant.live.tables import events, feeds, lines, sentences
from features.similarity.context_window import Window

STABLE_S = 2.0  # text that may still change is checked once it has not changed for so long
FOLLOWED_S = 60.0  # an engine has stopped if it has not said for so long that it works
MEASURED = 100  # kept sentences whose latency is measured
_COLUMNS = [sentences.c[name] for name in LiveSentence.__dataclass_fields__]
TEXT = ("text", "speaker", "start", "end", "final")
UNCHECKED = {"checked": None, "worthiness": None, "kept": None, "reason": "", "tier": None, "score": None, "claim": "",
             "report": None, "vector": None}  # fmt: skip


class EventLog(Database):
    """Live events, their lines, sentences and results.

    Every process that follows or shows an event has one open.
    """

    def __init__(self, engine: sa.Engine, *, name: str) -> None:
        super().__init__(engine, name=name)
        self._senders: set[tuple[str, str, str]] = set()  # whose first line this process has noted

    def begin(self, event: Event, now: float, *, who: str = "") -> Event:
        """Return the event as stored.

        Made if it is new (today, if it has no day), changed where something is given.

        ``who`` begins to follow it, for the log of what people do.
        """
        if not NAME.fullmatch(event.name):
            remedy = "Use letters, digits, spaces and dashes, 80 at most."
            raise SettingsError(f"{event.name[:80]!r} is no name for an event.", remedy=remedy)
        with self._writing() as connection:
            audit.store_entry(
                connection, audit.AuditEntry(now, who, "follow", f"live:{event.name}")
            )
            stored = connection.execute(
                sa.select(events).where(events.c.name == event.name)
            ).first()
            if stored is None:
                made = Event(
                    event.name, event.title or event.name, event.day or date.fromtimestamp(now)
                )
                connection.execute(
                    events.insert().values(
                        name=made.name, title=made.title, day=made.day, opened=now
                    )
                )
                return made
            merged = Event(event.name, event.title or stored.title, event.day or stored.day)
            changes = {"title": merged.title, "day": merged.day}
            connection.execute(events.update().where(events.c.name == event.name).values(changes))
            return merged

    def stopped(self, event: str, now: float, *, who: str) -> None:
        """Note in the log of what people do that somebody has stopped following an event."""
        with self._writing() as connection:
            audit.store_entry(
                connection, audit.AuditEntry(now, who, "stop following", f"live:{event}")
            )

    def event(self, name: str) -> Event | None:
        """Return an event, None if there is none of this name."""
        return next((event for event in self.events() if event.name == name), None)

    def events(self) -> list[Event]:
        """Return all events, the newest first."""
        with self._reading() as connection:
            rows = connection.execute(
                sa.select(events).order_by(events.c.opened.desc(), events.c.name)
            )
            return [Event(row.name, row.title, row.day) for row in rows]

    def debates(self) -> list[StoredDebate]:
        """Return the live events, each with the number of its sentences."""
        count = sa.func.count(sentences.c.id)
        newest = sa.func.coalesce(events.c.beat, events.c.opened)
        chosen = sa.select(events.c.name, events.c.title, events.c.day, newest, count)
        chosen = chosen.outerjoin(sentences, sentences.c.event == events.c.name).group_by(
            events.c.name
        )
        with self._reading() as connection:
            rows = connection.execute(chosen)
            return [
                StoredDebate("", name, title, day, written, {"sentences": number})
                for name, title, day, written, number in rows
            ]

    def purge(self, event: str, *, now: float) -> None:
        """Delete an event with its lines, sentences and results.

        Raises: Busy if it is being followed.
        """
        with self._writing() as connection:
            beat = connection.execute(
                sa.select(events.c.beat).where(events.c.name == event)
            ).scalar()
            if beat is not None and now - beat < FOLLOWED_S:
                raise Busy(
                    "is being followed at this moment.", where=event, remedy="Stop that first."
                )
            for table in (sentences, lines, feeds):
                connection.execute(table.delete().where(table.c.event == event))
            audit.forget_about(connection, f"live:{event}")
            connection.execute(events.delete().where(events.c.name == event))

    def cursor(self, event: str, source: str) -> str:
        """Return the cursor of a source after its last stored lines, "" if nothing of it is stored."""
        where = (feeds.c.event == event, feeds.c.name == source)
        with self._reading() as connection:
            return connection.execute(sa.select(feeds.c.cursor).where(*where)).scalar() or ""

    def store_lines(
        self,
        event: str,
        source: str,
        arrived: Sequence[Line],
        *,
        now: float,
        cursor: str | None = None,
        by: str = "",
        unheard: float | None = None,
    ) -> int:
        """Store lines of one source and the sentences they make.

        Return how many sentences are new or changed.

        A line that is already stored with the same words changes nothing. ``by`` sends them: an account or a token.
        ``unheard``: seconds of sound that wait, of a source that is listened to.
        """
        with self._writing() as connection:
            stream = _Stream(connection, event, source, now, by)
            if is_first := bool(arrived and by) and (event, source, by) not in self._senders:
                audit.store_entry(
                    connection, audit.AuditEntry(now, by, "send lines", f"live:{event}")
                )
            feed = stream.feed()
            written = stream.write_lines(arrived) if arrived else {}
            before = style = Style(feed.words, feed.marks)
            for line, old in written.values():
                style = style.plus(line.text if line.final else "", instead_of=old)
            first = min(written, default=None)
            if written and style.punctuated != before.punctuated:
                first = 0  # the source turns out to be punctuated, or not: any sentence may begin elsewhere
            changed = 0 if first is None else stream.recut(first, style)
            values: dict[str, Any] = {"words": style.words, "marks": style.marks}
            values |= {"last": now, "beat": now} if arrived else {"beat": now}
            values |= {} if cursor is None else {"cursor": cursor}
            values |= {} if unheard is None else {"unheard": unheard}
            stream.update_feed(values)
        if is_first:
            self._senders.add((event, source, by))
        return changed

    def warn(self, event: str, source: str, text: str, *, now: float) -> None:
        """Store what is wrong with a source, for the health line.

        It replaces the warning before it.
        """
        with self._writing() as connection:
            stream = _Stream(connection, event, source, now)
            stream.feed()
            stream.update_feed({"warning": text, "warned": now, "beat": now})

    def beat(self, event: str, *, now: float) -> None:
        """Store that an engine is working on the event now."""
        with self._writing() as connection:
            connection.execute(events.update().where(events.c.name == event).values(beat=now))

    def waiting(self, event: str, *, now: float, limit: int) -> list[LiveSentence]:
        """Return sentences to check in the order of their arrival.

        Final ones, and those that no longer change.
        """
        ready = sa.or_(sentences.c.final, sentences.c.settled <= now - STABLE_S)
        chosen = sa.select(*_COLUMNS).where(*_of(event), sentences.c.checked.is_(None), ready)
        with self._reading() as connection:
            return [
                _sentence(row)
                for row in connection.execute(chosen.order_by(sentences.c.id).limit(limit))
            ]

    def store_outcome(self, sentence: LiveSentence, outcome: Outcome, *, now: float) -> bool:
        """Store the outcome of a check.

        Return whether it was: it is dropped if the text has changed since.
        """
        values = {
            name: getattr(outcome, name)
            for name in ("worthiness", "kept", "reason", "score", "claim")
        }
        values |= {"tier": outcome.tier and str(outcome.tier), "checked": now}
        values |= {"report": zlib.compress(outcome.report) if outcome.report else None}
        values |= {"vector": outcome.vector or None}
        unchanged = sentences.c.id == sentence.id, sentences.c.revision == sentence.revision
        where = (*unchanged, sentences.c.checked.is_(None))
        with self._writing() as connection:
            return (
                connection.execute(sentences.update().where(*where).values(**values)).rowcount > 0
            )

    def recall(self, dropped: Sequence[LiveSentence], *, now: float) -> None:
        """Let sentences that were dropped wait once more, unless their text has changed since."""
        with self._writing() as connection:
            for sentence in dropped:
                where = sentences.c.id == sentence.id, sentences.c.revision == sentence.revision
                again = sentences.update().where(*where, sentences.c.kept.is_(False))
                connection.execute(again.values(**UNCHECKED, settled=now))

    def sentences(self, event: str) -> list[LiveSentence]:
        """Return the sentences of an event in the order in which they were said."""
        order = (sentences.c.said, sentences.c.source, sentences.c.seq, sentences.c.part)
        chosen = sa.select(*_COLUMNS).where(*_of(event)).order_by(*order)
        with self._reading() as connection:
            return [_sentence(row) for row in connection.execute(chosen)]

    def talk(self, sentence: LiveSentence, around: Window) -> list[LiveSentence]:
        """Return a sentence with those that its source sent before and after it, as they read now, in order."""
        c = sentences.c
        own = sa.select(c.event, c.source, c.seq, c.part).where(c.id == sentence.id)
        with self._reading() as connection:
            event, source, *at = connection.execute(own).one()
            here = sa.tuple_(*map(sa.literal, at))
            place = sa.tuple_(c.seq, c.part)
            chosen = sa.select(*_COLUMNS).where(*_of(event), c.source == source)
            back = (
                chosen.where(place < here)
                .order_by(c.seq.desc(), c.part.desc())
                .limit(around.before)
            )
            on = chosen.where(place > here).order_by(c.seq, c.part).limit(around.after)
            before, after = (
                [_sentence(row) for row in connection.execute(near)] for near in (back, on)
            )
        return [*reversed(before), sentence, *after]

    def vectors(self, event: str) -> dict[int, bytes]:
        """Return the SBERT vector of each sentence that was read, by number, in half precision."""
        chosen = sa.select(sentences.c.number, sentences.c.vector).where(
            *_of(event), sentences.c.vector.is_not(None)
        )
        with self._reading() as connection:
            return {row.number: row.vector for row in connection.execute(chosen)}

    def units(self, event: str) -> dict[int, str]:
        """Return in which unit of its source each sentence begins, by number."""
        chosen = sa.select(sentences.c.number, sentences.c.unit).where(*_of(event))
        with self._reading() as connection:
            return {row.number: row.unit for row in connection.execute(chosen)}

    def reports(self, event: str, numbers: Iterable[int] | None = None) -> dict[int, bytes]:
        """Return the stored report of each kept sentence that was checked, by number.

        Or those of some numbers.
        """
        chosen = sa.select(sentences.c.number, sentences.c.report).where(
            *_of(event), sentences.c.report.is_not(None)
        )
        if numbers is not None:
            chosen = chosen.where(sentences.c.number.in_(list(numbers)))
        with self._reading() as connection:
            return {row.number: zlib.decompress(row.report) for row in connection.execute(chosen)}

    def occurrences(self, claims: Iterable[str]) -> dict[tuple[str, str], list[Occurrence]]:
        """Return when the claims of fact-checks were made in all events, the earliest first.

        The key is the id of the claim and ``event.speaker_key`` of who made it.
        """
        c = sentences.c
        where = (c.claim.in_({claim for claim in claims if claim}), c.who != "", sa.not_(c.gone))
        columns = (c.claim, c.who, c.event, events.c.title, events.c.day, c.number, c.said)
        joined = sa.select(*columns).select_from(sentences.join(events, events.c.name == c.event))
        times: dict[tuple[str, str], list[Occurrence]] = {}
        with self._reading() as connection:
            for row in connection.execute(joined.where(*where).order_by(c.said)):
                times.setdefault((row.claim, row.who), []).append(Occurrence(*row[2:]))
        return times

    def health(self, event: str, *, now: float) -> Health:
        """Return how the event is followed at this moment."""
        of = _of(event)
        c = sentences.c
        with self._reading() as connection:
            chosen = sa.select(feeds).where(feeds.c.event == event).order_by(feeds.c.name)
            rows = tuple(
                Feed(row.name, row.last, row.warning, row.warned, row.unheard)
                for row in connection.execute(chosen)
            )
            beat = connection.execute(
                sa.select(events.c.beat).where(events.c.name == event)
            ).scalar()
            ready = sa.select(sa.func.count(), sa.func.min(c.settled)).where(
                *of, c.checked.is_(None), c.final
            )
            waiting, oldest = connection.execute(ready).one()
            spent = sa.select(c.checked - c.settled).where(
                *of, c.kept, c.final, c.checked >= c.settled
            )
            took = list(
                connection.execute(spent.order_by(c.checked.desc()).limit(MEASURED)).scalars()
            )
        last = max((feed.last for feed in rows if feed.last), default=None)
        lag = max(0.0, now - oldest) if oldest else 0.0
        return Health(rows, last, waiting, lag, beat, _percentiles(took))


@dataclass(frozen=True)
class _Stream:
    """What one source of an event sends, written in one transaction."""

    connection: sa.Connection
    event: str
    source: str
    now: float
    sender: str = ""

    def feed(self) -> sa.Row[Any]:
        """Return the row of the source, made if it is new."""
        chosen = sa.select(feeds).where(feeds.c.event == self.event, feeds.c.name == self.source)
        row = self.connection.execute(chosen).first()
        if row is None:
            self.connection.execute(feeds.insert().values(event=self.event, name=self.source))
            row = self.connection.execute(chosen).one()
        return row

    def update_feed(self, values: Mapping[str, Any]) -> None:
        """Change the row of the source."""
        where = (feeds.c.event == self.event, feeds.c.name == self.source)
        self.connection.execute(feeds.update().where(*where).values(**values))

    def write_lines(self, arrived: Sequence[Line]) -> dict[int, tuple[Line, str]]:
        """Write lines that are new or read differently.

        Return them by ``seq`` with the final text they replace.
        """
        own = self._own(lines)
        latest = {
            line.unit: line for line in arrived
        }  # of several in one arrival the last one counts
        chosen = sa.select(lines).where(*own, lines.c.unit.in_(list(latest)))
        known = {row.unit: row for row in self.connection.execute(chosen)}
        top = self.connection.execute(sa.select(sa.func.max(lines.c.seq)).where(*own)).scalar()
        following = 0 if top is None else top + 1
        written: dict[int, tuple[Line, str]] = {}
        for unit, line in latest.items():
            values = {name: getattr(line, name) for name in TEXT}
            old = known.get(unit)
            if old is not None and _same(old, values):
                continue
            if old is None:
                seq = following if line.seq is None else line.seq
                following = max(following, seq + 1)
                key = {"event": self.event, "source": self.source, "unit": unit, "seq": seq}
                row = {
                    **key,
                    "cut": str(line.cut),
                    "came": self.now,
                    "sender": self.sender,
                    **values,
                }
                self.connection.execute(lines.insert().values(**row))
            else:
                seq = old.seq
                changed = lines.update().where(*own, lines.c.unit == unit)
                self.connection.execute(changed.values(sender=self.sender, **values))
            written[seq] = line, old.text if old is not None and old.final else ""
        return written

    def recut(self, first: int, style: Style) -> int:
        """Cut sentences again from the line ``first``, or a little before.

        Return how many are new or changed.
        """
        rows = self._lines_around(first)
        near = [_line(row) for row in rows]
        place = next((i for i, line in enumerate(near) if (line.seq or 0) >= first), len(near) - 1)
        near = near[sentence_cutting.start_of(near, place, style) :]
        arrival = {row.unit: row.came for row in rows}
        chosen = sa.select(sentences).where(
            *self._own(sentences), sentences.c.seq >= (near[0].seq or 0)
        )
        stored = {(row.unit, row.part): row for row in self.connection.execute(chosen)}
        changed = 0
        for sentence in sentence_cutting.cut(near, style):
            old = stored.pop((sentence.unit, sentence.part), None)
            changed += self._write_sentence(sentence, old, arrival[sentence.unit])
        left = [row.id for row in stored.values() if not row.gone]
        if left:
            self.connection.execute(
                sentences.update().where(sentences.c.id.in_(left)).values(gone=True)
            )
        return changed + len(left)

    def _lines_around(self, first: int) -> Sequence[sa.Row[Any]]:
        own = self._own(lines)
        seq = lines.c.seq
        back = (
            sa.select(seq)
            .where(*own, seq < first)
            .order_by(seq.desc())
            .limit(sentence_cutting.REACH)
        )
        least = min(self.connection.execute(back).scalars(), default=first)
        return self.connection.execute(
            sa.select(lines).where(*own, seq >= least).order_by(seq)
        ).all()

    def _write_sentence(
        self, sentence: CutSentence, old: sa.Row[Any] | None, arrival: float
    ) -> int:
        """Write a sentence if it is new or differs from the stored one; return 1 if it did."""
        values: dict[str, Any] = {name: getattr(sentence, name) for name in TEXT}
        key = speaker_key(sentence.speaker)
        if old is None:
            chosen = sa.select(sa.func.max(sentences.c.number)).where(
                sentences.c.event == self.event
            )
            number = (self.connection.execute(chosen).scalar() or 0) + 1
            values |= {
                "event": self.event,
                "source": self.source,
                "unit": sentence.unit,
                "part": sentence.part,
            }
            values |= {
                "seq": sentence.seq,
                "number": number,
                "who": key,
                "said": arrival,
                "settled": self.now,
            }
            self.connection.execute(sentences.insert().values(**values))
            return 1
        rewritten = (sentence.text, sentence.speaker) != (old.text, old.speaker) or old.gone
        if not rewritten and _same(old, values):
            return 0
        if rewritten:
            values |= {
                **UNCHECKED,
                "gone": False,
                "who": key,
                "revision": old.revision + 1,
                "settled": self.now,
            }
        elif sentence.final and not old.final and old.checked is None:
            values |= {"settled": self.now}
        self.connection.execute(sentences.update().where(sentences.c.id == old.id).values(**values))
        return 1

    def _own(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        return table.c.event == self.event, table.c.source == self.source


def _of(event: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition for the sentences of an event that are still there."""
    return sentences.c.event == event, sa.not_(sentences.c.gone)


def _same(row: sa.Row[Any], values: Mapping[str, Any]) -> bool:
    return all(getattr(row, name) == value for name, value in values.items())


def _percentiles(values: Sequence[float]) -> tuple[float, float] | None:
    if len(values) < 2:
        return (values[0], values[0]) if values else None
    hundredths = quantiles(values, n=100, method="inclusive")
    return hundredths[49], hundredths[94]


def _line(row: sa.Row[Any]) -> Line:
    times = row.start, row.end
    return Line(
        row.source, row.unit, row.text, row.speaker, *times, row.final, row.seq, Cut(row.cut)
    )


def _sentence(row: sa.Row[Any]) -> LiveSentence:
    values = dict(row._mapping)
    return LiveSentence(**{**values, "tier": values["tier"] and Tier(values["tier"])})
