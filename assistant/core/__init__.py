"""Core values and services that every other package may import: domain, errors, settings, files, database."""
