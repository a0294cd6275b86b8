"""Conflict between two texts.

What speaks against their making the same claim, by their words alone.

Two sentences make the same claim if the same facts would settle them. Each rule finds one way in
which that fails: the figures, years or names clash, or a name is a namesake's; one says up where
the other says down; one denies, or only supposes, what the other says; one speaks of all where the
other speaks of some; or one repeats the other almost word for word and yet has another word in the
middle, or adds a clause about a name. The rules are for English; what they cannot read is no
conflict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from features.language import agreement
from features.language.agreement import Particulars
from features.language.figures.date_comparison import compare, relation
from features.language.figures.numbers import COUNT, OVER, TIME, TIMES, UNDER, Figure, comparable
from features.language.figures.spelling import one_for_one
from features.language.function_words import FILLER
from features.language.namesakes import others
from features.language.stems import PLACES, stem

CONFLICTS = ("figures", "years", "names", "direction", "denial", "supposition", "scope", "wording")
NEAR = 0.6  # from this share of the statement's words on, in their order, a sentence repeats it almost word for word
VERBATIM = 0.8  # from here on, a word put in another's place is no rewording but another word
ENOUGH = 4  # shared words that make a repetition
ABOUT = 0.2  # below it, no opposite and no rejection is one of what the statement says
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
    r"\bnot (?:only|just|even)\b|\bno (?:doubt|question|wonder|matter|longer)\b|\bwhether or not\b|\bno\.? \d|"
    r"\bwhy (?:not|do\w*n't)\b|"
    r"\bno (?:(?:more|less) \w+|bigger|larger|greater|higher|better(?! off)|worse(?! off)|stronger|faster|older|richer|"
    r"poorer|safer|cleaner|cheaper|smaller|lower|longer|taller|tougher) (?:[\w'-]+ ){1,5}(?:anywhere|ever|on earth|"
    r"in (?:the|our|this|all|any) \w+)\b|"  # a superlative affirms: "no bigger plant anywhere"
    r"\b(?:you|i|we) (?:do not|don't|didn't|wouldn't) (?:know|think|believe|want to|have to)\b|"
    r"\b(?:isn|aren|don|doesn|didn|won)'t (?:it|they|you|we|he|she)\b"
)
_FALSE = r"(?:false|untrue|a lie|lies?|wrong|nonsense|bogus|hoax|myth|fiction|ridiculous|not (?:true|so|right|correct))"
_REJECTED = re.compile(
    rf"\b(?:is|was|are|that's|it's|be|just|simply|totally|completely|flat|flat-out) (?:a |an |all )?{_FALSE}\b|"
    r"\b(?:isn't|wasn't|ain't|not) (?:so|true|right|correct|the case)\b|\bmyth that\b|\bnot one word\b|\bno truth\b|"
    r"\b(?:reject|dispute|debunk\w*|disprov\w+|refut\w+)\b|\bnever happened\b|\bno such thing\b|"
    r"\bdon't believe (?:any|them|it|him|her|those|what)|\bno (?:proof|evidence) (?:that|for|of)\b|"
    r"\b(?:said|told you|claim\w*|says?|thinks?) .{0,200}\b(?:is|was|were|are) "
    r"(?:wrong|lying|mistaken|false|confused|misinformed|(?:way |far )?off (?:by|base|the mark))\b"
)
_SUPPOSED = re.compile(
    r"^(?:and |but |so |well,? |now,? )*(?:even )?(?:if|suppose|imagine|assume|let's say|let us say|what if|what would|"
    r"what will|god forbid|say that)\b|\b(?:imagine a|one day|some ?day|from now|in the future|would you do if|"
    r"not be surprised if|i (?:worry|fear|hope|wish|expect|predict|bet|pray) |(?:might|may) (?:one|some) ?day|"
    r"the idea that|remains to be seen|what would happen|my plan is|we will see whether)\b"
)
_OF_A_PLACE = frozenset("an ans ian ians ese ish n ns er ers".split())
_TAG = re.compile(
    r"\b(?:ok|okay|right|huh|folks|you know|yes|correct|do you|isn't it|did they|do they)\?$"
)
_ONLY_THERE = re.compile(
    r"^\S+ (?:in|among|during|for|at|within|outside|near|under|on) [\w'-]+(?: [\w'-]+){0,3} ?[.!?]?$"
)
_ALL = re.compile(
    r"\b(?:all|every|everyone|everybody|each|entire|always|everywhere|anywhere|(?<!hardly )any|"
    r"throughout|whole|completely|totally)\b"
)
_TOLD_OF = re.compile(
    r"(?:\b[A-Z][\w.'’-]{0,60}|\bU\.S\.), (?P<clause>(?:(?:through|in|of|on|for|to|from|with|by|under) )?"
    r"(?:which|who|whose|whom|where)\b[^,.;:!?—]*)"
)
_REMARK = re.compile(
    r"^(?:which|who|that) (?:is|are|was|were) (?:so|too|very|really|totally|completely|just|pretty|what|why|how|not|"
    r"great|good|bad|terrible|wonderful|nice|fine|a (?:dis|shame|great|terrible|good|bad)\w*)\b|"
    r"\b(?:i|you|we|me|us|my|our)\b"
)
_FIGURE = "#"  # begins the word that stands for a figure of a kind, whatever its value
_OPENING = re.compile(r"^(?:says |said |that |[\"'“”‘ ])+")
_OBAMACARE = re.compile(r"affordable care act", re.I)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\$?\d[\d,.]*%?")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules use of one text.

    Its content words in order, without endings, and where each begins.
    """

    lower: str
    named: Particulars
    words: tuple[str, ...]
    places: tuple[int, ...]
    rejects: bool
    supposes: int
    clauses: tuple[frozenset[str], ...]
    text: str

    def span(self, first: int, last: int) -> str:
        """Return the text from two words before the content word ``first`` to the end of the content word ``last``."""
        before = self.lower[: self.places[first]].split()[-4:]
        return (
            " ".join(before)
            + " "
            + self.lower[self.places[first] : self.places[last]]
            + " "
            + self.words[last]
        )


@lru_cache(maxsize=1 << 17)
def reading(text: str) -> Reading:
    """Return what the rules use of a text."""
    text = agreement.plain(_OBAMACARE.sub("Obamacare", text))
    named = agreement.particulars(text)
    lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    figures = [(figure.start, figure.end, _FIGURE + figure.kind) for figure in named.numbers]
    figures += [(when.start, when.end, f"{_FIGURE}date") for when in named.dates]
    words = [
        (match.start(), match.end(), stem(match[0]))
        for match in _WORD.finditer(lower)
        if match[0] not in FILLER
    ]
    words = [
        word
        for word in words
        if not any(start < word[1] and word[0] < end for start, end, _ in figures)
    ]
    content = sorted([*words, *figures])
    asks = lower.rstrip().endswith("?") and not _TAG.search(lower)
    return Reading(
        lower,
        named,
        tuple(word for _, _, word in content),
        tuple(start for start, _, _ in content),
        bool(_REJECTED.search(lower)),
        asks + len(_SUPPOSED.findall(_OPENING.sub("", lower))) + ("even if" in lower),
        tuple(
            _content(clause)
            for clause in _TOLD_OF.findall(text)
            if not _REMARK.search(clause.casefold())
        ),
        text,
    )


def _content(text: str) -> frozenset[str]:
    """The content words of a text, without endings; figures are none."""
    words = (
        word for word in _WORD.findall(text.casefold()) if word not in FILLER and word[0].isalpha()
    )
    return frozenset(map(stem, words))


def conflicts(sentence: str, statement: str, event: int = 0, claimed: int = 0) -> frozenset[str]:
    """Return the names of what stands against the two making the same claim, of ``CONFLICTS``.

    ``event`` and ``said`` are the days (ordinals, 0 if unknown) that "last year" and its like count from.
    """
    ours = reading(sentence)
    theirs = reading(statement)
    same = [block for block in _blocks(ours.words, theirs.words) if block.size]
    shared, share = _shared(ours, theirs, same)
    near = share >= NEAR
    close = share >= CLOSE
    about = share >= ABOUT
    reversed_ = about and turned(ours.lower, theirs.lower)
    denied = bool(same) and _denied(ours, theirs, same)
    rules = {
        "figures": _figures(ours, theirs, same, near),
        "years": _years(ours, theirs, same, (event, claimed) if near else None),
        "names": (close and _names(ours, theirs, same))
        or (about and others(ours.text, theirs.text)),
        "direction": reversed_ and not denied,  # to deny the opposite is to say the same
        "denial": (about and ours.rejects and not theirs.rejects)
        or (close and denied and not reversed_),
        "supposition": close and ours.supposes > theirs.supposes,
        "scope": near
        and bool(_ALL.search(ours.lower[: ours.places[same[-1].b + same[-1].size - 1]]))
        and not _ALL.search(theirs.lower),
        "wording": near
        and shared >= ENOUGH
        and (added(ours.words, theirs.words, share >= VERBATIM) or _trailing(ours, theirs, same))
        or (near and _tells_more(ours, theirs)),
    }
    return frozenset(name for name, applies in rules.items() if applies)


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return where in a text words deny what it says: "not", "never", "didn't", "failed to"."""
    letters = (one_for_one(character) for character in text)
    lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in letters)
    bare = _NOT_DENIED.sub(lambda match: " " * len(match[0]), lower)
    return tuple(match.span() for match in _DENIED.finditer(bare))


def _shared(ours: Reading, theirs: Reading, same: list[Match]) -> tuple[int, float]:
    """How many words the two share in one order, and the share of the statement's words and figures that they have."""
    words = [
        word
        for block in same
        for word in theirs.words[block.a : block.a + block.size]
        if word[0] != _FIGURE
    ]
    length = len([word for word in theirs.words if word[0] != _FIGURE]) + len(theirs.named.numbers)
    pairs, _, _ = agreement.paired(ours.named.numbers, theirs.named.numbers)
    return len(words), (len(words) + len(pairs)) / length if length else 0.0


def _blocks(ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Match]:
    """The runs of words that both have in the same order; the last one is empty and ends both."""
    return SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()


def added(ours: tuple[str, ...], theirs: tuple[str, ...], verbatim: bool) -> bool:
    """Return whether the sentence has content words of its own between those it repeats.

    Figures aside.

    Where it is not ``verbatim``, words that stand in the place of others are a rewording, and only
    more words count.
    """
    same = [block for block in _blocks(ours, theirs) if block.size]
    gaps = [
        (one, other) for one, other in pairwise(same) if verbatim or one.a + one.size == other.a
    ]
    inside = {word for one, other in gaps for word in ours[one.b + one.size : other.b]}
    return any(
        not word.startswith(_FIGURE) and not any(map(str.isdigit, word))
        for word in inside - set(theirs)
    )


def _trailing(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """Whether the sentence goes on where the statement ends, to say where, when or for whom only."""
    last = same[-1]
    end = last.b + last.size
    if (
        last.a + last.size < len(theirs.words)
        or end == len(ours.words)
        or ours.words[end] in theirs.words
    ):
        return False
    return bool(_ONLY_THERE.search(ours.lower[ours.places[end - 1] :]))


def _tells_more(ours: Reading, theirs: Reading) -> bool:
    """Whether a relative clause about a name shares no word with the statement.

    "Ohio, where Edison was born".
    """
    return any(clause and clause.isdisjoint(theirs.words) for clause in ours.clauses)


def turned(ours: str, theirs: str) -> bool:
    """Return whether one text has a direction and the other its opposite, and neither has both."""
    for one, other in _PAIRED:
        ups = bool(one.search(ours))
        downs = bool(other.search(ours))
        if ups != downs and (ups, downs) == (bool(other.search(theirs)), bool(one.search(theirs))):
            return True
    return False


def _span(ours: Reading, same: list[Match]) -> str:
    """The sentence from the first to the last word that it shares."""
    return ours.span(same[0].b, same[-1].b + same[-1].size - 1)


def _figures(ours: Reading, theirs: Reading, same: list[Match], near: bool) -> bool:
    """Figures of one quantity left over on both sides.

    In a near repetition, one of the statement's left unsaid.
    """
    _, left, right = agreement.paired(ours.named.numbers, theirs.named.numbers)
    if not near:
        return any(_one_quantity(one, other) for one in left for other in right)
    if any(comparable(one, other) for one in left for other in right) or any(map(_age, left)):
        return True
    first, last = _shared_part(theirs, [block.a for block in same], same[-1].a + same[-1].size)
    goes_on = same[-1].b + same[-1].size < len(ours.words)
    return any(
        one.kind != TIMES and (first <= one.start < last or (goes_on and one.start >= last))
        for one in right
    )


def _one_quantity(one: Figure, other: Figure) -> bool:
    """Whether two figures are surely the same quantity, though their sentences differ.

    Counts of the same things.
    """
    return (
        comparable(one, other)
        and one.kind not in (TIME, TIMES)
        and (one.kind != COUNT or bool(one.units & other.units))
    )


def _age(figure: Figure) -> bool:
    """Whether a figure that only the sentence has narrows whom it speaks of.

    "over eighty", "under five".
    """
    return (
        figure.kind == COUNT
        and not figure.units
        and figure.hedge in (OVER, UNDER)
        and figure.high < 100
    )


def _shared_part(text: Reading, firsts: list[int], last: int) -> tuple[int, int]:
    """Where in a text the words that it shares begin and end, in characters."""
    return text.places[firsts[0]], text.places[last] if last < len(text.places) else text.places[
        last - 1
    ] + 1


def _years(ours: Reading, theirs: Reading, same: list[Match], days: tuple[int, int] | None) -> bool:
    """Another date; in a near repetition (``days`` given), also one that only the sentence has, or one left unsaid."""
    mine = ours.named.dates
    other = theirs.named.dates
    if compare([one for one in mine if one.fixed], [one for one in other if one.fixed]).clashing:
        return True
    if days is None:
        return False
    alone = [
        one for one in mine if not any(relation(one, counterpart, *days) for counterpart in other)
    ]
    unsaid = [
        counterpart
        for counterpart in other
        if not counterpart.fixed
        and abs(counterpart.count) > 1
        and not any(relation(one, counterpart, *days) for one in mine)
    ]
    goes_on = same[-1].b + same[-1].size < len(ours.words)
    return (
        bool(compare(mine, other, *days).clashing)
        or any(one.fixed for one in alone)
        or bool(unsaid and (alone or goes_on))
    )


def _names(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """A name stands where the other text has another name.

    Between the same shared words, and neither is in both.
    """
    ends = [Match(0, 0, 0), *same, Match(len(theirs.words), len(ours.words), 0)]
    left = _left(ours, theirs)
    right = _left(theirs, ours)
    return any(
        left & set(ours.words[one.b + one.size : other.b])
        and right & set(theirs.words[one.a + one.size : other.a])
        for one, other in pairwise(ends)
    )


def _left(ours: Reading, theirs: Reading) -> set[str]:
    """The names that the other text has nowhere, not even in small letters, as content words."""
    named = ours.named.names | (ours.named.words & PLACES)
    their_words = tuple(theirs.named.words)
    return {
        stem(name) for name in named if name not in their_words and not _form_of(name, their_words)
    } - set(theirs.words)


def _form_of(name: str, words: tuple[str, ...]) -> bool:
    """Whether a word of the other text is the name in another form.

    Russia and Russian, Arizona and Arizonans.
    """
    bare = name.rstrip("aeiouy")
    return len(bare) >= 4 and any(
        word.startswith(bare) and word[len(bare) :] in _OF_A_PLACE for word in words
    )


def _denied(ours: Reading, theirs: Reading, same: list[Match]) -> bool:
    """Whether just one of the two denies, looked at from the first to the last word that they share."""
    first = same[0]
    last = same[-1]
    spans = _span(ours, same), theirs.span(first.a, last.a + last.size - 1)
    one, other = (len(set(_DENIED.findall(_NOT_DENIED.sub(" ", span)))) % 2 for span in spans)
    return one != other
