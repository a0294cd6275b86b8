"""Stems of words, with synonyms and irregular forms as one, and names of places."""

from __future__ import annotations

from functools import lru_cache

from features.language.function_words import FILLER_WORDS

MIN_STEM_LETTERS = 3
TOPIC_LETTERS = 6

# One group per line. The first word of a group is the stem of all its words.
_SYNONYM_GROUPS = """
    children kid child pupil student youngster
    job position
    country nation america
    coverage insuranc plan
    gun firearm
    polic cop
    car auto vehicl
    lawyer attorney
    money fund cash dollar
    wage salary pay
    law bill legislation
    company busines firm corporation
    illegal undocument
    immigrant migrant alien
    buy purchas
    begin start began
    end stop
    help aid
    huge larg
    receiv get got
    home hous
    tax levy
    kill murder die death died
    woman women female
    man men male
    doctor physician
    vote ballot
    cut slash
    rais increas hike
    claim say alleg
    show reveal
    destroy wreck ruin
    poor low-incom
    rich wealthy
"""
_IRREGULAR_FORMS = """
    give gave given giving
    lose lost losing
    spend spent
    pay paid
    take took taken taking
    make made making
    rise rose risen rising
    fall fell fallen
    grow grew grown
    buy bought
    bring brought
    leave left leaving
    win won winning
    sell sold
    steal stole stolen
    keep kept
    send sent
    hold held
    lead led
    build built
    come came coming
    choose chose chosen
    teach taught
    drive drove driven
    run ran running
    shrink shrank shrunk
"""


def first_of_group(groups: str) -> dict[str, str]:
    """Map each word of some groups, one per line, to the first word of its group."""
    first_word_by_word = {}
    for line in groups.strip().splitlines():
        words = line.split()
        for word in words:
            first_word_by_word[word] = words[0]
    return first_word_by_word


_SYNONYM_OF_STEM = first_of_group(_SYNONYM_GROUPS)
_ROOT_OF_IRREGULAR_FORM = first_of_group(_IRREGULAR_FORMS)
# Countries, states and cities are names in any position and any case. For a name of several words
# the last word is listed.
PLACE_NAMES = frozenset(
    "china mexico russia iran iraq canada germany japan israel syria afghanistan france india "
    "arabia korea cuba libya ukraine turkey pakistan egypt brazil venezuela italy spain england "
    "britain sweden australia poland greece yemen vietnam taiwan haiti guatemala honduras "
    "nicaragua ireland scotland norway denmark finland netherlands texas florida ohio wisconsin "
    "virginia georgia california oregon arizona illinois michigan pennsylvania colorado nevada "
    "iowa missouri alabama tennessee massachusetts hampshire maryland minnesota carolina indiana "
    "kansas utah maine alaska hawaii idaho montana wyoming nebraska oklahoma arkansas louisiana "
    "mississippi kentucky vermont connecticut delaware dakota chicago detroit milwaukee houston "
    "dallas austin atlanta miami boston baltimore philadelphia".split()
)


def stem(word: str) -> str:
    """Return a word without its ending; of synonyms, the stem of the first.

    "kids" and "children" have one stem.
    """
    word = word.removesuffix("'s").rstrip(".,")
    for ending in ("ies", "es", "ed", "ing", "s", "d", "ly"):
        stem_length = len(word) - len(ending)
        if word.endswith(ending) and stem_length >= MIN_STEM_LETTERS:
            word = word.removesuffix(ending)
            if ending == "ies":  # "cities" to "city"
                word += "y"
            break
    return _SYNONYM_OF_STEM.get(word, word)


def content_stem(word: str) -> str:
    """Return the stem by which two texts are compared: "close", "closed" and "closes" have one.

    Unlike ``stem``, which trained rankers depend on, it leaves the last letter of "road" alone.
    """
    ends_in_bare_d = word.endswith("d") and not word.endswith("ed")
    word_stem = stem(f"{word}s") if ends_in_bare_d else stem(word)
    if len(word_stem) <= MIN_STEM_LETTERS:
        return word_stem
    return word_stem.removesuffix("e")


@lru_cache(maxsize=1 << 16)
def topic(word: str) -> str:
    """Return the topic of a word in small letters: the first letters of its stem.

    It is empty for a word of little content. "bankrupted" and "bankruptcy", "lost" and "losing",
    "immigrants" and "immigration" have one topic.
    """
    if len(word) < 2 or not word[0].isalpha():
        return ""
    if word in FILLER_WORDS or word.endswith("n't"):
        return ""
    word_stem = stem(_ROOT_OF_IRREGULAR_FORM.get(word, word)).removesuffix("e")
    return _SYNONYM_OF_STEM.get(word_stem, word_stem)[:TOPIC_LETTERS]
