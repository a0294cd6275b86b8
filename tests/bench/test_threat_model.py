"""The page about the threat model: marked tests by person."""

import pytest

from bench.threat_model import TEXTS, marked_tests, threat_page

MARKED = """
import pytest

@pytest.mark.threat("visitor")
def test_nobody_comes_in(): ...

class TestDoor:
    @pytest.mark.slow
    @pytest.mark.threat("reader", "sender")
    async def test_it_stays_shut(self): ...

def test_of_something_else(): ...

@pytest.mark.threat("visitor")
def helper(): ...
"""


def test_a_marked_test_is_a_line_of_its_person():
    assert list(marked_tests(MARKED)) == [
        ("visitor", "test_nobody_comes_in"),
        ("reader", "test_it_stays_shut"),
        ("sender", "test_it_stays_shut"),
    ]


@pytest.mark.parametrize("marks", ['pytest.mark.threat("sender")', "[{}, pytest.mark.long]"])
def test_a_mark_of_the_file_is_that_of_its_tests(marks):
    value = marks.format('pytest.mark.threat("sender")')

    assert list(marked_tests(f"pytestmark = {value}\ndef test_one(): ...")) == [
        ("sender", "test_one")
    ]


def test_an_unknown_person_is_refused():
    source = '@pytest.mark.threat("passer-by")\ndef test_one(): ...'

    with pytest.raises(ValueError, match="passer-by"):
        list(marked_tests(source))


@pytest.mark.parametrize("person", TEXTS.people)
def test_every_person_has_a_test(person):
    section = threat_page().split(f"## {TEXTS.people[person]['title']}\n")[1].split("\n## ")[0]

    assert section.count("](../../tests/") > 0
