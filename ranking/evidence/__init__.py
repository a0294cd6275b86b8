"""Evidence sentences: which sentences of a fact-check's article decide its rating.

Knows texts and arrays, not where they come from. Source: Bekoulis, Papagiannopoulou and Deligiannis, Understanding the
Impact of Evidence-Aware Sentence Selection for Fact Checking, NLP4IF 2021.
"""

from ranking.evidence.reading import is_bare_rating
from ranking.evidence.scorer import EvidenceScorer
from ranking.evidence.selection import select_evidence

__all__ = ["EvidenceScorer", "is_bare_rating", "select_evidence"]
