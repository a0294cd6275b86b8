"""Stems of words, with synonyms and irregular forms as one ("kids" and "children"), and names of places."""

from __future__ import annotations

from functools import lru_cache

from features.language.function_words import FILLER

_SYNONYMS = {
    word: words.split()[0]
    for words in (
        "children kid child pupil student youngster", "job position", "country nation america",
        "coverage insuranc plan",
        "gun firearm", "polic cop", "car auto vehicl", "lawyer attorney", "money fund cash dollar", "wage salary pay",
        "law bill legislation", "company busines firm corporation", "illegal undocument", "immigrant migrant alien",
        "buy purchas", "begin start began", "end stop", "help aid", "huge larg", "receiv get got",
        "home hous", "tax levy",
        "kill murder die death died", "woman women female", "man men male", "doctor physician", "vote ballot",
        "cut slash",
        "rais increas hike", "claim say alleg", "show reveal", "destroy wreck ruin", "poor low-incom", "rich wealthy",
    )
    for word in words.split()
}  # fmt: skip
_ROOTS = {
    form: forms.split()[0]
    for forms in (
        "give gave given giving", "lose lost losing", "spend spent", "pay paid", "take took taken taking",
        "make made making", "rise rose risen rising", "fall fell fallen", "grow grew grown", "buy bought",
        "bring brought", "leave left leaving", "win won winning", "sell sold", "steal stole stolen", "keep kept",
        "send sent", "hold held", "lead led", "build built", "come came coming", "choose chose chosen", "teach taught",
        "drive drove driven", "run ran running", "shrink shrank shrunk",
    )
    for form in forms.split()
}  # fmt: skip
# Countries, states and cities are names in any position and any case; of names of several words,
# the last word.
PLACES = frozenset(
    "china mexico russia iran iraq canada germany japan israel syria afghanistan france india arabia korea cuba "
    "libya ukraine turkey pakistan egypt brazil venezuela italy spain england britain sweden australia poland "
    "greece yemen vietnam taiwan haiti guatemala honduras nicaragua ireland scotland norway denmark finland "
    "netherlands texas florida ohio wisconsin virginia georgia california oregon arizona illinois michigan "
    "pennsylvania colorado nevada iowa missouri alabama tennessee massachusetts hampshire maryland minnesota "
    "carolina indiana kansas utah maine alaska hawaii idaho montana wyoming nebraska oklahoma arkansas louisiana "
    "mississippi kentucky vermont connecticut delaware dakota chicago detroit milwaukee houston dallas austin "
    "atlanta miami boston baltimore philadelphia".split()
)


def stem(word: str) -> str:
    """Return a word without the ending of its form, the first of its synonyms.

    "kids" and "children" are one.
    """
    word = word.removesuffix("'s").rstrip(".,")
    for ending in ("ies", "es", "ed", "ing", "s", "d", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return _SYNONYMS.get(word, word)


@lru_cache(maxsize=1 << 16)
def topic(word: str) -> str:
    """Return what a word in small letters is about.

    Its stem's first six letters, nothing if it has little content.

    So "bankrupted" and "bankruptcy", "lost" and "losing", "immigrants" and "immigration" are one.
    """
    if word in FILLER or len(word) < 2 or not word[0].isalpha() or word.endswith("n't"):
        return ""
    bare = stem(_ROOTS.get(word, word)).removesuffix("e")
    return _SYNONYMS.get(bare, bare)[:6]
