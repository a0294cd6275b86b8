"""Notes that name a difference between a sentence and a claim, with the words of both.

``They checked 12 percent; 15 percent was said``. A difference without words to quote has no note,
since a wrong one would mislead.
"""

from __future__ import annotations

from assistant.core.domain import Difference, Match, Strength

MAX_NOTE_CHARACTERS = 90  # longest quotation of one text in a note
_NOTE_OF_BOTH = "They checked “{claimed}”; “{said}” was said"
_NOTE_OF_FIGURES = "They checked {claimed}; {said} was said"
_NOTES_OF_BOTH = {
    "figures": _NOTE_OF_FIGURES,
    "years": _NOTE_OF_FIGURES,
    "names": _NOTE_OF_FIGURES,
    "bounds": _NOTE_OF_FIGURES,
    "units": _NOTE_OF_FIGURES,
    "speaker": "The sentence speaks of {said}, the claim of {claimed}",
}
_NOTES_OF_SENTENCE = {
    "figures": "They checked it without {said}",
    "years": "They checked another time; {said} was said",
    "denial": "They checked it without a denial; “{said}” was said",
    "scope": "They checked it without “{said}”",
    "wording": "They checked it without “{said}”",
    "quotation": "The sentence quotes somebody: “{said}”",
    "plan": "They checked a fact; a plan or prospect was said: “{said}”",
    "cause": "They checked it without a cause; “{said}” was said",
}
_NOTES_OF_CLAIM = {
    "figures": "They checked {claimed}, which was not said",
    "years": "They checked {claimed}, which was not said",
    "denial": "They checked a denial (“{claimed}”); none was said",
    "plan": "They checked a plan or prospect (“{claimed}”); a fact was said",
    "cause": "They checked it with a cause (“{claimed}”); none was said",
}
_NOTES_WITHOUT_WORDS = {
    "supposition": "They checked a statement; a question or a supposition was said",
    "contradiction": "Lectern's text model reads the two as contradicting each other",
}


def difference_notes(match: Match) -> list[str]:
    """Return the conflicts of a match with the words of both texts, one line each.

    ``They checked 12 percent; 15 percent was said``. A conflict without such words is left out, and
    so is one whose words another line has. A *possible* match has no notes: its texts seldom speak
    of the same matter, so that two words that differ mean nothing.
    """
    if match.strength is Strength.POSSIBLE:
        return []
    notes = []
    shown_words: list[str] = []
    for difference in sorted(match.differences, key=_is_general):
        words = f"{difference.said}|{difference.claimed}".casefold()
        is_repeated = any(_share_words(words, other) for other in shown_words)
        note = "" if is_repeated else difference_note(difference)
        if note:
            notes.append(note)
            shown_words.append(words)
    return notes


def difference_note(difference: Difference) -> str:
    """Return a conflict in one line with the words of both texts, "" if it has none to name."""
    said = difference.said
    claimed = difference.claimed
    if said and claimed:
        if said.casefold() == claimed.casefold():
            is_time = difference.conflict == "years"
            return f"“{said}” means another time in the claim" if is_time else ""
        template = _NOTES_OF_BOTH.get(difference.conflict, _NOTE_OF_BOTH)
    elif said:
        template = _NOTES_OF_SENTENCE.get(difference.conflict, "")
    elif claimed:
        template = _NOTES_OF_CLAIM.get(difference.conflict, "")
    else:
        template = _NOTES_WITHOUT_WORDS.get(difference.conflict, "")
    return template.format(said=_shortened(said), claimed=_shortened(claimed))


def _is_general(difference: Difference) -> bool:
    """Return whether other conflicts name the difference better than this one."""
    return difference.conflict in ("wording", "things")


def _share_words(words: str, other_words: str) -> bool:
    """Return whether the differing words of one conflict contain the words of another."""
    said, claimed = words.split("|", 1)
    other_said, other_claimed = other_words.split("|", 1)
    contains = other_said in said and other_claimed in claimed
    is_contained = said in other_said and claimed in other_claimed
    return contains or is_contained


def _shortened(words: str) -> str:
    """Return words with their middle left out if they are long."""
    if len(words) <= MAX_NOTE_CHARACTERS:
        return words
    half_length = MAX_NOTE_CHARACTERS // 2
    # A word that is cut is left out.
    opening = words[:half_length].rsplit(" ", 1)[0]
    ending = words[-half_length:].split(" ", 1)[-1]
    return f"{opening} … {ending}"
