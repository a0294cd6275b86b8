"""From what the review desk exports to a ranker that learnt from it.

The whole way, and its parts.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from assistant import pipeline, transcripts
from assistant.check.pairs import Pairs
from assistant.check.rankers import LECTERN, load
from assistant.commands import cli
from assistant.core import settings
from assistant.core.domain import Decision
from assistant.core.errors import ReviewError
from assistant.review import deciding, evaluation
from assistant.review.decision_store import DecisionStore
from bench.samples import CLAIMS, DEBATES, read_gold
from features.models.weight_files import MODELS
from tests.training.ranker.decided import document
from training.ranker import decided_scores, decisions
from training.ranker import train as ranker
from training.ranker.adapting import Strength, adapted

SENTENCES = 6  # of each sample debate: enough to have repeats and traps


def row(**changes) -> dict:
    """A row of decisions.jsonl, as far as it is read."""
    anchor = {
        "document": "d1",
        "title": "",
        "event_date": None,
        "number": 1,
        "text": "One.",
        "speaker": "A",
    }
    return {"anchor": anchor | {"claim_id": "c1"} | changes, "decision": {"verdict": "confirm"}}


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_what_was_settled_is_read(tmp_path):
    """Confirmed and rejected; not what was put off or taken back.

    The folder of the export will do as well.
    """
    later = row() | {"decision": {"verdict": "later"}}
    undone = row() | {"decision": None}
    rejected = row(number=2) | {"decision": {"verdict": "reject"}}
    written(tmp_path / "decisions.jsonl", row(), later, undone, rejected)

    assert [(v.number, v.confirmed) for v in decisions.read(tmp_path)] == [(1, True), (2, False)]


def test_a_debate_in_two_files_is_one_document(tmp_path):
    """Its title and date say so; without them the bytes do."""
    details = {"title": "City debate", "event_date": "2024-09-10"}
    records = (row(**details), row(document="d2", **details), row(document="d3"))

    documents = decisions.read(written(tmp_path / "f", *records))

    assert [v.document for v in documents] == [
        "City debate 2024-09-10",
        "City debate 2024-09-10",
        "d3",
    ]


def test_what_is_no_export_is_told(tmp_path):
    """With the line, or how to get one."""
    with pytest.raises(ReviewError, match="review export"):
        decisions.read(tmp_path / "none")
    with pytest.raises(ReviewError, match=r"f:2: is no decision \(KeyError: 'anchor'\)"):
        decisions.read(written(tmp_path / "f", row(), {"id": 1}))


def test_claims_that_the_search_missed_stand_behind_the_others():
    """Each with its sentence, once."""
    searched = Pairs.from_claims([np.array([4, 2]), np.array([7]), np.array([1, 3])])

    further = decisions._decided_only(searched, [(0, 2), (0, 9), (2, 8), (2, 6)], 10)

    assert [further.claim_index[run].tolist() for run in further.slices()] == [[9], [], [8, 6]]


def test_one_document_cannot_be_held_out():
    """It is said, and nothing is learnt."""
    with pytest.raises(ReviewError, match="one document"):
        decisions.held_out([document("a")], load(LECTERN))


def test_a_document_never_teaches_the_ranker_that_it_tests(monkeypatch):
    """Documents whose verdicts are turned round change every ranker but their own."""
    monkeypatch.setattr(decisions, "chosen", lambda *_: Strength(0.01, 0.01))
    documents = [document(name, n=6, seed=seed) for seed, name in enumerate("abc")]
    turned = replace(documents[0], confirmed=documents[0].rejected, rejected=documents[0].confirmed)

    plain_rankers = {d.name: learnt for d, learnt in decisions.held_out(documents, load(LECTERN))}
    turned_rankers = {
        d.name: learnt for d, learnt in decisions.held_out([turned, *documents[1:]], load(LECTERN))
    }

    def weights(learnt):
        return learnt.claim_ranker.kinds[0].coef

    assert np.array_equal(weights(plain_rankers["a"]), weights(turned_rankers["a"]))
    assert not np.array_equal(weights(plain_rankers["b"]), weights(turned_rankers["b"]))


def test_scores_count_what_they_say():
    """Two documents by hand: a right claim that comes first afterwards, a rejected one that is not likely any more."""
    reviewed_documents = []
    for name in "ab":
        reviewed = document(name, n=2, k=2)  # sentence 0: one confirmed; sentence 1: one rejected
        score = np.where(reviewed.confirmed, 0.0, 1.0)
        tier = np.where(reviewed.decided, 2, 0)
        old_outcome = decided_scores.Outcome(score, tier)
        new_outcome = decided_scores.Outcome(-score, np.where(reviewed.rejected, 1, tier))
        reviewed_documents.append((reviewed, old_outcome, new_outcome))

    scores = decided_scores.scores(reviewed_documents)

    assert scores["right"] == {"before": 0.0, "after": 1.0, "interval": (1.0, 1.0), "of": 2}
    assert scores["map"] == {"before": 0.5, "after": 1.0, "interval": (0.5, 0.5), "of": 4}
    assert scores["precision"] == {"before": 0.5, "after": 1.0, "interval": (0.5, 0.5), "of": 4}
    assert scores["recall"] == {"before": 1.0, "after": 1.0, "interval": (0.0, 0.0), "of": 2}


def test_without_a_confirmed_match_there_is_nothing_to_count():
    """And it is said so, instead of a number."""
    reviewed = document("a", n=2, k=2)
    bare = replace(reviewed, confirmed=np.zeros_like(reviewed.confirmed))
    outcome = decided_scores.Outcome(np.zeros(4), np.zeros(4, int))

    scores = decided_scores.scores([(bare, outcome, outcome)])

    assert [scores[name]["of"] for name in ("right", "map", "precision", "recall")] == [0, 0, 1, 0]


@pytest.fixture
def models(tmp_path):
    """A folder with a copy of the ranker that ships."""
    shutil.copy(MODELS / decisions.FILE, tmp_path)
    return tmp_path


def test_what_was_there_is_kept_and_learnt_from_once(models):
    """The same decisions again start from the shipped weights, not from those that they moved."""
    shipped = (models / decisions.FILE).read_bytes()
    for _ in range(2):
        origin = decisions.prior(models)
        learnt = adapted(origin, [document("a")], Strength(0.01, 0.01))
        path = decisions.write(learnt, origin, {"toward": "some"}, models)
        load.__globals__["_load_file"].cache_clear()

    assert json.loads(shipped) == json.loads(
        (models / decisions.KEPT / decisions.FILE).read_bytes()
    )
    written = json.loads(path.read_bytes())
    assert json.loads(shipped)["digest"] == written["card"]["moved"]["from"] != written["digest"]
    assert np.allclose(learnt.order.kinds[0].coef, load(LECTERN, models).order.kinds[0].coef)


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """A home folder with sample fact-checks, and some sentences of three sample debates reviewed as their gold says."""
    home = tmp_path_factory.mktemp("home")
    gold = {
        name: dict(list(claim_rows.items())[:SENTENCES])
        for name, claim_rows in sorted(read_gold().items())[:3]
    }
    wanted_claims = {
        claim
        for claim_rows in gold.values()
        for r in claim_rows.values()
        for claim in (*r["claims"], *r["resembles"])
    }
    claim_rows = [
        line
        for line in CLAIMS.read_text("utf-8").splitlines()
        if json.loads(line)["id"] in wanted_claims
    ]
    (home / "claims.jsonl").write_text("\n".join(claim_rows), "utf-8")
    assert cli.main(["claims", "import", str(home / "claims.jsonl"), "--home", str(home)]) == 0
    loaded_settings = settings.load(home=str(home), environ={})
    index = pipeline.open_index(loaded_settings)
    with DecisionStore.open(loaded_settings.database) as store:
        for name, judged in gold.items():
            debate = transcripts.read(DEBATES / name)
            debate = replace(debate, sentences=tuple(s for s in debate if s.text in judged))
            placed = deciding.decided_report(
                store, pipeline.check(debate, index, loaded_settings.profile)
            )
            for checked in placed.report.ranked():
                for match in checked.matches[:2]:
                    right = match.claim.id in judged[checked.sentence.text]["claims"]
                    decision = (
                        Decision("confirm", by="Ada")
                        if right
                        else Decision("reject", "wrong topic", "Ada")
                    )
                    deciding.decide(store, placed, (checked.sentence.number, match), decision)
        for file, data in evaluation.files(store.all()).items():
            (home / file).write_bytes(data)
    return home


def test_a_newsroom_learns_from_its_own_decisions(reviewed, models, capsys):
    """No research data: the export and the home folder are enough."""
    arguments = [
        "--with-decisions",
        str(reviewed),
        "--home",
        str(reviewed),
        "--models",
        str(models),
        "--write",
    ]

    assert ranker.main(arguments) == 0

    printed = capsys.readouterr().out
    assert "on 3 documents, held out in turn" in printed
    assert "right claim first" in printed
    assert "Written" in printed
    card = json.loads((models / decisions.FILE).read_bytes())["card"]
    assert card["moved"].keys() == {"from", "toward", "strength", "held-out decisions"}
    assert 0.5 < card["moved"]["held-out decisions"]["right"]["before"] <= 1


def test_nothing_is_written_unasked(monkeypatch, models, tmp_path, capsys):
    """What would change is shown, with the sentence and the claim."""
    reading = decisions.Reading([document(name, n=6) for name in "ab"], 2)
    monkeypatch.setattr(decisions, "measured", lambda *_: reading)
    monkeypatch.setattr(
        decisions.pipeline, "open_index", lambda _: SimpleNamespace(statements=["A claim."] * 9)
    )
    old_bytes = (models / decisions.FILE).read_bytes()
    file = written(tmp_path / "decisions.jsonl", row())

    assert ranker.main(["--with-decisions", str(file), "--models", str(models)]) == 0

    printed = capsys.readouterr().out
    assert "2 more name a fact-check that is not in the index" in printed
    assert "Nothing was written" in printed
    assert old_bytes == (models / decisions.FILE).read_bytes()
    assert not (models / decisions.KEPT).exists()
