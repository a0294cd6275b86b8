"""The person that "I" means: the speaker of the sentence, or the claimant of the statement.

"I never voted for it" is another claim from another person. So is "while she was governor"
from the person whose claim was "while I was governor".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from features.language.stems import PLACE_NAMES
from features.language.text_pairs import TextPair
from features.language.word_clashes import Clash

_FIRST_PERSON_PATTERN = re.compile(r"\b(?:i|my|mine|myself|i'm|i've|i'd|i'll)\b")
_THIRD_PERSON_PATTERN = re.compile(r"\b(?:he|she|his|her|hers|him|he's|she's)\b")
_NOT_ABOUT_SELF_PATTERN = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll)(?: \w+)? (?:think|believe|know|mean|say|said|tell|told|guess|hope|"
    r"would say|can tell|want to say|have to say|remember|understand|agree|sure|sorry|talking|"
    r"thinking|saying|telling)\b|\bmy (?:friends?|opponent|fellow|god|point|question|answer|view|"
    r"opinion)\b|\blet me\b"
)
# "Says that during his eight years" names no other person before "his".
_PUBLISHER_OPENING_PATTERN = re.compile(
    r"^(?:Says (?:that )?[^A-Z]{0,60}?\b(?:he|she|his|her)\b|(?:Under|During|In|With|On) (?:his|her) )|"
    r"\breferring to (?:his|her)\b"
)
# "I voted", "Says Ann Stone voted": a subject that begins the text, and the word after it
_SUBJECT_AND_VERB_PATTERN = re.compile(
    r"^[\"“‘']?(?:Says (?:that )?)?(?:(?:(?:And|But|So|Well|Now),? )?(?P<i>I)|"
    r"(?P<person>(?!(?:And|But|So|Well|Now|Then) )[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}))"
    r" (?P<verb>[a-z]+)\b"
)
_WORDS_OF_ORGANISATIONS = frozenset(
    "new north south east west united american national federal social supreme planned house white "
    "wall street county city state states school district university union association bank court "
    "department agency act plan law company news".split()
)
_LETTERS_PATTERN = re.compile(r"[^\W\d_]+")
_WORDS_NEVER_PERSONS = frozenset(
    "mr mrs ms dr senator governor president congressman congresswoman mayor secretary speaker "
    "vice former rep sen gov moderator unknown facebook posts viral bloggers email the party "
    "democratic republican committee".split()
)


class Speakers(NamedTuple):
    """The speaker of a sentence and the claimant of a statement, "" if unknown."""

    speaker: str = ""
    claimant: str = ""

    @property
    def are_known(self) -> bool:
        """Return whether both are persons with names."""
        return bool(_names(self.speaker) and _names(self.claimant))

    @property
    def are_same(self) -> bool:
        """Return whether both are the same person, by a name that they share."""
        return not _names(self.speaker).isdisjoint(_names(self.claimant))


UNKNOWN_SPEAKERS = Speakers()


def person_clash(pair: TextPair, speakers: Speakers) -> Clash | None:
    """Return the persons whom two texts speak of if "I" means another one, or None."""
    if not speakers.are_known or not pair.is_about_same_thing:
        return None
    clash_of_subjects = _subjects_clash(pair, speakers)
    if clash_of_subjects is not None:
        return clash_of_subjects
    # The first "I" or "my" of each text, "" if it has none
    sentence_first_person_word = _first_person_word(pair.sentence.lower_text)
    statement_first_person_word = _first_person_word(pair.statement.lower_text)
    # A publisher writes "Says he voted for it" of a claimant who said "I voted for it".
    reports_claimant = _PUBLISHER_OPENING_PATTERN.search(pair.statement.text) is not None
    is_about_claimant = bool(statement_first_person_word) or reports_claimant
    if not speakers.are_same:
        if sentence_first_person_word and is_about_claimant:
            return Clash(speakers.speaker, speakers.claimant)
        return None
    # One person who says "I" in one text and "she", of somebody else, in the other.
    sentence_third_person_match = _THIRD_PERSON_PATTERN.search(pair.sentence.lower_text)
    statement_third_person_match = _THIRD_PERSON_PATTERN.search(pair.statement.lower_text)
    if (
        sentence_third_person_match
        and not sentence_first_person_word
        and statement_first_person_word
        and not statement_third_person_match
    ):
        return Clash(
            sentence_third_person_match[0], f"{statement_first_person_word} ({speakers.claimant})"
        )
    if (
        statement_third_person_match
        and not is_about_claimant
        and sentence_first_person_word
        and not sentence_third_person_match
    ):
        return Clash(
            f"{sentence_first_person_word} ({speakers.speaker})", statement_third_person_match[0]
        )
    return None


def _subjects_clash(pair: TextPair, speakers: Speakers) -> Clash | None:
    """Return "I" and a named person with the same verb if they are two persons, or None."""
    said = _SUBJECT_AND_VERB_PATTERN.match(pair.sentence.text)
    checked = _SUBJECT_AND_VERB_PATTERN.match(pair.statement.text)
    if said is None or checked is None or said["verb"].casefold() != checked["verb"].casefold():
        return None
    if said["i"] and checked["person"]:
        if _is_other_person(checked["person"], speakers.speaker):
            return Clash(f"I ({speakers.speaker})", checked["person"])
    if said["person"] and checked["i"]:
        if _is_other_person(said["person"], speakers.claimant):
            return Clash(said["person"], f"I ({speakers.claimant})")
    return None


def _is_other_person(person: str, speaker: str) -> bool:
    """Return whether a name that a text has is another person's than the speaker's."""
    names = _names(person)
    is_person = len(names) > 1 and names.isdisjoint(PLACE_NAMES | _WORDS_OF_ORGANISATIONS)
    return is_person and names.isdisjoint(_names(speaker))


def _first_person_word(lower_text: str) -> str:
    """Return "I" or "my" if a text claims something about its speaker."""
    # "I think" and "my friends" say nothing about the speaker.
    text_about_self = _NOT_ABOUT_SELF_PATTERN.sub(" ", lower_text)
    word_match = _FIRST_PERSON_PATTERN.search(text_about_self)
    if not word_match:
        return ""
    return "I" if word_match[0].startswith("i") else word_match[0]


def _names(person: str) -> frozenset[str]:
    """Return the names of a person in small letters, without titles."""
    return frozenset(_LETTERS_PATTERN.findall(person.casefold())) - _WORDS_NEVER_PERSONS
