"""A process that writes todos and messages and says so only after each commit.

`python -m tests.reliability.writer PATH JOURNAL COUNT`: prints `todo ID` and `message ID` lines.
"""

import asyncio
import sys
from pathlib import Path
from typing import cast

from store import messages, sessions, todos
from store.database import Journal, open_store
from tests.store.drafts import text, todo


async def main(path: Path, journal: Journal, count: int) -> None:
    async with open_store(path, journal=journal) as store:
        session = await store.write(sessions.create, "/project", agent="build", model="offline")
        for number in range(count):
            if number % 2:
                message = await store.write(messages.append, session.id, "user", "human")
                part = await store.write(
                    messages.add_part, session.id, text(message.id, "x" * (number % 4000))
                )
                print(f"parts {part.id}", flush=True)
            else:
                item = await store.write(todos.add, todo(f"step {number}", session_id=session.id))
                print(f"todos {item.id}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), cast("Journal", sys.argv[2]), int(sys.argv[3])))
