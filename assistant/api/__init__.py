"""The HTTP API, version 1: matches, fact-checks, checks, decisions and the archive for programs."""
