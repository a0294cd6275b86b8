"""Follows a debate while it happens.

Sources of lines, the log that loses nothing, the engine that checks.
"""
