"""``python -m assistant review``, and decisions in what ``check`` writes."""

from __future__ import annotations

from pathlib import Path

from assistant.commands.cli import main
from assistant.core import settings
from assistant.core.domain import Decision
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from ranking import trec
from tests.assistant import made_up


def decided(tmp_path, clock):
    """Confirm the one match of the made-up report in the database of a home folder."""
    with DecisionStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as store:
        placed = deciding.decided_report(store, made_up.report())
        deciding.decide(
            store, placed, (1, made_up.match()), Decision("confirm", by="Ada"), clock=clock
        )


def test_list_prints_a_line_a_decision(tmp_path, clock, capsys):
    """Verdict, who, when, where, which fact-check."""
    decided(tmp_path, clock)

    assert main(["review", "list", "--home", str(tmp_path)]) == 0

    (line,) = capsys.readouterr().out.splitlines()
    assert line.split("\t")[:6] == [
        "confirm",
        "",
        "Ada",
        "2024-09-11T09:00:00.000Z",
        "City debate",
        "1",
    ]
    assert "sample-1" in line.split("\t")


def test_export_writes_an_evaluation_set(tmp_path, clock, capsys):
    """Files that other tools for ranking read; their names on standard output."""
    decided(tmp_path, clock)

    assert main(["review", "export", "--home", str(tmp_path), "--out", str(tmp_path / "set")]) == 0

    assert len(capsys.readouterr().out.splitlines()) == 4
    qrels = trec.read_qrels((tmp_path / "set" / "qrels.tsv").read_text().splitlines())
    assert qrels == {"000000000000-1": {"sample-1": 1}}


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path, clock, capsys):
    """Exit 1, no traceback."""
    decided(tmp_path, clock)
    (tmp_path / "file").write_text("")

    assert main(["review", "export", "--home", str(tmp_path), "--out", str(tmp_path / "file")]) == 1

    assert "cannot be written" in capsys.readouterr().err


def test_an_export_that_fails_leaves_nothing_half_written(tmp_path, clock, capsys, monkeypatch):
    """A disk that fills up: a new folder does not come to be, an older export stays whole.

    The next try does it.
    """
    decided(tmp_path, clock)
    out = tmp_path / "set"
    write = Path.write_bytes
    arguments = ["review", "export", "--home", str(tmp_path), "--out", str(out), "--force"]

    def fill(path, data):
        if path.name == "claims.tsv":
            raise OSError(28, "No space left on device")
        return write(path, data)

    for earlier in ({}, {"queries.tsv": b"earlier"}):
        if earlier:
            out.mkdir()
            (out / "queries.tsv").write_bytes(earlier["queries.tsv"])
        with monkeypatch.context() as full:
            full.setattr(Path, "write_bytes", fill)
            assert main(arguments) == 1
        assert "set: the disk is full. Free some space." in capsys.readouterr().err
        assert ({p.name: p.read_bytes() for p in out.iterdir()} if out.exists() else {}) == earlier
        assert not list(tmp_path.glob(".lectern-*"))

    assert main(arguments) == 0
    assert {p.name for p in out.iterdir()} == {
        "queries.tsv",
        "qrels.tsv",
        "claims.tsv",
        "decisions.jsonl",
    }


def test_a_check_has_the_decisions_of_earlier_reviews(tmp_path, clock):
    """What the command line writes says what people decided; a first check changes nothing."""
    loaded_settings = settings.load(home=str(tmp_path), environ={})
    assert made_up.report() == deciding.with_decisions(made_up.report(), loaded_settings.database)

    decided(tmp_path, clock)

    reviewed_report = deciding.with_decisions(made_up.report(), loaded_settings.database)
    assert reviewed_report.sentences[0].matches[0].decision.by == "Ada"


def test_where_nobody_has_decided_it_is_said(tmp_path, capsys):
    """An empty list is no error, an empty set for evaluation is; neither is silent."""
    assert main(["review", "list", "--home", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "There are no decisions" in err

    assert main(["review", "export", "--home", str(tmp_path), "--out", str(tmp_path / "set")]) == 1
    assert "there are no decisions" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()
