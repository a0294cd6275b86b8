"""Readers of fact-checking articles: which sentences match, decide and support.

Texts and vectors in, scores out.
"""
