"""Merging of claims at an import.

When two rows are one claim, and what the merged claim then says. Values only.

Two rows are one claim if their addresses, statements and publishers agree (``fields.url_key``,
``fields.statement_key``, ``same_publisher``). A row of another publisher never changes a stored claim.
The store reads the stored claims for these decisions, and writes what comes out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of

from assistant.claims import claim_fields, ratings
from assistant.claims.records import Attributed, ImportReport, LeftOut, Refused, Row
from assistant.core.domain import VerifiedClaim

_FREE = tuple(f.name for f in fields_of(VerifiedClaim) if f.name not in ("id", "rating_class"))


def same_key(vclaim: VerifiedClaim) -> str:
    """Return what the rows of one claim share.

    32 hexadecimal digits for its page and its statement.

    Without an address, publisher, title and review date stand for the page.
    """
    page = [claim_fields.url_key(vclaim.url, vclaim.publisher)]
    if not vclaim.url:
        page += [claim_fields.statement_key(vclaim.title), str(vclaim.review_date or "")]
    return claim_fields.digest(*page, claim_fields.statement_key(vclaim.statement))


def same_publisher(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether a row may speak for a stored claim.

    It has the same publisher, and the same site if both have one.

    A claim that was stored without a publisher takes the publisher of the row.
    """
    if old.url and new.url and claim_fields.site(old.url) != claim_fields.site(new.url):
        return False
    return not old.publisher or ratings.publisher_key(old.publisher) == ratings.publisher_key(
        new.publisher
    )


def digest(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits that change with any field of a claim but its id."""
    return claim_fields.digest(
        *(str(getattr(vclaim, f.name) or "") for f in fields_of(VerifiedClaim) if f.name != "id")
    )


def updated(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim as its own source now gives it. An empty field never erases a full one."""
    changes = {name: getattr(new, name) or getattr(old, name) for name in _FREE}
    rated = new if new.rating else old
    return replace(old, **changes, rating_class=rated.rating_class)


def filled(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with its gaps filled from another row."""
    changes = {name: getattr(old, name) or getattr(new, name) for name in _FREE}
    rated = old if old.rating else new
    return replace(old, **changes, rating_class=rated.rating_class)


def rated_anew(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the rating of its publisher's row in another source if that review is later."""
    if new.rating and new.review_date and old.review_date and new.review_date > old.review_date:
        return replace(
            old, rating=new.rating, rating_class=new.rating_class, review_date=new.review_date
        )
    return old


@dataclass(slots=True)
class Head:
    """What is read of a stored claim before its text.

    Enough to see whether a row may change it.
    """

    id: str
    digest: str
    same_key: str
    source: str
    attribution: str
    licence: str

    def may_change(self, entries: Iterable[Entry]) -> bool:
        """Return whether any of these rows may change the claim, so that its text must be read."""
        return any(
            (entry.digest, entry.same_key) != (self.digest, self.same_key)
            or (entry.attribution and not self.attribution)
            for entry in entries
        )


@dataclass(slots=True)
class Stored(Head):
    """A claim as it is, or will be, in the database.

    ``claim`` is None unless its text was read.
    """

    claim: VerifiedClaim | None
    is_new: bool = False
    is_changed: bool = False

    def may_join(self, entry: Entry) -> bool:
        """Return whether a row is of this claim's publisher.

        A claim whose text was not read is equal to its rows.
        """
        return self.claim is None or same_publisher(self.claim, entry.claim)


@dataclass(slots=True)
class Entry:
    """An incoming row, with the keys by which it is compared."""

    row: int
    claim: VerifiedClaim
    attribution: str
    licence: str
    same_key: str
    digest: str

    @classmethod
    def of(cls, number: int, row: VerifiedClaim | Attributed) -> Entry:
        """Return the entry of the row with a number."""
        whole = row if isinstance(row, Attributed) else Attributed(row)
        key = same_key(whole.claim)
        marks = digest(whole.claim)
        return cls(number, whole.claim, whole.attribution, whole.licence, key, marks)


@dataclass(slots=True)
class StoredClaims:
    """The stored claims that a batch of rows may belong to, by id and by ``same_key``."""

    by_id: dict[str, Stored]
    by_key: dict[str, list[Stored]]

    @classmethod
    def of(cls, heads: Iterable[Head], full: Mapping[str, VerifiedClaim]) -> StoredClaims:
        """Return the claims before the first row; ``full`` has those whose text may change."""
        values = ({f.name: getattr(head, f.name) for f in fields_of(Head)} for head in heads)
        stored = [Stored(**each, claim=full.get(each["id"])) for each in values]
        by_key: dict[str, list[Stored]] = defaultdict(list)
        for each in sorted(stored, key=lambda s: s.id):
            by_key[each.same_key].append(each)
        return cls({s.id: s for s in stored}, by_key)

    def twin(self, entry: Entry) -> Stored | None:
        """Return the stored claim of the row's publisher with the row's page and statement, or None."""
        twins = (stored for stored in self.by_key[entry.same_key] if stored.may_join(entry))
        return next(twins, None)

    def add(self, entry: Entry, source: str) -> None:
        """Add a row as a new claim."""
        keys = (
            entry.claim.id,
            entry.digest,
            entry.same_key,
            source,
            entry.attribution,
            entry.licence,
        )
        stored = Stored(*keys, claim=entry.claim, is_new=True)
        self.by_id[entry.claim.id] = stored
        self.by_key[entry.same_key].append(stored)

    def put(self, stored: Stored, vclaim: VerifiedClaim, entry: Entry) -> bool:
        """Replace a stored claim by the merged one; return whether anything changed."""
        marks = digest(vclaim)
        attribution = stored.attribution or entry.attribution
        if (marks, attribution) == (stored.digest, stored.attribution):
            return False
        self.by_key[stored.same_key].remove(stored)
        stored.same_key = same_key(vclaim)
        self.by_key[stored.same_key].append(stored)
        stored.digest = marks
        stored.claim = vclaim
        stored.attribution = attribution
        stored.licence = stored.licence or entry.licence
        stored.is_changed = True
        return True

    def written(self) -> tuple[list[Stored], list[Stored]]:
        """Return the claims to insert and the claims to update."""
        new = [s for s in self.by_id.values() if s.is_new]
        return new, [s for s in self.by_id.values() if s.is_changed and not s.is_new]


@dataclass(slots=True)
class Tally:
    """The counts of one import, and the ids that its rows had or went into."""

    source: str
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    shortened: list[str] = field(default_factory=list)
    row_ids: set[str] = field(default_factory=set)
    claim_ids: set[str] = field(default_factory=set)  # of the claims that the rows became

    def sift(self, rows: Iterable[Row]) -> list[Entry]:
        """Return the rows that are claims.

        Count the others, and ratings that the table does not know.
        """
        entries = []
        for row in rows:
            self.rows += 1
            if isinstance(row, Refused):
                self.refused.append(str(row))
            elif isinstance(row, LeftOut):
                self.left_out[row.reason] += 1
            else:
                entries.append(Entry.of(self.rows, self._limited(row)))
                self._count_rating(entries[-1].claim)
        return entries

    def decide(self, entry: Entry, near: StoredClaims) -> None:
        """Decide whether a row is a new claim or belongs to a stored one, perhaps under another id."""
        is_first = entry.claim.id not in self.row_ids
        self.row_ids.add(entry.claim.id)
        stored = near.twin(entry)
        if stored is None:
            stored = near.by_id.get(entry.claim.id)
            if stored is not None and not is_first and stored.same_key != entry.same_key:
                self._refuse(entry, stored)
                return
            for claim_id in other_ids(entry.claim, self.source):
                if stored is None or self._corrects(entry, stored):
                    break
                entry.claim = replace(entry.claim, id=claim_id)
                stored = near.by_id.get(claim_id)
            if stored is not None and not stored.may_join(entry):
                self._refuse(entry, stored)
                return
        if stored is None:
            near.add(entry, self.source)
            self.counts["new"] += 1
            self.claim_ids.add(entry.claim.id)
        else:
            self._join(entry, stored, near)

    def report(self) -> ImportReport:
        """Return what the import did so far."""
        return ImportReport(
            **self.counts,
            refused=tuple(self.refused),
            left_out=dict(self.left_out.most_common()),
            unknown_ratings=dict(self.unknown.most_common()),
            shortened=tuple(self.shortened),
        )

    def _limited(self, row: VerifiedClaim | Attributed) -> VerifiedClaim | Attributed:
        """Return a row with an article that is short enough; note it if the article was cut."""
        vclaim = row.claim if isinstance(row, Attributed) else row
        if len(vclaim.body) <= claim_fields.LONGEST_BODY:
            return row
        self.shortened.append(
            f"{vclaim.id}: the article has {len(vclaim.body):,} characters. "
            f"The first {claim_fields.LONGEST_BODY:,} were kept."
        )
        shorter = claim_fields.shortened(vclaim)
        return replace(row, claim=shorter) if isinstance(row, Attributed) else shorter

    def _corrects(self, entry: Entry, stored: Stored) -> bool:
        """Return whether a row with a known id but another page or statement is a correction of that claim."""
        if not stored.may_join(entry):
            return False
        if stored.source == self.source or stored.claim is None:
            return True
        same_page = entry.claim.url and claim_fields.url_key(
            entry.claim.url, ""
        ) == claim_fields.url_key(stored.claim.url, "")
        same_words = claim_fields.statement_key(
            entry.claim.statement
        ) == claim_fields.statement_key(stored.claim.statement)
        return bool(same_page or same_words)

    def _join(self, entry: Entry, stored: Stored, near: StoredClaims) -> None:
        again = stored.id in self.claim_ids
        self.claim_ids.add(stored.id)
        changed = False
        if stored.claim is not None:
            own = not again and (stored.source == self.source or stored.id == entry.claim.id)
            merged = (
                updated(stored.claim, entry.claim) if own else filled(stored.claim, entry.claim)
            )
            if not own and stored.source != self.source:
                merged = rated_anew(merged, entry.claim)
            changed = near.put(stored, merged, entry)
            stored.source = self.source if own else stored.source
        kind = (
            "merged" if stored.id != entry.claim.id or again else "changed" if changed else "same"
        )
        self.counts[kind] += 1

    def _refuse(self, entry: Entry, stored: Stored) -> None:
        first = stored.claim.statement if stored.claim else "another claim"
        self.refused.append(
            f"row {entry.row}: two claims with the id {stored.id!r}: {first[:60]!r} and "
            f"{entry.claim.statement[:60]!r}; the first was kept"
        )

    def _count_rating(self, vclaim: VerifiedClaim) -> None:
        if vclaim.rating and ratings.lookup(vclaim.rating, vclaim.publisher) is None:
            self.unknown[vclaim.rating[:80]] += 1


def other_ids(vclaim: VerifiedClaim, source: str) -> tuple[str, str]:
    """Return the ids of a claim whose own id is taken.

    With the name of its source, and with a mark of its publisher.

    The second is for another publisher of the same source, whose rows may share page and
    statement, and so the id.
    """
    second = f"{source}:{vclaim.id}"
    speaker = claim_fields.digest(
        ratings.publisher_key(vclaim.publisher), claim_fields.site(vclaim.url)
    )
    return second, f"{second}:{speaker[:8]}"
