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
from itertools import chain, groupby

from assistant.core.domain import Sentence, SpeakerRole
from assistant.core.identity_cache import IdentityCache
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
# A guest asks a few questions beside the moderators; nearly every turn does.
MIN_GUEST_TURNS = 3
MIN_GUEST_ASKING_SHARE = 0.75
MIN_GUEST_QUESTION_SHARE = 0.1

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
# A report asks again after every decision; its sentences stay the same objects.
_ROLES_BY_SENTENCES: IdentityCache[dict[str, SpeakerRole]] = IdentityCache(16)


@dataclass(slots=True)
class _TurnsOfSpeaker:
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
        sentences = list(chain.from_iterable(self.turns))
        question_count = sum(is_question(sentence.text) for sentence in sentences)
        return question_count / len(sentences)

    def asking_share(self, other_surnames: set[str]) -> float:
        """Return the share of turns that end with a question, plus those that end with a name."""
        question_count = 0
        address_count = 0
        for turn in self.turns:
            last_text = turn[-1].text
            if "?" in last_text:
                question_count += 1
            words = {word.casefold() for word in _WORD_PATTERN.findall(last_text)}
            names_other_person = not other_surnames.isdisjoint(words)
            if names_other_person:
                address_count += 1
        return (question_count + address_count) / len(self.turns)

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
    roles = _ROLES_BY_SENTENCES.result(
        sentences,
        lambda: _computed_roles(sentences, chosen_roles),
        tuple(sorted(chosen_roles.items())),
    )
    return dict(roles)


def _computed_roles(
    sentences: Sequence[Sentence], chosen_roles: Mapping[str, SpeakerRole]
) -> dict[str, SpeakerRole]:
    spoken_by = _spoken_by(sentences)
    # A later source of roles overrules an earlier one: behaviour, labels, a person's choice.
    moderators = _moderators(spoken_by)
    if moderators:
        moderators |= _guest_moderators(spoken_by)
    roles = dict.fromkeys(moderators, SpeakerRole.MODERATOR)
    roles.update(_labelled_roles(spoken_by))
    for speaker, role in chosen_roles.items():
        if speaker in spoken_by:
            roles[speaker] = role
    if SpeakerRole.MODERATOR not in roles.values():
        return roles
    # In a debate with a moderator, everybody else who speaks much is a candidate.
    word_counts = {speaker: spoken.word_count for speaker, spoken in spoken_by.items()}
    min_words = MIN_CANDIDATE_WORD_SHARE * sum(word_counts.values())
    for speaker, word_count in word_counts.items():
        if word_count >= min_words:
            roles.setdefault(speaker, SpeakerRole.CANDIDATE)
    return roles


def _spoken_by(sentences: Sequence[Sentence]) -> dict[str, _TurnsOfSpeaker]:
    """Return the turns of each named speaker, in the order of their first turns."""
    spoken_by: dict[str, _TurnsOfSpeaker] = defaultdict(_TurnsOfSpeaker)
    # Sentences of one speaker that follow each other are a turn.
    previous_speaker = ""
    for speaker, sentences_of_turn in groupby(
        sentences, key=lambda sentence: sentence.speaker or ""
    ):
        if previous_speaker:
            spoken_by[previous_speaker].followers.add(speaker)
        if speaker:
            spoken_by[speaker].turns.append(list(sentences_of_turn))
        previous_speaker = speaker
    return dict(spoken_by)


def _labelled_roles(speakers: Mapping[str, _TurnsOfSpeaker]) -> dict[str, SpeakerRole]:
    """Return the roles that labels name: ``MODERATOR``, ``Q``."""
    roles = {}
    for speaker in speakers:
        if _MODERATOR_LABEL_PATTERN.match(speaker.strip()):
            roles[speaker] = SpeakerRole.MODERATOR
        elif _AUDIENCE_LABEL_PATTERN.match(speaker.strip()):
            roles[speaker] = SpeakerRole.AUDIENCE
    return roles


def _moderators(spoken_by: Mapping[str, _TurnsOfSpeaker]) -> set[str]:
    """Return the speakers whose turns are like a moderator's."""
    # Only many turns show habits. In a short debate, where nobody has so many, all speakers are
    # compared, and a moderator must use a moderator's phrases as well.
    frequent_speakers = {}
    for speaker, speech in spoken_by.items():
        if len(speech.turns) >= MIN_HABIT_TURNS:
            frequent_speakers[speaker] = speech
    is_short_debate = len(frequent_speakers) < 2
    compared_speakers = spoken_by if is_short_debate else frequent_speakers
    if len(compared_speakers) < 2:
        return set()
    # A moderator speaks briefly, gives the floor to several others, and asks them.
    longest_mean = max(speech.mean_words for speech in compared_speakers.values())
    max_mean_words = min(MAX_TURN_WORDS, MAX_RELATIVE_TURN * longest_mean)
    min_followers = min(MIN_FOLLOWERS, len(compared_speakers) - 1)
    moderators = set()
    for speaker, speech in compared_speakers.items():
        speaks_briefly = speech.mean_words <= max_mean_words
        hands_over = len(speech.followers) >= min_followers
        if not speaks_briefly or not hands_over or not _asks_others(speaker, spoken_by):
            continue
        if is_short_debate and not _uses_moderator_phrases(speech):
            continue
        moderators.add(speaker)
    return moderators


def _guest_moderators(spoken_by: Mapping[str, _TurnsOfSpeaker]) -> set[str]:
    """Return the speakers with a few turns, nearly all of which ask or end with a name."""
    guests = set()
    for speaker, speech in spoken_by.items():
        is_guest = (
            MIN_GUEST_TURNS <= len(speech.turns) < MIN_HABIT_TURNS
            and len(speech.followers) >= MIN_FOLLOWERS
            and speech.question_share >= MIN_GUEST_QUESTION_SHARE
            and _asking_share(speaker, spoken_by) >= MIN_GUEST_ASKING_SHARE
        )
        if is_guest:
            guests.add(speaker)
    return guests


def _asks_others(speaker: str, spoken_by: Mapping[str, _TurnsOfSpeaker]) -> bool:
    """Return whether a speaker asks many questions and calls others by their names."""
    if spoken_by[speaker].question_share < MIN_QUESTION_SHARE:
        return False
    return _asking_share(speaker, spoken_by) >= MIN_ASKING_SHARE


def _asking_share(speaker: str, spoken_by: Mapping[str, _TurnsOfSpeaker]) -> float:
    """Return the share of turns that end with a question, plus those that end with a name."""
    surnames = {speaker_surname(name).casefold() for name in spoken_by}
    other_surnames = surnames - {"", speaker_surname(speaker).casefold()}
    return spoken_by[speaker].asking_share(other_surnames)


def _uses_moderator_phrases(spoken: _TurnsOfSpeaker) -> bool:
    """Return whether a speaker of a short debate has the wording of a moderator."""
    if len(spoken.turns) < MIN_FORMULA_TURNS:
        return False
    return spoken.formula_share() >= MIN_FORMULA_SHARE
