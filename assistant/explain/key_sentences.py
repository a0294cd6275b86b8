"""Key sentences: those of an article that make a match believable, because they repeat the claim or decide its rating.

Knows the claims of an index; ``features.articles`` knows sentences only. Without the weights of
MTM and evidence, or with other SBERT vectors than they were trained on, the nearest sentences by
SBERT replace theirs, labelled as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Agreement, KeySentence, Why
from assistant.core.settings import EMBEDDED, Profile
from features.articles.evidence import EvidenceScorer
from features.articles.rating_sentences import is_bare_rating
from features.language.agreement import agreement, particulars
from features.models.batching import one_blas_thread
from features.models.model_spec import Floats, ModelUnavailable
from features.models.weight_files import MODELS, file_digest

if TYPE_CHECKING:
    from features.articles.mtm import Explained, Mtm

# sentences of an article; fewer only if it has no more
SHOWN = 5
LEAST = 3
FEWEST = 2  # sentences that MTM chooses in the shortest articles
ALIKE = 0.9  # SBERT cosine of two sentences from which they say the same
OF_EACH = {Why.REPEATS: 2, Why.NEAREST: 2, Why.PATTERN: 1, Why.DECIDES: 2}
VERDICT = 10  # words: a sentence this short that ends in the rating says little else
SHORTEST = 3  # words: anything shorter is a heading or a fragment
BESIDE = 60  # characters around a quoted claim: "So-and-so said on television that ..."
_WORD = re.compile(r"[^\W_]+")
KINSHIP = 0.7  # SBERT cosine with the sentence or the claim from which a sentence can count as repeating it


@dataclass(frozen=True)
class Explainers:
    """Choose key sentences; with neither model, the nearest by SBERT.

    ``digests`` are for the manifest of a report.
    """

    mtm: Mtm | None = None
    evidence: EvidenceScorer | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    _features: WeakKeyDictionary[ClaimIndex, dict[int, ArticleFeatures]] = field(
        default_factory=WeakKeyDictionary
    )

    def explain(
        self, index: ClaimIndex, text: str, vector: Floats, claims: Sequence[int]
    ) -> list[tuple[KeySentence, ...]]:
        """Return for an input sentence the key sentences of the articles of claims, given by position.

        ``vector`` (d,): the sentence's SBERT vector. Those that repeat the claim come first, those that decide its
        rating last, the best of each first. None for a claim without an article or with one that is not read yet.
        """
        articles = [Article.of(index, claim) for claim in claims]
        explanations = self._explanations(text, articles)
        return [
            self._keys(index, claim, article, explained, vector)
            for claim, article, explained in zip(claims, articles, explanations, strict=True)
        ]

    def _explanations(self, text: str, articles: Sequence[Article]) -> Sequence[Explained | None]:
        if self.mtm is None:
            return [None] * len(articles)
        return self.mtm.explain(text, [article.texts for article in articles], relevance=False)

    def _keys(
        self,
        index: ClaimIndex,
        claim: int,
        article: Article,
        explained: Explained | None,
        vector: Floats,
    ) -> tuple[KeySentence, ...]:
        if not len(article.vectors):
            return ()
        near = article.vectors @ vector
        features = self._features_of(index, claim, article)
        picks = Picks(features.eligible)
        picks.rank(Why.NEAREST, near)
        if explained is not None:
            statement = index.statements[claim]
            kin = np.maximum(near, article.vectors @ index.statement_vectors[claim])
            picks.mtm(
                explained,
                lambda i: kin[i] >= KINSHIP and not other_figures(article.texts[i], statement),
            )
        if features.decides is not None:
            picks.rank(Why.DECIDES, features.decides, without=features.quoting)
        picks.once(article.vectors)
        return tuple(article.quote(place, score, whys) for place, score, whys in picks.chosen())

    def _features_of(self, index: ClaimIndex, claim: int, article: Article) -> ArticleFeatures:
        cached = self._features.setdefault(index, {})
        if claim not in cached:
            decides = None
            if self.evidence is not None:
                with one_blas_thread():
                    decides = self.evidence.scores(
                        index.statement_vectors[claim], article.vectors, article.texts
                    )
            cached[claim] = ArticleFeatures(
                article.eligible(index.ratings[claim]),
                article.quoting(index.statements[claim]),
                decides,
            )
        return cached[claim]


@dataclass(frozen=True)
class ArticleFeatures:
    """What does not depend on the input sentence.

    The places that may be quoted, and those that quote the claim.

    ``decides`` (s,): how likely each sentence decides the rating, None without the evidence model.
    """

    eligible: Sequence[int]
    quoting: Container[int]
    decides: Floats | None


@dataclass(frozen=True)
class Article:
    """The sentences of an article with their spans and SBERT vectors.

    Empty for a claim without an article.
    """

    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    vectors: Floats

    @classmethod
    def of(cls, index: ClaimIndex, claim: int) -> Article:
        """Return the article of the claim at a position."""
        vectors = index.body_vectors(claim)
        spans = tuple((int(a), int(b)) for a, b in index.body_spans(claim)) if len(vectors) else ()
        body = index.claim(claim).body if spans else ""
        return cls(spans, tuple(body[a:b] for a, b in spans), vectors)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the words of each sentence without case and punctuation."""
        return tuple(map(folded, self.texts))

    def eligible(self, rating: str) -> list[int]:
        """Return the places of sentences that can be quoted.

        No bare rating, no heading, none twice.

        ``rating``: the publisher's words, which the card shows already.
        """
        first: dict[str, int] = {}
        ending = f" {folded(rating)}" if rating else None
        for place, key in enumerate(self.keys):
            words = key.count(" ") + 1
            bare = ending is not None and words <= VERDICT and key.endswith(ending)
            if words >= SHORTEST and not bare and not is_bare_rating(self.texts[place]):
                first.setdefault(key, place)
        return sorted(first.values()) or list(range(len(self.texts)))

    def quoting(self, statement: str) -> set[int]:
        """Return the places of sentences that quote a statement and say hardly more.

        They decide nothing about it.
        """
        quoted = folded(statement)
        return {
            place
            for place, key in enumerate(self.keys)
            if quoted in key and len(key) <= len(quoted) + BESIDE
        }

    def quote(self, place: int, score: float, whys: Sequence[Why]) -> KeySentence:
        start, end = self.spans[place]
        return KeySentence(place, start, end, self.texts[place], score, ", ".join(whys))


@dataclass
class Picks:
    """The sentences that may be quoted, ranked for each reason."""

    places: Sequence[int]
    ranked: dict[Why, list[tuple[int, float]]] = field(default_factory=dict)

    def rank(self, why: Why, scores: Floats, *, without: Container[int] = ()) -> None:
        """Add a reason: the places by falling score, equal ones in the article's order, ``without`` some."""
        self.ranked[why] = [pick for pick in self._order(scores) if pick[0] not in without]

    def mtm(self, explained: Explained, can_repeat: Callable[[int], bool]) -> None:
        """Add the best sentences by MTM's score, each with the reason that brought it among them.

        A sentence that nearness to the claim alone would have chosen repeats the claim, provided
        that it can: MTM's nearness is relative to the article. Any other is there for its
        debunking pattern.
        """
        number = min(len(explained.key), max(FEWEST, len(self.places) // 3))
        near = {place for place, _ in self._order(explained.repeats)[:number]}
        best = self._order(explained.scores)[:number]
        self.ranked[Why.PATTERN] = [pick for pick in best if pick[0] not in near]
        self.ranked[Why.REPEATS] = list(
            islice((p for p in best if p[0] in near and can_repeat(p[0])), LEAST)
        )

    def once(self, vectors: Floats) -> None:
        """Keep only the first of sentences that say the same.

        Articles often quote the claim at both ends.
        """
        for why in (Why.REPEATS, Why.NEAREST):
            kept: list[tuple[int, float]] = []
            for place, score in self.ranked.get(why, []):
                if len(kept) < SHOWN and all(
                    vectors[place] @ vectors[other] < ALIKE for other, _ in kept
                ):
                    kept.append((place, score))
            self.ranked[why] = kept

    def _order(self, scores: Floats) -> list[tuple[int, float]]:
        return sorted(
            ((place, float(scores[place])) for place in self.places),
            key=lambda pick: (-pick[1], pick[0]),
        )

    def chosen(self) -> list[tuple[int, float, list[Why]]]:
        """Return place, score and reasons of three to five sentences, in the order of ``Why``.

        A sentence that is among the first for two reasons is quoted once, with both and the score
        of the first. The nearest sentences are used where nothing repeats the claim, and where
        there would be fewer than three.
        """
        chosen: dict[int, tuple[float, list[Why]]] = {}
        first = [why for why in Why if why is not Why.NEAREST or not self.ranked.get(Why.REPEATS)]
        for why in first:
            for place, score in self.ranked.get(why, [])[: OF_EACH[why]]:
                chosen.setdefault(place, (score, []))[1].append(why)
        for why in (Why.DECIDES, Why.REPEATS, Why.NEAREST):
            for place, score in self.ranked.get(why, [])[: LEAST + len(chosen)]:
                if len(chosen) < LEAST:
                    chosen.setdefault(place, (score, [why]))
        rows = [(place, score, whys) for place, (score, whys) in chosen.items()]
        return sorted(rows, key=lambda row: list(Why).index(row[2][0]))[:SHOWN]


def folded(text: str) -> str:
    """Return the words of a text without case and punctuation, a space between."""
    return " ".join(_WORD.findall(text.casefold()))


@lru_cache(maxsize=20_000)
def other_figures(text: str, statement: str) -> bool:
    """Return whether both have numbers and none in common.

    The sentence does not repeat the claim, however near.
    """
    both = bool(particulars(text).numbers and particulars(statement).numbers)
    return both and agreement(text, statement)["numbers"] != Agreement.SAME


@lru_cache(maxsize=4)
def load(profile: Profile) -> Explainers:
    """Return what chooses the key sentences for a profile.

    Both models, if their weights exist and its vectors fit.
    """
    if profile.sbert != EMBEDDED.sbert:
        return Explainers()
    mtm = _mtm()
    evidence = _evidence()
    digests = {"mtm": "mtm.safetensors"} if mtm else {}
    digests |= {"evidence": "evidence.safetensors"} if evidence else {}
    named = {part: f"{part} {file_digest(MODELS / name)[:12]}" for part, name in digests.items()}
    return Explainers(mtm, evidence, named)


def _mtm() -> Mtm | None:
    from features.articles.mtm import load as load_mtm

    try:
        return load_mtm(MODELS)
    except ModelUnavailable:
        return None


def _evidence() -> EvidenceScorer | None:
    try:
        return EvidenceScorer.load(MODELS)
    except ModelUnavailable:
        return None
