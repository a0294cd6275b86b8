"""``claims withdraw``, ``restore``, ``withdrawn``, ``history``, and an import that lacks checks."""

from __future__ import annotations

import json

import pytest

from assistant.claims.claim_store import ClaimStore
from assistant.commands.cli import main

PAGE = "https://checks.example.org/check-"


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("LECTERN_HOME", "LECTERN_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def run(home, *arguments):
    return main(["claims", *arguments, "--home", str(home)])


def import_checks(home, numbers, *options, rating="False", day="2024-01-11"):
    """Import fact-checks with these numbers from one file."""
    rows = [
        {
            "id": f"c{number}",
            "claim": f"Bus fares fell by {number} percent.",
            "rating": rating,
            "publisher": "Mill Valley Checks",
            "url": f"{PAGE}{number}",
            "review_date": day,
        }
        for number in numbers
    ]
    path = home / "checks.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return run(home, "import", str(path), *options)


def ids(home):
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        return list(store.fingerprints())


def test_a_fact_check_is_withdrawn_listed_and_restored(home, capsys):
    import_checks(home, range(3))

    capsys.readouterr()
    assert run(home, "withdraw", "c1", "--why", "retracted") == 0
    assert ids(home) == ["c0", "c2"]
    expected = "1 fact-check withdrawn. Lectern no longer suggests it.\n"
    assert capsys.readouterr().err == expected
    run(home, "withdrawn")
    listed = capsys.readouterr().out
    run(home, "restore", "c1")
    expected = "1 fact-check restored. Lectern suggests it again from the next check.\n"
    assert capsys.readouterr().err == expected

    assert listed.startswith("c1\t")
    assert "retracted" in listed
    assert ids(home) == ["c0", "c1", "c2"]


def test_a_whole_source_is_withdrawn(home):
    import_checks(home, range(3))

    assert run(home, "withdraw", "--source", "checks.jsonl") == 0
    assert ids(home) == []


def test_an_unknown_id_is_an_error(home, capsys):
    import_checks(home, range(1))

    assert run(home, "withdraw", "none") == 1
    assert "none: no current fact-check has this id." in capsys.readouterr().err


def test_an_import_says_what_its_source_has_no_longer(home, capsys):
    import_checks(home, range(20))
    capsys.readouterr()

    import_checks(home, range(1, 20))

    assert "1 of 20 fact-checks are no longer in this source: c0" in capsys.readouterr().err
    assert len(ids(home)) == 20


def test_an_import_withdraws_what_its_source_has_no_longer(home):
    import_checks(home, range(20))

    import_checks(home, range(1, 20), "--withdraw-missing")

    assert "c0" not in ids(home)
    assert len(ids(home)) == 19


def test_half_a_file_withdraws_nothing(home, capsys):
    import_checks(home, range(20))

    import_checks(home, range(10), "--withdraw-missing")

    assert "They were not withdrawn" in capsys.readouterr().err
    assert len(ids(home)) == 20


def test_a_file_of_the_same_name_withdraws_nothing_of_another_publisher(home, capsys):
    """The name of a file is its source, and two publishers may call their files alike."""
    import_checks(home, range(2))

    import_checks(home, range(100, 130), "--withdraw-missing")

    printed = capsys.readouterr().err
    assert "none of the fact-checks that its source had before" in printed
    assert "--source NAME" in printed
    assert "They were not withdrawn." in printed
    assert len(ids(home)) == 32


def test_the_history_has_every_rating_with_its_date(home, capsys):
    import_checks(home, [1])
    import_checks(home, [1], rating="Mostly True", day="2024-02-01")
    capsys.readouterr()

    run(home, "history", "c1")

    first_line, second_line = capsys.readouterr().out.splitlines()
    assert first_line.startswith("2024-01-11\tFalse\t")
    assert second_line == "2024-02-01\tMostly True\tBus fares fell by 1 percent.\tnow"
