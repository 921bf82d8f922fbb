"""A stored history damaged at random: the session opens, and every request it sends is valid everywhere."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from agent.context.pages import page
from agent.events import ContextCompacted, ContextPruned, Event
from agent.models.body import encode
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.opening import open_session
from tests.agent.openings import opening
from tests.provider.strict import complaint

NAME = "damaged histories"
DAMAGES = 5_000
# Commits to a disk would be most of the time.
MEMORY = Path("/dev/shm")
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(3_000)
TEXTS = ("", " ", "\n\t ", "\x00", "x", "ünï 日本語 👩\u200d💻", "\u202e", "long " * 4_000)
INPUTS = (
    "",
    "{",
    "{}",
    "[1]",
    "null",
    '"{}"',
    '{"a": NaN}',
    '{"path": 5}',
    '{"path": "' + "p" * 9_000 + '"}',
)
IDS = ("", "call", "a b", "ünï", "x" * 300, "same", "toolu_01", "../..", "call_0_2")
DATA = (
    None,
    "",
    "{",
    "[]",
    "{}",
    '{"kept": -1}',
    '{"kept": 3, "undone": false}',
    '{"kept": 1e9}',
    '{"kept": "x"}',
    '{"media_type": "image/png"}',
    '{"media_type": "image/png", "base64": "AA"}',
    '{"media_type": "image/png", "base64": "AAAA"}',
    '{"media_type": 5, "base64": "AAAA"}',
    '{"media_type": "application/pdf", "base64": "AAAA", "name": "a.pdf"}',
)
STATUSES = ("pending", "running", "completed", "failed", "denied", "interrupted")
ORIGINS = ("human", "agent", "todos", "wake", "limit", "command", "continue", "summary", "peer")


def run(scale: float, seed: int) -> str:
    """Raises AssertionError, with the seed of the one damage, for a request that is not valid."""
    count = max(1, round(DAMAGES * scale))
    chance = Random(seed)
    seen: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as whole,
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as damaged,
    ):
        session_id = asyncio.run(_template(Path(whole)))
        for _ in range(count):
            one = chance.getrandbits(64)
            seen.update(asyncio.run(_tried(Path(whole), Path(damaged) / "copy", session_id, one)))
    assert seen["messages"] > 5 * seen["requests"], "the history was not sent"
    kinds = ", ".join(f"{seen[name]} {name}" for name in ("requests", "messages", "prunings", "compactions"))
    return f"{count} damages: 0 invalid requests ({kinds})"


async def _template(home: Path) -> str:
    """A history with everything in it: calls side by side, pictures, a summary, outputs left out."""
    model = Scripted(_job)
    asked = opening(
        home, model=model, max_wakes=0, assignments=("model.context=16000", "model.max_output=1000")
    )
    (asked.root / "a.png").write_bytes(PICTURE)
    for number in range(6):
        (asked.root / f"{number}.txt").write_text(f"{'word ' * 10}\n" * 160)
    heard: list[Event] = []
    async with open_session(asked) as opened:
        session = opened.session
        for turn in range(4):
            with session.subscribe() as events:
                await session.send(f"part {turn}")
                await session.run(until_idle=True)
                events.push(None)
                heard += [event async for event in events]
    assert any(isinstance(event, ContextPruned) for event in heard), "nothing was left out"
    assert any(isinstance(event, ContextCompacted) for event in heard), "nothing was summarised"
    return session.id


def _job(request: Request) -> Answer:
    if str(request.messages[-1].get("content")).startswith(page("request")[:60]):
        return said("what was done so far")
    results = sum(message["role"] == "tool" for message in request.messages)
    if results % 7 == 6 and request.messages[-1]["role"] == "tool":
        return said("a part is done")
    reads = [("read", {"path": f"{(results + more) % 6}.txt"}) for more in range(1 + results % 3)]
    picture = [("read", {"path": "a.png"})] if results % 5 == 3 else []
    return said("reading " * 150, *reads, *picture, reasoning="let me see")


async def _tried(whole: Path, copy: Path, session_id: str, seed: int) -> Counter[str]:
    chance = Random(seed)
    shutil.copytree(whole / "home", copy / "home")
    try:
        with closing(sqlite3.connect(copy / "home" / "wakeful.db")) as database:
            _damage(database, chance)
        return await _asked(copy, session_id, chance)
    except Exception as error:
        raise AssertionError(f"damage of seed {seed}: {error!r}") from error
    finally:
        shutil.rmtree(copy)


async def _asked(home: Path, session_id: str, chance: Random) -> Counter[str]:
    model = Scripted(_short)
    context = chance.choice((7_000, 14_500, 200_000))
    sizes = (f"model.context={context}", "model.max_output=1000")
    heard: list[Event] = []
    async with open_session(
        opening(home, model=model, resume=session_id, max_wakes=0, assignments=sizes)
    ) as opened:
        session = opened.session
        with session.subscribe() as events:
            for text in ("go on", "and on"):
                await session.send(text)
                await session.run(until_idle=True)
            events.push(None)
            heard = [event async for event in events]
    for request in model.requests:
        found = complaint(json.loads(encode(request, "m")))
        assert found is None, found
    assert model.requests, "nothing was sent"
    return Counter(
        requests=len(model.requests),
        messages=sum(len(request.messages) for request in model.requests),
        prunings=sum(isinstance(event, ContextPruned) for event in heard),
        compactions=sum(isinstance(event, ContextCompacted) for event in heard),
    )


def _short(request: Request) -> Answer:
    if str(request.messages[-1].get("content")).startswith(page("request")[:60]):
        return said("a summary")
    return said("", ("read", {"path": "0.txt"})) if request.messages[-1]["role"] == "user" else said("done")


Damage = Callable[[sqlite3.Connection, Random], object]


def _damage(database: sqlite3.Connection, chance: Random) -> None:
    # What no healthy write could store is a damage too.
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute(f"PRAGMA ignore_check_constraints = {chance.choice(('ON', 'OFF', 'OFF'))}")
    for damage in chance.choices(_DAMAGES, k=chance.randint(1, 6)):
        try:
            damage(database, chance)
        except sqlite3.IntegrityError:
            # A constraint that was left on.
            continue
    database.commit()


def _pick(database: sqlite3.Connection, table: str, chance: Random, where: str = "1") -> int:
    rows = database.execute(f"SELECT id FROM {table} WHERE {where}").fetchall()
    return chance.choice(rows)[0] if rows else 0


def _set(table: str, column: str, values: tuple[object, ...], where: str = "1") -> Damage:
    def damage(database: sqlite3.Connection, chance: Random) -> None:
        key = _pick(database, table, chance, where)
        database.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (chance.choice(values), key))

    return damage


def _delete(table: str) -> Damage:
    def damage(database: sqlite3.Connection, chance: Random) -> None:
        database.execute(f"DELETE FROM {table} WHERE id = ?", (_pick(database, table, chance),))

    return damage


def _delete_many(database: sqlite3.Connection, chance: Random) -> None:
    first = _pick(database, "messages", chance)
    database.execute("DELETE FROM messages WHERE id BETWEEN ? AND ?", (first, first + chance.randrange(9)))


def _double(database: sqlite3.Connection, chance: Random) -> None:
    database.execute(
        "INSERT INTO parts (message_id, kind, text, call_id, tool, status, input, output, data, ended_at)"
        " SELECT message_id, kind, text, call_id, tool, status, input, output, data, ended_at FROM parts"
        " WHERE id = ?",
        (_pick(database, "parts", chance),),
    )


def _move(database: sqlite3.Connection, chance: Random) -> None:
    part, message = _pick(database, "parts", chance), _pick(database, "messages", chance)
    database.execute("UPDATE parts SET message_id = ? WHERE id = ?", (message, part))


_TOOL = "kind = 'tool'"
_DAMAGES: tuple[Damage, ...] = (
    _delete("messages"),
    _delete("parts"),
    _delete_many,
    _double,
    _move,
    _set("messages", "role", ("user", "assistant")),
    _set("messages", "origin", ORIGINS),
    _set("messages", "finish", (None, "", "failed", "odd")),
    _set("messages", "input_tokens", (0, 1, 10**12, -5)),
    _set("parts", "text", TEXTS),
    _set("parts", "kind", ("text", "reasoning", "tool", "file", "compaction", "subtask", "retry", "step")),
    _set("parts", "data", DATA),
    _set("parts", "data", DATA, "kind IN ('file', 'compaction')"),
    _set("parts", "pruned_at", (None, 1, 10**15)),
    _set("parts", "ended_at", (None, 1)),
    _set("parts", "status", STATUSES, _TOOL),
    _set("parts", "call_id", IDS, _TOOL),
    _set("parts", "tool", ("", "no such", "n" * 99, "shell"), _TOOL),
    _set("parts", "input", (*INPUTS, None), _TOOL),
    _set("parts", "output", (*TEXTS, None), _TOOL),
)
