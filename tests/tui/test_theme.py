import os
from itertools import combinations
from pathlib import Path

import pytest

from agent.config.errors import ConfigError
from tui.indexed import indexed
from tui.theme import FILLS, SURFACES, TEXTS, TOKENS, Paint, Palette, load_theme, theme_names, theme_problem

# They paint with what the terminal has, which nobody can measure.
EXEMPT = {"ansi", "monochrome"}
EXACT = [name for name in theme_names() if name not in EXEMPT]
DIFF = ("add", "remove")
PAIRS = (
    [(text, fill) for text in TEXTS for fill in SURFACES]
    + [(token, fill) for token in TOKENS for fill in ("page", "code", *DIFF)]
    + [(text, fill) for text in ("text", "dim", "ok", "error") for fill in DIFF]
    + [("text", fill) for fill in ("selection", "found", "add_word", "remove_word")]
)


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Paint, other: Paint) -> float:
    darker, lighter = sorted((luminance(one.colour), luminance(other.colour)))
    return (lighter + 0.05) / (darker + 0.05)


def strongest(paint: Paint) -> str:
    """The colour's name, where one channel is above the others."""
    channels = {name: paint.colour[at : at + 2] for name, at in (("red", 1), ("green", 3), ("blue", 5))}
    first, second, _ = sorted(channels, key=lambda name: channels[name], reverse=True)
    return first if channels[first] > channels[second] else ""


@pytest.mark.parametrize("colours", ["all", "256"])
@pytest.mark.parametrize("name", EXACT)
def test_text_is_readable_on_every_fill_it_is_drawn_on(name: str, colours: str):
    theme = load_theme(name)
    palette = indexed(theme) if colours == "256" else theme

    poor = {
        (text, fill): round(contrast(palette.front(text, fill), palette.paint(fill)), 2)
        for text, fill in PAIRS
        if contrast(palette.front(text, fill), palette.paint(fill)) < 4.5
    }

    assert poor == {}


@pytest.mark.parametrize("name", EXACT)
def test_fills_that_differ_still_do_in_256_colours(name: str):
    theme = load_theme(name)
    fitted = indexed(theme)

    # What the user said stands on the page alone.
    beside = [role for role in FILLS if role != "user"]
    pairs = [*combinations(beside, 2), ("page", "user")]
    merged = [
        (one, other)
        for one, other in pairs
        if theme.paint(one) != theme.paint(other) and fitted.paint(one) == fitted.paint(other)
    ]

    assert merged == []


@pytest.mark.parametrize("name", EXACT)
def test_red_stays_red_and_green_stays_green_in_256_colours(name: str):
    fitted = indexed(load_theme(name))

    assert [strongest(fitted.paint(role)) for role in ("add", "add_word", "ok")] == ["green"] * 3
    assert [strongest(fitted.paint(role)) for role in ("remove", "remove_word", "error")] == ["red"] * 3


@pytest.mark.parametrize("name", EXACT)
def test_a_changed_word_stands_out_of_its_line_in_256_colours(name: str):
    fitted = indexed(load_theme(name))

    for row, word in (("add", "add_word"), ("remove", "remove_word")):
        assert contrast(fitted.page, fitted.paint(word)) > contrast(fitted.page, fitted.paint(row))


@pytest.mark.parametrize("name", EXACT)
def test_what_colours_tell_is_told_apart_in_256_colours(name: str):
    fitted = indexed(load_theme(name))

    signals = [fitted.paint(role).colour for role in ("text", "dim", "accent", "waiting", "ok", "error")]
    assert len(set(signals)) == len(signals)


def test_a_theme_of_few_lights_and_darks_is_fitted_to_256_colours_as_well(tmp_path: Path):
    for page in ("#808080", "#000000", "#ffffff"):
        fills = "\n".join(f'{role} = "{page}"' for role in FILLS)
        (tmp_path / "flat.toml").write_text(f'base = "moss"\n[fills]\n{fills}\n[text]\ntext = "red"\n')

        fitted = indexed(load_theme("flat", tmp_path))

        assert len({fitted.paint(role) for role in SURFACES}) == 1
        assert fitted.text == Paint("red")


def test_there_are_at_least_eight_themes_of_both_kinds_and_the_default_comes_first():
    names = theme_names()

    assert names[0] == "wakeful"
    assert len(names) >= 8
    assert {load_theme(name).dark for name in names} == {True, False}


def test_the_ansi_and_the_monochrome_theme_choose_no_colour_the_terminal_did_not_choose():
    for name in EXEMPT:
        assert not any(load_theme(name).paint(role).exact for role in (*FILLS, *TEXTS, *TOKENS))
    monochrome = load_theme("monochrome")
    assert {monochrome.paint(role).colour for role in (*FILLS, *TEXTS, *TOKENS)} == {"default"}


def test_a_theme_of_the_user_gives_only_what_differs_from_its_base(tmp_path: Path):
    (tmp_path / "mine.toml").write_text('base = "moss"\n[text]\naccent = "#ff00ff bold"\n')

    mine = load_theme("mine", tmp_path)

    assert mine.accent == Paint("#ff00ff", frozenset({"bold"}))
    assert mine.page == load_theme("moss").page
    assert "mine" in theme_names(tmp_path)


def test_a_theme_of_the_user_may_refine_ours_under_the_same_name(tmp_path: Path):
    (tmp_path / "ember.toml").write_text('base = "ember"\n[fills]\npage = "#000000"\n')

    assert load_theme("ember", tmp_path).page == Paint("#000000")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('base = "moss"\n\n[text]\naccent = "pink"\n', 4, "`pink` is no colour"),
        ('base = "moss"\n[text]\naccent = 3\n', 3, "`3` is no colour"),
        ('base = "moss"\n[text]\naccent = "#fff #000"\n', 3, "is no colour"),
        ('base = "moss"\n[text]\n\nacent = "#ffffff"\n', 4, "unknown `acent`"),
        ('base = "moss"\n[txt]\na = "#ffffff"\n', 2, "unknown `txt`"),
        ('base = "moss"\ndark = "yes"\n', 2, "true or false"),
        ("dark = true\n[fills]\n= 3\n", 3, "not TOML"),
        ('dark = true\n\n[fills]\npage = "#000000"\n', 3, "[fills] says nothing about panel, input"),
        ('\nbase = "embr"\n', 2, "no theme named 'embr'; did you mean ember?"),
        ("base = 3\n", 1, "`base` is the name of a theme"),
        ('base = "moss"\nfills = 3\n', 2, "`fills` is a table: [fills]"),
        ("", 1, "says nothing about `dark`"),
    ],
)
def test_a_bad_theme_names_its_file_and_line(tmp_path: Path, text: str, line: int, says: str):
    (tmp_path / "bad.toml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        load_theme("bad", tmp_path)

    first = caught.value.problems[0]
    assert first.place == f"{tmp_path / 'bad.toml'}:{line}"
    assert says in first.text


def test_all_colours_that_are_missing_are_named_at_once(tmp_path: Path):
    code = "\n".join(f'{role} = "red"' for role in TOKENS)
    (tmp_path / "bad.toml").write_text(f'dark = true\n[code]\n{code}\n[text]\ntext = "pink"\n')

    with pytest.raises(ConfigError) as caught:
        load_theme("bad", tmp_path)

    pink, fills, texts, lines = [problem.text for problem in caught.value.problems]
    assert pink.startswith("`pink` is no colour")
    assert fills == f"[fills] says nothing about {', '.join(FILLS)}"
    assert texts == f"[text] says nothing about {', '.join(TEXTS[1:])}"
    assert lines == "[lines] says nothing about rule, thumb"


def test_a_mark_of_the_byte_order_does_no_harm(tmp_path: Path):
    (tmp_path / "mine.toml").write_text('base = "moss"\n', encoding="utf-8-sig")

    assert load_theme("mine", tmp_path).page == load_theme("moss").page


def test_an_unknown_theme_names_those_there_are(tmp_path: Path):
    with pytest.raises(ConfigError, match="no theme named 'nope'; there are wakeful, "):
        load_theme("nope", tmp_path)


@pytest.mark.parametrize("name", ["dayligth", "Daylight"])
def test_a_mistyped_theme_suggests_the_nearest(name: str):
    with pytest.raises(ConfigError, match=r"did you mean daylight\?"):
        load_theme(name)


@pytest.mark.parametrize("name", ["../ember", "a" * 300, "a\0b"])
def test_what_cannot_be_the_name_of_a_file_is_an_unknown_theme(tmp_path: Path, name: str):
    (tmp_path / "ember.toml").write_text('base = "moss"\n')
    (tmp_path / "inner").mkdir()

    with pytest.raises(ConfigError, match="no theme named"):
        load_theme(name, tmp_path / "inner")


def test_two_themes_that_stand_on_each_other_are_refused(tmp_path: Path):
    (tmp_path / "one.toml").write_text('base = "two"\n')
    (tmp_path / "two.toml").write_text('\nbase = "one"\n')

    with pytest.raises(ConfigError) as caught:
        load_theme("one", tmp_path)

    assert str(caught.value) == f"{tmp_path}/two.toml:2: 'one' stands on this theme itself"


def test_what_is_no_file_in_the_place_of_a_theme_is_named(tmp_path: Path):
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.toml")

    told = {name: theme_problem(name, tmp_path) for name in ("folder", "gone", "pipe")}

    assert told == {
        "folder": f"{tmp_path}/folder.toml: this is no file; a theme is one",
        "gone": f"{tmp_path}/gone.toml: it cannot be read: No such file or directory",
        "pipe": f"{tmp_path}/pipe.toml: this is no file; a theme is one",
    }


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path):
    (tmp_path / "bad.toml").write_bytes(b'base = "moss"\n# caf\xe9\n')

    assert theme_problem("bad", tmp_path) == f"{tmp_path}/bad.toml:2: not UTF-8 text, which a theme is"


def test_a_palette_offers_every_role_to_the_style_sheet():
    variables = load_theme("ansi").variables()

    assert variables["add-word"] == "ansi_default"
    assert variables["accent"] == "ansi_bright_blue"
    assert load_theme("wakeful").variables()["page"] == "#101216"
    assert isinstance(load_theme(), Palette)
