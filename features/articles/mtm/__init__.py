"""MTM: which sentences of a fact-checking article link it to a claim, and how relevant the article is.

A query and the sentences of articles in, scores out; knows no claim, no transcript and no article but as lists of
sentences. ``embedding`` (static word vectors), ``memory`` (patterns), ``selection`` (key sentences) are numpy alone;
``network`` (both transformers) is torch, imported when an article's relevance is first asked for.

Source: Sheng, Cao, Zhang, Li and Zhong, Article Reranking by Memory-Enhanced Key Sentence Matching for Detecting
Previously Fact-Checked Claims, ACL 2021. Equation numbers in this package are that paper's.
"""

from features.articles.mtm.loading import load
from features.articles.mtm.model import Explained, Mtm

__all__ = ["Explained", "Mtm", "load"]
