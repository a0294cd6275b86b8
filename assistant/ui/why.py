"""Why a match has its rank and its tier: contributions grouped by family, and in words. A match in, values out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from assistant.check.rankers import LECTERN, SHORT
from assistant.ground.domain import Agreement, CheckedSentence, Match, Stance, Tier
from assistant.reports.words import doubts
from assistant.ui.words import gap
from features.catalogue import FAMILIES, MEASURES

LABELS = {"bm25": "BM25", "nli": "NLI", "bertscore": "BERTScore", "sbert": "SBERT", "simcse": "SimCSE"}
REST, START = "the rest", "start"
BASE = "base"
_SAYS = {
    "bm25": "words in common",
    "nli": "one follows from the other",
    "bertscore": "alike word by word",
    "sbert": "close in meaning",
    "simcse": "close in meaning",
}
# What the inputs of the rankers that are no measures mean to a reader.
_INPUTS = {
    "sentence_covered": "how much of the sentence the statement has",
    "statement_covered": "how much of the statement the sentence has",
    "rarest_shared": "how rare the rarest common word is",
    "words_in_row": "longest run of common words",
    "title_shared": "how much of the sentence the title has",
    "numbers_shared": "same numbers",
    "numbers_clash": "different numbers",
    "names_shared": "same names",
    "names_clash": "different names",
    "dates_shared": "same dates",
    "dates_clash": "different dates",
    "same_speaker": "speaker and claimant are the same",
    "days_apart": "time between the claim and the event",
    "claim_after_event": "the claim was said after the event",
    "rated_true": "the claim was rated true",
    "check_worthiness": "check-worthiness of the sentence",
    "sentence_length": "length of the sentence",
    "sbert_standing": "closer in meaning than the other candidates",
    "sbert_lead": "lead over the next candidate",
    "simcse_lead": "lead over the next candidate",
    "title_lead": "lead of the title over the next candidate's",
    "body_lead": "lead of the article over the next candidate's",
    "bm25_title_lead": "lead in common words of the title over the next candidate",
    "bm25_body_lead": "lead in common words of the article over the next candidate",
    "same_claim": "both make the same claim",
    "bm25_standing": "more words in common than the other candidates",
    BASE: "where every pair starts",
}
_OVERLAP = dict.fromkeys(
    ("sentence_covered", "statement_covered", "rarest_shared", "words_in_row", "title_shared"), "words in common"
)
_MEANING = _INPUTS | {m.name: m.meaning for m in MEASURES}
_SAYS |= _OVERLAP | {"same_speaker": "same speaker", "same_claim": "both make the same claim"}
_SAYS_NOT = {
    "bm25": "few words in common",
    "nli": "one contradicts the other",
    "bertscore": "not alike word by word",
    "sbert": "not close in meaning",
    "simcse": "not close in meaning",
    **dict.fromkeys(_OVERLAP, "few words in common"),
    "same_speaker": "other speaker",
    "same_claim": "they may not make the same claim",
    "days_apart": "said long before or after the event",
    **{f"{part}_clash": f"different {part}" for part in ("numbers", "names", "dates")},
}
# What features.conflict finds against a match, to a reader.
_AGAINST = {
    "figures": "other figures",
    "years": "another time",
    "names": "other names",
    "direction": "one says the opposite of the other",
    "denial": "one of the two denies it",
    "supposition": "the sentence only supposes it",
    "scope": "the sentence speaks of all, the claim of some",
    "wording": "the claim's own words, with more between or behind them",
}
NOT_KEPT = "What it went by was not kept with this report: check the transcript again to see it."
BY_SCORE = "With this ranker it goes by the score of the match."


@dataclass(frozen=True, slots=True)
class Part:
    """One input of the ranker: what it is, how much it adds to the score, its raw value where it is a measure."""

    name: str
    meaning: str
    contribution: float
    raw: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """The inputs of one family; ``contribution`` is their sum, ``share`` its size against the largest group, 0 to 1."""

    label: str
    contribution: float
    share: float
    parts: tuple[Part, ...]


def family(name: str) -> str:
    """Return the family that an input of a ranker belongs to, ``the rest``, or ``start`` for what every pair has."""
    if name == BASE:
        return START
    return next((f for f in FAMILIES if f in name.casefold().split("_")), REST)


def groups(match: Match) -> tuple[Group, ...]:
    """Return the contributions of a match by family, largest first, the start last; empty where there are none."""
    return _grouped(match.contributions, match)


def sure_groups(match: Match) -> tuple[Group, ...]:
    """Return what *likely* goes by in the same way."""
    return _grouped(match.sureness, match)


def _grouped(values: Mapping[str, float], match: Match) -> tuple[Group, ...]:
    raw = dict(zip((m.name for m in MEASURES), match.measures, strict=True))
    members: dict[str, list[Part]] = defaultdict(list)
    for name, value in values.items():
        members[family(name)].append(Part(name, _MEANING.get(name, name.replace("_", " ")), value, raw.get(name)))
    sums = {f: sum(p.contribution for p in parts) for f, parts in members.items()}
    largest = max((abs(v) for f, v in sums.items() if f != START), default=0.0) or 1.0
    found = [
        Group(
            LABELS.get(f, f),
            sums[f],
            min(abs(sums[f]) / largest, 1.0),
            tuple(sorted(parts, key=lambda p: -abs(p.contribution))),
        )
        for f, parts in members.items()
    ]
    return tuple(sorted(found, key=lambda g: (g.label == START, -abs(g.contribution))))


def raw_measures(match: Match) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    """Return the 19 raw measures by family, in the order BM25, NLI, BERTScore, SBERT, SimCSE."""
    values = dict(zip((m.name for m in MEASURES), match.measures, strict=True))
    return tuple((LABELS[f], tuple((m.meaning, values[m.name]) for m in MEASURES if m.family == f)) for f in FAMILIES)


def in_words(match: Match, event: date | None) -> str:
    """Return what speaks for the match and what against, in one line."""
    pro, con = speaks_for(match), speaks_against(match, event)
    line = "For: " + (", ".join(pro) if pro else "nothing stands out")
    return f"{line}. Against: {', '.join(con)}." if con else f"{line}. Against: nothing found."


def speaks_for(match: Match) -> list[str]:
    """Return what lifts the match, strongest first, then the facts that agree."""
    told = _strongest(match.contributions, _SAYS, 1)
    if match.stance is Stance.REPEATS:
        told.append("repeats the claim")
    told += [f"same {part}" for part, value in match.agreement.items() if value is Agreement.SAME]
    return list(dict.fromkeys(told))


def speaks_against(match: Match, event: date | None) -> list[str]:
    """Return what a reader should doubt: the opposite said, other facts, a check long before the event."""
    told = doubts(match)
    checked = match.claim.review_date
    if event and checked and abs((event - checked).days) > 365:
        told.append(f"checked {gap(event, checked)}")
    if match.claim.review_date is None:
        told.append("date of the check unknown")
    return told


def tier_title(match: Match) -> str:
    """Return what to call the reasons for the tier of a match."""
    return "Why likely" if match.tier is Tier.LIKELY else "Why possible, not likely"


def tier_in_words(match: Match, checked: CheckedSentence, settings: Mapping[str, Any]) -> str:
    """Return why a shown match of a sentence is likely, or what keeps it from that; ``settings`` of its report."""
    total, border = sum(match.sureness.values()), settings.get("likely")
    measured = f"{total:+.2f}, likely begins at {border:+.2f}" if match.sureness and border is not None else ""
    measured = measured.replace("-", "−")
    if match.tier is Tier.LIKELY:
        first = f"Sure enough by sentence and statement alone ({measured})." if measured else ""
        last = (
            ""
            if checked.tier is Tier.LIKELY
            else "A rating like this one settles nothing: the sentence is no likely one for it."
        )
        return " ".join(filter(None, (first, "Nothing was found against it.", last)))
    kept = [_AGAINST.get(name, name) for name in match.against]
    reasons = [f"kept from likely by what was found against it: {', '.join(kept)}"] if kept else []
    if measured and total < border:
        reasons.append(f"not sure enough by sentence and statement alone ({measured})")
    if len(checked.sentence.text.split()) < SHORT:
        reasons.append(f"a sentence of fewer than {SHORT} words is never likely")
    told = "; ".join(reasons)
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def sure_in_words(match: Match, settings: Mapping[str, Any]) -> str:
    """Return what speaks for and against *likely* in one line, or why that cannot be told."""
    if not match.sureness:
        return NOT_KEPT if settings.get("ranker", LECTERN) == LECTERN else BY_SCORE
    pro, con = _strongest(match.sureness, _SAYS, 1), _strongest(match.sureness, _SAYS_NOT, -1)
    return f"For: {', '.join(pro) or 'nothing stands out'}. Against: {', '.join(con) or 'nothing stands out'}."


def _strongest(values: Mapping[str, float], words: Mapping[str, str], sign: int) -> list[str]:
    """Return in words what moves a score most in a direction, three things at most."""
    sums: dict[str, float] = defaultdict(float)
    for name, value in values.items():
        told = words.get(name) or words.get(family(name))
        if told:
            sums[told] += sign * value
    return sorted((told for told in sums if sums[told] > 0), key=lambda told: -sums[told])[:3]
