"""What becomes of each row of an import: the decisions, on values alone. The store reads and writes for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from assistant.claims import fields, merging, ratings
from assistant.claims.records import Attributed, ImportReport, LeftOut, Refused, Row
from assistant.ground.domain import VerifiedClaim


class Head(NamedTuple):
    """What the decisions need of a stored claim before its whole text is read."""

    id: str
    digest: str
    same_key: str
    source: str
    attribution: str
    licence: str
    statement: str
    url: str


@dataclass(slots=True)
class Entry:
    """A row on its way in, with what it is compared by."""

    row: int
    claim: VerifiedClaim
    attribution: str
    licence: str
    same_key: str
    digest: str


@dataclass(slots=True)
class Stored:
    """A claim as it is, or shall be, in the database. ``claim`` is None while nobody needed its text."""

    id: str
    digest: str
    same_key: str
    source: str
    attribution: str
    licence: str
    claim: VerifiedClaim | None
    is_new: bool = False
    is_changed: bool = False


@dataclass(slots=True)
class Decisions:
    """The claims near a batch of rows, by id and by what makes rows one claim."""

    by_id: dict[str, Stored]
    by_key: dict[str, Stored]

    @classmethod
    def over(cls, heads: Iterable[Head], full: Mapping[str, VerifiedClaim]) -> Decisions:
        """Return the decisions before the first row; ``full`` has the claims whose text may change."""
        stored = [Stored(*head[:6], claim=full.get(head.id)) for head in heads]
        return cls({s.id: s for s in stored}, {s.same_key: s for s in stored})

    def add(self, entry: Entry, source: str) -> None:
        """Take a row in as a new claim."""
        named = entry.claim.id
        new = Stored(
            named, entry.digest, entry.same_key, source, entry.attribution, entry.licence, entry.claim, is_new=True
        )
        self.by_id[named] = self.by_key[entry.same_key] = new

    def put(self, stored: Stored, vclaim: VerifiedClaim, entry: Entry) -> bool:
        """Return whether the stored claim now says something else, having put the merged claim in its place."""
        digest, attribution = merging.digest(vclaim), stored.attribution or entry.attribution
        if (digest, attribution) == (stored.digest, stored.attribution):
            return False
        self.by_key.pop(stored.same_key, None)
        stored.same_key = merging.same_key(vclaim)
        self.by_key[stored.same_key] = stored
        stored.digest, stored.claim, stored.attribution = digest, vclaim, attribution
        stored.licence, stored.is_changed = stored.licence or entry.licence, True
        return True

    def written(self) -> tuple[list[Stored], list[Stored]]:
        """Return the claims to insert and the claims to update."""
        new = [s for s in self.by_id.values() if s.is_new]
        return new, [s for s in self.by_id.values() if s.is_changed and not s.is_new]


@dataclass(slots=True)
class Tally:
    """The count of one import, and the ids that it has met."""

    source: str
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    named: set[str] = field(default_factory=set)  # ids that its rows gave
    brought: set[str] = field(default_factory=set)  # ids of the claims that they went into

    def sift(self, rows: Iterable[Row]) -> list[Entry]:
        """Return the rows that are claims, having counted the others and the ratings nobody knows."""
        entries = []
        for row in rows:
            self.rows += 1
            if isinstance(row, Refused):
                self.refused.append(str(row))
            elif isinstance(row, LeftOut):
                self.left_out[row.reason] += 1
            else:
                entries.append(_entry(self.rows, row))
                self._rating(entries[-1].claim)
        return entries

    def decide(self, entry: Entry, near: Decisions) -> None:
        """Decide on one row: a new claim, or one that is there already, perhaps under another id."""
        is_first, stored = entry.claim.id not in self.named, near.by_key.get(entry.same_key)
        self.named.add(entry.claim.id)
        if stored is None:
            stored = near.by_id.get(entry.claim.id)
            if stored is not None and not is_first:
                self._refuse(entry, stored)
                return
            if stored is not None and not self._corrects(entry, stored):
                entry.claim = replace(entry.claim, id=second_id(entry.claim.id, self.source))
                stored = near.by_id.get(entry.claim.id)
        if stored is None:
            near.add(entry, self.source)
            self.counts["new"] += 1
            self.brought.add(entry.claim.id)
        else:
            self._join(entry, stored, near)

    def report(self) -> ImportReport:
        """Return what the import did so far."""
        return ImportReport(
            **self.counts,
            refused=tuple(self.refused),
            left_out=dict(self.left_out.most_common()),
            unknown_ratings=dict(self.unknown.most_common()),
        )

    def _corrects(self, entry: Entry, stored: Stored) -> bool:
        """Return whether a row with a known id but another page or statement is that claim, corrected."""
        if stored.source == self.source or stored.claim is None:
            return True
        same_page = entry.claim.url and fields.url_key(entry.claim.url, "") == fields.url_key(stored.claim.url, "")
        same_words = fields.statement_key(entry.claim.statement) == fields.statement_key(stored.claim.statement)
        return bool(same_page or same_words)

    def _join(self, entry: Entry, stored: Stored, near: Decisions) -> None:
        again = stored.id in self.brought
        self.brought.add(stored.id)
        changed = False
        if stored.claim is not None:
            own = not again and (stored.source == self.source or stored.id == entry.claim.id)
            merged = merging.updated(stored.claim, entry.claim) if own else merging.filled(stored.claim, entry.claim)
            if not own and stored.source != self.source:
                merged = merging.rated_anew(merged, entry.claim)
            changed = near.put(stored, merged, entry)
            stored.source = self.source if own else stored.source
        kind = "merged" if stored.id != entry.claim.id or again else "changed" if changed else "same"
        self.counts[kind] += 1

    def _refuse(self, entry: Entry, stored: Stored) -> None:
        first = stored.claim.statement if stored.claim else "another claim"
        self.refused.append(
            f"row {entry.row}: two claims with the id {stored.id!r}: {first[:60]!r} and "
            f"{entry.claim.statement[:60]!r}; the first was kept"
        )

    def _rating(self, vclaim: VerifiedClaim) -> None:
        if vclaim.rating and ratings.lookup(vclaim.rating, vclaim.publisher) is None:
            self.unknown[vclaim.rating[:80]] += 1


def second_id(claim_id: str, source: str) -> str:
    """Return the id of a claim whose own id another source has taken."""
    return f"{source}:{claim_id}"


def needs_text(head: Head, entries: Iterable[Entry]) -> bool:
    """Return whether any of the rows that meet a stored claim may change it."""
    return any(
        entry.digest != head.digest or entry.same_key != head.same_key or (entry.attribution and not head.attribution)
        for entry in entries
    )


def _entry(number: int, row: VerifiedClaim | Attributed) -> Entry:
    whole = row if isinstance(row, Attributed) else Attributed(row)
    vclaim = whole.claim
    key, digest = merging.same_key(vclaim), merging.digest(vclaim)
    return Entry(number, vclaim, whole.attribution, whole.licence, key, digest)
