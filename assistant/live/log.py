"""The log of live events, in the claim store's database: every line and every result is here before anybody sees it.

One transaction takes lines, the sentences they make and the place where their source stands, so that a process that is
killed at any moment goes on where it was, with nothing lost and nothing twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from datetime import date
from statistics import quantiles
from typing import Any

import sqlalchemy as sa

from assistant.ground.database import Database
from assistant.ground.domain import Tier
from assistant.ground.errors import SettingsError
from assistant.live import cutting
from assistant.live.cutting import Said, Style
from assistant.live.event import NAME, Event, Feed, Found, Health, Occurrence, Spot, who
from assistant.live.line import Cut, Line
from features.window import LIVE

STABLE_S = 2.0  # text that may still change is checked once it has not changed for so long
MEASURED = 100  # kept sentences whose latency is told

_meta = sa.MetaData()
events = sa.Table(
    "live_events",
    _meta,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("day", sa.Date),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("beat", sa.Float),
)
feeds = sa.Table(
    "live_feeds",
    _meta,
    sa.Column("event", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("cursor", sa.Text, nullable=False, default=""),
    sa.Column("words", sa.Integer, nullable=False, default=0),
    sa.Column("marks", sa.Integer, nullable=False, default=0),
    sa.Column("last", sa.Float),
    sa.Column("warning", sa.Text, nullable=False, default=""),
    sa.Column("warned", sa.Float),
    sa.Column("beat", sa.Float),
)
lines = sa.Table(
    "live_lines",
    _meta,
    sa.Column("event", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("unit", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("speaker", sa.Text),
    sa.Column("start", sa.Float),
    sa.Column("end", sa.Float),
    sa.Column("final", sa.Boolean, nullable=False),
    sa.Column("cut", sa.Text, nullable=False),
    sa.Column("came", sa.Float, nullable=False),
    sa.Index("live_lines_order", "event", "source", "seq"),
)
spots = sa.Table(
    "live_sentences",
    _meta,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("unit", sa.Text, nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("speaker", sa.Text),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("start", sa.Float),
    sa.Column("end", sa.Float),
    sa.Column("final", sa.Boolean, nullable=False),
    sa.Column("gone", sa.Boolean, nullable=False, default=False),
    sa.Column("revision", sa.Integer, nullable=False, default=1),
    sa.Column("said", sa.Float, nullable=False),
    sa.Column("settled", sa.Float, nullable=False),
    sa.Column("checked", sa.Float),
    sa.Column("worthiness", sa.Float),
    sa.Column("kept", sa.Boolean),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("tier", sa.Text),
    sa.Column("score", sa.Float),
    sa.Column("claim", sa.Text, nullable=False, default=""),
    sa.Column("report", sa.LargeBinary),
    sa.UniqueConstraint("event", "source", "unit", "part"),
    sa.UniqueConstraint("event", "number"),
    sa.Index("live_sentences_waiting", "event", "checked", "gone"),
    sa.Index("live_sentences_repeats", "claim", "who"),
)
_SPOT = [spots.c[name] for name in Spot.__dataclass_fields__]
UNCHECKED = {"checked": None, "worthiness": None, "kept": None, "reason": "", "tier": None, "score": None, "claim": "",
             "report": None}  # fmt: skip


class EventLog(Database):
    """Live events, their lines, sentences and results. Every process that follows or shows an event has one open."""

    def _prepare(self) -> None:
        with self._errors("opened"), self._engine.connect() as connection:
            there = sa.inspect(connection).has_table(spots.name)
        if not there:
            with self._writing() as connection:
                _meta.create_all(connection)  # asks for each table whether it is there: another may have been faster

    def begin(self, event: Event, now: float) -> Event:
        """Return the event as stored: made if it is new (today, if it has no day), changed where something is given."""
        if not NAME.fullmatch(event.name):
            remedy = "Use letters, digits, spaces and dashes, 80 at most."
            raise SettingsError(f"{event.name[:80]!r} is no name for an event.", remedy=remedy)
        with self._writing() as connection:
            stored = connection.execute(sa.select(events).where(events.c.name == event.name)).first()
            if stored is None:
                made = Event(event.name, event.title or event.name, event.day or date.fromtimestamp(now))
                connection.execute(events.insert().values(name=made.name, title=made.title, day=made.day, opened=now))
                return made
            merged = Event(event.name, event.title or stored.title, event.day or stored.day)
            changes = {"title": merged.title, "day": merged.day}
            connection.execute(events.update().where(events.c.name == event.name).values(changes))
            return merged

    def event(self, name: str) -> Event | None:
        """Return an event, None if there is none of this name."""
        return next((e for e in self.events() if e.name == name), None)

    def events(self) -> list[Event]:
        """Return all events, the newest first."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(events).order_by(events.c.opened.desc(), events.c.name))
            return [Event(row.name, row.title, row.day) for row in rows]

    def cursor(self, event: str, source: str) -> str:
        """Return where a source stood after its last stored lines, "" if nothing of it is stored."""
        where = (feeds.c.event == event, feeds.c.name == source)
        with self._reading() as connection:
            return connection.execute(sa.select(feeds.c.cursor).where(*where)).scalar() or ""

    def take(self, event: str, source: str, came: Sequence[Line], *, now: float, cursor: str | None = None) -> int:
        """Store lines of one source and the sentences they make; return how many sentences are new or changed.

        A line that is stored already in the same words changes nothing.
        """
        with self._writing() as connection:
            feed = _feed(connection, event, source)
            new = _store_lines(connection, event, source, came, now) if came else {}
            before = style = Style(feed.words, feed.marks)
            for line, old in new.values():
                style = style.plus(line.text if line.final else "", instead_of=old)
            first = min(new, default=None)
            if new and style.punctuated != before.punctuated:
                first = 0  # what is known now of the punctuation changes where sentences begin
            changed = 0 if first is None else _recut(connection, event, source, first, style, now)
            row: dict[str, Any] = {"words": style.words, "marks": style.marks}
            row |= {"last": now, "beat": now} if came else {"beat": now}
            row |= {} if cursor is None else {"cursor": cursor}
            connection.execute(feeds.update().where(feeds.c.event == event, feeds.c.name == source).values(**row))
            return changed

    def warn(self, event: str, source: str, text: str, *, now: float) -> None:
        """Keep the last thing that was wrong with a source, for the health line."""
        with self._writing() as connection:
            _feed(connection, event, source)
            where = (feeds.c.event == event, feeds.c.name == source)
            connection.execute(feeds.update().where(*where).values(warning=text, warned=now, beat=now))

    def beat(self, event: str, *, now: float) -> None:
        """Note that an engine is at work on the event."""
        with self._writing() as connection:
            connection.execute(events.update().where(events.c.name == event).values(beat=now))

    def waiting(self, event: str, *, now: float, limit: int) -> list[Spot]:
        """Return sentences that are to be checked, in the order in which they came: final ones, and stable ones."""
        ready = sa.or_(spots.c.final, spots.c.settled <= now - STABLE_S)
        where = (spots.c.event == event, spots.c.checked.is_(None), sa.not_(spots.c.gone), ready)
        with self._reading() as connection:
            rows = connection.execute(sa.select(*_SPOT).where(*where).order_by(spots.c.id).limit(limit))
            return [_spot(row) for row in rows]

    def store(self, found: Iterable[tuple[Spot, Found]], *, now: float) -> int:
        """Store what was found; return for how many sentences. One whose text has changed meanwhile keeps nothing."""
        stored = 0
        with self._writing() as connection:
            for spot, got in found:
                values = {name: getattr(got, name) for name in ("worthiness", "kept", "reason", "score", "claim")}
                values |= {"tier": got.tier and str(got.tier), "checked": now}
                values |= {"report": zlib.compress(got.report) if got.report else None}
                where = (spots.c.id == spot.id, spots.c.revision == spot.revision, spots.c.checked.is_(None))
                stored += connection.execute(spots.update().where(*where).values(**values)).rowcount
        return stored

    def spots(self, event: str) -> list[Spot]:
        """Return the sentences of an event in the order in which they were said."""
        where = (spots.c.event == event, sa.not_(spots.c.gone))
        order = (spots.c.said, spots.c.source, spots.c.seq, spots.c.part)
        with self._reading() as connection:
            return [_spot(row) for row in connection.execute(sa.select(*_SPOT).where(*where).order_by(*order))]

    def window(self, spot: Spot) -> str:
        """Return a sentence with what its source said just before it, as it stands now."""
        own = sa.select(spots.c.event, spots.c.source, spots.c.seq, spots.c.part).where(spots.c.id == spot.id)
        with self._reading() as connection:
            event, source, *place = connection.execute(own).one()
            earlier = sa.tuple_(spots.c.seq, spots.c.part) < sa.tuple_(*map(sa.literal, place))
            where = (spots.c.event == event, spots.c.source == source, sa.not_(spots.c.gone), earlier)
            back = sa.select(spots.c.text).where(*where).order_by(spots.c.seq.desc(), spots.c.part.desc())
            before = list(connection.execute(back.limit(LIVE.before)).scalars())
        return LIVE.of([*reversed(before), spot.text], len(before))

    def units(self, event: str) -> dict[int, str]:
        """Return in which unit of its source each sentence begins, by number."""
        where = (spots.c.event == event, sa.not_(spots.c.gone))
        with self._reading() as connection:
            return {r.number: r.unit for r in connection.execute(sa.select(spots.c.number, spots.c.unit).where(*where))}

    def reports(self, event: str, numbers: Iterable[int] | None = None) -> dict[int, bytes]:
        """Return the archived report of each checked sentence that was kept, by number; of some, if they are given."""
        where = [spots.c.event == event, sa.not_(spots.c.gone), spots.c.report.is_not(None)]
        where += [] if numbers is None else [spots.c.number.in_(list(numbers))]
        with self._reading() as connection:
            rows = connection.execute(sa.select(spots.c.number, spots.c.report).where(*where))
            return {row.number: zlib.decompress(row.report) for row in rows}

    def repeats(self, claim: str, speaker: str | None) -> list[Occurrence]:
        """Return when a speaker made the claim of a fact-check, in all events, the earliest first."""
        return self.repeats_of([claim]).get((claim, who(speaker)), [])

    def repeats_of(self, claims: Iterable[str]) -> dict[tuple[str, str], list[Occurrence]]:
        """Return the same for several claims at once, by claim and by who made it (``event.who``)."""
        where = (spots.c.claim.in_({claim for claim in claims if claim}), spots.c.who != "", sa.not_(spots.c.gone))
        columns = (
            spots.c.claim,
            spots.c.who,
            spots.c.event,
            events.c.title,
            events.c.day,
            spots.c.number,
            spots.c.said,
        )
        joined = spots.join(events, events.c.name == spots.c.event)
        found: dict[tuple[str, str], list[Occurrence]] = {}
        with self._reading() as connection:
            for row in connection.execute(sa.select(*columns).select_from(joined).where(*where).order_by(spots.c.said)):
                found.setdefault((row.claim, row.who), []).append(Occurrence(*row[2:]))
        return found

    def health(self, event: str, *, now: float) -> Health:
        """Return how the event is followed at this moment."""
        mine, c = (spots.c.event == event, sa.not_(spots.c.gone)), spots.c
        with self._reading() as connection:
            rows = connection.execute(sa.select(feeds).where(feeds.c.event == event).order_by(feeds.c.name)).all()
            beat = connection.execute(sa.select(events.c.beat).where(events.c.name == event)).scalar()
            ready = sa.select(sa.func.count(), sa.func.min(c.settled)).where(*mine, c.checked.is_(None), c.final)
            waiting, oldest = connection.execute(ready).one()
            spent = sa.select(c.checked - c.settled).where(*mine, c.kept, c.final, c.checked >= c.settled)
            took = list(connection.execute(spent.order_by(c.checked.desc()).limit(MEASURED)).scalars())
        seen = tuple(Feed(row.name, row.last, row.warning, row.warned, row.beat) for row in rows)
        last = max((feed.last for feed in seen if feed.last), default=None)
        lag = max(0.0, now - oldest) if oldest else 0.0
        return Health(seen, last, waiting, lag, beat, _percentiles(took))


def _percentiles(values: Sequence[float]) -> tuple[float, float] | None:
    if len(values) < 2:
        return (values[0], values[0]) if values else None
    hundredths = quantiles(values, n=100, method="inclusive")
    return hundredths[49], hundredths[94]


def _feed(connection: sa.Connection, event: str, source: str) -> sa.Row[Any]:
    chosen = sa.select(feeds).where(feeds.c.event == event, feeds.c.name == source)
    row = connection.execute(chosen).first()
    if row is None:
        connection.execute(feeds.insert().values(event=event, name=source))
        row = connection.execute(chosen).one()
    return row


def _store_lines(
    connection: sa.Connection, event: str, source: str, came: Sequence[Line], now: float
) -> dict[int, tuple[Line, str]]:
    """Write lines that are new or say something else; return them by ``seq``, with the final text they replace."""
    mine = (lines.c.event == event, lines.c.source == source)
    units = list({line.unit for line in came})
    known = {r.unit: r for r in connection.execute(sa.select(lines).where(*mine, lines.c.unit.in_(units)))}
    following = connection.execute(sa.select(sa.func.max(lines.c.seq)).where(*mine)).scalar()
    following = 0 if following is None else following + 1
    latest = {line.unit: line for line in came}  # of several in one arrival the last one holds
    written: dict[int, tuple[Line, str]] = {}
    for unit, line in latest.items():
        said = {name: getattr(line, name) for name in ("text", "speaker", "start", "end", "final")}
        old = known.get(unit)
        if old is not None and all(getattr(old, name) == value for name, value in said.items()):
            continue
        if old is None:
            seq = following if line.seq is None else line.seq
            following = max(following, seq + 1)
            key = {"event": event, "source": source, "unit": unit, "seq": seq, "cut": str(line.cut), "came": now}
            connection.execute(lines.insert().values(**key, **said))
        else:
            seq = old.seq
            connection.execute(lines.update().where(*mine, lines.c.unit == unit).values(**said))
        written[seq] = line, old.text if old is not None and old.final else ""
    return written


def _recut(connection: sa.Connection, event: str, source: str, first: int, style: Style, now: float) -> int:
    """Cut the sentences again from the line ``first`` on, or a little before; write what changes."""
    mine = (lines.c.event == event, lines.c.source == source)
    back = sa.select(lines.c.seq).where(*mine, lines.c.seq < first).order_by(lines.c.seq.desc()).limit(cutting.REACH)
    least = min(connection.execute(back).scalars(), default=first)
    rows = connection.execute(sa.select(lines).where(*mine, lines.c.seq >= least).order_by(lines.c.seq)).all()
    near = [_line(row) for row in rows]
    place = next((i for i, line in enumerate(near) if (line.seq or 0) >= first), len(near) - 1)
    near = near[cutting.start_of(near, place, style) :]
    came = {row.unit: row.came for row in rows}
    where = (spots.c.event == event, spots.c.source == source, spots.c.seq >= (near[0].seq or 0))
    stored = {(r.unit, r.part): r for r in connection.execute(sa.select(spots).where(*where))}
    changed = 0
    for said in cutting.cut(near, style):
        old = stored.pop((said.unit, said.part), None)
        changed += _write(connection, (event, source), said, old, came[said.unit], now)
    left = [row.id for row in stored.values() if not row.gone]
    if left:
        connection.execute(spots.update().where(spots.c.id.in_(left)).values(gone=True))
    return changed + len(left)


def _write(
    connection: sa.Connection, place: tuple[str, str], said: Said, old: sa.Row[Any] | None, came: float, now: float
) -> int:
    """Write a sentence if it is new or differs from the stored one; return 1 if it did."""
    event, source = place
    values: dict[str, Any] = {name: getattr(said, name) for name in ("text", "speaker", "start", "end", "final")}
    if old is None:
        top = connection.execute(sa.select(sa.func.max(spots.c.number)).where(spots.c.event == event)).scalar() or 0
        values |= {"event": event, "source": source, "unit": said.unit, "part": said.part, "seq": said.seq}
        values |= {"number": top + 1, "who": who(said.speaker), "said": came, "settled": now}
        connection.execute(spots.insert().values(**values))
        return 1
    reads_else = (said.text, said.speaker) != (old.text, old.speaker) or old.gone
    if not reads_else and all(getattr(old, name) == value for name, value in values.items()):
        return 0
    if reads_else:
        values |= {**UNCHECKED, "gone": False, "who": who(said.speaker), "revision": old.revision + 1, "settled": now}
    elif said.final and not old.final and old.checked is None:
        values |= {"settled": now}
    connection.execute(spots.update().where(spots.c.id == old.id).values(**values))
    return 1


def _line(row: sa.Row[Any]) -> Line:
    times = row.start, row.end
    return Line(row.source, row.unit, row.text, row.speaker, *times, row.final, row.seq, Cut(row.cut))


def _spot(row: sa.Row[Any]) -> Spot:
    values = dict(row._mapping)
    return Spot(**{**values, "tier": values["tier"] and Tier(values["tier"])})
