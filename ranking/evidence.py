"""``select_evidence`` for programs outside: the one function of ``ranking`` that takes texts (docs/architecture.md)."""

from features.articles.evidence import select_evidence

__all__ = ["select_evidence"]
