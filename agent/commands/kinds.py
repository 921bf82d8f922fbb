"""The arguments that several commands share, and how each is completed."""

from __future__ import annotations

from agent.commands.registry import Completion, Context, Kind
from agent.todos.rules import PRIORITIES, STATUSES

_FILTERS = ("open", "all", *STATUSES, *PRIORITIES)


def last_word(typed: str) -> int:
    """Where the word at the end begins."""
    return max(typed.rfind(" "), typed.rfind("\n")) + 1


async def _filter_words(context: Context, typed: str) -> list[Completion]:
    start = last_word(typed)
    if not typed[start:].startswith("@"):
        return [Completion(word, word, "", start) for word in _FILTERS]
    titles = await context.opened.session.agenda.service.artifact_titles()
    return [Completion(f"@{number}", f"@{number}", title, start) for number, title in titles.items()]


async def _command_names(context: Context, typed: str) -> list[Completion]:
    del typed
    return [Completion(each.name, each.name, each.help) for each in context.registry]


FILTER = Kind("FILTER", complete=_filter_words, rest=True)
COMMAND = Kind("COMMAND", read=lambda word: word.removeprefix("/"), complete=_command_names, rest=True)
