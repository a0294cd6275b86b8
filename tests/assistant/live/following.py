"""What the tests of live monitoring share.

A checker that is arithmetic, and a source read to its end.
"""

from __future__ import annotations

import threading

import sqlalchemy as sa

from assistant.core.domain import Tier
from assistant.live.event import Event, Outcome, ScoredSentence
from assistant.live.live_lines import Arrival, Line
from assistant.live.tables import lines

EVENT = Event("city", "City debate")


class WordChecker:
    """Drops sentences of fewer than three words; the more words, the more check-worthy.

    The first word is the claim.
    """

    def __init__(self):
        self.checked = []
        self.windows = []

    def score_worthiness(self, sentences, talks):
        return [ScoredSentence(s, len(s.text.split()) / 100, self._dropped(s)) for s in sentences]

    def check(self, event, sentences, windows):
        self.checked += [sentence.text for sentence in sentences]
        self.windows += windows
        return [self._found(sentence.text.split()) for sentence in sentences]

    @staticmethod
    def _found(words):
        return Outcome(
            len(words) / 100, True, "", Tier.LIKELY, float(len(words)), words[0].casefold(), b"{}"
        )

    @staticmethod
    def _dropped(sentence):
        return Outcome(0.0, False, "too short") if len(sentence.text.split()) < 3 else None


def arrivals(source, cursor="", *, arrival_count=None):
    """Return what a source yields until it ends, or until ``arrival_count`` arrivals, when it is stopped."""
    stop = threading.Event()
    came = []
    for arrival in source.follow(cursor, stop):
        came.append(arrival)
        if arrival_count and len(came) >= arrival_count:
            stop.set()
    return came


def finals(came: list[Arrival]) -> list[Line]:
    return [line for arrival in came for line in arrival.lines if line.final]


def said(log, event="city"):
    """Return what stands in the log: (speaker, text) of each sentence, in order."""
    return [(s.speaker, s.text) for s in log.sentences(event)]


def senders(log):
    """Return who sent each line as it reads now, by its unit."""
    with log._reading() as connection:
        return {
            unit: sender
            for unit, sender in connection.execute(sa.select(lines.c.unit, lines.c.sender))
        }
