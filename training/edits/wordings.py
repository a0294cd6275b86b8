"""Word lists and wordings that the edits of ``training.edits.statements`` draw from, each with a held-out second set.

Sentences for tests are made from the second sets, so that a model cannot score by having learnt the wordings by heart.
"""

from __future__ import annotations

OPPOSITES = (
    ("more", "fewer"), ("increased", "decreased"), ("increase", "decrease"), ("rose", "fell"), ("rising", "falling"),
    ("highest", "lowest"), ("higher", "lower"), ("largest", "smallest"), ("most", "fewest"), ("raised", "cut"),
    ("raise", "cut"), ("raising", "cutting"), ("gained", "lost"), ("supports", "opposes"),
    ("supported", "opposed"), ("voted for", "voted against"), ("best", "worst"), ("before", "after"),
    ("always", "never"), ("every", "no"), ("all", "none of"), ("majority", "minority"), ("first", "last"),
    ("doubled", "halved"), ("created", "destroyed"), ("legal", "illegal"), ("more than", "less than"),
)  # fmt: skip
DIRECTIONS = (
    *(pair for pair in OPPOSITES if pair[0] not in ("most", "every", "all", "majority", "always", "legal", "first")),
    ("gone up", "gone down"), ("grew", "shrank"), ("growing", "shrinking"), ("win", "lose"),
    ("won", "lost"), ("safer", "more dangerous"), ("better", "worse"), ("expand", "shrink"), ("allows", "bans"),
    ("allow", "ban"), ("opened", "closed"), ("added", "cut"), ("approved", "rejected"), ("oldest", "youngest"),
    ("richest", "poorest"), ("surplus", "deficit"), ("exports", "imports"), ("above", "below"), ("support", "oppose"),
)  # fmt: skip
QUANTIFIERS = (
    ("all of", "some of"), ("All", "Some"), ("every", "one"), ("most of", "few of"), ("Most", "Few"),
    ("half", "a tenth"), ("none", "most"), ("majority", "handful"),
    ("everyone", "hardly anyone"), ("nobody", "almost everybody"), ("always", "sometimes"), ("never", "often"),
    ("two-thirds", "a fifth"), ("one-third", "two-thirds"), ("a third", "three-fifths"), ("a quarter", "four-fifths"),
    ("many", "hardly any"), ("dozens", "two or three"),
    ("thousands", "dozens"), ("millions", "thousands"), ("twice", "half"),
    ("double", "half"), ("the only", "one of many"), ("million", "billion"), ("billion", "million"),
    ("trillion", "billion"),
)  # fmt: skip
NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
PEOPLE = (
    "Barack Obama", "Hillary Clinton", "Donald Trump", "Joe Biden", "Mitt Romney", "John McCain", "Bernie Sanders",
    "Marco Rubio", "Ted Cruz", "Chris Christie", "Jeb Bush", "Newt Gingrich", "Scott Walker", "Rick Perry",
    "Nancy Pelosi", "Mitch McConnell", "Mike Pence", "George W. Bush", "Bill Clinton", "Kamala Harris",
    "Elizabeth Warren", "Charlie Crist", "Sarah Palin", "Andrew Cuomo", "Ronald Reagan", "John Kerry", "Al Gore",
    "John Kasich", "Rudy Giuliani", "Harry Reid", "Chuck Schumer", "John Boehner", "Greg Abbott", "Ron DeSantis",
    "Michael Bloomberg", "Pete Buttigieg", "Terry McAuliffe", "Sherrod Brown", "Tammy Baldwin", "Michelle Obama",
)  # fmt: skip
WOMEN = frozenset({"Hillary Clinton", "Nancy Pelosi", "Kamala Harris", "Elizabeth Warren", "Sarah Palin",
                   "Tammy Baldwin", "Michelle Obama"})  # fmt: skip
GROUPS = (("Republicans", "Democrats"), ("Republican", "Democratic"), ("Democrat", "Republican"), ("GOP", "Democratic"),
          ("women", "men"), ("veterans", "teachers"), ("the Senate", "the Supreme Court"),
          ("Muslims", "Christians"), ("police", "firefighters"), ("children", "pensioners"))  # fmt: skip
STATES = (
    "Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Delaware", "Florida",
    "Georgia", "Hawaii", "Idaho", "Illinois", "Indiana", "Iowa", "Kansas", "Kentucky", "Louisiana", "Maine",
    "Maryland", "Massachusetts", "Michigan", "Minnesota", "Mississippi", "Missouri", "Montana", "Nebraska", "Nevada",
    "New Hampshire", "New Jersey", "New Mexico", "New York", "North Carolina", "North Dakota", "Ohio", "Oklahoma",
    "Oregon", "Pennsylvania", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas", "Utah", "Vermont",
    "Virginia", "West Virginia", "Wisconsin", "Wyoming",
)  # fmt: skip
COUNTRIES = (
    "China", "Mexico", "Russia", "Iran", "Iraq", "Canada", "Israel", "Germany", "France", "Japan", "India", "Brazil",
    "North Korea", "South Korea", "Saudi Arabia", "Syria", "Afghanistan", "Cuba", "Italy", "Ukraine", "Australia",
    "Sweden", "Norway", "Libya", "Pakistan", "Egypt", "Venezuela", "Britain", "Spain",
)  # fmt: skip
CITIES = ("Chicago", "Detroit", "Houston", "Austin", "Atlanta", "Milwaukee", "Cleveland", "Philadelphia", "Boston",
          "Miami", "Seattle", "Denver", "Dallas", "Portland", "Baltimore", "Providence")  # fmt: skip
FILLERS = (
    ("uh", "um", "you know", "I mean", "folks", "by the way", "frankly", "believe me", "okay", "right"),
    ("er", "honestly", "you see", "my friends", "to be honest", "let me tell you", "so to speak"),
)
LONGER = (
    (
        "And I'll tell you, {x}, and everybody in this room knows it.", "You have to understand that {x}.",
        "I said it before and I'll say it again: {x}.", "The fact is that {x}, and nobody wants to talk about it.",
        "We are here today because {x}, and we are going to do something about it.", "Remember, {x}.",
        "{X}, and let me also say this: {other}", "{other} And {x}.", "Look, {x}, okay?", "Did you know that {x}?",
        "{X}, and that's a disgrace.", "Well, as you know, {x}, and we are very proud of it.",
        "So when people ask me about it I tell them that {x}.",
    ),
    (
        "Let me be clear: {x}, and that should worry all of us.", "{other} What's more, {x}.",
        "People forget this, but {x}.", "The American people know that {x}, thank you very much.", "{X}, isn't it?",
        "My colleagues keep telling me that {x}, so there you have it.",
    ),
)  # fmt: skip
PREDICTIONS = (
    (
        "If we do nothing, some day it will be said that {x}.", "I predict that by 2050 {x}.", "Imagine that {x}.",
        "I promise you that one day you will see that {x}.", "Nobody knows yet whether {x}.", "I hope that {x}.",
        "Suppose {x}.", "What would you say if {x}?", "If I am elected we will live in a country where {x}.",
        "We want to get to a point where {x}.", "It would be terrible if {x}.", "My fear is that in ten years {x}.",
    ),
    (
        "Just think what would happen if {x}.", "Within a generation we could see that {x}.", "I wish that {x}.",
        "It remains to be seen whether {x}.", "My plan is to make sure that {x}.",
    ),
)  # fmt: skip
DENIALS = (
    (
        "It is not true that {x}.", "{X}? That is simply wrong.", "Nobody can seriously believe that {x}.",
        "They keep saying that {x}, and it is a lie.", "My opponent says that {x}, but that has been debunked.",
        "The idea that {x} is a myth.", "Some people claim that {x}; they are wrong.", "I never said that {x}.",
    ),
    (
        "Don't believe anyone who tells you that {x}.", "It's a hoax that {x}.", "There is no proof that {x}.",
        "You hear it all the time: {x}. It's false.",
    ),
)  # fmt: skip
TOPICS = (
    (
        "Let me say something about {x}.",
        "I want to thank you for asking about {x}.",
        "We have to talk about {x}.",
        "What do you think about {x}?",
        "I have very strong feelings about {x}, as you know.",
        "A lot of people came up to me tonight to ask about {x}.",
        "Next, a question about {x}.",
    ),
    ("I'm glad you brought up {x}.", "My plan for {x} is on my website.", "Nobody cares more about {x} than I do."),
)
NARROWER = (
    (
        "among women over 60", "in rural counties", "for small businesses", "among veterans", "on weekends",
        "in the first quarter", "among people without a degree", "at private companies", "for first-time offenders",
    ),
    ("among teenagers", "in the suburbs", "for part-time workers", "during the winter"),
)  # fmt: skip
SAME = (
    (r"(\d) ?percent\b", r"\1%"), (r"(\d)%", r"\1 percent"), (r"\bcannot\b", "can't"), (r"\bdo not\b", "don't"),
    (r"\bdoes not\b", "doesn't"), (r"\bis not\b", "isn't"), (r"\bnearly\b", "almost"), (r"\babout (?=\d)", "around "),
    (r"\bUnited States\b", "U.S."), (r"(?<!he )\bU\.S\.(?= |$)", "America"),
    (r"\bObamacare\b", "the Affordable Care Act"),
    (r"\bmore than (?=[\d$])", "over "), (r"\bwithin\b", "inside"), (r"\bbegan\b", "started"), (r"\bpurchase\b", "buy"),
)  # fmt: skip
REWORDINGS = (
    *SAME,
    (r"\bjobs\b", "positions"), (r"\bchildren\b", "kids"), (r"\bkids\b", "children"), (r"\blargest\b", "biggest"),
    (r"\bbiggest\b", "largest"), (r"\bincreased\b", "went up"), (r"\brose\b", "went up"), (r"\bfell\b", "went down"),
    (r"\bdecreased\b", "went down"), (r"\bpassed\b", "put through"), (r"\bhalf of\b", "50 percent of"),
    (r"\bdoubled\b", "increased twofold"), (r"(?<!n )\bAmericans\b", "people in this country"),
    (r"\billegal immigrants\b", "people here illegally"), (r"\bhealth insurance\b", "medical coverage"),
    (r"\bhealth care costs\b", "medical costs"), (r"\bcompanies\b", "businesses"), (r"\bbusinesses\b", "companies"),
    (r"\bstudents\b", "pupils"), (r"\bcops\b", "police officers"), (r"\bwants to\b", "would like to"),
    (r"\bin order to\b", "to"), (r"\breceived\b", "got"), (r"\bPresident (?=[A-Z])", ""),
    (r"\bguns\b", "firearms"), (r"\beliminate\b", "get rid of"), (r"\bbanned\b", "outlawed"),
    (r"\brequires\b", "makes it mandatory for"), (r"\bper year\b", "a year"), (r"\bannually\b", "every year"),
    (r"\beach year\b", "every year"), (r"\bcurrently\b", "right now"), (r"\btoday\b", "these days"),
)  # fmt: skip
