"""Evidence sentences: which sentences of a fact-check's article decide its rating.

Knows texts and arrays, not where they come from. Source: Bekoulis, Papagiannopoulou and Deligiannis, Understanding the
Impact of Evidence-Aware Sentence Selection for Fact Checking, NLP4IF 2021.
"""

from features.articles.evidence.reading import is_bare_rating
from features.articles.evidence.scorer import EvidenceScorer
from features.articles.evidence.selection import select_evidence

__all__ = ["EvidenceScorer", "is_bare_rating", "select_evidence"]
