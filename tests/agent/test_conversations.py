"""The same conversations through the whole session over both transports, against a real server."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from agent.events import Event, Failed, RetryWaiting, ToolFinished
from agent.opening import Opened, open_session
from agent.rounds import Outcome
from tests.agent.openings import opening
from tests.provider.reply import Call, Reply, overflow, rate_limited
from tests.provider.server import Provider, Received

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, slots=True)
class Heard:
    outcome: Outcome
    events: list[Event]
    requests: list[Received]

    def finished(self) -> list[tuple[str, str]]:
        return [(event.name, event.status) for event in self.events if isinstance(event, ToolFinished)]

    def waits(self) -> list[float]:
        return [event.seconds for event in self.events if isinstance(event, RetryWaiting)]


@dataclass(frozen=True, slots=True)
class Talk:
    """One session for all of them: loading litellm costs five CPU seconds, and what was said stays said."""

    provider: Provider
    opened: Opened

    async def ask(self, text: str, *replies: Reply) -> Heard:
        self.provider.add(*replies)
        before = len(self.provider.requests)
        session = self.opened.session
        with session.subscribe() as subscription:
            await session.send(text)
            outcome = await session.run(until_idle=True)
            subscription.push(None)
            events = [event async for event in subscription]
        return Heard(outcome, events, self.provider.requests[before:])


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["direct", "litellm"])
async def talk(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Talk]:
    folder = tmp_path_factory.mktemp("talk")
    async with Provider() as provider:
        plain = opening(folder)
        for number in range(30):
            (plain.root / f"{number}.txt").write_text(f"line of file {number}\n")
        reached = {"OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "plain.canary"}
        asked = opening(
            folder,
            environment={**plain.environment, **reached},
            model_name="openai/scripted",
            assignments=(f"model.transport={request.param}",),
        )
        async with open_session(asked) as opened:
            assert (opened.workshop.chosen.host is None) == (request.param == "direct")
            yield Talk(provider, opened)


def reads(number: int, identity: str = "") -> Call:
    return Call("read", json.dumps({"path": f"{number}.txt"}), identity)


async def test_hello(talk: Talk) -> None:
    heard = await talk.ask("hello", Reply(text="Hello, wörld!", reasoning="let me think"))

    assert (heard.outcome.text, heard.outcome.ending) == ("Hello, wörld!", "done")
    assert heard.requests[0].json["messages"][-1] == {"role": "user", "content": "hello"}


async def test_thirty_tool_turns(talk: Talk) -> None:
    replies = [Reply(text=f"now {number}", calls=(reads(number, f"id_{number}"),)) for number in range(30)]

    heard = await talk.ask("read them", *replies, Reply(text="all read"))

    assert heard.outcome.text == "all read"
    assert heard.finished() == [("read", "completed")] * 30
    for number, (earlier, later) in enumerate(zip(heard.requests, heard.requests[1:], strict=False)):
        sent, then = earlier.json["messages"], later.json["messages"]
        assert then[: len(sent)] == sent
        assert f"line of file {number}" in then[-1]["content"]


async def test_parallel_tools(talk: Talk) -> None:
    calls = (reads(1, "one"), Call("glob", '{"pattern": "*.txt"}', "two"), reads(2, "one"))

    heard = await talk.ask("look at once", Reply(calls=calls, piece=3), Reply(text="seen"))

    assert heard.outcome.text == "seen"
    results = [message for message in heard.requests[1].json["messages"][-3:] if message["role"] == "tool"]
    assert len({message["tool_call_id"] for message in results}) == 3
    assert "line of file 1" in results[0]["content"]
    assert "line of file 2" in results[2]["content"]


async def test_malformed_calls(talk: Talk) -> None:
    calls = (Call("read", '{"path": ', "a"), Call("no_such_tool", "{}", "b"), Call("read", "[1]", "c"))

    heard = await talk.ask("stumble", Reply(calls=calls), Reply(text="I see"))

    assert (heard.outcome.text, heard.outcome.ending) == ("I see", "done")
    assert [status for _, status in heard.finished()] == ["failed"] * 3


async def test_a_stream_cut_in_the_middle(talk: Talk) -> None:
    cut = Reply(text="half of an answer", piece=4, fault="cut", after=3)

    heard = await talk.ask("go on", cut, Reply(text="a whole answer"))

    assert heard.outcome.text == "a whole answer"
    assert (len(heard.waits()), len(heard.requests)) == (1, 2)
    assert heard.requests[1].json["messages"] == heard.requests[0].json["messages"]


async def test_a_rate_limit_that_says_how_long_to_wait(talk: Talk) -> None:
    heard = await talk.ask("slowly", rate_limited("1"), Reply(text="there"))

    assert (heard.outcome.text, heard.waits()) == ("there", [1.0])


async def test_a_conversation_too_long_for_the_model(talk: Talk) -> None:
    heard = await talk.ask("too much", overflow())
    again = await talk.ask("and now?", Reply(text="better"))

    (failed,) = [event for event in heard.events if isinstance(event, Failed)]
    assert (failed.code, heard.outcome.ending) == ("context_overflow", "failed")
    assert "too long" in (heard.outcome.error or "")
    assert again.outcome.text == "better"
