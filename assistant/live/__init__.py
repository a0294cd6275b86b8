"""Follows a debate while it happens: sources of lines, the log that loses nothing, the engine that checks."""
