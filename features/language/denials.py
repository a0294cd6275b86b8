"""Denials and rejections in English: "not", "never", "failed to", "that is a lie"."""

from __future__ import annotations

import re
from functools import lru_cache

from features.language.figures.spelling import plain_character
from features.language.function_words import FUNCTION_WORDS
from features.language.interchangeable_words import are_interchangeable
from features.language.pattern_parts import any_of
from features.language.stems import content_stem

MAX_COMMON_LETTERS = 7  # compared between a word and its negative form: "legally", "illegal"

_DENIAL_PATTERN = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't|fail(?:s|ed)? to|"
    r"refus(?:e[sd]?|ing)|(?:has|have|had|'ve|'s) yet to|"
    r"den(?:y|ied|ies|ying)|stopped(?= [a-z]+ing\b)|rather than|"
    r"far from(?= (?:[a-z]+ing|being|true)\b)|anything but)\b"
)
NOBODY_DENIES = (
    r"\b(?:nobody|no one|none) (?:here |in [a-z]+ )?(?:can |could |would )?(?:den(?:y|ies|"
    r"ied)|dispute[sd]?|doubt(?:s|ed)?)\b"
)
_NOT_A_DENIAL_PATTERN = re.compile(
    any_of(
        r"\b(?:not|\w+n't) (?:only|just|merely|simply)\b",
        r"\bno (?:doubt|question|wonder|matter|longer)\b",
        r"\bor not\b",
        r"\bno(?:\.| |\. )\d",
        r"\bwhy (?:not|do\w*n't)\b",
        # "We should not be paying it" says that we pay it.
        r"\b(?:should not|shouldn't|ought not to) (?:be [a-z]{3,}ing|have(?! (?:an?|the|any|"
        r"no|so|such|our|my|this|that|these|those)\b))\b",
        # "She told them no, it was the mayor"
        r"\bno(?=, (?:i|you|he|she|it|we|they|this|that|these|those|the)\b)",
        # "None but the mayor" is only the mayor.
        r"\b(?:nobody|no one|none|nothing|no [a-z]+) (?:but|except|besides|other than)\b",
        r"\b(?:can't|cannot|can not|couldn't) (?:believe|deny|stress|overstate)\b",
        r"\bno secret\b",
        # "It didn't stop sailing" says that it sails.
        r"\b(?:not|never|\w+n't) (?:yet |ever |even )?(?:stop|stopped|quit) (?=[a-z]+ing\b)",
        r"\b(?:not|never|n't) (?:kid|fool) (?:ourselves|yourselves|yourself)\b",
        NOBODY_DENIES,
        r"\bno denying\b",
        r"\b(?:can't|cannot|can not|couldn't|not) (?:make|making) (?:it|this|that|these|"
        r"stuff) up\b",
        # A vote against something is a direction.
        r"\b(?:vote[sd]?|voting) no\b",
        r"\b(?:not|never|cannot|can't|don't|didn't|won't|mustn't|shouldn't) (?:(?:ever|"
        r"even) )?(?:forget|overlook|ignore)\b",
        # A superlative affirms: "no bigger plant anywhere"
        r"\bno (?:(?:more|less) \w+|bigger|larger|greater|higher|better(?! off)|worse(?! off)|"
        r"stronger|faster|older|richer|poorer|safer|cleaner|cheaper|smaller|lower|longer|"
        r"taller|tougher) (?:[\w'-]+ ){1,5}(?:anywhere|ever|on earth|in (?:the|our|this|all|"
        r"any) \w+)\b",
        r"\b(?:you|i|we) (?:do not|don't|didn't|wouldn't) (?:know|think|believe|want to|"
        r"have to)\b",
        r"\b(?:isn|aren|don|doesn|didn|won)'t (?:it|they|you|we|he|she)\b",
    )
)
_FALSE = (
    r"(?:false|untrue|a lie|lies?|wrong|nonsense|bogus|hoax|myth|fiction|fairy tale|"
    r"fable|fantasy|figment|"
    # "It's ridiculous that we pay it" says that we pay it.
    r"ridiculous(?! (?:that|how)\b)|"
    r"not (?:true|so|right|correct))"
)
_REJECTION_PATTERN = re.compile(
    any_of(
        r"\b(?:is|was|are|that's|it's|be|just|simply|totally|completely|flat|flat-out) (?:a |"
        rf"an |all )?{_FALSE}\b",
        r"\b(?:isn't|wasn't|ain't|not) (?:so|true|right|correct|the case)\b",
        r"\bmyth that\b",
        r"\bnot one word\b",
        r"\bno truth\b",
        r"\b(?:reject|dispute|debunk\w*|disprov\w+|refut\w+)\b",
        r"\bnever happened\b",
        r"\bno such thing\b",
        r"\bdon't believe (?:any|them|it|him|her|those|what)",
        r"\bno (?:proof|evidence) (?:that|for|of)\b",
        r"\b(?:said|told you|claim\w*|says?|thinks?) .{0,200}\b(?:is|was|were|are) (?:wrong|"
        r"lying|mistaken|false|confused|misinformed|(?:way |far )?off (?:by|base|the mark))\b",
    )
)

_STORY = r"(?:[a-z]+ )?(?:story|claim|lie|tale|thing|number|figure|idea|quote|charge|rumou?r)"
# "They made it up that", "they fabricated a story that", "he lied when he said"
_INVENTION_PATTERN = re.compile(
    any_of(
        r"\b(?<!not )(?<!n't )(?:made|makes|making) (?:(?:it|that|this|these|those|"
        rf"the {_STORY}) up|up (?:the|a|this|that|some) {_STORY})\b",
        r"\b(?:invented|fabricated|concocted|dreamed up|dreamt up|cooked up|"
        rf"faked) (?:it\b(?! in\b)|(?:the|a|this|that) {_STORY}\b)",
        r"\blied (?:when|that|and said|by saying)\b",
        # "He lied about his past, and he sold the pier" calls the sale no lie.
        r"\blied about\b(?![^,.;]{0,80}, (?:and|but) )",
        r"\b(?:further|farther) from the truth\b",
        r"\b(?:take|took|taken|taking|walk|walked|walking) back (?:his|her|their|the|that|"
        r"a) [a-z]+ that\b",
        r"\bretract(?:s|ed|ing)? (?:his|her|their|the|that|a|its) [a-z]+ that\b",
        r"\bfalsely (?:claim|say|said|accus|stat|assert|alleg|suggest|told|report)\w*",
        r"\b(?:spread|spreads|spreading) (?:the |a |this )?(?:lies?|falsehoods?|rumou?rs?|"
        r"nonsense)\b",
        r"\b(?:pure|sheer|utter|total) (?:fiction|fantasy|invention|fabrication|nonsense)\b",
    )
)
# "Oh sure, and vaccines contain chips", "vaccines contain chips, my foot"
_SARCASM_PATTERN = re.compile(
    any_of(
        r"^(?:well,? |ha,? )*(?:oh,? sure|yeah,? right|sure,? right|yeah,? sure|oh,? yeah|"
        r"as if|oh,? of course|what (?:a joke|a load|nonsense|garbage|rubbish)|"
        r"give me a break|tell me another)\b(?=,| and\b)",
        r", (?:yeah,? right|my foot|my eye|as if|tell me another(?: one)?|"
        r"and pigs (?:can )?fly|and (?:i'm|i am) the (?:pope|queen|king|tooth fairy|"
        r"easter bunny|emperor)[^.]{0,20}|in your dreams|nice try)[.!]*$",
        r"^(?:right,? |sure,? |yeah,? )?(?:and )?(?:next )?i suppose\b",
        r"\? (?:come on|oh,? please|please|seriously|get real|are you kidding(?: me)?|"
        r"give me a break)[.!?]*$",
    )
)

# "Not a single person was killed by it" denies all after its subject.
_FLAT_DENIAL_PATTERN = re.compile(
    r"\b(?:"
    + any_of(
        r"not (?:a single|one)(?: (?:person|one|man|woman|soul))?",
        r"(?:no one|nobody)(?! (?:but|except|besides|other than)\b)(?! (?:here )?(?:can |"
        r"could |would )?(?:den(?:y|ies)|disput|doubt))",
        r"zero",
        r"none of (?:us|you|them|the|these|those|our|my|his|her|its|their)",
        r"no(?= [a-z]+(?: [a-z]+)? (?:is|are|was|were|has|have|had|will|would|can|could|did|"
        r"does|ever)\b)",
    )
    + r")\s(?P<denied>[^.,;:!?—–]{1,120})"
)
# "No ferry carries more cars than ours" and "there has never been a ferry like ours" rank ours
# first.
_UNEQUALLED_PATTERN = re.compile(
    any_of(
        r"\b(?:no|nobody|none|never|nothing|nowhere|there (?:isn't|is not|aren't|are not|"
        r"wasn't|weren't) (?:an?|any|another))\b[^.;:!?—–]{0,80}?\b(?:(?:more|less|worse|"
        r"[a-z]{2,}er)\b[^.;:!?—–]{0,60}?\bthan\b(?! (?:\$?\d|half|an?\b))|"
        r"as [a-z]+\b[^.;:!?—–]{0,60}?\bas\b|like (?:this|that|it|him|her|them|me|us|mine|"
        r"ours)\b)",
        # "No other town has that many"
        r"\bno (?:other|one else)\b[^.;:!?—–]{0,80}?\b(?:that|so|as|this) (?:many|much|"
        r"often|few|fast|high|low|long)\b",
        # "We haven't seen prices this high in forty years"
        r"\b(?:\w+n't|never|not|hardly)\b[^.;:!?—–]{0,60}?\b(?:this|that|so|as|"
        r"such) (?:high|low|bad|good|many|few|much|little|large|big|small|strong|weak|fast|"
        r"slow|long|short|hot|cold|deep|wide|old|young|rich|poor|expensive|cheap|dangerous|"
        r"safe)\b(?! (?:[a-z]+ ){0,3}?as\b)[^.;:!?—–]{0,30}?\b(?:in|since|for|before|ever|"
        r"until)\b",
    )
)
# "The pier has never been busier", "no mayor has done more for the pier"
_NEVER_MORE_PATTERN = re.compile(
    r"\b(?:no|nobody|never|none|nothing)\b[^.,;:!?—–]{0,40}?\b(?:been|done|had|made|"
    r"seen|given|paid|spent) (?:(?:so much |any )?(?:more|less|fewer|better|"
    r"worse)\b(?! than\b)|(?<=been )(?!(?:und|ov|aft|eith|togeth|anoth|sob|ev|"
    r"nev)er\b)[a-z]{2,}er\b(?! than\b))"
)
# "The law bans it" for "you may not do it", "wages were flat" for "wages did not rise"
_DENYING_VERB_PATTERN = re.compile(
    r"\b(?:"
    + any_of(
        r"ban(?:s|ned|ning)?",
        r"bar(?:s|red|ring)?",
        r"prohibit\w*",
        r"forbid\w*",
        r"forbade",
        r"outlaw\w*",
        r"prevent\w*",
        r"block(?:s|ed|ing)?",
        r"halt\w*",
        r"cancel\w*",
        r"stop(?:s|ping)?",
        r"lack(?:s|ed|ing)?",
        r"flat",
        r"frozen",
        r"froze",
        r"stagnant",
        r"unchanged",
        r"stalled",
        r"unable",
        r"impossible",
        r"illegal",
        r"unlawful",
        r"against the law",
        r"denied",
        r"exclude[sd]?",
        r"excluding",
        r"omit(?:s|ted)?",
        r"leave[s]? out",
        r"left out",
        r"the same",
        r"no longer",
        r"r[au]n(?:s|ning)? out",
        r"still (?:smaller|lower|below|less|fewer|worse|behind|short of)",
    )
    + r")\b"
)
# "It is not true that he sold the pier"
_REJECTED_CLAUSE_PATTERN = re.compile(
    r"\bit(?:'s| is| isn't| is not)(?: simply| just| totally|"
    rf" completely)? (?:a |an |not )?(?:{_FALSE}|true|so|the case) that\b"
)
# "Every state except Ohio has one" and "Ohio is the only state without one" say the same.
_EXCEPTION_PATTERN = re.compile(
    any_of(
        r"\b(?:every|all|all the|each) other\b",
        r"\b(?:everybody|everyone) else\b",
        r"\b(?:every|all|each|everybody|everyone)\b[^.;:!?—–]{0,40}?\b(?:except(?: for)?|"
        r"but|save|other than|apart from|aside from|besides)\b",
    )
)
_ONLY_ONE_WITHOUT_PATTERN = re.compile(
    r"\b(?:only|alone|sole|lone)\b[^.;:!?—–]{0,40}?"
    r"(?:\b(?:not|never|no|without|lacks?|lacking|fails to|refuses to)\b|n't\b)"
)
# "Who denies that it sank?" and "no one can deny that it sank" say that it sank.
_RHETORICAL_DENIAL_PATTERN = re.compile(
    any_of(
        r"(?:^|[.!?;:] )(?:and |but |so |now,? )*who (?:here |in [a-z]+ |(?:would|could|can|"
        r"will) )?(?:den(?:y|ies)|disputes?|doubts?)\b",
        NOBODY_DENIES,
    )
)
_NIL_PATTERN = re.compile(r"\b(?:zero|nothing|nada|none)\b|\$0\b(?!\.)")
_NOT_ONE_COIN_PATTERN = re.compile(
    r"(?:\bnot|\bnever|n't|\bwithout)\b[^.,;:!?]{0,30}\b(?:an?|one|a single|a red) "
    r"(?:penny|nickel|dime|cent|dollar|thing)\b|"
    # "Never a single banker", which is zero bankers
    r"(?:\bnot|\bnever|n't|\bwithout|\bno)\b[^.,;:!?]{0,30}\b(?:a single|even one|any)\b"
)
_NIL_AMOUNT_PATTERN = re.compile(r"\bzero\b|\$0\b(?!\.)|\b0 (?:dollars|percent|cents)\b")
_NO_AMOUNT_PATTERN = re.compile(r"\b(?:nothing|no|none|nada)\b")
# "For the first time in 15 years" and "that hadn't happened in 15 years"
_FIRST_TIME_PATTERN = re.compile(r"\bfirst\b")
_NONE_BEFORE_PATTERN = re.compile(
    r"\b(?:no|none|nobody|never|not)\b.{0,80}\b(?:until|till|before)\b|"
    r"\b(?:until|till|before) .{1,40}(?:\b(?:no|none|nobody|never)\b|n't\b)|"
    # "Have not risen in 15 years" says that they still have not.
    r"(?:\b(?:never|not)\b|n't\b)(?<!have not)(?<!has not)(?<!haven't)(?<!hasn't).{0,60}"
    r"\b(?:until|before|(?:in|for) (?:\d+|[a-z-]+) (?:years|decades))\b"
)
# "The last time was 1997" and "not since 1997"
_LAST_TIME_PATTERN = re.compile(
    r"\blast time\b|\bit(?:'s| has) been since\b|\bsince\b.{0,40}\blast\b"
)
_NOT_SINCE_PATTERN = re.compile(r"(?:\bnot|\bnever|n't)\b.{0,80}\bsince\b")
_NOT_WITHOUT_PATTERN = re.compile(
    r"(?:\b(?:no|not|never|nobody|cannot)\b|n't\b)[^.;:!?]{1,80}\b(?:without|unless)\b"
    r"(?P<condition>[^.,;:!?]*)"
)
# "You only need a license" leaves open whether you need more.
_NEED_PATTERN = re.compile(
    r"(?<!only )\b(?:needs?|needed|must|require[sd]?|have to|has to)\b(?P<needed>[^.,;:!?]*)|"
    r"\bonly\b(?! needs?\b)(?P<only>[^.,;:!?]*)"
)
# "Unsafe", "illegal", "nonviolent", "homeless"
_NEGATIVE_WORD_PATTERN = re.compile(
    any_of(
        r"(?:un|non|non-|dis|im(?=[mp])|il(?=l)|ir(?=r)|in(?=[acdesv]))(?P<base>[a-z]{4,})",
        r"(?P<noun>[a-z]{3,})less",
    )
)
_WORDS_LIKE_NEGATIVES = (
    "disclose discharge dispatch displease dispose dissolve distract dismiss dismissed "
    "disperse implant imprison impress inform insight install invent inflammable invaluable "
    "intense indebted unloose reckless wireless illness under until union unions united unit "
    "units unless unlike discuss district distance disease discover important imported import "
    "imports impact improve impose increase include including income indeed inside invest "
    "investment investments inspector instead insurance inflation industry industries "
    "individual individuals innocent inmates inmate indian indians indiana unemployment "
    "dispute display distribution distributed disaster discount regardless express incident "
    "invasion invade invaded intended insure insured insurer".split()
)
_STEMS_LIKE_NEGATIVES = frozenset(map(content_stem, _WORDS_LIKE_NEGATIVES))
_WORD_PATTERN = re.compile(r"[a-z]+(?:-[a-z]+)?")


def without_rhetorical_denials(lower_text: str) -> str:
    """Return a text with spaces for "who denies", so that all positions stay."""
    return _RHETORICAL_DENIAL_PATTERN.sub(lambda phrase: " " * len(phrase[0]), lower_text)


def say_nil(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text says "not one penny" or "no taxes" and the other "zero"."""
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        if _denies_coin_and_nil(text, other):
            return True
        is_nil_amount = _NIL_AMOUNT_PATTERN.search(text) is not None and not denies(text)
        if is_nil_amount and _NO_AMOUNT_PATTERN.search(other):
            return True
    return False


def tell_first(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text says "the first" and the other "none until", of the same thing."""
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        has_first = _FIRST_TIME_PATTERN.search(text) is not None and not denies(text)
        other_has_first = _FIRST_TIME_PATTERN.search(other) is not None
        if has_first and not other_has_first and _NONE_BEFORE_PATTERN.search(other):
            return True
    return False


def tell_last_time(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text says "the last time was 1997" and the other "not since 1997"."""
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        if _LAST_TIME_PATTERN.search(text) and _NOT_SINCE_PATTERN.search(other):
            return True
    return False


def _denies_coin_and_nil(lower_text: str, other_lower_text: str) -> bool:
    denies_coin = _NOT_ONE_COIN_PATTERN.search(lower_text) is not None
    return denies_coin and _NIL_PATTERN.search(other_lower_text) is not None


def flat_denials(lower_text: str) -> list[re.Match[str]]:
    """Return the clauses that a text denies altogether, with their words in the group ``denied``.

    "Not one was hurt" is such a clause, "no ferry is faster than ours" isn't.
    """
    if denies_that_any_equals(lower_text):
        return []
    return list(_FLAT_DENIAL_PATTERN.finditer(lower_text))


def denies_that_any_equals(lower_text: str) -> bool:
    """Return whether a text ranks something first by denying: "no ferry is faster than ours"."""
    return denial_of_equals(lower_text) is not None


@lru_cache(maxsize=1 << 14)
def denial_of_equals(lower_text: str) -> re.Match[str] | None:
    """Return the words by which a text denies that anything equals its subject, or None."""
    return _UNEQUALLED_PATTERN.search(lower_text) or _NEVER_MORE_PATTERN.search(lower_text)


def deny_by_verb(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text says "did not" and the other the same with a verb: "the law bans".

    "The law does not ban it" has such a verb too, and denies that "the law bans it". "Not lower"
    denies "still lower".
    """
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        has_own_verb = _DENYING_VERB_PATTERN.search(text) is not None
        denying_verb = _DENYING_VERB_PATTERN.search(other)
        if not denies(text) or denies(other) or has_own_verb or denying_verb is None:
            continue
        last_word = denying_verb[0].split()[-1]
        if last_word not in _WORD_PATTERN.findall(text):
            return True
    return False


def has_negative_form(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text denies a word and the other has its negative form: "unsafe"."""
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        if denies(text) != denies(other) and negative_forms(other, text):
            return True
    return False


def denies_without(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text says "not without a license" and the other "needs a license"."""
    for text, other in ((lower_text, other_lower_text), (other_lower_text, lower_text)):
        not_without = _NOT_WITHOUT_PATTERN.search(text)
        need = _NEED_PATTERN.search(other)
        if not_without is None or need is None or denies(other):
            continue
        # "Needs help" needs something else than "not without a license" does.
        needed_words = _content_words(need["needed"] or "")[:1] or _content_words(
            need["only"] or ""
        )
        condition = not_without["condition"]
        if not set(_content_words(condition)).isdisjoint(needed_words):
            return True
        if are_interchangeable(" ".join(needed_words), condition):
            return True
    return False


def _content_words(lower_text: str) -> list[str]:
    """Return the words of a text except function words."""
    return [word for word in _WORD_PATTERN.findall(lower_text) if word not in FUNCTION_WORDS]


def negative_forms(lower_text: str, other_lower_text: str) -> list[tuple[str, str]]:
    """Return the words of a text that negate a word of the other: ("unsafe", "safe")."""
    words = set(_WORD_PATTERN.findall(lower_text))
    other_words = set(_WORD_PATTERN.findall(other_lower_text))
    candidates = sorted(other_words - words)
    forms = []
    for word in sorted(words - other_words):
        negated = _NEGATIVE_WORD_PATTERN.fullmatch(word)
        if negated is None or content_stem(word) in _STEMS_LIKE_NEGATIVES:
            continue
        base = (negated["base"] or negated["noun"])[:MAX_COMMON_LETTERS]
        for other_word in candidates:
            if other_word.startswith(base):
                forms.append((word, other_word))
    return forms


def rejects_denied_clause(lower_text: str, other_lower_text: str) -> bool:
    """Return whether a text says "it is not true that he did" and the other "he did not"."""
    rejection = _REJECTED_CLAUSE_PATTERN.search(lower_text)
    if rejection is None or not denies(other_lower_text):
        return False
    return not denies(lower_text[rejection.end() :])


def excepts_one(lower_text: str, other_lower_text: str) -> bool:
    """Return whether one text has "every state except Ohio" and the other "Ohio alone lacks one"."""
    for text, other in (
        (lower_text, other_lower_text),
        (other_lower_text, lower_text),
    ):
        if _EXCEPTION_PATTERN.search(text) and _ONLY_ONE_WITHOUT_PATTERN.search(other):
            return True
    return False


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the words that deny: "not", "never", "didn't", "failed to"."""
    lower_text = lower_in_place("".join(map(plain_character, text)))
    # Blank out phrases such as "not only", which deny nothing; positions stay as they are.
    searchable = _NOT_A_DENIAL_PATTERN.sub(lambda match: " " * len(match[0]), lower_text)
    return tuple(match.span() for match in _DENIAL_PATTERN.finditer(searchable))


def lower_in_place(text: str) -> str:
    """Convert a text to lower case without moving any character."""
    if text.isascii():
        return text.lower()
    characters = []
    for character in text:
        lower = character.lower()
        characters.append(lower if len(lower) == 1 else character)
    return "".join(characters)


@lru_cache(maxsize=1 << 15)
def denies(passage: str) -> bool:
    """Return whether a passage denies.

    Two different words of denial cancel each other: "never without". Forms of "not" are one word.
    """
    words_of_denial = set()
    for word in _DENIAL_PATTERN.findall(_NOT_A_DENIAL_PATTERN.sub(" ", passage)):
        # "It doesn't sail and cannot sail": both words deny with "not".
        has_not = word == "cannot" or word.endswith("n't")
        words_of_denial.add("not" if has_not else word)
    return len(words_of_denial) % 2 == 1


def rejects(lower_text: str) -> bool:
    """Return whether a text in lower case calls something false."""
    patterns = (_REJECTION_PATTERN, _INVENTION_PATTERN, _SARCASM_PATTERN)
    return any(pattern.search(lower_text) for pattern in patterns)
