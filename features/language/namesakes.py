"""Namesakes: different people or places with one name, as Bill and Hillary Clinton.

A person is identified by a given name before the family name, by a title ("President Obama") or,
for a few that everybody knows, by the family name alone; a place by the word before it (Virginia,
West Virginia). Common given names of the United States and their short forms are known; an unknown
name is no evidence of a namesake. Names are recognised by their capitals, so captions without
capitals yield nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from features.language.function_words import FILLER_WORDS, NON_NAME_WORDS
from features.language.stems import first_of_group
from features.language.word_clashes import Clash

# One given name per line, with its short forms.
_SHORT_FORMS = """
    bill william billy will
    joe joseph
    mike michael
    bob robert bobby rob beto
    jim james jimmy
    tom thomas tommy
    ted edward ed eddie theodore
    rick richard dick
    ron ronald ronnie
    don donald
    chuck charles charlie
    ben benjamin
    tim timothy
    dan daniel danny
    jeb john jack johnny
    mitt willard
    newt newton
    bernie bernard
    chris christopher
    al albert alan allen
    liz elizabeth beth betsy
    debbie deborah debra
    kathy kathleen katherine kate
    nick nicholas
    tony anthony
    matt matthew
    andy andrew
    greg gregory
    ken kenneth
    larry lawrence
    pat patrick
    sam samuel
    steve stephen steven
    alex alexander
    jeff jeffrey
    dave david
    doug douglas
    gabby gabrielle
    russ russell
    josh joshua
    fred frederick
    ray raymond
    jerry gerald
    pete peter
    phil philip
    walt walter
    terry terence
    hal harold
    gene eugene
    barack barry
    mel melvin
    sue susan
    barb barbara
    cathy catherine
    jan janet
    jen jennifer
    meg margaret maggie
"""
_OTHER_GIVEN_NAMES = (
    "adele alison amy angela ann anne arnold boris brian bruce bryan carl carol carolyn chelsea "
    "christine cindy cory craig dean dennis diane dianne donna dwight elaine eliot ellen emily "
    "eric frank gary gavin george glenn gordon grace harry heidi henry herman herschel hillary "
    "howard hunter ike ivanka jane janice jared jason jesse jill joan jody joel jon jonathan juan "
    "judy julia julie justin kamala karen karl kay keith kelly kevin kirsten kristi kyle lamar "
    "laura lee leon lincoln linda lindsey lisa lloyd lois loretta louis lucy luke lyndon marco "
    "maria mario mark marsha martha martin mary meghan melania michelle mitch monica nancy neil "
    "nelson norm oliver pam paul rachel rafael ralph rand randy reince rex roger ronna ross roy "
    "rudy rush ruth sally sandra sarah scott sean sharon sheldon sherrod sonia stacey stephanie "
    "susana tammy teresa tiffany todd tulsi tyler valerie vince virginia vladimir wayne wendy "
    "winston woodrow "
)
_FULL_FORM_OF_GIVEN_NAME = first_of_group(_SHORT_FORMS)
_FULL_FORM_OF_GIVEN_NAME |= {name: name for name in _OTHER_GIVEN_NAMES.split()}
_GIVEN_NAME_OF_PRESIDENT = {
    "obama": "barack",
    "trump": "don",
    "biden": "joe",
    "reagan": "ron",
    "bush": "george",
    "clinton": "bill",
    "carter": "jim",
    "nixon": "rick",
    "johnson": "lyndon",
    "kennedy": "jeb",
    "ford": "jerry",
    "eisenhower": "dwight",
    "putin": "vladimir",
}  # given names in the form of _FULL_FORM_OF_GIVEN_NAME
_FULL_NAME_PATTERN = re.compile(
    rf"\b(?P<given>{'|'.join(sorted(name.title() for name in _FULL_FORM_OF_GIVEN_NAME))})\s+"
    r"(?P<middle>(?:[A-Z]\.?\s?){1,2}\s+|Herbert Walker |Rodham |Hussein )?"
    r"(?P<family>(?:Mc|Mac|O['’])?[A-Z][a-z]{2,})(?P<junior>,? (?:Jr\b|Junior\b))?"
)
_TITLED_NAME_PATTERN = re.compile(r"\bPresident (?P<family>[A-Z][a-z]+)\b")
_PRESIDENT_PATTERN = re.compile(r"\b(?:Obama|Trump|Biden|Reagan|Putin)\b")
_PLACE_PATTERN = re.compile(
    r"\b(?:(?P<side>north|south|east|west|new) )?(?P<base>korea|carolina|dakota|virginia|mexico|"
    r"sudan|england)"
    r"(?: (?P<city>city))?\b",
    re.I,
)
# Places that are named without a side, too.
_CAPITALISED_WORDS_PATTERN = re.compile(
    r"\b(?:[A-Z]['’]?[A-Za-z]+\.?|[A-Z]\.)(?:\s+(?:[A-Z]['’]?[A-Za-z]+|[A-Z]\.))+"
)
MIN_GIVEN_LETTERS = 3
_TITLES = frozenset(
    "vice mayor justice judge attorney general former candidate chief prime minister king queen "
    "pope saint dear under during since when while because although after before that then both "
    "only even every each most many all some these those its our his her their says did does was "
    "if what who how why yes no not never today yesterday tonight now here there".split()
)
_PLACES_WITHOUT_SIDE = ("virginia", "mexico", "sudan", "england")


@dataclass(frozen=True, slots=True)
class NamesWithNamesakes:
    """The names of a text that may mean several people or places.

    ``people``: by family name and given name, the middle letters and suffixes. ``places``: by the
    name, the words before it ("west" of Virginia).
    """

    people: dict[str, dict[str, frozenset[str]]]
    places: dict[str, frozenset[str]]


@lru_cache(maxsize=1 << 16)
def read_namesakes(text: str) -> NamesWithNamesakes:
    """Read the people and places of a text that have namesakes."""
    return NamesWithNamesakes(_read_people(text), _read_places(text))


def _read_people(text: str) -> dict[str, dict[str, frozenset[str]]]:
    # By family name and given name: middle letters, and "junior".
    people: dict[str, dict[str, frozenset[str]]] = {}
    for match in _FULL_NAME_PATTERN.finditer(text):
        given_name = _FULL_FORM_OF_GIVEN_NAME.get(match["given"].casefold())
        if not given_name:
            continue
        details = set()
        if match["middle"]:
            details.add(match["middle"][0].casefold())
        if match["junior"]:
            details.add("junior")
        family = people.setdefault(match["family"].casefold(), {})
        family[given_name] = family.get(given_name, frozenset()) | details
    # "President Obama", and presidents whom everybody knows by the family name alone.
    for match in _TITLED_NAME_PATTERN.finditer(text):
        family_name = match["family"].casefold()
        if family_name in _GIVEN_NAME_OF_PRESIDENT:
            family = people.setdefault(family_name, {})
            family.setdefault(_GIVEN_NAME_OF_PRESIDENT[family_name], frozenset())
    for president in _PRESIDENT_PATTERN.findall(text):
        family_name = president.casefold()
        people.setdefault(family_name, {_GIVEN_NAME_OF_PRESIDENT[family_name]: frozenset()})
    return people


def _read_places(text: str) -> dict[str, frozenset[str]]:
    sides_by_place: dict[str, set[str]] = {}
    for match in _PLACE_PATTERN.finditer(text):
        if not match["city"]:
            sides = sides_by_place.setdefault(match["base"].casefold(), set())
            sides.add((match["side"] or "").casefold())
    return {place: frozenset(sides) for place, sides in sides_by_place.items()}


def mention_namesakes(sentence: str, statement: str) -> Clash | None:
    """Return a name that means another person or place in each text, or None."""
    clash_of_given_names = _given_names_clash(sentence, statement)
    if clash_of_given_names is not None:
        return clash_of_given_names
    names_in_sentence = read_namesakes(sentence)
    names_in_statement = read_namesakes(statement)
    # "Bill Clinton", "Hillary Clinton"
    for family_name, sentence_people in names_in_sentence.people.items():
        statement_people = names_in_statement.people.get(family_name)
        if statement_people and _are_different_people(sentence_people, statement_people):
            return Clash()
    # "Virginia", "West Virginia"
    for place, sentence_sides in names_in_sentence.places.items():
        statement_sides = names_in_statement.places.get(place)
        if statement_sides and _are_different_places(place, sentence_sides, statement_sides):
            return Clash()
    return None


def _given_names_clash(sentence: str, statement: str) -> Clash | None:
    """Return a name with another capitalised word before it in each text, or None.

    "Tom Whitlock" and "Dana Whitlock", also at the beginning of a sentence.
    """
    given_names_in_sentence = _names_with_word_before(sentence)
    given_names_in_statement = _names_with_word_before(statement)
    # "Tom Whitlock" in one text, "Dana Whitlock" in the other one
    for family_name in given_names_in_sentence.keys() & given_names_in_statement.keys():
        sentence_names = given_names_in_sentence[family_name]
        statement_names = given_names_in_statement[family_name]
        share_given_name = not _full_forms(sentence_names).isdisjoint(_full_forms(statement_names))
        if share_given_name or _are_too_short(sentence_names | statement_names, family_name):
            continue
        return Clash(
            f"{min(sentence_names).title()} {family_name.title()}",
            f"{min(statement_names).title()} {family_name.title()}",
        )
    return None


def _full_forms(given_names: Iterable[str]) -> set[str]:
    # "tom" counts as "thomas".
    return {_FULL_FORM_OF_GIVEN_NAME.get(name, name) for name in given_names}


@lru_cache(maxsize=1 << 16)
def _names_with_word_before(text: str) -> dict[str, frozenset[str]]:
    """Return the capitalised words before each name; a name that also stands alone is left out."""
    # In "Doug Band and Jeff Band", "band" has "doug" and "jeff" before it.
    words_before_name: dict[str, set[str]] = {}
    # "African-Americans" are "African American" people.
    text = text.replace("-American", " American").replace("Americans", "American")
    for match in _CAPITALISED_WORDS_PATTERN.finditer(text):
        words_before: list[str] = []
        for word in match[0].casefold().split():
            if words_before:
                words_before_name.setdefault(word, set()).update(words_before)
            is_no_name = word in NON_NAME_WORDS or word in FILLER_WORDS or word in _TITLES
            if not is_no_name and not word.endswith("."):
                words_before.append(word)
    return {name: frozenset(words) for name, words in words_before_name.items()}


def _are_too_short(words: frozenset[str], name: str) -> bool:
    """Return whether some of the words before a name are too short to tell people apart."""
    return any(len(word) < MIN_GIVEN_LETTERS for word in words) or name in NON_NAME_WORDS


def _are_different_people(
    sentence_people: dict[str, frozenset[str]], statement_people: dict[str, frozenset[str]]
) -> bool:
    """Return whether people of one family name, by their given names, are all different."""
    shared_names = sentence_people.keys() & statement_people.keys()
    return all(
        _are_different_namesakes(sentence_people[name], statement_people[name])
        for name in shared_names
    )


def _are_different_namesakes(
    sentence_details: frozenset[str], statement_details: frozenset[str]
) -> bool:
    """Return whether "junior" or middle letters tell two people of one full name apart."""
    # The details of a person: middle letters, and "junior".
    if ("junior" in sentence_details) != ("junior" in statement_details):
        return True
    sentence_middle_letters = sentence_details - {"junior"}
    statement_middle_letters = statement_details - {"junior"}
    both_have_letters = bool(sentence_middle_letters and statement_middle_letters)
    return both_have_letters and sentence_middle_letters.isdisjoint(statement_middle_letters)


def _are_different_places(
    place: str, sides_in_sentence: frozenset[str], sides_in_statement: frozenset[str]
) -> bool:
    """Return whether the words before a place differ.

    Korea alone may be either Korea, Virginia alone is not West Virginia.
    """
    if not sides_in_sentence.isdisjoint(sides_in_statement):
        return False
    if place in _PLACES_WITHOUT_SIDE:
        return True
    # "" is the place without a side, such as Korea alone.
    return "" not in sides_in_sentence and "" not in sides_in_statement
