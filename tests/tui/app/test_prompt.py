"""The prompt: what is offered, what was written before, what is kept."""

import re
from pathlib import Path

import pytest
from textual.events import Key, Paste

from agent.models.scripted import Scripted, said
from agent.opening import open_session
from store import prompts
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.prompting.pouring import Pour
from tui.widgets.menu import MenuView


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".gitignore").write_text("*.log\n")
    for name in ("calc.py", "café.md", "noise.log", "deep/down/calculus.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def offered(app: WakefulApp) -> bool:
    return bool(app.query_one(MenuView).display)


async def written(tmp_path: Path, *texts: str) -> None:
    """Earlier prompts of the project, oldest first."""
    async with open_session(opening(tmp_path, model=Scripted([]))) as opened:
        workspace = opened.session.agenda.service.workspace
        for text in texts:
            await opened.store.write(prompts.add, str(workspace), None, text)


async def test_enter_runs_the_command_that_the_letters_stand_for(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/stat")
        await until(pilot, lambda: offered(app))
        assert "/status" in screen_text(app)

        await pilot.press("enter")
        await until(pilot, lambda: re.search(r"(?s)/status.*folder", screen_text(app)))

        assert app.prompt.text == ""
        assert not offered(app)


async def test_what_is_typed_before_there_is_a_session_is_offered_for_then(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        assert app.stage is None
        await type_text(pilot, "/stat")

        await until(pilot, lambda: offered(app))


async def test_what_ctrl_c_puts_away_is_the_newest_of_the_earlier_prompts(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "half a thought")

        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.prompt.text)
        await pilot.press("up")

        assert app.prompt.text == "half a thought"


async def test_what_ctrl_c_puts_away_is_found_at_the_next_start(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "half a thought")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.prompt.text)
        await type_text(pilot, "another")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)
        assert app.prompt.text == "another"

        await pilot.press("up")

        assert app.prompt.text == "half a thought"


async def test_a_second_ctrl_c_leaves_and_keeps_the_draft(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "half a thought")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.prompt.text)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.return_value == 130)
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        assert app.prompt.text == "half a thought"


async def test_nothing_is_offered_for_an_earlier_command_until_it_is_changed(tmp_path: Path):
    await written(tmp_path, "the first", "/todo done", "/mod")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)

        for _ in range(3):
            await pilot.press("up")
            await pilot.pause(0.1)
            assert not offered(app)
        assert app.prompt.text == "the first"
        await pilot.press("down", "down", "e")

        await until(pilot, lambda: offered(app))


async def test_a_paste_while_one_reads_goes_to_the_prompt(tmp_path: Path):
    async with running(tmp_path, model=Scripted([said("well")])) as (app, pilot):
        await type_text(pilot, "hi")
        await pilot.press("enter")
        await until(pilot, lambda: "well" in screen_text(app))
        await pilot.press("alt+up")
        assert app.focused is not app.prompt

        app.post_message(Paste("from elsewhere"))

        await until(pilot, lambda: app.prompt.text == "from elsewhere")


async def test_tab_completes_and_goes_on_to_the_arguments(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert app.stage
        app.stage.submit("/todo add paint the door")
        await until(pilot, lambda: "paint the door" in screen_text(app))

        await type_text(pilot, "/todo don")
        await until(pilot, lambda: "Complete" in screen_text(app))
        await pilot.press("tab")
        await until(pilot, lambda: "#1 paint the door" in screen_text(app) and offered(app))
        assert app.prompt.text == "/todo done "
        await pilot.press("down", "enter")
        await until(pilot, lambda: "1/1" in screen_text(app))

        assert app.prompt.text == ""


async def test_escape_closes_the_menu_and_holds_nothing(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/to")
        await until(pilot, lambda: offered(app))

        await pilot.press("escape")
        await until(pilot, lambda: not offered(app))

        await type_text(pilot, "d")
        await pilot.pause(0.1)
        assert app.prompt.text == "/tod"
        assert not offered(app)
        assert "held" not in screen_text(app)


async def test_ctrl_c_puts_the_menu_away_with_what_was_typed(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "@")
        await until(pilot, lambda: offered(app))

        await pilot.press("ctrl+c")
        await until(pilot, lambda: "again leaves" in screen_text(app))

        assert app.prompt.text == ""
        assert not offered(app)


async def test_the_word_on_leaving_stands_in_passing_and_not_in_the_conversation(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await pilot.press("ctrl+c")

        await until(pilot, lambda: "ctrl+c again leaves" in screen_text(app))
        assert not app.transcript.document.slots


async def test_files_are_offered_by_use_and_without_the_ignored(tmp_path: Path, project: Path):
    await written(tmp_path, "look at @deep/down/calculus.py")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await type_text(pilot, "see @")
        await until(pilot, lambda: offered(app))
        assert "café.md" in screen_text(app)
        assert "noise.log" not in screen_text(app)
        await type_text(pilot, "calc")
        await until(pilot, lambda: "café.md" not in screen_text(app))
        await pilot.press("enter")

        assert app.prompt.text == "see @deep/down/calculus.py "
        assert not offered(app)


async def test_a_menu_moves_nothing_that_stands_above(tmp_path: Path):
    async with running(tmp_path, model=Scripted([said("the answer")])) as (app, pilot):
        await type_text(pilot, "hi")
        await pilot.press("enter")
        await until(pilot, lambda: "the answer" in screen_text(app))
        before = screen_text(app).split("\n")[:8]

        await type_text(pilot, "/")
        await until(pilot, lambda: offered(app))

        assert screen_text(app).split("\n")[:8] == before


async def test_up_and_down_walk_through_earlier_prompts_and_keep_the_draft(tmp_path: Path):
    await written(tmp_path, "the first", "/todos open")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)
        await type_text(pilot, "draft")

        await pilot.press("up")
        assert app.prompt.text == "/todos open"
        await pilot.press("up")
        assert app.prompt.text == "the first"
        await pilot.press("down", "down")

        assert app.prompt.text == "draft"


async def test_what_was_written_elsewhere_comes_back_without_its_sequences(tmp_path: Path):
    await written(tmp_path, "a\x1b]0;title\x07b\x1b[2Jc\x9b31md")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)

        await pilot.press("up")

        assert app.prompt.text == "abc31md"


async def test_up_goes_through_the_lines_before_it_leaves_them(tmp_path: Path):
    await written(tmp_path, "the first")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)
        await pilot.press("a", "ctrl+j", "b")

        await pilot.press("up")
        assert app.prompt.text == "a\nb"
        await pilot.press("up")

        assert app.prompt.text == "the first"


async def test_an_earlier_prompt_is_found_by_letters_of_it(tmp_path: Path):
    await written(tmp_path, "paint the door", "water the roses", "feed the cat")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.past.texts)

        await pilot.press("ctrl+r")
        await until(pilot, lambda: "Earlier prompts" in screen_text(app))
        await type_text(pilot, "roses")
        await until(pilot, lambda: "feed the cat" not in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.prompt.text)

        assert app.prompt.text == "water the roses"


async def test_what_was_not_sent_is_there_at_the_next_start_and_gone_when_sent(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (_, pilot):
        await type_text(pilot, "half a sent")
    async with running(tmp_path, model=Scripted([said("well")])) as (app, pilot):
        await until(pilot, lambda: app.prompt.text == "half a sent")
        await type_text(pilot, "ence")
        await pilot.press("enter")
        await until(pilot, lambda: "well" in screen_text(app))
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        assert app.prompt.text == ""


async def test_a_line_end_in_a_fast_row_waits_for_keys_that_have_come_but_wait(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        waiting, looked = True, 0

        def more() -> bool:
            nonlocal looked
            looked += 1
            return waiting

        def come(key: str, character: str) -> None:
            event = Key(key, character)
            event.time = 1.0
            app.prompt.post_message(event)

        app.prompt.pour = Pour(more)
        for key, character in (("h", "h"), ("i", "i"), ("enter", "\r")):
            come(key, character)
        await until(pilot, lambda: looked > 3)
        come("x", "x")
        waiting = False

        await until(pilot, lambda: app.prompt.text == "hi\nx")
