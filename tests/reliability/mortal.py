"""A process that works through a small job and is killed with -9 at one exact point of the code.

`python -m tests.reliability.mortal FOLDER POINT NTH`: POINT is `before` or `after` a function, such as
`after agent.journal:Journal.say`, and NTH which of its passings is the last. Without a point (`-`) it works
to the end and tells how often each was passed. A profile hook watches the functions, so that nothing is
built into them. What was acknowledged is printed the moment it was: `message ID`, `call ID`; and at the
start `notice TEXT`.
"""

import asyncio
import json
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dis import opname
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from agent.bus import Subscription
from agent.context.pages import page
from agent.events import MessageAdded, ToolFinished
from agent.models.protocol import Chunk, Request, Text
from agent.models.scripted import Scripted, said
from agent.opening import open_session
from tests.agent.openings import opening
from tests.provider.strict import complaint

ITEMS = ("item one", "item two")
FUNCTIONS = (
    "agent.journal:Journal.say",
    "agent.journal:Journal.begin_reply",
    "agent.journal:Journal.stream",
    "agent.journal:_conclude",
    "agent.journal:Journal.conclude",
    "agent.journal:_save_call",
    "agent.journal:Journal.update_call",
    "agent.tools.registry:call",
    "agent.calls:_finish",
    "agent.session:Session.send",
    "agent.interlude:Interlude.prepare",
    "agent.todos.service:TodoService._write",
    "agent.todos.service:TodoService.change",
    "store.messages:append",
    "store.messages:add_part",
    "store.messages:save_part",
    "store.messages:end",
    "store.sessions:set_state",
    "store.sessions:count_wake",
    "agent.context.record:fold",
    "agent.context.compactor:Compactor.compact",
)
"""What work passes through. `_conclude`, `_save_call`, `_write`, `fold` and those of the store are inside of
a transaction: after them comes its commit, and after their callers whoever waited was told."""

RECOVERY = ("agent.journal:_close",)
"""What only a start after a kill passes through."""

_OPEN = re.compile(r"#(\d+) \[?(?:pending|in_progress)?\]? ?(item \w+)")


def points(functions: Sequence[str]) -> list[str]:
    return [f"{when} {name}" for name in functions for when in ("before", "after")]


class Watch:
    """Counts entries and ordinary ends of functions; a coroutine that waits neither ends nor begins anew."""

    def __init__(self, point: str, nth: int) -> None:
        self.passed: Counter[str] = Counter()
        self._point, self._nth = point, nth
        self._names = {_code(name): name for name in (*FUNCTIONS, *RECOVERY)}

    def __call__(self, frame: FrameType, event: str, value: object) -> None:
        del value
        name = self._names.get(frame.f_code)
        if name is None or event not in ("call", "return"):
            return
        operation, argument = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
        if event == "call" and (opname[operation], argument) == ("RESUME", 0):
            self._pass(f"before {name}")
        elif event == "return" and opname[operation] in ("RETURN_VALUE", "RETURN_CONST"):
            self._pass(f"after {name}")

    def _pass(self, point: str) -> None:
        self.passed[point] += 1
        if point == self._point and self.passed[point] == self._nth:
            os.kill(os.getpid(), signal.SIGKILL)


def _code(name: str) -> CodeType:
    module, _, path = name.partition(":")
    function: Any = reduce(getattr, path.split("."), import_module(module))
    return function.__code__


def worker(request: Request) -> Sequence[Chunk]:
    """Looks at the list, adds what is missing, does one item, completes it and stops; a wake goes on.

    Every command it runs has a number of its own, by which a second run of the same call is found out.
    """
    wrong = complaint({"messages": list(request.messages)})
    if wrong:
        raise SystemExit(f"an invalid request: {wrong}")
    last = request.messages[-1]
    content = str(last.get("content") or "")
    if content.startswith(page("request")[:60]):
        return said("Two items were done.")
    if last["role"] != "tool":
        return _streamed("todo_list", {"status": "all"})
    match _asked(request):
        case "todo_list" if missing := [item for item in ITEMS if item not in content]:
            return _streamed("todo_add", {"items": [{"title": item} for item in missing]})
        case "todo_list" if not _open(request):
            return said("Everything is done.")
        case "todo_list" | "todo_add":
            number = str(request.messages).count("runs.txt") + 1
            return _streamed("shell", {"command": f"echo {number} >> runs.txt"})
        case "shell":
            return _streamed("todo_complete", {"id": _open(request)[0]})
        case _:
            return said("One more is done.")


def _streamed(tool: str, arguments: dict[str, Any]) -> Sequence[Chunk]:
    text = tuple(Text(word) for word in ("I call ", f"{tool} ", "now."))
    return (*text, *said("", (tool, arguments)))


def _asked(request: Request) -> str:
    calls = [call for message in request.messages for call in message.get("tool_calls", ())]
    return calls[-1]["function"]["name"]


def _open(request: Request) -> list[int]:
    """The open items in the newest answer that tells of them."""
    for message in reversed(request.messages):
        content = str(message.get("content") or "")
        if message["role"] == "tool" and "Progress" in content:
            listed = content.partition("Open:\n")[2] or content
            return [int(found[1]) for found in _OPEN.finditer(listed)]
    return []


async def _acknowledge(events: Subscription) -> None:
    async for event in events:
        match event:
            case MessageAdded():
                _tell(f"message {event.message.id}")
            case ToolFinished(status="completed"):
                _tell(f"call {event.part_id}")
            case _:
                pass


def _tell(line: str) -> None:
    # One write, so that a kill leaves a whole line or none.
    os.write(1, f"{line}\n".encode())


async def _work(folder: Path) -> None:
    base = opening(folder, model=Scripted(worker), auto=True, max_wakes=50, proceed="newest")
    async with open_session(base) as opened:
        for notice in opened.notices:
            _tell(f"notice {notice}")
        session = opened.session
        with session.subscribe() as events:
            telling = asyncio.create_task(_acknowledge(events))
            await session.send("work")
            outcome = await session.run(until_idle=True)
            await session.compact("")
            session.bus.close()
            await telling
        assert outcome.state == "dormant", outcome


if __name__ == "__main__":
    watch = Watch(sys.argv[2], int(sys.argv[3]))
    sys.setprofile(watch)
    asyncio.run(_work(Path(sys.argv[1])))
    sys.setprofile(None)
    _tell(f"passed {json.dumps(watch.passed)}")
