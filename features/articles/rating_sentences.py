"""What the text and the place of an article's sentences tell, before any vector: cues and words as numbers.

Places are counted to where the body ends, not to the end of the article: the closing summary ("Our ruling ...") is in
some texts and not in others, and a sentence must look the same in both. All of a summary stands where the body ends.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

BUCKETS = 8192  # of words and pairs of words
KNOTS = 8  # even places from the beginning of the body to its end
CUES = 11 + KNOTS  # numbers a sentence that ``cues`` returns
NEAR = 20  # sentences: farther from the beginning or the end of the body is all the same
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d[\d.,]*|[?!:$%]")
_FIGURE, _QUOTE = re.compile(r"\d"), re.compile(r"[\"“”]")
_HEADING = re.compile(r"^\W*(?:our|the)?\s*(?:final\s+)?(?:ruling|rating|conclusion|verdict)s?\b", re.IGNORECASE)
_HEADING_WORDS = 7
_RATING = (
    r"(?:pants[- ]on[- ]fire|(?:mostly|barely|half)[- ](?:true|false)|(?:full|half|no)[- ]flip|full[- ]flop|true|false|"
    r"correct|incorrect|misleading|unproven|\w+ pinocchios?)"
)
_ENDS_IN_RATING = re.compile(rf"\b{_RATING}\b[\W_]*$", re.IGNORECASE)
_RATES = re.compile(
    r"^\W*(?:(?:so|and|but|thus|therefore|overall|for (?:that|this|these|those)(?: reasons?)?),?\s+)?"
    r"(?:we(?:['’]d|['’]ll| would| will| have)?\s+(?:rate|rated|rule|ruled|find|found|judge|call|give)\b|"
    r"(?:our|the)\s+(?:ruling|rating|verdict)\b|"
    r"(?:this|that|the|his|her|their|it)\b[^,;]{0,60}\b(?:rates?|earns?|gets?|merits?|rated)\b|"
    r"(?:that|this|it)(?:['’]s|\s+is)\s+(?:a\s+)?)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|but|although|though|while|however|as there|given that|despite)\b", re.IGNORECASE
)
# What the Truth-O-Meter's ratings mean, in PolitiFact's own words: true of every claim with that rating.
_DEFINITION = re.compile(
    r"\b(?:accurate|true|correct|right) but (?:needs (?:clarification|additional|more|further|some)|leaves out|"
    r"is missing|omits|lacks)\b|\belements? of truth,? but (?:it )?(?:ignores|leaves|omits)|"
    r"\bnothing significant (?:is )?missing\b",
    re.IGNORECASE,
)
LONGEST_RATING = 40  # characters
_SHORT = 4  # words: "Pants on Fire!"


def is_bare_rating(text: str) -> bool:
    """Return whether a sentence says the rating, or what it means, and no reason for it: "We rate this claim False."

    A card shows the rating already, so a list of what decides it may leave such sentences out.
    """
    if _DEFINITION.search(text):
        return True
    if not _ENDS_IN_RATING.search(text[-LONGEST_RATING:]) or text.rstrip().endswith("?"):
        return False
    if len(text.split()) <= _SHORT:
        return not re.search(r"\bnot\b|n['’]t\b", text)
    return bool(_RATES.match(text)) and not _REASON.search(text)


def body_end(texts: Sequence[str]) -> int:
    """Return how many sentences stand before the closing summary; all of them where there is none.

    The summary begins at its heading in the second half ("Our ruling"), or else with the bare ratings at the very end.
    """
    for i in range(len(texts) - 1, len(texts) // 2 - 1, -1):
        if _HEADING.match(texts[i]) and len(texts[i].split()) <= _HEADING_WORDS:
            return i
    end = len(texts)
    while end and is_bare_rating(texts[end - 1]):
        end -= 1
    return end or len(texts)


def cues(texts: Sequence[str]) -> Floats:
    """Return (n, CUES) numbers of 0 to 1 about the form and the place of an article's sentences, in order.

    The last ``KNOTS`` say how far down the body a sentence stands, each 1 at one of as many even places.
    """
    end = body_end(texts)
    found = np.zeros((len(texts), CUES), np.float32)
    for i, text in enumerate(texts):
        size = len(text.split())
        found[i, :-KNOTS] = (
            min(size, 60) / 60,
            size < 5,
            _FIGURE.search(text) is not None,
            _QUOTE.search(text) is not None,
            text.rstrip().endswith("?"),
            text.lstrip().startswith("("),
            min(i, NEAR) / NEAR,
            min(max(end - 1 - i, 0), NEAR) / NEAR,
            i == end - 1,
            is_bare_rating(text),
            min(end, 100) / 100,
        )
    down = np.minimum(np.arange(len(texts)) / max(end - 1, 1), 1)[:, None] * (KNOTS - 1)
    found[:, -KNOTS:] = np.maximum(1 - np.abs(down - np.arange(KNOTS)), 0)
    return found


def words(text: str) -> Counter[int]:
    """Return the buckets of a text's words and pairs of neighbouring words, with how often each stands in it.

    Figures count as one word.
    """
    said = ["0" if word[0].isdigit() else word for word in _WORD.findall(text.lower().replace("’", "'"))]
    found = Counter(map(_bucket, said))
    found.update(_bucket(f"{first} {second}") for first, second in zip(said, said[1:], strict=False))
    return found


def word_scores(texts: Sequence[str], rarity: Floats, weights: Floats) -> Floats:
    """Return what the words of each text weigh: its unit row of (1 + log count)·rarity times the weights.

    Shapes: n texts, rarity (BUCKETS,), weights (k, BUCKETS) → (k, n); 0 where no word is known.
    """
    counted = [words(text) for text in texts]
    text = np.repeat(np.arange(len(texts)), [len(found) for found in counted])
    bucket = np.fromiter((one for found in counted for one in found), np.int64, len(text))
    counts = np.fromiter((often for found in counted for often in found.values()), np.float32, len(text))
    values = (1 + np.log(counts)) * rarity[bucket]
    length = np.sqrt(np.bincount(text, values * values, len(texts)))
    sums = [np.bincount(text, values * row[bucket], len(texts)) for row in weights]
    return (np.stack(sums) / np.where(length > 0, length, 1)).astype(np.float32)


@lru_cache(maxsize=1 << 17)
def _bucket(word: str) -> int:
    return zlib.crc32(word.encode()) % BUCKETS
