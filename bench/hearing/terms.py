"""What do the words of fact-checks gain a recording that is heard with them in mind? Development, no sample debate.

``python -m bench.hearing.terms --data DIR [--index DIR] [--seconds S] [--nearest N,N] [--less-likely L]``.
Five public debates, read by voices of espeak-ng that read no sample (as in ``bench.hearing.lag``), are heard without
terms and with those of the ``N`` nearest statements of a finished index of PolitiFact's 19,250. WER is that of all
debates together; *from terms*: words that a hearing with terms has and the one without has not, and how many of these
were said in that debate.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import models
from assistant.claims.index import ClaimIndex
from assistant.claims.terms_said import NEAREST, TermsSaid
from assistant.ground.settings import EMBEDDED
from assistant.hearing import listening, model, recogniser
from bench.command import command, data_option, option, table
from bench.hearing import lag
from bench.hearing.reading_aloud import Recording
from bench.hearing.words import errors
from bench.speed import INDEX

DEBATES = 5


def heard(recording: Recording, terms: TermsSaid | None) -> str:
    """Return what is heard of a recording."""
    sound = (np.clip(recording.samples, -1, 1) * 32767).astype(np.int16)
    return " ".join(word.text for _, words in listening.hear(model.load(), sound, terms=terms) for word in words)


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print a row for each number of statements, 0 for no terms, and return the rows."""
    recogniser.LESS_LIKELY = options.less_likely
    terms = TermsSaid(ClaimIndex.open(options.index, models.encoders(EMBEDDED)))
    recordings = list(lag.readings(options.data, DEBATES, options.seconds))
    plain = [heard(recording, None) for recording in recordings]
    rows = []
    for nearest in (0, *map(int, options.nearest.split(","))):
        found = [heard(each, replace(terms, nearest=nearest)) for each in recordings] if nearest else plain
        rows.append({"statements": nearest, **_row(recordings, plain, found)})
        print(table(rows[-1:]), flush=True)
    return rows


def _row(recordings: list[Recording], plain: list[str], found: list[str]) -> dict[str, Any]:
    wrong, words = np.sum([errors(each.text, text) for each, text in zip(recordings, found, strict=True)], axis=0)
    new, right = 0, 0
    for each, before, text in zip(recordings, plain, found, strict=True):
        fresh, said = _counted(text) - _counted(before), _counted(each.text)
        new, right = new + fresh.total(), right + (fresh & said).total()
    return {"WER": wrong / words, "wrong": int(wrong), "words": int(words), "from terms": new, "of them said": right}


def _counted(text: str) -> Counter[str]:
    from transformers.models.whisper.english_normalizer import EnglishTextNormalizer

    return Counter(EnglishTextNormalizer({})(text).split())


main = command(
    measure,
    data_option,
    option("--index", type=Path, default=INDEX, metavar="DIR", help="the finished claim index"),
    option("--seconds", type=float, default=180.0, help="of each debate (default: 180)"),
    option("--nearest", default=str(NEAREST), metavar="N,N", help="numbers of statements"),
    option("--less-likely", type=float, default=recogniser.LESS_LIKELY, metavar="L", help="see the recogniser"),
)

if __name__ == "__main__":
    sys.exit(main())
