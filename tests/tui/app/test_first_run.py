"""The very first start: a choice of models that comes by itself, once, and that any key skips."""

import asyncio
import tomllib
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from agent.models import keys
from tests.agent.openings import opening
from tests.provider.server import Provider
from tests.terminal import Terminal
from tests.tui.app.pilots import arriving, screen_text, setup_seen, type_text, until
from tests.tui.repl.conftest import WAKEFUL
from tui.app import WakefulApp
from tui.newcomer import is_new
from tui.prompting.drafts import Draft, keep
from tui.screens.rows import Rows
from tui.screens.setup import SetupScreen

ASKS = "Which model shall work for you?"
UNSET = "No model is chosen yet"


@asynccontextmanager
async def first(
    tmp_path: Path, variables: Mapping[str, str] | None = None, *, size: tuple[int, int] = (120, 40)
) -> AsyncGenerator[tuple[WakefulApp, Pilot[int]], None]:
    """With the choice on the screen."""
    environment = {**opening(tmp_path).environment, **(variables or {})}
    async with arriving(tmp_path, size=size, environment=environment) as (app, pilot):
        await until(pilot, lambda: setup_seen(app))
        yield app, pilot


def labels(app: WakefulApp) -> list[str]:
    return [row.label for row in app.screen.query_one(Rows).shown if row.value]


def chosen(app: WakefulApp) -> str:
    row = app.screen.query_one(Rows).row
    assert row is not None
    return row.label


async def settled(app: WakefulApp, pilot: Pilot[int]) -> None:
    """Nothing that the start set in motion is under way any more."""
    await until(pilot, lambda: app.stage and not app.stage._started)  # pyright: ignore[reportPrivateUsage]


async def test_it_says_what_wakeful_is_and_how_to_skip(tmp_path: Path):
    async with first(tmp_path) as (app, _):
        text = screen_text(app)

        assert "writes a plan, works through it, and stops when you say so" in text
        assert "esc skips" in text
        assert "any letter closes this and goes to the prompt" in text
        assert chosen(app) == "Try offline"
        assert UNSET not in text


@pytest.mark.parametrize("key", ["escape", "enter"])
async def test_offline_leaves_the_welcome_and_no_settings(tmp_path: Path, key: str):
    async with first(tmp_path) as (app, pilot):
        await pilot.press(key)
        await until(pilot, lambda: UNSET in screen_text(app))

        assert app.prompt.has_focus
        paths = opening(tmp_path).paths
        assert not paths.config.exists()
        assert not is_new(paths.state_folder)


@pytest.mark.parametrize("text", ["survey this", "/to", "é!"])
async def test_what_is_typed_skips_it_and_lands_in_the_prompt(tmp_path: Path, text: str):
    async with first(tmp_path) as (app, pilot):
        await type_text(pilot, text)
        await until(pilot, lambda: app.prompt.text == text)

        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert not is_new(opening(tmp_path).paths.state_folder)


async def test_the_key_for_help_is_a_key_too(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        await pilot.press("question_mark")

        await until(pilot, lambda: "changes it" in screen_text(app))
        assert app.prompt.text == ""


async def test_a_paste_skips_it_and_lands_in_the_prompt(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        app.post_message(events.Paste("one\ntwo"))

        await until(pilot, lambda: app.prompt.text == "one\ntwo")
        assert len(app.screen_stack) == 1


async def test_a_letter_that_was_under_way_as_it_opened_closes_it(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        app.prompt.insert("s")

        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert app.prompt.text == "s"


async def test_an_enter_from_before_it_was_seen_chooses_nothing(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        screen = app.screen
        early = events.Key("enter", "\r")
        early.time = 0.0
        app.post_message(early)
        await pilot.pause()

        assert app.screen is screen
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is not screen)


async def test_whoever_types_before_it_comes_is_not_asked(tmp_path: Path):
    async with arriving(tmp_path) as (app, pilot):
        await type_text(pilot, "survey")
        await until(pilot, lambda: UNSET in screen_text(app))
        await settled(app, pilot)

        assert len(app.screen_stack) == 1
        assert app.prompt.text == "survey"


async def test_whoever_left_something_unsent_is_not_asked(tmp_path: Path):
    plain = opening(tmp_path)
    keep(plain.paths.state_folder, plain.root, Draft("half a thought"), leaving=True)

    async with arriving(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.prompt.text == "half a thought")
        await until(pilot, lambda: UNSET in screen_text(app))
        await settled(app, pilot)

        assert len(app.screen_stack) == 1


async def test_the_only_model_of_a_server_on_this_machine_takes_one_key(tmp_path: Path):
    async with Provider(models=("qwen3",)) as server:
        variables = {"OLLAMA_HOST": f"127.0.0.1:{server.port}"}
        async with first(tmp_path, variables) as (app, pilot):
            await until(pilot, lambda: "on this machine: qwen3" in screen_text(app))
            while chosen(app) != "Ollama":
                await pilot.press("up")
            await pilot.press("enter")

            await until(pilot, lambda: "ollama/qwen3 answers, here and in new sessions" in screen_text(app))
            settings = tomllib.loads(opening(tmp_path).paths.config.read_text())
            assert settings == {"model": {"default": "ollama/qwen3"}}
            assert app.stage
            assert app.stage.opened.workshop.chosen.name == "ollama/qwen3"
            assert UNSET not in screen_text(app)
            assert "wakeful config set" not in screen_text(app)


async def test_a_server_that_answers_late_comes_in_and_moves_nobody(tmp_path: Path):
    """It answers when it is told to, which is after the list has opened."""
    asked, allowed = asyncio.Event(), asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await allowed.wait()
        writer.write(b'HTTP/1.0 200 OK\r\n\r\n{"models": [{"name": "late"}]}')
        writer.close()

    server = await asyncio.start_server(slow, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, first(tmp_path, {"OLLAMA_HOST": f"127.0.0.1:{port}"}) as (app, pilot):
        await asked.wait()
        assert "looking for model servers on this machine" in screen_text(app)
        await pilot.press("down", "down")
        before = chosen(app)
        allowed.set()
        await until(pilot, lambda: "on this machine: late" in screen_text(app))

        assert chosen(app) == before
        assert labels(app)[:2] == ["Ollama", "Try offline"]
        await until(pilot, lambda: "looking for model servers" not in screen_text(app))


async def test_a_provider_whose_key_is_there_is_the_first_row_and_takes_one_key(tmp_path: Path):
    async with first(tmp_path, {"OPENAI_API_KEY": "sk-1"}) as (app, pilot):
        assert chosen(app) == "OpenAI"
        assert "key found · " in screen_text(app)
        await pilot.press("enter")

        await until(pilot, lambda: "answers, here and in new sessions" in screen_text(app))
        assert app.stage
        assert app.stage.opened.workshop.chosen.name.startswith("openai/")


async def test_an_endpoint_of_ones_own_is_asked_which_models_it_has(tmp_path: Path):
    async with Provider(models=("mock", "mock-large")) as server:
        variables = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": server.url}
        async with first(tmp_path, variables) as (app, pilot):
            assert chosen(app) == "OpenAI"
            assert f"at 127.0.0.1:{server.port}" in screen_text(app)
            await pilot.press("enter")
            await until(pilot, lambda: "mock-large" in screen_text(app))
            models = [label for label in labels(app) if label != "Another key"]
            while chosen(app) != "mock-large":
                await pilot.press("down")
            await pilot.press("enter")

            await until(pilot, lambda: "answers, here and in new sessions" in screen_text(app))
            assert app.stage
            assert app.stage.opened.workshop.chosen.name == "openai/mock-large"
            assert models == ["mock", "mock-large"]


async def test_a_key_is_asked_for_and_escape_leads_back_step_by_step(tmp_path: Path):
    paths = opening(tmp_path).paths
    async with first(tmp_path) as (app, pilot):
        while chosen(app) != "Mistral":
            await pilot.press("down")
        await pilot.press("enter")
        await until(pilot, lambda: "Key for Mistral" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: ASKS in screen_text(app))
        assert chosen(app) == "Mistral"
        assert not paths.keys.exists()
        await pilot.press("enter")
        await until(pilot, lambda: "Key for Mistral" in screen_text(app))
        await type_text(pilot, "sk-123")
        await pilot.press("enter")
        await until(pilot, lambda: "Model of Mistral" in screen_text(app))
        await pilot.press("escape")

        await until(pilot, lambda: ASKS in screen_text(app))
        assert chosen(app) == labels(app)[0] == "Mistral"
        assert keys.read(paths.keys) == {"mistral": "sk-123"}
        assert is_new(paths.state_folder)


async def test_a_click_on_a_row_chooses_it(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        rows = app.screen.query_one(Rows)
        at = [row.label for row in rows.shown].index("Groq")
        await pilot.click(rows, offset=(5, at))

        await until(pilot, lambda: "Key for Groq" in screen_text(app))


async def test_it_is_never_shown_again(tmp_path: Path):
    async with first(tmp_path) as (app, pilot):
        await pilot.press("escape")
        await until(pilot, lambda: UNSET in screen_text(app))

    async with arriving(tmp_path) as (app, pilot):
        await until(pilot, lambda: UNSET in screen_text(app))
        await settled(app, pilot)
        assert len(app.screen_stack) == 1


async def test_whoever_leaves_without_an_answer_is_asked_again(tmp_path: Path):
    async with first(tmp_path) as (_, pilot):
        await pilot.press("ctrl+d")

    async with first(tmp_path) as (app, _):
        assert isinstance(app.screen, SetupScreen)


@pytest.mark.parametrize("named", ["setting", "variable", "option", "continued"])
async def test_whoever_named_a_model_or_continues_is_not_asked(tmp_path: Path, named: str):
    plain = opening(tmp_path)
    changes: dict[str, object] = {}
    match named:
        case "setting":
            plain.paths.config.parent.mkdir(parents=True)
            plain.paths.config.write_text('[model]\ndefault = "offline"\n')
        case "variable":
            changes = {"environment": {**plain.environment, "WAKEFUL_MODEL_DEFAULT": "offline"}}
        case "option":
            changes = {"model_name": "offline"}
        case _:
            changes = {"proceed": "newest"}

    async with arriving(tmp_path, size=(120, 40), theme="wakeful", **changes) as (app, pilot):
        await until(pilot, lambda: "stops when you say so" in screen_text(app))
        await settled(app, pilot)

        assert len(app.screen_stack) == 1


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (24, 6), (12, 3)])
async def test_it_fits_any_window_and_can_be_left_in_it(tmp_path: Path, size: tuple[int, int]):
    async with arriving(tmp_path, size=size) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("down", "pagedown", "up")
        region = app.screen.query_one("#picker").region
        assert region.right <= size[0]
        assert region.bottom <= max(size[1], 3)

        await pilot.press("x")
        await until(pilot, lambda: app.prompt.text == "x")


@pytest.mark.parametrize("when", ["at once", "as it is drawn", "when it stands"])
def test_no_key_of_a_first_start_is_lost(project: Path, environment: dict[str, str], when: str):
    """On a real terminal, whichever of prompt, app and choice is there as they come."""
    text = "survey this project, and say what it is for"
    with Terminal([WAKEFUL], env=environment, cwd=project, columns=120, rows=40) as terminal:
        if when == "as it is drawn":
            terminal.wait_for("nothing open", on_screen=True)
        elif when == "when it stands":
            terminal.wait_for("just type", on_screen=True)
        for letter in text:
            terminal.type(letter)
            terminal.settle(0.01)

        terminal.wait_for(f"▌ {text}\n", on_screen=True)
        terminal.wait_for("just type", gone=True)


def test_a_line_that_comes_in_one_piece_is_sent_from_behind_the_choice(
    project: Path, environment: dict[str, str]
):
    with Terminal([WAKEFUL], env=environment, cwd=project, columns=120, rows=40) as terminal:
        terminal.wait_for("just type", on_screen=True)
        terminal.type("survey this project\r")

        terminal.wait_for("(?s)Survey of this project.*all done", on_screen=True)


def test_a_key_pasted_right_behind_its_row_is_asked_for_first(project: Path, environment: dict[str, str]):
    """It must not be seen in the prompt."""
    with Terminal([WAKEFUL], env=environment, cwd=project, columns=120, rows=40) as terminal:
        terminal.wait_for("just type", on_screen=True)
        terminal.settle(0.3)
        terminal.type("\x1b[B\r\x1b[200~sk-secret\x1b[201~")

        terminal.wait_for("(?s)Key for Anthropic.*•••••••••", on_screen=True)
        assert "sk-secret" not in terminal.text
