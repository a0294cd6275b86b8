"""Function words and other words of little content: one set of words per purpose.

The sets differ on purpose: a word of little content in a search may matter beside a figure. The
trained rankers depend on each of them, so a change of one requires training them again.
"""

from __future__ import annotations

# Words that BM25 leaves out.
FUNCTION_WORDS = frozenset(
    """
    a an the this that these those some any each every either neither both all such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers
    herself it its itself they them their theirs themselves who whom whose which what
    and or but nor so yet if because as than then when while where why how whether though although
    of in on at by for with about against between into through to from up down out off over
    under upon
    am is are was were be been being do does did doing done have has had having will would
    shall should can could may
    might must not no yes there here very just too also
    im youre were theyre hes shes thats theres heres whats ive youve weve theyve youll theyll itll
    youd theyd dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt wont wouldnt cant
    couldnt shouldnt
    """.split()
)
# Words without a topic, which neither repeat a statement nor differ from it.
FILLER_WORDS = frozenset(
    "a an the of to in on at by for from with and or but nor so that this these those it its he "
    "she they them their his her him i we you your our my me us is are was were be been being am "
    "has have had do does did will would can could should may might must as than then there here "
    "who whom which what when where why how if because while now just also even still very really "
    "well uh um okay ok look folks like know mean frankly right about around nearly almost "
    "roughly some over more under percent up out get got going go said say says told people "
    "believe think want that's it's he's she's they're we're i'm i've we've you're there's don't "
    "let's actually basically already quite too much lot lots thing things back one approximately "
    "close probably simply literally tremendous tremendously great big huge incredible incredibly "
    "er ah hmm honestly honest speak let tell friends friend see listen quote trust".split()
)
# Words and signs that follow a figure and are not the things counted.
NON_UNIT_WORDS = frozenset(
    "a an the of in on at to from by for with and or but nor so that this these those it its he "
    "she they them his "
    "her i we you our your is are was were be been am has have had do does did will would can "
    "could should may might "
    "must as than then who which what when where why how if because while since until per each "
    "every less fewer not no "
    "percent dollars dollar out about over under up down last past next right today now just only "
    "even also during "
    "more before after between within without into onto under through according into there here "
    "still already across "
    '$ € £ % + , ; : . ! ? ( ) [ ] — “ ” "'.split()
)
# Words beside figures of all sorts, which do not show the subject of a figure.
WORDS_NEAR_ANY_FIGURE = frozenset(
    "year month week day last next first since every each per only total number percentage state "
    "country nation american".split()
)
# Words that are capitalised in the middle of a sentence and yet are not names.
NON_NAME_WORDS = frozenset(
    "i i'm i'll i've i'd im a an the and but or so we he she it they you my our ok okay says said "
    "mr mrs ms dr sen rep gov president senator governor congressman congresswoman secretary "
    "madam sir".split()
)
# The most frequent words of English speech.
COMMON = frozenset(
    "the of and to in a is that for it was on are as with his they at be this have from or had by "
    "but not what all were we when your can said there an each which she do how their if will up "
    "about out many then them these so some her would make like him into time has you i he our "
    "who no my me people because just don't it's i'm".split()
)
