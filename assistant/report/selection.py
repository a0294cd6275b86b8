"""A selection of a report: the statements that a person wants to publish, and nothing else.

A selection is a report of its own with the chosen passages alone, so every report form can write
it. It leaves out transcript, timeline and the statements that were not chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.passages.listing import is_confirmed, rearranged
from assistant.report.view import PassageGroup, PassageView, ReportView, SentenceMatch

SELECTION_SETTING = "selection"  # in the settings of the report's manifest
TOP_STATEMENTS = 20


class Selection(StrEnum):
    """The statements that a report form gets."""

    CONFIRMED = "confirmed"
    STRONG = "strong"
    TOP = "top"
    EVERYTHING = "everything"


_WORDS_IN_REPORT = {
    Selection.CONFIRMED: "confirmed only",
    Selection.STRONG: "strong or confirmed",
    Selection.TOP: f"top {TOP_STATEMENTS}",
}


class SelectedPassage(NamedTuple):
    """A passage of a selection, with its selected matches by the numbers of their sentences."""

    passage: PassageView
    matches: Mapping[int, tuple[Match, ...]]

    @property
    def first(self) -> SentenceMatch:
        """Return the first selected match with its sentence, the best sentence first."""
        # ``matches`` has the selected matches of each sentence by its number.
        best = self.passage.best
        if best is not None and best.sentence.number in self.matches:
            number = best.sentence.number
        else:  # the best sentence has no selected match
            number = min(self.matches)
        checked_by_number = {
            checked_sentence.sentence.number: checked_sentence
            for checked_sentence in self.passage.sentences
        }
        first_match = self.matches[number][0]
        return SentenceMatch(checked_by_number[number], first_match)


def selected(report: Report, selection: Selection) -> Report:
    """Return a report with the selected statements alone; the whole report for EVERYTHING.

    Rejected matches are in no selection.
    """
    if selection is Selection.EVERYTHING:
        return report
    view = ReportView(rearranged(report))
    passages_by_group = _selected_by_group(view, selection)
    # A statement that was repeated is one row of the list, however many passages were confirmed.
    selection_note = (
        f"{_WORDS_IN_REPORT[selection]}: "
        f"{len(passages_by_group):,} of {len(view.groups):,} statements in the list"
    )
    passages = list(chain.from_iterable(passages_by_group))
    return _report_of_passages(report, passages, selection_note)


def selected_passages(view: ReportView, selection: Selection) -> list[SelectedPassage]:
    """Return the passages of a selection, best first; EVERYTHING has all listed passages."""
    return list(chain.from_iterable(_selected_by_group(view, selection)))


def _selected_by_group(view: ReportView, selection: Selection) -> list[list[SelectedPassage]]:
    """Return the selected passages of each row of the list that has any, best first."""
    passages_by_group = []
    for position, group in enumerate(view.groups, 1):
        if selection is Selection.TOP and position > TOP_STATEMENTS:
            break
        group_passages = []
        for passage in _passages_of(group, selection):
            matches = _chosen_matches(passage, selection)
            if matches:
                group_passages.append(SelectedPassage(passage, matches))
        if group_passages:
            passages_by_group.append(group_passages)
    return passages_by_group


def selection_words(report: Report) -> str:
    """Return which statements of a report were selected, "" for a whole report."""
    return str(report.manifest.settings.get(SELECTION_SETTING, ""))


def _passages_of(group: PassageGroup, selection: Selection) -> Iterable[PassageView]:
    """Return the passages of a group to look at: each for itself if decisions count."""
    return group.passages if selection is Selection.CONFIRMED else (group.listed,)


def _chosen_matches(passage: PassageView, selection: Selection) -> Mapping[int, tuple[Match, ...]]:
    """Return the selected matches of a passage by the numbers of its sentences."""
    matches_by_number = {}
    for checked_sentence in passage.sentences:
        # A person may have confirmed a match of any sentence; else the best one counts.
        is_best = checked_sentence is passage.best
        if selection is not Selection.CONFIRMED and not is_best:
            continue
        matches = tuple(
            match for match in checked_sentence.matches if _is_selected(match, selection)
        )
        if matches:
            matches_by_number[checked_sentence.sentence.number] = matches
    return matches_by_number


def _is_selected(match: Match, selection: Selection) -> bool:
    if match.decision is not None and match.decision.verdict == "reject":
        return False
    if selection is Selection.CONFIRMED:
        return is_confirmed(match)
    if selection is Selection.STRONG:
        return match.is_strong or is_confirmed(match)
    return True


def _report_of_passages(
    report: Report, passages: Sequence[SelectedPassage], selection_note: str
) -> Report:
    """Return the report with some passages alone, whose sentences have the chosen matches."""
    # The numbers of the sentences of the passages, and the selected matches of some of them
    numbers: set[int] = set()
    matches_by_number: dict[int, tuple[Match, ...]] = {}
    for selected_passage in passages:
        numbers.update(
            checked_sentence.sentence.number
            for checked_sentence in selected_passage.passage.sentences
        )
        matches_by_number |= selected_passage.matches
    sentences: list[CheckedSentence] = []
    for checked_sentence in report.sentences:
        number = checked_sentence.sentence.number
        if number not in numbers:
            continue
        matches = matches_by_number.get(number, ())
        tier = checked_sentence.tier if matches else None
        sentences.append(
            replace(checked_sentence, matches=matches, tier=tier, nearest=None, on_topic=False)
        )
    # A placement is a passage and its position in the list.
    placements = [
        placement
        for placement in report.passages
        if numbers.issuperset(placement.passage.sentences)
    ]
    settings = {**report.manifest.settings, SELECTION_SETTING: selection_note}
    transcript_sentences = tuple(checked_sentence.sentence for checked_sentence in sentences)
    reduced_report = replace(
        report,
        transcript=replace(report.transcript, sentences=transcript_sentences),
        sentences=tuple(sentences),
        passages=tuple(placements),
        manifest=replace(report.manifest, settings=settings),
    )
    return rearranged(reduced_report)
