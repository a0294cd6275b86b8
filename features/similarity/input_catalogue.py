"""The catalogue of the ranker's inputs: their names, groups, signs and words, in column order.

An input describes a pair of an input sentence and a verified claim. Many are a measure of
``features.similarity.catalogue``, or made from one; the others compare the words, figures, names
and dates of the two, or say who spoke and when. The values are computed in
``assistant/check/ranker_inputs.py``; a new input is one row here and one column there.
"""

from __future__ import annotations

from typing import NamedTuple

from features.similarity.catalogue import FAMILIES, MEASURES

# Signs: the direction in which an input may move the score of a pair.
FOR = 1
AGAINST = -1
EITHER_WAY = 0
BASE_SCORE = "base"  # the score of a pair before any input counts
RERANKER_GAIN = (
    "reread"  # what the re-ranker adds once the inputs have brought a pair near the list
)
LEAD = "lead over the next candidate"
SAME_CLAIM = "both make the same claim"
FOLLOWS = "one follows from the other"
CONTEXT = "context_gain"  # the one input that only orders the claims of a sentence


class Group(NamedTuple):
    """A group of inputs: its label, and the words for inputs that raise or lower a match.

    Inputs that this table doesn't know, from another ranker, have the label "other inputs".
    """

    label: str = "other inputs"
    speaks_for: str = ""
    speaks_against: str = ""


class Input(NamedTuple):
    """A column: its name, group and meaning, and the sign that its weight may have.

    ``measure`` is the similarity measure that it is or is made from, ``field`` the part of the
    claim that it reads; both may be empty. The words for and against replace those of the group.
    """

    name: str
    group: str
    meaning: str
    sign: int = FOR
    measure: str = ""
    field: str = ""
    speaks_for: str = ""
    speaks_against: str = ""


START_GROUP = Group("start")
RERANKER_GROUP = Group(
    "read in context", "fits when read in context", "does not fit when read in context"
)
GROUPS = {
    "bm25": Group("BM25", "words in common", "few words in common"),
    # A low score says that nothing follows: a contradiction is a conflict of its own.
    "nli": Group("NLI", FOLLOWS, "neither follows from the other"),
    "bertscore": Group("BERTScore", "alike word by word", "not alike word by word"),
    "sbert": Group("SBERT", "close in meaning", "not close in meaning"),
    "simcse": Group("SimCSE", "close in meaning", "not close in meaning"),
    "same claim": Group("same claim", SAME_CLAIM, "they may not make the same claim"),
    "words": Group("words in common", "words in common", "few words in common"),
    "context": Group("the sentences around it", "the sentences around it are about this claim"),
    "speaker": Group("speaker", "same speaker", "other speaker"),
    "figures": Group("figures"),
    "names": Group("names"),
    "time": Group("dates"),
    "rating": Group("rating"),
    "sentence": Group("the sentence itself"),
    "leads": Group("lead over the other candidates"),
}
_MEASURE_BY_NAME = {measure.name: measure for measure in MEASURES}


def _measure(name: str, sign: int = FOR) -> Input:
    """Return the input that is a measure."""
    measure = _MEASURE_BY_NAME[name]
    return Input(name, measure.family, measure.meaning, sign, measure=name, field=measure.field)


def _of_measure(name: str, group: str, meaning: str, measure: str) -> Input:
    """Return an input made from a measure of all candidates of a sentence."""
    return Input(name, group, meaning, measure=measure, field=_MEASURE_BY_NAME[measure].field)


INPUTS: tuple[Input, ...] = (
    *(_measure(m.name) for m in MEASURES if m.family in ("bertscore", "simcse", "sbert")),
    _measure("nli_entailment"),
    _measure("nli_contradiction", EITHER_WAY),
    Input("same_claim", "same claim", SAME_CLAIM),
    *(_measure(m.name) for m in MEASURES if m.family == "bm25"),
    Input("sentence_covered", "words", "how much of the sentence the statement has"),
    Input("statement_covered", "words", "how much of the statement the sentence has"),
    Input("rarest_shared", "words", "how rare the rarest common word is"),
    Input("words_in_row", "words", "longest run of common words"),
    Input("title_shared", "words", "how much of the sentence the title has", field="title"),
    Input("numbers_shared", "figures", "same numbers"),
    Input(
        "numbers_clash", "figures", "different numbers", AGAINST, speaks_against="different numbers"
    ),
    Input("names_shared", "names", "same names"),
    Input("names_clash", "names", "different names", AGAINST, speaks_against="different names"),
    Input("dates_shared", "time", "same dates"),
    Input("dates_clash", "time", "different dates", AGAINST, speaks_against="different dates"),
    Input("same_speaker", "speaker", "speaker and claimant are the same"),
    Input(
        "days_apart",
        "time",
        "time between the claim and the event",
        AGAINST,
        speaks_against="said long before or after the event",
    ),
    Input("claim_after_event", "time", "the claim was said after the event", EITHER_WAY),
    Input("rated_true", "rating", "the claim was rated true", EITHER_WAY),
    Input("check_worthiness", "sentence", "check-worthiness of the sentence"),
    Input("sentence_length", "sentence", "length of the sentence", EITHER_WAY),
    _of_measure(
        "sbert_standing", "sbert", "closer in meaning than the other candidates", "sbert_statement"
    ),
    _of_measure(
        "bm25_standing", "bm25", "more words in common than the other candidates", "bm25_statement"
    ),
    _of_measure("sbert_lead", "sbert", LEAD, "sbert_statement"),
    _of_measure(
        "title_lead", "leads", "lead of the title over the next candidate's", "sbert_title"
    ),
    _of_measure(
        "body_lead", "leads", "lead of the article over the next candidate's", "sbert_body_1"
    ),
    _of_measure("simcse_lead", "simcse", LEAD, "simcse_statement"),
    _of_measure(
        "bm25_title_lead",
        "bm25",
        "lead in common words of the title over the next candidate",
        "bm25_title",
    ),
    _of_measure(
        "bm25_body_lead",
        "bm25",
        "lead in common words of the article over the next candidate",
        "bm25_body",
    ),
    Input(CONTEXT, "context", "how much of the statement only the sentences around it have"),
)

NAMES: tuple[str, ...] = tuple(i.name for i in INPUTS)
SIGNS: tuple[int, ...] = tuple(i.sign for i in INPUTS)
# The inputs that a claim without an article or a title lacks, those that the cross-encoder gives,
# and each input that is the lead of a candidate over the others, with the measure in which it
# leads.
ARTICLE: tuple[str, ...] = tuple(i.name for i in INPUTS if i.field in ("title", "body"))
READ: tuple[str, ...] = tuple(i.name for i in INPUTS if i.group in ("nli", "same claim"))
SIMILARITY_BY_LEAD: dict[str, str] = {i.name: i.measure for i in INPUTS if i.name.endswith("_lead")}
_INPUT_BY_NAME = {i.name: i for i in INPUTS}


def group(name: str) -> Group:
    """Return the group of an input.

    An input that is not in the table belongs to the family in its name: the published method has
    inputs of its own, such as ``bm25_body_2``.
    """
    if name == BASE_SCORE:
        return START_GROUP
    if name == RERANKER_GAIN:
        return RERANKER_GROUP
    if name in _INPUT_BY_NAME:
        return GROUPS[_INPUT_BY_NAME[name].group]
    words_of_name = name.casefold().split("_")
    for family in FAMILIES:
        if family in words_of_name:
            return GROUPS[family]
    return Group()


def meaning(name: str) -> str:
    """Return what an input means, in words for a reader."""
    if name == BASE_SCORE:
        return "where every pair starts"
    if name == RERANKER_GAIN:
        return "read again in context"
    catalogue_entry = _INPUT_BY_NAME.get(name) or _MEASURE_BY_NAME.get(name)
    return catalogue_entry.meaning if catalogue_entry else name.replace("_", " ")


def speaks_for(name: str) -> str:
    """Return the words for an input that raises the score of a match, empty if there are none."""
    if name in _INPUT_BY_NAME and _INPUT_BY_NAME[name].speaks_for:
        return _INPUT_BY_NAME[name].speaks_for
    return group(name).speaks_for


def speaks_against(name: str) -> str:
    """Return the words for an input that lowers the score of a match, empty if there are none."""
    if name in _INPUT_BY_NAME and _INPUT_BY_NAME[name].speaks_against:
        return _INPUT_BY_NAME[name].speaks_against
    return group(name).speaks_against
