"""Clauses that introduce a statement as true: "the chart behind me shows that …".

The statement follows after *that*. Such a clause leaves no part of a match open. A clause that
takes something from the statement does: "no one says that …", "the mayor hopes that …".
"""

from __future__ import annotations

import re

# Verbs whose clause is taken as true, even if the verb is denied: "he never mentions that …".
_FACTIVE = (
    r"know(?:s|n)?|knew|mention(?:s|ed)?|forgets?|forgot(?:ten)?|remember(?:s|ed)?|"
    r"remind(?:s|ed)?|reali[sz]e[sd]?|admit(?:s|ted)?|understands?|understood"
)
# Verbs that say or prove something, unless they are denied.
_PROVING = r"shows?|showed|shown|proves?|proved|proven|confirm(?:s|ed)?|agrees?|agreed"
# Of these the speaker must be the subject: who else said something may be the point of the claim.
_SAYING = r"say|said|tell|told|print|write|wrote|put|repeat|add|report|mean|state"
_FACTIVE_PATTERN = re.compile(rf"\b(?:{_FACTIVE})\b", re.I)
_PROVING_PATTERN = re.compile(rf"\b(?:{_PROVING})\b", re.I)
_SPEAKER_SAYS_PATTERN = re.compile(rf"\b(?:I|we|let me)\b.{{0,40}}\b(?:{_SAYING})\b", re.I)
_DENYING_WORD_PATTERN = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|few|neither|nor|hardly)\b|n['’]t\b", re.I
)
# The object of the verb may stand before *that*: "it reminds me that", "shows the voters that".
_THAT_PATTERN = re.compile(r"(?: (?:(?:the|my|our|your) )?\w+)?,? that\b", re.I)


def introduces_statement(quotation: str, sentence: str) -> bool:
    """Return whether a quotation is a clause before *that* which takes the statement as true."""
    start = sentence.find(quotation)
    if start < 0 or not _THAT_PATTERN.match(sentence, start + len(quotation)):
        return False
    if _FACTIVE_PATTERN.search(quotation):
        return True
    if _DENYING_WORD_PATTERN.search(quotation):
        return False
    is_proof = _PROVING_PATTERN.search(quotation) is not None
    return is_proof or _SPEAKER_SAYS_PATTERN.search(quotation) is not None
