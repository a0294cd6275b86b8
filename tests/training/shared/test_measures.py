"""What the benches keep stays usable while the code that made it only looks different."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.shared import measures


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The digest of one source file with some text in it."""
    monkeypatch.setattr(measures, "_ROOT", tmp_path)

    def of(text: str) -> str:
        (tmp_path / "code.py").write_text(text, encoding="utf-8")
        return measures.code_digest(["code.py"])

    return of


def test_what_is_kept_survives_new_words_about_the_same_code(digest) -> None:
    """Imports, docstrings and comments may change; what is computed may not."""
    first = digest('"""One."""\nfrom a import b\n\n\ndef f(x):\n    """Return it."""\n    return b(x) + 1\n')
    assert first == digest(
        '"""Two."""\nfrom c import b\n\n\ndef f(x):  # the same\n    """Return x."""\n    return b(x) + 1\n'
    )
    assert first != digest('"""One."""\nfrom a import b\n\n\ndef f(x):\n    """Return it."""\n    return b(x) + 2\n')


@given(st.integers(0, 2**32 - 1))
def test_candidates_that_were_measured_before_are_found_again(seed: int) -> None:
    """Wherever they stood; a place without a candidate is known nowhere."""
    rng = np.random.default_rng(seed)
    found, wanted = (np.stack([rng.permutation(30)[:k] for _ in range(4)]) for k in (8, 9))
    found[:, rng.integers(1, 8) :] = -1
    wanted[2, 5:] = -1
    known, place = measures.places_of(wanted, found, 30)
    for row, slot in np.ndindex(*wanted.shape):
        claim = wanted[row, slot]
        assert known[row, slot] == (claim >= 0 and claim in found[row])
        assert not known[row, slot] or found[row, place[row, slot]] == claim
