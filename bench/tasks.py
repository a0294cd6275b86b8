"""What is tested on what, and what may train for it: the leave-out rules of the benches in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant.domain import RatingClass
from bench import data, examples, gold
from bench.data import Debate
from bench.examples import Example
from bench.gold import Gold
from bench.measures import Bench

UNDECIDABLE = (RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING)


@dataclass(frozen=True, slots=True)
class Task:
    """Debates to test, what may train, and the gold, in both settings (False: all claims, True: as of the event)."""

    tested: dict[bool, list[Example]]
    training: list[Example]
    golds: dict[str, dict[bool, Gold]]  # by what is added to a row's name
    folds: dict[str, int]

    def train_for(self, example: Example) -> list[Example]:
        """Return every training example outside the fold of a debate."""
        fold = self.folds.get(example.debate.name)
        return [e for e in self.training if self.folds.get(e.debate.name) != fold or fold is None]


def the_seven(bench: Bench, folder: Path) -> Task:
    """Return the task of the annotated debates; the other six train for each."""
    debates = data.seven(folder)
    both = {late: judged_examples(bench, folder, as_of_event=late) for late in (False, True)}
    golds = {late: _gold_of(bench, debates, late, gold.verdicts) for late in (False, True)}
    return Task(both, both[False], {"": golds}, data.folds(debates))


def judged_examples(bench: Bench, folder: Path, *, as_of_event: bool = False) -> list[Example]:
    """Return the seven as examples."""
    return [_judged(bench, debate, as_of_event) for debate in data.seven(folder)]


def linked_examples(bench: Bench, folder: Path) -> list[Example]:
    """Return the sixty-three as examples."""
    return [_linked(bench, debate, False) for debate in data.others(folder)]


def linked_debates(bench: Bench, debates: Path) -> Task:
    """Return the task of a folder of linked debates, without the seven; shipped weights learnt from none of them."""
    tested = [debate for debate in data.linked(debates) if debate.name not in data.SEVEN]
    both = {late: [_linked(bench, d, late) for d in tested] for late in (False, True)}
    kinds = zip(bench.index.ids, bench.index.rating_classes, strict=True)
    undecidable = {claim for claim, kind in kinds if kind in UNDECIDABLE}
    counted = {"": undecidable, ", every link": set()}
    golds = {
        name: {late: _gold_of(bench, tested, late, partial(gold.links, undecidable=left_out)) for late in both}
        for name, left_out in counted.items()
    }
    return Task(both, [], golds, {})


def _judged(bench: Bench, debate: Debate, late: bool) -> Example:
    return examples.judged(debate, bench.inputs(debate, as_of_event=late), bench.ids)


def _linked(bench: Bench, debate: Debate, late: bool) -> Example:
    return examples.linked(debate, bench.inputs(debate, as_of_event=late), bench.ids)


def _gold_of(bench: Bench, debates: Sequence[Debate], late: bool, make: Callable[..., Gold]) -> Gold:
    parts = [make([d], usable=set(bench.ids[bench.usable(d, as_of_event=late)].tolist())) for d in debates]
    found = Gold()
    for part in parts:
        found.sentences.update(part.sentences)
        found.claims.update(part.claims)
    return found
