"""Writes docs/commands.md from the registry: `python -m agent.commands.reference > docs/commands.md`."""

from __future__ import annotations

import sys

from agent.commands.builtin import GROUPS
from agent.commands.registry import Command

INTRODUCTION = """\
# Commands

This page is generated: `python -m agent.commands.reference > docs/commands.md` writes it again.

A line that begins with `/` is a command, in the app, in the REPL and in `wakeful run "/todos open"`. Names
and arguments are completed with the tab key, also from letters in the middle; an unknown name is answered
with the nearest. `[...]` may be left out. TODO is a number such as `14` or `#14`, or the beginning of a title
when only one todo begins so. Text in double quotes is one argument.

FILTER combines statuses (`pending`, `in_progress`, `blocked`, `completed`, `cancelled`, `open`, `all`),
priorities (`high`, `medium`, `low`), `@` with the number or a part of the title of an artifact, `sprint:`
with the number or a part of the name of a sprint, and words to look for; words of one kind widen, kinds
narrow each other. Without a filter everything is shown, what is open first; with one that names no status,
only what is open.

`/todo add TITLE` takes notes on the lines below it, up to a line with `/endtodo`.
"""

CLOSING = """\
## Your own commands

A Markdown file `NAME.md` in the folder `commands` beside your `config.toml`, or in `.wakeful/commands` of a
folder you trust, is the command `/NAME`: its text is sent to the agent, with what was typed behind the name
in place of `$ARGUMENTS`. A `description:` in its front matter is its line in `/help`. `agent:` and `subtask:`
are not carried out yet: the current agent answers, and a line says so. It cannot take the name of a command
above, and yours go before those of a project.
"""


def write() -> str:
    return "\n".join([INTRODUCTION, *(_section(title, group) for title, group in GROUPS.items()), CLOSING])


def _section(title: str, commands: tuple[Command, ...]) -> str:
    rows = "\n".join(f"| `{_escaped(each.usage)}` | {_escaped(each.help)} |" for each in commands)
    return f"## {title}\n\n| command | what it does |\n|---|---|\n{rows}\n"


def _escaped(text: str) -> str:
    return text.replace("|", r"\|")


if __name__ == "__main__":
    sys.stdout.write(write())
