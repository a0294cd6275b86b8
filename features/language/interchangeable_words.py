"""Nouns and adjectives that may stand for each other in what two people say of one thing.

Verbs are in ``verb_senses``. The words of ``stems`` count as one word everywhere, and trained
rankers depend on them. The words of this module only keep two texts from being called different.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from features.language.stems import content_stem

MIN_SPELLED_LETTERS = 4
_NO_LETTER_PATTERN = re.compile(r"[^a-z0-9]")
_DOUBLED_LETTER_PATTERN = re.compile(r"(?P<letter>[a-z])(?P=letter)+")
# Words that may stand for a person's name or time in office: "on his watch", "under Governor Ames"
WORDS_FOR_PERSONS = frozenset("opponent colleague administration predecessor watch tenure".split())
# One group per line. A word stands for all of its forms and may be in several groups. Words that
# "_" joins are a phrase.
_GROUPS = """
    average typical ordinary regular
    strong great good
    strongest greatest best
    dangerous violent
    dangerous deadly
    dangerous unsafe risky
    accident crash wreck collision
    soldier troop servicemember
    parent family
    family household
    stuck trapped
    poor poverty needy impoverished low-income
    debt loan
    taxpayer taxpayer's government
    government washington
    washington federal
    revenge payback retaliation
    plane jet aircraft airliner airplane
    undocumented illegal unauthorized
    illegal unlawful
    people folk person resident inhabitant population capita
    people citizen american
    prison imprison jail
    town city municipality
    rule regulation requirement mandate
    price cost charge
    cost fee charge
    pay wage salary earning paycheck make earn
    income earning make earn
    firm company business corporation employer
    elderly senior old older
    inmate prisoner convict
    disabled handicapped
    bill measure legislation act law
    reduction decrease drop decline cut
    increase rise hike growth raise
    share percentage proportion portion part
    majority most
    amount sum total
    number count tally
    highway road
    road street
    border frontier
    candidate nominee
    lawmaker legislator representative congressman congresswoman
    opponent rival challenger
    aid assistance help relief
    corruption graft
    lie falsehood
    rich wealthy affluent well-off
    worker employee staff staffer laborer
    job position post
    crop harvest
    food grocery
    gas gasoline fuel petrol
    electricity power
    vaccine shot jab vaccination immunization
    covid coronavirus pandemic
    sickness illness disease
    drug medicine medication prescription
    marijuana cannabis pot weed
    liquor alcohol booze drinking drunk
    college university
    teacher educator
    scientist researcher
    study research report
    expert specialist
    weapon arm gun firearm
    attack assault
    attack strike
    military pentagon
    defense military
    veteran vet
    region area
    neighborhood community
    world globe planet earth
    foreign overseas international
    foreigner noncitizen alien
    money cash fund dollar funding
    big large huge massive enormous giant
    biggest largest
    small little tiny
    smallest littlest
    fast quick rapid
    fastest quickest
    bad terrible awful horrible
    new recent
    final last
    entire whole full complete total
    cheap inexpensive affordable
    expensive costly pricey
    hard tough difficult
    easy simple
    strict tough stringent
    important key crucial vital
    secret hidden
    wrong incorrect mistaken
    true accurate correct
    legal lawful allowed permitted
    annual yearly
    main chief top leading primary biggest
    sole lone single only
    current present today now
    former previous earlier
    ship boat vessel
    train railroad rail
    wildfire fire blaze
    baby infant newborn
    mom mother
    dad father
    wedding marriage
    birth delivery
    death fatality die dead
    abuse mistreatment
    theft stealing larceny
    riot unrest
    protest demonstration
    lawsuit suit sue
    verdict ruling
    ban prohibition
    limit cap ceiling
    deal agreement accord pact treaty contract
    trade commerce
    tariff duty
    factory plant mill manufacturing
    industry sector
    store shop
    tenant renter
    surgery operation
    hunger starvation hungry
    unemployment joblessness jobless unemployed
    recession downturn
    revenue receipt
    spending expenditure outlay
    donor contributor giver
    donation contribution gift
    ad advertisement commercial spot
    poll survey
    email message
    website site
    internet web online
    phone telephone cellphone
    picture photo image photograph
    movie film
    newspaper paper
    reporter journalist press
    supporter backer follower
    enemy foe adversary
    permit license permission
    wall barrier
    fence barrier
    holiday vacation
    religion faith
    gay homosexual
    trans transgender
    teen teenager adolescent
    suicide themselves
    worth value comes totals
    reason cause because why
    health medical
    scared afraid
    crime criminal
    danger risk threat
    chance odds likelihood risk
    post_office postal mail
    leads leading first number_one top
    shortage lack
    valuable invaluable
    several few couple
    only except exclusively
    man guy
    lawmaker politician
    after since following
    fall autumn
    early beginning start
    late end
    once used formerly previously
    flammable inflammable
    intense tense
    check verify ensure sure
    likely often frequent
"""


def _group_numbers() -> dict[str, set[int]]:
    """Return the numbers of the groups that have a word, by the stem of the word."""
    numbers: dict[str, set[int]] = {}
    for number, line in enumerate(_GROUPS.strip().splitlines()):
        for entry in line.split():
            stems = [content_stem(word) for word in entry.split("_")]
            numbers.setdefault("_".join(stems), set()).add(number)
    return numbers


_GROUPS_OF_STEM = _group_numbers()


def have_same_letters(lower_phrase: str, other_lower_phrase: str) -> bool:
    """Return whether two phrases are spellings of one: "tax-exempt", "taxexempt"; "Eliot", "Elliot"."""
    letters = _letters_once(lower_phrase)
    return len(letters) >= MIN_SPELLED_LETTERS and letters == _letters_once(other_lower_phrase)


def _letters_once(lower_phrase: str) -> str:
    """Return the letters and digits of a phrase, doubled letters once."""
    letters = _NO_LETTER_PATTERN.sub("", lower_phrase)
    return _DOUBLED_LETTER_PATTERN.sub(r"\g<letter>", letters)


def are_interchangeable(lower_phrase: str, other_lower_phrase: str) -> bool:
    """Return whether two phrases have words that may stand for each other: "plane" and "jet"."""
    return not _groups(lower_phrase).isdisjoint(_groups(other_lower_phrase))


@lru_cache(maxsize=1 << 14)
def _groups(lower_phrase: str) -> frozenset[int]:
    """Return the numbers of the groups of a phrase's words and pairs of words."""
    stems = [content_stem(word.strip(".,;:!?'\"")) for word in lower_phrase.split()]
    entries = stems + ["_".join(pair) for pair in pairwise(stems)]
    numbers: set[int] = set()
    for entry in entries:
        numbers.update(_GROUPS_OF_STEM.get(entry, ()))
    return frozenset(numbers)
