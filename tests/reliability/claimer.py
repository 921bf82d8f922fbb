"""A process that takes workspace-wide todos one by one, as an agent of its own session does.

`python -m tests.reliability.claimer PATH SESSION`: waits for a line, then prints every id it claimed,
and with a minus every one that the other process had claimed before it.
"""

import asyncio
import sys
from collections import deque
from pathlib import Path

from agent.events import TodoUpdated
from agent.todos.actors import Actor
from agent.todos.drafts import Edit
from agent.todos.errors import TodoError
from agent.todos.service import TodoService
from store.database import open_store

AGENT = Actor("agent:build")
_THOUGHT = 0.01


async def main(path: Path, session_id: str) -> None:
    published: deque[TodoUpdated] = deque(maxlen=1)
    async with open_store(path) as store:
        service = TodoService(store, "/project", session_id, published.append)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        while pending := [todo.id for todo in (await service.current()).todos if todo.status == "pending"]:
            # A model thinks between looking and claiming, which is when the other one looks too.
            await asyncio.sleep(_THOUGHT)
            try:
                await service.update(AGENT, [Edit(pending[0], status="in_progress")])
            except TodoError:
                print(-pending[0], flush=True)
                continue
            print(pending[0], flush=True)
            await service.complete(AGENT, [pending[0]])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
