"""Namesakes: do two texts mean different people or places by one name, as Bill and Hillary Clinton?

A person is identified by a given name before the family name, by a title ("President Obama") or,
for a few that everybody knows, by the family name alone; a place by the word before it (Virginia,
West Virginia). Common given names of the United States and their short forms are known; an unknown
name is no evidence of a namesake. Names are recognised by their capitals, so captions without
capitals yield nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SHORT = (
    "bill william billy will", "joe joseph", "mike michael", "bob robert bobby rob beto", "jim james jimmy",
    "tom thomas tommy", "ted edward ed eddie theodore", "rick richard dick", "ron ronald ronnie", "don donald",
    "chuck charles charlie", "ben benjamin", "tim timothy", "dan daniel danny", "jeb john jack johnny",
    "mitt willard", "newt newton", "bernie bernard", "chris christopher", "al albert alan allen",
    "liz elizabeth beth betsy", "debbie deborah debra", "kathy kathleen katherine kate", "nick nicholas",
    "tony anthony", "matt matthew", "andy andrew", "greg gregory", "ken kenneth", "larry lawrence", "pat patrick",
    "sam samuel", "steve stephen steven", "alex alexander", "jeff jeffrey", "dave david", "doug douglas",
    "gabby gabrielle", "russ russell", "josh joshua", "fred frederick", "ray raymond", "jerry gerald", "pete peter",
    "phil philip", "walt walter", "terry terence", "hal harold", "gene eugene", "barack barry", "mel melvin",
    "sue susan", "barb barbara", "cathy catherine", "jan janet", "jen jennifer", "meg margaret maggie",
)  # fmt: skip
_OTHERS = (
    "adele alison amy angela ann anne arnold boris brian bruce bryan carl carol carolyn chelsea christine cindy cory "
    "craig dean dennis diane dianne donna dwight elaine eliot ellen emily eric frank gary gavin george glenn gordon "
    "grace harry heidi henry herman herschel hillary howard hunter ike ivanka jane janice jared jason jesse jill joan "
    "jody joel jon jonathan juan judy julia julie justin kamala karen karl kay keith kelly kevin kirsten kristi kyle "
    "lamar laura lee leon lincoln linda lindsey lisa lloyd lois loretta louis lucy luke lyndon marco maria mario mark "
    "marsha martha martin mary meghan melania michelle mitch monica nancy neil nelson norm oliver pam paul rachel "
    "rafael ralph rand randy reince rex roger ronna ross roy rudy rush ruth sally sandra sarah scott sean sharon "
    "sheldon sherrod sonia stacey stephanie susana tammy teresa tiffany todd tulsi tyler valerie vince virginia "
    "vladimir wayne wendy winston woodrow "
)
_GIVEN = {name: names.split()[0] for names in _SHORT for name in names.split()}
_GIVEN |= {name: name for name in _OTHERS.split()}
_PRESIDENTS = {
    family: _GIVEN[given]
    for family, given in (
        pair.split()
        for pair in (
            "obama barack,trump donald,biden joe,reagan ronald,bush george,clinton bill,carter jimmy,nixon richard,"
            "johnson lyndon,kennedy john,ford gerald,eisenhower dwight,putin vladimir"
        ).split(",")
    )
}
_FULL = re.compile(
    rf"\b(?P<given>{'|'.join(sorted(name.title() for name in _GIVEN))})\s+"
    r"(?P<middle>(?:[A-Z]\.?\s?){1,2}\s+|Herbert Walker |Rodham |Hussein )?"
    r"(?P<family>(?:Mc|Mac|O['’])?[A-Z][a-z]{2,})(?P<junior>,? (?:Jr\b|Junior\b))?"
)
_TITLED = re.compile(r"\bPresident (?P<family>[A-Z][a-z]+)\b")
_ALONE = re.compile(r"\b(?:Obama|Trump|Biden|Reagan|Putin)\b")
_SIDES = re.compile(
    r"\b(?:(?P<side>north|south|east|west|new) )?(?P<base>korea|carolina|dakota|virginia|mexico|sudan|england)"
    r"(?: (?P<city>city))?\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Named:
    """People of a text by family and given name, with middle letter and suffix.

    Places with the words before them.
    """

    people: dict[str, dict[str, frozenset[str]]]
    places: dict[str, frozenset[str]]


@lru_cache(maxsize=1 << 16)
def named(text: str) -> Named:
    """Return the people and the places with namesakes that a text names."""
    people: dict[str, dict[str, frozenset[str]]] = {}
    for match in _FULL.finditer(text):
        given = _GIVEN.get(match["given"].casefold())
        if given:
            marks = {
                (match["middle"] or "")[:1].casefold(),
                "junior" if match["junior"] else "",
            } - {""}
            known = people.setdefault(match["family"].casefold(), {})
            known[given] = known.get(given, frozenset()) | marks
    for match in _TITLED.finditer(text):
        family = match["family"].casefold()
        if family in _PRESIDENTS:
            people.setdefault(family, {}).setdefault(_PRESIDENTS[family], frozenset())
    for family in map(str.casefold, _ALONE.findall(text)):
        people.setdefault(family, {_PRESIDENTS[family]: frozenset()})
    places: dict[str, set[str]] = {}
    for match in _SIDES.finditer(text):
        if not match["city"]:
            places.setdefault(match["base"].casefold(), set()).add((match["side"] or "").casefold())
    return Named(people, {base: frozenset(sides) for base, sides in places.items()})


def others(one: str, two: str) -> bool:
    """Return whether both texts have a name that means another person or place in one than in the other."""
    ours = named(one)
    theirs = named(two)
    families = ours.people.keys() & theirs.people.keys()
    return any(_other_people(ours.people[name], theirs.people[name]) for name in families) or any(
        _other_places(base, ours.places[base], theirs.places[base])
        for base in ours.places.keys() & theirs.places.keys()
    )


def _other_people(ours: dict[str, frozenset[str]], theirs: dict[str, frozenset[str]]) -> bool:
    shared = ours.keys() & theirs.keys()
    if not shared:
        return True
    return all(_other_namesake(ours[given], theirs[given]) for given in shared)


def _other_namesake(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two people of one full name differ.

    One is the junior, or their middle letters differ.
    """
    if ("junior" in ours) != ("junior" in theirs):
        return True
    ours = ours - {"junior"}
    theirs = theirs - {"junior"}
    return bool(ours and theirs and not ours & theirs)


def _other_places(base: str, ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether the words before a place differ.

    Korea alone may be either, Virginia alone is no West Virginia.
    """
    distinct = base in ("virginia", "mexico", "sudan", "england")
    return not ours & theirs and (distinct or ("" not in ours and "" not in theirs))
