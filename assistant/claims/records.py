"""Records that the readers of fact-checks, the store and the pages exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from assistant.core.domain import RatingClass, VerifiedClaim


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """An invalid row: its place (file and line), the reason, and its cells by column."""

    where: str
    reason: str
    cells: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """A valid row that is not imported, such as one in another language."""

    reason: str


@dataclass(frozen=True, slots=True)
class ImportRemark:
    """A line about a file as a whole: an unused column, dates that were not read, mended markup."""

    text: str


@dataclass(frozen=True, slots=True)
class AttributedClaim:
    """A verified claim with the publisher and the licence of its data set.

    ``retraction`` is the reason why its publisher lets it count no longer, "" if it counts.
    """

    claim: VerifiedClaim
    attribution: str = ""
    licence: str = ""
    retraction: str = ""


ImportRow = VerifiedClaim | AttributedClaim | LeftOutRow | RefusedRow


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The numbers of rows of an import.

    ``merged`` rows became part of a claim that was stored under another id. ``refused`` has line
    and reason of each; ``left_out`` counts by reason, ``unknown_ratings`` by label. ``shortened``
    has a line for each article that was too long to be stored whole, ``kept_reviews`` for each
    row that an earlier import or row is newer than, ``retracted`` for each claim that its publisher
    has retracted. ``missing_ids`` are the claims of this source that the import lacks, out of
    ``source_claims``; ``lacks_all_former``: the source had claims, and the import lacks each of
    them. ``remarks`` has a line for everything in the file that was not used or was
    read in a special way, ``refused_rows`` the rows that the reader refused, with their cells.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    merged: int = 0
    refused: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    unknown_ratings: Mapping[str, int] = field(default_factory=dict)
    shortened: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    refused_rows: tuple[RefusedRow, ...] = ()
    kept_reviews: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    missing_ids: tuple[str, ...] = ()
    source_claims: int = 0
    lacks_all_former: bool = False


@dataclass(frozen=True, slots=True)
class ClaimVersion:
    """The words of a claim before its publisher changed them, and when Lectern read the change."""

    statement: str
    rating: str
    rating_class: RatingClass
    review_date: date | None
    replaced_at: datetime


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A fact-check that counts no longer: why, who withdrew it (a person or a source), and when."""

    claim: VerifiedClaim
    source: str
    why: str
    withdrawn_by: str
    withdrawn_at: datetime


@dataclass(frozen=True, slots=True)
class CurrentReview:
    """The words of a fact-check today: ``withdrawn`` if it counts no longer."""

    statement: str
    rating: str
    rating_class: RatingClass
    review_date: date | None
    withdrawn: Withdrawal | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last attempt to fetch the article of an address.

    ``outcome`` is a value of ``article_fetching.FetchOutcome``, ``note`` its reason in words;
    ``tries`` counts failures. ``fetched_at`` and ``source_url`` belong to the stored article, None
    and "" without one.
    """

    outcome: str
    note: str
    asked_at: datetime
    tries: int
    fetched_at: datetime | None = None
    source_url: str = ""


@dataclass(frozen=True, slots=True)
class WithoutArticle:
    """A claim that came without its article: the address, and the last attempt to fetch it."""

    id: str
    url: str
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """The content of a claim store: counts, the day of the newest review, and a digest.

    ``samples`` counts Lectern's own sample claims; ``sources`` maps a name to a count. ``with_body``
    counts the claims with an article, ``fetched`` those whose article was fetched by its link.
    ``notes`` counts newsroom notes, which are claims to find again, not fact-checks. The
    ``publishers`` leave them out.
    """

    claims: int
    publishers: int
    with_body: int
    newest_review_date: date | None
    sources: Mapping[str, int]
    digest: str
    samples: int
    fetched: int = 0
    notes: int = 0

    @property
    def fact_checks(self) -> int:
        """Return the number of claims that a publisher has checked."""
        return self.claims - self.notes

    @property
    def only_samples(self) -> bool:
        """Return whether no fact-checks but Lectern's samples are loaded."""
        return self.samples > 0 and self.samples == self.fact_checks
