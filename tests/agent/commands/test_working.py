import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.builtin import context_for
from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.results import Copy, Option, Picker
from agent.commands.text import as_text
from agent.events import Event
from agent.models.scripted import Scripted, said
from agent.opening import open_session
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from store import sessions
from store.records import Session
from tests.agent.commands.desk import Desk, desk
from tests.agent.openings import opening


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    async with desk(tmp_path) as opened:
        yield opened


async def record(typing: Desk) -> Session:
    return await typing.context.opened.store.read(sessions.get, typing.context.opened.session.id)


async def test_hold_keeps_open_work_waiting_until_wake(tmp_path: Path) -> None:
    model = Scripted([said("", ("todo_complete", {"id": 1})), said("done")])
    async with desk(tmp_path, model) as typing:
        session = typing.context.opened.session
        await session.agenda.service.add(USER, [Draft("one")])
        await typing.type("/hold")
        outcome = await session.run(until_idle=True)
        held = await record(typing)

        assert (outcome.reason, held.held_at is not None, model.requests) == ("held · 1 open", True, [])
        assert await typing.read("/wake") == "awake · 1 open"
        assert (await session.run(until_idle=True)).state == "dormant"
        assert len(model.requests) == 2


async def test_hold_lets_the_running_turn_end(tmp_path: Path) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()
    model = Scripted([[go_on, *said("finished")]])
    async with desk(tmp_path, model) as typing:
        session = typing.context.opened.session
        await session.agenda.service.add(USER, [Draft("one")])
        await session.send("go")
        with session.subscribe() as events:

            async def watch() -> None:
                async for event in events:
                    if event.kind == "step.started":
                        reached.set()

            watching = asyncio.create_task(watch())
            running = asyncio.create_task(session.run(until_idle=True))
            await reached.wait()
            await typing.type("/hold")
            go_on.set()
            outcome = await running
            watching.cancel()
            await asyncio.wait([watching])

    assert (outcome.text, outcome.ending, outcome.reason) == ("finished", "done", "held · 1 open")


async def test_wake_with_nothing_to_do_says_so(typing: Desk) -> None:
    assert await typing.read("/wake") == "awake · nothing is open; type what to do"


async def test_wake_says_why_nothing_wakes(typing: Desk) -> None:
    await typing.type("/todo add ship it")
    await typing.type("/todo block 1 no key")

    assert (await typing.read("/wake")).startswith("idle: #1 is blocked (no key) · 1 open")


async def test_the_budget_is_set_shown_and_lifted(typing: Desk) -> None:
    session = typing.context.opened.session

    assert "no cap; /budget AMOUNT sets a cap" in await typing.read("/budget")
    shown = await typing.read("/budget $2.50")
    assert shown.startswith("$0.0000 of $2.50 spent; the price of scripted is unknown")
    assert ((await record(typing)).max_cost, session.limits.max_cost, session.agenda.limits.max_cost) == (
        2.5,
        2.5,
        2.5,
    )
    await typing.type("/budget none")
    assert ((await record(typing)).max_cost, session.limits.max_cost) == (None, None)
    assert await typing.offered("/budget n") == ["none"]


@pytest.mark.parametrize("amount", ["lots", "nan", "inf"])
async def test_a_budget_that_is_no_amount_is_refused(typing: Desk, amount: str) -> None:
    with pytest.raises(CommandError, match=rf"'{amount}' is not AMOUNT or none; write /budget"):
        await typing.type(f"/budget {amount}")


@pytest.mark.parametrize("amount", ["-1", "0", "$0"])
async def test_a_budget_of_nothing_is_told_what_lifts_one(typing: Desk, amount: str) -> None:
    with pytest.raises(CommandError, match="a cap is above 0; /budget none lifts it"):
        await typing.type(f"/budget {amount}")


CONFIG = """
[model]
default = "near/small"
[providers.near]
base_url = "http://127.0.0.1:9/v1"
models = ["small", "large"]
"""


async def test_models_are_offered_and_switched(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(CONFIG)
    async with desk(tmp_path) as typing:
        picker = await typing.type("/model")
        assert picker == Picker(
            "Model for the next turn",
            (
                Option("/model near/small", "near/small", current=True),
                Option("/model near/large", "near/large"),
                Option("/model offline", "offline", "built in, no LLM"),
            ),
            stem="/model ",
        )
        assert await typing.offered("/model larg") == ["near/large"]

        assert (await typing.read("/model near/large")).startswith("near/large answers from the next turn on")
        assert typing.context.opened.model_name == "near/large"
        assert (await record(typing)).model == "near/large"


async def test_what_is_known_of_a_model_is_not_called_unknown(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(CONFIG.replace("[model]", "[model]\ncontext = 8000"))
    async with open_session(opening(tmp_path, model_name="near/small")) as opened:
        context = context_for(opened)

        assert as_text(await execute(context, "/model offline")) == "offline answers from the next turn on"
        assert "its context" not in as_text(await execute(context, "/model near/large"))


async def test_a_model_without_a_key_is_refused_with_what_to_do(tmp_path: Path) -> None:
    async with open_session(opening(tmp_path, model_name="offline")) as opened:
        with pytest.raises(CommandError, match="no key for openai; set OPENAI_API_KEY or run"):
            await execute(context_for(opened), "/model openai/gpt-4o")

        assert (opened.model_name, opened.workshop.chosen.name) == ("offline", "offline")


async def test_models_of_a_provider_with_a_key_are_offered(tmp_path: Path) -> None:
    environment = {"WAKEFUL_HOME": str(tmp_path / "home"), "OPENAI_API_KEY": "sk-none", "PATH": "/usr/bin"}
    async with desk(tmp_path, environment=environment) as typing:
        assert "openai/gpt-4o" in await typing.offered("/model gpt-4o")
        assert not [each for each in await typing.offered("/model gpt") if each.startswith("anthropic/")]


async def test_agents_are_offered_and_switched(typing: Desk) -> None:
    picker = await typing.type("/agent")
    assert isinstance(picker, Picker)
    assert [(each.label, each.current) for each in picker.options] == [("build", True), ("plan", False)]
    assert await typing.offered("/agent pl") == ["plan"]

    assert await typing.read("/agent plan") == "plan works from the next turn on, with scripted"

    assert (await record(typing)).agent == "plan"
    assert typing.context.opened.gate.policy.mode == "plan"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/agent pln", "no agent named 'pln'; did you mean plan?"),
        ("/agent explore", "explore works for other agents only; there are: build, plan"),
    ],
)
async def test_an_agent_that_cannot_work_here_is_refused(typing: Desk, line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert str(refused.value) == complaint


async def test_cost_and_status_show_what_was_used(tmp_path: Path) -> None:
    async with desk(tmp_path, Scripted([said("hello")])) as typing:
        await typing.stage.ask("hi there")
        cost = dict(row.split(maxsplit=1) for row in (await typing.read("/cost")).splitlines()[:-1])
        status = await typing.read("/status")

    assert (cost["input"], cost["output"]) == ("100 tokens", "10 tokens")
    for expected in ("hi there", "dormant: nothing open", "0/25", "scripted", "build", "ask", "not trusted"):
        assert expected in status


async def test_the_status_is_decided_anew_between_turns(typing: Desk) -> None:
    await typing.type("/todo add one")
    assert "state        idle: 1 open · Enter or /wake to start" in await typing.read("/status")
    await typing.type("/wake")
    assert "state        about to wake (1/25)" in await typing.read("/status")

    await typing.type("/hold")
    assert "state        idle: held · 1 open · Enter or /wake to continue" in await typing.read("/status")


async def test_the_status_after_a_failed_turn_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path, Scripted([said("", ("todo_add", {"title": "one"}))])) as typing:
        outcome = await typing.stage.ask("plan")

        status = await typing.read("/status")

    assert outcome.ending == "failed"
    assert f"state        idle: {outcome.reason} · Enter or /wake to try again" in status


async def test_the_cost_of_each_todo_is_shown(typing: Desk) -> None:
    service = typing.context.opened.session.agenda.service
    await service.add(USER, [Draft("one"), Draft("two")])
    await service.spend(1, tokens=1234, cost=0.5, calls=3, milliseconds=65_000)

    shown = await typing.read("/cost")

    assert "#1 one       1 min, 1,234 tokens, $0.5000, 3 calls" in shown
    assert "#2" not in shown


REPLY = "Look:\n\n```python\nprint(1)\n```\n\nand\n\n~~~\nls\n~~~\n"


async def test_replies_code_and_the_plan_are_copied(tmp_path: Path) -> None:
    async with desk(tmp_path, Scripted([said("first"), said(REPLY)])) as typing:
        await typing.stage.ask("one")
        await typing.stage.ask("two")
        await typing.type("/todo add ship")

        assert await typing.type("/copy") == Copy(REPLY, "the last reply")
        assert await typing.type("/copy 2") == Copy("first", "reply 2 from the end")
        assert await typing.type("/copy code") == Copy("ls\n", "the last block of code")
        assert await typing.type("/copy todos") == Copy("- [ ] ship\n", "the plan")
        assert await typing.offered("/copy co") == ["code"]
        with pytest.raises(CommandError, match="there is no reply 3; there are 2 replies"):
            await typing.type("/copy 3")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/copy", "there is no reply 1; nothing was said yet"),
        ("/copy todos", "there is no plan to copy; /todo add TITLE makes a start"),
        ("/copy code", "no reply has a block of code; /copy takes the whole reply"),
        ("/copy 0", "'0' is not code, todos or NUMBER"),
        ("/copy that", "'that' is not code, todos or NUMBER"),
    ],
)
async def test_what_cannot_be_copied_is_said(typing: Desk, line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert complaint in str(refused.value)


async def test_a_command_in_the_users_folder_is_a_prompt(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "commands"
    folder.mkdir(parents=True)
    (folder / "review.md").write_text("---\ndescription: Look at a file\n---\nReview $ARGUMENTS with care.\n")
    (folder / "plain.md").write_text("# Tidy up\nDo it.")
    (folder / "quit.md").write_text("Never.")
    (folder / "not a name.md").write_text("x")
    async with desk(tmp_path) as typing:
        assert await typing.read("/review a.py and b.py") == "Review a.py and b.py with care."
        assert await typing.offered("/revi") == ["/review"]
        assert "/review [ARGUMENTS]" in await typing.read("/help")
        assert "Look at a file" in await typing.read("/help review")
        assert "Tidy up" in await typing.read("/help plain")
        assert await typing.read("/quit") == ""
        with pytest.raises(CommandError, match="/plain does not know what to do with 'now'"):
            await typing.type("/plain now")


async def test_models_of_the_project_are_shown_before_they_are_agreed_to(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".wakeful"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("model.small = 'vllm/theirs'\n")
    async with desk(tmp_path) as typing:
        assert "no model that you have not agreed to" in await typing.read("/trust models")
        await typing.type("/trust yes")
    async with desk(tmp_path) as typing:
        assert "model.small = vllm/theirs" in await typing.read("/trust models")
        # What was shown is what is agreed to, whatever the file says meanwhile.
        (folder / "config.toml").write_text("model.small = 'vllm/other'\n")
        await typing.type("/trust models yes")
        assert "allow project-setting model.small = vllm/theirs" in await typing.read("/permissions")
    async with desk(tmp_path) as typing:
        assert typing.context.opened.wishes == ("model.small = vllm/other",)


async def test_a_command_behind_a_link_out_of_the_project_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".wakeful" / "commands"
    folder.mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("the secret")
    (folder / "leak.md").symlink_to(tmp_path / "secret.txt")
    async with desk(tmp_path) as typing:
        await typing.type("/trust yes")
    async with desk(tmp_path) as typing:
        with pytest.raises(CommandError, match="no command /leak"):
            await typing.type("/leak")


async def test_a_command_of_the_project_waits_for_trust(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".wakeful" / "commands"
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text("Deploy it.")
    async with desk(tmp_path) as typing:
        with pytest.raises(CommandError, match="no command /deploy"):
            await typing.type("/deploy")
        await typing.type("/trust yes")
    async with desk(tmp_path) as typing:
        assert await typing.read("/deploy") == "Deploy it."


async def test_a_change_of_the_list_lets_the_session_decide_anew(tmp_path: Path) -> None:
    planning = Scripted([said("", ("todo_add", {"title": "one"})), said("Planned.")])
    async with desk(tmp_path, model=planning, attended=True, assignments=("wake.countdown=1000",)) as typing:
        session = typing.context.opened.session
        countdowns: asyncio.Queue[Event] = asyncio.Queue()
        with session.subscribe() as events:

            async def watch() -> None:
                async for event in events:
                    if event.kind == "wake.countdown":
                        countdowns.put_nowait(event)

            tasks = [asyncio.create_task(watch()), asyncio.create_task(session.run())]
            await session.send("plan it")
            await countdowns.get()
            await typing.type("/todo add two")
            again = await countdowns.get()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    assert again.kind == "wake.countdown"
