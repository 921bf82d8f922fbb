import tomllib
from pathlib import Path

from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.screens.themes import offers


def config(tmp_path: Path) -> dict[str, dict[str, str]]:
    file = opening(tmp_path).paths.config
    return tomllib.loads(file.read_text()) if file.exists() else {}


def themes(tmp_path: Path) -> Path:
    folder = opening(tmp_path).paths.config_folder / "themes"
    folder.mkdir(parents=True)
    return folder


def page(app: WakefulApp) -> str:
    """As it is on the screen, in its lower left corner."""
    return app.screen_stack[0].styles.background.hex.lower()


async def test_moving_through_the_list_wears_each_theme_and_escape_goes_back(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))
        await type_text(pilot, "sepia")
        await until(pilot, lambda: page(app) == "#f7f0e1")

        await pilot.press("escape")

        await until(pilot, lambda: page(app) == "#101216")
        assert config(tmp_path) == {}


async def test_enter_keeps_the_theme_and_writes_it_down(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))
        await type_text(pilot, "moss")
        await pilot.press("enter")

        await until(pilot, lambda: "the theme is moss" in screen_text(app))
        assert page(app) == "#121812"
        assert config(tmp_path) == {"ui": {"theme": "moss"}}


async def test_a_named_theme_needs_no_screen_and_an_unknown_one_is_refused(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme mos")
        await pilot.press("enter")
        await until(pilot, lambda: "no theme named 'mos'" in screen_text(app))
        assert config(tmp_path) == {}

        await type_text(pilot, "/theme ember")
        await pilot.press("enter")

        await until(pilot, lambda: "the theme is ember" in screen_text(app))
        assert config(tmp_path) == {"ui": {"theme": "ember"}}


async def test_a_bad_theme_in_the_settings_is_named_at_the_start(tmp_path: Path):
    (themes(tmp_path) / "mine.toml").write_text('base = "moss"\n[text]\naccent = "pink"\n')
    opening(tmp_path).paths.config.write_text('[ui]\ntheme = "mine"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "mine.toml:3" in screen_text(app))


async def test_a_bad_file_of_the_users_is_named_with_its_line_and_never_worn(tmp_path: Path):
    (themes(tmp_path) / "mine.toml").write_text('base = "moss"\n[text]\naccent = "pink"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))
        await type_text(pilot, "mine")
        await pilot.press("enter")

        await until(pilot, lambda: "mine.toml:3" in screen_text(app))
        assert len(app.screen_stack) == 2
        await pilot.press("escape")
        assert config(tmp_path) == {}
        assert page(app) == "#101216"


async def test_what_is_wrong_with_a_file_is_read_in_its_row_and_whole_beside_it(tmp_path: Path):
    (themes(tmp_path) / "mine.toml").write_text('base = "moss"\n[text]\naccent = "pink"\nacent = "red"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme")
        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))
        assert "line 3: `pink` is no" in screen_text(app)
        await type_text(pilot, "mine")

        await until(pilot, lambda: "~/home/themes/mine.toml:3: `pink` is no colour" in screen_text(app))
        assert "mine.toml:4: unknown `acent`" in screen_text(app)
        assert "Why does the login test" not in screen_text(app)
        await pilot.press(*["backspace"] * len("mine"), "down", "up")
        await until(pilot, lambda: "Why does the login test" in screen_text(app))


async def test_a_line_of_the_theme_below_is_named_with_its_file(tmp_path: Path):
    folder = themes(tmp_path)
    (folder / "below.toml").write_text('\nbase = "moss"\ndark = 3\n')
    (folder / "mine.toml").write_text('base = "below"\n')

    found = {each.name: each.detail for each in offers(opening(tmp_path).paths, {})}

    assert found["below"] == "line 3: `dark` is true or false"
    assert found["mine"] == "below.toml:3: `dark` is true or false"


async def test_a_theme_of_the_users_is_offered_and_completed(tmp_path: Path):
    (themes(tmp_path) / "mine.toml").write_text('base = "moss"\n[fills]\npage = "#123456"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert app.stage
        assert "mine" in [each.text for each in await app.stage.offers("/theme mi")]
        await type_text(pilot, "/theme mine")
        await pilot.press("enter")

        await until(pilot, lambda: page(app) == "#123456")


async def test_where_the_environment_decides_that_is_said(tmp_path: Path):
    changed = {**opening(tmp_path).environment, "WAKEFUL_UI_THEME": "fjord"}

    async with running(tmp_path, environment=changed) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/theme moss")
        await pilot.press("enter")

        await until(pilot, lambda: "here env WAKEFUL_UI_THEME wins" in screen_text(app))
