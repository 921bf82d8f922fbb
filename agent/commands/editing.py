"""`/todo`: the verbs that change the plan, in the same words that a model's reply may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from agent.commands.kinds import last_word, todo_ids
from agent.commands.registry import Argument, Command, Complete, Completion, Context, Kind, command
from agent.commands.results import Result, Table, Text
from agent.commands.viewing import history, listed, take_back, todos
from agent.todos import commands
from agent.todos.actors import USER
from agent.todos.details import details
from agent.todos.grammar import Command as Parsed
from agent.todos.grammar import List, Undo, parse_command
from agent.todos.rules import PRIORITIES, STATUSES, TERMINAL, resolve
from agent.todos.service import TodoService

_STEPS = ("up", "down", "top", "bottom", "out")
_BESIDE = ("before", "after", "under")
TODO = Kind("TODO", complete=todo_ids(STATUSES), rest=True, example="3")


async def _add_words(context: Context, typed: str) -> list[Completion]:
    del context
    return [] if typed.strip() else [Completion("-w ", "-w", "for every session of this project")]


async def _priority_words(context: Context, typed: str) -> list[Completion]:
    if not typed[: last_word(typed)].strip():
        return await todo_ids()(context, typed)
    return [Completion(word, word, "", last_word(typed)) for word in PRIORITIES]


async def _move_words(context: Context, typed: str) -> list[Completion]:
    words = typed[: last_word(typed)].split()
    if not words or words[-1] in _BESIDE:
        return await todo_ids()(context, typed)
    if len(words) > 1:
        return []
    return [Completion(word, word, "", last_word(typed)) for word in (*_STEPS, *_BESIDE)]


# Name, what is said behind it, an example of that and how it is completed, and the line of help.
_VERBS: tuple[tuple[str, str, str, Complete, str], ...] = (
    (
        "add",
        "[-w] TITLE",
        "Buy milk",
        _add_words,
        "Add a todo; -w for the whole workspace, lines up to /endtodo are its notes",
    ),
    ("start", "TODO…", "3", todo_ids({"pending", "blocked"}), "Mark as being worked on"),
    ("done", "TODO…|all", "3", todo_ids(), "Complete"),
    ("cancel", "TODO…", "3", todo_ids(), "Drop, without doing it"),
    (
        "block",
        "TODO: REASON",
        "3: waits for a key",
        todo_ids({"pending", "in_progress"}, ": "),
        "Say what it waits for",
    ),
    ("reopen", "TODO…", "3", todo_ids({*TERMINAL, "blocked"}), "Make pending again"),
    ("describe", "TODO: TEXT", "3: two litres", todo_ids(STATUSES, ": "), "Set the notes"),
    ("subject", "TODO: TITLE", "3: Buy bread", todo_ids(STATUSES, ": "), "Set the title"),
    ("priority", "TODO high|medium|low", "3 high", _priority_words, "Say how much it matters"),
    (
        "move",
        "TODO PLACE",
        "3 up",
        _move_words,
        "Move up, down, top, bottom, out, or before, after, under another",
    ),
    ("delete", "TODO…|completed|all", "3", todo_ids(STATUSES), "Remove, with its subtasks"),
)


async def _todo(context: Context, words: Annotated[str, Kind("VERB …", rest=True)] = "list") -> Result:
    return await _carry_out(context, words)


async def on_list(service: TodoService, line: str) -> Result | None:
    """Carry out a `/todo` or `/todos` line where no session is open; None for any other line.

    Raises TodoError.
    """
    name, _, rest = line.strip().partition(" ")
    match name.lower(), rest.strip().lower():
        case "/todos", "log":
            return await history(service)
        case "/todos", "undo":
            return await _on_list(service, Undo())
        case "/todos", _:
            return await listed(service, rest.strip())
        case "/todo", _:
            return await _on_list(service, parse_command(rest.strip() or "list"))
        case _:
            return None


async def _on_list(service: TodoService, parsed: Parsed) -> Result:
    if isinstance(parsed, List):
        return await listed(service, parsed.filter)
    return Text((await commands.execute(service, USER, parsed)).text)


async def _show(context: Context, wanted: Annotated[str, TODO]) -> Result:
    service = context.opened.session.agenda.service
    return Table((), await details(service, resolve((await service.current()).todos, wanted)))


async def _carry_out(context: Context, words: str) -> Result:
    parsed = parse_command(words)
    session = context.opened.session
    result = await _on_list(session.agenda.service, parsed)
    if not isinstance(parsed, List):
        session.stir()
    return result


def _verb(verb: str) -> Callable[[Context, str], Awaitable[Result]]:
    async def run(context: Context, words: str) -> Result:
        return await _carry_out(context, f"{verb} {words}")

    return run


COMMANDS = (
    command("todo", "Change the plan; alone it shows it, as /todos does", _todo),
    command("todo list", "Show the plan, as /todos does", todos),
    *(
        Command(
            f"todo {verb}",
            help_,
            _verb(verb),
            (Argument(Kind(words, complete=complete, rest=True, example=example), required=True),),
        )
        for verb, words, example, complete, help_ in _VERBS
    ),
    command("todo undo", "Take the newest change back", take_back),
    command("todo show", "Show one todo with its notes, check, cost and history", _show),
)
