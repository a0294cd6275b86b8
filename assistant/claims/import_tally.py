"""Decides at an import which stored claim a row belongs to, and counts the outcomes.

Values only: the store reads the stored claims for these decisions, and writes the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.claims import claim_fields, page_addresses, ratings
from assistant.claims.merging import (
    gaps_filled,
    is_later,
    is_retraction,
    is_revised,
    other_ids,
    updated,
    with_later_rating,
)
from assistant.claims.records import (
    AttributedClaim,
    ImportReport,
    ImportRow,
    LeftOutRow,
    RefusedRow,
)
from assistant.claims.retractions import WHY_RETRACTED, reason_in_rating
from assistant.claims.stored_claims import (
    IncomingClaim,
    PageReview,
    StoredClaim,
    StoredClaims,
)
from assistant.core.domain import VerifiedClaim

_MAX_LABEL_CHARACTERS = 80
_MAX_STATEMENT_CHARACTERS = 60


@dataclass(slots=True)
class ImportTally:
    """The counts of one import, and the ids of its rows and of their claims."""

    source: str
    import_id: str = ""
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown_ratings: Counter[str] = field(default_factory=Counter)
    shortened: list[str] = field(default_factory=list)
    # The first row with each id. A stored claim also has what rows with other ids brought.
    first_rows: dict[str, PageReview] = field(default_factory=dict)
    claim_ids: set[str] = field(default_factory=set)  # ids of the claims that the rows became
    new_ids: set[str] = field(default_factory=set)
    kept_reviews: list[str] = field(default_factory=list)
    retracted: list[str] = field(default_factory=list)
    _batch_ids: set[str] = field(default_factory=set)

    def count_and_select_claims(self, rows: Iterable[ImportRow]) -> list[IncomingClaim]:
        """Return the rows that are claims.

        Count the other rows, and ratings that the table does not have.
        """
        incoming_claims = []
        for row in rows:
            self.rows += 1
            if isinstance(row, RefusedRow):
                self.refused.append(str(row))
            elif isinstance(row, LeftOutRow):
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
        if is_retraction(incoming.claim):
            self._retract_stored_claim(incoming, stored_claims)
            return
        review = PageReview.of_claim(incoming.claim)
        first_review = self.first_rows.setdefault(incoming.claim.id, review)
        is_first_with_id = first_review is review
        # A twin has the same address and statement, whatever its id.
        stored = stored_claims.find_twin(incoming)
        if stored is None:
            stored = stored_claims.by_id.get(incoming.claim.id)
            has_other_key = (
                stored is not None and stored.page_statement_key != incoming.page_statement_key
            )
            if stored is not None and has_other_key and not is_first_with_id:
                if stored.may_join(incoming) and first_review.is_other_review(review):
                    self._join_stored_claim(incoming, stored, stored_claims)
                else:
                    self._refuse_row(incoming, stored)
                return
            stored = self._claim_with_free_id(incoming, stored, stored_claims)
            if stored is not None and not stored.may_join(incoming):
                self._refuse_row(incoming, stored)
                return
        if stored is None:
            stored = stored_claims.find_at_other_address(incoming)
        if stored is None:
            stored_claims.add_new_claim(incoming, self.source)
            self.counts["new"] += 1
            self.new_ids.add(incoming.claim.id)
            self._note_ids(incoming.claim.id)
        else:
            self._join_stored_claim(incoming, stored, stored_claims)

    def _claim_with_free_id(
        self, incoming: IncomingClaim, stored: StoredClaim | None, stored_claims: StoredClaims
    ) -> StoredClaim | None:
        """Give a row another id as long as its id belongs to another claim.

        Return the stored claim with its id that it corrects, None if the id is free.
        """
        if stored is None:
            return None
        for claim_id in other_ids(incoming.claim, self.source):
            if stored is None or self._is_correction(incoming, stored):
                break
            incoming.claim = replace(incoming.claim, id=claim_id)
            stored = stored_claims.by_id.get(claim_id)
        return stored

    def take_batch_ids(self) -> set[str]:
        """Return the ids of the claims that the rows became since the last call."""
        batch_ids = self._batch_ids
        self._batch_ids = set()
        return batch_ids

    def report(self) -> ImportReport:
        """Report the import as far as it has come."""
        counts: dict[str, Any] = dict(self.counts)
        return ImportReport(
            **counts,
            refused=tuple(self.refused),
            left_out=dict(self.left_out.most_common()),
            unknown_ratings=dict(self.unknown_ratings.most_common()),
            shortened=tuple(self.shortened),
            kept_reviews=tuple(self.kept_reviews),
            retracted=tuple(self.retracted),
        )

    def _with_limited_article(
        self, row: VerifiedClaim | AttributedClaim
    ) -> VerifiedClaim | AttributedClaim:
        """Return a row with an article that is short enough; note it if the article was cut."""
        vclaim = row.claim if isinstance(row, AttributedClaim) else row
        if len(vclaim.body) <= claim_fields.MAX_BODY_CHARACTERS:
            return row
        self.shortened.append(
            f"{vclaim.id}: the article has {len(vclaim.body):,} characters. "
            f"The first {claim_fields.MAX_BODY_CHARACTERS:,} were kept."
        )
        shortened_claim = claim_fields.shortened(vclaim)
        if isinstance(row, AttributedClaim):
            return replace(row, claim=shortened_claim)
        return shortened_claim

    def _note_ids(self, claim_id: str) -> None:
        """Note that a row became a claim."""
        self.claim_ids.add(claim_id)
        self._batch_ids.add(claim_id)

    def _is_correction(self, incoming: IncomingClaim, stored: StoredClaim) -> bool:
        """Return whether a row corrects the page or the statement of the claim with its id."""
        if not stored.may_join(incoming):
            return False
        if stored.source == self.source or stored.claim is None:
            return True
        new_claim = incoming.claim
        old_claim = stored.claim
        new_page = claim_fields.url_key(new_claim.url, "")
        old_page = claim_fields.url_key(old_claim.url, "")
        if new_claim.url and new_page == old_page:
            return True
        new_statement = claim_fields.statement_key(new_claim.statement)
        old_statement = claim_fields.statement_key(old_claim.statement)
        return new_statement == old_statement

    def _join_stored_claim(
        self, incoming: IncomingClaim, stored: StoredClaim, stored_claims: StoredClaims
    ) -> None:
        """Merge a row into a stored claim, and count it."""
        is_repeated = stored.id in self.claim_ids
        self._note_ids(stored.id)
        self._batch_ids |= stored_claims.ids_of_twins(incoming)
        is_changed = False
        if stored.claim is not None:
            merged = self._merged_claim(incoming, stored, is_repeated=is_repeated)
            is_changed = stored_claims.replace_claim(stored, merged, incoming)
        stored_claims.add_lookup_keys(stored, incoming.page_statement_key)
        if is_repeated or stored.id != incoming.claim.id:
            self.counts["merged"] += 1
        elif is_changed:
            self.counts["changed"] += 1
        else:
            self.counts["same"] += 1

    def _merged_claim(
        self, incoming: IncomingClaim, stored: StoredClaim, *, is_repeated: bool
    ) -> VerifiedClaim:
        """Return the stored claim with the fields of a row that count.

        The row of the claim's own source replaces them, unless its review is older than the stored
        one. Another row fills gaps, and a later review of it counts.
        """
        old_claim = stored.claim
        if old_claim is None:
            raise ValueError(f"claim {stored.id!r} must be loaded before Lectern can merge it")
        new_claim = incoming.claim
        is_same_source = stored.source == self.source
        has_same_key = stored.page_statement_key == incoming.page_statement_key
        is_own_row = stored.id == new_claim.id or (is_same_source and has_same_key)
        if not is_own_row:
            url = page_addresses.best_of_page(old_claim.url, new_claim.url)
            new_claim = replace(new_claim, url=url)
        # A source may list every review of a check, in any order.
        stored_is_later = is_later(old_claim.review_date, new_claim.review_date)
        new_is_later = is_later(new_claim.review_date, old_claim.review_date)
        if stored_is_later and is_revised(new_claim, old_claim):
            self._note_older_review(incoming, old_claim)
        elif is_own_row and not is_repeated:
            stored.source = self.source
            return updated(old_claim, new_claim)
        elif is_same_source and new_is_later:
            return updated(old_claim, new_claim)
        # The stored claim stays, and gets what it lacks.
        merged = gaps_filled(old_claim, new_claim)
        return merged if is_same_source else with_later_rating(merged, new_claim)

    def _note_older_review(self, incoming: IncomingClaim, stored_claim: VerifiedClaim) -> None:
        """Note that a row has an older review than the stored claim."""
        self.kept_reviews.append(
            f"row {incoming.row_number}: {incoming.claim.rating or 'no rating'} of "
            f"{incoming.claim.review_date} is older than {stored_claim.rating or 'no rating'} of "
            f"{stored_claim.review_date} ({stored_claim.statement[:_MAX_STATEMENT_CHARACTERS]!r}); "
            "the newer one was kept"
        )

    def _retract_stored_claim(self, incoming: IncomingClaim, stored_claims: StoredClaims) -> None:
        """Note that the publisher of a stored claim has retracted it."""
        # The stored claim of the same fact-check, or of the same id if that is a correction
        stored = stored_claims.find_twin(incoming)
        if stored is None:
            same_id = stored_claims.by_id.get(incoming.claim.id)
            if same_id is not None and self._is_correction(incoming, same_id):
                stored = same_id
        if stored is None:
            self.left_out[f"{WHY_RETRACTED}, and not stored"] += 1
            return
        if not stored.retraction:
            stored.retraction = incoming.retraction or reason_in_rating(incoming.claim.rating)
            statement = incoming.claim.statement[:_MAX_STATEMENT_CHARACTERS]
            self.retracted.append(f"{stored.id}: {statement!r} was {stored.retraction}")

    def _refuse_row(self, incoming: IncomingClaim, stored: StoredClaim) -> None:
        """Note that a row has the id of another claim."""
        first_statement = stored.claim.statement if stored.claim else "another claim"
        self.refused.append(
            f"row {incoming.row_number}: two claims have the id {stored.id!r}: "
            f"{first_statement[:_MAX_STATEMENT_CHARACTERS]!r} and "
            f"{incoming.claim.statement[:_MAX_STATEMENT_CHARACTERS]!r}. The first was kept"
        )

    def _count_unknown_rating(self, vclaim: VerifiedClaim) -> None:
        if vclaim.rating and ratings.known_class(vclaim.rating, vclaim.publisher) is None:
            self.unknown_ratings[vclaim.rating[:_MAX_LABEL_CHARACTERS]] += 1
