"""Conflicts between two texts: reasons, found in their words, why their claims differ.

Two sentences make the same claim if the same facts would settle them. Each rule finds one way in
which that fails: the figures, years or names clash, or a name is a namesake's; one says up and the
other says down; one denies, or only supposes, the other; one speaks of all and the other of some;
or one repeats the other almost word for word and yet has another word in the middle, or adds a
clause about a name. The rules are for English. A text that they cannot read has no conflicts.
"""

from __future__ import annotations

from collections.abc import Callable

from features.language.abbreviations import spelled_like
from features.language.agreement import are_comparable
from features.language.causes import cause_clash
from features.language.complements import say_complements
from features.language.denial_conflicts import (
    denial_conflict,
    direction_conflict,
    supposition_conflict,
)
from features.language.figure_conflicts import (
    figures_conflict,
    roles_conflict,
    times_conflict,
    units_conflict,
)
from features.language.figure_terms import bound_clash, rank_clash
from features.language.group_words import group_clash, place_clash, thing_clash
from features.language.name_conflicts import names_conflict
from features.language.prospects import prospect
from features.language.reported_speech import reported_speech
from features.language.scope_conflicts import scope_conflict
from features.language.speaker_references import UNKNOWN_SPEAKERS, Speakers, person_clash
from features.language.text_pairs import TextPair, analyse_text, pair_texts
from features.language.word_clashes import Clash
from features.language.wording_conflicts import wording_conflict

# What differs if one text speaks of a part and the other of the rest
_SETTLED_BY_COMPLEMENT = frozenset(["figures", "direction", "denial", "bounds", "wording"])


def conflicts(
    sentence: str,
    statement: str,
    event_day: int = 0,
    claim_day: int = 0,
    speakers: Speakers = UNKNOWN_SPEAKERS,
) -> frozenset[str]:
    """Return the names of the conflicts between two texts, a subset of ``CONFLICTS``.

    The parameters are the same as in ``clashes``.
    """
    return frozenset(clashes(sentence, statement, event_day, claim_day, speakers))


def clashes(
    sentence: str,
    statement: str,
    event_day: int = 0,
    claim_day: int = 0,
    speakers: Speakers = UNKNOWN_SPEAKERS,
) -> dict[str, Clash]:
    """Return the conflicts between two texts by name, each with the words that differ.

    ``event_day`` and ``claim_day`` are the days (ordinals, 0 if unknown) of the two texts, from
    which "last year" and other relative dates are counted. A text that is too long to compare has
    no conflicts, so callers look at ``agreement.are_comparable`` where a conflict makes a match
    weaker.
    """
    if not are_comparable(sentence, statement):
        return {}
    # The sentence with its names spelled as the statement spells them
    respelled_sentence = spelled_like(sentence, statement)
    if not are_comparable(respelled_sentence):
        respelled_sentence = sentence
    pair = pair_texts(
        analyse_text(respelled_sentence), analyse_text(statement), event_day, claim_day
    )
    clash_of_rule = {}
    for name, rule in _RULES:
        clash = rule(pair)
        if clash is not None:
            clash_of_rule[name] = clash
    if clash_of_rule and say_complements(pair):
        clash_of_rule = {
            name: clash
            for name, clash in clash_of_rule.items()
            if name not in _SETTLED_BY_COMPLEMENT
        }
    if "names" in clash_of_rule:
        clash_of_rule.pop("things", None)  # a name says more than a word of its kind
        if _quotes_part_of(clash_of_rule.get("wording"), clash_of_rule["names"]):
            clash_of_rule.pop("wording")
    speaker_clash = person_clash(pair, speakers)
    if speaker_clash is not None:
        clash_of_rule["speaker"] = speaker_clash
    return clash_of_rule


def _quotes_part_of(clash: Clash | None, names: Clash) -> bool:
    """Return whether a clash quotes only words of the names that differ."""
    if clash is None:
        return False
    return clash.in_sentence in names.in_sentence and clash.in_statement in names.in_statement


_RULES: tuple[tuple[str, Callable[[TextPair], Clash | None]], ...] = (
    ("figures", figures_conflict),
    ("years", times_conflict),
    ("names", names_conflict),
    ("direction", direction_conflict),
    ("denial", denial_conflict),
    ("supposition", supposition_conflict),
    ("scope", scope_conflict),
    ("wording", wording_conflict),
    ("roles", roles_conflict),
    ("quotation", reported_speech),
    ("plan", prospect),
    ("bounds", bound_clash),
    ("units", units_conflict),
    ("ranks", rank_clash),
    ("places", place_clash),
    ("groups", group_clash),
    ("things", thing_clash),
    ("cause", cause_clash),
)
CONFLICTS = (*(name for name, _ in _RULES), "speaker")
