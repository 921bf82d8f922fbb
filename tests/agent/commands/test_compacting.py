"""`/compact` as somebody types it."""

import asyncio
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import Confirm, Text
from agent.context.pages import page
from agent.events import ContextCompacted, Event
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from store import messages
from tests.agent.commands.desk import Desk, desk
from tests.agent.context.jobs import Job, files, is_wish


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    """Attended, with three files read."""
    async with desk(tmp_path, Job(steps=3).model, attended=True, max_wakes=0) as opened:
        files(tmp_path / "project", 3, 6_000)
        yield opened


async def worked(typing: Desk) -> None:
    await typing.stage.ask("read them, then wait")


def sent(typing: Desk) -> str:
    return str(typing.stage.model.requests[-1].messages)


async def test_what_would_happen_is_shown_first_with_sizes(typing: Desk) -> None:
    await worked(typing)
    await typing.context.opened.workshop.service.add(USER, [Draft("write the docs")])

    shown = await typing.type("/compact the error messages")

    assert isinstance(shown, Confirm)
    assert shown.line == "/compact now the error messages"
    for words in (
        "goes in     5 messages with 3 tool results, ",
        "asked       read them, then wait",
        " tokens  read 2.txt",
        "stays       1 open todo, word for word",
        "care for    the error messages",
        "written by  scripted",
        "/compact undo takes it back",
    ):
        assert words in shown.detail
    assert not any(is_wish(request) for request in typing.stage.model.requests)
    sizes = re.search(r"now +([\d,]+) tokens .*\nafterwards +~([\d,]+) tokens", shown.detail)
    assert sizes
    before, after = (int(size.replace(",", "")) for size in sizes.groups())
    assert after < before * 0.6


async def test_a_summary_takes_the_place_of_what_was_said_and_can_be_taken_back(typing: Desk) -> None:
    await worked(typing)
    session = typing.context.opened.session
    before = session.context.prompt()

    done = await typing.read("/compact now the error messages")
    wish = typing.stage.model.requests[-1]
    short = session.context.prompt()
    back = await typing.read("/compact undo")

    assert done.startswith("compacted: ")
    assert "The user asks you to keep with special care: the error messages" in str(wish.messages[-1])
    assert [each["role"] for each in short] == ["system", "user"]
    assert "THE SUMMARY" in str(short[1])
    assert back.startswith("the summary is taken back: ")
    assert session.context.prompt() == before


async def test_the_next_message_is_sent_behind_the_summary_without_a_word_to_go_on(typing: Desk) -> None:
    await worked(typing)
    await typing.type("/compact now")

    await typing.stage.ask("and now?")

    conversation = [str(each.get("content")) for each in typing.stage.model.requests[-4].messages]
    assert "THE SUMMARY" in conversation[1]
    assert conversation[-1] == "and now?"
    assert page("continue") not in conversation


async def test_everything_that_was_said_stays_stored(typing: Desk) -> None:
    await worked(typing)
    opened = typing.context.opened
    before = await opened.store.read(messages.load, opened.session.id)

    await typing.type("/compact now")

    assert (await opened.store.read(messages.load, opened.session.id))[: len(before)] == before


async def test_undo_goes_back_one_summary_at_a_time(typing: Desk) -> None:
    await worked(typing)
    await typing.type("/compact now")
    await worked(typing)
    await typing.type("/compact now")
    keeper = typing.context.opened.session.context

    await typing.type("/compact undo")
    once = keeper.prompt()
    await typing.type("/compact undo")

    assert "THE SUMMARY" in str(once[1])
    assert "THE SUMMARY" not in str(keeper.prompt())
    with pytest.raises(CommandError, match="nothing was compacted"):
        await typing.type("/compact undo")


async def test_an_empty_conversation_is_refused(typing: Desk) -> None:
    for line in ("/compact", "/compact now"):
        with pytest.raises(CommandError, match="nothing to summarise"):
            await typing.type(line)


async def test_what_is_a_summary_already_is_not_summarised_again(typing: Desk) -> None:
    await worked(typing)
    await typing.type("/compact now")

    with pytest.raises(CommandError, match="nothing to summarise"):
        await typing.type("/compact")


async def test_a_money_cap_holds(tmp_path: Path) -> None:
    model = Job(steps=0).model
    async with desk(tmp_path, model, model_name="openai/gpt-4o", attended=True, max_cost=0.001) as typing:
        await typing.stage.ask("hello")

        with pytest.raises(CommandError, match="raise the cap with /budget"):
            await typing.type("/compact now")


async def test_nobody_there_means_no_question(tmp_path: Path) -> None:
    async with desk(tmp_path, Job(steps=0).model) as typing:
        await typing.stage.ask("hello")

        assert isinstance(await typing.type("/compact"), Text)


async def test_while_a_turn_runs_it_happens_before_the_next_request(tmp_path: Path) -> None:
    job = Job(steps=3)
    inside, go_on = asyncio.Event(), asyncio.Event()

    def answer(request: Request) -> Answer:
        first = not job.requests
        answered = job.answer(request)
        if first:
            inside.set()
            return (go_on, *answered)
        return answered

    async with desk(tmp_path, Scripted(answer)) as typing:
        files(tmp_path / "project", 3, 3_000)
        async with asyncio.TaskGroup() as group:
            group.create_task(typing.stage.ask("read them"))
            await inside.wait()
            told = await typing.read("/compact now")
            go_on.set()

    assert "before the next request" in told
    assert len(job.wishes) == 1
    assert "THE SUMMARY" in str(job.requests[1].messages[1])
    assert job.requests[1].messages[-1].get("content") == page("continue")


async def test_an_interrupt_stops_it_and_changes_nothing(tmp_path: Path) -> None:
    forever, asked = asyncio.Event(), asyncio.Event()

    def answer(request: Request) -> Answer:
        if is_wish(request):
            asked.set()
            return (forever,)
        return said("hello")

    async with desk(tmp_path, Scripted(answer)) as typing:
        await typing.stage.ask("hello")
        session = typing.context.opened.session
        before = session.context.prompt()
        compacting = asyncio.create_task(typing.type("/compact"))
        await asked.wait()
        await session.interrupt()
        with pytest.raises(CommandError, match="the compaction was stopped"):
            await compacting

        assert session.context.prompt() == before
        assert (await typing.stage.ask("go on")).text == "hello"


async def test_what_is_said_meanwhile_is_not_lost(tmp_path: Path) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    def answer(request: Request) -> Answer:
        if is_wish(request):
            asked.set()
            return (go_on, *said("THE SUMMARY"))
        return said("hello")

    async with desk(tmp_path, Scripted(answer)) as typing:
        await typing.stage.ask("hello")
        async with asyncio.TaskGroup() as group:
            group.create_task(typing.type("/compact"))
            await asked.wait()
            asking = group.create_task(typing.stage.ask("said meanwhile"))
            await asyncio.sleep(0.05)
            go_on.set()
        last = [str(each.get("content")) for each in typing.stage.model.requests[-1].messages]

    assert asking.result().text == "hello"
    assert "THE SUMMARY" in last[1]
    assert "said meanwhile" in last
    assert "hello" not in last


async def test_the_event_tells_every_door(typing: Desk) -> None:
    await worked(typing)
    session = typing.context.opened.session
    heard: list[Event] = []
    with session.subscribe() as events:
        await typing.type("/compact now")
        await typing.type("/compact undo")
        events.push(None)
        heard = [event async for event in events]

    done, undone = (event for event in heard if isinstance(event, ContextCompacted))
    assert done.after < done.before
    assert (undone.undone, undone.after, undone.before) == (True, done.before, done.after)
    assert done.context_limit == session.context.limit


async def test_status_tells_how_full_the_context_is(typing: Desk) -> None:
    await worked(typing)

    assert " of 32,000 tokens (" in await typing.read("/status")
