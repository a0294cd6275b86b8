"""The parts of a compound sentence.

Its propositions, each readable alone, and which of them a statement is about.

A sentence is split where an independent clause begins: after "and", "but", "or", "so" or a dash
with a subject and a finite verb, or with a finite verb alone (its subject is that of the part
before), and at ", which" and ", who". Conditions and reported clauses stay with their main clause.
What a part leaves out is filled in from its sentence: the subject that it shares, the name that
"he" or "which" stands for. These are rules over a small lexicon of English verbs, no parser: a
sentence with unknown verbs stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from features.language import agreement
from features.language.conflicts import reading
from features.similarity.bm25 import tokenize
from features.similarity.coverage import load_word_weights

TAIL = 300  # characters in which the last noun phrase of a text is
SHORTEST = 3  # words of a part
ALIKE = 4  # letters that make two words one
# what a word that is only filled in, and a figure, count beside a rare word
FILLED = 0.4
FIGURE = 1.5
WHOLE = 5  # words that may be a clause whose verb is not in the lexicon
MIDDLING = 0.6  # what a word counts whose rarity is not known
_BE = frozenset(
    "is are was were am be been being has have had do does did will would can could should may might must shall cannot "
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't couldn't shouldn't "
    "ain't".split()
)
_PAST = frozenset(
    "went said lost got made took gave came saw knew told left paid spent built brought ran won rose fell grew held "
    "kept sent began thought found wrote stood broke chose led met sold bought became felt heard meant lent taught "
    "sat stole threw wore forgot hid spoke shot struck sued drew drove ate blew sought fought caught let put cut "
    "set hit used lied died bet".split()
)
_PLAIN = frozenset(
    "want need think know get make take pay spend create support oppose believe say go come see look feel keep call "
    "give tell ask use find become leave put mean let begin seem help show hear play run move live bring happen write "
    "provide sit stand lose add stop send expect build stay fall cut reach kill raise pass sell require report decide "
    "pull break remain suggest hope lead understand allow win own owe cost charge hate love like agree work vote die "
    "grow rise end start try deserve propose promise face look rank earn hold fight buy face blame claim got "
    "gotta produce talk drive contain include reduce increase receive return claim cover carry oppose attack".split()
)
_S_VERBS = frozenset(f"{verb}s" for verb in _PLAIN) | frozenset(
    "goes does says has wants makes takes passes reaches pushes gives includes represents means costs says tries "
    "denies carries relies supplies contains produces generates reflects disappears vows includes receives "
    "threatens".split()
)
_SUBJECTS = frozenset(
    "i you he she it we they there this that these those who everybody nobody somebody nothing everyone".split()
)
# Of more than one, though they do not end in s.
_SEVERAL = frozenset(
    "people majority percent police children women men half many most some both none all".split()
)
_AFTER_IS = frozenset("no not a an the been going gone".split())  # "McCain's no hero"
_CONTRACTED = re.compile(
    r"^(?:i|you|he|she|it|we|they|there|that|who|what|here)(?:'(?:m|re|s|ve|ll|d))$|"
    r"^[a-z]+'(?:s|re|ve|ll|d)$", re.I
)  # fmt: skip
_BETWEEN = frozenset(
    "also then now just even still never always only really actually basically already probably all not simply once "
    "again essentially largely largely totally certainly often sometimes instead thus therefore later finally".split()
)
_JOIN = re.compile(
    r"(?P<mark>\s*(?:,(?!\d\d\d)|;|--+|—|–|\.\.\.|…)+\s*|\s+)(?:(?P<word>and yet|and so|and then|and that|and|but|yet|"
    r"or|so|plus|that|which|whose|who|where)\b(?=[\s,—–-]))?",
    re.I,
)
_SENTENCE_END = re.compile(
    r"(?<![A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs|Jr))(?<!\b(?:Sen|Gov|Rep|Mrs))[.!?][\"”]?\s+(?=[A-Z])"
)
_CONDITION = re.compile(
    r"^(?:and |but |so |well,? |now,? |because |look,? )*(?:if|when|while|because|since|although|though|as|after|"
    r"before|unless|until|once)\b",
    re.I,
)
_CONDITIONAL = re.compile(r"\b(?:if|when|while|unless|until|whether)\b", re.I)
_RELATIVE = re.compile(r",? \b(?:which|who)\b", re.I)
_LEAD = re.compile(
    r"(?:you know|i mean|believe me|frankly|once again|also|now|then|today|well|(?:in|on|at|for|by|over|during|under|"
    r"after|before|with|as|of|to|since|because of|a (?:couple|few))\b[\w' $%.-]{1,60}),\s+(?!who\b|which\b)",
    re.I,
)
_SHARING = frozenset(("and", "but", "and then", "and yet"))  # joins verbs of one subject
_OPENS = frozenset(
    "that who which whose where if when because to and but or".split()
)  # what follows is another clause
_ARTICLES = frozenset("the our their my his her".split())
_NO_VERB = frozenset("and or but the a an in on at for to of with who which that".split())
_OBJECTS = frozenset(
    "the a an to in it them him his her our their that this my for by against on with from back out up us me you all "
    "over about more no down".split()
)
_LEADING = re.compile(r"^(?:[\s,;—–.-]+|(?:and|but|so|or|yet|plus)\b(?! far\b))+", re.I)
_NAME = re.compile(r"\b[A-Z][\w'.-]*(?:\s+[A-Z][\w'.-]*)*")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Part:
    """A proposition of a sentence.

    Its position there, its words, and the words with the omitted ones filled in.
    """

    start: int
    end: int
    text: str
    filled: str


def split(text: str) -> tuple[Part, ...]:
    """Return the propositions of a sentence in their order.

    One part where there is nothing to split.
    """
    starts = [0]
    for match in _JOIN.finditer(text):
        if match["word"] or match["mark"].strip():
            begin = _begins(text, starts, match)
            if begin:
                starts.append(begin)
    for match in _SENTENCE_END.finditer(text):
        starts.append(match.end())
    starts = sorted(set(starts))
    spans = _long_enough(
        text, [(a, b) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    )
    parts: list[Part] = []
    for first, last in spans:
        words = text[first:last].strip(" ,;—–-")
        parts.append(Part(first, last, words, _filled(words, text, parts)))
    return tuple(parts)


def about(parts: Sequence[Part], statement: str) -> int | None:
    """Return the number (from 1) of the part that a statement is about.

    The one with most of its words and figures.

    A rare word counts more than a common one, and ties go to the first part. None if there is only
    one part, or no part shares anything.
    """
    if len(parts) < 2:
        return None
    theirs = reading(statement)
    rarity = _rarity(statement)
    wanted = {word[:ALIKE] for word in theirs.words if not word.startswith("#")}
    scores = []
    for part in parts:
        ours = reading(part.filled)
        own = {word[:ALIKE] for word in reading(part.text).words} & wanted
        filled = ({word[:ALIKE] for word in ours.words} & wanted) - own
        pairs, _, _ = agreement.paired(ours.named.numbers, theirs.named.numbers)
        own_weight, filled_weight = (
            sum(rarity.get(word, MIDDLING) for word in words) for words in (own, filled)
        )
        scores.append(own_weight + FILLED * filled_weight + FIGURE * len(pairs))
    best = max(scores)
    return scores.index(best) + 1 if best > 0 else None


def _rarity(statement: str) -> dict[str, float]:
    """How rare the words of a statement are, 0..1, by their first letters.

    The rarest of those that share them.
    """
    known = load_word_weights()
    rarity = dict[str, float]()
    for word in tokenize(statement):
        weight = known.weights.get(word, known.unseen)
        rarity[word[:ALIKE]] = max(weight, rarity.get(word[:ALIKE], 0.0))
    return rarity


def _begins(text: str, starts: Sequence[int], match: re.Match[str]) -> int:
    """Where a new part begins at a joining word or mark; 0 if none does."""
    before = text[starts[-1] : match.start()]
    after = text[match.end() :]
    word = (match["word"] or "").casefold()
    mark = match["mark"].strip()
    head = _head(after)
    if len(starts) > 1 and word and head and head[0] in _SUBJECTS and not _finite(before):
        before = text[starts[-2] : match.start()]
    if _in_condition(before, mark, word) or _unfinished(before, word):
        return 0
    if not _finite(before) and not (
        word in ("and", "but") and "," in mark and _is_whole(before) and _clause(head)
    ):
        return 0
    if not word:
        if after[:1] in '"“':
            return 0
        strong = mark[:1] in ";—–-" or "..." in mark
        named = after[:1].isupper() and _clause(head[:4])
        return match.end() if named or _own_clause(head, strong=strong) else 0
    begin = match.start("word")
    if word in ("which", "who", "whose", "where"):
        return begin if mark and _relative(head) else 0
    if word == "that":
        return begin if mark and _clause(head) and re.search(r"\bthat\b", before) else 0
    if word == "and that":
        return begin if _clause(["that", *head]) or _clause(head) else 0
    return begin if _clause(head) or (word in _SHARING and _verb_phrase(head)) else 0


def _head(text: str) -> list[str]:
    """The first words of a text in small letters, to the next mark.

    Phrases of time and place before them left out.
    """
    text = re.sub(r"^[\s,—–-]*(?:and |but )?", "", text)
    while (lead := _LEAD.match(text)) and not _finite(lead[0]):
        text = text[lead.end() :]
    stop = re.search(r",(?!\d)|[;:—–]|--|\.\.\.", text)
    return [
        word.casefold().replace("’", "'")
        for word in _WORDS.findall(text[: stop.start()] if stop else text)
    ][:12]


def _finite(text: str) -> bool:
    """Whether a text has a known finite verb after a possible subject."""
    words = [word.casefold().replace("’", "'") for word in _WORDS.findall(text)]
    return any(_is_verb(words, i) for i in range(len(words)))


def _is_verb(words: Sequence[str], i: int) -> bool:
    word = words[i]
    before = words[i - 1] if i else ""
    if (
        word in _BE
        or (_CONTRACTED.match(word) and not word.endswith("'s"))
        or re.fullmatch(r"(?:i|he|she|it|that|there|who|what|here)'s", word)
    ):
        return before != "to"
    if i and word.endswith("'s") and words[i + 1 : i + 2] and words[i + 1] in _AFTER_IS:
        return True
    if i == 0 or before in (
        "to",
        "the",
        "a",
        "an",
        "of",
        "in",
        "for",
        "by",
        "with",
        "my",
        "our",
        "their",
        "his",
        "her",
        "your",
    ):
        return False
    if word in _PAST or (word.endswith("ed") and len(word) > 4) or word in _S_VERBS:
        return True
    if (
        (before in ("he", "she", "it", "which") or before in _BETWEEN)
        and word.endswith("s")
        and len(word) > 3
    ):
        return True
    return word in _PLAIN and (before in _SUBJECTS | _SEVERAL | _BETWEEN or before.endswith("s"))


def _is_whole(before: str) -> bool:
    """Whether words may be a clause although none of their verbs is known.

    Long enough, and no list.
    """
    return len(_WORDS.findall(before)) >= WHOLE and "," not in before


def _clause(head: Sequence[str]) -> bool:
    """Whether words begin with a subject and a finite verb."""
    head = [word for word in head if word not in _BETWEEN or word == "all"]
    if not head or head[0] in _BE:
        return False
    if (
        _CONTRACTED.match(head[0])
        and head[0] not in ("let's",)
        and (not head[0].endswith("'s") or head[0][:-2] in _SUBJECTS | {"what", "here", "who"})
    ):
        return True
    if head[0] in ("i", "you", "we", "they") and len(head) > 1 and head[1] not in _NO_VERB:
        return True
    if head[0] in _SUBJECTS | {"what", "here"} and len(head) > 1:
        return any(_is_verb(head, i) for i in range(1, min(len(head), 4)))
    if head[0] in (
        "to",
        "for",
        "of",
        "in",
        "with",
        "by",
        "from",
        "on",
        "at",
        "who",
        "which",
        "if",
        "when",
        "as",
        "because",
    ):
        return head[0] in ("if", "when", "as", "because", "in") and any(
            _is_verb(head, i) for i in range(1, len(head))
        )
    near = next((i for i, word in enumerate(head) if i and word in _OPENS), len(head))
    return any(_is_verb(head, i) for i in range(1, min(len(head), max(7, near))))


def _verb_phrase(head: Sequence[str]) -> bool:
    """Whether words begin with a finite verb whose subject is in the part before."""
    head = [word for word in head if word not in _BETWEEN]
    if len(head) < 2:
        return False
    regular = (
        head[0].endswith("ed")
        and len(head[0]) > 4
        and (head[1] in _OBJECTS or head[1][0].isdigit())
    )
    return head[0] in _BE or head[0] in _PAST or head[0] in _S_VERBS or regular


def _own_clause(head: Sequence[str], *, strong: bool) -> bool:
    """Whether a clause begins without a joining word.

    With a pronoun for its subject, after a dash with any subject.
    """
    if (
        not head
        or len(head) < 3
        or head[0] in ("if", "when", "as", "because", "who", "which", "that")
    ):
        return False
    if head[0] in _SUBJECTS or _CONTRACTED.match(head[0]):
        return _clause(head)
    return (
        _clause(head)
        if strong
        else head[0] in _ARTICLES and "that" not in head and _clause(head[:5])
    )


def _relative(head: Sequence[str]) -> bool:
    return bool(head) and (
        _is_verb(["it", *head], 1) or _clause(head) or (head[0] in _BETWEEN and _relative(head[1:]))
    )


def _in_condition(before: str, mark: str, word: str) -> bool:
    """Whether the words before belong to a condition whose main clause is still to come, or to one that trails."""
    if _CONDITION.match(before.strip(" ,")) and "," not in before.strip(" ,"):
        return True
    last = re.split(r"[,;—–]|--", before)[-1]
    conditions = list(_CONDITIONAL.finditer(last))
    return bool(conditions) and ("," not in mark or not word)


def _unfinished(before: str, word: str) -> bool:
    """Whether the words before end in a clause whose verb is still to come.

    After "which", or in what is reported.
    """
    *whole, relative = _RELATIVE.split(before)
    *whole_that, reported = re.split(r"\bthat\b", before)
    return bool(whole and not _finite(f"it {relative}")) or bool(
        whole_that and not word and not _finite(reported)
    )


def _long_enough(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans with those of too few words joined to the one before."""
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if joined and (
            len(_WORDS.findall(text[first:last])) < SHORTEST
            or len(_WORDS.findall(text[joined[-1][0] : joined[-1][1]])) < SHORTEST
        ):
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _filled(part: str, text: str, parts: Sequence[Part]) -> str:
    """A part with the subject that it shares or stands for, taken from the parts before."""
    bare = _LEADING.sub("", part)
    if not parts:
        return bare
    words = [word.casefold().replace("’", "'") for word in _WORDS.findall(bare)]
    before = parts[-1].filled
    if words[:1] in (["which"], ["who"], ["whose"]):
        return f"{_antecedent(before)}{chr(39) + 's' if words[0] == 'whose' else ''} {bare.split(' ', 1)[-1]}"
    if _verb_phrase(words) and not _clause(words):
        return f"{_subject(before)} {bare}".strip()
    if words and words[0].split("'")[0] in ("he", "she", "it", "they"):
        name = _antecedent_of(words[0].split("'")[0], before)
        return (
            f"{name} {bare.split(' ', 1)[-1]}"
            if name and "'" not in words[0]
            else f"{bare} ({name})"
            if name
            else bare
        )
    return bare


def _subject(text: str) -> str:
    """The words of a clause before its first finite verb."""
    words = list(_WORDS.finditer(text))
    lower = [word[0].casefold().replace("’", "'") for word in words]
    verb = next((i for i in range(len(lower)) if _is_verb(lower, i)), 0)
    if _CONTRACTED.match(lower[verb]) if lower else False:
        return re.split(r"['’]", words[verb][0])[0]
    return text[: words[verb].start()].strip(" ,") if verb else (words[0][0] if words else "")


def _antecedent(text: str) -> str:
    """The last noun phrase of a text, roughly.

    Its last name, or its last words after an article.
    """
    tail = re.search(
        r"\b(?:the|a|an|this|that|our|their|his|her|my|your|no)\s+[\w' -]{2,60}$|(?:[A-Z][\w'-]*+\.? ?)+$",
        text.strip(" ,.—–-")[-TAIL:],
    )
    return tail[0] if tail else " ".join(text.split()[-2:])


def _antecedent_of(pronoun: str, before: str) -> str:
    """What a pronoun stands for in the part before.

    A name for "he" and "she", the subject for "it" and "they".
    """
    if pronoun in ("he", "she"):
        names = [
            name[0] for name in _NAME.finditer(before) if name.start() or len(name[0].split()) > 1
        ]
        return names[-1] if names else ""
    subject = _subject(before)
    return subject if subject.casefold() not in _SUBJECTS else ""
