"""TREC runs and qrels read from their text forms.

A run line is ``qid Q0 item rank score tag``; a qrels line is ``qid 0 item relevance``, separated
by spaces or tabs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class MalformedTrec(ValueError):
    """A line that is neither a run line nor a qrels line.

    The message names its number and what is wrong.
    """


def read_run(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return ``{qid: {item: score}}``.

    The score orders the run, as in trec_eval; the rank column is not read.

    Raises: MalformedTrec.
    """
    run: dict[str, dict[str, float]] = {}
    for line_number, line_fields in _fields(lines, 6, "qid Q0 item rank score tag"):
        qid, _, item, _, score, _ = line_fields
        score_by_item = run.setdefault(qid, {})
        if item in score_by_item:
            raise MalformedTrec(f"line {line_number}: {item} occurs twice in the query {qid}")
        score_by_item[item] = _number(score, line_number, "score")
    return run


def read_qrels(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return ``{qid: {item: relevance}}``.

    Raises: MalformedTrec.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, fields in _fields(lines, 4, "qid 0 item relevance"):
        qrels.setdefault(fields[0], {})[fields[2]] = int(_number(fields[3], number, "relevance"))
    return qrels


def _fields(lines: Iterable[str], width: int, expected: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != width:
            raise MalformedTrec(
                f"line {number} has {len(fields)} fields, but needs {width} ({expected})"
            )
        yield number, fields


def _number(text: str, number: int, column: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MalformedTrec(f"line {number}: the {column} is {text!r}, not a number") from None
