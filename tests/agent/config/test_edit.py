from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.config.edit import EditError, Value, drop_value, format_value, set_value
from tests.agent.config.test_places import DOCUMENTS


def value_at(text: str, key: tuple[str, ...]) -> object:
    value: Any = tomllib.loads(text)
    for part in key:
        value = value[part]
    return value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[ui]\ntheme = 1\n"),
        ("# mine\n", "# mine\n\n[ui]\ntheme = 1\n"),
        ("[ui]\ntheme = 'old' # why\n", "[ui]\ntheme = 1 # why\n"),
        (
            "[ui] # screen\nglyphs = 'ascii' # old tty\n\n# next\n[wake]\n",
            "[ui] # screen\nglyphs = 'ascii' # old tty\ntheme = 1\n\n# next\n[wake]\n",
        ),
        ("ui.glyphs = 'ascii'\nx = 2\n", "ui.glyphs = 'ascii'\nui.theme = 1\nx = 2\n"),
        ("ui = { glyphs = 'ascii' }\n", "ui = { glyphs = 'ascii', theme = 1 }\n"),
        ("ui = {}\n", "ui = { theme = 1 }\n"),
        ("[ui]\nglyphs = 'ascii'", "[ui]\nglyphs = 'ascii'\ntheme = 1\n"),
        ("[ui]\r\ntheme = 2\r\n", "[ui]\r\ntheme = 1\r\n"),
    ],
)
def test_the_value_goes_where_its_kin_are_and_the_rest_stays(before: str, after: str) -> None:
    assert set_value(before, ("ui", "theme"), 1) == after


def test_a_name_with_signs_is_quoted() -> None:
    text = set_value("[providers.b]\n", ("providers", "my.server", "base_url"), "http://x")

    assert tomllib.loads(text)["providers"]["my.server"] == {"base_url": "http://x"}


def test_a_key_below_a_value_is_refused() -> None:
    with pytest.raises(EditError, match="ui is not a table"):
        set_value("ui = 1\n", ("ui", "theme"), 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[ui]\ntheme = 'old' # why\nglyphs = 'ascii'\n", "[ui]\nglyphs = 'ascii'\n"),
        ("# mine\n[ui]\ntheme = [\n  1,\n] # why\n", "# mine\n[ui]\n"),
        ("x = 1\nui.theme = 'old'", "x = 1"),
        ("ui = { glyphs = 'ascii', theme = 'old' } # why\n", 'ui = { glyphs = "ascii" } # why\n'),
        ("[ui]\r\ntheme = 2\r\nglyphs = 3\r\n", "[ui]\r\nglyphs = 3\r\n"),
        ("[ui]\nglyphs = 3\n", "[ui]\nglyphs = 3\n"),
        ("", ""),
    ],
)
def test_a_value_that_is_dropped_takes_its_line_with_it_and_the_rest_stays(before: str, after: str) -> None:
    assert drop_value(before, ("ui", "theme")) == after


def test_the_last_line_of_one_name_goes_and_its_neighbours_stay() -> None:
    text = "[providers.a]\nbase_url = 1\n[providers.b]\nbase_url = 2\n"

    assert tomllib.loads(drop_value(text, ("providers", "a", "base_url"))) == {
        "providers": {"a": {}, "b": {"base_url": 2}}
    }


@given(DOCUMENTS, st.sampled_from([("a",), ("a", "b"), ("c-d", "new"), ("e f", "x", "y")]))
@settings(deadline=None, print_blob=True)
def test_an_edit_changes_its_value_and_no_other(text: str, key: tuple[str, ...]) -> None:
    try:
        edited = set_value(text, key, "new")
    except EditError:
        return

    assert value_at(edited, key) == "new"


@given(DOCUMENTS, st.sampled_from([("a",), ("a", "b"), ("c-d", "new"), ("e f", "x", "y")]))
@settings(deadline=None, print_blob=True)
def test_what_is_dropped_is_gone(text: str, key: tuple[str, ...]) -> None:
    try:
        edited = drop_value(text, key)
    except EditError:
        return

    with pytest.raises((KeyError, TypeError)):
        value_at(edited, key)


@given(st.text())
def test_any_text_survives_being_written(text: str) -> None:
    written = format_value(text)

    assert tomllib.loads(f"it = {written}")["it"] == text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (25, "25"),
        (2.5, "2.5"),
        (3.0, "3"),
        (1e300, "1e+300"),
        (["a", "b"], '["a", "b"]'),
        ({"a b": 1}, '{ "a b" = 1 }'),
        ({}, "{}"),
    ],
)
def test_each_kind_of_value_is_written_as_toml(value: Value, written: str) -> None:
    assert format_value(value) == written
