"""Figures and dates of texts: reading them, and comparing those of two texts."""
