"""The bench on the sample debates counts by hand-checked arithmetic."""

import json
from types import SimpleNamespace

import pytest

from assistant.core.domain import (
    CheckedSentence,
    Manifest,
    Match,
    Report,
    Sentence,
    Source,
    Strength,
    Tier,
    Transcript,
    VerifiedClaim,
)
from bench import samples
from bench.samples import by_kind, judge, lines, read_gold, scores


def _match(claim_id, strength=None):
    claim = VerifiedClaim(claim_id, "s")
    return Match(claim, rank=1, score=1.0, tier=None, measures=(), strength=strength)


def _checked(number, *, rank=None, tier=None, first_claim=None, near_claim=None):
    sent = Sentence(number, number, f"sentence {number}", "A")
    strength = Strength.GOOD if tier is Tier.LIKELY else Strength.POSSIBLE
    matches = (_match(first_claim, strength),) if first_claim else ()
    below = {"nearest": _match(near_claim), "on_topic": True} if near_claim else {}
    return CheckedSentence(
        sent, 0.5, rank is not None, rank=rank, tier=tier, matches=matches, **below
    )


def _row(claims=(), kind="", relevant=False):
    return {"claims": list(claims), "kind": kind, "relevant": relevant}


@pytest.fixture
def judged():
    """Return the judged sentences of a made-up debate of nine.

    Its top quarter is ranks 1 and 2.
    """
    checked = (
        _checked(1, rank=1, tier=Tier.LIKELY, first_claim="a"),  # relevant, found
        _checked(2, rank=3, tier=Tier.POSSIBLE, first_claim="x"),  # relevant, too low, wrong claim
        _checked(3),  # relevant, dropped
        _checked(
            4, rank=2, tier=Tier.LIKELY, first_claim="b"
        ),  # a trap that is taken for its claim
        _checked(5, rank=4, tier=Tier.POSSIBLE, first_claim="c"),  # repeats a half-true claim
        _checked(6, rank=5, tier=Tier.LIKELY, first_claim="b"),  # nothing, shown as likely
        _checked(7, rank=6),
        _checked(8),
        _checked(9, rank=7, near_claim="d"),  # relevant, just below the list
    )
    gold = {
        "sentence 1": _row(["a"], "rewording", relevant=True),
        "sentence 2": _row(["b"], "rounding", relevant=True),
        "sentence 3": _row(["c"], "rewording", relevant=True),
        "sentence 4": _row(kind="negated"),
        "sentence 5": _row(["c"], "half-true"),
        "sentence 9": _row(["d"], "rewording", relevant=True),
    }
    transcript = Transcript(
        "T", None, Source("t.txt", "text", ""), tuple(c.sentence for c in checked)
    )
    report = Report(transcript, checked, Manifest("0", "embedded", {}, {}, {}))
    return judge(report, gold)


def test_shares(judged):
    """Of four relevant ones one is high, one just below the list.

    Of four that match nothing two are not likely.
    """
    shares = scores(judged)
    assert {
        "sentences": 9,
        "relevant": 4,
        "top_quarter": 0.25,
        "right_first": 0.25,
        "right_near": 0.5,
        "likely": 0.25,
        "right_strong_or_good": 1.0,
        "nothing_strong_or_good": 0.5,
        "kept": 0.75,
        "nothing": 4,
        "silent": 0.5,
        "silent_without_traps": pytest.approx(2 / 3, abs=1e-4),
    } == shares


def test_kinds(judged):
    """Each kind is counted with its likely sentences.

    Sentences that the gold leaves out have none.
    """
    assert by_kind(judged)["negated"] == {"sentences": 1, "likely": 1, "right_first": 0}
    assert set(by_kind(judged)) == {"rewording", "rounding", "negated", "half-true"}


def test_missed_bars_are_named(judged):
    """The table says which bars are missed."""
    scores_row = {"system": "lectern", **scores(judged), "debates": {}, "kinds": by_kind(judged)}
    assert sum("MISSED" in line for line in lines(scores_row)) == 3


def test_lost_gold_is_refused(judged):
    """A gold sentence that no sentence of the report equals is an error, not a miss."""
    transcript = Transcript("T", None, Source("t.txt", "text", ""), ())
    with pytest.raises(ValueError, match="t.txt: 1 gold"):
        judge(Report(transcript, (), Manifest("0", "embedded", {}, {}, {})), {"gone": _row()})


def test_gold_is_read_by_debate(tmp_path):
    """Rows are keyed by debate and text."""
    gold_row = {
        "transcript": "d.txt",
        "text": "It is so.",
        **_row(["a"], "rewording", relevant=True),
    }
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold_row) + "\n", "utf-8")
    assert read_gold(tmp_path) == {"d.txt": {"It is so.": gold_row}}


def test_all_debates_are_judged(monkeypatch, tmp_path, capsys):
    """The bench checks each debate of the gold with the sample claims.

    Where all is dropped, all is silent.
    """

    def drop_all(transcript, *_, **__):
        checked = tuple(CheckedSentence(sent, 0.0, False) for sent in transcript)
        return Report(transcript, checked, Manifest("0", "embedded", {}, {}, {}))

    texts = []
    monkeypatch.setattr(samples.loaded_models, "load", lambda *_: SimpleNamespace(encoders=None))
    monkeypatch.setattr(samples, "as_index", lambda claims, _: texts.extend(claims))
    monkeypatch.setattr(samples.pipeline, "check", drop_all)
    samples.main(["--json", str(tmp_path / "out.json")])
    (result_row,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["rows"]
    assert len(texts) >= 120
    assert set(result_row["debates"]) == set(read_gold())
    assert (
        sum(debate_row["relevant"] for debate_row in result_row["debates"].values())
        == result_row["relevant"]
        > 60
    )
    assert result_row["top_quarter"] == 0.0
    assert result_row["right_first"] == 0.0
    assert result_row["silent"] == 1.0
    assert "right claim first" in capsys.readouterr().out
