"""Tasks of the benches: what is tested on what, and what may train for it, all leave-out rules in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from assistant.core.domain import MIXED
from training.shared import debates as data
from training.shared import examples, gold
from training.shared.debates import Debate
from training.shared.examples import Example
from training.shared.gold import NO_SLIPS, Gold, Slips
from training.shared.measures import Bench

ONE_IN = 20  # of the sentences without a link, so many are learnt from


@dataclass(frozen=True, slots=True)
class Task:
    """Debates to test, what may train, and the gold, in both settings (False: all claims, True.

    As of the event).
    """

    tested: dict[bool, list[Example]]
    training: list[Example]
    golds: dict[str, dict[bool, Gold]]  # by what is added to a row's name
    folds: dict[str, int]

    def train_for(self, example: Example) -> list[Example]:
        """Return every training example outside the fold of a debate."""
        fold = self.folds.get(example.debate.name)
        return [e for e in self.training if self.folds.get(e.debate.name) != fold or fold is None]


def the_seven(bench: Bench, folder: Path, slips: Slips = NO_SLIPS, *, links: bool = False) -> Task:
    """Return the task of the annotated debates; the other six train for each.

    ``links``: the sixty-three do as well.
    """
    debates = data.seven(folder)
    both = {late: judged_examples(bench, folder, as_of_event=late) for late in (False, True)}
    golds = {
        late: gold_of(bench, debates, late, partial(gold.verdicts, slips=slips))
        for late in (False, True)
    }
    training = both[False] + (linked_examples(bench, folder) if links else [])
    return Task(both, training, {"": golds}, data.folds(debates))


def judged_examples(bench: Bench, folder: Path, *, as_of_event: bool = False) -> list[Example]:
    """Return the seven as examples."""
    return [_judged(bench, debate, as_of_event) for debate in data.seven(folder)]


def linked_examples(bench: Bench, folder: Path) -> list[Example]:
    """Return the sixty-three as examples to learn from."""
    return [_linked(bench, debate.thinned(ONE_IN), False, ONE_IN) for debate in data.others(folder)]


def linked_debates(bench: Bench, debates: Path, folder: Path, *, one_in: int = 1) -> Task:
    """Return the task of a folder of linked debates, without the seven.

    ``one_in``: as ``Debate.thinned`` has it.

    For debates of the sixty-three in the data folder, the seven and the other folds train. Any
    others are for the shipped weights, which were learnt from none of them: nothing trains.
    """
    tested = []
    for debate in data.linked(debates):
        if debate.name not in data.SEVEN:
            tested.append(debate.thinned(one_in))
    settings = (False, True)  # all claims, claims as of the event
    test_examples = {late: [_linked(bench, debate, late) for debate in tested] for late in settings}
    linked_known = data.others(folder)
    training = []
    folds = {}
    if {debate.name for debate in tested} <= {debate.name for debate in linked_known}:
        training = judged_examples(bench, folder) + linked_examples(bench, folder)
        folds = data.folds(linked_known)
    rating_classes = zip(bench.index.ids, bench.index.rating_classes, strict=True)
    undecidable = {claim for claim, rating_class in rating_classes if rating_class in MIXED}
    golds = {}
    for name, left_out in {"": undecidable, ", every link": set()}.items():
        make = partial(gold.links, undecidable=left_out)
        golds[name] = {late: gold_of(bench, tested, late, make) for late in settings}
    return Task(test_examples, training, golds, folds)


def _judged(bench: Bench, debate: Debate, late: bool) -> Example:
    """As of the event, a pair with a claim that was checked later is none."""
    if late:
        usable_claims = set(bench.ids[bench.usable(debate, as_of_event=True)].tolist())
        debate = replace(
            debate, pairs=tuple(pair for pair in debate.pairs if pair.claim in usable_claims)
        )
    return examples.judged(debate, bench.inputs(debate, as_of_event=late), bench.ids)


def _linked(bench: Bench, debate: Debate, late: bool, one_in: int = 1) -> Example:
    return examples.linked(debate, bench.inputs(debate, as_of_event=late), bench.ids, one_in)


def gold_of(bench: Bench, debates: Sequence[Debate], late: bool, make: Callable[..., Gold]) -> Gold:
    """Return the gold that ``make`` gives of debates where only some claims may be used.

    See ``Bench.usable``.
    """
    all_gold = Gold()
    for debate in debates:
        usable = set(bench.ids[bench.usable(debate, as_of_event=late)].tolist())
        debate_gold = make([debate], usable=usable)
        all_gold.sentences.update(debate_gold.sentences)
        all_gold.claims.update(debate_gold.claims)
    return all_gold
