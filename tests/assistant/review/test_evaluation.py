"""Decisions as an evaluation set."""

from __future__ import annotations

import io
import json
import zipfile

from assistant.core.domain import Decision
from assistant.review import deciding, evaluation
from ranking import trec
from tests.assistant import made_up


def filled(store, clock):
    """Return three decisions: confirmed, rejected, put off."""
    report = made_up.report()
    for number, decision in (
        (1, Decision("confirm", by="Ada")),
        (2, Decision("reject", "not a claim", "Ben")),
        (3, Decision("later", by="Ada")),
    ):
        deciding.decide(
            store,
            deciding.decided_report(store, report),
            (number, made_up.match()),
            decision,
            clock=clock,
        )
    return store.all()


def test_qrels_can_be_read_and_hold_what_was_settled(store, clock):
    """Confirmed is 1, rejected 0; what was put off is not judged."""
    files = evaluation.files(filled(store, clock))

    qrels = trec.read_qrels(files["qrels.tsv"].decode().splitlines())

    assert qrels == {"000000000000-1": {"sample-1": 1}, "000000000000-2": {"sample-1": 0}}


def test_every_query_and_claim_of_the_qrels_has_its_text(store, clock):
    """In two tables without a header."""
    files = evaluation.files(filled(store, clock))

    queries = dict(line.split("\t") for line in files["queries.tsv"].decode().splitlines())
    claims = dict(line.split("\t") for line in files["claims.tsv"].decode().splitlines())
    assert queries["000000000000-1"] == "The tunnel has been open since 1994."
    assert {"sample-1": made_up.VCLAIM.statement} == claims


def test_all_decisions_are_there_with_models_and_measures(store, clock):
    """Enough to learn from: who, when, with which models, and the 19 measures."""
    decision_records = [
        json.loads(line)
        for line in evaluation.files(filled(store, clock))["decisions.jsonl"].splitlines()
    ]

    assert [record["decision"]["verdict"] for record in decision_records] == [
        "confirm",
        "reject",
        "later",
    ]
    assert decision_records[0]["anchor"]["made_with"]["models"] == {"sbert": "abc"}
    assert len(decision_records[0]["anchor"]["match"]["measures"]) == 19


def test_the_archive_is_the_same_every_time(store, clock):
    """And holds the four files."""
    records = filled(store, clock)

    assert evaluation.evaluation_zip(records) == evaluation.evaluation_zip(reversed(records))
    with zipfile.ZipFile(io.BytesIO(evaluation.evaluation_zip(records))) as archive:
        assert archive.namelist() == ["queries.tsv", "qrels.tsv", "claims.tsv", "decisions.jsonl"]
