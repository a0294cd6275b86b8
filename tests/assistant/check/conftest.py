"""Five sentences, the index of a dozen claims, and the candidates that it has for them."""

from __future__ import annotations

import pytest

from assistant.check.candidates import search
from assistant.claims.claim_index import ClaimIndex
from tests.assistant.claims.indexed import claims

TEXTS = [
    "We spend three percent more on crime than we did last year!",
    "Schools have more money.",
    "",
    "I love you all, thank you.",
    "Rivers rivers rivers.",
]


@pytest.fixture(scope="package")
def index(encoders):
    """The index of a dozen claims."""
    return ClaimIndex.in_memory(claims(), encoders)


@pytest.fixture(scope="package")
def found(index, encoders):
    """The candidates of ``TEXTS``."""
    return search(TEXTS, encoders.sbert.encode(TEXTS), index)
