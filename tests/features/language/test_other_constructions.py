"""A claim in another construction has no conflict, and its near siblings keep theirs.

Each kind has sentences on both sides: other words, order, tense or parts of a whole alone are no
evidence of another claim.
"""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts

INTERCHANGEABLE = [
    (
        "Lorne is the most violent town in the valley.",
        "Lorne is the most dangerous city in the valley.",
    ),
    (
        "Black sailors are fined twice as often as white sailors in Lorne.",
        "African American sailors are fined twice as often as white sailors in Lorne.",
    ),
    (
        "The mayor founded a school for pilots in the old harbor.",
        "The mayor set up a school for pilots in the old harbor.",
    ),
    (
        "The average dentist takes home four times the pay of the average nurse in Lorne.",
        "The average dentist makes four times what the average nurse in Lorne makes.",
    ),
    (
        "Democrats run six of the nine ports in the bay.",
        "Six of the nine ports in the bay have Democratic mayors.",
    ),
]
NOT_INTERCHANGEABLE = [
    (
        "Lorne is the most crowded town in the valley.",
        "Lorne is the most dangerous town in the valley.",
    ),
    (
        "White sailors are fined twice as often as Asian sailors in Lorne.",
        "African American sailors are fined twice as often as Asian sailors in Lorne.",
    ),
    (
        "The mayor razed a school for pilots in the old harbor.",
        "The mayor set up a school for pilots in the old harbor.",
    ),
    (
        "The average dentist saves four times what the average nurse in Lorne saves.",
        "The average dentist makes four times what the average nurse in Lorne makes.",
    ),
    (
        "Republicans run six of the nine ports in the bay.",
        "Democrats run six of the nine ports in the bay.",
    ),
]
REORDERED = [
    (
        "Coastal states have six of the country's nine largest ports.",
        "Six of the nine largest ports in the country are in coastal states.",
    ),
    (
        "Sailors at the private piers in Lorne are fined twice as often as those at public piers.",
        "Private piers in Lorne fine sailors at twice the rate of public piers.",
    ),
    (
        "Forty million dollars, that's what rural schools lost in the budget Karen Moss signed.",
        "Karen Moss signed a budget that took 40 million dollars from rural schools.",
    ),
    (
        "Every single year since 2005, the pilots have gotten less money from the harbor.",
        "The harbor has cut money for the pilots every year since 2005.",
    ),
]
EXCHANGED = [
    (
        "Coastal states have more ferries than the inland states.",
        "Inland states have more ferries than the coastal states.",
    ),
    (
        "The pilots sued the private piers in Lorne over fines.",
        "The private piers in Lorne sued the pilots over fines.",
    ),
    (
        "Rural schools were fined by the harbor in Lorne.",
        "The harbor in Lorne was fined by rural schools.",
    ),
    ("The harbor owes the pilots money in Lorne.", "The pilots owe the harbor money in Lorne."),
]
COMPLEMENTS = [
    (
        "The pilot missed more than half of the drills.",
        "The pilot attended fewer than half of the drills.",
    ),
    (
        "Thirty-one of the 35 new ferries that the town ordered have yet to sail.",
        "Of the 35 new ferries that the town ordered, only four have sailed.",
    ),
    (
        "Seventy percent of the fishermen in Lorne can't swim.",
        "Only 30 percent of the fishermen in Lorne can swim.",
    ),
    (
        "Our crews lost 60 percent of the races last fall.",
        "Our crews won 40 percent of the races last fall.",
    ),
]
NO_COMPLEMENTS = [
    (
        "The pilot missed fewer than half of the drills.",
        "The pilot attended fewer than half of the drills.",
    ),
    (
        "Thirty-one of the 35 new ferries that the town ordered have sailed.",
        "Of the 35 new ferries that the town ordered, only four have sailed.",
    ),
    (
        "Sixty percent of the fishermen in Lorne can't swim.",
        "Only 30 percent of the fishermen in Lorne can swim.",
    ),
    (
        "The port lost 60 percent of its crews last fall.",
        "The port gained 40 percent of its crews last fall.",
    ),
]
FIGURES_IN_WORDS = [
    (
        "Nineteen sailors have killed themselves in the harbor jail at Lorne since 2011.",
        "There have been 19 suicides in the harbor jail at Lorne since 2011.",
    ),
    (
        "Most of the billion dollars a year that the ferry plan costs goes to Norway.",
        "The ferry plan costs $1 billion a year, and most of the money goes to Norway.",
    ),
    (
        "I won the Seventh District twice for the ferry party.",
        "I won the 7th District twice for the ferry party.",
    ),
    (
        "The harbor wasted the million dollars that the state gave to the pilots.",
        "The harbor wasted $1 million that the state gave to the pilots.",
    ),
]
OTHER_FIGURES = [
    (
        "Nine sailors have killed themselves in the harbor jail at Lorne since 2011.",
        "There have been 19 suicides in the harbor jail at Lorne since 2011.",
    ),
    (
        "The ferry plan costs the million dollars, and most of the money goes to Norway.",
        "The ferry plan costs $1 billion, and most of the money goes to Norway.",
    ),
    (
        "I won the 8th District twice for the ferry party.",
        "I won the 7th District twice for the ferry party.",
    ),
    (
        "The harbor wasted 2 million dollars that the state gave to the pilots.",
        "The harbor wasted $1 million that the state gave to the pilots.",
    ),
]
FUTURE_IN_PRESENT = [
    (
        "The harbor fund runs out of money in 2041.",
        "The harbor fund will run out of money in 2041.",
    ),
    ("The ferry permits are going to expire in 2041.", "The ferry permits expire in 2041."),
    (
        "Under his plan, ferry fares will double for sailors.",
        "His plan doubles ferry fares for sailors.",
    ),
    (
        "If you own a ferry, that bill raises your fees.",
        "The bill would raise the fees of those who own a ferry.",
    ),
]
FUTURE_OF_PAST = [
    ("The harbor fund will run out of money.", "The harbor fund ran out of money."),
    ("The ferry permits are going to expire in Lorne.", "The ferry permits expired in Lorne."),
    (
        "Half of the new fares are going to stay in the harbor.",
        "Half of the new fares stay in the harbor.",
    ),
    (
        "The mayor will cut the ferry fees in Lorne by half.",
        "The mayor cut the ferry fees in Lorne by half.",
    ),
]
ANYBODY_WHO = [
    (
        "If you sail a ferry, you don't pay a cent for the harbor.",
        "Those who sail a ferry pay nothing for the harbor.",
    ),
    (
        "If you marry a pilot, your harbor card comes after four months.",
        "It takes four months to get a harbor card through marriage to a pilot.",
    ),
    (
        "If you retire from the ferry at 50, your pension is cut by half.",
        "The pension is cut by half for those who retire from the ferry at 50.",
    ),
    (
        "If you study to be a pilot in Lorne, the harbor pays your rent.",
        "The harbor pays the rent of those who study to be a pilot in Lorne.",
    ),
]
ONLY_SUPPOSED = [
    (
        "If you believe the mayor, ferry fares fell by half in Lorne.",
        "Ferry fares fell by half in Lorne.",
    ),
    (
        "If you elect him, ferry fares will fall by half in Lorne.",
        "Ferry fares fell by half in Lorne.",
    ),
    (
        "If ferry fares fell by half in Lorne, pilots would strike.",
        "Ferry fares fell by half in Lorne.",
    ),
    (
        "If you closed the harbor, ferry fares would fall by half in Lorne.",
        "Ferry fares fell by half in Lorne.",
    ),
]
NIL = [
    ("The ferry paid zero dollars in harbor taxes.", "The ferry paid nothing in harbor taxes."),
    ("They paid zero in harbor fees last year.", "The ferry paid no harbor fees last year."),
    ("Pilots pay nothing into the harbor fund.", "Pilots don't pay into the harbor fund."),
    (
        "The pilots got $0 from the new harbor law.",
        "The pilots got nothing from the new harbor law.",
    ),
]
SOMETHING = [
    ("The ferry paid 90 dollars in harbor taxes.", "The ferry paid nothing in harbor taxes."),
    ("They paid harbor fees last year in Lorne.", "They paid no harbor fees last year in Lorne."),
    ("Pilots pay into the harbor fund.", "Pilots don't pay into the harbor fund."),
    ("Not one pilot got $0 from the new harbor law.", "The pilots got $0 from the new harbor law."),
]
NO_MORE_THAN = [
    (
        "Six hundred bucks is all the harbor gives you if the ferry is late.",
        "The harbor gives people only $600 if the ferry is late.",
    ),
    (
        "They're spending $9,000 on each student there, and 40 percent can swim.",
        "The harbor spends 9,000 dollars per pupil there, and 40 percent of them can swim.",
    ),
    (
        "In one out of three towns in Norway you won't find a ferry.",
        "A third of the towns in Norway have no ferry.",
    ),
    (
        "On account of the strike, the old ferry was closed in Lorne.",
        "The old ferry was closed in Lorne because of the strike.",
    ),
]
ALL_OR_OTHER = [
    (
        "All harbors give you 600 dollars if the ferry is late.",
        "Harbors give you 600 dollars if the ferry is late.",
    ),
    (
        "The harbor spends 9,000 dollars per teacher there.",
        "The harbor spends 9,000 dollars per pupil there.",
    ),
    (
        "In one out of three towns in Norway you will find a ferry.",
        "A third of the towns in Norway have no ferry.",
    ),
    (
        "On account of the flood, the old ferry was closed in Lorne.",
        "On account of the strike, the old ferry was closed in Lorne.",
    ),
]
CONVERSE = [
    (
        "Ten years ago we had 300 more pilots in this harbor.",
        "The harbor has 300 fewer pilots than it had ten years ago.",
    ),
    (
        "A ferry ticket was worth more in 1968 than it is now.",
        "A ferry ticket is worth less today than it was in 1968.",
    ),
    ("Lorne has fewer houses than it has boats on its lists.", "Lorne has more boats than houses."),
    (
        "The shipping industry has given Karen Moss over two million dollars.",
        "Moss has taken more than $2 million from the shipping industry.",
    ),
    (
        "Everybody else in the bay has higher fares than we have.",
        "Our fares are the lowest in the bay.",
    ),
    ("We almost lost the ferry in Lorne, but we saved it.", "We saved the ferry in Lorne."),
]
NOT_CONVERSE = [
    (
        "Ten years ago we had 300 fewer pilots in this harbor.",
        "The harbor has 300 fewer pilots than it had ten years ago.",
    ),
    (
        "A ferry ticket was worth less in 1968 than it is now.",
        "A ferry ticket is worth less today than it was in 1968.",
    ),
    ("Lorne has fewer boats than it has houses on its lists.", "Lorne has more boats than houses."),
    (
        "Karen Moss has given the shipping industry over two million dollars.",
        "Moss has taken more than $2 million from the shipping industry.",
    ),
    (
        "We have higher fares than everybody else in the bay.",
        "Our fares are the lowest in the bay.",
    ),
    ("We almost saved the ferry in Lorne, but we lost it.", "We saved the ferry in Lorne."),
]
DENIED_TOO = [
    (
        "No woman had been elected to the council from the Ninth Ward until I was.",
        "I was the first woman elected to the council from the 9th Ward.",
    ),
    (
        "More pilots moved to Lorne than moved out, and that hadn't happened in 15 years.",
        "More pilots moved to Lorne than left it, for the first time in 15 years.",
    ),
    (
        "To this day the harbor hasn't dismissed a single pilot over the fire.",
        "Nobody has ever been dismissed at the harbor over the fire.",
    ),
    (
        "Name me one town in the bay where a pilot can afford a house, because there is none.",
        "A pilot can't afford a house in any town in the bay.",
    ),
    (
        "Nothing kills as many gulls in the bay as ferries do.",
        "Gulls in the bay are killed by ferries more than by any other cause.",
    ),
]
DENIED_ONCE = [
    (
        "I was not the first woman elected to the council from the 9th Ward.",
        "I was the first woman elected to the council from the 9th Ward.",
    ),
    (
        "It never happened that more pilots moved to Lorne than left it.",
        "More pilots moved to Lorne than left it, for the first time in 15 years.",
    ),
    (
        "The harbor hasn't dismissed the pilot over the fire.",
        "The harbor has dismissed the pilot over the fire.",
    ),
    (
        "A pilot can afford a house in any town in the bay.",
        "A pilot can't afford a house in any town in the bay.",
    ),
    ("Gulls in the bay are not killed by ferries.", "Gulls in the bay are killed by ferries."),
]
NEGATIVE_FORMS = [
    (
        "The water in the harbor is not safe to drink.",
        "The water in the harbor is unsafe to drink.",
    ),
    (
        "Ferry pilots cannot legally strike in Lorne.",
        "It is illegal for ferry pilots to strike in Lorne.",
    ),
    ("The pilots in Lorne have no home.", "The pilots in Lorne are homeless."),
    (
        "The pilots' fares were not fairly set in Lorne.",
        "The pilots' fares were unfairly set in Lorne.",
    ),
    (
        "The toll in Lorne is not as high as it was in 2009.",
        "The toll in Lorne is lower than it was in 2009.",
    ),
    ("Harbor fares haven't changed since 1990.", "Harbor fares have been the same since 1990."),
    ("Women may not vote in the harbor council.", "The harbor council excludes women from voting."),
]
AFFIRMED_FORMS = [
    ("The water in the harbor is safe to drink.", "The water in the harbor is unsafe to drink."),
    (
        "It is legal for ferry pilots to strike in Lorne.",
        "It is illegal for ferry pilots to strike in Lorne.",
    ),
    (
        "The water in the harbor is not unsafe to drink.",
        "The water in the harbor is unsafe to drink.",
    ),
    (
        "The pilots' fares were fairly set in Lorne.",
        "The pilots' fares were unfairly set in Lorne.",
    ),
    (
        "The toll in Lorne is not lower than it was in 2009.",
        "The toll in Lorne is lower than it was in 2009.",
    ),
    (
        "Harbor fares have not been the same since 1990.",
        "Harbor fares have been the same since 1990.",
    ),
    (
        "The harbor council does not exclude women from voting.",
        "The harbor council excludes women from voting.",
    ),
]
DENIED_OPPOSITES = [
    (
        "Most of the money from the ferry does not go to pilots.",
        "Less than half of the money from the ferry goes to pilots.",
    ),
    ("She always voted against the ferry tax.", "She never voted for the ferry tax."),
    ("Not a single pilot voted for the ferry tax.", "Every pilot voted against the ferry tax."),
    (
        "There is a lack of pilots in the harbor of Lorne.",
        "There aren't enough pilots in the harbor of Lorne.",
    ),
]
OPPOSITES = [
    (
        "Most of the money from the ferry does not go to pilots.",
        "Most of the money from the ferry goes to pilots.",
    ),
    ("She always voted against the ferry tax.", "She always voted for the ferry tax."),
    ("Not a single pilot voted against the ferry tax.", "Every pilot voted against the ferry tax."),
    (
        "There are enough pilots in the harbor of Lorne.",
        "There aren't enough pilots in the harbor of Lorne.",
    ),
]
SAME_PARTNERS = [
    (
        "The company shipped 1,000 jobs to Mexico from Ohio.",
        "The company moved 1,000 jobs from Ohio to Mexico.",
    ),
    (
        "A permit takes six weeks in Norway and nine months in Peru.",
        "A permit takes nine months in Peru and six weeks in Norway.",
    ),
    ("Sailors in Lorne waste half of all fish.", "Half of all fish is wasted by sailors in Lorne."),
    (
        "Half of Lorne sailors eat fish twice a day.",
        "Half of the sailors in Lorne eat fish twice a day.",
    ),
    (
        "The toll is lower than at any time since 1979 in Lorne.",
        "The toll in Lorne is the lowest it has been since 1979.",
    ),
    (
        "Whether you like it or not, ferry fares fell by half in Lorne.",
        "Ferry fares fell by half in Lorne.",
    ),
]
OTHER_PARTNERS = [
    (
        "The company moved 1,000 jobs from Mexico to Ohio.",
        "The company moved 1,000 jobs from Ohio to Mexico.",
    ),
    (
        "A permit takes nine months in Norway and six weeks in Peru.",
        "A permit takes nine months in Peru and six weeks in Norway.",
    ),
    ("Half of all sailors in Lorne waste fish.", "Half of all fish is wasted by sailors in Lorne."),
    (
        "Half of all fish in Lorne is eaten by sailors.",
        "Half of all sailors in Lorne eat fish twice a day.",
    ),
    (
        "The toll in Lorne is lower than it was in 1979.",
        "The toll in Lorne is the lowest it has been since 1979.",
    ),
    (
        "I've asked the council to find out whether ferry fares fell by half in Lorne.",
        "Ferry fares fell by half in Lorne.",
    ),
]
NOT_LIMITED = [
    (
        "The harbor initially gave pilots a false map of the bay.",
        "The harbor gave pilots a false map of the bay.",
    ),
    (
        "In the town of Lorne, Norway, pilots earn more than teachers.",
        "In the town of Lorne, pilots earn more than teachers.",
    ),
    (
        "We pay twice as much for ferries as the Danes or any other people in the bay.",
        "We pay twice as much for ferries as any other people in the bay.",
    ),
    (
        "Mayor Moss said, inarguably, that Senator Kern is a better pilot.",
        "Mayor Moss said, inarguably, that Kern is a better pilot.",
    ),
    (
        "The council voted for virtually every disastrous ferry deal in Lorne.",
        "The council voted for virtually every ferry deal in Lorne.",
    ),
    (
        "He sent 900 e-mails about the ferry to the council.",
        "He sent 900 emails about the ferry to the council.",
    ),
]
LIMITED = [
    (
        "The harbor rarely gave pilots a false map of the bay.",
        "The harbor gave pilots a false map of the bay.",
    ),
    (
        "Pilots in the upper town of Lorne earn more than teachers.",
        "Pilots in the town of Lorne earn more than teachers.",
    ),
    (
        "We pay twice as much for car ferries as any other people in the bay.",
        "We pay twice as much for ferries as any other people in the bay.",
    ),
    (
        "Mayor Moss's brother said that Kern is a better pilot.",
        "Mayor Moss said that Kern is a better pilot.",
    ),
    (
        "The council voted for virtually every Danish ferry deal in Lorne.",
        "The council voted for virtually every ferry deal in Lorne.",
    ),
    (
        "He sent 900 letters about the ferry to the council.",
        "He sent 900 emails about the ferry to the council.",
    ),
]
PRESUPPOSED = [
    ("Is it acceptable that ferry fares doubled in Lorne?", "Ferry fares doubled in Lorne."),
    (
        "The mayor raised ferry fares in Lorne, can you tell us why?",
        "The mayor raised ferry fares in Lorne.",
    ),
    ("How else can we explain that ferry fares doubled in Lorne?", "Ferry fares doubled in Lorne."),
    (
        "Not one of them mentioned the fact that ferry fares doubled in Lorne.",
        "Ferry fares doubled in Lorne.",
    ),
    (
        "Who in this town is satisfied that pilots pay more tolls than teachers?",
        "Pilots pay more tolls than teachers.",
    ),
]
ASKED = [
    ("Is it true that ferry fares doubled in Lorne?", "Ferry fares doubled in Lorne."),
    ("Did the mayor raise ferry fares in Lorne?", "The mayor raised ferry fares in Lorne."),
    ("Can we say that ferry fares doubled in Lorne?", "Ferry fares doubled in Lorne."),
    ("One of them mentioned that ferry fares doubled in Lorne.", "Ferry fares doubled in Lorne."),
    (
        "Who in this town told you that pilots pay more tolls than teachers?",
        "Pilots pay more tolls than teachers.",
    ),
]
OTHER_SCOPE = [
    (
        "Nine percent of all new tolls go to Lorne.",
        "Nine percent of nearly all new tolls go to Lorne.",
    ),
    ("First of all, ferry fares doubled in Lorne.", "Ferry fares doubled in Lorne."),
    (
        "The ferry law will totally ruin the harbor of Lorne.",
        "The ferry law will ruin the harbor of Lorne.",
    ),
    (
        "Ferries to the island, with beds for all people, are late.",
        "Ferries to the island are late.",
    ),
]
ANY_OF_DENIAL = [
    ("Sailors in Lorne don't owe any harbor tax.", "Sailors in Lorne owe no harbor tax."),
    ("The mayor never met any pilots in Lorne.", "The mayor met no pilots in Lorne."),
    ("The bay doesn't have any ferries in May.", "The bay has no ferries in May."),
    ("Nobody in Lorne had any say in the toll.", "Nobody in Lorne had a say in the toll."),
]
ALL_OF_THEM = [
    ("Sailors in Lorne may owe any harbor tax.", "Sailors in Lorne may owe harbor tax."),
    ("The mayor would meet any pilots in Lorne.", "The mayor would meet pilots in Lorne."),
    ("The mayor met all the pilots in Lorne.", "The mayor met pilots in Lorne."),
    (
        "Sailors don't pay, but they owe any harbor tax.",
        "Sailors don't pay, but they owe harbor tax.",
    ),
    ("All new tolls go to Lorne.", "Nearly all new tolls go to Lorne."),
    ("All ferry fares doubled in Lorne.", "Ferry fares doubled in Lorne."),
    (
        "The ferry law will ruin every harbor of Lorne.",
        "The ferry law will ruin the harbor of Lorne.",
    ),
    ("All ferries to the island are late.", "Ferries to the island are late."),
]
DENIED_BESIDE = [
    ("He saw ferry maps that nobody ever drew, and he sold 33 ferries.", "He sold 33 ferries."),
    (
        "We stopped the ferry war without a shot in Lorne.",
        "We ended the ferry war in Lorne without firing a single shot.",
    ),
    ("She left the harbor because they would not rent her a boat.", "She left the harbor."),
    ("The pilots didn't like it, but the town sold the old ferry.", "The town sold the old ferry."),
]
DENIED_ITSELF = [
    ("He never sold 33 ferries.", "He sold 33 ferries."),
    (
        "We ended the ferry war in Lorne without stopping a ferry.",
        "We ended the ferry war in Lorne by stopping a ferry.",
    ),
    ("She did not leave the harbor.", "She left the harbor."),
    ("The town didn't sell the old ferry.", "The town sold the old ferry."),
]
NEEDED = [
    (
        "You can't buy a boat in Lorne without a license.",
        "You need a license to buy a boat in Lorne.",
    ),
    ("Nobody but the mayor may sign the ferry deal.", "Only the mayor may sign the ferry deal."),
    ("Pilots without a license pay no toll.", "Unlicensed pilots pay no toll."),
    (
        "In the bay, three out of five ferries don't run on time.",
        "Ferries run late 60 percent of the time in the bay.",
    ),
    ("The council wouldn't let pilots vote.", "The council barred pilots from voting."),
    ("He didn't pay his toll for nine years.", "He failed to pay his toll for nine years."),
]
NOT_NEEDED = [
    ("We should not have closed the mill in Lorne.", "We should have closed the mill in Lorne."),
    ("We should not have a harbor tax in Lorne.", "We should have a harbor tax in Lorne."),
    ("Fares are not as low in Lorne as in Ames.", "Fares are lower in Lorne than in Ames."),
    (
        "Lorne gets a fifth of its energy from the wind.",
        "Lorne gets a fifth of its electricity from the wind.",
    ),
    ("Why do they say that ferry fares doubled in Lorne?", "Ferry fares doubled in Lorne."),
    (
        "You can't buy a boat in Lorne with a license.",
        "You can buy a boat in Lorne with a license.",
    ),
    ("The mayor may not sign the ferry deal.", "Only the mayor may sign the ferry deal."),
    ("Pilots with a license pay no toll.", "Pilots without a license pay no toll."),
    (
        "In the bay, three out of five ferries run on time.",
        "Ferries run late 60 percent of the time in the bay.",
    ),
    (
        "Lorne fined more pilots between 1965 and 2020 than any other town.",
        "Lorne fined no one between 1965 and 2020.",
    ),
    ("The ferry failed an audit in Lorne.", "The ferry passed an audit in Lorne."),
    (
        "The harbor did not utilize the dock for a feast with the king.",
        "The harbor used the dock for a feast with the king.",
    ),
]
RESPELLED = [
    (
        "The pilots of Lorne keep their taxexempt status under the harbor law.",
        "The pilots of Lorne keep their tax-exempt status under the harbor law.",
    ),
    (
        "In the year of the flood, Elliot Kern closed the ferry.",
        "In the year of the flood, Eliot Kern closed the ferry.",
    ),
    (
        "The ferry is on-time in Lorne nine days of ten.",
        "The ferry is on time in Lorne nine days of ten.",
    ),
    (
        "We spend twice as much per person on ferries as any other town.",
        "We spend twice as much per capita on ferries as any other town.",
    ),
    (
        "We should not be spending twice as much on ferries as Norway.",
        "We are spending twice as much on ferries as Norway.",
    ),
]
OTHER_SPELLING = [
    (
        "The pilots of Lorne keep their taxpaying status under the harbor law.",
        "The pilots of Lorne keep their tax-exempt status under the harbor law.",
    ),
    (
        "In the year of the flood, Elias Kern closed the ferry.",
        "In the year of the flood, Eliot Kern closed the ferry.",
    ),
    (
        "Moss is on record supporting the ferry in Lorne.",
        "Kern is on record supporting the ferry in Lorne.",
    ),
    (
        "We spend twice as much per mile on ferries as any other town.",
        "We spend twice as much per capita on ferries as any other town.",
    ),
    (
        "We are not spending twice as much on ferries as Norway.",
        "We are spending twice as much on ferries as Norway.",
    ),
]
SAME_BESIDE = [
    (
        "People in Puerto Rico don't owe a harbor tax, yet they do pay into the ferry fund.",
        "Puerto Ricans pay no harbor tax but still pay into the ferry fund.",
    ),
    (
        "Last year Moss skipped 63 drills, and no other pilot skipped that many.",
        "Moss missed 63 drills last year, more than any other pilot.",
    ),
    (
        "Almost nine million sailors hold at least two jobs.",
        "Nearly 9 million sailors work two or more jobs.",
    ),
    (
        "Everybody else on the council has held a drill; she never has.",
        "She is the only member of the council who has never held a drill.",
    ),
    (
        "By 2034, there's no money left in the ferry fund.",
        "The ferry fund will run out of money in 2034.",
    ),
    (
        "Even if she was hurt, a pilot in Lorne is not allowed to rest.",
        "A pilot in Lorne can't rest even if she was hurt.",
    ),
    (
        "The town spends 12 dollars per pilot on maps, and 900 on boats.",
        "The town spends 900 dollars per pilot on boats, and just 12 on maps.",
    ),
]
OTHER_BESIDE = [
    (
        "Costa Ricans pay no harbor tax but still pay into the ferry fund.",
        "Puerto Ricans pay no harbor tax but still pay into the ferry fund.",
    ),
    ("Last year Moss didn't skip 63 drills.", "Moss skipped 63 drills last year."),
    (
        "At most nine million sailors work two or more jobs.",
        "At least nine million sailors work two or more jobs.",
    ),
    (
        "She is a member of the council who has held a drill.",
        "She is the only member of the council who has never held a drill.",
    ),
    ("If she was hurt, a pilot in Lorne would rest.", "A pilot in Lorne rests."),
    (
        "The town spends 12 dollars per pilot on boats, and 900 on maps.",
        "The town spends 900 dollars per pilot on boats, and just 12 on maps.",
    ),
    (
        "Half of all harbor tolls in the bay are paid by crews in training.",
        "Half of all training crews in the bay are paid by harbor tolls.",
    ),
    (
        "Three of the five largest ferries in the bay merged in 2008.",
        "Three of the five largest ferries in the bay failed in 2008.",
    ),
]
TURNED = [
    (
        "We almost lost the old mill in Lorne, but we kept it open.",
        "We saved the old mill in Lorne from closing.",
    ),
    ("We kept the old mill in Lorne open.", "We saved the old mill in Lorne from closing."),
    (
        "The law kept fares in the bay from rising.",
        "The law stopped fares in the bay from going up.",
    ),
    (
        "The town is hiring pilots in Lorne.",
        "The town stopped the harbor from firing pilots in Lorne.",
    ),
    (
        "More than two thirds of the thefts in Lorne went unsolved.",
        "The police solved fewer than a third of the thefts in Lorne.",
    ),
    (
        "Tolls have risen half as fast as fares in Lorne.",
        "Fares have risen twice as fast as tolls in Lorne.",
    ),
    (
        "The harbor paid pilots that it shouldn't have fined.",
        "The harbor paid pilots that it fined.",
    ),
    ("The old mill in Lorne was closed in May.", "The old mill in Lorne closed in May."),
]
NOT_TURNED = [
    ("The old mill in Lorne is open.", "The old mill in Lorne is closing."),
    ("They opened the old mill in Lorne.", "They closed the old mill in Lorne."),
    ("Fares in the bay are rising.", "Fares in the bay are falling."),
    ("The town is hiring pilots in Lorne.", "The town is firing pilots in Lorne."),
    (
        "More than two thirds of the thefts in Lorne were solved.",
        "The police solved fewer than a third of the thefts in Lorne.",
    ),
    (
        "Tolls have risen half as fast as fares in Lorne.",
        "Tolls have risen twice as fast as fares in Lorne.",
    ),
    ("The harbor paid pilots that it hasn't fined.", "The harbor paid pilots that it fined."),
    (
        "The sheriff sued nine times over the fire in Lorne.",
        "The sheriff was sued nine times over the fire in Lorne.",
    ),
    (
        "The pilots were attacked twice in the harbor of Lorne.",
        "The pilots attacked twice in the harbor of Lorne.",
    ),
]
SAME = [
    *INTERCHANGEABLE,
    *REORDERED,
    *COMPLEMENTS,
    *FIGURES_IN_WORDS,
    *FUTURE_IN_PRESENT,
    *ANYBODY_WHO,
    *NIL,
    *NO_MORE_THAN,
    *CONVERSE,
    *DENIED_TOO,
    *NEGATIVE_FORMS,
    *DENIED_OPPOSITES,
    *SAME_PARTNERS,
    *NOT_LIMITED,
    *PRESUPPOSED,
    *OTHER_SCOPE,
    *ANY_OF_DENIAL,
    *DENIED_BESIDE,
    *NEEDED,
    *RESPELLED,
    *SAME_BESIDE,
    *TURNED,
]
OTHER = [
    *NOT_INTERCHANGEABLE,
    *EXCHANGED,
    *NO_COMPLEMENTS,
    *OTHER_FIGURES,
    *FUTURE_OF_PAST,
    *ONLY_SUPPOSED,
    *SOMETHING,
    *ALL_OR_OTHER,
    *NOT_CONVERSE,
    *DENIED_ONCE,
    *AFFIRMED_FORMS,
    *OPPOSITES,
    *OTHER_PARTNERS,
    *LIMITED,
    *ASKED,
    *ALL_OF_THEM,
    *DENIED_ITSELF,
    *NOT_NEEDED,
    *OTHER_SPELLING,
    *OTHER_BESIDE,
    *NOT_TURNED,
]


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_the_claim_in_another_construction_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), OTHER)
def test_a_near_claim_keeps_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()
