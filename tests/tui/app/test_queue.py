"""Messages typed while the agent works."""

import asyncio
from pathlib import Path

from textual.pilot import Pilot

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.widgets.queue import QueueView


async def say(pilot: Pilot[int], text: str, key: str = "enter") -> None:
    await type_text(pilot, text)
    await pilot.press(key)


async def busy(app: WakefulApp, pilot: Pilot[int]) -> None:
    await say(pilot, "begin")
    await until(pilot, lambda: app.stage and app.stage.session.busy)


async def queue(app: WakefulApp, pilot: Pilot[int], *texts: str) -> None:
    for count, text in enumerate(texts, 1):
        await say(pilot, text)
        await until(pilot, lambda count=count: app.stage and len(app.stage.session.inbox) == count)


async def test_a_long_message_that_waits_ends_at_the_margin(tmp_path: Path):
    model = Scripted([(asyncio.Event(), *said("one"))])
    async with running(tmp_path, model=model, size=(80, 24)) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "word " * 30)
        await until(pilot, lambda: "queued  word" in screen_text(app))

        (row,) = [line for line in screen_text(app).split("\n") if "queued  word" in line]
        assert len(row.rstrip()) == 78


async def test_what_is_typed_meanwhile_waits_in_sight_and_is_sent_in_order(tmp_path: Path):
    gate = asyncio.Event()
    model = Scripted([(gate, *said("one")), said("two"), said("three")])
    async with running(tmp_path, model=model) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "next", "last")
        await until(pilot, lambda: "queued  last" in screen_text(app))
        assert "queued  next" in screen_text(app)

        gate.set()
        await until(pilot, lambda: "three" in screen_text(app))

        assert "queued" not in screen_text(app)
        said_by_user = [each.get("content") for each in model.requests[-1].messages if each["role"] == "user"]
        assert said_by_user[-2:] == ["next", "last"]


async def test_a_message_that_is_taken_at_once_never_stands_in_the_queue(tmp_path: Path):
    async with running(tmp_path, model=Scripted([said("one")])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert app.stage
        app.stage.session.inbox.add("begin")

        app.stage.refresh()

        assert not app.query_one(QueueView).display


async def test_up_in_an_empty_prompt_takes_the_newest_back(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "next", "last")

        await pilot.press("up")
        await until(pilot, lambda: app.prompt.text == "last")

        assert app.stage
        assert app.stage.session.queued == ("next",)


async def test_up_takes_the_others_back_too_and_none_a_second_time_from_the_earlier_prompts(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "next", "last")
        await type_text(pilot, "now")

        await pilot.press("up")
        await until(pilot, lambda: app.prompt.text == "last\n\nnow")
        await pilot.press("up", "up", "up")
        await until(pilot, lambda: app.prompt.text == "next\n\nlast\n\nnow")

        assert app.stage
        assert app.stage.session.queued == ()


async def test_the_key_that_takes_back_is_named_while_nothing_is_typed(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "next")
        await until(pilot, lambda: "up edits  alt+q all" in screen_text(app))

        await type_text(pilot, "x")
        await until(pilot, lambda: "up edits" not in screen_text(app))
        assert "alt+q all" in screen_text(app)
        await pilot.press("backspace")

        await until(pilot, lambda: "up edits  alt+q all" in screen_text(app))


async def test_messages_are_dropped_and_reordered_in_a_list(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "alpha", "beta", "gamma")
        assert app.stage
        session = app.stage.session

        await pilot.press("alt+q")
        await until(pilot, lambda: "Waiting for the agent" in screen_text(app))
        assert "enter edits  esc closes" in screen_text(app)
        await pilot.press("down", "shift+up")
        assert session.queued == ("beta", "alpha", "gamma")
        await pilot.press("down", "ctrl+x")
        assert session.queued == ("beta", "gamma")
        await pilot.press("enter")
        await until(pilot, lambda: app.prompt.text)

        assert len(session.queued) == 1


async def test_what_was_not_taken_by_the_agent_is_there_at_the_next_start(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)
        await queue(app, pilot, "unsent")
        await type_text(pilot, "and half")
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.prompt.text)

        assert app.prompt.text == "unsent\n\nand half"


async def test_text_is_put_on_the_list_instead(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await busy(app, pilot)

        await say(pilot, "water the roses", "alt+a")
        await until(pilot, lambda: app.stage and app.stage.session.agenda.todos)

        assert app.stage
        assert [todo.title for todo in app.stage.session.agenda.todos] == ["water the roses"]
        assert app.stage.session.queued == ()


async def test_ctrl_s_steers_the_running_turn(tmp_path: Path):
    gate = asyncio.Event()
    model = Scripted([(gate, *said("", ("todo_list", {}))), said("two")])
    async with running(tmp_path, model=model) as (app, pilot):
        await busy(app, pilot)
        await say(pilot, "left, please", "ctrl+s")
        await until(pilot, lambda: "steers  left, please" in screen_text(app))

        gate.set()
        await until(pilot, lambda: "two" in screen_text(app))

        assert "left, please" in str(model.requests[1].messages)
