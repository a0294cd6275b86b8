"""Runs and qrels in TREC's text forms; knows lines of text only.

A run line is ``qid Q0 item rank score tag``; a qrels line is ``qid 0 item relevance``; spaces or tabs part the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ranking.metrics import Qrels, Run, ordered


class MalformedTrec(ValueError):
    """A line that is neither a run line nor a qrels line; the message names its number and what is wrong."""


def read_run(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return ``{qid: {item: score}}``. The score orders the run, as in trec_eval; the rank column is not read.

    Raises: MalformedTrec.
    """
    run: dict[str, dict[str, float]] = {}
    for number, fields in _fields(lines, 6, "qid Q0 item rank score tag"):
        qid, item = fields[0], fields[2]
        if item in run.setdefault(qid, {}):
            raise MalformedTrec(f"line {number}: {item} stands twice under {qid}")
        run[qid][item] = _number(fields[4], number, "score")
    return run


def read_qrels(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return ``{qid: {item: relevance}}``.

    Raises: MalformedTrec.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, fields in _fields(lines, 4, "qid 0 item relevance"):
        qrels.setdefault(fields[0], {})[fields[2]] = int(_number(fields[3], number, "relevance"))
    return qrels


def run_lines(run: Run, *, tag: str = "lectern") -> Iterator[str]:
    """Yield the lines of a run, best first within each qid, ranks from 1; scores survive the round trip exactly."""
    for qid, scores in run.items():
        for rank, item in enumerate(ordered(scores), 1):
            yield f"{qid} Q0 {item} {rank} {scores[item]!r} {tag}"


def qrels_lines(qrels: Qrels) -> Iterator[str]:
    """Yield the lines of qrels."""
    for qid, relevance in qrels.items():
        for item, grade in relevance.items():
            yield f"{qid} 0 {item} {grade}"


def _fields(lines: Iterable[str], width: int, expected: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != width:
            raise MalformedTrec(f"line {number}: {len(fields)} fields; expected {width}: {expected}")
        yield number, fields


def _number(text: str, number: int, column: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MalformedTrec(f"line {number}: the {column} is {text!r}, not a number") from None
