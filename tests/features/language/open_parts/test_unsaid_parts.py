"""The causes, times, clauses and names that only a statement has, beside a sentence without more."""

from __future__ import annotations

import pytest

from features.language.open_parts.partial_coverage import UNSAID, uncovered_parts


def unsaid_words(sentence: str, statement: str) -> list[str]:
    open_parts = uncovered_parts(sentence, statement)
    return [clash.in_statement for kind, clash in open_parts if kind == UNSAID]


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The council closed the pier at Lorne.",
            "The council closed the pier at Lorne because the pilots demanded higher wages.",
            "because the pilots demanded higher wages",
        ),
        (
            "The mayor called the pilots heroes.",
            "Even after the strike emptied every shelf in town, the mayor called the pilots heroes.",
            "Even after the strike emptied every shelf in town",
        ),
        (
            "The harbour earns practically nothing from tourists.",
            "The harbour earns next to nothing from tourists compared to the cost of its museums.",
            "compared to the cost of its museums",
        ),
        (
            "Drownings of young sailors have doubled.",
            "Drownings of young sailors have doubled among apprentices of foreign fleets.",
            "among apprentices of foreign fleets",
        ),
        (
            "Young sailors' real unemployment is over 50 percent.",
            "For sailors between the ages of 17 and 20, the real unemployment rate is 51 percent.",
            "between the ages of 17 and 20",
        ),
        (
            "It is worth saying that smugglers freed our pilots when Reyes took office.",
            "The mayor's love of strength is why smugglers freed the pilots on the day of Reyes.",
            "The mayor's love of strength is why",
        ),
        (
            "You were lucky in Bergen that you struck oil.",
            "Says Bergen's mayor got lucky with oil, which is why tourists are coming.",
            "is why tourists are coming",
        ),
        (
            "Bergen is the only harbour town.",
            "Bergen is the only harbour town in Norway that protects pilots from liability.",
            "that protects pilots from liability",
        ),
        (
            "I have put forth a plan to dredge the harbour.",
            "I am the only candidate here who has put forth a plan to dredge the harbour.",
            "the only candidate",
        ),
        (
            "Every pilot in the council opposed the harbour chief.",
            "Every pilot in the council opposed the harbour chief in 2006.",
            "in 2006",
        ),
        (
            "Smugglers would be gone if we took the salt.",
            "Smugglers make millions of kroner and take salt.",
            "millions of kroner",
        ),
        (
            "She gave away 20 percent of the salt of our harbour.",
            "Ann Lee gave up 20 percent of the salt of our harbour to Norway.",
            "to Norway",
        ),
        (
            "But it is a rigged system.",
            "The Bergen system for picking harbour pilots is rigged.",
            "The Bergen system for picking harbour pilots",
        ),
        (
            "They can't afford their winter coats.",
            "One out of five sailors cannot afford the cost of winter coats.",
            "One out of five sailors",
        ),
        (
            "The council closed the pier.",
            "The council closed the pier, and it sold two ferries to a broker.",
            "it sold two ferries to a broker",
        ),
        (
            "Our ferries run empty in winter.",
            "While ferries run empty in winter, nearly all harbour subsidies go to yachts.",
            "nearly all harbour subsidies go to yachts",
        ),
        (
            "The mayor says he wouldn't open the harbour tunnel.",
            "The mayor decided not to open the harbour tunnel in Bergen.",
            "in Bergen",
        ),
        (
            "We have started the harbour tunnel.",
            "We have started the harbour tunnel. We started it in Bergen.",
            "in Bergen",
        ),
    ],
)
def test_a_part_of_the_statement_alone_is_quoted(
    sentence: str, statement: str, expected: str
) -> None:
    assert unsaid_words(sentence, statement) == [expected]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # The sentence gives the cause in its own way.
        (
            "The council closed the pier for fear of strikes.",
            "The council closed the pier because its pilots threatened walkouts.",
        ),
        # It has the time, or another one.
        (
            "The mayor called the pilots heroes once the storm was over.",
            "The mayor called the pilots heroes after a week of heavy weather.",
        ),
        # It gives a cause of its own.
        (
            "The smugglers freed our pilots because of a ransom.",
            "The mayor's love of strength is why the smugglers freed our pilots.",
        ),
        # It has such a clause of its own.
        (
            "Bergen is the only harbour town that shields crews.",
            "Bergen is the only harbour town in Norway that protects pilots from liability.",
        ),
        # It ranks something itself, or has a date of its own.
        (
            "I have put forth the best plan to dredge the harbour.",
            "I am the only candidate here who has put forth a plan to dredge the harbour.",
        ),
        (
            "Every pilot in the council opposed the harbour chief last year.",
            "Every pilot in the council opposed the harbour chief in 2006.",
        ),
        # "Looks" begins a report.
        (
            "Unemployment of pilots is at the lowest level in history.",
            "Ann Lee Reyes looks, and she sees unemployment of pilots at the lowest in history.",
        ),
        # The sentence names the subject itself.
        (
            "It was the harbour council that was rigged.",
            "The council of the harbour is rigged.",
        ),
        # It denies the same in other words.
        (
            "We got rid of harbour fever in 2000, and not one sailor has come down with it since.",
            "Harbour fever was eliminated in 2000, and no patient there has caught it again.",
        ),
        # It may be the checks that were said.
        (
            "The harbour fund sends monthly benefits to sailors.",
            "The harbour fund sends its first monthly benefits to sailors.",
        ),
        # The thing that is measured, not a figure
        (
            "Such a bulb left on burns a lot of harbour power.",
            "A 100-watt bulb left on burns harbour power.",
        ),
        # It has the standard in other words.
        (
            "From the bottom of the sea, Mauna Kea beats Everest for height.",
            "Measured from its base on the sea floor, Mauna Kea is taller than Mount Everest.",
        ),
        # It gives a share of its own.
        (
            "Many sailors can't afford their winter coats.",
            "One out of five sailors cannot afford the cost of winter coats.",
        ),
        # "She" may be Ann Lee.
        (
            "The mayor has a harbour tunnel for which she fought.",
            "The mayor fought for a harbour tunnel with Ann Lee.",
        ),
        # A pronoun may stand for the name.
        (
            "They closed the harbour tunnel there.",
            "They closed the harbour tunnel in Bergen.",
        ),
        # Another name may be the same place.
        (
            "We have started the harbour tunnel in Bryggen.",
            "We have started the harbour tunnel in Bergen.",
        ),
        # Words on the statement itself add nothing.
        (
            "I did not close the harbour tunnel.",
            "I did not close the harbour tunnel. The record shows that I am honest about it.",
        ),
        (
            "I closed the harbour tunnel.",
            "I closed the harbour tunnel, and that's true nationally and locally.",
        ),
        # The rest of the statement is about something else.
        (
            "The tunnel under the pier is safe.",
            "The council closed the museum because the pilots demanded higher wages.",
        ),
    ],
)
def test_what_may_have_been_said_otherwise_is_not_quoted(sentence: str, statement: str) -> None:
    assert unsaid_words(sentence, statement) == []


def test_only_one_part_of_the_statement_is_quoted_and_only_as_a_last_resort() -> None:
    statement = (
        "The council closed the pier because the pilots demanded higher wages, and it sold two "
        "ferries to a broker."
    )
    assert len(unsaid_words("The council closed the pier.", statement)) == 1
    with_more = "The council closed the pier, and 40 shops lost their customers."
    assert unsaid_words(with_more, statement) == []
