"""Key sentences of an article: they repeat the claim or decide its rating.

This module knows the claims of an index; ``features.articles`` knows sentences only. Without the
weights of MTM and evidence, or with other SBERT vectors than they were trained on, the nearest
sentences by SBERT replace theirs and are labelled as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import Agreement, KeySentence, Why
from assistant.core.settings import EMBEDDED, Profile
from features.articles.evidence import EvidenceScorer
from features.articles.rating_sentences import is_bare_rating
from features.language.agreement import agreement, particulars
from features.language.denials import denials
from features.models.batching import one_blas_thread
from features.models.model_spec import Floats, ModelUnavailable
from features.models.weight_files import MODELS, file_digest

if TYPE_CHECKING:
    from features.articles.mtm import Explained, Mtm

# Numbers of key sentences per article, fewer only if the article is shorter.
MAX_KEY_SENTENCES = 5
MIN_KEY_SENTENCES = 3
MIN_MTM_SENTENCES = 2  # the number in the shortest articles
# The models read only some sentences of a longer article; the longest of PolitiFact has 406.
MAX_READ_SENTENCES = 406
NEAREST_READ_SENTENCES = 128
LAST_READ_SENTENCES = 64  # an article gives its reasons for the rating at the end
SAME_CONTENT_COSINE = 0.9  # SBERT cosine from which two sentences say the same
MAX_PICKS_PER_REASON = {Why.REPEATS: 2, Why.NEAREST: 2, Why.PATTERN: 1, Why.DECIDES: 2}
# A sentence this short that ends in the rating says little else.
MAX_VERDICT_WORDS = 10
MIN_QUOTED_WORDS = 3  # words; a shorter text is a heading or a fragment
# Characters around a quoted claim: "So-and-so said on television that ..."
MAX_QUOTE_FRAME_CHARACTERS = 60
_WORD_PATTERN = re.compile(r"[^\W_]+")
# SBERT cosine with the claim or the input sentence, from which a sentence can repeat the claim.
MIN_REPEAT_COSINE = 0.7


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
        """Return the key sentences of the articles of claims, given by position.

        ``vector`` (d,): the sentence's SBERT vector. Sentences that repeat the claim come first,
        those that decide its rating last. A claim without an indexed article has none.
        """
        # One article at a time: a very long one takes much memory.
        key_sentences = []
        for claim in claims:
            article = Article.of(index, claim)
            explained = self._explanation(text, article, vector)
            key_sentences.append(self._keys(index, claim, article, explained, vector))
        return key_sentences

    def _explanation(self, text: str, article: Article, vector: Floats) -> Explained | None:
        """Return MTM's scores; it reads the nearest sentences only of a very long article."""
        if self.mtm is None:
            return None
        count = len(article.texts)
        if count <= MAX_READ_SENTENCES:
            (explained,) = self.mtm.explain(text, [article.texts], relevance=False)
            return explained
        # The sentences nearest to the input sentence by the cosine of their unit vectors
        cosines = article.vectors @ vector
        positions = nearest_positions(cosines, NEAREST_READ_SENTENCES)
        nearest_texts = [article.texts[position] for position in positions]
        (explained,) = self.mtm.explain(text, [nearest_texts], relevance=False)
        return explained.for_whole_article(positions, count)

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
        # Cosines of the article's sentences with the input sentence, (s,).
        input_cosines = article.vectors @ vector
        features = self._features_of(index, claim, article)
        picks = Picks(features.eligible)
        picks.rank(Why.NEAREST, input_cosines)
        if explained is not None:
            statement = index.statements[claim]
            # Cosines with the claim, and with the nearer of the input sentence and the claim, (s,).
            claim_cosines = article.vectors @ index.statement_vectors[claim]
            nearest_cosines = np.maximum(input_cosines, claim_cosines)

            def can_repeat(sentence: int) -> bool:
                text = article.texts[sentence]
                is_near = nearest_cosines[sentence] >= MIN_REPEAT_COSINE
                differs = other_figures(text, statement) or denies_otherwise(text, statement)
                return is_near and not differs

            picks.rank_by_mtm(explained, can_repeat)
        if features.decides is not None:
            picks.rank(Why.DECIDES, features.decides, without=features.quoting)
        picks.drop_repetitions(article.vectors)
        return tuple(
            article.quote(sentence, score, reasons) for sentence, score, reasons in picks.choose()
        )

    def _features_of(self, index: ClaimIndex, claim: int, article: Article) -> ArticleFeatures:
        cached = self._features.setdefault(index, {})
        if claim not in cached:
            decides = None
            if self.evidence is not None:
                claim_vector = index.statement_vectors[claim]
                with one_blas_thread():
                    decides = _deciding_scores(self.evidence, claim_vector, article)
            cached[claim] = ArticleFeatures(
                article.eligible(index.ratings[claim]),
                article.quoting(index.statements[claim]),
                decides,
            )
        return cached[claim]


@dataclass(frozen=True)
class ArticleFeatures:
    """Quotable sentences of an article, and those that quote the claim, whatever the input.

    Sentences are given by index. ``decides`` (s,): how likely each sentence decides the rating,
    None without the evidence model.
    """

    eligible: Sequence[int]
    quoting: Container[int]
    decides: Floats | None


@dataclass(frozen=True)
class Article:
    """The sentences of an article with spans and SBERT vectors, none without an article."""

    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    vectors: Floats

    @classmethod
    def of(cls, index: ClaimIndex, claim: int) -> Article:
        """Return the article of the claim at a position."""
        vectors = index.body_vectors(claim)
        if not len(vectors):
            return cls(spans=(), texts=(), vectors=vectors)
        # The characters of each sentence in the article
        spans = tuple((int(start), int(end)) for start, end in index.body_spans(claim))
        body = index.claim(claim).body
        texts = tuple(body[start:end] for start, end in spans)
        return cls(spans, texts, vectors)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the words of each sentence without case and punctuation."""
        return tuple(folded(text) for text in self.texts)

    def eligible(self, rating: str) -> list[int]:
        """Return the sentences that can be quoted, without bare ratings, headings and duplicates.

        ``rating``: the publisher's words, which the card shows already. If no sentence is left, all
        can be quoted.
        """
        # The key of a sentence is its words without case and punctuation. The first sentence of
        # each key counts.
        index_by_key: dict[str, int] = {}
        for sentence_index, key in enumerate(self.keys):
            word_count = key.count(" ") + 1
            is_heading = word_count < MIN_QUOTED_WORDS
            is_rating = _is_verdict(key, rating) or is_bare_rating(self.texts[sentence_index])
            if not is_heading and not is_rating:
                index_by_key.setdefault(key, sentence_index)
        if index_by_key:
            return sorted(index_by_key.values())
        return list(range(len(self.texts)))

    def quoting(self, statement: str) -> set[int]:
        """Return the sentences that quote a statement and say hardly more."""
        quoted_words = folded(statement)
        max_characters = len(quoted_words) + MAX_QUOTE_FRAME_CHARACTERS
        quoting_indices = set()
        for sentence_index, key in enumerate(self.keys):
            if quoted_words in key and len(key) <= max_characters:
                quoting_indices.add(sentence_index)
        return quoting_indices

    def quote(self, sentence: int, score: float, whys: Sequence[Why]) -> KeySentence:
        """Return a sentence as a key sentence with its score and reasons."""
        start, end = self.spans[sentence]
        return KeySentence(sentence, start, end, self.texts[sentence], score, ", ".join(whys))


def _is_verdict(key: str, rating: str) -> bool:
    """Return whether a sentence, without case and punctuation, is short and ends in the rating."""
    if not rating:
        return False
    words = key.count(" ") + 1
    return words <= MAX_VERDICT_WORDS and key.endswith(f" {folded(rating)}")


@dataclass
class Picks:
    """The quotable sentences of an article, by index, ranked for each reason."""

    quotable: Sequence[int]
    ranked: dict[Why, list[tuple[int, float]]] = field(default_factory=dict)

    def rank(self, why: Why, scores: Floats, *, without: Container[int] = ()) -> None:
        """Add a reason with its sentences by falling score, ``without`` some."""
        picks = []
        for sentence, score in self._order(scores):
            if sentence not in without:
                picks.append((sentence, score))
        self.ranked[why] = picks

    def rank_by_mtm(self, explained: Explained, can_repeat: Callable[[int], bool]) -> None:
        """Add the best sentences by MTM's score, each with the reason for its score.

        A sentence that similarity to the claim alone would have chosen repeats the claim, if it can:
        MTM's similarity is relative to the article. Any other one matches a debunking pattern.
        """
        # MTM chooses about a third of the quotable sentences. ``explained.key`` are the best of
        # the article, quotable or not.
        third = max(MIN_MTM_SENTENCES, len(self.quotable) // 3)
        count = min(len(explained.key), third)
        # ``repeats`` scores the similarity to the claim, ``scores`` adds the debunking patterns.
        most_similar = self._order(explained.repeats)[:count]
        similar_sentences = {sentence for sentence, _ in most_similar}
        best_sentences = self._order(explained.scores)[:count]
        # A sentence that is among the best, but not among the most similar, owes it to a pattern.
        pattern_picks: list[tuple[int, float]] = []
        repeat_picks: list[tuple[int, float]] = []
        for sentence, score in best_sentences:
            if sentence not in similar_sentences:
                pattern_picks.append((sentence, score))
            elif len(repeat_picks) < MIN_KEY_SENTENCES and can_repeat(sentence):
                repeat_picks.append((sentence, score))
        self.ranked[Why.PATTERN] = pattern_picks
        self.ranked[Why.REPEATS] = repeat_picks

    def drop_repetitions(self, vectors: Floats) -> None:
        """Keep the first of sentences that say the same, as articles often quote the claim twice."""
        for why in (Why.REPEATS, Why.NEAREST):
            distinct_picks: list[tuple[int, float]] = []
            for sentence, score in self.ranked.get(why, []):
                if len(distinct_picks) == MAX_KEY_SENTENCES:
                    break
                # The vectors have length 1, so their product is their cosine.
                cosines = [vectors[sentence] @ vectors[better] for better, _ in distinct_picks]
                says_something_new = all(cosine < SAME_CONTENT_COSINE for cosine in cosines)
                if says_something_new:
                    distinct_picks.append((sentence, score))
            self.ranked[why] = distinct_picks

    def _order(self, scores: Floats) -> list[tuple[int, float]]:
        """Return the quotable sentences with their scores, best first."""
        scored_sentences = [(sentence, float(scores[sentence])) for sentence in self.quotable]

        def highest_score_first(scored: tuple[int, float]) -> tuple[float, int]:
            sentence, score = scored
            return -score, sentence

        return sorted(scored_sentences, key=highest_score_first)

    def choose(self) -> list[tuple[int, float, list[Why]]]:
        """Return sentence, score and reasons of three to five sentences, in the order of ``Why``.

        A sentence that is among the first for two reasons is quoted once, with both and the score
        of the first. The nearest sentences are used if nothing repeats the claim, or if there would
        be fewer than three.
        """
        # The score and the reasons of each chosen sentence.
        chosen: dict[int, tuple[float, list[Why]]] = {}
        for why in Why:
            if why is Why.NEAREST and self.ranked.get(Why.REPEATS):
                continue
            best_picks = self.ranked.get(why, [])[: MAX_PICKS_PER_REASON[why]]
            for sentence, score in best_picks:
                _, reasons = chosen.setdefault(sentence, (score, []))
                reasons.append(why)
        # If they are too few, further sentences fill up to the minimum.
        for why in (Why.DECIDES, Why.REPEATS, Why.NEAREST):
            further_picks = self.ranked.get(why, [])[: MIN_KEY_SENTENCES + len(chosen)]
            for sentence, score in further_picks:
                if len(chosen) < MIN_KEY_SENTENCES:
                    chosen.setdefault(sentence, (score, [why]))

        reason_order = list(Why)

        def order_of_first_reason(pick: tuple[int, float, list[Why]]) -> int:
            _, _, reasons = pick
            return reason_order.index(reasons[0])

        picks = [(sentence, score, reasons) for sentence, (score, reasons) in chosen.items()]
        return sorted(picks, key=order_of_first_reason)[:MAX_KEY_SENTENCES]


def _deciding_scores(scorer: EvidenceScorer, claim_vector: Floats, article: Article) -> Floats:
    """Return the probability that each sentence of an article decides the rating, (s,).

    Of a very long article, the sentences nearest to the claim and the last ones are read; the
    others score 0.
    """
    count = len(article.texts)
    if count <= MAX_READ_SENTENCES:
        return scorer.scores(claim_vector, article.vectors, article.texts)
    nearest = nearest_positions(article.vectors @ claim_vector, NEAREST_READ_SENTENCES)
    last = np.arange(max(count - LAST_READ_SENTENCES, 0), count)
    positions = np.union1d(nearest, last)
    texts = [article.texts[position] for position in positions]
    scores = np.zeros(count, np.float32)
    scores[positions] = scorer.scores(claim_vector, article.vectors[positions], texts)
    return scores


def nearest_positions(cosines: Floats, count: int) -> NDArray[np.int64]:
    """Return the positions of the ``count`` highest cosines (n,), in the order of the article."""
    best_first = np.argsort(-cosines, kind="stable")
    return np.sort(best_first[:count]).astype(np.int64)


def folded(text: str) -> str:
    """Return the words of a text in lower case, separated by spaces."""
    return " ".join(_WORD_PATTERN.findall(text.casefold()))


@lru_cache(maxsize=20_000)
def other_figures(text: str, statement: str) -> bool:
    """Return whether both texts have numbers and none in common."""
    both_have_numbers = bool(particulars(text).numbers and particulars(statement).numbers)
    return both_have_numbers and agreement(text, statement)["numbers"] != Agreement.SAME


@lru_cache(maxsize=20_000)
def denies_otherwise(text: str, statement: str) -> bool:
    """Return whether only one of two texts denies, and neither quotes the other.

    "He never admitted it" doesn't repeat "He admitted it".
    """
    if folded(statement) in folded(text):
        return False
    return bool(denials(text)) != bool(denials(statement))


@lru_cache(maxsize=4)
def load(profile: Profile) -> Explainers:
    """Return the explainers of a profile, with the models that exist and fit its vectors."""
    if profile.sbert != EMBEDDED.sbert:
        return Explainers()
    mtm = _mtm()
    evidence = _evidence()
    digests = {}
    if mtm:
        digests["mtm"] = f"mtm {_short_digest('mtm.safetensors')}"
    if evidence:
        digests["evidence"] = f"evidence {_short_digest('evidence.safetensors')}"
    return Explainers(mtm, evidence, digests)


def _short_digest(file_name: str) -> str:
    return file_digest(MODELS / file_name)[:12]


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
