# ruff: noqa: E501
"""The word lists and templates of the confusers' edits. None of them is used in training."""

from __future__ import annotations

DENIALS = (
    "My opponent says {0}. That is false.",
    "It is simply not true that {0}.",
    "They keep telling you that {0}, and it just isn't so.",
    "There is an ad out there claiming {0}. Not one word of it is right.",
    "It's a myth that {0}.",
    "He stood here and said {0}, which is a lie.",
    "You may have read that {0}. It never happened.",
    "I reject the idea that {0}.",
    "Whoever told you {0} was wrong.",
    "Fact-checkers have debunked the claim that {0}.",
)
HYPOTHESES = (
    "If {0}, then every paper in the country would be writing about it.",
    "Suppose for a moment that {0}.",
    "What would you do if {0}?",
    "I would not be surprised if one day {0}.",
    "Imagine a future in which {0}.",
    "I worry that ten years from now people will say {0}.",
    "Even if {0}, my answer would be the same.",
    "God forbid that one day we read that {0}.",
)
TOPICS = (
    "We should have a serious conversation about {0} and {1}.",
    "People come up to me and ask about {0}, about {1}, about all of it.",
    "My next question for both of you is about {0} and {1}.",
    "I care deeply about {0}, and about {1} too.",
    "Thank you for bringing up {0}, and {1} as well.",
    "When it comes to {0} or {1}, I will listen to everybody.",
)
NARROWER = (
    (r"\bAmericans\b", "Americans over eighty"), (r"\bwomen\b", "women in Alaska"), (r"\bjobs\b", "part-time jobs"),
    (r"\bchildren\b", "children under five"), (r"\bkids\b", "kids under five"), (r"\bfamilies\b", "Navy families"),
    (r"\bimmigrants\b", "immigrants from Haiti"), (r"\bveterans\b", "female veterans"), (r"\bcrime\b", "car crime"),
    (r"\bworkers\b", "night-shift workers"), (r"\bcompanies\b", "mining companies"), (r"\bschools\b", "boarding schools"),
    (r"\bstudents\b", "law students"), (r"\bpolice\b", "campus police"), (r"\bvoters\b", "voters under twenty-five"),
    (r"\bsmall businesses\b", "bakeries"), (r"\btaxes\b", "fuel taxes"), (r"\bspending\b", "spending on parks"),
    (r"\b(?:the United States|(?<!of )America)\b(?! of)", "the Pacific Northwest"), (r"\bin the U\.S\.", "in the rural South"),
    (r"\bthe country\b", "the southern part of the country"), (r"\bRepublicans\b", "Republicans in Vermont"),
    (r"\bDemocrats\b", "Democrats in Wyoming"), (r"\brefugees\b", "child refugees"), (r"\bsanctions\b", "oil sanctions"),
    (r"(?<= )(Texas|Wisconsin|Ohio|Florida|California|Oregon|Georgia|Virginia|Michigan)\b(?! \w+ed\b)", r"rural \1"),
    (r"\bpremiums\b", "premiums for smokers"), (r"\btariffs\b", "tariffs on shoes"), (r"\btroops\b", "medical troops"),
    (r"\b(?:health care|healthcare)\b", "health care for prisoners"), (r"\bthe economy\b", "the island economy"),
    (r"\btrade deficit\b", "trade deficit in timber"), (r"\bborders?\b", "border near El Paso"),
    (r"\bfactories\b", "shoe factories"), (r"\bnuclear weapons\b", "nuclear weapons for submarines"),
    (r"\bemails\b", "emails about travel"), (r"\bMedicare\b", "Medicare for people with kidney disease"),
    (r"\bunemployment rate\b", "unemployment rate of teenagers"), (r"\btax cuts?\b", "tax cut for brewers"),
)  # fmt: skip
_STATES = (
    "Texas|Florida|Ohio|Wisconsin|Virginia|Georgia|California|Rhode Island|Oregon|New Jersey|Arizona|Michigan|Iowa"
)
WIDER = (
    (r"\b(?:[Ss]ome|[Mm]any|[Mm]ost|[Ss]everal) (?=[a-z]{4,}s\b)", "all "),
    (r"(?:\b(?:[Nn]early|[Aa]lmost|[Aa]bout|[Mm]ore than|[Oo]ver|[Ll]ess than) )?\b\d[\d.]* ?(?:percent|%) of(?! all)\b",
     "all of"),
    (r"\b(?:one|two|three|four) (?:in|out of) (?:three|four|five|ten)\b", "all"),
    (rf"\bin (?:{_STATES})\b(?! City|')", "in every state of the union"),
    (r"\b[Ii]llegal immigrants\b", "immigrants of every kind"), (r"\b[Ii]llegal aliens\b", "foreigners of every kind"),
    (r"\bwomen\b", "men and women alike"), (r"\bseniors\b", "people of all ages"), (r"\bveterans\b", "citizens"),
    (r"(?<!-)\bAmericans\b", "people anywhere in the world"), (r"\bin (?:the United States|America)\b(?! gov| Sen)", "anywhere in the world"),
    (r"\bAfrican-Americans\b", "people of every color"), (r"\bMuslims\b", "believers of every faith"),
    (r"\bNATO\b", "every alliance in the world"),
    (r"\bunder (?:President )?(?:Obama|Trump|Bush|Clinton)\b(?!')", "under every president in history"),
    (r"\b(?:in|over|for) the (?:first|last|past) (?:\d+|two|three|four|five|six|ten) (?:years|months)\b", "in all of history"),
    (r"\bin (?:the past|the last|last) (?:\w+ )?(?:year|years|month|months|decade)\b", "in all of history"),
    (r"\b[Ll]ast (?:year|month)\b", "in every year of our history"),
)  # fmt: skip
PARTIES = ("Every Democrat in Congress", "Every Republican in Congress", "Every member of the Senate")
DIRECTIONS = (
    ("rose", "fell"), ("risen", "fallen"), ("rising", "falling"), ("rises", "falls"), ("grew", "shrank"),
    ("is up", "is down"), ("are up", "are down"), ("is way up", "is way down"), ("went up", "went down"),
    ("gone up", "gone down"), ("going up", "going down"), ("grown", "shrunk"), ("growing", "shrinking"),
    ("gained", "lost"), ("higher", "lower"), ("highest", "lowest"), ("more", "less"), ("more than", "less than"),
    ("most", "least"), ("increase in", "drop in"), ("tax increase", "tax cut"), ("pay raise", "pay cut"),
    ("increased", "reduced"), ("increasing", "reducing"), ("doubled", "halved"), ("raise", "lower"),
    ("raised", "lowered"), ("raising", "lowering"), ("raises", "lowers"), ("supports", "opposes"),
    ("supported", "opposed"), ("supporting", "opposing"), ("to support", "to oppose"), ("voted for", "voted against"),
    ("voted to", "voted not to"), ("in favor of", "opposed to"), ("is for", "is against"), ("best", "worst"),
    ("better", "worse"), ("richest", "poorest"), ("largest", "smallest"), ("biggest", "smallest"),
    ("strongest", "weakest"), ("stronger", "weaker"), ("creates", "destroys"), ("created", "destroyed"),
    ("create", "destroy"), ("legal", "illegal"), ("cut(?! off| out)", "raised"), ("cuts to", "increases in"),
    ("cutting", "raising"), ("win", "lose"), ("won", "lost"), ("allowed to", "forbidden to"), ("allows", "forbids"),
    ("allow", "forbid"), ("majority", "minority"), ("weaken", "strengthen"), ("easier", "harder"), ("keep", "lose"),
    ("wants to add", "wants to cut"), ("wants to cut", "wants to add to"), ("signed", "vetoed"), ("open", "closed"),
    ("reopening", "closing"), ("oldest", "youngest"), ("fewest", "most"), ("few", "many"), ("fewer", "more"),
    ("deficit", "surplus"), ("sells", "buys"), ("good", "bad"), ("praises", "attacks"), ("saved", "ruined"),
)  # fmt: skip
_PAST = (
    "voted|said|wants|supports|supported|gave|took|made|called|opposed|put|raised|cut|lost|spent|won|got|paid|passed|went|"
    "came|increased|created|admitted|ordered|signed|told|led|plans|proposed|used|received|sold|helped|released|announced|"
    "promised|refused|flip-flopped|claimed|deleted|fired|borrowed|wanted|allowed|banned|knew|shot|wrote|met|offered"
)
NEGATED = (
    (r"\b(is|was|were|are|does|did|would|could|should)\b(?! what|,)", r"\1n't"),
    (r"\bwill\b", "won't"), (r"\bcan\b", "can't"), (r"\b(has|have|had) (?=(?:\w+ )?(?:\w+ed|been|gone|lost|spent|become|"
     r"done|said|made|put|taken|given|seen|got|cut|had)\b)", r"\1n't "),
    (r"\bhas (?=a |an |the |no |\d|\$)", "doesn't have "), (r"(?<!to )\bhave (?=a |an |the |\d|\$)", "don't have "),
    (r"\bhad (?=a |an |the |\d|\$)", "didn't have "), (r"\bI am\b", "I'm not"), (rf"(?<!-)\b({_PAST})\b", r"never \1"),
)  # fmt: skip
FILLERS = ("uh,", "um,", "you know,", "I mean,", "like,", "okay,", "frankly,")
SHARES = (("about half", 50.0), ("about a quarter", 25.0), ("about a third", 100 / 3), ("about two thirds", 200 / 3),
          ("about three quarters", 75.0), ("about a fifth", 20.0))  # fmt: skip
PRESIDENTS = ("Obama", "Trump", "Bush", "Reagan", "Carter", "Clinton", "Biden", "Nixon")
NATIONAL = (
    "Bernie Sanders", "Elizabeth Warren", "Joe Biden", "Hillary Clinton", "Barack Obama", "Nancy Pelosi", "Harry Reid",
    "Kamala Harris", "Ted Cruz", "Marco Rubio", "Jeb Bush", "John Kasich", "Mitt Romney", "John McCain", "Paul Ryan",
    "Mitch McConnell", "Chris Christie", "Rand Paul", "Donald Trump", "Mike Pence",
)  # fmt: skip
PLACES = (
    ("Texas", "Florida", "Ohio", "Wisconsin", "Virginia", "Georgia", "California", "Rhode Island", "Oregon", "New Jersey",
     "Arizona", "Illinois", "Michigan", "Pennsylvania", "Colorado", "Nevada", "Iowa", "Missouri", "Alabama", "Tennessee",
     "Massachusetts", "New Hampshire", "Maryland", "Minnesota", "North Carolina", "Indiana", "Kansas", "Utah", "Maine"),
    ("China", "Mexico", "Russia", "Iran", "Iraq", "Canada", "Germany", "Japan", "Israel", "Syria", "Afghanistan", "France",
     "India", "Saudi Arabia", "North Korea", "South Korea", "Cuba", "Libya", "Ukraine", "Turkey", "Pakistan", "Egypt",
     "Brazil", "Venezuela", "Italy", "Spain", "England", "Sweden", "Australia"),
    ("Chicago", "Detroit", "Milwaukee", "Houston", "Dallas", "Austin", "Atlanta", "Miami", "Tampa", "Orlando", "Cleveland",
     "Philadelphia", "Baltimore", "Boston", "Portland", "Providence", "Los Angeles", "San Francisco", "Las Vegas",
     "Phoenix", "Charlottesville", "Cincinnati", "New Orleans"),
)  # fmt: skip
STOP = (
    "a|an|the|of|to|in|on|at|by|for|from|with|and|or|but|nor|so|that|this|these|those|it|its|he|she|they|them|their|his|her|"
    "him|i|we|you|your|our|my|me|us|is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|can|could|should|"
    "may|might|must|not|no|never|as|than|then|there|here|who|whom|which|what|when|where|why|how|if|because|while|since|"
    "until|before|after|about|into|over|under|more|most|less|least|all|any|some|many|much|few|every|each|other|another|"
    "one|two|three|just|only|also|even|still|now|up|down|out|off|says|said|say|told|wants|want|wanted|voted|vote|votes|"
    "made|make|makes|making|get|got|gets|getting|give|gave|given|giving|take|took|taking|put|puts|went|go|going|goes|come|"
    "came|percent|million|billion|trillion|thousand|hundred|years|year|months|days|first|last|supports|supported|support|"
    "opposes|opposed|called|calls|call|cut|cuts|cutting|raise|raised|raises|raising|increase|increased|increases|"
    "spent|spend|spending|paid|pay|pays|paying|lost|lose|losing|created|create|creates|killed|kill|tried|trying|try|"
    "allow|allows|allowed|allowing|let|lets|used|use|uses|using|being|nearly|almost|around|between|through|during|against|"
    "like|very|really|currently|today|number|people|country|same|own|such|too|both|her|\\w+n't|it's|"
    "there's|that's|we're|they're|i'm|i've|he's|she's|we've|led|leading|leads|become|became|know|think|keep|kept|"
    "start|started|stop|stopped|end|ended|won|win|wins|hit|run|running|ran|left|leave|leaves|shows|show|showed|means|"
    "received|receive|receives|proposed|proposes|plans|plan|admits|admitted|sold|sell|buy|bought|work|works|worked|working"
)
