import json

import pytest

from agent.events import (
    Failed,
    QuestionAnswered,
    QuestionAsked,
    RetryWaiting,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from agent.gate import CHOICES
from store.records import Message, Part, Usage
from tests.tui.transcript.screens import Reader, flushed, shown
from tui.transcript.entries import AssistantText, Body, Failure, Notice, ToolCall, UserMessage
from tui.transcript.feed import Feed, stored

STARTED = ToolStarted(1, 2, "c1", "shell", {"command": "make"}, "make")
ASKED = QuestionAsked("q1", "permission", "run make", CHOICES, tool="shell", call_id="c1")
AGAIN = "press Enter to try again, or choose another model: /model, /setup"
REPHRASE = "rephrase the message, or choose another model: /model, /setup"


async def test_only_the_last_of_several_tries_is_told():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(RetryWaiting(1, 1, "reset", 7))
        feed.show(TextDelta(7, 1, "half a "))
        feed.show(RetryWaiting(2, 2, "reset", 7))
        feed.show(TextDelta(7, 2, "whole"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "  reset; retried",
            "  whole",
        ]


async def test_a_reply_that_never_came_is_told_once_and_with_a_way_on():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(TextDelta(7, 1, "half a "))
        for attempt in range(1, 6):
            feed.show(RetryWaiting(attempt, 2, "cannot reach localhost:9", 7))
        feed.show(Failed("transient", "cannot reach localhost:9"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "▌ cannot reach localhost:9",
            "▌ press Enter to try again, or choose another model: /model, /setup",
        ]


async def test_an_answer_that_came_at_the_second_try_stays_when_a_later_turn_fails():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        for event in (
            StepStarted(7, 1),
            TextDelta(7, 1, "half a "),
            RetryWaiting(1, 2, "lost the connection to M (cut)", 7),
            TextDelta(7, 2, "the second try, whole"),
            TurnEnded("done", Usage(), 0.0),
            StepStarted(9, 1),
            Failed("auth", "no key for x"),
        ):
            feed.show(event)
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "  lost the connection to M; retried",
            "  the second try, whole",
            "▌ no key for x",
        ]


async def test_a_call_that_came_at_the_second_try_stays_when_its_turn_fails():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        for event in (
            TextDelta(1, 1, "half a "),
            RetryWaiting(1, 2, "reset", 1),
            STARTED,
            ToolFinished(1, 2, "c1", "shell", "completed", "made", 2, "", {"code": 0}),
            Failed("auth", "no key for x"),
        ):
            feed.show(event)
        await flushed(pilot, app.transcript)

        assert "  ✓ Ran make" in "\n".join(shown(app.transcript))


def reply(*parts: Part, finish: str = "stop") -> Message:
    return Message(1, "S", "assistant", "agent", "build", "M", Usage(), 0.0, finish, 1, 1, parts)


def retry(**data: object) -> Part:
    return Part(2, 1, "retry", data=json.dumps(data))


CUT_HINT = "send “continue” for the rest, or raise model.max_output"


@pytest.mark.parametrize(
    ("message", "bodies"),
    [
        (
            reply(retry(reason="M is rate limited", begun=False), Part(3, 1, "text", "yes")),
            [AssistantText("yes")],
        ),
        (
            reply(retry(reason="lost it (cut)", begun=True), Part(3, 1, "text", "yes")),
            [Notice("lost it; retried"), AssistantText("yes")],
        ),
        (
            reply(retry(reason="no quota", code="rate_limit", hint="check it", final=True), finish="failed"),
            [Failure("no quota", "check it")],
        ),
        (
            reply(retry(reason="no key", code="auth", hint="run `wakeful config set-key x`", final=True)),
            [Failure("no key", "use /setup")],
        ),
        (
            reply(Part(2, 1, "text", "and so"), finish="length"),
            [AssistantText("and so"), Failure("the reply was cut at the output limit of M", CUT_HINT)],
        ),
        (reply(), [Failure("M sent an empty reply", AGAIN)]),
        (reply(finish="refused"), [Failure("M refused to answer", REPHRASE)]),
    ],
)
def test_a_stored_reply_says_what_went_wrong_with_it(message: Message, bodies: list[Body]):
    assert [entry.body for entry in stored([message])] == bodies


def test_an_empty_reply_after_tools_is_no_failure():
    call = Part(2, 1, "tool", call_id="c1", tool="shell", status="completed", input='{"command": "make"}')

    *_, last = stored([reply(call), reply()])

    assert last.body == Notice("the model ended its turn without a reply")


async def test_a_key_that_is_missing_is_asked_for_in_the_app():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(Failed("auth", "no key for x", "set X_API_KEY or run `wakeful config set-key x`"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "▌ no key for x",
            "▌ set X_API_KEY or use /setup",
        ]


async def test_a_call_that_is_asked_about_only_wants_to_run():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(STARTED)
        feed.show(ASKED)
        await flushed(pilot, app.transcript)
        assert shown(app.transcript)[0] == "  ○ Wants to run make"

        feed.show(QuestionAnswered("q1", "once"))
        await flushed(pilot, app.transcript)
        assert shown(app.transcript)[0] == "  ◌ Running make"


async def test_a_refusal_is_told_once_and_takes_no_time():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(STARTED)
        feed.show(ASKED)
        feed.show(QuestionAnswered("q1", "no", "not today"))
        told = "the user refused shell make: not today"
        feed.show(ToolFinished(1, 2, "c1", "shell", "denied", told, 7_200, "", {"refused": "not today"}))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "  ⊘ Did not run make",
            "    refused: not today",
        ]


async def test_a_call_that_was_stopped_before_it_began_did_not_run():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(STARTED)
        feed.show(ASKED)
        feed.show(ToolFinished(1, 2, "c1", "shell", "interrupted", "", 7_200, "", {"begun": False}))
        await flushed(pilot, app.transcript)

        assert shown(app.transcript)[0].split() == ["⊘", "Did", "not", "run", "make", "interrupted"]


@pytest.mark.parametrize(
    ("name", "metadata", "told"),
    [
        ("glob", {"files": 37}, "37 files"),
        ("glob", {"files": 0}, "no files"),
        ("grep", {"hits": 14, "files": 1}, "14 hits in 1 file"),
        ("grep", {"hits": 0, "files": 0}, "no hits"),
        ("grep", {"hits": 200, "more": True}, "over 200 hits"),
        ("edit", {"files": ["a.py"]}, ""),
    ],
)
async def test_a_search_says_how_much_it_found_now_and_when_it_is_read_again(
    name: str, metadata: dict[str, object], told: str
):
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)
        feed.show(ToolStarted(1, 2, "c1", name, {"pattern": "x"}, "x"))
        feed.show(ToolFinished(1, 2, "c1", name, "completed", "", 12, "", metadata))
        await flushed(pilot, app.transcript)

        assert shown(app.transcript)[0].split("  ")[-1] == (f"{told} · 12 ms" if told else "12 ms")

    data = json.dumps({"metadata": metadata})
    part = Part(2, 1, "tool", call_id="c1", tool=name, status="completed", data=data)
    message = Message(1, "S", "assistant", "agent", "", "", Usage(), 0.0, "stop", 1, 1, (part,))
    (entry,) = stored([message])
    assert isinstance(entry.body, ToolCall)
    assert entry.body.tally == told


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("grep", {"pattern": "needle"}, "needle in ."),
        ("glob", {"pattern": "{a,b}"}, "a, b"),
        ("grep", {"pattern": 5, "path": "."}, "5 in ."),
        ("glob", {"pattern": None}, ""),
        ("of a server", {"number": 5, "query": "needle"}, "needle"),
    ],
)
def test_a_call_that_is_read_again_has_the_title_it_had(tool: str, arguments: dict[str, object], told: str):
    part = Part(2, 1, "tool", call_id="c1", tool=tool, status="completed", input=json.dumps(arguments))
    message = Message(1, "S", "assistant", "agent", "", "", Usage(), 0.0, "stop", 1, 1, (part,))

    (entry,) = stored([message])

    assert isinstance(entry.body, ToolCall)
    assert entry.body.subject == told


async def test_a_call_of_the_plan_that_failed_is_told_in_words():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(ToolStarted(7, 1, "c1", "todo_add", {}, ""))
        feed.show(ToolFinished(7, 1, "c1", "todo_add", "failed", "a todo needs a title", 2, "", {}))
        await flushed(pilot, app.transcript)

        rows = [row for row in shown(app.transcript) if row]
        assert rows[0].startswith("  ✗ Did not add a todo")
        assert "todo_add" not in "".join(rows)


def test_what_was_asked_and_answered_is_read_again_as_what_both_said():
    part = Part(
        2,
        1,
        "tool",
        call_id="c1",
        tool="ask_user",
        status="completed",
        input=json.dumps({"question": "**Which** colour?", "choices": ["red", "blue"]}),
        output="The user answered: blue",
    )
    message = Message(1, "S", "assistant", "agent", "", "", Usage(), 0.0, "stop", 1, 1, (part,))

    bodies = [entry.body for entry in stored([message])]

    assert bodies == [AssistantText("**Which** colour?"), UserMessage("blue")]
