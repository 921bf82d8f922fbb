"""The arguments that several commands share, and how each is completed."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from agent.commands.registry import Complete, Completion, Context, Kind
from agent.todos.filters import SPRINT
from agent.todos.rules import OPEN, PRIORITIES, STATUSES
from store.records import TodoStatus

FILTERS = ("open", "all", *STATUSES, *PRIORITIES)
_MOST_FILES = 200


def last_word(typed: str) -> int:
    """Where the word at the end begins."""
    return max(typed.rfind(" "), typed.rfind("\n")) + 1


def number(word: str) -> int:
    """`3` or `#3`."""
    return int(word.removeprefix("#"))


def one_of(name: str, *words: str) -> Kind:
    async def complete(context: Context, typed: str) -> list[Completion]:
        del context, typed
        return [Completion(word, word) for word in words]

    def read(word: str) -> str:
        if word not in words:
            raise ValueError(word)
        return word

    return Kind(name, read, complete, example=words[0])


def todo_ids(statuses: Collection[TodoStatus] = OPEN, ending: str = "") -> Complete:
    """Todos to name, by id or title; several may be named, so the last word counts."""

    async def complete(context: Context, typed: str) -> list[Completion]:
        start = last_word(typed)
        return [
            Completion(f"{todo.id}{ending}", f"#{todo.id} {todo.title}", todo.status.replace("_", " "), start)
            for todo in (await context.opened.session.agenda.service.current()).todos
            if todo.status in statuses
        ]

    return complete


async def filter_words(context: Context, typed: str) -> list[Completion]:
    start = last_word(typed)
    service = context.opened.session.agenda.service
    if typed[start:].startswith("@"):
        titles = await service.artifact_titles()
        return [Completion(f"@{key}", f"@{title}", "", start) for key, title in titles.items()]
    if typed[start:].startswith(SPRINT):
        names = await service.sprint_names()
        return [Completion(f"{SPRINT}{key}", f"{SPRINT}{name}", "", start) for key, name in names.items()]
    return [Completion(word, word, "", start) for word in (*FILTERS, SPRINT)]


async def command_names(context: Context, typed: str) -> list[Completion]:
    del typed
    return [Completion(each.name, each.name, each.help) for each in context.registry]


async def files(context: Context, typed: str) -> list[Completion]:
    """What is in the folder that was typed so far; hidden files only once their dot is there."""
    folder, _, name = typed.lstrip('"').rpartition("/")
    shown = f"{folder}/" if folder or typed.startswith("/") else ""
    try:
        entries = sorted(resolve(context, shown or ".").iterdir(), key=lambda each: each.name)
    except OSError:
        return []
    found = [each for each in entries if name.startswith(".") or not each.name.startswith(".")]
    return [_file(each, shown) for each in found[:_MOST_FILES]]


def resolve(context: Context, path: str) -> Path:
    """As the user means it: from the project of the session, unless it is absolute."""
    return Path(context.opened.workshop.record.workspace) / Path(path).expanduser()


def _file(path: Path, shown: str) -> Completion:
    text = f"{shown}{path.name}{'/' if path.is_dir() else ''}"
    return Completion(f'"{text}"' if " " in text else text, text)


FILTER = Kind("FILTER", complete=filter_words, rest=True, mentions=False)
COMMAND = Kind("COMMAND", read=lambda word: word.removeprefix("/"), complete=command_names, rest=True)
FILE = Kind("FILE", complete=files, example="plan.md")
