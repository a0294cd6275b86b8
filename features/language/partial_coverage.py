"""The parts by which a sentence and a checked statement about the same matter differ.

Unlike the conflicts, they do not say that the two are different claims: the statement covers one
half of a sentence. Each part is named with the words of both texts, or with the words of the
sentence that the statement lacks. Of what only the statement has, only its figures and the period
of an amount are named: nothing that was said is left open by the rest. Texts with little in common
have no parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language.abbreviations import spelled_like
from features.language.agreement import Particulars, pair_figures, particulars, plain
from features.language.figures.numbers import Figure
from features.language.figures.rounding import SMALL_COUNT
from features.language.uncovered_actors import (
    causes_only_here,
    falsehoods_only_here,
    other_actor,
    other_person_acting,
)
from features.language.uncovered_clauses import clauses_only_here, speaks_of_plan
from features.language.uncovered_degrees import (
    STATEMENT_BREAK_PATTERN,
    hedged_superlative,
    hedged_value,
    near_deeds_only_here,
    other_ranked_thing,
    other_reach,
    other_standard,
    other_yardstick,
    share_superlative,
)
from features.language.uncovered_figures import (
    amounts,
    compared_figures,
    figure_phrase,
    open_period,
    other_part_of_total,
    other_rate,
    other_share,
    other_values,
    unsaid_phrase,
)
from features.language.uncovered_lists import deeds_only_here, items_only_here, ranges_only_here
from features.language.uncovered_names import names_only_here
from features.language.uncovered_phrases import (
    dates_ago_only_here,
    periods_only_here,
    superlatives_only_here,
)
from features.language.uncovered_plans import condition_of_statement, plan_in_one_text
from features.language.uncovered_remainders import (
    means_only_here,
    remainders_only_here,
    sources_only_here,
)
from features.language.uncovered_scopes import (
    changes_only_here,
    has_rough_count,
    other_kind,
    other_magnitude,
    reaches_only_here,
    repeated_periods_only_here,
    rough_counts_only_here,
    value_ranges_only_here,
)
from features.language.uncovered_words import other_members, other_strength
from features.language.vocabulary import Vocabulary, vocabulary
from features.language.word_clashes import Clash

FIGURES = "figures"  # both texts have a figure of the same thing
STRENGTH = "strength"  # both texts have the words, one of them stronger
PLAN = "plan"  # only one text states it as a fact
SUPPOSITION = "supposition"  # only the statement sets a condition
UNCHECKED = "unchecked"  # only the sentence has it
REMAINDER = "remainder"  # only the sentence has it, which may be a paraphrase
UNSAID = "unsaid"  # only the statement has it: a figure, or the period of an amount
MIN_COMMON_TOPICS = 2  # words of content that both texts have
MIN_COMMON_FRACTION = 1 / 3  # share of the words of a sentence, which is enough for a short one
MAX_CHARACTERS = 2_000  # a longer text is more than one statement
MAX_PARTS = 2  # named of one match
MAX_FIGURE_PAIRS = 2
MAX_WORDS_WITH_NAMES = 30  # of a sentence in which a name is likely part of the matter

_ALWAYS_PATTERN = re.compile(r"\balways\b", re.I)
_UNIVERSAL_PATTERN = re.compile(
    r"\b(?:always|never|ever|every\w*|all|any\w*|no|not|constant\w*|consistent\w*|since)\b|n't\b",
    re.I,
)
Part = tuple[str, Clash]


def uncovered_parts(sentence: str, statement: str, claimant: str = "") -> tuple[Part, ...]:
    """Return the parts that only one of two texts has, or has otherwise, the clearest first.

    ``claimant`` is the name of the person who made the statement, "" if unknown.
    """
    if max(len(sentence), len(statement)) > MAX_CHARACTERS:
        return ()
    sentence = _plainest(sentence)
    statement = _plainest(statement.replace('"', ""))
    # Abbreviations count as the names they stand for.
    claimed = vocabulary(f"{statement} {spelled_like(statement, sentence)}")
    if not _are_about_one_matter(sentence, statement, claimed):
        return ()
    parts = _parts_of_both(sentence, statement, claimed)
    parts += _unchecked_parts(sentence, statement, claimed)
    # A long sentence has names beside the matter.
    if not parts and len(sentence.split()) <= MAX_WORDS_WITH_NAMES:
        names = names_only_here(sentence, statement, claimed, claimant)
        parts = [(UNCHECKED, Clash(in_sentence=name)) for name in names]
    if not parts and _ALWAYS_PATTERN.search(sentence):
        parts = _universal_parts(statement)
    if not parts:
        parts = _rate_parts(sentence, statement)
    if not parts:
        parts = _remaining_parts(sentence, statement, claimed)
    return _distinct(parts)[:MAX_PARTS]


def _distinct(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return parts without those whose words of the sentence an earlier part has."""
    distinct: list[Part] = []
    for part in parts:
        words = part[1].in_sentence.casefold()
        earlier_words = [
            earlier.in_sentence.casefold() for _, earlier in distinct if earlier.in_sentence
        ]
        if not words or not any(words in other or other in words for other in earlier_words):
            distinct.append(part)
    return tuple(distinct)


def _plainest(text: str) -> str:
    """Return a text of which ``plain`` leaves no more out, so that positions in it stay."""
    plainer = plain(text)
    while plainer != text:
        text = plainer
        plainer = plain(text)
    return text


def _are_about_one_matter(sentence: str, statement: str, claimed: Vocabulary) -> bool:
    """Return whether two texts share enough words. A figure that both have counts as a word."""
    shared_count = len(claimed.shared_topics(sentence))
    if shared_count >= MIN_COMMON_TOPICS:
        return True
    said_figures = particulars(sentence).numbers
    equal_pairs, _, _ = pair_figures(said_figures, particulars(statement).numbers)
    shared_count += sum(figure.high >= SMALL_COUNT for figure, _, _ in equal_pairs)
    shared_count += share_superlative(sentence, statement)
    # A short sentence, "Mexico, 58 billion dollars", may have a single word of content.
    needed_count = min(MIN_COMMON_TOPICS, MIN_COMMON_FRACTION * len(vocabulary(sentence).topics))
    return shared_count > 0 and shared_count >= needed_count


def _parts_of_both(sentence: str, statement: str, claimed: Vocabulary) -> list[Part]:
    """Return the parts that both texts have in other words or values."""
    said_amounts = amounts(sentence)
    claimed_amounts = amounts(statement)
    parts = []
    values = other_values(said_amounts, claimed_amounts)
    if values:
        parts.append((FIGURES, _values_clash(values[:MAX_FIGURE_PAIRS])))
    reach = other_reach(sentence, statement, said_amounts, claimed_amounts)
    if reach is not None and not values:
        parts.append((FIGURES, reach))
    share = other_share(said_amounts, claimed_amounts)
    if share is None:
        share = other_part_of_total(sentence, statement)
    if share is not None:
        parts.append((FIGURES, share))
    clashes = (
        hedged_value(sentence, statement, said_amounts, claimed_amounts),
        hedged_superlative(sentence, statement),
        open_period(sentence, statement),
        other_yardstick(sentence, statement),
        other_standard(sentence, statement),
        other_magnitude(sentence, statement),
        other_strength(sentence, statement),
        other_members(sentence, statement, claimed),
        other_kind(sentence, statement, claimed),
        other_actor(sentence, statement) or other_person_acting(sentence, statement),
    )
    for clash in clashes:
        if clash is not None:
            parts.append((STRENGTH, clash))
    ranked_thing = other_ranked_thing(sentence, statement)
    if ranked_thing is not None and not parts:
        parts.append((STRENGTH, ranked_thing))
    plan = plan_in_one_text(sentence, statement)
    if plan is not None:
        parts.append((PLAN, plan))
    condition = condition_of_statement(sentence, statement)
    if condition:
        parts.append((SUPPOSITION, Clash(in_statement=condition)))
    return parts


def _values_clash(values: Sequence[tuple[Figure, Figure]]) -> Clash:
    """Return the figures of the sentence and those of the statement in the same order."""
    said = [figure.text for figure, _ in values]
    claimed = [figure.text for _, figure in values]
    return Clash(" and ".join(said), " and ".join(claimed))


def _unchecked_parts(sentence: str, statement: str, claimed: Vocabulary) -> list[Part]:
    """Return the figures, clauses and other phrases that only the sentence has."""
    phrases = _phrases_only_here(sentence, statement, claimed)
    return [(UNCHECKED, Clash(in_sentence=phrase)) for phrase in phrases]


def _universal_parts(statement: str) -> list[Part]:
    """Return "always", which the sentence has, if the statement has no word of the kind."""
    if _UNIVERSAL_PATTERN.search(statement):
        return []
    return [(UNCHECKED, Clash(in_sentence="always"))]


def _rate_parts(sentence: str, statement: str) -> list[Part]:
    """Return the period for which the statement gives an amount that the sentence has, too."""
    rate = other_rate(sentence, statement)
    if rate is None or not rate.in_statement:
        return []
    if not _share_figure(particulars(sentence), particulars(statement)):
        return []
    return [(STRENGTH if rate.in_sentence else UNSAID, rate)]


def _remaining_parts(sentence: str, statement: str, claimed: Vocabulary) -> list[Part]:
    """Return the parts that are worth a note only if there isn't any other."""
    # Phrases of the sentence about which the statement says nothing: "I read in the Post", "by
    # closing the pier", "from A to B"
    phrases = [*sources_only_here(sentence, claimed)]
    phrases += means_only_here(sentence, statement, claimed)
    phrases += ranges_only_here(sentence, claimed)
    if phrases:
        return [(UNCHECKED, Clash(in_sentence=phrase)) for phrase in phrases]
    # Otherwise the figures of the statement alone, and phrases that may be paraphrases
    parts = _unsaid_figures(sentence, statement)
    for phrase in remainders_only_here(sentence, statement, claimed):
        parts.append((REMAINDER, Clash(in_sentence=phrase)))
    return parts


def _closest_part(sentence: str, statement: str) -> str:
    """Return the sentence of a statement that shares most words with another sentence."""
    said = vocabulary(sentence)
    parts = STATEMENT_BREAK_PATTERN.split(statement)
    shared_counts = [len(said.shared_topics(part)) for part in parts]
    return parts[shared_counts.index(max(shared_counts))]


def _unsaid_figures(sentence: str, statement: str) -> list[Part]:
    """Return the figures of the statement beside a sentence that has none."""
    if particulars(sentence).numbers or has_rough_count(sentence):
        return []
    closest_part = _closest_part(sentence, statement)
    figures = compared_figures(amounts(closest_part), (), sentence).new
    phrases = [unsaid_phrase(closest_part, figure) for figure in figures]
    return [(UNSAID, Clash(in_statement=phrase)) for phrase in phrases if phrase]


def _phrases_only_here(text: str, other_text: str, other: Vocabulary) -> list[str]:
    """Return the clauses of a text that another lacks, and its other phrases: figures, periods."""
    figures = compared_figures(amounts(text), amounts(other_text), other_text)
    clauses = clauses_only_here(text, figures, other, with_plans=speaks_of_plan(other_text))
    phrases = [figure_phrase(text, figure) for figure in figures.new]
    phrases += changes_only_here(text, other_text)
    phrases += value_ranges_only_here(text, other_text)
    phrases += items_only_here(text, other)
    phrases += deeds_only_here(text, other)
    phrases += near_deeds_only_here(text, other_text)
    phrases += superlatives_only_here(text, other_text, other)
    phrases += reaches_only_here(text, other_text)
    phrases += falsehoods_only_here(text, other_text)
    phrases += causes_only_here(text, other_text, other)
    phrases += periods_only_here(text, other_text)
    phrases += dates_ago_only_here(text, other_text)
    phrases += repeated_periods_only_here(text, other_text)
    phrases += rough_counts_only_here(text, other_text)
    return clauses + phrases


def _share_figure(sentence: Particulars, statement: Particulars) -> bool:
    """Return whether two texts have an amount in common."""
    amounts = {(figure.kind, figure.low) for figure in sentence.numbers}
    other_amounts = {(figure.kind, figure.low) for figure in statement.numbers}
    return not amounts.isdisjoint(other_amounts)
