"""Directions of change and of opinion: words that say the opposite of each other."""

from __future__ import annotations

import re

# "For" and "against" are an opinion only after such words: not in "ran against", "for a year".
_TAKES_SIDES = (
    r"(?:vot\w+|stands?|stood|standing|c[ao]mes? out|speaks?|spoke|argu\w+|campaign\w*|fights?|fought|i'm|"
    r"am|you're|we're|they're|are|he's|she's|is|was|were|be|been)(?: (?:also|always|all|never|not|strongly))?"
)
# "Up" and "down" give a direction, but not after these: "grew up", "shut down".
_VERBS_BEFORE_PARTICLES = (
    "back bring brought break broke came come end ended ending gave give grew grow growing "
    "held hold laid lay look looked made make making open opened pick picked put set sets setting "
    "showed shut shuts shutting sign signed sit sitting stand standing stood step stepped tear tore "
    "wake woke makes takes sets gives comes ends opens puts picks shows shuts signs sits stands steps "
    "grows holds lays looks tears wakes taken taking"
).split()


def _without_verb_before(particle: str) -> str:
    """Return a pattern of "up" or "down", but not in "grew up" or "shut down".

    The particle comes before the conditions, since few words of a text get as far.
    """
    conditions = [rf"(?<!\b{verb} {particle})" for verb in _VERBS_BEFORE_PARTICLES]
    return particle + r"\b" + "".join(conditions)


_UP = _without_verb_before("up")
_DOWN = _without_verb_before("down")
# "More than 250" and "less than 1 percent" give a bound, not a direction.
_NO_BOUND_AFTER = (
    r"(?! than (?:\$?\d|half\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|"
    r"ten\b|a (?:dozen|hundred|thousand|million|billion|trillion)\b))"
)
_DIRECTIONS = (
    (rf"rose|risen|ris(?:es|ing)|(?:grow(?:s|n|ing)?|grew)(?! up)|increas\w*|{_UP}|higher|highest|gain\w*|"
     rf"(?<!or )more{_NO_BOUND_AFTER}|(?<!at )most|doubl\w+|surg\w+",
     rf"fell|fall(?:s|en|ing)?|shr[aiu]nk\w*|decreas\w*|declin\w*|reduc\w*|{_DOWN}|lower|lowest|lost|"
     r"los(?:es|ing|e)|"
     rf"(?<!or )less{_NO_BOUND_AFTER}|(?<!at )least|few|(?<!or )fewer{_NO_BOUND_AFTER}|fewest|halved|drop\w*|cut\w*|slash\w*"),
    (rf"support\w*|favou?r\w*|{_TAKES_SIDES} for|back(?:s|ed|ing)", rf"oppos\w*|{_TAKES_SIDES} against"),
    (r"best|better|strong(?:er|est)?|good|great(?:er|est)?", r"worst|worse|weak(?:er|est|en\w*)?|"
                                                             r"bad|terrible"),
    (r"rais(?:e[sd]?|ing)|hik(?:e[sd]?|ing)", r"lower(?:s|ed|ing)?|cut(?:s|ting)?"),
    (r"larg(?:er|est)|bigg(?:er|est)|rich(?:er|est)?", r"small(?:er|est)|poor(?:er|est)?"),
    (r"creat(?:e[sd]?|ing)|sav(?:e[sd]?|ing)|keep(?:s|ing)?|kept", r"destroy\w*|kill\w*|wip\w+ "
                                                                   r"out|los(?:es?|t|ing)"),
    (r"allow\w*|permit\w*|legal(?:i[sz]e\w*)?", r"forb\w+|ban(?:s|ned|ning)?|illegal|prohibit\w*"),
    (r"open\w*", r"clos(?:ed?|es|ing)"),
    (r"won|win(?:s|ning)?", r"lost|los(?:es?|ing)"), (r"major\w*|many", r"minor\w*|few"),
    (r"eas(?:y|ier)", r"hard(?:er)?|difficult"), (r"deficit\w*", r"surplus\w*"),
    (r"on time|punctual(?:ly)?", r"late(?! (?:in|last|this|at)\b)|delayed"),
    (r"guilty", r"innocent"), (r"full", r"empty"),
    (r"(?:twice|double|two times)(?= as\b)", r"half(?= as\b)"),
)  # fmt: skip
_OPPOSITE_PATTERNS = tuple(
    (re.compile(rf"\b(?:{upward})\b"), re.compile(rf"\b(?:{downward})\b"))
    for upward, downward in _DIRECTIONS
)
AVERTED_PATTERN = re.compile(
    r"\b(?:saved?|saves|saving|keeps?|kept|stop(?:s|ped)?|prevent(?:s|ed)?|protect(?:s|ed)?)\b"
    r"[^.,;:!?]{1,60}? from [a-z]+ing\b"
)


def opposite_words(sentence: str, statement: str) -> tuple[str, str] | None:
    """Return a direction of the sentence and its opposite in the statement, or None.

    Neither text may have both. The texts are in lower case.
    """
    # "Saved the mill from closing" gives no direction.
    sentence = AVERTED_PATTERN.sub(" ", sentence)
    statement = AVERTED_PATTERN.sub(" ", statement)
    # "taxes rose" and "taxes fell"
    for upward_pattern, downward_pattern in _OPPOSITE_PATTERNS:
        upward_in_sentence = upward_pattern.search(sentence)
        downward_in_sentence = downward_pattern.search(sentence)
        has_one_direction = bool(upward_in_sentence) != bool(downward_in_sentence)
        if not has_one_direction:
            continue
        upward_in_statement = upward_pattern.search(statement)
        downward_in_statement = downward_pattern.search(statement)
        if upward_in_sentence and downward_in_statement and not upward_in_statement:
            return upward_in_sentence[0], downward_in_statement[0]
        if downward_in_sentence and upward_in_statement and not downward_in_statement:
            return downward_in_sentence[0], upward_in_statement[0]
    return None
