"""Groups, places and kinds: another word of the same class where two texts otherwise agree.

"Doctors" for "climate scientists", "Canadian" for "American", "heroin" for "marijuana": two words
of one class in the same place speak of different things. A word such as "Black" or "eligible" that
only one text has before a shared word makes its group narrower.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from features.language import agreement
from features.language.abbreviations import abbreviates
from features.language.denials import denies
from features.language.figures.numbers import COUNT, Figure
from features.language.function_words import NON_NAME_WORDS
from features.language.interchangeable_words import WORDS_FOR_PERSONS, are_interchangeable
from features.language.stems import content_stem
from features.language.text_pairs import FIGURE_MARK, AnalysedText, Gap, TextPair
from features.language.verb_senses import verbs
from features.language.word_clashes import Clash

_WORDS_FOR_ALL = frozenset("all every each any singl".split())
MAX_GAP_WORDS = 4
MAX_OUTER_WORDS = 2  # at the beginning or end, in which two texts differ and nowhere else
MIN_SHARED_REST = 2
MIN_FAMILY_LETTERS = 5

# One class per line; words joined by "=" are the same.
_CLASSES = """
    coal oil gas=gasoline natural solar wind nuclear hydro diesel petroleum ethanol geothermal
    marijuana=pot=cannabis heroin cocaine fentanyl opioid meth alcohol tobacco=cigarette vaping
    sales income property gas=gasoline corporate payroll estate=death inheritance excise capital
    school prison=jail hospital road=highway bridge police military=defense welfare library park
    teacher doctor=physician nurse lawyer=attorney police=cop scientist=researcher economist engineer
    farmer miner soldier firefighter judge journalist=reporter pastor banker professor teacher nurse
    woman=female man=male girl boy
    child=kid=pupil=student adult senior=elderly teenager=teen veteran retiree parent
    husband wife son daughter brother sister father=dad mother=mom uncle aunt nephew niece cousin
    black=african-american white hispanic=latino=latina asian arab jewish=jew muslim christian catholic protestant evangelical
    democrat=democratic republican=gop independent libertarian green
    murder=homicide=kill rape robbery burglary theft assault arson fraud shooting
    smallpox polio measle flu=influenza malaria ebola covid=coronavirus tuberculosi cholera cancer diabete
    math=mathematics reading science writing history english
    dog cat bird cow horse pig chicken wolf bear fish
    house senate court congress cabinet
    car=automobile truck bus train plane=airplane bike motorcycle ship
    river lake ocean sea mountain
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    north=northern south=southern east=eastern west=western
    federal state=statewide local county municipal city
    wheat corn soy=soybean rice cotton potato milk beef pork
    gun=firearm rifle pistol=handgun knife bomb
    import export
    governor mayor senator president congressman sheriff
    public private charter
    rural urban suburban
    rent wage=salary price profit
    breast lung colon prostate skin
    preschool kindergarten elementary
    medicare medicaid
    deputy trooper constable marshal ranger guard detective
    nurse midwife paramedic surgeon dentist pharmacist
    janitor cook waiter cashier driver pilot
    sailor marine soldier airman guardsman
"""
_GROUP_WORDS = frozenset(
    "black white hispanic latino latina asian african-american native jewish muslim christian "
    "catholic arab female male young younger older elderly teen teenage adult republican "
    "democratic democrat independent liberal conservative public private eligible registered likely "
    "rural urban suburban full-time part-time married legal illegal undocumented foreign "
    "domestic violent nonviolent first-time middle-class low-income working-class college-educated "
    "unarmed pregnant disabled homeless uninsured unemployed retired freshman suburban inner-city "
    "evangelical gay lesbian transgender foreign-born native-born "
    "northern southern eastern western northeastern southeastern "
    "indian canadian mexican british german french italian spanish chinese japanese russian "
    "european african australian swedish norwegian irish scottish polish turkish israeli iranian "
    "iraqi korean cuban brazilian ukrainian saudi dutch danish greek swiss portuguese finnish "
    "vietnamese pakistani egyptian venezuelan haitian".split()
)
_PLACE_WORDS = """
    america american americans u.s. u.s us usa united-states
    canada canadian canadians
    mexico mexican mexicans
    britain british uk u.k. u.k england english united-kingdom
    germany german germans
    france french
    italy italian italians
    spain spanish
    china chinese
    japan japanese
    russia russian russians soviet
    europe european europeans
    australia australian australians
    sweden swedish
    norway norwegian
    denmark danish
    ireland irish
    scotland scottish
    israel israeli israelis
    iran iranian iranians
    iraq iraqi iraqis
    india indian indians
    cuba cuban cubans
    brazil brazilian brazilians
    ukraine ukrainian ukrainians
    pakistan pakistani
    turkey turkish
    poland polish
    greece greek
    africa african
    switzerland swiss
    netherlands dutch
    vietnam vietnamese
    egypt egyptian
    venezuela venezuelan
    syria syrian syrians
    afghanistan afghan
"""
_OPENING_PRONOUN_PATTERN = re.compile(
    r"^\W*(?:\w+,? )?(?:i|we|he|she|they|it|you|that|this)\b", re.I
)
_PEOPLE_ENDING_PATTERN = re.compile(
    r"(?:ists?|ers|ors|ians|icians|ants|crats|ologists?|men|women)$"
)
_LOWER_WORD_PATTERN = re.compile(r"[a-z]+(?:[.-][a-z]+)*\.?")


def _read_classes() -> dict[str, dict[int, str]]:
    """Return by stem the number of each class that has it, with the first of its synonyms there."""
    # A line is a class of words that exclude each other. Synonyms are joined by "=":
    # "north=northern south=southern".
    synonym_by_class_of_stem: dict[str, dict[int, str]] = {}
    for class_number, class_line in enumerate(_CLASSES.strip().splitlines()):
        for synonym_group in class_line.split():
            synonyms = synonym_group.split("=")
            first_synonym = synonyms[0]
            for word in synonyms:
                synonym_by_class = synonym_by_class_of_stem.setdefault(content_stem(word), {})
                synonym_by_class[class_number] = first_synonym
    return synonym_by_class_of_stem


def _read_places() -> dict[str, str]:
    places = {}
    for line in _PLACE_WORDS.strip().splitlines():
        words = line.split()
        for word in words:
            places[word] = words[0]
    return places


_SYNONYMS_OF_STEM = _read_classes()
_COUNTRY_OF_WORD = _read_places()


def thing_clash(pair: TextPair) -> Clash | None:
    """Return two words of one class in the same place of both texts, or None."""
    counted_things = _rival_counted_things(pair)
    if counted_things or not pair.is_about_same_thing:
        return counted_things
    for gap in pair.gaps:
        if max(len(gap.sentence), len(gap.statement)) > MAX_GAP_WORDS:
            continue
        if _names_other_thing(pair, gap):
            return pair.clash_in_gap(gap)
    return _clash_of_only_gap(pair)


def _rival_counted_things(pair: TextPair) -> Clash | None:
    """Return "1,100 deputies" and "eleven hundred troopers", wherever they stand, or None."""
    if not pair.is_about_same_subject:
        return None
    figures = agreement.pair_figures(
        pair.sentence.particulars.numbers, pair.statement.particulars.numbers
    )[0]
    for said, claimed, _ in figures:
        if said.kind != COUNT or claimed.kind != COUNT or said.units & claimed.units:
            continue
        said_things = said.units - set(pair.statement.words)
        claimed_things = claimed.units - set(pair.sentence.words)
        for thing, other_thing in product(sorted(said_things), sorted(claimed_things)):
            if _are_rivals(thing, other_thing):
                return Clash(
                    _with_counted_thing(pair.sentence, said, thing),
                    _with_counted_thing(pair.statement, claimed, other_thing),
                )
    return None


def _with_counted_thing(text: AnalysedText, figure: Figure, thing: str) -> str:
    """Return a figure with the words after it up to the counted thing, given as its stem."""
    for word, start, end in zip(text.words, text.word_starts, text.word_ends, strict=True):
        if word == thing and start > figure.start:
            return text.text[figure.start : end]
    return figure.text


def _clash_of_only_gap(pair: TextPair) -> Clash | None:
    """Return the words at the beginning or the end in which alone two texts differ, or None."""
    # "Texas has no income tax", "Florida has no income tax"
    gap = _only_outer_gap(pair)
    # A shared figure or date counts, too: "is the highest in 40 years".
    shared_rest = sum(run.size for run in pair.shared_runs)
    if gap is None or shared_rest < MIN_SHARED_REST:
        return None
    # Few words of one text stand for few words of the other one.
    word_counts = (len(gap.sentence), len(gap.statement))
    if min(word_counts) == 0 or max(word_counts) > MAX_OUTER_WORDS:
        return None
    sentence_words = [pair.sentence.words[index] for index in gap.sentence]
    statement_words = [pair.statement.words[index] for index in gap.statement]
    if any(word.startswith(FIGURE_MARK) for word in sentence_words + statement_words):
        return None
    # "Every" and "all" are compared as a scope.
    if set(sentence_words) <= _WORDS_FOR_ALL and set(statement_words) <= _WORDS_FOR_ALL:
        return None
    for sentence_word, statement_word in product(sentence_words, statement_words):
        if _are_same_thing(sentence_word, statement_word):
            return None
    clash = pair.clash_in_gap(gap)
    # "A lack of pilots", "there aren't enough pilots": a denial is compared as such.
    if denies(clash.in_sentence.casefold()) or denies(clash.in_statement.casefold()):
        return None
    # Two predicates are compared as wording: "quit" and "left their jobs".
    are_predicates = verbs(clash.in_sentence.casefold()) or verbs(clash.in_statement.casefold())
    if are_predicates or _has_pronoun_before(pair, gap) or _may_mean_same_thing(clash):
        return None
    return clash


def _only_outer_gap(pair: TextPair) -> Gap | None:
    """Return the gap at the beginning or the end in which alone two texts differ, or None."""
    # A gap has the words of both texts between two runs of words that they share.
    all_gaps = pair.gaps
    gaps_with_words = [gap for gap in all_gaps if gap.sentence or gap.statement]
    if len(gaps_with_words) != 1:
        return None
    only_gap = gaps_with_words[0]
    return only_gap if only_gap in (all_gaps[0], all_gaps[-1]) else None


def _may_mean_same_thing(clash: Clash) -> bool:
    """Return whether two phrases may be different names of one person or thing."""
    # The phrases also have the small words, which a gap doesn't count.
    words = f"{clash.in_sentence} {clash.in_statement}".casefold().split()
    is_long_phrase = len(words) > 2 * MAX_OUTER_WORDS + 1
    # "my opponent", "Senator Cruz" and "Ted Cruz", "EPA"
    may_be_person = not WORDS_FOR_PERSONS.isdisjoint(words)
    has_title = not NON_NAME_WORDS.isdisjoint(words)
    if is_long_phrase or may_be_person or has_title or abbreviates(clash):
        return True
    return are_interchangeable(clash.in_sentence.casefold(), clash.in_statement.casefold())


def _has_pronoun_before(pair: TextPair, gap: Gap) -> bool:
    """Return whether a pronoun, or nothing in capitals, begins the text before a gap."""
    text = pair.sentence.text
    start = pair.sentence.word_starts[gap.sentence.start]
    is_caption = not text[:1].isupper()
    return is_caption or _OPENING_PRONOUN_PATTERN.search(text[:start]) is not None


def _are_same_thing(word: str, other: str) -> bool:
    """Return whether two words are forms of one word, or the same in their class."""
    if word[:MIN_FAMILY_LETTERS] == other[:MIN_FAMILY_LETTERS]:
        return True
    return _are_synonyms(word, other)


def _are_synonyms(stem: str, other: str) -> bool:
    """Return whether two stems stand for the same thing in one class: ``doctor``, ``physician``."""
    # The synonyms of each stem by the number of their class
    synonyms = _SYNONYMS_OF_STEM.get(stem, {})
    other_synonyms = _SYNONYMS_OF_STEM.get(other, {})
    shared_classes = synonyms.keys() & other_synonyms.keys()
    return any(synonyms[number] == other_synonyms[number] for number in shared_classes)


def place_clash(pair: TextPair) -> Clash | None:
    """Return the countries of both texts if they have none in common, or None."""
    if not pair.is_about_same_thing:
        return None
    sentence_countries = countries(pair.sentence.lower_text)
    statement_countries = countries(pair.statement.lower_text)
    both_name_countries = bool(sentence_countries and statement_countries)
    if not both_name_countries or sentence_countries.keys() & statement_countries.keys():
        return None
    return Clash(
        _as_written(pair.sentence.text, sentence_countries),
        _as_written(pair.statement.text, statement_countries),
    )


def group_clash(pair: TextPair) -> Clash | None:
    """Return a group that only one of two texts makes narrower, or None: "Black women", "women"."""
    if not pair.is_repetition:
        return None
    sentence = pair.sentence
    statement = pair.statement
    for run in pair.shared_runs:
        sentence_group = _group_word_before(
            sentence.words, sentence.text, sentence.word_starts, run.sentence_start
        )
        statement_group = _group_word_before(
            statement.words, statement.text, statement.word_starts, run.statement_start
        )
        only_one_names_group = bool(sentence_group) != bool(statement_group)
        if not only_one_names_group:
            continue
        group_word = sentence_group or statement_group
        text_without_group = statement.lower_text if sentence_group else sentence.lower_text
        # "The most violent city", "the most dangerous city"
        word_instead = (
            _word_before(statement.text, statement.word_starts, run.statement_start)
            if sentence_group
            else _word_before(sentence.text, sentence.word_starts, run.sentence_start)
        )
        if are_interchangeable(group_word.casefold(), word_instead.casefold()):
            continue
        if not _is_mentioned(group_word.casefold(), text_without_group):
            sentence_noun = sentence.original_words(run.sentence_start, run.sentence_start + 1)
            statement_noun = statement.original_words(run.statement_start, run.statement_start + 1)
            return Clash(
                f"{sentence_group} {sentence_noun}".strip(),
                f"{statement_group} {statement_noun}".strip(),
            )
    return None


def _names_other_thing(pair: TextPair, gap: Gap) -> bool:
    """Return whether a gap has words of one class in both texts, and no word in common."""
    # A gap has the words that only one of two texts has in a place: "coal", "oil".
    sentence_words = [pair.sentence.words[index] for index in gap.sentence]
    statement_words = [pair.statement.words[index] for index in gap.statement]
    for sentence_word, statement_word in product(sentence_words, statement_words):
        # A word that the other text has elsewhere was only moved.
        is_moved = sentence_word in pair.statement.words or statement_word in pair.sentence.words
        if not is_moved and _are_rivals(sentence_word, statement_word):
            return True
    has_figure = any(FIGURE_MARK in word for word in sentence_words + statement_words)
    if has_figure:
        return False
    # "teachers", "Mexicans"
    gap_quotation = pair.clash_in_gap(gap)
    sentence_people = _people_words(pair.sentence.text, gap_quotation.in_sentence)
    statement_people = _people_words(pair.statement.text, gap_quotation.in_statement)
    both_have_people = bool(sentence_people and statement_people)
    return both_have_people and sentence_people.isdisjoint(statement_people)


def _are_rivals(stem: str, other: str) -> bool:
    """Return whether two stems stand for different things of one class: ``coal``, ``oil``."""
    synonyms = _SYNONYMS_OF_STEM.get(stem, {})
    other_synonyms = _SYNONYMS_OF_STEM.get(other, {})
    shared_classes = synonyms.keys() & other_synonyms.keys()
    return any(synonyms[number] != other_synonyms[number] for number in shared_classes)


@lru_cache(maxsize=1 << 14)
def _people_words(text: str, phrase: str) -> frozenset[str]:
    """Return the words of a phrase that name people by their work or origin."""
    people = set()
    for word in phrase.casefold().split():
        if len(word) > 5 and _PEOPLE_ENDING_PATTERN.search(word):
            people.add(word)
    return frozenset(people)


@lru_cache(maxsize=1 << 16)
def countries(lower_text: str) -> dict[str, str]:
    """Return the countries that a text names, with the first word for each."""
    # The table has single words.
    joined_text = lower_text.replace("united states", "united-states")
    joined_text = joined_text.replace("united kingdom", "united-kingdom")
    word_by_country: dict[str, str] = {}
    for word in _LOWER_WORD_PATTERN.findall(joined_text):
        country = _COUNTRY_OF_WORD.get(word) or _COUNTRY_OF_WORD.get(word.rstrip("."))
        if country and word != "us":  # in small letters mostly the pronoun
            word_by_country.setdefault(country, word.replace("-", " "))
    return word_by_country


def _as_written(text: str, countries_named: dict[str, str]) -> str:
    """Return the first country of a text as it is written there."""
    first_word, *_ = countries_named.values()
    start = text.casefold().find(first_word)
    if start < 0:
        return first_word
    return text[start : start + len(first_word)]


def _group_word_before(
    words: tuple[str, ...], text: str, word_starts: tuple[int, ...], position: int
) -> str:
    """Return the group word just before a content word, "" for none."""
    if position >= len(words):
        return ""
    word = _word_before(text, word_starts, position)
    return word if word.casefold() in _GROUP_WORDS else ""


def _word_before(text: str, word_starts: tuple[int, ...], position: int) -> str:
    """Return the word just before a content word, "" for none."""
    preceding = text[: word_starts[position]].rstrip()
    return preceding.split(" ")[-1] if preceding else ""


def _is_mentioned(group_word: str, lower_text: str) -> bool:
    """Return whether a text names a group elsewhere, also by another form of the word."""
    # "French" is mentioned by "France".
    country = _COUNTRY_OF_WORD.get(group_word)
    if country:
        return country in countries(lower_text)
    # "unemployed" is mentioned by "unemployment", "female" by "woman".
    group_beginning = group_word[:MIN_FAMILY_LETTERS]
    group_stem = content_stem(group_word)
    for word in _LOWER_WORD_PATTERN.findall(lower_text):
        if word.startswith(group_beginning) or _are_synonyms(group_stem, content_stem(word)):
            return True
    return False
