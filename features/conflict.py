"""What stands against two texts making the same claim, read from their words alone. Texts in, names of conflicts out.

Two sentences make the same claim if the same facts would settle them. Each rule finds one way in which that fails: the
figures, years or names of one stand against those of the other; one says up where the other says down; one denies, or
only supposes, what the other says; one speaks of all where the other speaks of some; or one repeats the other almost
word for word and yet has a word of its own in the middle. Knows English; what it cannot read is no conflict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from features import agreement
from features.agreement import Particulars

CONFLICTS = ("figures", "years", "names", "direction", "denial", "supposition", "scope", "wording")
NEAR = 0.6  # from this share of the statement's words on, in their order, a sentence repeats it almost word for word
ENOUGH = 4  # shared words that make a repetition
CLOSE = 0.4  # below it, what one text names or denies may have nothing to do with what they share

_DIRECTIONS = (
    (r"rose|risen|ris(?:es|ing)|grow(?:s|n|ing)?|grew|increas\w*|up|higher|highest|gain\w*|more|most|doubl\w+|surg\w+",
     r"fell|fall(?:s|en|ing)?|shr[aiu]nk\w*|decreas\w*|declin\w*|reduc\w*|down|lower|lowest|lost|los(?:es|ing|e)|"
     r"less|least|few|fewer|fewest|halved|drop\w*|cut\w*|slash\w*"),
    (r"support\w*|favou?r\w*|for|back(?:s|ed|ing)", r"oppos\w*|against"),
    (r"best|better|strong(?:er|est)?|good|great(?:er|est)?", r"worst|worse|weak(?:er|est|en\w*)?|bad|terrible"),
    (r"rais(?:e[sd]?|ing)|hik(?:e[sd]?|ing)", r"lower(?:s|ed|ing)?|cut(?:s|ting)?"),
    (r"larg(?:er|est)|bigg(?:er|est)|rich(?:er|est)?", r"small(?:er|est)|poor(?:er|est)?"),
    (r"creat(?:e[sd]?|ing)|sav(?:e[sd]?|ing)|keep(?:s|ing)?|kept", r"destroy\w*|kill\w*|wip\w+ out|los(?:es?|t|ing)"),
    (r"allow\w*|permit\w*|legal(?:i[sz]e\w*)?|open\w*",
     r"forb\w+|ban(?:s|ned|ning)?|illegal|prohibit\w*|clos(?:ed?|es|ing)"),
    (r"won|win(?:s|ning)?", r"lost|los(?:es?|ing)"), (r"major\w*|many", r"minor\w*|few"),
    (r"eas(?:y|ier)", r"hard(?:er)?|difficult"), (r"deficit\w*", r"surplus\w*"),
)  # fmt: skip
_PAIRED = tuple((re.compile(rf"\b(?:{a})\b"), re.compile(rf"\b(?:{b})\b")) for a, b in _DIRECTIONS)
_DENIED = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't|fail(?:s|ed)? to|refus(?:e[sd]?|ing)|"
    r"den(?:y|ied|ies|ying)|stopped|rather than)\b"
)
_NOT_DENIED = re.compile(
    r"\bnot (?:only|just|even)\b|\bno (?:doubt|question|wonder|matter|longer)\b|\bwhether or not\b|\bno\. \d|"
    r"\bwhy (?:not|do\w*n't)\b|"
    r"\b(?:you|i|we) (?:do not|don't|didn't|wouldn't) (?:know|think|believe|want to|have to)\b|"
    r"\b(?:isn|aren|don|doesn|didn|won)'t (?:it|they|you|we|he|she)\b"
)
_FALSE = r"(?:false|untrue|a lie|lies?|wrong|nonsense|bogus|hoax|myth|fiction|ridiculous|not (?:true|so|right|correct))"
_REJECTED = re.compile(
    rf"\b(?:is|was|are|that's|it's|be|just|simply|totally|completely|flat|flat-out) (?:a |an |all )?{_FALSE}\b|"
    r"\b(?:isn't|wasn't|ain't|not) (?:so|true|right|correct|the case)\b|\bmyth that\b|\bnot one word\b|\bno truth\b|"
    r"\b(?:reject|dispute|debunk\w*|disprov\w+|refut\w+)\b|\bnever happened\b|\bno such thing\b|"
    r"\bdon't believe (?:any|them|it|him|her|those|what)|\bno (?:proof|evidence) (?:that|for|of)\b|"
    r"\b(?:said|told you|claim\w*|says?|thinks?) .{0,200}\b(?:is|was|were|are) (?:wrong|lying|mistaken|false)\b"
)
_SUPPOSED = re.compile(
    r"^(?:and |but |so |well,? |now,? )*(?:even )?(?:if|suppose|imagine|assume|let's say|let us say|what if|what would|"
    r"what will|god forbid|say that)\b|\b(?:imagine a|one day|some ?day|from now|in the future|would you do if|"
    r"not be surprised if|i (?:worry|fear|hope|wish|expect|predict|bet|pray) |(?:might|may) (?:one|some) ?day|"
    r"the idea that|remains to be seen|what would happen|my plan is|we will see whether)\b"
)
_TAG = re.compile(r"\b(?:ok|okay|right|huh|folks|you know|yes|correct|do you|isn't it|did they|do they)\?$")
_ONLY_THERE = re.compile(r"^\S+ (?:in|among|during|for|at|within|outside|near|under|on) (?:[\w'-]+ ?){1,4}[.!?]?$")
_ALL = re.compile(
    r"\b(?:all|every|everyone|everybody|each|entire|always|everywhere|anywhere|any|throughout|whole|completely|totally)\b"
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\$?\d[\d,.]*%?")
_FILLER = frozenset(
    "a an the of to in on at by for from with and or but nor so that this these those it its he she they them "
    "their his her him i we you your our my me us is are was were be been being am has have had do does did will "
    "would can could should may might must as than then there here who whom which what when where why how if "
    "because while now just also even still very really well uh um okay ok look folks like know mean frankly "
    "right about around nearly almost roughly some over more under percent up out get got going go said say says "
    "told people believe think want that's it's he's she's they're we're i'm i've we've you're there's don't "
    "let's actually basically already quite too much lot lots thing things back one approximately close probably "
    "simply literally tremendous tremendously great big huge incredible incredibly er ah hmm honestly honest "
    "speak let tell friends friend see listen quote trust".split()
)


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
# Countries and states are names wherever they stand and however they are written; of several words, the last one.
_PLACES = frozenset(
    "china mexico russia iran iraq canada germany japan israel syria afghanistan france india arabia korea cuba "
    "libya ukraine turkey pakistan egypt brazil venezuela italy spain england britain sweden australia poland "
    "greece yemen vietnam taiwan haiti guatemala honduras nicaragua ireland scotland norway denmark finland "
    "netherlands texas florida ohio wisconsin virginia georgia california oregon arizona illinois michigan "
    "pennsylvania colorado nevada iowa missouri alabama tennessee massachusetts hampshire maryland minnesota "
    "carolina indiana kansas utah maine alaska hawaii idaho montana wyoming nebraska oklahoma arkansas louisiana "
    "mississippi kentucky vermont connecticut delaware dakota chicago detroit milwaukee houston dallas austin "
    "atlanta miami boston baltimore philadelphia".split()
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules read of one text: its content words in order, bare of their endings, and where each begins."""

    lower: str
    told: Particulars
    words: tuple[str, ...]
    places: tuple[int, ...]
    rejects: bool
    supposes: bool

    def span(self, first: int, last: int) -> str:
        """Return the text from two words before the content word ``first`` to the end of the content word ``last``."""
        before = self.lower[: self.places[first]].split()[-4:]
        return " ".join(before) + " " + self.lower[self.places[first] : self.places[last]] + " " + self.words[last]


@lru_cache(maxsize=1 << 17)
def reading(text: str) -> Reading:
    """Return what the rules read of a text."""
    lower = text.casefold().replace("’", "'").replace("affordable care act", "obamacare")
    found = [match for match in _WORD.finditer(lower) if match[0] not in _FILLER]
    asks = lower.rstrip().endswith("?") and not _TAG.search(lower)
    return Reading(
        lower,
        agreement.particulars(text),
        tuple(stem(match[0]) for match in found),
        tuple(match.start() for match in found),
        bool(_REJECTED.search(lower)),
        asks or bool(_SUPPOSED.search(lower)),
    )


def conflicts(sentence: str, statement: str) -> frozenset[str]:
    """Return the names of what stands against the two making the same claim, of ``CONFLICTS``."""
    ours, theirs = reading(sentence), reading(statement)
    same = [block for block in _blocks(ours.words, theirs.words) if block.size]
    shared = sum(block.size for block in same)
    share = shared / len(theirs.words) if theirs.words else 0.0
    near, close = share >= NEAR, share >= CLOSE
    found = {
        "figures": _figures(ours.told, theirs.told, near),
        "years": _years(ours.told, theirs.told, near),
        "names": close and _names(ours, theirs, same),
        "direction": turned(ours.lower, theirs.lower),
        "denial": (ours.rejects and not theirs.rejects) or (close and _denied(ours, theirs, same)),
        "supposition": close and ours.supposes and not theirs.supposes,
        "scope": near
        and bool(_ALL.search(ours.lower[: ours.places[same[-1].b + same[-1].size - 1]]))
        and not _ALL.search(theirs.lower),
        "wording": near and shared >= ENOUGH and (added(ours.words, theirs.words) or _trailing(ours, theirs, same)),
    }
    return frozenset(name for name, there in found.items() if there)


def _blocks(ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Match]:
    """The runs of words that both have in the same order; the last one is empty and ends both."""
    return SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()


def added(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether the sentence has content words of its own between those it repeats; figures aside."""
    same = [block for block in _blocks(ours, theirs) if block.size]
    inside = {word for one, other in pairwise(same) for word in ours[one.b + one.size : other.b]}
    return any(not any(map(str.isdigit, word)) for word in inside - set(theirs))


def _trailing(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """Whether the sentence goes on where the statement ends, to say where, when or for whom only."""
    last = same[-1]
    end = last.b + last.size
    if last.a + last.size < len(theirs.words) or end == len(ours.words) or ours.words[end] in theirs.words:
        return False
    return bool(_ONLY_THERE.search(ours.lower[ours.places[end - 1] :]))


def turned(ours: str, theirs: str) -> bool:
    """Return whether one text has a direction and the other its opposite, and neither has both."""
    for one, other in _PAIRED:
        ups, downs = bool(one.search(ours)), bool(other.search(ours))
        if ups != downs and (ups, downs) == (bool(other.search(theirs)), bool(one.search(theirs))):
            return True
    return False


def stem(word: str) -> str:
    """Return a word without the ending of its form, the first of its synonyms: "kids" and "children" are one."""
    word = word.removesuffix("'s").rstrip(".,")
    for ending in ("ies", "es", "ed", "ing", "s", "d", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return _SYNONYMS.get(word, word)


def _span(ours: Reading, same: list[Match]) -> str:
    """The sentence from the first to the last word that it shares."""
    return ours.span(same[0].b, same[-1].b + same[-1].size - 1)


def _figures(ours: Particulars, theirs: Particulars, near: bool) -> bool:
    """Figures of one kind left over on both sides; in a near repetition, one of the statement's that is not said."""
    left = agreement.numbers(ours, theirs)
    return bool(left.clashing) or (near and left.shared < len(theirs.numbers))


def _years(ours: Particulars, theirs: Particulars, near: bool) -> bool:
    """Another year; in a near repetition, also a year that only the sentence names."""
    apart = bool(ours.years and theirs.years) and not ours.years & theirs.years
    return apart or (near and bool(ours.years - theirs.years))


def _names(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """A name stands where the other text has another name: between the same shared words, and neither is in both."""
    ends = [Match(0, 0, 0), *same, Match(len(theirs.words), len(ours.words), 0)]
    left, right = _left(ours, theirs), _left(theirs, ours)
    return any(
        left & set(ours.words[one.b + one.size : other.b]) and right & set(theirs.words[one.a + one.size : other.a])
        for one, other in pairwise(ends)
    )


def _left(told: Reading, other: Reading) -> set[str]:
    """The names that the other text has nowhere, not even in small letters, as content words."""
    named = told.told.names | (told.told.words & _PLACES)
    return {stem(name) for name in named if name not in other.told.words} - set(other.words)


def _denied(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """Whether just one of the two denies, looked at from the first to the last word that they share."""
    first, last = same[0], same[-1]
    spans = _span(ours, same), theirs.span(first.a, last.a + last.size - 1)
    one, other = (len(_DENIED.findall(_NOT_DENIED.sub(" ", span))) % 2 for span in spans)
    return one != other
