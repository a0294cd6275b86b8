"""Core values and services that every other package may import.

Domain, errors, settings, files, database.
"""
