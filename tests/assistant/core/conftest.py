"""A database of each kind."""

from tests.assistant.review.conftest import any_url

__all__ = ["any_url"]
