"""The cache by identity: the same objects give the same result, equal ones are computed anew."""

from __future__ import annotations

from functools import partial

from assistant.core.identity_cache import IdentityCache


class CountedLength:
    """A computation that counts how often it ran."""

    def __init__(self, texts: list[list[str]]) -> None:
        self.texts = texts
        self.run_count = 0

    def __call__(self) -> int:
        self.run_count += 1
        return sum(len(text) for text in self.texts)


def test_the_same_objects_are_computed_once():
    texts = [["a"], ["b", "c"]]
    length = CountedLength(texts)
    cache: IdentityCache[int] = IdentityCache(2)

    assert [cache.result(texts, length), cache.result(list(texts), length)] == [3, 3]
    assert length.run_count == 1


def test_equal_objects_and_another_order_are_computed_anew():
    first_text = ["a"]
    second_text = ["a"]
    length = CountedLength([first_text, second_text])
    cache: IdentityCache[int] = IdentityCache(9)

    cache.result([first_text, second_text], length)
    cache.result([second_text, first_text], length)
    cache.result([["a"], ["a"]], length)

    assert length.run_count == 3


def test_each_option_has_a_result_of_its_own():
    texts = [["a"]]
    cache: IdentityCache[str] = IdentityCache(9)

    results = [cache.result(texts, partial(str, option), option) for option in ("x", "y")]

    assert results == ["x", "y"]
    assert cache.result(texts, lambda: "z", "x") == "x"


def test_the_result_used_longest_ago_is_dropped():
    groups = [[[str(number)]] for number in range(3)]
    lengths = [CountedLength(group) for group in groups]
    cache: IdentityCache[int] = IdentityCache(2)

    for index in (0, 1, 0, 2, 0, 1):
        cache.result(groups[index], lengths[index])

    assert [length.run_count for length in lengths] == [1, 2, 1]


def test_objects_stay_while_their_result_is_stored():
    """Another object could have their identity otherwise, and would get their result."""
    cache: IdentityCache[int] = IdentityCache(9)

    results = [cache.result([[number]], partial(int, number)) for number in range(5)]

    assert results == [0, 1, 2, 3, 4]
