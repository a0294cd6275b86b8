"""Figures and dates of a text: read once, compared with those of another. Texts in, small values out."""
