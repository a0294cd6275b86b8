"""Lectern: which sentences of a transcript can a published fact-check settle?"""

__version__ = "0.1.0"
