"""Fixtures for the whole application: the databases that it promises to work with."""

from tests.assistant.claims.conftest import postgres_server

__all__ = ["postgres_server"]
