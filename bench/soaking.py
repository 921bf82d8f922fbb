"""The model of a long sitting, in a process of its own: `python -m bench.soaking` prints its address.

Every turn reads a file or changes the list, and says a screenful; it serves until its input ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

from agent.context.pages import page
from tests.provider.reply import Call, Reply
from tests.provider.server import Provider, Received

# Turns between two changes of the list.
CHANGES = 5


async def main() -> None:
    async with Provider(_answer) as provider:
        print(provider.url, flush=True)
        await asyncio.to_thread(sys.stdin.buffer.read)


def _answer(received: Received) -> Reply:
    messages = received.json["messages"]
    usage = {"prompt_tokens": len(received.body) // 4, "completion_tokens": 150}
    last = messages[-1]
    if str(last["content"]).startswith(page("request")[:60]):
        return Reply(text="## Goal\nGo through the parts.", usage=usage)
    asked = next(text for each in reversed(messages) if (text := _part(each)))
    if last["role"] == "tool":
        return Reply(text=_TEXT.format(turn=asked), usage=usage)
    return Reply(text="Looking.", calls=(_call(asked),), usage=usage)


def _part(message: dict[str, object]) -> int:
    found = re.fullmatch(r"part (\d+)", str(message.get("content")))
    return int(found[1]) if found and message["role"] == "user" else 0


def _call(turn: int) -> Call:
    """One change of the list in five turns, added and ticked off in turn; else a file is read."""
    change, rest = divmod(turn, CHANGES)
    if rest:
        name, arguments = "read", {"path": f"{turn % 7}.txt"}
    elif change % 2:
        name, arguments = "todo_add", {"title": f"Look at part {turn}"}
    else:
        name, arguments = "todo_complete", {"id": change // 2}
    return Call(name, json.dumps(arguments), f"call_{turn}")


_TEXT = """\
Part {turn} holds **nothing new**, as `part.txt` says:

| what | where |
|---|---|
| lines | 60 |
| turn | {turn} |

```python
def part(number: int) -> bool:
    return number == {turn}
```

That is all there is to say of it, and so on to the next one: end-of-{turn}.
"""


if __name__ == "__main__":
    asyncio.run(main())
