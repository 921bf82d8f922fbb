"""How a turn failed: told at once, stored with the reply, and known after a restart."""

from pathlib import Path

import pytest

from agent.events import Event, Failed, Notice
from agent.models.protocol import AuthError, Finish, RateLimitError, RefusedError, Text
from agent.models.scripted import Answer, Scripted, said
from agent.rounds import Outcome
from agent.turn_failure import WITHOUT_REPLY, TurnFailure, of_message
from agent.wake import Stay
from store import messages, sessions
from store.records import Usage
from tests.agent.openings import Stage, stage
from tests.provider.strict import complaint

QUOTA = RateLimitError("the quota for M is used up (x); check your billing", final=True)
SCREENED = Finish("refused", Usage(input=1, output=1))


def failures(events: list[Event]) -> list[TurnFailure]:
    return [TurnFailure(each.code, each.message, each.hint) for each in events if isinstance(each, Failed)]


@pytest.mark.parametrize(
    ("answer", "code", "ending"),
    [
        ((QUOTA,), "rate_limit", "failed"),
        ((Text("half"), AuthError("no key; set one")), "auth", "failed"),
        ((RefusedError("M refused to answer (policy)"),), "refused", "refused"),
        ((Text("half"), SCREENED), "refused", "refused"),
        ((SCREENED,), "refused", "refused"),
        (said("and so", finish="length"), "length", "length"),
        (said(""), "empty", "empty"),
        (said("  \n"), "empty", "empty"),
        (said("", reasoning="hm"), "empty", "empty"),
    ],
)
async def test_a_failure_is_told_stored_with_the_reply_and_known_after_a_restart(
    tmp_path: Path, answer: Answer, code: str, ending: str
):
    async with stage(tmp_path, Scripted([answer])) as scene:
        outcome = await scene.ask("hello")
        (told,) = failures(scene.events)
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        stored = of_message(scene.opened.session.journal.messages[-1])
        again = await scene.opened.session.run(until_idle=True)

    assert (told.code, outcome.ending) == (code, ending)
    assert told.hint or code in ("rate_limit", "refused")
    assert stored == told
    assert (again.reason, again.error) == (outcome.reason, outcome.error)


async def test_a_failure_before_the_reply_began_is_stored_too(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("yes")])) as scene:
        await scene.ask("hello " * 200_000)
        (told,) = failures(scene.events)
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        stored = of_message(scene.opened.session.journal.messages[-1])

    assert told.code == "context_overflow"
    assert stored == told


async def test_the_stored_failure_is_no_part_of_the_next_request(tmp_path: Path):
    model = Scripted([(QUOTA,), said("fine")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("hello")
        await scene.ask("hello again")

    assert "quota" not in str(model.requests[1].messages)


async def test_a_closing_reply_may_be_empty_and_is_told_of(tmp_path: Path):
    model = Scripted([said("", ("glob", {"pattern": "*"})), said("")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("look")

    assert (outcome.ending, outcome.error) == ("done", None)
    assert WITHOUT_REPLY in [event.text for event in scene.events if isinstance(event, Notice)]


async def test_the_state_after_a_restart_says_that_the_turn_failed(tmp_path: Path):
    async with stage(tmp_path, Scripted([(QUOTA,)])) as scene:
        await scene.ask("hello")
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        session = scene.opened.session
        stay = session.decision(await scene.opened.store.read(sessions.get, session.id))

    assert isinstance(stay, Stay)
    assert (stay.cause, stay.reason) == ("failed", "the quota for M is used up (x)")


async def wake(scene: Stage) -> tuple[bool, Outcome]:
    again = await scene.opened.session.wake()
    return again, await scene.opened.session.run(until_idle=True)


async def test_a_failed_turn_runs_again_on_the_message_that_is_there(tmp_path: Path):
    model = Scripted([(Text("half"), QUOTA), (QUOTA,), said("whole")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("hello")
        first = await wake(scene)
        second = await wake(scene)
        stored = await scene.opened.store.read(messages.load, scene.opened.session.id)

    assert [(again, outcome.ending) for again, outcome in (first, second)] == [
        (True, "failed"),
        (True, "done"),
    ]
    assert [(each.origin, each.text) for each in stored] == [
        ("human", "hello"),
        ("agent", "half"),
        ("agent", ""),
        ("agent", "whole"),
    ]
    assert [request.messages for request in model.requests] == [model.requests[0].messages] * 3


async def test_a_failed_turn_runs_again_after_a_restart_behind_the_calls_it_made(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("", ("glob", {"pattern": "*"})), (QUOTA,)])) as scene:
        await scene.ask("look")
    model = Scripted([said("seen")])
    async with stage(tmp_path, model, proceed="newest") as scene:
        again, outcome = await wake(scene)

    assert (again, outcome.text) == (True, "seen")
    assert [message["role"] for message in model.requests[0].messages] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
    assert complaint({"messages": list(model.requests[0].messages)}) is None


async def test_what_was_half_said_is_kept_for_a_message_that_answers_it(tmp_path: Path):
    model = Scripted([(Text("half"), QUOTA), said("whole")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("hello")
        await scene.ask("go on")

    assert [message.get("content") for message in model.requests[1].messages[1:]] == [
        "hello",
        "half",
        "go on",
    ]


async def test_without_a_failure_waking_runs_nothing(tmp_path: Path):
    model = Scripted([said("fine")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("hello")
        again, _ = await wake(scene)

    assert (again, len(model.requests)) == (False, 1)
