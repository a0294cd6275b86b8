"""MTM: which sentences of a fact-checking article link it to a query, and how relevant the article is.

``key_sentences`` (word vectors, residuals, patterns and scores) is numpy alone; ``network`` (both transformers) is
torch and is imported when an article's relevance is first needed.
Source: Sheng, Cao, Zhang, Li and Zhong, Article Reranking by Memory-Enhanced Key Sentence Matching for Detecting
Previously Fact-Checked Claims, ACL 2021. Equation numbers in this package are that paper's.
"""

from features.articles.mtm.loading import load
from features.articles.mtm.model import Explained, Mtm

__all__ = ["Explained", "Mtm", "load"]
