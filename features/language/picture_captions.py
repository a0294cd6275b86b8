"""Captions and credits of pictures, and links to other articles, between the speeches of a page.

They are not speech. The rules are for English. They look for the forms of written captions: a
credit, an arrow before a link, people who are shown at an event. A sentence about an event with
"I", "you" or "we" is speech.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_CACHED_LINES = 32_768
MAX_CAPTION_CHARACTERS = 600  # a longer paragraph is speech, whatever credit it ends with

_NAME = r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3}"
_AGENCY = (
    r"(?:Getty(?: Images)?|AP(?: Photo)?|Associated Press|AFP|Reuters|EPA|UPI|Bloomberg|Shutterstock"
    r"|Pool(?: Photo)?|Zuma(?: Press)?|Sipa(?: USA)?|USA TODAY(?: NETWORK)?"
    r"|(?:The )?(?:[A-Z][a-z]+ ){0,2}(?:Times|Post|Register|Tribune|Globe|Journal|News|Herald))"
)
_PICTURE = r"(?:photo(?:graph)?s?|images?|pictures?|illustration)"
# "PHOTO: A crowd in Ames", "Photo credit: Ann Roe", "Caption: …"
_PICTURE_LABEL_PATTERN = re.compile(
    rf"^\W{{0,3}}(?:(?:file |stock |pool )?{_PICTURE}(?: credit| by| courtesy)?|(?:photo )?caption|alt text"
    r"|pictured(?: above| left| right| here)?) ?: ?\w",
    re.IGNORECASE,
)
# "(Photo by Ann Roe/Getty Images)", "[Image: City Desk]", "(AP Photo/Ann Roe)", "(Reuters)"
_BRACKETED_CREDIT_PATTERN = re.compile(
    rf"[(\[] ?(?:(?i:(?:file |pool |handout )?{_PICTURE} ?(?::|by |courtesy |via )|file photo\b|photo credit\b)[^()\[\]]{{0,120}}"
    rf"|(?:[^()\[\]]{{0,60}}(?:/ ?|\bvia ))?{_AGENCY}(?: ?/[^()\[\]]{{1,60}})?)[)\]]\W{{0,3}}$"
)
# The same without brackets, at the end of a line: "AP Photo/Ann Roe", "Ann Roe/Getty Images"
_BARE_CREDIT_PATTERN = re.compile(
    rf"(?:^\W{{0,3}}|[.!?]\W{{1,3}})(?:(?:[Ff]ile |[Pp]ool )?[Pp]hotos? (?:by|courtesy of) {_NAME}"
    rf"|(?:AP|EPA|Reuters|UPI|AFP)(?: Photo)? ?/ ?{_NAME}|{_NAME} ?/ ?{_AGENCY}|Getty Images)\W{{0,3}}$"
)
# "► In the poll: …". A wrong encoding makes other characters of the arrow.
_ARROW_PATTERN = re.compile(r"^\s*(?:[►▸➤]|â–[º¸]|‚ñ∫|Ì¢[\x89‰]?ÛÒå¼)\s*[A-Z0-9'‘“\"]")
_LINK_LABEL_PATTERN = re.compile(
    r"^\W{0,3}(?:(?i:read|see|watch) (?i:more|also|next)|(?i:related)(?: stories| story| articles?)?"
    r"|READ|MORE|WATCH|ALSO)\s?: ?\W?[A-Z0-9]"
)
_EVENT = (
    r"(?:debate|rally|rallies|forum|town hall|convention|caucus|watch party|spin room|(?:news|press) conference"
    r"|hearing|ceremony|inauguration|fundraiser|summit|interview|campaign (?:event|stop))"
)
_AT_EVENT = rf"\b(?:during|before|after|ahead of|at|outside|following|prior to) [^.!?]{{0,120}}?\b(?i:{_EVENT})s?\b"
_WRITTEN_MONTH = (
    r"(?:Jan(?:\.|uary)|Feb(?:\.|ruary)|Mar(?:\.|ch)|Apr(?:\.|il)|May|June|July|Aug(?:\.|ust)"
    r"|Sept?(?:\.|ember)|Oct(?:\.|ober)|Nov(?:\.|ember)|Dec(?:\.|ember))"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
# "… speaks during the debate on Tuesday, Jan. 14, 2020"
_DATED_EVENT_PATTERN = re.compile(
    rf"(?:{_AT_EVENT}|\b(?:for|into|watch) the\W[^.!?]{{0,60}}\b(?i:{_EVENT})\b)[^!?]{{0,160}}"
    rf"(?:{_WEEKDAY},? {_WRITTEN_MONTH} \d{{1,2}}|\b{_WRITTEN_MONTH} \d{{1,2}}, \d{{4}})"
)
_PAST_PATTERN = re.compile(
    r"\b(?:was|were|did|said|told|voted|claimed|signed|passed|won|lost|went|came)\b"
)
_SHOWN_DEED = (
    r"(?:speaks?|listens?|looks? on|gestures?|waves?|poses?|smiles?|laughs?|reacts?|takes? the stage"
    r"|takes? questions|stands?|sits?|walks?|arrives?|greets?|hugs?|shakes? hands?|participates?|cheers?"
    r"|answers? (?:a|questions?)|(?:is|are) (?:seen|shown|pictured))"
)
# "Sen. Ann Roe, D-Iowa, speaks at a rally", "Ann Roe and Tom Hale shake hands before a debate"
_SHOWN_PERSON_PATTERN = re.compile(
    rf"^\W{{0,3}}(?:[\w.-]+ ){{0,4}}?{_NAME}(?:, [^.!?]{{1,60}}?,| \([^()]{{1,40}}\)| of {_NAME}| and {_NAME}){{0,2}}"
    rf" {_SHOWN_DEED}\b[^!?]{{0,120}}?{_AT_EVENT}"
)
# "From left, Ann Roe, Tom Hale", "Ann Roe (L) and Tom Hale (R)"
_PLACES_IN_PICTURE_PATTERN = re.compile(
    r"^\W{0,3}(?:[Ff]rom left(?: to right)?|[Ll]eft to right|\(?L[- ]to[- ]R\)?|\(?L-R\)?)[,:]? [A-Z]"
    r"|\([Ll](?:eft)?\)[^.!?]{0,120}\([Rr](?:ight)?\)|, from left,? [A-Z]"
)
# A picture shows one moment, so a habit is speech: "takes questions after every debate".
_HABIT_PATTERN = re.compile(r"\b(?:every|each|any|always|never|often|usually)\b", re.IGNORECASE)
_SPEAKERS_WORDS_PATTERN = re.compile(
    r"\b(?:I|me|my|you|your|we|us|our)\b|\b(?:I|you|we)['’]", re.IGNORECASE
)


@lru_cache(maxsize=MAX_CACHED_LINES)
def is_caption_or_link(text: str) -> bool:
    """Return whether a line is a caption or the credit of a picture, or a link to an article."""
    if len(text) > MAX_CAPTION_CHARACTERS:
        return False
    marked_patterns = (
        _PICTURE_LABEL_PATTERN,
        _BARE_CREDIT_PATTERN,
        _ARROW_PATTERN,
        _LINK_LABEL_PATTERN,
    )
    if any(pattern.search(text) for pattern in marked_patterns):
        return True
    # Without a label, a line is speech if it has the words of a speaker.
    if _SPEAKERS_WORDS_PATTERN.search(text.replace("U.S.", "")):
        return False
    if _BRACKETED_CREDIT_PATTERN.search(text) or _PLACES_IN_PICTURE_PATTERN.search(text):
        return True
    is_dated = _DATED_EVENT_PATTERN.search(text) and not _PAST_PATTERN.search(text)
    shows_person = _SHOWN_PERSON_PATTERN.search(text) and not _HABIT_PATTERN.search(text)
    return bool(is_dated or shows_person)
