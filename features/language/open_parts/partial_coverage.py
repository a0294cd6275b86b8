"""The parts by which a sentence and a checked statement about the same matter differ.

Unlike the conflicts, they do not say that the two are different claims: the statement covers one
half of a sentence. Each part is named with the words of both texts, or with the words of the
sentence that the statement lacks. Words that only the statement has are named last, since the
rating covers them, too. Texts with little in common have no parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language.abbreviations import spelled_like
from features.language.agreement import (
    Particulars,
    are_comparable,
    pair_figures,
    particulars,
    plain,
)
from features.language.figures.numbers import PERCENT, Figure
from features.language.figures.rounding import SMALL_COUNT
from features.language.open_parts.actors import (
    acting_person_clash,
    actor_clash,
    uncovered_causes,
    uncovered_falsehoods,
)
from features.language.open_parts.clauses import speaks_of_plan, uncovered_clauses
from features.language.open_parts.comparisons import (
    aim_clash,
    all_but_clash,
    combined_standard_clash,
    counted_standard_clash,
    factor_clash,
    property_clash,
    time_clash,
    uncovered_ranks,
    uncovered_standards,
)
from features.language.open_parts.degrees import (
    STATEMENT_BREAK_PATTERN,
    hedged_superlative_clash,
    hedged_value_clash,
    predicted_value_clash,
    ranked_thing_clash,
    reach_clash,
    share_superlative,
    standard_clash,
    standard_group_clash,
    uncovered_near_deeds,
    upper_bound_clash,
    yardstick_clash,
)
from features.language.open_parts.figures import (
    amounts,
    change_clash,
    compared_figures,
    differing_values,
    figure_phrase,
    open_period,
    other_kind_clash,
    part_of_total_clash,
    rate_clash,
    share_clash,
    unsaid_phrase,
)
from features.language.open_parts.joined_words import members_clash
from features.language.open_parts.lists import (
    uncovered_items,
    uncovered_listed_verbs,
    uncovered_ranges,
)
from features.language.open_parts.measures import (
    measure_clash,
    measures_differ,
    members_of_group_clash,
    other_group_clash,
    uncovered_groups,
)
from features.language.open_parts.names import uncovered_names
from features.language.open_parts.phrases import (
    uncovered_dates_ago,
    uncovered_periods,
    uncovered_superlatives,
)
from features.language.open_parts.plans import (
    ability_clash,
    condition_of_statement,
    plan_in_one_text,
)
from features.language.open_parts.remainders import (
    uncovered_means,
    uncovered_remainders,
    uncovered_sources,
    unsaid_omissions,
    unsaid_standards,
)
from features.language.open_parts.scopes import (
    has_rough_count,
    kind_clash,
    magnitude_clash,
    uncovered_changes,
    uncovered_reaches,
    uncovered_repeated_periods,
    uncovered_rough_counts,
    uncovered_value_ranges,
    unsaid_changes,
)
from features.language.open_parts.unsaid_parts import unsaid_part
from features.language.open_parts.words import strength_clash
from features.language.vocabulary import Vocabulary, vocabulary
from features.language.word_clashes import Clash

FIGURES = "figures"  # both texts have a figure of the same thing
STRENGTH = "strength"  # both texts have the words, one of them stronger
PLAN = "plan"  # only one text states it as a fact
SUPPOSITION = "supposition"  # only the statement sets a condition
UNCHECKED = "unchecked"  # only the sentence has it
REMAINDER = "remainder"  # only the sentence has it, which may be a paraphrase
LAST = "last"  # named if nothing else is; it leaves no part of the sentence open
UNSAID = "unsaid"  # only the statement has it: a figure, a cause, a clause or a name
MIN_COMMON_TOPICS = 2  # words of content that both texts have
MIN_COMMON_FRACTION = 1 / 3  # share of the words of a sentence, which is enough for a short one
MAX_PARTS = 2  # named of one match
MAX_FIGURE_PAIRS = 2
MAX_WORDS_WITH_NAMES = 30  # longest sentence in which a name is likely part of the matter

_BROKEN_INFINITIVE_PATTERN = re.compile(r"\bto, ?[\"“‘']")
_CAUSE_WORD_PATTERN = re.compile(r"\b(?:because|due to|owing to|thanks to|as a result)\b", re.I)
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
    if not are_comparable(sentence, statement):
        return ()
    sentence = plainest(sentence)
    statement = plain_statement(statement)
    # Abbreviations count as the names they stand for.
    statement_vocabulary = vocabulary(f"{statement} {spelled_like(statement, sentence)}")
    if not _are_about_one_matter(sentence, statement, statement_vocabulary):
        return ()
    parts = _parts_of_both(sentence, statement, statement_vocabulary)
    parts += _unchecked_parts(sentence, statement, statement_vocabulary)
    # A long sentence has names beside the matter.
    if not parts and len(sentence.split()) <= MAX_WORDS_WITH_NAMES:
        names = uncovered_names(sentence, statement, statement_vocabulary, claimant)
        parts = [(UNCHECKED, Clash(in_sentence=name)) for name in names]
    if not parts and _ALWAYS_PATTERN.search(sentence):
        parts = _universal_parts(statement)
    if not parts:
        parts = _rate_parts(sentence, statement)
    if not parts:
        parts = _remaining_parts(sentence, statement, statement_vocabulary)
    return _distinct(parts)[:MAX_PARTS]


def plain_statement(statement: str) -> str:
    """Return a statement without the quotation marks of its publisher."""
    # A publisher quotes in the middle: "she wants to, ‘raise the tolls’"
    return plainest(_BROKEN_INFINITIVE_PATTERN.sub("to ", statement).replace('"', ""))


def _distinct(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return parts without those whose words of the sentence an earlier part has."""
    distinct_parts: list[Part] = []
    earlier_quotations: list[str] = []
    for kind, clash in parts:
        quotation = clash.in_sentence.casefold()
        if quotation:
            is_repeated = any(
                quotation in earlier or earlier in quotation for earlier in earlier_quotations
            )
            if is_repeated:
                continue
            earlier_quotations.append(quotation)
        distinct_parts.append((kind, clash))
    return tuple(distinct_parts)


def plainest(text: str) -> str:
    """Return a text of which ``plain`` leaves no more out, so that positions in it stay."""
    plainer = plain(text)
    while plainer != text:
        text = plainer
        plainer = plain(text)
    return text


def _are_about_one_matter(sentence: str, statement: str, statement_vocabulary: Vocabulary) -> bool:
    """Return whether two texts share enough words. A figure that both have counts as a word."""
    shared_count = len(statement_vocabulary.shared_topics(sentence))
    if shared_count >= MIN_COMMON_TOPICS:
        return True
    sentence_figures = particulars(sentence).numbers
    equal_pairs, _, _ = pair_figures(sentence_figures, particulars(statement).numbers)
    shared_count += sum(figure.high >= SMALL_COUNT for figure, _, _ in equal_pairs)
    shared_count += share_superlative(sentence, statement)
    shared_count += _share_calendar_date(sentence, statement)
    # A short sentence, "Mexico, 58 billion dollars", may have a single word of content.
    needed_shared_count = min(
        MIN_COMMON_TOPICS, MIN_COMMON_FRACTION * len(vocabulary(sentence).topics)
    )
    return shared_count > 0 and shared_count >= needed_shared_count


def _share_calendar_date(sentence: str, statement: str) -> bool:
    """Return whether two texts have a calendar date in common: "1850"."""
    dates = {mention.period for mention in particulars(sentence).dates if mention.is_calendar_date}
    return any(mention.period in dates for mention in particulars(statement).dates)


def _parts_of_both(sentence: str, statement: str, statement_vocabulary: Vocabulary) -> list[Part]:
    """Return the parts that both texts have in other words or values."""
    parts = _figure_parts(sentence, statement)
    parts += _strength_parts(sentence, statement, statement_vocabulary)
    ranked_thing = ranked_thing_clash(sentence, statement)
    if ranked_thing is not None and not parts:
        parts.append((STRENGTH, ranked_thing))
    # "It will pay" and "it can pay" are both not yet facts.
    ability = ability_clash(sentence, statement)
    plan = None if ability else plan_in_one_text(sentence, statement)
    if ability is not None:
        parts.append((STRENGTH, ability))
    # "Destabilized" beside "going to destabilize" is named already.
    if plan is not None and not any(_quotes(clash, plan) for _, clash in parts):
        parts.append((PLAN, plan))
    condition = condition_of_statement(sentence, statement)
    if condition:
        parts.append((SUPPOSITION, Clash(in_statement=condition)))
    return parts


def _quotes(clash: Clash, plan: Clash) -> bool:
    """Return whether a difference quotes the words of a plan already."""
    plan_words = plan.in_sentence or plan.in_statement
    words = clash.in_sentence if plan.in_sentence else clash.in_statement
    return bool(words) and words in plan_words


def _figure_parts(sentence: str, statement: str) -> list[Part]:
    """Return the figures of both texts that give one thing another value or another meaning."""
    sentence_amounts = amounts(sentence)
    statement_amounts = amounts(statement)
    parts = []
    differing_pairs = [
        (figure, other)
        for figure, other in differing_values(sentence_amounts, statement_amounts)
        if not measures_differ(sentence, figure.start, statement, other.start)
    ]
    if differing_pairs:
        parts.append((FIGURES, _values_clash(differing_pairs[:MAX_FIGURE_PAIRS])))
    clash_of_reach = reach_clash(sentence, statement, sentence_amounts, statement_amounts)
    if clash_of_reach is not None and not differing_pairs:
        parts.append((FIGURES, clash_of_reach))
    clash_of_share = (
        share_clash(sentence_amounts, statement_amounts)
        or part_of_total_clash(sentence, statement)
        or change_clash(sentence, statement)
    )
    if clash_of_share is not None:
        parts.append((FIGURES, clash_of_share))
    if not parts:
        clash_of_kinds = other_kind_clash(sentence, statement)
        if clash_of_kinds is not None:
            parts.append((FIGURES, clash_of_kinds))
    return parts


def _strength_parts(sentence: str, statement: str, statement_vocabulary: Vocabulary) -> list[Part]:
    """Return the words by which one text says more or less than the other."""
    clashes = (
        measure_clash(sentence, statement),
        members_of_group_clash(sentence, statement),
        other_group_clash(sentence, statement, amounts(sentence), amounts(statement)),
        hedged_value_clash(sentence, statement, amounts(sentence), amounts(statement)),
        predicted_value_clash(sentence, statement, amounts(sentence), amounts(statement)),
        upper_bound_clash(sentence, statement, amounts(sentence), amounts(statement)),
        hedged_superlative_clash(sentence, statement),
        open_period(sentence, statement),
        yardstick_clash(sentence, statement),
        standard_clash(sentence, statement) or standard_group_clash(sentence, statement),
        magnitude_clash(sentence, statement),
        factor_clash(sentence, statement),
        time_clash(sentence, statement),
        aim_clash(sentence, statement),
        counted_standard_clash(sentence, statement),
        combined_standard_clash(sentence, statement),
        all_but_clash(sentence, statement),
        property_clash(sentence, statement),
        strength_clash(sentence, statement),
        members_clash(sentence, statement, statement_vocabulary),
        kind_clash(sentence, statement, statement_vocabulary),
        actor_clash(sentence, statement) or acting_person_clash(sentence, statement),
    )
    return [(STRENGTH, clash) for clash in clashes if clash is not None]


def _values_clash(values: Sequence[tuple[Figure, Figure]]) -> Clash:
    """Return the figures of the sentence and those of the statement in the same order."""
    said = [figure.text for figure, _ in values]
    claimed = [figure.text for _, figure in values]
    return Clash(" and ".join(said), " and ".join(claimed))


def _unchecked_parts(sentence: str, statement: str, statement_vocabulary: Vocabulary) -> list[Part]:
    """Return the figures, clauses and other phrases that only the sentence has."""
    phrases = _uncovered_phrases(sentence, statement, statement_vocabulary)
    # "Because of the bills" may be the cause that the statement names in other words.
    if _CAUSE_WORD_PATTERN.search(statement):
        phrases = [phrase for phrase in phrases if not _CAUSE_WORD_PATTERN.match(phrase)]
    return [(UNCHECKED, Clash(in_sentence=phrase)) for phrase in phrases]


def _universal_parts(statement: str) -> list[Part]:
    """Return "always", which the sentence has, if the statement has no word of the kind."""
    if _UNIVERSAL_PATTERN.search(statement):
        return []
    return [(UNCHECKED, Clash(in_sentence="always"))]


def _rate_parts(sentence: str, statement: str) -> list[Part]:
    """Return the period for which the statement gives an amount that the sentence has, too."""
    clash_of_rate = rate_clash(sentence, statement)
    if clash_of_rate is None or not clash_of_rate.in_statement:
        return []
    if not _share_figure(particulars(sentence), particulars(statement)):
        return []
    return [(STRENGTH if clash_of_rate.in_sentence else UNSAID, clash_of_rate)]


def _remaining_parts(sentence: str, statement: str, statement_vocabulary: Vocabulary) -> list[Part]:
    """Return the parts that are worth a note only if there isn't any other."""
    # Phrases of the sentence about which the statement says nothing: "I read in the Post", "by
    # closing the pier", "from A to B"
    phrases = [*uncovered_sources(sentence, statement_vocabulary)]
    phrases += uncovered_means(sentence, statement, statement_vocabulary)
    phrases += uncovered_ranges(sentence, statement_vocabulary)
    if phrases:
        return [(UNCHECKED, Clash(in_sentence=phrase)) for phrase in phrases]
    # Otherwise the words of the statement alone, and phrases that may be paraphrases
    parts = _unsaid_figures(sentence, statement)
    unsaid_phrases = [
        *unsaid_omissions(statement, sentence),
        *unsaid_standards(statement, sentence),
    ]
    parts += [(UNSAID, Clash(in_statement=phrase)) for phrase in unsaid_phrases]
    for phrase in uncovered_remainders(sentence, statement, statement_vocabulary):
        parts.append((REMAINDER, Clash(in_sentence=phrase)))
    if not any(kind == UNSAID for kind, _ in parts):
        unsaid = unsaid_part(statement, sentence, _said_vocabulary(sentence, statement))
        parts += [(UNSAID, Clash(in_statement=unsaid))] if unsaid else []
    return parts


def _said_vocabulary(sentence: str, statement: str) -> Vocabulary:
    """Return the vocabulary of a sentence, with the names for which its abbreviations stand."""
    return vocabulary(f"{sentence} {spelled_like(sentence, statement)}")


def _closest_part(sentence: str, statement: str) -> str:
    """Return the sentence of a statement that shares most words with another sentence."""
    said = vocabulary(sentence)
    parts = STATEMENT_BREAK_PATTERN.split(statement)
    shared_counts = [len(said.shared_topics(part)) for part in parts]
    return parts[shared_counts.index(max(shared_counts))]


def _unsaid_figures(sentence: str, statement: str) -> list[Part]:
    """Return the figures of the statement beside a sentence that has none."""
    changes = [*unsaid_changes(statement, sentence)]
    if changes:
        return [(UNSAID, Clash(in_statement=change)) for change in changes]
    said_amounts = particulars(sentence).numbers
    # A figure that both have by chance makes the rest of the statement no part of the matter.
    if said_amounts and not _share_more_than_figure(sentence, statement):
        return []
    closest_part = _closest_part(sentence, statement)
    # A figure that only the sentence has may stand for one of the statement.
    has_other_amount = compared_figures(said_amounts, amounts(statement), statement).new
    has_rough_amount = any(figure.is_rough for figure in said_amounts)
    if has_other_amount or has_rough_amount or has_rough_count(sentence):
        return []
    unsaid_amounts = compared_figures(amounts(closest_part), said_amounts, sentence).new
    phrases = [unsaid_phrase(closest_part, figure) for figure in unsaid_amounts]
    return [(UNSAID, Clash(in_statement=phrase)) for phrase in phrases if phrase]


def _share_more_than_figure(sentence: str, statement: str) -> bool:
    """Return whether two texts share words besides a figure, or "11 million people" and a word."""
    shared_count = len(vocabulary(statement).shared_topics(sentence))
    if shared_count >= MIN_COMMON_TOPICS:
        return True
    equal_pairs, _, _ = pair_figures(amounts(sentence), amounts(statement))
    counts_one_thing = any(figure.units & other.units for figure, other, _ in equal_pairs)
    return shared_count + counts_one_thing >= MIN_COMMON_TOPICS


def _uncovered_phrases(text: str, other_text: str, other_vocabulary: Vocabulary) -> list[str]:
    """Return the clauses of a text that another lacks, and its other phrases: figures, periods."""
    figure_comparison = compared_figures(amounts(text), amounts(other_text), other_text)
    clauses = uncovered_clauses(
        text, figure_comparison, other_vocabulary, with_plans=speaks_of_plan(other_text)
    )
    phrases = [
        figure_phrase(text, figure)
        for figure in figure_comparison.new
        if not _is_listed(figure, other_text)
    ]
    phrases += uncovered_changes(text, other_text)
    phrases += uncovered_value_ranges(text, other_text)
    phrases += uncovered_items(text, other_vocabulary)
    phrases += uncovered_groups(text, other_text)
    phrases += uncovered_listed_verbs(text, other_vocabulary)
    phrases += uncovered_near_deeds(text, other_text)
    phrases += uncovered_superlatives(text, other_text, other_vocabulary)
    phrases += uncovered_reaches(text, other_text)
    phrases += uncovered_standards(text, other_text, other_vocabulary)
    phrases += uncovered_ranks(text, other_text, other_vocabulary)
    phrases += uncovered_falsehoods(text, other_text)
    phrases += uncovered_causes(text, other_text, other_vocabulary)
    phrases += uncovered_periods(text, other_text)
    phrases += uncovered_dates_ago(text, other_text)
    phrases += uncovered_repeated_periods(text, other_text)
    phrases += uncovered_rough_counts(text, other_text)
    return clauses + phrases


def _is_listed(figure: Figure, text: str) -> bool:
    """Return whether a text has a share among several of one unit: "35, 45, 55 percent"."""
    if figure.kind != PERCENT:
        return False
    return re.search(rf"\b{figure.low:g}(?:,| and| or) \d", text) is not None


def _share_figure(sentence: Particulars, statement: Particulars) -> bool:
    """Return whether two texts have an amount in common."""
    amounts = {(figure.kind, figure.low) for figure in sentence.numbers}
    other_amounts = {(figure.kind, figure.low) for figure in statement.numbers}
    return not amounts.isdisjoint(other_amounts)
