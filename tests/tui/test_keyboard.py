from pathlib import Path

import pytest

from tests.agent.openings import opening
from tui.bindings import wished_keys
from tui.keyboard import all_bound, check
from tui.keyreference import write

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"


def test_the_page_of_keys_is_up_to_date():
    assert PAGE.read_text() == write(), "run: python -m tui.keyreference > docs/keys.md"


def test_every_key_has_a_name_of_its_own_and_says_what_it_does():
    bound = all_bound({})
    names = [each.name for each in bound]

    assert len(names) == len(set(names))
    assert all(each.does and each.does[0].isupper() for each in bound)
    assert {"plan", "send", "plan-tick", "block-copy", "search-close", "answer-give", "picker-close"} <= {
        *names
    }


def test_the_usual_keys_do_not_clash():
    assert check({}).problems == ()


@pytest.mark.parametrize(
    ("wished", "says"),
    [
        ({"plam": "ctrl+x"}, "keys.plam: no key has this name; did you mean plan?"),
        ({"zzz": "ctrl+x"}, "keys.zzz: no key has this name; /keys lists them"),
        ({"plan": "ctrl+escap"}, "keys.plan: there is no key 'ctrl+escap'; did you mean ctrl+escape?"),
        ({"plan": "ctrll+f"}, "keys.plan: there is no key 'ctrll+f'; did you mean ctrl+f?"),
        ({"plan": "F99"}, "keys.plan: there is no key 'F99'; did you mean f9?"),
        ({"palette": "!"}, "keys.palette: '!' could no longer be typed; take"),
        ({"plan": "cmd+x"}, "keys.plan: there is no key 'cmd+x'; write it as ctrl+x or f2"),
        (
            {"palette": "p"},
            "keys.palette: 'p' could no longer be typed; take",
        ),
        (
            {"send": "space"},
            "keys.send: 'space' could no longer be typed; take",
        ),
    ],
)
def test_what_cannot_be_is_named_and_left_out(wished: dict[str, str], says: str):
    checked = check(wished)

    assert len(checked.problems) == 1
    assert str(checked.problems[0]).startswith(says)
    assert checked.keymap == {}


@pytest.mark.parametrize(
    ("wished", "says"),
    [
        (
            {"plan": "ctrl+p"},
            "keys.plan: ctrl+p is also the key of palette (all commands)",
        ),
        (
            {"plan-new": "e"},
            "keys.plan-new: e is also the key of plan-edit (edit the title)",
        ),
        (
            {"plan-new": "ctrl+f"},
            "keys.plan-new: ctrl+f is also the key of search (find in the conversation)",
        ),
        ({"session-delete": "down"}, "keys.session-delete: down is also the key of picker-down (down)"),
        ({"picker-close": "ctrl+d"}, "keys.picker-close: ctrl+d is also the key of leave (leave)"),
        ({"session-delete": "ctrl+f"}, None),
        ({"plan-filter": "?"}, None),
        ({"plan": "ctrl+p", "palette": "ctrl+t"}, None),
        ({"plan-delete": "none", "plan-cancel": "none"}, None),
        ({"hold": "esc,f9"}, None),
    ],
)
def test_a_key_that_two_have_in_one_place_is_told(wished: dict[str, str], says: str | None):
    checked = check(wished)

    assert len(checked.problems) == (1 if says else 0)
    assert all(str(problem).startswith(says or "") for problem in checked.problems)
    assert set(checked.keymap) == set(wished)


@pytest.mark.parametrize(
    ("written", "comes"),
    [
        ("Ctrl+X", "ctrl+x"),
        ("ctrl+O", "ctrl+o"),
        ("alt+Q", "alt+q"),
        ("Shift+Ctrl+Left", "ctrl+shift+left"),
        ("F2", "f2"),
        ("Esc", "escape"),
        ("PgUp", "pageup"),
        ("control+]", "ctrl+right_square_bracket"),
        ("ctrl+@", "ctrl+@"),
        ("ctrl++", "ctrl+plus"),
    ],
)
def test_a_key_is_taken_however_it_is_written(written: str, comes: str):
    checked = check({"plan": written})

    assert checked.keymap == {"plan": comes}


@pytest.mark.parametrize(
    ("written", "comes"), [("shift+k", "K"), ("K", "K"), ("+", "plus"), ("!", "exclamation_mark")]
)
def test_a_letter_or_sign_is_a_key_where_none_is_typed(written: str, comes: str):
    assert check({"plan-tick": written}).keymap == {"plan-tick": comes}


@pytest.mark.parametrize(
    ("key", "other"),
    [("ctrl+i", "tab"), ("ctrl+M", "enter"), ("ctrl+[", "esc"), ("ctrl+h", "backspace")],
)
def test_a_key_that_comes_as_another_is_worn_and_told(key: str, other: str):
    checked = check({"plan": key})

    assert [*checked.keymap] == ["plan"]
    assert str(checked.problems[0]).startswith(f"keys.plan: most terminals send {other} for {key.lower()}")


def test_keys_are_read_off_the_file_and_the_command_line(tmp_path: Path):
    paths = opening(tmp_path).paths
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text('[keys]\nplan = "f2"\nhold = ["escape", "f3", 5]\nleave = 3\n')

    assert wished_keys(paths, ["keys.plan=f4", "ui.theme=moss"]) == {"plan": "f4", "hold": "escape,f3"}


def test_a_broken_file_leaves_the_usual_keys(tmp_path: Path):
    paths = opening(tmp_path).paths
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text("[keys\n")

    assert wished_keys(paths, []) == {}
