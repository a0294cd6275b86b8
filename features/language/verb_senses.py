"""Verbs that say the same and verbs that say the opposite, in all their forms.

"Cut", "slashed" and "took" may say the same of a budget; "paid off" and "added to" say the opposite
of a debt. A verb with a particle, "pay off", is another verb than "pay".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from features.language.stems import first_of_group

MAX_CHARACTERS_TO_DEBT = 60  # from "add" to the debt that it makes larger

BOTH_DENY = "#denied"  # stands among the shared words of two texts that deny
# Verbs of one line may stand for each other. A verb may be in several lines.
_SYNONYM_LINES = """
    cut slash reduce trim lower shrink take strip remove take_out fall drop decline decrease go_down come_down bring_down
    come enter arrive go flow cross come_in get_in come_through
    earn make receive get take_home bring_home collect
    spend pay use shell_out put
    lose shed drop
    raise increase hike boost lift jack_up push_up drive_up rise climb grow go_up jump
    rise climb grow increase jump go_up surge soar skyrocket balloon spike explode
    fall drop decline decrease go_down come_down plunge
    close shut shutter shut_down close_down
    build construct erect put_up
    create add gain contribute produce generate bring make
    write author draft pen craft
    sponsor introduce
    vote_for support back favor endorse
    vote_against vote_no oppose reject be_against
    pass enact approve adopt
    sign ink enact
    stop end halt quit cancel kill block
    end eliminate abolish kill scrap repeal rid
    destroy wreck gut
    destroy eliminate kill wipe_out
    stop prevent ban bar prohibit forbid block keep
    imprison jail lock_up hold
    begin start launch kick_off
    hire recruit
    fire lay_off dismiss sack
    kill murder slay
    die perish
    give hand hand_out hand_over send provide grant award donate contribute
    provide offer
    move relocate ship
    promise pledge vow
    skip miss
    break violate
    buy purchase
    own hold have possess
    receive get take accept
    need require
    require force make oblige
    let allow permit
    ban outlaw prohibit forbid bar
    fund finance pay_for bankroll
    help aid assist
    burn use consume
    live reside
    arrest detain
    die_from die_of
    repeal scrap undo
    fight combat battle
    waste squander blow
    triple treble
    back support
    become get
    cause trigger lead_to
    want wish
    run operate manage lead head
    serve work
    see witness experience have
    pay cough_up
    owe carry
    charge bill
    test screen
    teach instruct
    grow expand
    vanish disappear
    think believe
    choose pick select
    leave quit exit
    keep maintain retain preserve
    drive push
    cost run
    find discover
    call name label
    call say
    house hold contain
    move go
    say state
    total equal come_to amount_to reach hit be
    set_up create found establish form start launch build
    fail collapse fold go_under close
    put_away jail imprison lock_up
    kick_out throw_out evict expel remove
    let_go release free
    let_go fire dismiss lay_off
    produce grow make
    supply provide deliver
    resign quit leave step_down
    ask request demand call_for
    answer reply respond
    show demonstrate prove
    inspect examine review
    visit tour go_to
    win capture carry
    elect choose vote_in
    veto kill block reject
    delay postpone hold_up put_off
    damage harm hurt injure
    injure hurt wound
    fix repair mend rebuild restore
    improve better boost
    exceed surpass outpace outnumber
    fall slip slide sink tumble
    save rescue preserve protect keep
    attend go_to show_up come_to
    mislead deceive lie
    admit concede acknowledge confess
    blame fault
    criticize attack blast slam
    eat consume
    strike hit bomb attack
    govern rule lead run
    return go_back come_back
    deport remove expel send_back
    smuggle sneak
    catch arrest capture nab
    release free let_out
    cancel scrap drop
    expand extend widen enlarge
    limit cap restrict curb
    track follow monitor trace
    contain include have hold carry
    cause make
    prevent stop avert avoid
    cure heal
    vaccinate immunize inoculate
    poison contaminate pollute
    leak spill
    dump pour discharge
    buy acquire purchase get
    sell unload
    invest put
    fine penalize
    cheat defraud
    print publish
    gut cut slash
    increase grow go_up gain
    spend cost
    gobble_up use consume
    toss throw_out throw_away waste
    last take
    come_from make
    give send
    vanish close
    close die fail
    believe say claim think state
    give_away give_up
    give_away give
    call_for want propose
""".strip().splitlines()
# Verbs that may stand for each other only beside a word that both texts share
_SYNONYMS_BESIDE_WORD = {
    "job": "hold work have",
    "vot": "need require take",  # the stem of "vote"
    BOTH_DENY: "pay owe",
}
# The verbs to the left and to the right of a bar say the opposite of each other. A line that begins
# with a bar goes on with the line above.
_OPPOSITE_LINES = (
    """
    add contribute generate return pump bring_in | cost drain lose
    add_debt borrow run_up pile_up rack_up | pay_off pay_down pay_back repay retire erase eliminate
    climb jump soar spike skyrocket balloon expand triple quadruple rise grow increase surge go_up double
    | plunge plummet tumble dip slide slump sink nosedive shrink dwindle halve fall drop decline decrease come_down go_down
    hire recruit employ | fire lay_off dismiss sack furlough
    build construct erect | demolish tear_down raze bulldoze dismantle
    open reopen | close shut shutter shut_down close_down
    start begin launch | stop end halt quit cancel
    pass approve adopt sign ratify endorse accept vote_for vote_yes
    | vote_no reject veto block defeat repeal kill vote_down turn_down scrap vote_against
    protect preserve save defend | destroy wreck gut ruin endanger threaten
    fund finance | defund
    strengthen tighten toughen | weaken loosen relax gut water_down
    hide conceal bury | reveal disclose publish release
    include cover | exclude omit
    attend chair join show_up turn_up | miss skip boycott
    keep honor fulfill | break
    win | lose
    gain pick_up | lose shed
    allow permit legalize | ban forbid prohibit outlaw bar
    praise applaud commend hail | criticize condemn blast slam denounce
    love like | hate dislike
    accelerate hasten speed_up | slow delay slow_down postpone
    arrest jail imprison detain lock_up | release free pardon
    welcome invite let_in | expel deport kick_out turn_away turn_back
    raise hike increase boost | lower cut reduce slash trim
    create | destroy eliminate wipe_out
    save | waste cost lose
    improve | worsen deteriorate
    obey follow | violate break defy
    cause trigger spread | cure prevent heal
    import | export
    agree | disagree
    remember | forget
    widen expand extend | narrow shrink
    move_in arrive enter | leave exit flee move_out
    help benefit | hurt harm damage
    lend | borrow
    deposit | withdraw
    insure | uninsure
    lead | trail
    keep_up match | trail lag
    trust | distrust
    succeed | fail
    pass | fail flunk
    attack | defend
    give hand_out | take take_away
    appoint | dismiss fire
    subsidize | tax
    supply send | withhold
""".strip()
    .replace("\n    |", " |")
    .splitlines()
)
_IRREGULAR_FORMS = first_of_group("""
    go went gone going goes
    come came coming
    take took taken taking
    get got gotten getting
    give gave given giving
    make made making
    lose lost losing
    win won winning
    rise rose risen rising
    fall fell fallen
    grow grew grown
    shrink shrank shrunk
    sink sank sunk
    slide slid sliding
    pay paid
    spend spent
    cut cutting
    shut shutting
    put putting
    hit hitting
    let letting
    run ran running
    begin began begun beginning
    break broke broken
    keep kept
    build built
    bring brought
    buy bought
    hold held
    steal stole stolen
    blow blew blown
    write wrote written
    hide hid hidden
    forget forgot forgotten forgetting
    leave left
    lend lent
    lead led
    withdraw withdrew withdrawn
    freeze froze frozen
    tear tore torn
    drive drove driven
    throw threw thrown
    find found
    become became
    think thought
    see saw seen seeing
    have has had having
    say said
    fight fought
    teach taught
    choose chose chosen
    flee fled fleeing
    forbid forbade forbidden
    be is are was were
    deny denied denies
    lay laid
    die died dies dying
    lie lied lies lying
    slay slew slain
    undo undid undone
    send sent
    repay repaid
    ban banned banning
    bar barred barring
    gut gutted gutting
    trim trimmed trimming
    drop dropped dropping
    stop stopped stopping
    strip stripped stripping
    hug hugged
    ship shipped shipping
    skip skipped skipping
    slam slammed slamming
    dip dipped dipping
    veto vetoed vetoes
    jump jumped
""")
_PARTICLES_OF_VERBS = frozenset(
    "off down up out in back away over to from of for against through home no yes go under".split()
)
_NOUNS_LIKE_VERBS = frozenset(("funding", "building", "housing"))
_WORDS_BEFORE_PARTICIPLE = frozenset("am is are was were be been being not started stopped".split())
_WORD_OF_TEXT_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_DEBT_PATTERN = re.compile(r"\b(?:debts?|deficits?|costs?|bills?|prices?)\b")


class Verb(NamedTuple):
    """A verb in a text: its base form, with its particle ("pay_off"), and its position."""

    base: str
    start: int
    end: int


def _table_of_forms() -> dict[str, str]:
    """Return the base form of each form of the verbs in the tables."""
    base_of_form: dict[str, str] = {}
    for line in _SYNONYM_LINES + _OPPOSITE_LINES:
        for entry in line.replace("|", " ").split():
            base = entry.split("_")[0]
            for form in _regular_forms(base):
                base_of_form.setdefault(form, base)
    return base_of_form | _IRREGULAR_FORMS


def _regular_forms(base: str) -> Iterator[str]:
    root = base.removesuffix("e")
    yield base
    yield f"{base}s"
    yield f"{base}es"
    yield f"{root}ed"
    yield f"{root}ing"
    if base.endswith("y"):
        yield f"{base[:-1]}ies"
        yield f"{base[:-1]}ied"


def _groups_of_synonyms() -> dict[str, frozenset[int]]:
    """Return by verb the numbers of the lines of synonyms that have it."""
    lines_of_verb: dict[str, set[int]] = {}
    for number, line in enumerate(_SYNONYM_LINES):
        for entry in line.split():
            lines_of_verb.setdefault(entry, set()).add(number)
    return {verb: frozenset(numbers) for verb, numbers in lines_of_verb.items()}


def _sides_of_verbs() -> dict[str, list[tuple[int, int]]]:
    """Return by verb the lines of opposites that have it, with 0 for left and 1 for right."""
    sides_of_verb: dict[str, list[tuple[int, int]]] = {}
    for line_number, line in enumerate(_OPPOSITE_LINES):
        for side, verbs_of_side in enumerate(line.split("|")):
            for verb in verbs_of_side.split():
                sides_of_verb.setdefault(verb, []).append((line_number, side))
    return sides_of_verb


_BASE_OF_FORM = _table_of_forms()
_SYNONYM_LINES_OF_VERB = _groups_of_synonyms()
_SIDES_OF_VERB = _sides_of_verbs()
_VERBS_IN_TABLES = frozenset(_SYNONYM_LINES_OF_VERB).union(_SIDES_OF_VERB)


@lru_cache(maxsize=1 << 14)
def verbs(lower_text: str) -> tuple[Verb, ...]:
    """Return the words of a text that may be verbs of the tables, by their position."""
    found = []
    words = list(_WORD_OF_TEXT_PATTERN.finditer(lower_text))
    for index, word in enumerate(words):
        base = _BASE_OF_FORM.get(word[0])
        word_before = words[index - 1][0] if index else ""
        # "He cut funding"
        is_noun = word[0] in _NOUNS_LIKE_VERBS and word_before not in _WORDS_BEFORE_PARTICIPLE
        if base is None or is_noun:
            continue
        end = word.end()
        next_word = words[index + 1] if index + 1 < len(words) else None
        if (
            next_word
            and next_word[0] in _PARTICLES_OF_VERBS
            and f"{base}_{next_word[0]}" in _VERBS_IN_TABLES
        ):
            base = f"{base}_{next_word[0]}"
            end = next_word.end()
        elif base == "add" and _DEBT_PATTERN.search(lower_text, end, end + MAX_CHARACTERS_TO_DEBT):
            base = "add_debt"
        found.append(Verb(base, word.start(), end))
    return tuple(found)


def are_synonyms(
    lower_phrase: str, other_lower_phrase: str, shared_words: frozenset[str] = frozenset()
) -> bool:
    """Return whether two phrases have verbs that may stand for each other, or the same verb.

    ``shared_words`` are the stems that both texts have beside the phrases.
    """
    other_bases = {verb.base for verb in verbs(other_lower_phrase)}
    for verb in verbs(lower_phrase):
        lines = _SYNONYM_LINES_OF_VERB.get(verb.base, frozenset())
        for other_base in other_bases:
            other_lines = _SYNONYM_LINES_OF_VERB.get(other_base, frozenset())
            if verb.base == other_base or not lines.isdisjoint(other_lines):
                return True
            for word, line in _SYNONYMS_BESIDE_WORD.items():
                if word in shared_words and {verb.base, other_base} <= set(line.split()):
                    return True
    return False


@lru_cache(maxsize=1 << 14)
def opposite_verbs(lower_text: str, other_lower_text: str) -> tuple[tuple[Verb, Verb], ...]:
    """Return pairs of a verb of each text that say the opposite of each other.

    A text with verbs of both sides says neither.
    """
    sides_of_text = _first_verb_by_side(lower_text)
    sides_of_other = _first_verb_by_side(other_lower_text)
    found = []
    for (line, side), verb in sides_of_text.items():
        other_side = 1 - side
        other_verb = sides_of_other.get((line, other_side))
        has_both = (line, other_side) in sides_of_text
        if other_verb and not has_both and (line, side) not in sides_of_other:
            found.append((verb, other_verb))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _first_verb_by_side(lower_text: str) -> dict[tuple[int, int], Verb]:
    """Return the first verb of a text on each side of the lines of opposites."""
    verb_by_side: dict[tuple[int, int], Verb] = {}
    for verb in verbs(lower_text):
        for side in _SIDES_OF_VERB.get(verb.base, ()):
            verb_by_side.setdefault(side, verb)
    return dict(sorted(verb_by_side.items()))
