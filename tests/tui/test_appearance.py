from pathlib import Path

import pytest

from tests.agent.openings import opening
from tui.appearance import first_ink, fitted
from tui.bindings import wished_keys
from tui.checks import check_colours
from tui.theme import load_theme, user_folder

TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@pytest.mark.parametrize(
    ("environment", "theme"),
    [
        (TRUE, "wakeful"),
        ({"TERM": "xterm-256color"}, "wakeful"),
        ({"TERM": "xterm"}, "ansi"),
        ({"TERM": "linux"}, "ansi"),
        ({**TRUE, "NO_COLOR": "1"}, "monochrome"),
        ({"TERM": "linux", "WAKEFUL_UI_THEME": "moss"}, "moss"),
    ],
)
def test_the_first_frame_has_colours_that_the_terminal_has(
    tmp_path: Path, environment: dict[str, str], theme: str
):
    assert first_ink(opening(tmp_path).paths, environment, ()).palette.title == theme


@pytest.mark.parametrize(("variables", "theme"), [({}, "wakeful"), ({"NO_COLOR": "1"}, "monochrome")])
def test_a_broken_theme_of_the_user_named_like_ours_gives_way_to_ours(
    tmp_path: Path, variables: dict[str, str], theme: str
):
    paths = opening(tmp_path).paths
    user_folder(paths).mkdir(parents=True)
    (user_folder(paths) / f"{theme}.toml").write_text("base = 3\n")

    assert first_ink(paths, {**TRUE, **variables}, ()).palette == load_theme(theme)


def test_settings_that_begin_with_a_mark_of_the_byte_order_are_read(tmp_path: Path):
    paths = opening(tmp_path).paths
    paths.config.parent.mkdir(parents=True)
    paths.config.write_text('[ui]\ntheme = "moss"\n[keys]\nplan = "f2"\n', encoding="utf-8-sig")

    assert first_ink(paths, TRUE, ()).palette.title == "moss"
    assert wished_keys(paths, ()) == {"plan": "f2"}


def test_fills_stay_apart_where_there_are_256_colours():
    palette = fitted(load_theme("wakeful"), {"TERM": "xterm-256color"})

    fills = [palette.paint(role).colour for role in ("page", "panel", "input", "code", "selection")]
    assert len(set(fills)) == len(fills)
    assert palette.page.colour == "#080808"


def test_a_terminal_of_all_colours_and_its_own_sixteen_are_left_alone():
    exact, own = load_theme("moss"), load_theme("ansi")

    assert fitted(exact, TRUE) == exact
    assert fitted(own, {"TERM": "xterm"}) == own


@pytest.mark.parametrize(
    ("features", "rounded"),
    [("256,clipboard,title", True), ("256,clipboard,RGB,title", False), ("", False)],
)
def test_inside_a_tmux_that_rounds_colours_they_are_chosen_for_it(
    tmp_path: Path, features: str, rounded: bool
):
    tmux = tmp_path / "tmux"
    tmux.write_text(f"#!/bin/sh\necho '{features}'\n")
    tmux.chmod(0o755)
    inside = {"TERM": "screen", "COLORTERM": "truecolor", "TMUX": "/tmp/tmux,1,0", "PATH": str(tmp_path)}

    palette = first_ink(opening(tmp_path).paths, inside, ()).palette

    assert palette.title == "wakeful"
    assert (palette != load_theme("wakeful")) is rounded
    assert check_colours(inside).value.startswith("256" if rounded else "16 million")


def test_where_tmux_cannot_be_asked_the_terminal_is_believed(tmp_path: Path):
    lost = {**TRUE, "TMUX": "/tmp/tmux,1,0", "PATH": str(tmp_path)}

    assert fitted(load_theme("moss"), lost) == load_theme("moss")
