"""A database of each kind for the shelf."""

from tests.assistant.review.conftest import any_url

__all__ = ["any_url"]
