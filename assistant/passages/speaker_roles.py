"""Roles of speakers in a debate: moderators, candidates, and people who only ask.

A label may name the role. Otherwise the turns show who moderates: they are short, many of them ask
or call another speaker by name, several people speak after them, and they have the wording of a
moderator (welcomes, gives the floor, watches the time).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from assistant.core.domain import Sentence, SpeakerRole
from assistant.core.person_names import speaker_surname
from features.language.speech_acts import is_question

# Speakers with these roles ask; what they say is left out of the list.
ASKING_ROLES = (SpeakerRole.MODERATOR, SpeakerRole.AUDIENCE)
MIN_HABIT_TURNS = 8  # below it, turns alone show no habit
MIN_ASKING_SHARE = 0.3  # turns that end with a question, plus turns that end with a name
MIN_QUESTION_SHARE = 0.07  # questions among the sentences
MAX_TURN_WORDS = 60  # mean length of a turn
MIN_FOLLOWERS = 3  # speakers who talk next, or all of fewer
MAX_RELATIVE_TURN = 0.65  # share of the longest mean turn
MIN_FORMULA_SHARE = 0.2  # share of a moderator's turns with words of a moderator
MIN_FORMULA_TURNS = 2  # turns of a moderator in a short debate
MIN_CANDIDATE_WORD_SHARE = 0.1

_LABEL_START = r"^(?:the |co-?|chief |debate |event |unidentified |male |female |unknown )*"
_LABEL_END = r"\b[\s\d.:#-]*$"
# "HOST 2", "Jake Tapper, CNN moderator"
_MODERATOR_LABEL_PATTERN = re.compile(
    rf"(?:{_LABEL_START}|^[^,]+,.*\b)(?:moderators?|hosts?|anchors?|interviewers?|presenters?|announcers?|"
    rf"narrators?|operators?|timekeepers?|presiding officer){_LABEL_END}",
    re.IGNORECASE,
)
_AUDIENCE_LABEL_PATTERN = re.compile(
    rf"{_LABEL_START}(?:(?:audience )?questions?|questioners?|q|reporters?|journalists?|"
    rf"audience(?: members?)?|voters?|viewers?|callers?){_LABEL_END}",
    re.IGNORECASE,
)
_MODERATOR_WORDS_PATTERN = re.compile(
    r"\b(?:welcome to|your time is up|time(?:’s|'s) up|(?:two|one|three|\d+) (?:minutes?|seconds)"
    r"|(?:next|first|last|final) question|(?:please|your) (?:respond|response|rebuttal)"
    r"|closing statements?|opening statements?|(?:the )?floor is yours|you have the floor"
    r"|ladies and gentlemen|good (?:evening|morning|afternoon)|thank you,? (?:both|all|senator|"
    r"governor|president|vice president|mr|ms|mrs|mayor|secretary|congress\w+))\b",
    re.IGNORECASE,
)
_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_Turn = list[Sentence]


@dataclass(slots=True)
class _Spoken:
    """The turns of a speaker, and who speaks next."""

    turns: list[_Turn] = field(default_factory=list)
    followers: set[str] = field(default_factory=set)

    @property
    def word_count(self) -> int:
        """Return the number of words in all turns."""
        return sum(len(sentence.text.split()) for turn in self.turns for sentence in turn)

    @property
    def mean_words(self) -> float:
        """Return the mean length of a turn in words."""
        return self.word_count / len(self.turns)

    @property
    def question_share(self) -> float:
        """Return the share of questions among the sentences."""
        spoken = [sentence for turn in self.turns for sentence in turn]
        return sum(is_question(sentence.text) for sentence in spoken) / len(spoken)

    def asking_share(self, other_surnames: set[str]) -> float:
        """Return the share of turns that end with a question, plus those that end with a name."""
        endings = [turn[-1].text for turn in self.turns]
        question_count = sum("?" in text for text in endings)
        call_count = 0
        for text in endings:
            words = {word.casefold() for word in _WORD_PATTERN.findall(text)}
            call_count += not other_surnames.isdisjoint(words)
        return (question_count + call_count) / len(self.turns)

    def formula_share(self) -> float:
        """Return the share of turns with words of a moderator."""
        texts = [" ".join(sentence.text for sentence in turn) for turn in self.turns]
        formula_count = sum(_MODERATOR_WORDS_PATTERN.search(text) is not None for text in texts)
        return formula_count / len(self.turns)


def speaker_roles(
    sentences: Sequence[Sentence], chosen_roles: Mapping[str, SpeakerRole] | None = None
) -> dict[str, SpeakerRole]:
    """Return the role of each speaker who has one; candidates only beside a moderator.

    ``chosen_roles`` are those that a person chose. They overrule what the words show.
    """
    chosen_roles = chosen_roles or {}
    spoken_by = _spoken_by(sentences)
    roles = dict.fromkeys(_moderators(spoken_by), SpeakerRole.MODERATOR)
    roles.update(_labelled_roles(spoken_by))
    roles.update((speaker, role) for speaker, role in chosen_roles.items() if speaker in spoken_by)
    if SpeakerRole.MODERATOR not in roles.values():
        return roles
    word_counts = {speaker: spoken.word_count for speaker, spoken in spoken_by.items()}
    min_words = MIN_CANDIDATE_WORD_SHARE * sum(word_counts.values())
    for speaker, word_count in word_counts.items():
        if word_count >= min_words:
            roles.setdefault(speaker, SpeakerRole.CANDIDATE)
    return roles


def _spoken_by(sentences: Sequence[Sentence]) -> dict[str, _Spoken]:
    """Return the turns of each named speaker, in the order of their first turns."""
    spoken_by: dict[str, _Spoken] = defaultdict(_Spoken)
    previous_speaker = ""
    for speaker, turn in groupby(sentences, key=lambda sentence: sentence.speaker or ""):
        if previous_speaker:
            spoken_by[previous_speaker].followers.add(speaker)
        if speaker:
            spoken_by[speaker].turns.append(list(turn))
        previous_speaker = speaker
    return dict(spoken_by)


def _labelled_roles(speakers: Mapping[str, _Spoken]) -> dict[str, SpeakerRole]:
    """Return the roles that labels name: ``MODERATOR``, ``Q``."""
    roles = {}
    for speaker in speakers:
        if _MODERATOR_LABEL_PATTERN.match(speaker.strip()):
            roles[speaker] = SpeakerRole.MODERATOR
        elif _AUDIENCE_LABEL_PATTERN.match(speaker.strip()):
            roles[speaker] = SpeakerRole.AUDIENCE
    return roles


def _moderators(spoken_by: Mapping[str, _Spoken]) -> set[str]:
    """Return the speakers whose turns are those of a moderator."""
    surnames = {speaker: speaker_surname(speaker).casefold() for speaker in spoken_by}
    regular = {
        speaker: spoken
        for speaker, spoken in spoken_by.items()
        if len(spoken.turns) >= MIN_HABIT_TURNS
    }
    has_habits = len(regular) > 1
    compared = regular if has_habits else spoken_by
    if len(compared) < 2:
        return set()
    longest_turn = max(spoken.mean_words for spoken in compared.values())
    max_words = min(MAX_TURN_WORDS, MAX_RELATIVE_TURN * longest_turn)
    min_followers = min(MIN_FOLLOWERS, len(compared) - 1)
    moderators = set()
    for speaker, spoken in compared.items():
        is_short = spoken.mean_words <= max_words
        if not is_short or len(spoken.followers) < min_followers:
            continue
        surname = surnames[speaker]
        others = {name for name in surnames.values() if name and name != surname}
        is_asking = (
            spoken.question_share >= MIN_QUESTION_SHARE
            and spoken.asking_share(others) >= MIN_ASKING_SHARE
        )
        is_formal = (
            len(spoken.turns) >= MIN_FORMULA_TURNS and spoken.formula_share() >= MIN_FORMULA_SHARE
        )
        if is_asking and (has_habits or is_formal):
            moderators.add(speaker)
    return moderators
