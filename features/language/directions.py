"""Directions of change and of opinion: words that say the opposite of each other."""

from __future__ import annotations

import re

_DIRECTIONS = (
    (r"rose|risen|ris(?:es|ing)|grow(?:s|n|ing)?|grew|increas\w*|up|higher|highest|gain\w*|more|"
     r"most|doubl\w+|surg\w+",
     r"fell|fall(?:s|en|ing)?|shr[aiu]nk\w*|decreas\w*|declin\w*|reduc\w*|down|lower|lowest|lost|"
     r"los(?:es|ing|e)|"
     r"less|least|few|fewer|fewest|halved|drop\w*|cut\w*|slash\w*"),
    (r"support\w*|favou?r\w*|for|back(?:s|ed|ing)", r"oppos\w*|against"),
    (r"best|better|strong(?:er|est)?|good|great(?:er|est)?", r"worst|worse|weak(?:er|est|en\w*)?|"
                                                             r"bad|terrible"),
    (r"rais(?:e[sd]?|ing)|hik(?:e[sd]?|ing)", r"lower(?:s|ed|ing)?|cut(?:s|ting)?"),
    (r"larg(?:er|est)|bigg(?:er|est)|rich(?:er|est)?", r"small(?:er|est)|poor(?:er|est)?"),
    (r"creat(?:e[sd]?|ing)|sav(?:e[sd]?|ing)|keep(?:s|ing)?|kept", r"destroy\w*|kill\w*|wip\w+ "
                                                                   r"out|los(?:es?|t|ing)"),
    (r"allow\w*|permit\w*|legal(?:i[sz]e\w*)?|open\w*",
     r"forb\w+|ban(?:s|ned|ning)?|illegal|prohibit\w*|clos(?:ed?|es|ing)"),
    (r"won|win(?:s|ning)?", r"lost|los(?:es?|ing)"), (r"major\w*|many", r"minor\w*|few"),
    (r"eas(?:y|ier)", r"hard(?:er)?|difficult"), (r"deficit\w*", r"surplus\w*"),
)  # fmt: skip
_OPPOSITE_PATTERNS = tuple(
    (re.compile(rf"\b(?:{upward})\b"), re.compile(rf"\b(?:{downward})\b"))
    for upward, downward in _DIRECTIONS
)


def opposite_words(sentence: str, statement: str) -> tuple[str, str] | None:
    """Return a direction of the sentence and its opposite in the statement, or None.

    Neither text may have both. The texts are in lower case.
    """
    for upward, downward in _OPPOSITE_PATTERNS:
        sentence_up = upward.search(sentence)
        sentence_down = downward.search(sentence)
        if bool(sentence_up) == bool(sentence_down):
            continue
        statement_up = upward.search(statement)
        statement_down = downward.search(statement)
        if sentence_up and statement_down and not statement_up:
            return sentence_up[0], statement_down[0]
        if sentence_down and statement_up and not statement_down:
            return sentence_down[0], statement_up[0]
    return None
