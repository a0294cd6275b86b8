"""Recognises the roles of speakers in a debate: moderators, candidates and questioners.

A label may name the role. Otherwise the wording shows who moderates (welcomes, gives the floor,
watches the time) and so do the turns: many short ones, with questions, to several people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby

from assistant.core.domain import Sentence

MIN_TURNS = 2  # fewer show nothing
MIN_MODERATOR_POINTS = 3
MIN_CANDIDATE_WORD_SHARE = 0.1
QUESTION_SHARE = 0.4  # share of a moderator's turns with a question
FORMULA_SHARE = 0.2  # share of a moderator's turns with words of a moderator
SHORT_SHARE = 0.7  # a moderator's mean turn beside the mean turn of all speakers

_MODERATOR_LABEL = re.compile(
    r"\b(?:moderators?|host|anchor|chair(?:man|woman|person)?|interviewer|presiding)\b",
    re.IGNORECASE,
)
_QUESTIONER_LABEL = re.compile(
    r"^(?:q|(?:audience )?questions?|questioner|reporter|(?:audience|voter|viewer|caller)\b.*)$",
    re.IGNORECASE,
)
_MODERATOR_WORDS = re.compile(
    r"\b(?:welcome to|your time is up|time(?:’s|'s) up|(?:two|one|three|\d+) (?:minutes?|seconds)"
    r"|(?:next|first|last|final) question|we(?:’ll| will|'ll)? (?:turn|move|go|begin|start)\b"
    r"|let(?:’s|'s| us) (?:turn|move|go|begin|start|talk)|(?:please|your) (?:respond|response|rebuttal)"
    r"|closing statements?|opening statements?|(?:the )?floor is yours|you have the floor"
    r"|ladies and gentlemen|good (?:evening|morning|afternoon)|thank you,? (?:both|all|senator|"
    r"governor|president|vice president|mr|ms|mrs|mayor|secretary|congress\w+))\b",
    re.IGNORECASE,
)


class SpeakerRole(Enum):
    """The part of a speaker in a debate."""

    MODERATOR = "moderator"
    CANDIDATE = "candidate"
    AUDIENCE = "audience"


@dataclass(slots=True)
class _SpeakerTurns:
    """The turns of a speaker: their number, words, questions, formulas and who spoke next."""

    turn_count: int = 0
    word_count: int = 0
    question_count: int = 0
    formula_count: int = 0
    followers: set[str] = field(default_factory=set)


def speaker_roles(sentences: Sequence[Sentence]) -> dict[str, SpeakerRole]:
    """Return the role of each speaker who has one; candidates only beside a moderator."""
    turns = _turns_by_speaker(sentences)
    roles: dict[str, SpeakerRole] = {}
    for speaker in turns:
        if _QUESTIONER_LABEL.match(speaker):
            roles[speaker] = SpeakerRole.AUDIENCE
        elif _MODERATOR_LABEL.search(speaker):
            roles[speaker] = SpeakerRole.MODERATOR
    for speaker, own_turns in turns.items():
        if speaker not in roles and _moderator_points(own_turns, turns) >= MIN_MODERATOR_POINTS:
            roles[speaker] = SpeakerRole.MODERATOR
    if SpeakerRole.MODERATOR not in roles.values():
        return roles
    total_words = sum(own_turns.word_count for own_turns in turns.values())
    for speaker, own_turns in turns.items():
        if own_turns.word_count >= MIN_CANDIDATE_WORD_SHARE * total_words:
            roles.setdefault(speaker, SpeakerRole.CANDIDATE)
    return roles


def _turns_by_speaker(sentences: Sequence[Sentence]) -> dict[str, _SpeakerTurns]:
    turns: dict[str, _SpeakerTurns] = {}
    previous = ""
    for speaker, run in groupby(sentences, key=lambda sentence: sentence.speaker):
        if previous and speaker:
            turns[previous].followers.add(speaker)
        previous = speaker or ""
        if speaker is None:
            continue
        text = " ".join(sentence.text for sentence in run)
        own_turns = turns.setdefault(speaker, _SpeakerTurns())
        own_turns.turn_count += 1
        own_turns.word_count += len(text.split())
        own_turns.question_count += "?" in text
        own_turns.formula_count += _MODERATOR_WORDS.search(text) is not None
    return turns


def _moderator_points(own_turns: _SpeakerTurns, turns: dict[str, _SpeakerTurns]) -> int:
    """Return how much shows that a speaker moderates: a point each, two for the wording."""
    if own_turns.turn_count < MIN_TURNS:
        return 0
    all_words = sum(other.word_count for other in turns.values())
    all_turns = sum(other.turn_count for other in turns.values())
    mean_words = own_turns.word_count / own_turns.turn_count
    is_formal = own_turns.formula_count >= FORMULA_SHARE * own_turns.turn_count
    is_asking = own_turns.question_count >= QUESTION_SHARE * own_turns.turn_count
    is_short = mean_words <= SHORT_SHARE * all_words / all_turns
    has_several_partners = len(own_turns.followers) > 1
    return 2 * is_formal + is_asking + is_short + has_several_partners
