"""Roles of speakers: those who ask and give the floor, by their labels, turns and wording.

A moderator of a debate or the host of an interview speaks in short turns, ends many of them with a
question or another speaker's name, and asks far more often than the others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from assistant.core.domain import Sentence
from assistant.core.person_names import speaker_surname
from features.language.speech_acts import is_question

MIN_TURNS = 8  # below it, turns show no habit
MIN_ASKING_SHARE = 0.3  # turns that end with a question, plus turns that end with a name
MIN_QUESTION_SHARE = 0.07  # questions among the sentences
MAX_TURN_WORDS = 60  # mean length of a turn
MIN_FOLLOWERS = 3  # speakers who talk next, or all of fewer
MAX_RELATIVE_TURN = 0.65  # share of the longest mean turn
_ASKING_LABEL = re.compile(
    r"^(?:the |co-?|chief |debate |event |unidentified |male |female |unknown )*"
    r"(?:moderators?|hosts?|anchors?|interviewers?|presenters?|announcers?|narrators?|"
    r"questions?|questioners?|q|reporters?|journalists?|operators?|timekeepers?)\b[\s\d.:#-]*$",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_Turn = list[Sentence]


def asking_speakers(sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the labels of the speakers who moderate, interview or only ask questions."""
    turns_by_speaker: dict[str, list[_Turn]] = defaultdict(list)
    followers: dict[str, set[str]] = defaultdict(set)
    previous_speaker = ""
    for speaker, spoken in groupby(sentences, key=lambda sentence: sentence.speaker or ""):
        turns_by_speaker[speaker].append(list(spoken))
        followers[previous_speaker].add(speaker)
        previous_speaker = speaker
    turns_by_speaker.pop("", None)
    asking = {speaker for speaker in turns_by_speaker if _ASKING_LABEL.match(speaker.strip())}
    regular = {
        speaker: turns for speaker, turns in turns_by_speaker.items() if len(turns) >= MIN_TURNS
    }
    if len(regular) < 2:
        return frozenset(asking)
    turn_words = {speaker: _mean_words(turns) for speaker, turns in regular.items()}
    max_words = min(MAX_TURN_WORDS, MAX_RELATIVE_TURN * max(turn_words.values()))
    surnames = {speaker: speaker_surname(speaker).casefold() for speaker in turns_by_speaker}
    min_followers = min(MIN_FOLLOWERS, len(regular) - 1)
    for speaker, turns in regular.items():
        others = {name for label, name in surnames.items() if label != speaker and name}
        leads = len(followers[speaker]) >= min_followers and turn_words[speaker] <= max_words
        if leads and _asks(turns, others - {surnames[speaker]}):
            asking.add(speaker)
    return frozenset(asking)


def _asks(turns: Sequence[_Turn], other_surnames: set[str]) -> bool:
    """Return whether a speaker asks and calls others as those do who lead a conversation."""
    spoken = [sentence for turn in turns for sentence in turn]
    question_share = sum(is_question(sentence.text) for sentence in spoken) / len(spoken)
    if question_share < MIN_QUESTION_SHARE:
        return False
    endings = [turn[-1].text for turn in turns]
    question_endings = sum("?" in text for text in endings)
    calls = sum(
        not other_surnames.isdisjoint(word.casefold() for word in _WORD.findall(text))
        for text in endings
    )
    return (question_endings + calls) / len(turns) >= MIN_ASKING_SHARE


def _mean_words(turns: Sequence[_Turn]) -> float:
    words = sum(len(sentence.text.split()) for turn in turns for sentence in turn)
    return words / len(turns)
