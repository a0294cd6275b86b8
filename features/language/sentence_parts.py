"""Parts of a compound sentence: its propositions, each readable alone.

``about`` tells which of them a statement is about.

A sentence is split where an independent clause begins: after "and", "but", "or", "so" or a dash
with a subject and a finite verb, or with a finite verb alone (its subject is that of the part
before), and at ", which" and ", who". Conditions and reported clauses stay with their main clause.
Omissions are filled in from the sentence: the shared subject, or the name for "he" or "which".
These are rules over a small lexicon of English verbs, not a parser: a sentence with unknown verbs
stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from features.language import agreement
from features.language.text_limits import MAX_CHARACTERS, MAX_JOINTS
from features.language.text_pairs import FIGURE_MARK, AnalysedText, analyse_text
from features.similarity.bm25 import tokenize
from features.similarity.coverage import load_word_weights

NOUN_PHRASE_CHARACTERS = 300  # at the end of a text, in which its last noun phrase is looked for
MIN_PART_WORDS = 3
MAX_WORDS_TO_VERB_OF_PRONOUN = 4  # the words up to the verb of a clause, by its first word
MAX_WORDS_TO_VERB_OF_NOUN = 7
MATCHED_LETTERS = 4  # two words with the same first letters count as one
HEAD_WORDS = 12  # of a possible clause that are looked at
# Weights of a filled-in word and a figure beside a rare word.
FILLED_IN_WEIGHT = 0.4
FIGURE_WEIGHT = 1.5
MIN_CLAUSE_WORDS = 5  # of a clause with no verb in the lexicon
UNKNOWN_RARITY = 0.6
_AUXILIARY_VERBS = frozenset(
    "is are was were am be been being has have had do does did will would can could should may "
    "might must shall cannot isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't "
    "didn't won't wouldn't can't couldn't shouldn't ain't".split()
)
_PAST_VERBS = frozenset(
    "went said lost got made took gave came saw knew told left paid spent built brought ran won "
    "rose fell grew held kept sent began thought found wrote stood broke chose led met sold "
    "bought became felt heard meant lent taught sat stole threw wore forgot hid spoke shot struck "
    "sued drew drove ate blew sought fought caught let put cut set hit used lied died bet".split()
)
_PLAIN_VERBS = frozenset(
    "want need think know get make take pay spend create support oppose believe say go come see "
    "look feel keep call give tell ask use find become leave put mean let begin seem help show "
    "hear play run move live bring happen write provide sit stand lose add stop send expect build "
    "stay fall cut reach kill raise pass sell require report decide pull break remain suggest "
    "hope lead understand allow win own owe cost charge hate love like agree work vote die grow "
    "rise end start try deserve propose promise face look rank earn hold fight buy face blame "
    "claim got gotta produce talk drive contain include reduce increase receive return claim "
    "cover carry oppose attack".split()
)
_SINGULAR_VERBS = frozenset(f"{verb}s" for verb in _PLAIN_VERBS) | frozenset(
    "goes does says has wants makes takes passes reaches pushes gives includes represents means "
    "costs says tries denies carries relies supplies contains produces generates reflects "
    "disappears vows includes receives threatens".split()
)
_SUBJECT_WORDS = frozenset(
    "i you he she it we they there this that these those who everybody nobody somebody nothing "
    "everyone".split()
)
# Plural subjects that do not end in s.
_SUBJECTS_OF_CONTRACTIONS = _SUBJECT_WORDS | {"what", "here", "who"}  # "it's", "who's"
_PLURALS_WITHOUT_S = frozenset(
    "people majority percent police children women men half many most some both none all".split()
)
_WORDS_AFTER_CONTRACTED_IS = frozenset(
    "no not a an the been going gone".split()
)  # "McCain's no hero"
_CONTRACTION_PATTERN = re.compile(
    r"^(?:i|you|he|she|it|we|they|there|that|who|what|here)(?:'(?:m|re|s|ve|ll|d))$|"
    r"^[a-z]+'(?:s|re|ve|ll|d)$", re.I
)  # fmt: skip
_ADVERBS_BEFORE_VERBS = frozenset(
    "also then now just even still never always only really actually basically already probably "
    "all not simply once again essentially largely totally certainly often sometimes instead thus "
    "therefore later finally".split()
)
_JOINING_WORD_PATTERN = re.compile(
    r"(?P<mark>\s*(?:,(?!\d\d\d)|;|--+|—|–|\.\.\.|…)+\s*|\s+)(?:(?P<word>and yet|and so|and then|"
    r"and that|and|but|yet|"
    r"or|so|plus|that|which|whose|who|where)\b(?=[\s,—–-]))?",
    re.I,
)
_SENTENCE_END_PATTERN = re.compile(
    r"(?<![A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs|Jr))(?<!\b(?:Sen|Gov|Rep|Mrs))[.!?][\"”]?\s+(?=[A-Z])"
)
_OPENS_WITH_CONDITION_PATTERN = re.compile(
    r"^(?:and |but |so |well,? |now,? |because |look,? )*(?:if|when|while|because|since|although|"
    r"though|as|after|"
    r"before|unless|until|once)\b",
    re.I,
)
_CONDITION_WORD_PATTERN = re.compile(r"\b(?:if|when|while|unless|until|whether)\b", re.I)
_RELATIVE_PRONOUN_PATTERN = re.compile(r",? \b(?:which|who)\b", re.I)
_OPENING_PHRASE_PATTERN = re.compile(
    r"(?:you know|i mean|believe me|frankly|once again|also|now|then|today|well|(?:in|on|at|for|"
    r"by|over|during|under|"
    r"after|before|with|as|of|to|since|because of|a (?:couple|few))\b[\w' "
    r"$%.-]{1,60}),\s+(?!who\b|which\b)",
    re.I,
)
_WORDS_SHARING_SUBJECT = frozenset(
    ("and", "but", "and then", "and yet")
)  # joins verbs of one subject
_WORDS_OPENING_CLAUSES = frozenset(
    "that who which whose where if when because to and but or".split()
)  # what follows is another clause
_ARTICLES = frozenset("the our their my his her".split())
_WORDS_NEVER_VERBS = frozenset("and or but the a an in on at for to of with who which that".split())
_WORDS_OPENING_OBJECTS = frozenset(
    "the a an to in it them him his her our their that this my for by against on with from back "
    "out up us me you all over about more no down".split()
)
_LEADING_CONJUNCTIONS_PATTERN = re.compile(
    r"^(?:[\s,;—–.-]+|(?:and|but|so|or|yet|plus)\b(?! far\b))+", re.I
)
_NAME_PATTERN = re.compile(r"\b[A-Z][\w'.-]*(?:\s+[A-Z][\w'.-]*)*")
# Words after an article at the end of a text, or capitalised words there
_FINAL_NOUN_PHRASE_PATTERN = re.compile(
    r"\b(?:the|a|an|this|that|our|their|his|her|my|your|no)\s+[\w' -]{2,60}$|"
    r"(?<![\w'-])(?:[A-Z][\w'-]*+\.? ?){1,8}$"
)
_WORD_PATTERN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PRONOUN_IS_PATTERN = re.compile(r"(?:i|he|she|it|that|there|who|what|here)'s")
_WORDS_NEVER_BEFORE_VERBS = frozenset(
    "to the a an of in for by with my our their his her your".split()
)
_WORDS_BEFORE_PLAIN_VERBS = _SUBJECT_WORDS | _PLURALS_WITHOUT_S | _ADVERBS_BEFORE_VERBS
_WORDS_BEFORE_COMPLEMENTS = frozenset("is are was were am be been being".split())
_WORDS_ENDING_NO_CLAUSE = frozenset(
    "a an the my your our their of and or but because if whether than so".split()
)
_OBJECT_PRONOUNS = frozenset(("her", "his"))
_WORDS_AFTER_DEGREE = frozenset("many much few little far".split())
_PREPOSITIONS_OF_PHRASES = frozenset("in on at for by with from of to into".split())
_SUBORDINATING_WORDS = frozenset("that which who whose where when if because and or".split())
_TRAILING_FILLER_PATTERN = re.compile(r"(?:,|(?<!\s))\s+(?:you know|i mean)[\s,]*$", re.I)
_CLAUSE_OPENERS = frozenset("if when as because in".split())
_PHRASE_OPENERS = frozenset("to for of with by from on at who which".split())
_NEVER_OPEN_UNJOINED_CLAUSES = frozenset("if when as because who which that".split())


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A proposition of a sentence: its position and its words, as said and completed.

    ``filled`` can be read without the rest of the sentence.
    """

    start: int
    end: int
    text: str
    filled: str


def split(text: str) -> tuple[SentencePart, ...]:
    """Split a sentence into its propositions; a simple sentence is one part.

    So is a text that is too long for a sentence, or a list with too many marks (``text_limits``).
    """
    part_starts = _part_starts(text) if len(text) <= MAX_CHARACTERS else [0]
    # Each part ends where the next one begins.
    part_starts = sorted(set(part_starts))
    part_ends = [*part_starts[1:], len(text)]
    part_spans = _join_short_spans(text, list(zip(part_starts, part_ends, strict=True)))
    parts: list[SentencePart] = []
    for start, end in part_spans:
        part_text = text[start:end].strip(" ,;—–-")
        previous_part = parts[-1] if parts else None
        parts.append(SentencePart(start, end, part_text, _fill_in(part_text, previous_part)))
    return tuple(parts)


def _part_starts(text: str) -> list[int]:
    """Return where the parts of a sentence begin, in no order."""
    # A part begins at a joining word such as "and" or "which", or after a mark.
    joining_matches = [
        joining_match
        for joining_match in _JOINING_WORD_PATTERN.finditer(text)
        if joining_match["word"] or joining_match["mark"].strip()
    ]
    if len(joining_matches) > MAX_JOINTS:
        return [0]
    part_starts = [0]
    for joining_match in joining_matches:
        part_start = _part_start(text, part_starts, joining_match)
        if part_start is not None:
            part_starts.append(part_start)
    part_starts += [end_match.end() for end_match in _SENTENCE_END_PATTERN.finditer(text)]
    return part_starts


def looks_like_verb(word: str) -> bool:
    """Return whether a word is a verb of the lexicon, or ends like a past tense."""
    lower_word = word.casefold()
    is_in_lexicon = lower_word in _PAST_VERBS or lower_word in _PLAIN_VERBS
    is_form = lower_word in _SINGULAR_VERBS or lower_word in _AUXILIARY_VERBS
    return is_in_lexicon or is_form or lower_word.endswith("ed")


def number_of_claimed_part(parts: Sequence[SentencePart], statement: str) -> int | None:
    """Return the number (from 1) of the part that shares most words and figures with a statement.

    A rare word counts more than a common one, and ties go to the first part. None if there is only
    one part, or no part shares anything.
    """
    if len(parts) < 2:
        return None
    analysed_statement = analyse_text(statement)
    rarity_by_word = _rarity_of_words(statement)
    part_scores = [_shared_score(part, analysed_statement, rarity_by_word) for part in parts]
    best_score = max(part_scores)
    if best_score <= 0:
        return None
    return part_scores.index(best_score) + 1


def _shared_score(
    part: SentencePart, statement: AnalysedText, rarity_by_word: Mapping[str, float]
) -> float:
    """Return how much a part has in common with a statement: rare words and figures count most."""
    content_words = (word for word in statement.words if not word.startswith(FIGURE_MARK))
    statement_words = _first_letters(content_words)
    # Words that only the filled-in subject has in common count less: "(Ann) raised taxes".
    part_with_subject = analyse_text(part.filled)
    words_in_part = _first_letters(analyse_text(part.text).words)
    words_in_subject = _first_letters(part_with_subject.words) - words_in_part
    part_weight = _summed_rarity(words_in_part & statement_words, rarity_by_word)
    subject_weight = _summed_rarity(words_in_subject & statement_words, rarity_by_word)
    shared_figures, _, _ = agreement.pair_figures(
        part_with_subject.particulars.numbers, statement.particulars.numbers
    )
    return part_weight + FILLED_IN_WEIGHT * subject_weight + FIGURE_WEIGHT * len(shared_figures)


def _summed_rarity(words: Iterable[str], rarity_by_word: Mapping[str, float]) -> float:
    return sum(rarity_by_word.get(word, UNKNOWN_RARITY) for word in words)


def _first_letters(words: Iterable[str]) -> set[str]:
    return {word[:MATCHED_LETTERS] for word in words}


def _rarity_of_words(statement: str) -> dict[str, float]:
    """Return how rare the words of a statement are, 0..1, by their first letters.

    Of several words with the same first letters, the rarest counts.
    """
    word_weights = load_word_weights()
    rarity_by_beginning = dict[str, float]()
    for word in tokenize(statement):
        weight = word_weights.weights.get(word, word_weights.unseen)
        word_beginning = word[:MATCHED_LETTERS]
        rarity_by_beginning[word_beginning] = max(
            weight, rarity_by_beginning.get(word_beginning, 0.0)
        )
    return rarity_by_beginning


def _part_start(text: str, part_starts: Sequence[int], joining_match: re.Match[str]) -> int | None:
    """Return the start of the part that begins at a joining word or mark, None if none does."""
    # The match may have a mark, a joining word, or both: ", and".
    mark = joining_match["mark"].strip()
    joining_word = (joining_match["word"] or "").casefold()
    text_before = text[part_starts[-1] : joining_match.start()]
    text_after = text[joining_match.end() :]
    opening_words = _opening_words(text_after)
    # A preceding part without a verb belongs to the one before it: look at both.
    begins_with_subject = bool(opening_words) and opening_words[0] in _SUBJECT_WORDS
    if begins_with_subject and joining_word and len(part_starts) > 1:
        if not has_finite_verb(text_before):
            text_before = text[part_starts[-2] : joining_match.start()]
    # "If taxes fall and wages rise, ...", "He said that and ..."
    if _is_in_condition(text_before, mark, joining_word):
        return None
    if _is_unfinished(text_before, joining_word):
        return None
    if _breaks_phrase(text, part_starts[-1], joining_match):
        return None
    # Both sides have to be clauses.
    is_clause_before = has_finite_verb(text_before) or _joins_unsure_clause(
        text_before, mark, joining_word, opening_words
    )
    if not is_clause_before:
        return None
    # A part begins with its joining word, or behind a mark.
    if joining_word:
        begins_part = _begins_at_word(joining_word, mark, text_before, opening_words)
        return joining_match.start("word") if begins_part else None
    begins_part = _begins_after_mark(text_after, mark, opening_words)
    return joining_match.end() if begins_part else None


def _joins_unsure_clause(
    text_before: str, mark: str, joining_word: str, opening_words: list[str]
) -> bool:
    """Return whether ", and" or ", but" joins a clause to one whose verb may be unknown."""
    may_join_clauses = joining_word in ("and", "but") and "," in mark
    return may_join_clauses and _may_be_clause(text_before) and _is_clause(opening_words)


def _begins_after_mark(following: str, mark: str, opening_words: list[str]) -> bool:
    """Return whether a part begins after a mark without a joining word."""
    if following[:1] in '"“':  # also at the end of the text, where nothing follows
        return False
    begins_with_name = following[:1].isupper() and _is_clause(opening_words[:4])
    is_strong_mark = mark[:1] in ";—–-" or "..." in mark
    return begins_with_name or _is_unjoined_clause(opening_words, after_strong_mark=is_strong_mark)


def _begins_at_word(joining_word: str, mark: str, text_before: str, words_after: list[str]) -> bool:
    """Return whether a part begins at a joining word."""
    # "..., which he signed"
    if joining_word in ("which", "who", "whose", "where"):
        return bool(mark) and _is_relative_clause(words_after)
    # "he said that taxes fell, that wages rose"
    if joining_word == "that":
        continues_report = re.search(r"\bthat\b", text_before) is not None
        return bool(mark) and _is_clause(words_after) and continues_report
    if joining_word == "and that":
        return _is_clause(["that", *words_after]) or _is_clause(words_after)
    # "and won the race" continues with the same subject.
    shares_subject = joining_word in _WORDS_SHARING_SUBJECT and _is_verb_phrase(words_after)
    return shares_subject or _is_clause(words_after)


def _opening_words(text: str) -> list[str]:
    """Return the first words of a text in small letters, up to the next mark.

    Phrases of time and place before them are left out.
    """
    text = re.sub(r"^[\s,—–-]*(?:and |but )?", "", text)
    # "Last year, in Ohio, ..."
    phrase_match = _OPENING_PHRASE_PATTERN.match(text)
    while phrase_match and not has_finite_verb(phrase_match[0]):
        text = text[phrase_match.end() :]
        phrase_match = _OPENING_PHRASE_PATTERN.match(text)
    first_mark = re.search(r",(?!\d)|[;:—–]|--|\.\.\.", text)
    if first_mark:
        text = text[: first_mark.start()]
    return _lower_words(text)[:HEAD_WORDS]


def _lower_words(text: str) -> list[str]:
    """Return the words of a text in small letters, with plain apostrophes."""
    return [word.casefold().replace("’", "'") for word in _WORD_PATTERN.findall(text)]


def has_finite_verb(text: str) -> bool:
    """Return whether a text has a known finite verb after a possible subject."""
    words = _lower_words(text)
    return any(_is_verb(words, position) for position in range(len(words)))


def _is_verb(words: Sequence[str], position: int) -> bool:
    """Return whether a word is a known finite verb, given the words next to it."""
    word = words[position]
    previous_word = words[position - 1] if position > 0 else ""
    # "they'll", but not "Ohio's", whose ending may be a genitive
    is_contracted = _CONTRACTION_PATTERN.match(word) and not word.endswith("'s")
    # "is", "it's", but not "to be"
    if word in _AUXILIARY_VERBS or is_contracted or _PRONOUN_IS_PATTERN.fullmatch(word):
        return previous_word != "to"
    # All other verbs need a subject before them.
    if position == 0:
        return False
    # "McCain's no hero"
    next_word = words[position + 1] if position + 1 < len(words) else ""
    if word.endswith("'s") and next_word in _WORDS_AFTER_CONTRACTED_IS:
        return True
    # "the cut", "to cut"
    if previous_word in _WORDS_NEVER_BEFORE_VERBS:
        return False
    # "Taxes rose", "taxes increased"
    is_regular_past = word.endswith("ed") and len(word) > 4
    if word in _PAST_VERBS or is_regular_past or word in _SINGULAR_VERBS:
        return True
    # "she says", "never says"
    follows_singular = (
        previous_word in ("he", "she", "it", "which") or previous_word in _ADVERBS_BEFORE_VERBS
    )
    if follows_singular and word.endswith("s") and len(word) > 3:
        return True
    # "they say", "workers say"
    follows_plural = previous_word in _WORDS_BEFORE_PLAIN_VERBS or previous_word.endswith("s")
    return word in _PLAIN_VERBS and follows_plural


def _may_be_clause(text: str) -> bool:
    """Return whether a text without known verbs may be a clause: it is long enough and no list."""
    return len(_WORD_PATTERN.findall(text)) >= MIN_CLAUSE_WORDS and "," not in text


def _is_clause(words: Sequence[str]) -> bool:
    """Return whether words begin with a subject and a finite verb."""
    # "they also won" is read as "they won"; "all" may be a subject.
    words = [word for word in words if word not in _ADVERBS_BEFORE_VERBS or word == "all"]
    if not words or words[0] in _AUXILIARY_VERBS:
        return False
    first_word = words[0]
    # "it's" and "they'll" have subject and verb in one word; "Ohio's" may be a genitive.
    if _CONTRACTION_PATTERN.match(first_word) and first_word != "let's":
        is_contracted_subject = first_word[:-2] in _SUBJECTS_OF_CONTRACTIONS
        if is_contracted_subject or not first_word.endswith("'s"):
            return True
    # "We agree"
    begins_with_pronoun = first_word in ("i", "you", "we", "they")
    if begins_with_pronoun and len(words) > 1 and words[1] not in _WORDS_NEVER_VERBS:
        return True
    # "These taxes rose"
    if len(words) > 1 and (first_word in _SUBJECT_WORDS or first_word in ("what", "here")):
        return _has_verb_before(words, MAX_WORDS_TO_VERB_OF_PRONOUN)
    # "Because taxes fell", but not "from Ohio"
    if first_word in _CLAUSE_OPENERS:
        return _has_verb_before(words, len(words))
    if first_word in _PHRASE_OPENERS:
        return False
    # A noun begins: its verb comes before the next clause, or among the first words.
    clause_end = len(words)
    for position, word in enumerate(words):
        if position > 0 and word in _WORDS_OPENING_CLAUSES:
            clause_end = position
            break
    return _has_verb_before(words, max(MAX_WORDS_TO_VERB_OF_NOUN, clause_end))


def _has_verb_before(words: Sequence[str], end: int) -> bool:
    """Return whether one of the words from the second up to a position is a finite verb."""
    return any(_is_verb(words, position) for position in range(1, min(len(words), end)))


def _is_verb_phrase(words: Sequence[str]) -> bool:
    """Return whether words begin with a finite verb, with its subject in the part before."""
    words_without_adverbs = [word for word in words if word not in _ADVERBS_BEFORE_VERBS]
    if len(words_without_adverbs) < 2:
        return False
    verb, next_word, *_ = words_without_adverbs
    if verb in _AUXILIARY_VERBS or verb in _PAST_VERBS or verb in _SINGULAR_VERBS:
        return True
    # "raised taxes": a word in -ed is a verb if an object follows, else it may be a participle.
    is_regular_past = verb.endswith("ed") and len(verb) > 4
    opens_object = next_word in _WORDS_OPENING_OBJECTS or next_word[:1].isdigit()
    return is_regular_past and opens_object


def _is_unjoined_clause(words: Sequence[str], *, after_strong_mark: bool) -> bool:
    """Return whether a clause begins without a joining word.

    Its subject is a pronoun or, after a strong mark such as a dash, any noun.
    """
    if len(words) < 3 or words[0] in _NEVER_OPEN_UNJOINED_CLAUSES:
        return False
    if after_strong_mark or words[0] in _SUBJECT_WORDS or _CONTRACTION_PATTERN.match(words[0]):
        return _is_clause(words)
    return words[0] in _ARTICLES and "that" not in words and _is_clause(words[:5])


def _is_relative_clause(words: Sequence[str]) -> bool:
    """Return whether words after "which" or "who" begin with a verb or are a clause."""
    if not words:
        return False
    if _is_verb(["it", *words], 1) or _is_clause(words):
        return True
    return words[0] in _ADVERBS_BEFORE_VERBS and _is_relative_clause(words[1:])


def _is_in_condition(text_before: str, mark: str, joining_word: str) -> bool:
    """Return whether the words before end in a condition, before or after its main clause."""
    trimmed_text = text_before.strip(" ,")
    # "If we act now" needs its main clause, and so does "when we see a town that's poor, that's sad".
    opens_with_condition = _OPENS_WITH_CONDITION_PATTERN.match(trimmed_text) is not None
    pieces_after_comma = trimmed_text.split(",")[1:]
    if opens_with_condition and not any(map(_is_main_clause, pieces_after_comma)):
        return True
    # "We will act if they come": a comma with a joining word after it ends the condition.
    text_after_last_mark = re.split(r"[,;—–]|--", text_before)[-1]
    ends_in_condition = _CONDITION_WORD_PATTERN.search(text_after_last_mark) is not None
    is_condition_over = "," in mark and bool(joining_word)
    return ends_in_condition and not is_condition_over


def _is_main_clause(piece: str) -> bool:
    """Return whether the words between two commas aren't a relative clause or one more condition."""
    words = _lower_words(piece)
    is_subordinate = bool(words) and words[0].partition("'")[0] in _SUBORDINATING_WORDS
    return bool(words) and not is_subordinate


def _is_unfinished(text_before: str, joining_word: str) -> bool:
    """Return whether the words before end in a clause that still needs its verb.

    Such a clause follows "which", "who" or, if it is reported, "that".
    """
    # The text after the last "which" or "who". In it, "it" takes the place of the pronoun,
    # because a verb needs a subject before it.
    *texts_before_relative, relative_clause = _RELATIVE_PRONOUN_PATTERN.split(text_before)
    has_relative_clause = bool(texts_before_relative)
    if has_relative_clause and not has_finite_verb(f"it {relative_clause}"):
        return True
    # "because everybody -- Ann, we have": the cause is broken off.
    *texts_before_cause, cause = re.split(r"\bbecause\b(?! of\b)", text_before)
    if texts_before_cause and not has_finite_verb(f"it {cause}"):
        return True
    *texts_before_that, that_clause = re.split(r"\bthat\b", text_before)
    has_that_clause = bool(texts_before_that)
    return has_that_clause and not joining_word and not has_finite_verb(that_clause)


def _breaks_phrase(text: str, part_start: int, joining_match: re.Match[str]) -> bool:
    """Return whether a joining word or mark stands within a phrase or a quotation."""
    mark = joining_match["mark"].strip()
    joining_word = (joining_match["word"] or "").casefold()
    # "puts himself into, you know, the middle"
    text_before, fillers = _TRAILING_FILLER_PATTERN.subn(
        "", text[part_start : joining_match.start()]
    )
    words_before = _lower_words(text_before)
    words_after = _lower_words(text[joining_match.end() :][:NOUN_PHRASE_CHARACTERS])
    if not words_before or not words_after:
        return False
    last_word = words_before[-1]
    # "The truth is, wages fell", "it is so bad", but "what the answers are and yet nothing changed"
    is_contrast = joining_word not in ("", "so", "that")
    if last_word in _WORDS_BEFORE_COMPLEMENTS and not is_contrast:
        return True
    # "because their -- they have more", but "I said it to her, and everybody agreed"
    if last_word in _WORDS_ENDING_NO_CLAUSE or (last_word in _OBJECT_PRONOUNS and not mark):
        return True
    if fillers and last_word in _PREPOSITIONS_OF_PHRASES:
        return True
    # "making sure that -- that we have"
    if joining_word == last_word == "that":
        return True
    # "fewer, and fewer doctors", "millions and millions", but "out of Iran and Iran is"
    is_repeated = joining_word == "and" and last_word == words_after[0]
    if is_repeated and last_word not in _SUBJECT_WORDS and text_before.endswith(last_word):
        return True
    # "because so many others were shot", "not only in Ohio and in Iowa"
    if joining_word == "so" and not mark and words_after[0] in _WORDS_AFTER_DEGREE:
        return True
    has_same_preposition = (
        words_after[0] in _PREPOSITIONS_OF_PHRASES and words_after[0] in words_before[-3:]
    )
    if joining_word == "and" and not mark and has_same_preposition:
        return True
    # In "You complain, I'll sue", the quotation is one part.
    is_in_quotation = text[: joining_match.start()].count('"') % 2 == 1
    return is_in_quotation and not joining_word


def _join_short_spans(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans of too few words to the span before or after."""
    joined_spans = spans[:1]
    for start, end in spans[1:]:
        previous_start, previous_end = joined_spans[-1]
        word_count = len(_WORD_PATTERN.findall(text[start:end]))
        previous_word_count = len(_WORD_PATTERN.findall(text[previous_start:previous_end]))
        if min(word_count, previous_word_count) < MIN_PART_WORDS:
            joined_spans[-1] = (previous_start, end)
        else:
            joined_spans.append((start, end))
    return joined_spans


def _fill_in(part_text: str, previous_part: SentencePart | None) -> str:
    """Complete a part with the subject that it shares with the part before or refers to."""
    # Without the joining word or mark at its beginning.
    clause = _LEADING_CONJUNCTIONS_PATTERN.sub("", part_text)
    if previous_part is None:
        return clause
    words = _lower_words(clause)
    first_word = words[0] if words else ""
    words_after_first = clause.split(" ", maxsplit=1)[-1]
    # "..., which he signed": the bill he signed
    if first_word in ("which", "who"):
        return f"{_last_noun_phrase(previous_part.filled)} {words_after_first}"
    if first_word == "whose":
        return f"{_last_noun_phrase(previous_part.filled)}'s {words_after_first}"
    # "... and raised taxes" has the subject of the part before.
    if _is_verb_phrase(words) and not _is_clause(words):
        return f"{_subject(previous_part.filled)} {clause}".strip()
    # "he", also in "he's" or "he'll".
    pronoun, _, _ = first_word.partition("'")
    if pronoun not in ("he", "she", "it", "they"):
        return clause
    antecedent = _antecedent(pronoun, previous_part.filled)
    if not antecedent:
        return clause
    if "'" in first_word:  # "he's right (Reyes)"
        return f"{clause} ({antecedent})"
    return f"{antecedent} {words_after_first}"


def _subject(text: str) -> str:
    """Return the words of a clause before its first finite verb."""
    word_matches = list(_WORD_PATTERN.finditer(text))
    if not word_matches:
        return ""
    lower_words = _lower_words(text)
    verb_positions = (
        position for position in range(len(lower_words)) if _is_verb(lower_words, position)
    )
    verb_position = next(verb_positions, 0)
    verb_match = word_matches[verb_position]
    if _CONTRACTION_PATTERN.match(lower_words[verb_position]):
        # "he's" has subject and verb in one word.
        subject, *_ = re.split(r"['’]", verb_match[0])
        return subject
    if verb_position > 0:
        return text[: verb_match.start()].strip(" ,")
    # There is no verb: the first word is taken for the subject.
    return word_matches[0][0]


def _last_noun_phrase(text: str) -> str:
    """Return roughly the last noun phrase of a text: its last name or words after an article."""
    text_end = text.strip(" ,.—–-")[-NOUN_PHRASE_CHARACTERS:]
    phrase_match = _FINAL_NOUN_PHRASE_PATTERN.search(text_end)
    if phrase_match:
        return phrase_match[0]
    last_two_words = text.split()[-2:]
    return " ".join(last_two_words)


def _antecedent(pronoun: str, previous_text: str) -> str:
    """Return the noun that a pronoun stands for.

    It is a name for "he" and "she", the subject for "it" and "they".
    """
    # "He" is the last person that is named, "it" and "they" are the subject.
    if pronoun in ("he", "she"):
        last_name = ""
        for name_match in _NAME_PATTERN.finditer(previous_text):
            # A lone word in capitals at the start may be any word.
            is_only_first_word = name_match.start() == 0 and " " not in name_match[0]
            if not is_only_first_word:
                last_name = name_match[0]
        return last_name
    subject = _subject(previous_text)
    return subject if subject.casefold() not in _SUBJECT_WORDS else ""
