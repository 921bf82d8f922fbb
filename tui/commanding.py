"""A slash command without a screen: run, printed as text or JSON, and told by its exit status."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from agent.commands.builtin import COMMANDS, context_for
from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.registry import Registry, is_command
from agent.commands.results import Confirm, Prompt, Result, TodoList
from agent.commands.text import as_text
from agent.events import Notice, to_json
from agent.money import is_priced, known_cost
from agent.opening import Opened, Opening
from agent.todos.wire import as_json
from store import sessions
from tui.errors import DoorError, UsageError
from tui.escapes import safe, speaks_unicode

_USAGE = ("usage", "unknown_command")


def for_command(opening: Opening, prompt: str) -> Opening:
    """A command is about the session that is there; a prompt, written as a command or not, begins one."""
    if not is_command(prompt) or _is_written(opening, prompt):
        return opening
    about = opening if opening.resume else replace(opening, proceed="newest")
    return replace(about, modelless=not _asks_a_model(prompt))


def _asks_a_model(line: str) -> bool:
    try:
        return Registry(COMMANDS).find(line)[0].asking
    except CommandError:
        return False


async def commanded(opened: Opened, line: str, output: str) -> int | str:
    """The exit status; or, where the agent is to work, what to send it, which may be nothing."""
    if not is_command(line):
        return line
    with opened.session.subscribe() as events:
        result = await _executed(opened, line)
        if isinstance(result, Prompt):
            if result.note:
                sys.stderr.write(f"wakeful: note: {safe(result.note)}\n")
            return result.text
        if line.split(maxsplit=1)[0].lower() == "/wake":
            return ""
        # Nobody is there to say yes, so nothing was done.
        status = 2 if isinstance(result, Confirm) else 0
        if output == "stream-json":
            opened.session.emit(Notice("info", as_text(result)))
            opened.session.bus.close()
            async for event in events:
                sys.stdout.write(to_json(event) + "\n")
        else:
            await _print(opened, result, output, status)
        return status


async def _executed(opened: Opened, line: str) -> Result:
    try:
        return await execute(context_for(opened), line)
    except CommandError as error:
        if error.code in _USAGE:
            raise UsageError(error.message, error.hint) from error
        raise DoorError(error.message, error.hint, code=error.code) from error


async def _print(opened: Opened, result: Result, output: str, status: int) -> None:
    if output == "text":
        unicode = speaks_unicode(sys.stdout)
        text = safe(as_text(result, unicode=unicode), unicode=unicode).rstrip("\n")
        if text:
            sys.stdout.write(f"{text}\n")
    else:
        sys.stdout.write(json.dumps(await _report(opened, result, status), ensure_ascii=False) + "\n")


async def _report(opened: Opened, result: Result, status: int) -> dict[str, object]:
    record = await opened.store.read(sessions.get, opened.session.id)
    todos = result.todos if isinstance(result, TodoList) else opened.session.agenda.todos
    used = bool(record.usage.total)
    return {
        "session": record.id,
        "result": as_text(result),
        "state": record.state,
        "reason": record.reason,
        "todos": [as_json(todo) for todo in todos],
        "usage": asdict(record.usage),
        "cost": known_cost(record.cost, priced=await is_priced(opened.store, record.id), used=used),
        "exit": status,
    }


def _is_written(opening: Opening, prompt: str) -> bool:
    name = prompt.split(maxsplit=1)[0].removeprefix("/").lower()
    if name in Registry(COMMANDS):
        return False
    folders = (opening.paths.config_folder / "commands", opening.root / ".wakeful" / "commands")
    return any(_holds(folder, name) for folder in folders)


def _holds(folder: Path, name: str) -> bool:
    return any(file.stem.lower() == name for file in folder.glob("*.md"))
