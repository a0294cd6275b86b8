"""Parts: are compound sentences split into their propositions, and is the right part named for a fact-check?

``python -m bench.wording.parts --data DIR [--part development|test]``. The sentences (``draw``, seeded)
are those of the sixty-three debates that a fact-check is linked to and that have a second clause by their words.
``bench/labels/parts.tsv`` holds the labels of a language model with a written guide, without text: at which of the
places where a sentence might be split (``places``: every comma, dash, semicolon, "and", "but", "or", "so", "who",
"which" ..., numbered from 1) a new proposition begins ("3?" where either will do), and which parts the linked statement
is about ("-": none, or all of it). The first seventy are for building, the others for the test. A split is right if it
has all wanted places and no other one. Expected: 85 % of the test split right, the right part named in 80 % of 56.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.command import command, data_option, option, printed
from bench.label_files import label_rows
from bench.lexicon import lexicon
from features.language.sentence_parts import number_of_claimed_part, split
from training.shared import debates as data
from training.shared import loaders
from training.shared.intervals import Share

SENTENCES = 220
DEVELOPMENT = 70
TOUCHING = 6  # characters between two places that are one
SEED = "parts"
LEXICON = lexicon(__file__)
_PLACE = re.compile(LEXICON.place, re.I)
_COMPOUND = re.compile(LEXICON.compound, re.I)


@dataclass(frozen=True, slots=True)
class Linked:
    """A sentence and the statement that a person linked to it."""

    source: str
    text: str
    statement: str


@dataclass(frozen=True, slots=True)
class Label:
    """Where new parts begin (numbers of places, from 1), where either will do, and what the statement is about."""

    place: int
    begins: frozenset[int]
    either: frozenset[int]
    about: frozenset[int]


def draw(folder: Path) -> list[Linked]:
    """Return the sentences in a fixed order, each once, with the first of its linked statements."""
    statements = {}
    for record in loaders.rows(folder / "politifact" / "claims.jsonl.gz"):
        statements[record["id"]] = record["statement"]
    linked: dict[str, Linked] = {}
    for debate in data.others(folder):
        texts = dict(zip(debate.lines, debate.texts, strict=True))
        for pair in debate.pairs:
            text = texts[pair.line]
            if pair.claim in statements and len(text.split()) >= 12 and _COMPOUND.search(text):
                linked.setdefault(
                    text, Linked(debate.item(pair.line), text, statements[pair.claim])
                )
    sentences = list(linked.values())
    random.Random(SEED).shuffle(sentences)
    return sentences[:SENTENCES]


def places(text: str) -> list[int]:
    """Return where a sentence might be split.

    The ends of punctuation and joining words, in characters.
    """
    return [match.end() for match in _PLACE.finditer(text)]


def labels() -> list[Label]:
    """Return the labels of all sentences."""
    labelled = []
    for pair_number, begins, part_labels in label_rows("parts.tsv"):
        marks = [mark for mark in begins.split() if mark != "-"]
        sure = frozenset(int(mark) for mark in marks if not mark.endswith("?"))
        either = frozenset(int(mark[:-1]) for mark in marks if mark.endswith("?"))
        about_ = frozenset(int(mark) for mark in part_labels.split() if mark != "-")
        labelled.append(Label(int(pair_number), sure, either, about_))
    return labelled


def split_of(linked: Linked) -> tuple[frozenset[int], int | None]:
    """Return the places where the program splits a sentence, and that of the part it names (0.

    The first).
    """
    sentence_parts = split(linked.text)
    starts = [
        0,
        *(nearest(linked.text, sentence_part.start) for sentence_part in sentence_parts[1:]),
    ]
    found_parts = number_of_claimed_part(sentence_parts, linked.statement)
    return frozenset(starts[1:]), None if found_parts is None else starts[found_parts - 1]


def nearest(text: str, start: int) -> int:
    """Return the number of the place nearest to a character; of places that touch, the first."""
    ends = places(text)
    number = min(range(len(ends)), key=lambda i: abs(ends[i] - start))
    while number and ends[number] - ends[number - 1] <= TOUCHING:
        number -= 1
    return number + 1


def first_of_run(text: str, number: int) -> int:
    """Return the first of the places that touch a numbered one."""
    return nearest(text, places(text)[number - 1]) if number else 0


def right(linked: Linked, label: Label) -> tuple[bool, bool | None]:
    """Return whether a sentence is split as labelled, and whether the right part is named (None.

    Does not count).

    It counts where the statement is about a part, and label or program sees several. A named part
    is right if the labelled part in which it begins is one that the statement is about.
    """
    sure, either, expected_parts = (
        {first_of_run(linked.text, number) for number in numbers}
        for numbers in (label.begins, label.either, label.about)
    )
    begins, found_parts = split_of(linked)
    split_right = sure <= begins <= sure | either
    if not expected_parts or not (sure or begins):
        return split_right, None
    if found_parts is None:
        return split_right, False
    own_parts = max(part_number for part_number in {0, *sure} if part_number <= found_parts)
    return split_right, bool({found_parts, own_parts} & expected_parts)


def shares(resampled: Sequence[Linked], labelled: Iterable[Label]) -> dict[str, Share]:
    """Return the shares of sentences that are split right and of those whose right part is named."""
    hits = [right(resampled[label.place], label) for label in labelled]
    found_parts = [part_text for _, part_text in hits if part_text is not None]
    return {
        "split right": Share.count(whole_texts for whole_texts, _ in hits),
        "right part named": Share.count(found_parts),
    }


def measure(options: argparse.Namespace) -> dict[str, Share]:
    """Print and return the shares of one part that are right."""
    labelled = []
    for label in labels():
        if (label.place < DEVELOPMENT) == (options.part == "development"):
            labelled.append(label)
    return printed(shares(draw(options.data), labelled))


main = command(
    measure, data_option, option("--part", choices=("development", "test"), default="development")
)

if __name__ == "__main__":
    sys.exit(main())
