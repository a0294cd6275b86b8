"""Stored claims as an import compares them with its rows, by id and by key.

Values only: the store reads the stored claims, and writes the results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date

from assistant.claims import claim_fields, page_addresses
from assistant.claims.merging import (
    claim_digest,
    is_proven_by_address,
    is_revised,
    page_statement_key,
    review_key,
    same_publisher,
)
from assistant.claims.records import AttributedClaim
from assistant.core.domain import VerifiedClaim


@dataclass(slots=True)
class StoredClaimSummary:
    """The short fields of a stored claim, read before its text.

    They are enough to see whether a row may change it.
    """

    id: str
    digest: str
    page_statement_key: str
    source: str
    attribution: str
    licence: str

    def may_be_changed_by(self, incoming_claims: Iterable[IncomingClaim]) -> bool:
        """Return whether any of these rows may change the claim, so that its text is needed."""
        for incoming in incoming_claims:
            has_other_fields = incoming.digest != self.digest
            has_other_page = incoming.page_statement_key != self.page_statement_key
            gives_attribution = bool(incoming.attribution) and not self.attribution
            if has_other_fields or has_other_page or gives_attribution:
                return True
        return False


@dataclass(slots=True)
class StoredClaim(StoredClaimSummary):
    """A claim as it is, or will be, in the database.

    ``claim`` is None unless its text was read.
    """

    claim: VerifiedClaim | None
    is_new: bool = False
    is_changed: bool = False
    retraction: str = ""  # why its publisher lets it count no longer
    # Keys besides ``page_statement_key``: other addresses of the page, and the words of the check.
    additional_keys: set[str] = field(default_factory=set)
    new_keys: set[str] = field(default_factory=set)
    replaced: list[VerifiedClaim] = field(default_factory=list)  # as it was before its revisions
    replaced_url: str = ""  # its address before the import

    def may_join(self, incoming: IncomingClaim) -> bool:
        """Return whether a row has this claim's publisher, proven by address or source.

        A claim whose text was not read is equal to its rows.
        """
        if self.claim is None:
            return True
        is_proven = self.source == incoming.source
        if not is_proven:
            is_proven = is_proven_by_address(self.claim, incoming.claim)
        return is_proven and same_publisher(self.claim, incoming.claim)


@dataclass(slots=True)
class IncomingClaim:
    """A claim of an import, with the keys by which it is compared."""

    row_number: int
    claim: VerifiedClaim
    attribution: str
    licence: str
    page_statement_key: str
    review_key: str
    digest: str
    source: str = ""
    retraction: str = ""

    @classmethod
    def from_row(cls, row_number: int, row: VerifiedClaim | AttributedClaim) -> IncomingClaim:
        """Compute the keys of a row; its address loses the parameters of tracking."""
        attributed_claim = row if isinstance(row, AttributedClaim) else AttributedClaim(row)
        url = page_addresses.without_tracking(attributed_claim.claim.url)
        claim = attributed_claim.claim
        if url != claim.url:
            claim = replace(claim, url=url)
        return cls(
            row_number=row_number,
            claim=claim,
            attribution=attributed_claim.attribution,
            licence=attributed_claim.licence,
            page_statement_key=page_statement_key(claim),
            review_key=review_key(claim),
            digest=claim_digest(claim),
            retraction=attributed_claim.retraction,
        )


@dataclass(frozen=True, slots=True)
class PageReview:
    """The address and the date of a review, as a row gives them."""

    url: str
    review_date: date | None

    @classmethod
    def of_claim(cls, claim: VerifiedClaim) -> PageReview:
        """Return address and date of a claim."""
        return cls(claim.url, claim.review_date)

    def is_other_review(self, other: PageReview) -> bool:
        """Return whether both are reviews of one page, with dates that differ."""
        if not self.url or not other.url:
            return False
        if self.review_date is None or other.review_date is None:
            return False
        is_same_page = page_addresses.page_key(self.url) == page_addresses.page_key(other.url)
        return is_same_page and self.review_date != other.review_date


@dataclass(slots=True)
class StoredClaims:
    """The stored claims that a batch of rows may belong to, by id and by key."""

    by_id: dict[str, StoredClaim]
    by_key: dict[str, list[StoredClaim]]

    @classmethod
    def from_summaries(
        cls,
        summaries: Iterable[StoredClaimSummary],
        full_claims: Mapping[str, VerifiedClaim],
        additional_keys: Mapping[str, Iterable[str]],
    ) -> StoredClaims:
        """Collect the claims before the first row.

        ``full_claims`` has the claims whose text may change, and ``additional_keys`` the keys besides
        ``page_statement_key``, by id.
        """
        summary_fields = [summary_field.name for summary_field in fields(StoredClaimSummary)]
        by_id: dict[str, StoredClaim] = {}
        for summary in summaries:
            stored_values = {name: getattr(summary, name) for name in summary_fields}
            stored = StoredClaim(**stored_values, claim=full_claims.get(summary.id))
            stored.additional_keys = set(additional_keys.get(summary.id, ()))
            by_id[summary.id] = stored
        by_key: dict[str, list[StoredClaim]] = defaultdict(list)
        for stored in sorted(by_id.values(), key=lambda stored: stored.id):
            for lookup_key in {stored.page_statement_key, *stored.additional_keys}:
                by_key[lookup_key].append(stored)
        return cls(by_id, by_key)

    def find_twin(self, incoming: IncomingClaim) -> StoredClaim | None:
        """Find the stored claim with the row's publisher, page and statement."""
        for stored in self.by_key[incoming.page_statement_key]:
            if stored.may_join(incoming):
                return stored
        return None

    def find_at_other_address(self, incoming: IncomingClaim) -> StoredClaim | None:
        """Find the stored claim with the row's check at another address of its page.

        One of the addresses must be only a number, such as ``index.php?p=77``: two addresses with
        words are two pages. So are two titles, and rows that have ids of their source.
        """
        if not incoming.review_key or not claim_fields.is_made_id(incoming.claim):
            return None
        for stored in self.by_key[incoming.review_key]:
            if stored.claim is None or not stored.may_join(incoming):
                continue
            urls = (stored.claim.url, incoming.claim.url)
            has_uninformative_address = any(page_addresses.is_number_only(url) for url in urls)
            if has_uninformative_address and not _has_other_title(stored.claim, incoming.claim):
                return stored
        return None

    def ids_of_twins(self, incoming: IncomingClaim) -> set[str]:
        """Return the ids of all stored claims with the row's publisher, page and statement."""
        twins = self.by_key[incoming.page_statement_key]
        return {stored.id for stored in twins if stored.may_join(incoming)}

    def add_new_claim(self, incoming: IncomingClaim, source: str) -> StoredClaim:
        """Add a row as a new claim."""
        stored = StoredClaim(
            id=incoming.claim.id,
            digest=incoming.digest,
            page_statement_key=incoming.page_statement_key,
            source=source,
            attribution=incoming.attribution,
            licence=incoming.licence,
            claim=incoming.claim,
            is_new=True,
        )
        self.by_id[stored.id] = stored
        self.by_key[stored.page_statement_key].append(stored)
        self.add_lookup_keys(stored, incoming.review_key)
        return stored

    def add_lookup_keys(self, stored: StoredClaim, *keys: str) -> None:
        """Let a claim be found by further keys."""
        for key in keys:
            if key and key != stored.page_statement_key and key not in stored.additional_keys:
                stored.additional_keys.add(key)
                stored.new_keys.add(key)
                self.by_key[key].append(stored)

    def replace_claim(
        self, stored: StoredClaim, merged: VerifiedClaim, incoming: IncomingClaim
    ) -> bool:
        """Replace a stored claim by the merged one; return whether anything changed."""
        digest = claim_digest(merged)
        attribution = stored.attribution or incoming.attribution
        if (digest, attribution) == (stored.digest, stored.attribution):
            return False
        if stored.claim is not None and is_revised(stored.claim, merged):
            stored.replaced.append(stored.claim)
        if stored.claim is not None and not stored.replaced_url:
            stored.replaced_url = stored.claim.url
        former_key = stored.page_statement_key
        stored.page_statement_key = page_statement_key(merged)
        # A corrected statement or address has another key.
        if former_key != stored.page_statement_key:
            self.by_key[former_key].remove(stored)
            self.by_key[stored.page_statement_key].append(stored)
        stored.digest = digest
        stored.claim = merged
        stored.attribution = attribution
        stored.licence = stored.licence or incoming.licence
        stored.is_changed = True
        self.add_lookup_keys(stored, review_key(merged))
        return True

    def new_claims(self) -> list[StoredClaim]:
        """Return the claims to insert."""
        return [stored for stored in self.by_id.values() if stored.is_new]

    def retracted_claims(self) -> list[StoredClaim]:
        """Return the claims that their publishers have retracted."""
        return [stored for stored in self.by_id.values() if stored.retraction]

    def changed_claims(self) -> list[StoredClaim]:
        """Return the claims to update."""
        stored_claims = self.by_id.values()
        return [stored for stored in stored_claims if stored.is_changed and not stored.is_new]


def _has_other_title(claim: VerifiedClaim, other: VerifiedClaim) -> bool:
    """Return whether both claims have titles, and these differ in their words."""
    if not claim.title or not other.title:
        return False
    title_key = claim_fields.statement_key(claim.title)
    return title_key != claim_fields.statement_key(other.title)
