"""What stands against two texts making the same claim."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.conflicts import CONFLICTS, clashes, conflicts
from features.language.speaker_references import Speakers
from features.language.stems import stem
from features.language.word_clashes import Clash

JOBS = "Wisconsin lost 64,000 manufacturing jobs to unfair trade deals."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Wisconsin lost 64,000 manufacturing jobs to unfair trade deals.", set()),
        (
            "Look, Wisconsin, you know, lost about 64,000 manufacturing jobs to unfair trade deals, okay?",
            set(),
        ),
        ("wisconsin lost nearly 65,000 manufacturing jobs to unfair trade deals", set()),
        ("Wisconsin lost 30,000 manufacturing jobs to unfair trade deals.", {"figures"}),
        ("Wisconsin in 1997 lost 64,000 manufacturing jobs to unfair trade deals.", {"years"}),
        ("Ohio lost 64,000 manufacturing jobs to unfair trade deals.", {"names"}),
        ("Wisconsin never lost 64,000 manufacturing jobs to unfair trade deals.", {"denial"}),
        (
            "Wisconsin lost 64,000 manufacturing jobs to unfair trade deals? That is false.",
            {"denial"},
        ),
        (
            "My neighbor says Wisconsin lost 64,000 manufacturing jobs to unfair trade deals, and he is off by half.",
            {"denial"},
        ),
        ("Wisconsin gained 64,000 manufacturing jobs from unfair trade deals.", {"direction"}),
        (
            "Suppose Wisconsin lost 64,000 manufacturing jobs to unfair trade deals.",
            {"supposition"},
        ),
        ("Wisconsin lost 64,000 part-time manufacturing jobs to unfair trade deals.", {"wording"}),
        ("Wisconsin lost all manufacturing jobs to unfair trade deals.", {"figures", "scope"}),
        ("The weather was fine and nobody complained.", set()),
    ],
)
def test_each_way_of_making_another_claim_is_named(sentence: str, expected: set[str]) -> None:
    """Fillers, captions and roundings stand against nothing; a text on another matter neither."""
    found_conflicts = conflicts(sentence, JOBS)
    assert found_conflicts >= expected
    assert bool(found_conflicts) == bool(expected)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("I was against the war in Iraq.", "I did not support the war in Iraq.", set()),
        ("About a third of them lost their jobs since 2001.", "35 percent of them lost their jobs since 2001.", set()),
        ("Crime rose over the last nine years.", "Crime rose over the last twenty years.", {"years"}),
        ("It costs $3 million in Arizona.", "Arizonans pay three million dollars for it.", set()),
        ("Millions of Americans over eighty are paying more.", "Millions of Americans are paying more.", {"figures"}),
        ("There is no bigger plant anywhere in Ohio.", "The biggest plant in Ohio stands here.", set()),
        ("They are no better off in the state now.", "They are better off in the state now.", {"denial"}),
        ("If they repeal it, millions lose coverage.", "\"If they repeal it, millions lose coverage.\"", set()),
    ],
)  # fmt: skip
def test_what_says_the_same_in_other_words(
    sentence: str, statement: str, expected: set[str]
) -> None:
    """A denied opposite, a rounding, a demonym, a quoted supposition.

    Another period and an age are other claims.
    """
    assert conflicts(sentence, statement) == expected


def test_last_year_of_another_year_is_another_claim() -> None:
    """The days on which both were said decide; without them, the words are all there is."""
    words = "Last year we lost 50 jobs in trade."
    event = date(2016, 5, 1).toordinal()
    day_said = date(2013, 5, 1).toordinal()
    assert conflicts(words, words, event, day_said) == {"years"}
    assert not conflicts(words, words, event, event + 30)
    assert not conflicts(words, words)


def test_a_tag_is_no_question() -> None:
    """ "Right?" at the end asks nothing; a real question claims nothing."""
    assert not conflicts(
        "So they lost 64,000 manufacturing jobs to unfair trade deals, right?", JOBS
    )
    assert conflicts(
        "Has Wisconsin lost 64,000 manufacturing jobs to unfair trade deals?", JOBS
    ) == {"supposition"}


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_read(one: str, other: str) -> None:
    """No text breaks the reading, and only known conflicts are named."""
    assert conflicts(one, other) <= set(CONFLICTS)


@given(st.text("abc XYZ 0123456789.,$%'\n", max_size=60))
def test_nothing_stands_against_a_text_itself(text: str) -> None:
    """A word-for-word repetition is the same claim."""
    assert not conflicts(text, text)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("jobs", "job"), ("taxes", "tax"), ("countries", "country"), ("is", "is")],
)
def test_stems(word: str, expected: str) -> None:
    """Forms of one word become one."""
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Crime in Ohio, where Edison was born, fell.", "Crime in Ohio fell.", {"wording"}),
        ("Crime fell in Ohio, through which the river flows.", "Crime fell in Ohio.", {"wording"}),
        ("We back the plan, which helps Ohio.", "We back the plan.", set()),
        ("We back NAFTA, which is so good for towns.", "We back NAFTA for towns.", set()),
        ("We back NAFTA, which is what you asked about.", "We back NAFTA.", set()),
        (
            "Crime in Ohio, where Edison was born, fell.",
            "Crime fell in Ohio, where Edison was born.",
            set(),
        ),
        (
            "Bill Clinton wants the plan for towns.",
            "Hillary Clinton wants the plan for towns.",
            {"names"},
        ),
        ("Two years before 2012, crime fell there.", "Crime fell there in 2012.", {"years"}),
        ("Two years before 2014, crime fell there.", "Crime fell there in 2012.", set()),
    ],
)
def test_more_of_a_name_another_bearer_another_date(
    sentence: str, statement: str, expected: set[str]
) -> None:
    """A clause that tells of a name what the statement does not; of other words it is a remark."""
    assert conflicts(sentence, statement) == expected


def test_a_figure_alone_is_no_repetition() -> None:
    """Two texts without a common word may have one figure in common, with and without its sign."""
    assert conflicts("We have 54.", "$54") == set()


BANKS = "You have six banks, the largest six, that have assets of 60 percent of the economy."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("You have six banks that have assets of $10 trillion, 60 percent of the economy.", None),
        (
            "You have six banks, the largest six, that have assets of 90 percent of the economy.",
            ("90 percent", "60 percent"),
        ),
    ],
    ids=["said once", "another share"],
)
def test_a_figure_that_one_text_says_twice_is_no_other_figure(
    sentence: str, expected: tuple[str, str] | None
) -> None:
    """Nor is a figure of another kind said instead of it."""
    clash = clashes(sentence, BANKS).get("figures")

    assert (clash and (clash.in_sentence, clash.in_statement)) == expected


def test_a_figure_of_another_kind_is_not_said_instead() -> None:
    statement = "The plan cost 40 percent of the budget and saved nobody."
    sentence = "The plan cost $10 trillion of the budget and saved nobody."

    clash = clashes(sentence, statement)["figures"]

    assert (clash.in_sentence, clash.in_statement) == ("", "40 percent")


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "You ran against Senator Hale on the wall.",
            "You praised Senator Hale for the wall.",
            False,
        ),
        (
            "You voted against the wall of Senator Hale.",
            "You voted for the wall of Senator Hale.",
            True,
        ),
        ("They shut down the plant in Ohio.", "The output of the plant in Ohio went up.", False),
        (
            "The output of the plant in Ohio went down.",
            "The output of the plant in Ohio went up.",
            True,
        ),
        ("She grew up near the plant in Ohio.", "The output of the plant in Ohio fell.", False),
    ],
)
def test_words_in_another_role_are_no_direction(
    sentence: str, statement: str, expected: bool
) -> None:
    assert ("direction" in conflicts(sentence, statement)) == expected


@pytest.mark.parametrize(
    "reminder", ["Let's not forget", "Don't ever forget", "We cannot overlook"]
)
def test_a_reminder_denies_nothing(reminder: str) -> None:
    assert "denial" not in conflicts(f"{reminder} that {JOBS}", JOBS)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Not a single person was killed by the vaccine.",
            "The vaccine has killed 3,000 people in Ohio since January, according to the hospital.",
            {"denial"},
        ),
        (
            "Nobody was ever poisoned by that paint.",
            "The paint in the school has poisoned 300 children.",
            {"denial"},
        ),
        ("The drug has killed 50 patients.", "Not one patient was killed by the drug.", {"denial"}),
        (
            "No pilot was sued over the wreck.",
            "The harbour sued its pilot for the wreck.",
            {"denial"},
        ),
        (
            "Not one patient was killed by the drug.",
            "Not one patient was killed by the drug.",
            set(),
        ),
        ("No one talks about jobs in Ohio.", "Ohio lost 300,000 jobs.", set()),
        (
            "They agreed to raise the ferry debt, with no limit to the raise of the ferry debt.",
            "The mayor will raise the ferry debt.",
            set(),
        ),
        (
            "The mayor has built nothing in our harbour.",
            "The mayor has built a hotel in our harbour.",
            {"denial"},
        ),
        ("The ferry hurt people on the way.", "The ferry hurt people on the way to town.", set()),
    ],
)
def test_a_flat_denial_denies_words_in_any_order(
    sentence: str, statement: str, expected: set[str]
) -> None:
    assert conflicts(sentence, statement) == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "No mayor has opened more schools than me.",
            "I opened more schools than any mayor.",
            set(),
        ),
        (
            "I opened more schools than any mayor.",
            "No mayor has opened more schools than me.",
            set(),
        ),
        ("No ferry is faster than ours.", "We have the fastest ferry.", set()),
        ("There has never been a harbour as busy as ours.", "We have the busiest harbour.", set()),
        (
            "No mayor has opened fewer schools than me.",
            "I opened more schools than any mayor.",
            {"direction"},
        ),
        ("No mayor has opened more schools.", "A mayor has opened more schools.", {"denial"}),
        (
            "No mayor has opened more schools than 3.",
            "The mayor has opened more schools than any.",
            {"denial"},
        ),
    ],
)
def test_denying_that_any_equals_it_ranks_it_first(
    sentence: str, statement: str, expected: set[str]
) -> None:
    assert conflicts(sentence, statement) == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "conflict", "expected"),
    [
        (
            "The port lost 250 boats when Reyes was mayor.",
            "When storms took more than 250 boats, Reyes was mayor.",
            "direction",
            False,
        ),
        (
            "The port lost boats when Reyes was mayor.",
            "The port had more boats when Reyes was mayor.",
            "direction",
            True,
        ),
        (
            "Half of the new income is going to the harbour.",
            "Half of the new income goes to the harbour.",
            "plan",
            False,
        ),
        (
            "Half of the new income is going to stay in the harbour.",
            "Half of the new income stays in the harbour.",
            "plan",
            True,
        ),
        (
            "Well, Karen, the pilots have the guts to strike.",
            "Not one of the pilots has the guts to strike.",
            "names",
            False,
        ),
        (
            "The ferry costs less than 1 percent of the budget.",
            "The ferry makes up about 1 percent of the budget.",
            "direction",
            False,
        ),
        (
            "The budget of ferries makes up less of the tolls.",
            "The budget of ferries is up.",
            "direction",
            True,
        ),
        (
            "Fewer than 30 boats lie in the harbour.",
            "More boats lie in the harbour.",
            "direction",
            False,
        ),
    ],
)
def test_a_bound_a_destination_and_a_word_of_denial_are_taken_for_nothing_else(
    sentence: str, statement: str, conflict: str, expected: bool
) -> None:
    assert (conflict in conflicts(sentence, statement)) is expected


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Who denies that the ferry is late every day?", "The ferry is late every day."),
        ("And who can doubt that the ferry is late.", "The ferry is late."),
        ("The port does not pay one penny in tolls.", "The port paid in tolls last year: zero."),
        (
            "If you are a pilot, you are paid less on the island.",
            "Pilots are paid less on the island.",
        ),
        (
            "If you look at the numbers, the tolls on the island rose.",
            "The tolls on the island rose.",
        ),
        (
            "Our tolls are the highest anywhere in the world.",
            "Our tolls are the highest in the world.",
        ),
    ],
)
def test_a_rhetorical_question_a_coin_and_a_group_are_no_conflict(
    sentence: str, statement: str
) -> None:
    assert not {"denial", "supposition", "scope"} & conflicts(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("The man who denies the ferry is late sold it.", "The ferry is late.", "denial"),
        ("The port does not pay the tolls.", "The port pays the tolls.", "denial"),
        ("If you are elected, you will close the pier.", "You will close the pier.", "supposition"),
        ("All ferries to the island are late.", "Ferries to the island are late.", "scope"),
    ],
)
def test_a_denial_a_condition_and_a_word_for_all_are_conflicts(
    sentence: str, statement: str, expected: str
) -> None:
    assert expected in conflicts(sentence, statement)


def test_a_word_for_all_is_quoted_with_the_word_that_both_have() -> None:
    late = "Ferries to the island are late in the winter."
    assert clashes(f"All the f{late[1:]}", late)["scope"] == Clash("All the ferries", "Ferries")

    sentence = "Ferries to the island, with beds for all people, are late in the winter."
    assert "scope" not in clashes(sentence, late)


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Ferries are not late on the island.", "Ferries are late on the island.", Clash("not")),
        (
            "We didn't close the pier of the island.",
            "We closed the pier of the island.",
            Clash("didn't"),
        ),
        # a denial of something else
        (
            "Dockers were sued for the ban on pilots of the island.",
            "Dockers were sued because they did not rent rooms to pilots of the island.",
            Clash(),
        ),
        (
            "Most pilots see that Ann Lee is the right mayor of the island.",
            "Most pilots don't think Ann Lee is the right mayor of the island.",
            Clash(),
        ),
        # a denial that says the same
        (
            "Norway should not be the only large island not to provide free ferries.",
            "Every other large island has free ferries.",
            Clash(),
        ),
    ],
)
def test_a_denial_is_quoted_if_it_denies_a_word_of_both(
    sentence: str, statement: str, expected: Clash
) -> None:
    assert clashes(sentence, statement).get("denial", Clash()) == expected


def test_a_group_of_both_texts_is_no_other_name() -> None:
    """A hyphen makes no other group of it."""
    sentence = (
        "African-American, Hispanic American and Asian American pilots are at their lowest number."
    )
    statement = (
        "African American pilots are at the lowest number on record. Hispanic pilots are, too."
    )
    assert "names" not in conflicts(sentence, statement)
    on_asians = "Asian American pilots are at the lowest number on record."
    assert "names" in conflicts(on_asians, statement)


def test_a_name_is_quoted_without_its_clause() -> None:
    sentence = "Ben Reyes, when he was in Oslo, closed the old island pier."
    statement = "Ada Stone closed the old island pier."
    assert clashes(sentence, statement)["names"] == Clash("Reyes", "Stone")


@pytest.mark.parametrize(
    ("sentence", "is_plan"),
    [
        ("The mayor says tolls should rise or pilots are thieves and smugglers.", False),
        ("The mayor says pilots should be thieves and smugglers.", True),
        ("The mayor says pilots will be fined or remain thieves and smugglers.", True),
    ],
)
def test_a_plan_of_another_clause_is_no_conflict(sentence: str, is_plan: bool) -> None:
    statement = "The mayor says all pilots are thieves and smugglers."
    assert ("plan" in clashes(sentence, statement)) is is_plan


def test_a_plan_of_both_texts_is_no_conflict_whatever_clause_it_is_in() -> None:
    sentence = (
        "You know what Ana Reyes said, if you want a friend and you're in Bergen, you better go "
        "get a dog."
    )
    statement = "You know what Reyes said, ‘You want a friend in Bergen, buy a dog.’"
    assert "plan" not in clashes(sentence, statement)


def test_a_contracted_plan_is_quoted_with_its_pronoun() -> None:
    sentence = (
        "We inherited a national debt that has doubled in eight years, think of it, $20 trillion, "
        "it's doubled."
    )
    statement = (
        "Reyes has doubled our national debt. Doubled it. It's going to be close to $20 trillion "
        "when he leaves."
    )
    assert clashes(sentence, statement)["plan"].in_statement == "It's going to be"


@pytest.mark.parametrize(
    ("sentence", "is_plan"),
    [
        ("We should not be spending twice as much on harbour ferries as Norway.", False),
        ("We should be spending twice as much on harbour ferries as Norway.", True),
        ("If we're going to be spending twice as much on harbour ferries as Norway.", False),
        ("We're going to be spending twice as much on harbour ferries as Norway.", True),
    ],
)
def test_what_should_not_be_going_on_is_no_plan(sentence: str, is_plan: bool) -> None:
    statement = "We are spending twice as much on harbour ferries as Norway."
    assert ("plan" in clashes(sentence, statement)) is is_plan


def test_a_conjunction_before_i_is_no_name() -> None:
    sentence = "And I was against the harbour tunnel in Bergen."
    statement = "I was totally against the harbour tunnel in Bergen."
    same_person = Speakers("Reyes", "Ana Reyes")
    assert "speaker" not in clashes(sentence, statement, speakers=same_person)
