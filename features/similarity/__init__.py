"""Similarity features between a sentence and a fact-check, and the catalogue of them."""
