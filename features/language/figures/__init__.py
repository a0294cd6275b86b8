"""Figures and dates of texts: reading them, and comparing the figures of two texts."""
