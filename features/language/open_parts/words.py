"""Words by which one of two texts says a little more or less: "almost any", "one of the", "helped".

Each rule looks for one construction around a word that both texts have, and quotes both: "any major
country" and "almost any major country", "one of the founders" and "the founder", "helped write" and
"wrote", "as large as" and "larger than".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from features.language.function_words import FUNCTION_WORDS
from features.language.sentence_parts import looks_like_verb
from features.language.vocabulary import (
    content_words,
    is_irregular_form,
    word_topic,
)
from features.language.word_clashes import Clash, in_other_order

MAX_OBJECT_WORDS = 4  # words on each side of a verb, of which two texts must share one
MIN_BASE_LETTERS = 3  # letters of an adjective: "low" in "lowest"
FORM_LETTERS = 4  # which all forms of a verb have: want, wants, wanted

_APPROXIMATION_PATTERN = re.compile(
    r"\b(?P<hedge>(?:almost|nearly|virtually|practically|just about)\s+)?"
    r"(?P<quantity>any|every|all|each|no|none|nobody|everyone|everybody|always|never)\b"
    r"(?P<rest>(?:\s+[\w'’-]+){1,3})?",
    re.I,
)
# "58 percent of all income" has less than all income.
_SHARE_BEFORE_PATTERN = re.compile(
    r"(?:\S{1,20} percent|\S{1,20}%|half|most|some|a (?:third|quarter|fifth)) of $", re.I
)
_WORD_OF_QUANTITY = {"any": "all", "every": "all", "each": "all", "everybody": "everyone"}
_QUANTITY_PATTERN = re.compile(
    r"\b(?:(?:almost|nearly|virtually|practically|not) )?"
    r"(?P<quantity>all|every|each|most|many|some|several|few|no|(?:the|an?) (?:average|typical))\b"
    r"(?! of (?:it|this|that|us|them))(?: of)?(?: (?:the|our|these|those|its|their))?"
    r"(?P<rest>(?: [a-z][\w'’-]*){1,2})",
    re.I,
)
_WHOLE_PATTERN = re.compile(
    r"\b(?:all|the entire|the whole|every bit)(?: of)? (?:the |that |this |our |their |its |these |"
    r"those )?"
    r"(?P<rest>[a-z][\w'’-]*(?: (?!of )[\w'’-]+)?(?: of (?:the )?[\w'’-]+)?)"
)
_ADJECTIVES_OF_COUNTRIES = (
    "major industrialized industrialised developed advanced rich wealthy modern western large big "
    "civilized democratic poor small"
).split()
_NARROWED_ALL_PATTERN = re.compile(
    r"\b(?:[Aa]ny|[Ee]very|[Aa]ll|[Nn]o)(?: of the)?(?: other)? "
    rf"(?P<adjective>{'|'.join(_ADJECTIVES_OF_COUNTRIES)}) (?P<noun>[a-z]{{3,}})\b"
)
_ALL_PATTERN = re.compile(
    r"\b(?:[Aa]ny|[Ee]very|[Aa]ll|[Nn]o)(?: of the)?(?: other)? (?P<noun>[a-z]{3,})\b"
)
_SHARE_OF_PATTERN = re.compile(
    r"\b(?:(?:\d{1,2} to )?[\w.-]{1,20} percent|\d{1,2}%|a (?:third|quarter|fifth)|half) of "
    r"(?P<rest>\(?[\w'’-]+\)?(?: [\w'’-]+){0,2})"
)
_QUANTITY_CLASSES = {
    "every": "all",
    "each": "all",
    "several": "some",
    "an average": "the average",
    "the typical": "the average",
    "a typical": "the average",
}
_ONE_OF_PATTERN = re.compile(
    r"\bone of (?:the |our |its |their |his |her |my |these |those )?(?!last\b|past\b|next\b)"
    r"(?P<rest>[\w'’-]+(?: [\w'’-]+){0,2})",
    re.I,
)
_FEW_PATTERN = re.compile(
    r"\b(?:one of|one out of|among) (?:the |only |our |just |a )*"
    r"(?:two|three|four|five|six|seven|few|handful of|couple of|\d{1,2}) (?P<rest>[a-z][\w'’-]*)",
    re.I,
)
_ONLY_PATTERN = re.compile(
    r"\b(?:the|our|its|their) (?:only|sole|single|"
    r"one and only) (?P<rest>[a-z][\w'’-]*(?: [a-z]+)?)",
    re.I,
)
_THE_PATTERN = re.compile(
    r"\b(?:the|our|its|their|[\w]+['’]s) (?:(?:only|sole|single|very) )?"
    r"(?P<rest>[\w'’-]+(?: [\w'’-]+)?)",
    re.I,
)
_ATTEMPT_PATTERN = re.compile(
    r"(?:\b(?:(?:help(?:ed|s|ing)?|will|should|must)\s+(?:to )?|(?:tr(?:y|ied|ies|ying)|beg[aiu]n|"
    r"begins|start(?:ed|s)?|"
    r"attempt(?:ed|s|ing)?|fail(?:ed|s|ing)?|refus(?:e|ed|es|ing)|promis(?:e|ed|es|ing)|"
    r"threaten(?:ed|s|ing)?|plan(?:s|ned|ning)?|want(?:s|ed)?|hop(?:e|es|ed|ing)|"
    r"propos(?:e|es|ed|ing)|intend(?:s|ed)?|going)\s+to )|['’]ll\s+)"
    r"(?:not )?(?P<verb>[a-z]+)\b",
    re.I,
)
# "A tax increase" and "the steep cut" are nouns.
_NOUN_OPENING_PATTERN = re.compile(
    r"(?:%|\b(?:an?|the|our|its|their|this|that|of|in|with|percent|tax|massive|big|large|huge|deep|"
    r"steep))(?: [a-z]+ive)? $",
    re.I,
)
_PARTICIPLE_ENDINGS = ("en", "wn", "ught")
_INFINITIVE_PATTERN = re.compile(
    r"\b(?:to|do|does|did|can|cannot|could|would|may|might|shall|\w+n['’]t|['’]ll|['’]d)(?: \w+ly|"
    r" not)? $",
    re.I,
)
_ALL_OF_NAME_PATTERN = re.compile(r"\b[Aa]ll (?P<name>[A-Z][a-z]{3,}s)\b")
_WORDS_OF_QUANTITY = frozenset(
    "all most many some few several no of the these those other percent million thousand "
    "hundred".split()
)
_GROUP_OF_EXAMPLE_PATTERN = re.compile(
    r"\b(?P<noun>(?:[Cc]ompan|[Cc]ountr|[Cc]it|[Bb]ank|[Ss]tate|[Cc]orporation|[Pp]lace|[Ff]irm|"
    r"[Mm]ayor|[Pp]olitician|"
    r"[Ss]enator|[Bb]illionaire)(?:ies|s)) (?:like|"
    r"such as) (?P<name>[A-Z][\w'’&-]+(?: [A-Z][\w'’&-]+)*)"
    r"(?: and [a-z]+s\b)?"
)
_PAST_HABIT_PATTERN = re.compile(r"\bused to (?P<verb>[a-z]{3,})\b")
_PAST_HABIT_WORD_PATTERN = re.compile(r"\b(?:used to|once|formerly|previously|before|had)\b", re.I)
_EQUAL_PATTERN = re.compile(
    r"\bas (?P<adjective>[a-z-]+)(?P<rest>(?: \w+){0,2}? as\b)(?! \$?\d)", re.I
)
# "No other is as old" says the same as "the oldest".
_NO_OTHER_PATTERN = re.compile(r"\b(?:no|not|never|nobody|nothing|nowhere|none|\w+n['’]t)\b", re.I)
_DEGREE_PATTERN = re.compile(r"\b(?P<degree>more|less|most|least) (?P<adjective>[a-z-]+)\b", re.I)
_ADVERBS_IN_EQUATIONS = frozenset("much many well long soon far good little few such just".split())
_SUPERLATIVE_PATTERN = re.compile(
    r"(?:\bone of )?(?:\bthe )?\b(?:[a-z]{3,}est|most [a-z]+|least [a-z]+|worst|best) "
    r"(?P<rest>[a-z]+(?: [a-z]+)?)",
    re.I,
)
_MOST_PATTERN = re.compile(
    r"\b(?:the |our |its |their )?(?:most|least) (?P<property>[a-z]{5,})\b(?: [a-z]+)?"
    r"(?: (?:in|on|of) (?:the |this |our )?(?:world|country|nation|state|city|earth|history))?"
)
_WORD_OF_RANK_PATTERN = re.compile(
    r"\b(?:most|least|more|less|so|too|very|[a-z]{3,}est|first|only|ever|record)\b", re.I
)
_QUALIFIED_PATTERN = re.compile(
    r"\b(?P<adverb>directly|officially|formally|essentially|effectively|partially|partly|mostly|"
    r"largely|primarily|voluntarily|personally|publicly|secretly|unanimously|permanently|"
    r"temporarily|reportedly|allegedly|supposedly) (?P<verb>[a-z]{3,})\b"
)
_LOWER_RANK_PATTERN = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th)|among the|"
    r"one of the)[ -](?P<superlative>[a-z]{3,}est|most [a-z]+|least [a-z]+|worst|best)\b"
    r"(?P<rest>(?: [a-z]+){0,2})",
    re.I,
)
_PLACE_IN_RANKING_PATTERN = re.compile(
    r"(?:\babout |\baround |\bonly )?\b\d+(?:st|nd|rd|th) (?:in|for|on|among) "
    r"(?P<rest>[a-z]+(?: [a-z]+)?)",
    re.I,
)
_SCOPE_PATTERN = re.compile(
    r"\b(?:in|on|of|across|throughout|around|over) (?:all (?:of )?)?(?:the |this |our )?(?:whole |"
    r"entire )?"
    r"(?P<scope>world|earth|globe|planet|country|nation|united states|america|state|city|town|"
    r"county|"
    r"hemisphere|europe)\b",
    re.I,
)
_RANK_PATTERN = re.compile(
    r"\b(?:most|least|only|first|worst|best|[a-z]{3,}est|\w+er than)\b", re.I
)
_SCOPE_CLASSES = {
    "earth": "world",
    "globe": "world",
    "planet": "world",
    "nation": "country",
    "united states": "country",
    "america": "country",
    "town": "city",
}

_WORDS_NEVER_LAST = FUNCTION_WORDS - {"as"} | frozenset(("go", "goes", "went", "during", "since"))

StrengthRule = Callable[[str, str], Clash | None]  # takes the text with a construction, and another


def strength_clash(sentence: str, statement: str) -> Clash | None:
    """Return the words by which one of two texts is weaker or stronger than the other, or None."""
    for rule in _RULES_OF_STRENGTH:
        clash = _clash_unless_shared(rule, sentence, statement) or in_other_order(
            _clash_unless_shared(rule, statement, sentence)
        )
        if clash is not None:
            return clash
    return None


def _clash_unless_shared(rule: StrengthRule, text: str, other_text: str) -> Clash | None:
    """Return the clash of a rule without particles, or None if both texts have its words."""
    clash = rule(text, other_text)
    if clash is None or clash.in_sentence.casefold() in other_text.casefold():
        return None
    return Clash(
        _without_final_particles(clash.in_sentence), _without_final_particles(clash.in_statement)
    )


def _without_final_particles(phrase: str) -> str:
    """Return a phrase without articles and prepositions at its end."""
    words = phrase.split()
    while len(words) > 1 and words[-1].casefold() in _WORDS_NEVER_LAST:
        words.pop()
    return " ".join(words)


def _approximation_clash(text: str, other_text: str) -> Clash | None:
    """Return "almost any country" and "any country", or None."""
    for hedged_match in _APPROXIMATION_PATTERN.finditer(text):
        if not hedged_match["hedge"]:
            continue
        for other_match in _APPROXIMATION_PATTERN.finditer(other_text):
            # "almost any country" and "any country": one quantity, of which one has a hedge
            is_unhedged_there = not other_match["hedge"] and _have_one_quantity(
                hedged_match, other_match
            )
            if is_unhedged_there and _share_topic(hedged_match["rest"], other_match["rest"]):
                share = _SHARE_BEFORE_PATTERN.search(other_text[: other_match.start()])
                words_before = share[0] if share else ""
                return Clash(hedged_match[0], f"{words_before}{other_match[0]}")
    return None


def _have_one_quantity(match: re.Match[str], other: re.Match[str]) -> bool:
    quantity = match["quantity"].casefold()
    other_quantity = other["quantity"].casefold()
    return _WORD_OF_QUANTITY.get(quantity, quantity) == _WORD_OF_QUANTITY.get(
        other_quantity, other_quantity
    )


def _quantity_clash(text: str, other_text: str) -> Clash | None:
    """Return "most ferries" and "all ferries", or None."""
    # "most ferries" and "all ferries": another quantity before the same noun
    for quantity_match in _QUANTITY_PATTERN.finditer(text):
        noun, *_ = _singular_words(quantity_match["rest"])
        quantity = _quantity_class(quantity_match)
        for other_match in _QUANTITY_PATTERN.finditer(other_text):
            is_of_same_noun = noun in _singular_words(other_match["rest"])
            if is_of_same_noun and _quantity_class(other_match) != quantity:
                return Clash(quantity_match[0], other_match[0])
    return None


def _share_of_all_clash(text: str, other_text: str) -> Clash | None:
    """Return "all our fuel" and "20 percent of our fuel", or None."""
    for whole_match in _WHOLE_PATTERN.finditer(text):
        if text[: whole_match.start()].endswith(" of "):  # "70 percent of all fuel"
            continue
        whole_topics = set(_topics_in_order(whole_match["rest"]))
        for share_match in _SHARE_OF_PATTERN.finditer(other_text):
            if not whole_topics.isdisjoint(_topics_in_order(share_match["rest"])):
                return Clash(whole_match[0], share_match[0])
    return None


def _quantity_class(match: re.Match[str]) -> str:
    # "every" is of the class of "all".
    quantity = match["quantity"].casefold()
    return _QUANTITY_CLASSES.get(quantity, quantity)


def _singular_words(words: str) -> list[str]:
    """Return words in small letters without the ending of a plural."""
    return [_singular_word(word.casefold()) for word in words.split()]


def _singular_word(word: str) -> str:
    if word.endswith("ies"):
        return word.removesuffix("ies") + "y"
    return word.removesuffix("s")


def _one_of_several_clash(text: str, other_text: str) -> Clash | None:
    """Return "one of the founders" and "the founder", or None."""
    for one_of_match in _ONE_OF_PATTERN.finditer(text):
        # "founders" of "one of the founders", beside "the founder"
        group_topics = _topics_in_order(_up_to_plural(one_of_match["rest"]))
        if not group_topics:
            continue
        for single_match in _THE_PATTERN.finditer(other_text):
            first_topics = _topics_in_order(single_match["rest"])[: len(group_topics)]
            text_before = other_text[: single_match.start()].casefold().rstrip()
            is_one_of = text_before.endswith("one of")
            if first_topics == group_topics and not is_one_of:
                return Clash(one_of_match[0], single_match[0])
    return None


def _one_of_few_clash(text: str, other_text: str) -> Clash | None:
    """Return "one of two ports" and "the only port", or None."""
    for few_match in _FEW_PATTERN.finditer(text):
        noun, *_ = _singular_words(few_match["rest"])
        for single_match in _ONLY_PATTERN.finditer(other_text):
            if noun in _singular_words(single_match["rest"]):
                return Clash(few_match[0], single_match[0])
    return None


def _up_to_plural(phrase: str) -> str:
    """Return a phrase up to its first plural: "chief architects"; "" if it has none."""
    words = phrase.split()
    for position, word in enumerate(words):
        if word.endswith("s"):
            return " ".join(words[: position + 1])
    return ""


def _narrowed_all_clash(text: str, other_text: str) -> Clash | None:
    """Return "any major country" and "any country", or None."""
    # Few texts have one of the adjectives, which are found faster than the phrases.
    if not any(adjective in text for adjective in _ADJECTIVES_OF_COUNTRIES):
        return None
    for narrowed_match in _NARROWED_ALL_PATTERN.finditer(text):
        adjective = narrowed_match["adjective"]
        if re.search(rf"\b{adjective}\b", other_text, re.I):
            continue
        noun = _singular_word(narrowed_match["noun"].casefold())
        for other_match in _ALL_PATTERN.finditer(other_text):
            has_noun = _singular_word(other_match["noun"].casefold()) == noun
            # Without an adjective of its own: "any rich country"
            if has_noun:
                return Clash(narrowed_match[0], other_match[0])
    return None


def _attempt_clash(text: str, other_text: str) -> Clash | None:
    """Return "helped write" or "will write" and "wrote", or None."""
    # An attempt is a verb after another one, as "write" in "helped write".
    other_attempts = list(_ATTEMPT_PATTERN.finditer(other_text))
    attempted_verb_starts = {attempt_match.start("verb") for attempt_match in other_attempts}
    other_openings = {_form_letters(attempt_match[0]) for attempt_match in other_attempts}
    for attempt_match in _ATTEMPT_PATTERN.finditer(text):
        # "Want to open" and "wants to have open": both are only wanted.
        if _form_letters(attempt_match[0]) in other_openings:
            continue
        verb_topic = word_topic(attempt_match["verb"])
        words_around_attempt = _words_around(text, attempt_match.start(), attempt_match.end())
        for word_match in content_words(other_text):
            is_same_verb = word_topic(word_match[0]) == verb_topic
            is_attempted = word_match.start() in attempted_verb_starts
            if not is_same_verb or is_attempted or not _is_done(word_match, other_text):
                continue
            # "helped write the law" and "wrote the law"
            words_around_deed = _words_around(other_text, word_match.start(), word_match.end())
            if _share_topic(words_around_attempt, words_around_deed):
                return Clash(attempt_match[0], word_match[0])
    return None


def _is_done(word_match: re.Match[str], text: str) -> bool:
    """Return whether a word of a text is a verb and no infinitive: "wrote", but not "to write"."""
    has_verb_form = word_match[0].endswith(_PARTICIPLE_ENDINGS) or is_irregular_form(word_match[0])
    is_verb = has_verb_form or looks_like_verb(word_match[0])
    text_before = text[: word_match.start()]
    follows_article = _NOUN_OPENING_PATTERN.search(text_before) is not None
    is_infinitive = _INFINITIVE_PATTERN.search(text_before) is not None
    return is_verb and not follows_article and not is_infinitive


def _form_letters(phrase: str) -> str:
    """Return the first letters of a phrase, which all forms of its first word have."""
    return phrase[:FORM_LETTERS].casefold()


def _words_around(text: str, start: int, end: int) -> str:
    """Return the few words before and after a verb: its subject and its object."""
    preceding = text[:start].split()[-MAX_OBJECT_WORDS:]
    following = text[end:].split()[:MAX_OBJECT_WORDS]
    return " ".join(preceding + following)


def _all_of_name_clash(text: str, other_text: str) -> Clash | None:
    """Return "all Norwegians" and "Norwegians", or None."""
    for all_match in _ALL_OF_NAME_PATTERN.finditer(text):
        name = re.escape(all_match["name"])
        bare_match = re.search(rf"(?P<before>[\w'’%-]+ )?\b{name}\b", other_text)
        if bare_match is None:
            continue
        # "Most Norwegians" and "every one of the Norwegians" have a quantity of their own.
        word_before = (bare_match["before"] or "").strip().casefold()
        if word_before not in _WORDS_OF_QUANTITY:
            return Clash(all_match[0], all_match["name"])
    return None


def _group_of_example_clash(text: str, other_text: str) -> Clash | None:
    """Return "companies like Acme" and "Acme", or None."""
    if " like " not in text and " such as " not in text:
        return None
    for group_match in _GROUP_OF_EXAMPLE_PATTERN.finditer(text):
        name = group_match["name"]
        names_it_alone = re.search(rf"(?<!like )\b{re.escape(name)}\b", other_text) is not None
        if names_it_alone and not re.search(rf"\b{group_match['noun']}\b", other_text, re.I):
            return Clash(group_match[0], name)
    return None


def _past_habit_clash(text: str, other_text: str) -> Clash | None:
    """Return "used to support" and "supports", or None."""
    if "used to " not in text or _PAST_HABIT_WORD_PATTERN.search(other_text):
        return None
    for habit_match in _PAST_HABIT_PATTERN.finditer(text):
        verb_topic = word_topic(habit_match["verb"])
        words_around_habit = _words_around(text, habit_match.start(), habit_match.end())
        for word_match in content_words(other_text):
            if not verb_topic or word_topic(word_match[0]) != verb_topic:
                continue
            is_present = not word_match[0].endswith(("ed", "ing", "er"))
            words_around_deed = _words_around(other_text, word_match.start(), word_match.end())
            if is_present and _share_topic(words_around_habit, words_around_deed):
                return Clash(habit_match[0], word_match[0])
    return None


def _comparison_clash(text: str, other_text: str) -> Clash | None:
    """Return "as large as" and "larger than", or None."""
    if _NO_OTHER_PATTERN.search(text):
        return None
    for equality_match in _EQUAL_PATTERN.finditer(text):  # "as large as"
        adjective = equality_match["adjective"].casefold()
        if adjective in _ADVERBS_IN_EQUATIONS or len(adjective) < MIN_BASE_LETTERS:
            continue
        # "more expensive", "most expensive"
        for degree_match in _DEGREE_PATTERN.finditer(other_text):
            if degree_match["adjective"].casefold() == adjective:
                return Clash(equality_match[0], degree_match[0])
        # "larger", "largest"
        raised_form_match = re.search(rf"\b{_comparative(adjective)}e(?:r|st)\b", other_text, re.I)
        if raised_form_match:
            return Clash(equality_match[0], raised_form_match[0])
    return None


def _comparative(adjective: str) -> str:
    """Return a pattern of an adjective to which "er" or "est" can be joined."""
    if adjective.endswith("y"):
        return re.escape(adjective[:-1]) + "i"
    if adjective.endswith("e"):
        return re.escape(adjective[:-1])
    return f"{re.escape(adjective)}{re.escape(adjective[-1])}?"


def _bare_property_clash(text: str, other_text: str) -> Clash | None:
    """Return "the most crowded ferry" and "crowded" of a text that ranks nothing, or None."""
    if _WORD_OF_RANK_PATTERN.search(other_text):
        return None
    for phrase_match in _MOST_PATTERN.finditer(text):
        property_word = phrase_match["property"]
        if not word_topic(property_word):
            continue
        word_match = re.search(rf"\b{re.escape(property_word)}\b", other_text, re.I)
        if word_match:
            return Clash(phrase_match[0], word_match[0])
    return None


def _qualified_clash(text: str, other_text: str) -> Clash | None:
    """Return "directly paid" and "pay" of a text without the adverb, or None."""
    for adverb_match in _QUALIFIED_PATTERN.finditer(text):
        if adverb_match["adverb"].casefold()[:FORM_LETTERS] in other_text.casefold():
            continue
        verb_topic = word_topic(adverb_match["verb"])
        for verb_match in content_words(other_text):
            if verb_topic and word_topic(verb_match[0]) == verb_topic:
                return Clash(adverb_match[0], verb_match[0])
    return None


def _ranking_clash(text: str, other_text: str) -> Clash | None:
    """Return "one of the lowest turnouts" and "100th in turnout", or None."""
    for superlative_match in _SUPERLATIVE_PATTERN.finditer(text):
        for place_match in _PLACE_IN_RANKING_PATTERN.finditer(other_text):
            if _share_topic(superlative_match["rest"], place_match["rest"]):
                return Clash(superlative_match[0], place_match[0])
    return None


def _lower_rank_clash(text: str, other_text: str) -> Clash | None:
    """Return "the second highest tax" and "the highest tax", or None."""
    for lower_rank_match in _LOWER_RANK_PATTERN.finditer(text):  # "the second highest tax"
        superlative = re.escape(lower_rank_match["superlative"])
        # "the highest" with up to two words after it
        first_rank_match = re.search(
            rf"\bthe {superlative}\b(?P<rest>(?: [a-z]+){{0,2}})", other_text, re.I
        )
        if first_rank_match is None or not _share_topic(
            lower_rank_match["rest"], first_rank_match["rest"]
        ):
            continue
        text_before = other_text[: first_rank_match.start()]
        is_one_of_several = re.search(r"\b(?:among|one of) $", text_before, re.I)
        if not is_one_of_several:
            return Clash(lower_rank_match[0], first_rank_match[0])
    return None


def _scope_clash(text: str, other_text: str) -> Clash | None:
    """Return "in the country" and "in the world" if each text has one such scope, or None."""
    # phrases such as "in the country" and "around the world"
    scope_matches = list(_SCOPE_PATTERN.finditer(text))
    other_scope_matches = list(_SCOPE_PATTERN.finditer(other_text))
    if len(scope_matches) != 1 or len(other_scope_matches) != 1:
        return None
    scope_match = scope_matches[0]
    other_scope_match = other_scope_matches[0]
    if _scope_class(scope_match) == _scope_class(other_scope_match):
        return None
    # "A right of a citizen in this country" has no more to do with a rank on earth.
    if bool(_RANK_PATTERN.search(text)) != bool(_RANK_PATTERN.search(other_text)):
        return None
    return Clash(scope_match[0], other_scope_match[0])


def _scope_class(match: re.Match[str]) -> str:
    scope = match["scope"].casefold()
    return _SCOPE_CLASSES.get(scope, scope)


def _topics_in_order(words: str) -> list[str]:
    """Return the topics of some words in their order."""
    bare_words = [word.strip("()") for word in words.split()]
    return [word_topic(word) for word in bare_words if word_topic(word)]


def _share_topic(words: str | None, other_words: str | None) -> bool:
    """Return whether two phrases have a word of content in common."""
    topics = set(_topics_in_order(words or ""))
    return not topics.isdisjoint(_topics_in_order(other_words or ""))


_RULES_OF_STRENGTH: tuple[StrengthRule, ...] = (
    _approximation_clash,
    _quantity_clash,
    _share_of_all_clash,
    _narrowed_all_clash,
    _bare_property_clash,
    _qualified_clash,
    _one_of_several_clash,
    _one_of_few_clash,
    _attempt_clash,
    _past_habit_clash,
    _group_of_example_clash,
    _all_of_name_clash,
    _comparison_clash,
    _lower_rank_clash,
    _ranking_clash,
    _scope_clash,
)
