"""Merging of claims at an import: rows of one claim, and the fields of the merged claim.

Values only: the store reads the stored claims for these decisions, and writes the results.

Two rows are one claim if their addresses, statements and publishers agree
(``claim_fields.url_key``, ``claim_fields.statement_key``, ``same_publisher``). A row of another
publisher never changes a stored claim.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from assistant.claims import claim_fields, ratings
from assistant.claims.records import Attributed, ImportReport, ImportRow, LeftOut, Refused
from assistant.core.domain import VerifiedClaim

_ALL_FIELDS = tuple(claim_field.name for claim_field in fields(VerifiedClaim))
_MERGED_FIELDS = tuple(name for name in _ALL_FIELDS if name not in ("id", "rating_class"))
_MAX_LABEL_CHARACTERS = 80


def same_key(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits for the page and the statement of a claim.

    All rows of one claim have the same key. Without an address, publisher, title and review date
    represent the page.
    """
    page = [claim_fields.url_key(vclaim.url, vclaim.publisher)]
    if not vclaim.url:
        page.append(claim_fields.statement_key(vclaim.title))
        page.append(str(vclaim.review_date or ""))
    return claim_fields.digest(*page, claim_fields.statement_key(vclaim.statement))


def same_publisher(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether a row may change a stored claim.

    It must have the same publisher, and the same site if both have one. A stored claim without a
    publisher takes the publisher of the row.
    """
    if old.url and new.url and claim_fields.site_host(old.url) != claim_fields.site_host(new.url):
        return False
    if not old.publisher:
        return True
    return ratings.publisher_key(old.publisher) == ratings.publisher_key(new.publisher)


def claim_digest(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits that change with any field of a claim but its id."""
    values = [str(getattr(vclaim, name) or "") for name in _ALL_FIELDS if name != "id"]
    return claim_fields.digest(*values)


def updated(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the fields of a newer row of its own source.

    An empty field never erases a filled one.
    """
    changes = {name: getattr(new, name) or getattr(old, name) for name in _MERGED_FIELDS}
    rated = new if new.rating else old
    return replace(old, **changes, rating_class=rated.rating_class)


def gaps_filled(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with its gaps filled from another row."""
    changes = {name: getattr(old, name) or getattr(new, name) for name in _MERGED_FIELDS}
    rated = old if old.rating else new
    return replace(old, **changes, rating_class=rated.rating_class)


def with_later_rating(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the rating of a row from another source, if its review is later."""
    if not (new.rating and new.review_date and old.review_date):
        return old
    if new.review_date <= old.review_date:
        return old
    return replace(
        old, rating=new.rating, rating_class=new.rating_class, review_date=new.review_date
    )


@dataclass(slots=True)
class StoredHead:
    """The short fields of a stored claim, read before its text.

    They are enough to see whether a row may change it.
    """

    id: str
    digest: str
    same_key: str
    source: str
    attribution: str
    licence: str

    def may_change(self, incoming_claims: Iterable[IncomingClaim]) -> bool:
        """Return whether any of these rows may change the claim, so that its text is needed."""
        for incoming in incoming_claims:
            if (incoming.digest, incoming.same_key) != (self.digest, self.same_key):
                return True
            if incoming.attribution and not self.attribution:
                return True
        return False


@dataclass(slots=True)
class StoredClaim(StoredHead):
    """A claim as it is, or will be, in the database.

    ``claim`` is None unless its text was read.
    """

    claim: VerifiedClaim | None
    is_new: bool = False
    is_changed: bool = False

    def may_join(self, incoming: IncomingClaim) -> bool:
        """Return whether a row has this claim's publisher.

        A claim whose text was not read is equal to its rows.
        """
        return self.claim is None or same_publisher(self.claim, incoming.claim)


@dataclass(slots=True)
class IncomingClaim:
    """A claim of an import, with the keys by which it is compared."""

    row_number: int
    claim: VerifiedClaim
    attribution: str
    licence: str
    same_key: str
    digest: str

    @classmethod
    def from_row(cls, row_number: int, row: VerifiedClaim | Attributed) -> IncomingClaim:
        """Compute the keys of a row."""
        attributed = row if isinstance(row, Attributed) else Attributed(row)
        return cls(
            row_number=row_number,
            claim=attributed.claim,
            attribution=attributed.attribution,
            licence=attributed.licence,
            same_key=same_key(attributed.claim),
            digest=claim_digest(attributed.claim),
        )


@dataclass(slots=True)
class StoredClaims:
    """The stored claims that a batch of rows may belong to, by id and by ``same_key``."""

    by_id: dict[str, StoredClaim]
    by_key: dict[str, list[StoredClaim]]

    @classmethod
    def from_heads(
        cls, heads: Iterable[StoredHead], full_claims: Mapping[str, VerifiedClaim]
    ) -> StoredClaims:
        """Collect the claims before the first row.

        ``full_claims`` has the claims whose text may change, by id.
        """
        head_fields = [head_field.name for head_field in fields(StoredHead)]
        by_id: dict[str, StoredClaim] = {}
        for head in heads:
            values = {name: getattr(head, name) for name in head_fields}
            by_id[head.id] = StoredClaim(**values, claim=full_claims.get(head.id))
        by_key: dict[str, list[StoredClaim]] = defaultdict(list)
        for stored in sorted(by_id.values(), key=lambda stored: stored.id):
            by_key[stored.same_key].append(stored)
        return cls(by_id, by_key)

    def twin(self, incoming: IncomingClaim) -> StoredClaim | None:
        """Find the stored claim with the row's publisher, page and statement."""
        for stored in self.by_key[incoming.same_key]:
            if stored.may_join(incoming):
                return stored
        return None

    def add(self, incoming: IncomingClaim, source: str) -> None:
        """Add a row as a new claim."""
        stored = StoredClaim(
            id=incoming.claim.id,
            digest=incoming.digest,
            same_key=incoming.same_key,
            source=source,
            attribution=incoming.attribution,
            licence=incoming.licence,
            claim=incoming.claim,
            is_new=True,
        )
        self.by_id[stored.id] = stored
        self.by_key[stored.same_key].append(stored)

    def put(self, stored: StoredClaim, merged: VerifiedClaim, incoming: IncomingClaim) -> bool:
        """Replace a stored claim by the merged one; return whether anything changed."""
        digest = claim_digest(merged)
        attribution = stored.attribution or incoming.attribution
        if (digest, attribution) == (stored.digest, stored.attribution):
            return False
        self.by_key[stored.same_key].remove(stored)
        stored.same_key = same_key(merged)
        self.by_key[stored.same_key].append(stored)
        stored.digest = digest
        stored.claim = merged
        stored.attribution = attribution
        stored.licence = stored.licence or incoming.licence
        stored.is_changed = True
        return True

    def new_claims(self) -> list[StoredClaim]:
        """Return the claims to insert."""
        return [stored for stored in self.by_id.values() if stored.is_new]

    def changed_claims(self) -> list[StoredClaim]:
        """Return the claims to update."""
        stored_claims = self.by_id.values()
        return [stored for stored in stored_claims if stored.is_changed and not stored.is_new]


@dataclass(slots=True)
class ImportTally:
    """The counts of one import, and the ids of its rows and of their claims."""

    source: str
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown_ratings: Counter[str] = field(default_factory=Counter)
    shortened: list[str] = field(default_factory=list)
    row_ids: set[str] = field(default_factory=set)
    claim_ids: set[str] = field(default_factory=set)  # ids of the claims that the rows became

    def sift(self, rows: Iterable[ImportRow]) -> list[IncomingClaim]:
        """Return the rows that are claims.

        Count the other rows, and ratings that the table does not have.
        """
        incoming_claims = []
        for row in rows:
            self.rows += 1
            if isinstance(row, Refused):
                self.refused.append(str(row))
            elif isinstance(row, LeftOut):
                self.left_out[row.reason] += 1
            else:
                incoming = IncomingClaim.from_row(self.rows, self._with_limited_article(row))
                self._count_unknown_rating(incoming.claim)
                incoming_claims.append(incoming)
        return incoming_claims

    def decide(self, incoming: IncomingClaim, stored_claims: StoredClaims) -> None:
        """Add a row as a new claim, join it to a stored one, or refuse it.

        It may get another id, or join a claim with another id.
        """
        is_first_with_id = incoming.claim.id not in self.row_ids
        self.row_ids.add(incoming.claim.id)
        stored = stored_claims.twin(incoming)
        if stored is None:
            stored = stored_claims.by_id.get(incoming.claim.id)
            has_other_key = stored is not None and stored.same_key != incoming.same_key
            if stored is not None and has_other_key and not is_first_with_id:
                self._refuse(incoming, stored)
                return
            # If the id belongs to another claim, the row gets another id.
            for claim_id in other_ids(incoming.claim, self.source):
                if stored is None or self._corrects(incoming, stored):
                    break
                incoming.claim = replace(incoming.claim, id=claim_id)
                stored = stored_claims.by_id.get(claim_id)
            if stored is not None and not stored.may_join(incoming):
                self._refuse(incoming, stored)
                return
        if stored is None:
            stored_claims.add(incoming, self.source)
            self.counts["new"] += 1
            self.claim_ids.add(incoming.claim.id)
        else:
            self._join(incoming, stored, stored_claims)

    def report(self) -> ImportReport:
        """Report the import as far as it has come."""
        return ImportReport(
            **self.counts,
            refused=tuple(self.refused),
            left_out=dict(self.left_out.most_common()),
            unknown_ratings=dict(self.unknown_ratings.most_common()),
            shortened=tuple(self.shortened),
        )

    def _with_limited_article(self, row: VerifiedClaim | Attributed) -> VerifiedClaim | Attributed:
        """Return a row with an article that is short enough; note it if the article was cut."""
        vclaim = row.claim if isinstance(row, Attributed) else row
        if len(vclaim.body) <= claim_fields.MAX_BODY_CHARACTERS:
            return row
        self.shortened.append(
            f"{vclaim.id}: the article has {len(vclaim.body):,} characters. "
            f"The first {claim_fields.MAX_BODY_CHARACTERS:,} were kept."
        )
        shortened_claim = claim_fields.shortened(vclaim)
        if isinstance(row, Attributed):
            return replace(row, claim=shortened_claim)
        return shortened_claim

    def _corrects(self, incoming: IncomingClaim, stored: StoredClaim) -> bool:
        """Return whether a row corrects the page or the statement of the claim with its id."""
        if not stored.may_join(incoming):
            return False
        if stored.source == self.source or stored.claim is None:
            return True
        new = incoming.claim
        old = stored.claim
        if new.url and claim_fields.url_key(new.url, "") == claim_fields.url_key(old.url, ""):
            return True
        new_statement = claim_fields.statement_key(new.statement)
        return new_statement == claim_fields.statement_key(old.statement)

    def _join(
        self, incoming: IncomingClaim, stored: StoredClaim, stored_claims: StoredClaims
    ) -> None:
        """Merge a row into a stored claim, and count it."""
        is_repeated = stored.id in self.claim_ids
        self.claim_ids.add(stored.id)
        is_changed = False
        if stored.claim is not None:
            same_source = stored.source == self.source
            if not is_repeated and (same_source or stored.id == incoming.claim.id):
                is_changed = stored_claims.put(
                    stored, updated(stored.claim, incoming.claim), incoming
                )
                stored.source = self.source
            else:
                merged = gaps_filled(stored.claim, incoming.claim)
                if not same_source:
                    merged = with_later_rating(merged, incoming.claim)
                is_changed = stored_claims.put(stored, merged, incoming)
        if is_repeated or stored.id != incoming.claim.id:
            self.counts["merged"] += 1
        elif is_changed:
            self.counts["changed"] += 1
        else:
            self.counts["same"] += 1

    def _refuse(self, incoming: IncomingClaim, stored: StoredClaim) -> None:
        """Note that a row has the id of another claim."""
        first_statement = stored.claim.statement if stored.claim else "another claim"
        self.refused.append(
            f"row {incoming.row_number}: two claims with the id {stored.id!r}: "
            f"{first_statement[:60]!r} and {incoming.claim.statement[:60]!r}; the first was kept"
        )

    def _count_unknown_rating(self, vclaim: VerifiedClaim) -> None:
        if vclaim.rating and ratings.known_class(vclaim.rating, vclaim.publisher) is None:
            self.unknown_ratings[vclaim.rating[:_MAX_LABEL_CHARACTERS]] += 1


def other_ids(vclaim: VerifiedClaim, source: str) -> tuple[str, str]:
    """Return two ids for a claim whose own id is taken, with its source and its publisher.

    The second is for another publisher of the same source, whose rows may share page and
    statement, and so the id.
    """
    with_source = f"{source}:{vclaim.id}"
    publisher_digest = claim_fields.digest(
        ratings.publisher_key(vclaim.publisher), claim_fields.site_host(vclaim.url)
    )
    return with_source, f"{with_source}:{publisher_digest[:8]}"
