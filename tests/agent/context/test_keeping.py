"""Whole sessions whose conversation outgrows the model."""

import asyncio
import json
from pathlib import Path

import pytest

from agent.context.pages import page
from agent.events import (
    ContextCompacted,
    ContextPruned,
    Failed,
    Notice,
    ToolFinished,
    UsageUpdated,
)
from agent.models.protocol import ContextOverflowError, Request, TransientError
from agent.models.scripted import Answer, Scripted, said
from agent.opening import open_session
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from store import messages, sessions
from store.records import Usage
from tests.agent.context.jobs import CONTEXT, SMALL, Job, files, is_wish, length
from tests.agent.openings import Stage, opening, stage
from tests.provider.strict import complaint


def compactions(scene: Stage) -> list[ContextCompacted]:
    return [event for event in scene.events if isinstance(event, ContextCompacted)]


def prunings(scene: Stage) -> list[ContextPruned]:
    return [event for event in scene.events if isinstance(event, ContextPruned)]


def all_valid(model: Scripted) -> bool:
    return not any(complaint({"messages": list(request.messages)}) for request in model.requests)


async def test_old_outputs_leave_the_prompt_first_and_stay_in_the_session(tmp_path: Path):
    job = Job(steps=8)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 8, 8_000)
        await scene.ask("read them all")
        stored = await scene.opened.store.read(messages.load, scene.opened.session.id)

    assert prunings(scene)
    assert not compactions(scene)
    assert max(map(length, job.requests)) < CONTEXT
    outputs = [part.output or "" for each in stored for part in each.parts if part.kind == "tool"]
    assert all(f"file {number} xxx" in output for number, output in enumerate(outputs))
    assert all_valid(job.model)
    (event, *_) = prunings(scene)
    assert (event.parts > 0, event.tokens > 1_000, event.context < CONTEXT) == (True, True, True)
    assert event.context_limit == CONTEXT


async def test_requests_keep_their_bytes_except_where_something_was_left_out(tmp_path: Path):
    job = Job(steps=8)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 8, 8_000)
        await scene.ask("read them all")

    broken = [
        later.messages[: len(earlier.messages)] != earlier.messages
        for earlier, later in zip(job.requests, job.requests[1:], strict=False)
    ]
    assert 0 < sum(broken) == len(prunings(scene))
    assert all(request.tools == job.requests[0].tools for request in job.requests)


async def test_a_full_context_is_summarised_and_the_work_goes_on(tmp_path: Path):
    job = Job(steps=12, talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL, max_wakes=0) as scene:
        files(tmp_path / "project", 12, 3_000)
        service = scene.opened.session.agenda.service
        await service.add(USER, [Draft("write the docs"), Draft("blocked one", status="in_progress")])
        await scene.opened.workshop.artifacts.create(USER, "Auth plan", "plan", "1. design")
        outcome = await scene.ask("read them all")

    assert outcome.text == "all read"
    assert len([event for event in scene.events if isinstance(event, ToolFinished)]) == 12
    done = compactions(scene)
    assert len(done) == len(job.wishes) > 0
    assert all(event.after < event.before < CONTEXT for event in done)
    assert all(event.automatic and not event.local for event in done)
    assert max(map(length, job.model.requests)) < CONTEXT
    assert all_valid(job.model)
    after = job.requests[job.model.requests.index(job.wishes[0])].messages
    contents = [str(each.get("content")) for each in after]
    assert "THE SUMMARY" in contents[1]
    carried = next(each for each in contents if "Auth plan" in each)
    assert "[pending] write the docs" in carried
    assert "[in_progress] blocked one" in carried
    assert contents[-1] == page("continue")


async def test_the_wish_comes_behind_the_conversation_so_that_the_cache_serves(tmp_path: Path):
    job = Job(steps=30, talk=1_500)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 30, 1_000)
        await scene.ask("read them all")

    wish = job.wishes[0]
    before = job.model.requests[job.model.requests.index(wish) - 1]
    shared = len(wish.messages) - 1
    assert wish.messages[:shared] == before.messages[:shared]
    assert shared > len(before.messages) // 2
    assert wish.tools == before.tools


async def test_what_a_summary_costs_is_counted(tmp_path: Path):
    job = Job(steps=12, talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        await scene.ask("read them all")
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    told = [event.usage for event in scene.events if isinstance(event, UsageUpdated)]
    assert record.usage == sum(told, Usage())
    assert len(told) == len(job.model.requests)


async def test_a_session_that_is_opened_again_sends_the_same_bytes(tmp_path: Path):
    job = Job(steps=12, talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        await scene.ask("read them all")
        before = scene.opened.session.context.prompt()
    async with stage(tmp_path, job.model, assignments=SMALL, proceed="newest") as scene:
        await scene.opened.session.journal.read_all()

        assert scene.opened.session.context.prompt() == before


async def test_a_provider_that_finds_it_too_long_is_believed(tmp_path: Path):
    limit = 9_000

    def refused(request: Request) -> bool:
        return length(request) > limit

    job = Job(steps=10, talk=2_000)

    def answer(request: Request) -> Answer:
        return [ContextOverflowError("too long for me")] if refused(request) else job.answer(request)

    model = Scripted(answer)
    # What the table says is far more than this provider takes.
    async with stage(tmp_path, model, assignments=("model.context=200000",)) as scene:
        files(tmp_path / "project", 10, 3_000)
        outcome = await scene.ask("read them all")

    assert outcome.text == "all read"
    assert prunings(scene) or compactions(scene)
    assert all_valid(model)
    assert sum(map(refused, model.requests)) <= 4


async def test_a_summary_that_nobody_writes_is_put_together_from_the_record(tmp_path: Path):
    job = Job(steps=12, wish=lambda _: [ContextOverflowError("too long even for that")], talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        outcome = await scene.ask("read them all, please")

    assert outcome.text == "all read"
    done = compactions(scene)
    assert done
    assert all(event.local for event in done)
    assert len(job.wishes) == 2 * len(done)
    assert length(job.wishes[1]) < length(job.wishes[0])
    assert "[truncated to fit context window]" in str(job.wishes[1].messages)
    assert any("read them all, please" in str(request.messages[1]) for request in job.requests)
    warnings = [
        event.text for event in scene.events if isinstance(event, Notice) and event.level == "warning"
    ]
    assert any("too long even for that" in text for text in warnings)


async def test_a_provider_that_refuses_everything_ends_the_turn_with_its_words(tmp_path: Path):
    model = Scripted(lambda _: [ContextOverflowError("too long for me")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("hello")
        again = await scene.ask("x" * 60_000)

    assert (outcome.ending, again.ending) == ("failed", "failed")
    failed = [event for event in scene.events if isinstance(event, Failed)]
    assert [event.code for event in failed] == ["context_overflow"] * 2
    assert len(model.requests) < 8


async def test_a_message_that_can_never_fit_is_not_sent_and_the_next_one_is(tmp_path: Path):
    job = Job(steps=0)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        outcome = await scene.ask("y" * 80_000)
        sent = len(job.model.requests)
        again = await scene.ask("and now something short")

    assert (outcome.ending, sent) == ("failed", 0)
    assert "too long for scripted" in (outcome.error or "")
    assert again.text == "all read"
    assert max(map(length, job.model.requests)) < CONTEXT
    assert all_valid(job.model)


async def test_a_wavering_provider_gets_a_second_chance_for_the_summary(tmp_path: Path):
    answers = iter([[TransientError("hiccup", wait=0.01)]])
    job = Job(steps=12, wish=lambda _: next(answers, said("SECOND")), talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        await scene.ask("read them all")

    assert not any(event.local for event in compactions(scene))
    assert "SECOND" in str(job.requests[-1].messages[1])


async def test_a_cheaper_model_writes_the_summary_and_the_other_helps_out(tmp_path: Path):
    job = Job(
        steps=12,
        wish=lambda request: said("" if request.model == "ollama/tiny" else "BY THE LARGE ONE"),
        talk=4_000,
    )
    async with stage(tmp_path, job.model, assignments=(*SMALL, "model.small=ollama/tiny")) as scene:
        files(tmp_path / "project", 12, 3_000)
        await scene.ask("read them all")

    names = [wish.model for wish in job.wishes]
    assert names[:2] == ["ollama/tiny", "scripted"]
    assert "BY THE LARGE ONE" in str(job.requests[-1].messages[1])


async def test_an_interrupt_in_the_middle_of_a_summary_stops_at_once(tmp_path: Path):
    forever = asyncio.Event()
    job = Job(steps=12, talk=4_000)
    plain = job.model
    asked = asyncio.Event()

    def answer(request: Request):
        if is_wish(request):
            asked.set()
            return (forever,)
        return plain._answer(request)  # type: ignore[attr-defined]

    model = Scripted(answer)
    async with stage(tmp_path, model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        session = scene.opened.session
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(scene.ask("read them all"))
            await asked.wait()
            await session.interrupt()
        stored = await scene.opened.store.read(messages.load, session.id)

    assert asking.result().ending == "interrupted"
    assert not any(message.origin == "summary" for message in stored)
    assert model.closed == len(model.requests)


async def test_a_cap_on_money_also_ends_what_follows_a_summary(tmp_path: Path):
    job = Job(steps=12, talk=4_000)
    async with stage(
        tmp_path, job.model, model_name="openai/gpt-4o", assignments=SMALL, max_cost=0.2
    ) as scene:
        files(tmp_path / "project", 12, 3_000)
        outcome = await scene.ask("read them all")
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    assert outcome.limit == "money"
    assert record.cost < 0.2 + 0.05


async def test_a_picture_in_the_conversation_is_summarised_in_words(tmp_path: Path):
    job = Job(steps=12, wish=lambda _: [ContextOverflowError("no")], talk=4_000)
    async with stage(tmp_path, job.model, assignments=SMALL) as scene:
        files(tmp_path / "project", 12, 3_000)
        (tmp_path / "project" / "0.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 900)
        await scene.ask("read them all")

    assert any("data:image/png" in json.dumps(request.messages) for request in job.requests)
    assert compactions(scene)
    assert "data:image/png" not in json.dumps(job.wishes[1].messages)
    assert all_valid(job.model)


async def test_the_offline_model_is_left_its_memory(tmp_path: Path):
    async with open_session(opening(tmp_path)) as opened:
        files(tmp_path / "project", 40, 3_000)
        await opened.session.send("survey this project")
        outcome = await opened.session.run(until_idle=True)
        done = await opened.session.context.compact()

    assert outcome.ending == "done"
    assert (done.local, opened.session.context.limit) == (True, 1_000_000)


@pytest.mark.parametrize(("output", "full"), [(50, False), (9_000, True)])
async def test_the_output_of_the_last_turn_counts_towards_overflow(
    tmp_path: Path, output: int, *, full: bool
):
    def answer(request: Request) -> Answer:
        usage = Usage(input=length(request), output=output)
        if is_wish(request):
            return said("S", usage=usage)
        count = sum(each["role"] == "tool" for each in request.messages)
        return said("", ("read", {"path": f"{count}.txt"}), usage=usage) if count < 2 else said("read")

    async with stage(tmp_path, Scripted(answer), assignments=SMALL) as scene:
        files(tmp_path / "project", 3, 8_000)
        await scene.ask("read them all")

    assert bool(compactions(scene) or prunings(scene)) == full


@pytest.mark.parametrize(
    "usage", [Usage(), None, Usage(input=5), Usage(input=10**9), Usage(input=4_000, output=10**9)]
)
async def test_usage_that_cannot_be_true_is_not_believed(tmp_path: Path, usage: Usage | None):
    def answer(request: Request) -> Answer:
        if is_wish(request):
            return said("S", usage=usage)
        count = sum(each["role"] == "tool" for each in request.messages)
        return said("t" * 4_000, ("read", {"path": f"{count % 12}.txt"}), usage=usage)

    model = Scripted(answer)
    async with stage(tmp_path, model, assignments=SMALL, max_steps=14) as scene:
        files(tmp_path / "project", 12, 3_000)
        await scene.ask("read them all")

    assert max(map(length, model.requests)) < CONTEXT
