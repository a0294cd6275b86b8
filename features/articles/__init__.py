"""Readers of fact-checking articles: which sentences match, decide and support; texts and vectors in, scores out."""
