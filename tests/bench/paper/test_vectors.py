"""Ranking vectors as svmlight files: rows written for folds are learnt from and ranked again."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bench.paper import vectors
from ranking import svmlight


@pytest.fixture
def folds(monkeypatch) -> SimpleNamespace:
    """Return three debates of which the second input tells what is relevant."""
    rng = np.random.default_rng(4)
    vectors_by_debate = {name: rng.normal(size=(12, 3)) for name in ("a", "b", "c")}
    monkeypatch.setattr(
        vectors, "rows", lambda debate_name, pooling: vectors_by_debate[debate_name]
    )
    relevant = {
        (name, False): debate_vectors[:, 1] > 0.4
        for name, debate_vectors in vectors_by_debate.items()
    }
    return SimpleNamespace(
        names=list(vectors_by_debate),
        whole={(n, False): n for n in vectors_by_debate},
        relevant=relevant,
        made=vectors_by_debate,
    )


def test_a_debate_is_ranked_by_what_the_others_teach(folds, tmp_path, capsys):
    """Two files a debate; the learnt ranker finds the input that tells, and the command says so."""
    vectors.write(folds, tmp_path / "vectors")

    assert len(list((tmp_path / "vectors").iterdir())) == 6
    X, y, qid = svmlight.read(tmp_path / "vectors" / "b.train")
    np.testing.assert_allclose(X, np.concatenate([folds.made["a"], folds.made["c"]]), atol=1e-6)
    assert qid.tolist() == [1] * 12 + [2] * 12
    assert set(y) == {0, 1}
    files = [
        f"--{verb}={tmp_path / 'vectors' / f'b.{end}'}"
        for verb, end in (("learn", "train"), ("rank", "test"))
    ]
    assert vectors.main(files) == 0
    assert float(capsys.readouterr().out.split()[1]) > 0.95


def test_a_file_that_is_no_svmlight_is_named(tmp_path, capsys):
    """One line on stderr, status 1."""
    (tmp_path / "notes.txt").write_text("hello")

    assert (
        vectors.main([f"--learn={tmp_path / 'notes.txt'}", f"--rank={tmp_path / 'notes.txt'}"]) == 1
    )
    assert "notes.txt isn't an SVMlight file with query ids (qid)" in capsys.readouterr().err
