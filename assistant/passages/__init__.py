"""Passages: their boundaries in a transcript, and the rows that a list shows."""
