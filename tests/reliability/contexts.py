"""A long job against a server with a small context: no request is too long, and the plan stays whole."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from agent.context.pages import page
from agent.context.window import Window
from agent.events import ContextCompacted, ContextPruned, Event, Failed
from agent.models.direct import Direct, Endpoint
from agent.opening import Opened, open_session
from tests.agent.openings import opening
from tests.provider.reply import Call, Reply, overflow
from tests.provider.server import Provider, Received

NAME = "long jobs in a context of 32k tokens"
TURNS = 300
CONTEXT = 32_000
REPLY = 4_096
STEPS = 10
TODOS = 12


def run(scale: float, seed: int) -> str:
    """Raises AssertionError for a request too long or invalid, a lost todo, a needless compaction."""
    turns = max(60, round(TURNS * scale))
    with tempfile.TemporaryDirectory() as folder:
        plain = asyncio.run(_job(Path(folder) / "plain", turns, Random(seed), refuses=False))
        harsh = asyncio.run(_job(Path(folder) / "harsh", turns, Random(seed), refuses=True))
    return f"{turns} turns: {plain}; with every summary refused: {harsh}"


async def _job(folder: Path, turns: int, chance: Random, *, refuses: bool) -> str:
    folder.mkdir()
    script = _Script(chance, refuses=refuses)
    heard: list[Event] = []
    async with AsyncExitStack() as stack:
        provider = await stack.enter_async_context(Provider(script.answer, context=CONTEXT))
        model = Direct(Endpoint(provider.url, "job", "openai/"))
        stack.push_async_callback(model.close)
        asked = opening(
            folder,
            model=model,
            model_name="openai/scripted",
            max_wakes=0,
            assignments=(
                f"model.context={CONTEXT}",
                f"model.max_output={REPLY}",
                "wake.max_tokens=100000000",
            ),
        )
        _write_files(asked.root, chance)
        opened = await stack.enter_async_context(open_session(asked))
        for turn in range(-(-turns // STEPS)):
            heard += await _turn(opened, f"part {turn} of the job")
        _check_plan(opened, script)
    _check(script, provider.requests, heard, refuses=refuses)
    compacted = sum(isinstance(event, ContextCompacted) for event in heard)
    pruned = sum(isinstance(event, ContextPruned) for event in heard)
    longest = max(len(received.body) for received in provider.requests) // 4
    return f"{compacted} compactions, {pruned} prunings, longest request {longest:,} tokens"


async def _turn(opened: Opened, text: str) -> list[Event]:
    session = opened.session
    with session.subscribe(merged=True) as events:
        await session.send(text)
        outcome = await session.run(until_idle=True)
        events.push(None)
        heard = [event async for event in events]
    assert outcome.ending == "done", f"{text} ended as {outcome.ending}: {outcome.error}"
    return heard


def _check(script: _Script, requests: Sequence[Received], heard: Sequence[Event], *, refuses: bool) -> None:
    usable = Window(CONTEXT, REPLY).usable
    accepted = [received for received in requests if received not in script.refused]
    too_long = [received for received in accepted if len(received.body) > CONTEXT * 4]
    assert not too_long, f"{len(too_long)} requests were too long"
    assert not any(isinstance(event, Failed) for event in heard), "a turn failed"
    compactions = [event for event in heard if isinstance(event, ContextCompacted)]
    assert compactions, "the context was never full"
    for event in compactions:
        # Each begins above the threshold and ends below, so that no crossing has two of them.
        assert event.before > usable > event.after, f"a compaction from {event.before} to {event.after}"
        assert event.automatic
        assert event.local == refuses
    assert len(script.wishes) == len(compactions) * (2 if refuses else 1)
    assert not script.lost, f"after a compaction: {script.lost[0]}"


def _check_plan(opened: Opened, script: _Script) -> None:
    todos = {todo.title: todo.status for todo in opened.session.agenda.todos}
    assert todos == script.plan, f"the plan is {todos}, not {script.plan}"


def _write_files(root: Path, chance: Random) -> None:
    for number in range(20):
        lines = chance.choice((20, 100, 250, 400))
        (root / f"{number}.txt").write_text("".join(f"{chance.getrandbits(200):x}\n" for _ in range(lines)))


@dataclass
class _Script:
    """Plans, reads large files, ticks items off; `plan` is what it believes the list to be."""

    chance: Random
    refuses: bool
    plan: dict[str, str] = field(default_factory=dict[str, str])
    wishes: list[Received] = field(default_factory=list[Received])
    refused: list[Received] = field(default_factory=list[Received])
    lost: list[str] = field(default_factory=list[str])
    step: int = 0
    fresh: bool = False

    def answer(self, received: Received) -> Reply:
        counted = {"prompt_tokens": len(received.body) // 4, "completion_tokens": 100}
        last = str(received.json["messages"][-1]["content"])
        if last.startswith(page("request")[:60]):
            self.fresh = True
            self.wishes.append(received)
            if self.refuses:
                self.refused.append(received)
                return overflow()
            return Reply(text="## Goal\nRead the files and tick off the parts.", usage=counted)
        self._check_fresh(received)
        return self._next(counted)

    def _check_fresh(self, received: Received) -> None:
        """The first request after a compaction shows every open item as it is."""
        if not self.fresh:
            return
        self.fresh = False
        sent = "\n".join(str(message.get("content")) for message in received.json["messages"])
        missing = [
            title
            for title, status in self.plan.items()
            if status in ("pending", "in_progress") and f"[{status}] {title}" not in sent
        ]
        self.lost += [f"{missing} were not told"] if missing else []

    def _next(self, usage: dict[str, int]) -> Reply:
        self.step += 1
        at = self.step % (STEPS + 1)
        if at == 0:
            return Reply(text="That part is done. " * self.chance.choice((1, 40)), usage=usage)
        if not self.plan:
            titles = [f"part {number}" for number in range(TODOS)]
            self.plan = dict.fromkeys(titles, "pending")
            items = [{"title": title} for title in titles]
            return self._call("todo_add", {"items": items}, usage)
        if at == 5 and "pending" in self.plan.values():
            title = next(title for title, status in self.plan.items() if status == "pending")
            self.plan[title] = "completed"
            return self._call("todo_complete", {"id": list(self.plan).index(title) + 1}, usage)
        return self._call("read", {"path": f"{self.step * 7 % 20}.txt"}, usage)

    def _call(self, name: str, arguments: dict[str, object], usage: dict[str, int]) -> Reply:
        call = Call(name, json.dumps(arguments), f"call_{self.step}")
        return Reply(text="Next. " * self.chance.choice((1, 100, 700)), calls=(call,), usage=usage)
