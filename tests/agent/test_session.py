import asyncio
import json
from pathlib import Path

import pytest

from agent.events import (
    Failed,
    QuestionAsked,
    RetryWaiting,
    SessionStateChanged,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from agent.models.protocol import (
    AuthError,
    CallDelta,
    ContextOverflowError,
    Finish,
    RateLimitError,
    Request,
    Text,
)
from agent.models.scripted import Scripted, said
from store import messages, sessions
from store.clock import now
from store.errors import SessionBusyError
from store.records import Usage
from tests.agent.openings import opening, stage
from tests.provider.strict import complaint


def requests_are_valid(model: Scripted) -> bool:
    return not any(complaint({"messages": list(request.messages)}) for request in model.requests)


async def test_a_hello_is_answered_and_stored(tmp_path: Path):
    model = Scripted([said("Hello there.")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("hello")
        stored = await scene.opened.store.read(messages.load, scene.opened.session.id)
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    assert (outcome.text, outcome.state, outcome.ending) == ("Hello there.", "dormant", "done")
    assert [message.text for message in stored] == ["hello", "Hello there."]
    assert (record.title, record.usage.input) == ("hello", 100)
    assert scene.kinds()[-1] == "session.state"
    assert {"turn.started", "step.started", "text.delta", "usage.updated", "turn.ended"} <= set(scene.kinds())


async def test_tool_results_reach_the_model_in_the_next_request(tmp_path: Path):
    model = Scripted([said("", ("read", {"path": "a.txt"})), said("It says hi.")])
    async with stage(tmp_path, model) as scene:
        (tmp_path / "project" / "a.txt").write_text("hi\n")
        await scene.ask("what is in a.txt?")

    assert "hi" in str(model.requests[1].messages[-1].get("content"))
    assert requests_are_valid(model)


async def test_every_request_starts_with_the_bytes_of_the_one_before(tmp_path: Path):
    script = [said(f"step {n}", ("glob", {"pattern": f"*{n}"})) for n in range(12)]
    model = Scripted([*script, said("done")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("look around")

    for earlier, later in zip(model.requests, model.requests[1:], strict=False):
        assert later.tools == earlier.tools
        assert later.messages[: len(earlier.messages)] == earlier.messages


async def test_safe_tools_of_one_reply_run_side_by_side(tmp_path: Path):
    calls = [("grep", {"pattern": "x"}), ("glob", {"pattern": "*"}), ("read", {"path": "a.txt"})]
    model = Scripted([said("", *calls), said("done")])
    async with stage(tmp_path, model) as scene:
        (tmp_path / "project" / "a.txt").write_text("x")
        await scene.ask("look")
    order = [event.kind for event in scene.events if isinstance(event, ToolStarted | ToolFinished)]

    assert order[:3] == ["tool.started"] * 3
    assert requests_are_valid(model)


@pytest.mark.parametrize(
    ("tool", "arguments", "lesson"),
    [
        ("read", "{not json", "not valid JSON"),
        ("raed", '{"path": "x"}', "no tool named 'raed'"),
        ("read", "{}", "path is missing"),
        ("read", '{"path": 5}', "path"),
        ("read", '{"path": "nowhere.txt"}', "nowhere.txt"),
    ],
)
async def test_a_bad_call_teaches_the_model_and_the_loop_lives(
    tmp_path: Path, tool: str, arguments: str, lesson: str
):
    model = Scripted([said("", (tool, arguments)), said("I see.")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("go")

    assert lesson in str(model.requests[1].messages[-1].get("content"))
    assert outcome.ending == "done"
    assert requests_are_valid(model)


async def test_a_cut_stream_is_tried_again_and_its_text_not_doubled(tmp_path: Path):
    model = Scripted([[Text("Half an ans"), RateLimitError("slow down", wait=0.01)], said("A whole answer.")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("hello")

    assert outcome.text == "A whole answer."
    (retry,) = [event for event in scene.events if isinstance(event, RetryWaiting)]
    assert (retry.attempt, retry.seconds) == (1, 0.01)


@pytest.mark.parametrize(
    "error",
    [
        AuthError("no key for openai; set it"),
        ContextOverflowError("too long"),
        RateLimitError("quota", final=True),
    ],
)
async def test_a_final_error_ends_the_turn_with_one_plain_message(tmp_path: Path, error: Exception):
    model = Scripted([[error], said("back again")])  # type: ignore[list-item]
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("hello")
        failed = [event for event in scene.events if isinstance(event, Failed)]
        again = await scene.ask("and now?")

    assert (outcome.ending, len(failed)) == ("failed", 1)
    assert outcome.error == str(error)
    assert again.text == "back again"
    assert requests_are_valid(model)


async def test_a_stream_that_only_stops_is_a_transient_fault(tmp_path: Path):
    model = Scripted([[Text("no end")] for _ in range(2)])
    async with stage(tmp_path, model, max_steps=1) as scene:
        working = asyncio.ensure_future(scene.ask("hello"))
        while not any(isinstance(event, RetryWaiting) for event in scene.events):
            await asyncio.sleep(0.01)
            if scene.model.requests:
                break
        await scene.opened.session.interrupt()
        outcome = await working

    assert outcome.ending == "interrupted"


async def test_the_same_call_again_and_again_ends_the_turn(tmp_path: Path):
    model = Scripted(lambda _: said("", ("glob", {"pattern": "*"})))
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("loop")

    assert outcome.ending == "repeating"
    assert len(model.requests) == 3


async def test_the_step_limit_ends_the_turn_after_announcing_the_last_step(tmp_path: Path):
    count = iter(range(1000))
    model = Scripted(lambda _: said("", ("glob", {"pattern": f"*{next(count)}"})))
    async with stage(tmp_path, model, max_steps=5) as scene:
        outcome = await scene.ask("go on")

    assert (outcome.ending, outcome.limit, len(model.requests)) == ("steps", "steps", 5)
    assert "last step" in str(model.requests[-1].messages[-1].get("content"))
    assert [request.tools for request in model.requests] == [model.requests[0].tools] * 5


async def test_a_money_cap_stops_before_the_next_request_and_survives_a_resume(tmp_path: Path):
    costly = Usage(input=10_000_000)
    script = [said("", ("glob", {"pattern": "*"}), usage=costly), said("never"), said("never")]
    model = Scripted(script)
    options: dict[str, object] = {"model_name": "openai/gpt-4o", "max_cost": 1.0}
    async with stage(tmp_path, model, **options) as scene:
        first = await scene.ask("spend")
    async with stage(tmp_path, model, model_name="openai/gpt-4o", proceed="newest") as scene:
        second = await scene.ask("again")

    assert (first.limit, second.limit) == ("money", "money")
    assert len(model.requests) == 1


async def test_calls_written_as_text_are_run(tmp_path: Path):
    text = 'Let me look.\n<tool_call>{"name": "glob", "arguments": {"pattern": "*"}}</tool_call>'
    model = Scripted([said(text), said("done")])
    async with stage(tmp_path, model) as scene:
        (tmp_path / "project" / "found.txt").touch()
        await scene.ask("go")

    assert "found.txt" in str(model.requests[1].messages[-1].get("content"))
    assert "<tool_call>" not in json.dumps(model.requests[1].messages)


async def test_headless_refuses_what_it_would_have_to_ask_and_tells_the_model(tmp_path: Path):
    model = Scripted([said("", ("shell", {"command": "rm -r x"})), said("I could not.")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("delete x")
        (finished,) = [event for event in scene.events if isinstance(event, ToolFinished)]

    assert finished.status == "denied"
    assert "nobody is there" in finished.output
    assert scene.opened.gate.refusals == 1


async def test_an_approval_lets_the_command_run_and_a_session_grant_is_kept(tmp_path: Path):
    calls = [said("", ("shell", {"command": f"touch made{n}"})) for n in range(2)]
    model = Scripted([*calls, said("done")])
    async with stage(tmp_path, model, attended=True) as scene:
        asked: list[QuestionAsked] = []

        async def approve() -> None:
            with scene.opened.session.subscribe() as events:
                async for event in events:
                    if isinstance(event, QuestionAsked):
                        asked.append(event)
                        scene.opened.session.answer(event, "once")

        approving = asyncio.ensure_future(approve())
        await asyncio.sleep(0)
        await scene.ask("make them")
        approving.cancel()

    assert [(question.purpose, question.tool) for question in asked] == [("permission", "shell")] * 2
    assert "touch made0" in asked[0].detail
    states = [event for event in scene.events if isinstance(event, SessionStateChanged)]
    assert ("awaiting_approval", "waiting for your approval", "allow or refuse to continue") in [
        (event.state, event.reason, event.resume) for event in states
    ]
    assert (tmp_path / "project" / "made1").exists()


async def test_how_long_a_person_thought_is_no_time_of_the_tool_s_in_what_is_stored_either(tmp_path: Path):
    model = Scripted([said("", ("shell", {"command": "touch made"})), said("done")])
    async with stage(tmp_path, model, attended=True) as scene:

        async def approve() -> None:
            with scene.opened.session.subscribe() as events:
                async for event in events:
                    if isinstance(event, QuestionAsked):
                        asked = now()
                        while now() < asked + 50:
                            await asyncio.sleep(0.01)
                        scene.opened.session.answer(event, "once")

        approving = asyncio.ensure_future(approve())
        await asyncio.sleep(0)
        await scene.ask("make it")
        approving.cancel()
        stored = await scene.opened.store.read(messages.load, scene.opened.session.id)

    (finished,) = [event for event in scene.events if isinstance(event, ToolFinished)]
    (part,) = [part for message in stored for part in message.parts if part.kind == "tool"]
    assert part.started_at
    assert part.ended_at
    assert part.ended_at - part.started_at == finished.duration_ms


async def test_an_interrupt_mid_stream_keeps_the_text_and_holds(tmp_path: Path):
    gate = asyncio.Event()
    model = Scripted([[Text("so far"), gate, Text("never")], said("resumed")])
    async with stage(tmp_path, model) as scene:
        session = scene.opened.session
        working = asyncio.ensure_future(scene.ask("talk"))
        while "so far" not in "".join(
            m.text for m in await scene.opened.store.read(messages.load, session.id)
        ):
            await asyncio.sleep(0.005)
        await session.interrupt()
        outcome = await working
        record = await scene.opened.store.read(sessions.get, session.id)
        again = await scene.ask("go on")

    assert outcome.ending == "interrupted"
    assert record.held_at is not None
    assert again.text == "resumed"
    assert [message.get("content") for message in model.requests[1].messages[1:]][:2] == ["talk", "so far"]
    assert requests_are_valid(model)


LOOP = "for n in 1 2 3; do echo line $n; done; sleep 1000"


async def test_an_interrupt_keeps_what_the_command_had_printed(tmp_path: Path):
    model = Scripted([said("", ("shell", {"command": LOOP})), said("ok")])
    async with stage(tmp_path, model, allow=(f"shell {LOOP}",), auto=True) as scene:
        session, store = scene.opened.session, scene.opened.store
        working = asyncio.ensure_future(scene.ask("wait"))
        # It is stored while it runs, so that a kill does not lose it either.
        while not any(
            "line 3" in (part.output or "")
            for message in await store.read(messages.load, session.id)
            for part in message.parts
        ):
            await asyncio.sleep(0.02)
        await session.interrupt()
        await working
        await scene.ask("next")
        stored = await store.read(messages.load, session.id)

    (finished,) = [event for event in scene.events if isinstance(event, ToolFinished)]
    (part,) = [part for message in stored for part in message.parts if part.tool]
    (result,) = [each for each in model.requests[1].messages if each["role"] == "tool"]
    assert (finished.status, finished.output) == ("interrupted", "line 1\nline 2\nline 3\n")
    assert (part.status, part.output) == ("interrupted", finished.output)
    assert result.get("content") == f"{finished.output}[interrupted before it finished]"


async def test_an_interrupt_during_a_tool_ends_the_command(tmp_path: Path):
    model = Scripted([said("", ("shell", {"command": "sleep 1000; touch late"})), said("ok")])
    async with stage(tmp_path, model, allow=("shell sleep 1000; touch late",), auto=True) as scene:
        session = scene.opened.session
        working = asyncio.ensure_future(scene.ask("wait"))
        while not session.journal.messages or not any(
            part.status == "running" for part in session.journal.messages[-1].parts
        ):
            await asyncio.sleep(0.01)
        await session.interrupt()
        outcome = await working
        await scene.ask("next")

    assert outcome.ending == "interrupted"
    assert requests_are_valid(model)
    assert not (tmp_path / "project" / "late").exists()


async def test_steering_reaches_the_running_turn_before_its_next_request(tmp_path: Path):
    model = Scripted([said("", ("glob", {"pattern": "*"})), said("ok")])
    async with stage(tmp_path, model) as scene:
        session = scene.opened.session
        answer = model.stream
        steering: list[asyncio.Future[None]] = []

        def steer_then_answer(request: Request):
            if len(model.requests) == 0:
                steering.append(asyncio.ensure_future(session.steer("also look at b")))
            return answer(request)

        model.stream = steer_then_answer  # type: ignore[method-assign]
        await scene.ask("look")

    assert model.requests[1].messages[-1].get("content") == "also look at b"


async def test_a_second_process_cannot_run_turns_in_the_same_session(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene:
        with pytest.raises(SessionBusyError):
            async with stage(tmp_path, Scripted([]), resume=scene.opened.session.id):
                pass


async def test_a_session_is_continued_with_its_history(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")])) as scene:
        await scene.ask("first")
    model = Scripted([said("two")])
    async with stage(tmp_path, model, proceed="newest") as scene:
        await scene.ask("second")

    assert [message.get("content") for message in model.requests[0].messages[1:]] == [
        "first",
        "one",
        "second",
    ]


async def test_keys_never_reach_tools_or_the_database(tmp_path: Path):
    canary = "sk-canary-7261"
    model = Scripted([said("", ("shell", {"command": "env"})), said("done")])
    environment = {**opening(tmp_path).environment, "OPENAI_API_KEY": canary}
    async with stage(tmp_path, model, auto=True, environment=environment) as scene:
        await scene.ask("show the environment")

    assert canary not in json.dumps([list(request.messages) for request in model.requests])
    assert canary.encode() not in (tmp_path / "home" / "wakeful.db").read_bytes()


async def test_text_is_streamed_as_it_comes(tmp_path: Path):
    chunks = [
        Text("a"),
        Text("b"),
        CallDelta(0, "", "glob", '{"pattern": "*"}'),
        Finish("tool_calls", Usage()),
    ]
    model = Scripted([chunks, said("c")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("go")

    texts = [event.text for event in scene.events if isinstance(event, TextDelta)]
    assert texts == ["a", "b", "c"]
