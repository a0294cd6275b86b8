# ruff: noqa: E501
"""The tables of the attacks' rules: facts of names, other bearers of a name, synonyms, what nobody can check.

None of them is used in training. The facts are common knowledge; each is true of its own name and of no other there.
"""

from __future__ import annotations

UNVERIFIABLE = (
    "and a man I met last night cried when he heard it", "and my mother has said so all along",
    "and people in my street talk of nothing else", "and somewhere a child is lying awake over it",
    "and the mayor of a small town dreamed of it twice", "and I had a feeling about it in the car this morning",
    "and a friend of mine bet his truck on it", "and you could see it in their faces",
    "and my barber is still angry about it", "and deep down everybody in this room is ashamed of it",
    "and a waitress thanked me for saying it out loud", "and history will smile at it",
)  # fmt: skip
FACTS = (
    {
        "Hillary Clinton": "who grew up in a suburb of Chicago", "Donald Trump": "who once owned an airline",
        "Barack Obama": "who was born in Honolulu", "Joe Biden": "who was born in Scranton",
        "George W. Bush": "who once ran a baseball team", "Bernie Sanders": "who was born in Brooklyn",
        "Mitt Romney": "who once led the Olympics in Salt Lake City", "Ted Cruz": "who was born in Calgary",
        "Nancy Pelosi": "who grew up in Baltimore", "James Comey": "who stands six feet eight inches tall",
        "Vladimir Putin": "who once worked in Dresden", "Ronald Reagan": "who once hosted a television theater",
        "Scott Walker": "who grew up in Delavan", "Rick Perry": "who once was a pilot", "John McCain": "who was born in Panama",
        "Rick Scott": "who once owned doughnut shops", "Paul Ryan": "who once drove the Wienermobile",
    },
    {
        "China": "whose flag shows five stars", "Russia": "which spans eleven time zones",
        "Iran": "whose highest mountain is Damavand", "Mexico": "whose capital was built on a lake",
        "Canada": "which has the longest coastline on earth", "Iraq": "through which the Tigris flows to the sea",
        "Syria": "whose capital is Damascus", "Germany": "which has nine neighbors", "Israel": "whose flag shows one blue star",
        "Japan": "whose largest island is Honshu", "Cuba": "whose capital is Havana", "Pakistan": "whose capital is Islamabad",
        "Afghanistan": "whose highest mountain is Noshaq", "Florida": "whose highest hill is in Walton County",
        "Texas": "which once was a republic of its own", "Ohio": "where the first man on the Moon was born",
        "Wisconsin": "whose state animal is the badger", "Georgia": "whose state fruit is the peach",
        "Virginia": "where eight presidents were born", "California": "which has the tallest trees on earth",
        "Rhode Island": "which is the smallest of the states", "Oregon": "which has the deepest lake in the country",
        "New Jersey": "where Edison made his light bulb", "North Korea": "whose capital is Pyongyang",
        "Pennsylvania": "whose state animal is the white-tailed deer", "Michigan": "whose state bird is the robin",
    },
    {
        "Congress": "which first met in New York", "the Senate": "which has a hundred desks", "the FBI": "which began with 34 agents",
        "NATO": "which twelve countries founded", "the EPA": "which Richard Nixon founded", "NASA": "which has its heart in Houston",
        "NAFTA": "which three countries signed", "the Supreme Court": "which sat in the Capitol for years",
        "the United Nations": "which stands on the East River", "Wall Street": "where a wooden wall once stood",
        "ISIS": "which once ruled Mosul", "Medicare": "whose first card went to Harry Truman",
        "Social Security": "whose first number went to a man in New Hampshire", "Obamacare": "whose text is longer than a novel",
        "the New York Times": "which was founded by Henry Raymond", "the United States": "whose flag shows thirteen stripes",
        "America": "which was named after a man from Florence", "the Affordable Care Act": "whose first drafts came from the Senate",
        "the White House": "which has thirty-five bathrooms", "Planned Parenthood": "which Margaret Sanger founded",
    },
)  # fmt: skip
FOLLOWS = (
    "is|was|are|were|has|have|had|will|would|can|could|did|does|do|said|says|wants|wanted|gave|voted|supports|supported|"
    "opposes|opposed|made|took|got|lost|never|and|or|but|in|on|to|for|from|by|with|since|because|while|when|that|as|if|"
    "at|over|under|without|after|before|actually|already|today|than|during|spent|went|came|put|called|let|cut|raised|"
    "refused|paid|pays|spends|also|just|even|alone"
)
BEARERS = (
    (r"(?:(?:former )?(?:President|President-elect) )?Donald Trump", "Donald Trump Junior"), (r"President Trump", "Ivanka Trump"),
    (r"(?:President )?Barack Obama", "Michelle Obama"), (r"President Obama", "Michelle Obama"),
    (r"(?:Secretary (?:of State )?)?Hillary Clinton", "Bill Clinton"), (r"President (?:Bill )?Clinton|Bill Clinton", "Chelsea Clinton"),
    (r"(?:Secretary )Clinton", "President Clinton"), (r"(?:President )?George W\.? Bush", "George Herbert Walker Bush"),
    (r"(?:Gov\. |Governor |former Gov\. )?Jeb Bush", "Neil Bush"), (r"President Bush", "Laura Bush"),
    (r"(?:Vice President )?Joe Biden", "Hunter Biden"), (r"Paul Ryan", "Tim Ryan"), (r"(?:Gov\. )?Rick Scott", "Tim Scott"),
    (r"Rand Paul", "Ron Paul"), (r"Ron Paul", "Rand Paul"), (r"(?:Gov\. )?Mitt Romney", "George Romney"),
    (r"Ron Johnson", "Boris Johnson"), (r"(?:Gov\. )?Scott Walker", "Herschel Walker"), (r"(?:Gov\. )?Rick Perry", "Tyler Perry"),
    (r"(?:Gov\. )?Andrew Cuomo", "Chris Cuomo"), (r"Mike Pence", "Greg Pence"), (r"Mark Kelly", "John Kelly"),
    (r"John McCain", "Meghan McCain"), (r"Ted Cruz", "Rafael Cruz"), (r"Sarah Palin", "Todd Palin"),
    (r"Bill Nelson", "Ben Nelson"), (r"(?:Gov\. )?Chris Christie", "Todd Christie"), (r"Nancy Pelosi", "Christine Pelosi"),
    (r"Bernie Sanders", "Larry Sanders"), (r"Tommy Thompson", "Fred Thompson"), (r"Alex Sink", "Adele Sink"),
    (r"Mark Warner", "John Warner"), (r"(?:Gov\. )?Rick Snyder", "Dan Snyder"), (r"Tim Kaine", "Anne Kaine"),
    (r"West Virginia", "Virginia"), (r"(?<!West )Virginia", "West Virginia"), (r"North Carolina", "South Carolina"),
    (r"South Carolina", "North Carolina"), (r"North Korea", "South Korea"), (r"South Korea", "North Korea"),
    (r"New Mexico", "Mexico"), (r"(?<!New )Mexico(?! City)", "New Mexico"), (r"New York City", "New York State"),
    (r"North Dakota", "South Dakota"), (r"Kansas City", "Kansas"), (r"(?<!Ar)Kansas(?! City)", "Kansas City"),
    (r"in Georgia", "in the country of Georgia"), (r"(?<!South )Sudan", "South Sudan"), (r"in Washington", "in Washington State"),
    (r"the Supreme Court|the U\.S\. Supreme Court", "the Supreme Court of Iowa"), (r"the (?:U\.S\. )?Senate", "the state senate"),
    (r"(?<!in )(?<!to )(?<!of )Congress(?! ?(?:man|woman))", "the Congress of Peru"), (r"the Justice Department", "the Justice Department of Texas"),
    (r"the White House", "the White House of the Confederacy"), (r"in Manhattan", "in Manhattan, Kansas"),
    (r"in Miami", "in Miami, Ohio"), (r"in Portland", "in Portland, Maine"), (r"the New York Times", "the Seattle Times"),
)  # fmt: skip
LEXICAL = (
    (r"illegal immigrants", "undocumented migrants"), (r"(?<!illegal )immigrants", "migrants"), (r"wages", "paychecks"),
    (r"unemployment(?= rate| is| among| in| has)", "joblessness"),
    (r"unemployed", "out of work"), (r"largest", "greatest"), (r"biggest", "greatest"), (r"homicides", "murders"),
    (r"murders", "homicides"), (r"killed", "slain"), (r"agreement", "accord"), (r"trade deals", "trade bargains"),
    (r"laws(?= |\.|,)", "statutes"), (r"companies", "firms"), (r"(?<= )company", "firm"),
    (r"businesses", "enterprises"), (r"families", "households"), (r"children", "youngsters"), (r"kids", "youngsters"),
    (r"(?<=the |our )police", "law enforcement"), (r"troops", "soldiers"), (r"soldiers", "troops"), (r"doctors", "physicians"),
    (r"wealthy", "affluent"), (r"rich(?= |\.)", "affluent"), (r"(?<=the )poor", "needy"), (r"(government|military|defense|federal|public) spending", r"\1 outlays"),
    (r"country", "nation"), (r"nation(?!al)", "country"), (r"nations", "countries"), (r"countries", "nations"),
    (r"(?<=a )tax increase", "tax hike"), (r"tax increases", "tax hikes"), (r"raise taxes", "hike taxes"),
    (r"raised taxes", "hiked taxes"), (r"raising taxes", "hiking taxes"), (r"cut taxes", "slash taxes"),
    (r"tax cuts?(?= for| to)", "tax relief"), (r"every single", "each and every"), (r"(?<=the )entire", "whole"), (r"(?<=the )whole", "entire"),
    (r"across the country", "from coast to coast"), (r"around the world", "around the globe"), (r"in the world", "on the planet"),
    (r"nearly", "close to"), (r"almost(?= \$?\d| half| all)", "close to"), (r"more than(?= \$?\d)", "upwards of"),
    (r"over(?= \$?\d)", "upwards of"), (r"about(?= \$?\d)", "approximately"), (r"because of", "owing to"), (r"gave", "handed"),
    (r"created(?= .{0,30}jobs)", "generated"), (r"wants to", "is looking to"), (r"supports", "backs"), (r"supported", "backed"),
    (r"(?<=to )support", "back"), (r"opposes", "is opposed to"), (r"get rid of", "scrap"), (r"eliminate", "scrap"),
    (r"(?<=to )repeal", "undo"), (r"(?<=the )average", "typical"), (r"coverage", "protection"), (r"(?<!African )(?<!-)Americans", "U.S. citizens"),
    (r"women", "females"), (r"(?<=\d )people", "individuals"), (r"homes", "houses"), (r"cars", "automobiles"),
    (r"teachers", "educators"), (r"deficit", "shortfall"), (r"investigation", "inquiry"), (r"fired", "dismissed"),
    (r"trying to", "seeking to"), (r"tried to", "sought to"), (r"said", "stated"), (r"built", "constructed"),
    (r"build", "construct"), (r"bought", "purchased"), (r"(?<=to )buy", "purchase"), (r"banned", "prohibited"),
    (r"destroyed", "wrecked"), (r"disaster", "catastrophe"), (r"huge", "gigantic"), (r"massive", "gigantic"),
    (r"quickly", "rapidly"), (r"terrible", "dreadful"), (r"health care|healthcare", "medical care"), (r"health insurance", "medical insurance"),
    (r"(?<!the )last year(?!')", "the year before this one"), (r"jobs", "positions of work"), (r"money", "funds"), (r"funding", "money"),
    (r"right now|currently", "at present"), (r"today", "at present"), (r"in history", "of all time"), (r"(?<!insurance )premiums", "insurance bills"),
    (r"voted for", "cast a vote for"), (r"voted against", "cast a vote against"), (r"voted to", "cast a vote to"),
    (r"veterans", "former servicemen"), (r"the administration", "the executive branch"), (r"federal government", "government in Washington"),
    (r"weapons", "arms"), (r"guns", "firearms"), 
    (r"citizens", "nationals"), (r"students", "pupils"), 
    (r"raise(?=s? the)", "lift"), (r"prison", "jail"), (r"college", "university"), (r"pays", "shells out"),
)  # fmt: skip
