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
from typing import Any, NamedTuple

import sqlalchemy as sa

from assistant.core import audit
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Tier
from assistant.core.errors import Busy, SettingsError
from assistant.live import sentence_cutting
from assistant.live.event import (
    EVENT_NAME,
    Event,
    Feed,
    Health,
    LiveSentence,
    Occurrence,
    Outcome,
    speaker_key,
)
from assistant.live.live_lines import Line, LineCut
from assistant.live.sentence_cutting import CutSentence, Punctuation
from assistant.live.tables import events, feeds, lines, sentences
from assistant.report.measured_strength import is_strong
from features.similarity.context_window import Window

STABLE_TEXT_S = 2.0  # text that may still change is checked once it has not changed for so long
ENGINE_SILENCE_S = 60.0  # an engine has stopped if it has not said for so long that it works
LATENCY_SENTENCES = 100  # kept sentences whose latency is measured
_SENTENCE_COLUMNS = [sentences.c[name] for name in LiveSentence.__dataclass_fields__]
TEXT_COLUMNS = ("text", "speaker", "start", "end", "final")
# The columns of a sentence that has not been checked.
UNCHECKED_VALUES = {
    "checked": None,
    "worthiness": None,
    "kept": None,
    "reason": "",
    "tier": None,
    "strength": "",
    "score": None,
    "claim": "",
    "report": None,
    "vector": None,
}


class EventLog(Database):
    """Live events, their lines, sentences and results.

    Every process that follows or shows an event has one open.
    """

    def __init__(self, engine: sa.Engine, *, name: str) -> None:
        super().__init__(engine, name=name)
        # Event, source and sender of lines that the activity log has noted
        self._noted_senders: set[tuple[str, str, str]] = set()

    def begin(self, event: Event, now: float, *, who: str = "") -> Event:
        """Store an event that ``who`` begins to follow, and return it as stored.

        A new event without a day gets today's. A stored event is changed by the fields that are
        given. The activity log notes ``who``. Raises: SettingsError if the name is not valid.
        """
        if not EVENT_NAME.fullmatch(event.name):
            remedy = "Use at most 80 letters, digits, spaces and dashes."
            raise SettingsError(f"{event.name[:80]!r} isn't a valid event name.", remedy=remedy)
        audit_entry = audit.AuditEntry(now, who, "follow", f"live:{event.name}")
        is_this_event = events.c.name == event.name
        with self._writing() as connection:
            audit.store_entry(connection, audit_entry)
            stored_event = connection.execute(sa.select(events).where(is_this_event)).first()
            if stored_event is None:
                title = event.title or event.name
                event_day = event.day or date.fromtimestamp(now)
                new_values = {
                    "name": event.name,
                    "title": title,
                    "day": event_day,
                    "opened": now,
                }
                connection.execute(events.insert(), new_values)
                return Event(event.name, title, event_day)
            title = event.title or stored_event.title
            event_day = event.day or stored_event.day
            update = events.update().where(is_this_event)
            connection.execute(update.values(title=title, day=event_day))
            return Event(event.name, title, event_day)

    def stopped(self, event: str, now: float, *, who: str) -> None:
        """Note in the log of what people do that somebody has stopped following an event."""
        with self._writing() as connection:
            audit.store_entry(
                connection, audit.AuditEntry(now, who, "stop following", f"live:{event}")
            )

    def event(self, name: str) -> Event | None:
        """Return an event, None if there is none of this name."""
        for event in self.events():
            if event.name == name:
                return event
        return None

    def events(self) -> list[Event]:
        """Return all events, the newest first."""
        with self._reading() as connection:
            event_records = connection.execute(
                sa.select(events).order_by(events.c.opened.desc(), events.c.name)
            )
            return [Event(record.name, record.title, record.day) for record in event_records]

    def debates(self) -> list[StoredDebate]:
        """Return the live events, each with the number of its sentences."""
        sentence_count = sa.func.count(sentences.c.id)
        # The column ``beat`` has the last time at which an engine worked on the event.
        last_change = sa.func.coalesce(events.c.beat, events.c.opened)
        query = sa.select(events.c.name, events.c.title, events.c.day, last_change, sentence_count)
        # An outer join, because an event may have no sentence yet
        query = query.outerjoin(sentences, sentences.c.event == events.c.name)
        query = query.group_by(events.c.name)
        debates = []
        with self._reading() as connection:
            for name, title, day, changed_at_s, count in connection.execute(query):
                record_counts = {"sentences": count}
                # A live event has no file, so no document.
                debates.append(StoredDebate("", name, title, day, changed_at_s, record_counts))
        return debates

    def purge(self, event: str, *, now: float) -> None:
        """Delete an event with its lines, sentences and results.

        Raises: Busy if it is being followed.
        """
        beat_query = sa.select(events.c.beat).where(events.c.name == event)
        with self._writing() as connection:
            # The beat is the last time at which an engine said that it works on the event.
            beat_s = connection.execute(beat_query).scalar()
            if beat_s is not None and abs(now - beat_s) < ENGINE_SILENCE_S:
                raise Busy(
                    "this event is being followed.", where=event, remedy="Stop the event first."
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

    def store_lines(  # noqa: PLR0913
        self,
        event: str,
        source: str,
        arrived_lines: Sequence[Line],
        *,
        now: float,
        cursor: str | None = None,
        sender: str = "",
        unheard_s: float | None = None,
    ) -> int:
        """Store lines of one source and the sentences that they make.

        Return the number of sentences that are new or changed. A line that is stored already with
        the same words changes nothing. ``sender``: the account or token that sends the lines.
        ``unheard_s``: seconds of sound that wait to be transcribed, if the source brings sound.
        """
        sender_key = (event, source, sender)
        is_first_line = bool(arrived_lines and sender) and sender_key not in self._noted_senders
        with self._writing() as connection:
            writer = _SourceWriter(connection, event, source, now, sender)
            if is_first_line:
                entry = audit.AuditEntry(now, sender, "send lines", f"live:{event}")
                audit.store_entry(connection, entry)
            # The words and the full stops so far tell whether the source writes punctuation.
            source_record = writer.source_record()
            old_style = Punctuation(source_record.words, source_record.marks)
            changed_count, style = writer.write(arrived_lines, old_style)
            values: dict[str, Any] = {"words": style.words, "marks": style.marks, "beat": now}
            if arrived_lines:
                values["last"] = now
            if cursor is not None:
                values["cursor"] = cursor
            if unheard_s is not None:
                values["unheard"] = unheard_s
            writer.update_feed(values)
        if is_first_line:
            self._noted_senders.add(sender_key)
        return changed_count

    def warn(self, event: str, source: str, text: str, *, now: float) -> None:
        """Store what is wrong with a source, for the health line.

        It replaces the warning before it.
        """
        with self._writing() as connection:
            stream = _SourceWriter(connection, event, source, now)
            stream.source_record()
            stream.update_feed({"warning": text, "warned": now, "beat": now})

    def beat(self, event: str, *, now: float) -> None:
        """Store that an engine is working on the event now."""
        with self._writing() as connection:
            connection.execute(events.update().where(events.c.name == event).values(beat=now))

    def waiting(self, event: str, *, now: float, limit: int) -> list[LiveSentence]:
        """Return sentences that wait to be checked, in the order of their arrival.

        A sentence waits if it is final, or if its text has not changed for some time.
        """
        # ``settled`` is the time since which the text has not changed.
        columns = sentences.c
        is_stable = columns.settled <= now - STABLE_TEXT_S
        is_final_or_stable = sa.or_(columns.final, is_stable)
        is_unchecked = columns.checked.is_(None)
        query = sa.select(*_SENTENCE_COLUMNS)
        query = query.where(*_not_taken_back_in(event), is_unchecked, is_final_or_stable)
        query = query.order_by(columns.id).limit(limit)
        with self._reading() as connection:
            return [_sentence(record) for record in connection.execute(query)]

    def store_outcome(self, sentence: LiveSentence, outcome: Outcome, *, now: float) -> bool:
        """Store the outcome of a check, and return whether it was stored.

        The outcome is dropped if the text of the sentence has changed since.
        """
        values = {
            "worthiness": outcome.worthiness,
            "kept": outcome.kept,  # false if the sentence isn't worth checking
            "reason": outcome.reason,
            "score": outcome.score,
            "claim": outcome.claim,
            "tier": str(outcome.tier) if outcome.tier else None,
            "strength": outcome.strength,
            "checked": now,
            "report": zlib.compress(outcome.report) if outcome.report else None,
            "vector": outcome.vector or None,
        }
        # The revision counts the texts of a sentence.
        is_unchanged = sentences.c.revision == sentence.revision
        is_unchecked = sentences.c.checked.is_(None)
        update = sentences.update().where(sentences.c.id == sentence.id, is_unchanged, is_unchecked)
        with self._writing() as connection:
            return connection.execute(update.values(**values)).rowcount > 0

    def let_wait_again(self, dropped_sentences: Sequence[LiveSentence], *, now: float) -> None:
        """Let sentences that were dropped wait once more, unless their text has changed since."""
        with self._writing() as connection:
            for sentence in dropped_sentences:
                update = sentences.update().where(
                    sentences.c.id == sentence.id,
                    sentences.c.revision == sentence.revision,
                    sentences.c.kept.is_(False),
                )
                connection.execute(update.values(**UNCHECKED_VALUES, settled=now))

    def sentences(self, event: str) -> list[LiveSentence]:
        """Return the sentences of an event in the order in which they were said."""
        order = (sentences.c.said, sentences.c.source, sentences.c.seq, sentences.c.part)
        query = sa.select(*_SENTENCE_COLUMNS).where(*_not_taken_back_in(event)).order_by(*order)
        with self._reading() as connection:
            return [_sentence(record) for record in connection.execute(query)]

    def with_neighbours(self, sentence: LiveSentence, window: Window) -> list[LiveSentence]:
        """Return a sentence with its neighbours from the same source, in order, as they read now."""
        columns = sentences.c
        # A sentence is placed by its line and by its number in the line.
        position = sa.tuple_(columns.seq, columns.part)
        query = sa.select(columns.event, columns.source, columns.seq, columns.part)
        query = query.where(columns.id == sentence.id)
        with self._reading() as connection:
            stored_position = connection.execute(query).one()
            own_position = sa.tuple_(
                sa.literal(stored_position.seq), sa.literal(stored_position.part)
            )
            query_of_source = sa.select(*_SENTENCE_COLUMNS).where(
                *_not_taken_back_in(stored_position.event), columns.source == stored_position.source
            )
            # The nearest first, in both directions
            earlier_query = query_of_source.where(position < own_position)
            earlier_query = earlier_query.order_by(columns.seq.desc(), columns.part.desc())
            later_query = query_of_source.where(position > own_position)
            later_query = later_query.order_by(columns.seq, columns.part)
            earlier_records = connection.execute(earlier_query.limit(window.before)).all()
            later_records = connection.execute(later_query.limit(window.after)).all()
        earlier_sentences = [_sentence(record) for record in reversed(earlier_records)]
        later_sentences = [_sentence(record) for record in later_records]
        return [*earlier_sentences, sentence, *later_sentences]

    def vectors(self, event: str) -> dict[int, bytes]:
        """Return the SBERT vector of each sentence that was read, by number, in half precision."""
        query = sa.select(sentences.c.number, sentences.c.vector).where(
            *_not_taken_back_in(event), sentences.c.vector.is_not(None)
        )
        with self._reading() as connection:
            return {record.number: record.vector for record in connection.execute(query)}

    def units(self, event: str) -> dict[int, str]:
        """Return in which unit of its source each sentence begins, by number."""
        query = sa.select(sentences.c.number, sentences.c.unit).where(*_not_taken_back_in(event))
        with self._reading() as connection:
            return {record.number: record.unit for record in connection.execute(query)}

    def reports(self, event: str, numbers: Iterable[int] | None = None) -> dict[int, bytes]:
        """Return the stored reports of checked sentences, by number: all, or only ``numbers``."""
        query = sa.select(sentences.c.number, sentences.c.report)
        query = query.where(*_not_taken_back_in(event), sentences.c.report.is_not(None))
        if numbers is not None:
            query = query.where(sentences.c.number.in_(list(numbers)))
        with self._reading() as connection:
            return {
                record.number: zlib.decompress(record.report)
                for record in connection.execute(query)
            }

    def occurrences(self, claims: Iterable[str]) -> dict[tuple[str, str], list[Occurrence]]:
        """Return when the claims of fact-checks were made in all events, the earliest first.

        A claim counts as made only in a strong match: a count credits its speaker with the words.
        The key is the id of the claim and the ``event.speaker_key`` of its speaker.
        """
        columns = sentences.c
        claim_ids = {claim for claim in claims if claim}
        query = sa.select(
            columns.claim,
            columns.who,
            columns.event,
            events.c.title,
            events.c.day,
            columns.number,
            columns.said,
            columns.strength,
            columns.tier,
        )
        query = query.select_from(sentences.join(events, events.c.name == columns.event))
        # ``who`` is the key of the speaker, "" if unknown; ``gone`` sentences were taken back.
        query = query.where(columns.claim.in_(claim_ids), columns.who != "", sa.not_(columns.gone))
        query = query.order_by(columns.said)
        occurrences: dict[tuple[str, str], list[Occurrence]] = {}
        with self._reading() as connection:
            for record in connection.execute(query):
                claim, speaker, event, title, day, number, said, strength, tier = record
                if not is_strong(strength, tier):
                    continue
                occurrence = Occurrence(event, title, day, number, said)
                occurrences.setdefault((claim, speaker), []).append(occurrence)
        return occurrences

    def health(self, event: str, *, now: float) -> Health:
        """Return how the event is followed at this moment."""
        columns = sentences.c
        is_of_event = _not_taken_back_in(event)
        # Each source, and the last time at which an engine worked on the event
        feed_query = sa.select(feeds).where(feeds.c.event == event).order_by(feeds.c.name)
        beat_query = sa.select(events.c.beat).where(events.c.name == event)
        # The sentences that wait to be checked, and since when the oldest of them is final
        waiting_query = sa.select(sa.func.count(), sa.func.min(columns.settled))
        waiting_query = waiting_query.where(*is_of_event, columns.checked.is_(None), columns.final)
        # From the time since which the text has not changed to the stored outcome
        latency_query = (
            sa.select(columns.checked - columns.settled)
            .where(*is_of_event, columns.kept, columns.final, columns.checked >= columns.settled)
            .order_by(columns.checked.desc())
            .limit(LATENCY_SENTENCES)
        )
        with self._reading() as connection:
            feed_records = connection.execute(feed_query).all()
            beat = connection.execute(beat_query).scalar()
            waiting_count, oldest_settled = connection.execute(waiting_query).one()
            latencies_s = list(connection.execute(latency_query).scalars())
        source_feeds = tuple(
            Feed(record.name, record.last, record.warning, record.warned, record.unheard)
            for record in feed_records
        )
        last_line_at = max((feed.last for feed in source_feeds if feed.last), default=None)
        lag_s = max(0.0, now - oldest_settled) if oldest_settled else 0.0
        latency = _median_and_p95(latencies_s)
        return Health(source_feeds, last_line_at, waiting_count, lag_s, beat, latency)


class _ChangedLine(NamedTuple):
    """The final text of a line that is new or changed, and its text before; "" for interim ones."""

    final_text: str
    replaced_text: str


@dataclass(frozen=True)
class _SourceWriter:
    """What one source of an event sends, written in one transaction."""

    connection: sa.Connection
    event: str
    source: str
    now: float
    sender: str = ""

    def source_record(self) -> sa.Row[Any]:
        """Return the row of the source, made if it is new."""
        # The table ``feeds`` has one row per source of an event.
        query = sa.select(feeds).where(feeds.c.event == self.event, feeds.c.name == self.source)
        record = self.connection.execute(query).first()
        if record is None:
            new_row = {"event": self.event, "name": self.source}
            self.connection.execute(feeds.insert(), new_row)
            record = self.connection.execute(query).one()
        return record

    def update_feed(self, values: Mapping[str, Any]) -> None:
        """Change the row of the source."""
        where = (feeds.c.event == self.event, feeds.c.name == self.source)
        self.connection.execute(feeds.update().where(*where).values(**values))

    def write(
        self, arrived_lines: Sequence[Line], old_style: Punctuation
    ) -> tuple[int, Punctuation]:
        """Write lines and cut their sentences again.

        Return the number of sentences that changed, and the punctuation of the source so far.
        """
        # The changed lines by their number in the source (``seq``)
        changed_lines = self.write_lines(arrived_lines) if arrived_lines else {}
        if not changed_lines:
            return 0, old_style
        # The style counts the punctuation marks in all final texts of the source.
        style = old_style
        for changed_line in changed_lines.values():
            style = style.plus(changed_line.final_text, instead_of=changed_line.replaced_text)
        first_changed = min(changed_lines)
        turned_out_different = style.punctuated != old_style.punctuated
        if turned_out_different:
            # Without punctuation, sentences end elsewhere: all are cut again.
            first_changed = 0
        changed_sentence_count = self.cut_sentences_again(first_changed, style)
        return changed_sentence_count, style

    def write_lines(self, arrived_lines: Sequence[Line]) -> dict[int, _ChangedLine]:
        """Write lines that are new or read differently, and return them by ``seq``."""
        is_of_source = self._rows_of_source(lines)
        # A unit is the source's name for a line. If it arrives several times, its latest text
        # counts.
        line_by_unit = {line.unit: line for line in arrived_lines}
        stored_query = sa.select(lines).where(*is_of_source, lines.c.unit.in_(list(line_by_unit)))
        stored_by_unit = {record.unit: record for record in self.connection.execute(stored_query)}
        next_seq = self._next_line_order()
        changed_lines: dict[int, _ChangedLine] = {}
        for unit, line in line_by_unit.items():
            values = {name: getattr(line, name) for name in TEXT_COLUMNS}
            final_text = line.text if line.final else ""
            stored_record = stored_by_unit.get(unit)
            if stored_record is None:
                seq = next_seq if line.seq is None else line.seq
                next_seq = max(next_seq, seq + 1)
                self._insert_line(line, seq, values)
                changed_lines[seq] = _ChangedLine(final_text, replaced_text="")
            elif not _has_values(stored_record, values):
                update = lines.update().where(*is_of_source, lines.c.unit == unit)
                update = update.values(sender=self.sender, cut=str(line.cut), **values)
                self.connection.execute(update)
                replaced_text = stored_record.text if stored_record.final else ""
                changed_lines[stored_record.seq] = _ChangedLine(final_text, replaced_text)
        return changed_lines

    def _next_line_order(self) -> int:
        """Return the number of the next line; ``seq`` numbers the lines of a source in order."""
        query = sa.select(sa.func.max(lines.c.seq)).where(*self._rows_of_source(lines))
        highest_seq = self.connection.execute(query).scalar()
        return 0 if highest_seq is None else highest_seq + 1

    def _insert_line(self, line: Line, seq: int, values: Mapping[str, Any]) -> None:
        key = {"event": self.event, "source": self.source, "unit": line.unit, "seq": seq}
        arrival = {"cut": str(line.cut), "came": self.now, "sender": self.sender}
        self.connection.execute(lines.insert().values(**key, **arrival, **values))

    def cut_sentences_again(self, first_changed: int, style: Punctuation) -> int:
        """Cut sentences again from the line ``first_changed``, or a little before it.

        Return the number of sentences that are new, changed or gone.
        """
        line_records = self._line_records_around(first_changed)
        arrival_by_unit = {record.unit: record.came for record in line_records}
        nearby_lines = [_line(record) for record in line_records]
        lines_to_cut = self._lines_from_sentence_start(nearby_lines, first_changed, style)
        first_seq = lines_to_cut[0].seq or 0
        query = sa.select(sentences).where(
            *self._rows_of_source(sentences), sentences.c.seq >= first_seq
        )
        # The stored sentences, by the line in which they begin and their number in this line
        stored_sentences = {
            (record.unit, record.part): record for record in self.connection.execute(query)
        }
        changed_count = 0
        for sentence in sentence_cutting.cut_sentences(lines_to_cut, style):
            stored_record = stored_sentences.pop((sentence.unit, sentence.part), None)
            arrival_s = arrival_by_unit[sentence.unit]
            changed_count += self._write_sentence(sentence, stored_record, arrival_s)
        # The stored sentences that are left were not cut again: they are gone.
        gone_ids = [record.id for record in stored_sentences.values() if not record.gone]
        if gone_ids:
            update = sentences.update().where(sentences.c.id.in_(gone_ids))
            self.connection.execute(update.values(gone=True))
        return changed_count + len(gone_ids)

    @staticmethod
    def _lines_from_sentence_start(
        nearby_lines: Sequence[Line], first_changed: int, style: Punctuation
    ) -> Sequence[Line]:
        """Return the lines from the beginning of the sentence that has the first changed line."""
        # The index of the first changed line, whose number (``seq``) is known
        change_index = len(nearby_lines) - 1
        for index, line in enumerate(nearby_lines):
            if (line.seq or 0) >= first_changed:
                change_index = index
                break
        start_index = sentence_cutting.start_of_cut(nearby_lines, change_index, style)
        return nearby_lines[start_index:]

    def _line_records_around(self, changed_order: int) -> Sequence[sa.Row[Any]]:
        """Return the lines from a changed one on, and the lines before it that may matter."""
        is_of_source = self._rows_of_source(lines)
        order = lines.c.seq  # the column that numbers the lines of a source
        # The change may belong to a sentence that began in one of the lines before.
        earlier_query = sa.select(order).where(*is_of_source, order < changed_order)
        earlier_query = earlier_query.order_by(order.desc())
        earlier_query = earlier_query.limit(sentence_cutting.LINES_PER_SENTENCE)
        earlier_orders = self.connection.execute(earlier_query).scalars()
        start_order = min(earlier_orders, default=changed_order)
        query = sa.select(lines).where(*is_of_source, order >= start_order).order_by(order)
        return self.connection.execute(query).all()

    def _write_sentence(
        self, sentence: CutSentence, stored_record: sa.Row[Any] | None, arrival_s: float
    ) -> int:
        """Write a sentence if it is new or differs from the stored one; return 1 if it did."""
        values: dict[str, Any] = {name: getattr(sentence, name) for name in TEXT_COLUMNS}
        if stored_record is None:
            self._insert_sentence(sentence, arrival_s, values)
            return 1
        # A sentence that the source took back is ``gone``.
        has_other_text = sentence.text != stored_record.text
        has_other_speaker = sentence.speaker != stored_record.speaker
        must_be_checked_again = has_other_text or has_other_speaker or stored_record.gone
        if not must_be_checked_again and _has_values(stored_record, values):
            return 0
        # ``settled`` is the time since which the text has not changed.
        has_become_final = sentence.final and not stored_record.final
        if must_be_checked_again:
            values |= UNCHECKED_VALUES
            values |= {"gone": False, "revision": stored_record.revision + 1, "settled": self.now}
            values["who"] = speaker_key(sentence.speaker)
        elif has_become_final and stored_record.checked is None:
            values["settled"] = self.now
        update = sentences.update().where(sentences.c.id == stored_record.id).values(**values)
        self.connection.execute(update)
        return 1

    def _insert_sentence(
        self, sentence: CutSentence, arrival: float, values: Mapping[str, Any]
    ) -> None:
        highest_number = sa.select(sa.func.max(sentences.c.number))
        highest_number = highest_number.where(sentences.c.event == self.event)
        number = (self.connection.execute(highest_number).scalar() or 0) + 1
        key = {"event": self.event, "source": self.source, "unit": sentence.unit}
        order = {"part": sentence.part, "seq": sentence.seq, "number": number}
        state = {"who": speaker_key(sentence.speaker), "said": arrival, "settled": self.now}
        self.connection.execute(sentences.insert().values(**key, **order, **state, **values))

    def _rows_of_source(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        return table.c.event == self.event, table.c.source == self.source


def _not_taken_back_in(event: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition for the sentences of an event that are still there."""
    return sentences.c.event == event, sa.not_(sentences.c.gone)


def _has_values(record: sa.Row[Any], values: Mapping[str, Any]) -> bool:
    return all(getattr(record, name) == value for name, value in values.items())


def _median_and_p95(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the median and the 95th percentile, None without values."""
    if not values:
        return None
    if len(values) == 1:
        return values[0], values[0]
    percentiles = quantiles(values, n=100, method="inclusive")  # from the first to the 99th
    median = percentiles[49]
    p95 = percentiles[94]
    return median, p95


def _line(record: sa.Row[Any]) -> Line:
    return Line(
        record.source,
        record.unit,
        record.text,
        record.speaker,
        record.start,
        record.end,
        record.final,
        record.seq,
        LineCut(record.cut),
    )


def _sentence(record: sa.Row[Any]) -> LiveSentence:
    values = dict(record._mapping)
    if values["tier"]:
        values["tier"] = Tier(values["tier"])
    return LiveSentence(**values)
