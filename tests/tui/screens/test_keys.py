import tomllib
from pathlib import Path

from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.widgets.prompt import Prompt


def configure(tmp_path: Path, text: str) -> Path:
    file = opening(tmp_path).paths.config
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


async def test_a_changed_key_acts_and_every_hint_names_it(tmp_path: Path):
    configure(tmp_path, '[keys]\npalette = "f3"\nplan = "f2"\npicker-close = "f10"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert "f2 plan  f3 commands" in screen_text(app)
        await pilot.press("ctrl+p")
        assert len(app.screen_stack) == 1

        await pilot.press("f3")
        assert "f10 closes" in screen_text(app)
        await pilot.press("f10")
        assert len(app.screen_stack) == 1


async def test_what_has_no_key_is_not_hinted_at(tmp_path: Path):
    configure(tmp_path, '[keys]\npalette = "none"\nhelp = "none"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "commands, files, your shell" in screen_text(app))
        assert "ctrl+t plan" in screen_text(app)
        assert "none" not in screen_text(app)


async def test_what_is_wrong_with_the_keys_is_told_in_the_conversation(tmp_path: Path):
    configure(tmp_path, '[keys]\nplam = "f2"\nplan = "ctrl+p"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "did you mean plan?" in screen_text(app))
        # Long paths go on in the next row.
        told = "".join(line.strip() for line in screen_text(app).splitlines())
        assert "config.toml:2: keys.plam: no key" in told
        assert "config.toml:3: keys.plan: ctrl+p is also the key of palette" in told


async def test_a_key_that_cannot_be_read_does_not_stop_the_start(tmp_path: Path):
    configure(tmp_path, '[keys]\nnewline = 5\nplan = ""\nmode = "Ctrl+O"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "config.toml:3:" in "".join(screen_text(app).split()))
        assert "config.toml:2:" in "".join(screen_text(app).split())
        assert "ctrl+t plan" in screen_text(app)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "accept" in screen_text(app))


async def test_choosing_a_key_and_pressing_another_changes_it_and_writes_it_down(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("f1")
        await type_text(pilot, "plan-enter")
        await pilot.press("enter")
        await until(pilot, lambda: "Press the key for" in screen_text(app))
        await pilot.press("f9")

        await until(pilot, lambda: "default: alt+t" in screen_text(app))
        assert tomllib.loads(opening(tmp_path).paths.config.read_text()) == {"keys": {"plan-enter": ["f9"]}}
        await pilot.press("escape", "f9")
        await until(pilot, lambda: app.panel.has_class("-shown"))


async def test_a_letter_that_must_be_typed_is_refused_in_place(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("f1")
        await type_text(pilot, "palette")
        await pilot.press("enter")
        await until(pilot, lambda: "Press the key for" in screen_text(app))
        await pilot.press("p")

        await until(pilot, lambda: "could no longer be typed" in screen_text(app))
        assert not opening(tmp_path).paths.config.exists()


async def test_a_question_mark_helps_at_an_empty_prompt_and_is_a_letter_behind_words(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("question_mark")
        await until(pilot, lambda: "Anywhere" in screen_text(app))
        await pilot.press("escape")

        await type_text(pilot, "why")
        await pilot.press("question_mark")

        await until(pilot, lambda: app.query_one(Prompt).text == "why?")
        assert len(app.screen_stack) == 1


async def test_the_commands_stand_below_the_keys_and_can_be_run(tmp_path: Path):
    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/keys")
        await pilot.press("enter")
        await until(pilot, lambda: "Anywhere" in screen_text(app))
        await type_text(pilot, "/cost")
        await pilot.press("enter")

        await until(pilot, lambda: "cache read" in screen_text(app))
