from __future__ import annotations

import tomllib
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.config.places import Key, find_places

DOCUMENT = '''\
# a comment with "quotes" and [brackets]
title = "one # not a comment" # a comment
"quoted key" = 1
a.b . "c.d" = 'literal \\ text'

[todos] # the plan
dialect = "skills"
inline = { x = 1, "y z" = [ { deep = true } ], n.m = 2 }

  [ providers . "my server" ]
  models = [
    "first", # with "a comment"
    'second',
    # between
    """third
over lines""",
  ]

[[rows]]
name = 1
[rows.inner]
value = 1979-05-27 07:32:00
[[rows]]
name = 2
[[rows.deep]]
last = """a\\"""b"""
tail = \'\'\'it\'s \'quoted\'\'\'\'
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("title",), 2),
        (("quoted key",), 3),
        (("a", "b", "c.d"), 4),
        (("a",), 4),
        (("a", "b"), 4),
        (("todos",), 6),
        (("providers",), 10),
        (("todos", "dialect"), 7),
        (("todos", "inline", "y z", 0, "deep"), 8),
        (("todos", "inline", "n", "m"), 8),
        (("providers", "my server"), 10),
        (("providers", "my server", "models"), 11),
        (("providers", "my server", "models", 0), 12),
        (("providers", "my server", "models", 1), 13),
        (("providers", "my server", "models", 2), 15),
        (("rows", 0, "name"), 20),
        (("rows", 0, "inner", "value"), 22),
        (("rows", 1, "name"), 24),
        (("rows", 1, "deep", 0, "last"), 26),
        (("rows", 1, "deep", 0, "tail"), 27),
    ],
)
def test_every_way_to_write_a_key_is_found(key: Key, line: int) -> None:
    assert find_places(DOCUMENT).line(key) == line


def test_a_key_that_is_not_there_is_looked_for_around_it() -> None:
    places = find_places(DOCUMENT)

    assert places.line(("todos", "dialect", "inside")) == 7
    assert places.line(("providers", "my server", "base_url")) == 10
    assert places.line(("nothing",)) is None


def test_windows_line_ends_count_as_one_line() -> None:
    assert find_places("[a]\r\nb = 1\r\n\r\nc = 2 # x\r\n").line(("a", "c")) == 4


KEYS = st.sampled_from(["a", "b", "c-d", '"e f"', "'g.h'", '"\\u0041\\"]"', "a.b", 'a . "x y"', "1"])
SCALARS = st.sampled_from(
    [
        "1",
        "-2.5e3",
        "true",
        "inf",
        '"text # no [comment] = {"',
        '"esc \\" \\\\"',
        "'lit \\'",
        '"""two\nlines""""',
        "'''it's\n''quoted'''''",
        "1979-05-27T07:32:00Z",
        "1979-05-27 07:32:00",
        "07:32:00",
        "0xff",
        '""',
        "''",
        '""""""',
    ]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[\n" + ", # x]\n".join([*items, ""]) + " ]"),
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]"),
        st.lists(st.tuples(KEYS, SCALARS.filter(lambda text: "\n" not in text)), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=4,
)
LINES = st.one_of(
    st.tuples(KEYS, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]} # x"),
    KEYS.map(lambda key: f"[{key}]"),
    KEYS.map(lambda key: f"[[ {key} ]] # y"),
    st.sampled_from(["", "# [z] = 1", "  \t"]),
)


def leaves(value: object, key: Key = ()) -> list[Key]:
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return [leaf for name, each in table.items() for leaf in leaves(each, (*key, name))]
    if isinstance(value, list):
        items = cast("list[object]", value)
        return [leaf for index, each in enumerate(items) for leaf in leaves(each, (*key, index))]
    return [key]


def parse(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


# A line that would make the document invalid is left out, so that long valid ones come about.
def valid_document(lines: list[str]) -> str:
    text = ""
    for line in lines:
        if parse(f"{text}{line}\n") is not None:
            text += f"{line}\n"
    return text


DOCUMENTS = st.lists(LINES, max_size=12).map(valid_document)


@given(DOCUMENTS)
@settings(deadline=None, print_blob=True)
def test_what_stands_at_each_place_is_the_value_that_tomllib_read(text: str) -> None:
    parsed = tomllib.loads(text)

    for key, place in find_places(text).keys.items():
        value: Any = parsed
        for part in key:
            value = value[part]
        assert tomllib.loads(f"it = {text[place.start : place.end]}")["it"] == value


@given(DOCUMENTS)
@settings(deadline=None, print_blob=True)
def test_every_leaf_that_tomllib_read_has_a_place(text: str) -> None:
    places = find_places(text)

    assert all(leaf in places.keys for leaf in leaves(tomllib.loads(text)))
