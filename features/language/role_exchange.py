"""Exchanged roles: who does what to whom, from the order of the words that two texts share.

"Cats kill more birds than turbines" and "Turbines kill more birds than cats" have the same words.
Two words have exchanged their roles if each stands on the other side of a third word that both
texts share. A phrase that merely moves, such as "in Ohio", keeps its preposition. A passive or a
converse ("more than" against "less than", "bought from" against "sold to") exchanges the order of
the words and keeps the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from features.language.denials import denies, denies_that_any_equals
from features.language.exchanged_partners import compares_things_conversely
from features.language.figures.numbers import Figure
from features.language.scale_ends import ALL_OTHERS_PATTERN
from features.language.stems import first_of_group
from features.language.text_pairs import FIGURE_MARK, AnalysedText, TextPair
from features.language.word_clashes import Clash

MIN_EXCHANGED_FRACTION = 0.6  # the share of the statement's words, in any order
MIN_SHARED_OF_SENTENCE = 0.5  # a longer sentence has other clauses
MIN_EXCHANGED_WORDS = 3
MIN_CLOSELY_SHARED = 0.75  # the share of the statement's words, if no "than" parts the sides
MARKER_TOKENS = 3  # before a word, in which its preposition is looked for
MAX_WORDS_BETWEEN_LISTED = 2
MIN_SAME_SKELETON = 0.8  # the share of the words beside the figures
MAX_EXCHANGED_FIGURES = 30  # more figures in both texts are a table

_PLAIN_FORM_OF_VERB = first_of_group("""
    overtake overtook overtaken
    beat beaten
    give gave given
    take took taken
    choose chose chosen
    write wrote written
    drive drove driven
    eat ate eaten
    steal stole stolen
    break broke broken
    see saw seen
    know knew known
    sell sold
    buy bought
    pay paid
    lead led
    fund funded
    sue sued
    defeat defeated
    outnumber outnumbered
""")
_ROLE_MARKERS = frozenset(
    "in on at by under from to with of for during after before since than as because over "
    "against through within that which who".split()
)
_STEMS_OF_MARKERS = frozenset(marker.removesuffix("e") for marker in _ROLE_MARKERS)
_AGENT_MARKER = "by"
_ADJUNCT_MARKERS = frozenset("in on at of for during under over because since within after".split())
_QUANTITIES = frozenset("most many all majority number none".split())
QUANTITY_BEFORE_PATTERN = re.compile(
    r"\b(?:half|thirds?|quarters?|fifths?|percent|%|most|many|some|all|majority|number|lot|lots|none) "
    r"of (?:the |our |all )?$"
)
_TOKEN_OR_MARK_PATTERN = re.compile(r"[\w'$%.-]{0,60}\w|[,;:—]")
_AUXILIARY_BEFORE_PASSIVE_PATTERN = re.compile(
    r"\b(?:(?:is|are|was|were)(?:n't)?|be|been|being|got|gets?)(?: \w+)?\s*$"
)
_PARTICIPLE_WITH_AGENT_PATTERN = re.compile(
    r"^(?!(?:most|least|best|worst|first|last|just|rest|cost|costs|list|part|amount|percent)\b)"
    r"\w*(?:ed|en|wn|ne|nt|pt|ght|ld|id|ut|it|un|on|lt|rt|st)(?: \w+){0,3}? by\b"
)
_PARTICIPLE_PATTERN = re.compile(r"^\w+(?:ed|en|wn)\b")
_AGENT_OF_PASSIVE_PATTERN = re.compile(
    r"\b(?:is|are|was|were|be|been|being|got|gets?)(?: \w+)? \w+(?: \w+)? by"
    r"(?: (?:the|a|an|president|senator|governor|mayor|[a-z]+'s))*\s$"
)
_PHRASE_OPENING_PATTERN = re.compile(
    r"[,;:—]|\b(?:a|an|the|this|that|these|those|my|our|your|his|her|its|their|whose|of|in|on|at|by|"
    r"for|from|to|with|under|over|than|as|through|into|about|after|before|since|and|or)\b"
)
# "The piers | in Lorne | sued"
_PLACE_BETWEEN_PATTERN = re.compile(r" (?:in|of|at|from|on) (?:the )?[\w'-]+ ")
_PREPOSITION_AFTER_PATTERN = re.compile(
    r"\W{0,2}(?:in|on|at|by|for|from|to|with|under|over|through|into|about|after|before|since)\b"
)
_SYMMETRIC_PATTERN = re.compile(r"\bthe same (?:way|thing|kind)\b")
_COMPARISON_PATTERN = re.compile(
    r"\bthan\b|\bas (?:\w+ ){1,4}as\b|\bcompared (?:to|with)\b|\bfor every\b"
)
_THAN_PATTERN = re.compile(r"\bthan\b(?! (?:a |one |half|\W*\d))")
# "350 times what workers make", "twice as much as", "ten times as much in Ohio as in Iowa"
_MULTIPLE_PATTERN = re.compile(
    r"\b(?:times (?:what|that of|the (?:\w+ ){1,2}of|more than|as \w+ (?:\w+ ){0,5}as)|"
    r"(?:twice|double|triple|half|thrice) (?:what|that of|the (?:\w+ ){1,2}of|"
    r"as \w+ (?:\w+ ){0,5}as))\b"
)
_SURPASSING_PATTERN = re.compile(
    r"\b(?P<passive>(?:is|are|was|were|been|being) (?:\w+ )?)?"
    r"(?:outnumber|outweigh|outpac|outstrip|outspen|outsell|outsold|exceed|surpass|overt[ao]k)\w*"
    r"(?(passive) by)\b"
)
# In "the police were told by the mayor", the mayor reports.
_REPORT_PATTERN = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )\b(?:said|says|claimed|claims|told \w+|argued|argues|"
    r"insists?|insisted|admitted|admits|warned|warns|wrote)\b"
)
_CAUSE_WORD_PATTERN = re.compile(r"\b(?:because(?! of)|before|after|unless|until|so that|if)\b")
_OPENING_CLAUSE_PATTERN = re.compile(
    r"(?:and |but |so )?(?:because(?! of)|before|after|unless|until|if)\b"
)
# A quotation mark after a space opens a quotation: 'Ann "said it fell"'.
_QUOTATION_END_PATTERN = re.compile(r"(?:,|\S[\"”'’])$")
_CLAUSE_END_PATTERN = re.compile(",")
_CONVERSE_PATTERNS = tuple(
    (re.compile(rf"\b(?:{forward})\b"), re.compile(rf"\b(?:{backward})\b"))
    for forward, backward in (
        (r"more|larger|bigger|greater|higher|taller|longer|faster|richer|older|stronger|heavier|"
         r"twice|double|better|ahead|above|exceeds?|outnumber\w*",
         r"less|fewer|smaller|lower|shorter|slower|poorer|younger|weaker|lighter|half|worse|"
         r"behind|below|trails?"),
        (r"safer|less dangerous|less risky", r"more dangerous|riskier|deadlier|less safe"),
        (r"cheaper|less expensive|costs? less",
         r"more expensive|costs? more|dearer|pricier|costlier"),
        (r"bought|buys?|buying|purchased?", r"sold|sells?|selling"),
        (r"gave|gives?|given|paid|pays?|lent|lends?|sent|sends?|donated?|donates",
         r"got|gets?|received?|receives|took|taken|takes?|borrow\w*|accept\w*"),
        (r"beat|beats|beaten|won|wins?|defeat\w*", r"lost to|loses? to|fell to|losing to"),
        (r"higher|more|larger|bigger", r"lowest|least|fewest|smallest"),
        (r"lower|less|fewer|smaller", r"highest|most|largest|biggest"),
        (r"before|earlier", r"after|later"),
        (r"caused?|causes|led to|leads? to", r"because of|due to|caused by|result of"),
        (r"teach\w*|taught", r"learn\w*"),
        (r"employs?|employed|hired?", r"works? for|worked for"),
        (r"owns?|owned", r"belongs? to|belonged to"),
        (r"north|east", r"south|west"),
        (r"kill\w*|(?:leading|top|biggest|main|number one) (?:cause of death|killer)",
         r"d(?:ie|ies|ied|ying)"),
        (r"three times|triple|thrice", r"(?:a|one)[- ]third"),
        (r"four times", r"(?:a|one)[- ](?:quarter|fourth)"),
        (r"five times", r"(?:a|one)[- ]fifth"),
        (r"ten times", r"(?:a|one)[- ]tenth"),
        (r"that|which|put|puts|made|makes|led|brought|forced|forces|gave|gives",
         r"because of|thanks to|due to|owing to|on account of"),
    )
)  # fmt: skip
_GIVING_PATTERN = re.compile(
    r"\b(?:g[ai]ve[sn]?|giving|paid|pays?|lent|lends?|sen[dt]s?|donate[sd]?)\b"
)
_TAKING_PATTERN = re.compile(
    r"\b(?:g[oe]ts?|gotten|received?|receives|took|takes?|taken|borrow\w*|accept\w*)\b"
)
_PAST = "#past"
_TODAY = "#today"
_TIMES = frozenset([_PAST, _TODAY])
_WORDS_OF_TIME = frozenset("today ago befor earli year now current present nowaday".split())
_SINCE_BEFORE_PATTERN = re.compile(r"\bsince (?:the |early |late )?\W?$")
_COMPARATIVE_PATTERN = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|worse|better)\b"
)
_PAST_PATTERN = re.compile(r"\b(?:ago|used to|back then|in those days|before the|at the time)\b")
_SUPERLATIVE_WORD_PATTERN = re.compile(r"\b(?:most|least|fewest|[a-z]{3,}est)\b")


class ExchangedWords(NamedTuple):
    """Two words that changed sides around a third one, the pivot.

    ``first`` is before the pivot in the statement, and ``second`` in the sentence.
    """

    first: str
    pivot: str
    second: str


class Sides(NamedTuple):
    """The words of a text that stand only before and only after a joining word."""

    before: frozenset[str]
    after: frozenset[str]


def exchanged_roles(pair: TextPair) -> Clash | None:
    """Return the words of both texts between which the roles are exchanged, or None."""
    figures_clash = _exchanged_figures_clash(pair)
    if figures_clash:
        return figures_clash
    exchanged_times = _exchanged_times_clash(pair)
    if exchanged_times:
        return exchanged_times
    sentence_positions = _first_positions(pair.sentence)
    statement_positions = _first_positions(pair.statement)
    shared_words = sentence_positions.keys() & statement_positions.keys()
    needed_words = max(
        MIN_EXCHANGED_WORDS,
        MIN_EXCHANGED_FRACTION * len(statement_positions),
        MIN_SHARED_OF_SENTENCE * len(sentence_positions),
    )
    if len(shared_words) < needed_words:
        return None
    exchanged_around_word = _exchanged_around_word(pair, shared_words)
    if exchanged_around_word:
        return exchanged_around_word
    is_closely_shared = len(shared_words) >= MIN_CLOSELY_SHARED * len(statement_positions)
    if not is_closely_shared or _rank_by_denial(pair):
        return None
    order_in_statement = sorted(shared_words, key=statement_positions.__getitem__)
    order_in_sentence = sorted(shared_words, key=sentence_positions.__getitem__)
    if order_in_statement == order_in_sentence:
        return _passive_clash(pair, sentence_positions, statement_positions, shared_words)
    if not _has_other_subject(pair, sentence_positions, statement_positions, shared_words):
        return None
    # "Ann does it the same way as Ben" is "Ben does it the same way as Ann".
    if all(_SYMMETRIC_PATTERN.search(t.lower_text) for t in (pair.sentence, pair.statement)):
        return None
    return _exchange_of_words(
        pair,
        sentence_positions,
        statement_positions,
        _words_that_changed_sides(order_in_statement, order_in_sentence),
    )


def _exchange_of_words(
    pair: TextPair,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
    changed_words: Iterable[tuple[str, str, str]],
) -> Clash | None:
    """Return the words between two that exchanged their roles, None if a passive accounts for it."""
    for first, pivot, second in changed_words:
        if not _may_exchange(pair, first, second, sentence_positions, statement_positions):
            continue
        moved = ExchangedWords(first, pivot, second)
        if not (
            _have_same_construction(pair, moved, sentence_positions, statement_positions)
            or _have_exchanged_markers(pair, moved, sentence_positions, statement_positions)
        ):
            continue
        if _is_restated(pair, sentence_positions[pivot], statement_positions[pivot]):
            return None
        moved_in_sentence = (sentence_positions[first], sentence_positions[second])
        moved_in_statement = (statement_positions[first], statement_positions[second])
        # "It was hurt by NAFTA" beside "NAFTA did damage to it", with another verb
        has_agent_in_sentence = _has_agent(pair.sentence, moved_in_sentence)
        if has_agent_in_sentence != _has_agent(pair.statement, moved_in_statement):
            return None
        sentence_words = pair.sentence.original_words(
            sentence_positions[second], sentence_positions[first] + 1
        )
        statement_words = pair.statement.original_words(
            statement_positions[first], statement_positions[second] + 1
        )
        return Clash(sentence_words, statement_words)
    return None


def _have_same_construction(
    pair: TextPair,
    moved: ExchangedWords,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
) -> bool:
    """Return whether each of two words stands right before the pivot in one of the texts.

    "Ann helped Ben" and "Ben helped Ann" do; "the states have eight counties" and "eight counties
    are in the states" are other constructions, of which the order says nothing.
    """
    pivot_in_sentence = sentence_positions[moved.pivot]
    pivot_in_statement = statement_positions[moved.pivot]
    if not _follows(pair.sentence, sentence_positions[moved.second], pivot_in_sentence):
        return False
    if not _follows(pair.statement, statement_positions[moved.first], pivot_in_statement):
        return False
    has_object = _is_before_object(pair.sentence, pivot_in_sentence)
    return has_object == _is_before_object(pair.statement, pivot_in_statement)


def _have_exchanged_markers(
    pair: TextPair,
    moved: ExchangedWords,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
) -> bool:
    """Return whether two words exchange their prepositions: "the town by the plan"."""
    markers = []
    for word in (moved.first, moved.second):
        in_sentence = _role_marker(pair.sentence, sentence_positions[word])
        in_statement = _role_marker(pair.statement, statement_positions[word])
        markers.append((in_sentence, in_statement))
    (first_in_sentence, first_in_statement), second_markers = markers
    has_agent = _AGENT_MARKER in (first_in_sentence, first_in_statement)
    return has_agent and second_markers == (first_in_statement, first_in_sentence)


def _follows(text: AnalysedText, word: int, pivot: int) -> bool:
    """Return whether the pivot directly follows a word, or only a place is between them."""
    text_between = text.lower_text[text.word_ends[word] : text.word_starts[pivot]]
    if _PLACE_BETWEEN_PATTERN.fullmatch(text_between):
        return True
    return pivot == word + 1 and _PHRASE_OPENING_PATTERN.search(text_between) is None


def _is_before_object(text: AnalysedText, word: int) -> bool:
    """Return whether no preposition follows a word, which may be a verb before its object."""
    return _PREPOSITION_AFTER_PATTERN.match(text.lower_text, text.word_ends[word]) is None


def _exchanged_around_word(pair: TextPair, shared_words: set[str]) -> Clash | None:
    """Return both texts if words changed sides around "than", "said" or "because", or None."""
    for find_sides in (
        _sides_of_than,
        _sides_of_multiple,
        _sides_of_surpassing,
        _sides_of_report,
        _sides_of_cause,
    ):
        exchanged_sides = _exchanged_sides(pair, shared_words, find_sides)
        if exchanged_sides and not is_converse(pair) and not _rank_by_denial(pair):
            return exchanged_sides
    return None


def _rank_by_denial(pair: TextPair) -> bool:
    """Return whether just one text ranks something first by a denial.

    "No lake is deeper than ours" and "ours is deeper than any other lake" say the same.
    """
    sentence_denies = denies_that_any_equals(pair.sentence.lower_text)
    return sentence_denies != denies_that_any_equals(pair.statement.lower_text)


def _exchanged_sides(
    pair: TextPair, shared_words: set[str], find_sides: Callable[[AnalysedText], Sides | None]
) -> Clash | None:
    """Return both texts if two shared words changed sides around the same joining word, or None."""
    # "Cats kill more birds than dogs", "Dogs kill more birds than cats"
    sentence_sides = find_sides(pair.sentence)
    statement_sides = find_sides(pair.statement)
    if sentence_sides is None or statement_sides is None:
        return None
    moved_after = statement_sides.before & sentence_sides.after & shared_words
    moved_before = statement_sides.after & sentence_sides.before & shared_words
    if moved_after and moved_before:
        return Clash(pair.sentence.text.strip(" ."), pair.statement.text.strip(" ."))
    return None


def _sides_of_than(text: AnalysedText) -> Sides | None:
    """Return the words that stand only before and only after the "than" of a comparison."""
    # "Cats kill more birds than dogs": (cat, kill, more, bird) and (dog).
    than_matches = list(_THAN_PATTERN.finditer(text.lower_text))
    return _sides_of_match(text, than_matches[-1]) if than_matches else None


def _sides_of_multiple(text: AnalysedText) -> Sides | None:
    """Return the words on the two sides of "350 times what" or "twice as much in Ohio as"."""
    multiple = _MULTIPLE_PATTERN.search(text.lower_text)
    return None if multiple is None else _sides_of_position(text, multiple.end())


def _sides_of_surpassing(text: AnalysedText) -> Sides | None:
    """Return the words on the two sides of "outnumber", the larger first: "are outnumbered by"."""
    surpassing = _SURPASSING_PATTERN.search(text.lower_text)
    sides = _sides_of_match(text, surpassing)
    if surpassing is None or sides is None:
        return None
    return Sides(sides.after, sides.before) if surpassing["passive"] else sides


def _sides_of_report(text: AnalysedText) -> Sides | None:
    """Return the words on the two sides of "said that": who said it, and of whom."""
    report = _REPORT_PATTERN.search(text.lower_text)
    sides = _sides_of_match(text, report)
    if report is None or sides is None:
        return None
    # "Taxes fell," said the mayor: the speaker follows.
    words_before = text.lower_text[: report.start()].rstrip()
    is_after_quotation = _QUOTATION_END_PATTERN.search(words_before) is not None
    return Sides(sides.after, sides.before) if is_after_quotation else sides


def _sides_of_cause(text: AnalysedText) -> Sides | None:
    """Return the words of the main clause and of the clause with "because" or "before"."""
    opening = _OPENING_CLAUSE_PATTERN.match(text.lower_text)
    if opening:
        # "Because prices fell, they sold": the main clause follows.
        sides = _sides_of_match(text, _CLAUSE_END_PATTERN.search(text.lower_text, opening.end()))
        return Sides(sides.after, sides.before) if sides else None
    return _sides_of_match(text, _CAUSE_WORD_PATTERN.search(text.lower_text))


def _sides_of_match(text: AnalysedText, joining_word: re.Match[str] | None) -> Sides | None:
    """Return the words that stand only before and only after a joining word."""
    return None if joining_word is None else _sides_of_position(text, joining_word.start())


def _sides_of_position(text: AnalysedText, position: int) -> Sides:
    """Return the words that stand only before and only after a position in characters."""
    words_before: set[str] = set()
    words_after: set[str] = set()
    for word, start in zip(text.words, text.word_starts, strict=True):
        is_figure = word[0] == FIGURE_MARK
        if is_figure:
            continue
        words_of_side = words_before if start < position else words_after
        words_of_side.add(_word_form(word))
    words_on_both_sides = words_before & words_after
    return Sides(
        frozenset(words_before - words_on_both_sides),
        frozenset(words_after - words_on_both_sides),
    )


def is_converse(pair: TextPair) -> bool:
    """Return whether one text has a word and the other its converse: "more" and "less"."""
    sentence_text = pair.sentence.lower_text
    statement_text = pair.statement.lower_text
    # Converse words say the same with exchanged sides: "A is above B", "B is below A".
    for word_pattern, converse_pattern in _CONVERSE_PATTERNS:
        sentence_has_word = word_pattern.search(sentence_text) is not None
        sentence_has_converse = converse_pattern.search(sentence_text) is not None
        has_both_or_none = sentence_has_word == sentence_has_converse
        if has_both_or_none:
            continue
        if sentence_has_word and converse_pattern.search(statement_text):
            return True
        if sentence_has_converse and word_pattern.search(statement_text):
            return True
    return False


def is_restated_conversely(pair: TextPair) -> bool:
    """Return whether converse words and exchanged roles together say the same."""
    if not is_converse(pair):
        return False
    if compares_things_conversely(pair):
        return True
    sentence_sides = _sides_in_time(pair.sentence)
    statement_sides = _sides_in_time(pair.statement)
    if sentence_sides and statement_sides and _are_exchanged(sentence_sides, statement_sides):
        return True
    # "Half as fast as fares", "twice as fast as wages"
    sentence_multiple = _sides_of_multiple(pair.sentence)
    statement_multiple = _sides_of_multiple(pair.statement)
    if sentence_multiple and statement_multiple:
        return _are_exchanged(sentence_multiple, statement_multiple) or _are_beside_pronoun(
            sentence_multiple, statement_multiple
        )
    if _ranks_all_others(pair):
        return True
    sentence_positions = _first_positions(pair.sentence)
    statement_positions = _first_positions(pair.statement)
    shared_words = sentence_positions.keys() & statement_positions.keys()
    # "A is larger than B" says the same as "B is smaller than A". The first shared word of each
    # text is its subject, because the positions are in reading order.
    statement_subject = next((word for word in statement_positions if word in shared_words), "")
    sentence_subject = next((word for word in sentence_positions if word in shared_words), "")
    has_other_subject = statement_subject != sentence_subject
    # "The firms gave him money", "he took money from the firms"
    is_transfer = any(
        _GIVING_PATTERN.search(text.lower_text) and _TAKING_PATTERN.search(other.lower_text)
        for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence))
    )
    if has_other_subject and is_transfer:
        return True
    return _have_changed_sides(pair, has_other_subject)


def _have_changed_sides(pair: TextPair, has_other_subject: bool) -> bool:
    """Return whether most shared words of two comparisons are on the other side of "than".

    If as many words moved as stayed, the other subject decides.
    """
    sentence_sides = _sides_of_than(pair.sentence)
    statement_sides = _sides_of_than(pair.statement)
    if sentence_sides is None or statement_sides is None:
        return has_other_subject and "than" in pair.sentence.lower_text
    moved_words = sentence_sides.before & statement_sides.after
    moved_words |= sentence_sides.after & statement_sides.before
    kept_words = sentence_sides.before & statement_sides.before
    kept_words |= sentence_sides.after & statement_sides.after
    if len(moved_words) == len(kept_words):
        return has_other_subject
    return len(moved_words) > len(kept_words)


def _sides_in_time(text: AnalysedText) -> Sides | None:
    """Return the words on the two sides of "than", with a word for the past and one for today.

    A text without "than" compares its past with today: "ten years ago we had more".
    """
    than_matches = list(_THAN_PATTERN.finditer(text.lower_text))
    than_start = than_matches[-1].start() if than_matches else len(text.text)
    sides = _sides_of_than(text) or Sides(frozenset(), frozenset())
    past_starts = []
    for date_mention in text.particulars.dates:
        # "Since 2008 there are fewer" speaks of today.
        if not _SINCE_BEFORE_PATTERN.search(text.lower_text, 0, date_mention.start):
            past_starts.append(date_mention.start)
    past_starts += [match.start() for match in _PAST_PATTERN.finditer(text.lower_text)]
    if not past_starts:
        return sides if than_matches else None
    if all(start < than_start for start in past_starts):
        return Sides(sides.before | {_PAST}, sides.after | {_TODAY})
    if all(start > than_start for start in past_starts):
        return Sides(sides.before | {_TODAY}, sides.after | {_PAST})
    return sides


def _exchanged_times_clash(pair: TextPair) -> Clash | None:
    """Return both texts if "fewer than ten years ago" is "ten years ago fewer" in the other."""
    if not pair.is_about_same_subject or pair.differs_in_denial or is_converse(pair):
        return None
    comparatives = set(_COMPARATIVE_PATTERN.findall(pair.sentence.lower_text))
    if comparatives.isdisjoint(_COMPARATIVE_PATTERN.findall(pair.statement.lower_text)):
        return None
    sides = []
    for text in (pair.sentence, pair.statement):
        times = _sides_in_time(text) or Sides(frozenset(), frozenset())
        # "More moved in than left last year" compares no times.
        if times.after - _TIMES - _WORDS_OF_TIME:
            return None
        sides.append(Sides(times.before & _TIMES, times.after & _TIMES))
    sentence_sides, statement_sides = sides
    if not _are_exchanged(sentence_sides, statement_sides):
        return None
    return Clash(pair.sentence.text.strip(" ."), pair.statement.text.strip(" ."))


def _are_exchanged(sides: Sides, other_sides: Sides) -> bool:
    """Return whether words of each side are on the other side in another text."""
    is_moved_after = not sides.before.isdisjoint(other_sides.after)
    return is_moved_after and not sides.after.isdisjoint(other_sides.before)


def _are_beside_pronoun(sides: Sides, other_sides: Sides) -> bool:
    """Return whether one text has only a pronoun after "as", and first what the other has there.

    "Half as much as we do" has the other text's "we" there, which isn't a content word.
    """
    if not other_sides.after:
        return not sides.after.isdisjoint(other_sides.before)
    return not sides.after and not other_sides.after.isdisjoint(sides.before)


def _ranks_all_others(pair: TextPair) -> bool:
    """Return whether one text says of all others what makes the other's first: "all pay more"."""
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        is_of_others = ALL_OTHERS_PATTERN.search(text.lower_text) is not None
        if is_of_others and _SUPERLATIVE_WORD_PATTERN.search(other.lower_text):
            return True
    return False


def _exchanged_figures_clash(pair: TextPair) -> Clash | None:
    """Return two figures of one kind that stand in each other's place, or None."""
    # "rose from 5 to 8 percent", "rose from 8 to 5 percent"
    sentence_figures = pair.sentence.particulars.numbers
    statement_figures = pair.statement.particulars.numbers
    if len(sentence_figures) < 2 or not _has_same_skeleton(pair):
        return None
    if list(map(_value, sentence_figures)) == list(map(_value, statement_figures)):
        return None
    # The first of several figures with one value counts.
    figure_of_value: dict[tuple[str, float, float], Figure] = {}
    for figure in sentence_figures:
        figure_of_value.setdefault(_value(figure), figure)
    shared_figures = [figure for figure in statement_figures if _value(figure) in figure_of_value]
    if len(shared_figures) > MAX_EXCHANGED_FIGURES:
        return None
    for first, second in combinations(shared_figures, 2):
        if first.kind != second.kind:
            continue
        first_in_sentence = figure_of_value[_value(first)]
        second_in_sentence = figure_of_value[_value(second)]
        is_exchanged = second_in_sentence.start < first_in_sentence.start
        # "Two of the nine" and "of the nine, two"
        first_markers = {
            _marker_of_figure(pair.statement, first),
            _marker_of_figure(pair.sentence, first_in_sentence),
        }
        second_markers = {
            _marker_of_figure(pair.statement, second),
            _marker_of_figure(pair.sentence, second_in_sentence),
        }
        if {"of"} in (first_markers, second_markers):
            continue
        if is_exchanged:
            return Clash(
                pair.sentence.text[second_in_sentence.start : first_in_sentence.end],
                pair.statement.text[first.start : second.end],
            )
    return None


def _marker_of_figure(text: AnalysedText, figure: Figure) -> str:
    """Return "of" if it stands before a figure, with an article or alone, else ""."""
    text_before = text.lower_text[: figure.start]
    return "of" if text_before.endswith(("of ", "of the ", "of our ", "of all ")) else ""


def _value(figure: Figure) -> tuple[str, float, float]:
    return figure.kind, figure.low, figure.high


def _has_same_skeleton(pair: TextPair) -> bool:
    """Return whether the words beside the figures are the same in the same order."""
    statement_words = [word for word in pair.statement.words if word[0] != FIGURE_MARK]
    return pair.shared_words >= MIN_SAME_SKELETON * len(statement_words)


def _has_other_subject(
    pair: TextPair,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
    shared_words: set[str],
) -> bool:
    """Return whether another shared word comes first, or both texts compare two things."""
    sentence_compares = _COMPARISON_PATTERN.search(pair.sentence.lower_text) is not None
    statement_compares = _COMPARISON_PATTERN.search(pair.statement.lower_text) is not None
    if sentence_compares and statement_compares:
        return True
    sentence_subject = _subject(pair.sentence, sentence_positions, shared_words)
    statement_subject = _subject(pair.statement, statement_positions, shared_words)
    return sentence_subject != statement_subject


def _subject(text: AnalysedText, positions: dict[str, int], shared_words: set[str]) -> str:
    """Return the first shared word without a preposition before it, "" if there is none."""
    for word, position in positions.items():
        is_quantity = word in _QUANTITIES
        if word in shared_words and not is_quantity and not _role_marker(text, position):
            return word
    return ""


def _word_form(word: str) -> str:
    """Return a word as it is compared: "took" is "take", and "close" is "clos" like "closed"."""
    return _PLAIN_FORM_OF_VERB.get(word, word).removesuffix("e")


def _first_positions(text: AnalysedText) -> dict[str, int]:
    """Return the first position of each content word, figures and dates left out."""
    positions: dict[str, int] = {}
    for position, word in enumerate(text.words):
        if word[0] != FIGURE_MARK:
            positions.setdefault(_word_form(word), position)
    return positions


def _words_that_changed_sides(
    order_in_statement: list[str], order_in_sentence: list[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield two words that changed sides, with the word between them."""
    # Statement "Ann helped Ben", sentence "Ben helped Ann": (Ann, helped, Ben).
    for pivot in order_in_statement:
        before_in_statement, after_in_statement = _words_around(order_in_statement, pivot)
        before_in_sentence, after_in_sentence = _words_around(order_in_sentence, pivot)
        moved_after = [word for word in before_in_statement if word in after_in_sentence]
        moved_before = [word for word in after_in_statement if word in before_in_sentence]
        for word_now_after, word_now_before in product(moved_after, moved_before):
            yield word_now_after, pivot, word_now_before


def _words_around(words: list[str], pivot: str) -> tuple[list[str], list[str]]:
    pivot_index = words.index(pivot)
    return words[:pivot_index], words[pivot_index + 1 :]


def _may_exchange(
    pair: TextPair,
    first_word: str,
    second_word: str,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
) -> bool:
    """Return whether two words have roles to exchange: no phrase that moved, no list."""
    # A marker such as "by" or "to" tells the role of the word after it: with the same marker in
    # both texts, a word has the same role.
    if first_word in _STEMS_OF_MARKERS or second_word in _STEMS_OF_MARKERS:
        return False
    changed_constructions = 0
    for word in (first_word, second_word):
        statement_marker = _role_marker(pair.statement, statement_positions[word])
        sentence_marker = _role_marker(pair.sentence, sentence_positions[word])
        if statement_marker and statement_marker == sentence_marker:
            return False
        has_marker_in_one = bool(statement_marker) != bool(sentence_marker)
        # "To" and "from" mark an object, as its place beside the verb does.
        is_adjunct = (statement_marker or sentence_marker) in _ADJUNCT_MARKERS
        changed_constructions += has_marker_in_one and is_adjunct
    # One word alone got a preposition: "executed in Texas" for "Texas executes" exchanges nothing.
    if changed_constructions == 1:
        return False
    statement_phrase = pair.statement.original_words(
        statement_positions[first_word], statement_positions[second_word] + 1
    )
    sentence_phrase = pair.sentence.original_words(
        sentence_positions[second_word], sentence_positions[first_word] + 1
    )
    # The words of a list may stand in any order.
    are_lists = _is_list(statement_phrase) and _is_list(sentence_phrase)
    return not are_lists


def _role_marker(text: AnalysedText, word_index: int) -> str:
    """Return the preposition or conjunction just before a word, "" for none."""
    text_before = text.lower_text[: text.word_starts[word_index]]
    tokens_before = _TOKEN_OR_MARK_PATTERN.findall(text_before)[-MARKER_TOKENS:]
    for token in reversed(tokens_before):
        is_punctuation = not token[0].isalnum()
        if is_punctuation:
            return ""
        if token in _ROLE_MARKERS:
            # "Two thirds of divorces": a share of the subject is the subject.
            return "" if token == "of" and QUANTITY_BEFORE_PATTERN.search(text_before) else token
    return ""


def _is_list(phrase: str) -> bool:
    """Return whether a phrase is a list: short pieces between commas and "and"."""
    pieces = re.split(r",\s*(?:and |or )?|\s{1,9}(?:and|or)\s+", phrase)
    if len(pieces) < 2:
        return False
    return all(len(piece.split()) <= MAX_WORDS_BETWEEN_LISTED for piece in pieces)


def _is_restated(pair: TextPair, sentence_pivot: int, statement_pivot: int) -> bool:
    """Return whether a passive or a converse accounts for the exchange."""
    if is_converse(pair):
        return True
    is_sentence_passive = _is_passive(pair.sentence, sentence_pivot, _PARTICIPLE_PATTERN)
    return is_sentence_passive != _is_passive(pair.statement, statement_pivot, _PARTICIPLE_PATTERN)


def _is_passive(text: AnalysedText, position: int, participle_pattern: re.Pattern[str]) -> bool:
    """Return whether a word is a verb in the passive, in a form that the pattern matches."""
    start = text.word_starts[position]
    # A publisher quotes in the middle: 'is "the largest gift'
    text_before = text.lower_text[:start].replace('"', "")
    text_after = text.lower_text[start:].replace('"', "")
    has_auxiliary = _AUXILIARY_BEFORE_PASSIVE_PATTERN.search(text_before) is not None
    return has_auxiliary and participle_pattern.match(text_after) is not None


def _has_agent(text: AnalysedText, positions: Sequence[int]) -> bool:
    """Return whether one of some words is the agent of a passive: "was signed by the mayor"."""
    for position in positions:
        text_before = text.lower_text[: text.word_starts[position]]
        if _AGENT_OF_PASSIVE_PATTERN.search(text_before):
            return True
    return False


def is_passive_restatement(pair: TextPair) -> bool:
    """Return whether the texts share nearly all words and a verb that is passive in one only.

    "The bill was signed by the mayor" restates "the mayor signed the bill". Denials don't count.
    """
    sentence_positions = _first_positions(pair.sentence)
    statement_positions = _first_positions(pair.statement)
    shared_words = sentence_positions.keys() & statement_positions.keys()
    counted_words = [
        {word for word in positions if not denies(word)}
        for positions in (sentence_positions, statement_positions)
    ]
    if len(shared_words) < MIN_CLOSELY_SHARED * max(map(len, counted_words)):
        return False
    for verb in shared_words:
        is_sentence_passive, is_statement_passive = _are_passive_with_agent(
            pair, sentence_positions[verb], statement_positions[verb]
        )
        if is_sentence_passive != is_statement_passive:
            return True
    return False


def _are_passive_with_agent(
    pair: TextPair, sentence_position: int, statement_position: int
) -> tuple[bool, bool]:
    """Return for a verb of each text whether it is in the passive, with "by" after it."""
    return (
        _is_passive(pair.sentence, sentence_position, _PARTICIPLE_WITH_AGENT_PATTERN),
        _is_passive(pair.statement, statement_position, _PARTICIPLE_WITH_AGENT_PATTERN),
    )


def _passive_clash(
    pair: TextPair,
    sentence_positions: dict[str, int],
    statement_positions: dict[str, int],
    shared_words: set[str],
) -> Clash | None:
    """Return the words around a verb that is passive in one text only, in the same order."""
    # "Ann helped Ben" and "Ann was helped by Ben" have the same order, but exchanged roles.
    for verb in shared_words:
        is_sentence_passive, is_statement_passive = _are_passive_with_agent(
            pair, sentence_positions[verb], statement_positions[verb]
        )
        if is_sentence_passive == is_statement_passive:
            continue
        passive_text = pair.sentence if is_sentence_passive else pair.statement
        all_positions = sentence_positions if is_sentence_passive else statement_positions
        positions = {word: all_positions[word] for word in shared_words}
        has_subject = min(positions.values()) < positions[verb]
        has_agent = any(
            _role_marker(passive_text, position) == "by" for position in positions.values()
        )
        if has_subject and has_agent:
            return Clash(pair.sentence.text.strip(" ."), pair.statement.text.strip(" ."))
    return None
