"""``python -m assistant eval``: metrics of a TREC run."""

from __future__ import annotations

from assistant.commands.cli import main


def test_eval_scores_a_run(tmp_path, capsys):
    """A TREC run is scored against TREC qrels."""
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n")
    (tmp_path / "qrels").write_text("q1 0 b 1\n")

    assert main(["eval", str(tmp_path / "run"), str(tmp_path / "qrels")]) == 0
    assert "MAP\t0.5000" in capsys.readouterr().out
