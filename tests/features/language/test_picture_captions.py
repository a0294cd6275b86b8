"""Captions, credits and links of a page, and speech that is like them.

The first captions are changed from a newspaper's transcript.
"""

import pytest

from features.language.picture_captions import is_caption_or_link
from features.language.speech_acts import states_something

CAPTIONS = [
    "U.S. Sen. Ann Roe of Ohio speaks during the City Debate on Tuesday, Jan. 14, 2020, in Hale Hall.",
    "Sen. Ann Roe speaks and Sen. Tom Hale asks to be recognized during the debate on Tuesday, Jan. 14, 2020.",
    "Max Reyes, billionaire, speaks during the City Debate on Tuesday, Jan. 14, 2020, in Ames, Iowa.",
    "Attendees at a watch party for Sen. Ann Roe during the City Debate, Tuesday, Jan. 14, 2020.",
    "Ann Roe, Tom Hale and Max Reyes take the stage for the City Debate on Tuesday, Jan. 14, 2020.",
    "Flags hang from the rafters before the Democratic debate on January 14, 2020, at the university.",
    "President Ann Roe waves to supporters after a campaign rally in Phoenix.",
    "Tom Hale and Ann Roe shake hands before a town hall in Dayton, Ohio.",
    "From left, Ann Roe, Tom Hale and former Mayor Max Reyes.",
    "Ann Roe (L) and Tom Hale (R) on the stage in Dayton.",
    "(Photo by Ann Roe/Getty Images)",
    "Ann Roe at the port of Dayton. (AP Photo/Tom Hale)",
    "The new bridge over the river. (Reuters)",
    "The new bridge over the river [Image: City Desk]",
    "Photo: the new bridge over the river",
    "PHOTO CREDIT: ANN ROE",
    "Image: A crowd cheers in Ames.",
    "Pictured above: Mayor Ann Roe",
    "AP Photo/Tom Hale",
    "Tom Hale/Getty Images",
    "File photo by Tom Hale",
    "►In Iowa, Ann Roe criticizes Tom Hale's vote for the war",
    "â–ºIn Iowa, Ann Roe criticizes Tom Hale's vote for the war",
    "Ì¢\x89ÛÒå¼In Iowa, Ann Roe criticizes Tom Hale's vote for the war",
    "Ì¢‰ÛÒå¼In Iowa, Ann Roe criticizes Tom Hale's vote for the war",
    "Read more: Ann Roe says that taxes rose by 20 percent",
    "RELATED: What we know about the bridge",
]
SPEECH = [
    "Mrs Ames takes questions after every debate.",
    "Senator Ann Roe never listens during a hearing.",
    "Taxes went up in January 2020, and the senator voted for it.",
    "On Tuesday, January 14, 2020, I signed the bill.",
    "The senator lied during the debate, and he said so on Tuesday, January 14, 2020.",
    "He went to a rally on Tuesday, Jan. 14, 2020, and told them taxes would fall.",
    "Senator Roe speaks at a rally and tells you that taxes went down.",
    "Senator Hale speaks about jobs and votes against every one of them.",
    "Donald Trump stands with the oil companies.",
    "Tom Hale voted against the bill after the debate in the Senate.",
    "You have seen the photo by the river: the bridge is gone.",
    "Picture this: four million people have lost their jobs.",
    "The picture is clear: wages fell by 3 percent.",
    "From left and right, people tell me that wages fell.",
    "More jobs were lost last year than in the ten years before.",
    "Watch what he does: he cut the budget by 40 percent.",
    "Reuters and AP reported that wages fell.",
    "The bill cost us $3 billion (and that was the first year).",
    "Exports to China — more than half — fell last year.",
    "That is what the AP said (in May).",
    "中国政府GDP grew by 6 percent.",
]


@pytest.mark.parametrize("text", CAPTIONS)
def test_a_caption_or_a_link_states_nothing(text):
    assert is_caption_or_link(text)
    assert not states_something(text)


def test_a_long_paragraph_that_ends_with_a_credit_is_speech():
    paragraph = "The bridge fell in May, and the council has built another one. " * 10
    assert not is_caption_or_link(f"{paragraph}(Photo by Ann Roe/Getty Images)")


@pytest.mark.parametrize("text", SPEECH)
def test_speech_is_no_caption(text):
    assert not is_caption_or_link(text)
    assert states_something(text)
