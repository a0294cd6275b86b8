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
    gold: dict[bool, Gold]
    folds: dict[str, int]

    def train_for(self, example: Example) -> list[Example]:
        """Return every training example outside the fold of a debate."""
        fold = self.folds.get(example.debate.name)
        return [e for e in self.training if self.folds.get(e.debate.name) != fold or fold is None]


def the_seven(bench: Bench, folder: Path, *, with_links: bool) -> Task:
    """Return the task of the annotated debates. ``with_links``: the sixty-three may train too."""
    debates = data.seven(folder)
    both = {late: judged_examples(bench, folder, as_of_event=late) for late in (False, True)}
    others = linked_examples(bench, folder) if with_links else []
    golds = {late: _gold_of(bench, debates, late, gold.verdicts) for late in (False, True)}
    return Task(both, both[False] + others, golds, data.folds(debates))


def judged_examples(bench: Bench, folder: Path, *, as_of_event: bool = False) -> list[Example]:
    """Return the seven as examples."""
    return [_judged(bench, debate, as_of_event) for debate in data.seven(folder)]


def linked_examples(bench: Bench, folder: Path) -> list[Example]:
    """Return the sixty-three as examples."""
    return [_linked(bench, debate, False) for debate in data.others(folder)]


def linked_debates(bench: Bench, folder: Path, debates: Path) -> Task:
    """Return the task of a folder of linked debates; the seven and the other folds of the sixty-three train."""
    known = data.others(folder)
    tested = [debate for debate in data.linked(debates) if debate.name not in data.SEVEN]
    both = {late: [_linked(bench, d, late) for d in tested] for late in (False, True)}
    names = {debate.name for debate in known}
    seen = any(debate.name in names for debate in tested)
    training = judged_examples(bench, folder) + linked_examples(bench, folder) if seen else []
    kinds = zip(bench.index.ids, bench.index.rating_classes, strict=True)
    undecidable = {claim for claim, kind in kinds if kind in UNDECIDABLE}
    golds = {
        late: _gold_of(bench, tested, late, partial(gold.links, undecidable=undecidable)) for late in (False, True)
    }
    return Task(both, training, golds, data.folds(known))


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
