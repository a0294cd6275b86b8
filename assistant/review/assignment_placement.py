"""The assignments of a report: which of its sentences a person is to review.

A match is found again by the words of its sentence; of several such sentences the nearest counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.core.domain import Report
from assistant.report import wording
from assistant.review import decision_placement
from assistant.review.assignment_store import (
    AssignedMatch,
    Assignment,
    AssignmentStore,
    transcript_anchor,
)
from assistant.review.debate_identity import note_debate, records_of_debate
from assistant.review.decision_store import Anchor, DecisionStore


@dataclass(frozen=True, slots=True)
class AssignedSentences:
    """The sentences of a report that are assigned to a person.

    ``missing`` counts assigned matches whose sentence isn't in the report.
    """

    numbers: frozenset[int] = frozenset()
    missing: int = 0


def assignments_of(
    store: AssignmentStore, transcripts: DecisionStore, report: Report
) -> list[Assignment]:
    """Return the assignments on the debate of a report, oldest first."""
    assignments = records_of_debate(store, transcripts, report)
    return sorted(assignments, key=lambda assignment: assignment.made)


def assigned_sentences(
    assignments: Iterable[Assignment], report: Report, person: str
) -> AssignedSentences | None:
    """Return the sentences of a report that are assigned to a person, None without any."""
    own_assignments = [assignment for assignment in assignments if assignment.is_for(person)]
    if not own_assignments:
        return None
    # An assignment without a list of matches is one of the whole debate.
    has_whole_debate = any(assignment.matches is None for assignment in own_assignments)
    if has_whole_debate:
        all_numbers = frozenset(
            checked_sentence.sentence.number for checked_sentence in report.sentences
        )
        return AssignedSentences(all_numbers)
    numbers_by_words: dict[str, list[int]] = defaultdict(list)
    for words, indices in decision_placement.sentence_indices(report).items():
        numbers_by_words[words] += [report.sentences[index].sentence.number for index in indices]
    assigned_numbers = set()
    missing_count = 0
    for match in _matches(own_assignments):
        # The sentence may have another number now: the nearest one with its words counts.
        same_words_numbers = numbers_by_words[decision_placement.words_of(match.text)]
        distance_and_number = [
            (abs(number - match.number), number) for number in same_words_numbers
        ]
        if distance_and_number:
            _, nearest_number = min(distance_and_number)
            assigned_numbers.add(nearest_number)
        else:
            missing_count += 1
    return AssignedSentences(frozenset(assigned_numbers), missing_count)


def shown_matches(
    report: Report, numbers: Iterable[int], *, every_match: bool
) -> list[AssignedMatch]:
    """Return the matches of sentences in a list: the best one of each, or with ``every_match`` all."""
    shown_numbers = set(numbers)
    all_matches = []
    for checked_sentence in report.sentences:
        if checked_sentence.sentence.number not in shown_numbers:
            continue
        sentence = checked_sentence.sentence
        assigned_matches = checked_sentence.matches if every_match else checked_sentence.matches[:1]
        for match in assigned_matches:
            all_matches.append(AssignedMatch(sentence.number, sentence.text, match.claim.id))
    return all_matches


def noted_transcript(transcripts: DecisionStore, report: Report) -> Anchor:
    """Return the transcript of a report, and note its sentences to recognise another file of it."""
    transcript = report.transcript
    anchor = transcript_anchor(transcript.source.sha256, transcript.title, transcript.event_date)
    note_debate(transcripts, report, anchor)
    return anchor


def extent_words(assignment: Assignment) -> str:
    """Return how much of a debate is assigned: ``the whole debate``, ``12 matches``."""
    if assignment.matches is None:
        return "the whole debate"
    return wording.count(len(assignment.matches), "match", "matches")


def _matches(assignments: Iterable[Assignment]) -> list[AssignedMatch]:
    """Return the different matches of assignments."""
    matches: dict[AssignedMatch, None] = {}
    for assignment in assignments:
        matches.update(dict.fromkeys(assignment.matches or ()))
    return list(matches)
