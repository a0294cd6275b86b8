"""Near copies of a fact-check: rows of strangers that repeat it hide no other and count once.

Two claims have nearly the same statement if at most one word differs, whatever the case and the
punctuation. A publisher at its own site (publisher_sites.toml) speaks for itself and is never a
copy. A stranger's row is a copy unless it has a rating or a text of its own.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import OWN_NOTE, RatingClass, VerifiedClaim
from assistant.core.look_alikes import as_latin
from assistant.core.publisher_sites import belong_together, host_of, is_listed, publisher_key
from features.language.function_words import FUNCTION_WORDS

# Rows of strangers with nearly one statement that a sentence may find, each with a text of its
# own; and rows of one publisher with the same statement.
MAX_COPIES = 3
MIN_SHARED_WORDS = 4  # "Taxes rose in May" and "Wages rose in May" are two claims
SAME_TEXT_SHARE = 0.8  # shared words of two articles, at least
MIN_TEXT_WORDS = 5  # fewer words besides the statement make no article
MAX_COMPARED_CHARACTERS = 50_000  # an article of PolitiFact has about 20,000 at most
MAX_COMPARED_ARTICLES = 200  # copies beyond these count without a look at their articles
MAX_REMEMBERED_TEXTS = 4096
MAX_REMEMBERED_CLAIMS = 32_768
MAX_CLAIMS_READ_AHEAD = 32_768  # computing their keys takes about half a second
NEIGHBOUR_DEPTH = 20  # nearest statements among which a copy would be
LATEST_DAY = date.max.toordinal()
# Function words without which a statement says something else.
_WEIGHTY_WORDS = frozenset(
    "no not nor neither up down out off over under against before after without with from to "
    "into all any each every both some because if yet".split()
)
_LIGHT_WORDS = frozenset(
    word for word in FUNCTION_WORDS - _WEIGHTY_WORDS if not word.endswith("nt")
)
_WORD_PATTERN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")

Positions = NDArray[np.int64]


class ComparedClaims(Protocol):
    """The claim index, as far as copies are found by it. Columns are by position, (m,)."""

    statements: Sequence[str]
    publishers: Sequence[str]
    urls: Sequence[str]

    @property
    def rating_classes(self) -> Sequence[RatingClass]:
        """Return the classes of the ratings."""
        ...

    @property
    def review_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the review dates, 0 if unknown."""
        ...

    def texts_by_position(self, name: str) -> list[str]:
        """Read a text field of all claims."""
        ...

    def claim(self, i: int) -> VerifiedClaim:
        """Return the claim at a position, with its article."""
        ...

    def nearest_statements(self, i: int, depth: int) -> Sequence[int]:
        """Return the claims whose statements are nearest to a claim's by cosine."""
        ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class StatementKeys:
    """The keys of all statements in rising order, and the positions of their claims, (k,) each."""

    keys: Positions
    claims_of_keys: Positions

    @classmethod
    def of(cls, keys_by_claim: Iterable[Sequence[int]]) -> StatementKeys:
        """Sort the keys of all claims, (m,); computing them takes about 20 s for a million."""
        # An array of C numbers takes a tenth of the memory of a list.
        all_keys = array("q")
        key_counts = []
        for keys in keys_by_claim:
            all_keys.extend(keys)
            key_counts.append(len(keys))
        # One entry per key and claim, (k,): the key, and the position of the claim
        key_values = np.frombuffer(all_keys, np.int64) if all_keys else np.zeros(0, np.int64)
        claim_positions = np.repeat(np.arange(len(key_counts)), key_counts)
        # sorted by key for a binary search
        sorting_order = np.argsort(key_values, kind="stable")
        return cls(key_values[sorting_order], claim_positions[sorting_order])

    def claims_with_any(self, keys: Sequence[int]) -> Positions:
        """Return the claims that have one of some keys, rising."""
        # The keys are sorted, so the entries of one key follow each other.
        starts = np.searchsorted(self.keys, keys, "left")
        ends = np.searchsorted(self.keys, keys, "right")
        claims_by_key = [
            self.claims_of_keys[start:end] for start, end in zip(starts, ends, strict=True)
        ]
        return np.unique(np.concatenate(claims_by_key))

    def claims_sharing_any(self) -> Positions:
        """Return the claims that have a key in common with another claim, rising."""
        # A claim has each of its keys once, so equal neighbours belong to two claims.
        equals_next = self.keys[:-1] == self.keys[1:]
        first_claims = self.claims_of_keys[:-1][equals_next]
        second_claims = self.claims_of_keys[1:][equals_next]
        return np.union1d(first_claims, second_claims)


class NearCopies:
    """The near copies among the claims of an index.

    The keys of all statements are computed once: at the first search, or, for more claims than
    ``MAX_CLAIMS_READ_AHEAD``, only if a search meets a copy.
    """

    def __init__(self, index: ComparedClaims) -> None:
        """Use the claims of an index."""
        self._index = index
        self._keys_of_claim = lru_cache(maxsize=MAX_REMEMBERED_CLAIMS)(self._compute_keys)
        self.other_addresses = lru_cache(maxsize=MAX_REMEMBERED_CLAIMS)(self._count_other_addresses)

    def is_original_claim(
        self, text: str, claims: NDArray[np.integer], known_count: int = 0
    ) -> NDArray[np.bool_]:
        """Return which of a sentence's candidates (k,) do not copy another of them, (k,).

        Of nearly the same statements a sentence keeps the one with most of its words; of equally
        good ones a publisher whose name fits its site, else the earliest. The first
        ``known_count`` candidates are kept in any case.
        """
        is_kept = np.ones(len(claims), bool)
        rows_with_shared_keys = self._rows_with_shared_keys(claims.tolist())
        text_words = frozenset(_normalised_words(text))

        def sort_key(row: int) -> tuple[int, ...]:
            may_be_dropped = row >= known_count
            return int(may_be_dropped), *self._precedence_of_claim(int(claims[row]), text_words)

        # The best claims come first, so that each is compared with those it would copy.
        kept_claims_by_key: dict[int, list[int]] = {}
        for row in sorted(rows_with_shared_keys, key=sort_key):
            claim = int(claims[row])
            keys_of_claim = self._keys_of_claim(claim)
            similar_claims: set[int] = set()
            for key in keys_of_claim:
                similar_claims.update(kept_claims_by_key.get(key, ()))
            may_be_dropped = row >= known_count
            if may_be_dropped and self._is_copy(claim, sorted(similar_claims)):
                is_kept[row] = False
                continue
            for key in keys_of_claim:
                kept_claims_by_key.setdefault(key, []).append(claim)
        return is_kept

    def is_near_copy_of(self, claims: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return the claims of strangers with nearly the statement of one of some claims, (m,)."""
        is_near = np.zeros(len(self._index), bool)
        keys = {key for claim in claims.tolist() for key in self._keys_of_claim(claim)}
        if keys:  # copies of one statement share most keys: look each up once
            is_near[self._all_keys.claims_with_any(sorted(keys))] = True
        return is_near & ~self._on_publishers_site

    def _count_other_addresses(self, claim: int) -> int:
        """Count the addresses of strangers at which the same text stands as in a claim.

        Copies without an address count as one together.
        """
        if not self._has_near_copy(claim):
            return 0
        keys_of_claim = self._keys_of_claim(claim)
        other_urls: set[str] = set()
        foreign_count = 0
        for similar_claim in self._all_keys.claims_with_any(keys_of_claim).tolist():
            url = self._index.urls[similar_claim]
            is_on_publishers_site = self._on_publishers_site[similar_claim]
            if similar_claim == claim or is_on_publishers_site or url in other_urls:
                continue
            foreign_count += 1
            is_compared = foreign_count <= MAX_COMPARED_ARTICLES
            # Beyond the limit an article counts as a copy without being compared.
            if not is_compared or not self._is_separate_review(similar_claim, claim):
                other_urls.add(url)
        return len(other_urls - {self._index.urls[claim]})

    def _has_near_copy(self, claim: int) -> bool:
        """Return whether another claim has nearly the same statement."""
        if self._shares_keys is not None:
            return bool(self._shares_keys[claim])
        # The nearest statements by cosine answer this without the keys of all claims.
        keys = set(self._keys_of_claim(claim))
        neighbours = self._index.nearest_statements(claim, NEIGHBOUR_DEPTH)
        others = [other for other in neighbours if other != claim]
        return any(not keys.isdisjoint(self._keys_of_claim(other)) for other in others)

    @cached_property
    def _shares_keys(self) -> NDArray[np.bool_] | None:
        """Return whether each claim has a key in common with another, (m,).

        None stands for too many claims to compute the keys of all.
        """
        if len(self._index) > MAX_CLAIMS_READ_AHEAD:
            return None
        shares_keys = np.zeros(len(self._index), bool)
        shares_keys[self._all_keys.claims_sharing_any()] = True
        return shares_keys

    @cached_property
    def _all_keys(self) -> StatementKeys:
        statements = self._index.texts_by_position("statement")
        return StatementKeys.of(map(statement_keys, statements, self._index.rating_classes))

    @cached_property
    def _on_publishers_site(self) -> NDArray[np.bool_]:
        """Return whether each claim is known to be its publisher's, (m,)."""
        publishers = self._index.texts_by_position("publisher")
        urls = self._index.texts_by_position("url")
        return np.array(list(map(_speaks_for_itself, publishers, urls)), bool)

    def _compute_keys(self, claim: int) -> tuple[int, ...]:
        return statement_keys(self._index.statements[claim], self._index.rating_classes[claim])

    def _rows_with_shared_keys(self, claims: Sequence[int]) -> list[int]:
        """Return the rows of claims that have a key in common with another of them."""
        keys_by_row = {}
        for row, claim in enumerate(claims):
            if self._shares_keys is None or self._shares_keys[claim]:
                keys_by_row[row] = self._keys_of_claim(claim)
        key_count = sum(map(len, keys_by_row.values()))
        # A claim has each of its keys once, so equal counts mean that none is shared.
        if len(set().union(*keys_by_row.values())) == key_count:
            return []
        row_count_by_key = Counter(chain.from_iterable(keys_by_row.values()))
        shared_keys = {key for key, row_count in row_count_by_key.items() if row_count > 1}
        return [row for row, keys in keys_by_row.items() if not shared_keys.isdisjoint(keys)]

    def _precedence_of_claim(self, claim: int, said_words: frozenset[str]) -> tuple[int, ...]:
        """Return a key that sorts the best of nearly the same claims to the front."""
        is_on_publishers_site = self._is_on_publishers_site(claim)
        statement_words = set(_normalised_words(self._index.statements[claim]))
        shared_count = len(said_words & statement_words)
        url = self._index.urls[claim]
        publisher = self._index.publishers[claim]
        fits_site = bool(host_of(url)) and belong_together(publisher, url)
        # A day of 0 stands for an unknown date, which comes last.
        review_day = int(self._index.review_days[claim]) or LATEST_DAY
        # The smallest tuple comes first, so a value of which more is better has a minus sign.
        return -int(is_on_publishers_site), -shared_count, -int(fits_site), review_day, claim

    def _is_copy(self, claim: int, similar_claims: Sequence[int]) -> bool:
        """Return whether a claim is a copy of others, which come first."""
        if self._is_on_publishers_site(claim):
            identical_count = sum(self._is_same_row(claim, other) for other in similar_claims)
            return identical_count >= MAX_COPIES
        foreign_count = sum(not self._is_on_publishers_site(other) for other in similar_claims)
        if foreign_count >= MAX_COPIES:
            return True
        return not all(self._is_separate_review(claim, other) for other in similar_claims)

    def _is_same_row(self, claim: int, other: int) -> bool:
        """Return whether two claims have one statement and one publisher."""
        is_same_statement = self._keys_of_claim(claim)[0] == self._keys_of_claim(other)[0]
        return is_same_statement and self._publisher(claim) == self._publisher(other)

    def _is_separate_review(self, claim: int, other_claim: int) -> bool:
        """Return whether a stranger's claim has its own statement, rating or text beside another.

        A publisher may have several claims that differ in one word, such as a figure.
        """
        has_same_publisher = self._publisher(claim) == self._publisher(other_claim)
        if has_same_publisher:  # its claims may differ in one word
            return not self._is_same_row(claim, other_claim)
        review = self._index.claim(claim)
        other_review = self._index.claim(other_claim)
        if _normalised_words(review.rating) != _normalised_words(other_review.rating):
            return True
        # The words of the article without those of the statement
        text_words = _text_words(review)
        if len(text_words) < MIN_TEXT_WORDS:
            return False
        shared_words = text_words & _text_words(other_review)
        return len(shared_words) < SAME_TEXT_SHARE * len(text_words)

    def _is_on_publishers_site(self, claim: int) -> bool:
        return _speaks_for_itself(self._index.publishers[claim], self._index.urls[claim])

    def _publisher(self, claim: int) -> str:
        return publisher_key(self._index.publishers[claim])


def statement_keys(statement: str, rating_class: RatingClass) -> tuple[int, ...]:
    """Return the key of all words of a statement, then the keys of all words but one.

    Two statements with a common key differ by one word at most. Statements of different rating
    classes have none in common.
    """
    words = _normalised_words(statement)
    content_words = [word for word in words if word not in _LIGHT_WORDS]
    if not content_words:
        content_words = list(words)
    # A key is a hash of the numbers of the class and of the words.
    class_number = _word_number(str(rating_class))
    word_numbers = [_word_number(word) for word in content_words]
    keys = [hash((class_number, *word_numbers))]
    may_differ_by_word = len(words) > MIN_SHARED_WORDS and len(content_words) > 1
    if may_differ_by_word:
        for left_out_position in range(len(word_numbers)):
            numbers_without_word = word_numbers.copy()
            del numbers_without_word[left_out_position]
            keys.append(hash((class_number, *numbers_without_word)))
    distinct_keys = dict.fromkeys(keys)
    return tuple(distinct_keys)


def _text_words(review: VerifiedClaim) -> frozenset[str]:
    """Return the words of a review's title and article that its statement does not have.

    Only the beginning of a very long article is read.
    """
    article_text = review.body[:MAX_COMPARED_CHARACTERS]
    all_words = frozenset(_normalised_words(f"{review.title} {article_text}"))
    return all_words.difference(_normalised_words(review.statement))


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def _normalised_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in small Latin letters, as a reader takes them."""
    small_letters = text.casefold() if text.isascii() else as_latin(text.replace("’", "'"))
    return tuple(_WORD_PATTERN.findall(small_letters))


@cache
def _word_number(word: str) -> int:
    """Return a number for a word, the same in every process."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), signed=True)


def _speaks_for_itself(publisher: str, url: str) -> bool:
    """Return whether a claim is the user's own note or stands on its publisher's own site."""
    return publisher == OWN_NOTE or _is_at_own_site(publisher, host_of(url))


@cache
def _is_at_own_site(publisher: str, host: str) -> bool:
    """Return whether a publisher of the table speaks at its own site."""
    return bool(host) and is_listed(publisher) and belong_together(publisher, f"https://{host}/")
