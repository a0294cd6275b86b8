"""Chooses evidence sentences for programs outside.

The one function of ``ranking`` that takes texts.
"""

from features.articles.evidence import select_evidence

__all__ = ["select_evidence"]
